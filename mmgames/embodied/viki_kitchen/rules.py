"""VikiKitchen: the planning world played step by step, every robot a seat."""

from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from mmgames.core.game import Game, Seat
from mmgames.core.spec import GameSpec, Simulator
from mmgames.embodied._scenes import scenes
from mmgames.embodied._world import generator
from mmgames.embodied._world.names import MOVE, PUSH
from mmgames.embodied._world.task import KitchenTask, once_a_task
from mmgames.embodied.viki_kitchen import sight, slots
from mmgames.embodied.viki_kitchen.slots import DONE, RUNNING, WRONG_ORDER
from mmgames.errors import MmgamesError
from mmgames.kernels.compiling import compiled_in_background
from mmgames.kernels.records import RecordState

OUT_OF_TIME = 3
MOST_TRIES = 1000
GROWN_LENGTH = 2 * 500 + 5
WAIT = (0,)  # the legal actions of a seat without a robot


class KitchenState(NamedTuple):
    task: KitchenTask
    world: RecordState  # what is where, who holds what, what is open or on: see embodied/_world/kernel.py
    step: int = 0
    clashes: int = 0  # actions that were not done because they got in each other's way
    ended: int = RUNNING
    last: tuple[tuple[int, ...], ...] = ()  # what every robot did, as numbers of the world
    failed: tuple[int, ...] = ()  # whose action was not done in the last step
    known: tuple[sight.Knowledge, ...] = ()  # what each robot knows, where that is not all of it


class KitchenView(NamedTuple):
    """The state as far as the seat knows it. `room` are the numbers of slots for places, things and robots, `scene`,
    `labels` and `looks` (the option `view`) say what is drawn, `unseen` are the places that it has not seen yet."""

    seat: Seat | None
    state: KitchenState
    room: slots.Room
    scene: str = "drawn"
    labels: bool = True
    looks: str = "above"
    partial: bool = False
    unseen: frozenset[str] = frozenset()


def horizon(task: KitchenTask) -> int:
    return 2 * task.optimum + 5


def once_a_state(view: KitchenView, make: Callable[[KitchenView], Any]) -> Any:
    """What is the same for everybody who knows a state is worked out once: all seats ask for it in turn."""
    kept, key = view.state.task.world.kept, (make, view.room, view.labels)
    made = kept.get(key)
    if made is None or made[0] is not view.state:
        made = kept[key] = (view.state, make(view))
    return made[1]


Moves = tuple[RecordState | None, np.ndarray, np.ndarray, np.ndarray]


class ActionTable:
    """What the action numbers mean in one task. The position looked at last is kept, as all seats ask about it."""

    def __init__(self, task: KitchenTask, room: slots.Room) -> None:
        self.task, self.entries = task, slots.table(task.world, room)
        self.places = np.full(slots.count(room), -1, np.int64)  # action number -> its row in `entries`
        self.places[self.entries[:, 0]] = np.arange(len(self.entries))
        self.phrases: dict[int, str] = {}  # what numbers are called that mean the same in every position
        self.last: Moves = None, self.places, self.places, self.places

    def at(self, world: RecordState) -> Moves:
        """A position, every robot's legal actions in order, how many of its line these are, and their masks."""
        last = self.last
        if last[0] is not world:  # comparing what is in them takes longer than it saves
            counts, kitchen = np.empty(len(self.task.robots), np.int64), self.task.world.kitchen.array
            actions = np.empty((len(counts), len(self.entries)), np.int64)
            masks = np.zeros((len(counts), len(self.places)), np.int8)
            compiled_in_background(slots.all_moves)(world.array, kitchen, self.entries, actions, counts, masks)
            last = self.last = world, actions, counts, masks  # all at once, as threads share it
        return last


@once_a_task
def table_of(task: KitchenTask, room: slots.Room) -> ActionTable:
    return ActionTable(task, room)


def legal(state: KitchenState, room: slots.Room, seat: Seat) -> tuple[int, ...]:
    """The action numbers open to a seat."""
    if seat >= len(state.task.robots):
        return WAIT
    _, actions, counts, _ = table_of(state.task, room).at(state.world)
    return tuple(actions[seat, : counts[seat]].tolist())


def legal_as_known(state: KitchenState, room: slots.Room, seat: Seat) -> tuple[int, ...]:
    """The action numbers open to a seat that knows only this state: it goes to nothing of which it knows no place, and
    pushes nothing to a robot that it does not see, but for arms, which stay where they are."""
    task, table, places = state.task, table_of(state.task, room), len(state.task.world.place_names)
    things, roots = len(task.assets), task.world.roots(state.world)

    def is_open(action: int) -> bool:
        _, verb, node, _ = table.entries[table.places[action]].tolist()
        if verb == MOVE and node >= places:
            return roots[node] >= 0
        if verb == PUSH and node >= places + things:
            there, here = roots[node], roots[places + things + seat]
            return there >= 0 and (there == here or task.robots[node - places - things].kind == "arm")
        return True

    return tuple(filter(is_open, legal(state, room, seat)))


def meaning(state: KitchenState, room: slots.Room, seat: Seat, action: int) -> tuple[int, int, int]:
    """An action number as verb and nodes of the world; (0, -1, -1) is to wait."""
    task = state.task
    if seat >= len(task.robots):
        return 0, -1, -1
    table = table_of(task, room)
    entry, out = table.entries[table.places[action]], np.zeros(3, np.int64)
    compiled_in_background(slots.means)(state.world.array, task.world.kitchen.array, seat, entry, out)
    verb, first, second = out.tolist()
    return verb, first, second


