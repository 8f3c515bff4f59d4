"""Scenes as numbers between -1 and 1: what learners of all control games see."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from mmgames.embodied._control.scene import ControlView, Pose

FASTEST = 5.0  # radians (or metres) a second; joints are seldom quicker
REACH = 1.5  # metres from the middle


def features(view: ControlView, things: Iterable[int], offsets: Iterable[int], facts: int) -> np.ndarray:
    """The own robot first, then the others; poses of things, where some of them are from the own hand, facts, time.

    The spectator's own robot is the first.
    """
    robots = view.scene.robots
    own = view.seat or 0
    numbers: list[float] = []
    for robot in (robots[own], *(other for seat, other in enumerate(robots) if seat != own)):
        numbers += (joint / np.pi for joint in robot.joints)
        numbers += (speed / FASTEST for speed in robot.speeds)
        numbers += _place(robot.hand)
    for thing in things:
        numbers += _place(view.scene.things[thing])
    hand = robots[own].hand
    for thing in offsets:
        numbers += (np.subtract(view.scene.things[thing][:3], hand[:3]) / REACH).tolist()
    numbers += (float(fact) for fact in view.scene.facts[:facts])
    numbers += (view.scene.reached, float(view.over))
    return np.clip(np.array(numbers, np.float32), -1, 1)


def skill_features(view: ControlView, things: Sequence[int], facts: int) -> np.ndarray:
    """These, and of the own last skill and then of the other arm's whether it is done, 1, or has failed, -1."""
    came = [0.0, 0.0]
    if view.scene.story:
        own = view.seat or 0
        came = [-1.0 if view.scene.story[-1][seat].failed else 1.0 for seat in (own, 1 - own)]
    return np.concatenate([features(view, things, things, facts), np.array(came, np.float32)])


def _place(pose: Pose) -> Sequence[float]:
    return [*(number / REACH for number in pose[:3]), *pose[3:]]
