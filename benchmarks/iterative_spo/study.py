"""Iterative-SPO, its parts and its game varied: `python -m benchmarks.iterative_spo.study --out DIR`.

Every variant is trained with every seed; all variants of a seed look through one eye. Then each of them is the spy
among the civilians of each other, at the same table and on the same pictures. Earlier selves play each other, civilians
sit with partners whose eye comes from another seed, and the players answer other tasks about such pictures. Every job
writes one JSON file into DIR/results; what is there is not done again, so the same command goes on after a stop.
With --markdown a page is written from these files (page.py), with the curves beside it.
"""

import functools
import itertools
import json
import os
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from benchmarks.iterative_spo import answers, page
from benchmarks.iterative_spo.page import EASY, LEAGUES, UNTRAINED, VARIANTS
from mmgames.agents.finding import named_options
from mmgames.baselines.learning import iterative_spo as spo
from mmgames.baselines.learning.spy_eye import CachedEye
from mmgames.baselines.learning.spy_policy import load
from mmgames.baselines.learning.spy_rounds import HeldOutRounds
from mmgames.running.processes import run_jobs
from mmgames.text.command_line import read_arguments

TRANSFER = ("alternating", "clue only", "decision only", UNTRAINED)
"""Who answers other tasks."""
PARTNERS = ("alternating", "decision only", EASY)
"""Whose civilians get partners of another seed."""


class Study(NamedTuple):
    """What all jobs have in common."""

    out: str
    seeds: int
    rounds: int  # of each pair of players
    questions: int
    threads: int  # of a job that warms up an eye
    changes: dict[str, Any]  # of every recipe
    until: float = float("inf")  # no job begins after this

    def eye(self, seed: int) -> Path:
        return Path(self.out) / "eyes" / str(seed)

    def run(self, variant: str, seed: int) -> Path:
        return Path(self.out) / "runs" / f"{variant.replace(' ', '-')}-{seed}"

    def policy(self, variant: str, seed: int) -> Path:
        return (self.eye(seed) if variant == UNTRAINED else self.run(variant, seed)) / "policy.npz"

    def result(self, kind: str, name: str, seed: int) -> Path:
        return Path(self.out) / "results" / f"{kind}-{name.replace(' ', '-')}-{seed}.json"


def do(study: Study, kind: str, name: str, seed: int) -> dict[str, Any] | None:
    """The result of one job, which is done unless it has been; None if there is no time left to begin it."""
    path = study.result(kind, name, seed)
    if path.exists():
        return json.loads(path.read_text())
    if time.time() > study.until:
        return None
    torch.set_num_threads(study.threads if kind == "eye" else 1)
    begun = time.process_time()
    row = {"kind": kind, "name": name, "seed": seed, **KINDS[kind](study, name, seed)}
    row["cpu_seconds"] = time.process_time() - begun
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(f".{os.getpid()}")
    beside.write_text(json.dumps(row) + "\n")
    beside.replace(path)
    return row


def warm_up_eye(study: Study, name: str, seed: int) -> dict[str, Any]:
    training = spo.SpoTraining(spo.recipe_for(**study.changes), seed=seed, device="cpu", options={})
    training.prepare(show=False)
    training.save(study.eye(seed))
    return {"sharpness": training.sharpness}


def train(study: Study, name: str, seed: int) -> dict[str, Any]:
    changes, options = VARIANTS[name]
    settings = {**changes, **study.changes, "eye": str(study.policy(UNTRAINED, seed))}
    training = spo.SpoTraining(spo.recipe_for(**settings), seed=seed, device="cpu", options=options)
    log = training.run(study.run(name, seed), show=False)
    return {"settings": asdict(training.recipe), "options": options, "log": log}


def meet(study: Study, name: str, seed: int) -> dict[str, Any]:
    """How often the spy of a variant wins among the civilians of every other of its seed, at the standard table."""
    paths = {each: study.policy(each, seed) for each in (*VARIANTS, UNTRAINED)}
    escaped = _escaped(HeldOutRounds(study.rounds, 70_001 + seed), {name: paths[name]}, paths, seed)
    return {"rounds": study.rounds, "escaped": escaped[name]}


