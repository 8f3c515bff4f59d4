"""Compiled boards: the rules of a board game once more, as kernels that a search can run millions of times.

A game that has one offers it as `game.board`. Tree search and minimax (baselines/mcts.py, baselines/minimax.py) are
written once and get a board's kernels as arguments; without a board they work on the Game contract, more slowly.
The rules stay where they are: tests play a board and its game side by side.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mmgames.core.game import Game

RUNNING = 2
"""What `Board.play` says while nobody has won and the game goes on."""


@dataclass(frozen=True)
class Board:
    """Rules of a game for two seats over a row of `width` int64 numbers, of which `row[0]` is the seat to move.

    start(row)              fills the row with the position a game begins with
    moves(row, out) -> n    writes the n legal actions, `most_moves` at the most; promising ones first helps minimax
    play(row, action)       plays in place; RUNNING or, when that ends the game, 1, 0 or -1: the first seat's result
    evaluate(row)           how promising a running position looks to the first seat, strictly between -1 and 1
    """

    width: int
    most_moves: int
    start: Callable[..., Any]
    moves: Callable[..., Any]
    play: Callable[..., Any]
    evaluate: Callable[..., Any]
    depth: int | None = None
    """How many moves minimax looks ahead unless it is told; None: to the end of the game."""
    candidates: Callable[..., Any] | None = None
    """Like `moves`, but only the actions that minimax should look at; None: all of them."""

    def row(self, state: Any) -> np.ndarray:
        """The position of a state that knows its history."""
        row = np.zeros(self.width, np.int64)
        self.start(row)
        for action in state.history:
            self.play(row, action)
        return row


def board_of(game: Game) -> Board | None:
    return getattr(game, "board", None)
