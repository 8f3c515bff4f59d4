"""Ratings from games that were won, drawn and lost, with intervals.

The model is Bradley's and Terry's with Davidson's draws: the odds that one beats another hang on the difference of
their strengths, and on what the side is worth that it plays, such as the first move. Strengths are told from the
middle of the field: 0 is whoever would win as often as it loses against everybody in turn, so that somebody who loses
everything does not move the others. Intervals hold what makes the results hardly less likely than the likeliest
strengths do (profile likelihood); of somebody who lost everything nobody knows how weak it is, so one end is open.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from mmgames.running.statistics import COVERAGE, WIDE, cluster_numbers

ELO = 400 / math.log(10)
"""Points of Elo's scale for a unit of log-odds."""
WORTH = 0.5
"""Everybody's likeliest strength is told as if it had also won and lost so much of a game against the middle: without
it somebody who has won every game would be infinitely strong. Intervals and how sure an order is go without it."""
WIDEST = 10.0
"""The standard deviation that advantages of sides and weights of draws are expected to have: hardly any expectation."""
OPEN = 30.0
"""An end of an interval that is further away, in log-odds, is none."""
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
    likelihood: Likelihood
    wider: np.ndarray
    """By how much deals that hang together make everybody's error greater."""

    def errors(self) -> np.ndarray:
        return np.sqrt(np.diag(self.covariance))

    def interval(self, anytime: bool = False) -> np.ndarray:
        """[name, end]: 95 % intervals of the strengths; an infinite end is open, and the other then one-sided.

        With `anytime` they hold however often one has looked before, so one may stop because of what they say.
        """
        width = anytime_width(self.played) if anytime else np.full(len(self.names), WIDE)
        alone = width**2 / 2 if anytime else np.full(len(self.names), -math.log(1 - COVERAGE))
        return np.array(
            [
                self.likelihood.ends(
                    at, self.strengths[at], *(self.wider[at] ** 2 * np.array([width[at] ** 2 / 2, alone[at]]))
                )
                for at in range(len(self.names))
            ]
        ).reshape(-1, 2)

    def sure(self, one: int, other: int) -> float:
        """How sure it is that one is stronger than the other: the confidence at which an interval says so."""
        lost = self.likelihood.lost_as_equals(one, other)
        root = math.sqrt(2 * lost) / math.sqrt(self.wider[one] * self.wider[other])
        share = NormalDist().cdf(root)
        return share if self.strengths[one] >= self.strengths[other] else 1 - share

    def games_to_settle(self, one: int, other: int) -> int:
        """About how many more games between these two would tell who is stronger, if it is as it seems."""
        gap, error = self.gap(one, other)
        share = float(win_share(gap))
        wanted = (WIDE / max(abs(gap), 1e-6)) ** 2 - 1 / max(error, 1e-6) ** 2
        return max(0, math.ceil(wanted / (share * (1 - share))))

    def gap(self, one: int, other: int) -> tuple[float, float]:
        """How much stronger one is than the other, and the standard error of that."""
        variance = self.covariance[one, one] + self.covariance[other, other] - 2 * self.covariance[one, other]
        return float(self.strengths[one] - self.strengths[other]), math.sqrt(max(0.0, float(variance)))

    def gaps(self) -> tuple[np.ndarray, np.ndarray]:
        """[one, other]: `gap` of all pairs."""
        own = np.diag(self.covariance)
        variance = own[:, None] + own[None, :] - 2 * self.covariance
        return self.strengths[:, None] - self.strengths[None, :], np.sqrt(np.maximum(variance, 0.0))

    @cached_property
    def worth_asking(self) -> np.ndarray:
        """[one, other]: how likely their order is another one, times the share of that doubt that a game takes away."""
        gap, error = self.gaps()
        sure = np.abs(gap) / np.where(error > 0, error, 1.0)
        wrong = np.vectorize(math.erfc, otypes=[float])(sure / math.sqrt(2)) / 2
        share = win_share(gap)
        told = error**2 * share * (1 - share)
        return np.asarray(wrong * told / (1 + told))

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

    They are told from the middle of all, or of everybody's own group, where groups meet only each other: what sets
    those apart cannot be told from what the sides are worth.
    """
    names = tuple(dict.fromkeys([*(names or ()), *(who for one in comparisons for who in one[:2])]))
    found = Likelihood(comparisons, names, [None if group is None else group(name) for name in names])
    count = len(names)
    covariance, wider = found.covariance()
    places = {
        place: (float(found.values[at]), math.sqrt(max(0.0, float(covariance[at, at]))))
        for place, at in found.advantages.items()
    }
    draws = {}
    for place in found.advantages:
        weight = math.exp(found.values[found.draws[place]]) if place in found.draws else 0.0
        draws[place] = weight / (2 + weight)
    strengths = found.values[:count] - found.middles(found.values)[0]
    played = np.bincount(found.columns[:2].ravel(), np.tile(found.count, 2), count).astype(int)
    return Ratings(names, strengths, covariance[:count, :count], places, draws, played, found, wider[:count])


def win_share(gap: np.ndarray | float, draw: float = 0.0) -> np.ndarray:
    """The share of points, a draw being half of one, of somebody stronger by `gap`; `draw` as in `Ratings.draws`."""
    half, weight = np.asarray(gap, float) / 2, 2 * draw / max(1e-12, 1 - draw)
    win, loss = np.exp(half), np.exp(-half)
    return np.asarray((win + weight / 2) / (win + loss + weight))


class Likelihood:
    """Comparisons as arrays: parameters are everybody's strength, then each place's advantage and weight of draws."""

    def __init__(self, comparisons: Sequence[Comparison], names: Sequence[Hashable], groups: Sequence[Any]) -> None:
        number = {name: at for at, name in enumerate(names)}
        places = {place: at for at, place in enumerate(dict.fromkeys(one.place for one in comparisons))}
        drawn = dict.fromkeys(one.place for one in comparisons if one.outcome == 0.5)
        self.people, self.size = len(names), len(names) + len(places) + len(drawn)
        self.advantages = {place: self.people + at for place, at in places.items()}
        self.draws = {place: self.people + len(places) + at for at, place in enumerate(drawn)}
        kinds = np.array(cluster_numbers(groups), int)
        self.groups = [np.flatnonzero(kinds == kind) for kind in range(int(kinds.max(initial=-1)) + 1)]
        # Comparisons that are alike are counted, so that a long arena costs little more than a short one.
        seen = np.array(
            [(number[one.first], number[one.second], places[one.place], int(2 * one.outcome)) for one in comparisons],
            int,
        ).reshape(-1, 4)
        shape = (max(1, self.people), max(1, self.people), max(1, len(places)), 3)
        alike, self.kind, self.count = np.unique(
            np.ravel_multi_index(tuple(seen.T), shape), return_inverse=True, return_counts=True
        )
        first, second, place, outcome = np.unravel_index(alike, shape)
        weights = np.array([self.draws.get(one, self.size) for one in places] or [self.size], int)
        self.outcome = outcome / 2
        self.deals = np.array(cluster_numbers([one.deal for one in comparisons]), int)
        # What a kind depends on: two strengths, an advantage and a weight of draws, or what is cut off.
        self._depends_on(np.stack((first, second, self.people + place, weights[place])))
        self.values = self._climb(np.zeros(self.size), WORTH)

    def _depends_on(self, columns: np.ndarray) -> None:
        self.columns = columns
        self.pairs = (columns[:, None] * (self.size + 1) + columns[None, :]).ravel()

    @cached_property
    def best(self) -> float:
        """The logarithm of the greatest likelihood, or of what it comes as near to as one likes."""
        return self._log(self._climb(self.values, 0.0))

    def middles(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of everybody the middle of its group, and [name, other]: how much that moves with another's strength."""
        middles, weights = np.zeros(self.people), np.zeros((self.people, self.people))
        for who in self.groups:
            own = values[who]
            middle = float(np.sort(own)[len(own) // 2])
            for _ in range(50):
                leads = np.tanh((own - middle) / 2)
                moves = np.maximum(1 - leads**2, 1e-12)
                step = 2 * float(leads.sum() / moves.sum())
                middle += min(1.0, max(-1.0, step))
                if abs(step) < 1e-10:
                    break
            middles[who], weights[np.ix_(who, who)] = middle, moves / moves.sum()
        return middles, weights

    def _climb(self, values: np.ndarray, worth: float, who: int = -1, hold: float = 0.0) -> np.ndarray:
        """The most likely parameters by Newton's method, from these; with `who` among those that hold its strength."""
        return self._climbed(values, worth, who, hold)[0]

    def _climbed(self, values: np.ndarray, worth: float, who: int = -1, hold: float = 0.0) -> tuple[np.ndarray, float]:
        """The same, and how steep the likelihood is in the strength that is held."""
        values, steep = values.copy(), 0.0
        for _ in range(100):
            pull, information = self._slopes(values, worth)
            if who < 0:
                step, off = np.linalg.solve(information, pull), 0.0
            else:
                middles, weights = self.middles(values)
                along = np.zeros(self.size)
                along[: self.people] = -weights[who]
                along[who] += 1.0
                free, bound = np.linalg.solve(information, np.stack((pull, along), axis=1)).T
                off = hold - float(values[who] - middles[who])
                steep = (float(along @ free) - off) / max(float(along @ bound), 1e-300)
                step = free - steep * bound
                pull = pull - steep * along
            longest = float(np.abs(step).max(initial=0.0))
            values += step * min(1.0, 2.0 / max(longest, 1e-300))
            if float(pull @ step) < 1e-9 and abs(off) < 1e-6:
                break
        return values, steep

    def ends(self, who: int, strength: float, fall: float, fall_alone: float) -> tuple[float, float]:
        """Between which strengths the likelihood falls by less; by `fall_alone` where one of the ends is open."""
        low, high = (self._end(who, strength, side, fall) for side in (-1, 1))
        if math.isinf(low) and not math.isinf(high):
            high = self._end(who, strength, 1, fall_alone)
        elif math.isinf(high) and not math.isinf(low):
            low = self._end(who, strength, -1, fall_alone)
        return low, high

    def _end(self, who: int, strength: float, side: int, fall: float) -> float:
        at, values = strength + side, self.values
        for _ in range(60):
            values, steep = self._climbed(values, 0.0, who, at)
            over = self.best - self._log(values) - fall
            if abs(over) < 1e-4:
                break
            at += min(4.0, max(-4.0, over / steep)) if steep * side < -1e-9 else 2.0 * side
            if abs(at - strength) > OPEN:
                return side * math.inf
        return at

    def lost_as_equals(self, one: int, other: int) -> float:
        """By how much the logarithm of the likelihood falls if two are taken for equally strong."""
        alike = copy(self)
        alike._depends_on(np.where((self.columns == other) & (np.arange(4) < 2)[:, None], one, self.columns))
        return max(0.0, self.best - alike._log(alike._climb(self.values, 0.0)))

    def covariance(self) -> tuple[np.ndarray, np.ndarray]:
        """From how much deals differ from each other, but at least as of independent games; and how much wider."""
        around = np.eye(self.size)
        around[: self.people, : self.people] -= self.middles(self.values)[1]
        bread = around @ np.linalg.inv(self._slopes(self.values, WORTH)[1])
        independent = bread @ around.T
        count = int(self.deals.max(initial=-1)) + 1
        if count == len(self.deals) or count < 2:
            return independent, np.ones(self.size)  # no two hang together
        sums = np.zeros((count, self.size + 1))
        np.add.at(sums, (self.deals[None, :], self.columns[:, self.kind]), self._each(self.values)[0][:, self.kind])
        sums = sums[:, : self.size]
        together = np.diag(bread @ (sums.T @ sums * count / (count - 1)) @ bread.T)
        wider = np.sqrt(np.maximum(1.0, together / np.maximum(np.diag(independent), 1e-300)))
        return independent * wider[:, None] * wider[None, :], wider

    def _shares(self, values: np.ndarray) -> np.ndarray:
        """[outcome, kind]: how likely a kind's first wins, loses, neither."""
        values = np.append(values, -np.inf)
        first, second, place, draw = (values[column] for column in self.columns)
        half = np.clip((first - second + place) / 2, -300.0, 300.0)
        odds = np.stack((np.exp(half), np.exp(-half), np.exp(draw)))
        return np.asarray(odds / odds.sum(axis=0))

    def _log(self, values: np.ndarray) -> float:
        """The logarithm of the likelihood, with what is expected of advantages and draws."""
        win, loss, drawn = self._shares(values)
        likely = np.where(self.outcome == 1, win, np.where(self.outcome == 0, loss, drawn))
        expected = float((values[self.people :] ** 2).sum()) / (2 * WIDEST**2)
        return float(self.count @ np.log(np.maximum(likely, 1e-300))) - expected

    def _each(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """[column, kind]: the slopes of each kind's log-likelihood; and [column, column, kind]: its information."""
        win, loss, drawn = self._shares(values)
        lead = (self.outcome - 0.5) - (win - loss) / 2
        slopes = np.stack((lead, -lead, lead, (self.outcome == 0.5) - drawn))
        spread = self.count * ((win + loss) / 4 - ((win - loss) / 2) ** 2)
        both = -self.count * (win - loss) / 2 * drawn
        signs = np.array([1.0, -1.0, 1.0])
        told = np.empty((4, 4, len(lead)))
        told[:3, :3] = np.outer(signs, signs)[:, :, None] * spread
        told[:3, 3] = told[3, :3] = signs[:, None] * both
        told[3, 3] = self.count * drawn * (1 - drawn)
        return slopes, told

    def _slopes(self, values: np.ndarray, worth: float) -> tuple[np.ndarray, np.ndarray]:
        """The slope of the log-likelihood of all, and the information; everybody having `worth` of a game besides."""
        slopes, told = self._each(values)
        pull = np.bincount(self.columns.ravel(), (slopes * self.count).ravel(), self.size + 1)[: self.size]
        information = np.bincount(self.pairs, told.ravel(), (self.size + 1) ** 2).reshape(self.size + 1, self.size + 1)
        lead = np.tanh(values[: self.people] / 2)
        more = np.full(self.size, 1 / WIDEST**2)
        more[: self.people] = worth * (1 - lead**2) / 2 + 1e-9
        expected = np.append(worth * lead, values[self.people :] / WIDEST**2)
        return pull - expected, information[: self.size, : self.size] + np.diag(more)
