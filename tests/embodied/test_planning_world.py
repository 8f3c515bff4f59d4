"""The rules of the planning world, clean and released: what every verb needs and does, conflicts, stages, goals."""

import itertools
import json
from pathlib import Path

import pytest

from mmgames.datasets.viki import released_truth
from mmgames.embodied._world import Asset, KitchenTask, Predicate, Robot, check, check_text, generator
from tests.cases import cases
from tests.embodied import released_judge
from tests.embodied.released_agreement import compared

TABLES = cases(__file__)

KITCHEN = ("kitchen work area", "kitchen island area", "rack")


def kitchen(robots=("unitree_h1", "fetch"), things=(("apple", "kitchen work area"),), goals=None, chains=()):
    """A small task; its goal is never met unless a test gives one, so a plan that does nothing wrong misses it."""
    goals = goals or (Predicate("apple", activated=True),)
    return KitchenTask(
        robots=tuple(Robot(f"R{i}", type) for i, type in enumerate(robots, 1)),
        assets=tuple(Asset(name, at, name != "cabinet") for name, at in things),
        goals=goals,
        chains=chains,
        places=KITCHEN,
    )


def steps(text):
    """ "R1 move apple; R2 move plate / R1 reach apple" as a plan."""
    plan = []
    for step in text.split("/"):
        actions = {}
        for action in filter(None, map(str.strip, step.split(";"))):
            robot, verb, *names = action.split(" ", 2)
            actions[robot] = [verb, *(name.strip() for name in (names[0].split(",") if names else ()))]
        plan.append(actions)
    return plan


def error(task, text):
    found = check(task, steps(text)).feedback
    return (found.error, found.step, found.robot, found.rule) if found else None


FETCHED = "R1 move apple / R1 reach apple / R1 grasp apple"
APPLE_IN_CABINET = (("apple", "cabinet"), ("cabinet", "room_cabinet"))


def test_a_broken_rule_is_named():
    for given, plan, rule in TABLES["broken rules"]:
        found = check(kitchen(**given), steps(plan)).feedback
        assert (found.error, found.rule, found.step) == ("not_feasible", rule, len(steps(plan)))
        assert found.robot and found.mend


OPENED = "R1 move cabinet / R1 reach cabinet / R1 open cabinet"


def test_a_closed_cabinet_keeps_what_is_in_it_and_can_be_wanted():
    task = kitchen(things=APPLE_IN_CABINET, goals=(Predicate("apple", at="rack"),))
    carry = " / R1 reach apple / R1 grasp apple / R1 move rack / R1 place rack"
    assert check(task, steps(OPENED + carry)).solved
    assert error(task, OPENED + " / R1 close cabinet" + carry)[3] == "closed"
    task = kitchen(things=APPLE_IN_CABINET, goals=(Predicate("cabinet", open=False),))
    assert check(task, steps(OPENED + " / R1 close cabinet")).solved
    assert error(task, OPENED)[0] == "goal_missed"
    things = (("apple", "bowl"), ("bowl", "cabinet"), ("cabinet", "room_cabinet"))
    assert error(kitchen(things=things), "R1 move bowl / R1 reach apple")[3] == "closed"


def test_hands_hold_hand_over_and_place_one_of_two():
    task = kitchen(goals=(Predicate("apple", at="rack"),))
    plan = FETCHED + "; R2 move rack / R1 move rack / R1 handover apple, R2 / R2 place rack"
    assert check(task, steps(plan)).solved
    things = (("apple", "kitchen work area"), ("pear", "kitchen work area"), ("knife", "kitchen work area"))
    both = "R1 move apple / R1 reach apple / R1 reach pear / R1 grasp pear"
    goal = (Predicate("apple", at="kitchen work area"), Predicate("pear", at="rack"))
    assert check(kitchen(things=things, goals=goal), steps(both + " / R1 move rack / R1 place rack")).solved
    full = both + " / R1 grasp apple / R1 reach knife / R1 grasp knife"
    assert error(kitchen(things=things), full)[3] == "hands"
    things = (("apple", "kitchen work area"), ("pear", "kitchen work area"))
    goal = (Predicate("pear", at="rack"), Predicate("apple", at="kitchen island area"))
    plan = (
        "R1 move apple / R1 reach apple / R1 reach pear / R1 grasp pear / R1 grasp apple / R1 move rack / "
        "R1 place pear, rack / R1 move kitchen island area / R1 place kitchen island area"
    )
    assert check(kitchen(things=things, goals=goal), steps(plan)).solved


