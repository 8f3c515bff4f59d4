"""`rules="released"` gives the verdicts of the released checker, plan by plan."""

import json
from pathlib import Path

import pytest

from mmgames.datasets.viki import released_truth
from mmgames.embodied._world import Asset, KitchenTask, Predicate, Robot, check, generator
from tests.embodied import released_judge
from tests.embodied.released_agreement import compared

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


def test_the_judge_of_these_tests_agrees_with_the_released_one():
    for case in CASES:
        if case["error"] != "unreadable":
            truth = released_truth(TASKS[case["task"]], case["plan"])
            said = released_judge.verdict(truth, [step for step in case["plan"] if step])
            assert said == (None if case["error"] == "too_long" else case["error"]), case


def test_edited_plans_get_the_same_verdict_from_both_judges():
    for expected, found, plan in compared(400, per_template=1):
        assert found == expected, plan


def test_names_are_looked_at_action_by_action():
    task = TASKS["2-1/a"]
    thing = task.assets[0].name
    found = check(task, [{"R1": ["Grasp", thing], "R2": ["Grasp", "teapot"]}], rules="released").feedback
    assert (found.error, found.robot) == ("not_feasible", "R1")
    found = check(task, [{"R1": ["Grasp", "teapot"], "R2": ["Grasp", thing]}], rules="released").feedback
    assert (found.error, found.robot) == ("unknown_entity", "R1")


def carrying(*steps):
    """Two humanoids and an apple and a pear at one place; what is wrong with a plan that begins with these steps."""
    task = KitchenTask(
        robots=(Robot("R1", "stompy", "R1"), Robot("R2", "stompy", "R2")),
        assets=(Asset("apple", "rack"), Asset("pear", "rack")),
        goals=(Predicate("pear", at="rack"),),
    )
    both = [{"R1": [verb, name], "R2": [verb, name]} for verb, name in (("Move", "rack"), ("Reach", "pear"))]
    return check(task, [*both, {"R1": ["Reach", "apple"]}, *steps], rules="released").feedback


def test_placing_takes_all_marks_of_a_grasp_away():
    twice = [{"R1": ["Grasp", "apple"]}, {"R1": ["Reach", "apple"]}]
    assert carrying({"R1": ["Reach", "apple"]}, *twice, {"R1": ["Place", "rack"]}) is None
    again = [{"R1": ["Place", "rack"]}, {"R1": ["Reach", "apple"]}, {"R1": ["Grasp", "apple"]}]
    assert carrying({"R1": ["Grasp", "apple"]}, *again, {"R1": ["Place", "rack"]}) is None


def test_what_a_later_action_of_a_step_writes_replaces_the_earlier():
    # R1 takes the pear along with the apple, and R2 takes it in the same step: it is in R2's hand alone.
    taken = {"R1": ["Grasp", "apple"], "R2": ["Grasp", "pear"]}
    assert carrying(taken).error == "goal_missed"
    assert carrying(taken, {"R2": ["Place", "rack"]}) is None
    turned = {"R2": ["Grasp", "pear"], "R1": ["Grasp", "apple"]}
    assert carrying(turned, {"R1": ["Place", "rack"]}) is None


def test_a_command_is_its_words_joined_by_commas():
    task = TASKS["1-1/a"]
    assert (
        check(task, [{"R1": ["Move, tomato "]}, {"R1": [" reach,tomato"]}], "released").feedback.error == "goal_missed"
    )
    assert check(task, [{"R1": ["Move", ""]}], "released").feedback.error == "invalid_command"
    assert check(task, [{"R1": ["Move", "<tomato>"]}], "released").feedback.error == "invalid_command"
    assert check(task, [{"R1": [["Move"], "tomato"]}], "released").feedback.error == "unreadable"


def test_a_wish_about_a_door_and_closing_one_stop_the_released_checker():
    task = generator.generate(0, template="14-1")
    closing = check(task, generator.reference_plan(task), "released").feedback
    wishing = check(task.with_(goals=task.goals[1:]), [{task.active[0]: ["Move", "cabinet"]}], "released").feedback
    assert [(found.error, found.rule) for found in (closing, wishing)] == [
        ("crash", "close"),
        ("crash", "no_such_status"),
    ]
