"""VIKI-Bench: activation, planning and trajectories, every published row beside ours."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from mmgames import tasks
from mmgames.core.errors import MmgamesError, unknown
from mmgames.core.identity import description
from mmgames.core.progress import Progress
from mmgames.core.records import Fields, Records
from mmgames.core.table import markdown
from mmgames.core.workers import run_jobs
from mmgames.matches import finished_rows
from mmgames.suites.suite import Players, Run, Suite, SuiteRow, make_row, players_name, records_path
from mmgames.suites.tables import figure
from mmgames.tasks.env import TaskEnv

PER_JOB = 25
ACTIVATE, PLAN, TRACE = (f"mmgames/VikiKitchen-{kind}-v0" for kind in ("Activate", "Plan", "Trace"))
DISTANCES = {"rmse": "RMSE", "hausdorff": "Hausdorff", "frechet": "discrete Fréchet"}
FIELDS: Fields = {
    "number": lambda value: isinstance(value, int),
    "accuracy": lambda value: isinstance(value, (int, float)),
    "failed": lambda value: value is None or isinstance(value, str),
}


@lru_cache(maxsize=1)
def published() -> dict[str, Any]:
    """The paper's tables, as data."""
    return json.loads(files(__package__).joinpath("viki_published.json").read_text("utf-8"))


def answers(id: str, options: Mapping[str, Any], agent: Any, seed: int, numbers: Sequence[int]) -> Iterator[dict]:
    """Questions with these numbers, each asked as often as it may be, and what the last answer came to."""
    from mmgames.baselines.viki_answers import ANSWERERS
    from mmgames.embodied._world.paths import worst  # compiled code, which a list of suites does not need

    known = isinstance(agent, str)
    env = TaskEnv(id, actions="text", observe="text" if known else None, **options)
    for number in numbers:
        own_seed, guessing = np.random.SeedSequence((seed, zlib.crc32(id.encode()), number)).generate_state(2).tolist()
        observation, _ = env.reset(seed=own_seed)
        rng = np.random.default_rng(guessing)
        failed, ended, reward = None, False, 0.0
        replies: list[str] = []
        info: dict[str, Any] = {}
        while not ended:
            try:
                reply = ANSWERERS[agent](env.source, env.question, rng) if known else agent.answer(observation)
            except Exception as error:
                # Whatever an agent does wrong costs its own question only.
                reply, failed = None, f"{players_name(agent)}: {type(error).__name__}: {error}"
            observation, reward, ended, _, info = env.step(reply)
            replies.append(reply if isinstance(reply, str) else repr(reply))
        row = {"number": number, "seed": own_seed, "replies": replies, "score": reward, "failed": failed}
        row["accuracy"] = float(info.get("accuracy", 0.0))
        if id == TRACE:
            row |= {name: info.get(name, getattr(worst(), name)) for name in DISTANCES}
        yield row


def answer_some(*job: Any) -> list[dict]:
    return list(answers(*job))


def ask(run: Run) -> np.ndarray:
    """The accuracies of the questions in per cent; of Trace the distances in pixels. Kept in the run's folder."""
    entry, name = run.entry, tasks.find(run.entry.id).name
    path = records_path(run, name)
    said = description(run.agent)  # type: ignore[arg-type]
    about = {"task": entry.id, "agent": players_name(run.agent), "seed": run.seed, **entry.options}
    records = Records(path, about | ({} if said is None else {"description": said}), FIELDS) if path else None
    with records or nullcontext():
        kept = {} if records is None else finished_rows(records, "number", run.episodes)
        missing = sorted(set(range(run.episodes)) - set(kept))
        what = (entry.id, entry.options, run.agent, run.seed)
        jobs = [(*what, missing[first : first + PER_JOB]) for first in range(0, len(missing), PER_JOB)]
        # An object may hold a connection; it answers here.
        processes = run.processes if isinstance(run.agent, str) else 1
        with Progress(run.episodes, f"{name}, {players_name(run.agent)}", len(kept), run.progress) as bar:
            for rows in run_jobs(answer_some, jobs, processes):
                for row in rows:
                    if records is not None:
                        records.add(row)
                    kept[row["number"]] = row
                    bar.advance()
    found = [kept[number] for number in sorted(kept)]
    failures = [row["failed"] for row in found if row["failed"]]
    run.details.update(failed=len(failures), first_failure=failures[0] if failures else None)
    run.details["score"] = float(np.mean([row["score"] for row in found])) if found else None
    if entry.id == TRACE:
        run.details["distances"] = {key: [row[key] for row in found] for key in DISTANCES}
        return np.array([row["rmse"] for row in found])
    return np.array([100 * row["accuracy"] for row in found])


