"""Rules that the commons share: walking, eating, beams, what a player sees, the row they are kept in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.core.spec import GameSpec
from mmgames.games._commons import MOST_PLAYERS, PAYS, ROLES
from mmgames.games._commons.maps import GRASS, GROUNDS, NAMES, SOIL, TERRAIN, WATER, Ground
from mmgames.kernels.kernel import below, fork, inlined, kernel, scramble
from mmgames.kernels.kernel_game import EVERYBODY, NOBODY, Kernel, KernelGame, RowState

ACTIONS = ("<STAY>", "<RIGHT>", "<LEFT>", "<UP>", "<DOWN>", "<FINE>", "<CLEAN>")
STAY, RIGHT, LEFT, UP, DOWN, FINE, CLEAN = range(len(ACTIONS))
EAST, WEST, NORTH, SOUTH = range(4)  # how players face: RIGHT to DOWN, less one
ACROSS, ALONG = np.array([1, -1, 0, 0]), np.array([0, 0, 1, -1])
EATS, FIRES, FINED, CLEANS = range(4)
KINDS = ("eats an apple", "fires the fining beam", "is fined", "cleans a cell")

# The row. Settings come first: chances are in millionths, and what the four rates are, each game says. Then how far
# the episode is, and for each of eight players the place, how it faces, what it did last and how often each event has
# happened to it; then the cells of the map.
MILLION = 1_000_000
PLAYERS, HORIZON, MAP, WIDE, HIGH, VIEW, REACH, SHEETS, PAY = range(9)
PAID = len(PAYS)
RATE = PAY + PAID
RATES = 4
STEP = RATE + RATES
AT = STEP + 1
FACING = AT + MOST_PLAYERS
DID = FACING + MOST_PLAYERS
COUNT = DID + MOST_PLAYERS
GRID = COUNT + len(KINDS) * MOST_PLAYERS

# A cell: what ground it is (two bits), whether an apple or waste is on it, the beams that have just lit it, and who
# stands there, one more than the seat.
GROUND, THING, LIT_FINE, LIT_CLEAN, FRESH = 3, 4, 8, 16, 32
LIT = LIT_FINE | LIT_CLEAN
WHO = 6
HIDDEN = -1
"""A cell that a view does not show, and anything of a player of whom it shows nothing."""

FIRST, FACES, GROWS = 100, 200, 300  # what is drawn from the noise; players are put on the map by their seats


@inlined
def put_on_map(row, noise):
    """A fresh map, and everybody on grass of its own."""
    row[STEP:GRID] = 0
    cells, players = row[WIDE] * row[HIGH], row[PLAYERS]
    for cell in range(cells):
        row[GRID + cell] = TERRAIN[row[MAP], cell]
    for seat in range(players):
        bits = fork(noise, seat)
        cell = below(bits, cells)
        while row[GRID + cell] != GRASS:
            bits = scramble(bits)
            cell = below(bits, cells)
        row[GRID + cell] |= (seat + 1) << WHO
        row[AT + seat] = cell
        row[FACING + seat] = below(fork(noise, FACES + seat), 4)
        row[DID + seat] = -1


@inlined
def cell_at(row, x, y):
    """The cell of a place, -1 beyond the edge."""
    return y * row[WIDE] + x if 0 <= x < row[WIDE] and 0 <= y < row[HIGH] else -1


@inlined
def across(way):
    return ACROSS[way]


@inlined
def along(way):
    return ALONG[way]


@inlined
def count(row, kind, seat):
    row[COUNT + kind * MOST_PLAYERS + seat] += 1


@kernel
def shine(row, seat, kind):
    """A beam of three lines ahead of a player. Each ends at the edge, at the first player and, cleaning, at waste."""
    at, way = row[AT + seat], row[FACING + seat]
    right, up = across(way), along(way)
    light = LIT_FINE if kind == FINE else LIT_CLEAN
    for beside in range(-1, 2):
        for far in range(1, row[REACH] + 1):
            cell = cell_at(row, at % row[WIDE] + far * right + beside * up, at // row[WIDE] + far * up + beside * right)
            if cell < 0:
                break
            row[GRID + cell] |= light
            code = row[GRID + cell]
            if kind == CLEAN and code & GROUND == WATER and code & THING:
                row[GRID + cell] -= THING
                count(row, CLEANS, seat)
                break
            if code >> WHO:
                if kind == FINE:
                    count(row, FINED, (code >> WHO) - 1)
                break


@inlined
def act(row, actions, noise):
    """Players go in turn, a random one first, into cells that are free then, and eat; then those who fire, fire."""
    players = row[PLAYERS]
    for cell in range(GRID, GRID + row[WIDE] * row[HIGH]):
        row[cell] &= ~LIT
    first, beams = below(fork(noise, FIRST), players), 0
    for place in range(players):
        seat = (first + place) % players
        action, at = actions[seat], row[AT + seat]
        row[DID + seat] = action
        if action >= FINE:
            beams += 1
        elif action != STAY:
            way = action - 1
            row[FACING + seat] = way
            to = cell_at(row, at % row[WIDE] + across(way), at // row[WIDE] + along(way))
            if to >= 0 and row[GRID + to] >> WHO == 0:
                row[GRID + at] &= (1 << WHO) - 1
                if row[GRID + to] & GROUND == SOIL and row[GRID + to] & THING:
                    row[GRID + to] -= THING
                    count(row, EATS, seat)
                row[GRID + to] |= (seat + 1) << WHO
                row[AT + seat] = to
    if beams:
        for place in range(players):
            seat = (first + place) % players
            if actions[seat] >= FINE:
                if actions[seat] == FINE:
                    count(row, FIRES, seat)
                shine(row, seat, actions[seat])
    row[STEP] += 1


@kernel
def turn(row):
    return EVERYBODY if row[STEP] < row[HORIZON] else NOBODY


@kernel
def returns(row, out):
    for seat in range(row[PLAYERS]):
        total = 0
        for kind in range(PAID):
            total += row[PAY + kind] * row[COUNT + kind * MOST_PLAYERS + seat]
        out[seat] = total


# Sheets of what a player sees, then single numbers: its place, how it faces, the time.
APPLES, SOILED, OUTSIDE, PEOPLE, BEAMS, WASTE, WET = range(7)
SINGLE = 2 + 4 + 1
ONE = np.float32(1.0)


@inlined
def show(code, me, place, cells, out):
    """What is on a cell, at its place on each of the sheets."""
    if code & GROUND == SOIL:
        out[SOILED * cells + place] = ONE
        if code & THING:
            out[APPLES * cells + place] = ONE
    elif code & GROUND == WATER:
        out[WET * cells + place] = ONE
        if code & THING:
            out[WASTE * cells + place] = ONE
    if code & LIT:
        out[BEAMS * cells + place] = ONE if code & LIT_FINE else -ONE
    if code >> WHO:
        out[PEOPLE * cells + place] = -ONE if code >> WHO == me else ONE


@kernel
def features(row, seat, out):
    """What a player sees around itself, or the whole map where nothing is hidden, line by line from the top."""
    out[:] = 0.0
    at, view, wide, high = row[AT + seat], row[VIEW], row[WIDE], row[HIGH]
    left, top, columns, lines = 0, high - 1, wide, high
    if view > 0:
        left, top, columns, lines = at % wide - view // 2, at // wide + view // 2, view, view
    cells = columns * lines
    first, last = max(left, 0), min(left + columns, wide)
    for line in range(lines):
        y, place = top - line, line * columns
        edge = OUTSIDE * cells + place
        if y < 0 or y >= high:
            for column in range(columns):
                out[edge + column] = ONE
            continue
        for column in range(first - left):
            out[edge + column] = ONE
        for column in range(last - left, columns):
            out[edge + column] = ONE
        for x in range(first, last):
            code = row[GRID + y * wide + x]
            if code != GRASS:  # most are nothing but that
                show(code, seat + 1, place + x - left, cells, out)
    single = row[SHEETS] * cells
    out[single] = np.float32(2 * (at % wide)) / np.float32(wide - 1) - ONE
    out[single + 1] = np.float32(2 * (at // wide)) / np.float32(high - 1) - ONE
    out[single + 2 + row[FACING + seat]] = ONE
    out[single + 6] = np.float32(2 * row[STEP]) / np.float32(row[HORIZON]) - ONE


class CommonsView(NamedTuple):
    """The seat and the row, in which what the seat does not see is HIDDEN (`seat` is None for a spectator)."""

    seat: Seat | None
    row: tuple[int, ...]

    @property
    def ground(self) -> Ground:
        return GROUNDS[self.row[MAP]]

    @property
    def roles(self) -> tuple[str, ...]:
        return ROLES[: self.row[PLAYERS]]

    def counts(self, seat: Seat) -> tuple[int, ...]:
        """How often each event has happened to a player; HIDDEN if that is not known."""
        return self.row[COUNT + seat : GRID : MOST_PLAYERS]


def window(row: Any, seat: Seat | None) -> tuple[int, int, int, int]:
    """What part of the map is shown: its lowest x and y, its width and height; it may reach beyond the edge."""
    view, wide = row[VIEW], row[WIDE]
    if seat is None or not view:
        return 0, 0, wide, row[HIGH]
    at = row[AT + seat]
    return at % wide - view // 2, at // wide - view // 2, view, view


def is_seen(row: np.ndarray, seat: Seat) -> np.ndarray:
    """Which cells of the map a player sees."""
    left, bottom, wide, high = window(row, seat)
    seen = np.zeros((row[HIGH], row[WIDE]), bool)
    seen[max(bottom, 0) : bottom + high, max(left, 0) : left + wide] = True
    return seen.reshape(-1)


def sheet_shape(row: Any) -> tuple[int, int]:
    """Lines and columns of what a player sees."""
    return (row[VIEW], row[VIEW]) if row[VIEW] else (row[HIGH], row[WIDE])


def functions(start: Any, step: Any) -> dict[str, Any]:
    """The kernels of a commons, of which two are its own."""
    return dict(start=start, turn=turn, moves=None, step=step, returns=returns, features=features)


class Commons(KernelGame[CommonsView]):
    """A commons: subclasses bring their kernels and rates, and how many actions and sheets they have."""

    functions: ClassVar[Mapping[str, Any]]
    actions: ClassVar[int]
    sheets: ClassVar[int]

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        chosen = self.options
        which = NAMES.index(chosen["map"])
        ground = GROUNDS[which]
        settings = (
            *(chosen["players"], chosen["horizon"], which, ground.wide, ground.high, chosen["view"], chosen["reach"]),
            *(self.sheets, *(chosen[pay] for pay in PAYS), *self.rates()),
        )
        lines, columns = sheet_shape(settings)
        self.kernel = Kernel(
            width=GRID + len(ground.terrain),
            num_actions=self.actions,
            num_features=self.sheets * lines * columns + SINGLE,
            **self.functions,
            settings=settings,
            board=(lines, columns),
        )
        self.settle(
            seats=ROLES[: chosen["players"]],
            length=chosen["horizon"],
            information="imperfect" if chosen["view"] else "perfect",
        )

    def rates(self) -> tuple[int, ...]:
        """The four rates of the row."""
        raise NotImplementedError

    def view(self, state: RowState, seat: Seat | None) -> CommonsView:
        row = state.row
        if seat is None or not row[VIEW]:
            return CommonsView(seat, tuple(row.tolist()))
        seen = is_seen(row, seat)
        shown = row.copy()
        shown[GRID:][~seen] = HIDDEN
        for other in range(row[PLAYERS]):
            if other != seat:
                shown[COUNT + other : GRID : MOST_PLAYERS] = shown[DID + other] = HIDDEN
                if not seen[row[AT + other]]:
                    shown[AT + other] = shown[FACING + other] = HIDDEN
        return CommonsView(seat, tuple(shown.tolist()))

    def imagine(self, state: RowState, seat: Seat, rng: np.random.Generator) -> RowState:
        """Apples and waste out of sight are there or not, players out of sight are anywhere there, and what others
        have done may be anything."""
        if not state.row[VIEW]:
            return state
        row = state.row.copy()
        hidden = np.flatnonzero(~is_seen(row, seat))
        grid = row[GRID:]
        grid[hidden] &= GROUND
        can_hold = hidden[grid[hidden] != GRASS]
        grid[can_hold] |= THING * rng.integers(2, size=len(can_hold))
        free = rng.permutation(hidden).tolist()
        for other in range(row[PLAYERS]):
            if other == seat:
                continue
            row[DID + other] = rng.integers(self.actions) if row[STEP] else -1
            row[COUNT + other : GRID : MOST_PLAYERS] = rng.integers(row[STEP] + 1, size=len(KINDS))
            if row[AT + other] in hidden:
                cell = free.pop()
                if grid[cell] & GROUND == SOIL:
                    grid[cell] &= GROUND
                grid[cell] |= (other + 1) << WHO
                row[AT + other], row[FACING + other] = cell, rng.integers(4)
        return RowState(row)

    def outcome(self, state: RowState) -> tuple[int, ...]:
        row = state.row.tolist()
        return (*row[:DID], *row[COUNT:])

    def events(self, state: RowState) -> Mapping[str, int]:
        row, kinds = state.row.tolist(), KINDS if self.actions > CLEAN else KINDS[:CLEANS]
        return {
            f"{role} {kind}": row[COUNT + which * MOST_PLAYERS + seat]
            for seat, role in enumerate(self.seats)
            for which, kind in enumerate(kinds)
        }
