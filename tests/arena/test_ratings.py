"""Ratings, schedules and cycles, on leagues whose truth is known."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

from benchmarks.arena import _held, ladder_like, league, tau
from mmgames.arena.ladder import alpha_rank, cycles
from mmgames.arena.meetings import doubtful_pairs, fair_pairs
from mmgames.arena.ratings import ELO, Comparison, anytime_width, fit, win_share
from mmgames.running.statistics import WIDE


def games(*results: tuple[str, str, float], place: str = "g") -> list[Comparison]:
    return [Comparison(*result, place, number) for number, result in enumerate(results)]


def test_two_players_have_the_odds_that_they_played_however_many_games_share_a_deal() -> None:
    results = [("a", "b", 1.0)] * 60 + [("b", "a", 1.0)] * 20
    # Who is named first would be an advantage of the side: each is as often.
    results = [*results, *((two, one, 1 - won) for one, two, won in results)]
    found = fit(games(*results))
    gap, error = found.gap(0, 1)
    assert gap == pytest.approx(math.log(3), abs=0.01)
    assert error == pytest.approx(math.sqrt(1 / (160 * 0.75 * 0.25)), rel=0.01)
    assert ELO * gap == pytest.approx(400 * math.log10(3), abs=2)
    assert found.strengths.sum() == pytest.approx(0)
    rng = np.random.default_rng(1)
    once = [("a", "b", float(rng.random() < 0.6)) for _ in range(60)]
    once = [row if number % 2 else (row[1], row[0], 1 - row[2]) for number, row in enumerate(once)]
    alone = fit(games(*once))
    copies = [Comparison(*row, "g", number) for number, row in enumerate(once) for _ in range(10)]
    assert fit(copies).gap(0, 1)[1] == pytest.approx(alone.gap(0, 1)[1], rel=0.1)
    told_apart = fit([one._replace(deal=number) for number, one in enumerate(copies)])
    assert told_apart.gap(0, 1)[1] < 0.4 * alone.gap(0, 1)[1]


def test_the_first_side_and_draws_are_told_apart_from_strength() -> None:
    rng = np.random.default_rng(0)
    weights = np.exp([0.75, -0.75]), math.exp(0.2)
    results = []
    for number in range(3000):
        one, two = ("a", "b") if number % 2 else ("b", "a")  # they are equal, and the first side is worth 1.5
        drawn = rng.random() * (weights[0].sum() + weights[1])
        results.append((one, two, 1.0 if drawn < weights[0][0] else 0.0 if drawn < weights[0].sum() else 0.5))
    found = fit(games(*results))
    worth, error = found.advantages["g"]
    assert abs(worth - 1.5) < 3 * error and error < 0.1
    assert abs(found.gap(0, 1)[0]) < 3 * found.gap(0, 1)[1]
    assert found.draws["g"] == pytest.approx(weights[1] / (2 + weights[1]), abs=0.03)
    assert float(win_share(0.0, found.draws["g"])) == pytest.approx(0.5)


def test_who_won_every_game_is_not_infinitely_strong_and_intervals_at_any_time_are_wider() -> None:
    found = fit(games(*[("a", "b", 1.0), ("b", "a", 0.0)] * 4), names=("a", "b", "new"))
    assert np.isfinite(found.strengths).all() and found.strengths[0] > found.strengths[1]
    low, high = found.interval()[2]
    assert low < found.strengths[1] and high > found.strengths[0] and found.played[2] == 0
    assert len(fit([], names=("a", "b")).strengths) == 2
    widths = anytime_width(np.array([1, 10, 100, 1000, 100_000]))
    assert (widths > WIDE).all() and widths.argmin() == 2
    found = fit(games(("a", "b", 1.0), ("b", "a", 0.5)))
    assert (np.ptp(found.interval(anytime=True), axis=1) > np.ptp(found.interval(), axis=1)).all()


def test_somebody_who_loses_everything_is_below_something_and_moves_nobody_else() -> None:
    rng = np.random.default_rng(1)
    among = [(*pair, float(rng.random() < 0.5)) for pair in itertools.permutations("abc", 2) for _ in range(10)]
    alone = fit(games(*among), "abc")
    lost = [(one, "z", 1.0) for one in "abc"] * 20 + [("z", one, 0.0) for one in "abc"] * 20
    found = fit(games(*among, *lost), "abcz")
    low, high = found.interval()[3]
    assert np.isinf(low) and high < found.interval()[:3, 0].min() and found.strengths[3] < high
    assert found.sure(0, 3) > 0.999 and found.sure(3, 0) < 0.001
    assert np.abs(np.diff(found.strengths[:3]) - np.diff(alone.strengths[:3])).max() < 0.1
    assert found.games_to_settle(0, 3) == 0 < found.games_to_settle(0, 1)


@pytest.mark.parametrize("schedule", ["adaptive", "round-robin"])
def test_intervals_hold_for_outliers_too(schedule: Any) -> None:
    held = np.array([_held("with an outlier", schedule, seed) for seed in range(25)])
    assert held[:, :, 0].mean() > 0.9 and held[:, -1, 0].mean() > 0.87


def test_the_adaptive_schedule_asks_about_neighbours_and_newcomers() -> None:
    rng = np.random.default_rng(3)
    *_, found = league(rng, ladder_like(rng, 8), 400, "round-robin")
    met = np.zeros((8, 8), int)
    place = {who: rank for rank, who in enumerate(found.order())}
    pairs = doubtful_pairs(found, met, 8, range(8))
    assert len(pairs) == 4 and sorted(itertools.chain(*pairs)) == list(range(8))
    assert np.mean([abs(place[one] - place[other]) for one, other in pairs]) <= 1.5
    *_, found = league(rng, ladder_like(rng, 6), 60, "round-robin")
    met = np.zeros((6, 6), int)
    assert [5 in pair for pair in doubtful_pairs(found, met, 6, {5})] == [True]
    assert [5 in pair for pair in fair_pairs(met, 6, {5})] == [True]


@pytest.mark.parametrize("count", [2, 5, 6])
def test_a_round_robin_lets_everybody_meet_everybody_as_often(count: int) -> None:
    met: Any = np.zeros((count, count), int)
    games_each = 0
    while games_each < 4 * count * (count - 1) // 2:
        for one, other in fair_pairs(met, count, range(count)):
            met[one, other] += 1
            met[other, one] += 1
            games_each += 1
    apart = met[~np.eye(count, dtype=bool)]
    assert apart.max() - apart.min() <= 1


def test_few_adaptive_games_order_a_league_better_than_as_many_fair_ones() -> None:
    taus = {
        schedule: np.mean([tau(seed, 800, schedule) for seed in range(3)]) for schedule in ("adaptive", "round-robin")
    }
    assert taus["adaptive"] > taus["round-robin"] and taus["adaptive"] >= 0.95


def test_a_cycle_is_seen_a_ladder_is_none_and_alpha_rank_is_the_moran_process() -> None:
    names = "rock", "paper", "scissors"
    beats = [("paper", "rock", 1.0), ("scissors", "paper", 1.0), ("rock", "scissors", 1.0)]
    both = [*beats, *((two, one, 0.0) for one, two, _ in beats)]
    around = cycles(games(*both * 10), fit(games(*both * 10), names))
    assert around.share > 0.95 and around.chance < 1e-6
    assert around.standing == pytest.approx(np.full(3, 1 / 3), abs=1e-6)
    ladder = [("paper", "rock", 1.0), ("scissors", "paper", 1.0), ("scissors", "rock", 1.0)] * 9 + beats[:2]
    rows = games(*ladder, *((two, one, 1 - won) for one, two, won in ladder))
    straight = cycles(rows, fit(rows, names))
    assert straight.share < 0.1 and straight.chance > 0.05 and straight.standing.argmax() == 2
    shares = np.array([[0.5, 0.7], [0.3, 0.5]])
    selection, population = 3.0, 7
    step = selection * 0.4
    to_worse = math.expm1(step) / math.expm1(population * step)
    to_better = math.expm1(-step) / math.expm1(-population * step)
    held = alpha_rank(shares, selection, population)
    assert held == pytest.approx([to_better / (to_better + to_worse), to_worse / (to_better + to_worse)])
    assert alpha_rank(np.array([[0.5]])) == pytest.approx([1.0])
