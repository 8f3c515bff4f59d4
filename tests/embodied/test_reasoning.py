"""The planner's reasons: they name who acts, and agree with the plan and the answer; tidy plans are as short."""

import itertools
import re
from functools import lru_cache

import pytest

from mmgames.embodied._questions.reasoning import ABILITIES, AN_ARM, deeds, why_these_robots, why_this_order
from mmgames.embodied._world import check, generator
from mmgames.embodied._world.names import TYPES
from mmgames.embodied._world.tidy import tidy


@lru_cache(maxsize=1)
def drawn_tasks():
    return [
        *(generator.generate(seed, split) for split in ("train", "ood", "hard") for seed in range(40)),
        *(generator.generate(0, template=template) for template in generator.templates()),
    ]


def test_reasons_for_a_plan_name_the_robots_that_act_and_no_other():
    for task in drawn_tasks():
        plan = generator.reference_plan(task)
        told = why_this_order(task, plan)
        assert set(re.findall(r"\bR\d+\b", told)) == {name for step in plan for name in step}
        assert told.endswith(f" {len(plan)} steps are the fewest.")


def test_reasons_for_a_choice_name_all_that_are_seen_and_then_the_types_of_the_answer():
    for task in drawn_tasks():
        seen, _, told = why_these_robots(task, generator.reference_plan(task)).partition(". ")
        assert re.findall(r"(R\d+) (\w+)", seen) == [(robot.name, robot.type) for robot in task.robots]
        assert {type for type in TYPES if re.search(rf"\b{type}\b", told)} == {robot.type for robot in task.team}
        assert not re.search(r"\bR\d+\b", told)


def test_deeds_put_every_thing_that_is_wanted_somewhere_where_it_is_wanted():
    for task in drawn_tasks():
        plan = generator.reference_plan(task)
        start = {asset.name: asset.at for asset in task.assets}
        ends = {thing: deed.where for deed in deeds(plan) for thing in deed.things if deed.where}
        for goal in task.goals:
            if goal.at is not None and start[goal.asset] != goal.at and not goal.aligned:
                assert ends[goal.asset] == goal.at
        done = {deed.things[0] for deed in deeds(plan) if deed.verb == "interact"}
        assert done >= {goal.asset for goal in task.goals if goal.activated}


def test_reasons_tell_the_abilities_that_a_plan_takes():
    for task in drawn_tasks():
        plan = generator.reference_plan(task)
        verbs = {action[0].lower() for step in plan for action in step.values()}
        told = why_this_order(task, plan)
        for verb, ability in ABILITIES.items():
            assert (verb in verbs) <= (ability in told)
        assert ("Pushing takes a dog." in told) == ("push" in verbs)
        assert (AN_ARM in told) == any(robot.kind == "arm" for robot in task.team)


def test_alone_it_takes_longer_or_cannot_be_done():
    for task in (task for task in drawn_tasks() if len(task.team) > 1):
        told = why_these_robots(task, generator.reference_plan(task))
        found = re.search(r"Alone it takes (\d+); together (\d+) steps", told)
        assert (found and int(found[1]) > int(found[2])) or "None can do it alone" in told


def test_a_tidy_plan_is_as_short_and_goes_to_what_it_uses():
    for task in drawn_tasks():
        plan = generator.reference_plan(task)
        plain = tidy(task, plan)
        assert check(task, plain, "optimal").solved
        assert len(plain) == len(plan) == task.optimum
        assert all(list(step) == sorted(step) for step in plain)
        assert tidy(task, plain) == plain


@pytest.mark.parametrize("template", ("1-1", "10-1", "18-1"))
def test_whoever_fetches_one_thing_moves_to_it(template):
    for seed in range(5):
        plan = tidy(task := generator.generate(seed, template=template), generator.reference_plan(task))
        for step, follows in itertools.pairwise(plan):
            for robot, action in step.items():
                if action[0] == "Move" and follows.get(robot, [""])[0] == "Reach" and "cabinet" not in action:
                    assert action[1] == follows[robot][1]
