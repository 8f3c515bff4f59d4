"""Scenes in SAPIEN: robots from their descriptions, solids, cameras and pictures, for kitchens and control games alike.

They are posed and never stepped, and what does not move in them is drawn once for each camera.

Nothing here knows what is shown, and no compiler is imported for it.
"""

from __future__ import annotations

import importlib.util
import math
from collections import defaultdict
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mmgames.drawing.canvas import Colour
from mmgames.embodied._scenes import renderer, textures, thinning
from mmgames.embodied._scenes.camera import Camera, Shot
from mmgames.embodied._scenes.solids import Point, Solid, Solids, joined, turned, yaw
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
                link.build_render_component = partial(thinning.component, self.sapien, link.visual_records, usual)
                link.collision_records = []  # nothing moves by itself, so nothing collides
            self.articulation = builder.build()
        except Exception as error:  # SAPIEN raises plain Exceptions too
            raise MmgamesError(
                f"The robot in {model.file} cannot be loaded ({type(error).__name__}: {str(error)[:120]}); fetch its "
                "files again."
            ) from error
        joints = np.zeros(self.articulation.dof, np.float32)
        if len(model.rest) == len(joints):
            joints[:] = model.rest
        self.articulation.set_qpos(joints)
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
        self.backdrop = lru_cache(KEPT)(self._backdrop)

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
        way = turned((math.cos(lens.pitch), 0, math.sin(lens.pitch)), yaw(lens.yaw))
        camera.entity.set_pose(looking(self.sapien, lens.eye, way))
        return camera

    def shoot(self, lens: Camera) -> Shot:
        """A picture of things as they stand: in front of what does not move, or behind it."""
        camera = self.aim(lens)
        backdrop, moving = self.backdrop(lens), self.take(camera)
        picture = np.where((moving.depth < backdrop.depth)[..., None], moving.picture, backdrop.picture)
        return Shot(picture, lens)

    def _backdrop(self, lens: Camera) -> Layer3D:
        """What does not move, alone, before the camera of a lens. It is hidden again afterwards."""
        moving = [entity for entity in self.world.entities if entity not in self.fixed and _is_visible(entity)]
        fixed = self.fixed_before(lens.eye)
        for entity in self.fixed:
            show(entity, entity in fixed)
        for entity in moving:
            show(entity, False)
        found = self.take(self.cameras[lens.width, lens.height])
        for entity in self.fixed:
            show(entity, False)
        for entity in moving:
            show(entity, True)
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


def _is_visible(entity: Any) -> bool:
    return any(getattr(component, "visibility", 0.0) > 0 for component in entity.components)


def looking(sapien: Any, eye: Point, way: Point) -> Any:
    """The pose of a camera (x ahead, y left, z up) at a point that looks along a direction."""
    ahead = np.array(way) / np.linalg.norm(way)
    left = np.cross([0, 0, 1], ahead)
    left /= np.linalg.norm(left)
    matrix = np.eye(4)
    matrix[:3, :3] = np.stack([ahead, left, np.cross(ahead, left)], axis=1)
    matrix[:3, 3] = eye
    return sapien.Pose(matrix)


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
    return sapien.render.RenderTexture2D(textures.picture(pattern, colour), "R32G32B32A32Sfloat", mipmap_levels=6)
