"""The kitchen as one robot sees it: a pinhole camera at its head, blocks for furniture, drawings for the rest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw

from mmgames.drawing.canvas import INK, WHITE, Colour, mix
from mmgames.embodied._scenes.above import FLOORS, surface
from mmgames.embodied._scenes.drawing_list import DrawingList
from mmgames.embodied._scenes.geometry import Box
from mmgames.embodied._scenes.icons import Layer, blend, robot_icon, tag, thing_icon, window
from mmgames.embodied._scenes.labels import Rect, best_spot
from mmgames.embodied._scenes.positions import Pose, Positions
from mmgames.embodied._scenes.silhouettes import COLOURS
from mmgames.embodied._world.names import TYPES, base
from mmgames.embodied._world.task import KitchenTask

WIDTH, HEIGHT = 640, 360
"""The size for which points are given; other sizes are scaled."""

EYES = {"humanoid": 1.65, "wheeled": 1.35, "dog": 0.75, "arm": 1.6}
TALL = {"humanoid": 1.7, "wheeled": 1.3, "dog": 0.75, "arm": 0.75}
BEHIND = (0.75, 1.2, 1.8, 2.6, 3.6, 5.0)
"""How far behind the robot the camera may hang, in metres; near enough for its own hands to be in sight."""

ASIDE = 0.45
"""How far to the right of the robot it hangs, so that the robot does not hide what is in front of it."""

HEIGHTS = {"fridge": 1.6, "oven": 0.85, "drawer": 0.7, "cabinet": 0.7, "sink": 0.5, "toaster": 0.4}
"""How tall things are drawn, in metres; what is not named here is small."""

NEAR = 0.15
WAIST = 0.7
AHEAD, PITCH = 0.12, -0.3
"""How far before the middle of a robot the camera in its head is, in metres, and how far down it looks, in radians."""

LOOK_KINDS = tuple(TYPES.values())
"""The kinds of robots by the numbers of their looks."""

UNSEEN: Colour = (168, 168, 172)
"""The colour of furniture that has not been seen yet."""

Point = tuple[float, float, float]


class Camera(NamedTuple):
    eye: Point
    yaw: float
    pitch: float
    focal: float  # in pixels of a picture WIDTH wide

    def see(self, point: Point) -> Point:
        """A point as (right, up, ahead) of the camera."""
        x, y, z = (point[i] - self.eye[i] for i in range(3))
        ahead, left = x * math.cos(self.yaw) + y * math.sin(self.yaw), y * math.cos(self.yaw) - x * math.sin(self.yaw)
        cos, sin = math.cos(self.pitch), math.sin(self.pitch)
        return -left, z * cos - ahead * sin, ahead * cos + z * sin

    def shows(self, place: tuple[float, ...]) -> bool:
        """Whether a point is well in the picture; one without a height is where something stands."""
        point: Point = (place[0], place[1], place[2] if len(place) > 2 else WAIST)
        _, _, ahead = self.see(point)
        x, y = self.pixel(point)
        return ahead > 0.8 and 0.08 * WIDTH < x < 0.92 * WIDTH and 0.05 * HEIGHT < y < 0.95 * HEIGHT

    def pixel(self, point: Point) -> tuple[float, float]:
        """Where a point is in the picture, pulled in front of the camera if it is behind it."""
        right, up, ahead = self.see(point)
        ahead = max(ahead, NEAR)
        return WIDTH / 2 + self.focal * right / ahead, HEIGHT / 2 - self.focal * up / ahead


def camera_of(task: KitchenTask, positions: Positions, ego: str, look_at: Sequence[tuple[float, ...]]) -> Camera:
    """A camera over the shoulder of a robot, as far behind it as it takes to see all the points, if that is possible.

    Walls that it hangs outside of are not drawn, so they do not stand in its way.
    """
    kind = next(robot.kind for robot in task.robots if robot.name == ego)
    pose = positions.robots[ego]
    ways = [(x - pose.x, y - pose.y) for x, y, *_ in look_at]
    ahead = [(dx / far, dy / far) for dx, dy in ways if (far := math.hypot(dx, dy)) > 0.2]
    yaw = math.atan2(sum(dy for _, dy in ahead), sum(dx for dx, _ in ahead)) if ahead else pose.turn
    best, most = None, -1
    for back in BEHIND:
        for turn in (0.0, 0.4, -0.4, 0.8, -0.8, 1.4, -1.4):
            way = yaw + turn
            x = pose.x - back * math.cos(way) + ASIDE * math.sin(way)
            y = pose.y - back * math.sin(way) - ASIDE * math.cos(way)
            camera = Camera((x, y, EYES[kind] + 0.2 + 0.2 * back), way, -0.32, WIDTH * 0.62)
            seen = sum(map(camera.shows, look_at))
            if seen > most:
                best, most = camera, seen
            if seen == len(look_at):
                return camera
    assert best is not None
    return best


def head_camera(kind: str, pose: Pose, spot: tuple[float, ...], room: Box) -> Camera:
    """The camera in a robot's head, which has none of its own body before it.

    It looks where the robot does; at the robot's own spot, where it may stand before a wall, into the room.
    """
    x, y = room.middle
    yaw = math.atan2(y - pose.y, x - pose.x) if spot[:2] == pose[:2] else pose.turn
    eye = (pose.x + AHEAD * math.cos(yaw), pose.y + AHEAD * math.sin(yaw), EYES[kind])
    return Camera(eye, yaw, PITCH, WIDTH * 0.45)


def draw(shown: DrawingList, camera: Camera, you: int, width: int, in_head: bool = False) -> np.ndarray:
    """What a camera of the robot with the number `you` sees, as a picture of 16 to 9.

    With a camera in its head, it sees what it carries in the lower corners, and nothing else of itself.
    """
    if in_head:
        seen = draw(shown._replace(robots=tuple(one for one in shown.robots if one.number != you)), camera, you, width)
        show_hands(seen, shown, you)
        return seen
    factor = 2
    scale = width * factor / WIDTH
    high = round(width * HEIGHT / WIDTH)
    plan = shown.plan
    floor, worktop, edge = FLOORS[plan.style % len(FLOORS)]
    image = Image.new("RGB", (width * factor, high * factor), mix(floor, WHITE, 0.55))
    pen = ImageDraw.Draw(image)
    room = plan.room

    def polygon(points: Sequence[Point], fill: Colour | None, line: Colour | None) -> None:
        seen = _clip([camera.see(point) for point in points])
        if len(seen) < 3:
            return
        flat = [
            (
                (WIDTH / 2 + camera.focal * right / ahead) * scale,
                (HEIGHT / 2 - camera.focal * up / ahead) * scale,
            )
            for right, up, ahead in seen
        ]
        if fill is not None:
            pen.polygon(flat, fill)
        if line is not None:
            pen.line([*flat, flat[0]], line, max(factor, round(1.5 * scale)), joint="curve")

    for corners, normal in _walls(room):
        inside = (camera.eye[0] - corners[0][0]) * normal[0] + (camera.eye[1] - corners[0][1]) * normal[1]
        if inside > 0:
            polygon(corners, mix(worktop, WHITE, 0.5 if normal[0] else 0.6), edge)
    ground = [(room.x0, room.y0, 0), (room.x1, room.y0, 0), (room.x1, room.y1, 0), (room.x0, room.y1, 0)]
    polygon(ground, floor, None)
    tile = 0.5
    for i in range(int((room.x1 - room.x0) / tile) + 1):
        for j in range(int((room.y1 - room.y0) / tile) + 1):
            if (i + j) % 2:
                x, y = room.x0 + i * tile, room.y0 + j * tile
                x1, y1 = min(x + tile, room.x1), min(y + tile, room.y1)
                polygon([(x, y, 0), (x1, y, 0), (x1, y1, 0), (x, y1, 0)], mix(floor, edge, 0.09), None)
    polygon(ground, None, edge)
    boxes = [(name, box) for name, box in plan.places if box.top > 0.1]
    boxes.sort(key=lambda item: -math.dist(item[1].middle, camera.eye[:2]))
    for name, box in boxes:
        for corners, shade in _faces(box, camera.eye):
            fill = UNSEEN if name in shown.unseen else surface(name, plan.style, plan.labels)
            polygon(corners, mix(fill, edge, shade), edge)
    frame = np.array(image.reduce(factor))
    words, bodies = _sprites(frame, shown, camera, you, width / WIDTH)
    letter = letter_size(width)
    for name, box in boxes if plan.labels else ():
        right, _, ahead = camera.see((*box.middle, box.top))
        if name in plan.areas and ahead > 0.4 and abs(right) < ahead * 0.8:
            card = tag(name, letter, WHITE, mix(edge, INK, 0.3))
            words.append((card, [_at(camera, point, width / WIDTH) for point in _front(box, camera.eye)]))
    taken: list[Rect] = []
    for word, options in words:
        x, y = options[0]
        half = word.shape[1] / 2
        if -half < x < width + half:
            taken.append(blend(frame, word, *best_spot(word, options, taken, bodies, width, high)))
    return frame


def show_hands(frame: np.ndarray, shown: DrawingList, you: int) -> None:
    """Draw what a robot carries in the lower corners of its own picture, the right one first."""
    high, wide = frame.shape[:2]
    side = round(high * 0.3)
    carries = next((robot.carries for robot in shown.robots if robot.number == you), ())
    for sign, x in zip(carries, (wide - side * 0.6, side * 0.6), strict=False):
        blend(frame, thing_icon(sign.name, side, dots=sign.dots), x, high - side * 0.55)
        if shown.plan.labels:
            blend(frame, tag(sign.name, letter_size(wide)), x, high - letter_size(wide) * 0.8)


def letter_size(width: int) -> int:
    return max(8, round(width / 46))


def _icon_size(tall: float) -> int:
    """About as many pixels as asked for, in steps of a few per cent: drawings of few sizes are made, and kept."""
    step = max(2, round(tall / 24))
    return max(12, step * round(tall / step))


def _at(camera: Camera, point: Point, scale: float) -> tuple[float, float]:
    x, y = camera.pixel(point)
    return x * scale, y * scale


def _front(box: Box, eye: Point) -> list[Point]:
    """Points on a piece of furniture at which its name may stand, the middle of the nearer long side first."""
    points: list[Point] = []
    wide = box.x1 - box.x0 >= box.y1 - box.y0
    for z in (max(box.top - 0.25, (box.top + box.bottom) / 2), box.top + 0.12, box.bottom + 0.2):
        for share in (0.5, 0.25, 0.75, 0.1, 0.9):
            if wide:
                y = box.y0 if eye[1] < box.middle[1] else box.y1
                points.append((box.x0 + share * (box.x1 - box.x0), y, z))
            else:
                x = box.x0 if eye[0] < box.middle[0] else box.x1
                points.append((x, box.y0 + share * (box.y1 - box.y0), z))
    return points


def _walls(room: Box) -> list[tuple[list[Point], tuple[float, float]]]:
    x0, y0, x1, y1, top = room.x0, room.y0, room.x1, room.y1, room.top
    return [
        ([(x0, y1, 0), (x1, y1, 0), (x1, y1, top), (x0, y1, top)], (0, -1)),
        ([(x0, y0, 0), (x1, y0, 0), (x1, y0, top), (x0, y0, top)], (0, 1)),
        ([(x0, y0, 0), (x0, y1, 0), (x0, y1, top), (x0, y0, top)], (1, 0)),
        ([(x1, y0, 0), (x1, y1, 0), (x1, y1, top), (x1, y0, top)], (-1, 0)),
    ]


def _faces(box: Box, eye: Point) -> list[tuple[list[Point], float]]:
    """The sides of a block that can be seen from a point, and its top, each with its shade."""
    x0, y0, x1, y1, top, low = box.x0, box.y0, box.x1, box.y1, box.top, box.bottom
    faces: list[tuple[list[Point], float]] = []
    if eye[0] < x0:
        faces.append(([(x0, y0, low), (x0, y1, low), (x0, y1, top), (x0, y0, top)], 0.3))
    if eye[0] > x1:
        faces.append(([(x1, y0, low), (x1, y1, low), (x1, y1, top), (x1, y0, top)], 0.3))
    if eye[1] < y0:
        faces.append(([(x0, y0, low), (x1, y0, low), (x1, y0, top), (x0, y0, top)], 0.18))
    if eye[1] > y1:
        faces.append(([(x0, y1, low), (x1, y1, low), (x1, y1, top), (x0, y1, top)], 0.18))
    if eye[2] > top:
        faces.append(([(x0, y0, top), (x1, y0, top), (x1, y1, top), (x0, y1, top)], 0.0))
    return faces


def _clip(points: list[Point]) -> list[Point]:
    """The part of a polygon that is in front of the camera."""
    kept: list[Point] = []
    for one, other in zip(points, points[1:] + points[:1], strict=True):
        if one[2] >= NEAR:
            kept.append(one)
        if (one[2] >= NEAR) != (other[2] >= NEAR):
            share = (NEAR - one[2]) / (other[2] - one[2])
            kept.append(tuple(a + share * (b - a) for a, b in zip(one, other, strict=True)))  # type: ignore[arg-type]
    return kept


def _sprites(
    frame: np.ndarray, shown: DrawingList, camera: Camera, you: int, scale: float
) -> tuple[list[tuple[Layer, list[tuple[float, float]]]], list[Rect]]:
    """Draw robots and things, the far ones first; the words about them with where they may stand, and what is drawn."""
    letter = letter_size(frame.shape[1])
    sprites: list[tuple[float, Layer, Layer | None, float, float]] = []
    for robot in shown.robots:
        kind = LOOK_KINDS[robot.look]
        foot = (robot.pose.x, robot.pose.y, 0.92 if kind == "arm" else 0.0)
        ahead = camera.see(foot)[2]
        if ahead > NEAR * 2:
            tall = min(camera.focal * TALL[kind] / ahead, HEIGHT * 0.8)
            icon = robot_icon(robot.look, _icon_size(tall * scale), robot.dots)
            word = f"{robot.name} (you)" if robot.number == you else robot.name
            card = tag(word, letter, WHITE, COLOURS[robot.look], True) if robot.name else None
            sprites.append((ahead, icon, card, *_at(camera, foot, scale)))
    for thing in shown.things:
        what = base(thing.name)
        size = HEIGHTS.get(what, 0.3 if what in ("cardboardbox", "tray") else 0.2)
        foot = (thing.x, thing.y, thing.z - (0.4 if what == "cabinet" else 0.0))
        ahead = camera.see(foot)[2]
        if ahead > NEAR * 2:
            tall = camera.focal * size / ahead
            icon_size = _icon_size(min(tall, HEIGHT * 0.8) * scale)
            icon = thing_icon(thing.name, icon_size, thing.opened, thing.active, thing.dots)
            x, y = _at(camera, foot, scale)
            y += tall * 0.1 * scale
            sprites.append((ahead - 0.05, icon, tag(thing.card, letter) if thing.card else None, x, y))
            if thing.behind:
                pane = window(thing.behind, max(12, round(icon_size * 0.78)))
                sprites.append((ahead - 0.051, pane, None, x, y - (icon.shape[0] - pane.shape[0]) / 2))
    words: list[tuple[Layer, list[tuple[float, float]]]] = []
    bodies: list[Rect] = []
    for _, icon, card, x, y in sorted(sprites, key=lambda item: -item[0]):
        left, top, right, bottom = blend(frame, icon, x, y, "s")
        if card is None:
            continue
        aside, line, middle = card.shape[1] * 0.5, card.shape[0], (left + right) / 2
        inset = (right - left) * 0.2
        bodies.append((left + inset, top + line * 0.3, right - inset, bottom))
        over = top - line * 0.3
        spots = [(0, 0), (aside, 0), (-aside, 0), (0, -line), (aside, -line), (-aside, -line), (0, -2 * line)]
        words.append((card, [(middle + dx, over + dy) for dx, dy in spots]))
    return words, bodies
