"""Overcooked: two chefs, onion soup, one kernel for all kitchens and both ways of counting points."""

from collections.abc import Mapping, Sequence
from itertools import chain
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
    NUMBER,
    ONIONS,
    PART_SIZES,
    PARTS,
    POT,
    POT_AT,
    POTS,
    STARTS,
    TERRAIN,
    UP,
    WIDE,
    Kitchen,
)
from mmgames.kernels.kernel import below, inlined, kernel, scramble
from mmgames.kernels.kernel_game import EVERYBODY, NOBODY, Kernel, KernelGame
from mmgames.kernels.records import RecordState, blank_state, bool_, int8, int16, int32, record

CHEFS = (0, 1)
ACTIONS = ("<UP>", "<DOWN>", "<RIGHT>", "<LEFT>", "<STAY>", "<INTERACT>")
LEGAL = range(len(ACTIONS))
STAY, INTERACT = 4, 5
RULES = ("paper", "released")
PAPER, RELEASED = range(2)

# What hands and counters hold. A soup of n onions is DISH + n.
NOTHING, ONION, DISH = range(3)
FULL = 3
SOUP = DISH + FULL

IDLE = -1  # the clock of a pot that does not cook
NOT_YET = -1  # what a chef did before the first step

POTTED, FETCHED, PLATED, SERVED = range(4)
EVENTS = ("onion into a pot", "dish taken for a pot in use", "soup plated", "soup served")
PAYS = np.array([(2, 2, 2, 10), (3, 3, 5, 10)], np.int32)  # by rules and event

REMEMBERED = 3
KITCHEN = record(
    layout=int8, counting=int8, horizon=int16, cook_time=int16, anywhere=bool_,
    step=int16, points=int32, happened=(int16, (len(CHEFS), len(EVENTS))),
    did=(int8, (REMEMBERED, len(CHEFS))),  # the last joint actions, the newest first
    at=(int8, len(CHEFS)), facing=(int8, len(CHEFS)), holds=(int8, len(CHEFS)),
    onions=(int8, MOST_POTS), clock=(int16, MOST_POTS),
    lies=(int8, MOST_COUNTERS),  # on each counter
)  # fmt: skip


@kernel
def start(state, noise):
    state.step = state.points = 0
    state.did[:, :] = NOT_YET
    state.happened[:, :] = 0
    state.onions[:] = 0
    state.clock[:] = IDLE
    state.lies[:] = NOTHING
    for chef in CHEFS:
        state.at[chef] = STARTS[state.layout, chef]
        state.facing[chef] = UP
        state.holds[chef] = NOTHING
    if state.anywhere:
        mix_up(state, noise)


@inlined
def mix_up(state, noise):
    """Chefs anywhere in their parts of the kitchen, half of their hands and half of the pots with something in them."""
    layout = state.layout
    for chef in CHEFS:
        while True:
            noise = scramble(noise)
            state.at[chef] = PARTS[layout, chef, below(noise, PART_SIZES[layout, chef])]
            if chef == 0 or state.at[0] != state.at[1]:
                break
        noise = scramble(noise)
        state.facing[chef] = below(noise, 4)
        noise = scramble(noise)
        drawn = below(noise, 6)
        state.holds[chef] = NOTHING if drawn < 3 else ONION if drawn == 3 else DISH if drawn == 4 else SOUP
    for pot in range(POTS[layout]):
        noise = scramble(noise)
        state.onions[pot] = max(0, below(noise, 2 * FULL) - FULL + 1)
        noise = scramble(noise)
        if state.onions[pot] == FULL:
            state.clock[pot] = below(noise, state.cook_time + 2) + IDLE


@kernel
def turn(state):
    return EVERYBODY if state.step < state.horizon else NOBODY


@kernel
def step(state, actions, noise):
    """First what the chefs interact with, then how they move, then the pots cook."""
    if actions[0] == INTERACT or actions[1] == INTERACT:
        used = pots_in_use(state)
        for chef in CHEFS:  # of two chefs at one thing, chef 0 is first
            if actions[chef] == INTERACT:
                interact(state, chef, used)
    walk(state, actions)
    for pot in range(MOST_POTS):
        if state.clock[pot] != IDLE and state.clock[pot] < state.cook_time:
            state.clock[pot] += 1
    for chef in CHEFS:
        for age in range(REMEMBERED - 1, 0, -1):
            state.did[age, chef] = state.did[age - 1, chef]
        state.did[0, chef] = actions[chef]
    state.step += 1


@kernel
def walk(state, actions):
    """Chefs who would end on the same tile, or would swap tiles, both stay where they are."""
    first, second = turn_chef(state, 0, actions[0]), turn_chef(state, 1, actions[1])
    if first != second and not (first == state.at[1] and second == state.at[0]):
        state.at[0] = first
        state.at[1] = second


@kernel
def turn_chef(state, chef, action):
    """The cell a chef wants to be on after its action. Turns the chef, who may find something in the way."""
    at = state.at[chef]
    if action >= STAY:
        return at
    state.facing[chef] = action
    cell = AHEAD[at, action]
    return cell if TERRAIN[state.layout, cell] == FLOOR else at


