"""Many simulated leagues in step: the fit of `mmgames.arena.ratings` for all of them at once, checked against it.

Everybody plays in one place, so of a league nothing but counts is needed: [first, second] of wins, draws and losses.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mmgames.arena.ratings import SPREAD, TRUST, WIDEST, Comparison, Ratings, fit
from mmgames.arena.schedule import adaptive_pairs, fair_pairs

WIN, DRAW, LOSS = range(3)
Looks = Callable[[list[Ratings], np.ndarray], None]


def leagues(
    rng: np.random.Generator, truth: np.ndarray, games: int, schedule: str, first: float, draw: float, looks: Looks
) -> None:
    """Leagues of strengths [league, agent], round by round; `looks` gets the ratings of all after each round."""
    count, agents = truth.shape
    counts = np.zeros((count, 3, agents, agents))
    met = np.zeros((count, agents, agents), int)
    found = [fit([], range(agents))] * count
    values, played, rounds = np.zeros((count, agents + 2)), np.zeros(count, int), 0
    while played.min() < games:
        for one in range(count):
            most, everybody = int(games - played[one]) // 2, range(agents)
            if schedule == "adaptive":
                pairs = adaptive_pairs(found[one], met[one], most, everybody, rounds)
            else:
                pairs = fair_pairs(met[one], most, everybody)
            sides = np.array([*pairs, *((b, a) for a, b in pairs)], int).reshape(-1, 2)
            half = (truth[one, sides[:, 0]] - truth[one, sides[:, 1]] + first) / 2
            shares = np.stack((np.exp(half), np.full(len(half), draw), np.exp(-half)))
            drawn = rng.random(len(half)) * shares.sum(axis=0)
            kind = (drawn >= shares[0]).astype(int) + (drawn >= shares[0] + shares[1])
            np.add.at(counts[one], (kind, sides[:, 0], sides[:, 1]), 1)
            np.add.at(met[one], (sides[:, 0], sides[:, 1]), 1)
            played[one] += len(sides)
        rounds += 1
        values, covariance = fit_all(counts, values)
        present = (counts.sum(axis=(1, 3)) + counts.sum(axis=(1, 2))).astype(int)
        found = [
            Ratings(tuple(range(agents)), own[:agents] - own[:agents].mean(), spread, {}, {}, games)
            for own, spread, games in zip(values, covariance, present, strict=True)
        ]
        if rounds % 30 == 1:
            check(counts[0], found[0])
        looks(found, truth)


def check(counts: np.ndarray, found: Ratings) -> None:
    """The ratings of a league are those of the arena itself."""
    outcomes = {WIN: 1.0, DRAW: 0.5, LOSS: 0.0}
    games = [
        Comparison(int(one), int(other), outcomes[int(kind)], "", (int(kind), int(one), int(other), number))
        for kind, one, other in np.argwhere(counts)
        for number in range(int(counts[kind, one, other]))
    ]
    own = fit(games, range(counts.shape[1]))
    assert np.allclose(own.strengths, found.strengths, atol=1e-6)
    assert np.allclose(own.covariance, found.covariance, atol=1e-6)
    assert np.array_equal(own.played, found.played)


def fit_all(counts: np.ndarray, begin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The most likely [league, parameter] and the covariance of strengths; see `ratings.fit`."""
    agents = counts.shape[2]
    precision = np.full((len(counts), agents + 2), 1 / WIDEST**2)
    precision[:, :agents] = 1 / SPREAD**2
    values, going = begin.copy(), np.ones(len(counts), bool)
    for _ in range(20):
        values[going], information = climb(counts[going], values[going], precision[going])
        bread = np.diagonal(np.linalg.inv(information), axis1=1, axis2=2)[:, :agents]
        squares = (values[going, :agents] ** 2 + bread).sum(axis=1)
        spread = (TRUST * SPREAD**2 + squares) / (TRUST + agents)
        moved = np.abs(spread * precision[going, 0] - 1)
        precision[going, :agents] = 1 / spread[:, None]
        going[np.flatnonzero(going)[moved < 0.01]] = False
        if not going.any():
            break
    values, information = climb(counts, values, precision)
    around = np.eye(agents) - 1 / agents
    return values, around @ np.linalg.inv(information)[:, :agents, :agents] @ around


def climb(counts: np.ndarray, values: np.ndarray, precision: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Newton's method for all leagues until none moves."""
    for _ in range(100):
        slope, information = slopes(counts, values, precision)
        step = np.linalg.solve(information, slope[..., None])[..., 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        values = values + step * np.minimum(1.0, 2.0 / np.maximum(longest, 1e-300))
        if longest.max() < 1e-9:
            break
    return values, slopes(counts, values, precision)[1]


def slopes(counts: np.ndarray, values: np.ndarray, precision: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """[league, parameter] slopes of the log-likelihood with the prior, and the information."""
    agents = counts.shape[2]
    strength, edge, draws = values[:, :agents], values[:, agents, None, None], values[:, agents + 1, None, None]
    half = (strength[:, :, None] - strength[:, None, :] + edge) / 2
    weight = np.where(counts[:, DRAW].any(axis=(1, 2))[:, None, None], np.exp(draws), 0.0)
    win, loss = np.exp(half), np.exp(-half)
    whole = win + loss + weight
    win, loss, drawn = win / whole, loss / whole, weight / whole
    games = counts.sum(axis=1)
    lead = (counts[:, WIN] - counts[:, LOSS]) / 2 - games * (win - loss) / 2
    spread = games * ((win + loss) / 4 - ((win - loss) / 2) ** 2)
    both, odd = -games * (win - loss) / 2 * drawn, games * drawn * (1 - drawn)
    slope, information = np.zeros_like(values), np.zeros((len(values), agents + 2, agents + 2))
    slope[:, :agents] = lead.sum(axis=2) - lead.sum(axis=1)
    slope[:, agents] = lead.sum(axis=(1, 2))
    slope[:, agents + 1] = (counts[:, DRAW] - games * drawn).sum(axis=(1, 2))
    at = np.arange(agents)
    information[:, :agents, :agents] = -(spread + spread.transpose(0, 2, 1))
    information[:, at, at] += spread.sum(axis=2) + spread.sum(axis=1)
    for column, variances in ((agents, spread), (agents + 1, both)):
        across = variances.sum(axis=2) - variances.sum(axis=1)
        information[:, :agents, column] = information[:, column, :agents] = across
    information[:, agents, agents] = spread.sum(axis=(1, 2))
    information[:, agents, agents + 1] = information[:, agents + 1, agents] = both.sum(axis=(1, 2))
    information[:, agents + 1, agents + 1] = odd.sum(axis=(1, 2))
    every = np.arange(agents + 2)
    information[:, every, every] += precision
    return slope - precision * values, information
