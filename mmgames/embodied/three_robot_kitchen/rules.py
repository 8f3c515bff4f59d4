"""ThreeRobotKitchen: an apple into the bowl, a robot to its spot, and a hand on the bell."""

from mmgames.embodied._control.game import ControlGame, closeness, stages
from mmgames.embodied._control.scene import RobotScene, apart, base_of
from mmgames.embodied.three_robot_kitchen import layout


class ThreeRobotKitchen(ControlGame):
    task = layout.TASK
    modes = layout.MODES
    sizes = layout.NUMBERS

    def success(self, scene: RobotScene) -> bool:
        return all(done(scene))

    def progress(self, scene: RobotScene) -> float:
        """Apple in two stages for a half, robot for a quarter; the bell counts for the last one when both are done."""
        apple, bowl, bell, spot = scene.things
        arm, fetch, humanoid = scene.robots
        served, parked, rung = done(scene)
        fruit: float = stages(
            (scene.facts[0] or served, closeness(apart(arm.hand, apple))), (served, closeness(apart(apple, bowl)))
        )
        way = 1.0 if parked else 0.99 * closeness(apart(base_of(fetch)[:2], spot[:2]), 0.8)
        ring = 1.0 if rung else 0.99 * closeness(apart(humanoid.hand, bell))
        return 0.5 * fruit + 0.25 * way + 0.25 * (ring if served and parked else 0.0)


def done(scene: RobotScene) -> tuple[bool, bool, bool]:
    """Whether the apple lies in the bowl and nobody holds it, the mobile robot's middle is on the spot, and the
    humanoid's hand is at the bell."""
    apple, bowl, bell, spot = scene.things
    _, fetch, humanoid = scene.robots
    inside = apart(apple[:2], bowl[:2]) < layout.BOWL_RADIUS and abs(apple[2] - bowl[2]) < 0.05
    parked = apart(base_of(fetch)[:2], spot[:2]) < layout.SPOT_RADIUS
    return inside and not scene.facts[0], parked, apart(humanoid.hand, bell) < layout.RING_WITHIN
