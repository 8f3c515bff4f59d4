"""How a kitchen looks while a plan is carried out, by our own renderer: on every machine, whatever moves it."""

import math
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Any

import numpy as np

from mmgames.drawing.canvas import Colour
from mmgames.embodied._control.drawn import arm_pieces
from mmgames.embodied._execution.bodies import BUILDS, Body
from mmgames.embodied._execution.kitchen import Kitchen
from mmgames.embodied._execution.shapes import Part, Shape
from mmgames.embodied._scenes import furniture, models
from mmgames.embodied._scenes.above import FLOORS
from mmgames.embodied._scenes.camera import HEIGHT, WIDTH, Camera
from mmgames.embodied._scenes.drawn import Piece, paint, placed
from mmgames.embodied._scenes.icons import ROBOT_COLOURS
from mmgames.embodied._scenes.raster import Packed, packed
from mmgames.embodied._scenes.solids import Solid, Solids, block, drum, rod, scaled
from mmgames.embodied._world.names import TYPES, base

EVERY = 4  # so many twentieths of a second lie between two pictures
DISH: Colour = (226, 232, 240)
WOOD: Colour = (176, 130, 84)
LIMB, JOINT = (231, 233, 236), (58, 62, 70)
PITCH, ANGLE = -0.72, 0.8  # the camera looks down so steeply, and sees so wide an angle across, in radians


def _thing(name: str, shape: Shape) -> Solids:
    """A thing as pictures of kitchens have it, as large as it is here; dishes as they are."""
    what = base(name)
    if shape.room[0] or not shape.parts:
        return _parts(shape.parts, WOOD if "board" in what or "box" in what else DISH)
    return scaled(models.model(name), shape.tall / models.reach(what)[1])


def _parts(found: tuple[Part, ...], colour: Colour) -> Solids:
    def solid(part: Part) -> Solid:
        foot = (*part.at[:2], part.at[2] - part.size[2] / 2)
        return drum(part.size[0] / 2, part.size[2], foot, colour) if part.round else block(part.size, part.at, colour)

    return tuple(map(solid, found))


@cache
def _looks(kind: str, type: str) -> tuple[Packed | None, Packed | None]:
    """What of a body stands on the floor, and what its first joint lifts."""
    if not BUILDS[kind].hands:
        return packed(models.shape_of(list(TYPES).index(type)).solids), None
    own = ROBOT_COLOURS[type]
    made = (
        models.made([{**part, "colour": own if part["colour"] == "robot" else part["colour"]} for part in parts])
        for parts in (BUILDS[kind].parts, BUILDS[kind].torso)
    )
    one, other = (packed(solids) if solids else None for solids in made)
    return one, other


@cache
def _limbs() -> tuple[list[Packed], Packed]:
    """Of an arm that is no Panda: a limb for each joint up to the next one, and a finger."""
    (arm,) = BUILDS["wheeled"].hands
    ends = arm.origins[arm.first + 2 :, :, 3]
    limbs = [packed((rod((0, 0, 0), end, 0.055 - 0.004 * k, LIMB),)) for k, end in enumerate(ends.tolist())]
    return limbs, packed((block((0.06, 0.014, 0.03), (-0.02, 0.007, 0), JOINT),))


def _body(body: Body, type: str) -> Iterator[Piece]:
    joints, root = body.joints, body.root
    x, y, turn = joints[body.base] if body.base else body.stand
    foot, torso = _looks(body.kind, type)
    if foot is not None:
        yield Piece("robot", foot, (float(x), float(y), float(root[2, 3])), float(turn))
    for number, hand in enumerate(body.hands):
        frames = root[:3, :3] @ hand.chain.frames(joints[hand.path])
        frames[:, :, 3] += root[:3, 3]
        first, gaps = hand.chain.first, joints[hand.fingers]
        if torso is not None and number == 0:
            yield placed(torso, frames[3, :, :3], frames[3, :, 3])
        if body.build.pointing == "z":
            yield from arm_pieces(frames[first:], gaps)
            continue
        limbs, finger = _limbs()
        for mesh, frame in zip(limbs, frames[first + 1 :], strict=False):
            yield placed(mesh, frame[:, :3], frame[:, 3])
        for side, gap in zip((1, -1), gaps, strict=True):
            axes = frames[-1, :, :3] * (1, side, side)
            yield placed(finger, axes, frames[-1, :, 3] + gap * axes[:, 1])


