"""Particles: who is where, and what each seat sees, hears and knows of it."""

import math
from typing import NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.games.particles.scenarios import (
    ADVERSARY,
    BRIGHT,
    CRYPTO,
    DIM,
    GOAL_COLOUR,
    HEARD,
    HUNTS,
    IN_WOODS,
    IS_HUNT,
    KEY,
    MESSAGE,
    OBSERVES,
    OWN_COLOUR,
    OWN_PLACE,
    OWN_SPEED,
    PREY_IN_WOODS,
    PREY_SPEEDS,
    PUSH,
    REFERENCE,
    SCENARIOS,
    SIZE,
    SPEAKER,
    THING_COLOURS,
    TO_GOAL,
    TO_OTHERS,
    TO_THINGS,
    WORDS,
    WORLD,
    Scenario,
)
from mmgames.kernels.kernel import inlined, kernel
from mmgames.kernels.kernel_game import ask
from mmgames.kernels.records import RecordState

Point = tuple[float, float]
FIRST_FOOD, FIRST_FOREST, FORESTS = 1, 3, 2  # among the things of world_comm


@kernel
def squared(state, one, other):
    """The squared distance of two entities."""
    place = state.place
    across, along = place[one, 0] - place[other, 0], place[one, 1] - place[other, 1]
    return across * across + along * along


@kernel
def distance(state, one, other):
    return math.sqrt(squared(state, one, other))


@kernel
def touch(state, one, other):
    which = state.scenario
    near = SIZE[which, one] + SIZE[which, other]
    return squared(state, one, other) < near * near


@kernel
def look_into_woods(state):
    """Who is in which forest."""
    for seat in range(len(state.speed)):
        entered = 0
        for forest in range(FORESTS):
            if touch(state, seat, len(state.speed) + FIRST_FOREST + forest):
                entered |= 1 << forest
        state.forests[seat] = entered


@inlined
def is_nowhere(state, entity):
    """Whether a state that was made of a view does not know where somebody is."""
    return state.place[entity, 0] != state.place[entity, 0]


@kernel
def sees(state, seat, other):
    """Whether a player of world_comm sees another: in the same forest, or both in none; the leader sees all."""
    mine, others = state.forests[seat], state.forests[other]
    return (seat == 0 or mine & others != 0 or mine | others == 0) and not is_nowhere(state, other)


@kernel
def look_around(state, seat, out):
    """Whom a player of world_comm sees; oneself one always does."""
    for other in range(len(state.speed)):
        out[other] = other == seat or sees(state, seat, other)


# What a seat observes

WIDE, FAST = 3.0, 2.0
"""Features are places and distances by the first, speeds by the second."""
PER_WIDE, PER_FAST = 1.0 / WIDE, 1.0 / FAST
COLOURS = 3


@kernel
def features(state, seat, out):
    """What mpe2 lets the seat observe, in its order; zeros behind it where others observe more."""
    which, players = state.scenario, len(state.speed)
    observes, across, along, at = OBSERVES[which, seat], state.place[seat, 0], state.place[seat, 1], 0
    if observes & OWN_SPEED:
        at = write_speed(state, seat, True, out, at)
    if observes & OWN_PLACE:
        out[at] = bounded(across * PER_WIDE)
        out[at + 1] = bounded(along * PER_WIDE)
        at += 2
    if observes & TO_GOAL:
        at = write_towards(state, across, along, players + state.secret[0], out, at)
    if observes & OWN_COLOUR:
        at = write_one_of(state.secret[0] + 1, BRIGHT[which], DIM[which], COLOURS, out, at)
    if observes & TO_THINGS:
        for thing in range(players, len(state.place)):
            at = write_towards(state, across, along, thing, out, at)
    if observes & THING_COLOURS:
        for thing in range(2):
            at = write_one_of(thing + 1, 0.9, 0.1, COLOURS, out, at)
    if observes & TO_OTHERS:
        for other in range(players):
            if other != seat:
                if which != WORLD or sees(state, seat, other):
                    at = write_towards(state, across, along, other, out, at)
                else:
                    out[at] = out[at + 1] = 0.0
                    at += 2
    at = write_signs(state, seat, observes, out, at)
    for place in range(at, out.size):
        out[place] = 0.0


