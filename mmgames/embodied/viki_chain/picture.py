"""VikiChain in pictures: the kitchen from above, then what one robot sees, on a page of the same shape."""

from __future__ import annotations

import numpy as np

from mmgames.embodied._questions.kitchen import on_page
from mmgames.embodied._scenes import marks, scenes
from mmgames.embodied.viki_chain.rules import OVER, TRACE, ChainView


def draw(view: ChainView, size: int = 512) -> np.ndarray:
    task = view.task
    if view.asked is None or view.stage not in (TRACE, OVER):
        return scenes.overview(view.scene, task, task.world.start, size, view.labels)
    start = task.world.start
    seen = scenes.over_shoulder(view.scene, task, start, view.asked[0], view.look_at, size, view.labels)
    types = {robot.name: robot.type for robot in task.robots}
    marks.ring(seen, [(types[name], end) for name, end in zip(view.asked[:2], view.ends, strict=True)])
    return on_page(seen)


def features(view: ChainView) -> np.ndarray:
    scores = [result.score for result in view.results] + [0.0] * (OVER - len(view.results))
    sizes = [min(1.0, len(view.task.robots) / 7), min(1.0, len(view.task.assets) / 10)]
    left = 1 - view.stage / OVER
    return np.array([*scores, *sizes, left, float(view.asked is not None)], np.float32)
