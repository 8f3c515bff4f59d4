"""Statements about simple things in the plain form that is read: orders, comparisons and exceptions said in other ways.

They are put so before the `turns` of phrase.
"""

from __future__ import annotations

import re

from mmgames.games.spy.listening.vocabulary import COLOURS, MATERIALS, NUMBER, SIZES

ADJECTIVES = "|".join(" ".join((*COLOURS.values(), *SIZES.values(), *MATERIALS.values())).split())
COLOUR_NAMES = "|".join(COLOURS)
_VIEWER = r"(?:the |my )?(?:camera|viewer|front|us|me|you|lens|foreground)"
_THINGS = "(?:objects?|things?|items?|shapes?|ones?)"
_BE = "(?:is|are|was|were|comes?|appears?|stands?|sits?|lies|follows?|goes)"
_FEWER = ("fewer", "less", "smaller", "lower", "rarer", "scarcer")
_ALIKE = "(?:colou?r|shape|size|material|finish)"
_ALONG = (
    r"(?:(?:going|reading|looking|moving|counting|ordered|arranged|seen|sorted|scanning|listed|lined up|when read|as "
    r"you go|if you (?:go|read|look)) )?(?:from )?(?:the )?"
)


def _in_turn(found: re.Match[str]) -> str:
    """What comes before and after what in a row, as what is left and right of what."""
    from_left = re.search(r"\bleft to (?:the )?right\b|\bfrom (?:the )?left\b", found[0]) is not None
    sides = {"before": "left", "after": "right"} if from_left else {"before": "right", "after": "left"}
    text = re.sub(
        rf",? ?\b{_ALONG}(?:left to (?:the )?right|right to (?:the )?left|"
        r"(?<=from )left|(?<=from )right|(?<=from the )left|(?<=from the )right)\b,?",
        " ",
        found[0],
    )
    text = re.sub(r"\b(?:you|we|i|one) (?:will )?(?:meet|see|find|get|encounter|reach)s? (.+?) (?=(?:right |directly |"
                  r"immediately |just )?(?:after|before)\b)", r"\1 is ", text)  # fmt: skip
    return re.sub(
        rf"\b(?:{_BE} )?(right |directly |immediately |just |straight )?(after|before)\b",
        lambda m: f"is {'directly' if m[1] else 'to the'} {sides[m[2]]} of",
        text,
    )


def _fewer(word: str) -> str:
    return "fewer" if word in _FEWER else "more"


def _colours_named(found: re.Match[str]) -> str:
    named = re.findall(rf"\b(?:{COLOUR_NAMES})\b", found[0])
    return f"all things are {' or '.join(named)} , " + " , ".join(f"there is a {name} thing" for name in named)


