"""Boards of up to 64 cells: as text, one sign a cell, and as bits, one 64-bit number a side."""

from __future__ import annotations

import numpy as np

EMPTY, BLACK, WHITE = SIGNS = (".", "b", "w")
"""An empty cell, a piece of the first side, one of the second."""

_TO_SIGNS = bytes.maketrans(bytes(range(len(SIGNS))), "".join(SIGNS).encode())


def sides_of(cells: str) -> np.ndarray:
    """The cells that each side holds, cell 0 being the lowest bit."""
    signs = np.frombuffer(cells.encode(), np.uint8)
    held = np.array([signs == ord(sign) for sign in SIGNS[1:]])
    return np.packbits(held, axis=1, bitorder="little").view(np.int64)[:, 0]


def cells_of(sides: np.ndarray) -> str:
    """The board of two sides as text."""
    first, second = np.unpackbits(np.ascontiguousarray(sides).view(np.uint8), bitorder="little").reshape(2, -1)
    return (first + 2 * second).tobytes().translate(_TO_SIGNS).decode()
