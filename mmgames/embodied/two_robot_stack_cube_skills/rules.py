"""TwoRobotStackCubeSkills: the same task, with skills for actions."""

from mmgames.embodied._control.scene import ControlTask
from mmgames.embodied._control.skill_game import SkillGame
from mmgames.embodied._control.skills import Place, SkillArm, go_home, let_go, put, take, wait
from mmgames.embodied.two_robot_stack_cube.rules import BLUE, GREEN, TARGET, TARGET_RADIUS, TwoRobotStackCube

TARGET_REACH = 0.87  # metres: the right arm does not reach the middle of the target, but near enough to it


def on_target(arm: SkillArm) -> tuple[float, float, float]:
    x, y = arm.thing(TARGET)[:2]
    return x, y, 0.021


def on(cube: int) -> Place:
    """On top of a cube."""

    def place(arm: SkillArm) -> tuple[float, float, float]:
        x, y, z = arm.thing(cube)[:3]
        return x, y, z + 0.0405

    return place


class TwoRobotStackCubeSkills(SkillGame, TwoRobotStackCube):
    task = ControlTask.told_in(__package__)  # whoever reaches a cube can take it
    skills = (
        take("take the blue cube", BLUE),
        take("take the green cube", GREEN),
        put("lay the blue cube on the target", BLUE, on_target, TARGET_RADIUS, TARGET_REACH),
        put("lay the green cube on the target", GREEN, on_target, TARGET_RADIUS, TARGET_REACH),
        put("set the blue cube on the green cube", BLUE, on(GREEN), within=0.03, upon=GREEN),
        put("set the green cube on the blue cube", GREEN, on(BLUE), within=0.03, upon=BLUE),
        let_go("open the hand"),
        go_home("go home"),
        wait("wait"),
    )
