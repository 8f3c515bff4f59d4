"""Rules that all grid dilemmas share: moving, respawning, counting events, the row they are kept in.

Each rule is stated once, for any number of players and any grid. The usual game, two players on 5×5, is compiled with
these as constants; every other setup is played by kernels that read it from the row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.core.spec import GameSpec
from mmgames.games._dilemma.setup import (
    HORIZON_BITS,
    LARGEST,
    PAY_BITS,
    PAY_WIDTH,
    PAY_ZERO,
    PLAYERS,
    SIDE,
    SIDE_BITS,
    STEPS,
    Setup,
    check_room,
    code_of,
    setup_from,
    unpacked,
)
from mmgames.kernels.kernel import below, fork, inlined, kernel, per_constant, scramble
from mmgames.kernels.kernel_game import EVERYBODY, NOBODY, Kernel, KernelGame, RowState

CELLS = SIDE * SIDE
RED, BLUE = 0, 1
STAY, RIGHT, LEFT, UP, DOWN = range(5)
ACTIONS = ("<STAY>", "<RIGHT>", "<LEFT>", "<UP>", "<DOWN>")
LEGAL = range(len(ACTIONS))

# The row: the setup, how far the episode is, the points so far, the last moves, where everybody stands (cell = y*side +
# x, origin bottom-left), then the game's things (coins, apples, …), then how often each of its events has happened.
# With two players:
SETUP, STEP, RED_HAS, BLUE_HAS, RED_DID, BLUE_DID, RED_AT, BLUE_AT, THINGS = range(9)
HAS = RED_HAS  # with n players: from here n numbers each for points, moves and places
DRAWN = 1  # new places are drawn by their number in the row, the setup not counted


def _moved(cell: int, action: int, side: int) -> int:
    x, y = cell % side, cell // side
    x += (action == RIGHT) - (action == LEFT)
    y += (action == UP) - (action == DOWN)
    return min(max(y, 0), side - 1) * side + min(max(x, 0), side - 1)


def _moves(side: int) -> list[list[int]]:
    return [[_moved(cell, action, side) for action in LEGAL] for cell in range(side * side)]


def _across(side: int) -> list[float]:
    return [2 * (cell % side) / (side - 1) - 1 for cell in range(side * side)]


def _along(side: int) -> list[float]:
    return [2 * (cell // side) / (side - 1) - 1 for cell in range(side * side)]


def for_all_sides(table: Callable[[int], Any], kind: Any) -> np.ndarray:
    """The tables of all grids in one array, by side."""
    tables = {side: np.array(table(side), kind) for side in range(2, LARGEST + 1)}
    found = np.zeros((LARGEST + 1, *tables[LARGEST].shape), kind)
    for side, one in tables.items():
        found[side, : len(one)] = one
    return found


# Tables for the kernels: the cell after a move (walls clip), and a cell's place scaled to [-1, 1].
MOVED = np.array(_moves(SIDE), np.int32)
ACROSS, ALONG = np.array(_across(SIDE), np.float32), np.array(_along(SIDE), np.float32)
TIME = np.array([2 * step / STEPS - 1 for step in range(STEPS + 1)], np.float32)
ALL_MOVED = for_all_sides(_moves, np.int16)
ALL_ACROSS, ALL_ALONG = for_all_sides(_across, np.float32), for_all_sides(_along, np.float32)


class DilemmaEvent(NamedTuple):
    """Something that can happen between two players: its name in records and what it pays red and blue."""

    name: str
    red: int
    blue: int


class DilemmaView(NamedTuple):
    """Everything is public, so a view is the seat and the row (`seat` is None for a spectator)."""

    seat: Seat | None
    row: tuple[int, ...]


def sizes_of(view: DilemmaView) -> Setup:
    """How many play on which grid and how long; what is paid, only the game's design can tell."""
    return unpacked(view.row[SETUP], ())


