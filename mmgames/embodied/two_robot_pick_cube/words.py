"""TwoRobotPickCube in words."""

from __future__ import annotations

from mmgames.core.game_modules import always
from mmgames.embodied._control import telling
from mmgames.embodied._control.scene import ControlView, RobotScene
from mmgames.embodied.two_robot_pick_cube import SPEC
from mmgames.embodied.two_robot_pick_cube.rules import CUBE, GOAL, GOAL_RADIUS, TwoRobotPickCube

rules = always(
    "Two robot arms stand at a table, the left one at (0, -0.75), the right one at (0, 0.75). Places are x, y "
    "and z in metres; the table top is at z 0. A cube of 4 cm lies where only the left arm reaches it; the "
    "goal is a point in the air that only the right arm reaches. So the left arm has to hand the cube over, "
    "best by laying it down in the middle and leaving. The job is done when the cube's middle is within "
    f"{100 * GOAL_RADIUS:g} cm of the goal and the right arm stands still. There are {SPEC.length} steps of a "
    "twentieth of a second. Both arms get the same reward: how far the job has come."
)
legend = always(
    "It shows the table from the side with larger x: x grows towards you, y to the right, z up. The left arm stands "
    "on the left; the bases of the arms are 1.5 m apart. The cube is red, the goal is the middle of the green ball in "
    "the air; a thread goes from it straight down to the table."
)
you, notation, clock = telling.two_arms(SPEC.seats, SPEC.length, TwoRobotPickCube.task.fact("success"))


def history(view: ControlView) -> str:
    """The picture shows where everything is; in metres it is told on request."""
    return describe(view) if view.coordinates else clock(view)


def describe(view: ControlView) -> str:
    return "\n".join([clock(view), *where_things_are(view.scene), *telling.hands(view, SPEC.seats)])


def where_things_are(scene: RobotScene) -> list[str]:
    cube, goal = scene.things[CUBE], scene.things[GOAL]
    held = [seat for seat, holds in zip(SPEC.seats, scene.facts, strict=False) if holds]
    return [
        f"The cube is at {telling.place(cube)}, turned by {telling.turned(cube)}; "
        + (f"held by the {' and the '.join(held)} arm." if held else "nobody holds it."),
        f"The goal is at {telling.place(goal)}.",
    ]
