"""The kitchen in 3D as our own renderer draws it, from a drawing list."""

from __future__ import annotations

import math
import threading
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mmgames.embodied._scenes import models, raster, staging, textures
from mmgames.embodied._scenes.camera import Camera, Shot
from mmgames.embodied._scenes.drawing_list import DrawingList, FloorPlan, ShownRobot
from mmgames.embodied._scenes.raster import CELL, GAMMA, SAMPLES, Packed
from mmgames.embodied._scenes.solids import Point

UNSEEN = (168, 168, 172)
"""The colour of furniture that has not been seen yet."""

METRES = np.array([pattern.metres for pattern in textures.PATTERNS.values()])
SHADOW = 0.3
"""How far from furniture and robots the floor is darker, in metres."""


FEWEST = 6
"""What has fewer pixels than this on a small picture counts as not seen."""


class Piece(NamedTuple):
    """A mesh where it stands, and what it belongs to: a thing's name, a robot's number, or furniture."""

    what: str | int
    mesh: Packed
    at: Point
    turn: float = 0.0


class Backdrop(NamedTuple):
    """What does not move in a kitchen."""

    parts: tuple[tuple[staging.Fixed, Piece], ...]
    light: np.ndarray  # on the floor


@lru_cache(maxsize=16)
def backdrop(plan: FloorPlan) -> Backdrop:
    parts = []
    for part in staging.fixed(plan):
        mesh, at = raster.packed(part.solids).around_its_middle()
        parts.append((part, Piece("furniture", mesh, at)))
    return Backdrop(tuple(parts), _floor_light(plan))


def _floor_light(plan: FloorPlan) -> np.ndarray:
    """How bright the floor is beside walls and furniture, a row for every CELL from the north wall on."""
    room = plan.room
    x = np.arange(room.x0 + CELL / 2, room.x1, CELL)[None, :]
    y = np.arange(room.y1 - CELL / 2, room.y0, -CELL)[:, None]
    light = 1 - 0.18 * _near(np.minimum(np.minimum(x - room.x0, room.x1 - x), np.minimum(y - room.y0, room.y1 - y)))
    for box in {box for _, box in plan.places if box.bottom < 0.3}:
        outside = np.hypot(np.maximum(abs(x - box.middle[0]) - (box.x1 - box.x0) / 2, 0),
                           np.maximum(abs(y - box.middle[1]) - (box.y1 - box.y0) / 2, 0))  # fmt: skip
        light *= 1 - 0.4 * _near(outside)
    return light


def _near(far: np.ndarray) -> np.ndarray:
    return np.clip(1 - far / SHADOW, 0, 1) ** 2


@lru_cache(maxsize=8)
def _body(look: int) -> Packed:
    return raster.packed(models.shape_of(look).solids)


@lru_cache(maxsize=256)
def _thing(plan: FloorPlan, name: str, opened: bool, on: bool) -> Packed:
    return raster.packed(staging.solids_of(plan, name, opened, on))


def hands_of(plan: FloorPlan, robot: ShownRobot) -> tuple[Point, ...]:
    """Where the hands of a robot of simple shapes are."""
    return models.shape_of(robot.look).hands_at(staging.foot_of(plan, robot.look, robot.pose), robot.pose.turn)


def place(shown: DrawingList) -> dict[str, Point]:
    """The foot of every thing."""
    return staging.feet(shown, {robot.number: hands_of(shown.plan, robot) for robot in shown.robots})


def pieces(shown: DrawingList, feet: dict[str, Point], without: int | None = None) -> Iterator[Piece]:
    """All that moves, but nothing of the robot with the number `without`."""
    plan = shown.plan
    left_out = {sign.name for robot in shown.robots if robot.number == without for sign in robot.carries}
    for robot in shown.robots:
        if robot.number != without:
            foot = staging.foot_of(plan, robot.look, robot.pose)
            yield Piece(robot.number, _body(robot.look), foot, robot.pose.turn)
    for thing in shown.things:
        if thing.name not in left_out and thing.inside not in left_out:
            opened, at, turn = staging.stands(plan, thing, feet)
            yield Piece(thing.name, _thing(plan, thing.name, opened, thing.active), at, turn)


def take(shown: DrawingList, lens: Camera, without: int | None = None) -> Shot:
    """A picture, with how much of everything is seen on it."""
    feet = place(shown)
    drawn = [*_standing(shown, lens), *pieces(shown, feet, without)]
    covered = cover(drawn, lens)
    frame = coloured(covered, lens, _under(backdrop(shown.plan).light, shown, without))
    return Shot(frame, lens, feet, count(covered, drawn))


def _standing(shown: DrawingList, lens: Camera) -> Iterator[Piece]:
    """What does not move, the floor first; a camera behind a wall looks through it."""
    for part, piece in backdrop(shown.plan).parts:
        if not part.hides_nothing_from(lens.eye):
            yield piece._replace(mesh=piece.mesh.plain(UNSEEN)) if part.name in shown.unseen else piece


