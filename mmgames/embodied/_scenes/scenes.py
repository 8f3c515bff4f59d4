"""The same world in different scenes: drawn by us, or rendered in 3D from ManiSkill's or RoboCasa's models.

Rules, views and words know a scene by its name alone. What a 3D scene needs is imported when one is asked for. Pictures
in 3D get their names and cards here, whichever renderer has taken them.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeVar, get_args

import numpy as np

from mmgames.drawing.canvas import INK, WHITE, mix
from mmgames.embodied._scenes import above, drawn, models
from mmgames.embodied._scenes.camera import Camera, Shot, head_camera
from mmgames.embodied._scenes.drawing_list import DrawingList, drawing_list
from mmgames.embodied._scenes.icons import COLOURS, Layer, Rect, best_spot, blend, dot_card, tag, thing_icon, window
from mmgames.embodied._scenes.positions import Positions, locate, number_of
from mmgames.embodied._scenes.solids import Box, read
from mmgames.embodied._scenes.staging import foot_of
from mmgames.embodied._world.names import base
from mmgames.embodied._world.task import KitchenTask
from mmgames.errors import unknown
from mmgames.kernels.records import RecordState

if TYPE_CHECKING:
    from mmgames.embodied._scenes.stage import Stage

SceneName = Literal["drawn", "maniskill", "robocasa"]
SCENES: tuple[SceneName, ...] = get_args(SceneName)
Found = TypeVar("Found")

Take = Callable[[DrawingList, Camera, "int | None"], Shot]
"""What takes pictures: of a drawing list, with a lens, without the robot of a number."""

Pixel = tuple[float, float]
PITCH = -0.92
ANGLE = 0.9
"""The global camera looks down so steeply, and sees so wide an angle across, in radians."""

_ONE_AT_A_TIME = threading.RLock()


def check(scene: str, where: str) -> None:
    """Raise one sentence if a scene cannot be had here: unknown, no packages, no renderer, no assets."""
    if scene not in SCENES:
        raise unknown("scene", scene, where, SCENES)
    if scene != "drawn":
        from mmgames.embodied._scenes import renderer

        renderer.start_sapien("mani_skill")  # for its files
    if scene == "robocasa":
        from mmgames.embodied._scenes import robocasa

        robocasa.check()


def overview(scene: str, task: KitchenTask, state: RecordState, size: int, labels: bool = True) -> np.ndarray:
    """A state of a task's world as a square picture: the whole kitchen and a card for every robot."""
    if scene == "drawn":
        return above.draw(drawing_list(task, state, labels), size)
    return _rendered(scene, task, state, size, labels).copy()


@lru_cache(maxsize=8)
def _rendered(scene: str, task: KitchenTask, state: RecordState, size: int, labels: bool) -> np.ndarray:
    """The last pictures are kept: everybody in a kitchen sees the same one, and rendering takes its time."""
    return draw(drawing_list(task, state, labels), size, _taker(scene, task, labels))


def through_eyes(
    scene: str, task: KitchenTask, state: RecordState, robot: str, width: int, labels: bool = True
) -> np.ndarray:
    """What the camera in a robot's head sees, as a picture of 16 to 9."""
    camera, shown = eyes(task, locate(task, state), robot), drawing_list(task, state, labels)
    return through(scene, task, shown, camera, number_of(task, robot), width, in_head=True)


def through(
    scene: str, task: KitchenTask, shown: DrawingList, camera: Camera, you: int, width: int, in_head: bool = False
) -> np.ndarray:
    """What a camera of the robot with the number `you` sees in a scene."""
    return draw_ego(shown, camera, you, width, in_head, _taker(scene, task, shown.plan.labels))


def _taker(scene: str, task: KitchenTask, labels: bool) -> Take:
    """What takes the pictures of a scene."""
    if scene == "drawn":
        return drawn.take
    return lambda *shot: on_stage(scene, task, lambda stage: stage.take_list(*shot), labels)


def eyes(task: KitchenTask, found: Positions, robot: str) -> Camera:
    """The camera in a robot's head."""
    kind = task.robots[number_of(task, robot)].kind
    return head_camera(kind, found.robots[robot], found.scene.spots[robot], found.scene.room)


def on_stage(scene: str, task: KitchenTask, use: Callable[[Stage], Found], labels: bool = True) -> Found:
    """Use the 3D stage of a task. There is one in a process that everybody shares, so one at a time."""
    with _ONE_AT_A_TIME:
        return use(_stage(scene, task, labels))


@lru_cache(maxsize=2)
def _stage(scene: str, task: KitchenTask, labels: bool) -> Stage:
    """The stage of a task in one of the 3D scenes; the last two are kept."""
    from mmgames.embodied._scenes import robocasa, stage

    return (robocasa.RoboCasaStage if scene == "robocasa" else stage.Stage)(task, labels)


@lru_cache(maxsize=64)
def global_lens(room: Box, size: int) -> Camera:
    """A camera over the south wall that has the whole room in its picture, above the robots' cards."""
    height = round(size * (1 - above.CARDS))
    focal = size / 2 / math.tan(ANGLE / 2)
    corners = [(x, y, z) for x in (room.x0, room.x1) for y, z in ((room.y0, 0.0), (room.y1, 0.0), (room.y1, 1.5))]
    for far in np.arange(3.0, 25.0, 0.1):
        eye = (room.middle[0], room.middle[1] - far * math.cos(PITCH), -far * math.sin(PITCH))
        right, up, ahead = np.array([Camera(eye, math.pi / 2, PITCH, focal).see(corner) for corner in corners]).T
        across, rows = abs(focal * right / ahead), focal * up / ahead
        if ahead.min() >= 0.5 and across.max() < size * 0.49 and np.ptp(rows) < height * 0.94:
            # Move along the picture's upright until there is as much room above as below.
            off = float(rows.max() + rows.min()) / 2 / focal * float(far)
            y, z = (math.cos(PITCH + math.pi / 2) * off, math.sin(PITCH + math.pi / 2) * off)
            return Camera((eye[0], eye[1] + y, eye[2] + z), math.pi / 2, PITCH, focal, size, height)
    raise AssertionError("no camera sees such a room")


def draw(shown: DrawingList, size: int, take: Take) -> np.ndarray:
    """The whole kitchen as a square picture, with a card for every robot below."""
    shot = take(shown, global_lens(shown.plan.room, size), None)
    label(shot, shown, above.letter_size(size))
    frame = np.empty((size, size, 3), np.uint8)
    frame[: shot.picture.shape[0]] = shot.picture
    above.draw_cards(frame, shown, size)
    return frame


def draw_ego(
    shown: DrawingList, camera: Camera, you: int, width: int, in_head: bool = False, take: Take = drawn.take
) -> np.ndarray:
    """What a camera of the robot with the number `you` sees, as a picture of 16 to 9.

    With a camera in its head, it sees what it carries in the lower corners, and nothing else of itself.
    """
    shot = take(shown, camera.scaled(width), you if in_head else None)
    if in_head:
        _show_hands(shot.picture, shown, you)
        shown = shown._replace(robots=tuple(one for one in shown.robots if one.number != you))
    label(shot, shown, letter_size(width), you)
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


def label(shot: Shot, shown: DrawingList, letter: int, you: int | None = None) -> None:
    """Names of areas, robots and things, where they hide as little as possible; without labels, windows in closed doors
    and dots on what there are several of."""
    frame = shot.picture
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
        x, y, z = shot.feet[thing.name]
        what = base(thing.name)
        wide, tall = (0.0, read("furniture")[what]["above"]) if what == "cabinet" else models.reach(what)
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
