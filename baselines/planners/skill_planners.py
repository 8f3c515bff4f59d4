"""Plans for two arms with skills: what to tell an arm next, from what the scene looks like.

Nothing is remembered, so whatever has failed is tried again from where it has led.
"""

from collections.abc import Iterator

from mmgames.agents.base import Agent
from mmgames.core.turn import Turn
from mmgames.embodied._control.scene import RobotScene, apart

LEFT, RIGHT = range(2)
NEAR = 0.12  # metres from the place where the arms meet: a hand is in the other's way


class SkillPlanner(Agent):
    """Tells the first skill that it would like to and that is possible; a subclass says what it would like."""

    def wishes(self, scene: RobotScene, seat: int) -> Iterator[str]:
        raise NotImplementedError

    def act(self, turn: Turn) -> int:
        possible = {name: number for number, name in turn.names.items()}
        for wish in (*self.wishes(turn.view.scene, turn.seat), "wait"):
            if wish in possible:
                return possible[wish]
        raise AssertionError("an arm can always wait")


class PickSkillPlanner(SkillPlanner):
    """The left arm lays the cube in the middle and goes home; the right one takes it to the goal."""

    def wishes(self, scene: RobotScene, seat: int) -> Iterator[str]:
        cube = scene.things[0]
        handed_over = cube[1] > -0.05 and not scene.facts[LEFT]
        if seat == RIGHT:
            yield "bring the cube to the goal"
            if handed_over:
                yield "take the cube"
        elif not handed_over:
            yield "lay the cube in the middle"
            yield "take the cube"
        elif apart(scene.robots[LEFT].hand, cube) < 0.3:
            yield "go home"


class StackSkillPlanner(SkillPlanner):
    """Both take their cubes; the right arm lays the green one on the target, the left one sets the blue one upon it."""

    def wishes(self, scene: RobotScene, seat: int) -> Iterator[str]:
        placed = scene.facts[-2] and not scene.facts[RIGHT] and scene.things[1][2] < 0.03
        near = apart(scene.robots[RIGHT].hand, scene.things[1]) < 0.3
        if seat == RIGHT:
            yield "lay the green cube on the target"
            if not placed:
                yield "take the green cube"
            if near:
                yield "go home"
        elif placed:
            yield "set the blue cube on the green cube"
            yield "take the blue cube"
        else:
            yield "take the blue cube"
            yield "go home"