def test_a_box_takes_its_content_along_and_what_is_carried_off_is_not_in_reach():
    task = kitchen(things=(("apple", "kitchen work area"), ("pear", "kitchen work area")))
    taken = "R1 move apple; R2 move apple / R1 reach apple / R1 grasp apple / R1 move rack"
    assert error(task, taken + " / R2 reach pear")[0] == "goal_missed"
    assert error(task, taken + " / R2 reach apple")[3] == "held"
    plan = "R1 move apple; R2 move apple / R1 reach apple; R2 reach apple / R1 grasp apple / R1 place kitchen work area"
    assert error(kitchen(), plan + " / R2 grasp apple") == ("not_feasible", 5, "R2", "reach")
    things = (("apple", "R2"), ("cardboardbox", "kitchen work area"), ("sink", "R3"))
    task = kitchen(("anymal_c", "panda", "panda"), things, (Predicate("apple", at="sink"),))
    plan = (
        "R1 move cardboardbox; R2 reach apple / R1 push cardboardbox, R2; R2 grasp apple / R2 place cardboardbox / "
        "R1 push cardboardbox, R3 / R3 reach apple / R3 grasp apple / R3 place sink"
    )
    assert check(task, steps(plan)).solved
    assert check(task, steps(plan), rules="released").solved


def test_two_actions_on_one_thing():
    for plan, clashes in TABLES["two on one thing"]:
        ready = "R1 move apple; R2 move apple / R1 reach apple; R2 reach apple / "
        found = error(kitchen(goals=(Predicate("apple", at="rack"),)), ready + plan)
        assert (found[0] == "incompatible") == clashes


def test_nobody_is_given_more_than_it_holds_or_places_on_what_another_puts_down():
    things = (("apple", "kitchen work area"), ("pear", "kitchen work area"))
    task = kitchen(("unitree_h1", "stompy", "fetch"), things)
    plan = (
        "R1 move apple; R2 move pear; R3 move apple / R1 reach apple; R2 reach pear / R1 grasp apple; R2 grasp pear / "
        "R1 handover apple, R3; R2 handover pear, R3"
    )
    assert error(task, plan)[0] == "incompatible"
    things = (("apple", "rack"), ("plate", "rack"), ("bowl", "plate"), ("tray", "rack"), ("drawer", "tray"))
    task = kitchen(things=things)
    carried = "R1 move plate; R2 move tray / R1 reach plate; R2 reach tray / R1 grasp plate; R2 grasp tray"
    assert error(task, carried + " / R1 place drawer; R2 place bowl")[0] == "incompatible"
    assert error(task, carried + " / R1 place rack; R2 place bowl")[0] == "incompatible"
    assert error(task, carried + " / R1 place rack; R2 place rack")[0] == "goal_missed"


TOAST = (((Predicate("bread", at="toaster"),), (Predicate("toaster", activated=True),)),)


def test_a_plan_that_is_too_long_works_but_does_not_score_and_stages_have_an_order():
    things = (("bread", "kitchen work area"), ("toaster", "room_toaster"))
    task = kitchen(things=things, goals=(Predicate("toaster", activated=True),), chains=TOAST)
    fetch = "R1 move bread / R1 reach bread / R1 grasp bread / R1 move toaster / "
    assert check(task, steps(fetch + "R1 place toaster / R1 interact toaster")).solved
    assert error(task, fetch + "R1 interact toaster") == ("stage_order", 5, None, "stages")
    assert error(task, fetch + "R1 place toaster")[:2] == ("stage_order", None)
    after = "R1 place toaster / R1 interact toaster / R1 reach bread / R1 grasp bread"
    assert check(task, steps(fetch + after)).solved
    task = kitchen(goals=(Predicate("apple", at="rack"),)).with_(reference_length=5)
    good = check(task, steps(FETCHED + " / R1 move rack / R1 place rack"))
    long = check(task, steps("R1 move rack / " + FETCHED + " / R1 move rack / R1 place rack"))
    assert (good.solved, good.valid, good.length) == (True, True, 5)
    assert (long.solved, long.valid, long.length, long.feedback.error) == (False, True, 6, "too_long")


