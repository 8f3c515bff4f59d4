"""Positions of grid dilemmas for tests."""

import numpy as np

from mmgames.baselines.search.dilemma_optimum import put_on
from mmgames.kernels.records import RecordState


def placed(game, *cells) -> RecordState:
    """A position at the first step: the cells of the players, then those of the things."""
    array = game.kernel.blank.array.copy()
    put_on(array, np.array([cells]))
    return RecordState(array)
