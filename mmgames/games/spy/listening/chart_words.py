"""The words of clues about charts: items, numbers, ranks, and what other words mean of values."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from mmgames.games.spy.listening.vocabulary import NUMBERS, ORDINALS
from mmgames.games.spy.pictures.tables import THEMES

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MEANINGS = {
    "max": "highest tallest largest biggest greatest most maximum max peak peaks peaked best top "
    "tops busiest favourite "
    "favorite leads lead leader leading wins win winner strongest longest dominates highpoint infront numberone record "
    "dominant",
    "min": "lowest smallest shortest least fewest minimum min worst quietest weakest tiniest thinnest narrowest bottom "
    "lowpoint deadlast slowest poorest rarest",
    "gt": "higher taller larger bigger greater more above beats beat exceeds exceed exceeded "
    "outsold outsells outnumber "
    "outnumbers outranks surpasses surpass ahead better > longer over wider stronger thicker outdoes overtakes",
    "lt": "lower shorter smaller less fewer below under behind < worse trails narrower weaker thinner",
    "eq": "same equal equals identical tied tie",
    "rise": "rise rises rising climb climbs increase increases increasing grow grows growing up "
    "gained gains upward upwards "
    "climbing rose",
    "fall": "fall falls falling drop drops dropping decrease decreases decreasing decline declines down lost loses "
    "downward downwards sink sinks",
    "dip": "dip dips valley trough",
    "bump": "bump bumps spike spikes",
    "sum": "together combined sum total",
    "than": "than",
    "as": "as",
    "and": "and & plus",
    "cut": "while but then whereas with",
    "not": "not no none never nothing nobody neither",
    "from": "from",
    "between": "between",
    "to": "to",
    "all": "all every each",
    "diff": "difference gap differ",
    "range": "range ranges ranging",
    "near": "neighbour neighbours neighbor neighbors adjacent",
    "cmp": "compared versus",
    "until": "until til till",
    "after": "after",
    "start": "first starts start begins begin beginning starting opens",
    "end": "last ends end final finishes finish ending finally",
    "by": "by",
    "other": "others other else everything rest",
    "x2": "twice double doubles doubled 2x",
    "x3": "triple thrice 3x",
    "part": "bars slices segments columns points categories kinds wedges items days years months "
    "sectors pieces values entries labels types slots",
    "listed": "listed shown included featured",
    "pie": "pie",
    "linechart": "linechart",
    "barchart": "barchart",
    "any": "one some",
}
_WORDS = {word: meaning for meaning, names in _MEANINGS.items() for word in names.split()}
_NUMBERS = {
    **{word: value for word, value in NUMBERS.items() if word not in ("one", "pair", "couple", "lone")},
    "one": 1,
}
_FIRST = (
    (re.compile(r"(?<=\d),(?=\d{3}\b)"), ""),
    (re.compile(r"\b(?:a|one) quarter\b"), " 25 "),
    (re.compile(r"\b(?:more|over|greater) than half\b"), " gt 50 "),
    (re.compile(r"\b(?:a|one) third\b"), " 33 "),
    (re.compile(r"\bhalf (?:of )?(?= *(?:the )?@|as |that |what |the (?:value|share|number|size) )"), " x0.5 "),
    (re.compile(r"\b(?:almost|nearly|about|roughly) half\b"), " "),
    (re.compile(r"\bhalf (?:of )?(?:the|all)\b"), " 50 "),
    (re.compile(r"\b(\d|two|three|four|five) ?(?:x|times)\b"), r" times \1 "),
    (re.compile(r"\bper ?cent(?:age)?\b|%"), " "),
    (re.compile(r"\b(?:high|peak) point\b"), " highpoint "),
    (re.compile(r"\b(?:lowest|low|deepest) point\b"), " lowpoint "),
    (re.compile(r"\bdead last\b|\blast place\b|\bin last\b|\b(?:comes?|ranks?|ranked|"
r"finish(?:es)?) last\b"), " deadlast "),
    (re.compile(r"\b(?:comes?|ranks?|ranked|in|takes?) (?:the )?(?:first|1st)\b(?: place| spot)?"), " max "),
    (re.compile(r"\bmakes? up\b"), " "),
    (re.compile(r"\bscores? (?:the )?(?:more|higher)\b"), " gt "),
    (re.compile(r"\bmost small\b"), " min "),
    (re.compile(r"\b(?:clearly )?in front\b|\bnumber one\b|\bin the lead\b|\bfirst place\b"), " max "),
    (re.compile(r"\bfar right\b|\bon the right\b"), " last "),
    (re.compile(r"\bfar left\b"), " start "),
    (re.compile(r"\btop of the (?:scale|chart|axis)\b"), " "),
    (re.compile(r"\b(bar|line) (?:chart|graph)\b"), r" \1chart "),
    (re.compile(r"\b(?:up|down) (to|til|until)\b"), r" \1 "),
    (re.compile(r"\brunner[- ]up\b"), " second max "),
    (re.compile(r"\bat (?:its|the) (?:bottom)\b"), " min "),
    (re.compile(r"\bthe (?:bar|slice|point|share|value|number|slice size) (?:of|for|in)\b|'s?\b"), " "),
    (re.compile(r"\bamong the \w+est\b|\bput\b"), " "),
    (re.compile(r"-"), " "),
)  # fmt: skip
_SIGN = re.compile(r"x0\.5|@\d+|@x|[a-z]+(?:\d)?|\d+(?:\.\d+)?(?:st|nd|rd|th|x)?|[,:=()<>]")


def _forms(item: str) -> list[str]:
    """How people write an item."""
    name = item.lower()
    if days := [day for day in _DAYS if day[:3] == name]:
        return [days[0], days[0] + "s", name, {"tue": "tues", "thu": "thurs", "wed": "weds"}.get(name, name)]
    if months := [month for month in _MONTHS if month[:3] == name]:
        return [months[0], name] if name != "may" else ["may"]
    if re.fullmatch(r"\d+ h", name):
        hour = name.split()[0]
        return [f"{hour} hours", f"{hour} o'clock", f"{hour}:00", name, f"{hour}h"]
    if " in " in name:  # one of several series
        base, _, series = name.partition(" in ")
        parts = [series, series.removeprefix("the ")]
        return [
            form
            for stem in _forms(base)
            for part in parts
            for form in (
                f"{stem} in {part}",
                f"{stem} {part}",
                f"{part} {stem}",
                f"{stem} ({part})",
                f"{stem} of {part}",
            )
        ]
    stems = [name, name + "s", name.removesuffix("s"), name + "es", name.removesuffix("es"), re.sub("ies$", "y", name)]
    return [
        *dict.fromkeys(stem for stem in stems if len(stem) > 1),
        *({"geese": ["goose"], "on foot": ["foot", "walking", "walk"], "bicycle": ["bike", "bikes"]}.get(name, [])),
    ]


@lru_cache(maxsize=64)
def _finder(items: tuple[str, ...]) -> tuple[re.Pattern[str], dict[str, str]]:
    """A pattern for these items in any of their forms, and the item that each form stands for."""
    meant = {form: item for item in items for form in _forms(item)}
    forms = sorted(meant, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, forms))})\b"), meant


@lru_cache(maxsize=2048)
def tokens(sentence: str, items: tuple[str, ...]) -> tuple[Any, ...]:
    """Items as "@place", numbers as numbers, ranks as (nth,), and words by what they mean; all others are left out.

    "@x" is an item that the chart does not have, but might have had.
    """
    finder, meant = _finder(next((theme.items for theme in THEMES if set(items) <= set(theme.items)), items))
    places = {item: f" @{place} " for place, item in enumerate(items)}
    sentence = finder.sub(lambda found: places.get(meant[found[0]], " @x "), sentence)
    for pattern, put in _FIRST:
        sentence = pattern.sub(put, sentence)
    found: list[Any] = []
    for sign in _SIGN.findall(sentence):
        if sign[0] == "@" or sign in _MEANINGS or sign == "x0.5" or sign == "times":
            found.append(sign)
        elif sign in ",:=()":
            found.append(",")
        elif sign in ORDINALS and sign != "first":
            found.append((ORDINALS[sign],))
        elif sign in _WORDS:
            found.append(_WORDS[sign])
        elif sign in _NUMBERS:
            found.append(float(_NUMBERS[sign]))
        elif sign[0].isdigit() and len(sign) < 12:
            found.append(float(re.sub(r"[a-z]+", "", sign)))
    return tuple(found)
