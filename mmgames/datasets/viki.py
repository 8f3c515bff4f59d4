"""VIKI-Bench as data: questions of the three levels in the columns of the released files, with our pictures.

A folder holds `LEVEL-SPLIT.parquet` for activation, planning and trajectories in and out of domain, each row with
`data_source`, `prompt` (system and user), `images` (PNG) and `reward_model` with the ground truth, the same rows
without pictures as `LEVEL-SPLIT.jsonl`, and `report.json`. The number of a row and the seed decide its task.

Every truth scores 1 with the released scorer: tasks whose plan it cannot follow, such as those that close a cabinet,
are left out of the planning tables, and paths are those of two robots. `extra_info` marks rows of our own templates.

With `reasoning=True` the rows of activation and planning have a column `reasoning`: why these robots and why this
order, as the planner sees it, for models that are to think before they answer.

With `author="chat:MODEL"` plans are a model's, as in the paper's Algorithm 1: it proposes one, the checker and the
simulator say what is wrong, and it mends it, up to five times in all. Only plans that work are kept, with what the
model thought; a task at which it fails makes room for another.
"""

from __future__ import annotations

import itertools
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mmgames import tasks
from mmgames.agents.base import Agent
from mmgames.agents.finding import find_agent
from mmgames.core import registry
from mmgames.core.observation import check_size
from mmgames.core.whole_files import write_whole
from mmgames.datasets import files
from mmgames.errors import MmgamesError, unknown
from mmgames.running.processes import Workers, run_jobs
from mmgames.running.progress import Progress
from mmgames.tasks.questions import Style
from mmgames.text.command_line import arguments_of
from mmgames.text.refusals import Illegal

if TYPE_CHECKING:  # the planner is compiled, and a list of data sets does not need it
    from mmgames.embodied._world import generator
    from mmgames.embodied._world.plans import Plan
    from mmgames.embodied._world.task import KitchenTask, Predicate

LEVELS = {"viki_1": "VikiKitchen-Activate", "viki_2": "VikiKitchen-Plan", "viki_3": "VikiKitchen-Trace"}
SPLITS = ("train", "test", "ood")
ALL_SPLITS = (*SPLITS, "hard", "ood-hard", "rooms")
RULES = {"viki_1": "paper", "viki_2": "optimal", "viki_3": "released"}
"""By which rules the questions are put: a plan is compared with our shortest one, and paths are those of two robots."""

ROWS = 500
ROWS_PER_JOB = 25
ATTEMPTS = 5
TASKS_TRIED = 20  # so many tasks may fail before it is said that the author makes no plans
JOURNAL = "finished.jsonl"
SYSTEM = "You direct robots in a kitchen. Think first, then answer, each in its tag."


arguments = arguments_of(__package__, "viki")


def build(
    out: str | os.PathLike[str],
    *,
    seed: int = 0,
    rows: int = ROWS,
    size: int = 512,
    splits: Sequence[str] = SPLITS,
    scene: str = "drawn",
    labels: bool = True,
    views: str = "",
    reasoning: bool = False,
    author: str = "",
    processes: Workers = 1,
    progress: bool = False,
) -> dict[str, Any]:
    """Make the data set in the folder `out`, or go on making it; its report."""
    folder = Path(out)
    check_size(size, "the data set viki")
    if isinstance(rows, bool) or not isinstance(rows, int) or rows < 1:
        raise MmgamesError(f"The data set viki: rows={rows!r} is out of range; a table has at least one row.")
    for split in splits:
        if split not in ALL_SPLITS:
            raise unknown("split", split, "the data set viki", ALL_SPLITS)
    from mmgames.embodied._questions import kitchen
    from mmgames.embodied._scenes import scenes

    scenes.check(scene, "the data set viki")
    settings: dict[str, Any] = {"seed": int(seed), "rows": int(rows), "size": int(size), "splits": list(splits)}
    if scene != "drawn":  # data sets that were begun before there was a choice go on
        settings["scene"] = scene
    drawn: dict[str, Any] = {} if labels else {"labels": False}
    drawn |= {"views": list(kitchen.read_views(views, "the data set viki"))} if views else {}
    settings |= drawn | ({"reasoning": True} if reasoning else {})
    settings |= {"author": author} if author else {}
    report: dict[str, Any] = {"data set": "viki", **settings, "tables": {}}
    began = time.perf_counter()
    with files.open_journal(folder, JOURNAL, "viki", settings) as journal:
        for level in LEVELS:
            for split in splits:
                name = f"{level}-{split}"
                if not files.finished(folder, journal, name):
                    how = (size, {"scene": scene, **drawn}, reasoning, author if level == "viki_2" else "")
                    jobs = [
                        (level, split, seed, range(first, min(first + ROWS_PER_JOB, rows)), *how)
                        for first in range(0, rows, ROWS_PER_JOB)
                    ]
                    made: dict[int, dict[str, Any]] = {}
                    with Progress(rows, name, show=progress) as bar:
                        for some in run_jobs(make_rows, jobs, processes):
                            for row in some:
                                made[row["extra_info"]["index"]] = row
                                bar.advance()
                    _save(folder, name, [made[number] for number in sorted(made)])
                    journal.add({"finished": name})
                written = files.read_rows(folder, name)
                if len(written) != rows:
                    raise files.damaged(folder / f"{name}.jsonl")
                layouts = sorted({row["extra_info"]["layout"] for row in written})
                families = sorted({row["extra_info"]["family"] for row in written})
                report["tables"][name] = {"rows": len(written), "layouts": layouts, "families": families}
        files.write_report(folder, report)
    return {**report, "seconds": round(time.perf_counter() - began, 1)}


