"""Edited plans under two judges of the released rules: `python -m tests.embodied.released_agreement [PLANS]`."""

import sys
from collections import Counter
from collections.abc import Iterator

import numpy as np

from mmgames.datasets.viki import released_truth
from mmgames.embodied._world import KitchenTask, check, generator
from mmgames.embodied._world.names import VERBS
from tests.embodied import released_judge

PLACES = ("kitchen work area", "kitchen island area", "rack", "teapot", " ", "cup, apple")


def edited(task: KitchenTask, plan: list, rng: np.random.Generator) -> list:
    """The plan with one to three slips: steps and actions that are gone, new, elsewhere or about something else."""
    plan = [dict(step) for step in plan]
    names = [*(asset.name for asset in task.assets), *(robot.name for robot in task.robots), *PLACES]
    robots = [*[robot.name for robot in task.team] * 4, *(robot.name for robot in task.robots), "R9"]

    def one(options):
        return options[int(rng.integers(len(options)))]

    def action() -> list[str]:
        verb = one([*VERBS[:7] * 4, *VERBS, "fly"])
        count = 2 if verb in ("push", "handover") else 1
        return [verb.capitalize(), *(one(names) for _ in range(count if rng.random() < 0.95 else 3 - count))]

    for _ in range(int(rng.integers(1, 4))):
        kind, at = int(rng.integers(7)), int(rng.integers(max(1, len(plan))))
        if kind == 0 or not plan:
            plan.insert(at, {one(robots): action()})
        elif kind == 1:
            del plan[at]
        elif kind == 2:
            plan[at][one(robots)] = action()
        elif kind == 3:
            other = int(rng.integers(len(plan)))
            plan[at], plan[other] = plan[other], plan[at]
        elif kind == 4:
            plan[at] = dict(reversed(plan[at].items()))
        elif kind == 5:
            plan += [{one(robots): action()} for _ in range(int(rng.integers(1, 4)))]
        elif plan[at]:
            robot = one(list(plan[at]))
            words = list(plan[at].pop(robot))
            if rng.random() < 0.7:
                words[int(rng.integers(len(words)))] = one(names)
                plan[at][robot] = words
    return plan


def compared(plans: int, per_template: int = 20, seed: int = 0) -> Iterator[tuple[str | None, str | None, list]]:
    """What the judge of the tests says of edited plans, what the package says, and the plan."""
    rng = np.random.default_rng(seed)
    tasks = [
        generator.generate(number, template=template)
        for template in generator.templates()
        for number in range(per_template)
    ]
    for number in range(plans):
        task = tasks[number % len(tasks)]
        truth = released_truth(task)
        plan = edited(task, [step["actions"] for step in truth["time_steps"]], rng)
        steps = [step for step in plan if step]
        expected = released_judge.verdict(truth, steps) if steps else "unreadable"
        if expected is None and len(steps) > task.reference_length:
            expected = "too_long"
        found = check(task, plan, rules="released").feedback
        yield expected, None if found is None else found.error, plan


if __name__ == "__main__":
    labels: Counter = Counter()
    apart = scores = 0
    for expected, found, _ in compared(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000):
        labels[str(expected)] += 1
        apart += expected != found
        scores += (expected is None) != (found is None)
    print(f"{labels.total():,} plans, {apart} other labels, {scores} other scores: {dict(labels.most_common())}")
