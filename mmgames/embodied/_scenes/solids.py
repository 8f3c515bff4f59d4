"""Simple solids as data: blocks, balls and turned pieces in metres, of which furniture, things and robots are made."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from mmgames.drawing.canvas import Colour
from mmgames.embodied._scenes.textures import PATTERNS

Point = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]  # w, x, y, z
UPRIGHT: Quaternion = (1.0, 0.0, 0.0, 0.0)


class Pose(NamedTuple):
    """Where a robot stands on the floor."""

    x: float
    y: float
    turn: float  # radians, the way it looks


PLINTH = 0.12
"""What is no higher than this is a step on the floor."""


class Box(NamedTuple):
    """A block of furniture: its footprint on the floor and its height, in metres."""

    x0: float
    y0: float
    x1: float
    y1: float
    top: float
    bottom: float = 0.0

    @property
    def sides(self) -> tuple[float, float]:
        return self.x1 - self.x0, self.y1 - self.y0

    @property
    def is_wide(self) -> bool:
        return self.x1 - self.x0 >= self.y1 - self.y0

    @property
    def middle(self) -> tuple[float, float]:
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def covers(self, x: float, y: float, margin: float = 0.0) -> bool:
        return self.x0 - margin <= x <= self.x1 + margin and self.y0 - margin <= y <= self.y1 + margin

    def within(self, x: float, y: float, margin: float = 0.0) -> tuple[float, float]:
        """The nearest point that is inside by a margin."""
        return min(max(x, self.x0 + margin), self.x1 - margin), min(max(y, self.y0 + margin), self.y1 - margin)

    def overlaps(self, other: Box, gap: float = 0.0) -> bool:
        return (
            self.x0 < other.x1 + gap and other.x0 < self.x1 + gap
            and self.y0 < other.y1 + gap and other.y0 < self.y1 + gap
        )  # fmt: skip


class Solid(NamedTuple):
    """One piece. `outline` (radius, height) is turned around its z axis; a block has none and is `size` large.

    `stretch` scales the turned piece, `glow` makes it shine by itself, `pattern` (see textures) covers a block.
    """

    colour: Colour
    at: Point = (0.0, 0.0, 0.0)
    turn: Quaternion = UPRIGHT
    size: Point = (0.0, 0.0, 0.0)
    outline: tuple[tuple[float, float], ...] = ()
    stretch: Point = (1.0, 1.0, 1.0)
    glow: float = 0.0
    pattern: str = ""


Solids = tuple[Solid, ...]


@cache
def read(name: str, package: str = "mmgames.embodied._scenes") -> dict[str, Any]:
    """A file with drawings, shapes or robots as data; lists of it are tuples, colours are written #rrggbb in it."""
    return _ready(json.loads(files(package).joinpath(f"{name}.json").read_text("utf-8")))


def _ready(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _ready(part) for key, part in value.items()}
    if isinstance(value, list):
        return tuple(map(_ready, value))
    return tuple(bytes.fromhex(value[1:])) if isinstance(value, str) and value.startswith("#") else value


def yaw(angle: float) -> Quaternion:
    return math.cos(angle / 2), 0.0, 0.0, math.sin(angle / 2)


def tilt(angle: float) -> Quaternion:
    """Around the y axis."""
    return math.cos(angle / 2), 0.0, math.sin(angle / 2), 0.0


def times(a: Quaternion, b: Quaternion) -> Quaternion:
    (aw, ax, ay, az), (bw, bx, by, bz) = a, b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def turned(point: Sequence[float], by: Quaternion) -> Point:
    w, x, y, z = by
    px, py, pz = point
    tx, ty, tz = 2 * (y * pz - z * py), 2 * (z * px - x * pz), 2 * (x * py - y * px)
    return (
        px + w * tx + y * tz - z * ty,
        py + w * ty + z * tx - x * tz,
        pz + w * tz + x * ty - y * tx,
    )


