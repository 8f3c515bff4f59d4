"""Pictures of the kitchen in 3D with names and cards, whichever renderer has taken them."""

import math
from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np

from mmgames.drawing.canvas import INK, WHITE, mix
from mmgames.embodied._scenes import above, drawn, models
from mmgames.embodied._scenes.camera import Camera, Shot
from mmgames.embodied._scenes.drawing_list import DrawingList
from mmgames.embodied._scenes.furniture import CABINET_ABOVE
from mmgames.embodied._scenes.geometry import Box
from mmgames.embodied._scenes.icons import COLOURS, Layer, Rect, best_spot, blend, dot_card, tag, thing_icon, window
from mmgames.embodied._scenes.solids import Point
from mmgames.embodied._scenes.staging import foot_of
from mmgames.embodied._world.names import base

Take = Callable[[DrawingList, Camera, "int | None"], tuple[Shot, dict[str, Point]]]
"""What takes pictures: of a drawing list, with a lens, without the robot of a number; also the foot of every thing."""

Pixel = tuple[float, float]
PITCH = -0.92
ANGLE = 0.9
"""The global camera looks down so steeply, and sees so wide an angle across, in radians."""


@lru_cache(maxsize=64)
def global_lens(room: Box, size: int) -> Camera:
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
            return Camera((eye[0], eye[1] + up[0], eye[2] + up[1]), math.pi / 2, PITCH, focal, size, height)
    raise AssertionError("no camera sees such a room")


def draw(shown: DrawingList, size: int, take: Take = drawn.take) -> np.ndarray:
    """The whole kitchen as a square picture, with a card for every robot below."""
    shot, feet = take(shown, global_lens(shown.plan.room, size), None)
    frame = np.empty((size, size, 3), np.uint8)
    frame[: shot.picture.shape[0]] = shot.picture
    label(frame[: shot.picture.shape[0]], shot, shown, feet, above.letter_size(size))
    above.draw_cards(frame, shown, size)
    return frame


def draw_ego(
    shown: DrawingList, camera: Camera, you: int, width: int, in_head: bool = False, take: Take = drawn.take
) -> np.ndarray:
    """What a camera of the robot with the number `you` sees, as a picture of 16 to 9.

    With a camera in its head, it sees what it carries in the lower corners, and nothing else of itself.
    """
    shot, feet = take(shown, camera.scaled(width), you if in_head else None)
    if in_head:
        _show_hands(shot.picture, shown, you)
        shown = shown._replace(robots=tuple(one for one in shown.robots if one.number != you))
    label(shot.picture, shot, shown, feet, letter_size(width), you)
    return shot.picture


def _show_hands(frame: np.ndarray, shown: DrawingList, you: int) -> None:
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


def label(
    frame: np.ndarray, shot: Shot, shown: DrawingList, feet: dict[str, Point], letter: int, you: int | None = None
) -> None:
    """Names of areas, robots and things, where they hide as little as possible; without labels, windows in closed doors
    and dots on what there are several of."""
    height, width = frame.shape[:2]
    words: list[tuple[Layer, list[Pixel]]] = []
    solid: list[Rect] = []

    def add(word: Layer | None, low: tuple, high: tuple) -> None:
        """A word above something that reaches from one point to another, if there is one."""
        x, bottom, ahead = shot.pixel(low)
        _, top, _ = shot.pixel(high)
        if ahead < 0.2 or not (0 <= x < width and -letter <= bottom and top < height):
            return
        half = (bottom - top) * 0.2 if word is None else min(word.shape[1], (bottom - top) * 0.4) / 2
        solid.append((x - half, top, x + half, bottom))
        if word is None:
            return
        tall, wide = word.shape[0], word.shape[1]
        up, down = top - tall * 0.6, bottom + tall * 0.7
        spots = (0, up), (0, down), (0.4, up), (-0.4, up), (0.5, down), (-0.5, down), (0, up - tall)
        words.append((word, [(x + wide * aside, y) for aside, y in spots]))

    for robot in shown.robots:
        if not shot.shows(robot.number):
            continue
        x, y, _ = robot.pose
        foot = foot_of(shown.plan, robot.look, robot.pose)[2]
        name = f"{robot.name} (you)" if robot.name and robot.number == you else robot.name
        word = tag(name, letter, WHITE, COLOURS[robot.look], True) if name else dot_card(robot.dots, letter)
        add(word, (x, y, foot), (x, y, foot + models.tall(robot.look)))
    for thing in shown.things:
        if thing.carried or not shot.shows(thing.name):
            continue
        x, y, z = feet[thing.name]
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
        taken.append(blend(frame, word, *best_spot(word, spots, taken, solid, width, height)))


def _area_names(
    shot: Shot, shown: DrawingList, letter: int, width: int, height: int
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