def table(report: dict[str, Any], out: Any) -> str:
    from mmgames.text.tables import text_table

    body = [
        [name, str(facts["rows"]), str(len(facts["families"])), str(len(facts["layouts"]))]
        for name, facts in report["tables"].items()
    ]
    return f"{text_table(('table', 'rows', 'families', 'layouts'), body)}\n\n{out}: {report['seconds']} s"


def make_rows(
    level: str, split: generator.Split, seed: int, numbers: range, size: int, drawn: dict, reasoning: bool, author: str
) -> list[dict[str, Any]]:
    """The rows of a table with these numbers."""
    from mmgames.embodied._world import generator

    spec = tasks.find(LEVELS[level])
    asks: Any = spec.source_class()
    if level == "viki_3" and drawn.get("views") == ["above"]:  # paths are traced on what a robot sees
        drawn = {**drawn, "views": ["ego"]}
    drawn = {**drawn, "attempts": ATTEMPTS} if author else drawn
    source = asks(spec, Style(size=size, reasoning="cot"), split=split, rules=RULES[level], **drawn)
    agent = find_agent(author, registry.find(spec.game)) if author else None
    found = []
    for number in numbers:
        # Of level 1 every number has a question, and two with the same picture come one after the other.
        first_number = seed * 10_000_000 + number * (1 if level == "viki_1" else 1_000)
        tasks_there = _tasks(level, split, first_number, source)
        task, written = next(tasks_there), Written()
        if agent is not None:
            task, written = _written(agent, source, itertools.chain([task], tasks_there))
        question = source.about(task)
        template = generator.templates()[task.template]
        found.append({
            "data_source": level,
            "prompt": [
                {"role": "system", "content": SYSTEM},
                {"role": "user", "content": "<image>" * len(question.pictures) + question.text},
            ],
            "images": [{"bytes": files.png(picture)} for picture in question.pictures],
            "reward_model": {
                "ground_truth": released_truth(task, written.plan) if level == "viki_2" else question.answer
            },
            "extra_info": {
                "index": number, "split": split, "task": task.id, "template": task.template,
                "family": template.family, "ours": not template.released, "layout": task.layout, "style": task.style,
                **({"author": author, "attempts": written.attempts} if author else {}),
            },
            **({"reasoning": written.thoughts or _reasons(level, task)} if reasoning and level != "viki_3" else {}),
        })  # fmt: skip
    return found


class Written(NamedTuple):
    """A plan that a model wrote, after how many attempts, and what it thought; without one our planner's is meant."""

    plan: Plan | None = None
    attempts: int = 0
    thoughts: str = ""


def _written(agent: Agent, source: Any, found: Iterator[KitchenTask]) -> tuple[KitchenTask, Written]:
    """The first of these tasks for which an agent writes a plan that works, and the plan."""
    from mmgames.embodied._world import check
    from mmgames.embodied._world.plans import read_steps

    for task in itertools.islice(found, TASKS_TRIED):
        question, tried = source.about(task), 0
        while question is not None:
            rgb = question.pictures[0] if len(question.pictures) == 1 else np.stack(question.pictures)
            reply, tried = str(agent.answer({"rgb": rgb, "text": question.text})), tried + 1
            answer = source.read(question, reply)
            if not isinstance(answer, Illegal) and answer.accuracy == 1.0:
                plan = read_steps(answer.said)
                if isinstance(plan, list) and check(task, plan, "released").solved:
                    thoughts = reply.partition("<answer>")[0].replace("<think>", "").replace("</think>", "").strip()
                    return task, Written(plan, tried, thoughts)
            question = source.again(question, reply, answer)
    raise MmgamesError(f"{agent.name} has written no plan that works for {TASKS_TRIED} tasks, and so there is no row.")


