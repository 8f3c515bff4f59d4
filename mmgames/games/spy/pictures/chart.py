"""Bar, line and pie charts of small tables, and bars of two series; the pair swaps the values of two items.

Values of bars and lines are multiples of half a grid line, so that they can be read off; slices have their share
written on them. All values of a chart differ.
"""

import json
from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mmgames.drawing import canvas
from mmgames.drawing.canvas import FAINT, INK, LINE, WHITE, Colour, Pen, mix
from mmgames.errors import MmgamesError, unknown
from mmgames.games.spy.pictures.pair import ASPECT, Change, Fact, Pair


class Theme(NamedTuple):
    title: str
    unit: str
    items: tuple[str, ...]
    ordered: bool = False  # the items follow each other in time, as a line chart's have to


_FILE = json.loads(Path(__file__).with_name("themes.json").read_text(encoding="utf-8"))
THEMES = tuple(
    Theme(title, unit, tuple(_FILE["times"][items] if isinstance(items, str) else items), isinstance(items, str))
    for title, unit, items in _FILE["themes"]
)
"""What charts are about: titles, what is measured in which unit, and the items of a table. Items that are named and not
listed are times."""


KINDS = ("bar", "line", "pie")
OF_SERIES = ("grouped", "stacked")
MORE_KINDS = ("horizontal", *OF_SERIES)
"""Kinds that are drawn where they are asked for."""
SERIES = (("2023", "2024"), ("spring", "autumn"), ("the morning", "the evening"))
FEWEST, MOST = 4, 7
LINES = 5  # grid lines above the axis
_STEPS = (2, 10, 20, 50, 100)  # what a grid line may stand for; half of it is a whole number
_APART = 3  # the values that are swapped differ by at least so many half grid lines
_TRIES = 20  # to find values that are far enough apart
_SHARES = 5  # slices are multiples of so many per cent
_PALETTES: tuple[tuple[Colour, ...], ...] = (
    ((44, 104, 176), (222, 120, 42), (62, 146, 88), (190, 62, 62), (126, 96, 176), (134, 98, 70), (84, 160, 170)),
    ((24, 118, 120), (214, 158, 46), (176, 70, 96), (96, 120, 60), (74, 84, 140), (196, 110, 60), (120, 120, 124)),
)


