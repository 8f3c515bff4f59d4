"""A paper's own scorer, run in a user's checkout over the replies of a run; both verdicts stand side by side."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mmgames import tasks
from mmgames.datasets._released.lvlm_playground import FOLDERS
from mmgames.datasets._released.vs_bench import FILES
from mmgames.errors import MmgamesError
from mmgames.readers import READERS
from mmgames.suites.results import in_checkout
from mmgames.tasks.replays import questions_env, questions_in, row_question


def verdicts(folder: Path, checkout: Path, python: str = "") -> list[dict[str, Any]]:
    """Our score of each reply to a question of the run, and that of the code in `checkout`; `python` runs it."""
    found: dict[str, list[dict[str, Any]]] = {}
    for name, about, rows in questions_in(folder):
        paper = tasks.find(about["task"]).source_class("released" in about).paper
        game = tasks.find(about["task"]).name.partition("-")[0]
        if paper not in READERS or game not in READERS[paper].games:
            continue
        env = questions_env(about, reading="released")
        for row in (row for row in rows if row["score"] is not None):
            given = {"run": name, "number": row["number"], "reply": row["reply"], "ours": float(row["score"])}
            found.setdefault(paper, []).append({**given, **_as_released(env, row, paper, game)})
    if not found:
        raise MmgamesError(f"{folder} holds no replies to questions that a paper's released code scores.")
    told = []
    for paper, asked in found.items():
        for row, theirs in zip(asked, _scored(paper, asked, checkout, python), strict=True):
            told.append({key: row[key] for key in ("run", "number", "reply", "ours")} | {"theirs": theirs})
    return told


def _as_released(env: Any, row: Mapping[str, Any], paper: str, game: str) -> dict[str, Any]:
    """A question as the paper's code knows it: its name of the game, the kind, and what is right."""
    question = row_question(env, row)
    names, right = question.names, question.correct
    if paper == "vs-bench":
        truth: Any = {"legal": {str(number): name for number, name in names.items()}, "right": sorted(right)}
        return {"game": FILES[game], "kind": "predict", "truth": truth}
    kind = FOLDERS[env.task.kind]
    truth = {
        "perceive": lambda: question.answer,
        "qa": lambda: {"answer": names[question.answer]},
        "rule": lambda: {"valid_movements": list(names.values())},
    }[kind]()
    return {"game": game.lower(), "kind": kind, "truth": truth}


def _scored(paper: str, rows: list[dict[str, Any]], checkout: Path, python: str) -> list[float]:
    asked = [{key: row[key] for key in ("game", "kind", "reply", "truth")} for row in rows]
    command = [python or sys.executable, str(Path(in_checkout.__file__).resolve())]
    try:
        done = subprocess.run(
            command, cwd=checkout, input=json.dumps({"paper": paper, "rows": asked}), capture_output=True, text=True
        )
    except OSError as error:
        raise MmgamesError(f"The scorer of {paper} cannot be run in {checkout}: {error.strerror}.") from error
    try:
        scores = json.loads(done.stdout)
    except ValueError:
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise MmgamesError(f"The scorer of {paper} failed in {checkout}: {last[:300].rstrip('.')}.") from None
    return list(map(float, scores))
