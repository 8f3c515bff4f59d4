"""Where a ladder misleads: A beats B, B beats C, and C beats A."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from mmgames.arena.ratings import Comparison, Ratings, win_share

DRAWS = 100
SELECTION, POPULATION = 20.0, 50
"""How strongly the fitter spread, and among how many, in `alpha_rank`."""


@dataclass(frozen=True)
class Cycles:
    """How far results differ from what a ladder can say."""

    share: float
    """Of all that sets pairs apart, the part that no ladder holds."""
    chance: float
    """How often chance alone would make pairs differ from the ladder as much."""
    standing: np.ndarray
    """How much of the time each would hold the field (see `alpha_rank`), over all that strengths may be."""


def cycles(comparisons: Sequence[Comparison], ratings: Ratings) -> Cycles:
    """What pairs say beyond the ladder. A pair that has not met counts as the ladder has it."""
    number = {name: at for at, name in enumerate(ratings.names)}
    points: dict[tuple[int, int], list[float]] = defaultdict(list)
    expected: dict[tuple[int, int], list[float]] = defaultdict(list)
    for one in comparisons:
        pair, outcome = (number[one.first], number[one.second]), one.outcome
        gap = ratings.strengths[pair[0]] - ratings.strengths[pair[1]] + ratings.advantages[one.place][0]
        share = float(win_share(gap, ratings.draws[one.place]))
        if pair[0] > pair[1]:
            pair, outcome, share = pair[::-1], 1 - outcome, 1 - share
        points[pair].append(outcome)
        expected[pair].append(share)
    ladder = win_share(ratings.gaps()[0]) - 0.5
    lead = ladder.copy()
    surprise, freedom = 0.0, len(points) - len(ratings.names) + 1
    for pair, got in points.items():
        by_chance = sum(share * (1 - share) for share in expected[pair])
        off = sum(got) - sum(expected[pair])
        surprise += off**2 / max(by_chance, 1e-9)
        # The lead of a pair on neutral ground: the ladder's, and what it was off by, less the more it was by chance.
        lead[pair] += off / (len(got) + 1)
        lead[pair[::-1]] = -lead[pair]
    whole = float((lead**2).sum())
    share = float(((lead - ladder) ** 2).sum()) / whole if whole > 0 else 0.0
    # Where an order is in doubt each of the two may be first: strengths are drawn as sure as they are.
    rng = np.random.default_rng(0)
    gaps = rng.multivariate_normal(ratings.strengths, ratings.covariance, DRAWS, method="eigh")
    drawn = win_share(gaps[:, :, None] - gaps[:, None, :]) - 0.5
    standing = np.mean([alpha_rank(np.clip(own + lead - ladder + 0.5, 0.0, 1.0)) for own in drawn], axis=0)
    return Cycles(share, _chance_of(surprise, freedom), standing)


def _chance_of(surprise: float, freedom: int) -> float:
    """How often a chi-squared number is that high (Wilson and Hilferty's approximation)."""
    if freedom < 1:
        return 1.0
    spread = 2 / (9 * freedom)
    return 1 - NormalDist().cdf(((surprise / freedom) ** (1 / 3) - 1 + spread) / math.sqrt(spread))


def alpha_rank(shares: np.ndarray, selection: float = SELECTION, population: int = POPULATION) -> np.ndarray:
    """How much of the time each of several strategies holds a population in which the fitter spread.

    Omidshafiei et al., α-Rank (2019): `shares[one, other]` is what one wins against the other. From a population of one
    kind a single newcomer of another takes over with the probability of a Moran process; what is given is the
    stationary distribution of that walk. In a cycle all share it, on a ladder the first has it all.
    """
    count = len(shares)
    if count < 2:
        return np.ones(count)
    fitter = np.clip(selection * (shares.T - shares), -50, 50)  # [holder, newcomer]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        takes_over = np.where(
            np.abs(fitter) < 1e-12, 1 / population, np.expm1(-fitter) / np.expm1(-population * fitter)
        )
    walk = np.nan_to_num(takes_over) / (count - 1)
    np.fill_diagonal(walk, 0.0)
    np.fill_diagonal(walk, 1 - walk.sum(axis=1))
    equations = np.vstack([walk.T - np.eye(count), np.ones(count)])
    found = np.linalg.lstsq(equations, np.append(np.zeros(count), 1.0), rcond=None)[0]
    held = np.maximum(found, 0.0)
    return np.asarray(held / held.sum())
