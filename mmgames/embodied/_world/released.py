"""The rules as released with the paper, quirks included, so that old verdicts can be reproduced and compared.

Where the released checker stops with an error of its own, the verdict here is "crash": its scorer counts that as 0.
What is peculiar about it, and what `rules="paper"` mends:

- every thing lies in a *cell*; things placed together share one, a container's content shares the container's, and
  a push renames the cell, so it moves everything in it;
- robots stand at names, so they follow the thing they stand at, even into their own hand;
- grasping takes everything in reach and marks everything carried once more, placing puts down all of it;
- what the actions of a step write is collected by name first, so a later action of the step may replace what an earlier
  one writes about the same thing;
- closing and handing over crash, and so do reaching a thing on something that is no container, grasping with a robot in
  reach, a robot that does not exist when it is to move or place, and a wish about what is open.

A command is looked at as text, its words joined by commas: `["Move, apple"]` is a move to the apple.
"""

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mmgames.embodied._world.names import CONTAINERS, KINDS, OPENABLE, PUSHABLE, base
from mmgames.embodied._world.plans import Feedback
from mmgames.embodied._world.task import KitchenTask, Predicate


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


@dataclass
class _Thing:
    cell: _Cell
    inside: _Cell | None = None  # where the content of a container is
    marks: int = 0  # how often it was grasped since it was placed
    active: bool = False


class _Crash(Exception):
    """The released checker stops here."""


class _Kitchen:
    def __init__(self, task: KitchenTask) -> None:
        # Robots that are not to act are not in this world.
        self.bodies = {robot.name: _Body(robot.name, robot.kind, robot.at or robot.name) for robot in task.team}
        inside = {a.name: _Cell(a.name, not a.open) for a in task.assets if base(a.name) in CONTAINERS}
        self.things = {a.name: _Thing(inside.get(a.at) or _Cell(a.at), inside.get(a.name)) for a in task.assets}
        self.tops = {name: _Cell(name, None) for name in self.things}  # where things on something else are

    def where(self, name: str) -> str:
        return self.bodies[name].at if name in self.bodies else self.things[name].cell.name

    def leads_to(self, name: str, place: str) -> bool:
        """Whether the way from a robot or thing to where it is comes past a place."""
        way = [name]
        while (at := self.where(way[-1])) != place:
            if at not in self.bodies and at not in self.things:
                return way[-1] == place
            if at in way[1:]:  # around in a circle
                return False
            way.append(at)
        return True

    def near(self, body: _Body, name: str) -> bool:
        return self.leads_to(body.name, self.where(name)) or self.leads_to(name, body.at)

    def beside(self, body: _Body, name: str) -> bool:
        return body.at == name or self.where(name) == body.name

    def feasible(self, body: _Body, verb: str, names: Sequence[str]) -> bool:
        if verb not in KINDS[body.kind].verbs or len(names) != (2 if verb in ("push", "handover") else 1):
            return False
        name = names[0]
        if verb == "move":
            return True
        thing = self.things.get(name)
        if verb == "reach":
            near, closed = self.near(body, name), thing is not None and thing.cell.closed
            if near and closed is None:
                raise _Crash("reach_thing_on_plain_thing")
            return near and not closed
        if thing is None:
            is_place = verb == "place" and name not in self.bodies
            return is_place and bool(body.carried) and self.leads_to(body.name, name)
        shut = None if thing.inside is None else thing.inside.closed
        if verb == "place":
            return bool(body.carried) and self.near(body, name) and not shut
        if verb == "grasp":
            return name in body.reach and not thing.marks and body.free
        if verb in ("open", "close"):
            lidded = shut == (verb == "open") and name in OPENABLE
            return lidded and self.beside(body, name) and name in body.reach and body.free
        if verb == "interact":
            free = body.kind == "dog" or name in body.carried or body.free
            return free and self.beside(body, name) and not thing.active
        if verb == "push":
            return name in PUSHABLE and self.beside(body, name)
        other = self.bodies.get(names[1])
        return other is not None and self.beside(body, other.name) and bool(body.carried) and other.free

    def compatible(self, step: Sequence[tuple[_Body, str, Sequence[str]]]) -> bool:
        by_thing: dict[str, list[str]] = {}
        for _, verb, names in step:
            for name in names:
                if name in self.things:
                    by_thing.setdefault(name, []).append(verb)
        pairs = itertools.chain(*(itertools.combinations(verbs, 2) for verbs in by_thing.values()))
        if not all("move" in pair or {"reach", "place"} >= set(pair) for pair in pairs):
            return False
        if any(verb == "close" for _, verb, _ in step):
            raise _Crash("close")
        return True

    def do(self, step: Sequence[tuple[_Body, str, Sequence[str]]]) -> None:
        """All actions of a step at once: each looks at what was before, and what is written of things is collected."""
        written: dict[str, list[tuple[Any, str, Any]]] = {}
        for body, verb, names in step:
            name, thing = names[0], self.things.get(names[0])
            if verb == "move":
                body.at, body.reach = name, []
            elif verb == "reach":
                full = len(body.reach) >= KINDS[body.kind].hands
                body.reach = [*(body.reach[1:] if full else body.reach), name]
            elif verb == "grasp":
                body.carried, body.reach = body.carried + body.reach, []
                for one in body.carried:
                    if one in self.bodies:
                        raise _Crash("robot_among_grasped")
                    taken = self.things[one]
                    written[one] = [(taken, "marks", taken.marks + 1), (taken, "cell", _Cell(body.name))]
            elif verb == "place":
                cell = _Cell(name) if thing is None else thing.inside or self.tops[name]
                for one in body.carried:
                    put = self.things[one]
                    written.setdefault(one, []).extend([(put, "cell", cell), (put, "marks", 0)])
                body.carried = []
            elif verb == "handover" or thing is None:
                raise _Crash("handover")
            elif verb == "open":
                written[name] = [(thing.inside, "closed", False)]
            elif verb == "interact":
                written[name] = [(thing, "active", True)]
            else:
                body.at = name
                written[name] = [(thing.cell, "name", names[1])]
        for one, part, value in itertools.chain(*written.values()):
            setattr(one, part, value)

    def true(self, predicate: Predicate) -> bool:
        if predicate.at is not None:
            if predicate.aligned:
                return self.leads_to(predicate.asset, predicate.at)
            return self.where(predicate.asset) == predicate.at
        if predicate.activated is None:
            raise _Crash("no_such_status")
        return self.things[predicate.asset].active == predicate.activated


