"""The page about VIKI-R, what models that were trained here reach beside the published figures; page.txt has its words.

`python -m benchmarks.viki_r.page RUNS --out docs/results/viki-r.md` writes it from the folders of runs. With `--paths
DATA` it writes that of the third level, from runs that learned from questions in that folder; paths.txt has its words.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import studies
from mmgames.baselines.learning import viki_questions
from mmgames.baselines.learning.viki_r import Settings
from mmgames.errors import MmgamesError
from mmgames.running.statistics import mean_and_error
from mmgames.text.command_line import read_arguments
from mmgames.text.tables import markdown_table

Runs = dict[tuple[str, bool], list[dict[str, Any]]]
"""Results by method and whether there was a step penalty."""

METHODS = {"sft": "answers only (SFT)", "zero": "GRPO alone (Zero)", "sft+grpo": "SFT, then GRPO"}
STAGES = {"look": "looking", "sft": "examples", "grpo": "GRPO"}
REASONS = "answers with reasons (SFT)"
TABLE_2 = {"L1 ACC id": "L1-test", "L2 ACC id": "L2-test", "L2 ACC ood": "L2-ood"}
TABLE_4 = {"ACC ood-hard": "L2-ood-hard", "ACC id-hard": "L2-hard"}
POINTS = 11
PATHS = {"RMSE": "rmse", "HD": "hausdorff", "DFD": "frechet"}
WHERE = {"id": "L3-test", "ood": "L3-ood"}


def read(folder: Path) -> Runs:
    """The results of all runs in a folder."""
    found: Runs = {}
    for run in studies.kept(folder, "results.json"):
        found.setdefault((run["settings"]["method"], run["settings"]["penalty"]), []).append(run)
    if not found:
        raise MmgamesError(f"{folder} has no results of runs; train some first.")
    return found


def write(folder: Path, out: Path) -> None:
    runs = read(folder)
    first = runs_of(runs)[0]
    text = Path(__file__).with_name("page.txt").read_text("utf-8").format(
        weights=f"{first['weights']:,}", tasks=f"{first['tasks']:,}", rows=first["tasks"], pixels=first["pixels"],
        budget=_budget(runs), table_2=_table_2(runs), difference=_difference(runs), table_4=_table_4(runs),
        lengths=_lengths(runs),
    )  # fmt: skip
    out.write_text(text, encoding="utf-8")


def write_paths(folder: Path, data: Path, out: Path) -> None:
    runs = read(folder)
    first = runs_of(runs)[0]
    if not any(where in first["measured"] for where in WHERE.values()):
        raise MmgamesError(f"{folder} has runs of other levels; leave --paths out.")
    columns = [f"{name} {where}" for where in WHERE for name in PATHS]
    ours = []
    for (method, penalty), some in _ordered(runs):
        cells = [_cell(_values(some, at, what), 1) for at in WHERE.values() for what in PATHS.values()]
        ours.append([_name(method, penalty), f"{100 * _values(some, 'L3-test', 'formatted').mean():.0f}", *cells])
    ours.append(["who does not look", "", *without_looking(data)])
    published = _published("Table 2", [f"L3 {name}" for name in PATHS])
    theirs = [[name, "", *cells, *[""] * len(PATHS)] for name, *cells in published if "B-I" in name]
    table = _beside(("form, %", *columns), ours, theirs)
    text = Path(__file__).with_name("paths.txt").read_text("utf-8").format(
        tasks=f"{first['tasks']:,}", pixels=first["pixels"], questions=first["measured"]["L3-test"]["questions"],
        table=table, budget=_budget(runs), command=" ".join(_trained(first)),
    )  # fmt: skip
    out.write_text(text, encoding="utf-8")


def _trained(run: Mapping[str, Any]) -> list[str]:
    """The options of a run that are not the usual ones."""
    usual = asdict(Settings())
    changed = {name: value for name, value in run["settings"].items() if value != usual[name]}
    return ["viki_r train DATA RUN", *(f"--{name.replace('_', '-')} {value}" for name, value in changed.items())]


def without_looking(data: Path) -> list[str]:
    """The distances of always naming the mean of the paths to learn, of as many as are asked for."""
    learned: dict[int, list[Any]] = {}
    for one in viki_questions.read(data, "train").questions:
        paths = json.loads(one.answer)
        learned.setdefault(len(paths), []).append(paths)
    cells = []
    for where in WHERE.values():
        drawn = viki_questions.read(data, where.removeprefix("L3-"))
        asker = viki_questions.Asker("train", drawn.pictures.shape[1])
        found = []
        for one in drawn.questions:
            many = len(json.loads(one.answer))
            mean = np.mean(learned.get(many) or [path[:1] * many for path in learned[2]], axis=0).tolist()
            found.append(asker.judge(one, f"<think></think><answer>{json.dumps(mean)}</answer>").remarks)
        cells += [f"{np.mean([one[what] for one in found]):.2f}" for what in PATHS.values()]
    return cells


def runs_of(runs: Runs) -> list[dict[str, Any]]:
    return [one for some in runs.values() for one in some]


def _budget(runs: Runs) -> str:
    rows = []
    for (method, penalty), some in _ordered(runs):
        stages = []
        for stage in STAGES:
            updates, seconds = (np.mean([one[what].get(stage, 0) for one in some]) for what in ("updates", "seconds"))
            stages.append(f"{updates:,.0f} in {seconds:.0f} s" if updates else "–")
        rows.append([_name(method, penalty), str(len(some)), *stages, some[0]["device"]])
    head = ("", "seeds", *STAGES.values(), "on")
    return markdown_table(head, rows, right=range(1, 5))


def _ordered(runs: Runs) -> list[tuple[tuple[str, bool], list[dict[str, Any]]]]:
    return sorted(runs.items(), key=lambda pair: ([*METHODS].index(pair[0][0]), not pair[0][1]))


def _name(method: str, penalty: bool) -> str:
    return METHODS[method] if penalty or method == "sft" else f"{METHODS[method]}, no step penalty"


def _values(some: Sequence[Mapping[str, Any]], where: str, what: str = "accuracy") -> np.ndarray:
    return np.array([one["measured"][where][what] for one in some if where in one["measured"]], float)


def _cell(values: np.ndarray, scale: float = 100.0) -> str:
    measured = mean_and_error(values * scale)
    if measured["mean"] is None:
        return "–"
    error = measured["standard_error"]
    return f"{measured['mean']:.2f}" + ("" if error is None else f" <sub>±{error:.2f}</sub>")


def _beside(columns: Sequence[str], ours: Sequence[list[str]], theirs: Sequence[list[str]]) -> str:
    """Our rows, and under them the published ones."""
    empty = [""] * len(columns)
    rows = [["**ours**", *empty], *ours, ["**published**", *empty], *theirs]
    return markdown_table(("", *columns), rows, markup=True, right=range(1, 1 + len(columns)))


def _table_2(runs: Runs) -> str:
    rows = []
    for (method, penalty), some in _ordered(runs):
        if method == "sft+grpo" and penalty:
            earlier = [{"measured": one["before"]} for one in some]
            rows.append([f"{REASONS}, before GRPO", *(_cell(_values(earlier, where)) for where in TABLE_2.values())])
        rows.append([_name(method, penalty), *(_cell(_values(some, where)) for where in TABLE_2.values())])
    asked = {where: one["questions"] for one in runs_of(runs) for where, one in one["measured"].items()}
    rows.append(["questions", *(f"<sub>{asked.get(where, 0):,}</sub>" for where in TABLE_2.values())])
    theirs = [row for row in _published("Table 2", tuple(TABLE_2)) if "3B" in row[0] or "7B" in row[0]]
    return _beside(tuple(TABLE_2), rows, theirs)


def _difference(runs: Runs) -> str:
    """By how much SFT with GRPO is ahead of answers alone at L2 in domain, and what GRPO had to do with it."""
    before, after = (_values(runs.get(key, []), "L2-test") for key in (("sft", True), ("sft+grpo", True)))
    if len(before) < 2 or len(after) < 2:
        return "There are too few seeds to say how far SFT and SFT with GRPO are apart."
    one, two = (mean_and_error(values * 100) for values in (before, after))
    apart = two["mean"] - one["mean"]
    error = float(np.hypot(one["standard_error"], two["standard_error"]))
    in_errors = f", {apart / error:.1f} standard errors" if error else ""
    learned = runs["sft+grpo", True]
    reasoned = _values([{"measured": one["before"]} for one in learned if "L2-test" in one["before"]], "L2-test")
    found = f"SFT, then GRPO is {apart:+.2f} points from SFT alone at L2 in domain{in_errors}."
    if len(reasoned) != len(after):
        return found
    by = mean_and_error((after - reasoned) * 100)
    itself = f"{by['mean']:+.2f} ± {by['standard_error']:.2f}"
    return f"{found} Of that, GRPO itself has {itself}, seed by seed; the rest is due to the reasons."


def _table_4(runs: Runs) -> str:
    rows, columns, measured = [], (*TABLE_4, "extra steps"), TABLE_4.values()
    for (method, penalty), some in _ordered(runs):
        if method == "sft+grpo":
            whole = [one["measured"] for one in some if all(where in one["measured"] for where in measured)]
            extra = np.array([np.mean([one[where]["extra_steps"] for where in measured]) for one in whole])
            name = f"{METHODS[method]}, {'with' if penalty else 'without'} step penalty"
            rows.append([name, *(_cell(_values(some, where)) for where in measured), _cell(extra, 1)])
    return _beside(columns, rows, _published("Table 4", columns))


def _published(name: str, columns: Sequence[str]) -> list[list[str]]:
    """The paper's rows of a table, which VIKI's suite has as data."""
    data = json.loads(files("mmgames").joinpath("suites", "papers", "viki_published.json").read_text("utf-8"))
    (table,) = (one for one in data["tables"] if one["table"] == name)
    places = [table["columns"].index(column) for column in columns]
    return [[f"*{row['name']}*", *(f"{row['values'][place]:.2f}" for place in places)] for row in table["rows"]]


def _lengths(runs: Runs) -> str:
    rows = []
    for (method, penalty), some in _ordered(runs):
        lengths = [one["reply_tokens"] for one in some if len(one["reply_tokens"]) >= 2]
        if lengths:
            at = np.linspace(0, 1, POINTS)
            curves = [np.interp(at, np.linspace(0, 1, len(one)), one) for one in lengths]
            rows.append([_name(method, penalty), *(f"{value:.0f}" for value in np.mean(curves, 0))])
    head = ("share of the updates", *(f"{100 * point:.0f} %" for point in np.linspace(0, 1, POINTS)))
    return markdown_table(head, rows, right=range(1, POINTS + 1)) if rows else "No run has learned by GRPO."


if __name__ == "__main__":
    args = read_arguments(__doc__, __file__)
    if args.paths:
        write_paths(args.runs, args.paths, args.out)
    else:
        write(args.runs, args.out)
