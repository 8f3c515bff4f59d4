"""Boards turned over: eight ways to lay a square board upon itself, and where actions go.

A way is a number of three bits: the columns are flipped, then the rows, then rows and columns are exchanged.
"""

from functools import cache

import numpy as np

from mmgames.kernels.kernel_game import Kernel

FLIP_COLUMNS, FLIP_ROWS, TRANSPOSE = 1, 2, 4
HALF_TURN = FLIP_COLUMNS | FLIP_ROWS
SQUARE = tuple((way, (0,)) for way in range(1, 8))
"""All ways but the one that changes nothing, for games whose actions on the board are of one kind."""
NOWHERE = -1


def laid_over(way: int, board: tuple[int, int]) -> np.ndarray:
    """For each cell of a board that is turned over: which cell lies there now."""
    cells = np.arange(board[0] * board[1]).reshape(board)
    if way & FLIP_COLUMNS:
        cells = cells[:, ::-1]
    if way & FLIP_ROWS:
        cells = cells[::-1]
    if way & TRANSPOSE:
        cells = cells.T
    return cells.reshape(-1)


class ActionPoints:
    """Where the actions of a game stand: sheets of the board's size, one for each kind of action, then those nowhere.

    `slots[seat, action]` is that place, `sheets` how many kinds there are, `elsewhere` how many actions are nowhere.
    """

    def __init__(self, kernel: Kernel, seats: int = 2) -> None:
        assert kernel.board is not None
        self.board = kernel.board
        self.cells = kernel.board[0] * kernel.board[1]
        points = np.array(
            [[_point(kernel, self.cells, seat, each) for each in range(kernel.num_actions)] for seat in range(seats)]
        )
        self.sheets = int(points.max()) // self.cells + 1 if (points >= 0).any() else 0
        nowhere = points[0] == NOWHERE
        self.elsewhere = int(nowhere.sum())
        points[:, nowhere] = self.sheets * self.cells + np.arange(self.elsewhere)
        self.slots: np.ndarray = points
        self.size = self.sheets * self.cells + self.elsewhere
        ways = ((0, tuple(range(self.sheets))), *kernel.symmetries)
        self.cell_sources = np.stack([laid_over(way, self.board) for way, _ in ways])
        """[way, cell]: the cell that lies there when the board is turned over that way; the first way is none."""
        self.slot_sources = np.stack([self._slot_sources(*way) for way in ways])
        """[way, slot]: likewise for the places of actions."""

    def _slot_sources(self, way: int, kinds: tuple[int, ...]) -> np.ndarray:
        sources = np.arange(self.size)
        over = laid_over(way, self.board)
        for kind, becomes in enumerate(kinds[: self.sheets]):
            sources[becomes * self.cells : (becomes + 1) * self.cells] = kind * self.cells + over
        return sources


def _point(kernel: Kernel, cells: int, seat: int, action: int) -> int:
    if kernel.point is not None:
        return kernel.point(seat, action)
    kinds = kernel.num_actions // cells
    return NOWHERE if action >= kinds * cells else action % kinds * cells + action // kinds


@cache
def action_points(kernel: Kernel) -> ActionPoints:
    """The points of a game for two, worked out once."""
    return ActionPoints(kernel)
