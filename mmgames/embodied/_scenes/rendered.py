"""Pictures of the kitchen in 3D: rendered by SAPIEN, with the same names and cards as the drawn ones."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from mmgames.drawing.canvas import INK, WHITE, mix
from mmgames.embodied._scenes import above, models
from mmgames.embodied._scenes.ego import HEIGHT, WIDTH, Camera, letter_size
from mmgames.embodied._scenes.furniture import CABINET_ABOVE
from mmgames.embodied._scenes.geometry import Box
from mmgames.embodied._scenes.icons import ROBOT_COLOURS, Layer, blend, tag
from mmgames.embodied._scenes.labels import Rect, best_spot
from mmgames.embodied._scenes.stage import Lens, Placed, RenderedShot, Stage
from mmgames.embodied._world.names import base
from mmgames.embodied._world.task import KitchenTask

Pixel = tuple[float, float]
PITCH = -0.92
ANGLE = 0.9
"""The global camera looks down so steeply, and sees so wide an angle across, in radians."""


@lru_cache(maxsize=64)
def global_lens(room: Box, size: int) -> Lens:
    """A camera over the south wall that has the whole room in its picture, above the robots' cards."""
    height = round(size * (1 - above.CARDS))
    focal = size / 2 / math.tan(ANGLE / 2)
    middle = ((room.x0 + room.x1) / 2, (room.y0 + room.y1) / 2)
    corners = [(x, y, z) for x in (room.x0, room.x1) for y, z in ((room.y0, 0.0), (room.y1, 0.0), (room.y1, 1.5))]
    for far in np.arange(3.0, 25.0, 0.1):
        eye = (middle[0], middle[1] - far * math.cos(PITCH), -far * math.sin(PITCH))
        seen = [Camera(eye, math.pi / 2, PITCH, focal).see(corner) for corner in corners]
        if min(ahead for _, _, ahead in seen) < 0.5:
            continue
        across = max(abs(focal * right / ahead) for right, _, ahead in seen)
        rows = [focal * up / ahead for _, up, ahead in seen]
        if across < size * 0.49 and max(rows) - min(rows) < height * 0.94:
            # Move along the picture's upright until there is as much room above as below.
            off = (max(rows) + min(rows)) / 2 / focal * far
            up = (math.cos(PITCH + math.pi / 2) * off, math.sin(PITCH + math.pi / 2) * off)
            return Lens((eye[0], eye[1] + up[0], eye[2] + up[1]), math.pi / 2, PITCH, focal, size, height)
    raise AssertionError("no camera sees such a room")


def draw(stage: Stage, row: np.ndarray, size: int) -> np.ndarray:
    """The whole kitchen as a square picture, with a card for every robot below."""
    placed = stage.pose(row)
    shot = stage.shoot(global_lens(stage.room, size))
    frame = np.empty((size, size, 3), np.uint8)
    frame[: shot.picture.shape[0]] = shot.picture
    seen = frame[: shot.picture.shape[0]]
    label(seen, shot, stage.task, row, placed, above.letter_size(size))
    held: dict[str, list[str]] = {}
    for thing in placed.positions.things.values():
        if thing.holder:
            held.setdefault(thing.holder, []).append(thing.name)
    above.draw_cards(frame, stage.task, held, size)
    return frame


