"""Rules that all grid dilemmas share: a grid, players who walk on it, things that come back on free cells.

A dilemma's own module adds the fields of its things and counts, what a step pays, and `thing(state, which)`: a kernel
that says on which cell each of its `things` lies. Both are handed to the kernels below that look at things. A cell is
y * side + x, from the bottom left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.core.spec import GameSpec
from mmgames.games._dilemma.setup import LARGEST, LONGEST, SIDE, Setup, setup_from
from mmgames.kernels.kernel import below, fork, inlined, kernel, scramble
from mmgames.kernels.kernel_game import EVERYBODY, NOBODY, Kernel, KernelGame, ask
from mmgames.kernels.records import RecordState, blank_state, int8, int16, int32, record

CELLS = SIDE * SIDE
RED, BLUE = 0, 1
STAY, RIGHT, LEFT, UP, DOWN = range(5)
ACTIONS = ("<STAY>", "<RIGHT>", "<LEFT>", "<UP>", "<DOWN>")
LEGAL = range(len(ACTIONS))
NOWHERE = NOT_YET = -1
"""The cell of what is still to be put on the grid; the move of who has not moved."""
CELL, COUNT = int16, int16
FIRST_DRAW = 1
"""Free cells are drawn from forks of the noise that are numbered: players from FIRST_DRAW + 2 * players on, then the
things. All that was ever recorded depends on these numbers."""


def grid_fields(players: int, pays: Mapping[str, Any], **own: Any) -> np.dtype[Any]:
    """The fields of a dilemma: the settings, how far the episode is, points, last moves and places of the players, and
    what is its own."""
    return record(
        side=int8,
        horizon=int16,
        **dict.fromkeys(pays, int8),
        step=int16,
        points=(int32, players),
        did=(int8, players),
        at=(CELL, players),
        **own,
    )


def _moved(cell: int, action: int, side: int) -> int:
    x, y = cell % side, cell // side
    x += (action == RIGHT) - (action == LEFT)
    y += (action == UP) - (action == DOWN)
    return min(max(y, 0), side - 1) * side + min(max(x, 0), side - 1)


def for_all_sides(value: Callable[[int, int], Any], kind: Any) -> np.ndarray:
    """A table [side, cell] of all grids."""
    cells = [[value(cell % side**2, side) for cell in range(LARGEST**2)] for side in range(2, LARGEST + 1)]
    return np.array([cells[0], cells[0], *cells], kind)


# By side and cell: the cells after each move (walls clip), and the cell's place scaled to [-1, 1].
MOVED = for_all_sides(lambda cell, side: [_moved(cell, action, side) for action in LEGAL], CELL)
SCALED = for_all_sides(
    lambda cell, side: [2 * place / (side - 1) - 1 for place in (cell % side, cell // side)], np.float32
)

# By horizon: how far a step goes from -1, the beginning, to 1. To divide each time would take a third of the features.
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


@dataclass(frozen=True, eq=False)
class Design:
    """What is a dilemma's own, beside its kernels."""

    pays: Mapping[str, tuple[int, str]]
    """Its payoffs, by the name of their option: how much, and what for."""
    kinds: tuple[str, str, str]
    """What can happen to each of several players, in the order of the payoffs."""
    pair_events: Callable[..., tuple[DilemmaEvent, ...]]
    """What can happen between two, made of the payoffs."""
    counts: Any
    """A kernel `counts(state, out)`: how often each event has happened, in their order."""
    thing: Any
    """A kernel `thing(state, which)`: on which cell it lies."""
    more_things: int = 0
    """How many things there are besides one for each player."""

    @property
    def usual(self) -> tuple[int, ...]:
        return tuple(pay for pay, _ in self.pays.values())

    def event_names(self, setup: Setup) -> tuple[str, ...]:
        if setup.is_pair:
            return tuple(event.name for event in self.pair_events(*setup.pays))
        return tuple(f"{role} {kind}" for kind in self.kinds for role in setup.roles)

    def lying(self, state: RecordState) -> tuple[int, ...]:
        """Where the things are."""
        return tuple(int(ask(self.thing, state, which)) for which in range(len(state.at) + self.more_things))

    def happened(self, view: DilemmaView) -> tuple[int, ...]:
        """How often each event has happened."""
        out = np.zeros(len(self.event_names(view.setup)), np.int64)
        ask(self.counts, view.state, out)
        return tuple(out.tolist())


