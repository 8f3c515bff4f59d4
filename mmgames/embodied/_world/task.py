"""Task: what is in the kitchen and what is wanted. World: the same as numbers, for the kernels."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, wraps
from typing import Any, TypeVar, cast

import numpy as np

from mmgames.embodied._world import kernel
from mmgames.embodied._world.facts import area_names
from mmgames.embodied._world.names import CLOSED_AT_START, FIXTURES, KINDS, OPENABLE, PUSHABLE, SUPPORTS, TYPES, VERBS
from mmgames.embodied._world.names import base as base_name
from mmgames.errors import MmgamesError
from mmgames.kernels.compiling import compiled_in_background
from mmgames.kernels.records import RecordState, blank_state

Make = TypeVar("Make", bound=Callable[..., Any])


def once_a_task(make: Make) -> Make:
    """What follows from a task and a few plain values is worked out once, and kept with the task's world."""

    @wraps(make)
    def kept(task: KitchenTask, *more: Any) -> Any:
        known, key = task.world.kept, (make, *more)
        if key not in known:
            known[key] = make(task, *more)
        return known[key]

    return cast(Make, kept)


@dataclass(frozen=True)
class Robot:
    name: str  # R1, R2, …
    type: str
    at: str = ""  # a place, or its own name: a place of its own

    @property
    def kind(self) -> str:
        return TYPES[self.type]


@dataclass(frozen=True)
class Asset:
    name: str
    at: str  # a place, another asset, or the robot at whose spot it lies
    open: bool = True


@dataclass(frozen=True)
class Predicate:
    """Something that is to be true: where a thing is, or whether it is activated or open."""

    asset: str
    at: str | None = None
    activated: bool | None = None
    open: bool | None = None
    aligned: bool = False  # `at` counts as well when the thing is in the hand of a robot that stands there

    def __str__(self) -> str:
        return self.said("on", "off")

    def said(self, on: str, off: str) -> str:
        """What is wanted in words, also for what is activated and what is not."""
        if self.at is not None:
            return f"{self.asset} at {self.at}"
        if self.activated is not None:
            return f"{self.asset} {on if self.activated else off}"
        return f"{self.asset} {'open' if self.open else 'closed'}"

    def to_dict(self) -> dict[str, Any]:
        if self.at is None:
            wanted = {"activated": self.activated} if self.activated is not None else {"open": self.open}
            return {"asset": self.asset, **wanted}
        return {"asset": self.asset, "at": self.at} | ({"match": "aligned"} if self.aligned else {})

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Predicate:
        return cls(
            value["asset"], value.get("at"), value.get("activated"), value.get("open"), value.get("match") == "aligned"
        )


Stage = tuple[Predicate, ...]


