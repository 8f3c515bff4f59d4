"""How plans fare in kitchens: `python benchmarks/execution.py [FIGURE…] [--json]`, all figures or some (`embodied`).

kinematic  of 100 kitchens of the test split, from task 700 on, how many shortest plans are confirmed without physics
confirmed  of 100 of them whose shortest plans are not refused, how many are confirmed in physics
refused    the share of kitchens whose shortest plan is refused: it moves a dog or pushes something
action     processor seconds of one action, its share of building the kitchen included
"""

import time
from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import count, islice

import numpy as np
from figures import Figure, main

from mmgames.embodied._execution.executor import ExecutionReport, execute, refusal
from mmgames.embodied._execution.kitchen import Engine
from mmgames.embodied._world.generator import generate, reference_plan
from mmgames.embodied._world.task import KitchenTask

KITCHENS, FIRST = 100, 700


def _tasks() -> Iterator[KitchenTask]:
    return (generate(number, "test") for number in count(FIRST))


@lru_cache(maxsize=2)
def _reports(engine: Engine = "physics") -> list[tuple[ExecutionReport, float]]:
    """Reports of the first kitchens that can be tried, and the processor seconds of their actions."""
    found, plans = [], ((task, reference_plan(task)) for task in _tasks())
    for task, plan in islice((one for one in plans if not refusal(*one, engine)), KITCHENS):
        begun = time.process_time()
        report = execute(task, plan, engine)
        found.append((report, time.process_time() - begun))
        if not report.confirmed:
            print(f"{task.id}: {report}")
    return found


def _confirmed(engine: Engine = "physics") -> Figure:
    found = np.array([report.confirmed for report, _ in _reports(engine)])
    error = found.std() / np.sqrt(len(found))
    return Figure(float(found.mean()), "confirmed", f"share of {len(found)} kitchens, ± {error:.3f}")


def _refused() -> Figure:
    found = [bool(refusal(task, reference_plan(task))) for task in islice(_tasks(), KITCHENS)]
    return Figure(float(np.mean(found)), "refused", f"share of {KITCHENS} kitchens")


def _action() -> Figure:
    used = sum(seconds for _, seconds in _reports())
    actions = sum(len(report.actions) for report, _ in _reports())
    return Figure(used / actions, "s", f"processor seconds an action, mean of {actions}")


if __name__ == "__main__":
    kinematic = partial(_confirmed, "kinematic")
    main({"kinematic": kinematic, "confirmed": _confirmed, "refused": _refused, "action": _action}, __doc__)
