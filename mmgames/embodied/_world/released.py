"""The rules as released with the paper, quirks included, so that old verdicts can be reproduced and compared.

Where the released checker stops with an error of its own, the verdict here is "crash": its scorer counts that as 0.
What is peculiar about it, and what `rules="paper"` mends:

- every thing lies in a *cell*; things placed together share one, a container's content shares the container's, and
  a push renames the cell, so it moves everything in it;
- robots stand at names, so they follow the thing they stand at, even into their own hand;
- grasping takes everything in reach, marks everything carried once more, and placing takes one mark away;
- closing and handing over crash, and so do reaching a thing on something that is no container, grasping with a robot in
  reach, and a robot that does not exist when it is to move or place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from mmgames.embodied._world.names import CONTAINERS, KINDS, OPENABLE, PUSHABLE, base
from mmgames.embodied._world.plans import Feedback
from mmgames.embodied._world.task import KitchenTask, Predicate
from mmgames.text.refusals import RefusalKind


@dataclass
class _Cell:
    name: str
    closed: bool | None = False  # None: on a thing that is no container, about which the checker cannot ask


@dataclass
class _Body:
    """A robot: the name it stands at, its hands, what it has in reach and what it carries."""

    name: str
    kind: str
    at: str
    reach: list[str] = field(default_factory=list)
    carried: list[str] = field(default_factory=list)

    @property
    def free(self) -> bool:
        return len(self.carried) < KINDS[self.kind].hands


class _Crash(Exception):
    """The released checker stops here."""


class _Kitchen:
    def __init__(self, task: KitchenTask) -> None:
        # Robots that are not to act are not in this world.
        self.bodies = {robot.name: _Body(robot.name, robot.kind, robot.at or robot.name) for robot in task.team}
        self.cells = {asset.name: _Cell(asset.at) for asset in task.assets}
        self.inside = {a.name: _Cell(a.name, not a.open) for a in task.assets if base(a.name) in CONTAINERS}
        for asset in task.assets:
            if asset.at in self.inside:
                self.cells[asset.name] = self.inside[asset.at]
        self.marks = dict.fromkeys(self.cells, 0)
        self.active: set[str] = set()

    def where(self, name: str) -> str:
        return self.bodies[name].at if name in self.bodies else self.cells[name].name

    def leads_to(self, name: str, place: str) -> bool:
        """Whether the way from a robot or thing to where it is comes past a place."""
        seen = set()
        while True:
            at = self.where(name)
            if at == place:
                return True
            if at not in self.bodies and at not in self.cells:
                return name == place
            if at in seen:
                return False
            seen.add(at)
            name = at

    def near(self, body: _Body, name: str) -> bool:
        return self.leads_to(body.name, self.where(name)) or self.leads_to(name, body.at)

    def beside(self, body: _Body, name: str) -> bool:
        return body.at == name or self.where(name) == body.name

    def feasible(self, body: _Body, verb: str, names: Sequence[str]) -> bool:
        if verb not in KINDS[body.kind].verbs:
            return False
        if len(names) != (2 if verb in ("push", "handover") else 1):
            return False
        name = names[0]
        if verb == "move":
            return True
        if verb == "place":
            if name in self.bodies or not body.carried:
                return False
            if name not in self.cells:
                return self.leads_to(body.name, name)
            return self.near(body, name) and not (name in self.inside and self.inside[name].closed)
        if verb == "reach":
            if not self.near(body, name):
                return False
            if name not in self.bodies and self.cells[name].closed is None:
                raise _Crash("reach_thing_on_plain_thing")
            return name in self.bodies or not self.cells[name].closed
        if name in self.bodies:
            return False
        if verb == "grasp":
            return name in body.reach and not self.marks[name] and body.free
        if verb in ("open", "close"):
            return (
                name in OPENABLE
                and name in self.inside
                and bool(self.inside[name].closed) == (verb == "open")
                and self.beside(body, name)
                and name in body.reach
                and body.free
            )
        if verb == "interact":
            free = body.kind == "dog" or name in body.carried or body.free
            return free and self.beside(body, name) and name not in self.active
        if verb == "push":
            return name in PUSHABLE and self.beside(body, name)
        other = names[1]
        return other in self.bodies and self.beside(body, other) and bool(body.carried) and self.bodies[other].free

    def compatible(self, step: Sequence[tuple[_Body, str, Sequence[str]]]) -> bool:
        by_thing: dict[str, list[str]] = {}
        for _, verb, names in step:
            for name in names:
                if name in self.cells:
                    by_thing.setdefault(name, []).append(verb)
        for verbs in by_thing.values():
            for pair in combinations(verbs, 2):
                if "move" not in pair and not {"reach", "place"} >= set(pair):
                    return False
        if any(verb == "close" for _, verb, _ in step):
            raise _Crash("close")
        return True

    def do(self, body: _Body, verb: str, names: Sequence[str]) -> None:
        name = names[0]
        if verb == "move":
            body.at = name
            body.reach.clear()
        elif verb == "reach":
            if len(body.reach) >= KINDS[body.kind].hands:
                body.reach.pop(0)
            body.reach.append(name)
        elif verb == "grasp":
            body.carried.extend(body.reach)
            body.reach.clear()
            for carried in body.carried:
                if carried in self.bodies:
                    raise _Crash("robot_among_grasped")
                self.marks[carried] += 1
                self.cells[carried] = _Cell(body.name)
        elif verb == "place":
            cell = self.inside.get(name) or _Cell(name, None if name in self.cells else False)
            for carried in body.carried:
                self.cells[carried] = cell
                self.marks[carried] -= 1
            body.carried.clear()
        elif verb == "open":
            self.inside[name].closed = False
        elif verb == "interact":
            self.active.add(name)
        elif verb == "push":
            self.cells[name].name = names[1]
        else:
            raise _Crash("handover")

    def true(self, predicate: Predicate) -> bool:
        if predicate.at is None:
            return (predicate.asset in self.active) == bool(predicate.activated)
        if predicate.aligned:
            return self.leads_to(predicate.asset, predicate.at)
        return self.cells[predicate.asset].name == predicate.at


def check(task: KitchenTask, plan: Sequence[Mapping[str, Any]]) -> tuple[int, Feedback | None]:
    """The length of a plan and what the released checker has against it."""
    if isinstance(plan, (str, bytes)) or not isinstance(plan, Sequence):
        return 0, Feedback("unreadable", "The plan is not a list of steps.")
    if not all(isinstance(step, Mapping) and all(isinstance(robot, str) for robot in step) for step in plan):
        return 0, Feedback("unreadable", "A step is not an object by robot.")
    length = sum(1 for step in plan if step)
    words = [word for step in plan for action in step.values() for word in _words(action)]
    if not length or not all(isinstance(word, str) for word in words):
        kind: RefusalKind = "not in the asked form" if length else "nothing said"
        return 0, Feedback("unreadable", "The plan is empty or holds something that is not text.", kind=kind)
    for number, step in enumerate(plan, 1):
        for robot, action in step.items():
            if not action or any(not word.strip() or set(word) & set("<>,") for word in action):
                return length, Feedback("invalid_command", "This is not an action.", step=number, robot=robot)
    return length, _play(task, plan)


def _words(action: Any) -> Sequence[Any]:
    return action if isinstance(action, (list, tuple)) else (action, None)


def _play(task: KitchenTask, plan: Sequence[Mapping[str, Sequence[str]]]) -> Feedback | None:
    kitchen = _Kitchen(task)
    open_chains = list(task.chains)
    for number, step in enumerate(plan, 1):
        if not step:
            continue
        try:
            wrong = _step(kitchen, number, step)
        except _Crash as crash:
            return Feedback("crash", "The released checker fails here.", step=number, rule=str(crash))
        if wrong:
            return wrong
        for chain in tuple(open_chains):
            held = [all(map(kitchen.true, stage)) for stage in chain]
            if all(held):
                open_chains.remove(chain)
            elif any(later and not all(held[:place]) for place, later in enumerate(held)):
                return Feedback("stage_order", "A later stage holds before an earlier one.", step=number)
    if open_chains:
        return Feedback("stage_order", "The stages never hold together.")
    if not all(map(kitchen.true, task.goals)):
        return Feedback("goal_missed", "At the end a goal is not met.")
    return None


def _step(kitchen: _Kitchen, number: int, step: Mapping[str, Sequence[str]]) -> Feedback | None:
    for robot, action in step.items():
        if action[0].lower() in ("move", "place"):
            continue  # here any name is taken for a place
        for name in (robot, *action[1:]):
            if name not in kitchen.bodies and name not in kitchen.cells:
                return Feedback("unknown_entity", f"There is no {name!r}.", step=number, robot=robot)
    acting = []
    for robot, action in step.items():
        verb, names = action[0].lower(), action[1:]
        if robot not in kitchen.bodies:
            raise _Crash("unknown_robot")
        body = kitchen.bodies[robot]
        if not kitchen.feasible(body, verb, names):
            return Feedback("not_feasible", f"{robot} cannot do this now.", step=number, robot=robot)
        acting.append((body, verb, names))
    if not kitchen.compatible(acting):
        return Feedback("incompatible", "Two actions get into each other's way.", step=number)
    for body, verb, names in acting:
        kitchen.do(body, verb, names)
    return None
