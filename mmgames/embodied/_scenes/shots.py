"""Scenes in SAPIEN: robots from their descriptions, solids, cameras and pictures, for kitchens and control games alike.

Nothing here knows what is shown, and no compiler is imported for it.
"""

import importlib.util
import math
from collections import defaultdict
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mmgames.drawing.canvas import Colour
from mmgames.embodied._scenes import renderer, textures, thinning
from mmgames.embodied._scenes.solids import Point, Solid, Solids, joined, turned, yaw
from mmgames.errors import MmgamesError

NEAR, FAR = 0.05, 40.0
MSAA = 1


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
    """A robot from its description (URDF), in a stage or wherever else there are a `sapien` and a `world`."""

    def __init__(self, stage: Any, model: Model) -> None:
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


def open_world(sapien: Any) -> Any:
    """A scene with nothing in it."""
    with renderer.quietly():
        return sapien.Scene([sapien.physx.PhysxCpuSystem(), sapien.render.RenderSystem()])


def add(sapien: Any, world: Any, component: Any) -> Any:
    """Something that stands in a scene."""
    entity = sapien.Entity()
    entity.add_component(component)
    world.add_entity(entity)
    return entity


def hang_camera(sapien: Any, world: Any, width: int, height: int) -> Any:
    """A camera with a picture of a size, which is yet to be aimed."""
    camera = sapien.render.RenderCameraComponent(width, height, str(renderer.SHADER_FOLDER))
    camera.near, camera.far = NEAR, FAR
    add(sapien, world, camera)
    return camera


def aim(sapien: Any, camera: Any, lens: Any) -> None:
    """Bring a camera where an `ego.Camera` is; its matrices are then those of the picture it takes."""
    camera.set_fovy(2 * math.atan(lens.height / 2 / lens.focal), compute_x=True)
    way = turned((math.cos(lens.pitch), 0, math.sin(lens.pitch)), yaw(lens.yaw))
    camera.entity.set_pose(looking(sapien, lens.eye, way))


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
        found = joined(pieces, textures.PATTERNS[pattern].metres if pattern else 0.0)
        body.attach(sapien.render.RenderShapeTriangleMesh(*found, material))
    return body


def _material(sapien: Any, colour: tuple[int, int, int], glow: float) -> Any:
    linear = [(part / 255) ** 2.2 for part in colour]
    return sapien.render.RenderMaterial(
        base_color=[*linear, 1.0], emission=[*(part * glow for part in linear), 1.0 if glow else 0.0]
    )


@lru_cache(maxsize=32)
def _texture(sapien: Any, pattern: str, colour: Colour) -> Any:
    return sapien.render.RenderTexture2D(textures.picture(pattern, colour), "R32G32B32A32Sfloat", mipmap_levels=6)
