"""Rules that the commons share: walking, eating, beams, what a player sees. A game adds what grows, and its rates."""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.core.spec import GameSpec
from mmgames.games._commons import MOST_PLAYERS, PAYS, ROLES
from mmgames.games._commons.maps import GRASS, GROUNDS, NAMES, NUM_WATERS, SOIL, TERRAIN, WATER, Ground
from mmgames.kernels.kernel import below, fork, inlined, kernel, scramble
from mmgames.kernels.kernel_game import EVERYBODY, NOBODY, Kernel, KernelGame
from mmgames.kernels.records import RecordState, blank_state, bool_, int8, int16, int32, record

ACTIONS = ("<STAY>", "<RIGHT>", "<LEFT>", "<UP>", "<DOWN>", "<FINE>", "<CLEAN>")
STAY, RIGHT, LEFT, UP, DOWN, FINE, CLEAN = range(len(ACTIONS))
STEPS_OF_SSD = ("<STEP_RIGHT>", "<STEP_LEFT>", "<FORWARD>", "<BACKWARD>")  # what RIGHT to DOWN are there
TURNS = ("<TURN_RIGHT>", "<TURN_LEFT>")  # the last two actions there
EAST, WEST, NORTH, SOUTH = range(4)  # how players face: RIGHT to DOWN, less one
ACROSS, ALONG = np.array([1, -1, 0, 0]), np.array([0, 0, 1, -1])
CLOCKWISE = np.array([SOUTH, NORTH, EAST, WEST])
LEADS = np.array([[CLOCKWISE[way], CLOCKWISE[way] ^ 1, way, way ^ 1] for way in range(4)])
"""Where RIGHT to DOWN lead in the open code, by how a player faces: they do not turn it, and UP is ahead."""
FINING, CLEANING = range(2)  # beams: FINE and CLEAN, less FINE
BEAMS = 2
EATS, FIRES, FINED, CLEANS = range(4)
KINDS = ("eats an apple", "fires the fining beam", "is fined", "cleans a cell")

MILLION = 1_000_000
"""Chances are kept in millionths."""
NO_ONE = -1
HIDDEN = NOT_YET = -1
"""In a view: anything of a player of whom the seat does not know it. What a player did before the first step."""

FIRST, LOTS, FACES, GROWS = 100, 110, 200, 300
"""What is drawn from the noise, each with a fork of its own: who goes first, lots for cells, how players face at first,
growth. Where players begin is drawn with their seats."""


def fields(players: int, ground: Ground, **rates: Any) -> np.dtype[Any]:
    """The fields of a commons with these rates: settings, how far the episode is, the players, the cells of the map."""
    cells = len(ground.terrain)
    return record(
        map=int8, wide=int8, high=int8, ssd=bool_, horizon=int16, sight=int8, reach=int8, pays=(int8, len(PAYS)),
        **rates,
        step=int16, at=(int16, players), facing=(int8, players), did=(int8, players),
        happened=(int32, (len(KINDS), players)),
        apples=(int8, cells), waste=(int8, cells), who=(int8, cells),
        lit=(int8, (BEAMS, cells)),  # by the beam that has just lit them
    )  # fmt: skip


@inlined
def put_on_map(state, noise):
    """A fresh map, and everybody on grass of its own."""
    state.step = 0
    state.happened[:, :] = 0
    state.apples[:] = 0
    state.waste[:] = 0
    state.who[:] = NO_ONE
    state.lit[:, :] = 0
    for seat in range(len(state.at)):
        bits = fork(noise, seat)
        cell = below(bits, len(state.who))
        while TERRAIN[state.map, cell] != GRASS or state.who[cell] != NO_ONE:
            bits = scramble(bits)
            cell = below(bits, len(state.who))
        state.who[cell] = seat
        state.at[seat] = cell
        state.facing[seat] = below(fork(noise, FACES + seat), 4)
        state.did[seat] = NOT_YET


@kernel
def turn(state):
    return EVERYBODY if state.step < state.horizon else NOBODY


@inlined
def cell_at(state, x, y):
    """The cell of a place, -1 beyond the edge."""
    return y * state.wide + x if 0 <= x < state.wide and 0 <= y < state.high else -1


