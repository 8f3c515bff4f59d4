"""`rules="released"` gives the verdicts of the released checker, plan by plan."""

import json
from pathlib import Path

import pytest

from mmgames.embodied._world import KitchenTask, check, generator

JUDGED = json.loads(Path(__file__).with_name("judgements.json").read_text())["templates"]
TASKS = {task["id"]: KitchenTask.from_dict(task) for group in JUDGED.values() for task in group["tasks"]}
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
        assert KitchenTask.from_dict(json.loads(json.dumps(task.to_dict()))) == task


def test_idle_robots_are_not_in_the_released_world():
    task = next(task for seed in range(200) for task in [generator.generate(seed)] if len(task.team) < len(task.robots))
    idle = next(robot for robot in task.robots if robot.name not in task.active)
    target = task.assets[0].name
    assert check(task, [{idle.name: ["Interact", target]}], rules="released").feedback.error == "unknown_entity"
    crash = check(task, [{idle.name: ["Move", target]}], rules="released").feedback
    assert (crash.error, crash.rule) == ("crash", "unknown_robot")
    assert check(task, [{idle.name: ["Move", target]}]).feedback.error in ("goal_missed", "not_feasible", "stage_order")


def test_names_are_looked_at_before_anybody_acts():
    task = TASKS["2-1/a"]
    plan = [{"R1": ["Grasp", next(iter(task.assets)).name], "R2": ["Grasp", "teapot"]}]
    found = check(task, plan, rules="released").feedback
    assert (found.error, found.robot) == ("unknown_entity", "R2")