def text(*actions):
    return json.dumps([{"step": i, "actions": action} for i, action in enumerate(actions, 1)])


def test_bad_replies_get_typed_feedback():
    endless = ("[" * 200_000, "[" + "9" * 10_000 + "]")
    for kind, step, replies in (
        *TABLES["bad replies"],
        ("unreadable", None, endless),
        ("invalid_command", None, (text(*[{"R1": ["Move", "apple"]}] * 10_000),)),
    ):
        for rules, reply in itertools.product(("paper", "released"), replies):
            verdict = check_text(kitchen(), reply, rules)
            assert not verdict.solved
            if rules == "paper":
                assert (verdict.feedback.error, verdict.feedback.step) == (kind, step), reply
                assert str(verdict.feedback)
    for inner in ["", '"step": 1, "actions": ']:
        reply = f"[{{{inner}{'[' * 1000}{']' * 1000}}}]" if inner else "[" * 1000 + "]" * 1000
        assert check_text(kitchen(), reply).feedback.error in ("unreadable", "invalid_command")
    assert error(kitchen(), "R1 reach apple / R1 move teapot")[0] == "not_feasible"
    assert error(kitchen(), "R1 move apple / R1 move teapot")[0] == "unknown_entity"


def test_answer_tags_and_fences_are_read():
    task = kitchen(goals=(Predicate("apple", at="rack"),))
    plan = text(*steps(FETCHED + " / R1 move rack / R1 place rack"))
    for reply in (plan, f"<think>hm</think><answer>{plan}</answer>", f"<answer>\n```json\n{plan}\n```</answer>"):
        assert check_text(task, reply).solved
    fenced = f"```json\n{plan}\n```"
    assert check_text(task, f"Here is the plan:\n{fenced}").solved
    assert check_text(task, f"<think>hm</think>The plan:\n{plan}").solved
    other = text(*steps("R1 move rack"))
    assert check_text(task, f"<answer>{other}</answer> No: <answer>{plan}</answer>").feedback.kind == "nothing said"
    assert not check_text(task, f"```json\n{other}\n```\n{fenced}").solved


@pytest.mark.parametrize("rules", ["paper", "released"])
@pytest.mark.parametrize(
    "plan", [None, 5, "x", [None], [{"R1": None}], [{"R1": ["Move", None]}], [{1: ["Move", "apple"]}], {"a": 1}]
)
def test_parsed_plans_that_are_none_get_typed_feedback(plan, rules):
    found = check(generator.generate(3), plan, rules)
    assert not found.valid and found.feedback.error in ("unreadable", "invalid_command")


JUDGED = json.loads(Path(__file__).with_name("judgements.json").read_text())["templates"]
TASKS = {task["id"]: KitchenTask.from_dict(task) for group in JUDGED.values() for task in group["tasks"]}
CASES = [case for group in JUDGED.values() for case in group["cases"]]


@pytest.mark.parametrize("template", JUDGED)
def test_verdict_is_the_released_one(template):
    for case in JUDGED[template]["cases"]:
        verdict = check(TASKS[case["task"]], case["plan"], rules="released")
        found = verdict.feedback
        assert ((found.error if found else None), verdict.valid, verdict.solved, verdict.length) == (
            case["error"], case["valid"], bool(case["score"]), case["length"]
        ), case  # fmt: skip
        for key, name in (("step", "step"), ("robot", "robot"), ("fault", "rule")):
            assert key not in case or getattr(found, name) == case[key], case


