"""What the robots look like in 3D: the models that ManiSkill ships or finds on disk, and simple shapes for the rest."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import NamedTuple

from mmgames.drawing.canvas import Colour
from mmgames.embodied._scenes.icons import ROBOT_COLOURS
from mmgames.embodied._scenes.solids import Point, Solid, Solids, ball, block, drum, rod

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


class Model(NamedTuple):
    """A robot's description on disk: the file, the links that are its hands, how high its root stands, its scale."""

    file: Path
    hands: tuple[str, ...]
    root: float = 0.0
    scale: float = 1.0
    joints: tuple[tuple[str, float], ...] = ()  # by name; the others as in `rest`
    rest: tuple[float, ...] = ()  # zero where nothing is said


class Shape(NamedTuple):
    """A robot of simple shapes that stands on the origin and looks along +x, and where its hands (a dog: nose) are."""

    solids: Solids
    hands: tuple[Point, ...]


def wheel_folder() -> Path:
    """Where the installed ManiSkill keeps its files; it is not imported for that."""
    found = importlib.util.find_spec("mani_skill")
    assert found is not None and found.submodule_search_locations
    return Path(found.submodule_search_locations[0])


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
    if type == "unitree_h1":
        # Its smaller sister, enlarged to its height.
        bent = tuple((f"{side}_elbow_pitch_joint", 0.35) for side in ("left", "right"))
        return Model(
            robots / "g1_humanoid" / "g1_simplified_upper_body.urdf", ("right_tcp_link", "left_tcp_link"),
            0.755 * 1.3, 1.3, bent,
        )  # fmt: skip
    return {"stompy": _stompy, "unitree_go2": _go2, "anymal_c": _anymal}[type]()


def _stompy() -> Shape:
    """A broad humanoid with a square head."""
    teal = ROBOT_COLOURS["stompy"]
    solids: list[Solid] = [
        block((0.24, 0.4, 0.44), (0, 0, 1.18), teal),
        block((0.2, 0.3, 0.12), (0, 0, 0.9), DARK),
        block((0.03, 0.24, 0.18), (0.125, 0, 1.22), DARK),
        rod((0, 0, 1.38), (0, 0, 1.5), 0.05, DARK),
        block((0.2, 0.2, 0.2), (0.02, 0, 1.58), teal),
        block((0.02, 0.16, 0.07), (0.125, 0, 1.6), (30, 32, 36)),
        ball(0.018, (0.132, 0.045, 1.6), (120, 220, 255), glow=0.6),
        ball(0.018, (0.132, -0.045, 1.6), (120, 220, 255), glow=0.6),
    ]
    hands = []
    for side in (-1, 1):
        shoulder, elbow, hand = (0.0, side * 0.27, 1.34), (-0.02, side * 0.34, 1.06), (0.26, side * 0.26, 1.0)
        solids += [
            ball(0.085, shoulder, DARK),
            rod(shoulder, elbow, 0.055, teal, 0.05),
            rod(elbow, hand, 0.05, GREY, 0.04),
            block((0.1, 0.09, 0.05), (hand[0] + 0.05, hand[1], hand[2]), DARK),
        ]
        hands.append((hand[0] + 0.13, hand[1], hand[2] + 0.02))
        hip, knee, foot = (0.0, side * 0.12, 0.86), (0.05, side * 0.13, 0.46), (0.0, side * 0.13, 0.08)
        solids += [
            rod(hip, knee, 0.085, teal, 0.065),
            rod(knee, foot, 0.06, GREY, 0.05),
            block((0.28, 0.13, 0.07), (0.05, side * 0.13, 0.035), DARK),
        ]
    return Shape(tuple(solids), tuple(hands))


def _dog(body: Colour, legs: Colour, length: float, width: float, tall: float, thick: float) -> list[Solid]:
    """Trunk and four bent legs."""
    solids: list[Solid] = [block((length, width, thick), (0, 0, tall), body)]
    for x in (length / 2 - 0.04, -length / 2 + 0.04):
        for side in (-1, 1):
            hip = (x, side * (width / 2 + 0.03), tall)
            knee = (x - 0.1, side * (width / 2 + 0.05), tall * 0.52)
            foot = (x + 0.0, side * (width / 2 + 0.05), 0.025)
            solids += [
                ball(0.055, hip, legs),
                rod(hip, knee, 0.042, legs, 0.03),
                rod(knee, foot, 0.024, legs, 0.018),
                ball(0.03, foot, DARK),
            ]
    return solids


def _go2() -> Shape:
    """A slim light dog with a lit face."""
    light: Colour = (206, 210, 216)
    solids = _dog(light, (104, 110, 120), 0.56, 0.18, 0.36, 0.13)
    solids += [
        block((0.12, 0.13, 0.12), (0.34, 0, 0.4), light),
        block((0.014, 0.11, 0.05), (0.405, 0, 0.41), (28, 30, 34)),
        ball(0.022, (0.408, 0, 0.41), (120, 210, 255), glow=0.7),
        drum(0.04, 0.05, (0.3, 0, 0.46), DARK),
    ]
    return Shape(tuple(solids), ((0.42, 0.0, 0.4),))


def _anymal() -> Shape:
    """A larger red dog with rails and a turret."""
    red = ROBOT_COLOURS["anymal_c"]
    solids = _dog(red, DARK, 0.8, 0.28, 0.56, 0.19)
    solids += [
        block((0.06, 0.22, 0.14), (0.43, 0, 0.56), DARK),
        block((0.06, 0.22, 0.14), (-0.43, 0, 0.56), DARK),
        rod((-0.3, 0.1, 0.7), (0.3, 0.1, 0.7), 0.018, DARK),
        rod((-0.3, -0.1, 0.7), (0.3, -0.1, 0.7), 0.018, DARK),
        drum(0.07, 0.11, (-0.2, 0, 0.66), GREY),
        ball(0.02, (0.465, 0.06, 0.58), (255, 230, 150), glow=0.6),
        ball(0.02, (0.465, -0.06, 0.58), (255, 230, 150), glow=0.6),
    ]
    return Shape(tuple(solids), ((0.48, 0.0, 0.56),))
