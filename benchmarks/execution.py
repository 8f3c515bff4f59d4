"""How plans fare in kitchens: `python benchmarks/execution.py [FIGURE…] [--json]`, all figures or some (`embodied`).

kinematic  of 100 kitchens of the test split, from task 700 on, how many shortest plans are confirmed without physics
confirmed  of 100 of them whose shortest plans are not refused, how many are confirmed in physics
refused    the share of kitchens whose shortest plan is refused: it moves a dog or pushes something
action     processor seconds of one action, its share of building the kitchen included
"""

import time
from collections.abc import Iterator
from functools import lru_cache, partial

import numpy as np
from figures import Figure, main

from mmgames.embodied._execution.executor import ExecutionReport, execute, refusal
from mmgames.embodied._execution.kitchen import Engine
from mmgames.embodied._world.generator import generate, reference_plan

KITCHENS, FIRST = 100, 700


@lru_cache(maxsize=2)
def _reports(engine: Engine = "physics") -> tuple[tuple[ExecutionReport, float], ...]:
    """Reports of the first kitchens that can be tried, and the processor seconds of their actions."""
    return tuple(_tried(engine))


def _tried(engine: Engine) -> Iterator[tuple[ExecutionReport, float]]:
    tried, number = 0, FIRST
    while tried < KITCHENS:
        task = generate(number, "test")
        plan = reference_plan(task)
        number += 1
        if refusal(task, plan, engine):
            continue
        tried += 1
        begun = time.process_time()
        report = execute(task, plan, engine)
        used = time.process_time() - begun
        if not report.confirmed:
            print(f"{task.id}: {report}")
        yield report, used


def _confirmed(engine: Engine = "physics") -> Figure:
    found = np.array([report.confirmed for report, _ in _reports(engine)])
    error = found.std() / np.sqrt(len(found))
    return Figure(float(found.mean()), "confirmed", f"share of {len(found)} kitchens, ± {error:.3f}")


def _refused() -> Figure:
    found = [
        bool(refusal(task, reference_plan(task))) for task in (generate(FIRST + i, "test") for i in range(KITCHENS))
    ]
    return Figure(float(np.mean(found)), "refused", f"share of {KITCHENS} kitchens")


def _action() -> Figure:
    used = sum(seconds for _, seconds in _reports())
    actions = sum(len(report.actions) for report, _ in _reports())
    return Figure(used / actions, "s", f"processor seconds an action, mean of {actions}")


if __name__ == "__main__":
    main(
        {
            "kinematic": partial(_confirmed, "kinematic"),
            "confirmed": _confirmed,
            "refused": _refused,
            "action": _action,
        },
        __doc__,
    )
