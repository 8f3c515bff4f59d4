"""Reference agents for the kitchen: a team that follows a shortest plan, and one that does the next thing."""

from contextlib import suppress

from mmgames.agents.base import Agent
from mmgames.core.game import Game, Seat
from mmgames.core.turn import Turn
from mmgames.embodied._world import kernel
from mmgames.embodied._world.greedy import greedy_plan
from mmgames.embodied._world.judge import encode_step
from mmgames.embodied._world.planner import OutOfRoom, search_plan
from mmgames.embodied._world.task import KitchenTask
from mmgames.embodied.viki_kitchen.rules import KitchenState, meaning
from mmgames.kernels.compiling import compiled_in_background
from mmgames.kernels.records import RecordState

TOO_MANY = 3  # with more robots than this the planner does not look for an optimum


class Greedy(Agent):
    """Every robot takes the next open goal and does it alone.

    Every seat has its own instance; all of them make the same plan and do their own part of it.
    """

    def __init__(self) -> None:
        self._made: tuple[RecordState, list[tuple[tuple[int, int, int], ...]]] | None = None

    def begin(self, game: Game, seat: Seat) -> None:
        self._made = None

    def act(self, turn: Turn) -> int:
        state: KitchenState = turn.imagine()
        if turn.seat >= len(state.task.robots):
            return 0
        steps = self._steps(state)
        wanted = steps[0][turn.seat] if steps else (0, -1, -1)
        room = turn.game.room  # type: ignore[attr-defined]
        return next((action for action in turn.legal if meaning(state, room, turn.seat, action) == wanted), 0)

    def _steps(self, state: KitchenState) -> list[tuple[tuple[int, int, int], ...]]:
        """What is left of the plan, made anew when something did not go as planned."""
        if self._made is None or self._made[0] != state.world:
            self._made = (state.world, self.plan(state.task, state.world))
        steps = self._made[1]
        if steps:
            self._made = (_after(state, steps[0]), steps[1:])
        return steps

    def plan(self, task: KitchenTask, state: RecordState) -> list[tuple[tuple[int, int, int], ...]]:
        return [encode_step(task.world, step) for step in greedy_plan(task, state) or []]


def _after(state: KitchenState, step: tuple[tuple[int, int, int], ...]) -> RecordState:
    world, after = state.task.world, state.world.replace()
    compiled_in_background(kernel.carry_out)(after.array, world.kitchen.array, world.joint(step))
    return after


class Planner(Greedy):
    """A shortest plan for the robots that are to act, from wherever things are; greedy for very large teams."""

    def plan(self, task: KitchenTask, state: RecordState) -> list[tuple[tuple[int, int, int], ...]]:
        team = [number for number, robot in enumerate(task.robots) if robot in task.team]
        if len(team) <= TOO_MANY and len(task.goals) <= TOO_MANY:
            with suppress(OutOfRoom):
                found = search_plan(state, task.world.kitchen_for(team))
                if found is not None:
                    return list(found)
        return super().plan(task, state)
