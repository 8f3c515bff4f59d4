"""The items of a chart as clues name them: one by one, in one of two series, or both series of an item together.

A sentence's items are put in their places as "@7". Places count the bars of the chart; behind them come the sums of
each item over the series, and the sums of each series.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from mmgames.games.spy.listening.vocabulary import ORDINALS
from mmgames.games.spy.pictures.tables import THEMES

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_OTHER_NAMES = {
    "geese": ("goose",),
    "on foot": ("foot", "walking", "walk", "walkers", "pedestrians"),
    "bicycle": ("bike", "bikes", "cycling", "bicycles", "cycle", "cycles", "cyclists"),
    "autumn": ("fall",),
    "bus": ("buses",),
    "crime": ("crime fiction",),
}
_SHORT = {"tue": "tues", "thu": "thurs", "wed": "weds", "sep": "sept"}
_LINK = r"(?:(?:bar|value|slice|segment|part|share|count|number|figure|total|harvest|sales?|ones?|numbers) )?"


class Items(NamedTuple):
    """What the bars of a chart are called: the names, and the series where there are two."""

    names: tuple[str, ...]
    series: tuple[str, ...]

    @property
    def bars(self) -> int:
        return len(self.names) * max(1, len(self.series))

    def values(self, table: Mapping[str, float]) -> list[float]:
        """The values of all bars, then what each name, and each series, has together."""
        bars = [float(value) for value in table.values()]
        if not self.series:
            return bars
        wide = len(self.names)
        sums = [sum(bars[name::wide]) for name in range(wide)]
        return [*bars, *sums, *(sum(bars[i * wide : (i + 1) * wide]) for i in range(len(self.series)))]

    def pool(self, place: int, series: int | None) -> range:
        """The places that one is compared with when it is called the highest."""
        wide = len(self.names)
        if place >= self.bars + wide:
            return range(self.bars + wide, self.bars + wide + len(self.series))
        if place >= self.bars:
            return range(self.bars, self.bars + wide)
        return range(self.bars) if series is None else range(series * wide, (series + 1) * wide)


@lru_cache(maxsize=64)
def items_of(labels: tuple[str, ...]) -> Items:
    parts = [label.partition(" in ") for label in labels]
    if not all(series for _, _, series in parts):
        return Items(labels, ())
    return Items(tuple(dict.fromkeys(name for name, _, _ in parts)), tuple(dict.fromkeys(each for _, _, each in parts)))


def _forms(item: str) -> list[str]:
    """How people write an item."""
    name = item.lower()
    if days := [day for day in _DAYS if day[:3] == name]:
        return [days[0], days[0] + "s", name, _SHORT.get(name, name)]
    if months := [month for month in _MONTHS if month[:3] == name]:
        return [months[0], name, _SHORT.get(name, name)] if name != "may" else ["may"]
    if re.fullmatch(r"\d+ h", name):
        return _hours(int(name.split()[0]))
    if name.startswith("the "):  # "the morning"
        return [name, name[4:], name[4:] + "s"]
    stems = [name, name + "s", name.removesuffix("s"), name + "es", name.removesuffix("es"), re.sub("ies$", "y", name)]
    return [*dict.fromkeys(stem for stem in stems if len(stem) > 1), *_OTHER_NAMES.get(name, ())]


def _hours(hour: int) -> list[str]:
    forms = [f"{hour} hours", f"{hour} o'clock", f"{hour}:00", f"{hour} h", f"{hour}h", f"{hour}.00", f"{hour} hrs"]
    forms += ["noon", "midday"] if hour == 12 else []
    half = f"{hour % 12 or 12} {'am' if hour < 12 else 'pm'}"
    return [*forms, half, half.replace(" ", "")]


@lru_cache(maxsize=128)
def _finder(names: tuple[str, ...]) -> tuple[re.Pattern[str], dict[str, str]]:
    """A pattern for names in any of their forms, and the name that each form stands for."""
    meant = {form: name for name in names for form in _forms(name)}
    forms = sorted(meant, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, forms))})(?!\w)"), meant


class Placed(NamedTuple):
    text: str
    series: int | None = None  # the sentence speaks of one series alone
    denied: bool = False  # "but not in 2024"


@lru_cache(maxsize=2048)
def placed(sentence: str, items: Items) -> tuple[Placed, ...]:
    """What a sentence states, with its items in their places; "@x" is one that the chart might have had, but "
    "has not."""
    theme = next((theme.items for theme in THEMES if set(items.names) <= set(theme.items)), items.names)
    finder, meant = _finder(theme)
    own = {name: place for place, name in enumerate(items.names)}
    if not items.series:
        sentence = re.sub(r"\bmay (?=be|have|not|look|also|still|well|seem)", "might ", sentence)
        sentence = finder.sub(lambda found: _place(own.get(meant[found[0]])), sentence)
        return (Placed(" ".join(_counted_off(sentence, len(items.names)).split())),)
    sentence = finder.sub(lambda found: _mark("N", own.get(meant[found[0]])), sentence)
    finder, meant = _finder(items.series)
    sentence = finder.sub(lambda found: _mark("S", items.series.index(meant[found[0]])), sentence)
    sentence = " ".join(sentence.split())
    if both := _IN_BOTH.search(sentence):
        each = [sentence.replace(both[0], f"in S{place}") for place in range(len(items.series))]
        return tuple(_in_series(clause, items) for clause in each)
    if but := _BUT_NOT.search(sentence):
        said = sentence[: but.start()]
        other = re.sub(r"S\d", f"S{but[1]}", said)
        return _in_series(said, items), _in_series(other, items)._replace(denied=True)
    return tuple(_in_series(clause, items) for clause in _clauses(sentence) or [sentence])


