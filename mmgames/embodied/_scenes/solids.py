"""Simple solids as data: blocks, balls and turned pieces in metres, of which furniture, things and robots are made."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from mmgames.drawing.canvas import Colour

Point = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]  # w, x, y, z
UPRIGHT: Quaternion = (1.0, 0.0, 0.0, 0.0)


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
    steps = [math.pi * k / 10 for k in range(11)]
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
    caps = [math.pi / 2 * k / 4 for k in range(5)]
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
    found = []
    for solid in solids:
        found.append(
            solid._replace(
                at=_point([v * factor for v in solid.at]),
                size=_point([v * factor for v in solid.size]),
                outline=tuple((r * factor, z * factor) for r, z in solid.outline),
            )
        )
    return tuple(found)


def extent(solids: Iterable[Solid]) -> tuple[float, float]:
    """How far pieces reach from the z axis, and above the ground."""
    meshes = ((solid, mesh(solid)[0] if solid.outline else block_mesh(solid, 0.0)[0]) for solid in solids)
    points = np.array(
        [np.add(solid.at, turned(point, solid.turn)) for solid, found in meshes for point in found.tolist()]
    )
    return float(np.hypot(points[:, 0], points[:, 1]).max()), float(points[:, 2].max())


def mesh(solid: Solid, segments: int = 20) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A turned piece as vertices, triangles and normals. Points given twice make an edge, others are smooth."""
    outline = np.array(solid.outline, np.float64)
    bands = [k for k in range(len(outline) - 1) if np.hypot(*(outline[k + 1] - outline[k])) > 1e-9]
    directions = {k: _across(outline[k + 1] - outline[k]) for k in bands}
    angles = np.linspace(0, 2 * math.pi, segments + 1)
    cos, sin = np.cos(angles), np.sin(angles)
    points, normals, faces = [], [], []
    for k in bands:
        for end in (k, k + 1):
            # A smooth corner shares the normal of the bands on both sides of it.
            near = [directions[j] for j in ((k - 1, k) if end == k else (k, k + 1)) if j in directions]
            across = _unit(np.sum(near, axis=0))
            r, z = outline[end]
            points.append(np.stack([r * cos, r * sin, np.full_like(cos, z)], axis=1))
            normals.append(np.stack([across[0] * cos, across[0] * sin, np.full_like(cos, across[1])], axis=1))
        low = (len(points) - 2) * (segments + 1)
        high = low + segments + 1
        for i in range(segments):
            faces += [(low + i, low + i + 1, high + i + 1), (low + i, high + i + 1, high + i)]
    stretch = np.array(solid.stretch)
    around = np.concatenate(normals) / stretch
    around /= np.maximum(np.linalg.norm(around, axis=1, keepdims=True), 1e-9)
    return (
        (np.concatenate(points) * stretch).astype(np.float32),
        np.array(faces, np.uint32),
        around.astype(np.float32),
    )


def block_mesh(solid: Solid, metres: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A block as vertices, triangles, normals and points of a pattern of so many metres (0: of a whole side)."""
    points, normals, marks = [], [], []
    for axis in range(3):
        across, up = ((1, 2), (0, 2), (0, 1))[axis]
        for side in (-1.0, 1.0):
            for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                corner = np.zeros(3)
                corner[[axis, across, up]] = side, u, v
                points.append(corner * solid.size / 2)
                normals.append(np.eye(3)[axis] * side)
                whole = np.array([(u + 1) / 2, (1 - v) / 2])
                marks.append(whole * (np.array([solid.size[across], solid.size[up]]) / metres if metres else 1.0))
    faces = [(4 * k + a, 4 * k + b, 4 * k + c) for k in range(6) for a, b, c in ((0, 1, 2), (0, 2, 3))]
    return (
        np.array(points, np.float32), np.array(faces, np.uint32), np.array(normals, np.float32),
        np.array(marks, np.float32),
    )  # fmt: skip


def _across(way: np.ndarray) -> np.ndarray:
    return _unit(np.array([way[1], -way[0]]))


def _unit(way: np.ndarray) -> np.ndarray:
    far = float(np.hypot(*way))
    return way / far if far > 1e-9 else np.array([0.0, 1.0])


def _point(values: Sequence[float]) -> Point:
    x, y, z = values
    return float(x), float(y), float(z)
