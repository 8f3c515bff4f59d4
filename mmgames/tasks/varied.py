"""Boards of all kinds for balanced questions: few and many pieces, and boards that differ in a cell or two.

A stream of them gives one question several answers, each with a board that it is true of. They need not be reachable
by play.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mmgames.tasks.boards import QuestionBoard
from mmgames.tasks.positions import mixed_game

Views = Iterator[Any]
Stream = Callable[[QuestionBoard, np.random.Generator, str | None], Views]
NEIGHBOURS = 3  # after each board so many that differ from it in up to CHANGES cells
CHANGES = 3
SHARE = (0.1, 0.9)  # of black among all stones


def stones(board: QuestionBoard, rng: np.random.Generator, band: str | None) -> Views:
    """Two kinds of stones on a board, from hardly any to hardly any free cell; with a band as many as it says."""
    codes = list(board.codes)
    shape = board.shape
    size = shape[0] * shape[1]
    low, high = map(int, band.split("-")) if band else (size // 10, size - size // 10)
    while True:
        number = int(rng.integers(low, high + 1))
        one = round(number * rng.uniform(*SHARE))
        flat = rng.permutation(np.repeat(codes, [size - number, one, number - one]))
        yield _stones_view(board, flat, shape)
        for _ in range(NEIGHBOURS):
            near = flat.copy()
            near[rng.permutation(size)[: rng.integers(1, CHANGES + 1)]] = codes[int(rng.integers(len(codes)))]
            yield _stones_view(board, near, shape)


def _stones_view(board: QuestionBoard, flat: np.ndarray, shape: tuple[int, ...]) -> Any:
    more = {"number": max(0, int((flat > 0).sum()) - 4)} if "number" in board.view_fields else {}
    return board.view(flat.reshape(shape), **more)


def sudoku(board: QuestionBoard, rng: np.random.Generator, band: str | None) -> Views:
    """Puzzles with one solution: one that is made, turned and relabelled, and with more of its digits given."""
    made = board.rules.make_puzzle(rng, *board.rules.CLUES[band or "any"])
    puzzle, solution = (np.array(grid).reshape(9, 9) for grid in made)
    open_cells = int((puzzle == 0).sum())
    while True:
        digits = np.concatenate([[0], rng.permutation(9) + 1])
        rows = np.concatenate([3 * band_ + rng.permutation(3) for band_ in rng.permutation(3)])
        columns = np.concatenate([3 * stack + rng.permutation(3) for stack in rng.permutation(3)])
        given, full = puzzle[rows][:, columns], solution[rows][:, columns]
        more = int(rng.integers(open_cells // 2 + 1))
        for added in (more, *rng.integers(max(0, more - CHANGES), more + CHANGES + 1, size=NEIGHBOURS).tolist()):
            shown = given.copy().ravel()
            free = np.flatnonzero(shown == 0)
            chosen = rng.permutation(free)[:added]
            shown[chosen] = full.ravel()[chosen]
            cells = tuple(digits[shown].tolist())
            yield board.rules.SudokuView(0, cells, cells, 0)


def minesweeper(board: QuestionBoard, rng: np.random.Generator, band: str | None) -> Views:
    """Fields with more or fewer mines than the game has, of which any part is shown, mines too."""
    rules = board.rules
    side, usual = rules.LEVELS[band or "8x8"]
    size, around = side * side, rules.neighbours(side)
    while True:
        total = int(rng.integers(usual // 2, 2 * usual + 1))
        mines = set(rng.permutation(size)[:total].tolist())
        under = [rules.MINE if cell in mines else len(mines.intersection(around[cell])) for cell in range(size)]
        shown = rng.random(size) < rng.uniform(*SHARE)
        for turn in range(NEIGHBOURS + 1):
            if turn:
                changed = rng.permutation(size)[: rng.integers(1, CHANGES + 1)]
                shown = shown.copy()
                shown[changed] = not shown[changed[0]]
            cells = tuple(code if seen else rules.HIDDEN for code, seen in zip(under, shown.tolist(), strict=True))
            yield rules.MinesweeperView(0, side, total, cells, 0)


def shown(board: QuestionBoard, rng: np.random.Generator, band: str | None) -> Views:
    """The positions that are asked about otherwise too, where these are various enough."""
    while True:
        yield board.show(rng, "paper", band).view


def played(name: str) -> Stream:
    """All positions of games, by an agent's moves and some random ones."""

    def stream(board: QuestionBoard, rng: np.random.Generator, band: str | None) -> Views:
        while True:
            for live in mixed_game(board, rng, name):
                if rng.random() < _KEPT:
                    yield live.view(live.movers[int(rng.integers(len(live.movers)))])

    return stream


_KEPT = 0.15  # of the positions of a game: one hardly differs from the next

STREAMS: dict[str, Stream] = {
    **{f"mmgames/{name}-v0": stones for name in ("TicTacToe", "Reversi", "Gomoku", "Breakthrough")},
    "mmgames/Sudoku-v0": sudoku,
    "mmgames/Minesweeper-v0": minesweeper,
    "mmgames/Overcooked-v0": played("greedy"),
    "mmgames/CoinDilemma-v0": played("random"),
}
"""By game; the others have what is `shown`."""