def _counted_off(sentence: str, bars: int) -> str:
    """The second bar from the left as the item that it is, and whether it is the one that is named with it."""

    def place(found: re.Match[str]) -> str:
        word = found[1]
        rank = {"leftmost": 0, "rightmost": bars - 1, "last": bars - 1}.get(word, ORDINALS.get(word, 0) - 1)
        rank = bars - 1 - rank if found[2] == "right" and word not in ("leftmost", "rightmost") else rank
        return f" ^{rank} " if 0 <= rank < bars else found[0]

    sentence = _NTH_BAR.sub(place, sentence)
    sentence = _NAMED.sub(lambda f: f" @{f[2]} {HERE if f[1] == f[2] else ELSEWHERE} ", sentence)
    return re.sub(r"\^(\d+)", r"@\1", sentence)


HERE, ELSEWHERE = "rightplace", "wrongplace"
_NTH_BAR = re.compile(
    rf"\b(?:the |very )*({'|'.join(ORDINALS)}|last|leftmost|rightmost) (?:bar|column|point|data point|value)\b"
    r"(?: from (?:the )?(left|right)| on the (?:left|right))?"
)
_NAMED = re.compile(
    r"\^(\d+)\W+(?:(?:is|was|for|shows?|belongs|represents|stands|namely|to|the|of|called|that)\b\W*)*@(\d+)(?! +bar)"
)


def _place(place: int | None) -> str:
    return " @x " if place is None else f" @{place} "


def _mark(kind: str, place: int | None) -> str:
    return " @x " if place is None else f" {kind}{place} "


_IN_BOTH = re.compile(
    r"\bin both(?: (?:seasons|years|series|halves|times|periods|cases|(?:the )?S\d and (?:the |"
    r"in )?S\d))?(?= ?(?:$|[.,]))"
)
_BUT_NOT = re.compile(r",? (?:but|and|though|yet) not (?:in|during|for|at|on) (?:the )?S(\d)(?: one)?\s*$")
_LOWER = ("lower", "fewer", "less", "smaller")
_ONLY_CHANGE = re.compile(
    rf"N(\d).*\bonly\b.*?\b({'|'.join(_LOWER)}|higher|more|larger|greater|bigger)\b.*?S(\d) than (?:in |during |at )?"
    r"(?:the )?S(\d)"
)
_ONLY_FROM = re.compile(r"N\d .*\bonly (?:one|\w+ that)\b|\bonly N\d")


