"""ThreeRobotKitchen: an apple into the bowl, a robot to its spot, and a hand on the bell."""

from mmgames.embodied._control.game import ControlGame, closeness, stages
from mmgames.embodied._control.scene import ControlTask, RobotScene, apart, base_of
from mmgames.embodied.three_robot_kitchen import layout


class ThreeRobotKitchen(ControlGame):
    task = ControlTask(
        id=layout.ID,
        robots=layout.ROBOTS,
        things=layout.THINGS,
        grasps=((layout.PANDA, "apple"),),
        judged=(),
        module="mmgames.embodied.three_robot_kitchen.scene",
        hands=("tcp", "tcp", "right_tcp"),
    )
    modes = layout.MODES
    sizes = layout.NUMBERS

    def success(self, scene: RobotScene) -> bool:
        return served(scene) and parked(scene) and at_bell(scene)

    def progress(self, scene: RobotScene) -> float:
        """Apple in two stages for a half, robot for a quarter; the bell counts for the last one when both are done."""
        apple, bowl = scene.things[layout.APPLE], scene.things[layout.BOWL]
        fetch = base_of(scene.robots[layout.FETCH])
        held = scene.facts[0]
        fruit = stages(
            (held or served(scene), closeness(apart(scene.robots[layout.PANDA].hand, apple))),
            (served(scene), closeness(apart(apple, bowl))),
        )
        way = (
            1.0 if parked(scene) else 0.99 * closeness(apart((*fetch[:2], 0), (*scene.things[layout.SPOT][:2], 0)), 0.8)
        )
        bell = 0.0
        if served(scene) and parked(scene):
            near = closeness(apart(scene.robots[layout.G1].hand, scene.things[layout.BELL]))
            bell = 1.0 if at_bell(scene) else 0.99 * near
        return 0.5 * fruit + 0.25 * way + 0.25 * bell


def served(scene: RobotScene) -> bool:
    """The apple lies in the bowl, and nobody holds it."""
    apple, bowl = scene.things[layout.APPLE], scene.things[layout.BOWL]
    inside = apart((*apple[:2], 0), (*bowl[:2], 0)) < layout.BOWL_RADIUS and abs(apple[2] - bowl[2]) < 0.05
    return inside and not scene.facts[0]


def parked(scene: RobotScene) -> bool:
    """The mobile robot stands with its middle on the spot."""
    return (
        apart((*base_of(scene.robots[layout.FETCH])[:2], 0), (*scene.things[layout.SPOT][:2], 0)) < layout.SPOT_RADIUS
    )


def at_bell(scene: RobotScene) -> bool:
    return apart(scene.robots[layout.G1].hand, scene.things[layout.BELL]) < layout.RING_WITHIN