def test_tasks_survive_json_and_the_judge_of_these_tests_agrees_with_the_released_one():
    for task in TASKS.values():
        assert KitchenTask.from_dict(json.loads(json.dumps(task.to_dict()))) == task
    for case in CASES:
        if case["error"] != "unreadable":
            truth = released_truth(TASKS[case["task"]], case["plan"])
            said = released_judge.verdict(truth, [step for step in case["plan"] if step])
            assert said == (None if case["error"] == "too_long" else case["error"]), case
    for expected, found, plan in compared(400, per_template=1):
        assert found == expected, plan


def test_idle_robots_and_doors_stop_the_released_checker_and_grasps_are_marked():
    task = next(task for seed in range(200) for task in [generator.generate(seed)] if len(task.team) < len(task.robots))
    idle = next(robot for robot in task.robots if robot.name not in task.active)
    target = task.assets[0].name
    assert check(task, [{idle.name: ["Interact", target]}], rules="released").feedback.error == "unknown_entity"
    crash = check(task, [{idle.name: ["Move", target]}], rules="released").feedback
    assert (crash.error, crash.rule) == ("crash", "unknown_robot")
    assert check(task, [{idle.name: ["Move", target]}]).feedback.error in ("goal_missed", "not_feasible", "stage_order")
    task = generator.generate(0, template="14-1")
    closing = check(task, generator.reference_plan(task), "released").feedback
    wishing = check(task.with_(goals=task.goals[1:]), [{task.active[0]: ["Move", "cabinet"]}], "released").feedback
    assert [(found.error, found.rule) for found in (closing, wishing)] == [
        ("crash", "close"),
        ("crash", "no_such_status"),
    ]
    twice = [{"R1": ["Grasp", "apple"]}, {"R1": ["Reach", "apple"]}]
    assert carrying({"R1": ["Reach", "apple"]}, *twice, {"R1": ["Place", "rack"]}) is None
    again = [{"R1": ["Place", "rack"]}, {"R1": ["Reach", "apple"]}, {"R1": ["Grasp", "apple"]}]
    assert carrying({"R1": ["Grasp", "apple"]}, *again, {"R1": ["Place", "rack"]}) is None
    # R1 takes the pear along with the apple, and R2 takes it in the same step: it is in R2's hand alone.
    taken = {"R1": ["Grasp", "apple"], "R2": ["Grasp", "pear"]}
    assert carrying(taken).error == "goal_missed"
    assert carrying(taken, {"R2": ["Place", "rack"]}) is None
    turned = {"R2": ["Grasp", "pear"], "R1": ["Grasp", "apple"]}
    assert carrying(turned, {"R1": ["Place", "rack"]}) is None


def test_a_command_is_its_words_joined_by_commas_and_names_are_looked_at_action_by_action():
    task = TASKS["2-1/a"]
    thing = task.assets[0].name
    found = check(task, [{"R1": ["Grasp", thing], "R2": ["Grasp", "teapot"]}], rules="released").feedback
    assert (found.error, found.robot) == ("not_feasible", "R1")
    found = check(task, [{"R1": ["Grasp", "teapot"], "R2": ["Grasp", thing]}], rules="released").feedback
    assert (found.error, found.robot) == ("unknown_entity", "R1")
    task = TASKS["1-1/a"]
    assert (
        check(task, [{"R1": ["Move, tomato "]}, {"R1": [" reach,tomato"]}], "released").feedback.error == "goal_missed"
    )
    assert check(task, [{"R1": ["Move", ""]}], "released").feedback.error == "invalid_command"
    assert check(task, [{"R1": ["Move", "<tomato>"]}], "released").feedback.error == "invalid_command"
    assert check(task, [{"R1": [["Move"], "tomato"]}], "released").feedback.error == "unreadable"


def carrying(*steps):
    """Two humanoids and an apple and a pear at one place; what is wrong with a plan that begins with these steps."""
    task = KitchenTask(
        robots=(Robot("R1", "stompy", "R1"), Robot("R2", "stompy", "R2")),
        assets=(Asset("apple", "rack"), Asset("pear", "rack")),
        goals=(Predicate("pear", at="rack"),),
    )
    both = [{"R1": [verb, name], "R2": [verb, name]} for verb, name in (("Move", "rack"), ("Reach", "pear"))]
    return check(task, [*both, {"R1": ["Reach", "apple"]}, *steps], rules="released").feedback