class Viki(Suite):
    """Agents are `random`, `heuristic` (rules, greedy plans, straight lines), `oracle` (shortest plans, and knows the
    rest), or an object with `answer(observation) -> str`."""

    def check(self, entry: SuiteRow, players: Players) -> None:
        from mmgames.baselines.viki_answers import ANSWERERS

        TaskEnv(entry.id, actions="text", observe="text", **entry.options)
        if isinstance(players, str):
            if players not in ANSWERERS:
                raise unknown("agent", players, self.title, ANSWERERS)
        elif not callable(getattr(players, "answer", None)):
            raise MmgamesError(f"{self.title}: {players_name(players)!r} has no answer(observation).")

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
                rows.append(make_row(run, agent, np.array(apart[key])) | {"failed": row["failed"]})
        return {**result, "rows": rows}

    radar_title = "accuracy of each level, distances against 400 pixels"

    def radar(self, result: dict[str, Any]) -> dict[str, float]:
        axes = {}
        for row in result["rows"]:
            what = row["measure"].split()[0] if row["environment"] == TRACE else row.get("variant", "")
            name = " ".join(filter(None, (tasks.find(row["environment"]).kind, what)))
            axes[name] = max(0.0, (row["normalised"] or 0.0) / 100)
        return axes

    def sections(self, results: Sequence[dict[str, Any]]) -> list[str]:
        parts = []
        for table in published()["tables"]:
            rows = [[row["name"], *(figure(value) for value in row["values"])] for row in table["rows"]]
            ours = [_ours(table["table"], result) for result in results]
            rows += [
                [f"**ours: {result['agent']}**", *cells] for result, cells in zip(results, ours, strict=True) if cells
            ]
            notes = "\n".join(f"- {note}" for note in table["notes"])
            parts += [f"## {table['table']}: {table['about']}", f"{table['unit'].capitalize()}.",
                      markdown(("", *table["columns"]), rows), notes]  # fmt: skip
        return [_ABOUT, *filter(None, parts)]


_ABOUT = (
    "Our tasks, pictures and paths are drawn anew, so figures of models on the released data are no target for these "
    "agents; they stand here to be compared with models that answer our questions. `random` answers at random in the "
    "right form; `heuristic` activates by rules, plans greedily and draws straight lines; `oracle` plans shortest and "
    "knows the rest. In domain is the split `test`, out of domain the split `ood`."
)


def _ours(table: str, result: dict[str, Any]) -> list[str]:
    """Our cells in a published table, as far as they were measured."""
    raw = {(row["environment"], row.get("variant", ""), row["measure"]): row["raw"] for row in result["rows"]}

    def cell(id: str, variant: str = "", measure: str = "solved in per cent") -> float | None:
        return raw.get((id, variant, measure))

    if table == "Table 2":
        inside, outside = cell(PLAN, "in domain"), cell(PLAN, "out of domain")
        both = None if inside is None or outside is None else (1800 * inside + 1218 * outside) / 3018
        apart = [cell(TRACE, "", f"{called} distance in pixels") for called in DISTANCES.values()]
        mean = None if None in apart else float(np.mean(apart))  # type: ignore[arg-type]
        values = [cell(ACTIVATE, "", "right in per cent"), inside, outside, both, *apart, mean]
    elif table == "Table 3":
        values = [cell(PLAN, "in domain"), *(cell(PLAN, variant) for variant in _ATTEMPTS)]
    else:
        return []
    return [] if all(value is None for value in values) else [figure(value) for value in values]


_ATTEMPTS = {
    "pass@3 with feedback": (3, True),
    "pass@3": (3, False),
    "pass@6 with feedback": (6, True),
    "pass@6": (6, False),
}


def _entries() -> Iterator[SuiteRow]:
    share = (0.0, 100.0)
    yield SuiteRow(ACTIVATE, "right in per cent", ask, "oracle", share, {}, {"split": "test"})
    for split, called in (("test", "in domain"), ("ood", "out of domain")):
        yield SuiteRow(PLAN, "solved in per cent", ask, "oracle", share, {}, {"split": split}, variant=called)
    for called, (attempts, feedback) in _ATTEMPTS.items():
        options = {"split": "test", "attempts": attempts, "feedback": feedback}
        yield SuiteRow(PLAN, "solved in per cent", ask, "oracle", share, {}, options, variant=called)
    yield SuiteRow(TRACE, "RMSE distance in pixels", ask, "oracle", (400.0, 0.0), {}, {"split": "test"})


SUITE = Viki(name="viki", title="VIKI-Bench", entries=tuple(_entries()))
