"""TwoRobotStackCube in words."""

from __future__ import annotations

from mmgames.core.game_modules import always
from mmgames.embodied._control import telling
from mmgames.embodied._control.scene import ControlView, RobotScene
from mmgames.embodied._control.world import ManiSkillTask
from mmgames.embodied.two_robot_stack_cube import SPEC
from mmgames.embodied.two_robot_stack_cube.rules import BLUE, GREEN, TARGET, TARGET_RADIUS, TwoRobotStackCube

rules = always(
    "Two robot arms stand at a table, the left one at (0, -0.75), the right one at (0, 0.75). Places are x, y "
    "and z in metres; the table top is at z 0. Only the left arm reaches the blue cube, only the right one "
    "the green cube; both have sides of 4 cm. The right arm has to lay the green cube on the round target, "
    "the left one to set the blue cube on top of it. The job is done when the green cube's middle is within "
    f"{100 * TARGET_RADIUS:g} cm of the target's, the blue cube stands on it, and no hand holds either. There "
    f"are {SPEC.length} steps of a twentieth of a second. Both arms get the same reward: how far the job has "
    "come."
)
legend = always(
    "It shows the table from the side with larger x: x grows towards you, y to the right, z up. The left arm stands "
    "on the left; the bases of the arms are 1.5 m apart. The target is the disc of red and white rings."
)
you, notation, clock = telling.two_arms(SPEC.seats, SPEC.length, TwoRobotStackCube.task.fact("success"))


def history(view: ControlView) -> str:
    """The picture shows where everything is; in metres it is told on request."""
    return describe(view) if view.coordinates else clock(view)


def describe(view: ControlView) -> str:
    things = where_things_are(TwoRobotStackCube.task, view.scene)
    return "\n".join([clock(view), *things, *telling.hands(view, SPEC.seats)])


def where_things_are(task: ManiSkillTask, scene: RobotScene) -> list[str]:
    lines = []
    for name, cube in (("blue", BLUE), ("green", GREEN)):
        pose = scene.things[cube]
        held = [seat for number, seat in enumerate(SPEC.seats) if task.holds(scene, number, cube)]
        holds = f"held by the {' and the '.join(held)} arm" if held else "nobody holds it"
        lines.append(f"The {name} cube is at {telling.place(pose)}, turned by {telling.turned(pose)}; {holds}.")
    return [*lines, f"The target is at {telling.place(scene.things[TARGET])}."]
