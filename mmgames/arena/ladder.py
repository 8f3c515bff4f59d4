"""The ladder of an arena: ratings with their intervals, per game, per role and overall, as data and as tables."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist
from typing import Any, cast

import numpy as np

from mmgames.arena import outcomes
from mmgames.arena.arena import ArenaResult
from mmgames.arena.ratings import ELO, Comparison, Ratings, fit, win_share
from mmgames.arena.seating import Seating
from mmgames.core import registry
from mmgames.text.tables import text_table

MANY = 10_000


def ladder(result: ArenaResult, variates: bool = False) -> dict[str, Any]:
    """All that an arena has found out, as JSON holds it; with `variates`, what is collected without luck too."""
    finished = [row for row in result.rows if not row["failed"]]
    games = {one.id: _game(result, one, finished) for one in result.seatings}
    for id, game in games.items() if variates else ():
        found = result.without_luck(id)
        if found is not None:
            game["collected_without_luck"], game["collected_without_luck_error"] = map(_numbers, found)
    rated = [one.id for one in result.seatings if one.kind != "team"]
    told: dict[str, Any] = {
        "agents": list(result.names),
        "games": len(finished),
        "failed": len(result.failed),
        "first_failure": result.failed[0]["failed"] if result.failed else None,
        "by_game": games,
    }
    if clocks := sorted({row["clock"] for row in finished if "clock" in row}):
        told |= {"clock": " or ".join(clocks), "late": _late(result.names, finished)}
    if len(rated) > 1:
        compared = outcomes.comparisons(finished, result.seatings)
        told["overall"] = _ranks(compared, fit(compared, result.names))
    return told


def _late(names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """How many answers of everybody came late."""
    late = dict.fromkeys(names, 0)
    for row in rows:
        for name, count in zip(row["agents"], row.get("late", ()), strict=False):
            late[name] += count
    return late


def late_line(told: Mapping[str, Any]) -> str:
    """A line about late answers; nothing where there was no clock."""
    if "clock" not in told:
        return ""
    return f"late answers, with {told['clock']} seconds: " + ", ".join(f"{one} {n}" for one, n in told["late"].items())


def _game(result: ArenaResult, seated: Any, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    own = [row for row in rows if row["game"] == seated.id]
    means, errors = outcomes.matrix(own, seated.id, result.names)
    told: dict[str, Any] = {
        "title": title(seated),
        "kind": seated.kind,
        "options": dict(seated.options),
        "games": len(own),
        "collected": _numbers(means),
        "collected_error": _numbers(errors),
    }
    if seated.kind == "team":
        found = [
            {name: None if math.isnan(value) else value for name, value in one.items()}
            for one in outcomes.coordination(means, errors)
        ]
        return {**told, "coordination": found}
    compared = outcomes.comparisons(own, [seated])
    told |= _ranks(compared, fit(compared, result.names))
    if seated.kind == "roles":
        ratings = result.ratings(seated.id, by_role=True)
        intervals = ratings.interval(), ratings.interval(anytime=True)
        told["roles"] = [
            {"role": somebody[1], "agent": somebody[0], **_rating(ratings, at, intervals)}
            for at, somebody in ((at, cast(tuple[str, str], ratings.names[at])) for at in ratings.order())
        ]
    return told


@cache
def title(seated: Seating) -> str:
    """What people call the game with its options: Connect Four, not OpenSpiel."""
    loaded = registry.load(seated.id)
    game = loaded.game(**dict(seated.options))
    try:
        return loaded.shown(game).words.title(game.view(game.start(np.random.default_rng(0)), 0))
    finally:
        game.close()


def _ranks(compared: Sequence[Comparison], ratings: Ratings) -> dict[str, Any]:
    beyond = cycles(compared, ratings)
    intervals = ratings.interval(), ratings.interval(anytime=True)
    return {
        "ladder": [
            {"agent": ratings.names[at], **_rating(ratings, at, intervals), "standing": float(beyond.standing[at])}
            for at in ratings.order()
        ],
        "first_side": {str(place): [ELO * worth, ELO * error] for place, (worth, error) in ratings.advantages.items()},
        "draws": {str(place): share for place, share in ratings.draws.items()},
        "cyclic_share": beyond.share,
        "cyclic_by_chance": beyond.chance,
        **_order(ratings),
    }


def _order(ratings: Ratings) -> dict[str, Any]:
    """How sure each is above the next ones, the strongest first, and what it would take to know who is."""
    places = ratings.order()
    sure = [[ratings.sure(one, other) if one != other else None for other in places] for one in places]
    top = places[:2]
    return {"sure": sure, "games_to_settle": ratings.games_to_settle(*top) if len(top) == 2 else 0}


def _points(end: float) -> float | None:
    """On Elo's scale; None: there is no end."""
    return None if math.isinf(end) else ELO * float(end)


def between(ends: Sequence[float | None]) -> str:
    """An interval in words."""
    low, high = ends
    if low is None or high is None:
        return "not known" if low is high else f"below {high:+.0f}" if low is None else f"above {low:+.0f}"
    return f"{low:+.0f} to {high:+.0f}"