@inlined
def act(state, actions, noise):
    """Players go in turn, a random one first, into cells that are free then, and eat; then those who fire, fire."""
    players, turns = len(state.at), first_turn(state)
    state.lit[:, :] = 0
    first, beams = below(fork(noise, FIRST), players), 0
    for place in range(players):
        seat = (first + place) % players
        state.did[seat] = actions[seat]
        if FINE <= actions[seat] < turns:
            beams += 1
        elif actions[seat] != STAY and not state.ssd:
            go_and_eat(state, seat, actions[seat] - RIGHT)
    if state.ssd:
        turn_and_step(state, actions, noise)
    if beams:
        for place in range(players):
            seat = (first + place) % players
            if FINE <= actions[seat] < turns:
                fire_beam(state, seat, actions[seat] - FINE)
    state.step += 1


@inlined
def first_turn(state):
    """The first of the two actions with which players turn in the open code; in other rules nobody has them."""
    return CLEAN + (NUM_WATERS[state.map] > 0)


@kernel
def turn_and_step(state, actions, noise):
    """The open code's moves. Of several who want a cell one gets it by lot; nobody gets one whose holder stays, or
    changes places with somebody who wants it; all others go at once, also round in a ring."""
    players, turns = len(state.at), first_turn(state)
    wants, lots = np.empty(MOST_PLAYERS, np.int64), np.empty(MOST_PLAYERS, np.int64)
    goes = np.empty(MOST_PLAYERS, np.int64)
    for seat in range(players):
        at, facing, action = state.at[seat], state.facing[seat], actions[seat]
        wants[seat] = at
        lots[seat] = below(fork(noise, LOTS + seat), MILLION) * MOST_PLAYERS + seat
        if action >= turns:
            state.facing[seat] = CLOCKWISE[facing] ^ (action - turns)
        elif STAY < action < FINE:
            way = LEADS[facing, action - RIGHT]
            to = cell_at(state, at % state.wide + ACROSS[way], at // state.wide + ALONG[way])
            wants[seat] = at if to < 0 else to
    for seat in range(players):
        goes[seat] = wants[seat] != state.at[seat]
        holder = state.who[wants[seat]]
        for other in range(players):
            if wants[other] == wants[seat]:
                swaps = holder != NO_ONE and holder != other and wants[holder] == state.at[other]
                if swaps or lots[other] < lots[seat]:
                    goes[seat] = 0
    again = True
    while again:
        again = False
        for seat in range(players):
            holder = state.who[wants[seat]]
            if goes[seat] and holder != NO_ONE and not goes[holder]:
                goes[seat], again = 0, True
    for seat in range(players):
        if goes[seat]:
            state.who[state.at[seat]] = NO_ONE
    for seat in range(players):
        if goes[seat]:
            enter(state, seat, wants[seat])


@inlined
def go_and_eat(state, seat, way):
    """A player turns, and enters the cell ahead unless it is beyond the edge or somebody stands there."""
    at = state.at[seat]
    state.facing[seat] = way
    to = cell_at(state, at % state.wide + ACROSS[way], at // state.wide + ALONG[way])
    if to >= 0 and state.who[to] == NO_ONE:
        state.who[at] = NO_ONE
        enter(state, seat, to)


@inlined
def enter(state, seat, to):
    state.who[to] = seat
    state.at[seat] = to
    if state.apples[to]:
        state.apples[to] = 0
        state.happened[EATS, seat] += 1


@kernel
def fire_beam(state, seat, beam):
    """A beam of three lines ahead of a player. Each ends at the edge, at the first player and, cleaning, at waste.

    In the open code the outer two begin right beside the player.
    """
    at, right, up = state.at[seat], ACROSS[state.facing[seat]], ALONG[state.facing[seat]]
    if beam == FINING:
        state.happened[FIRES, seat] += 1
    for beside in range(-1, 2):
        x, y = at % state.wide + beside * up, at // state.wide + beside * right
        first = 0 if state.ssd and beside != 0 else 1
        for far in range(first, first + state.reach):
            cell = cell_at(state, x + far * right, y + far * up)
            if cell < 0:
                break
            state.lit[beam, cell] = 1
            if beam == CLEANING and state.waste[cell]:
                state.waste[cell] = 0
                state.happened[CLEANS, seat] += 1
                break
            if state.who[cell] != NO_ONE:
                if beam == FINING:
                    state.happened[FINED, state.who[cell]] += 1
                break


@kernel
def returns(state, out):
    for seat in range(len(state.at)):
        total = 0
        for kind in range(len(state.pays)):
            total += state.pays[kind] * state.happened[kind, seat]
        out[seat] = total


# Sheets of what a player sees, then single numbers: its place, how it faces, the time.
APPLES, SOILED, OUTSIDE, PEOPLE, LIGHT, WASTE, WET = range(7)
SINGLE = 2 + 4 + 1
ONE = np.float32(1.0)


@inlined
def show(state, seat, cell, ground, place, cells, out):
    """What is on a cell of that ground, at its place on each of the sheets."""
    who = state.who[cell]
    if ground == SOIL:
        out[SOILED * cells + place] = ONE
        out[APPLES * cells + place] = state.apples[cell]
    elif ground == WATER:
        out[WET * cells + place] = ONE
        out[WASTE * cells + place] = state.waste[cell]
    if who != NO_ONE:
        out[PEOPLE * cells + place] = -ONE if who == seat else ONE
    if state.lit[FINING, cell]:
        out[LIGHT * cells + place] = ONE
    elif state.lit[CLEANING, cell]:
        out[LIGHT * cells + place] = -ONE


@kernel
def features(state, seat, out):
    """What a player sees around itself, or the whole map where nothing is hidden, line by line from the top."""
    out[:] = 0.0
    at, sight, wide, high = state.at[seat], state.sight, state.wide, state.high
    left, top, columns, lines = 0, high - 1, wide, high
    if sight > 0:
        left, top, columns, lines = at % wide - sight // 2, at // wide + sight // 2, sight, sight
    cells, terrain = columns * lines, TERRAIN[state.map]
    for line in range(lines):
        y = top - line
        for column in range(columns):
            x, place = left + column, line * columns + column
            if 0 <= x < wide and 0 <= y < high:
                cell = y * wide + x
                show(state, seat, cell, terrain[cell], place, cells, out)
            else:
                out[OUTSIDE * cells + place] = ONE
    single = out.size - SINGLE
    out[single] = np.float32(2 * (at % wide)) / np.float32(wide - 1) - ONE
    out[single + 1] = np.float32(2 * (at // wide)) / np.float32(high - 1) - ONE
    out[single + 2 + state.facing[seat]] = ONE
    out[single + 6] = np.float32(2 * state.step) / np.float32(state.horizon) - ONE


class CommonsView(NamedTuple):
    """The seat, the map and the state, of which all is taken that the seat does not see (a spectator's seat is None).

    Cells out of sight are empty there, and of a player what is not known is HIDDEN.
    """

    seat: Seat | None
    ground: Ground
    state: RecordState

    @property
    def roles(self) -> tuple[str, ...]:
        return ROLES[: len(self.state.at)]

    @property
    def kinds(self) -> tuple[str, ...]:
        """What is counted."""
        return KINDS if self.ground.has_water else KINDS[:CLEANS]

    @property
    def counts(self) -> tuple[tuple[int, ...], ...]:
        """By seat and kind: how often it has happened; HIDDEN if that is not known."""
        return tuple(zip(*self.state.happened[: len(self.kinds)], strict=True))


def actions_of(water: bool, ssd: bool) -> tuple[str, ...]:
    """What actions are called, in their order."""
    named = ACTIONS if water else ACTIONS[:CLEAN]
    return (*ACTIONS[:RIGHT], *STEPS_OF_SSD, *named[FINE:], *TURNS) if ssd else named


def window(state: RecordState, seat: Seat | None) -> tuple[int, int, int, int]:
    """What part of the map is shown: its lowest x and y, its width and height; it may reach beyond the edge."""
    view, wide = state.sight, state.wide
    if seat is None or not view:
        return 0, 0, wide, state.high
    at = state.at[seat]
    return at % wide - view // 2, at // wide - view // 2, view, view


def is_seen(state: RecordState, seat: Seat) -> np.ndarray:
    """Which cells of the map a player sees."""
    left, bottom, wide, high = window(state, seat)
    seen = np.zeros((state.high, state.wide), bool)
    seen[max(bottom, 0) : bottom + high, max(left, 0) : left + wide] = True
    return seen.reshape(-1)


def without(state: RecordState, hidden: np.ndarray) -> RecordState:
    """The state with nothing and nobody on these cells."""
    found = state.replace()
    for name, empty in (("apples", 0), ("waste", 0), ("who", NO_ONE), ("lit", 0)):
        found.array[name][..., hidden] = empty
    return found


def sheets_of(state: RecordState) -> tuple[int, int, int]:
    """How many sheets there are of what a player sees, and their lines and columns."""
    ground, view = GROUNDS[state.map], state.sight
    return WET + 1 if ground.has_water else LIGHT + 1, view or ground.high, view or ground.wide


class Commons(KernelGame[CommonsView]):
    """A commons: subclasses bring two kernels, start and step, and their rates."""

    own: ClassVar[tuple[Any, Any]]

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        chosen, rates = self.options, self.rates()
        which = NAMES.index(chosen["map"])
        ground = GROUNDS[which]
        blank = blank_state(
            fields(chosen["players"], ground, **{name: (int32, np.shape(rate)) for name, rate in rates.items()}),
            **dict(map=which, wide=ground.wide, high=ground.high, sight=chosen["view"]),
            ssd=chosen["rules"] == "ssd",
            **dict(horizon=chosen["horizon"], reach=chosen["reach"], pays=[chosen[pay] for pay in PAYS]),
            **rates,
        )
        (start, step), (sheets, lines, columns) = self.own, sheets_of(blank)
        self.kernel = Kernel(
            *(blank, len(actions_of(ground.has_water, blank.ssd)), sheets * lines * columns + SINGLE),
            start, turn, None, step, returns, features, board=(lines, columns),
        )  # fmt: skip
        self.settle(
            seats=ROLES[: chosen["players"]],
            length=chosen["horizon"],
            information="imperfect" if chosen["view"] else "perfect",
        )

    def rates(self) -> Mapping[str, Any]:
        """The game's own fields and what they are set to, in millionths."""
        raise NotImplementedError

    def view(self, state: RecordState, seat: Seat | None) -> CommonsView:
        ground = GROUNDS[state.map]
        if seat is None or not state.sight:
            return CommonsView(seat, ground, state)
        seen = is_seen(state, seat)
        shown = without(state, ~seen)
        array = shown.array[0]
        for other, at in enumerate(state.at):
            if other != seat:
                array["happened"][:, other] = array["did"][other] = HIDDEN
                if not seen[at]:
                    array["at"][other] = array["facing"][other] = HIDDEN
        return CommonsView(seat, ground, shown)

    def imagine(self, state: RecordState, seat: Seat, rng: np.random.Generator) -> RecordState:
        """Apples and waste out of sight are there or not, players out of sight are anywhere there, and what others
        have done may be anything."""
        if not state.sight:
            return state
        hidden = np.flatnonzero(~is_seen(state, seat))
        made, ground, step = without(state, hidden), TERRAIN[state.map], state.step
        array = made.array[0]
        can_hold = hidden[ground[hidden] != GRASS]
        things = rng.integers(2, size=len(can_hold))
        array["apples"][can_hold] = things & (ground[can_hold] == SOIL)
        array["waste"][can_hold] = things & (ground[can_hold] == WATER)
        free = rng.permutation(hidden).tolist()
        for other, at in enumerate(state.at):
            if other == seat:
                continue
            array["did"][other] = rng.integers(self.num_actions) if step else NOT_YET
            array["happened"][:, other] = rng.integers(step + 1, size=len(KINDS))
            if at in hidden:
                cell = free.pop()
                array["apples"][cell], array["who"][cell] = 0, other
                array["at"][other], array["facing"][other] = cell, rng.integers(4)
        return made

    def outcome(self, state: RecordState) -> RecordState:
        return state.replace(did=0)

    def events(self, state: RecordState) -> Mapping[str, int]:
        view = self.view(state, None)
        return {
            f"{role} {kind}": count
            for role, counts in zip(self.seats, view.counts, strict=True)
            for kind, count in zip(view.kinds, counts, strict=True)
        }
