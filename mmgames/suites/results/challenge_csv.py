"""The plans of a run in the CSV that VIKI's later challenge takes: a line a task, robots by their types."""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mmgames.embodied._questions.kitchen import load
from mmgames.embodied._world.plans import answer_of
from mmgames.errors import MmgamesError
from mmgames.tasks.replays import questions_env, questions_in, row_question

COLUMNS = ("task_id", "task_description", "answer.selected_robots", "answer.action_plan")


def write(folder: Path, path: Path, task: str) -> int:
    """Write the answers to this task that a run's folder has, those that were asked plainly; how many lines there are.

    An answer that cannot be read selects nobody and plans nothing. A plan that is not in the challenge's form, such as
    our own, selects those who act in it.
    """
    found = [(about, rows) for _, about, rows in questions_in(folder) if about["task"] == task]
    if not found:
        raise MmgamesError(f"{folder} holds no answers to {task}.")
    about, rows = min(found, key=lambda one: (one[0].get("split") not in (None, "test"), len(one[0])))
    env = questions_env(about, observe="text")
    lines = []
    for row in rows:
        row_question(env, row)
        robots, steps = _answer(row["reply"], {robot.name: _called(robot.type) for robot in env.source.task.robots})
        lines.append((f"task_{row['number']}", env.source.task.instruction, str(robots), str(steps)))
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([COLUMNS, *lines])
    except OSError as error:
        raise MmgamesError(f"The plans cannot be written to {path}: {error.strerror}.") from error
    return len(lines)


def _answer(reply: str, types: Mapping[str, str]) -> tuple[list[str], list[dict[str, Any]]]:
    value: Any = load(answer_of(reply))
    own = isinstance(value, dict)
    given = value.get("action_plan") if own else value
    named = {**types, **{name.lower(): name for name in types.values()}}
    steps: list[dict[str, Any]] = []
    for number, step in enumerate(given if isinstance(given, list) else (), 1):
        actions = step.get("actions") if isinstance(step, dict) else None
        if isinstance(actions, dict):
            told = {named.get(who, named.get(str(who).lower(), str(who))): what for who, what in actions.items()}
            steps.append({"step": step.get("step", number), "actions": told})
    chosen = value.get("selected_robots") if own else None
    acting = chosen if isinstance(chosen, list) else [who for step in steps for who in step["actions"]]
    return list(dict.fromkeys(named.get(str(who).lower(), str(who)) for who in acting)), steps


def _called(type: str) -> str:
    """A type as the challenge writes it: Unitree_H1."""
    return "_".join(part.capitalize() for part in type.split("_"))