class ChartScene(NamedTuple):
    """A chart as a value: the table it shows and how."""

    kind: str
    title: str
    unit: str
    items: tuple[str, ...]
    values: tuple[int, ...]
    step: int  # what a grid line stands for
    palette: int
    series: tuple[str, ...] = ()  # items are then those of the first series, followed by those of the second

    @property
    def names(self) -> tuple[str, ...]:
        """What the groups of bars are called, or the items themselves."""
        if not self.series:
            return self.items
        return tuple(item.partition(" in ")[0] for item in self.items[: len(self.items) // len(self.series)])

    def draw(self, size: int) -> np.ndarray:
        return canvas.painting(_paint, size, round(size * ASPECT), WHITE, self)

    def facts(self) -> tuple[Fact, ...]:
        what = "the share of" if self.kind == "pie" else "the value of"
        each = [Fact(f"{what} {item}", self.said(value)) for item, value in zip(self.items, self.values, strict=True)]
        ranked = sorted(zip(self.values, self.items, strict=True))
        return (
            *each,
            Fact("the item with the highest value", ranked[-1][1]),
            Fact("the item with the lowest value", ranked[0][1]),
        )

    def said(self, value: int) -> str:
        return f"{value} %" if self.kind == "pie" else str(value)

    def record(self) -> Mapping[str, Any]:
        table = dict(zip(self.items, self.values, strict=True))
        return {
            "kind": self.kind,
            "title": self.title,
            "unit": "per cent" if self.kind == "pie" else self.unit,
            "table": table,
        }


class Chart:
    """Pairs of charts of the given `kinds` ("bar+line+pie"); `swaps` pairs of items trade their values. With `tables`
    they are those of a JSON file: a list of charts as a scene's `record` has them, or one."""

    def __init__(self, kinds: str = "bar+line+pie", swaps: int = 1, tables: str = "") -> None:
        self.kinds = tuple(str(kinds).split("+"))
        for kind in self.kinds:
            if kind not in (*KINDS, *MORE_KINDS):
                raise unknown("kind", kind, "chart", (*KINDS, *MORE_KINDS))
        if isinstance(swaps, bool) or not isinstance(swaps, int) or not 1 <= swaps <= FEWEST // 2:
            raise MmgamesError(
                f"chart: swaps={swaps!r} is out of range; 1 to {FEWEST // 2} pairs of items are swapped."
            )
        self.swaps = swaps
        self.given = _read_tables(tables, 2 * swaps) if tables else ()

    def pair(self, rng: np.random.Generator) -> Pair:
        for _ in range(_TRIES * (1 + len(self.given))) if self.given else iter(int, 1):
            pair = self.vary(self.scene(rng), rng)
            if pair is not None:
                return pair
        raise MmgamesError("chart: no two values of the given tables are far enough apart to be swapped.")

    def scene(self, rng: np.random.Generator) -> ChartScene:
        """One chart alone."""
        if self.given:
            return self.given[int(rng.integers(len(self.given)))]
        return _scene(self.kinds[int(rng.integers(len(self.kinds)))], rng)

    def vary(self, scene: ChartScene, rng: np.random.Generator) -> Pair | None:
        for _ in range(_TRIES):
            values = list(scene.values)
            places = rng.permutation(len(values))[: 2 * self.swaps].reshape(-1, 2).tolist()
            apart = scene.step * _APART // 2 if scene.kind != "pie" else 2 * _SHARES
            if any(abs(values[one] - values[other]) < apart for one, other in places):
                continue
            for one, other in places:
                values[one], values[other] = values[other], values[one]
            changes = tuple(
                Change(item, "value", scene.said(before), scene.said(after))
                for item, before, after in zip(scene.items, scene.values, values, strict=True)
                if before != after
            )
            return Pair(scene, scene._replace(values=tuple(values)), changes)
        return None


def _read_tables(path: str, fewest: int) -> tuple[ChartScene, ...]:
    """The charts of a file; a sentence about the first that cannot be drawn."""
    try:
        held = json.loads(Path(path).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise MmgamesError(f"The charts cannot be read from {path}: {error}.") from error
    scenes = []
    for number, chart in enumerate(held if isinstance(held, list) else [held]):
        try:
            kind, table = str(chart["kind"]), {str(item): value for item, value in chart["table"].items()}
            if kind not in (*KINDS, "horizontal"):
                raise ValueError(f"its kind {kind!r} is none of {', '.join((*KINDS, 'horizontal'))}")
            if not all(isinstance(value, int) and value >= 0 for value in table.values()) or not any(table.values()):
                raise ValueError("its values are not all whole numbers from 0 up, or all 0")
            if not max(2, fewest) <= len(table) <= MOST:
                raise ValueError(f"it has {len(table)} items, and {max(2, fewest)} to {MOST} can be shown and swapped")
            if kind == "pie" and sum(table.values()) != 100:
                raise ValueError("the shares of its slices do not add up to 100")
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            why = f"it has no {error}" if isinstance(error, KeyError) else str(error).rstrip(".")
            raise MmgamesError(f"{path}: chart {number} cannot be drawn: {why}.") from error
        step = 0 if kind == "pie" else 2 * ceil(max(table.values()) / LINES / 2)
        said = (str(chart.get("title", "")), str(chart.get("unit", "")))
        scenes.append(ChartScene(kind, *said, tuple(table), tuple(table.values()), step, number % len(_PALETTES)))
    if not scenes:
        raise MmgamesError(f"{path} holds no chart.")
    return tuple(scenes)


def _scene(kind: str, rng: np.random.Generator) -> ChartScene:
    themes = [theme for theme in THEMES if theme.ordered or kind != "line"]
    themes = [theme for theme in themes if not theme.ordered or kind not in ("pie", *OF_SERIES)]
    theme: Theme = themes[int(rng.integers(len(themes)))]
    count = int(rng.integers(FEWEST, min(MOST, len(theme.items)) + 1))
    if theme.ordered:
        first = int(rng.integers(len(theme.items) - count + 1))
        items = theme.items[first : first + count]
    else:
        items = tuple(theme.items[int(i)] for i in sorted(rng.permutation(len(theme.items))[:count]))
    if kind in OF_SERIES:
        return _of_series(kind, theme, items[:4], rng)
    if kind == "pie":
        count = min(count, 5)  # six shares that all differ would leave slices too thin
        items, step, values = items[:count], 0, _shares(count, rng)
    else:
        step = _STEPS[int(rng.integers(len(_STEPS)))]
        values = tuple(int(i) * step // 2 for i in rng.permutation(np.arange(1, 2 * LINES + 1))[:count])
    return ChartScene(kind, theme.title, theme.unit, items, values, step, int(rng.integers(len(_PALETTES))))


def _of_series(kind: str, theme: Theme, items: tuple[str, ...], rng: np.random.Generator) -> ChartScene:
    series = SERIES[int(rng.integers(len(SERIES)))]
    step = _STEPS[int(rng.integers(len(_STEPS)))]
    cells = tuple(f"{item} in {part}" for part in series for item in items)
    values = tuple(int(i) * step // 2 for i in rng.permutation(np.arange(1, 2 * LINES + 1))[: len(cells)])
    return ChartScene(kind, theme.title, theme.unit, cells, values, step, int(rng.integers(len(_PALETTES))), series)


def _shares(count: int, rng: np.random.Generator) -> tuple[int, ...]:
    """Shares that all differ and add up to 100."""
    while True:
        cuts = np.sort(rng.permutation(np.arange(1, 100 // _SHARES))[: count - 1])
        shares = np.diff([0, *cuts.tolist(), 100 // _SHARES]) * _SHARES
        if len(set(shares.tolist())) == count and shares.min() >= _SHARES:
            return tuple(shares.tolist())


_GREY = mix(INK, WHITE, 0.15)
_LEFT, _RIGHT, _TOP, _BOTTOM = 0.125, 0.97, 0.185, 0.87


def _paint(pen: Pen, scene: ChartScene) -> None:
    pen.text(0.5, 0.06, scene.title, 0.066, INK, bold=True)
    if scene.kind == "pie":
        _pie(pen, scene)
        return
    if scene.kind == "horizontal":
        _sideways(pen, scene)
        return
    pen.text(0.02, 0.128, scene.unit, 0.046, _GREY, "lm")
    colours = _PALETTES[scene.palette]
    step = scene.step * (2 if scene.kind == "stacked" else 1)
    top = step * LINES
    for line in range(LINES + 1):
        y = _BOTTOM - (_BOTTOM - _TOP) * line / LINES
        pen.rect(_LEFT, y - 0.0015, _RIGHT, y + 0.0015, _GREY if line == 0 else LINE)
        pen.text(_LEFT - 0.014, y, str(line * step), 0.05, _GREY, "rm")
        if line:  # a fainter line halfway, for the values in between
            half = y + (_BOTTOM - _TOP) / LINES / 2
            pen.rect(_LEFT, half - 0.0008, _RIGHT, half + 0.0008, mix(LINE, WHITE, 0.5))
    pen.rect(_LEFT - 0.0015, _TOP - 0.02, _LEFT + 0.0015, _BOTTOM, _GREY)
    width = (_RIGHT - _LEFT) / len(scene.names)
    letters = fitting_height(pen, scene.names, 0.05 if len(scene.names) < 6 else 0.044, width)
    for place, name in enumerate(scene.names):
        pen.text(_LEFT + (place + 0.5) * width, 0.93, name, letters, INK)
    if scene.series:
        _bars_of_series(pen, scene, width, top)
        return
    points = []
    for place, value in enumerate(scene.values):
        x = _LEFT + (place + 0.5) * width
        y = _BOTTOM - (_BOTTOM - _TOP) * value / top
        points.append((x, y))
        if scene.kind == "bar":
            pen.rect(x - 0.3 * width, y, x + 0.3 * width, _BOTTOM, colours[place % len(colours)])
    if scene.kind == "line":
        pen.line(points, colours[0], 0.012)
        for x, y in points:
            pen.disc(x, y, 0.022, WHITE)
            pen.disc(x, y, 0.017, colours[0])


def _bars_of_series(pen: Pen, scene: ChartScene, width: float, top: int) -> None:
    """Bars of all series beside or on top of each other, with their values on them, and what their colours mean."""
    colours, number = _PALETTES[scene.palette], len(scene.names)
    for place in range(number):
        floor = 0
        for part in range(len(scene.series)):
            value = scene.values[part * number + place]
            stacked = scene.kind == "stacked"
            left = _LEFT + (place + (0.2 if stacked else 0.14 + 0.37 * part)) * width
            right = left + (0.6 if stacked else 0.35) * width
            low, high = (_BOTTOM - (_BOTTOM - _TOP) * (floor + up) / top for up in (0, value))
            pen.rect(left, high, right, low, colours[part])
            if stacked:
                pen.text((left + right) / 2, (low + high) / 2, str(value), min(0.044, low - high), WHITE)
                floor += value
    for part, name in enumerate(scene.series):
        x = 0.46 + 0.26 * part
        pen.rect(x, 0.11, x + 0.03, 0.145, colours[part])
        pen.text(x + 0.04, 0.128, name, 0.044, INK, "lm")


def _sideways(pen: Pen, scene: ChartScene) -> None:
    """Bars from the left; their names stand before them."""
    colours, left, right, top = _PALETTES[scene.palette], 0.24, 0.95, scene.step * LINES
    for line in range(LINES + 1):
        x = left + (right - left) * line / LINES
        pen.rect(x - 0.001, _TOP - 0.04, x + 0.001, _BOTTOM, _GREY if line == 0 else LINE)
        pen.text(x, 0.91, str(line * scene.step), 0.046, _GREY)
        if line:
            half = x - (right - left) / LINES / 2
            pen.rect(half - 0.0006, _TOP - 0.04, half + 0.0006, _BOTTOM, mix(LINE, WHITE, 0.5))
    pen.text(right, 0.965, scene.unit, 0.042, _GREY, "rm")
    high = (_BOTTOM - _TOP + 0.04) / len(scene.items)
    letters = fitting_height(pen, scene.items, 0.05, left - 0.03)
    for place, (item, value) in enumerate(zip(scene.items, scene.values, strict=True)):
        y = _TOP - 0.04 + (place + 0.5) * high
        pen.text(left - 0.02, y, item, letters, INK, "rm")
        pen.rect(
            left, y - 0.3 * high, left + (right - left) * value / top, y + 0.3 * high, colours[place % len(colours)]
        )


_GAP = 0.012  # between two labels, of the picture's width


def fitting_height(pen: Pen, labels: Sequence[str], height: float, room: float) -> float:
    """The size of letters, at most `height`, with which no label is wider than its room."""
    while height > 0.02 and max(pen.text_width(label, height) for label in labels) > room - _GAP:
        height -= 0.002
    return height


_MIDDLE, _RADIUS = (0.34, 0.56), 0.345


def _pie(pen: Pen, scene: ChartScene) -> None:
    colours = _PALETTES[scene.palette]
    start = -90.0
    x, y = _MIDDLE
    for place, share in enumerate(scene.values):
        end = start + 3.6 * share
        pen.pie(x, y, _RADIUS, start, end, colours[place])
        start = end
    start = -90.0
    for share in scene.values:
        angle = np.radians(start)
        edge = (x + _RADIUS * ASPECT * np.cos(angle), y + _RADIUS * np.sin(angle))
        pen.line([_MIDDLE, edge], WHITE, 0.008)
        middle = np.radians(start + 1.8 * share)
        # Thin slices have their number outside.
        out = 0.70 if share > _SHARES else 1.14
        place_x = x + out * _RADIUS * ASPECT * np.cos(middle)
        place_y = y + out * _RADIUS * np.sin(middle)
        ink = WHITE if out < 1 else INK
        pen.text(float(place_x), float(place_y), scene.said(share), 0.052, ink, bold=out < 1)
        start += 3.6 * share
    for place, item in enumerate(scene.items):
        row = 0.56 + 0.095 * (place - (len(scene.items) - 1) / 2)
        pen.rect(0.71, row - 0.028, 0.752, row + 0.028, colours[place])
        pen.text(0.77, row, item, 0.056, INK, "lm")
    pen.text(0.98, 0.95, f"share of all {scene.unit}", 0.044, FAINT, "rm")


SOURCE = Chart
