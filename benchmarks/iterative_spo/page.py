"""The page about Iterative-SPO, from the results of study.py; page.txt has its words, which claim no figures."""

import json
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import studies
from mmgames.baselines.learning.iterative_spo import curves
from mmgames.baselines.learning.spo_advantages import CAUSES
from mmgames.errors import MmgamesError
from mmgames.text.tables import markdown_table

UNTRAINED = "untrained"
EASY = "thresholds act"
_TOLD = tomllib.loads(Path(__file__).with_name("variants.toml").read_text("utf-8"))
VARIANTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    name: (own.get("recipe", {}), own.get("options", {})) for name, own in _TOLD.items()
}
"""What is trained: changes of the recipe, and the options of the game."""

LEAGUES = tuple(name for name, (recipe, _) in VARIANTS.items() if "snapshots" in recipe)
"""Whose earlier selves play each other."""

CURVES = {
    "league": "win rate among its own snapshots", "held_out_accuracy": "likeliest votes that are right",
    "held_out_abstention": "probability of N/A", "stage": "stage (1: clues)",
}  # fmt: skip

Found = dict[str, dict[tuple[str, int], dict[str, Any]]]
"""Results by their kind, then by name and seed."""
Wins = dict[str, dict[str, float]]
"""How often the spy of the first wins among the civilians of the second."""


def read(folder: Path) -> Found:
    found: Found = {}
    for path in sorted(folder.glob("*.json")):
        result = json.loads(path.read_text())
        found.setdefault(result["kind"], {})[result["name"], result["seed"]] = result
    if not found.get("train"):
        raise MmgamesError(f"There are no results in {str(folder)!r}; study.py --out makes them.")
    return found


def runs_of(found: Found, kind: str, name: str) -> list[dict[str, Any]]:
    return [result for (each, _), result in found.get(kind, {}).items() if each == name]


def per_cent(shares: Iterable[float]) -> str:
    """The mean of some shares in per cent, and its standard error if there are several."""
    return studies.mean(100 * np.array(list(shares)), digits=1)


def versus(wins: Wins, one: str, two: str) -> float:
    """How often one wins against two, half of the rounds as the spy and half as the civilians."""
    return (wins[one][two] + 1 - wins[two][one]) / 2


def means(wins: Wins, one: str) -> tuple[float, float, float]:
    """How often one wins against all others: in both roles, as the spy, as the civilians."""
    others = [name for name in wins if name != one]
    spy = float(np.mean([wins[one][other] for other in others]))
    civilian = float(np.mean([1 - wins[other][one] for other in others]))
    return (spy + civilian) / 2, spy, civilian


def met(found: Found, *names: str) -> list[Wins]:
    """The wins of all variants against each other, of the seeds in which these have played."""
    wins: dict[int, Wins] = {}
    for (name, seed), result in found.get("meet", {}).items():
        wins.setdefault(seed, {})[name] = result["escaped"]
    return [
        {one: {two: share for two, share in row.items() if two in each} for one, row in each.items()}
        for each in wins.values()
        if all(name in each for name in names)
    ]


def variants_table(found: Found) -> str:
    rows = []
    for name in (*VARIANTS, UNTRAINED):
        if seeds := met(found, name, UNTRAINED, "alternating"):
            columns = (
                [versus(one, name, UNTRAINED) for one in seeds],
                [1 - one[UNTRAINED][name] for one in seeds],
                [versus(one, name, "alternating") for one in seeds],
                *zip(*(means(one, name) for one in seeds), strict=True),
            )
            rows.append((name, str(len(seeds)), *map(per_cent, columns)))
    against = ("against the untrained", "as civilians there", "against alternating", "against all")
    return markdown_table(("variant", "seeds", *against, "as spy", "as civilians"), rows)


def crossed_table(found: Found) -> str:
    """The spy of each row among the civilians of each column."""
    names = ("alternating", "clue only", "decision only", "without role baselines")
    rows = [(one, *(per_cent(each[one][two] for each in met(found, one, two)) for two in names)) for one in names]
    return markdown_table(("spy \\ civilians", *names), rows)


def league_part(found: Found, name: str) -> str:
    """How far apart the two halves of a run stand in its league, seed by seed; then each snapshot against all others,
    the first one, and the one before."""
    leagues = [result["escaped"] for result in runs_of(found, "league", name)]
    if not leagues:
        return f"{name}: not measured."
    steps = sorted(set.intersection(*(set(wins) for wins in leagues)))
    rows = []
    for before, step in zip((None, *steps), steps, strict=False):
        columns = [*zip(*(means(wins, step) for wins in leagues), strict=True)]
        columns += [[versus(wins, step, other) for wins in leagues] if before else [] for other in (steps[0], before)]  # type: ignore[arg-type]
        rows.append((str(int(step)), *map(per_cent, columns)))
    head = ("against all others", "as spy", "as civilians", "against iteration 0", "against the one before")
    middle = (len(steps) + 1) // 2
    early, late = steps[1:middle], steps[middle:]
    halves = [[float(np.mean([means(wins, step)[0] for step in part])) for wins in leagues] for part in (early, late)]
    gained = per_cent(last - first for first, last in zip(*halves, strict=True))
    return (
        f"{name}: mean win rate in the league {per_cent(halves[0])} % up to iteration {int(early[-1])}, "
        f"{per_cent(halves[1])} % after; gained, seed by seed: {gained} points.\n\n"
        + markdown_table(("iteration", *head), rows)
    )


