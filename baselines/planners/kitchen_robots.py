"""The three robots of ThreeRobotKitchen: an arm that serves, a base that drives, and a humanoid that reaches out."""

from typing import Any

import numpy as np

from mmgames.agents.base import Agent
from mmgames.baselines.planners.arm_planners import ArmPlanner
from mmgames.core.game import Game, Seat
from mmgames.core.turn import Turn
from mmgames.embodied._control.arm_motion import CLOSED, OPEN, Aim, Aims
from mmgames.embodied._control.scene import ControlView, base_of, matrix
from mmgames.embodied.three_robot_kitchen.layout import APPLE, BELL, BOWL, FETCH, G1, NUMBERS, PANDA, SPOT

# The right arm of the Unitree G1, from its description: place in the array of joints, axis, and where the joint sits
# on the link before it (x, y, z, and a turn about x in radians).
ARM = (
    (0, "z", (0.0, 0.0, 0.0), 0.0),
    (2, "y", (-0.0025, -0.10396, 0.25928), -0.27925),
    (4, "x", (0.0, -0.052, 0.0), 0.27925),
    (6, "z", (-0.00354, -0.0062424, -0.1032), 0.0),
    (8, "y", (0.0, -0.00189, -0.0855), 0.0),
    (10, "x", (0.1, 0.0, 0.0), 0.0),
)
HAND = (0.19, 0.035, 0.0)  # from the last joint
JOINT_STRIDE = 0.2  # radians that the full number of an action asks a joint of the humanoid for
FORWARD, TURN = 11, 12  # the numbers of an action of Fetch that drive its base
NEAR = 0.05  # metres


class KitchenPlanner(Agent):
    """Does the part of whatever robot it moves."""

    def begin(self, game: Game, seat: Seat) -> None:
        self._part: Agent = {PANDA: AppleServer, FETCH: BaseDriver, G1: BellRinger}[seat]()
        self._part.begin(game, seat)

    def act(self, turn: Turn) -> np.ndarray:
        return self._part.act(turn)


class AppleServer(ArmPlanner):
    """Takes the apple and lets it fall into the bowl."""

    def plan(self) -> Aims:
        yield from self.grasp(APPLE, round=True)
        x, y, z = self.thing(BOWL)[:3]
        yield Aim((*self.hand[:2], z + 0.2), None, CLOSED, near=0.04)  # type: ignore[arg-type]
        yield Aim((x, y, z + 0.2), None, CLOSED, near=0.03)
        yield Aim((x, y, z + 0.08), None, CLOSED, near=0.02, most=10)
        yield from self.stay(3, OPEN)
        yield Aim((x, y - 0.1, z + 0.3), None, OPEN, near=0.0, most=1000)


class BaseDriver(Agent):
    """Turns towards the spot and drives there; its arm keeps still."""

    def act(self, turn: Turn) -> np.ndarray:
        view: ControlView = turn.view
        x, y, heading = base_of(view.scene.robots[FETCH])
        goal = view.scene.things[SPOT]
        way = np.subtract(goal[:2], (x, y))
        far = float(np.linalg.norm(way))
        move = np.zeros(NUMBERS[FETCH], np.float32)
        if far > NEAR:
            off = (np.arctan2(way[1], way[0]) - heading + np.pi) % (2 * np.pi) - np.pi
            move[TURN] = np.clip(2 * off, -1, 1)
            move[FORWARD] = np.clip(4 * far, 0, 1) * max(0.0, np.cos(off)) ** 8
        return move


class BellRinger(Agent):
    """Brings its right hand to the bell by the joints that move it most."""

    def act(self, turn: Turn) -> np.ndarray:
        scene = turn.view.scene
        robot = scene.robots[G1]
        goal = np.add(scene.things[BELL][:3], (0, 0, 0.02))
        joints = np.array(robot.joints)
        used = [number for number, *_ in ARM]
        here = hand_of(robot.base, joints)
        jacobian = np.empty((3, len(used)))
        for column, number in enumerate(used):
            bent = joints.copy()
            bent[number] += 1e-4
            jacobian[:, column] = (hand_of(robot.base, bent) - here) / 1e-4
        # Damped least squares: small changes of the joints that bring the hand a little closer.
        error = np.subtract(goal, robot.hand[:3])
        error *= min(1.0, 0.1 / max(1e-6, float(np.linalg.norm(error))))
        change = jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + 1e-3 * np.eye(3), error)
        move = np.zeros(NUMBERS[G1], np.float32)
        move[used] = np.clip(2 * change / JOINT_STRIDE, -1, 1)
        return move


def hand_of(base: Any, joints: np.ndarray) -> np.ndarray:
    """Where the right hand of the humanoid is with these joints."""
    turn, place = matrix(base), np.array(base[:3])
    for number, axis, offset, roll in ARM:
        place = place + turn @ offset
        turn = turn @ about("x", roll) @ about(axis, joints[number])
    return place + turn @ HAND


def about(axis: str, angle: float) -> np.ndarray:
    """A turn about one of the three axes."""
    c, s = np.cos(angle), np.sin(angle)
    rows = {
        "x": [[1, 0, 0], [0, c, -s], [0, s, c]],
        "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
        "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]],
    }
    return np.array(rows[axis])
