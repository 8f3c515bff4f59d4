"""The page about VIKI-R: what models that were trained here reach, beside the published figures."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from mmgames.core.whole_files import write_whole
from mmgames.errors import MmgamesError
from mmgames.running.statistics import mean_and_error
from mmgames.text.tables import markdown_table

Runs = dict[tuple[str, bool], list[dict[str, Any]]]
"""Results by method and whether there was a step penalty."""

METHODS = {"sft": "answers only (SFT)", "zero": "GRPO alone (Zero)", "sft+grpo": "SFT, then GRPO"}
STAGES = {"look": "looking", "sft": "examples", "grpo": "GRPO"}
REASONS = "answers with reasons (SFT)"
TABLE_2 = {"L1 ACC id": "L1-test", "L2 ACC id": "L2-test", "L2 ACC ood": "L2-ood"}
TABLE_4 = {"ACC ood-hard": "L2-ood-hard", "ACC id-hard": "L2-hard"}
POINTS = 11

PAGE = """# VIKI-R

A vision-language model of {weights} weights was trained here from random weights on questions drawn from {tasks}
tasks (`baselines/learning/viki_r.py`), and answers questions that it has not seen. Rows in *italics* are the paper's,
of models of 3 and 7 billion weights that had read a great deal before and were asked the released questions: they are
no target for ours, and stand here for the order of the methods. Small figures are standard errors over seeds.

Before anything else every model learned to look: it was shown pictures alone and named the robots in them. *SFT*
then learns answers alone. *Zero* is GRPO from the model that can look and has read no answer. *SFT, then GRPO* learns
answers with the planner's reasons first; then replies to one question are compared by what they earn, a tenth for the
form and nine tenths for being right. Each question is the text and picture of the ordinary environment at {pixels}
pixels; a plan counts if it works and is no longer than the reference. Out of domain are families of tasks and layouts
of kitchens that were never shown.

{budget}

## Table 2: activation (L1) and planning (L2)

% accuracy.

{table_2}

{difference}

## Table 4: step penalty in the reward, on hard tasks

% accuracy; steps beyond the reference, of the plans that work. The examples before GRPO are shortest plans, so a model
that has learned them has little that a penalty could take away.

{table_4}

## Fig. 4: how long replies are while GRPO goes on

Tokens of a reply, mean over seeds, from the first update to the last; they are those of the model's own tokenizer.

{lengths}

## Make it again

```console
python -m mmgames.baselines.learning.viki_r draw DATA --rows {rows} --processes 16
python -m mmgames.baselines.learning.viki_r train DATA RUNS/sft-grpo-0 --method sft+grpo --seed 0 --device cuda
python -m mmgames.baselines.learning.viki_r page RUNS --out docs/results/viki-r.md
```

