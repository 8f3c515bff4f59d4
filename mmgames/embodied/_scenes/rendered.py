"""Pictures of the kitchen in 3D: rendered by SAPIEN, with the same names and cards as the drawn ones."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from mmgames.drawing.canvas import INK, WHITE, mix
from mmgames.embodied._scenes import above, models
from mmgames.embodied._scenes.drawing_list import DrawingList, drawing_list
from mmgames.embodied._scenes.ego import HEIGHT, LOOK_KINDS, WIDTH, Camera, letter_size, show_hands
from mmgames.embodied._scenes.furniture import CABINET_ABOVE
from mmgames.embodied._scenes.geometry import Box
from mmgames.embodied._scenes.icons import Layer, blend, dot_card, tag, window
from mmgames.embodied._scenes.labels import Rect, best_spot
from mmgames.embodied._scenes.silhouettes import COLOURS
from mmgames.embodied._scenes.stage import Lens, Placed, RenderedShot, Stage
from mmgames.embodied._world.names import base
from mmgames.kernels.records import RecordState

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


def draw(stage: Stage, state: RecordState, size: int) -> np.ndarray:
    """The whole kitchen as a square picture, with a card for every robot below."""
    shown = drawing_list(stage.task, state, stage.labels)
    placed = stage.pose(state)
    shot = stage.shoot(global_lens(stage.room, size))
    frame = np.empty((size, size, 3), np.uint8)
    frame[: shot.picture.shape[0]] = shot.picture
    label(frame[: shot.picture.shape[0]], shot, shown, placed, above.letter_size(size))
    above.draw_cards(frame, shown, size)
    return frame


def label(
    frame: np.ndarray, shot: RenderedShot, shown: DrawingList, placed: Placed, letter: int, you: int | None = None
) -> None:
    """Names of areas, robots and things, where they hide as little as possible; without labels, windows in closed doors
    and dots on what there are several of."""
    height, width = frame.shape[:2]
    words: list[tuple[Layer, list[Pixel]]] = []
    bodies: list[Rect] = []

    def add(word: Layer | None, low: tuple, high: tuple) -> None:
        """A word above something that reaches from one point to another, if there is one."""
        x, bottom, ahead = shot.pixel(low)
        _, top, _ = shot.pixel(high)
        if ahead < 0.2 or not (0 <= x < width and -letter <= bottom and top < height):
            return
        half = (bottom - top) * 0.2 if word is None else min(word.shape[1], (bottom - top) * 0.4) / 2
        bodies.append((x - half, top, x + half, bottom))
        if word is None:
            return
        tall, wide = word.shape[0], word.shape[1]
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

    for robot in shown.robots:
        x, y, _ = robot.pose
        kind = LOOK_KINDS[robot.look]
        foot = 0.92 if kind == "arm" else 0.0
        name = f"{robot.name} (you)" if robot.number == you else robot.name
        tall = {"humanoid": 1.72, "wheeled": 1.15, "dog": 0.72, "arm": 0.75}[kind]
        word = tag(name, letter, WHITE, COLOURS[robot.look], True) if name else dot_card(robot.dots, letter)
        add(word, (x, y, foot), (x, y, foot + tall))
    for thing in shown.things:
        if thing.carried:
            continue
        x, y, z = placed.things[thing.name]
        what = base(thing.name)
        wide, tall = (0.0, CABINET_ABOVE) if what == "cabinet" else models.reach(what)
        ends = [(x, y, z + tall), (x + wide, y, z), (x - wide, y, z), (x, y + wide, z), (x, y - wide, z)]
        top = min(ends, key=lambda point: shot.pixel(point)[1])
        add(tag(thing.card, letter) if thing.card else dot_card(thing.dots, letter), (x, y, z), top)
        across, down, ahead = shot.pixel((x, y, z + tall / 2))
        if thing.behind and ahead > 0.2 and 0 <= across < width and -letter <= down < height:
            pane = window(thing.behind, max(24, width // 10))
            blend(frame, pane, *best_spot(pane, [(across, down)], [], [], width, height))
    taken: list[Rect] = []
    for word, spots in (*words, *_area_names(shot, shown, letter, width, height)):
        taken.append(blend(frame, word, *best_spot(word, spots, taken, bodies, width, height)))


def _area_names(
    shot: RenderedShot, shown: DrawingList, letter: int, width: int, height: int
) -> Iterator[tuple[Layer, list[Pixel]]]:
    """Each area's name, with the points of its furniture that are in the picture."""
    edge = above.FLOORS[shown.plan.style % len(above.FLOORS)][2]
    boxes = dict(shown.plan.places)
    for name in shown.plan.areas if shown.plan.labels else ():
        box = boxes.get(name)
        if box is None:
            continue
        points = [(x, box.y0, max(box.top - 0.12, box.bottom)) for x in (box.middle[0], box.x0 + 0.2, box.x1 - 0.2)]
        points += [(x, y, box.top) for x in (box.x0 + 0.2, box.x1 - 0.2, box.middle[0]) for y in (box.y0, box.y1)]
        options = [shot.pixel(point) for point in points]
        fitting = [(x, y) for x, y, ahead in options if ahead > 0.3 and 0 <= x < width and 0 <= y < height]
        if fitting:
            yield tag(name, letter, WHITE, mix(edge, INK, 0.3)), fitting


def draw_ego(
    stage: Stage, state: RecordState, camera: Camera, you: int, width: int, in_head: bool = False
) -> np.ndarray:
    """What one robot sees, over its shoulder or with the camera in its head."""
    shown = drawing_list(stage.task, state, stage.labels)
    placed = stage.pose(state)
    with stage.without(stage.task.robots[you].name if in_head else None):
        shot = stage.shoot(ego_lens(camera, width))
    frame = shot.picture
    if in_head:
        show_hands(frame, shown, you)
        others = tuple(one for one in shown.robots if one.number != you)
        shown = shown._replace(robots=others)
    label(frame, shot, shown, placed, letter_size(width), you)
    return frame


def ego_lens(camera: Camera, width: int) -> Lens:
    return Lens(
        camera.eye, camera.yaw, camera.pitch, camera.focal * width / WIDTH, width, round(width * HEIGHT / WIDTH)
    )
