"""Scenes as numbers between -1 and 1: what learners of all control games see."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mmgames.embodied._control.scene import ControlView, Pose

FASTEST = 5.0  # radians (or metres) a second; joints are seldom quicker
REACH = 1.5  # metres from the middle


def features(view: ControlView, facts: int | None = None) -> np.ndarray:
    """The own robot first, then the others; poses of things, where they are from the own hand, facts (or the first of
    them), time. The spectator's own robot is the first. Of many scenes told as one there is a column for each.
    """
    robots, things = list(view.scene.robots), view.scene.things
    robots.insert(0, robots.pop(view.seat or 0))
    numbers: list[Any] = []
    for robot in robots:
        numbers += (joint / np.pi for joint in robot.joints)
        numbers += (speed / FASTEST for speed in robot.speeds)
        numbers += _place(robot.hand)
    for thing in things:
        numbers += _place(thing)
    for thing in things:
        numbers += list(np.subtract(thing[:3], robots[0].hand[:3]) / REACH)
    numbers += (fact * 1.0 for fact in view.scene.facts[:facts])
    numbers += (view.scene.reached, view.over * 1.0)
    return np.clip(np.array(numbers, np.float32), -1, 1)


def skill_features(view: ControlView, facts: int | None = None) -> np.ndarray:
    """These, and of the own last skill and then of the other arm's whether it is done, 1, or has failed, -1."""
    came = [0.0, 0.0]
    if view.scene.story:
        own = view.seat or 0
        came = [-1.0 if view.scene.story[-1][seat].failed else 1.0 for seat in (own, 1 - own)]
    return np.concatenate([features(view, facts), np.array(came, np.float32)])


def _place(pose: Pose) -> Sequence[float]:
    return [*(number / REACH for number in pose[:3]), *pose[3:]]