def logs(found: Found, name: str) -> dict[int, list[dict[str, float]]]:
    """The logs of a variant by seed; entries at snapshots also tell the win rate in the league."""
    kept = {}
    for result in runs_of(found, "train", name):
        wins = found.get("league", {}).get((name, result["seed"]), {}).get("escaped", {})
        league = {float(step): {"league": means(wins, step)[0]} for step in wins}
        kept[result["seed"]] = [{**entry, **league.get(entry["steps"], {})} for entry in result["log"]]
    return kept


def switch_list(found: Found, name: str) -> Iterable[str]:
    """For each seed the iterations after which the stage changed, and what by."""
    for seed, log in sorted(logs(found, name).items()):
        made = [
            f"{int(entry['steps'])} {CAUSES[int(entry['switched_by'])]} ({100 * entry['mean_accuracy']:.0f} %, "
            f"{100 * entry['mean_abstention']:.0f} %)"
            for entry in log
            if entry["switched_by"]
        ]
        yield f"- {name}, seed {seed}: {', '.join(made) or 'none'}."


def switch_table(found: Found) -> str:
    rows = []
    for name, (recipe, _) in VARIANTS.items():
        kept = [*logs(found, name).values()]
        if not kept or recipe.get("stages"):
            continue
        causes = [entry["switched_by"] for log in kept for entry in log]
        clues = per_cent(float(np.mean([entry["stage"] for entry in log])) for log in kept)
        votes = [per_cent(log[-1][column] for log in kept) for column in ("mean_accuracy", "mean_abstention")]
        rows.append((name, *(str(causes.count(number)) for number in range(1, len(CAUSES))), clues, *votes))
    head = ("variant", *CAUSES[1:], "iterations on clues %", "mean accuracy at the end %", "mean N/A at the end %")
    return markdown_table(head, rows)


def baseline_table(found: Found) -> str:
    """How much of what spies earn their baseline has reached, in the first clue stage and in the last iterations."""
    rows = []
    for name in ("alternating", "baselines by batch", "earlier form"):
        clues = [[entry for entry in kept if "spy_earned" in entry] for kept in logs(found, name).values()]
        if any(clues):
            parts = [[_reached(one[part]) for one in clues if one] for part in (slice(5), slice(-5, None))]
            rows.append((name, *map(per_cent, parts)))
    return markdown_table(("baselines", "first five updates on clues %", "last five %"), rows)


def _reached(entries: list[dict[str, float]]) -> float:
    earned = sum(entry["spy_earned"] for entry in entries)
    return sum(entry["spy_baseline"] for entry in entries) / earned if earned else 0.0


def strangers_table(found: Found) -> str:
    kept = found.get("strangers", {})
    columns = list(dict.fromkeys(key for result in kept.values() for key in result if ": " in key))
    rows = []
    for name in dict.fromkeys(name for name, _ in kept):
        runs = runs_of(found, "strangers", name)
        rows.append((name, *(per_cent(1 - run[column] for run in runs) for column in columns)))
    return markdown_table(("variant", *(column.replace("+", " and ") for column in columns)), rows)


def tasks_table(found: Found) -> str:
    kept = [result["tasks"] for result in found.get("tasks", {}).values()]
    names = list(dict.fromkeys(task for result in kept for task in result))
    rows = []
    for name in dict.fromkeys(name for name, _ in found.get("tasks", {})):
        runs = [result["tasks"] for result in runs_of(found, "tasks", name)]
        rows.append((name, *(per_cent(run[task]["score"] for run in runs if task in run) for task in names)))
    chances = (per_cent([np.mean([one[task]["chance"] for one in kept if task in one])]) for task in names)
    return markdown_table(("player", *names), [*rows, ("chance", *chances)])


def write(folder: Path, page: Path) -> None:
    """The page, and its curves beside it."""
    found = read(folder)
    drawn = page.with_name(f"{page.stem}-curves.png")
    runs = {name: kept for name in LEAGUES if (kept := [*logs(found, name).values()])}
    if all("league" in log[-1] for kept in runs.values() for log in kept):
        curves(runs, drawn, CURVES)
    text = Path(__file__).with_name("page.txt").read_text("utf-8").format(
        curves=drawn.name, variants=variants_table(found), switches=switch_table(found),
        causes="\n".join(line for name in LEAGUES for line in switch_list(found, name)),
        crossed=crossed_table(found), leagues="\n\n".join(league_part(found, name) for name in LEAGUES),
        baselines=baseline_table(found), strangers=strangers_table(found), tasks=tasks_table(found),
        sharpness=per_cent(result["sharpness"] for result in found["eye"].values()),
        rounds=next((result["rounds"] for result in found.get("meet", {}).values()), 0),
        questions=next((result["questions"] for result in found.get("tasks", {}).values()), 0),
    )  # fmt: skip
    page.write_text(text, encoding="utf-8")
