"""How fast kitchens are: `python benchmarks/kitchen.py [FIGURE…] [--json]`, all figures or some.

checks    parsed plans judged in a second
texts     replies read and judged in a second
plans     seconds for the shortest plans of 1,000 fresh tasks, two processes
tasks     10,000 tasks: the share that can be solved, none longer than its template's released reference
steps     random legal joint steps a second of seven robots, with text, legal actions and masks, no picture
masks     the same with masks alone
pictures  the same with everything and a picture of 512 pixels, which all seats share
eyes      pictures of 512 × 288 pixels through the cameras in robots' heads, drawn in 3D, a processor second
"""

import json
import os
import time
from functools import partial
from typing import Any

import numpy as np
from figures import Figure, main, rate, rate_over

import mmgames
from mmgames.embodied._scenes import scenes
from mmgames.embodied._world import check, generator
from mmgames.embodied._world.judge import check_text
from mmgames.embodied._world.planner import optimal_plan
from mmgames.running.processes import run_jobs

TASKS = 200


def _judged() -> list[tuple[Any, Any]]:
    """Tasks with three plans each: a shortest one, one that stops early, one in which a step is missing."""
    found = []
    for seed in range(TASKS):
        task = generator.generate(seed, generator.SPLITS[seed % 3])
        plan = generator.reference_plan(task)
        found += [(task, plan), (task, plan[:-1]), (task, plan[:1] + plan[2:])]
    return found


def checks() -> Figure:
    cases = _judged()
    return rate_over(cases, check, "checks/s", f"{len(cases)} parsed plans of {TASKS} tasks, a third of them right")


def texts() -> Figure:
    steps = ((task, [{"step": n, "actions": done} for n, done in enumerate(plan, 1)]) for task, plan in _judged())
    cases = [(task, f"<think>…</think><answer>{json.dumps(plan)}</answer>") for task, plan in steps]
    return rate_over(cases, check_text, "checks/s", f"{len(cases)} replies with tags and JSON")


def _planned(first: int, last: int) -> tuple[float, int, int]:
    """Processor seconds that tasks took, how many their plans solve, and how many plans are longer than released."""
    cpu, solved, longer = time.process_time(), 0, 0
    for seed in range(first, last):
        task = generator.generate(seed, generator.SPLITS[seed % 3])
        plan = optimal_plan(task)
        solved += plan is not None and check(task, plan).solved
        longer += len(plan or ()) > generator.templates()[task.template].reference_length
    return time.process_time() - cpu, solved, longer


def plans() -> Figure:
    jobs = [(first, first + 50) for first in range(50_000, 51_000, 50)]
    begun = time.perf_counter()
    spent, solved, _ = map(sum, zip(*run_jobs(_planned, jobs, 2), strict=True))
    wall = time.perf_counter() - begun
    assert solved == 1000
    return Figure(spent / 2, "s", "1,000 tasks drawn, planned and judged by two processes, each process's time", wall)


def tasks() -> Figure:
    jobs = [(first, first + 250) for first in range(0, 10_000, 250)]
    _, solved, longer = map(sum, zip(*run_jobs(_planned, jobs, min(2, os.cpu_count() or 1)), strict=True))
    return Figure(solved / 100, "%", f"of 10,000 tasks solved by their plan; {longer} plans longer than released")


def _stepping(steps: int, observe: str | tuple[str, ...] | None = None) -> Figure:
    env = mmgames.parallel_env("mmgames/VikiKitchen-v0", observe=observe)
    rng = np.random.default_rng(0)
    _, infos = env.reset(seed=0)

    def work() -> int:
        nonlocal infos
        for _ in range(steps):
            if not env.agents:
                _, infos = env.reset()
            legal = {agent: infos[agent]["action_mask"].nonzero()[0] for agent in env.agents}
            *_, infos = env.step({agent: int(few[int(rng.random() * len(few))]) for agent, few in legal.items()})
        return steps

    how = f"parallel_env, observe={observe!r}; choosing and resets are part of it"
    whole = "parallel_env as it comes: picture of 512 pixels, text, legal actions and masks for seven seats"
    return rate(work, "joint steps/s", how if observe else whole)


def eyes() -> Figure:
    tasks = [generator.generate(seed) for seed in range(12)]
    cases = [("drawn", task, task.world.start, robot.name, 512) for task in tasks for robot in task.robots]
    how = "names on them, every robot of 12 kitchens, a new camera each"
    return rate_over(cases, scenes.through_eyes, "pictures/s", how)


if __name__ == "__main__":
    stepping = {
        "steps": partial(_stepping, 3000, ("text", "legal_actions", "action_mask")),
        "masks": partial(_stepping, 6000, "action_mask"),
        "pictures": partial(_stepping, 600),
    }
    main({one.__name__: one for one in (checks, texts, plans, tasks)} | stepping | {"eyes": eyes}, __doc__)