@lru_cache(maxsize=256)
def _mesh(make: Callable[..., Solids], *of: Any) -> Packed:
    """What is made of something, kept for the next picture."""
    return packed(make(*of))


class Film:
    """Gives pictures of a kitchen in which a plan is carried out, from where all that the plan is about is seen."""

    def __init__(self, named: set[str], watch: Callable[[np.ndarray], object], width: int) -> None:
        self.named, self.watch, self.width = named, watch, width
        self.camera: Camera | None = None

    def look(self, kitchen: Kitchen) -> None:
        if kitchen.ticks % EVERY == 0:
            self.camera = self.camera or self._camera(kitchen)
            self.watch(paint(list(self._pieces(kitchen, self.camera)), self.camera))

    def _camera(self, kitchen: Kitchen) -> Camera:
        """From aside of robots that work, near enough that they and the things and places of the plan just fit in."""
        fronts = [kitchen.fronts[name] for name in sorted(self.named & set(kitchen.fronts))]
        fronts += [front for name in sorted(self.named) if name in kitchen.things and (front := kitchen.front_of(name))]
        ways = [math.pi / 2 + k * math.pi / 4 for k in (0, 1, -1, 2, -2, 3, -3, 4)]
        yaw = min(ways, key=lambda way: round(max([math.cos(way - front.turn) for front in fronts], default=0.0), 3))
        points = [(*body.stand[:2], z) for body in kitchen.robots.values() for z in (0.0, 1.9)]
        points += [tuple(kitchen.pose(name)[:3, 3].tolist()) for name in kitchen.things if name in self.named]
        for front in fronts:
            points += [(*front.middle(deep), front.box.top) for deep in (-0.6, 0.3)]
        high, focal = round(self.width * HEIGHT / WIDTH), self.width / 2 / math.tan(ANGLE / 2)
        middle = [(min(part) + max(part)) / 2 for part in zip(*points, strict=True)]
        camera = Camera((0.0, 0.0, 0.0), yaw, PITCH, focal, self.width, high)
        for far in np.arange(2.0, 30.0, 0.1):
            back = far * math.cos(PITCH)
            x, y = middle[0] - back * math.cos(yaw), middle[1] - back * math.sin(yaw)
            camera = camera._replace(eye=(x, y, middle[2] - far * math.sin(PITCH)))
            seen = [(camera.see(point)[2], *camera.pixel(point)) for point in points]
            if all(z > 0.5 and 0.06 < x / self.width < 0.94 and 0.08 < y / high < 0.94 for z, x, y in seen):
                break
        return camera

    def _pieces(self, kitchen: Kitchen, camera: Camera) -> Iterator[Piece]:
        room, style = kitchen.plan.room, kitchen.task.style
        palette, origin = FLOORS[style % len(FLOORS)], (0.0, 0.0, 0.0)
        yield Piece("floor", _mesh(furniture.floor, room, palette, style), origin)
        for wall in furniture.walls(room, palette, {}):
            if not wall.hides_nothing_from(camera.eye):
                yield Piece("wall", _mesh(tuple, wall.solids), origin)
        for box in kitchen.blocks:
            yield Piece("furniture", _mesh(furniture.block, box, palette), origin)
        for name in kitchen.things:
            pose, cupboard = kitchen.pose(name), kitchen.cupboards.get(name)
            if cupboard is None:
                yield placed(_mesh(_thing, name, kitchen.shapes[name]), pose[:3, :3], pose[:3, 3])
                continue
            for parts, at in ((cupboard.walls, pose), (cupboard.panel, cupboard.door())):
                yield placed(_mesh(_parts, parts, WOOD), at[:3, :3], at[:3, 3])
        types = {robot.name: robot.type for robot in kitchen.task.robots}
        for name, body in kitchen.robots.items():
            yield from _body(body, types[name])
