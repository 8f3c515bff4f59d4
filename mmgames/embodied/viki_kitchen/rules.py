"""VikiKitchen: the planning world played step by step, every robot a seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mmgames.core.game import Game, Seat
from mmgames.core.spec import GameSpec
from mmgames.embodied._scenes import scenes
from mmgames.embodied._world import generator
from mmgames.embodied._world.task import KitchenTask
from mmgames.embodied.viki_kitchen import slots
from mmgames.embodied.viki_kitchen.slots import DONE, RUNNING, WRONG_ORDER
from mmgames.errors import MmgamesError
from mmgames.kernels.compiling import compiled_later

OUT_OF_TIME = 3
MOST_TRIES = 1000
GROWN_LENGTH = 2 * 500 + 5
WAIT = (0,)  # the legal actions of a seat without a robot


class KitchenState(NamedTuple):
    task: KitchenTask
    row: bytes  # see embodied/_world/kernel.py
    step: int = 0
    clashes: int = 0  # actions that were not done because they got in each other's way
    ended: int = RUNNING
    last: tuple[tuple[int, ...], ...] = ()  # what every robot did, as numbers of the world
    failed: tuple[int, ...] = ()  # whose action was not done in the last step


class KitchenView(NamedTuple):
    """Nothing is hidden. `room` are the numbers of slots for places, things and robots, `scene` is what is drawn."""

    seat: Seat | None
    state: KitchenState
    room: slots.Room
    scene: str = "drawn"


def horizon(task: KitchenTask) -> int:
    return 2 * task.optimum + 5


def row_of(state: KitchenState) -> np.ndarray:
    return np.frombuffer(state.row, np.int64).copy()


class LegalActions(NamedTuple):
    """What was worked out about one row of numbers: every robot's legal actions, in order and as masks."""

    row: bytes
    legal: tuple[tuple[int, ...], ...]
    masks: np.ndarray


class ActionTable:
    """What the action numbers mean in one task. The position looked at last is kept, as all seats ask about it."""

    def __init__(self, entries: np.ndarray, actions: int) -> None:
        self.entries = entries
        self.places = np.full(actions, -1, np.int64)  # action number -> its row in `entries`
        self.places[entries[:, 0]] = np.arange(len(entries))
        self.phrases: dict[int, str] = {}  # what numbers are called that mean the same in every position
        self.last = LegalActions(b"", (), np.zeros((0, actions), np.int8))


def table_of(task: KitchenTask, room: slots.Room) -> ActionTable:
    kept = task.world.kept
    if room not in kept:
        kept[room] = ActionTable(slots.table(task.world, room), slots.count(room))
    return kept[room]


def legal(state: KitchenState, room: slots.Room, seat: Seat) -> tuple[int, ...]:
    """The action numbers open to a seat."""
    return WAIT if seat >= len(state.task.robots) else position(state, room).legal[seat]


def position(state: KitchenState, room: slots.Room) -> LegalActions:
    task = state.task
    table = table_of(task, room)
    last = table.last
    if last.row != state.row:
        _, size, robots, things, _ = task.world.numbers
        out = np.empty((len(robots), len(table.entries)), np.int64)
        counts = np.empty(len(robots), np.int64)
        masks = np.zeros((len(robots), len(table.places)), np.int8)
        compiled_later(slots.all_moves)(row_of(state), size, robots, things, table.entries, out, counts, masks)
        found = zip(out.tolist(), counts.tolist(), strict=True)
        last = table.last = LegalActions(state.row, tuple(tuple(line[:n]) for line, n in found), masks)
    return last


def meaning(state: KitchenState, room: slots.Room, seat: Seat, action: int) -> tuple[int, int, int]:
    """An action number as verb and nodes of the world; (0, -1, -1) is to wait."""
    task = state.task
    if seat >= len(task.robots):
        return 0, -1, -1
    table = table_of(task, room)
    _, verb, node, besides = table.entries[table.places[action]].tolist()
    if besides == slots.WHOLE:
        return verb, node, -1
    out = np.zeros(3, np.int64)
    _, size, _, things, _ = task.world.numbers
    compiled_later(slots.means)(row_of(state), size, things, seat, table.entries[table.places[action]], out)
    return int(out[0]), int(out[1]), int(out[2])


class VikiKitchen(Game[KitchenState, KitchenView]):
    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        seats = self.options["robots"]
        self.room = (self.options["places"], self.options["things"], seats)
        scenes.check(self.options["scene"], spec.id)
        length = GROWN_LENGTH if self.options["level"] else spec.length
        self.settle(
            seats=tuple(f"R{number + 1}" for number in range(seats)),
            length=length,
            slow_picture=self.options["scene"] != "drawn",
        )
        self._waiting = np.zeros(slots.count(self.room), np.int8)
        self._waiting[list(WAIT)] = 1
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

    def fits(self, task: KitchenTask) -> bool:
        places, things, robots = self.room
        return len(task.robots) <= robots and len(task.assets) <= things and len(task.places) <= places

    def movers(self, state: KitchenState) -> tuple[Seat, ...]:
        return tuple(range(len(self.seats))) if state.ended == RUNNING else ()

    def legal(self, state: KitchenState, seat: Seat) -> Sequence[int]:
        return legal(state, self.room, seat)

    def mask(self, state: KitchenState, seat: Seat) -> np.ndarray:
        return self._waiting if seat >= len(state.task.robots) else position(state, self.room).masks[seat]

    def play(self, state: KitchenState, actions: Mapping[Seat, int], rng: np.random.Generator) -> KitchenState:
        task = state.task
        table = table_of(task, self.room)
        row = row_of(state)
        count = len(task.robots)
        chosen = np.zeros(count, np.int64)
        for seat, action in actions.items():
            if seat < count:
                chosen[seat] = action
        meant, clash = np.zeros((count, 3), np.int64), np.zeros(count, np.int64)
        ended = int(
            compiled_later(slots.advance)(
                row, *task.world.numbers[1:], table.entries, table.places, chosen, meant, clash
            )
        )
        step = state.step + 1
        if ended == RUNNING and step >= horizon(task):
            ended = OUT_OF_TIME
        failed = tuple(robot for robot, hit in enumerate(clash.tolist()) if hit)
        done = tuple(map(tuple, meant.tolist()))
        return KitchenState(task, row.tobytes(), step, state.clashes + len(failed), ended, done, failed)

    def returns(self, state: KitchenState) -> tuple[float, ...]:
        return (float(state.ended == DONE),) * len(self.seats)

    def view(self, state: KitchenState, seat: Seat | None) -> KitchenView:
        return KitchenView(seat, state, self.room, self.options["scene"])

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
        return {"task": state.task.id, "optimum": state.task.optimum, "instruction": state.task.instruction}
