"""The kitchen from above: a floor plan with furniture, robots and things, and a card for every robot."""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mmgames.drawing.canvas import INK, PAPER, WHITE, Colour, blank, mix
from mmgames.embodied._scenes.drawing_list import DrawingList, FloorPlan, ShownThing, Sign
from mmgames.embodied._scenes.geometry import Box
from mmgames.embodied._scenes.icons import (
    COLOURS,
    Layer,
    Rect,
    around,
    best_spot,
    blend,
    block,
    robot_icon,
    tag,
    thing_icon,
    window,
)
from mmgames.embodied._scenes.positions import Pose
from mmgames.embodied._scenes.solids import read
from mmgames.embodied._world.names import FIXTURES, base

BLACK = (0, 0, 0)
CARDS = 0.15
"""Share of the picture's height for the robots' cards."""

FLOORS: tuple[tuple[Colour, Colour, Colour], ...] = read("colours")["floors"]
"""Twelve styles: floor, worktop, edges."""


WIDE = ("plate", "bowl", "tray", "wooden cutting board", "cardboardbox")
"""Things that others lie on are drawn a little larger."""


class MapProjection:
    """From metres to pixels of the picture from above."""

    def __init__(self, room: Box, size: int) -> None:
        self.size = size
        high = size * (1 - CARDS)
        edge, (wide, deep) = size * 0.02, room.sides
        self.scale = min((size - 2 * edge) / wide, (high - 2 * edge) / deep)
        self.left = (size - self.scale * wide) / 2 - self.scale * room.x0
        self.bottom = (high + self.scale * deep) / 2 + self.scale * room.y0

    def __call__(self, x: float, y: float) -> tuple[float, float]:
        return self.left + self.scale * x, self.bottom - self.scale * y


class Ground(NamedTuple):
    """What stays the same through an episode: walls, floor and furniture, and where the cards of the areas lie."""

    frame: np.ndarray
    cards: tuple[tuple[Layer, float, float], ...]
    taken: tuple[Rect, ...]


