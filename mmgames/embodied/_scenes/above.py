"""The kitchen from above: a floor plan with furniture, robots and things, and a card for every robot."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw

from mmgames.core.canvas import INK, OVERSAMPLE, PAPER, WHITE, Colour, blank, mix
from mmgames.embodied._scenes.geometry import Scene, scene
from mmgames.embodied._scenes.icons import ROBOT_COLOURS, Layer, blend, robot_icon, tag, thing_icon
from mmgames.embodied._scenes.positions import Positions, locate
from mmgames.embodied._world.names import FIXTURES, base
from mmgames.embodied._world.task import Task

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


class Chart:
    """From metres to pixels of the picture from above."""

    def __init__(self, found: Scene, size: int) -> None:
        room = found.room
        self.size = size
        high = size * (1 - CARDS)
        edge = size * 0.02
        self.scale = min((size - 2 * edge) / (room.x1 - room.x0), (high - 2 * edge) / (room.y1 - room.y0))
        self.left = (size - self.scale * (room.x1 - room.x0)) / 2 - self.scale * room.x0
        self.bottom = (high + self.scale * (room.y1 - room.y0)) / 2 + self.scale * room.y0

    def __call__(self, x: float, y: float) -> tuple[float, float]:
        return self.left + self.scale * x, self.bottom - self.scale * y


def draw(task: Task, row: np.ndarray, size: int) -> np.ndarray:
    """The state of a task's world as a square picture."""
    positions = locate(task, row)
    frame = _ground(task, size).copy()
    chart = Chart(positions.scene, size)
    letter = max(7, size // 44)
    _things(frame, chart, task, row, positions, letter)
    icon = max(16, size // 10)
    for robot in task.robots:
        pose = positions.robots[robot.name]
        x, y = chart(pose.x, pose.y)
        x = min(max(x, icon / 2), size - icon / 2)
        blend(frame, robot_icon(robot.type, icon), x, y)
        blend(frame, tag(robot.name, letter, WHITE, ROBOT_COLOURS[robot.type], True), x - icon * 0.42, y - icon * 0.42)
    held: dict[str, list[str]] = {}
    for thing in positions.things.values():
        if thing.holder:
            held.setdefault(thing.holder, []).append(thing.name)
            pose = positions.robots[thing.holder]
            x, y = chart(pose.x, pose.y)
            side = -0.45 if len(held[thing.holder]) == 2 else 0.45
            small = max(9, icon // 2)
            blend(frame, thing_icon(thing.name, small), x + side * icon, y + icon * 0.1)
    _cards(frame, task, held, size)
    return frame


@lru_cache(maxsize=64)
def _ground(task: Task, size: int) -> np.ndarray:
    """Walls, floor and furniture, which nothing moves."""
    found = scene(task)
    chart = Chart(found, size * OVERSAMPLE)
    floor, worktop, edge = FLOORS[task.style % len(FLOORS)]
    image = Image.new("RGB", (size * OVERSAMPLE, size * OVERSAMPLE), PAPER)
    pen = ImageDraw.Draw(image)
    room = found.room

    def box(x0: float, y0: float, x1: float, y1: float, fill: Colour, line: Colour, width: float) -> None:
        (left, bottom), (right, top) = chart(x0, y0), chart(x1, y1)
        pen.rounded_rectangle(
            (left, top, right, bottom), 0.05 * chart.scale, fill, line, max(1, round(width * chart.scale))
        )

    box(room.x0 - 0.08, room.y0 - 0.08, room.x1 + 0.08, room.y1 + 0.08, mix(edge, WHITE, 0.2), edge, 0.03)
    box(room.x0, room.y0, room.x1, room.y1, floor, edge, 0.01)
    tile = 0.5
    for number in range(int((room.x1 - room.x0) / tile) + 1):
        x = room.x0 + number * tile
        pen.line([chart(x, room.y0), chart(x, room.y1)], mix(floor, edge, 0.12), OVERSAMPLE)
    for number in range(int((room.y1 - room.y0) / tile) + 1):
        y = room.y0 + number * tile
        pen.line([chart(room.x0, y), chart(room.x1, y)], mix(floor, edge, 0.12), OVERSAMPLE)
    shown = []
    for name, place in found.places.items():
        if name in found.sides:
            box(place.x0 - 0.1, place.y0 - 0.1, place.x1 + 0.1, place.y1 + 0.12, mix(floor, WHITE, 0.4), edge, 0.03)
        if name.startswith("ground"):
            box(*place[:4], mix(floor, edge, 0.2), mix(floor, edge, 0.5), 0.015)
            continue
        fill = mix(worktop, WHITE, 0.35) if name in found.shelves else worktop
        box(*place[:4], fill, edge, 0.025)
        if name in task.places:
            shown.append((name, place))
    frame = np.array(image.reduce(OVERSAMPLE))
    chart = Chart(found, size)
    letter = max(7, size // 46)
    for name, place in shown:
        x, _ = chart(*place.middle)
        inner = place.middle[1] < room.middle[1]
        _, y = chart(place.x0, place.y0 if inner else place.y1)
        word = tag(name, letter, WHITE, mix(edge, INK, 0.3))
        y = y + letter * 0.2 if inner else y - letter * 0.2
        half = word.shape[1] / 2
        blend(frame, word, min(max(x, half), size - half), min(max(y, letter), size * (1 - CARDS) - letter * 0.6))
    frame.setflags(write=False)
    return frame


def _things(frame: np.ndarray, chart: Chart, task: Task, row: np.ndarray, positions: Positions, letter: int) -> None:
    size = frame.shape[0]
    robots, things = len(task.robots), len(task.assets)
    flags = row[robots * 3 + things : robots * 3 + 2 * things]
    words: list[tuple[Layer, float, float]] = []
    order = sorted(range(things), key=lambda i: (base(task.assets[i].name) not in FIXTURES, _depth(task, positions, i)))
    hidden: dict[str, list[str]] = {}
    for thing in positions.things.values():
        if thing.hidden and thing.inside:
            hidden.setdefault(thing.inside, []).append(thing.name)
    for i in order:
        name = task.assets[i].name
        thing = positions.things[name]
        if thing.holder or thing.hidden or _carried(task, positions, name):
            continue
        x, y = chart(thing.x, thing.y)
        fixture = base(name) in FIXTURES
        opened = bool(flags[i] & 1)
        wide = max(14, size // 12) if fixture else max(12, size // (16 if thing.inside else 14))
        if base(name) in ("plate", "bowl", "tray", "wooden cutting board", "cardboardbox"):
            wide = max(14, size // 13)
        if thing.inside and fixture is False:
            y -= wide * 0.25
        blend(frame, thing_icon(name, wide, opened, bool(flags[i] & 2)), x, y)
        label = name
        if base(name) in ("cabinet", "drawer"):
            label = f"{name} {'open' if opened else 'closed'}"
            if name in hidden:
                label += ": " + ", ".join(hidden[name])
        if flags[i] & 2:
            label += " on"
        words.append((tag(label, letter), x, y + (-wide * 0.62 if thing.inside else wide * 0.6)))
    laid: list[tuple[int, int, int, int]] = []
    for word, x, y in words:
        half = word.shape[1] / 2
        x = min(max(x, half + 1), size - half - 1)
        y = min(max(y, word.shape[0] / 2), size * (1 - CARDS) - word.shape[0] / 2)
        for _ in range(6):
            here = (round(x - half), round(y - word.shape[0] / 2), round(x + half), round(y + word.shape[0] / 2))
            if not any(a[0] < here[2] and here[0] < a[2] and a[1] < here[3] and here[1] < a[3] for a in laid):
                break
            y += word.shape[0]
        laid.append(blend(frame, word, x, y))


def _depth(task: Task, positions: Positions, number: int) -> int:
    depth, name = 0, positions.things[task.assets[number].name].inside
    while name is not None:
        depth, name = depth + 1, positions.things[name].inside
    return depth


def _carried(task: Task, positions: Positions, name: str) -> bool:
    """Whether a thing is in something that a robot holds."""
    around = positions.things[name].inside
    while around is not None:
        if positions.things[around].holder:
            return True
        around = positions.things[around].inside
    return False


def _cards(frame: np.ndarray, task: Task, held: dict[str, list[str]], size: int) -> None:
    carried = tuple("+".join(held.get(robot.name, ())) for robot in task.robots)
    strip = _strip(tuple((robot.name, robot.type) for robot in task.robots), carried, size)
    frame[size - strip.shape[0] :] = strip


@lru_cache(maxsize=1024)
def _strip(robots: tuple[tuple[str, str], ...], carried: tuple[str, ...], size: int) -> np.ndarray:
    """One card a robot: what it is called, its type, what it carries."""
    high = size - round(size * (1 - CARDS))
    strip = blank(size, high)
    strip[: max(1, size // 256)] = (205, 202, 194)
    wide = size / max(len(robots), 4)
    icon = round(min(size * 0.085, wide * 0.5))
    letter = max(7, size // 50)
    for number, (name, type) in enumerate(robots):
        x = wide * (number + 0.5)
        blend(strip, robot_icon(type, icon), x - wide * 0.22, size * 0.054)
        blend(strip, tag(name, letter, WHITE, ROBOT_COLOURS[type], True), x + wide * 0.2, size * 0.03)
        blend(strip, tag(type.removeprefix("unitree_"), letter), x + wide * 0.2, size * 0.066)
        if carried[number]:
            most = max(3, int(wide / (letter * 0.52)))
            text = carried[number] if len(carried[number]) <= most else carried[number][: most - 1] + "…"
            blend(strip, tag(text, letter, INK, (255, 240, 190)), x, size * 0.122)
    return strip
