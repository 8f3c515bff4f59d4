"""The kitchen from above: a floor plan with furniture, robots and things, and a card for every robot."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mmgames.drawing.canvas import INK, PAPER, WHITE, Colour, blank, mix
from mmgames.embodied._scenes.blocks import block, shade
from mmgames.embodied._scenes.geometry import Box, KitchenScene, scene
from mmgames.embodied._scenes.icons import ROBOT_COLOURS, Layer, blend, robot_icon, tag, thing_icon
from mmgames.embodied._scenes.labels import Rect, around, best_spot
from mmgames.embodied._scenes.positions import Pose, Positions, locate
from mmgames.embodied._world.names import FIXTURES, base
from mmgames.embodied._world.task import KitchenTask

CARDS = 0.15
"""Share of the picture's height for the robots' cards."""

FLOORS: tuple[tuple[Colour, Colour, Colour], ...] = (
    ((236, 226, 208), (206, 186, 154), (120, 94, 66)), ((226, 232, 234), (186, 196, 204), (84, 96, 110)),
    ((232, 222, 214), (196, 172, 158), (110, 74, 62)), ((222, 230, 218), (176, 194, 168), (72, 96, 66)),
    ((240, 232, 216), (222, 204, 170), (134, 106, 60)), ((230, 226, 238), (192, 184, 210), (88, 76, 116)),
    ((238, 228, 224), (214, 190, 182), (128, 82, 74)), ((222, 232, 236), (170, 196, 206), (58, 98, 114)),
    ((234, 234, 228), (200, 200, 188), (98, 98, 84)), ((240, 226, 206), (224, 190, 140), (140, 90, 40)),
    ((224, 228, 224), (184, 192, 186), (80, 92, 86)), ((236, 224, 230), (206, 178, 192), (116, 70, 92)),
)  # fmt: skip
"""Twelve styles: floor, worktop, edges."""


WIDE = ("plate", "bowl", "tray", "wooden cutting board", "cardboardbox")
"""Things that others lie on are drawn a little larger."""


class MapProjection:
    """From metres to pixels of the picture from above."""

    def __init__(self, found: KitchenScene, size: int) -> None:
        room = found.room
        self.size = size
        high = size * (1 - CARDS)
        edge = size * 0.02
        self.scale = min((size - 2 * edge) / (room.x1 - room.x0), (high - 2 * edge) / (room.y1 - room.y0))
        self.left = (size - self.scale * (room.x1 - room.x0)) / 2 - self.scale * room.x0
        self.bottom = (high + self.scale * (room.y1 - room.y0)) / 2 + self.scale * room.y0

    def __call__(self, x: float, y: float) -> tuple[float, float]:
        return self.left + self.scale * x, self.bottom - self.scale * y


class Ground(NamedTuple):
    """What stays the same through an episode: walls, floor and furniture, and where the cards of the areas lie."""

    frame: np.ndarray
    cards: tuple[tuple[Layer, float, float], ...]
    taken: tuple[Rect, ...]


def draw(task: KitchenTask, row: np.ndarray, size: int) -> np.ndarray:
    """The state of a task's world as a square picture."""
    positions = locate(task, row)
    ground = _ground(task, size)
    frame = ground.frame.copy()
    chart = MapProjection(positions.scene, size)
    letter = letter_size(size)
    bodies: list[Rect] = []  # icons, which words should not cover if they can help it
    words = _things(frame, chart, task, row, positions, letter, bodies)
    icon = icon_size(size)
    names: list[tuple[Layer, float, float]] = []
    spots: dict[str, tuple[float, float]] = {}
    for robot in task.robots:
        x, y = spots[robot.name] = _spot(chart, positions.robots[robot.name], icon)
        bodies.append(blend(frame, robot_icon(robot.type, icon), x, y))
        name = tag(robot.name, letter, WHITE, ROBOT_COLOURS[robot.type], True)
        names.append((name, x - icon * 0.42, y - icon * 0.42))
    held: dict[str, list[str]] = {}
    small = max(10, icon // 2)
    for thing in positions.things.values():
        if thing.holder:
            held.setdefault(thing.holder, []).append(thing.name)
            x, y = spots[thing.holder]
            side = -0.45 if len(held[thing.holder]) == 2 else 0.45
            blend(frame, thing_icon(thing.name, small), x + side * icon, y + icon * 0.1)
    taken = list(ground.taken)
    for card, x, y in ground.cards:
        blend(frame, card, x, y)
    for name, x, y in names:
        taken.append(blend(frame, name, x, y))
    for word, x, low, high in words:
        tall, aside = word.shape[0], word.shape[1] * 0.4
        options = ((x, low), (x, high), (x, low + tall), (x + aside, low), (x - aside, low), (x, high - tall))
        taken.append(blend(frame, word, *best_spot(word, options, taken, bodies, size, size * (1 - CARDS))))
    draw_cards(frame, task, held, size)
    return frame


def letter_size(size: int) -> int:
    return max(8, size // 42)


def icon_size(size: int) -> int:
    return max(18, size // 9)


def _spot(chart: MapProjection, pose: Pose, icon: float) -> tuple[float, float]:
    x, y = chart(pose.x, pose.y)
    low = chart.size * (1 - CARDS)
    return min(max(x, icon / 2), chart.size - icon / 2), min(max(y, icon / 2), low - icon / 2)


@lru_cache(maxsize=16)
def _ground(task: KitchenTask, size: int) -> Ground:
    found = scene(task)
    chart = MapProjection(found, size)
    floor, worktop, edge = FLOORS[task.style % len(FLOORS)]
    frame = blank(size, size)
    room, scale = found.room, chart.scale

    def box(x0: float, y0: float, x1: float, y1: float, fill: Colour, line: Colour, width: float, high: float = 0.0):
        (left, bottom), (right, top) = chart(x0, y0), chart(x1, y1)
        radius = 0.05 * scale
        if high:
            shade(frame, left, top + high * scale, right, bottom + high * scale, radius, 0.09 * scale, 0.3)
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
    for name, place in found.places.items():
        if name in found.sides:
            box(place.x0 - 0.1, place.y0 - 0.1, place.x1 + 0.1, place.y1 + 0.12, mix(floor, WHITE, 0.4), edge, 0.03)
        if name.startswith("ground"):
            box(*place[:4], mix(floor, edge, 0.2), mix(floor, edge, 0.5), 0.015)
            continue
        box(*place[:4], worktop, edge, 0.022, 0.05)
        if name in found.shelves:
            _boards(box, place, mix(worktop, WHITE, 0.5))
        else:
            bright = mix(worktop, WHITE, 0.28)
            box(place.x0 + 0.05, place.y0 + 0.05, place.x1 - 0.05, place.y1 - 0.05, bright, bright, 0)
        if name in task.places:
            shown.append((name, place))
    frame.setflags(write=False)
    ink = mix(edge, INK, 0.3)
    # An arm never leaves its spot.
    spots = [Pose(*found.spots[robot.name]) for robot in task.robots if robot.kind == "arm"]
    arms = [_spot(chart, pose, icon_size(size)) for pose in spots]
    return Ground(frame, *_area_cards(chart, shown, room, arms, ink))


def _boards(box, place: Box, fill: Colour) -> None:
    """A rack or a cabinet on the wall: boards beside each other."""
    wide = place.x1 - place.x0 >= place.y1 - place.y0
    length = (place.x1 - place.x0 if wide else place.y1 - place.y0) - 0.1
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
    frame: np.ndarray,
    chart: MapProjection,
    task: KitchenTask,
    row: np.ndarray,
    positions: Positions,
    letter: int,
    bodies: list[Rect],
) -> list[tuple[Layer, float, float, float]]:
    """Draw what lies about and note it in `bodies`; the words about it, each with its middle across and the heights
    under and above it."""
    size = frame.shape[0]
    robots, things = len(task.robots), len(task.assets)
    flags = row[robots * 3 + things : robots * 3 + 2 * things].tolist()
    words: list[tuple[Layer, float, float, float]] = []
    order = sorted(range(things), key=lambda i: (base(task.assets[i].name) not in FIXTURES, _depth(task, positions, i)))
    hidden: dict[str, list[str]] = {}
    for thing in positions.things.values():
        if thing.hidden and thing.inside:
            hidden.setdefault(thing.inside, []).append(thing.name)
    for i in order:
        name = task.assets[i].name
        thing = positions.things[name]
        if thing.holder or thing.hidden or is_carried(positions, name):
            continue
        x, y = chart(thing.x, thing.y)
        what = base(name)
        fixture = what in FIXTURES
        opened = bool(flags[i] & 1)
        wide = max(16, size // (11 if fixture else 12 if what in WIDE else 15 if thing.inside else 13))
        if thing.inside and not fixture:
            y -= wide * 0.25
        left, top, right, bottom = blend(frame, thing_icon(name, wide, opened, bool(flags[i] & 2)), x, y)
        bodies.append((left + wide * 0.22, top + wide * 0.22, right - wide * 0.22, bottom - wide * 0.22))
        label = name
        if what in ("cabinet", "drawer"):
            label = f"{name} {'open' if opened else 'closed'}"
            if name in hidden:
                label += ": " + ", ".join(hidden[name])
        if flags[i] & 2:
            label += " on"
        under, over = y + wide * 0.6, y - wide * 0.62
        words.append((tag(label, letter), x, *((over, under) if thing.inside else (under, over))))
    return words


def _depth(task: KitchenTask, positions: Positions, number: int) -> int:
    depth, name = 0, positions.things[task.assets[number].name].inside
    while name is not None:
        depth, name = depth + 1, positions.things[name].inside
    return depth


def is_carried(positions: Positions, name: str) -> bool:
    """Whether a thing is in something that a robot holds."""
    around = positions.things[name].inside
    while around is not None:
        if positions.things[around].holder:
            return True
        around = positions.things[around].inside
    return False


def draw_cards(frame: np.ndarray, task: KitchenTask, held: dict[str, list[str]], size: int) -> None:
    carried = tuple("+".join(held.get(robot.name, ())) for robot in task.robots)
    strip = _strip(tuple((robot.name, robot.type) for robot in task.robots), carried, size)
    frame[size - strip.shape[0] :] = strip


@lru_cache(maxsize=128)
def _strip(robots: tuple[tuple[str, str], ...], carried: tuple[str, ...], size: int) -> np.ndarray:
    """One card a robot: what it is called, its type, what it carries."""
    high = size - round(size * (1 - CARDS))
    strip = blank(size, high)
    strip[: max(1, size // 256)] = (205, 202, 194)
    wide = size / max(len(robots), 4)
    icon = round(min(size * 0.085, wide * 0.6))
    letter = max(7, size // 48)
    for number, (name, type) in enumerate(robots):
        x = wide * (number + 0.5)
        blend(strip, robot_icon(type, icon), x - icon * 0.3, size * 0.047)
        blend(strip, tag(name, letter, WHITE, ROBOT_COLOURS[type], True), x + icon * 0.62, size * 0.047)
        blend(strip, _fitting(type.removeprefix("unitree_"), letter, wide), x, size * 0.1)
        if carried[number]:
            blend(strip, _fitting(carried[number], letter, wide, (255, 232, 160)), x, size * 0.131)
    return strip


def _fitting(text: str, letter: int, wide: float, paper: Colour = PAPER) -> Layer:
    """A word no wider than a card, cut short if it must be."""
    word = tag(text, letter, INK, paper)
    while word.shape[1] > wide and len(text) > 3:
        text = text[:-2] + "…"
        word = tag(text, letter, INK, paper)
    return word