def draw(shown: DrawingList, size: int) -> np.ndarray:
    """A kitchen as a square picture."""
    ground = _ground(shown.plan, size)
    frame = ground.frame.copy()
    chart = MapProjection(shown.plan.room, size)
    _veil(frame, chart, shown)
    letter = letter_size(size)
    bodies: list[Rect] = []  # icons, which words should not cover if they can help it
    words = _things(frame, chart, shown.things, letter, bodies)
    icon = icon_size(size)
    names: list[tuple[Layer, float, float]] = []
    spots = [(robot, *_spot(chart, robot.pose, icon)) for robot in shown.robots]
    for robot, x, y in spots:
        bodies.append(blend(frame, robot_icon(robot.look, icon, robot.dots), x, y))
        if robot.name:
            name = tag(robot.name, letter, WHITE, COLOURS[robot.look], True)
            names.append((name, x - icon * 0.42, y - icon * 0.42))
    small = max(10, icon // 2)
    for robot, x, y in spots:
        for number, sign in enumerate(robot.carries):
            side = -0.45 if number == 1 else 0.45
            blend(frame, thing_icon(sign.name, small, dots=sign.dots), x + side * icon, y + icon * 0.1)
    taken = list(ground.taken)
    for card, x, y in ground.cards:
        blend(frame, card, x, y)
    for name, x, y in names:
        taken.append(blend(frame, name, x, y))
    for word, x, low, high in words:
        tall, aside = word.shape[0], word.shape[1] * 0.4
        options = ((x, low), (x, high), (x, low + tall), (x + aside, low), (x - aside, low), (x, high - tall))
        taken.append(blend(frame, word, *best_spot(word, options, taken, bodies, size, size * (1 - CARDS))))
    draw_cards(frame, shown, size)
    return frame


def _veil(frame: np.ndarray, chart: MapProjection, shown: DrawingList) -> None:
    """Lay stripes over the furniture that has not been seen yet."""
    for name, place in shown.plan.places:
        if name in shown.unseen:
            (left, bottom), (right, top) = chart(place.x0, place.y0), chart(place.x1, place.y1)
            part = frame[max(0, int(top)) : int(bottom) + 1, max(0, int(left)) : int(right) + 1]
            rows, columns = np.ogrid[: part.shape[0], : part.shape[1]]
            stripe = max(4, frame.shape[0] // 64)
            part[:] = np.where((rows + columns)[..., None] // stripe % 2, (186, 186, 190), (150, 150, 154))


def letter_size(size: int) -> int:
    return max(8, size // 42)


def icon_size(size: int) -> int:
    return max(18, size // 9)


def _spot(chart: MapProjection, pose: Pose, icon: float) -> tuple[float, float]:
    x, y = chart(pose.x, pose.y)
    low = chart.size * (1 - CARDS)
    return min(max(x, icon / 2), chart.size - icon / 2), min(max(y, icon / 2), low - icon / 2)


@lru_cache(maxsize=16)
def _ground(plan: FloorPlan, size: int) -> Ground:
    room = plan.room
    chart = MapProjection(room, size)
    floor, worktop, edge = FLOORS[plan.style % len(FLOORS)]
    frame = blank(size, size)
    scale = chart.scale

    def box(x0: float, y0: float, x1: float, y1: float, fill: Colour, line: Colour, width: float, high: float = 0.0):
        (left, bottom), (right, top) = chart(x0, y0), chart(x1, y1)
        radius = 0.05 * scale
        if high:
            low, deep = top + high * scale, bottom + high * scale
            block(frame, left, low, right, deep, radius, math.inf, BLACK, BLACK, 0.09 * scale, 0.3)
        block(frame, left, top, right, bottom, radius, max(1.0, width * scale), fill, line)

    box(room.x0 - 0.08, room.y0 - 0.08, room.x1 + 0.08, room.y1 + 0.08, mix(edge, WHITE, 0.2), edge, 0.03)
    box(room.x0, room.y0, room.x1, room.y1, floor, mix(floor, edge, 0.5), 0.01)
    joint = np.array(mix(floor, edge, 0.1), np.uint8)
    (left, low), (right, top) = chart(room.x0, room.y0), chart(room.x1, room.y1)
    for x in np.arange(left + 0.5 * scale, right - 1, 0.5 * scale):
        frame[int(top) + 2 : int(low) - 1, int(x)] = joint
    for y in np.arange(low - 0.5 * scale, top + 1, -0.5 * scale):
        frame[int(y), int(left) + 2 : int(right) - 1] = joint
    shown = []
    for name, place in plan.places:
        if name in plan.sides:
            box(place.x0 - 0.1, place.y0 - 0.1, place.x1 + 0.1, place.y1 + 0.12, mix(floor, WHITE, 0.4), edge, 0.03)
        if name.startswith("ground"):
            box(*place[:4], mix(floor, edge, 0.2), mix(floor, edge, 0.5), 0.015)
            continue
        box(*place[:4], worktop, edge, 0.022, 0.05)
        if name in plan.shelves:
            _boards(box, place, mix(worktop, WHITE, 0.5))
        else:
            bright = mix(worktop, WHITE, 0.28)
            box(place.x0 + 0.05, place.y0 + 0.05, place.x1 - 0.05, place.y1 - 0.05, bright, bright, 0)
        if name in plan.areas and plan.labels:
            shown.append((name, place))
        elif name in plan.areas:
            _mark(frame, chart, name, place, edge)
    frame.setflags(write=False)
    ink = mix(edge, INK, 0.3)
    arms = [_spot(chart, pose, icon_size(size)) for pose in plan.arms]
    return Ground(frame, *_area_cards(chart, shown, room, arms, ink))


def _mark(frame: np.ndarray, chart: MapProjection, name: str, place: Box, edge: Colour) -> None:
    """What tells an area without its name: rings of a stove on the work area, tiles on the island, planks on the
    table, dots for the number of a room."""
    (left, bottom), (right, top) = chart(place.x0 + 0.06, place.y0 + 0.06), chart(place.x1 - 0.06, place.y1 - 0.06)
    x0, x1, y0, y1 = int(left), int(right), int(top), int(bottom)
    part = frame[y0:y1, x0:x1]
    unit = chart.scale
    rows, columns = np.ogrid[: part.shape[0], : part.shape[1]]
    if name == "kitchen work area":
        for corner in ((0.16 * unit, 0.16 * unit), (part.shape[1] - 0.16 * unit, part.shape[0] - 0.16 * unit)):
            far = np.hypot(columns - corner[0], rows - corner[1]) / unit
            part[far < 0.14] = (58, 58, 62)
            part[np.abs(far - 0.085) < 0.025] = (214, 84, 48)
    elif name == "kitchen island area":
        tile = max(3, int(0.16 * unit))
        part[(rows // tile + columns // tile) % 2 == 0] = mix(edge, WHITE, 0.5)
    elif name == "table":
        plank = max(3, int(0.14 * unit))
        across = rows if part.shape[1] >= part.shape[0] else columns
        part[:] = (206, 160, 104)
        part[np.broadcast_to(across % plank < max(1, plank // 6), part.shape[:2])] = (150, 106, 58)
    elif (number := name.rpartition(" ")[2]).isdigit():
        for i in range(int(number)):
            far = np.hypot(columns - (i % 5 + 0.5) * 0.2 * unit, rows - (i // 5 + 0.5) * 0.2 * unit) / unit
            part[far < 0.07] = INK


def _boards(box, place: Box, fill: Colour) -> None:
    """A rack or a cabinet on the wall: boards beside each other."""
    wide, length = place.is_wide, max(place.sides) - 0.1
    number = max(2, round(length / 0.28))
    for i in range(number):
        low, high = 0.05 + length * i / number + 0.02, 0.05 + length * (i + 1) / number - 0.02
        if wide:
            box(place.x0 + low, place.y0 + 0.06, place.x0 + high, place.y1 - 0.06, fill, fill, 0)
        else:
            box(place.x0 + 0.06, place.y0 + low, place.x1 - 0.06, place.y0 + high, fill, fill, 0)


def _area_cards(
    chart: MapProjection, shown: list[tuple[str, Box]], room: Box, arms: list[tuple[float, float]], ink: Colour
) -> tuple[tuple[tuple[Layer, float, float], ...], tuple[Rect, ...]]:
    """The cards that name the areas, on an edge of their furniture where no arm stands, and what they cover."""
    size, letter, icon = chart.size, letter_size(chart.size), icon_size(chart.size)
    standing = [(x - icon / 2, y - icon / 2, x + icon / 2, y + icon / 2) for x, y in arms]
    cards: list[tuple[Layer, float, float]] = []
    taken: list[Rect] = []
    for name, place in shown:
        word = tag(name, letter, WHITE, ink)
        wide = word.shape[1]
        (left, bottom), (right, top) = chart(place.x0, place.y0), chart(place.x1, place.y1)
        edges = (bottom, top) if place.middle[1] < room.middle[1] else (top, bottom)
        options = [(x, y) for y in edges for x in ((left + right) / 2, left + wide / 2, right - wide / 2)]
        best = best_spot(word, options, taken, standing, size, size * (1 - CARDS))
        cards.append((word, *best))
        taken.append(around(word, best))
    return tuple(cards), tuple(taken)


def _things(
    frame: np.ndarray, chart: MapProjection, things: tuple[ShownThing, ...], letter: int, bodies: list[Rect]
) -> list[tuple[Layer, float, float, float]]:
    """Draw what lies about and note it in `bodies`; the words about it, each with its middle across and the heights
    under and above it."""
    size = frame.shape[0]
    words: list[tuple[Layer, float, float, float]] = []
    for thing in things:
        if thing.carried:
            continue
        x, y = chart(thing.x, thing.y)
        what = base(thing.name)
        fixture = what in FIXTURES
        share = 11 if fixture else 12 if what in WIDE else 15 if thing.inside else 13
        wide = max(16, size // (8 if thing.behind else share))
        if thing.inside and not fixture:
            y -= wide * 0.25
        icon = thing_icon(thing.name, wide, thing.opened, thing.active, thing.dots)
        left, top, right, bottom = blend(frame, icon, x, y)
        if thing.behind:
            blend(frame, window(thing.behind, round(wide * 0.78)), x, y)
        bodies.append((left + wide * 0.22, top + wide * 0.22, right - wide * 0.22, bottom - wide * 0.22))
        if thing.card:
            under, over = y + wide * 0.6, y - wide * 0.62
            words.append((tag(thing.card, letter), x, *((over, under) if thing.inside else (under, over))))
    return words


def draw_cards(frame: np.ndarray, shown: DrawingList, size: int) -> None:
    carried = {robot.number: robot.carries for robot in shown.robots}
    strip = _strip(shown.crew, tuple(carried.get(number, ()) for number in range(len(shown.crew))), size)
    frame[size - strip.shape[0] :] = strip


@lru_cache(maxsize=128)
def _strip(
    robots: tuple[tuple[int, str, str, int], ...], carried: tuple[tuple[Sign, ...], ...], size: int
) -> np.ndarray:
    """One card a robot: what it is called, its type, what it carries; without labels all of that in drawings."""
    high = size - round(size * (1 - CARDS))
    strip = blank(size, high)
    strip[: max(1, size // 256)] = (205, 202, 194)
    wide = size / max(len(robots), 4)
    icon = round(min(size * 0.085, wide * 0.6))
    letter = max(7, size // 48)
    for number, (look, name, type, dots) in enumerate(robots):
        x = wide * (number + 0.5)
        if not name:
            blend(strip, robot_icon(look, icon, dots), x, size * 0.047)
            for place, sign in enumerate(carried[number]):
                side = (place - (len(carried[number]) - 1) / 2) * icon
                blend(strip, thing_icon(sign.name, round(icon * 0.8), dots=sign.dots), x + side, size * 0.115)
            continue
        blend(strip, robot_icon(look, icon), x - icon * 0.3, size * 0.047)
        blend(strip, tag(name, letter, WHITE, COLOURS[look], True), x + icon * 0.62, size * 0.047)
        blend(strip, _fitting(type, letter, wide), x, size * 0.1)
        if carried[number]:
            words = "+".join(sign.name for sign in carried[number])
            blend(strip, _fitting(words, letter, wide, (255, 232, 160)), x, size * 0.131)
    return strip


def _fitting(text: str, letter: int, wide: float, paper: Colour = PAPER) -> Layer:
    """A word no wider than a card, in smaller letters if it must be."""
    word = tag(text, letter, INK, paper)
    while word.shape[1] > wide and letter > 4:
        letter -= 1
        word = tag(text, letter, INK, paper)
    return word