class VikiKitchen(Game[KitchenState, KitchenView]):
    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        seats = self.options["robots"]
        self.room = (self.options["places"], self.options["things"], seats)
        scenes.check(self.options["scene"], spec.id)
        length = GROWN_LENGTH if self.options["level"] else spec.length
        self.partial = self.options["information"] == "partial"
        self.settle(
            information="imperfect" if self.partial else "perfect",
            seats=tuple(f"R{number + 1}" for number in range(seats)),
            length=length,
            simulator=Simulator(slow_picture=self.options["scene"] != "drawn"),
        )
        self._looks = self.room, self.options["scene"], self.options["labels"], self.options["view"]
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
            if not self.fits(task):
                continue
            if not self.partial:
                return KitchenState(task, task.world.start)
            # Views have the seed, which says where furniture and robots stand: it must not lead back to the task.
            task = task.with_(seed=int.from_bytes(blake2b(str(seed).encode(), digest_size=4).digest()))
            if sight.without_starts(task) is not None:
                return KitchenState(task, task.world.start, known=sight.at_first(task, task.world.start))
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
        if self.partial:
            return legal_as_known(self.as_known(state, seat), self.room, seat)
        return legal(state, self.room, seat)

    def mask(self, state: KitchenState, seat: Seat) -> np.ndarray:
        if self.partial:
            return super().mask(state, seat)
        if seat >= len(state.task.robots):
            return self._waiting
        return table_of(state.task, self.room).at(state.world)[3][seat]

    def play(self, state: KitchenState, actions: Mapping[Seat, int], rng: np.random.Generator) -> KitchenState:
        task, table = state.task, table_of(state.task, self.room)
        world, count = state.world.replace(), len(task.robots)
        chosen = np.array([actions.get(seat, 0) for seat in range(count)], np.int64)
        astray = self._walk_astray(state, world, chosen) if self.partial else None
        meant, clash = np.zeros((count, 3), np.int64), np.zeros(count, np.int64)
        kitchen, advance = task.world.kitchen.array, compiled_in_background(slots.advance)
        ended = int(advance(world.array, kitchen, task.world.idle, table.entries, table.places, chosen, meant, clash))
        step = state.step + 1
        if ended == RUNNING and step >= horizon(task):
            ended = OUT_OF_TIME
        failed = tuple(robot for robot, hit in enumerate(clash.tolist()) if hit)
        done, known = tuple(map(tuple, meant.tolist())), state.known
        if astray is not None:
            done = tuple(astray.get(robot, action) for robot, action in enumerate(done))
            known = sight.after(task, state.known, world, done)
        return KitchenState(task, world, step, state.clashes + len(failed), ended, done, failed, known)

    def _walk_astray(
        self, state: KitchenState, after: RecordState, chosen: np.ndarray
    ) -> dict[int, tuple[int, int, int]]:
        """Bring those who move to what is no longer there to where it was, in `after`; their moves, which `chosen` then
        has no longer."""
        table, world, moves = table_of(state.task, self.room), state.task.world, {}
        roots = world.roots(state.world)
        for seat, action in enumerate(chosen.tolist()):
            _, verb, node, _ = table.entries[table.places[action]].tolist()
            if verb == MOVE and node >= len(world.place_names):
                there = world.roots(state.known[seat].world)[node]
                if there != roots[node]:
                    moves[seat] = (verb, node, -1)
                    chosen[seat] = 0
                    after.array["stands"][0, seat], after.array["near"][0, seat] = there, -1
        return moves

    def returns(self, state: KitchenState) -> tuple[float, ...]:
        return (float(state.ended == DONE),) * len(self.seats)

    def absent(self, state: KitchenState) -> Sequence[Seat]:
        return range(len(state.task.robots), len(self.seats))

    def view(self, state: KitchenState, seat: Seat | None) -> KitchenView:
        if not self.partial or seat is None:
            return KitchenView(seat, state, *self._looks)
        names = state.task.world.place_names[: -len(state.task.robots)]
        ever = state.known[seat].ever if seat < len(state.known) else frozenset()
        unseen = frozenset(name for number, name in enumerate(names) if number not in ever)
        return KitchenView(seat, self.as_known(state, seat), *self._looks, True, unseen)

    def as_known(self, state: KitchenState, seat: Seat) -> KitchenState:
        """The state as far as a seat knows it. One without a robot knows the plan of the kitchen and nothing else."""
        task = sight.without_starts(state.task)
        if seat >= len(state.known):
            return KitchenState(task, sight.nothing_seen(task), state.step, 0, state.ended)
        known = state.known[seat]
        told = {seat, *known.witnessed}
        last = tuple(action if robot in told else (0, -1, -1) for robot, action in enumerate(state.last))
        failed = tuple(robot for robot in state.failed if robot in told)
        return KitchenState(task, known.world, state.step, 0, state.ended, last, failed)

    def imagine(self, state: KitchenState, seat: Seat, rng: np.random.Generator) -> KitchenState:
        """What the seat has not seen is elsewhere, and so others know other things; the task does not tell its starts.
        A seat without a robot knows as much as one that has not looked."""
        if not self.partial:
            return state
        seen, own = self.as_known(state, seat), state.known[seat : seat + 1]
        world = sight.imagined(seen.task, state.world, own[0] if own else sight.Knowledge(seen.world), rng)
        known = sight.at_first(seen.task, world)
        known = known[:seat] + own + known[seat + 1 :]
        return state._replace(task=seen.task, world=world, last=seen.last, known=known)

    def outcome(self, state: KitchenState) -> Any:
        return state.world, state.ended

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
