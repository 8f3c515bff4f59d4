"""How fast 3D kitchens are: `python benchmarks/robots.py [FIGURE…] [--json]`. Needs the extra embodied.

first     seconds from the start of a process to its first picture of three robots in a kitchen, 512 pixels
pictures  pictures a second of the same kitchen, every one of another state, with names and cards
ego       pictures a second over a robot's shoulder, 640 by 360
memory    gigabytes of a process that has drawn such a kitchen
"""

from __future__ import annotations

import resource
import time

import numpy as np
from figures import Figure, main, process_seconds

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


def first() -> Figure:
    return process_seconds(FIRST, "a process that imports mmgames, makes the task and draws it once")


def _states(count: int) -> list[np.ndarray]:
    """Different states of the kitchen: a random robot goes somewhere else each time."""
    from mmgames.embodied._world import generator

    task, rng = generator.generate(TASK), np.random.default_rng(0)
    rows = []
    for _ in range(count):
        row = task.world.start.copy()
        for robot, one in enumerate(task.robots):
            if one.kind != "arm":
                row[robot] = int(rng.integers(len(task.places)))
        rows.append(row)
    return rows


def _rate(draw, rows: list[np.ndarray]) -> tuple[float, float]:
    draw(rows[0])
    best_cpu, best_wall = 0.0, 0.0
    for _ in range(3):
        cpu, wall = time.process_time(), time.perf_counter()
        for row in rows:
            draw(row)
        best_cpu = max(best_cpu, len(rows) / (time.process_time() - cpu))
        best_wall = max(best_wall, len(rows) / (time.perf_counter() - wall))
    return best_cpu, best_wall


def pictures() -> Figure:
    from mmgames.embodied._scenes import rendered, scenes
    from mmgames.embodied._world import generator

    task = generator.generate(TASK)
    cpu, wall = _rate(
        lambda row: scenes.on_stage("maniskill", task, lambda stage: rendered.draw(stage, row, 512)), _states(12)
    )
    return Figure(
        cpu, "pictures a processor second", "512 × 512, names and cards on it; the best of three dozens", wall
    )


def ego() -> Figure:
    from mmgames.embodied._scenes import scenes
    from mmgames.embodied._world import generator

    task = generator.generate(TASK)
    points = ((1.0, -3.0), (2.0, -2.0))
    name = task.robots[0].name
    cpu, wall = _rate(lambda row: scenes.over_shoulder("maniskill", task, row, name, points, 640), _states(12))
    return Figure(cpu, "pictures a processor second", "640 × 360, names on it; the best of three dozens", wall)


def memory() -> Figure:
    pictures()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return Figure(most, "GB", "the most that the process has held")


FIGURES = {"first": first, "pictures": pictures, "ego": ego, "memory": memory}

if __name__ == "__main__":
    main(FIGURES, __doc__)
