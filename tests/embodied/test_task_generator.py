"""Generated tasks: solvable, reproducible, their plans shortest, and the planner's reasons true of task and plan."""

import itertools
import re
from collections import deque
from dataclasses import replace
from functools import lru_cache

import pytest

from mmgames.embodied._questions.reasoning import ABILITIES, AN_ARM, deeds, why_these_robots, why_this_order
from mmgames.embodied._world import KitchenTask, check, generator, kernel, teams
from mmgames.embodied._world.greedy import greedy_plan
from mmgames.embodied._world.names import TYPES, read
from mmgames.embodied._world.planner import optimal_plan, relevant
from mmgames.embodied._world.tidy import tidy
from tests.refusing import refused

TEMPLATES = generator.templates()


def test_there_are_the_released_templates_and_many_of_our_own():
    released = [t for t in TEMPLATES.values() if t.family <= 13]
    own = {t.family for t in TEMPLATES.values() if t.family > 13}
    assert len(released) == 23
    assert {t.family for t in released} == set(range(1, 14))
    assert len(own) >= 7
    combinations = {
        (template.id, things)
        for template in TEMPLATES.values()
        for things in itertools.product(*template.slots.values())
    }
    assert len(combinations) >= 1000
    for template in TEMPLATES.values():
        phrases = read("phrases")[template.id]
        assert 5 <= len(set(phrases)) == len(phrases) <= 20
        for phrase in phrases:
            phrase.format(**dict.fromkeys(template.slots, "thing"))
    assert all(len(names) == len(set(names)) for t in TEMPLATES.values() for names in t.slots.values())


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_task_has_a_shortest_plan_within_its_reference_and_greedy_ones_work(template):
    for seed in range(20):
        task = generator.generate(seed, template=template)
        plan = generator.reference_plan(task)
        assert check(task, plan, "optimal").solved
        assert task.optimum == len(plan) <= task.reference_length == TEMPLATES[template].reference_length
        used = {robot for step in plan for robot in step}
        assert used <= set(task.active)
    for seed in range(5):
        task = generator.generate(seed, template=template)
        verdict = check(task, greedy_plan(task))
        assert verdict.valid
        assert verdict.length >= task.optimum


def every_action(world, state, robot):
    """All feasible actions of a robot, useful or not."""
    nodes = range(len(world.names))
    places, things = len(world.place_names), len(world.task.assets)
    yield (0, -1, -1)
    for verb, first in itertools.product(range(1, 10), nodes):
        if verb == 1 and places - len(world.task.robots) <= first < places:
            continue  # a robot's spot is called by the robot's name
        seconds = nodes if verb >= 8 else (-1, *range(places, places + things)) if verb == 4 else (-1,)
        for second in seconds:
            if verb == 8 and places - len(world.task.robots) <= second < places:
                continue
            if kernel.feasible(state.record, world.kitchen.record, robot, verb, first, second) == kernel.FINE:
                yield (verb, first, second)


def shortest_length(task: KitchenTask) -> int:
    """By plain breadth-first search over everything that can be done."""
    world = relevant(task).world
    robots, kitchen = range(len(world.task.robots)), world.kitchen.record
    queue, seen = deque([(world.start, 0)]), {world.start}
    while queue:
        state, depth = queue.popleft()
        for actions in itertools.product(*(list(every_action(world, state, robot)) for robot in robots)):
            joint = world.joint(actions)[0]
            if kernel.conflicts(state.record, kitchen, joint) >= 0:
                continue
            new = state.replace()
            kernel.apply(new.record, kitchen, joint)
            if new in seen or kernel.stages(new.record, kitchen) >= 0:
                continue
            seen.add(new)
            if kernel.reached(new.record, kitchen):
                return depth + 1
            queue.append((new, depth + 1))
    raise AssertionError("no plan")


@pytest.mark.parametrize("template", ["1-1", "1-2", "6-1", "7-1", "10-1", "10-2", "11-3", "13-1", "14-1", "21-1"])
def test_no_plan_is_shorter(template):
    for seed in range(1 if template == "7-1" else 2):
        task = generator.generate(seed, template=template)
        assert shortest_length(task) == task.optimum


def test_no_plan_is_shorter_where_a_dog_can_push_what_others_would_carry():
    drawn = (generator.generate(seed, template="1-1") for seed in range(400))
    task = next(
        task for task in drawn
        if task.wanted[0].asset == "cardboardbox" and any(robot.kind == "dog" for robot in task.robots)
    )  # fmt: skip
    walker = task.team[0].name
    for names in ((walker,), tuple(robot.name for robot in task.robots if robot.kind == "dog" or robot.name == walker)):
        team = replace(task, active=names, optimum=0)
        assert len(optimal_plan(team, most_steps=shortest_length(team))) == shortest_length(team)
    assert len(optimal_plan(team, most_steps=4)) == 2 and not teams.only_best(replace(task, active=(walker,)))