@dataclass(frozen=True)
class KitchenTask:
    """One job in one kitchen. Everything a checker needs; how it looks is decided by layout, style and seed."""

    robots: tuple[Robot, ...]
    assets: tuple[Asset, ...]
    goals: tuple[Predicate, ...]
    chains: tuple[tuple[Stage, ...], ...] = ()
    places: tuple[str, ...] = ()  # named areas that are there though nothing is on them
    reference_length: int = 0  # steps of the reference plan, with which plans are compared
    optimum: int = 0  # steps of a shortest plan, or of the shortest that is known
    id: str = ""
    template: str = ""
    layout: int = 0
    style: int = 0
    instruction: str = ""
    active: tuple[str, ...] = ()  # names of the robots that are to act
    seed: int = 0

    @property
    def team(self) -> tuple[Robot, ...]:
        """The robots that are to act; without a word on it, all of them."""
        return tuple(robot for robot in self.robots if robot.name in self.active) if self.active else self.robots

    @property
    def wanted(self) -> list[Predicate]:
        """What has to be true in the end, and in between."""
        return [*self.goals, *(predicate for chain in self.chains for stage in chain for predicate in stage)]

    @cached_property
    def world(self) -> KitchenWorld:
        return KitchenWorld(self)

    def __hash__(self) -> int:
        return hash((self.id, self.seed, self.template, self.layout, self.instruction, self.assets))

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "world"}

    def with_(self, **changes: Any) -> KitchenTask:
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        plain = ("id", "template", "layout", "style", "seed", "instruction")
        return {name: getattr(self, name) for name in plain} | {
            "robots": {r.name: {"type": r.type, "kind": r.kind, "at": r.at or r.name} for r in self.robots},
            "active": list(self.active),
            "places": list(self.places),
            "assets": {
                a.name: {"at": a.at} | ({"container": True, "open": a.open} if base_name(a.name) in SUPPORTS else {})
                for a in self.assets
            },
            "goals": [goal.to_dict() for goal in self.goals],
            "stage_chains": [[[p.to_dict() for p in stage] for stage in chain] for chain in self.chains],
            "reference_length": self.reference_length,
            "optimum": self.optimum,
        }

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> KitchenTask:
        """A task from its JSON; unknown keys are left aside, missing ones are empty."""
        try:
            layout = int(value.get("layout", 0))
            told: dict[str, Any] = {n: int(value.get(n, 0)) for n in ("reference_length", "optimum", "style", "seed")}
            told |= {name: str(value.get(name, "")) for name in ("id", "template", "instruction")}
            return cls(
                robots=tuple(Robot(name, own["type"], own.get("at", name)) for name, own in value["robots"].items()),
                assets=tuple(
                    Asset(name, own["at"], own.get("open", base_name(name) not in CLOSED_AT_START))
                    for name, own in value["assets"].items()
                ),
                goals=tuple(map(Predicate.from_dict, value["goals"])),
                chains=tuple(
                    tuple(tuple(map(Predicate.from_dict, stage)) for stage in chain)
                    for chain in value.get("stage_chains", ())
                ),
                places=tuple(value["places"] if "places" in value else area_names(layout)),
                layout=layout,
                active=tuple(value.get("active", ())),
                **told,
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise MmgamesError(f"This is not a task of the planning world: {type(error).__name__} {error}.") from None


WHAT = {"support": SUPPORTS, "openable": OPENABLE, "fixture": FIXTURES, "pushable": PUSHABLE}
"""What a thing is, as the rules want it."""


class KitchenWorld:
    """A task as numbers. Nodes are places, then things, then robots; see kernel.py for the records."""

    def __init__(self, task: KitchenTask) -> None:
        self.task, self.wanted = task, task.wanted
        there: list[Any] = [*task.assets, *task.robots]
        names = [one.name for one in there]
        own_places = {asset.name for asset in task.assets if asset.name == asset.at}
        meant = (one.at for one in (*there, *self.wanted) if one.at)
        # A thing may start at a place that bears its own name, as a fridge does: "at the fridge".
        places = [name for name in dict.fromkeys((*task.places, *meant)) if name not in names or name in own_places]
        self.place_names = (*places, *(robot.name for robot in task.robots))
        self.names = (*self.place_names, *names)
        self._places = {name: number for number, name in enumerate(self.place_names)}
        self.nodes = dict(zip(places, itertools.count(), strict=False))
        self.nodes |= {name: number for number, name in enumerate(names, len(self.place_names))}
        self.codes: dict[tuple[str, ...], bytes] = {}  # actions in words that were met before, as numbers
        self.kept: dict[Any, Any] = {}  # what else is worked out once for a world
        self.records = kernel.records(len(task.robots), len(task.assets), len(self.wanted), len(task.chains))
        self.kitchen, self.start, self.idle = self._kitchen(), self._start(), self.joint()
        self.predicates = self.kitchen.array["wanted"][0, : len(self.wanted)]

    def _kitchen(self) -> RecordState:
        task, made = self.task, blank_state(self.records.kitchen)
        kitchen, robots = made.array, len(self.task.robots)
        kitchen["places"], kitchen["robots"], kitchen["things"] = len(self.place_names), robots, len(task.assets)
        kitchen["predicates"], kitchen["chains"] = len(self.wanted), len(task.chains)
        kitchen["hands"][0, :robots] = [KINDS[robot.kind].hands for robot in task.robots]
        kitchen["able"][0, :robots] = [
            [verb in KINDS[robot.kind].verbs for verb in ("", *VERBS)] for robot in task.robots
        ]
        for what, known in WHAT.items():
            kitchen[what][0, : len(task.assets)] = [base_name(asset.name) in known for asset in task.assets]
        stages = [(i, j) for i, chain in enumerate(task.chains) for j, stage in enumerate(chain) for _ in stage]
        parts = [(-1, 0)] * len(task.goals) + stages
        kitchen["wanted"][0, : len(parts)] = [self._predicate(*one) for one in zip(self.wanted, parts, strict=True)]
        return made

    def _start(self) -> RecordState:
        task, made = self.task, blank_state(self.records.state)
        start, things = made.array, len(self.task.assets)
        start["near"] = -1
        start["stands"][0, : len(task.robots)] = [
            self._places[robot.name] if robot.at in ("", robot.name) else self.nodes[robot.at] for robot in task.robots
        ]
        at = [(self._places if one.at in (one.name, *self._places) else self.nodes)[one.at] for one in task.assets]
        start["at"][0, :things] = at
        start["opened"][0, :things] = [asset.open for asset in task.assets]
        for number, asset in enumerate(task.assets):
            passed: set[int] = set()
            while 0 <= number < things:
                if number in passed:
                    raise MmgamesError(f"{asset.name} is inside itself in this task.")
                passed.add(number)
                number = at[number] - len(self.place_names)
        return made

    def roots(self, state: RecordState) -> list[int]:
        """For every node the place at which it is in the end."""
        out = np.empty(len(self.names), np.int64)
        compiled_in_background(kernel.roots)(state.array, self.kitchen.array, out)
        return out.tolist()

    def kitchen_for(self, robots: Collection[int]) -> RecordState:
        """The kitchen as it is when all other robots can do nothing."""
        kitchen = self.kitchen.replace()
        others = [robot for robot in range(len(self.task.robots)) if robot not in robots]
        kitchen.array["hands"][0, others] = 0
        kitchen.array["able"][0, others] = False
        return kitchen

    def joint(self, actions: Sequence[Sequence[int]] = ()) -> np.ndarray:
        """An array of one record: what everybody does in one step, or nobody doing anything."""
        joint = blank_state(self.records.joint).array
        for part, numbers in zip(("verb", "first", "second"), zip(*actions, strict=True), strict=False):
            joint[part][0, : len(numbers)] = numbers
        return joint

    def _predicate(self, predicate: Predicate, part: tuple[int, int]) -> tuple[int, int, int, int, int]:
        known = self.nodes.get(predicate.asset, -1) - len(self.place_names)
        if not 0 <= known < len(self.task.assets):
            raise MmgamesError(f"A goal is about {predicate.asset!r}, which this task does not have.")
        if predicate.at is not None:
            return known, kernel.ALIGNED if predicate.aligned else kernel.AT, self.nodes[predicate.at], *part
        if predicate.activated is not None:
            return known, kernel.ACTIVATED, int(predicate.activated), *part
        return known, kernel.IS_OPEN, int(bool(predicate.open)), *part
