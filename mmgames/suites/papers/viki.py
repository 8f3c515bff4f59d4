"""VIKI-Bench: activation, planning and trajectories, every published row beside ours."""

import argparse
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from mmgames import tasks
from mmgames.errors import MmgamesError
from mmgames.running.statistics import pooled
from mmgames.suites.entries import Players, Run, SuiteEntry, in_per_cent
from mmgames.suites.pages import described, layout, prose
from mmgames.suites.pages.layout import Cell, PaperTable, TableRow
from mmgames.suites.pages.plots import check_writable
from mmgames.suites.pages.tables import score_of
from mmgames.suites.papers.published import tables as published
from mmgames.suites.questions import Answerers, Asker, ask, check_questions
from mmgames.suites.results.rows import make_row
from mmgames.suites.suite import Suite

ACTIVATE, PLAN, TRACE = (f"mmgames/VikiKitchen-{kind}-v0" for kind in ("Activate", "Plan", "Trace"))
FIGURES = ("measure", "raw", "standard_error", "interval", "normalised", "normalised_standard_error", "values")
DISTANCES = {"rmse": "RMSE", "hausdorff": "Hausdorff", "frechet": "discrete Fréchet"}


class KitchenAsker(Asker):
    @staticmethod
    def answerers() -> Answerers:
        # Here, since its compiled code is nothing that a list of suites needs.
        from mmgames.baselines.planners.viki_answers import ANSWERERS

        return ANSWERERS

    def remarks(self, question: Any, reply: Any, info: Mapping[str, Any]) -> dict[str, Any]:
        from mmgames.embodied._world.paths import worst

        kept: dict[str, Any] = {"accuracy": float(info.get("accuracy", 0.0))}
        if info.get("extra_steps") is not None:
            kept["extra_steps"] = info["extra_steps"]
        if self.id == TRACE:
            kept |= {name: info.get(name, getattr(worst(), name)) for name in DISTANCES}
        return kept


def answer(run: Run) -> np.ndarray:
    """The accuracies of the questions in per cent; of Trace the distances in pixels."""
    rows = ask(run, KitchenAsker)
    run.details["score"] = float(np.mean([row["score"] for row in rows])) if rows else None
    if run.entry.id == TRACE:
        run.details["distances"] = {key: [row[key] for row in rows] for key in DISTANCES}
        return np.array([row["rmse"] for row in rows])
    if beyond := [row["extra_steps"] for row in rows if "extra_steps" in row]:
        run.details["extra_steps"] = beyond
    return np.array([100 * row["accuracy"] for row in rows])