def _under(light: np.ndarray, shown: DrawingList, without: int | None) -> np.ndarray:
    """The light on the floor with robots standing on it."""
    light, room = light.copy(), shown.plan.room
    for robot in shown.robots:
        if robot.number != without and staging.KINDS[robot.look] != "arm":
            row, column = int((room.y1 - robot.pose.y) / CELL), int((robot.pose.x - room.x0) / CELL)
            reach = round(1.6 * SHADOW / CELL)
            top, left = max(0, row - reach), max(0, column - reach)
            part = light[top : row + reach + 1, left : column + reach + 1]
            rows, columns = np.ogrid[top : top + part.shape[0], left : left + part.shape[1]]
            part *= 1 - 0.5 * _near(np.hypot(rows - row, columns - column) * CELL / 1.6)
    return light


def placed(mesh: Packed, axes: np.ndarray, at: Sequence[float] | np.ndarray) -> Piece:
    """A mesh that is turned in any way."""
    rows = mesh.vertices
    turned = [rows[:, :3] @ axes.T, rows[:, 3:6] @ axes.T, rows[:, 6:]]
    found = mesh._replace(vertices=np.concatenate(turned, axis=1).astype(np.float32))
    return Piece("piece", found, tuple(map(float, at)))  # type: ignore[arg-type]


NO_SHADOWS = np.ones((1, 1))


def paint(drawn: Sequence[Piece], lens: Camera) -> np.ndarray:
    """A picture of pieces, the first of which is the floor."""
    return coloured(cover(drawn, lens), lens)


def coloured(covered: Covered, lens: Camera, light: np.ndarray = NO_SHADOWS) -> np.ndarray:
    """A picture of what a camera sees; `light` is how bright the floor is."""
    frame = np.empty((lens.height, lens.width, 3), np.uint8)
    raster.colour_in(*covered[:2], raster.patterns(), covered.focal, light, METRES, GAMMA, frame)
    return frame


_canvas = threading.local()  # room for the samples of a picture and for triangles, kept for the thread's next picture


def _cleared(wide: int, high: int, triangles: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    if getattr(_canvas, "size", None) != (high, wide):
        _canvas.size = (high, wide)
        _canvas.depth, _canvas.owner = np.empty((high, wide), np.float32), np.empty((high, wide), np.int32)
    if len(getattr(_canvas, "triangles", ())) < triangles:
        _canvas.triangles = np.empty((triangles, 18))
    _canvas.depth.fill(0.0)
    _canvas.owner.fill(-1)
    return _canvas.depth, _canvas.owner, _canvas.triangles


class Covered(NamedTuple):
    """Which triangle is nearest at every sample of a picture."""

    owner: np.ndarray
    triangles: np.ndarray
    focal: float  # in samples


def cover(drawn: Sequence[Piece], lens: Camera) -> Covered:
    """Pieces as a camera sees them; what comes back holds until the next picture of this thread."""
    depth, owner, triangles = _cleared(
        lens.width * SAMPLES, lens.height * SAMPLES, 2 * sum(len(piece.mesh.faces) for piece in drawn)
    )
    (right, down, ahead), focal, count = lens.matrices()[1][:, :3], lens.focal * SAMPLES, 0
    eye = np.array([*lens.eye, *right, *-down, *ahead, focal])
    # The near ones first: what they hide is not drawn. The first, which is the floor, is behind everything.
    for number in sorted(range(len(drawn)), key=lambda i: math.dist(drawn[i].at, lens.eye) if i else math.inf):
        _, mesh, at, turn = drawn[number]
        pose = np.array([*at, math.cos(turn), math.sin(turn)])
        count = raster.draw_mesh(
            depth, owner, triangles, count, mesh.vertices, mesh.faces, mesh.materials, mesh.reach, pose, eye, number
        )
    return Covered(owner, triangles, focal)


def count(covered: Covered, drawn: Sequence[Piece]) -> dict[str | int, int]:
    """How many pixels show each of the pieces."""
    pixels = np.zeros(len(drawn), np.int64)
    raster.count_pixels(covered.owner, covered.triangles, pixels)
    counted = zip(drawn, pixels.tolist(), strict=True)
    return {piece.what: many for piece, many in counted}


def shares(shown: DrawingList, lens: Camera, more: Sequence[Piece], wanted: Collection[str | int]) -> list[float]:
    """Of robots, things and more pieces, how much of each a picture shows: what is neither hidden nor cut off."""
    feet = place(shown)
    drawn = [*_standing(shown, lens), *pieces(shown, feet), *more]
    seen = count(cover(drawn, lens), drawn)
    if min(seen[what] for what in wanted) < FEWEST:
        return [0.0]
    found = []
    for piece in drawn:
        if piece.what in wanted:
            whole = count(cover([piece], lens), [piece])[piece.what]
            found.append(_inside(piece, lens) * seen[piece.what] / max(whole, 1))
    return found


def _inside(piece: Piece, lens: Camera) -> float:
    """The share of a mesh's points that fall on a picture."""
    points, (cos, sin) = piece.mesh.vertices[:, :3].astype(float), (math.cos(piece.turn), math.sin(piece.turn))
    points = points @ np.array([(cos, sin, 0.0), (-sin, cos, 0.0), (0.0, 0.0, 1.0)]) + piece.at
    ways = lens.matrices()[1]
    right, down, ahead = ways[:, :3] @ points.T + ways[:, 3:]
    across, along = abs(right) * lens.focal < ahead * lens.width / 2, abs(down) * lens.focal < ahead * lens.height / 2
    return float((across & along).mean())
