"""Scenes in SAPIEN: robots from their descriptions, solids, cameras and pictures, for kitchens and control games alike.

They are posed and never stepped, and what does not move in them is drawn once for each camera. Meshes of robots have
fewer points than in their files: drawing on a processor, points cost most, and nobody sees a few millimetres.

Nothing here knows what is shown, and no compiler is imported for it.
"""

from __future__ import annotations

import importlib.util
import math
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mmgames.drawing.canvas import Colour
from mmgames.embodied._scenes import renderer, textures
from mmgames.embodied._scenes.camera import Camera, Shot
from mmgames.embodied._scenes.solids import Point, Solid, Solids, joined, yaw
from mmgames.errors import MmgamesError

NEAR, FAR = 0.05, 40.0
MSAA = 1
KEPT = 4
"""Of so many sizes the cameras are kept, and of so many cameras the picture of what does not move."""


def wheel_folder() -> Path:
    """Where the installed ManiSkill keeps its files; it is not imported for that."""
    found = importlib.util.find_spec("mani_skill")
    assert found is not None and found.submodule_search_locations
    return Path(found.submodule_search_locations[0])


class Model(NamedTuple):
    """A robot's description on disk: the file, the links that are its hands, how high its root stands."""

    file: Path
    hands: tuple[str, ...]
    root: float = 0.0
    rest: tuple[float, ...] = ()  # of its joints; zero where nothing is said


class RobotBody:
    """A robot from its description (URDF)."""

    def __init__(self, stage: Scenery, model: Model) -> None:
        self.sapien, self.model = stage.sapien, model
        loader = stage.world.create_urdf_loader()
        loader.fix_root_link = True
        try:
            builder = loader.load_file_as_articulation_builder(str(model.file))
            for link in builder.link_builders:
                usual = link.build_render_component
                link.build_render_component = partial(_link_component, self.sapien, link.visual_records, usual)
                link.collision_records = []  # nothing moves by itself, so nothing collides
            self.articulation = builder.build()
        except Exception as error:  # SAPIEN raises plain Exceptions too
            raise MmgamesError(
                f"The robot in {model.file} cannot be loaded ({type(error).__name__}: {str(error)[:120]}); fetch its "
                "files again."
            ) from error
        joints = self.articulation.dof
        self.articulation.set_qpos(np.array(model.rest if len(model.rest) == joints else [0] * joints, np.float32))
        self.entities = [link.entity for link in self.articulation.links]
        links = {link.name: link for link in self.articulation.links}
        self.hands = [links[name] for name in model.hands if name in links] or [self.articulation.links[-1]]

    def stand(self, foot: Point, turn: float) -> tuple[Point, ...]:
        """Put it somewhere; where its hands are then."""
        at = self.sapien.Pose([*foot[:2], foot[2] + self.model.root], list(yaw(turn)))
        self.articulation.set_root_pose(at)
        return tuple(tuple(map(float, hand.entity_pose.p)) for hand in self.hands)  # type: ignore[misc]


def open_world(sapien: Any) -> Any:
    """A scene with nothing in it."""
    with renderer.quietly():
        return sapien.Scene([sapien.physx.PhysxCpuSystem(), sapien.render.RenderSystem()])


class Layer3D(NamedTuple):
    """A picture and how far ahead of the camera everything on it is, in metres."""

    picture: np.ndarray
    depth: np.ndarray


