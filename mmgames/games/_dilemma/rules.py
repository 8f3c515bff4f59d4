"""Rules that all grid dilemmas share: a grid, players who walk on it, things that come back on free cells.

A dilemma's own module says what a step does: who is paid for what, and what comes back elsewhere. A cell is
y * side + x, from the bottom left.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.core.spec import GameSpec
from mmgames.games._dilemma.setup import LARGEST, LONGEST, PLAYERS, ROLES, SIDE, Setup, setup_from
from mmgames.kernels.kernel import below, fork, inlined, kernel, scramble
from mmgames.kernels.kernel_game import EVERYBODY, NOBODY, Kernel, KernelGame
from mmgames.kernels.records import RecordState, blank_state, bool_, int8, int16, int32, record

CELLS = SIDE * SIDE
RED, BLUE = 0, 1
STAY, RIGHT, LEFT, UP, DOWN = range(5)
ACTIONS = ("<STAY>", "<RIGHT>", "<LEFT>", "<UP>", "<DOWN>")
LEGAL = range(len(ACTIONS))
NOWHERE = NOT_YET = -1
"""The cell of what is still to be put on the grid; the move of who has not moved."""
FIRST_DRAW = 1
"""Free cells are drawn from forks of the noise that are numbered: players from FIRST_DRAW + 2 * players on, then the
things. All that was ever recorded depends on these numbers."""
KINDS = 3  # of what can happen to a player


def _moved(cell: int, action: int, side: int) -> int:
    x, y = cell % side, cell // side
    x += (action == RIGHT) - (action == LEFT)
    y += (action == UP) - (action == DOWN)
    return min(max(y, 0), side - 1) * side + min(max(x, 0), side - 1)


def _scaled(cell: int, side: int) -> tuple[float, float]:
    return 2 * (cell % side) / (side - 1) - 1, 2 * (cell // side) / (side - 1) - 1


def for_all_sides(value: Callable[[int, int], Any], kind: Any) -> np.ndarray:
    """A table [side, cell] of all grids."""
    cells = [[value(cell % side**2, side) for cell in range(LARGEST**2)] for side in range(2, LARGEST + 1)]
    return np.array([cells[0], cells[0], *cells], kind)


# By side and cell: the cells after each move (walls clip), and the cell's place scaled to [-1, 1]. By horizon: how far
# a step goes from -1, the beginning, to 1. To divide each time would take a third of the features.
MOVED = for_all_sides(lambda cell, side: [_moved(cell, action, side) for action in LEGAL], np.int16)
SCALED = for_all_sides(_scaled, np.float32)
STEP_LENGTH = np.array([0, *(2 / horizon for horizon in range(1, LONGEST + 1))])


class DilemmaEvent(NamedTuple):
    """Something that can happen between two players: its name in records and what it pays red and blue."""

    name: str
    red: int
    blue: int


class DilemmaView(NamedTuple):
    """Everything is public, so a view is the seat and the state (`seat` is None for a spectator)."""

    seat: Seat | None
    setup: Setup
    state: RecordState


class Dilemma(KernelGame[DilemmaView]):
    """A grid dilemma. A subclass brings its step, and says what can happen and what that pays."""

    takes_step: ClassVar[Any]  # a kernel
    pays: ClassVar[Mapping[str, tuple[int, str]]]  # by the name of the option, which is a field too: how much, what for
    kinds: ClassVar[tuple[str, ...]]  # what can happen to each of several players, in the order of the payoffs
    pair_events: ClassVar[tuple[tuple[str, int, int, str, str], ...]]  # name, kind, whose; what pays red, and blue
    more_things: ClassVar[int] = 0  # how many there are besides one for each player

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        self.setup = setup_from(spec.id, self.options, self.pays, self.more_things)
        self.kernel = self.kernel_for(self.setup)
        self.settle(seats=self.setup.roles, length=self.setup.horizon)

    @classmethod
    @lru_cache(maxsize=64)
    def kernel_for(cls, setup: Setup) -> Kernel:
        players, things = setup.players, setup.players + cls.more_things
        fields = record(
            **{"side": int8, "horizon": int16, "released": bool_, **dict.fromkeys(cls.pays, int8)},
            step=int16, points=(int32, players), did=(int8, players),
            at=(int16, players), things=(int16, things), happened=(int16, (KINDS, players)),
        )  # fmt: skip
        settings = dict(zip(cls.pays, setup.pays, strict=True), side=setup.side, horizon=setup.horizon)
        blank = blank_state(fields, did=NOT_YET, at=NOWHERE, things=NOWHERE, released=setup.released, **settings)
        others = players + things - 1
        return Kernel(
            *(blank, len(ACTIONS), 2 + 4 * others + 1), start, turn, None, cls.takes_step, returns, features,
            board=(setup.side, setup.side), planes=planes, num_planes=others + 2,
        )  # fmt: skip

    @classmethod
    def events_of(cls, pays: tuple[int, ...]) -> tuple[DilemmaEvent, ...]:
        """What can happen between two, with these payoffs."""
        paid = {"": 0, **dict(zip(cls.pays, pays, strict=True))}
        return tuple(DilemmaEvent(name, paid[red], paid[blue]) for name, _, _, red, blue in cls.pair_events)

    @classmethod
    def usual(cls) -> tuple[int, ...]:
        return tuple(pay for pay, _ in cls.pays.values())

    @classmethod
    def happened(cls, state: RecordState) -> dict[str, int]:
        """How often each event has happened."""
        counts = state.happened
        if len(counts[0]) == PLAYERS:
            return {name: counts[kind][seat] for name, kind, seat, _, _ in cls.pair_events}
        seats = range(len(counts[0]))
        return {f"{ROLES[seat]} {what}": counts[kind][seat] for kind, what in enumerate(cls.kinds) for seat in seats}

    def view(self, state: RecordState, seat: Seat | None) -> DilemmaView:
        return DilemmaView(seat, self.setup, state)

    def outcome(self, state: RecordState) -> RecordState:
        return state.replace(did=NOT_YET)

    def events(self, state: RecordState) -> Mapping[str, int]:
        return self.happened(state)


@kernel
def start(state, noise):
    """Players and things on distinct cells."""
    for seat in range(len(state.at)):
        put_player(state, seat, noise)
    for which in range(len(state.things)):
        put_thing(state, which, noise)


@inlined
def put_player(state, seat, noise):
    state.at[seat] = free_cell(state, seat, len(state.things), noise)


@inlined
def put_thing(state, which, noise):
    state.things[which] = free_cell(state, len(state.at) + which, len(state.things), noise)


@kernel
def turn(state):
    return EVERYBODY if state.step < state.horizon else NOBODY


@kernel
def returns(state, out):
    for seat in range(len(state.at)):
        out[seat] = state.points[seat]


@kernel
def free_cell(state, which, things, noise):
    """A random cell with nobody else and none of the first `things` on it, for a player or thing, numbered from the
    first player on."""
    players, cells = len(state.at), state.side * state.side
    noise = fork(noise, FIRST_DRAW + 2 * players + which)
    while True:
        cell = below(noise, cells)
        free = True
        for seat in range(players):
            free &= seat == which or state.at[seat] != cell
        for other in range(things):
            free &= players + other == which or state.things[other] != cell
        if free:
            return cell
        noise = scramble(noise)


@kernel
def walk(state, actions):
    """All players move at once; they may share a cell or swap."""
    moved = MOVED[state.side]
    for seat in range(len(state.at)):
        state.at[seat] = moved[np.uint64(state.at[seat]), np.uint64(actions[seat])]
        state.did[seat] = actions[seat]
    state.step += 1


@kernel
def seen_cell(state, seat, which):
    """The cell of what a seat sees in that place: itself, the others from the next seat on, then the things. Things
    of which each player has one stand likewise, the seat's own first, so that all seats read alike."""
    players = len(state.at)
    if which < players:
        which += seat
        return state.at[which - players if which >= players else which]
    which -= players
    if len(state.things) == players:
        which += seat
        which -= players if which >= players else 0
    return state.things[which]


@kernel
def features(state, seat, out):
    """Where I am, where the others and the things are, as places and as offsets from me; then the time."""
    scaled, me, half, at = SCALED[state.side], state.at[seat], np.float32(0.5), 2
    x, y = scaled[me, 0], scaled[me, 1]
    out[0], out[1] = x, y
    for which in range(1, len(state.at) + len(state.things)):
        cell = np.uint64(seen_cell(state, seat, which))
        across, along = scaled[cell, 0], scaled[cell, 1]
        out[at], out[at + 1] = across, along
        out[at + 2], out[at + 3] = (across - x) * half, (along - y) * half
        at += 4
    out[at] = np.float32(state.step * STEP_LENGTH[state.horizon] - 1)


@kernel
def planes(state, seat, out):
    """Sheets of the grid as the picture shows it, in the features' order: me, the others, the things, the time."""
    side, tokens = state.side, len(state.at) + len(state.things)
    out[:] = 0.0
    for which in range(tokens):
        cell = seen_cell(state, seat, which)
        out[which, side - 1 - cell // side, cell % side] = 1.0
    out[tokens] = np.float32(state.step * STEP_LENGTH[state.horizon] - 1)