class Viki(Suite):
    """Agents are `random`, `heuristic` (rules, greedy plans, straight lines), `oracle` (shortest plans, and knows the
    rest), or an object with `answer(observation) -> str`."""

    READ_AS_RELEASED: ClassVar[Mapping[str, str]] = {"rules": "released"}

    def with_released(self, path: str | os.PathLike[str]) -> Self:
        from mmgames.datasets import viki

        levels = {tasks.find(name).id: level for level, name in viki.LEVELS.items()}
        entries = {entry.id: entry for entry in reversed(self.entries)}  # one of each level
        asked = [entries[id] for id in levels]
        return self.over_questions(path, asked, lambda at, spec: viki.released_file(at, levels[spec.id]))

    def arguments(self, parser: Any) -> None:
        parser.add_argument("--csv", metavar="FILE", help="also write the plans in the challenge's CSV (needs --out)")

    def check_arguments(self, args: argparse.Namespace) -> None:
        if args.csv and not args.out:
            raise MmgamesError("--csv writes what the run's folder holds; give one with --out.")
        if args.csv:
            check_writable(args.csv, "The CSV")

    def plot(self, args: argparse.Namespace, results: Sequence[dict[str, Any]]) -> dict[str, str]:
        from mmgames.suites.results import challenge_csv  # compiled code is nothing that a list of suites needs

        if args.csv:
            challenge_csv.write(Path(args.out), Path(args.csv), PLAN)
        return {}

    def check(self, entry: SuiteEntry, players: Players) -> None:
        if self.released and players == "heuristic":
            raise MmgamesError(
                "heuristic looks into kitchens made here; name random, oracle or a model for released ones."
            )
        check_questions(entry, players, KitchenAsker, observe="text")

    def asker(self, entry: SuiteEntry) -> type[Asker] | None:
        return KitchenAsker

    def find(self, name: str) -> str:
        spec = tasks.named(name)
        return name if spec is None else spec.id

    def evaluate(self, agent: Players, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """As every suite; Trace has one row for each distance."""
        result = super().evaluate(agent, *args, **kwargs)
        rows = []
        for row in result["rows"]:
            apart = row.pop("distances", None)
            if apart is None:
                rows.append(row)
                continue
            entry = next(entry for entry in self.entries if entry.id == row["environment"])
            for key, called in DISTANCES.items():
                one = replace(entry, measure=f"{called} distance in pixels")
                run = Run(one, agent, len(apart[key]), result["seed"], 1, None, False)
                measured = make_row(run, agent, np.array(apart[key]))
                # What was counted is the same for all three; only the figures differ.
                rows.append({**row, **{name: measured[name] for name in FIGURES}})
                if called != entry.measure.split()[0]:  # the floor is that of the first distance
                    rows[-1] = {name: value for name, value in rows[-1].items() if name not in ("floor", "above_floor")}
        return {**result, "rows": rows}

    radar_title = "accuracy of each level, distances against 400 pixels"

    def radar(self, result: dict[str, Any]) -> dict[str, float]:
        axes = {}
        for row in result["rows"]:
            what = row["measure"].split()[0] if row["environment"] == TRACE else ""
            name = " ".join(filter(None, (tasks.find(row["environment"]).kind, what, row.get("variant", ""))))
            axes[name] = max(0.0, (row["normalised"] or 0.0) / 100)
        return axes

    def paper_tables(self, results: Sequence[dict[str, Any]]) -> list[PaperTable]:
        measured: list[PaperTable] = []
        others: list[PaperTable] = []
        for name, table in published("viki").items():
            ours = []
            for result in results:
                ours += [TableRow(result["agent"], cells)] if (cells := _ours(name, result)) else []
                ours += layout.beside_scores(result["agent"], _measured(name, result))
            counts = {column: Cell(row["episodes"]) for column, row in _measured(name, results[0]).items()}
            rows = (*ours, *([TableRow("questions", counts, counts=True)] if ours else ()))
            (measured if ours else others).append(table.beside(rows))
        return [*measured, *described.tables("viki", results), *others]

    def page(self, command: str, results: Sequence[dict[str, Any]], pictures: Mapping[str, str]) -> str:
        slips = [f"{name}: {note}" for name, table in published("viki").items() for note in table.notes]
        said = prose.paragraphs("viki")
        parts: list[PaperTable | str] = [said[part] for part in ("about", "rules", "seen", "times")]
        parts += self.paper_tables(results)
        return layout.page(self.title, command, results, parts, [*prose.items("viki", "slips"), *slips], pictures)


_SOLVED, _RIGHT = "solved in per cent", "right in per cent"
_UNLABELLED: dict[str, dict[str, Any]] = {"no labels": {"labels": False}, "text only": {"observe": "text"}}


def _measured(table: str, result: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Our rows by the columns of a published table, as far as they were measured."""
    known = described.description("viki")["columns"]
    return described.rows_in(result, described.columns("viki", table)) if table in known else {}


def _ours(table: str, result: Mapping[str, Any]) -> dict[str, Cell]:
    """Our cells in a published table, as far as they were measured."""
    measured = _measured(table, result)
    cells = {column: Cell.of(score_of(row)) for column, row in measured.items()}
    if table == "Table 2":
        inside, outside = cells.get("L2 ACC id", Cell()), cells.get("L2 ACC ood", Cell())
        if inside.value is not None and outside.value is not None:  # as many tasks as the released test sets have
            cells["L2 ACC avg"] = Cell.of(pooled([inside.measured, outside.measured], (1800, 1218)))
        elif found := described.rows_in(result, {"": described.Place("VikiKitchen-Plan")}):  # released files have both
            (row,) = found.values()
            cells["L2 ACC avg"] = Cell.of(score_of(row))
        columns = [column for column in ("L3 RMSE", "L3 HD", "L3 DFD") if column in measured]
        apart = [measured[column].get("values", ()) for column in columns]  # runs that are kept small have none
        if len(apart) == len(DISTANCES) and all(apart):
            mean = np.mean(apart, axis=0)
            spread = float(mean.std(ddof=1) / len(mean) ** 0.5) if len(mean) > 1 else None
            cells["L3 AVG"] = Cell(float(mean.mean()), spread)
    if table == "Table 4" and (beyond := [steps for row in measured.values() for steps in row.get("extra_steps", ())]):
        spread = float(np.std(beyond, ddof=1) / len(beyond) ** 0.5) if len(beyond) > 1 else None
        cells["extra steps"] = Cell(float(np.mean(beyond)), spread)
    return cells


_ATTEMPTS = {
    "pass@3 with feedback": (3, True),
    "pass@3": (3, False),
    "pass@6 with feedback": (6, True),
    "pass@6": (6, False),
}


_HARD = {"hard, in domain": "hard", "hard, out of domain": "ood-hard"}


def _entries() -> Iterator[SuiteEntry]:
    test: dict[str, Any] = {"split": "test"}
    yield in_per_cent(ACTIVATE, _RIGHT, answer, options=test)
    planned = {
        "in domain": test,
        "out of domain": {"split": "ood"},
        **{name: {**test, "attempts": tries, "feedback": told} for name, (tries, told) in _ATTEMPTS.items()},
        **{called: {"split": split} for called, split in _HARD.items()},
    }
    for called, options in planned.items():
        yield in_per_cent(PLAN, _SOLVED, answer, options=options, variant=called)
    traced = SuiteEntry(TRACE, "RMSE distance in pixels", answer, "oracle", (400.0, 0.0), {}, test)
    yield traced
    for called, setting in _UNLABELLED.items():
        for id, measure in ((ACTIVATE, _RIGHT), (PLAN, _SOLVED)):
            yield in_per_cent(id, measure, answer, options={**test, **setting}, variant=called)
    yield replace(traced, options={**test, "labels": False}, variant="no labels")


SUITE = Viki(name="viki", title="VIKI-Bench", entries=tuple(_entries()))