def block(size: Sequence[float], at: Sequence[float], colour: Colour, turn: Quaternion = UPRIGHT, glow: float = 0.0):
    """A block with its middle at a point."""
    return Solid(colour, _point(at), turn, _point(size), glow=glow)


def slab(size: Sequence[float], at: Sequence[float], colour: Colour, turn: Quaternion = UPRIGHT, pattern: str = ""):
    """A block that stands on a point."""
    x, y, z = at
    return Solid(colour, (float(x), float(y), float(z + size[2] / 2)), turn, _point(size), pattern=pattern)


def ball(radius: float, at: Sequence[float], colour: Colour, stretch: Point = (1.0, 1.0, 1.0), glow: float = 0.0):
    steps = [math.pi * k / 8 for k in range(9)]
    outline = tuple((radius * math.sin(step), -radius * math.cos(step)) for step in steps)
    return Solid(colour, _point(at), outline=outline, stretch=stretch, glow=glow)


def lathe(outline: Iterable[tuple[float, float]], at: Sequence[float], colour: Colour, turn: Quaternion = UPRIGHT):
    """What a potter turns: (radius, height) from the bottom up, and down the inside again where it is hollow."""
    return Solid(colour, _point(at), turn, outline=tuple((float(r), float(z)) for r, z in outline))


def drum(radius: float, tall: float, at: Sequence[float], colour: Colour, turn: Quaternion = UPRIGHT):
    """A cylinder that stands on a point."""
    return lathe(((0, 0), (radius, 0), (radius, 0), (radius, tall), (radius, tall), (0, tall)), at, colour, turn)


def rod(start: Sequence[float], end: Sequence[float], radius: float, colour: Colour, end_radius: float | None = None):
    """A limb from one point to another, round at both ends."""
    way = np.subtract(end, start)
    far = float(np.linalg.norm(way))
    x, y, z = way / far
    # The shortest turn that brings the z axis into the direction of the limb.
    turn: Quaternion = (1 + z, -y, x, 0.0) if z > -0.999 else (0.0, 1.0, 0.0, 0.0)
    length = math.sqrt(sum(part * part for part in turn))
    last = radius if end_radius is None else end_radius
    caps = [math.pi / 2 * k / 3 for k in range(4)]
    outline = [(radius * math.sin(a), -radius * math.cos(a)) for a in caps]
    outline += [(last * math.cos(a), far + last * math.sin(a)) for a in caps]
    return lathe(outline, start, colour, tuple(part / length for part in turn))  # type: ignore[arg-type]


def moved(solids: Iterable[Solid], by: Sequence[float], turn: Quaternion = UPRIGHT) -> Solids:
    """The same pieces turned around the origin, then moved."""
    found = []
    for solid in solids:
        x, y, z = turned(solid.at, turn)
        at = (x + by[0], y + by[1], z + by[2])
        found.append(solid._replace(at=at, turn=times(turn, solid.turn)))
    return tuple(found)


def scaled(solids: Iterable[Solid], factor: float) -> Solids:
    def larger(point: Sequence[float]) -> Any:
        return tuple(length * factor for length in point)

    return tuple(
        one._replace(at=larger(one.at), size=larger(one.size), outline=tuple(map(larger, one.outline)))
        for one in solids
    )


def extent(solids: Iterable[Solid]) -> tuple[float, float]:
    """How far pieces reach from the z axis, and above the ground."""
    points = joined(solids)[0].points
    return float(np.hypot(points[:, 0], points[:, 1]).max()), float(points[:, 2].max())


class Mesh(NamedTuple):
    """Vertices, triangles, normals, and the points of a pattern that lie there."""

    points: np.ndarray
    faces: np.ndarray
    normals: np.ndarray
    marks: np.ndarray


