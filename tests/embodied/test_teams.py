"""Who should act: one team is best, robots of other kinds stand about, and who is there does not tell."""

import json
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import combinations

import gymnasium
import pytest

from mmgames.embodied._scenes import scenes
from mmgames.embodied._world import generator, teams
from mmgames.embodied._world.planner import optimal_plan


@pytest.fixture(scope="module")
def asked():
    env = gymnasium.make("mmgames/VikiKitchen-Activate-v0", observe="text", disable_env_checker=True).unwrapped
    found = []
    for seed in range(60):
        env.reset(seed=seed)
        found.append((env.source.task, json.loads(env.question.answer)))
    return found


def length(task, team):
    return len(optimal_plan(replace(task, active=tuple(robot.name for robot in team), optimum=0)) or ())


def test_no_other_types_are_as_quick_with_as_few(asked):
    for task, answer in asked[:25]:
        right = length(task, task.team)
        assert right == task.optimum and sorted({robot.type for robot in task.team}) == answer
        for size in range(1, len(task.robots) + 1):
            for team in combinations(task.robots, size):
                steps = length(task, team)
                assert not steps or steps >= right, "nobody is quicker"
                if steps == right:
                    assert {robot.type for robot in team} >= set(answer), "nobody can be spared"


def best(task, kinds):
    return sorted({robot.type for robot in task.robots if robot.kind in kinds})


def test_no_rule_without_the_job_beats_the_best_constant(asked):
    """Rules are fitted to kinds that are there, or name all robots of some kinds; 60 questions allow them some luck."""
    kinds = [frozenset(robot.kind for robot in task.robots) for task, _ in asked]
    fitted = defaultdict(Counter)
    for crew, (task, _) in list(zip(kinds, asked, strict=True))[::2]:
        fitted[crew][frozenset(robot.kind for robot in task.team)] += 1
    tested = list(zip(kinds, asked, strict=True))[1::2]
    right = sum(best(task, fitted[crew].most_common(1)[0][0]) == answer for crew, (task, answer) in tested)
    walkers = sum(best(task, teams.WALKERS) == answer for task, answer in asked)
    constant = Counter(tuple(answer) for _, answer in asked).most_common(1)[0][1]
    assert right / len(tested) < constant / len(asked) + 0.15 and walkers / len(asked) < 0.35
    assert all(len(found) > 1 for found in fitted.values() if found.total() >= 5)
    assert any(robot.kind in teams.WALKERS and robot not in task.team for task, _ in asked for robot in task.robots)


@pytest.mark.parametrize(("split", "released"), [("train", False), ("ood", False), ("train", True)])
def test_a_kitchen_has_one_picture_and_a_job_for_each_team(split, released):
    for number in range(4):
        jobs = teams.jobs(number, split, released)
        assert len({frozenset(robot.type for robot in job.team) for job in jobs}) == len(jobs) > 1
        shown = scenes.overview("drawn", jobs[0], jobs[0].world.start, 128, True)
        assert all(teams.only_best(job) and generator.reference_plan(job) for job in jobs)
        assert all((scenes.overview("drawn", job, job.world.start, 128, True) == shown).all() for job in jobs)
        assert not released or all(generator.works_as_released(job) for job in jobs)


def test_neighbours_in_numbers_are_asked_about_and_what_only_this_question_draws_stays_out_of_other_games():
    env = gymnasium.make("mmgames/VikiKitchen-Activate-v0", observe="text", disable_env_checker=True).unwrapped
    first, second, third = (env.source.task_numbered(number) for number in (10, 11, 12))
    assert first.assets == second.assets and first.robots == second.robots and first.seed == second.seed != third.seed
    assert first.instruction != second.instruction and first.id != second.id
    assert env.source.about(first).answer != env.source.about(second).answer
    assert env.source.about(first).facts["kitchen"] == 5
    only = {template.id for template in generator.templates().values() if template.only_who_acts}
    assert only and not only & {template.id for split in generator.SPLITS for template, _ in generator.drawable(split)}


def test_levels_grow_as_far_as_there_is_room():
    def steps(level):
        return sum(generator.grown(seed, level, robots=7, things=10, places=6).optimum for seed in range(6)) / 6

    found = [steps(level) for level in (0, 2, 4, 5, 6, 10, 100)]
    assert found[0] < found[1] < found[2] < found[3] < found[4]
    assert min(found[5:]) > found[3], "it does not get easier where there is no more room"
    assert len(generator.grown(1, 100, robots=7, things=10).robots) == 1