_COMMAND = re.compile(r"[^,<>]+(,[^,<>]+)*")


def check(task: KitchenTask, plan: Sequence[Mapping[str, Any]]) -> tuple[int, Feedback | None]:
    """The length of a plan and what the released checker has against it."""
    if isinstance(plan, (str, bytes)) or not isinstance(plan, Sequence):
        return 0, Feedback("unreadable", "The plan is not a list of steps.")
    if not all(isinstance(step, Mapping) and all(isinstance(robot, str) for robot in step) for step in plan):
        return 0, Feedback("unreadable", "A step is not an object by robot.")
    length = sum(1 for step in plan if step)
    try:
        commands = [{robot: ",".join(action) for robot, action in step.items()} for step in plan]
    except TypeError:
        return 0, Feedback("unreadable", "The plan holds something that is not text.")
    if not length:
        return 0, Feedback("unreadable", "The plan is empty.", kind="nothing said")
    for number, step in enumerate(commands, 1):
        for robot, command in step.items():
            if not _COMMAND.fullmatch(command):
                return length, Feedback("invalid_command", "This is not an action.", step=number, robot=robot)
    return length, _play(task, commands)


def _play(task: KitchenTask, commands: Sequence[Mapping[str, str]]) -> Feedback | None:
    kitchen = _Kitchen(task)
    open_chains = list(task.chains)
    number = 0
    try:
        for number, step in enumerate(commands, 1):
            wrong = _step(kitchen, number, step) if step else None
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
    except _Crash as crash:
        return Feedback("crash", "The released checker fails here.", step=number, rule=str(crash))
    return None


def _step(kitchen: _Kitchen, number: int, step: Mapping[str, str]) -> Feedback | None:
    acting = []
    for robot, command in step.items():
        verb, *names = (word.strip() for word in command.split(","))
        verb = verb.lower()
        if verb not in ("move", "place"):  # there any name is taken for a place
            for name in (robot, *names):
                if name not in kitchen.bodies and name not in kitchen.things:
                    return Feedback("unknown_entity", f"There is no {name[:40]!r}.", step=number, robot=robot)
        if robot not in kitchen.bodies:
            raise _Crash("unknown_robot")
        body = kitchen.bodies[robot]
        if not kitchen.feasible(body, verb, names):
            return Feedback("not_feasible", f"{robot} cannot do this now.", step=number, robot=robot)
        acting.append((body, verb, names))
    if not kitchen.compatible(acting):
        return Feedback("incompatible", "Two actions get into each other's way.", step=number)
    kitchen.do(acting)
    return None
