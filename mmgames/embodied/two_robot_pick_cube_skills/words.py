"""TwoRobotPickCubeSkills in words."""

from __future__ import annotations

from mmgames.core.game_modules import always
from mmgames.embodied._control import skill_words, telling
from mmgames.embodied._control.scene import ControlView
from mmgames.embodied.two_robot_pick_cube.rules import GOAL_RADIUS
from mmgames.embodied.two_robot_pick_cube.words import legend, where_things_are  # noqa: F401 - legend is part of it
from mmgames.embodied.two_robot_pick_cube_skills import SPEC
from mmgames.embodied.two_robot_pick_cube_skills.rules import TwoRobotPickCubeSkills

rules = always(
    "Two robot arms stand at a table, the left one at (0, -0.75), the right one at (0, 0.75). Places are x, y "
    "and z in metres; the table top is at z 0, and its middle is (0, 0). A cube of 4 cm lies where only the left arm "
    "reaches it; the goal is a point in the air that only the right arm reaches. So the left arm has to lay the cube "
    "in the middle, for the right one to take. The job is done when the cube's middle is within "
    f"{100 * GOAL_RADIUS:g} cm of the goal and the right arm stands still. {skill_words.HOW} There are "
    f"{SPEC.length} decisions. Both arms get the same reward: how far the job has come."
)
you, notation, story, names = skill_words.two_arms(SPEC.seats, SPEC.length, TwoRobotPickCubeSkills)


def history(view: ControlView) -> str:
    """The picture shows where everything is; in metres it is told on request."""
    return describe(view) if view.coordinates else story(view)


def describe(view: ControlView) -> str:
    return "\n".join([story(view), *where_things_are(view.scene), *telling.hands(view, SPEC.seats)])
