"""Robots from their descriptions and pictures of scenes in SAPIEN: what a kitchen and a control game have in common.

Nothing here knows what is shown, and no compiler is imported for it.
"""

from __future__ import annotations

import importlib.util
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mmgames.embodied._scenes import renderer, thinning
from mmgames.embodied._scenes.solids import Point
from mmgames.errors import MmgamesError

NEAR, FAR = 0.05, 40.0
MSAA = 1


def wheel_folder() -> Path:
    """Where the installed ManiSkill keeps its files; it is not imported for that."""
    found = importlib.util.find_spec("mani_skill")
    assert found is not None and found.submodule_search_locations
    return Path(found.submodule_search_locations[0])


class Model(NamedTuple):
    """A robot's description on disk: the file, the links that are its hands, how high its root stands, its scale."""

    file: Path
    hands: tuple[str, ...]
    root: float = 0.0
    scale: float = 1.0
    joints: tuple[tuple[str, float], ...] = ()  # by name; the others as in `rest`
    rest: tuple[float, ...] = ()  # zero where nothing is said


class RobotBody:
    """A robot from its description (URDF), in a stage or wherever else there are a `sapien` and a `world`."""

    def __init__(self, stage: Any, model: Model) -> None:
        self.sapien, self.model = stage.sapien, model
        loader = stage.world.create_urdf_loader()
        loader.fix_root_link, loader.scale = True, model.scale
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
        names = [joint.name for joint in self.articulation.active_joints]
        for name, angle in model.joints:
            joints[names.index(name)] = angle
        self.articulation.set_qpos(joints)
        self.entities = [link.entity for link in self.articulation.links]
        links = {link.name: link for link in self.articulation.links}
        self.hands = [links[name] for name in model.hands if name in links] or [self.articulation.links[-1]]


class Layer3D(NamedTuple):
    """A picture and how far ahead of the camera everything on it is, in metres."""

    picture: np.ndarray
    depth: np.ndarray


def take(world: Any, camera: Any) -> Layer3D:
    """What is visible in a world now; nothing is infinitely far away."""
    world.update_render()
    camera.take_picture()
    seen, where = camera.get_picture("Color"), camera.get_picture("Position")
    drawn = seen[..., 3] > 0
    frame = np.where(drawn[..., None], seen[..., :3], np.array(renderer.SKY, np.float32))
    picture = (np.clip(frame, 0, 1) * 255 + 0.5).astype(np.uint8)
    return Layer3D(picture, np.where(drawn, -where[..., 2], np.float32(np.inf)))


def in_front(moving: Layer3D, backdrop: Layer3D) -> np.ndarray:
    """A picture of what moves, in front of what does not or behind it."""
    return np.where((moving.depth < backdrop.depth)[..., None], moving.picture, backdrop.picture)


def show(entity: Any, shown: bool) -> None:
    for component in entity.components:
        if hasattr(component, "visibility"):
            component.visibility = float(shown)


def looking(sapien: Any, eye: Point, way: Point) -> Any:
    """The pose of a camera (x ahead, y left, z up) at a point that looks along a direction."""
    ahead = np.array(way) / np.linalg.norm(way)
    left = np.cross([0, 0, 1], ahead)
    left /= np.linalg.norm(left)
    matrix = np.eye(4)
    matrix[:3, :3] = np.stack([ahead, left, np.cross(ahead, left)], axis=1)
    matrix[:3, 3] = eye
    return sapien.Pose(matrix)