@inlined
def pots_in_use(state):
    """How many pots make a dish worth taking, before anybody acts."""
    used = 0
    for pot in range(POTS[state.layout]):
        onions = state.onions[pot]
        # overcooked_ai does not count a full pot that nobody has started.
        if onions > 0 and (state.counting == PAPER or onions < FULL or state.clock[pot] != IDLE):
            used += 1
    return used


@inlined
def interact(state, chef, used):
    """What a chef does to the thing before it."""
    cell = AHEAD[state.at[chef], state.facing[chef]]
    kind, number, holds = TERRAIN[state.layout, cell], NUMBER[state.layout, cell], state.holds[chef]
    if kind == COUNTER:
        if (holds == NOTHING) != (state.lies[number] == NOTHING):  # put it down, or pick it up
            state.holds[chef], state.lies[number] = state.lies[number], holds
    elif kind == POT:
        use_pot(state, chef, number)
    elif kind == ONIONS and holds == NOTHING:
        state.holds[chef] = ONION
    elif kind == DISHES and holds == NOTHING:
        if dish_pays(state, used):
            earn(state, chef, FETCHED)
        state.holds[chef] = DISH
    elif kind == HATCH and holds > DISH:
        state.holds[chef] = NOTHING
        if holds == SOUP:  # a soup of fewer onions is on no order and pays nothing
            earn(state, chef, SERVED)


@inlined
def use_pot(state, chef, pot):
    """Free hands start it, an onion goes in, a dish is filled."""
    holds, onions, clock = state.holds[chef], state.onions[pot], state.clock[pot]
    if holds == NOTHING and clock == IDLE and onions > 0:
        state.clock[pot] = 0
    elif holds == ONION and clock == IDLE and onions < FULL:
        state.onions[pot] += 1
        state.holds[chef] = NOTHING
        earn(state, chef, POTTED)
    elif holds == DISH and clock >= state.cook_time:
        state.holds[chef] = DISH + onions
        state.onions[pot] = 0
        state.clock[pot] = IDLE
        earn(state, chef, PLATED)


@inlined
def dish_pays(state, used):
    """Whether a dish from the stack is paid for, with this many pots in use."""
    if state.counting == PAPER:
        return used > 0
    # overcooked_ai also wants no dish on a counter and fewer dishes in hands than pots in use.
    for counter in range(COUNTERS[state.layout]):
        if state.lies[counter] == DISH:
            return False
    return (state.holds[0] == DISH) + (state.holds[1] == DISH) < used


@inlined
def earn(state, chef, event):
    """Count an event; both get the points it pays."""
    state.happened[chef, event] += 1
    state.points += PAYS[state.counting, event]


@kernel
def returns(state, out):
    out[:] = state.points


@kernel
def sparse(state, out):
    """What was served; all else is reward shaping."""
    out[:] = PAYS[state.counting, SERVED] * (state.happened[0, SERVED] + state.happened[1, SERVED])


# Me and the other chef, each with place or offset, facing and hands; then, from AROUND on, the rest.
PER_CHEF = 9
AROUND = 2 * PER_CHEF
PER_POT = 6
NUM_FEATURES = AROUND + 4 + 5 + NEAREST.shape[2] + PER_POT * MOST_POTS + MOST_COUNTERS + 1


@kernel
def features(state, seat, out):
    """What the chef in `seat` can know, from where it stands."""
    out[:] = 0.0
    layout, me, other = state.layout, state.at[seat], state.at[1 - seat]
    half = np.float32(0.5)
    x, y = ACROSS[me], ALONG[me]
    out[0] = x
    out[1] = y
    out[PER_CHEF] = (ACROSS[other] - x) * half
    out[PER_CHEF + 1] = (ALONG[other] - y) * half
    for which in CHEFS:
        chef = seat if which == 0 else 1 - seat
        at = which * PER_CHEF + 2
        out[at + state.facing[chef]] = 1.0
        holds = state.holds[chef]
        if holds > DISH:
            out[at + 6] = (holds - DISH) / FULL
        elif holds != NOTHING:
            out[at + 3 + holds] = 1.0
    at = AROUND
    for way in range(4):
        cell = AHEAD[me, way]
        out[at + way] = TERRAIN[layout, cell] == FLOOR and cell != other
    at += 4
    faced = TERRAIN[layout, AHEAD[me, state.facing[seat]]]
    if faced != FLOOR:
        out[at + faced - COUNTER] = 1.0
    at += 5
    for i in range(NEAREST.shape[2]):
        out[at + i] = NEAREST[layout, me, i]
    at += NEAREST.shape[2]
    for pot in range(POTS[layout]):
        cell, clock = POT_AT[layout, pot], state.clock[pot]
        out[at] = 1.0
        out[at + 1] = (ACROSS[cell] - x) * half
        out[at + 2] = (ALONG[cell] - y) * half
        out[at + 3] = state.onions[pot] / FULL
        if clock != IDLE:
            out[at + 4] = clock / state.cook_time
            out[at + 5] = clock >= state.cook_time
        at += PER_POT
    at = NUM_FEATURES - 1 - MOST_COUNTERS
    for counter in range(COUNTERS[layout]):
        out[at + counter] = state.lies[counter] / SOUP
    out[NUM_FEATURES - 1] = 2 * state.step / state.horizon - 1