def mesh(solid: Solid, metres: float = 0.0) -> Mesh:
    """One piece where it is; a pattern covers so many `metres` (0: each side of a block once)."""
    points, faces, normals, marks = _turned_piece(solid) if solid.outline else _block_mesh(solid, metres)
    axes = np.array([turned(axis, solid.turn) for axis in np.eye(3).tolist()])
    return Mesh(points @ axes + solid.at, faces, normals @ axes, marks)


def joined(solids: Iterable[Solid]) -> tuple[Mesh, np.ndarray]:
    """Several pieces as one, which takes a renderer less time to show, and the piece that each triangle is of."""
    meshes = [mesh(solid, PATTERNS[solid.pattern].metres if solid.pattern else 0.0) for solid in solids]
    starts = np.cumsum([0, *(len(found.points) for found in meshes)])
    faces = [found.faces + start for found, start in zip(meshes, starts, strict=False)]
    points, _, normals, marks = (np.concatenate(part).astype(np.float32) for part in zip(*meshes, strict=True))
    number = np.repeat(np.arange(len(faces)), [len(found) for found in faces])
    return Mesh(points, np.concatenate(faces).astype(np.uint32), normals, marks), number


def _turned_piece(solid: Solid) -> Mesh:
    """Points given twice make an edge, others are smooth. Thin pieces have fewer sides."""
    outline = np.array(solid.outline, np.float64)
    sides = int(np.clip(8 + 150 * outline[:, 0].max(), 8, 20))
    angles = np.linspace(0, 2 * math.pi, sides + 1)
    round_about = np.stack([np.cos(angles), np.sin(angles), np.ones_like(angles)], axis=1)
    ways = np.diff(outline, axis=0)
    bands = np.flatnonzero(np.hypot(*ways.T) > 1e-9)
    rings = np.union1d(bands, bands + 1)
    # A smooth corner shares the normal of the bands on both sides of it, and its vertices.
    across = np.zeros((len(outline) + 1, 2))
    across[bands + 1] = _units(ways[bands, ::-1] * (1, -1))
    across = _units(across[rings] + across[rings + 1])
    low = np.searchsorted(rings, bands)[:, None] * (sides + 1) + np.arange(sides)
    high = low + sides + 1
    faces = np.stack([low, low + 1, high + 1, low, high + 1, high], axis=2).reshape(-1, 3)
    normals = (across[:, None, [0, 0, 1]] * round_about).reshape(-1, 3) / solid.stretch
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    points = (outline[rings][:, None, [0, 0, 1]] * round_about).reshape(-1, 3) * solid.stretch
    return Mesh(points, faces, normals, np.zeros((len(points), 2)))


def _units(ways: np.ndarray) -> np.ndarray:
    far = np.hypot(*ways.T)[:, None]
    return np.where(far > 1e-9, ways / np.maximum(far, 1e-9), (0.0, 1.0))


def _block_mesh(solid: Solid, metres: float) -> Mesh:
    corners = np.array(((-1, -1), (1, -1), (1, 1), (-1, 1)))
    points, normals, marks = [], [], []
    for axis, (across, up), turn in ((0, (1, 2), 1), (1, (0, 2), -1), (2, (0, 1), 1)):
        for side in (-1, 1):
            face = np.full((4, 3), side)
            face[:, (across, up)] = corners[:: side * turn]  # around, as seen from outside
            points.append(face * solid.size / 2)
            normals.append(np.tile(np.eye(3)[axis] * side, (4, 1)))
            whole = (1 + face[:, (across, up)] * (1, -1)) / 2
            marks.append(whole * np.array(solid.size)[[across, up]] / metres if metres else whole)
    faces = [(4 * k + a, 4 * k + b, 4 * k + c) for k in range(6) for a, b, c in ((0, 1, 2), (0, 2, 3))]
    return Mesh(np.concatenate(points), np.array(faces), np.concatenate(normals), np.concatenate(marks))


def _point(values: Sequence[float]) -> Point:
    x, y, z = values
    return float(x), float(y), float(z)