def _reasons(level: str, task: KitchenTask) -> str:
    from mmgames.embodied._questions.reasoning import why_these_robots, why_this_order
    from mmgames.embodied._world import generator

    tell = why_these_robots if level == "viki_1" else why_this_order
    return tell(task, generator.reference_plan(task))


def _tasks(level: str, split: generator.Split, first: int, source: Any = None) -> Iterator[KitchenTask]:
    """The tasks from a number on that the level is asked about and its released form can hold."""
    from mmgames.embodied._world import generator

    numbers = range(first, first + 1_000)
    if level == "viki_1":
        return map(source.task_numbered, numbers)
    suits = generator.works_as_released if level == "viki_2" else source.in_sight
    return filter(suits, (generator.generate(number, split) for number in numbers))


def released_truth(task: KitchenTask, plan: Plan | None = None) -> dict[str, Any]:
    """The ground truth of a plan in the released form: starts, goals, stages, and a shortest plan if none is given."""
    from mmgames.embodied._world import generator

    plan = generator.reference_plan(task) if plan is None else plan
    idle = [robot.type for robot in task.robots if robot.name not in task.active]
    return {
        "task_id": f"{task.seed}_{task.template}",
        "task_name": generator.templates()[task.template].family_name if task.template else "",
        "description": task.instruction,
        "layout_id": task.layout,
        "robots": {robot.name: robot.type for robot in task.team},
        "idle_robots": idle,
        "init_pos": {f"{asset.name}_{number}": [asset.at] for number, asset in enumerate(task.assets)},
        "time_steps": [{"step": number, "actions": actions} for number, actions in enumerate(plan, 1)],
        "goal_constraints": [[_status(goal) for goal in task.goals]],
        "temporal_constraints": [[[_status(p) for p in stage] for stage in chain] for chain in task.chains],
    }


_STATUS = {"pos.name": "at", "is_activated": "activated", "is_open": "open"}


def _status(predicate: Predicate) -> dict[str, Any]:
    told = {key: getattr(predicate, name) for key, name in _STATUS.items()}
    status = {key: value for key, value in told.items() if value is not None}  # there is no `is_open` there
    how = {"check_pos_type": "aligned"} if predicate.aligned else {}
    return {"type": "asset", "name": predicate.asset, "is_satisfied": True, **how, "status": status}


WHERE = "name a folder with VIKI-L{0}/test.parquet or viki_{0}-test.parquet, or one such file"


def released_file(path: Path, level: str) -> Path | None:
    """The file with the released questions of a level: the path itself, or one below the folder."""
    if path.is_dir():
        places = (f"VIKI-L{level[-1]}/test.parquet", f"{level}-test.parquet")
        return next((path / place for place in places if (path / place).is_file()), None)
    if not path.is_file():
        raise MmgamesError(f"There is no file or folder {path}.")
    try:
        sources = files.pyarrow().parquet.read_table(path, columns=["data_source"])["data_source"]
    except (ValueError, OSError, KeyError) as error:
        raise MmgamesError(f"{path} cannot be read as a Parquet file of VIKI-Bench: {str(error)[:200]}.") from error
    return path if len(sources) and sources[0].as_py() == level else None