def order_in_words(game: Mapping[str, Any]) -> str:
    """How sure the top of a ladder is; nothing for one alone."""
    if len(game["ladder"]) < 2:
        return ""
    one, other = (rank["agent"] for rank in game["ladder"][:2])
    said = f"{one} above {other}: {_per_cent(game['sure'][0][1])}"
    more = game["games_to_settle"]
    if not more:
        return f"{said}, which is settled"
    many = f"about {more:,}" if more < MANY else f"more than {MANY:,}"
    return f"{said}; {many} more games between the two would settle it, if they are as they seem"


def _per_cent(share: float | None) -> str:
    return "" if share is None else "> 99 %" if share > 0.99 else "< 1 %" if share < 0.01 else f"{100 * share:.0f} %"


def sure_rows(game: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """A row for everybody: how sure it is above each of the others."""
    names = [rank["agent"] for rank in game["ladder"]]
    return [(name, *map(_per_cent, row)) for name, row in zip(names, game["sure"], strict=True)]


def _rating(ratings: Ratings, at: int, intervals: tuple[np.ndarray, np.ndarray]) -> dict[str, Any]:
    return {
        "rating": ELO * float(ratings.strengths[at]),
        "interval": [_points(end) for end in intervals[0][at]],
        "anytime_interval": [_points(end) for end in intervals[1][at]],
        "comparisons": int(ratings.played[at]),
    }


def _numbers(values: np.ndarray) -> list[list[float | None]]:
    return [[None if math.isnan(value) else float(value) for value in line] for line in values]


def as_text(told: Mapping[str, Any]) -> str:
    """The ladder for a terminal."""
    parts = [f"{len(told['agents'])} agents, {told['games']} games"]
    if "overall" in told:
        parts += ["all rated games together", _ladder_table(told["overall"]), order_in_words(told["overall"])]
    for id, game in told["by_game"].items():
        parts.append(f"{game['title']} ({id}), {game['games']} games")
        if game["kind"] == "team":
            parts += _team_tables(told["agents"], game)
        else:
            names = (rank["agent"] for rank in game["ladder"])
            parts += [_ladder_table(game), text_table(("how sure it is above", *names), sure_rows(game))]
            parts.append(order_in_words(game))
        if "roles" in game:
            rows = [(one["role"], one["agent"], *_cells(one)) for one in game["roles"]]
            parts.append(text_table(("role", "agent", "rating", "95 % interval", "games"), rows, right=(2, 4)))
        if "collected_without_luck" in game:
            parts.append(_pairs_table("without luck, with or against", told["agents"], game, "collected_without_luck"))
        parts += _remarks(game)
    if late := late_line(told):
        parts.append(late)
    if told["failed"]:
        parts.append(f"{told['failed']} games failed; the first: {told['first_failure']}")
    return "\n\n".join(filter(None, parts))


def _cells(one: Mapping[str, Any]) -> tuple[str, str, str]:
    return f"{one['rating']:+.0f}", between(one["interval"]), str(one["comparisons"])


def _ladder_table(game: Mapping[str, Any]) -> str:
    rows = [
        (str(place), one["agent"], *_cells(one), f"{one['standing']:.2f}")
        for place, one in enumerate(game["ladder"], 1)
    ]
    return text_table(("", "agent", "rating", "95 % interval", "games", "α-rank"), rows, right=(0, 2, 4, 5))


def _team_tables(names: Sequence[str], game: Mapping[str, Any]) -> list[str]:
    gaps = [
        (name, *(_plus_minus(one[part], one[f"{part}_error"]) for part in ("self", "others", "gap")))
        for name, one in zip(names, game["coordination"], strict=True)
    ]
    return [
        _pairs_table("collected with", names, game, "collected"),
        text_table(("agent", "with itself", "with others", "lost by that"), gaps),
    ]


def _pairs_table(what: str, names: Sequence[str], game: Mapping[str, Any], key: str) -> str:
    lines = [
        (name, *(_plus_minus(mean, error) for mean, error in zip(means, errors, strict=True)))
        for name, means, errors in zip(names, game[key], game[f"{key}_error"], strict=True)
    ]
    return text_table((what, *names), lines)


def _plus_minus(mean: float | None, error: float | None) -> str:
    return "–" if mean is None else f"{mean:.2f}" + ("" if error is None else f" ± {error:.2f}")


def _remarks(game: Mapping[str, Any]) -> list[str]:
    said = []
    for worth, error in game.get("first_side", {}).values() if game["kind"] in ("duel", "roles") else ():
        side = "being alone against the others" if game["kind"] == "roles" else "the first side"
        said.append(f"{side} is worth {worth:+.0f} ± {error:.0f}")
    if "cyclic_share" in game and game["cyclic_by_chance"] < 0.05:
        said.append(
            f"no ladder holds {100 * game['cyclic_share']:.0f} % of what sets pairs apart (by chance alone with "
            f"p = {game['cyclic_by_chance']:.2g}): look at the pairs"
        )
    return ["; ".join(said)] if said else []


DRAWS = 100
SELECTION, POPULATION = 20.0, 50
"""How strongly the fitter spread, and among how many, in `alpha_rank`."""


@dataclass(frozen=True)
class Cycles:
    """How far results differ from what a ladder can say: where A beats B, B beats C, and C beats A, it misleads."""

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
