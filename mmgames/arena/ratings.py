"""Ratings from games that were won, drawn and lost, with intervals.

The model is Bradley's and Terry's with Davidson's draws: the odds that one beats another hang on the difference of
their strengths, and on what the side is worth that it plays, such as the first move.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from mmgames.running.statistics import COVERAGE, WIDE, cluster_numbers

ELO = 400 / math.log(10)
"""Points of Elo's scale for a unit of log-odds."""
SPREAD, TRUST = 2.0, 4.0
"""The standard deviation that strengths are expected to have, in log-odds, and how many agents that is worth.
Who is in an arena soon says more about it. Without it somebody who has won every game would be infinitely strong, and
those whom a schedule asked about because they seemed alike would seem further apart than they are."""
WIDEST = 10.0
"""The standard deviation that advantages of sides and weights of draws are expected to have: hardly any expectation."""
SOON = 100
"""After about so many games intervals that are valid at any time are narrowest."""


class Comparison(NamedTuple):
    """Who came out ahead of whom, in one game."""

    first: Hashable
    second: Hashable
    outcome: float
    """1: the first is ahead, 0: the second, 0.5: neither."""
    place: Hashable
    """Where it was: the game, and the sides of the first and the second."""
    deal: Hashable
    """Comparisons with the same one hang together: what was dealt favoured the same side in all of them."""


@dataclass(frozen=True)
class Ratings:
    """Strengths of everybody in log-odds, around their mean, and how sure they are."""

    names: tuple[Hashable, ...]
    strengths: np.ndarray
    covariance: np.ndarray
    advantages: dict[Hashable, tuple[float, float]]
    """What the first side of a place is worth, and its standard error."""
    draws: dict[Hashable, float]
    """By place: the share of draws between equals, if the sides were equal too."""
    played: np.ndarray
    """How many comparisons everybody is in."""

    def errors(self) -> np.ndarray:
        return np.sqrt(np.diag(self.covariance))

    def interval(self, anytime: bool = False) -> np.ndarray:
        """[name, end]: 95 % intervals of the strengths.

        With `anytime` they hold however often one has looked before, so one may stop because of what they say.
        """
        width = anytime_width(self.played) if anytime else np.full(len(self.names), WIDE)
        return self.strengths[:, None] + (width * self.errors())[:, None] * np.array([-1, 1])

    def gap(self, one: int, other: int) -> tuple[float, float]:
        """How much stronger one is than the other, and the standard error of that."""
        variance = self.covariance[one, one] + self.covariance[other, other] - 2 * self.covariance[one, other]
        return float(self.strengths[one] - self.strengths[other]), math.sqrt(max(0.0, float(variance)))

    def gaps(self) -> tuple[np.ndarray, np.ndarray]:
        """[one, other]: `gap` of all pairs."""
        own = np.diag(self.covariance)
        variance = own[:, None] + own[None, :] - 2 * self.covariance
        return self.strengths[:, None] - self.strengths[None, :], np.sqrt(np.maximum(variance, 0.0))

    def order(self) -> list[int]:
        """Numbers of the names, the strongest first; among equals in their own order."""
        return sorted(range(len(self.names)), key=lambda number: (-self.strengths[number], number))


def anytime_width(games: np.ndarray, soon: int = SOON) -> np.ndarray:
    """Half the width, in standard errors, of an interval that holds at every number of games at once.

    Robbins' mixture of normal martingales, narrowest around `soon` games (Waudby-Smith et al., Time-uniform central
    limit theory, 2021): it holds in the limit of many games, as the standard errors themselves do.
    """
    alpha = 1 - COVERAGE
    rate = (-2 * math.log(alpha) + math.log(-2 * math.log(alpha) + 1)) / soon
    seen = np.maximum(1, games) * rate
    return np.asarray(np.sqrt(2 * (seen + 1) / seen * np.log(np.sqrt(seen + 1) / alpha)))


def fit(
    comparisons: Sequence[Comparison],
    names: Sequence[Hashable] | None = None,
    group: Callable[[Any], Hashable] | None = None,
) -> Ratings:
    """The strengths that make what was seen most likely. `names` may hold some who have not played.

    They are around the mean of all, or of everybody's own group, where groups meet only each other: what sets those
    apart cannot be told from what the sides are worth.
    """
    names = tuple(dict.fromkeys([*(names or ()), *(who for one in comparisons for who in one[:2])]))
    design = _Design(comparisons, names)
    values, information = design.solve()
    count = len(names)
    kinds = np.array(cluster_numbers([None if group is None else group(name) for name in names]), int)
    same = (kinds[:, None] == kinds[None, :]).astype(float)
    around = np.eye(design.size)
    around[:count, :count] -= same / np.maximum(1.0, same.sum(axis=1, keepdims=True))
    values = around @ values
    covariance = design.covariance(values, information, around)
    places = {
        place: (float(values[at]), math.sqrt(max(0.0, float(covariance[at, at]))))
        for place, at in design.advantages.items()
    }
    draws = {}
    for place in dict.fromkeys(one.place for one in comparisons):
        weight = math.exp(values[design.draws[place]]) if place in design.draws else 0.0
        draws[place] = weight / (2 + weight)
    number = {name: at for at, name in enumerate(names)}
    played = np.bincount([number[who] for one in comparisons for who in one[:2]], minlength=count)
    return Ratings(names, values[:count], covariance[:count, :count], places, draws, played)


