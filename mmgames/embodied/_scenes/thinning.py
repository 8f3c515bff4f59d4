"""Meshes of robots with fewer points: drawing on a processor, points cost most, and nobody sees a few millimetres."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

CELL = 0.006
"""Points of one cube of this size, in metres, that look the same way become one."""

FEW = 1500
"""A part with fewer points stays as it is."""


class Part(NamedTuple):
    points: np.ndarray
    faces: np.ndarray
    normals: np.ndarray
    material: Any


def thin(points: np.ndarray, faces: np.ndarray, normals: np.ndarray, cell: float = CELL) -> tuple[np.ndarray, ...]:
    """Points, faces and normals of about the same surface. Faces that shrink to a line are gone."""
    cells = np.floor((points - points.min(axis=0)) / cell).astype(np.int64)
    looks = np.rint(normals * 1.3).astype(np.int64) + 1  # which of 26 ways: edges stay edges
    keys = np.zeros(len(points), np.int64)
    for column, size in [
        *((cells[:, i], int(cells[:, i].max()) + 1) for i in range(3)),
        *((looks[:, i], 3) for i in range(3)),
    ]:
        keys = keys * size + column
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    which = which.reshape(-1)
    count = np.bincount(which, minlength=len(first)).astype(np.float64)[:, None]

    def mean(values: np.ndarray) -> np.ndarray:
        return np.stack([np.bincount(which, values[:, i], len(first)) for i in range(3)], axis=1) / count

    kept = which[faces.astype(np.int64)]
    spread = (kept[:, 0] != kept[:, 1]) & (kept[:, 1] != kept[:, 2]) & (kept[:, 0] != kept[:, 2])
    kept = kept[spread]
    low, middle, high = np.sort(kept, axis=1).T
    _, once = np.unique((low * len(first) + middle) * len(first) + high, return_index=True)
    around = mean(normals)
    around /= np.maximum(np.linalg.norm(around, axis=1, keepdims=True), 1e-9)
    return mean(points).astype(np.float32), kept[np.sort(once)].astype(np.uint32), around.astype(np.float32)


@lru_cache(maxsize=256)
def _parts(sapien: Any, file: str, scale: tuple[float, ...]) -> tuple[Part, ...] | None:
    """The thinned parts of a file; None where pictures are glued on, or where there is little to gain."""
    shape = sapien.render.RenderShapeTriangleMesh(file, list(scale))
    found = []
    sizes = [len(part.get_vertices()) for part in shape.parts]
    if max(sizes, default=0) < FEW or any(part.material.base_color_texture is not None for part in shape.parts):
        return None
    for part in shape.parts:
        points, faces, normals = part.get_vertices() * np.array(scale), part.get_triangles(), part.get_vertex_normal()
        if len(points) >= FEW:
            points, faces, normals = thin(points, faces, normals)
        if len(faces):
            found.append(Part(points.astype(np.float32), faces, normals, part.material))
    return tuple(found)


def component(sapien: Any, records: list[Any], usual: Any) -> Any:
    """What shows a link of a robot, thinned where that helps; `usual` builds what SAPIEN would show."""
    if any(record.type != "file" for record in records):
        return usual()
    built = sapien.render.RenderBodyComponent()
    for record in records:
        scale = tuple(float(part) for part in record.scale)
        parts = _parts(sapien, str(record.filename), scale) if min(scale) > 0 else None
        if parts is None:
            shapes = [sapien.render.RenderShapeTriangleMesh(str(record.filename), record.scale, record.material)]
        else:
            shapes = [
                sapien.render.RenderShapeTriangleMesh(
                    part.points, part.faces, part.normals, np.zeros((len(part.points), 2), np.float32),
                    record.material or part.material,
                )
                for part in parts
            ]  # fmt: skip
        for shape in shapes:
            shape.local_pose = record.pose
            built.attach(shape)
    return built
