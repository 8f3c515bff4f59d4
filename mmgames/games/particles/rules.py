"""Particles: eight scenarios of players who push, chase, meet and talk on a plane.

Who and what there is in a scenario, and what each seat observes, stands in scenarios.py. Entities are the players, in
the order of their seats, and then the things on the field.
"""

import math
from typing import Any

import numpy as np

from mmgames.core.game import Seat
from mmgames.core.spec import GameSpec, Outcome
from mmgames.games.particles.scenarios import (
    ACCEL,
    ACTIONS,
    ADVERSARY,
    CAN_MOVE,
    COLLIDES,
    CRYPTO,
    FASTEST,
    HUNTS,
    IS_HUNT,
    MOVES,
    NAMES,
    PUSH,
    REACH,
    REFERENCE,
    SCENARIOS,
    SECRETS,
    SIZE,
    SPEAKER,
    SPEAKS,
    SPREAD,
    TAG,
    WORLD,
    Scenario,
)
from mmgames.games.particles.seen import (
    FIRST_FOOD,
    FIRST_FOREST,
    ParticlesView,
    distance,
    features,
    heard,
    knows,
    look_into_woods,
    seen_places,
    seen_speeds,
    sees,
    squared,
    touch,
)
from mmgames.kernels.kernel import below, fork, fraction, inlined, kernel, scramble
from mmgames.kernels.kernel_game import EVERYBODY, NOBODY, Kernel, KernelGame, ask
from mmgames.kernels.records import RecordState, blank_state, float64, int8, int16, record

PAUSE, DAMPING, CONTACT, MARGIN = 0.1, 0.25, 1e2, 1e-3
APART = 40.0 * MARGIN
"""Contacts that are further apart than that push with less than a number of this size can tell."""
NEAR, FAR, MOST = 0.9, 1.0, 10.0  # where the edge of the field begins to cost, and what it costs at the most
SILENCE = -1
PLACES, GOALS, SECONDS = range(3)  # what is drawn from the noise


def fields(scenario: Scenario) -> np.dtype[Any]:
    players = scenario.players
    return record(
        scenario=int8,
        horizon=int16,
        local_ratio=float64,
        step=int16,
        place=(float64, (scenario.entities, 2)),  # across and along
        speed=(float64, (players, 2)),
        force=(float64, (players, 2)),  # what acts on a player while a step is played; 0 before and after it
        said=(int8, players),
        secret=(int8, 2),  # the landmark that is meant, in reference for the second and for the first; message and key
        forests=(int8, players),  # in which ones a player of world_comm is, a bit for each
        collected=(float64, players),
    )


@kernel
def start(state, noise):
    """Everybody and everything is anywhere, and nobody moves."""
    which, bits = state.scenario, fork(noise, PLACES)
    for entity in range(len(state.place)):
        reach = 1.0 if entity < len(state.speed) else REACH[which]
        for axis in range(2):
            bits = scramble(bits)
            state.place[entity, axis] = (2.0 * fraction(bits) - 1.0) * reach
    for seat in range(len(state.speed)):
        state.speed[seat, 0] = state.speed[seat, 1] = 0.0
        state.said[seat] = SILENCE
        state.collected[seat] = 0.0
    state.secret[0] = below(fork(noise, GOALS), SECRETS[which])
    state.secret[1] = below(fork(noise, SECONDS), SECRETS[which])
    state.step = 0
    if which == WORLD:
        look_into_woods(state)


@kernel
def turn(state):
    return EVERYBODY if state.step < state.horizon else NOBODY


@kernel
def moves(state, seat, out):
    count = ACTIONS[state.scenario, seat]
    for action in range(count):
        out[action] = action
    return count


@kernel
def step(state, actions, noise):
    """All speak and move at the same time, and are paid for where they are then."""
    speak(state, actions)
    push_oneself(state, actions)
    push_each_other(state)
    move(state)
    if state.scenario == WORLD:
        look_into_woods(state)
    state.step += 1
    pay(state)


@inlined
def speak(state, actions):
    which = state.scenario
    for seat in range(len(state.speed)):
        if SPEAKS[which, seat]:
            state.said[seat] = actions[seat] // MOVES if CAN_MOVE[which, seat] else actions[seat]


@inlined
def push_oneself(state, actions):
    """Left, right, down or up."""
    which = state.scenario
    for seat in range(len(state.speed)):
        way = actions[seat] % MOVES
        push = ACCEL[which, seat] if way % 2 == 0 else -ACCEL[which, seat]
        state.force[seat, 0] = push if 1 <= way <= 2 else 0.0
        state.force[seat, 1] = push if way >= 3 else 0.0


@inlined
def push_each_other(state):
    """Who and what is near enough; most of the time nothing is."""
    which = state.scenario
    for one in range(len(state.speed)):
        if COLLIDES[which, one]:
            for other in range(one + 1, len(state.place)):
                if COLLIDES[which, other]:
                    near = SIZE[which, one] + SIZE[which, other] + APART
                    if squared(state, one, other) < near * near:
                        push_apart(state, one, other)


