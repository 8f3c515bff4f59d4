"""Particles: eight scenarios of players who push, chase, meet and talk on a plane; the rules are kernel.py."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.core.spec import GameSpec
from mmgames.games.particles import kernel as compiled
from mmgames.games.particles.observed import features
from mmgames.games.particles.pay import dearest_step
from mmgames.games.particles.row import (
    GOAL,
    HORIZON,
    PLACE,
    RATIO,
    SAID,
    SCENARIO,
    SECOND,
    SILENCE,
    STEP,
    look_into_woods,
    sees,
)
from mmgames.games.particles.scenarios import (
    ADVERSARY,
    CRYPTO,
    HUNTS,
    NAMES,
    PUSH,
    REFERENCE,
    SCENARIOS,
    SPEAKER,
    SPREAD,
    TAG,
    WORLD,
    Scenario,
)
from mmgames.kernels.compiling import compiled_later
from mmgames.kernels.kernel import plain_python
from mmgames.kernels.kernel_game import Kernel, KernelGame, RowState

Point = tuple[float, float]
FARTHEST, QUICKEST = 2.9, 0.2
"""No distance is longer at the start, and none grows by more in a step, unless somebody is pushed."""
TRIES = 300
"""So often a place is drawn for somebody who is hidden before the true one is kept."""


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


def row_of(view: ParticlesView) -> np.ndarray:
    """A view as a row: what is not known is nowhere and 0."""
    scenario = view.scenario
    row = np.zeros(width(scenario), np.int64)
    row[[SCENARIO, HORIZON, STEP]] = view.which, view.horizon, view.step
    row[[GOAL, SECOND]] = [secret or 0 for secret in view.secrets]
    row[SAID:RATIO] = SILENCE
    row[SAID : SAID + scenario.players] = [SILENCE if word is None else word for word in view.said]
    nowhere = (np.nan, np.nan)
    pairs = [pair or nowhere for pair in view.places] + [pair or (0.0, 0.0) for pair in view.speeds]
    row.view(np.float64)[RATIO : PLACE + 2 * len(pairs)] = [view.ratio, *(number for pair in pairs for number in pair)]
    if view.which == WORLD:
        compiled_later(look_into_woods)(row)
    return row


def is_seen(row: np.ndarray, seat: Seat, other: Seat) -> bool:
    return bool(plain_python(sees)(row, seat, other))


def width(scenario: Scenario) -> int:
    return PLACE + 2 * scenario.entities + 3 * scenario.players


def seen_places(row: np.ndarray, seat: Seat) -> list[bool]:
    """Of which entities a seat knows where they are: players first, then things."""
    which = int(row[SCENARIO])
    scenario = SCENARIOS[which]
    if which == CRYPTO or (which == SPEAKER and seat == 0):
        return [False] * scenario.entities
    if which in (SPEAKER, REFERENCE):
        return [other == seat for other in range(scenario.players)] + [True] * len(scenario.things)
    if which == WORLD:
        return [other == seat or is_seen(row, seat, other) for other in range(scenario.players)] + [True] * len(
            scenario.things
        )
    return [True] * scenario.entities


def seen_speeds(row: np.ndarray, seat: Seat) -> list[bool]:
    """Everybody knows its own speed; that of the prey is seen by all who see it."""
    which, places = int(row[SCENARIO]), seen_places(row, seat)
    prey = which in (TAG, WORLD)
    return [
        places[other] and (other == seat or (prey and not HUNTS[which, other]))
        for other in range(SCENARIOS[which].players)
    ]


def heard(row: np.ndarray, seat: Seat) -> list[bool]:
    """Whose words a seat knows: its own, and those that are said to it."""
    which = int(row[SCENARIO])
    speaker = {SPEAKER: 0, CRYPTO: 2, WORLD: 0}.get(which)
    deaf = which == WORLD and not HUNTS[which, seat]
    return [not deaf and (other in (seat, speaker) or which == REFERENCE) for other in range(SCENARIOS[which].players)]


def knows(row: np.ndarray, seat: Seat) -> tuple[bool, bool]:
    """Which of the two secrets a seat knows."""
    which = int(row[SCENARIO])
    if which == REFERENCE:
        return seat == 0, seat == 1
    if which == CRYPTO:
        return seat == 2, seat > 0
    return {ADVERSARY: seat > 0, PUSH: seat == 1, SPEAKER: seat == 0}.get(which, False), False


class Particles(KernelGame[ParticlesView]):
    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        which = NAMES.index(self.options["scenario"])
        scenario = SCENARIOS[which]
        alike = len({scenario.actions(seat) for seat in range(scenario.players)}) == 1
        self.kernel = Kernel(
            width=width(scenario),
            num_actions=scenario.most_actions,
            num_features=scenario.num_features,
            start=compiled.start,
            turn=compiled.turn,
            moves=None if alike else compiled.moves,
            step=compiled.step,
            returns=compiled.returns,
            features=features,
            settings=(which, self.options["horizon"]),
            num_reals=width(scenario) - RATIO,
            real_settings=(self.options["local_ratio"],),
        )
        self.settle(
            seats=scenario.roles,
            length=self.options["horizon"],
            utility="identical" if which == SPEAKER else "general_sum",
            lowest=-sum(
                dearest_step(which, self.options["local_ratio"], FARTHEST + QUICKEST * step)
                for step in range(1, self.options["horizon"] + 1)
            ),
        )

    def view(self, state: RowState, seat: Seat | None) -> ParticlesView:
        row = state.row
        which, numbers = int(row[SCENARIO]), row.view(np.float64).tolist()
        players, entities = SCENARIOS[which].players, SCENARIOS[which].entities
        pairs = [(numbers[at], numbers[at + 1]) for at in range(PLACE, PLACE + 2 * (entities + players), 2)]
        said: list[int] = row[SAID : SAID + players].tolist()
        secrets: list[int] = row[[GOAL, SECOND]].tolist()
        if seat is None:
            places, speeds, words, told = [True] * entities, [True] * players, [True] * players, (True, True)
        else:
            places, speeds = seen_places(row, seat), seen_speeds(row, seat)
            words, told = heard(row, seat), knows(row, seat)
        return ParticlesView(
            seat,
            which,
            int(row[HORIZON]),
            int(row[STEP]),
            numbers[RATIO],
            _known(pairs[:entities], places),
            _known(pairs[entities:], speeds),
            _known(said, words),
            _known(secrets, told),
        )

    def imagine(self, state: RowState, seat: Seat, rng: np.random.Generator) -> RowState:
        """Who is not seen may be anywhere where it is not seen, speeds, words and secrets may be any, and what was
        collected, which would tell of the secrets, is nothing."""
        row = state.row.copy()
        which, numbers = int(row[SCENARIO]), row.view(np.float64)
        players, entities = SCENARIOS[which].players, SCENARIOS[which].entities
        speeds, totals = PLACE + 2 * entities, PLACE + 2 * entities + 2 * players
        for entity, known in enumerate(seen_places(row, seat)):
            if not known:
                self._hide(row, seat, entity, rng)
        for other, known in enumerate(seen_speeds(state.row, seat)):
            if not known and SCENARIOS[which].kinds[other].moves:
                numbers[speeds + 2 * other : speeds + 2 * other + 2] = rng.uniform(-0.7, 0.7, 2)
        for other, known in enumerate(heard(row, seat)):
            if not known and SCENARIOS[which].kinds[other].speaks and row[STEP]:
                row[SAID + other] = rng.integers(SCENARIOS[which].words)
        for place, known in zip((GOAL, SECOND), knows(row, seat), strict=True):
            if not known and which not in (SPREAD, TAG, WORLD):
                row[place] = rng.integers(len(SCENARIOS[which].things))
        numbers[totals : totals + players] = 0.0
        return RowState(row)

    def _hide(self, row: np.ndarray, seat: Seat, entity: int, rng: np.random.Generator) -> None:
        """Another place for what a seat does not see, at which it does not see it either."""
        place = row.view(np.float64)[PLACE + 2 * entity : PLACE + 2 * entity + 2]
        true = place.copy()
        for _ in range(TRIES):
            place[:] = rng.uniform(-1.0, 1.0, 2)
            if row[SCENARIO] != WORLD:
                return
            compiled_later(look_into_woods)(row)
            if not is_seen(row, seat, entity):
                return
        place[:] = true
        compiled_later(look_into_woods)(row)


def _known(values: list[Any], known: Any) -> Any:
    return tuple(value if sure else None for value, sure in zip(values, known, strict=True))
