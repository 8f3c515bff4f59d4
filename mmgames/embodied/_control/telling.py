"""Sentences that the words of all control games share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from mmgames.embodied._control.scene import ControlView, Pose, heading, matrix

HAND_NOTATION = (
    "The first three numbers move your hand along x, y and z, where 1 asks for 10 cm; the next three turn it "
    "about these axes, where 1 asks for 0.1 radians; the last one is the gripper, 1 open and -1 closed. In one "
    "step an arm makes about a third of what it is asked for."
)
JOINT_NOTATION = (
    "The first seven numbers turn the joints from the base to the wrist, where 1 asks for 0.1 radians; the last "
    "one is the gripper, 1 open and -1 closed."
)


def number(value: float) -> str:
    """To a centimetre, without a minus before nothing."""
    return f"{round(value, 2) + 0.0:.2f}"


def place(pose: Sequence[float]) -> str:
    return f"({', '.join(map(number, pose[:3]))})"


def turned(pose: Pose) -> str:
    """The heading of something whose four sides look the same."""
    return f"{round(np.degrees(heading(pose))) % 90} degrees"


def hand(pose: Pose, joints: Sequence[float]) -> str:
    """A hand with two fingers: where it is, where it points and how far it is open."""
    axes = matrix(pose)
    along = round(np.degrees(np.arctan2(axes[1, 1], axes[0, 1]))) % 180
    leans = round(np.degrees(np.arccos(np.clip(-axes[2, 2], -1, 1))))
    points = "points straight down" if leans < 3 else f"leans {leans} degrees from straight down"
    gap = round(100 * sum(joints[-2:]))
    return f"at {place(pose)}, {points}, fingers {gap} cm apart in a line {along} degrees from the x axis"


def time(view: ControlView, length: int, done: bool, unit: str = "step") -> str:
    if view.over:
        units = unit if view.step == 1 else f"{unit}s"
        return f"It is over after {view.step} {units}: {'the job is done' if done else 'the job is not done'}."
    reached = round(100 * view.scene.reached)
    return f"{unit.capitalize()} {view.step + 1} of {length}. The job has come to {reached} % so far."


def hands(view: ControlView, seats: Sequence[str]) -> list[str]:
    """Where the hands of arms are, a line for each."""
    arms = zip(seats, view.scene.robots, strict=True)
    return [f"The {seat} hand is {hand(robot.hand, robot.joints)}." for seat, robot in arms]


def two_arms(seats: Sequence[str], length: int, success: int) -> tuple[Callable[[ControlView], str], ...]:
    """`you`, `notation` and the time of a game of two arms; `success` is the number of the fact that it is done."""

    def you(view: ControlView) -> str:
        if view.seat is None:
            return "You are watching."
        own, other = seats[view.seat], seats[1 - view.seat]
        return f"You move the {own} arm. Somebody else moves the {other} one at the same time."

    return (
        you,
        lambda view: HAND_NOTATION if view.numbers == 7 else JOINT_NOTATION,
        lambda view: time(view, length, view.scene.facts[success]),
    )
