"""Generated tasks: solvable, no longer than the released references, reproducible, and their plans shortest."""

import itertools
from collections import deque

import pytest

from mmgames.embodied._world import KitchenTask, check, generator, kernel
from mmgames.embodied._world.greedy import greedy_plan
from mmgames.embodied._world.planner import relevant
from mmgames.errors import MmgamesError

TEMPLATES = generator.templates()


def test_there_are_the_released_templates_and_more_than_seven_families_of_our_own():
    released = [t for t in TEMPLATES.values() if t.family <= 13]
    own = {t.family for t in TEMPLATES.values() if t.family > 13}
    assert len(released) == 23
    assert {t.family for t in released} == set(range(1, 14))
    assert len(own) >= 7


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_task_has_a_shortest_plan_within_its_reference(template):
    for seed in range(20):
        task = generator.generate(seed, template=template)
        plan = generator.reference_plan(task)
        assert check(task, plan, "optimal").solved
        assert task.optimum == len(plan) <= task.reference_length == TEMPLATES[template].reference_length
        used = {robot for step in plan for robot in step}
        assert used <= set(task.active)


@pytest.mark.parametrize("template", TEMPLATES)
def test_greedy_plans_work_and_are_no_shorter(template):
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


@pytest.mark.parametrize(
    "template", ["1-1", "1-2", "6-1", "7-1", "7-2", "10-1", "10-2", "11-3", "13-1", "14-1", "21-1"]
)
def test_no_plan_is_shorter(template):
    for seed in range(2):
        task = generator.generate(seed, template=template)
        assert shortest_length(task) == task.optimum


def test_splits_share_no_family_and_layout_with_the_other_domain():
    seen = {split: {(t.family, layout) for t, layout in generator.drawable(split)} for split in generator.SPLITS}
    assert seen["train"] == seen["test"] >= seen["hard"]
    assert not seen["train"] & seen["ood"]
    assert seen["ood"] >= seen["ood-hard"]
    assert all(f in generator.OOD_FAMILIES or place in generator.OOD_LAYOUTS for f, place in seen["ood"])
    assert {layout for _, layout in seen["rooms"]} == set(range(10, 16))


def test_hard_tasks_are_long_and_come_from_many_families():
    for split in ("hard", "ood-hard"):
        tasks = [generator.generate(seed, split) for seed in range(20)]
        assert all(task.reference_length >= 8 and task.optimum >= 6 for task in tasks)
        assert len({TEMPLATES[task.template].family for task in tasks}) >= 5


def test_there_are_a_thousand_combinations_of_things_and_five_phrasings_or_more():
    combinations = {
        (template.id, things)
        for template in TEMPLATES.values()
        for things in itertools.product(*template.slots.values())
    }
    assert len(combinations) >= 1000
    for template in TEMPLATES.values():
        phrases = generator.phrases()[template.id]
        assert 5 <= len(set(phrases)) == len(phrases) <= 20
        for phrase in phrases:
            phrase.format(**dict.fromkeys(template.slots, "thing"))
    assert all(len(names) == len(set(names)) for t in TEMPLATES.values() for names in t.slots.values())


def test_a_number_is_a_task():
    tasks = [generator.generate(seed, split) for split in generator.SPLITS for seed in range(30)]
    again = [generator.generate(seed, split) for split in generator.SPLITS for seed in range(30)]
    assert tasks == again
    assert len({str(task.to_dict()) for task in tasks}) == len(tasks)
    assert {layout for split in generator.SPLITS for _, layout in generator.drawable(split)} == set(range(16))
    assert len({task.style for task in tasks}) == 12


def test_idle_robots_are_there_and_cannot_replace_the_team():
    tasks = [generator.generate(seed) for seed in range(60)]
    assert any(len(task.robots) > len(task.team) for task in tasks)
    for task in tasks:
        idle = [robot for robot in task.robots if robot.name not in task.active]
        assert all(robot.kind in ("dog", "arm") for robot in idle)
        assert sorted(r.name for r in task.robots) == [f"R{i + 1}" for i in range(len(task.robots))]


@pytest.mark.parametrize("level", [0, 1, 4, 9])
def test_grown_tasks_are_solvable_at_any_level(level):
    task = generator.grown(3, level)
    assert len(task.goals) == 2 + level
    assert check(task, generator.working_plan(task)).solved
    assert generator.grown(3, level) == task


def test_bad_numbers_are_refused():
    for seed in (-1, 1.5, True, "1"):
        with pytest.raises(MmgamesError, match="whole number"):
            generator.generate(seed)
    with pytest.raises(MmgamesError, match="Unknown split"):
        generator.generate(0, "trian")
    with pytest.raises(MmgamesError, match="Unknown template"):
        generator.generate(0, template="99-1")
