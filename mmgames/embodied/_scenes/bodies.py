"""What the robots look like in 3D: the models that ManiSkill ships or finds on disk, and simple shapes for the rest."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import NamedTuple

from mmgames.drawing.canvas import WHITE, Colour, mix
from mmgames.embodied._scenes.icons import ROBOT_COLOURS
from mmgames.embodied._scenes.shots import Model as Model
from mmgames.embodied._scenes.shots import wheel_folder as wheel_folder
from mmgames.embodied._scenes.solids import Point, Solid, Solids, ball, block, drum, lathe, rod, tilt

DARK: Colour = (52, 54, 60)
GREY: Colour = (150, 154, 162)


REST: dict[str, tuple[float, ...]] = {
    "panda": (0.0, 0.3927, 0.0, -1.9635, 0.0, 2.3562, 0.7854, 0.04, 0.04),
    "fetch": (0, 0, 0, 0.386, 0, -0.37, 0.562, -1.032, 0.695, 0.955, -0.1, 2.077, 0, 0.015, 0.015),
    "unitree_h1": (0, 0, 0, 0, 0, 0, 0, -0.4, -0.4, 0, 0, 0.8, 0.8, 0, 0, -0.4, -0.4, 0, 0),
    "stompy": (
        1.5, -1.5, -0.942, 0, 1.5, -1.5, -0.25, 0.25, 0.5, 0.65, -0.65, -0.5, -0.5, 0, 0, -0.5, 0.5, 0.78, -0.78, 0.25,
        -0.25, 0, -0.2, 0, 0.2, 0, 0, -0.2, 0.2, 0.2, -2.2, 0, 0, 0, 0, 0, 0,
    ),
    "unitree_go2": (0, 0, 0, 0, 0.9, 0.9, 0.9, 0.9, -1.8, -1.8, -1.8, -1.8),
    "anymal_c": (0.03, -0.03, 0.03, -0.03, 0.4, 0.4, -0.4, -0.4, -0.8, -0.8, 0.8, 0.8),
}  # fmt: skip
"""Joints at rest, as the benchmark has them."""


class Shape(NamedTuple):
    """A robot of simple shapes that stands on the origin and looks along +x, and where its hands (a dog: nose) are."""

    solids: Solids
    hands: tuple[Point, ...]


def asset_folder() -> Path:
    """Where ManiSkill keeps what it downloads."""
    return Path(os.environ.get("MS_ASSET_DIR") or Path.home() / ".maniskill") / "data"


ON_DISK = {
    "unitree_h1": ("unitree_h1/urdf/h1.urdf", ("left_elbow_link", "right_elbow_link"), 0.975),
    "stompy": ("stompy/robot.urdf", (), 0.975),
    "unitree_go2": ("unitree_go2/urdf/go2_description.urdf", (), 0.29),
    "anymal_c": ("anymal_c/urdf/anymal.urdf", (), 0.545),
}
"""Robots that the wheel lacks: their files below the asset folder, hands, and the height of their roots."""


def body_of(type: str) -> Model | Shape:
    """What is used for a robot type here: its own model if there is one on disk, else what comes nearest."""
    robots = wheel_folder() / "assets" / "robots"
    if type == "panda":
        return Model(robots / "panda" / "panda_v2.urdf", ("panda_hand_tcp",), rest=REST["panda"])
    if type == "fetch":
        return Model(robots / "fetch" / "fetch.urdf", ("gripper_link",), rest=REST["fetch"])
    file, hands, root = ON_DISK[type]
    path = asset_folder() / "robots" / file
    if path.is_file():
        return Model(path, hands, root, rest=REST[type])
    return {"unitree_h1": _h1, "stompy": _stompy, "unitree_go2": _go2, "anymal_c": _anymal}[type]()


def _h1() -> Shape:
    """A tall, lean humanoid: long legs, a narrow chest, a round head whose face is a ring of light."""
    purple = ROBOT_COLOURS["unitree_h1"]
    pale: Colour = (214, 214, 222)
    face = lathe(((0.042, 0.0), (0.042, 0.02), (0.066, 0.02), (0.066, 0.0)), (0.058, 0, 1.68), pale, tilt(math.pi / 2))
    solids: list[Solid] = [
        lathe(
            ((0, 0), (0.09, 0.02), (0.13, 0.2), (0.16, 0.42), (0.1, 0.5), (0.05, 0.52)), (0, 0, 1.0), purple
        )._replace(stretch=(0.75, 1.05, 1.0)),
        block((0.02, 0.12, 0.16), (0.112, 0, 1.33), DARK),
        drum(0.1, 0.12, (0, 0, 0.9), DARK),
        drum(0.035, 0.08, (0, 0, 1.5), DARK),
        ball(0.095, (0, 0, 1.68), purple, (0.9, 0.9, 1.1)),
        face._replace(glow=0.5),
        ball(0.05, (0.05, 0, 1.68), (24, 24, 30)),
    ]
    hands = []
    for side in (-1, 1):
        shoulder, elbow, wrist = (0.0, side * 0.21, 1.42), (-0.04, side * 0.27, 1.14), (0.24, side * 0.22, 1.06)
        hip, knee, ankle = (0.0, side * 0.1, 0.94), (0.06, side * 0.11, 0.5), (-0.02, side * 0.11, 0.07)
        solids += [
            ball(0.07, shoulder, pale),
            rod(shoulder, elbow, 0.042, purple, 0.036),
            ball(0.046, elbow, pale),
            rod(elbow, wrist, 0.036, pale, 0.03),
            ball(0.048, (0.28, side * 0.215, 1.05), DARK),
            ball(0.075, hip, pale),
            rod(hip, knee, 0.066, purple, 0.048),
            ball(0.056, knee, pale),
            rod(knee, ankle, 0.046, pale, 0.03),
            block((0.24, 0.08, 0.05), (0.03, side * 0.11, 0.025), DARK),
        ]
        hands.append((0.36, side * 0.21, 1.06))
    return Shape(tuple(solids), tuple(hands))


def _stompy() -> Shape:
    """A stocky humanoid: a barrel of a trunk, a square head with two eyes, thick legs and large feet."""
    teal = ROBOT_COLOURS["stompy"]
    pale = mix(teal, WHITE, 0.55)
    solids: list[Solid] = [
        block((0.32, 0.5, 0.4), (0, 0, 1.0), teal),
        block((0.03, 0.34, 0.24), (0.16, 0, 1.0), pale),
        *(ball(0.022, (0.178, y, 0.93), (250, 210, 80), glow=0.3) for y in (-0.08, 0.0, 0.08)),
        block((0.28, 0.42, 0.14), (0, 0, 0.73), DARK),
        block((0.26, 0.3, 0.24), (0.03, 0, 1.34), teal),
        block((0.02, 0.25, 0.12), (0.165, 0, 1.36), (24, 28, 30)),
        *(ball(0.034, (0.172, y, 1.36), (150, 235, 255), glow=0.6) for y in (-0.065, 0.065)),
        rod((0.0, 0.1, 1.45), (-0.02, 0.14, 1.6), 0.012, DARK),
        ball(0.028, (-0.02, 0.14, 1.6), (250, 210, 80), glow=0.3),
    ]
    hands = []
    for side in (-1, 1):
        shoulder, elbow, hand = (0.0, side * 0.33, 1.14), (-0.02, side * 0.4, 0.88), (0.26, side * 0.28, 0.9)
        hip, knee, foot = (0.0, side * 0.15, 0.68), (0.05, side * 0.17, 0.4), (0.0, side * 0.17, 0.1)
        solids += [
            ball(0.115, shoulder, DARK),
            rod(shoulder, elbow, 0.08, teal, 0.075),
            rod(elbow, hand, 0.08, pale, 0.07),
            *(block((0.1, 0.03, 0.06), (hand[0] + 0.09, hand[1] + y, hand[2]), DARK) for y in (-0.04, 0.04)),
            rod(hip, knee, 0.12, teal, 0.1),
            rod(knee, foot, 0.1, pale, 0.09),
            block((0.36, 0.2, 0.1), (0.06, side * 0.17, 0.05), DARK),
        ]
        hands.append((hand[0] + 0.14, hand[1], hand[2] + 0.02))
    return Shape(tuple(solids), tuple(hands))


def _legs(colours: tuple[Colour, Colour], hips: tuple[float, float, float], thick: float, hind: float) -> list[Solid]:
    """Four legs of a dog. `hips`: half a trunk's length, half its width, their height; `hind`: where hind knees go."""
    upper, lower = colours
    x, y, tall = hips
    solids: list[Solid] = []
    for at, bend in ((x, -1.0), (-x, hind)):
        for side in (-1, 1):
            hip = (at, side * (y + 0.02), tall)
            knee = (at + bend * tall * 0.28, side * (y + 0.05), tall * 0.5)
            foot = (at, side * (y + 0.05), thick * 0.6)
            solids += [
                ball(thick * 1.35, hip, lower),
                rod(hip, knee, thick, upper, thick * 0.75),
                rod(knee, foot, thick * 0.6, lower, thick * 0.45),
                ball(thick * 0.7, foot, (24, 24, 26)),
            ]
    return solids


