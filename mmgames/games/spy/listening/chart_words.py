"""The words of clues about charts: items, numbers, ranks, and what other words mean of values."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from mmgames.games.spy.listening.vocabulary import NUMBERS, ORDINALS

_MEANINGS = {
    "max": "highest tallest largest biggest greatest most maximum max peak peaks peaked peaking best top "
    "tops busiest favourite "
    "favorite leads lead leader leading wins win winner strongest longest dominates highpoint infront numberone record "
    "dominant",
    "min": "lowest smallest shortest least fewest minimum min worst quietest weakest tiniest thinnest narrowest bottom "
    "lowpoint deadlast slowest poorest rarest",
    "gt": "higher taller larger bigger greater more above beats beat exceeds exceed exceeded "
    "outsold outsells outnumber "
    "outnumbers outranks surpasses surpass surpassed ahead better > longer over wider stronger thicker outdoes "
    "overtakes fatter heavier busier wetter rainier warmer hotter tops topping bests further farther",
    "lt": "lower shorter smaller less fewer below under behind < worse trails narrower weaker thinner lags quieter "
    "drier dryer colder cooler calmer",
    "eq": "same equal equals identical tied tie ties",
    "distinct": "distinct",
    "rise": "rise rises rising climb climbs climbed increase increases increased increasing grow grows grew grown "
    "growing up jump jumps jumped jumping soar soars shoot shoots surge surges recover recovers improve improves "
    "gained gains upward upwards "
    "climbing rose soared surged risen recovered improved",
    "fall": "fall falls falling drop drops dropping decrease decreases decreasing decline declines down lost loses "
    "downward downwards sink sinks sank fell dropped decreased declined collapse collapses collapsed plunge plunges "
    "nosedive nosedives dive dives decreases dropping slide slides tumble tumbles crash crashes shrink shrinks "
    "slope slopes slump slumps shrank shrunk plummets plummeted fallen slid reduced",
    "dip": "dip dips valley trough",
    "bump": "bump bumps spike spikes",
    "sum": "together combined sum total totals altogether overall jointly",
    "than": "than",
    "as": "as",
    "and": "and & plus",
    "cut": "while but then whereas with before",
    "not": "not no none never nothing nobody neither",
    "from": "from",
    "between": "between",
    "to": "to",
    "all": "all every each any",
    "diff": "difference gap differ minus spread",
    "range": "range ranges ranging",
    "near": "neighbour neighbours neighbor neighbors adjacent",
    "cmp": "compared versus",
    "until": "until til till",
    "after": "after",
    "start": "first starts start begins begin beginning starting opens started began opened",
    "end": "last ends end final finishes finish ending finally ended finished closes closed",
    "by": "by",
    "other": "others other else everything rest anything anyone",
    "x2": "twice double doubles doubled doubling 2x",
    "x0.5": "halved halves",
    "x3": "triple triples tripled thrice 3x",
    "le": "atmost",
    "geq": "atleast",
    "part": "hours birds fruits drinks bars slices segments columns points categories kinds wedges items days "
    "years months "
    "sectors pieces values entries labels types slots ways",
    "listed": "listed shown included featured",
    "pie": "pie",
    "linechart": "linechart",
    "barchart": "barchart",
    "piechart": "piechart",
    "halfpart": "halfpart",
    "any": "one some",
    "only": "only just solely exactly",
    "exc": "except",
    "later": "afterwards thereafter later",
    "since": "since",
    "ranking": "ranking ranked",
    "mk": "mk",
    "ge": "reaches reach hits",
    "avg": "average mean",
    "mostpart": "mostpart",
    "fewpart": "fewpart",
    "prevone": "prevone",
    "nextone": "nextone",
    "it": "it them",
    "next": "followed",
}
_WORDS = {word: meaning for meaning, names in _MEANINGS.items() for word in names.split()}
_NUMBERS = {
    **{
        word: value
        for word, value in NUMBERS.items()
        if word not in ("one", "pair", "couple", "lone", "single", "sole", "solitary", "twin")
    },
    "one": 1,
}
_PARTS = {"quarter": 0.25, "third": 0.333, "fifth": 0.2, "tenth": 0.1}
_BARS = "(?:bars|values|slices|columns|days|years|months|items|points|categories|hours)"
_MORE = {"more": 1, "fewer": -1, "less": -1}
_FIRST = (
    (re.compile(r"(?<=\d) ?\+ ?(?=@\d)"), " plus "),
    (re.compile(r"\b(?:values|numbers|bars|slices|shares|counts|everything) (?:go|goes|run|runs|span|spans|reach|vary|"
    r"varies|spread|extend|lie|are) (?:anywhere )?(?:all the way )?from (?=\d)"), " range from "),
    (re.compile(r"\b(?:every|each) (?:year|day|month|hour|bar|slice|point|item|column|value|category|entry)"
    r"(?= (?:has|is|shows?|lies|stays|reaches|exceeds|was|had|holds|looks)\b)"), " all bars "),
    (re.compile(r"\b(?:of different|different|distinct|unequal) ?(?:heights?|values?|sizes?|lengths?)?(?= ?$|[,.])"),
     " distinct "),
    (re.compile(r"\b(two|three|four|five|six|seven|eight|nine|ten|(?<![@\d])\d) (slice|bar|point|column|"
        r"value)(?= |$)"), r"\1 \2s"),
    (re.compile(r"\b(?:go|goes|rises?|climbs?|reach(?:es)?|extends?|gets?) (?:all the way )?up to (?=\d)"), " at "),
    (re.compile(r"\bnothing changes (?=between|from)"), " stays flat "),
    (re.compile(rf"\b(?:most|the majority|more than half) (?:of (?:the |my |all )*)?(?={_BARS}\b)"), " mostpart "),
    (re.compile(rf"\b(?:a minority|(?:less|fewer) than half) (?:of (?:the |my |all )*)?(?={_BARS}\b)"), " fewpart "),
    (re.compile(r"(\d+)(?: \w+)? apart\b"), r" differ by \1 "),
    (re.compile(r"(@\d+) ?, which (?:in turn )?(?:is|are|was)\b"), r"\1 , \1 "),
    (re.compile(r"(?<=@\d )(?:falls?|lies) (?:somewhere )?(?=between @)"), " "),
    (re.compile(r"\b(?:there is|one of the \w+ is) (?:an? )?(?:value|bar|slice|point) (?:of|at|with) (?:exactly "
    r")?(?=\d)"), " one equal "),
    (re.compile(r"\bat or above\b"), " atleast "),
    (re.compile(r"\bat or below\b"), " atmost "),
    (re.compile(r"\beverything (?=(?:is|lies|stays|sits|remains)\b)"), " all "),
    (re.compile(r"\b(?:only|just|exactly) (?:one|a single) (?=@)"), " 1 "),
    (re.compile(r"\bup to (?=@)"), " until "),
    (re.compile(r"\b(\d+(?:\.\d+)?|ten|five|two|three|four|six|seven|eight|nine)(?: \w+)? or (?:more|higher|"
    r"above|over|greater)\b"),
     r" atleast \1 "),
    (re.compile(r"\b(\d+(?:\.\d+)?|ten|five|two|three|four|six|seven|eight|nine)(?: \w+)? or (?:less|fewer|"
    r"lower|below|under)\b"),
     r" atmost \1 "),
    (re.compile(r"\b(more|fewer|less) than (one|two|three|four|[1-5])(?= (?:of (?:the |my )?)?" + _BARS + r"\b)"),
     lambda m: f" {'atleast' if m[1] == 'more' else 'atmost'} {int(NUMBERS.get(m[2], 0) or m[2]) + _MORE[m[1]]} "),
    (re.compile(r"\b(?:reach(?:es)?|hits?|gets?|goes|go|rises?|climbs?) (?=(?:above|over|below|under|beyond)\b)"), " "),
    (re.compile(r"\bjust (?=behind|after|ahead|above|below|before)"), " "),
    (re.compile(r"\bbottoms? out\b|\b(?:hits?|reach(?:es)?) (?:its|a|the|rock) ?(?:low|bottom|minimum)\b"), " min "),
    (re.compile(r"\b(?:hits?|reach(?:es)?) (?:its|a|the) (?:high|top|maximum|peak)\b"), " max "),
    (re.compile(r"(?<=than )(?:the (?:\w+ )?before(?: it)?|(?:the|its) (?:previous|preceding)(?: "
    r"\w+)?)\b"), " prevone "),
    (re.compile(r"(?<=than )(?:the (?:\w+ )?after it|(?:the|its) (?:next|following)(?: \w+)?)\b"), " nextone "),
    (re.compile(r"\bthe (?:one|bar|value|slice) (?:right )?(?:next to|beside|after|before) it,? (?=@)"), " "),
    (re.compile(r"\b(?:the )?(?:same|identical) (?:\w+ )?(?:of|at|with|namely),? (?=\d)|\btied at (?=\d)"), " all "),
    (re.compile(r"(?<=\d),(?=\d{3}\b)"), ""),
    (re.compile(r"\bout-(?=[a-z])"), "out"),
    (re.compile(r"\b(?:of|among|out of) (?:all (?:of )?(?:the )?|the |my |these )"
                r"(?:two|three|four|five|six|seven|eight|[2-8])\b(?: \w+)?"), " "),
    (re.compile(r"\ba single\b"), " 1 "),
    (re.compile(r"(?<=\d) (?:all the way )?(?:through|thru)(?: to)?(?= (?:to )?@)"), " to"),
    (re.compile(r"\btops the (?:chart|charts|list|ranking|field|table)\b"), " max "),
    (re.compile(r"\b(?:stays?|stayed|remains?|remained|is|was|holds?|keeps?) (?:\w+ )?(?:flat|level|steady|constant|"
                r"unchanged|stable) (?:between|from) (@\d+) (?:and|to|until) (@\d+)"), r" \1 and \2 equal "),
    (re.compile(r"\bby one\b"), " by 1 "),
    (re.compile(r"(@\d+ +plus +@\d+)\b"), r"\1 together "),
    (re.compile(r"\bw/ ?(?=\d)"), " with "),
    (re.compile(r"\bahead(?! of)\b"), " max "),
    (re.compile(r"\bout of (?:two|three|four|five|six|seven|eight|[2-8])\b"), " "),
    (re.compile(r"\b(?:apart|aside) from\b|\bexcept(?: for)?\b|\bwith the exception of\b|\bother than\b|"
                r"\b(?<=thing )but\b|\bbesides\b"), " except "),
    (re.compile(r"\bafter (?:that|this|which)\b|\bfrom (?:then|there) on(?:wards?)?\b|\bfrom there\b"), " later "),
    (re.compile(r"\bfrom (@\d+) on(?:wards?)?\b"), r" since \1 "),
    (re.compile(r"\bthroughout\b|\b(?:the whole|all) (?:week|time|year|day|along|the time|through)\b|"
                r"\bfrom start to finish\b|\b(?:continuously|constantly|steadily)\b"), " all "),
    (re.compile(r"\b(?:at most|no more than|not more than|(?<!add )(?<!adds )(?<!sum )up to)\b(?= *(?:[\d@]|half|"
                r"ten|five))"), " atmost "),
    (re.compile(r"\b(?:at least|no less than|not less than)\b"), " atleast "),
    (re.compile(r"\b(?:put|added|taken) together\b"), " together "),
    (re.compile(r"\b(?:make up|account for|form|cover|constitute|take up|fill|occupy|are|equal)\b(?= (?:exactly |just |"
                r"precisely |more than |less than |over )?(?:half|a quarter|a third|\d+ ?(?:%|per)))"), " mk "),
    (re.compile(r"\brunner[- ]up (?:to|behind)\b"), " second max after "),
    (re.compile(r"\badd(?:ing|ed)?(?! up)\b"), " sum "),
    (re.compile(r"\bmost (?:small|little|low|short)\b|\bthe low (?:of|point)\b"), " min "),
    (re.compile(r"\bhalf (?:of )?(?:the |all |all the )?(?=bars|values|slices|columns|days|years|months|items|points)"),
     " halfpart "),
    (re.compile(r"\b(?:a|one) (quarter|third|fifth|tenth) (?:of |as (?:high|large|big|much|tall) as )?"
                r"(?=(?:the (?:value|share|bar|slice|size) (?:of|for) )?(?:the )?@)"),
     lambda m: f" x{_PARTS[m[1]]} "),
    (re.compile(r"\b(?:a|one) quarter\b"), " 25 "),
    (re.compile(r"\b(?:more|over|greater) than half\b"), " gt 50 "),
    (re.compile(r"\b(?:a|one) third\b"), " 33 "),
    (re.compile(r"\bhalf (?:of )?(?= *(?:the )?@|as |that |what |the (?:value|share|number|size) )"), " x0.5 "),
    (re.compile(r"\bthe other half\b"), " "),
    (re.compile(r"\bhalf\b"), " 50 "),
    (re.compile(r"\b(?:three quarters|three-quarters)\b"), " 75 "),
    (re.compile(r"\b(?:a|one) fifth\b"), " 20 "),
    (re.compile(r"\b(?:a|one) tenth\b"), " 10 "),
    (re.compile(r"\bbetween (?:them|the two|both)\b|\b(?:adds?|sums?) (?:up )?to\b|\bmakes?(?= \d)|\bin sum\b|"
                r"\btaken together\b"), " together "),
    (re.compile(r"\bmost (?:of )?(?=\w+ (?:of|than)\b)|"
                r"\bmost (?:popular|common|frequent|often|ordered|used|sold)\w*"), " max "),
    (re.compile(r"\bleast (?:popular|common|frequent|often|ordered|used|sold)\w*"), " min "),
    (re.compile(r"\b(?:close |a close )?(second|third|fourth)(?: place)?,? (?:only )?(?:behind|after|to)\b"),
     r" \1 max after "),
    (re.compile(r"\b(?:every|any|all|than) (?:of the )?others?(?: \w+)?|\b(?:anything|everything|anyone|any) else\b|"
                r"\ball the (?:others|rest)\b|\bthe (?:others|rest)\b"), " other "),
    (re.compile(r"\b(?:rock bottom|bottom of the (?:ranking|pile|list|table))\b"), " min "),
    (re.compile(r"\b(?:is|are|was|were|came|comes?|sits?) (?:dead |very )?last\b"), " deadlast "),
    (re.compile(r"\b(\d+|two|three|four|five|six|seven|eight|nine|ten) ?(?:x|times)\b"), r" times \1 "),
    (re.compile(r"\bper ?cent(?:age)?\b|%"), " "),
    (re.compile(r"\b(?:high|peak) point\b"), " highpoint "),
    (re.compile(r"\b(?:lowest|low|deepest) point\b"), " lowpoint "),
    (re.compile(r"\bdead last\b|\blast place\b|\bin last\b|\b(?:comes?|ranks?|ranked|"
r"finish(?:es)?) last\b"), " deadlast "),
    (re.compile(r"\b(?:comes?|ranks?|ranked|in|takes?) (?:the )?(?:first|1st)\b(?: place| spot)?"
                r"(?! (?:step|years?|half|days?|months?|hours?|part|two|three|four|five|\d))"), " max "),
    (re.compile(r"\bmakes? up\b"), " "),
    (re.compile(r"\bscores? (?:the )?(?:more|higher)\b"), " gt "),
    (re.compile(r"\bmost small\b"), " min "),
    (re.compile(r"\b(?:clearly )?in front\b|\bnumber one\b|\bin the lead\b|\bfirst place\b"), " max "),
    (re.compile(r"\bfar right\b|\bon the right\b"), " last "),
    (re.compile(r"\bfar left\b"), " start "),
    (re.compile(r"\btop of the (?:scale|chart|axis)\b"), " "),
    (re.compile(r"\b(bar|line|pie) (?:chart|graph)\b"), r" \1chart "),
    (re.compile(r"(?<!then )(?<!and )(?<!back )\b(?:up|down) (to|til|until)\b"), r" \1 "),
    (re.compile(r"\brunner[- ]up\b"), " second max "),
    (re.compile(r"\bat (?:its|the) (?:bottom)\b"), " min "),
    (re.compile(r"\bthe (?:bar|slice|point|share|value|number|slice size) (?:of|for|in)\b|'s?\b"), " "),
    (re.compile(r"\bamong the \w+est\b|\bput\b"), " "),
    (re.compile(r"-"), " "),
)  # fmt: skip
_SIGN = re.compile(
    r"x0\.\d+|@\d+|@x|(?:below|near|above)~|out-[a-z]+|[a-z]+(?:\d)?|\d+(?:\.\d+)?(?:st|nd|rd|th|x)?|[,:=()<>]"
)


_NEAR = (
    (
        re.compile(
            r"\b(?:almost|nearly|just (?:under|below|shy of)|close to|not quite|a bit (?:under|below|"
            r"less than))\b(?! *(?:the )?@)"
        ),
        "below~",
    ),
    (re.compile(r"\b(?:about|around|roughly|approximately|some|circa|approx)\b(?= *\d)"), "near~"),
    (re.compile(r"\b(?:just|slightly|a bit|a little) (?:over|above|more than)\b(?! *(?:the )?@)"), "above~"),
)
_NOT_SUPERLATIVE = {
    "west",
    "rest",
    "test",
    "guest",
    "interest",
    "forest",
    "honest",
    "modest",
    "harvest",
    "request",
    "est",
}
_SMALL = (
    "low small short least few slow poor thin narrow dri quiet weak tini slim light faint calm minor rar bad skinni "
    "scarc sleepi empti mean bar young lean modest"
)
_LITTLE = tuple(_SMALL.split())


_OBJECTS = (
    "above over ahead beats beat exceeds exceed exceeded surpasses surpass surpassed below under behind trails lags "
    "outranks outsold outsells outnumber outnumbers outdoes overtakes"
)
_TAKES_OBJECT = frozenset(_OBJECTS.split())
"""Words that are followed by what something is compared with, without "than"."""


def _graded(word: str) -> str | None:
    """What other superlatives and comparatives mean: "the rainiest", "wetter"."""
    if word.endswith("est") and len(word) > 5 and word not in _NOT_SUPERLATIVE:
        stem = word[:-3]
        return "min" if any(stem in (little, little + little[-1], little + "e") for little in _LITTLE) else "max"
    return None


@lru_cache(maxsize=2048)
def tokens(sentence: str) -> tuple[Any, ...]:
    """Items as "@place", numbers as numbers, ranks as (nth,), and words by what they mean; all others are left out."""
    for pattern, put in (*_NEAR, *_FIRST):
        sentence = pattern.sub(put, sentence)
    found: list[Any] = []
    near = ""
    for sign in _SIGN.findall(sentence):
        token = _token(sign)
        if sign in _TAKES_OBJECT or token == "out":
            found.append("gt" if token == "out" else token)
            token = "than"
        if isinstance(token, float):
            token, near = Number(token).near_by(near), ""
        if token is not None:
            found.append(token)
        near = {"below~": "<", "near~": "~", "above~": ">"}.get(sign, near)
    return tuple(found)


def _token(sign: str) -> Any:
    if sign[0] == "@" or sign in _MEANINGS or sign.startswith("x0.") or sign == "times":
        return sign
    if sign in ",:=()":
        return ","
    if sign in ORDINALS and sign != "first":
        return (ORDINALS[sign],)
    if sign in _WORDS:
        return _WORDS[sign]
    if sign in _NUMBERS:
        return float(_NUMBERS[sign])
    if sign[0].isdigit() and len(sign) < 12:
        return float(re.sub(r"[a-z]+", "", sign))
    if re.fullmatch(r"out-?(?!side|put|er$|line|lier|door|come)[a-z]{3,}", sign):
        return "out"
    return _graded(sign)


class Number(float):
    """A number that somebody says, exactly or nearly."""

    near = ""

    def near_by(self, near: str) -> Number:
        self.near = near
        return self

    def fits(self, value: float) -> bool:
        """Whether a value is this number, or nearly."""
        if self.near == "<":
            return 0.8 * self <= value < self
        if self.near == ">":
            return self < value <= 1.2 * self
        return 0.9 * self <= value <= 1.1 * self if self.near else value == self