def label(
    frame: np.ndarray,
    shot: RenderedShot,
    task: KitchenTask,
    row: np.ndarray,
    placed: Placed,
    letter: int,
    you: str = "",
) -> None:
    """Names of areas, robots and things, where they hide as little as possible."""
    height, width = frame.shape[:2]
    robots, things = len(task.robots), len(task.assets)
    flags = row[robots * 3 + things : robots * 3 + 2 * things].tolist()
    words: list[tuple[Layer, list[Pixel]]] = []
    bodies: list[Rect] = []

    def add(word: Layer, low: tuple, high: tuple) -> None:
        """A word above something that reaches from one point to another."""
        x, bottom, ahead = shot.pixel(low)
        _, top, _ = shot.pixel(high)
        if ahead < 0.2 or not (0 <= x < width and -letter <= bottom and top < height):
            return
        tall, wide = word.shape[0], word.shape[1]
        half = min(wide, (bottom - top) * 0.4) / 2
        bodies.append((x - half, top, x + half, bottom))
        up, down = top - tall * 0.6, bottom + tall * 0.7
        spots = [
            (0, up),
            (0, down),
            (wide * 0.4, up),
            (-wide * 0.4, up),
            (wide * 0.5, down),
            (-wide * 0.5, down),
            (0, up - tall),
        ]
        words.append((word, [(x + dx, y) for dx, y in spots]))

    for robot in task.robots:
        pose = placed.positions.robots[robot.name]
        tall = {"humanoid": 1.72, "wheeled": 1.15, "dog": 0.72, "arm": 0.75}[robot.kind]
        foot = 0.92 if robot.kind == "arm" else 0.0
        name = f"{robot.name} (you)" if robot.name == you else robot.name
        add(
            tag(name, letter, WHITE, ROBOT_COLOURS[robot.type], True),
            (pose.x, pose.y, foot),
            (pose.x, pose.y, foot + tall),
        )
    hidden: dict[str, list[str]] = {}
    for thing in placed.positions.things.values():
        if thing.hidden and thing.inside:
            hidden.setdefault(thing.inside, []).append(thing.name)
    for i, asset in enumerate(task.assets):
        thing = placed.positions.things[asset.name]
        if thing.hidden or thing.holder or above.is_carried(placed.positions, asset.name):
            continue
        x, y, z = placed.things[asset.name]
        what, text = base(asset.name), asset.name
        if what in ("cabinet", "drawer"):
            text = f"{asset.name} {'open' if flags[i] & 1 else 'closed'}"
            if asset.name in hidden:
                text += ": " + ", ".join(hidden[asset.name])
        text += " on" if flags[i] & 2 else ""
        wide, tall = (0.0, CABINET_ABOVE) if what == "cabinet" else models.reach(what)
        ends = [(x, y, z + tall), (x + wide, y, z), (x - wide, y, z), (x, y + wide, z), (x, y - wide, z)]
        add(tag(text, letter), (x, y, z), min(ends, key=lambda point: shot.pixel(point)[1]))
    taken: list[Rect] = []
    for word, spots in (*words, *_area_names(shot, task, placed, letter, width, height)):
        taken.append(blend(frame, word, *best_spot(word, spots, taken, bodies, width, height)))


def _area_names(
    shot: RenderedShot, task: KitchenTask, placed: Placed, letter: int, width: int, height: int
) -> Iterator[tuple[Layer, list[Pixel]]]:
    """Each area's name, with the points of its furniture that are in the picture."""
    edge = above.FLOORS[task.style % len(above.FLOORS)][2]
    for name in task.places:
        box = placed.positions.scene.places.get(name)
        if box is None:
            continue
        points = [(x, box.y0, max(box.top - 0.12, box.bottom)) for x in (box.middle[0], box.x0 + 0.2, box.x1 - 0.2)]
        points += [(x, y, box.top) for x in (box.x0 + 0.2, box.x1 - 0.2, box.middle[0]) for y in (box.y0, box.y1)]
        options = [shot.pixel(point) for point in points]
        fitting = [(x, y) for x, y, ahead in options if ahead > 0.3 and 0 <= x < width and 0 <= y < height]
        if fitting:
            yield tag(name, letter, WHITE, mix(edge, INK, 0.3)), fitting


def draw_ego(stage: Stage, row: np.ndarray, camera: Camera, ego: str, width: int) -> np.ndarray:
    """What one robot sees over its shoulder."""
    placed = stage.pose(row)
    shot = stage.shoot(ego_lens(camera, width))
    frame = shot.picture
    label(frame, shot, stage.task, row, placed, letter_size(width), ego)
    return frame


def ego_lens(camera: Camera, width: int) -> Lens:
    return Lens(
        camera.eye, camera.yaw, camera.pitch, camera.focal * width / WIDTH, width, round(width * HEIGHT / WIDTH)
    )