@inlined
def write_signs(state, seat, observes, out, at):
    """Forests, speeds of prey, colours and words."""
    which = state.scenario
    if observes & PREY_IN_WOODS:
        at = write_forests(state, seat, out, at)
    if observes & PREY_SPEEDS:
        for other in range(len(state.speed)):
            if other != seat and not HUNTS[which, other]:
                at = write_speed(state, other, which != WORLD or sees(state, seat, other), out, at)
    if observes & IN_WOODS:
        at = write_forests(state, seat, out, at)
    if observes & GOAL_COLOUR:
        at = write_one_of(state.secret[seat], BRIGHT[which], DIM[which], COLOURS, out, at)
    if observes & MESSAGE:
        at = write_one_of(state.secret[0], 1.0, 0.0, WORDS[which], out, at)
    if observes & KEY:
        at = write_one_of(state.secret[1], 1.0, 0.0, WORDS[which], out, at)
    if observes & HEARD:
        speaker = 1 - seat if which == REFERENCE else 2 if which == CRYPTO else 0
        at = write_one_of(state.said[speaker], 1.0, 0.0, WORDS[which], out, at)
    return at


@kernel
def bounded(number):
    return np.float32(1.0 if number > 1.0 else -1.0 if number < -1.0 else number)


@inlined
def write_towards(state, across, along, other, out, at):
    out[at] = bounded((state.place[other, 0] - across) * PER_WIDE)
    out[at + 1] = bounded((state.place[other, 1] - along) * PER_WIDE)
    return at + 2


@inlined
def write_speed(state, seat, seen, out, at):
    out[at] = bounded(state.speed[seat, 0] * PER_FAST) if seen else np.float32(0.0)
    out[at + 1] = bounded(state.speed[seat, 1] * PER_FAST) if seen else np.float32(0.0)
    return at + 2


@inlined
def write_one_of(which, high, low, count, out, at):
    """A colour, or a word: one of several numbers is higher than the others."""
    for place in range(count):
        out[at + place] = high if place == which else low
    return at + count


@inlined
def write_forests(state, seat, out, at):
    for forest in range(FORESTS):
        out[at + forest] = 1.0 if state.forests[seat] >> forest & 1 else -1.0
    return at + FORESTS


# Who knows what


def may_see(which: int, seat: Seat, entity: int) -> bool:
    """Whether a seat ever knows where a player or a thing is; forests have a say in it too."""
    if which == CRYPTO or (which == SPEAKER and seat == 0):
        return False
    return which not in (SPEAKER, REFERENCE) or entity == seat or entity >= SCENARIOS[which].players


def seen_places(state: RecordState, seat: Seat) -> list[bool]:
    """Of which entities a seat knows where they are."""
    which = state.scenario
    seen = np.array([may_see(which, seat, entity) for entity in range(SCENARIOS[which].entities)])
    if which == WORLD:
        ask(look_around, state, seat, seen)
    return seen.tolist()  # type: ignore[no-any-return]


def seen_speeds(which: int, seat: Seat, places: list[bool]) -> list[bool]:
    """Everybody knows its own speed; that of the prey is seen by all who see it."""
    players = range(SCENARIOS[which].players)
    return [places[other] and (other == seat or bool(IS_HUNT[which] and not HUNTS[which, other])) for other in players]


def heard(which: int, seat: Seat) -> list[bool]:
    """Whose words a seat knows: its own, and those that are said to it."""
    speaker = {SPEAKER: 0, CRYPTO: 2, WORLD: 0}.get(which)
    deaf = which == WORLD and not HUNTS[which, seat]
    return [not deaf and (other in (seat, speaker) or which == REFERENCE) for other in range(SCENARIOS[which].players)]


def knows(which: int, seat: Seat) -> tuple[bool, bool]:
    """Which of the two secrets a seat knows."""
    if which == REFERENCE:
        return seat == 0, seat == 1
    if which == CRYPTO:
        return seat == 2, seat > 0
    return {ADVERSARY: seat > 0, PUSH: seat == 1, SPEAKER: seat == 0}.get(which, False), False


class ParticlesView(NamedTuple):
    """What a seat knows; None stands for what it does not, a spectator's seat is None."""

    seat: Seat | None
    which: int
    horizon: int
    step: int
    ratio: float
    places: tuple[Point | None, ...]
    speeds: tuple[Point | None, ...]
    said: tuple[int | None, ...]
    secrets: tuple[int | None, int | None]

    @property
    def scenario(self) -> Scenario:
        return SCENARIOS[self.which]

    @property
    def is_over(self) -> bool:
        return self.step >= self.horizon
