"""Who meets whom next: everybody everybody as often, or those whose order is in doubt."""

from collections.abc import Collection
from typing import Literal, get_args

import numpy as np

from mmgames.arena.ratings import Ratings

Schedule = Literal["adaptive", "round-robin"]
SCHEDULES = get_args(Schedule)

Pair = tuple[int, int]
AGAIN = 8
"""Strengths are fitted again when there are so many times fewer new games than old ones: planning costs little then."""


def next_fit(games: int) -> int:
    """At how many games strengths are fitted again, if they were at so many."""
    return games + max(1, games // AGAIN)


def adaptive_pairs(
    ratings: Ratings, met: np.ndarray, most: int, allowed: Collection[int], round_number: int
) -> list[Pair]:
    """A round by turns of pairs whose order is in doubt, and of those who have met least.

    The latter tie together what is far apart: asking about neighbours alone leaves intervals that are too narrow.
    """
    if round_number % 2:
        return doubtful_pairs(ratings, met, most, allowed)
    return fair_pairs(met, most, allowed)


def doubtful_pairs(ratings: Ratings, met: np.ndarray, most: int, allowed: Collection[int]) -> list[Pair]:
    """A round of at most `most` pairs in which nobody is twice: those about whose order a game tells most.

    That is how likely their order is not what it seems, times the share of its doubt that one more game takes away.
    Where nothing is known all are alike, and those go first who have met least. `met[one, other]` is how often they
    have. One of each pair is among those `allowed`.
    """
    value = ratings.worth_asking
    pairs = _pairs(len(ratings.names), allowed)
    ranked = sorted(pairs, key=lambda pair: (-round(float(value[pair]), 9), int(met[pair]), pair))
    return _nobody_twice(ranked, most)


def fair_pairs(met: np.ndarray, most: int, allowed: Collection[int], alone: bool = False) -> list[Pair]:
    """A round of at most `most` pairs in which nobody is twice: those who have met least; `alone`: themselves too."""
    count = len(met)
    pairs = _pairs(count, allowed) + ([(one, one) for one in sorted(allowed)] if alone else [])
    least = min((int(met[pair]) for pair in pairs), default=0)
    waiting = [pair for pair in pairs if met[pair] == least]  # the others wait, even if they are free
    return _nobody_twice(sorted(waiting, key=lambda pair: ((pair[1] - pair[0]) % count, pair)), most)


def _pairs(count: int, allowed: Collection[int]) -> list[Pair]:
    return [
        (one, other) for one in range(count) for other in range(one + 1, count) if one in allowed or other in allowed
    ]


def _nobody_twice(ranked: list[Pair], most: int) -> list[Pair]:
    chosen: list[Pair] = []
    busy: set[int] = set()
    for pair in ranked:
        if len(chosen) == most:
            break
        if busy.isdisjoint(pair):
            chosen.append(pair)
            busy.update(pair)
    return chosen
