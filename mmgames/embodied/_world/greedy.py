"""A planner without foresight: every free robot takes the next open goal and does it alone, all at the same time.

Fast for tasks of any size, and usually longer than needed: nobody waits for anybody, hands over or opens a door for
another one. Where nobody can reach a goal alone, the team searches for a way together.
"""

from __future__ import annotations

import numpy as np

from mmgames.embodied._world import kernel
from mmgames.embodied._world.planner import Joint, OutOfRoom, say, search_plan
from mmgames.embodied._world.plans import Plan
from mmgames.embodied._world.task import KitchenTask, KitchenWorld
from mmgames.kernels.compiling import compiled_later

MOST_STEPS = 500
MOST_STATES = 20_000


def greedy_plan(task: KitchenTask, row: np.ndarray | None = None) -> Plan | None:
    """A plan that works, for the task's team, from its start or from another state; None if this planner is stuck."""
    return _Crew(task, row).work()


class _Crew:
    def __init__(self, task: KitchenTask, row: np.ndarray | None) -> None:
        self.task = task
        self.world: KitchenWorld = task.world
        self.row = (self.world.start if row is None else row).copy()
        count = len(task.robots)
        team = {robot.name for robot in task.team}
        self.mine = [i for i, robot in enumerate(task.robots) if robot.name in team]
        self.todo: list[list[tuple[int, int, int]]] = [[] for _ in range(count)]
        self.goal = [-1] * count
        self.stuck = False

    def work(self) -> Plan | None:
        world = self.world
        plan: Plan = []
        while not compiled_later(kernel.reached)(self.row, world.size, world.predicates):
            if len(plan) >= MOST_STEPS:
                return None
            for robot in self.mine:
                if not self.todo[robot]:
                    self.goal[robot] = -1
                    self._choose(robot)
            acts = self._acts()
            if acts[:, 0].any():
                plan.append(self._do(acts))
                continue
            if self.stuck:
                return None
            self.stuck = True
            for step in self._together() or ():
                plan.append(self._do(np.array(step, np.int64)))
                self.stuck = False
        return plan

    def _choose(self, robot: int) -> None:
        for number in self._open():
            if number in self.goal:
                continue
            steps = self._search(number, [robot])
            if steps:
                self.todo[robot] = [joint[robot] for joint in steps]
                self.goal[robot] = number
                return

    def _open(self) -> list[int]:
        """The predicates that are not true yet and whose turn it is: stages first, in their order, then goals."""
        world, row = self.world, self.row
        first = int(world.size[0] * 3 + world.size[1] * 2)
        waiting: list[int] = []
        early: set[tuple[int, ...]] = set()  # what must not be true yet, for the sake of another chain
        later: set[int] = set()  # things that have stages before them
        for chain in range(int(world.size[3])):
            if row[first + chain]:
                continue
            rows = [i for i, predicate in enumerate(world.predicates) if predicate[3] == chain]
            missing = [i for i in rows if not compiled_later(kernel.holds)(row, world.size, world.predicates[i])]
            stage = world.predicates[missing[0], 4]
            waiting += [i for i in missing if world.predicates[i, 4] == stage]
            early |= {tuple(world.predicates[i, :3]) for i in missing if world.predicates[i, 4] != stage}
            later |= {int(world.predicates[i, 0]) for i in rows}
        waiting = [i for i in waiting if tuple(world.predicates[i, :3]) not in early]
        # A goal about a thing that has to go through stages first waits for them.
        waiting += [
            i
            for i, predicate in enumerate(world.predicates)
            if predicate[3] < 0
            and int(predicate[0]) not in later
            and not compiled_later(kernel.holds)(row, world.size, world.predicates[i])
        ]
        return waiting

    def _search(self, number: int, robots: list[int]) -> tuple[Joint, ...] | None:
        """A shortest way to make one predicate true with some of the robots, the others standing still."""
        world = self.world
        size = world.size.copy()
        size[3] = 0
        able = np.zeros_like(world.robots)
        able[robots] = world.robots[robots]
        wanted = world.predicates[[number]].copy()
        wanted[0, 3:] = -1, 0
        start = self.row[: self.row.size - int(world.size[3])]
        try:
            return search_plan((start, size, able, world.things, wanted), MOST_STATES)
        except OutOfRoom:
            return None

    def _together(self) -> tuple[Joint, ...] | None:
        for number in self._open():
            steps = self._search(number, self.mine[:4])
            if steps:
                return steps
        return None

    def _acts(self) -> np.ndarray:
        """The next action of everybody, left out where it is not possible now or gets in another one's way."""
        world, count = self.world, len(self.todo)
        acts = np.full((count, 3), -1, np.int64)
        acts[:, 0] = 0
        clash = np.zeros(count, np.int64)
        for robot in self.mine:
            if not self.todo[robot]:
                continue
            acts[robot] = self.todo[robot][0]
            rule = compiled_later(kernel.feasible)(
                self.row, world.size, world.robots, world.things, robot, *map(int, acts[robot])
            )
            if rule == kernel.FINE and not compiled_later(kernel.conflicts)(
                self.row, world.size, world.robots, acts, clash
            ):
                self.stuck = False
                continue
            acts[robot] = 0, -1, -1
            self.todo[robot], self.goal[robot] = [], -1  # it thinks again in the next step
        return acts

    def _do(self, acts: np.ndarray) -> dict[str, list[str]]:
        world = self.world
        said = {}
        for robot, action in enumerate(acts):
            if action[0]:
                said[self.task.robots[robot].name] = say(world, *map(int, action))
                if self.todo[robot]:
                    self.todo[robot] = self.todo[robot][1:]
        scratch = np.zeros(len(self.todo), np.int64)
        compiled_later(kernel.apply)(self.row, world.size, world.robots, world.things, acts, scratch)
        compiled_later(kernel.stages)(self.row, world.size, world.predicates)
        return said
