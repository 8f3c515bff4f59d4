"""A shortest plan in its plainest form: robots go to what they are about to use, and nobody waits without need.

A search ends with any of many plans of one length. For answers that somebody learns from, the same situation should
lead to the same words.
"""

import itertools

from mmgames.embodied._world.judge import check
from mmgames.embodied._world.plans import Plan
from mmgames.embodied._world.task import KitchenTask


def tidy(task: KitchenTask, plan: Plan) -> Plan:
    """A plan of the same length that solves the task as well; what cannot be made plainer stays as it is."""
    for change in (_go_to_what_is_used, _start_at_once):
        for robot in sorted({name for step in plan for name in step}):
            plan = change(task, plan, robot)
    return [dict(sorted(step.items())) for step in plan]


def _go_to_what_is_used(task: KitchenTask, plan: Plan, robot: str) -> Plan:
    """Moves of a robot name the thing that it uses there, not the place where that is."""
    own = [number for number, step in enumerate(plan) if robot in step]
    for number, follows in itertools.pairwise(own):
        verb, aim = plan[number][robot][0], plan[follows][robot]
        if verb != "Move" or aim[0] == "Move" or aim[0] == "Handover":
            continue
        changed = [*plan]
        changed[number] = {**plan[number], robot: ["Move", aim[-1] if aim[0] == "Place" else aim[1]]}
        plan = changed if _works(task, changed, len(plan)) else plan
    return plan


def _start_at_once(task: KitchenTask, plan: Plan, robot: str) -> Plan:
    """What a robot does comes earlier wherever it would only wait before; as much of it as can."""
    for number in range(len(plan)):
        first = next((at for at in range(number, len(plan)) if robot in plan[at]), number)
        end = next((at for at in range(first, len(plan)) if robot not in plan[at]), len(plan))
        for last in range(end, first, -1) if first > number else ():
            earlier = [{**step} for step in plan]
            for at in range(first, last):
                earlier[at - first + number][robot] = earlier[at].pop(robot)
            if _works(task, earlier, len(plan)):
                plan = earlier
                break
    return plan


def _works(task: KitchenTask, plan: Plan, length: int) -> bool:
    verdict = check(task, plan)
    return verdict.valid and verdict.length == length
