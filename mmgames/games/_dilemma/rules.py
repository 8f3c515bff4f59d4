"""Rules that all grid dilemmas share: moving, respawning, counting events, the row they are kept in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.kernels.kernel import below, fork, kernel, per_constant, scramble
from mmgames.kernels.kernel_game import EVERYBODY, NOBODY, Kernel, KernelGame, RowState

SIDE = 5
CELLS = SIDE * SIDE
STEPS = 50
RED, BLUE = 0, 1
STAY, RIGHT, LEFT, UP, DOWN = range(5)
ACTIONS = ("<STAY>", "<RIGHT>", "<LEFT>", "<UP>", "<DOWN>")
LEGAL = range(len(ACTIONS))
BOTH = (RED, BLUE)

# The row: how far the episode is, the points so far, the last moves, where everybody stands (cell = y*5 + x, origin
# bottom-left), then the game's things (coins, apples, …), then how often each of its events has happened.
STEP, RED_HAS, BLUE_HAS, RED_DID, BLUE_DID, RED_AT, BLUE_AT, THINGS = range(8)


def _moved(cell: int, action: int) -> int:
    x, y = cell % SIDE, cell // SIDE
    x += (action == RIGHT) - (action == LEFT)
    y += (action == UP) - (action == DOWN)
    return min(max(y, 0), SIDE - 1) * SIDE + min(max(x, 0), SIDE - 1)


# Tables for the kernels: the cell after a move (walls clip), and a cell's place scaled to [-1, 1].
MOVED = np.array([[_moved(cell, action) for action in LEGAL] for cell in range(CELLS)], np.int32)
ACROSS = np.array([2 * (cell % SIDE) / (SIDE - 1) - 1 for cell in range(CELLS)], np.float32)
ALONG = np.array([2 * (cell // SIDE) / (SIDE - 1) - 1 for cell in range(CELLS)], np.float32)
TIME = np.array([2 * step / STEPS - 1 for step in range(STEPS + 1)], np.float32)


class DilemmaEvent(NamedTuple):
    """Something that can happen: its name in records and what it pays red and blue."""

    name: str
    red: int
    blue: int


class DilemmaView(NamedTuple):
    """Everything is public, so a view is the seat and the row (`seat` is None for a spectator)."""

    seat: Seat | None
    row: tuple[int, ...]


class Dilemma(KernelGame[DilemmaView]):
    """A grid dilemma: subclasses bring a kernel, the number of things and the table of events."""

    things: ClassVar[int]
    events_table: ClassVar[tuple[DilemmaEvent, ...]]

    def view(self, state: RowState, seat: Seat | None) -> DilemmaView:
        return DilemmaView(seat, tuple(state.row.tolist()))

    def outcome(self, state: RowState) -> tuple[int, ...]:
        row = state.row.tolist()
        return (*row[:RED_DID], *row[RED_AT:])

    def events(self, state: RowState) -> Mapping[str, int]:
        counts = state.row[THINGS + self.things :].tolist()
        return {event.name: count for event, count in zip(self.events_table, counts, strict=True)}


def payoffs(events: Sequence[DilemmaEvent]) -> np.ndarray:
    """The events' payments as the array a kernel reads."""
    return np.array([(event.red, event.blue) for event in events])


@kernel
def turn(row):
    return EVERYBODY if row[STEP] < STEPS else NOBODY


@kernel
def returns(row, out):
    out[RED] = row[RED_HAS]
    out[BLUE] = row[BLUE_HAS]


@per_constant
def free_cell(noise, row, things, skip):
    """A random cell with no player and none of the things on it; `skip` is the place in the row being filled."""
    taken = np.uint32(0)
    for place in range(RED_AT, THINGS + things):
        if place != skip and row[place] >= 0:
            taken |= np.uint32(1) << np.uint32(row[place])
    while True:
        cell = below(noise, CELLS)
        if not (taken >> np.uint32(cell)) & np.uint32(1):
            return cell
        noise = scramble(noise)


@kernel
def scatter(row, things, noise):
    """A fresh position: players and things on distinct cells, nothing done yet."""
    row[:] = 0
    row[RED_DID : THINGS + things] = -1
    for place in range(RED_AT, THINGS + things):
        row[place] = free_cell(fork(noise, place), row, things, place)


@kernel
def walk(row, actions):
    """Both players move at once; they may share a cell or swap."""
    row[RED_AT] = MOVED[row[RED_AT], actions[RED]]
    row[BLUE_AT] = MOVED[row[BLUE_AT], actions[BLUE]]
    row[RED_DID] = actions[RED]
    row[BLUE_DID] = actions[BLUE]
    row[STEP] += 1


@per_constant
def happen(row, event, things, payoff):
    """Count an event and pay for it."""
    row[THINGS + things + event] += 1
    for seat in BOTH:
        row[RED_HAS + seat] += payoff[event, seat]


@kernel
def write_features(row, seat, things, swap, out):
    """Where I am, where the other is and where the things are, as places and as offsets from me; then the time.

    `swap` puts the two first things in the order mine, theirs, so that both seats read alike.
    """
    me = row[RED_AT + seat]
    x, y = ACROSS[me], ALONG[me]
    half = np.float32(0.5)
    out[0] = x
    out[1] = y
    at = 2
    for which in range(things + 1):
        if which == 0:
            cell = row[BLUE_AT - seat]
        elif swap and which <= 2 and seat == BLUE:
            cell = row[THINGS + 2 - which]
        else:
            cell = row[THINGS + which - 1]
        out[at] = ACROSS[cell]
        out[at + 1] = ALONG[cell]
        out[at + 2] = (ACROSS[cell] - x) * half
        out[at + 3] = (ALONG[cell] - y) * half
        at += 4
    out[at] = TIME[row[STEP]]


@kernel
def write_planes(row, seat, things, swap, out):
    """Sheets of the grid as the picture shows it: me, the other, each of the things, and one filled with the time."""
    out[:] = 0.0
    for which in range(things + 2):
        if which < 2:
            cell = row[RED_AT + seat] if which == 0 else row[BLUE_AT - seat]
        elif swap and which <= 3 and seat == BLUE:
            cell = row[THINGS + 3 - which]
        else:
            cell = row[THINGS + which - 2]
        out[which, SIDE - 1 - cell // SIDE, cell % SIDE] = 1.0
    out[things + 2] = TIME[row[STEP]]


def dilemma_kernel(things, events, start, step, features, planes) -> Kernel:  # type: ignore[no-untyped-def]
    """The kernel of a dilemma: what is its own, and what all of them share."""
    width = THINGS + things + len(events)
    return Kernel(
        *(width, len(ACTIONS), 2 + 4 * (things + 1) + 1, start, turn, None, step, returns, features),
        board=(SIDE, SIDE),
        planes=planes,
        num_planes=things + 3,
    )
