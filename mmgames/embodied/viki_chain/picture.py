"""VikiChain in pictures: the kitchen from above, then what one robot sees, on a page of the same shape."""

import numpy as np

from mmgames.embodied._questions.kitchen import on_page
from mmgames.embodied._scenes import scenes, traces
from mmgames.embodied.viki_chain.rules import OVER, ChainView


def draw(view: ChainView, size: int = 512) -> np.ndarray:
    task, scene = view.state.task, view.state.scene
    if view.sight is None:
        return scenes.overview(scene, task, task.world.start, size, view.labels)
    return on_page(traces.picture(view.sight, scene, task, size, view.labels))


def features(view: ChainView) -> np.ndarray:
    state = view.state
    scores = [result.score for result in state.results] + [0.0] * (OVER - state.stage)
    sizes = [min(1.0, len(state.task.robots) / 7), min(1.0, len(state.task.assets) / 10)]
    left = 1 - state.stage / OVER
    return np.array([*scores, *sizes, left, float(view.sight is not None)], np.float32)