@inlined
def push_apart(state, one, other):
    """A soft contact of a player with another one or an obstacle, which pushes and is not pushed."""
    which, apart = state.scenario, distance(state, one, other)
    if apart > 0.0:
        gap = apart - (SIZE[which, one] + SIZE[which, other])
        depth = math.log1p(math.exp(-abs(gap) / MARGIN))
        if gap < 0.0:
            depth -= gap / MARGIN
        depth *= MARGIN
        for axis in range(2):
            push = CONTACT * (state.place[one, axis] - state.place[other, axis]) / apart * depth
            state.force[one, axis] += push
            if other < len(state.speed):
                state.force[other, axis] -= push


@kernel
def move(state):
    """Players move on by their speed, and what acts on them changes the speed."""
    which = state.scenario
    for seat in range(len(state.speed)):
        if CAN_MOVE[which, seat]:
            across, along = state.speed[seat, 0], state.speed[seat, 1]
            state.place[seat, 0] += across * PAUSE
            state.place[seat, 1] += along * PAUSE
            across = across * (1.0 - DAMPING) + state.force[seat, 0] * PAUSE
            along = along * (1.0 - DAMPING) + state.force[seat, 1] * PAUSE
            most = FASTEST[which, seat]
            if most > 0.0:
                speed = math.sqrt(across * across + along * along)
                if speed > most:
                    across, along = across / speed * most, along / speed * most
            state.speed[seat, 0], state.speed[seat, 1] = across, along
        state.force[seat, 0] = state.force[seat, 1] = 0.0


# What a step pays


@kernel
def pay(state):
    """What everybody gets for a step. The landmark that is meant comes behind the players."""
    which, meant = state.scenario, len(state.speed) + state.secret[0]
    if which == SPREAD:
        pay_spread(state)
    elif which == ADVERSARY:
        rival = distance(state, 0, meant)
        gained = rival - min(distance(state, 1, meant), distance(state, 2, meant))
        state.collected[0] -= rival
        state.collected[1] += gained
        state.collected[2] += gained
    elif IS_HUNT[which]:
        pay_hunt(state)
    elif which == PUSH:
        walker = distance(state, 1, meant)
        state.collected[0] += walker - distance(state, 0, meant)
        state.collected[1] -= walker
    elif which == SPEAKER:
        far = distance(state, 1, meant)
        state.collected[0] -= far * far
        state.collected[1] -= far * far
    elif which == REFERENCE:
        one, other = distance(state, 1, meant), distance(state, 0, len(state.speed) + state.secret[1])
        both = (one + other) / 2.0 * (1.0 - state.local_ratio)
        state.collected[0] -= both + one * state.local_ratio
        state.collected[1] -= both + other * state.local_ratio
    elif which == CRYPTO:
        eve, bob = wrong_guess(state, 0), wrong_guess(state, 1)
        state.collected[0] -= eve
        state.collected[1] += eve - bob
        state.collected[2] += eve - bob


@inlined
def pay_spread(state):
    """How far the nearest player is from each landmark is everybody's, touching one's own."""
    players, ways = len(state.speed), 0.0
    for landmark in range(players, len(state.place)):
        nearest = distance(state, 0, landmark)
        for seat in range(1, players):
            nearest = min(nearest, distance(state, seat, landmark))
        ways += nearest
    everybody = ways * (1.0 - state.local_ratio)
    for seat in range(players):
        state.collected[seat] -= everybody
    for one in range(players):
        for other in range(one + 1, players):
            if touch(state, one, other):
                state.collected[one] -= state.local_ratio
                state.collected[other] -= state.local_ratio


@inlined
def pay_hunt(state):
    """Tag, and world_comm with its food and its pull towards the prey."""
    which, players, pairs = state.scenario, len(state.speed), 0
    pays = 10.0 if which == TAG else 5.0
    for seat in range(players):
        if HUNTS[which, seat]:
            pairs += caught(state, seat)
    for seat in range(players):
        if HUNTS[which, seat]:
            if which == WORLD:
                nearest = 1e9
                for other in range(players):
                    if not HUNTS[which, other]:
                        nearest = min(nearest, distance(state, seat, other))
                state.collected[seat] -= 0.1 * nearest
            state.collected[seat] += pays * pairs
        else:
            state.collected[seat] -= pays * caught(state, seat)
            state.collected[seat] -= edge(state, seat) * (1.0 if which == TAG else 2.0)
            if which == WORLD:
                nearest = 1e9
                for food in range(players + FIRST_FOOD, players + FIRST_FOREST):
                    if touch(state, seat, food):
                        state.collected[seat] += 2.0
                    nearest = min(nearest, distance(state, seat, food))
                state.collected[seat] -= 0.05 * nearest


@kernel
def caught(state, seat):
    """How many touch this player from the other side."""
    which, count = state.scenario, 0
    for other in range(len(state.speed)):
        if HUNTS[which, other] != HUNTS[which, seat] and touch(state, seat, other):
            count += 1
    return count


@kernel
def edge(state, seat):
    """What it costs to be at the edge of the field or beyond."""
    cost = 0.0
    for axis in range(2):
        out = abs(state.place[seat, axis])
        if out >= FAR:
            cost += min(math.exp(2.0 * out - 2.0), MOST) if out < 10.0 else MOST
        elif out >= NEAR:
            cost += (out - NEAR) * 10.0
    return cost