class Scenery:
    """A scene for pictures. Who builds one notes in `fixed` what does not move."""

    def __init__(self) -> None:
        _, self.sapien = renderer.start_sapien()
        self.sapien.render.set_msaa(MSAA)
        self.world = open_world(self.sapien)
        self.fixed: set[Any] = set()
        self.cameras: dict[tuple[int, int], Any] = {}
        self.backdrops: dict[Camera, Layer3D] = {}

    def add(self, component: Any) -> Any:
        """Something that stands in the scene."""
        entity = self.sapien.Entity()
        entity.add_component(component)
        self.world.add_entity(entity)
        return entity

    def entity(self, solids: Solids) -> Any:
        return self.add(component(self.sapien, solids))

    def fixed_before(self, eye: Point) -> set[Any]:
        """What does not move and is not in the way of a camera at a point."""
        return self.fixed

    def aim(self, lens: Camera) -> Any:
        """The camera of a lens, where it should be."""
        size = (lens.width, lens.height)
        if size not in self.cameras:
            if len(self.cameras) >= KEPT:
                self.world.remove_entity(self.cameras.pop(next(iter(self.cameras))).entity)
            for name in ("Color", "Position"):  # ManiSkill may have set another one
                self.sapien.render.set_picture_format(name, "r32g32b32a32sfloat")
            camera = self.sapien.render.RenderCameraComponent(*size, str(renderer.SHADER_FOLDER))
            camera.near, camera.far = NEAR, FAR
            self.add(camera)
            self.cameras[size] = camera
        camera = self.cameras[size]
        camera.set_fovy(2 * math.atan(lens.height / 2 / lens.focal), compute_x=True)
        right, down, ahead = lens.matrices()[1][:, :3]
        pose = np.eye(4)
        pose[:3] = np.column_stack([ahead, -right, -down, lens.eye])  # x is ahead, y left and z up
        camera.entity.set_pose(self.sapien.Pose(pose))
        return camera

    def shoot(self, lens: Camera) -> Shot:
        """A picture of things as they stand: in front of what does not move, or behind it."""
        camera = self.aim(lens)
        if lens not in self.backdrops:
            while len(self.backdrops) >= KEPT:
                self.backdrops.pop(next(iter(self.backdrops)))
            self.backdrops[lens] = self._backdrop(camera, lens)
        backdrop, moving = self.backdrops[lens], self.take(camera)
        picture = np.where((moving.depth < backdrop.depth)[..., None], moving.picture, backdrop.picture)
        return Shot(picture, lens)

    def _backdrop(self, camera: Any, lens: Camera) -> Layer3D:
        """What does not move, alone. It is hidden again afterwards."""
        shown = {one for one in self.world.entities for part in one.components if getattr(part, "visibility", 0.0) > 0}
        moving = shown - self.fixed
        fixed = self.fixed_before(lens.eye)
        for entity in self.fixed | moving:
            show(entity, entity in fixed)
        found = self.take(camera)
        for entity in self.fixed | moving:
            show(entity, entity in moving)
        return found

    def take(self, camera: Any) -> Layer3D:
        """What is visible now; nothing is infinitely far away."""
        self.world.update_render()
        camera.take_picture()
        seen, where = camera.get_picture("Color"), camera.get_picture("Position")
        drawn = seen[..., 3] > 0
        frame = np.where(drawn[..., None], seen[..., :3], np.array(renderer.SKY, np.float32))
        picture = (np.clip(frame, 0, 1) * 255 + 0.5).astype(np.uint8)
        return Layer3D(picture, np.where(drawn, -where[..., 2], np.float32(np.inf)))


def show(entity: Any, shown: bool) -> None:
    for component in entity.components:
        if hasattr(component, "visibility"):
            component.visibility = float(shown)


def component(sapien: Any, solids: Solids) -> Any:
    """What shows something that does not bend; its pieces of one colour are shown as one."""
    alike: dict[tuple[Colour, float, str], list[Solid]] = defaultdict(list)
    for solid in solids:
        alike[solid.colour, solid.glow, solid.pattern].append(solid)
    body = sapien.render.RenderBodyComponent()
    for (colour, glow, pattern), pieces in alike.items():
        material = _material(sapien, colour, glow)
        if pattern:
            material.base_color_texture = _texture(sapien, pattern, colour)
        body.attach(sapien.render.RenderShapeTriangleMesh(*joined(pieces)[0], material))
    return body


def _material(sapien: Any, colour: tuple[int, int, int], glow: float) -> Any:
    linear = [(part / 255) ** 2.2 for part in colour]
    return sapien.render.RenderMaterial(
        base_color=[*linear, 1.0], emission=[*(part * glow for part in linear), 1.0 if glow else 0.0]
    )


@lru_cache(maxsize=32)
def _texture(sapien: Any, pattern: str, colour: Colour) -> Any:
    """A pattern in a colour, as linear light."""
    bright = textures.brightness(pattern)
    shown = bright if bright.ndim == 3 else bright[..., None] * (np.array(colour, float) / 255)
    light = np.clip(shown, 0, 1) ** 2.2
    texels = np.concatenate([light, np.ones_like(light[..., :1])], axis=2).astype(np.float32)
    return sapien.render.RenderTexture2D(texels, "R32G32B32A32Sfloat", mipmap_levels=6)


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


def _link_component(sapien: Any, records: list[Any], usual: Any) -> Any:
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
