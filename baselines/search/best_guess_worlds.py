"""The best guess in the two worlds between cells, exact up to rounding: each agent fits what the pictures show, or not.

In KnightsArchersZombies nothing is hidden: an agent fits if its moves lead from each picture to the next. In the
scenario adversary of Particles speeds and the landmark that is meant are hidden. Nobody is pushed there, so the speeds
follow from the places, and an agent with a landmark fits if its pushes explain how the speed has changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from mmgames.baselines.planners import knights_archers_zombies as battle
from mmgames.baselines.planners import particles as plane
from mmgames.core.game import Action, Seat
from mmgames.games.knights_archers_zombies.kernel import advance
from mmgames.games.knights_archers_zombies.row import ARCHERS, FIELDS, HEADING, KNIGHTS, PLAYER, TIMER, WAIT, X, Y
from mmgames.games.particles.kernel import DAMPING, PAUSE
from mmgames.games.particles.row import GOAL, speeds_at
from mmgames.games.particles.rules import ParticlesView, row_of
from mmgames.games.particles.scenarios import ACCEL, MOVES
from mmgames.kernels.compiling import compiled_later
from mmgames.kernels.kernel import plain_python
from mmgames.tasks.predict import Seen

Shares = Mapping[str, float]
POLICIES: dict[str, dict[str, Any]] = {
    "KnightsArchersZombies": {"heuristic": battle.heuristic, "nearest": battle.nearest},
    "Particles": {"heuristic": plane.heuristic, "straight": plane.straight},
}
NO_NOISE = np.uint64(0)
ROUNDING = 1e-6


def chosen(game: str, author: str, row: np.ndarray, seat: Seat) -> int:
    return int(compiled_later(POLICIES[game][author])(row, seat, NO_NOISE))


# KnightsArchersZombies


def _pose(row: np.ndarray, seat: Seat) -> list[int]:
    """What a player's own action settles, whatever the others do."""
    return row[PLAYER + FIELDS * seat + np.array([X, Y, HEADING, TIMER])].tolist()


def _leads_to(before: np.ndarray, after: np.ndarray, seat: Seat, action: int) -> bool:
    row, actions = before.copy(), np.full(before[ARCHERS] + before[KNIGHTS], WAIT)
    actions[seat] = action
    compiled_later(advance)(row, actions, NO_NOISE, None)
    return _pose(row, seat) == _pose(after, seat)


def knights_archers_zombies(seen: Seen, shares: Shares) -> Counter[Action]:
    rows, game = [state.row for state in seen.states()], "KnightsArchersZombies"
    votes: Counter[Action] = Counter()
    for author, share in shares.items():
        steps = [(before, after) for before, after in pairwise(rows) if not np.array_equal(before, after)]
        if all(_leads_to(*step, seen.seat, chosen(game, author, step[0], seen.seat)) for step in steps):
            votes[chosen(game, author, rows[-1], seen.seat)] += share  # type: ignore[assignment]
    return votes


# Particles


def _pushed(speed: np.ndarray, action: int, strength: float) -> np.ndarray:
    """The speed after a step with this push, where nobody is touched and nobody is too fast."""
    push = np.zeros(2)
    if action % MOVES:
        push[(action % MOVES - 1) // 2] = strength if action % 2 == 0 else -strength
    return speed * (1 - DAMPING) + push * PAUSE


def _fits(views: list[ParticlesView], seat: Seat, author: str, goal: int) -> int | None:
    """What a way to play does now, if it explains all that is seen; otherwise None."""
    places = [np.array(view.places[seat]) for view in views]
    speeds = [(after - before) / PAUSE for before, after in pairwise(places)]  # of each view but the last
    strength = float(ACCEL[views[0].which, seat])
    speed = np.zeros(2)  # as it is at the start, and if one picture is all there is
    for number, view in enumerate(views):
        if number < len(speeds):
            if (number or view.step == 0) and not np.allclose(speed, speeds[number], atol=ROUNDING):
                return None
            speed = speeds[number]
        row = row_of(view)
        row[GOAL] = goal
        numbers, own = row.view(np.float64), plain_python(speeds_at)(row) + 2 * seat
        numbers[own : own + 2] = speed
        action = chosen("Particles", author, row, seat)
        speed = _pushed(speed, action, strength)
    return action


def particles(seen: Seen, shares: Shares) -> Counter[Action]:
    shown = seen.views
    views = [view for number, view in enumerate(shown) if number == 0 or view.step > shown[number - 1].step]
    votes: Counter[Action] = Counter()
    known = views[-1].secrets[0]
    for goal in range(len(views[-1].scenario.things)) if known is None else (known,):
        for author, share in shares.items():
            action = _fits(views, seen.seat, author, goal)
            if action is not None:
                votes[action] += share  # type: ignore[assignment]
    return votes
