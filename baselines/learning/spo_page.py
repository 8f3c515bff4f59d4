"""The page about Iterative-SPO, from the results of spo_ablations.py."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from mmgames.baselines.learning.spo_page_text import EQUATIONS, PAGE
from mmgames.errors import MmgamesError
from mmgames.text.tables import markdown_table

UNTRAINED = "untrained"
LONG = "200 iterations"
EASY, EASY_SLOW = "thresholds act", "the same, the paper's thresholds"
EASY_TABLE = {"clue_rounds": 3, "pictures": "clevr:changes=3"}
EASY_SWITCH = {
    "rho": 0.75,
    "good_accuracy": 0.62,
    "good_abstention": 0.4,
    "bad_error": 0.42,
    "shortest": 3,
    "longest": 60,
}
"""Thresholds that fit what can be reached at that table, means that follow within a stage, and a longer patience."""

VARIANTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "alternating": ({}, {}),
    "clue only": ({"stages": "clue"}, {}),
    "decision only": ({"stages": "decision"}, {}),
    "without role baselines": ({"roles": False}, {}),
    "baselines by batch": ({"baselines": "batch"}, {}),
    "earlier form": ({"baselines": "batch", "held_out": 0, "from_zero": False}, {}),
    "2 civilians": ({}, {"civilians": 2}),
    "3 civilians": ({}, {"civilians": 3}),
    "1 clue round": ({}, {"clue_rounds": 1}),
    "3 clue rounds": ({}, {"clue_rounds": 3}),
    "20 % failed edits": ({}, {"noise": 0.2}),
    LONG: ({"iterations": 200, "snapshots": 20}, {}),
    EASY: ({**EASY_SWITCH, "iterations": 150, "held_out": 96, "snapshots": 15}, EASY_TABLE),
    EASY_SLOW: ({"snapshots": 10}, EASY_TABLE),
}
"""What is trained: changes of the recipe, and the options of the game."""

LEAGUES = tuple(name for name, (recipe, _) in VARIANTS.items() if "snapshots" in recipe)
"""Whose earlier selves play each other."""

Found = dict[str, dict[tuple[str, int], dict[str, Any]]]
Wins = dict[str, dict[str, float]]
"""How often the spy of the first wins among the civilians of the second."""


def read(folder: Path) -> Found:
    """All results by their kind, name and seed."""
    found: Found = {}
    for path in sorted(folder.glob("*.json")):
        told = json.loads(path.read_text())
        found.setdefault(told["kind"], {})[told["name"], told["seed"]] = told
    if not found.get("train"):
        raise MmgamesError(f"There are no results in {str(folder)!r}; spo_ablations --out makes them.")
    return found


def told(shares: Iterable[float]) -> str:
    """The mean of some shares in per cent, and its standard error if there are several."""
    values = 100 * np.array(list(shares))
    if not len(values):
        return "–"
    return f"{values.mean():.1f}" + (f" ± {values.std(ddof=1) / len(values) ** 0.5:.1f}" if len(values) > 1 else "")


def versus(wins: Wins, one: str, two: str) -> float:
    """How often one wins against two, half of the rounds as the spy and half as the civilians."""
    return (wins[one][two] + 1 - wins[two][one]) / 2


def means(wins: Wins, one: str) -> tuple[float, float, float]:
    """How often one wins against all others: in both roles, as the spy, as the civilians."""
    others = [name for name in wins if name != one]
    spy = float(np.mean([wins[one][other] for other in others]))
    civilian = float(np.mean([1 - wins[other][one] for other in others]))
    return (spy + civilian) / 2, spy, civilian


def met(found: Found) -> dict[int, Wins]:
    """The wins of all variants against each other by seed, as far as all have played."""
    wins: dict[int, Wins] = {}
    for (name, seed), result in found.get("meet", {}).items():
        wins.setdefault(seed, {})[name] = result["escaped"]
    return {
        seed: {one: {two: share for two, share in row.items() if two in each} for one, row in each.items()}
        for seed, each in wins.items()
    }


def seeds_with(wins: dict[int, Wins], *names: str) -> list[Wins]:
    return [each for each in wins.values() if all(name in each for name in names)]


def variants_table(found: Found) -> str:
    wins, rows = met(found), []
    for name in (*VARIANTS, UNTRAINED):
        each = seeds_with(wins, name, UNTRAINED, "alternating")
        if not each:
            continue
        both, spy, civilian = zip(*(means(one, name) for one in each), strict=True)
        against = [told(versus(one, name, UNTRAINED) for one in each), told(1 - one[UNTRAINED][name] for one in each)]
        whole = told(versus(one, name, "alternating") for one in each)
        rows.append((name, str(len(each)), *against, whole, told(both), told(spy), told(civilian)))
    head = (
        *("variant", "seeds", "against the untrained", "as civilians there", "against alternating"),
        *("against all", "as spy", "as civilians"),
    )
    return markdown_table(head, rows)


def crossed_table(found: Found, names: tuple[str, ...]) -> str:
    """The spy of each row among the civilians of each column."""
    wins = met(found)
    rows = [(one, *(told(each[one][two] for each in seeds_with(wins, one, two)) for two in names)) for one in names]
    return markdown_table(("spy \\ civilians", *names), rows)


def league_table(found: Found, name: str) -> str:
    """Each snapshot against all others, the first one, and the one before."""
    leagues = [result["escaped"] for (each, _), result in found.get("league", {}).items() if each == name]
    if not leagues:
        return "Not measured."
    steps = sorted(set.intersection(*(set(wins) for wins in leagues)))
    rows = []
    for place, step in enumerate(steps):
        both, spy, civilian = zip(*(means(wins, step) for wins in leagues), strict=True)
        first = told(versus(wins, step, steps[0]) for wins in leagues) if place else "–"
        before = told(versus(wins, step, steps[place - 1]) for wins in leagues) if place else "–"
        rows.append((str(int(step)), told(both), told(spy), told(civilian), first, before))
    head = (
        "iteration",
        "against all others",
        "as spy",
        "as civilians",
        "against iteration 0",
        "against the one before",
    )
    return markdown_table(head, rows)


def growth(found: Found, name: str) -> str:
    """How far apart the two halves of a run stand in its league, seed by seed."""
    leagues = [result["escaped"] for (each, _), result in found.get("league", {}).items() if each == name]
    if not leagues:
        return f"{name}: not measured."
    steps = sorted(set.intersection(*(set(wins) for wins in leagues)))[1:]
    early, late = steps[: len(steps) // 2], steps[len(steps) // 2 :]
    halves = [[float(np.mean([means(wins, step)[0] for step in part])) for wins in leagues] for part in (early, late)]
    gained = told(last - first for first, last in zip(*halves, strict=True))
    return (
        f"{name}: mean win rate in the league {told(halves[0])} % up to iteration {int(early[-1])}, "
        f"{told(halves[1])} % after; gained, seed by seed: {gained} points."
    )


def logs(found: Found, name: str) -> dict[int, list[dict[str, float]]]:
    """The logs of a variant by seed; entries at snapshots also tell the win rate in the league."""
    kept = {}
    for (each, seed), result in found["train"].items():
        if each == name:
            wins = found.get("league", {}).get((name, seed), {}).get("escaped", {})
            league = {float(step): means(wins, step)[0] for step in wins}
            kept[seed] = [
                {**entry, **({"league": league[entry["steps"]]} if entry["steps"] in league else {})}
                for entry in result["log"]
            ]
    return kept


def switches(found: Found, name: str) -> list[str]:
    """For each seed the iterations after which the stage changed, and what by."""
    from mmgames.baselines.learning.spo_advantages import CAUSES

    lines = []
    for seed, log in sorted(logs(found, name).items()):
        made = [
            f"{int(entry['steps'])} {CAUSES[int(entry['switched_by'])]} ({100 * entry['mean_accuracy']:.0f} %, "
            f"{100 * entry['mean_abstention']:.0f} %)"
            for entry in log
            if entry["switched_by"]
        ]
        lines.append(f"{name}, seed {seed}: {', '.join(made) or 'none'}.")
    return lines


def switch_table(found: Found) -> str:
    from mmgames.baselines.learning.spo_advantages import CAUSES

    rows = []
    for name, (recipe, _) in VARIANTS.items():
        kept = logs(found, name)
        if not kept or recipe.get("stages"):
            continue
        entries = [entry for log in kept.values() for entry in log]
        counts = [sum(entry["switched_by"] == number for entry in entries) for number in range(1, len(CAUSES))]
        clues = told(float(np.mean([entry["stage"] for entry in log])) for log in kept.values())
        votes = [told(log[-1][column] for log in kept.values()) for column in ("mean_accuracy", "mean_abstention")]
        rows.append((name, *map(str, counts), clues, *votes))
    head = ("variant", *CAUSES[1:], "iterations on clues %", "mean accuracy at the end %", "mean N/A at the end %")
    return markdown_table(head, rows)


def baseline_table(found: Found) -> str:
    """How much of what spies earn their baseline has reached, in the first clue stage and in the last iterations."""
    rows = []
    for name in ("alternating", "baselines by batch", "earlier form"):
        cells = []
        for kept in logs(found, name).values():
            clues = [entry for entry in kept if "spy_earned" in entry]
            if clues:
                cells.append([_reached(clues[:5]), _reached(clues[-5:])])
        if cells:
            rows.append((name, *(told(column) for column in zip(*cells, strict=True))))
    return markdown_table(("baselines", "first five updates on clues %", "last five %"), rows)


def _reached(entries: list[dict[str, float]]) -> float:
    earned = sum(entry["spy_earned"] for entry in entries)
    return sum(entry["spy_baseline"] for entry in entries) / earned if earned else 0.0


def strangers_table(found: Found) -> str:
    kept = found.get("strangers", {})
    columns = list(dict.fromkeys(key for result in kept.values() for key in result if ": " in key))
    rows = []
    for name in dict.fromkeys(name for name, _ in kept):
        runs = [result for (each, _), result in kept.items() if each == name]
        rows.append((name, *(told(1 - run[column] for run in runs) for column in columns)))
    return markdown_table(("variant", *(column.replace("+", " and ") for column in columns)), rows)


def tasks_table(found: Found) -> str:
    kept = found.get("tasks", {})
    names = list(dict.fromkeys(task for result in kept.values() for task in result["tasks"]))
    rows = []
    for name in dict.fromkeys(name for name, _ in kept):
        runs = [result["tasks"] for (each, _), result in kept.items() if each == name]
        rows.append((name, *(told(run[task]["score"] for run in runs if task in run) for task in names)))
    chances = [
        told([np.mean([result["tasks"][task]["chance"] for result in kept.values() if task in result["tasks"]])])
        for task in names
    ]
    return markdown_table(("player", *names), [*rows, ("chance", *chances)])


def write(folder: Path, page: Path) -> None:
    """The page, and its curves beside it."""
    from mmgames.baselines.learning.iterative_spo import curves

    found = read(folder)
    drawn = page.with_name(f"{page.stem}-curves.png")
    runs = {name: list(logs(found, name).values()) for name in LEAGUES if any(key[0] == name for key in found["train"])}
    names = {
        "league": "win rate among its own snapshots", "held_out_accuracy": "likeliest votes that are right",
        "held_out_abstention": "probability of N/A", "stage": "stage (1: clues)",
    }  # fmt: skip
    if all("league" in entry for kept in runs.values() for log in kept for entry in log[-1:]):
        curves(runs, drawn, names)
    page.write_text(
        PAGE.format(
            equations=markdown_table(("", "the paper", "here", "the same?"), EQUATIONS, markup=True),
            easy=EASY, curves=drawn.name, variants=variants_table(found), switches=switch_table(found),
            causes="\n".join(f"- {line}" for name in LEAGUES for line in switches(found, name)),
            crossed=crossed_table(found, ("alternating", "clue only", "decision only", "without role baselines")),
            leagues="\n\n".join(f"{growth(found, name)}\n\n{league_table(found, name)}" for name in LEAGUES),
            baselines=baseline_table(found), strangers=strangers_table(found), tasks=tasks_table(found),
            sharpness=told(result["sharpness"] for result in found["eye"].values()),
            rounds=next((result["rounds"] for result in found.get("meet", {}).values()), 0),
            questions=next((result["questions"] for result in found.get("tasks", {}).values()), 0),
        ),
        encoding="utf-8",
    )  # fmt: skip
