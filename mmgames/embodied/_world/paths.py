"""How far two paths are apart, in pixels: root mean square, Hausdorff and discrete Fréchet distance, and the score."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mmgames.embodied._world.plans import Feedback, feedback

WIDTH, HEIGHT = 640, 360
PathPoints = list[tuple[float, float]]
NORMALISERS = 360.0, 360.0, 400.0
"""Root mean square, Hausdorff and Fréchet distance at which a path earns nothing, in pixels of 640 by 360."""


class Distances(NamedTuple):
    rmse: float  # over points, as tables give it
    hausdorff: float
    frechet: float
    coordinates: float  # root mean square over single coordinates, as the score takes it

    @property
    def accuracy(self) -> float:
        """From 0 to 1: the mean of the three distances, each against its normaliser."""
        apart = zip((self.coordinates, self.hausdorff, self.frechet), NORMALISERS, strict=True)
        return sum(min(max(1 - far / most, 0.0), 1.0) for far, most in apart) / 3


NONE = Distances(0.0, 0.0, 0.0, 0.0)
"""What the released table counts for an answer that is no path: nothing, which is the best there is."""


def distances(path: Sequence[Sequence[float]], truth: Sequence[Sequence[float]]) -> Distances:
    one, other = np.asarray(path, float), np.asarray(truth, float)
    apart = np.linalg.norm(one[:, None] - other[None, :], axis=2)
    squared = ((one - other) ** 2).sum(axis=1)
    return Distances(
        rmse=math.sqrt(squared.mean()),
        hausdorff=float(max(apart.min(axis=1).max(), apart.min(axis=0).max())),
        frechet=_frechet(apart),
        coordinates=math.sqrt(squared.mean() / 2),
    )


def _frechet(apart: np.ndarray) -> float:
    """The shortest leash with which two walkers can go along their points, never back."""
    needed = np.full(np.add(apart.shape, 1), math.inf)
    needed[0, 0] = 0.0
    for i, j in np.ndindex(apart.shape):
        needed[i + 1, j + 1] = max(needed[i : i + 2, j : j + 2].min(), apart[i, j])
    return float(needed[-1, -1])


def worst() -> Distances:
    """What an answer that is no path counts as: as far away as a picture allows."""
    far = math.hypot(WIDTH, HEIGHT)
    return Distances(far, far, far, far)


_FORM = "A list of five points for each robot: [[[x, y], … five], [[x, y], … five]], your own path first."


def read_paths(value: Any, count: int, width: float, height: float, robots: int = 2) -> list[PathPoints] | Feedback:
    """The paths of robots from a JSON value, or what is wrong with it."""
    if not isinstance(value, (list, tuple)) or len(value) != robots:
        return feedback("no paths", robots=robots, form=_FORM)
    for path, whose in zip(value, ("your own", *["a partner's"] * robots), strict=False):
        has: Any = len(path) if isinstance(path, (list, tuple)) else "no"
        if has != count:
            return feedback("points", whose=whose.capitalize(), has=has, count=count, form=_FORM)
        for point in path:
            if not isinstance(point, (list, tuple)) or len(point) != 2 or not all(map(_number, point)):
                return feedback("no point", whose=whose, form=_FORM)
            x, y = map(float, point)
            if not (0 <= x <= width and 0 <= y <= height):
                return feedback("outside", x=x, y=y, whose=whose, width=width, height=height)
    return [[(float(x), float(y)) for x, y in path] for path in value]


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -1e9 < value < 1e9