class Dilemma(KernelGame[DilemmaView]):
    """A grid dilemma: subclasses bring a design, the fields for so many players, and start, step, features, planes."""

    design: ClassVar[Design]
    fields: ClassVar[Any]
    rules: ClassVar[tuple[Any, Any, Any, Any]]

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        self.setup = setup_from(spec.id, self.options, self.design.pays, self.design.more_things)
        self.kernel = self.kernel_for(self.setup)
        self.settle(seats=self.setup.roles, length=self.setup.horizon)

    @classmethod
    @lru_cache(maxsize=64)
    def kernel_for(cls, setup: Setup) -> Kernel:
        start, step, features, planes = cls.rules
        settings = dict(zip(cls.design.pays, setup.pays, strict=True), side=setup.side, horizon=setup.horizon)
        others = 2 * setup.players + cls.design.more_things - 1
        blank = blank_state(cls.fields(setup.players), **settings)
        return Kernel(
            *(blank, len(ACTIONS), 2 + 4 * others + 1), start, turn, None, step, returns, features,
            board=(setup.side, setup.side), planes=planes, num_planes=others + 2,
        )  # fmt: skip

    def view(self, state: RecordState, seat: Seat | None) -> DilemmaView:
        return DilemmaView(seat, self.setup, state)

    def outcome(self, state: RecordState) -> RecordState:
        return state.replace(did=0)

    def events(self, state: RecordState) -> Mapping[str, int]:
        names = self.design.event_names(self.setup)
        return dict(zip(names, self.design.happened(self.view(state, None)), strict=True))


@kernel
def turn(state):
    return EVERYBODY if state.step < state.horizon else NOBODY


@kernel
def returns(state, out):
    for seat in range(len(state.at)):
        out[seat] = state.points[seat]


@inlined
def free_cell(state, thing, things, which, noise):
    """A random cell with nobody and nothing else on it, for a player or thing, numbered from the first player on."""
    players, cells = len(state.at), state.side * state.side
    noise = fork(noise, FIRST_DRAW + 2 * players + which)
    while True:
        cell = below(noise, cells)
        free = True
        for seat in range(players):
            free &= seat == which or state.at[seat] != cell
        for other in range(things):
            free &= players + other == which or thing(state, other) != cell
        if free:
            return cell
        noise = scramble(noise)


@inlined
def begin(state, thing, things, noise):
    """A fresh grid: nobody has moved or points, and all players are on cells of their own."""
    state.step = 0
    for seat in range(len(state.at)):
        state.points[seat] = 0
        state.did[seat] = NOT_YET
        state.at[seat] = NOWHERE
    for seat in range(len(state.at)):
        state.at[seat] = free_cell(state, thing, things, seat, noise)


@inlined
def walk(state, actions):
    """All players move at once; they may share a cell or swap."""
    moved = MOVED[state.side]
    for seat in range(len(state.at)):
        state.at[seat] = moved[np.uint64(state.at[seat]), np.uint64(actions[seat])]
        state.did[seat] = actions[seat]
    state.step += 1


@inlined
def time_of(state):
    return np.float32(state.step * STEP_LENGTH[state.horizon] - 1)


@inlined
def seen_cell(state, thing, owned, seat, which):
    """The cell of what a seat sees in that place: itself, the others from the next seat on, then the things. Things
    that are `owned`, one by each player, stand likewise, the seat's own first, so that all seats read alike."""
    players = len(state.at)
    if which < players:
        which += seat
        return state.at[which - players if which >= players else which]
    which -= players
    if owned:
        which += seat
        which -= players if which >= players else 0
    return thing(state, which)


@inlined
def write_features(state, thing, things, owned, seat, out):
    """Where I am, where the others and the things are, as places and as offsets from me; then the time."""
    scaled, me = SCALED[state.side], state.at[seat]
    x, y = scaled[me, 0], scaled[me, 1]
    half = np.float32(0.5)
    out[0] = x
    out[1] = y
    at = 2
    for which in range(1, len(state.at) + things):
        cell = np.uint64(seen_cell(state, thing, owned, seat, which))
        across, along = scaled[cell, 0], scaled[cell, 1]
        out[at] = across
        out[at + 1] = along
        out[at + 2] = (across - x) * half
        out[at + 3] = (along - y) * half
        at += 4
    out[at] = time_of(state)


@inlined
def write_planes(state, thing, things, owned, seat, out):
    """Sheets of the grid as the picture shows it, in the features' order: me, the others, the things, the time."""
    side, tokens = state.side, len(state.at) + things
    out[:] = 0.0
    for which in range(tokens):
        cell = seen_cell(state, thing, owned, seat, which)
        out[which, side - 1 - cell // side, cell % side] = 1.0
    out[tokens] = time_of(state)
