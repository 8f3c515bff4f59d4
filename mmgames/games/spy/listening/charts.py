"""Charts as a world: bars with values, in one series or two.

With two series the things are the bars, then each item over both series (its stack), then each series over all items.
"""

import calendar
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from mmgames.games.spy.listening.claims import World, members
from mmgames.games.spy.listening.lexicon import WORDS
from mmgames.games.spy.pictures.chart import THEMES

_DATES = [name.lower() for name in (*calendar.day_name, *calendar.month_name) if name]
_IDLE = ("hundred", "thousand", "which", "from", "with", "come")


def split(labels: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The items and the series that a chart's labels are made of."""
    parts = [label.lower().partition(" in ") for label in labels]
    if not all(series for _, _, series in parts):
        return tuple(label.lower() for label in labels), ()
    return tuple(dict.fromkeys(part[0] for part in parts)), tuple(dict.fromkeys(part[2] for part in parts))


def _forms(name: str) -> str:
    """How people write the name of an item or a series, as a pattern."""
    if name in WORDS["forms"]:
        return str(WORDS["forms"][name])
    if long := next((each for each in _DATES if each[:3] == name), ""):
        return rf"{long}s?|{name}(?:t|r|s|rs|ur|urs|nes|n)?"
    if found := re.fullmatch(r"(\d+) h", name):
        hour = int(found[1])
        noon = "|noon|midday" if hour == 12 else ""
        return rf"{hour}(?: ?h(?:ours?|rs)?| o'clock|:00|\.00)|{hour % 12 or 12} ?{'am' if hour < 12 else 'pm'}{noon}"
    if name.startswith("the "):
        return rf"(?:the )?{name[4:]}s?"
    stem = re.sub("ies$", "(?:y|ies)", name)
    return stem if stem != name else f"{name.removesuffix('s')}(?:es|s)?"


@cache
def _names(labels: tuple[str, ...], unit: str, title: str) -> re.Pattern[str]:
    """The names of a chart's items, of those that it might have had, of its series and of what it measures."""
    items, series = split(labels)
    theme = next((theme for theme in THEMES if theme.title == title), None)
    known = dict.fromkeys((*items, *(item.lower() for item in (theme.items if theme else ()))))
    words = {word.removesuffix("s") for word in re.findall("[a-z]{4,}", f"{unit} {title}".lower()) if word not in _IDLE}
    named = [f"(?P<i{number}>{_forms(name)})" for number, name in enumerate(known)]
    named += [f"(?P<s{number}>(?:in |during )?(?:{_forms(name)}))" for number, name in enumerate(series)]
    named.append(
        f"(?P<u>%|per ?cents?|kg|kilos?|kwh|mm|units|(?:hundred|thousand)s?|(?:{'|'.join(words) or '%'})(?:e?s)?)"
    )
    return re.compile(rf"(?<![\w'])(?:{'|'.join(named)})(?!\w)")


def marked(sentence: str, record: Mapping[str, Any]) -> str:
    """A sentence with the chart's own names as marks: "@i2" is its third item, "@s0" its first series, "@u" a unit."""
    names = _names(tuple(record["table"]), record.get("unit", ""), record.get("title", ""))
    return names.sub(lambda found: f"@{found.lastgroup}", sentence)


def measures(record: Mapping[str, Any]) -> tuple[int, int, float]:
    """How many items and series a chart has, and what shares are shares of."""
    items, series = split(tuple(record["table"]))
    return len(items), len(series), 100 if record["kind"] == "pie" else sum(record["table"].values())


class ChartWorld(World):
    def __init__(self, record: Mapping[str, Any]) -> None:
        items, series = (range(len(each)) for each in split(tuple(record["table"])))
        bars = [float(value) for value in record["table"].values()]
        wide = len(items)
        self.names = [(f"i{item}", f"s{each}", "bar") for each in series or (0,) for item in items]
        self.values = list(bars)
        if series:
            self.names += [(f"i{item}", "", "stack") for item in items] + [
                ("", f"s{each}", "series") for each in series
            ]
            self.values += [sum(bars[item::wide]) for item in items]
            self.values += [sum(bars[each * wide : (each + 1) * wide]) for each in series]
        self.flat = not series
        self.size = len(self.values)

    def has(self, dimension: str, value: str) -> int:
        if dimension == "level" and self.flat:
            return (1 << self.size) - 1
        place = ("item", "series", "level").index(dimension)
        return sum(1 << i for i, name in enumerate(self.names) if name[place] == value)

    def key(self, name: str) -> Sequence[float]:
        return self.values if name == "value" else range(self.size)

    def amount(self, chosen: int) -> float:
        return sum(self.values[each] for each in members(chosen))
