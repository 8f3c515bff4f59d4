"""`rules="released"` gives the verdicts of the released checker, plan by plan."""

import json
from pathlib import Path

import pytest

from mmgames.embodied._world import Task, check

JUDGED = json.loads(Path(__file__).with_name("judgements.json").read_text())["templates"]
TASKS = {task["id"]: Task.from_dict(task) for group in JUDGED.values() for task in group["tasks"]}
CASES = [case for group in JUDGED.values() for case in group["cases"]]


@pytest.mark.parametrize("case", CASES, ids=[f"{i}-{case['task']}-{case['edit']}" for i, case in enumerate(CASES)])
def test_verdict_is_the_released_one(case):
    verdict = check(TASKS[case["task"]], case["plan"], rules="released")
    found = verdict.feedback
    assert (found.error if found else None) == case["error"]
    assert verdict.valid == case["valid"]
    assert verdict.solved == bool(case["score"])
    assert verdict.length == case["length"]
    if "step" in case:
        assert found.step == case["step"]
    if "robot" in case:
        assert found.robot == case["robot"]
    if "fault" in case:
        assert found.rule == case["fault"]


def test_tasks_survive_json():
    for task in TASKS.values():
        assert Task.from_dict(json.loads(json.dumps(task.to_dict()))) == task