def league(study: Study, name: str, seed: int) -> dict[str, Any]:
    """The same for a run's earlier selves, at the table that it was trained at."""
    rounds = max(1, study.rounds // 2)
    paths = {path.stem: path for path in sorted((study.run(name, seed) / "snapshots").glob("*.npz"))}
    table = HeldOutRounds(rounds, 71_001 + seed, **VARIANTS[name][1])
    return {"rounds": rounds, "escaped": _escaped(table, paths, paths, seed)}


def _escaped(table: Any, spies: dict[str, Path], civilians: dict[str, Path], seed: int) -> dict[str, dict[str, float]]:
    policies = {name: load(path) for name, path in {**civilians, **spies}.items()}
    look = CachedEye(next(iter(policies.values())).eye)  # all of a seed have the same

    def share(spy: str, civilian: str) -> float:
        sides = {"spy": (policies[spy], look), "civilian": (policies[civilian], look)}
        return table.escaped(sides, np.random.default_rng([seed, 7]))

    return {spy: {civilian: share(spy, civilian) for civilian in civilians} for spy in spies}


def sit_with_strangers(study: Study, name: str, seed: int) -> dict[str, Any]:
    """How civilians vote among themselves, with every other seat taken by those of the next seed, and those alone."""
    table = HeldOutRounds(study.rounds, 72_001 + seed, **VARIANTS[name][1])
    own, stranger = (load(study.policy(name, each)) for each in (seed, (seed + 1) % study.seeds))
    untrained = load(study.policy(UNTRAINED, seed))
    own_eye, other_eye = CachedEye(own.eye), CachedEye(stranger.eye)
    sides = {"own": (own, own_eye), "stranger": (stranger, other_eye), "untrained": (untrained, own_eye)}
    escapes: dict[str, Any] = {"rounds": study.rounds}
    teams = (("own", "own"), ("own", "stranger"), ("stranger", "stranger"))
    for spy, team in (*itertools.product(("untrained", "own"), teams), ("stranger", teams[0])):
        players = {"spy": sides[spy], "civilian": sides[team[0]], "partner": sides[team[1]]}
        escapes[f"{spy}: {'+'.join(team)}"] = table.escaped(players, np.random.default_rng([seed, 7]))
    return escapes


def answer_tasks(study: Study, name: str, seed: int) -> dict[str, Any]:
    policy = load(study.policy(name, seed))
    named = answers.ANSWERS if name in (TRANSFER[0], UNTRAINED) else {"Spy-Difference"}  # others: the eye alone
    return {
        "questions": study.questions,
        "tasks": {task: answers.score(policy, task, study.questions, seed) for task in named},
    }


KINDS = {
    "eye": warm_up_eye, "train": train, "meet": meet, "league": league, "strangers": sit_with_strangers,
    "tasks": answer_tasks,
}  # fmt: skip


def phases(seeds: int) -> list[list[tuple[str, str, int]]]:
    """The jobs: those of a phase need only what the phases before have made. The longest come first."""
    each = range(seeds)
    after = [("league", name, seed) for name in LEAGUES for seed in each]
    after += [("meet", name, seed) for name in (*VARIANTS, UNTRAINED) for seed in each]
    after += [("strangers", name, seed) for name in PARTNERS for seed in each if seeds > 1]
    after += [("tasks", name, seed) for name in TRANSFER for seed in each]
    costs = {name: (own.get("iterations", 0), game.get("clue_rounds", 2)) for name, (own, game) in VARIANTS.items()}
    longest = sorted(VARIANTS, key=lambda name: costs[name], reverse=True)
    return [
        [("eye", "eye", seed) for seed in each],
        [("train", name, seed) for name in longest for seed in each],
        after,
    ]


def main() -> None:
    args = read_arguments(__doc__, __file__)
    processes = (os.cpu_count() or 1) if args.processes is None else args.processes
    changes: dict[str, Any] = {"evaluate": 25, "rounds": 100, "pool": 512}
    for one in args.recipe:
        changes |= named_options("spo", one, spo.SpoRecipe, "recipe")
    spo.recipe_for(**changes)
    until, threads = time.time() + args.seconds, max(1, processes // max(1, args.seeds))
    study = Study(str(args.out), args.seeds, args.rounds, args.questions, threads, changes, until)
    for jobs in phases(args.seeds):
        for row in run_jobs(functools.partial(do, study), jobs, processes):
            if row is not None:
                print(row["kind"], row["name"], row["seed"], f"{row['cpu_seconds']:.0f} s", flush=True)
    if args.markdown:
        page.write(args.out / "results", args.markdown)


if __name__ == "__main__":
    main()