# Sheets of the kitchen: for me and the other chef where it is, its facing (4) and its hands (3); then the kinds of
# terrain (5); in pots onions, clock and whether it is done (3); onions, dishes and soups on counters (3); the time.
SHEETS_PER_CHEF = 8
FIXTURES = 2 * SHEETS_PER_CHEF
NUM_PLANES = FIXTURES + 5 + 3 + 3 + 1


@kernel
def put_item(out, first, y, x, item):
    """An onion, a dish or a soup, which counts by its onions, on one of three sheets."""
    if item > DISH:
        out[first + 2, y, x] = (item - DISH) / FULL
    elif item != NOTHING:
        out[first + item - ONION, y, x] = 1.0


@kernel
def planes(state, seat, out):
    """The kitchen as the picture shows it, seen by the chef in `seat`."""
    out[:] = 0.0
    layout, high, wide = state.layout, out.shape[1], out.shape[2]
    for which in CHEFS:
        chef = seat if which == 0 else 1 - seat
        first, holds = which * SHEETS_PER_CHEF, state.holds[chef]
        y, x = state.at[chef] // WIDE, state.at[chef] % WIDE
        out[first, y, x] = 1.0
        out[first + 1 + state.facing[chef], y, x] = 1.0
        put_item(out, first + 5, y, x, holds)
    for y in range(high):
        for x in range(wide):
            cell = y * WIDE + x
            kind = TERRAIN[layout, cell]
            if kind == FLOOR:
                continue
            out[FIXTURES + kind - COUNTER, y, x] = 1.0
            if kind == POT and NUMBER[layout, cell] >= 0:
                pot = NUMBER[layout, cell]
                clock = state.clock[pot]
                out[FIXTURES + 5, y, x] = state.onions[pot] / FULL
                if clock != IDLE:
                    out[FIXTURES + 6, y, x] = clock / state.cook_time
                    out[FIXTURES + 7, y, x] = clock >= state.cook_time
            elif kind == COUNTER and NUMBER[layout, cell] >= 0:
                put_item(out, FIXTURES + 8, y, x, state.lies[NUMBER[layout, cell]])
    out[NUM_PLANES - 1] = 2 * state.step / state.horizon - 1


class OvercookedView(NamedTuple):
    """Everything is public, so a view is the seat and the state (`seat` is None for a spectator)."""

    seat: Seat | None
    state: RecordState

    @property
    def kitchen(self) -> Kitchen:
        return KITCHENS[self.state.layout]


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
    state, kitchen = view.state, view.kitchen
    codes = list(kitchen.terrain)
    for cell, onions, clock in zip(kitchen.pots, state.onions, state.clock, strict=False):
        if clock != IDLE:
            codes[cell] = DONE if clock >= state.cook_time else COOKING
        elif onions:
            codes[cell] = RAW + onions
    for cell, item in zip(kitchen.counters, state.lies, strict=False):
        if item != NOTHING:
            codes[cell] = LYING + min(item, DISH + 1)
    for chef, cell in enumerate(state.at):
        codes[cell] = CHEF + chef
    return tuple(tuple(codes[y * WIDE : y * WIDE + kitchen.width]) for y in range(kitchen.height))


class Overcooked(KernelGame[OvercookedView]):
    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        chosen = self.options
        layout, anywhere = NAMES.index(chosen["layout"]), chosen["starts"] == "random"
        if anywhere:
            self.settle(chance="incidental")
        blank = blank_state(
            KITCHEN, layout=layout, counting=RULES.index(chosen["rules"]), anywhere=anywhere,
            horizon=chosen["horizon"], cook_time=chosen["cook_time"],
        )  # fmt: skip
        self.kernel = Kernel(
            *(blank, len(ACTIONS), NUM_FEATURES, start, turn, None, step, returns, features),
            board=(KITCHENS[layout].height, KITCHENS[layout].width),
            planes=planes,
            num_planes=NUM_PLANES,
            sparse=sparse,
        )

    def view(self, state: RecordState, seat: Seat | None) -> OvercookedView:
        return OvercookedView(seat, state)

    def outcome(self, state: RecordState) -> RecordState:
        return state.replace(did=0)

    def parts(self, state: RecordState) -> Mapping[str, Sequence[float]]:
        counts, pays = np.sum(state.happened, axis=0), PAYS[state.counting]
        return {event: (float(count * pay),) * 2 for event, count, pay in zip(EVENTS, counts, pays, strict=True)}

    def events(self, state: RecordState) -> Mapping[str, int]:
        names = [f"{chef}: {event}" for chef in self.seats for event in EVENTS]
        return dict(zip(names, chain(*state.happened), strict=True))
