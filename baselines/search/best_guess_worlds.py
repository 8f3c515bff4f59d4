"""The best guess in the two worlds between cells, exact up to rounding: each agent fits what the pictures show, or not.

In KnightsArchersZombies nothing is hidden: an agent fits if its moves lead from each picture to the next. In the
scenario adversary of Particles speeds and the landmark that is meant are hidden. Nobody is pushed there, so the speeds
follow from the places, and an agent with a landmark fits if its pushes explain how the speed has changed.
"""

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from mmgames.baselines.planners import knights_archers_zombies as battle
from mmgames.baselines.planners import particles as plane
from mmgames.core.game import Action, Seat
from mmgames.games.knights_archers_zombies.rules import WAIT, step
from mmgames.games.particles.rules import DAMPING, PAUSE, as_state
from mmgames.games.particles.scenarios import ACCEL, MOVES
from mmgames.games.particles.seen import ParticlesView
from mmgames.kernels.kernel_game import ask
from mmgames.kernels.records import RecordState
from mmgames.tasks.predict import Seen

Shares = Mapping[str, float]
POLICIES: dict[str, dict[str, Any]] = {
    "KnightsArchersZombies": {"heuristic": battle.heuristic, "nearest": battle.nearest},
    "Particles": {"heuristic": plane.heuristic, "straight": plane.straight},
}
NO_NOISE = np.uint64(0)
ROUNDING = 1e-6


def chosen(game: str, author: str, state: RecordState, seat: Seat) -> int:
    return int(ask(POLICIES[game][author], state, seat, NO_NOISE))


# KnightsArchersZombies


def _pose(state: RecordState, seat: Seat) -> tuple[int, ...]:
    """What a player's own action settles, whatever the others do."""
    player = state.players[seat]
    return player.x, player.y, player.heading, player.waits


def _leads_to(before: RecordState, after: RecordState, seat: Seat, action: int) -> bool:
    state, actions = before.replace(), np.full(len(before.players), WAIT)
    actions[seat] = action
    ask(step, state, actions, NO_NOISE)
    return _pose(state, seat) == _pose(after, seat)


def knights_archers_zombies(seen: Seen, shares: Shares) -> Counter[Action]:
    states, game = seen.states(), "KnightsArchersZombies"
    votes: Counter[Action] = Counter()
    steps = [(before, after) for before, after in pairwise(states) if before != after]
    for author, share in shares.items():
        if all(_leads_to(*step, seen.seat, chosen(game, author, step[0], seen.seat)) for step in steps):
            votes[chosen(game, author, states[-1], seen.seat)] += share  # type: ignore[assignment]
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
        own = tuple((speed[0], speed[1]) if other == seat else it for other, it in enumerate(view.speeds))
        state = as_state(view._replace(secrets=(goal, None), speeds=own))
        action = chosen("Particles", author, state, seat)
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
