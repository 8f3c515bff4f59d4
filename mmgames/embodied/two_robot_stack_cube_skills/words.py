"""TwoRobotStackCubeSkills in words."""

from __future__ import annotations

from mmgames.core.game_modules import always
from mmgames.embodied._control import skill_words, telling
from mmgames.embodied._control.scene import ControlView
from mmgames.embodied.two_robot_stack_cube.rules import TARGET_RADIUS
from mmgames.embodied.two_robot_stack_cube.words import legend, where_things_are  # noqa: F401 - legend is part of it
from mmgames.embodied.two_robot_stack_cube_skills import SPEC
from mmgames.embodied.two_robot_stack_cube_skills.rules import TwoRobotStackCubeSkills

rules = always(
    "Two robot arms stand at a table, the left one at (0, -0.75), the right one at (0, 0.75). Places are x, y "
    "and z in metres; the table top is at z 0. At first only the left arm reaches the blue cube, only the right one "
    "the green cube; both have sides of 4 cm. Both reach the round target. The green cube has to be laid on the "
    "target, and the blue cube to be set on top of it. The job is done when the green cube's middle is within "
    f"{100 * TARGET_RADIUS:g} cm of the target's, the blue cube stands on it, and no hand holds either. "
    f"{skill_words.HOW} There are {SPEC.length} decisions. Both arms get the same reward: how far the job has come."
)
you, notation, story, names = skill_words.two_arms(SPEC.seats, SPEC.length, TwoRobotStackCubeSkills)


def history(view: ControlView) -> str:
    """The picture shows where everything is; in metres it is told on request."""
    return describe(view) if view.coordinates else story(view)


def describe(view: ControlView) -> str:
    things = where_things_are(TwoRobotStackCubeSkills.task, view.scene)
    return "\n".join([story(view), *things, *telling.hands(view, SPEC.seats)])
