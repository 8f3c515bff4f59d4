"""VikiKitchen: the planning world played step by step, every robot a seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mmgames.core.errors import MmgamesError
from mmgames.core.game import Game, Seat
from mmgames.core.spec import GameSpec
from mmgames.embodied._world import generator, kernel
from mmgames.embodied._world.task import Task
from mmgames.embodied.viki_kitchen import slots

RUNNING, DONE, WRONG_ORDER, OUT_OF_TIME = range(4)
MOST_TRIES = 1000
GROWN_LENGTH = 2 * 500 + 5


class KitchenState(NamedTuple):
    task: Task
    row: bytes  # see embodied/_world/kernel.py
    step: int = 0
    clashes: int = 0  # actions that were not done because they got in each other's way
    ended: int = RUNNING
    last: tuple[tuple[int, ...], ...] = ()  # what every robot did, as numbers of the world
    failed: tuple[int, ...] = ()  # whose action was not done in the last step


class KitchenView(NamedTuple):
    """Nothing is hidden. `room` are the numbers of slots for places, things and robots."""

    seat: Seat | None
    state: KitchenState
    room: slots.Room


def horizon(task: Task) -> int:
    return 2 * task.reference_length + 5


def row_of(state: KitchenState) -> np.ndarray:
    return np.frombuffer(state.row, np.int64).copy()


class Table(NamedTuple):
    """What the action numbers mean in one task."""

    entries: np.ndarray
    places: dict[int, int]  # action number -> its row in `entries`


def table_of(task: Task, room: slots.Room) -> Table:
    kept = task.world.kept
    if room not in kept:
        entries = slots.table(task.world, room)
        kept[room] = Table(entries, {int(number): row for row, number in enumerate(entries[:, 0])})
    return kept[room]


def legal(state: KitchenState, room: slots.Room, seat: Seat) -> tuple[int, ...]:
    """The action numbers open to a seat."""
    task = state.task
    if seat >= len(task.robots):
        return (0,)
    _, size, robots, things, _ = task.world.numbers
    entries = table_of(task, room).entries
    out = np.empty(len(entries), np.int64)
    n = slots.moves(row_of(state), size, robots, things, entries, seat, out)
    return tuple(out[:n].tolist())


def meaning(state: KitchenState, room: slots.Room, seat: Seat, action: int) -> tuple[int, int, int]:
    """An action number as verb and nodes of the world; (0, -1, -1) is to wait."""
    task = state.task
    if seat >= len(task.robots):
        return 0, -1, -1
    out = np.zeros(3, np.int64)
    _, size, _, things, _ = task.world.numbers
    table = table_of(task, room)
    slots.means(row_of(state), size, things, seat, table.entries[table.places[action]], out)
    return int(out[0]), int(out[1]), int(out[2])


class VikiKitchen(Game[KitchenState, KitchenView]):
    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        seats = self.options["robots"]
        self.room = (self.options["places"], self.options["things"], seats)
        length = GROWN_LENGTH if self.options["level"] else spec.length
        self.settle(seats=tuple(f"R{number + 1}" for number in range(seats)), length=length)
        template = self.options["template"]
        if template:
            generator.generate(0, template=template)  # a wrong name is said now
            if len(generator.templates()[template].active) > seats:
                raise MmgamesError(f"{spec.id}: template {template} needs more robots than robots={seats}.")

    @property
    def num_actions(self) -> int:
        return slots.count(self.room)

    def start(self, rng: np.random.Generator) -> KitchenState:
        options = self.options
        for _ in range(MOST_TRIES):
            seed = int(rng.integers(2**31))
            if options["level"]:
                task = generator.grown(seed, options["level"], options["robots"], self.room[1], self.room[0])
            else:
                task = generator.generate(seed, options["split"], options["template"] or None)
            if self.fits(task):
                return KitchenState(task, task.world.start.tobytes())
        raise MmgamesError(
            f"{self.spec.id}: no task fits robots={self.room[2]}, things={self.room[1]}, places={self.room[0]}; "
            "raise one of them."
        )

    def fits(self, task: Task) -> bool:
        places, things, robots = self.room
        return len(task.robots) <= robots and len(task.assets) <= things and len(task.places) <= places

    def movers(self, state: KitchenState) -> tuple[Seat, ...]:
        return tuple(range(len(self.seats))) if state.ended == RUNNING else ()

    def legal(self, state: KitchenState, seat: Seat) -> Sequence[int]:
        return legal(state, self.room, seat)

    def play(self, state: KitchenState, actions: Mapping[Seat, int], rng: np.random.Generator) -> KitchenState:
        task = state.task
        _, size, robots, things, predicates = task.world.numbers
        count = len(task.robots)
        row = row_of(state)
        table = table_of(task, self.room)
        acts = np.zeros((count, 3), np.int64)
        for seat, action in actions.items():
            if seat < count and action:
                slots.means(row, size, things, seat, table.entries[table.places[int(action)]], acts[seat])
        meant = tuple(map(tuple, acts.tolist()))
        clash = np.zeros(count, np.int64)
        failed: tuple[int, ...] = ()
        if kernel.conflicts(row, size, robots, acts, clash):
            acts[clash > 0] = 0, -1, -1
            failed = tuple(np.flatnonzero(clash).tolist())
        kernel.apply(row, size, robots, things, acts, np.zeros(count, np.int64))
        step = state.step + 1
        if kernel.stages(row, size, predicates) >= 0:
            ended = WRONG_ORDER
        elif kernel.reached(row, size, predicates):
            ended = DONE
        else:
            ended = OUT_OF_TIME if step >= horizon(task) else RUNNING
        return KitchenState(task, row.tobytes(), step, state.clashes + len(failed), ended, meant, failed)

    def returns(self, state: KitchenState) -> tuple[float, ...]:
        return (float(state.ended == DONE),) * len(self.seats)

    def view(self, state: KitchenState, seat: Seat | None) -> KitchenView:
        return KitchenView(seat, state, self.room)

    def outcome(self, state: KitchenState) -> Any:
        return state.row, state.ended

    def events(self, state: KitchenState) -> Mapping[str, int]:
        return {
            "done": int(state.ended == DONE),
            "wrong order": int(state.ended == WRONG_ORDER),
            "out of time": int(state.ended == OUT_OF_TIME),
            "actions in each other's way": state.clashes,
            "steps": state.step,
        }

    def record(self, state: KitchenState) -> Mapping[str, Any]:
        return {"task": state.task.id, "optimum": state.task.reference_length, "instruction": state.task.instruction}
