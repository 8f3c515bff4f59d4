"""The second edition of VS-Bench: ten games, the first edition's eight and two worlds between cells.

Of that edition no figures are at hand, so none is published here. A return is normalised by our own references: random
play is 0, and the best agent of ours 100. vs_bench_references.json has both, with how they were measured;
`python -m benchmarks.vs_bench_references` writes it.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from mmgames.running.statistics import mean_and_error
from mmgames.suites.entries import Run, SuiteEntry, in_per_cent
from mmgames.suites.pages.vs_bench import SECOND
from mmgames.suites.papers.prediction import predict, recognise
from mmgames.suites.protocols import play_match, self_play
from mmgames.tasks.predict_recipes import ROWS

REFERENCES = "vs_bench_references.json"
FEW = {"Hanabi": 20, "Breakthrough": 20, "Pong": 20}
"""Games whose reference agents think long: at most so many episodes of them are played."""
KNIGHTS, PARTICLES = "KnightsArchersZombies", "Particles"
SCENARIO = "adversary"
SIDES = {"rival": (0,), "pair": (1, 2)}
"""The two sides of the scenario, and their seats."""
OPPONENT = "heuristic"
BEST = ("straight", "heuristic", "heuristic")
"""Who plays the seats of the scenario as our best against the opponent. As the rival `heuristic` does as well, as far
as hundreds of episodes can tell."""
BETTER = {"Overcooked": "ippo"}
"""Agents of ours that do better than the first edition's reference."""


class Reference(NamedTuple):
    """A mean return that counts as 0 or as 100, and whose it is."""

    agent: str
    mean: float
    standard_error: float | None
    episodes: int


@cache
def references() -> dict[str, tuple[Reference, Reference]]:
    """Random play and the best of ours, by game; a side of a game has a line of its own, as `Particles rival`."""
    data = json.loads(files(__package__).joinpath(REFERENCES).read_text("utf-8"))
    return {name: (Reference(*line["random"]), Reference(*line["best"])) for name, line in data["games"].items()}


def normal(name: str) -> tuple[float, float]:
    """The returns that count as 0 and as 100."""
    random, best = references()[name]
    return random.mean, best.mean


def both_sides(run: Run) -> np.ndarray:
    """Half of the episodes on either side of the scenario against our heuristic, each side normalised by itself."""
    values = []
    for number, (side, seats) in enumerate(SIDES.items()):
        games = (run.episodes + 1 - number) // 2
        if not games:
            continue
        agents: list[Any] = [OPPONENT] * (1 + max(map(max, SIDES.values())))
        for seat in seats:
            agents[seat] = run.agent[seat] if isinstance(run.agent, tuple) else run.agent
        result = play_match(run, tuple(agents), games, side, seats)
        returns = result.returns()[:, seats].mean(axis=1)
        run.details[side] = mean_and_error(returns)
        low, high = normal(f"{PARTICLES} {side}")
        values.append(100 * (returns - low) / (high - low))
    return np.concatenate(values)


def entries(first: Sequence[SuiteEntry]) -> tuple[SuiteEntry, ...]:
    """The entries of the second edition, of which the first edition's have eight games."""
    known = {entry.id: entry for entry in first}
    asked = [(f"mmgames/{name}-{kind}-v0", kind) for kind in ("Predict", "Recognise") for name in SECOND.values()]
    found = [replace(known[id], published={}) if id in known else _questions(id, kind) for id, kind in asked]
    return (*found, *_games(known))


def _questions(id: str, kind: str) -> SuiteEntry:
    if kind == "Predict":
        return in_per_cent(id, "right predictions in per cent", predict, most=ROWS, oracle_most=ROWS)
    return in_per_cent(id, "right elements in per cent", recognise, most=ROWS, oracle_most=50)


def _games(known: dict[str, SuiteEntry]) -> Iterator[SuiteEntry]:
    for name in SECOND.values():
        id = f"mmgames/{name}-v0"
        if name == KNIGHTS:
            what = "kills per player, self-play"
            yield SuiteEntry(id, what, self_play, "heuristic", normal(name), {}, worst=0.0)
        elif name == PARTICLES:
            what = f"return against {OPPONENT} on both sides, normalised"
            yield SuiteEntry(id, what, both_sides, BEST, (0.0, 100.0), {}, {"scenario": SCENARIO})
        else:
            entry, few = known[id], FEW.get(name)
            entry = replace(entry, oracle=BETTER.get(name, entry.oracle))
            yield replace(
                entry, normal=normal(name), published={}, most=few or entry.most, oracle_most=few or entry.oracle_most
            )