@dataclass(frozen=True, eq=False)
class Design:
    """What is a dilemma's own, beside its kernels."""

    pays: Mapping[str, tuple[int, str]]
    """Its payoffs, by the name of their option: how much, and what for."""
    kinds: tuple[str, str, str]
    """What can happen to each of several players, in the order of the payoffs."""
    pair_events: Callable[..., tuple[DilemmaEvent, ...]]
    """What can happen between two, made of the payoffs."""
    more_things: int = 0
    """How many things there are besides one for each player."""

    @property
    def usual(self) -> tuple[int, ...]:
        return tuple(pay for pay, _ in self.pays.values())

    def setup(self, view: DilemmaView) -> Setup:
        """How the game is played that a view is of."""
        return unpacked(view.row[SETUP], self.usual)

    def things(self, setup: Setup) -> int:
        return setup.players + self.more_things

    def event_names(self, setup: Setup) -> tuple[str, ...]:
        """What the row counts, in its order."""
        if setup.is_pair:
            return tuple(event.name for event in self.pair_events(*setup.pays))
        return tuple(f"{role} {kind}" for kind in self.kinds for role in setup.roles)

    def places(self, view: DilemmaView) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Where the players and the things are, and how often each event has happened."""
        setup = self.setup(view)
        at = HAS + 2 * setup.players
        things = at + setup.players
        counts = things + self.things(setup)
        return view.row[at:things], view.row[things:counts], view.row[counts:]


class Dilemma(KernelGame[DilemmaView]):
    """A grid dilemma: subclasses bring a design, the kernel of the usual game and the one of all others."""

    design: ClassVar[Design]
    kernel: Kernel
    varied: ClassVar[Kernel]

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        self.setup = setup_from(self.options, self.design.pays)
        check_room(spec.id, self.setup, self.design.things(self.setup))
        self.kernel = self.kernel_for(self.setup)
        self.settle(seats=self.setup.roles, length=self.setup.horizon)

    @classmethod
    def kernel_for(cls, setup: Setup) -> Kernel:
        return _sized(cls.varied, cls.design, setup) if code_of(setup, cls.design.usual) else cls.kernel

    def view(self, state: RowState, seat: Seat | None) -> DilemmaView:
        return DilemmaView(seat, tuple(state.row.tolist()))

    def outcome(self, state: RowState) -> tuple[int, ...]:
        row, players = state.row.tolist(), self.setup.players
        return (*row[: HAS + players], *row[HAS + 2 * players :])

    def events(self, state: RowState) -> Mapping[str, int]:
        names = self.design.event_names(self.setup)
        return dict(zip(names, state.row[-len(names) :].tolist(), strict=True))


@lru_cache(maxsize=64)
def _sized(varied: Kernel, design: Design, setup: Setup) -> Kernel:
    """The kernel of varied games with the sizes of one of them."""
    things = design.things(setup)
    return replace(
        varied,
        width=HAS + 3 * setup.players + things + len(design.event_names(setup)),
        num_features=_num_features(setup.players, things),
        board=(setup.side, setup.side),
        num_planes=setup.players + things + 1,
        settings=(code_of(setup, design.usual),),
    )


def _num_features(players: int, things: int) -> int:
    return 2 + 4 * (players - 1 + things) + 1


@inlined
def players_of(row):
    return (row[SETUP] & 15) ^ PLAYERS


@inlined
def side_of(row):
    return (row[SETUP] >> SIDE_BITS & 15) ^ SIDE


@inlined
def horizon_of(row):
    return (row[SETUP] >> HORIZON_BITS & 1023) ^ STEPS


@inlined
def pay_of(row, which, usual):
    """What an event pays, the payoff of that number, which usually is `usual`."""
    return (row[SETUP] >> (PAY_BITS + PAY_WIDTH * which) & (2 * PAY_ZERO - 1) ^ (usual + PAY_ZERO)) - PAY_ZERO


@kernel
def turn(row):
    return EVERYBODY if row[STEP] < STEPS else NOBODY


@kernel
def varied_turn(row):
    return EVERYBODY if row[STEP] < horizon_of(row) else NOBODY


@kernel
def returns(row, out):
    out[RED] = row[RED_HAS]
    out[BLUE] = row[BLUE_HAS]


@kernel
def varied_returns(row, out):
    for seat in range(players_of(row)):
        out[seat] = row[HAS + seat]


@per_constant
def free_cell(noise, row, players, things, skip, cells):
    """A random cell with no player and none of the things on it; `skip` is the place in the row being filled."""
    while True:
        cell = below(noise, cells)
        free = True
        for place in range(HAS + 2 * players, HAS + 3 * players + things):
            free &= place == skip or row[place] != cell
        if free:
            return cell
        noise = scramble(noise)


@inlined
def anew(row, place, players, things, cells, noise):
    """Put what is at a place of the row on a free cell."""
    row[place] = free_cell(fork(noise, place - DRAWN), row, players, things, place, cells)


@inlined
def scatter(row, players, things, cells, noise):
    """A fresh position: players and things on distinct cells, nothing done yet."""
    row[STEP:] = 0
    row[HAS + players : HAS + 3 * players + things] = -1
    for place in range(HAS + 2 * players, HAS + 3 * players + things):
        anew(row, place, players, things, cells, noise)


@inlined
def walk(row, actions, players, moved):
    """All players move at once; they may share a cell or swap."""
    for seat in range(players):
        place = HAS + 2 * players + seat
        row[place] = moved[row[place], actions[seat]]
        row[HAS + players + seat] = actions[seat]
    row[STEP] += 1


@inlined
def count(row, players, things, kind, seat, times):
    """An event of one of several players has happened."""
    row[HAS + 3 * players + things + kind * players + seat] += times


@inlined
def write_features(row, seat, players, things, owned, across, along, time, out):
    """Where I am, where the others are and where the things are, as places and as offsets from me; then the time.

    The others stand in the order of their seats, from the one after mine on. Things that are `owned`, one by each
    player, stand likewise, mine first, so that all seats read alike.
    """
    me = row[HAS + 2 * players + seat]
    x, y = across[me], along[me]
    half = np.float32(0.5)
    out[0] = x
    out[1] = y
    at = 2
    for which in range(1, players + things):
        place = which + seat
        if which < players:
            place -= players if place >= players else 0
        elif owned:
            place -= players if place >= 2 * players else 0
        else:
            place = which
        cell = row[HAS + 2 * players + place]
        out[at] = across[cell]
        out[at + 1] = along[cell]
        out[at + 2] = (across[cell] - x) * half
        out[at + 3] = (along[cell] - y) * half
        at += 4
    out[at] = time


@inlined
def write_planes(row, seat, players, things, owned, side, time, out):
    """Sheets of the grid as the picture shows it: me, the others, the things, in the features' order, and the time."""
    out[:] = 0.0
    for which in range(players + things):
        place = which + seat
        if which < players:
            place -= players if place >= players else 0
        elif owned:
            place -= players if place >= 2 * players else 0
        else:
            place = which
        cell = row[HAS + 2 * players + place]
        out[which, side - 1 - cell // side, cell % side] = 1.0
    out[players + things] = time


@inlined
def time_of(row):
    return np.float32(2 * row[STEP] / horizon_of(row) - 1)


# Where each player has one thing of its colour: what begins, what learners see.
@kernel
def owned_start(row, noise):
    scatter(row, PLAYERS, PLAYERS, CELLS, noise)


@kernel
def varied_owned_start(row, noise):
    players, side = players_of(row), side_of(row)
    scatter(row, players, players, side * side, noise)


@kernel
def owned_features(row, seat, out):
    write_features(row, seat, PLAYERS, PLAYERS, True, ACROSS, ALONG, TIME[row[STEP]], out)


@kernel
def varied_owned_features(row, seat, out):
    players, side = players_of(row), side_of(row)
    write_features(row, seat, players, players, True, ALL_ACROSS[side], ALL_ALONG[side], time_of(row), out)


@kernel
def owned_planes(row, seat, out):
    write_planes(row, seat, PLAYERS, PLAYERS, True, SIDE, TIME[row[STEP]], out)


@kernel
def varied_owned_planes(row, seat, out):
    players = players_of(row)
    write_planes(row, seat, players, players, True, side_of(row), time_of(row), out)


OWNED = owned_start, owned_features, owned_planes
VARIED_OWNED = varied_owned_start, varied_owned_features, varied_owned_planes


def dilemma_kernels(design: Design, usual: tuple[Any, ...], varied: tuple[Any, ...]) -> tuple[Kernel, Kernel]:
    """The kernels of a dilemma, as it usually is and varied; each is given as step, start, features and planes."""
    things = PLAYERS + design.more_things
    sizes = THINGS + things + len(design.pair_events(*design.usual)), len(ACTIONS), _num_features(PLAYERS, things)

    def made(whose: Any, paid: Any, step: Any, start: Any, features: Any, planes: Any) -> Kernel:
        board = {"board": (SIDE, SIDE), "planes": planes, "num_planes": PLAYERS + things + 1}
        return Kernel(*sizes, start, whose, None, step, paid, features, **board)

    return made(turn, returns, *usual), made(varied_turn, varied_returns, *varied)
