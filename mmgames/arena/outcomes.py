"""What games of an arena say about who is ahead of whom, and how well two work together."""

import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

import numpy as np

from mmgames.arena.ratings import Comparison
from mmgames.arena.seating import Seating
from mmgames.running.statistics import mean_and_error

Row = Mapping[str, Any]


def comparisons(rows: Iterable[Row], seatings: Sequence[Seating], by_role: bool = False) -> list[Comparison]:
    """Who was ahead of whom in each game. With `by_role` somebody is `(name, role)` where roles differ."""
    by_id = {one.id: one for one in seatings}
    found: list[Comparison] = []
    meetings: dict[tuple[str, int], list[Row]] = defaultdict(list)
    for row in rows:
        if row["returns"] is None:
            continue
        seated = by_id[row["game"]]
        if seated.kind == "alone":
            meetings[seated.id, row["meeting"]].append(row)
        elif seated.kind == "roles":
            found += _between_roles(row, seated, by_role)
        elif seated.kind != "team":
            found += _within(row, seated)
    for (id, meeting), both in meetings.items():
        for one, other in itertools.combinations(sorted(both, key=lambda row: str(row["agents"])), 2):
            # Nobody is first in a game for one, so each is named first as often.
            first, second = (one, other) if meeting % 2 else (other, one)
            ahead = _outcome(first["returns"][0], second["returns"][0])
            found.append(Comparison(first["agents"][0], second["agents"][0], ahead, id, (id, one["deal"])))
    return found


def role(somebody: tuple[str, str]) -> str:
    """The role of somebody who is told apart by role."""
    return somebody[1]


def _within(row: Row, seated: Seating) -> list[Comparison]:
    """Everybody against everybody else in one game, each with the mean of its seats."""
    own: dict[str, list[float]] = {}
    for name, collected in zip(row["agents"], row["returns"], strict=True):
        own.setdefault(name, []).append(collected)
    return [
        Comparison(one, other, _outcome(fmean(own[one]), fmean(own[other])), seated.id, _deal(row))
        for one, other in itertools.combinations(own, 2)
    ]


def _between_roles(row: Row, seated: Seating, by_role: bool) -> list[Comparison]:
    single = seated.seats.index(row["options"][seated.role_option])
    rest = [seat for seat in range(len(seated.seats)) if seat != single]
    one, other = row["agents"][single], row["agents"][rest[0]]
    if one == other and not by_role:
        return []
    ahead = _outcome(row["returns"][single], fmean(row["returns"][seat] for seat in rest))
    if by_role:
        one, other = (one, seated.role_option), (other, f"not {seated.role_option}")
    return [Comparison(one, other, ahead, seated.id, _deal(row))]


def _deal(row: Row) -> Any:
    return row["game"], row["deal"], row["meeting"]


def _outcome(one: float, other: float) -> float:
    return 0.5 if one == other else float(one > other)


def matrix(rows: Iterable[Row], id: str, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """[one, other]: what one collects beside or against the other in a game, and its standard error; NaN: not known.

    The games of one meeting count as one.
    """
    cells: dict[tuple[str, str], list[tuple[float, Any]]] = defaultdict(list)
    for row in rows:
        if row["game"] != id or row["returns"] is None:
            continue
        present = list(dict.fromkeys(row["agents"]))
        for one, other in itertools.product(present, present):
            if one == other and len(present) > 1:
                continue
            own = [got for name, got in zip(row["agents"], row["returns"], strict=True) if name == one]
            cells[one, other].append((float(np.mean(own)), row["meeting"]))
    means, errors = np.full((len(names), len(names)), np.nan), np.full((len(names), len(names)), np.nan)
    for (one, other), values in cells.items():
        if one in names and other in names:
            at = names.index(one), names.index(other)
            told = mean_and_error(np.array([value for value, _ in values]), [meeting for _, meeting in values])
            means[at] = told["mean"]
            errors[at] = np.nan if told["standard_error"] is None else told["standard_error"]
    return means, errors


def coordination(means: np.ndarray, errors: np.ndarray) -> list[dict[str, Any]]:
    """Of everybody in a team game: what it collects with itself, with others on average, and what it loses by that."""
    told = []
    for at in range(len(means)):
        others = [other for other in range(len(means)) if other != at and not np.isnan(means[at, other])]
        alone, alone_error = float(means[at, at]), float(errors[at, at])
        with_others = float(np.mean(means[at, others])) if others else float("nan")
        error = float(np.sqrt(np.sum(errors[at, others] ** 2)) / len(others)) if others else float("nan")
        told.append(
            {
                "self": alone,
                "self_error": alone_error,
                "others": with_others,
                "others_error": error,
                "gap": alone - with_others,
                "gap_error": float(np.hypot(alone_error, error)),
            }
        )
    return told
