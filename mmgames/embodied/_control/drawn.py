"""Pictures of arms by our own renderer, from the poses in a view: no package and no driver has a part in them."""

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from mmgames.embodied._control.kinematic import FINGERS, ORIGINS, TURNS, chain_frames
from mmgames.embodied._control.scene import RobotScene, RobotState, heading, matrix, standing
from mmgames.embodied._control.setting import Look, Mesh, Setting
from mmgames.embodied._scenes import raster
from mmgames.embodied._scenes.drawn import Piece, paint, placed
from mmgames.embodied._scenes.solids import block, drum, read, rod

WHITE, DARK = (243, 244, 246), (58, 62, 70)


@cache
def _arm() -> list[raster.Packed]:
    """The pieces of an arm: foot, seven links, palm and a finger."""
    plate, box = drum(0.1, 0.02, (0, 0, 0), DARK), block((0.1, 0.13, 0.12), (-0.09, 0, 0.06), WHITE)
    foot = drum(0.075, 0.15, (0, 0, 0), WHITE), box, plate
    limbs = read("panda", __package__)["limbs"]
    links = [tuple(rod(start, end, thick, WHITE, last) for start, end, thick, last in link) for link in limbs]
    knuckles = block((0.045, 0.17, 0.02), (0, 0, -FINGERS + 0.06), DARK)
    palm = block((0.06, 0.2, 0.05), (0, 0, -FINGERS + 0.03), WHITE), knuckles
    finger = (block((0.02, 0.016, 0.055), (0, 0.008, -0.018), DARK),)
    return [raster.packed(solids) for solids in (foot, *links, palm, finger)]


def arm_pieces(frames: np.ndarray, gaps: Sequence[float] | np.ndarray) -> Iterator[Piece]:
    """What moves of an arm, whose links and hand have these frames and whose fingers are so far from the middle."""
    _, *links, palm, finger = _arm()
    for mesh, frame in zip((*links, palm), frames, strict=True):
        yield placed(mesh, frame[:, :3], frame[:, 3])
    for side, gap in zip((1, -1), gaps, strict=True):
        axes = frames[-1, :, :3] * (side, side, 1)
        yield placed(finger, axes, frames[-1, :, 3] + gap * axes[:, 1])


def _pieces(robot: RobotState) -> Iterator[Piece]:
    x, y, z, turn = *robot.base[:3], heading(robot.base)
    frames = np.empty((8, 3, 4))
    chain_frames(standing(x, y, z, turn)[:3], ORIGINS, TURNS, np.array(robot.joints[:7]), frames)
    yield Piece("arm", _arm()[0], (x, y, z), turn)
    yield from arm_pieces(frames, robot.joints[7:])


@cache
def _packed(look: Look) -> raster.Packed:
    return raster.packed(look.stand_in if isinstance(look, Mesh) else look)


def draw(setting: Setting, scene: RobotScene, size: int) -> np.ndarray:
    """A picture of a scene, as wide as it is high."""
    pieces = [Piece("fixed", _packed(look), (0.0, 0.0, 0.0)) for look in setting.fixed()]
    for robot in scene.robots:
        pieces += _pieces(robot)
    for look, pose in zip(setting.things, scene.things, strict=True):
        pieces.append(placed(_packed(look), matrix(pose), pose[:3]))
    return paint(pieces, setting.shot.camera(size))
