"""VikiChain in pictures: the kitchen from above, then what one robot sees, on a page of the same shape."""

import numpy as np

from mmgames.embodied._questions.kitchen import on_page
from mmgames.embodied._scenes import scenes, traces
from mmgames.embodied.viki_chain.rules import OVER, ChainView


def draw(view: ChainView, size: int = 512) -> np.ndarray:
    task = view.task
    if view.sight is None:
        return scenes.overview(view.scene, task, task.world.start, size, view.labels)
    return on_page(traces.picture(view.sight, view.scene, task, size, view.labels))


def features(view: ChainView) -> np.ndarray:
    scores = [result.score for result in view.results] + [0.0] * (OVER - len(view.results))
    sizes = [min(1.0, len(view.task.robots) / 7), min(1.0, len(view.task.assets) / 10)]
    left = 1 - view.stage / OVER
    return np.array([*scores, *sizes, left, float(view.sight is not None)], np.float32)
