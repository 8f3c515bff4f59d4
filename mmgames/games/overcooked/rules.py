"""Overcooked: two chefs, onion soup, one kernel for all kitchens and both ways of counting points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.core.spec import GameSpec
from mmgames.games.overcooked.layouts import (
    ACROSS,
    AHEAD,
    ALONG,
    COUNTER,
    COUNTERS,
    DISHES,
    FLOOR,
    HATCH,
    KITCHENS,
    MOST_COUNTERS,
    MOST_POTS,
    NAMES,
    NEAREST,
    ONIONS,
    PART_SIZES,
    PARTS,
    POT,
    POT_AT,
    POTS,
    SLOT,
    SLOTS,
    STARTS,
    TERRAIN,
    UP,
    WIDE,
    Kitchen,
)
from mmgames.kernels.kernel import below, kernel, scramble
from mmgames.kernels.kernel_game import EVERYBODY, NOBODY, Kernel, KernelGame, RowState

CHEFS = (0, 1)
ACTIONS = ("<UP>", "<DOWN>", "<RIGHT>", "<LEFT>", "<STAY>", "<INTERACT>")
LEGAL = range(len(ACTIONS))
STAY, INTERACT = 4, 5
RULES = ("paper", "released")
PAPER, RELEASED = range(2)
STARTS_FROM = ("fixed", "random")

# What hands and counters hold. A soup of n onions is DISH + n.
NOTHING, ONION, DISH = range(3)
FULL = 3
SOUP = DISH + FULL

IDLE = -1  # the clock of a pot that does not cook

POTTED, FETCHED, PLATED, SERVED = range(4)
EVENTS = ("onion into a pot", "dish taken for a pot in use", "soup plated", "soup served")
PAYS = np.array([(2, 2, 2, 10), (3, 3, 5, 10)], np.int32)  # by rules and event

# The row. Settings come first; then how far the episode is, the points, the last three joint actions (newest first),
# the chefs, how often each event has happened (chef 0, then chef 1), the clocks of the pots, and what stands in the
# pots (a number of onions) and on the counters (an item).
REMEMBERED = 3
LAYOUT, COUNTING, HORIZON, COOK_TIME, ANYWHERE = SETTINGS = range(5)
STEP, POINTS, DID = 5, 6, 7
AT = DID + 2 * REMEMBERED
FACING = AT + 2
HOLDS = FACING + 2
HAPPENED = HOLDS + 2
CLOCK = HAPPENED + 2 * len(EVENTS)
STUFF = CLOCK + MOST_POTS
WIDTH = STUFF + SLOTS


@kernel
def mix_up(row, noise):
    """Chefs anywhere in their parts of the kitchen, half of their hands and half of the pots with something in them."""
    layout = row[LAYOUT]
    for chef in CHEFS:
        while True:
            noise = scramble(noise)
            row[AT + chef] = PARTS[layout, chef, below(noise, PART_SIZES[layout, chef])]
            if chef == 0 or row[AT] != row[AT + 1]:
                break
        noise = scramble(noise)
        row[FACING + chef] = below(noise, 4)
        noise = scramble(noise)
        drawn = below(noise, 6)
        row[HOLDS + chef] = NOTHING if drawn < 3 else ONION if drawn == 3 else DISH if drawn == 4 else SOUP
    for pot in range(POTS[layout]):
        noise = scramble(noise)
        row[STUFF + pot] = max(0, below(noise, 2 * FULL) - FULL + 1)
        noise = scramble(noise)
        if row[STUFF + pot] == FULL:
            row[CLOCK + pot] = below(noise, row[COOK_TIME] + 2) + IDLE


@kernel
def start(row, noise):
    layout = row[LAYOUT]
    row[STEP:] = 0
    row[DID:AT] = -1
    row[CLOCK:STUFF] = IDLE
    for chef in CHEFS:
        row[AT + chef] = STARTS[layout, chef]
        row[FACING + chef] = UP
    if row[ANYWHERE]:
        mix_up(row, noise)


@kernel
def pots_in_use(row):
    """How many pots make a dish worth taking, before anybody acts."""
    used = 0
    for pot in range(POTS[row[LAYOUT]]):
        onions = row[STUFF + pot]
        # overcooked_ai does not count a full pot that nobody has started.
        if onions > 0 and (row[COUNTING] == PAPER or onions < FULL or row[CLOCK + pot] != IDLE):
            used += 1
    return used


@kernel
def dish_pays(row, used):
    """Whether a dish from the stack is paid for, with this many pots in use."""
    if row[COUNTING] == PAPER:
        return used > 0
    # overcooked_ai also wants no dish on a counter and fewer dishes in hands than pots in use.
    for slot in range(MOST_POTS, MOST_POTS + COUNTERS[row[LAYOUT]]):
        if row[STUFF + slot] == DISH:
            return False
    return (row[HOLDS] == DISH) + (row[HOLDS + 1] == DISH) < used


@kernel
def happen(row, chef, event):
    """Count an event; the points it pays."""
    row[HAPPENED + len(EVENTS) * chef + event] += 1
    return PAYS[row[COUNTING], event]


@kernel
def interact(row, chef, used):
    """What a chef does to the thing before it; the points for that."""
    layout = row[LAYOUT]
    cell = AHEAD[row[AT + chef], row[FACING + chef]]
    kind, holds = TERRAIN[layout, cell], row[HOLDS + chef]
    if kind == COUNTER:
        there = STUFF + SLOT[layout, cell]
        if (holds == NOTHING) != (row[there] == NOTHING):
            row[HOLDS + chef], row[there] = row[there], holds
    elif kind == ONIONS:
        if holds == NOTHING:
            row[HOLDS + chef] = ONION
    elif kind == DISHES:
        if holds == NOTHING:
            paid = happen(row, chef, FETCHED) if dish_pays(row, used) else 0
            row[HOLDS + chef] = DISH
            return paid
    elif kind == POT:
        pot = SLOT[layout, cell]
        onions, clock = row[STUFF + pot], row[CLOCK + pot]
        if holds == NOTHING:
            if clock == IDLE and onions > 0:
                row[CLOCK + pot] = 0
        elif holds == ONION:
            if clock == IDLE and onions < FULL:
                row[STUFF + pot] += 1
                row[HOLDS + chef] = NOTHING
                return happen(row, chef, POTTED)
        elif holds == DISH and clock >= row[COOK_TIME]:
            row[HOLDS + chef] = DISH + onions
            row[STUFF + pot] = 0
            row[CLOCK + pot] = IDLE
            return happen(row, chef, PLATED)
    elif kind == HATCH and holds > DISH:
        row[HOLDS + chef] = NOTHING
        if holds == SOUP:  # a soup of fewer onions is on no order and pays nothing
            return happen(row, chef, SERVED)
    return 0


@kernel
def ahead(row, chef, action):
    """The cell a chef wants to be on after its action. Turns the chef, who may find something in the way."""
    at = row[AT + chef]
    if action >= STAY:
        return at
    row[FACING + chef] = action
    cell = AHEAD[at, action]
    return cell if TERRAIN[row[LAYOUT], cell] == FLOOR else at


@kernel
def step(row, actions, noise):
    points = 0
    if actions[0] == INTERACT or actions[1] == INTERACT:
        used = pots_in_use(row)
        for chef in CHEFS:  # of two chefs at one thing, chef 0 is first
            if actions[chef] == INTERACT:
                points += interact(row, chef, used)
    first, second = ahead(row, 0, actions[0]), ahead(row, 1, actions[1])
    if first != second and not (first == row[AT + 1] and second == row[AT]):
        row[AT] = first
        row[AT + 1] = second
    for pot in range(MOST_POTS):
        if row[CLOCK + pot] != IDLE and row[CLOCK + pot] < row[COOK_TIME]:
            row[CLOCK + pot] += 1
    for older in range(AT - 1, DID + 1, -1):
        row[older] = row[older - 2]
    for chef in CHEFS:
        row[DID + chef] = actions[chef]
    row[POINTS] += points
    row[STEP] += 1


@kernel
def turn(row):
    return EVERYBODY if row[STEP] < row[HORIZON] else NOBODY


@kernel
def returns(row, out):
    out[:] = row[POINTS]


@kernel
def sparse(row, out):
    """What was served; all else is paid to show the way there."""
    served = row[HAPPENED + SERVED] + row[HAPPENED + len(EVENTS) + SERVED]
    out[:] = PAYS[row[COUNTING], SERVED] * served


# Me and the other chef, each with place or offset, facing and hands; then, from AROUND on, the rest.
PER_CHEF = 9
AROUND = 2 * PER_CHEF
PER_POT = 6
NUM_FEATURES = AROUND + 4 + 5 + NEAREST.shape[2] + PER_POT * MOST_POTS + MOST_COUNTERS + 1


@kernel
def features(row, seat, out):
    """What the chef in `seat` can know, from where it stands."""
    out[:] = 0.0
    layout, me, other = row[LAYOUT], row[AT + seat], row[AT + 1 - seat]
    half = np.float32(0.5)
    x, y = ACROSS[me], ALONG[me]
    out[0] = x
    out[1] = y
    out[PER_CHEF] = (ACROSS[other] - x) * half
    out[PER_CHEF + 1] = (ALONG[other] - y) * half
    for which in CHEFS:
        chef = seat if which == 0 else 1 - seat
        at = which * PER_CHEF + 2
        out[at + row[FACING + chef]] = 1.0
        holds = row[HOLDS + chef]
        if holds > DISH:
            out[at + 6] = np.float32(holds - DISH) / FULL
        elif holds != NOTHING:
            out[at + 3 + holds] = 1.0
    at = AROUND
    for way in range(4):
        cell = AHEAD[me, way]
        out[at + way] = TERRAIN[layout, cell] == FLOOR and cell != other
    at += 4
    faced = TERRAIN[layout, AHEAD[me, row[FACING + seat]]]
    if faced != FLOOR:
        out[at + faced - COUNTER] = 1.0
    at += 5
    for i in range(NEAREST.shape[2]):
        out[at + i] = NEAREST[layout, me, i]
    at += NEAREST.shape[2]
    for pot in range(POTS[layout]):
        cell, clock = POT_AT[layout, pot], row[CLOCK + pot]
        out[at] = 1.0
        out[at + 1] = (ACROSS[cell] - x) * half
        out[at + 2] = (ALONG[cell] - y) * half
        out[at + 3] = np.float32(row[STUFF + pot]) / FULL
        if clock != IDLE:
            out[at + 4] = np.float32(clock) / row[COOK_TIME]
            out[at + 5] = clock >= row[COOK_TIME]
        at += PER_POT
    at = NUM_FEATURES - 1 - MOST_COUNTERS
    for counter in range(COUNTERS[layout]):
        out[at + counter] = np.float32(row[STUFF + MOST_POTS + counter]) / SOUP
    out[NUM_FEATURES - 1] = np.float32(2 * row[STEP]) / row[HORIZON] - np.float32(1.0)


# Sheets of the kitchen: for me and the other chef where it is, its facing (4) and its hands (3); then the kinds of
# terrain (5); in pots onions, clock and whether it is done (3); onions, dishes and soups on counters (3); the time.
SHEETS_PER_CHEF = 8
FIXTURES = 2 * SHEETS_PER_CHEF
NUM_PLANES = FIXTURES + 5 + 3 + 3 + 1


@kernel
def put_item(out, first, y, x, item):
    """An onion, a dish or a soup, which counts by its onions, on one of three sheets."""
    if item > DISH:
        out[first + 2, y, x] = np.float32(item - DISH) / FULL
    elif item != NOTHING:
        out[first + item - ONION, y, x] = 1.0


@kernel
def planes(row, seat, out):
    """The kitchen as the picture shows it, seen by the chef in `seat`."""
    out[:] = 0.0
    layout, high, wide = row[LAYOUT], out.shape[1], out.shape[2]
    for which in CHEFS:
        chef = seat if which == 0 else 1 - seat
        first, holds = which * SHEETS_PER_CHEF, row[HOLDS + chef]
        y, x = row[AT + chef] // WIDE, row[AT + chef] % WIDE
        out[first, y, x] = 1.0
        out[first + 1 + row[FACING + chef], y, x] = 1.0
        put_item(out, first + 5, y, x, holds)
    for y in range(high):
        for x in range(wide):
            cell = y * WIDE + x
            kind = TERRAIN[layout, cell]
            if kind == FLOOR:
                continue
            out[FIXTURES + kind - COUNTER, y, x] = 1.0
            if kind == POT and SLOT[layout, cell] >= 0:
                pot = SLOT[layout, cell]
                clock = row[CLOCK + pot]
                out[FIXTURES + 5, y, x] = np.float32(row[STUFF + pot]) / FULL
                if clock != IDLE:
                    out[FIXTURES + 6, y, x] = np.float32(clock) / row[COOK_TIME]
                    out[FIXTURES + 7, y, x] = clock >= row[COOK_TIME]
            elif kind == COUNTER and SLOT[layout, cell] >= 0:
                put_item(out, FIXTURES + 8, y, x, row[STUFF + SLOT[layout, cell]])
    out[NUM_PLANES - 1] = np.float32(2 * row[STEP]) / row[HORIZON] - np.float32(1.0)


class OvercookedView(NamedTuple):
    """Everything is public, so a view is the seat and the row (`seat` is None for a spectator)."""

    seat: Seat | None
    row: tuple[int, ...]

    @property
    def kitchen(self) -> Kitchen:
        return KITCHENS[self.row[LAYOUT]]


# What stands on a tile, as `cells` writes it: first the kinds of terrain, a counter and a pot being empty then.
RAW = HATCH  # a pot with n onions that was not started is RAW + n
COOKING = RAW + FULL + 1
DONE = COOKING + 1
LYING = DONE  # an onion on a counter is LYING + ONION, a dish LYING + DISH, and any soup is one more
CHEF = LYING + DISH + 2  # chef_0; chef_1 is one more


def cells(view: OvercookedView) -> tuple[tuple[int, ...], ...]:
    """The rows of the kitchen from the top: 0 floor, 1 counter, 2 onions, 3 dishes, 4 pot, 5 hatch, 6 to 8 a pot with
    raw onions, 9 a pot that cooks, 10 one that is done, 11 to 13 a counter with an onion, a dish or a soup, 14 and 15
    the chefs."""
    row, kitchen = view.row, view.kitchen
    codes = list(kitchen.terrain)
    for pot, cell in enumerate(kitchen.pots):
        onions, clock = row[STUFF + pot], row[CLOCK + pot]
        if clock != IDLE:
            codes[cell] = DONE if clock >= row[COOK_TIME] else COOKING
        elif onions:
            codes[cell] = RAW + onions
    for item, cell in zip(row[STUFF + MOST_POTS :], kitchen.counters, strict=False):
        if item != NOTHING:
            codes[cell] = LYING + min(item, DISH + 1)
    for chef in CHEFS:
        codes[row[AT + chef]] = CHEF + chef
    return tuple(tuple(codes[y * WIDE : y * WIDE + kitchen.width]) for y in range(kitchen.height))


class Overcooked(KernelGame[OvercookedView]):
    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        chosen = self.options
        kitchen = KITCHENS[NAMES.index(chosen["layout"])]
        anywhere = STARTS_FROM.index(chosen["starts"])
        if anywhere:
            self.settle(chance="incidental")
        self.kernel = Kernel(
            *(WIDTH, len(ACTIONS), NUM_FEATURES, start, turn, None, step, returns, features),
            settings=(
                *(NAMES.index(kitchen.name), RULES.index(chosen["rules"]), chosen["horizon"], chosen["cook_time"]),
                anywhere,
            ),
            board=(kitchen.height, kitchen.width),
            planes=planes,
            num_planes=NUM_PLANES,
            sparse=sparse,
        )

    def view(self, state: RowState, seat: Seat | None) -> OvercookedView:
        return OvercookedView(seat, tuple(state.row.tolist()))

    def outcome(self, state: RowState) -> tuple[int, ...]:
        row = state.row.tolist()
        return (*row[:DID], *row[AT:])

    def parts(self, state: RowState) -> Mapping[str, Sequence[float]]:
        counts, pays = state.row[HAPPENED:CLOCK].reshape(len(CHEFS), -1).sum(0), PAYS[state.row[COUNTING]]
        return {event: (float(count * pay),) * 2 for event, count, pay in zip(EVENTS, counts, pays, strict=True)}

    def events(self, state: RowState) -> Mapping[str, int]:
        counts = state.row[HAPPENED:CLOCK].tolist()
        return {f"{chef}: {event}": counts.pop(0) for chef in self.seats for event in EVENTS}