_OF_TWO = {
    "bigger": "large one", "larger": "large one", "smaller": "small one", "closer": "one nearest",
    "nearer": "one nearest",
}  # fmt: skip
PLAIN_FORMS = (
    (r"^the (bigger|larger|smaller|closer|nearer|farther|further) (?:one )?of ((?:the|my) two \w+(?: \w+)?|"
        r"both \w+) (?=is|has)",
     lambda m: f"of {m[2]}, the {_OF_TWO.get(m[1], 'one farthest')} "),
    (r"^(of (?:the|my) two .*?)\bthe one (?:in|at) (?:the )?(front|back)\b",
     lambda m: f"{m[1]}the one {'nearest' if m[2] == 'front' else 'farthest'}"),
    (rf"\bof (?:two )?different colou?rs(?:[:,]| -)? (?=(?:{COLOUR_NAMES}) and)", ": "),
    (r"\b(from the (left|right)\b.*?), (?:and )?the (second|third|fourth|fifth)(?: one)?(?: is)? (?=an? )",
     r"\1, the \3 from the \2 is "),
    (r"^(the [\w ]+?) is not ([\w ]+?),? and (the [\w ]+?) is not,? either$", r"neither \1 nor \3 is \2"),
    (rf"^((?:the |my )?\w+(?: \w+)?) are not all (?:of )?(?:the )?same ({_ALIKE})", r"\1 are not the same \2"),
    (rf"\b(second|third|fourth)[- ](?:closest|nearest|frontmost|"
        rf"foremost)\b(?: {_THINGS})?(?: to {_VIEWER})?", r"ord_\1_front"),
    (rf"\b(second|third|fourth)[- ](?:farthest|furthest|rearmost)\b(?! (?:to |on )?(?:the )?(?:left|right))"
     rf"(?: {_THINGS})?(?: (?:from|away|back)(?: {_VIEWER})?)*", r"ord_\1_back"),
    (r"\b(second|third|fourth)[- ](left|right)most\b", r"ord_\1_\2"),
    (rf"\bsame ({_ALIKE}),? but (?:not (?:the same|in)|an? different|different|of different) ({_ALIKE})\b",
     r"same \1 , they have a different \2"),
    (rf"\b({COLOUR_NAMES}) (?:shows? up|appears?|occurs?|is (?:found|seen)) (?:on|in|for|"
        rf"with) (?=(?:{NUMBER}) {_THINGS}\b)",
     r"\1 is the color of "),
    (rf"\b({COLOUR_NAMES}) (?:appears|occurs|shows up|is used) (?:exactly |only |just )?once,? (?:as|on|in|"
        rf"for) (?=an?\b)",
     r"the only \1 thing is "),
    (r"^no two (?!objects|things|items|of)((?:\w+ )?\w+) (?:share|have|are)(?: of)?(?: an?|"
        r" the)?(?: same)? (colou?r|shape)s?\b",
     r"the \1 all have different \2s"),
    (r"^besides (the .+?),? (?:there is|i (?:see|have)) another (\w+)", r"at least two \2 , \1"),
    (r"^unlike (the [^,]+), (the [^,]+? (?:is|has) [^,]+)$", r"\2 notso \1"),
    (r"\b(?:every|each)(?: single| and every)? one of\b", "all of"),
    (rf"^((?:only |just |exactly )?(?:one|a single|single|1) \w+), (?=(?:{ADJECTIVES})(?:(?:,| and|"
        rf", and)? (?:{ADJECTIVES}))*$)",
     r"\1 , it is "),
    (rf"(?:, | and )*\b(?:the )?(?:next )?{_THINGS} (?:right |directly |just |immediately )?after (?:it|"
        rf"that)(?= (?:is|has)\b)",
     ", relit_nextright"),
    (r"\b([1-9]) ?[x×] (?=[a-z]{3})", r"\1 "),
    (r"^(?:shapes|colou?rs|materials|sizes|objects|counts?|summary|contents|inventory): ?(?=\w)", ""),
    (rf" ?\((?=(?:{ADJECTIVES})(?:(?:,| and|, and)? (?:{ADJECTIVES}))*\))([^()]*)\)", r", which is \1 ,"),
    (r"^#? ?([a-z]+s(?: \w+)?) ?> ?#? ?([a-z ]+)$", r"more \1 than \2"),
    (r"^#? ?([a-z]+s(?: \w+)?) ?< ?#? ?([a-z ]+)$", r"fewer \1 than \2"),
    (r"^#? ?([a-z]+s) ?={1,2} ?#? ?([a-z]+s)$", r"as many \1 as \2"),
    (rf"^(?:the |my )?(?:only )?colou?rs (?:present|used|here|in use|shown|i (?:see|have)|(?:in|"
        rf"of) [\w ]+?)? ?(?:are|:) "
     rf"(?:only |just )?(?:{COLOUR_NAMES})(?:(?:,| and|, and)+ (?:{COLOUR_NAMES}))*$", _colours_named),
    (r"\bthe first(?: one)? (?:is|being)? ?(?!object|thing)(\w+)(?:,| and)+ the second(?: one)? (?:is|"
        r"being)? ?(?=\w+$)",
     r"one is \1 and the other is "),
    (r", (?:just |exactly |much |same )?(?:like|as is|as are|as does|as was) (?=the\b|my\b|an?\b)", " and so is "),
    (r", unlike (?=the\b|my\b)", " notso "),
    (r"^(?:and )?(the [\w ]+?) (?:is|are),? (?:too|as well)$", r"sois \1"),
    (r"\bno other (?!object|thing|item|one)(\w+) (?:besides|except|but|apart from|"
        r"than) (the .+)$", r"\2 is the only \1"),
    (rf"\b({COLOUR_NAMES}) is only (?:used|seen|found|there|present) (?:for|on|in|by|as) (?=an?\b|the\b)",
     r"the only \1 thing is "),
    (
        r"^(?=.*\b(?:before|after) (?:the|an?|my|it)\b)(?=.*\b(?:left to (?:the )?right|right to (?:the )?left|"
        r"(?:going|"
        r"counting|reading|looking) from (?:the )?(?:left|right))\b).*$",
        _in_turn,
    ),
    (r"\b(is|are|has|have|being) (?:also|likewise|actually|in fact|itself|themselves) ", r"\1 "),
    (r"^(?:compared|in comparison|relative|in contrast|as opposed) (?:to|with) (?=the\b|my\b)", "unlike "),
    (r"\b(?:namely|specifically|i\.e\.|that is,)\b", ","),
    (r"\bwhatever (?=is\b)", "everything that "),
    (r"^((?:the |my )?\w+(?: \w+)?) (is|are) not (?=all\b|both\b)", r"not all \1 \2 "),
    (r"^not all (the|my) (.+? (?:is|are)) +(?:all|both)\b", r"not all \1 \2"),
    (r"^((?:the|my) [\w ]+?) alone (is|has)\b", r"only \1 \2"),
    (r"\bit alone (is|has)\b", r"nothing except it \1"),
    (rf"\b(?:no|not any) other {_THINGS} (?:besides|except|but|apart from|than) ", "nothing except "),
    (r"\bnothing (?:stands?|is|sits|lies|can be seen|is (?:placed|found|visible)|appears) (?=(?:further |farther )?"
     r"(?:(?:to|on) (?:the|its) (?:left|right)|left of|right of|behind|in front|between)\b)", "no object "),
    (rf"^more {_THINGS} (?:are|look|have) (\w+) than (\w+)", r"more \1 things than \2 things"),
    (rf"^fewer {_THINGS} (?:are|look|have) (\w+) than (\w+)", r"fewer \1 things than \2 things"),
    (rf"\b({NUMBER}) (?!of\b)((?:[\w-]+ ){{0,2}}[\w-]+) (more|fewer|less) than ",
     lambda m: f"{m[1]} {_fewer(m[3])} {m[2]} than "),
    (rf"^(?:the |my )?(.+?) (?:are|is) (?:(exactly|just) )?(?:by )?(?:({NUMBER}) )?(fewer|more|less)(?: numerous| "
     r"common| frequent| plentiful| in number)? than (?!half\b|one\b|two\b|three\b|\d)",
     lambda m: f"{m[3] + ' ' if m[3] else ''}{_fewer(m[4])} {m[1]} than "),
    (rf"\bexactly (?=(?:{NUMBER}) (?:more|fewer)\b)", ""),
    (r"(?<!the )(?<!an )\bequal (?:number|amount|count)s? of\b", "the same number of"),
    (rf"^(?:together|in total|combined|altogether|all together),? there (?:are|is) (?=(?:{NUMBER}) .+? and )",
     "together thereis "),
    (rf"^together thereis ({NUMBER}) (\w+(?: \w+)?) and (.+)$", r"together \2 and \3 are \1"),
    (r"\b(.+?)'s (left|right)(?:-hand)? neighbou?r\b", r"the object directly \2 of \1"),
    (r"\bneighbou?r (?:on|to) (?:the |its )?(left|right)(?:-hand)?(?: side)? of\b", r"object directly \1 of"),
    (r"\bnext (?:object|thing|item|one) (?:on|to) (?:the |its )?(left|right)(?:-hand)?(?: side)? of\b",
     r"object directly \1 of"),
    (r"\b(left|right)(?:-hand)? neighbou?r of\b", r"object directly \1 of"),
    (rf"\bmatch(?:es)? (the .+?) in ({_ALIKE}) and ({_ALIKE})\b", r"has the same \2 and \3 as \1"),
    (rf"\bsame ({_ALIKE}) as (.+?),? (?:but|though|yet|and) (?:has |is |have |of |in |with )*(?:an?|another|the)? "
     rf"?(different|other|same)? ?({_ALIKE})\b",
     lambda m: f"same {m[1]} as {m[2]} , it is {'the same' if m[3] == 'same' else 'a different'} {m[4]} as {m[2]}"),
)  # fmt: skip