def win_share(gap: np.ndarray | float, draw: float = 0.0) -> np.ndarray:
    """The share of points, a draw being half of one, of somebody stronger by `gap`; `draw` as in `Ratings.draws`."""
    half, weight = np.asarray(gap, float) / 2, 2 * draw / max(1e-12, 1 - draw)
    win, loss = np.exp(half), np.exp(-half)
    return np.asarray((win + weight / 2) / (win + loss + weight))


class _Design:
    """Comparisons as arrays: parameters are everybody's strength, then each place's advantage and weight of draws."""

    def __init__(self, comparisons: Sequence[Comparison], names: Sequence[Hashable]) -> None:
        number = {name: at for at, name in enumerate(names)}
        places = dict.fromkeys(one.place for one in comparisons)
        drawn = dict.fromkeys(one.place for one in comparisons if one.outcome == 0.5)
        self.advantages = {place: len(names) + at for at, place in enumerate(places)}
        self.draws = {place: len(names) + len(places) + at for at, place in enumerate(drawn)}
        self.size, self.people = len(names) + len(places) + len(drawn), len(names)
        seen = [
            (
                number[one.first],
                number[one.second],
                self.advantages[one.place],
                self.draws.get(one.place, -1),
                one.outcome,
            )
            for one in comparisons
        ]
        # Comparisons that are alike are counted, so that a long arena costs no more than a short one.
        alike, self.kind, self.count = np.unique(
            np.array(seen, float).reshape(-1, 5), axis=0, return_inverse=True, return_counts=True
        )
        self.first, self.second, self.place, self.draw = alike[:, :4].T.astype(int)
        self.outcome = alike[:, 4]
        self.deals = np.array(cluster_numbers([one.deal for one in comparisons]), int)
        self.precision = np.full(self.size, 1 / WIDEST**2)
        self.precision[: self.people] = 1 / SPREAD**2
        # What a kind depends on: two strengths, an advantage and a weight of draws, or what is cut off.
        self.columns = np.stack((self.first, self.second, self.place, np.where(self.draw >= 0, self.draw, self.size)))
        self.pairs = (self.columns[:, None] * (self.size + 1) + self.columns[None, :]).ravel()

    def solve(self) -> tuple[np.ndarray, np.ndarray]:
        """The most likely parameters and the information about them, with strengths spread as these are themselves."""
        values = np.zeros(self.size)
        for _ in range(20):
            values, information = self._climb(values)
            bread = np.diag(np.linalg.inv(information))[: self.people]
            squares = float((values[: self.people] ** 2 + bread).sum())
            spread = (TRUST * SPREAD**2 + squares) / (TRUST + self.people)
            moved = abs(spread * float(self.precision[:1].sum()) - 1)
            self.precision[: self.people] = 1 / spread
            if moved < 0.01:
                break
        return self._climb(values)

    def _climb(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The most likely parameters by Newton's method, from these, and the information about them."""
        values = values.copy()
        for _ in range(100):
            slopes, information = self._slopes(values)
            pull = np.bincount(self.columns.ravel(), (slopes * self.count).ravel(), self.size + 1)[: self.size]
            step = np.linalg.solve(information, pull - self.precision * values)
            longest = float(np.abs(step).max(initial=0.0))
            values += step * min(1.0, 2.0 / max(longest, 1e-300))
            if longest < 1e-9:
                break
        return values, self._slopes(values)[1]

    def covariance(self, values: np.ndarray, information: np.ndarray, around: np.ndarray) -> np.ndarray:
        """Of `around @ values`, from how much deals differ from each other, but at least as of independent games."""
        bread = np.linalg.inv(information)
        independent = around @ bread @ around.T
        count = int(self.deals.max(initial=-1)) + 1
        if count == len(self.deals) or count < 2:
            return independent  # no two hang together
        sums = np.zeros((count, self.size + 1))
        kinds = self.kind.reshape(-1)
        np.add.at(sums, (self.deals[None, :], self.columns[:, kinds]), self._slopes(values)[0][:, kinds])
        sums = sums[:, : self.size]
        together = np.diag(around @ bread @ (sums.T @ sums * count / (count - 1)) @ bread @ around.T)
        wider = np.sqrt(np.maximum(1.0, together / np.maximum(np.diag(independent), 1e-300)))
        return independent * wider[:, None] * wider[None, :]

    def _slopes(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """[column, kind]: the slopes of each kind's log-likelihood, and the information of all with the prior's."""
        half = (values[self.first] - values[self.second] + values[self.place]) / 2
        weight = np.where(self.draw >= 0, np.exp(values[self.draw]), 0.0) if self.size else np.zeros(0)
        win, loss = np.exp(half), np.exp(-half)
        whole = win + loss + weight
        win, loss, drawn = win / whole, loss / whole, weight / whole
        lead = (self.outcome - 0.5) - (win - loss) / 2
        slopes = np.stack((lead, -lead, lead, (self.outcome == 0.5) - drawn))
        spread = self.count * ((win + loss) / 4 - ((win - loss) / 2) ** 2)
        both = -self.count * (win - loss) / 2 * drawn
        odd = self.count * drawn * (1 - drawn)
        signs = np.array([1.0, -1.0, 1.0])
        told = np.empty((4, 4, len(lead)))
        told[:3, :3] = np.outer(signs, signs)[:, :, None] * spread
        told[:3, 3] = told[3, :3] = signs[:, None] * both
        told[3, 3] = odd
        information = np.bincount(self.pairs, told.ravel(), (self.size + 1) ** 2).reshape(self.size + 1, self.size + 1)
        return slopes, information[: self.size, : self.size] + np.diag(self.precision)
