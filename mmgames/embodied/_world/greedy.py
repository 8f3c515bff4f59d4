"""A planner without foresight: every free robot takes the next open goal and does it alone, all at the same time.

Fast for tasks of any size, and usually longer than needed: nobody waits for anybody, hands over or opens a door for
another one. Where nobody can reach a goal alone, the team searches for a way together.
"""

from collections.abc import Sequence

import numpy as np

from mmgames.embodied._world import kernel
from mmgames.embodied._world.planner import Joint, OutOfRoom, say, search_plan
from mmgames.embodied._world.plans import Plan
from mmgames.embodied._world.task import KitchenTask, KitchenWorld
from mmgames.kernels.compiling import compiled_in_background
from mmgames.kernels.records import RecordState

MOST_STEPS = 500
MOST_STATES = 20_000


def greedy_plan(task: KitchenTask, state: RecordState | None = None) -> Plan | None:
    """A plan that works, for the task's team, from its start or from another state; None if this planner is stuck."""
    return _Crew(task, task.world.start if state is None else state).work()


class _Crew:
    def __init__(self, task: KitchenTask, state: RecordState) -> None:
        self.task = task
        self.world: KitchenWorld = task.world
        self.state, self.kitchen = state.replace(), self.world.kitchen.array
        self.missing = np.zeros(len(self.world.wanted), np.int8)  # predicates that are not true
        count = len(task.robots)
        team = {robot.name for robot in task.team}
        self.mine = [i for i, robot in enumerate(task.robots) if robot.name in team]
        self.todo: list[list[tuple[int, int, int]]] = [[] for _ in range(count)]
        self.goal = [-1] * count
        self.stuck = False

    def work(self) -> Plan | None:
        plan: Plan = []
        while not compiled_in_background(kernel.unmet)(self.state.array, self.kitchen, self.missing):
            if len(plan) >= MOST_STEPS:
                return None
            for robot in self.mine:
                if not self.todo[robot]:
                    self.goal[robot] = -1
                    self.goal[robot], steps = self._way([robot], self.goal)
                    self.todo[robot] = [joint[robot] for joint in steps]
            acts = self._acts()
            if any(verb for verb, _, _ in acts):
                plan.append(self._do(acts))
                continue
            if self.stuck:
                return None
            self.stuck = True
            for step in self._way(self.mine[:4])[1]:
                plan.append(self._do(step))
                self.stuck = False
        return plan

    def _way(self, robots: list[int], taken: Sequence[int] = ()) -> tuple[int, tuple[Joint, ...]]:
        """An open goal that nobody has taken, and how some robots reach it; -1 if they reach none."""
        ways = ((number, self._search(number, robots)) for number in self._open() if number not in taken)
        return next((way for way in ways if way[1]), (-1, ()))

    def _open(self) -> list[int]:
        """The predicates that are not true yet and whose turn it is: stages first, in their order, then goals."""
        predicates, completed = self.world.predicates, self.state.completed
        missing = self.missing.nonzero()[0].tolist()
        said = predicates[["thing", "kind", "value"]].tolist()
        things, chains, stages = (predicates[part].tolist() for part in ("thing", "chain", "stage"))
        waiting: list[int] = []
        early: set[tuple[int, ...]] = set()  # what must not be true yet, for the sake of another chain
        later: set[int] = set()  # things that have stages before them
        for chain in range(len(self.task.chains)):
            if completed[chain]:
                continue
            rest = [i for i in missing if chains[i] == chain]
            waiting += [i for i in rest if stages[i] == stages[rest[0]]]
            early |= {said[i] for i in rest if stages[i] != stages[rest[0]]}
            later |= {thing for thing, part_of in zip(things, chains, strict=True) if part_of == chain}
        waiting = [i for i in waiting if said[i] not in early]
        # A goal about a thing that has to go through stages first waits for them.
        return waiting + [i for i in missing if chains[i] < 0 and things[i] not in later]

    def _search(self, number: int, robots: list[int]) -> tuple[Joint, ...]:
        """A shortest way to make one predicate true with some of the robots, the others standing still."""
        kitchen = self.world.kitchen_for(robots)
        wanted = kitchen.array["wanted"][0]
        wanted[0] = self.world.predicates[number]
        wanted[0]["chain"], wanted[0]["stage"] = -1, 0
        wanted[1:] = 0
        try:
            begin = self.state.replace(completed=False)
            return search_plan(begin, kitchen.replace(predicates=1, chains=0), MOST_STATES) or ()
        except OutOfRoom:
            return ()

    def _acts(self) -> list[tuple[int, int, int]]:
        """The next action of everybody, left out where it is not possible now or gets in another one's way."""
        acts = [(0, -1, -1)] * len(self.todo)
        for robot in self.mine:
            if not self.todo[robot]:
                continue
            acts[robot] = self.todo[robot][0]
            said = [(one, *act) for one, act in enumerate(acts) if act[0]]
            plan = np.array([*said, (kernel.STEP, 0, 0, 0)], kernel.ACTION)
            what, *_ = compiled_in_background(kernel.judge)(self.state.array, self.kitchen, self.world.idle, plan)
            if what not in (kernel.FAILED_RULE, kernel.FAILED_CONFLICT):
                self.stuck = False
                continue
            acts[robot] = 0, -1, -1
            self.todo[robot], self.goal[robot] = [], -1  # it thinks again in the next step
        return acts

    def _do(self, acts: Sequence[tuple[int, int, int]]) -> dict[str, list[str]]:
        said = {}
        for robot, action in enumerate(acts):
            if action[0]:
                said[self.task.robots[robot].name] = say(self.world, *action)
                self.todo[robot] = self.todo[robot][1:]
        compiled_in_background(kernel.carry_out)(self.state.array, self.kitchen, self.world.joint(acts))
        return said