def _clauses(text: str) -> list[str]:
    """The clauses of a sentence of which each speaks of a series of its own; "
    "what "it" is in them is put in its place."""
    clauses = re.split(r",? (?:but|while|whereas) |; ", text)
    told = [set(re.findall(r"S(\d)", clause)) for clause in clauses]
    names = re.findall(r"N\d", clauses[0])
    if len(clauses) < 2 or any(len(each) != 1 for each in told) or len(set.union(*told)) < 2 or not names:
        return []
    if len(names) > 2 or any(re.search(r"N\d", clause) for clause in clauses[1:]):
        return []
    behind = [re.sub(r"\b(?:it|them)\b", names[-1], clause) for clause in clauses[1:]]
    return [clauses[0], *(f"{names[0]} {clause}" for clause in behind)]


def _in_series(text: str, items: Items) -> Placed:
    wide = len(items.names)
    if only := _ONLY_CHANGE.search(text):
        rises = (only[2] in _LOWER) != (only[3] > only[4])
        return Placed(f"@{items.bars + int(only[1])} only {'rises' if rises else 'falls'}")
    if _ONLY_FROM.search(text):
        text = re.sub(r"(?:from|between) (?:the )?S\d (?:to|and) (?:the )?S\d", " ", text)

    def cell(name: str, series: str) -> str:
        return f"@{int(series) * wide + int(name)}"

    text = re.sub(
        r"(?:in |during |over |across |for )?both (?:seasons|years|series|S\d and S\d)|S\d and S\d (?:together|"
        r"combined)",
        "",
        text,
    )
    text = re.sub(
        rf"N(\d)(?: '?s)? {_LINK}(?:(?:in|of|for|during|from|at) (?:the )?)?S(\d)", lambda m: cell(m[1], m[2]), text
    )
    text = re.sub(
        rf"(?<!in )(?<!during )(?<!in the )S(\d)(?: '?s)? {_LINK}(?:(?:of|for) (?:the )?)?N(\d)",
        lambda m: cell(m[2], m[1]),
        text,
    )
    if len(set(re.findall(r"N\d", text))) == 1:  # "tea: 5 (spring), 8 (autumn)"
        name = re.findall(r"N(\d)", text)[0]
        text = re.sub(r"(\d[\d.,]*) ?\( ?(?:in )?(?:the )?S(\d) ?\)", lambda m: f"{cell(name, m[2])} {m[1]}", text)
    names, series = re.findall(r"N(\d)", text), re.findall(r"S(\d)", text)
    attached = re.findall(r"@(\d+)", text)
    if attached and (names or series) and len({int(place) // wide for place in attached} | set(map(int, series))) == 1:
        one = int(attached[0]) // wide  # "bicycles in autumn are more than cars", "the lowest of the autumn ones"
        text = re.sub(r"N(\d)", lambda m: cell(m[1], str(one)), text)
        return Placed(re.sub(r"(?:in |during |for |of )?(?:the )?S\d", " ", text), one)
    if series and attached and not names:
        name = str(int(attached[-1]) % wide)
        return Placed(re.sub(r"S(\d)", lambda m: cell(name, m[1]), text))
    if len(set(series)) == 1 and (names or "@" not in text):
        text = re.sub(r"N(\d)", lambda m: cell(m[1], series[0]), text)
        if names or not re.search(r"\b(?:total|together|altogether|overall|sum|combined|adds? up)\b", text):
            return Placed(re.sub(r"(?:in |during |for )?(?:the )?S\d", " ", text), int(series[0]))
    if len(set(names)) == 1 and series:
        text = re.sub(r"S(\d)", lambda m: cell(names[0], m[1]), text)
        return Placed(re.sub(r"(?:for |the )?N\d", " ", text))
    if series and names:
        clauses = re.split(r"(,| and | but | while | whereas )", text)
        if len(clauses) > 1:
            return Placed(" ".join(_in_series(clause, items).text for clause in clauses))
    text = re.sub(r"N(\d)", lambda m: f"@{items.bars + int(m[1])}", text)
    return Placed(re.sub(r"S(\d)", lambda m: f"@{items.bars + wide + int(m[1])}", text))


def listed(places: Sequence[str]) -> list[int]:
    return [int(place[1:]) for place in places]