def _go2() -> Shape:
    """A small slim dog, light grey, with a snout that is lit and all four knees bent backwards."""
    light: Colour = (222, 226, 232)
    return Shape(
        (
            *_legs((light, (92, 98, 108)), (0.2, 0.1, 0.32), 0.04, -1.0),
            rod((-0.2, 0, 0.34), (0.2, 0, 0.34), 0.085, light, 0.075),
            block((0.3, 0.13, 0.03), (-0.02, 0, 0.42), ROBOT_COLOURS["unitree_go2"]),
            rod((0.22, 0, 0.36), (0.34, 0, 0.38), 0.06, light, 0.055),
            ball(0.05, (0.37, 0, 0.38), (24, 26, 32)),
            ball(0.026, (0.41, 0, 0.38), (120, 220, 255), glow=0.7),
            drum(0.04, 0.05, (0.27, 0, 0.42), (24, 26, 32)),
        ),
        ((0.42, 0.0, 0.38),),
    )


def _anymal() -> Shape:
    """A large red dog with a carrying frame, a turret, black ends and knees that point to its middle."""
    red = ROBOT_COLOURS["anymal_c"]
    return Shape(
        (
            *_legs((red, DARK), (0.34, 0.17, 0.56), 0.06, 1.0),
            block((0.72, 0.3, 0.2), (0, 0, 0.58), red),
            block((0.5, 0.31, 0.05), (0, 0, 0.58), DARK),
            *(block((0.1, 0.24, 0.17), (x, 0, 0.58), (30, 30, 34)) for x in (0.4, -0.4)),
            *(rod((-0.3, y, 0.74), (0.3, y, 0.74), 0.02, DARK) for y in (0.12, -0.12)),
            *(rod((x, y, 0.66), (x, y, 0.74), 0.018, DARK) for x in (0.3, -0.3) for y in (0.12, -0.12)),
            drum(0.075, 0.1, (-0.18, 0, 0.68), GREY),
            drum(0.055, 0.03, (-0.18, 0, 0.78), (30, 30, 34)),
            *(ball(0.03, (0.45, y, 0.6), (255, 236, 160), glow=0.7) for y in (0.07, -0.07)),
        ),
        ((0.47, 0.0, 0.58),),
    )