def test_numbers_are_tasks_splits_share_no_family_and_hard_tasks_are_long():
    seen = {split: {(t.family, layout) for t, layout in generator.drawable(split)} for split in generator.SPLITS}
    assert seen["train"] == seen["test"] >= seen["hard"]
    assert not seen["train"] & seen["ood"]
    assert seen["ood"] >= seen["ood-hard"]
    assert all(f in generator.OOD_FAMILIES or place in generator.OOD_LAYOUTS for f, place in seen["ood"])
    assert {layout for _, layout in seen["rooms"]} == set(range(10, 16))
    for split in ("hard", "ood-hard"):
        tasks = [generator.generate(seed, split) for seed in range(20)]
        assert all(task.reference_length >= 8 and task.optimum >= 6 for task in tasks)
        assert len({TEMPLATES[task.template].family for task in tasks}) >= 5
    tasks = [generator.generate(seed, split) for split in generator.SPLITS for seed in range(30)]
    again = [generator.generate(seed, split) for split in generator.SPLITS for seed in range(30)]
    assert tasks == again
    assert len({str(task.to_dict()) for task in tasks}) == len(tasks)
    assert {layout for split in generator.SPLITS for _, layout in generator.drawable(split)} == set(range(16))
    assert len({task.style for task in tasks}) == 12
    tasks = [generator.generate(seed) for seed in range(60)]
    assert any(len(task.robots) > len(task.team) for task in tasks)
    for task in tasks:
        idle = [robot for robot in task.robots if robot.name not in task.active]
        assert all(robot.kind in ("dog", "arm") for robot in idle)
        assert sorted(r.name for r in task.robots) == [f"R{i + 1}" for i in range(len(task.robots))]


def test_grown_tasks_are_solvable_at_any_level_and_bad_numbers_are_refused():
    for level in [0, 1, 4, 9]:
        task = generator.grown(3, level)
        assert len(task.goals) == 2 + level
        assert check(task, generator.working_plan(task)).solved
        assert generator.grown(3, level) == task
    for seed in (-1, 1.5, True, "1"):
        refused(lambda seed=seed: generator.generate(seed), "whole number")
    refused(lambda: generator.generate(0, "trian"), "Unknown split")
    refused(lambda: generator.generate(0, template="99-1"), "Unknown template")


@lru_cache(maxsize=1)
def drawn_tasks():
    return [
        *(generator.generate(seed, split) for split in ("train", "ood", "hard") for seed in range(40)),
        *(generator.generate(0, template=template) for template in generator.templates()),
    ]


def test_reasons_for_a_plan_name_who_acts_and_the_abilities_that_it_takes():
    for task in drawn_tasks():
        plan = generator.reference_plan(task)
        told = why_this_order(task, plan)
        assert set(re.findall(r"\bR\d+\b", told)) == {name for step in plan for name in step}
        assert told.endswith(f" {len(plan)} steps are the fewest.")
        verbs = {action[0].lower() for step in plan for action in step.values()}
        for verb, ability in ABILITIES.items():
            assert (verb in verbs) <= (ability in told)
        assert ("Pushing takes a dog." in told) == ("push" in verbs)
        assert (AN_ARM in told) == any(robot.kind == "arm" for robot in task.team)


def test_reasons_for_a_choice_name_all_that_are_seen_then_the_types_of_the_answer_and_why_nobody_is_alone():
    for task in drawn_tasks():
        whole = why_these_robots(task, generator.reference_plan(task))
        seen, _, told = whole.partition(". ")
        assert re.findall(r"(R\d+) (\w+)", seen) == [(robot.name, robot.type) for robot in task.robots]
        assert {type for type in TYPES if re.search(rf"\b{type}\b", told)} == {robot.type for robot in task.team}
        assert not re.search(r"\bR\d+\b", told)
        if len(task.team) > 1:
            found = re.search(r"Alone it takes (\d+); together (\d+) steps", whole)
            assert (found and int(found[1]) > int(found[2])) or "None can do it alone" in whole


def test_deeds_put_things_where_they_are_wanted_and_a_tidy_plan_is_as_short():
    for task in drawn_tasks():
        plan = generator.reference_plan(task)
        start = {asset.name: asset.at for asset in task.assets}
        ends = {thing: deed.where for deed in deeds(plan) for thing in deed.things if deed.where}
        for goal in task.goals:
            if goal.at is not None and start[goal.asset] != goal.at and not goal.aligned:
                assert ends[goal.asset] == goal.at
        done = {deed.things[0] for deed in deeds(plan) if deed.verb == "interact"}
        assert done >= {goal.asset for goal in task.goals if goal.activated}
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