def task_of(truth: Mapping[str, Any]) -> KitchenTask:
    """The task that the ground truth of a plan tells, as `released_truth` writes it; a ValueError says what is wrong.

    A thing that may start at several places starts at the first of them.
    """
    from mmgames.embodied._world.names import TYPES
    from mmgames.embodied._world.task import KitchenTask

    truth = without_nulls(dict(truth))
    names: dict[str, str] = {}
    for key in truth["init_pos"]:
        name = key.rpartition("_")[0] or key
        count = sum(base == name for base in (other.rpartition("_")[0] for other in names))
        names[key] = f"{name} {count + 1}" if count else name

    def wanted(status: Mapping[str, Any]) -> dict[str, Any]:
        found = {key: value for key, value in status["status"].items() if key in _STATUS}
        if len(found) != 1:
            raise ValueError(f"a goal about {status['name']!r} tells {len(found)} things and not one")
        (key, value), met = next(iter(found.items())), status.get("is_satisfied", True)
        if key == "pos.name" and not met:
            raise ValueError(f"a goal says where {status['name']!r} is not, and that cannot be judged")
        value = names.get(value, value) if key == "pos.name" else bool(value) == met
        how = {"match": "aligned"} if status.get("check_pos_type") == "aligned" else {}
        return {"asset": names.get(status["name"], status["name"]), _STATUS[key]: value, **how}

    task = KitchenTask.from_dict(
        {
            "id": truth["task_id"],
            "layout": truth["layout_id"],
            "instruction": truth["description"],
            "robots": {name: {"type": type} for name, type in truth["robots"].items()},
            "assets": {names[key]: {"at": names.get(at[0], at[0])} for key, at in truth["init_pos"].items()},
            "goals": [wanted(status) for group in truth["goal_constraints"] for status in group],
            "stage_chains": [
                [[wanted(status) for status in stage] for stage in chain] for chain in truth["temporal_constraints"]
            ],
            "reference_length": sum(1 for step in truth["time_steps"] if step.get("actions")),
        }
    )
    for robot in task.robots:
        if robot.type not in TYPES:
            raise ValueError(f"{robot.name} is a {robot.type!r}, and the types are {', '.join(TYPES)}")
    task.world  # noqa: B018 - what does not fit together is said here
    return task


def without_nulls(value: Any) -> Any:
    """A value of a table as it was before: a struct column has every name that any row has, null where a row has none.

    >>> without_nulls({"robots": {"R1": "fetch", "R2": None}})
    {'robots': {'R1': 'fetch'}}
    """
    if isinstance(value, dict):
        return {name: without_nulls(part) for name, part in value.items() if part is not None}
    return [without_nulls(part) for part in value] if isinstance(value, list) else value


def _save(folder: Path, name: str, rows: Sequence[dict[str, Any]]) -> None:
    """Write a table, and its rows without the pictures as JSON lines."""
    arrow = files.pyarrow()
    part = folder / f"{name}.parquet.partial"
    arrow.parquet.write_table(arrow.Table.from_pylist(list(rows), schema=_schema(arrow, rows)), part)
    os.replace(part, folder / f"{name}.parquet")
    lines = (json.dumps({key: row[key] for key in row if key != "images"}, ensure_ascii=False) for row in rows)
    write_whole(folder / f"{name}.jsonl", ("\n".join(lines) + "\n").encode())


def _schema(arrow: Any, rows: Sequence[dict[str, Any]]) -> Any:
    """The released columns. A plan's truth is nested: its structs have the names of all rows of the table."""
    text, whole = arrow.string(), arrow.int64()
    truths = [row["reward_model"]["ground_truth"] for row in rows]
    truth = text if isinstance(truths[0], str) else _truth_type(arrow, truths)
    kinds = {bool: arrow.bool_(), int: whole, str: text}
    about = {name: kinds[type(value)] for name, value in rows[0]["extra_info"].items()}
    return arrow.schema(
        {
            "data_source": text,
            "prompt": arrow.list_(arrow.struct({"role": text, "content": text})),
            "images": arrow.list_(arrow.struct({"bytes": arrow.binary()})),
            "reward_model": arrow.struct({"ground_truth": truth}),
            "extra_info": arrow.struct(about),
            **({"reasoning": text} if "reasoning" in rows[0] else {}),
        }
    )


def _truth_type(arrow: Any, truths: Sequence[dict[str, Any]]) -> Any:
    text, flag = arrow.string(), arrow.bool_()
    robots = sorted({name for truth in truths for name in truth["robots"]})
    things = sorted({name for truth in truths for name in truth["init_pos"]})
    status = arrow.struct({"pos.name": text, "is_activated": flag})
    said = {"type": text, "name": text, "is_satisfied": flag, "check_pos_type": text, "status": status}
    wanted = arrow.list_(arrow.struct(said))
    step = {"step": arrow.int64(), "actions": arrow.struct({name: arrow.list_(text) for name in robots})}
    return arrow.struct(
        {
            "task_id": text,
            "task_name": text,
            "description": text,
            "layout_id": arrow.int64(),
            "robots": arrow.struct(dict.fromkeys(robots, text)),
            "idle_robots": arrow.list_(text),
            "init_pos": arrow.struct({name: arrow.list_(text) for name in things}),
            "time_steps": arrow.list_(arrow.struct(step)),
            "goal_constraints": arrow.list_(wanted),
            "temporal_constraints": arrow.list_(arrow.list_(wanted)),
        }
    )
