"""How a kitchen looks while a plan is carried out: what shows its furniture and things, and a camera."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mmgames.drawing.canvas import Colour, mix
from mmgames.embodied._execution.shapes import Part, Shape
from mmgames.embodied._scenes import furniture, models, renderer, solid_bodies
from mmgames.embodied._scenes.above import FLOORS
from mmgames.embodied._scenes.geometry import Box
from mmgames.embodied._scenes.rendered import global_lens
from mmgames.embodied._scenes.solids import Solids, block, drum, scaled, turned, yaw
from mmgames.embodied._world.names import base

EVERY = 4
"""So many twentieths of a second lie between two pictures."""

DISH: Colour = (226, 232, 240)
WOOD: Colour = (176, 130, 84)


def floor(room: Box, style: int) -> Solids:
    return furniture.floor(room, FLOORS[style % len(FLOORS)], style)


def counter(box: Box, bottom: float, style: int) -> Solids:
    """A block of furniture with its worktop, from the middle of the block."""
    light, worktop, edge = FLOORS[style % len(FLOORS)]
    long, wide, tall = box.x1 - box.x0, box.y1 - box.y0, box.top - bottom
    top = min(0.04, tall / 2)
    return (
        block((long - 0.02, wide - 0.02, tall - top), (0, 0, -top / 2), mix(light, edge, 0.5)),
        block((long, wide, top), (0, 0, tall / 2 - top / 2), worktop),
    )


def thing(name: str, shape: Shape) -> Solids:
    """A thing as pictures of kitchens have it, as large as it is here; dishes as they are."""
    what = base(name)
    if shape.room[0] or not shape.parts:
        return parts(shape.parts, WOOD if "board" in what or "box" in what else DISH)
    return scaled(models.model(name), shape.tall / models.reach(what)[1])


def parts(found: tuple[Part, ...], colour: Colour) -> Solids:
    return tuple(
        drum(part.size[0] / 2, part.size[2], (*part.at[:2], part.at[2] - part.size[2] / 2), colour)
        if part.round
        else block(part.size, part.at, colour)
        for part in found
    )


def show(sapien: Any, entity: Any, solids: Solids) -> None:
    if solids:
        entity.add_component(solid_bodies.component(sapien, solids))


class Watching:
    """A camera that has the whole room in its picture."""

    def __init__(self, scene: Any, sapien: Any, room: Box, size: int) -> None:
        lens = global_lens(room, size)
        self.scene = scene
        self.camera = sapien.render.RenderCameraComponent(lens.width, lens.height, str(renderer.SHADER_FOLDER))
        self.camera.near, self.camera.far = 0.05, 40.0
        self.camera.set_fovy(2 * math.atan(lens.height / 2 / lens.focal), compute_x=True)
        ahead = np.array(turned((math.cos(lens.pitch), 0, math.sin(lens.pitch)), yaw(lens.yaw)))
        left = np.cross([0, 0, 1], ahead)
        left /= np.linalg.norm(left)
        matrix = np.eye(4)
        matrix[:3, :3] = np.stack([ahead, left, np.cross(ahead, left)], axis=1)
        matrix[:3, 3] = lens.eye
        entity = sapien.Entity()
        entity.add_component(self.camera)
        scene.add_entity(entity)
        entity.set_pose(sapien.Pose(matrix))

    def take(self) -> np.ndarray:
        self.scene.update_render()
        self.camera.take_picture()
        seen = self.camera.get_picture("Color")
        shown = np.where(seen[..., 3:] > 0, seen[..., :3], np.array(renderer.SKY, np.float32))
        return (np.clip(shown, 0, 1) * 255 + 0.5).astype(np.uint8)
