"""How fast 3D kitchens are: `python benchmarks/robots.py [FIGURE…] [--json]`. Needs the extra embodied.

first     seconds from the start of a process to its first picture of three robots in a kitchen, 512 pixels
pictures  pictures a second of the same kitchen, every one of another state, with names and cards
ego       pictures a second over a robot's shoulder, 640 by 360
memory    gigabytes of a process that has drawn such a kitchen
"""

import resource
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from figures import Figure, main, process_seconds, rate_over

from mmgames.embodied._scenes import scenes
from mmgames.embodied._scenes.drawing_list import drawing_list
from mmgames.embodied._world import generator
from mmgames.kernels.records import RecordState

TASK = 5  # three robots: humanoid, wheeled, arm
FIRST = f"""
import time
import mmgames
from mmgames.embodied._scenes import scenes
from mmgames.embodied._world import generator
task = generator.generate({TASK})
assert sorted(robot.kind for robot in task.robots) == ["arm", "humanoid", "wheeled"]
scenes.overview("maniskill", task, task.world.start, 512)
print(time.process_time())
"""


def _states(count: int) -> list[RecordState]:
    """Different states of the kitchen: all robots but arms go somewhere else each time."""
    task, rng = generator.generate(TASK), np.random.default_rng(0)
    start, found = task.world.start, []
    for _ in range(count):
        stands = list(start.stands)
        for robot, one in enumerate(task.robots):
            if one.kind != "arm":
                stands[robot] = int(rng.integers(len(task.places)))
        found.append(start.replace(stands=stands))
    return found


def _drawing(draw: Callable[[RecordState], Any], how: str) -> Figure:
    cases = [(state,) for state in _states(12)]
    return rate_over(cases, draw, "pictures a processor second", f"{how}; the best of three dozens")


def pictures() -> Figure:
    task = generator.generate(TASK)

    def draw(state: RecordState) -> Any:
        shown = drawing_list(task, state)
        return scenes.on_stage("maniskill", task, lambda stage: scenes.draw(shown, 512, stage.take_list))

    return _drawing(draw, "512 × 512, names and cards on it")


def ego() -> Figure:
    task = generator.generate(TASK)
    draw = partial(scenes.through_eyes, "maniskill", task, robot=task.robots[0].name, width=640)
    return _drawing(draw, "640 × 360, names on it")


def memory() -> Figure:
    pictures()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return Figure(most, "GB", "the most that the process has held")


if __name__ == "__main__":
    first = partial(process_seconds, FIRST, "a process that imports mmgames, makes the task and draws it once")
    main({"first": first, "pictures": pictures, "ego": ego, "memory": memory}, __doc__)