@kernel
def wrong_guess(state, seat):
    """What a guess of the message costs."""
    return 0.0 if state.said[seat] == state.secret[0] else 2.0


@kernel
def returns(state, out):
    for seat in range(len(state.speed)):
        out[seat] = state.collected[seat]


def dearest_step(which: int, ratio: float, farthest: float) -> float:
    """The most that a step can cost anybody, where nobody is farther than this from anything."""
    if which == SPREAD:
        return 3 * farthest * (1 - ratio) + 2 * ratio
    if which == SPEAKER:
        return farthest**2
    hunt = {TAG: 3 * 10 + 2 * MOST, WORLD: 4 * 5 + 2 * 2 * MOST + 0.1 * farthest}
    return hunt.get(which, max(farthest, 2.0))  # the rest loses a distance at the most, or 2 by a guess


def as_state(view: ParticlesView) -> RecordState:
    """A view as a state: what is not known is nowhere and 0."""
    state = blank_state(
        fields(view.scenario),
        scenario=view.which,
        horizon=view.horizon,
        local_ratio=view.ratio,
        step=view.step,
        place=[pair or (np.nan, np.nan) for pair in view.places],
        speed=[pair or (0.0, 0.0) for pair in view.speeds],
        said=[SILENCE if word is None else word for word in view.said],
        secret=[secret or 0 for secret in view.secrets],
    )
    if view.which == WORLD:
        ask(look_into_woods, state)
    return state


FARTHEST, QUICKEST = 2.9, 0.2
"""No distance is longer at the start, and none grows by more in a step, unless somebody is pushed."""
TRIES = 300
"""So often a place is drawn for somebody who is hidden before the true one is kept."""


class Particles(KernelGame[ParticlesView]):
    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        horizon, ratio = self.options["horizon"], self.options["local_ratio"]
        which = NAMES.index(self.options["scenario"])
        scenario = SCENARIOS[which]
        alike = len({scenario.actions(seat) for seat in range(scenario.players)}) == 1
        self.kernel = Kernel(
            blank_state(fields(scenario), scenario=which, horizon=horizon, local_ratio=ratio),
            scenario.most_actions,
            scenario.num_features,
            start,
            turn,
            None if alike else moves,
            step,
            returns,
            features,
        )
        self.settle(
            seats=scenario.roles,
            length=horizon,
            utility="identical" if which == SPEAKER else "general_sum",
            outcome=Outcome(
                lowest=-sum(dearest_step(which, ratio, FARTHEST + QUICKEST * step) for step in range(1, horizon + 1))
            ),
        )

    def view(self, state: RecordState, seat: Seat | None) -> ParticlesView:
        which = state.scenario
        places, speeds, said, secrets = state.place, state.speed, state.said, state.secret
        if seat is not None:
            seen = seen_places(state, seat)
            places, speeds = _known(places, seen), _known(speeds, seen_speeds(which, seat, seen))
            said, secrets = _known(said, heard(which, seat)), _known(secrets, knows(which, seat))
        return ParticlesView(seat, which, state.horizon, state.step, state.local_ratio, places, speeds, said, secrets)

    def imagine(self, state: RecordState, seat: Seat, rng: np.random.Generator) -> RecordState:
        """Who is not seen may be anywhere where it is not seen, speeds, words and secrets may be any, and what was
        collected, which would tell of the secrets, is nothing."""
        which, scenario, imagined = state.scenario, SCENARIOS[state.scenario], state.replace(collected=0.0)
        seen, speeds, said, secrets = seen_places(state, seat), list(state.speed), list(state.said), list(state.secret)
        for entity, known in enumerate(seen):
            if not known:
                self._hide(imagined, seat, entity, rng)
        for other, known in enumerate(seen_speeds(which, seat, seen)):
            if not known and scenario.kinds[other].moves:
                speeds[other] = rng.uniform(-0.7, 0.7, 2)
        for other, known in enumerate(heard(which, seat)):
            if not known and scenario.kinds[other].speaks and state.step:
                said[other] = rng.integers(scenario.words)
        for place, known in enumerate(knows(which, seat)):
            if not known and which not in (SPREAD, TAG, WORLD):
                secrets[place] = rng.integers(len(scenario.things))
        return imagined.replace(speed=speeds, said=said, secret=secrets)

    def _hide(self, state: RecordState, seat: Seat, entity: int, rng: np.random.Generator) -> None:
        """Another place for what a seat does not see, at which it does not see it either."""
        place = state.array["place"][0, entity]
        true = place.copy()
        for _ in range(TRIES):
            place[:] = rng.uniform(-1.0, 1.0, 2)
            if state.scenario != WORLD:
                return
            ask(look_into_woods, state)
            if not ask(sees, state, seat, entity):
                return
        place[:] = true
        ask(look_into_woods, state)


def _known(values: tuple[Any, ...], known: Any) -> Any:
    return tuple(value if sure else None for value, sure in zip(values, known, strict=True))
