"""Two arms at a table: where they begin, and what is seen of them."""

import math

from mmgames.embodied._control.setting import CameraPose, Look, Mesh, Room, Setting
from mmgames.embodied._scenes.furniture import table
from mmgames.embodied._scenes.solids import Box, Solids, ball, block, lathe, moved, rod, tilt, yaw

HALF = 0.02  # half the side of a cube
DRAWN_BACK = (0.0, -0.54, 0.0, -2.545, 0.0, 2.005, math.pi / 4, 0.04, 0.04)
"""The joints of an arm at the start: its hand, fingers down, is 38 cm before its base and 35 cm above the table."""

HEIGHT = 0.9196429
PALETTE = (222, 232, 236), (170, 196, 206), (58, 98, 114)
TABLE = Mesh(
    "utils/scene_builder/table/assets/table.glb",
    1.75,
    yaw(math.pi),
    (-0.12, 0.0, -HEIGHT),
    moved(table(Box(-0.725, -1.21, 0.485, 1.21, HEIGHT), PALETTE), (0.0, 0.0, -HEIGHT)),
)  # as ManiSkill's TableSceneBuilder has it: its top at 0
ROOM = Room(
    Box(-1.7, -2.2, 2.4, 2.2, 2.6),
    PALETTE,
    windows=(((1, 0), 0.0),),
    floor=-HEIGHT,
)
SHOT = CameraPose(eye=(1.8, 0.0, 1.02), target=(-0.1, 0.0, 0.16))


def cube(colour: tuple[int, int, int]) -> Solids:
    return (block((2 * HALF,) * 3, (0, 0, 0), colour),)


def goal(radius: float, highest: float) -> Solids:
    """A point in the air, as a ball that shines. A thread shows where on the table it is; the table hides the rest."""
    green = (40, 235, 60)
    return ball(radius, (0, 0, 0), green, glow=0.5), rod((0, 0, -highest), (0, 0, 0), 0.002, green)


def target(radius: float) -> Solids:
    """A disc of red and white rings; it lies along its x axis, as ManiSkill's cylinders do."""
    found = []
    for ring in range(5):
        outer, inner = radius * (5 - ring) / 5, radius * (4 - ring) / 5
        colour = (200, 30, 30) if ring % 2 == 0 else (246, 246, 242)
        found.append(lathe(((outer, 0.0005), (inner, 0.0005)), (0, 0, 0), colour))
    return moved(found, (0, 0, 0), tilt(-math.pi / 2))


def setting(*things: Look) -> Setting:
    return Setting(("panda", "panda"), things, (TABLE,), ROOM, SHOT)
