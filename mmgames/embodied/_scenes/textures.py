"""Patterns for floors, walls and furniture, and the sky in a window: drawn by code, always the same for one colour."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

PIXELS = 256


class Pattern(NamedTuple):
    """How many metres of a surface one picture covers (0: stretched over all of it), and what it shows.

    That is how bright every point is, 1 as the colour says, or colours of its own.
    """

    metres: float
    draw: Callable[[np.random.Generator], np.ndarray]


def _cells(rng: np.random.Generator, rows: int, columns: int, spread: float, shift: float = 0.0) -> np.ndarray:
    """Bricks of different brightness with dark joints; every other row is moved by a share of a brick."""
    y, x = np.mgrid[0:PIXELS, 0:PIXELS] / PIXELS
    row = (y * rows).astype(int)
    along = (x * columns + shift * (row % 2)) % columns
    shades = 1 + spread * (rng.random((rows, columns)) - 0.5)
    found = shades[row, along.astype(int)]
    joint = 1.6 / PIXELS
    edge = ((y * rows) % 1 < joint * rows) | (along % 1 < joint * columns)
    return np.where(edge, 0.82, found)


def _planks(rng: np.random.Generator) -> np.ndarray:
    grain = np.cumsum(rng.normal(size=(PIXELS, PIXELS)), axis=1)
    grain -= np.linspace(0, 1, PIXELS) * grain[:, -1:]  # it ends as it begins
    return _cells(rng, 8, 1, 0.22, 0.5) * (1 + 0.006 * grain)


def _chequers(rng: np.random.Generator) -> np.ndarray:
    y, x = np.mgrid[0:PIXELS, 0:PIXELS] // (PIXELS // 2)
    return _cells(rng, 2, 2, 0.0) * np.where((x + y) % 2, 0.89, 1.04)


def _speckles(rng: np.random.Generator) -> np.ndarray:
    noise = rng.random((PIXELS // 4, PIXELS // 4)).repeat(4, axis=0).repeat(4, axis=1)
    return 1.01 - 0.06 * (noise > 0.9) - 0.025 * (noise < 0.2)


def _sky(rng: np.random.Generator) -> np.ndarray:
    """What is seen through a window: blue above, white clouds, a green hill."""
    y, x = np.mgrid[0:PIXELS, 0:PIXELS] / PIXELS
    blue = np.stack([120 + 110 * y, 190 + 50 * y, np.full_like(y, 252)], axis=2)
    cloud = np.zeros_like(y)
    for middle_x, middle_y, wide in ((0.2, 0.25, 0.1), (0.3, 0.22, 0.13), (0.72, 0.42, 0.12), (0.82, 0.4, 0.09)):
        far = ((x - middle_x) / wide) ** 2 + ((y - middle_y) / wide * 2.2) ** 2
        cloud = np.maximum(cloud, np.clip(1.6 - far, 0, 1))
    blue += cloud[..., None] * (255 - blue) * 0.9
    hill = y > 0.8 - 0.1 * np.sin(x * 5 + 0.5)
    leaves = 1 + 0.15 * (rng.random((PIXELS, PIXELS)) - 0.5)
    return np.where(hill[..., None], np.array([120, 178, 84]) * leaves[..., None], blue)


PATTERNS: dict[str, Pattern] = {
    "planks": Pattern(1.6, _planks),
    "tiles": Pattern(1.2, lambda rng: _cells(rng, 3, 3, 0.08)),
    "chequers": Pattern(1.0, _chequers),
    "paint": Pattern(2.0, lambda rng: 1 + 0.02 * (rng.random((PIXELS, PIXELS)) - 0.5)),
    "bricks": Pattern(0.8, lambda rng: _cells(rng, 8, 4, 0.06, 0.5)),
    "stone": Pattern(1.0, _speckles),
    "wood": Pattern(0.9, _planks),
    "sky": Pattern(0.0, _sky),
}


def brightness(kind: str) -> np.ndarray:
    """How bright a pattern is, 1 as its colour says; the sky brings colours of its own."""
    drawn = PATTERNS[kind].draw(np.random.default_rng([17, *kind.encode()]))
    return drawn / 255 if drawn.ndim == 3 else drawn
