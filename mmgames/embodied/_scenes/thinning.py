"""Meshes of robots with fewer points: drawing on a processor, points cost most, and nobody sees a few millimetres."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

CELL = 0.006
"""Points of one cube of this size, in metres, become one."""

FEW = 1500
"""A file whose parts all have fewer points stays as it is."""


class Part(NamedTuple):
    points: np.ndarray
    faces: np.ndarray
    normals: np.ndarray
    material: Any = None


def thin(parts: Sequence[Part], cell: float = CELL) -> list[Part]:
    """About the same surface with fewer points. Faces that shrink to a line are gone.

    Where a point goes depends on its cube alone, whatever its part and whichever way it looks, so faces that met
    still meet. What looks another way keeps a normal of its own, so edges stay edges.
    """
    everywhere = np.concatenate([part.points for part in parts]).astype(np.float64)
    _, cubes = np.unique(_numbers(np.floor((everywhere - everywhere.min(axis=0)) / cell)), return_inverse=True)
    middles, found = _means(everywhere, cubes), []
    for part, cube in zip(parts, np.split(cubes, np.cumsum([len(part.points) for part in parts[:-1]])), strict=True):
        looks = np.rint(part.normals * 1.3) + 1  # which of 26 ways
        _, first, which = np.unique(_numbers(np.column_stack([cube, looks])), return_index=True, return_inverse=True)
        faces = part.faces.astype(np.int64)
        one, two, three = cube[faces].T
        faces = faces[(one != two) & (two != three) & (one != three)]
        # Of faces on one another that look the same way one is enough.
        lowest = np.argmin(cube[faces], axis=1)[:, None]
        faces = np.take_along_axis(faces, (lowest + np.arange(3)) % 3, axis=1)
        _, once = np.unique(_numbers(cube[faces]), return_index=True)
        faces, around, points = which[faces[np.sort(once)]], _means(part.normals, which), middles[cube[first]]
        around /= np.maximum(np.linalg.norm(around, axis=1, keepdims=True), 1e-9)
        found.append(Part(points.astype(np.float32), faces.astype(np.uint32), around.astype(np.float32), part.material))
    return found


def _numbers(rows: np.ndarray) -> np.ndarray:
    """A number for every row of whole numbers from 0, the same for equal rows."""
    rows = rows.astype(np.int64)
    return np.ravel_multi_index(tuple(rows.T), tuple(rows.max(axis=0, initial=0) + 1))


def _means(values: np.ndarray, which: np.ndarray) -> np.ndarray:
    """The mean of all rows with the same number, for every number."""
    count = np.bincount(which).astype(np.float64)
    return np.stack([np.bincount(which, values[:, i]) for i in range(3)], axis=1) / count[:, None]


@lru_cache(maxsize=256)
def _parts(sapien: Any, file: str, scale: tuple[float, ...]) -> tuple[Part, ...] | None:
    """The thinned parts of a file; None where pictures are glued on, or where there is little to gain."""
    shape = sapien.render.RenderShapeTriangleMesh(file, list(scale))
    parts = [
        Part(part.get_vertices() * np.array(scale), part.get_triangles(), part.get_vertex_normal(), part.material)
        for part in shape.parts
    ]
    few = max((len(part.points) for part in parts), default=0) < FEW
    if few or any(part.material.base_color_texture is not None for part in parts):
        return None
    return tuple(part for part in thin(parts) if len(part.faces))


def component(sapien: Any, records: list[Any], usual: Any) -> Any:
    """What shows a link of a robot, thinned where that helps; `usual` builds what SAPIEN would show."""
    if any(record.type != "file" for record in records):
        return usual()
    built = sapien.render.RenderBodyComponent()
    for record in records:
        scale = tuple(float(part) for part in record.scale)
        parts = _parts(sapien, str(record.filename), scale) if min(scale) > 0 else None
        made: list[tuple[Any, ...]] = [(str(record.filename), record.scale, record.material)]
        if parts is not None:
            made = [(*part[:3], np.zeros((len(part.points), 2), np.float32), record.material or part.material)
                    for part in parts]  # fmt: skip
        for one in made:
            shape = sapien.render.RenderShapeTriangleMesh(*one)
            shape.local_pose = record.pose
            built.attach(shape)
    return built
