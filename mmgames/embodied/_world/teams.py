"""Which robots should act: kitchens with a job for each team that can be the best of its crew."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from mmgames.embodied._world import facts, generator
from mmgames.embodied._world.generator import Split, Template, one
from mmgames.embodied._world.names import KINDS
from mmgames.embodied._world.planner import MOST_STEPS, OutOfRoom, optimal_plan
from mmgames.embodied._world.task import KitchenTask, Robot

WALKERS = tuple(name for name, kind in KINDS.items() if kind.moves and kind.hands)
CREWS = (*(("arm", "dog", *WALKERS),) * 2, *(("arm", "dog", walker) for walker in WALKERS), ("arm", "dog"))
"""The kinds of robots that stand in a kitchen, each of these as often."""

MOST_STATES = 60_000
TRIES = 40
MOST_BESIDE = 2  # things beside an arm, where there is no room for more
STREAM = 7  # where the chances of these kitchens come from, beside those of the generator's splits


def only_best(task: KitchenTask) -> bool:
    """Whether the types of the task's team, and no others, are best: nobody is quicker, none of them can be spared.

    Who has more robots is never slower. So it is enough that all robots together are not quicker, and that without one
    of these types all others are slower.
    """
    types = {robot.type for robot in task.team}
    try:
        steps = _steps(task, (robot for robot in task.robots if robot.type in types))
        if not steps or _steps(task, task.robots, steps - 1):
            return False
        return not any(_steps(task, (one for one in task.robots if one.type != spared), steps) for spared in types)
    except OutOfRoom:
        return False


def _steps(task: KitchenTask, team: Iterable[Robot], most: int = MOST_STEPS) -> int:
    """Of a shortest plan; 0 if there is none of so many."""
    names = tuple(robot.name for robot in team)
    acting = replace(task, active=names, optimum=0)
    return len(optimal_plan(acting, MOST_STATES, most) or ()) if names else 0


@lru_cache(maxsize=1024)  # a suite asks about the same kitchens in several settings
def jobs(number: int, split: Split, released: bool = False) -> tuple[KitchenTask, ...]:
    """The kitchen with a number: tasks with one picture, each with another team that is the only best, in any order.

    The picture has the robots and things of all of them, so what it shows does not tell whose job it is. `released`:
    from released templates alone.
    """
    rng = np.random.default_rng([STREAM, generator.STREAMS[split], number])
    pairs = [pair for pair in generator.drawable(split, who_acts=True) if pair[0].released or not released]
    while True:
        kinds = one(rng, CREWS)
        for _ in range(TRIES):  # some crews take longer than others, and should not come more rarely for that
            found = _jobs(kinds, pairs, rng, released)
            if len(found) > 1:
                return tuple(replace(found[int(i)], seed=number) for i in rng.permutation(len(found)))


def _jobs(
    kinds: Iterable[str], pairs: Sequence[tuple[Template, int]], rng: np.random.Generator, released: bool
) -> list[KitchenTask]:
    """A job for each team that can be the only best in a kitchen with these kinds; none if they do not go together."""
    layout = one(rng, sorted({where for _, where in pairs}))
    robots = _crew(kinds, layout, rng)
    wanted: dict[tuple[str, ...], list[tuple[Template, dict[str, str]]]] = {}
    for template, where in pairs:
        if where == layout and (ids := _cast(template, robots)):
            wanted.setdefault(tuple(sorted(ids.values())), []).append((template, ids))
    if len(wanted) < 2:
        return []
    there: dict[str, str] = {}
    found: list[KitchenTask] = []
    # First those with the least choice of jobs: of these one robot alone, then those whose jobs take the most things.
    for team in sorted(wanted, key=lambda team: (len(wanted[team]), len(team) > 1, -len(team), team)):
        for _ in range(TRIES):
            template, ids = one(rng, wanted[team])
            task = generator.draw(template, layout, rng, (robots, ids), there)
            beside = Counter(asset.at for asset in task.assets) if task else Counter()
            if max(beside[robot.name] for robot in robots) > MOST_BESIDE:
                continue
            if task and only_best(task) and (not released or generator.works_as_released(task)):
                found.append(task)
                there = {asset.name: asset.at for asset in task.assets}
                break
    return _together(found)


def _crew(kinds: Iterable[str], layout: int, rng: np.random.Generator) -> tuple[Robot, ...]:
    """A robot of each kind, none if the layout lacks one; where nobody carries things, a second arm if it has that."""
    counts, types = facts.layout(layout)["role_counts"], facts.facts()["roles"]
    here = [*kinds, "arm"] if counts.get("arm", 0) > 1 and not set(kinds) & set(WALKERS) else [*kinds]
    if not set(here) <= set(counts):
        return ()
    chosen = [types[here[int(i)]] for i in rng.permutation(len(here))]
    return tuple(Robot(f"R{i}", one(rng, of), f"R{i}") for i, of in enumerate(chosen, 1))


def _cast(template: Template, robots: tuple[Robot, ...]) -> dict[str, str]:
    """The robot for each role of a template; empty if one is missing, or if somebody else could do it as well."""
    free, ids = list(robots), {}
    for role, kind in template.active.items():
        kinds = (kind, "wheeled") if kind == "humanoid" else (kind,)  # what is not there is done with one hand
        one = next((robot for kind in kinds for robot in free if robot.kind == kind), None)
        if one is None:
            return {}
        ids[role] = one.name
        free.remove(one)
    dog = next((robot.name for robot in free if robot.kind == "dog"), "")
    if len(ids) == 1 and dog and ["sink"] in template.slots.values():
        ids["helper"] = dog  # who turns the water on meanwhile
    acting = {robot.name for robot in robots if robot.kind in WALKERS and robot not in free}
    return ids if not acting or not any(robot.kind in WALKERS for robot in free) else {}


def _together(found: list[KitchenTask]) -> list[KitchenTask]:
    """The tasks in one kitchen, with the things of all; none if they do not go together."""
    if not found:
        return []
    last = found[-1]
    used = {asset.at for asset in last.assets} | {wanted.at for task in found for wanted in task.wanted}
    if {"table", "kitchen island area"} <= used:
        return []
    left_out = "kitchen island area" if "table" in used else "table"
    places = tuple(place for place in facts.area_names(last.layout) if place != left_out)
    tasks = [replace(task, assets=last.assets, places=places, style=last.style) for task in found]
    tasks = [replace(task, optimum=_steps(task, task.team)) for task in tasks]
    return tasks if all(map(only_best, tasks)) else []