The same command goes on with a run that has not had all its time. `--model NAME` trains a model of transformers, such
as Qwen2.5-VL, in place of the small one. A trained folder plays as
`hf:RUNS/sft-grpo-0/model,size={pixels},reasoning=cot`.
"""


def read(folder: str | os.PathLike[str]) -> Runs:
    """The results of all runs in a folder."""
    found: Runs = {}
    for path in sorted(Path(folder).glob("*/results.json")):
        told = json.loads(path.read_text())
        found.setdefault((told["settings"]["method"], told["settings"]["penalty"]), []).append(told)
    if not found:
        raise MmgamesError(f"{folder} has no results of runs; train some first.")
    return found


def write(folder: str | os.PathLike[str], out: str | os.PathLike[str]) -> None:
    write_whole(Path(out), page(read(folder)).encode())


def page(runs: Runs) -> str:
    every = [one for some in runs.values() for one in some]
    first = every[0]
    return PAGE.format(
        weights=f"{first['weights']:,}",
        tasks=f"{first['tasks']:,}",
        rows=first["tasks"],
        pixels=first["pixels"],
        budget=_budget(runs),
        table_2=_table_2(runs),
        difference=_difference(runs),
        table_4=_table_4(runs),
        lengths=_lengths(runs),
    )


def _budget(runs: Runs) -> str:
    rows = []
    for (method, penalty), some in _ordered(runs):
        told = []
        for stage in STAGES:
            updates, seconds = (np.mean([one[what].get(stage, 0) for one in some]) for what in ("updates", "seconds"))
            told.append(f"{updates:,.0f} in {seconds:.0f} s" if updates else "–")
        rows.append([_name(method, penalty), str(len(some)), *told, some[0]["device"]])
    head = ("", "seeds", *STAGES.values(), "on")
    return (
        "Updates and time of each stage, the mean over seeds; runs that shared the card made fewer:\n\n"
        + markdown_table(head, rows, right=range(1, 5))
    )


def _ordered(runs: Runs) -> list[tuple[tuple[str, bool], list[dict[str, Any]]]]:
    return sorted(runs.items(), key=lambda pair: ([*METHODS].index(pair[0][0]), not pair[0][1]))


def _name(method: str, penalty: bool) -> str:
    return METHODS[method] if penalty or method == "sft" else f"{METHODS[method]}, no step penalty"


def _values(some: Sequence[Mapping[str, Any]], where: str, what: str = "accuracy") -> np.ndarray:
    return np.array([one["measured"][where][what] for one in some if where in one["measured"]], float)


def _cell(values: np.ndarray, scale: float = 100.0) -> str:
    told = mean_and_error(values * scale)
    if told["mean"] is None:
        return "–"
    error = told["standard_error"]
    return f"{told['mean']:.2f}" + ("" if error is None else f" <sub>±{error:.2f}</sub>")


def _table_2(runs: Runs) -> str:
    rows = [["**ours**", "", "", ""]]
    for (method, penalty), some in _ordered(runs):
        if method == "sft+grpo" and penalty:
            earlier = [{"measured": one["before"]} for one in some]
            rows.append([f"{REASONS}, before GRPO", *(_cell(_values(earlier, where)) for where in TABLE_2.values())])
        rows.append([_name(method, penalty), *(_cell(_values(some, where)) for where in TABLE_2.values())])
    asked = {where: one["questions"] for one in runs_of(runs) for where, one in one["measured"].items()}
    rows.append(["questions", *(f"<sub>{asked.get(where, 0):,}</sub>" for where in TABLE_2.values())])
    rows.append(["**published**", "", "", ""])
    rows += [row for row in _published("Table 2", tuple(TABLE_2)) if "3B" in row[0] or "7B" in row[0]]
    return markdown_table(("", *TABLE_2), rows, markup=True, right=(1, 2, 3))


def runs_of(runs: Runs) -> list[dict[str, Any]]:
    return [one for some in runs.values() for one in some]


def _difference(runs: Runs) -> str:
    """By how much SFT with GRPO is ahead of answers alone at L2 in domain, and what GRPO had to do with it."""
    before, after = (_values(runs.get(key, []), "L2-test") for key in (("sft", True), ("sft+grpo", True)))
    if len(before) < 2 or len(after) < 2:
        return "There are too few seeds to say how far SFT and SFT with GRPO are apart."
    one, two = (mean_and_error(values * 100) for values in (before, after))
    apart = two["mean"] - one["mean"]
    error = float(np.hypot(one["standard_error"], two["standard_error"]))
    told = f", {apart / error:.1f} standard errors" if error else ""
    learned = runs["sft+grpo", True]
    reasoned = _values([{"measured": one["before"]} for one in learned if "L2-test" in one["before"]], "L2-test")
    if len(reasoned) != len(after):
        return f"SFT, then GRPO is {apart:+.2f} points from SFT alone at L2 in domain{told}."
    by = mean_and_error((after - reasoned) * 100)
    return (
        f"SFT, then GRPO is {apart:+.2f} points from SFT alone at L2 in domain{told}. Of that, GRPO itself has "
        f"{by['mean']:+.2f} ± {by['standard_error']:.2f}, seed by seed; the rest is due to the reasons."
    )


def _table_4(runs: Runs) -> str:
    rows = [["**ours**", "", "", ""]]
    for (method, penalty), some in _ordered(runs):
        if method == "sft+grpo":
            extra = np.array(
                [np.mean([one["measured"][where]["extra_steps"] for where in TABLE_4.values()]) for one in some
                 if all(where in one["measured"] for where in TABLE_4.values())]
            )  # fmt: skip
            cells = (_cell(_values(some, where)) for where in TABLE_4.values())
            rows.append(
                [f"{METHODS[method]}, {'with' if penalty else 'without'} step penalty", *cells, _cell(extra, 1)]
            )
    rows.append(["**published**", "", "", ""])
    columns = (*TABLE_4, "extra steps")
    rows += _published("Table 4", columns)
    return markdown_table(("", *columns), rows, markup=True, right=(1, 2, 3))


def _published(name: str, columns: Sequence[str]) -> list[list[str]]:
    """The paper's rows of a table, which VIKI's suite has as data."""
    data = json.loads(files("mmgames").joinpath("suites", "viki_published.json").read_text("utf-8"))
    (table,) = (one for one in data["tables"] if one["table"] == name)
    places = [table["columns"].index(column) for column in columns]
    return [[f"*{row['name']}*", *(f"{row['values'][place]:.2f}" for place in places)] for row in table["rows"]]


def _lengths(runs: Runs) -> str:
    rows = []
    for (method, penalty), some in _ordered(runs):
        told = [one["reply_tokens"] for one in some if len(one["reply_tokens"]) >= 2]
        if told:
            at = np.linspace(0, 1, POINTS)
            curves = [np.interp(at, np.linspace(0, 1, len(one)), one) for one in told]
            rows.append([_name(method, penalty), *(f"{value:.0f}" for value in np.mean(curves, 0))])
    head = ("share of the updates", *(f"{100 * point:.0f} %" for point in np.linspace(0, 1, POINTS)))
    return markdown_table(head, rows, right=range(1, POINTS + 1)) if rows else "No run has learned by GRPO."
