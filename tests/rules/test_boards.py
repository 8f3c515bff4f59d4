"""Boards: pieces and labels stand where their names say, replies are read as games spell, and small boards end."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.games.breakthrough import words as breakthrough_words
from mmgames.games.breakthrough.rules import BreakthroughView, board_state, captures
from mmgames.games.gomoku.rules import GomokuView
from mmgames.games.minesweeper.rules import HIDDEN, MinesweeperState, MinesweeperView
from mmgames.games.reversi.rules import ReversiView
from mmgames.games.sudoku.rules import SudokuState, SudokuView
from mmgames.games.tic_tac_toe import picture as tic_tac_toe_picture
from mmgames.games.tic_tac_toe.rules import CROSS, EMPTY, NOUGHT, TicTacToeView, full_lines
from mmgames.text.refusals import Illegal
from tests.cases import cases
from tests.rules.plain import after


class Board(NamedTuple):
    side: int
    empty: Any
    kinds: tuple[Any, ...]
    """What can stand in a cell."""
    show: Callable[[tuple[Any, ...]], Any]
    """The view of a board with these cells."""
    labelled: bool = True
    """Whether the labels are as large as their rows allow at any size."""


BOARDS = {
    "TicTacToe": Board(3, EMPTY, (CROSS, NOUGHT), lambda cells: TicTacToeView(None, cells, 0)),
    "Gomoku": Board(15, ".", ("b", "w"), lambda cells: GomokuView(None, "".join(cells), 0)),
    "Reversi": Board(8, ".", ("b", "w"), lambda cells: ReversiView(None, "".join(cells), 0)),
    "Breakthrough": Board(8, ".", ("b", "w"), lambda cells: BreakthroughView(None, "".join(cells), 0)),
    "Sudoku": Board(9, 0, tuple(range(1, 10)), lambda cells: SudokuView(None, cells, cells, 0), False),
    "Minesweeper": Board(8, HIDDEN, tuple(range(10)), lambda cells: MinesweeperView(0, 8, 10, cells, 0), False),
}


def corner(name: str, cell: int, size: int) -> tuple[int, int]:
    rest = (BOARDS[name].side,) if name == "Minesweeper" else ()
    return registry.load(name).picture.corner(cell, size, *rest)


@pytest.mark.parametrize("size", [64, 128, 301, 512])
@pytest.mark.parametrize("name", BOARDS)
def test_what_stands_in_a_cell_is_drawn_there_and_each_kind_differently(name: str, size: int) -> None:
    board, draw = BOARDS[name], registry.load(name).picture.draw
    blank = (board.empty,) * board.side**2
    empty, pitch = draw(board.show(blank), size), corner(name, 1, size)[0] - corner(name, 0, size)[0]
    last = board.side**2 - 1
    for cell in (0, board.side - 1, last // 2 - 2, last // 2 + 1, last - board.side + 1, last):
        looks, (x, y) = {empty.tobytes()}, corner(name, cell, size)
        for kind in board.kinds:
            frame = draw(board.show((*blank[:cell], kind, *blank[cell + 1 :])), size)
            rows, columns = np.nonzero((frame != empty).any(axis=2))
            assert y <= rows.min() and rows.max() < y + pitch and x <= columns.min() and columns.max() < x + pitch
            looks.add(frame.tobytes())
        assert len(looks) == len(board.kinds) + 1


@pytest.mark.parametrize("size", [128, 512])
@pytest.mark.parametrize("name", [name for name, board in BOARDS.items() if board.labelled])
def test_labels_are_centred_on_their_rows_and_columns(name: str, size: int) -> None:
    board = BOARDS[name]
    dark = (registry.load(name).picture.draw(board.show((board.empty,) * board.side**2), size) < 130).all(axis=2)
    pitch = corner(name, 1, size)[0] - corner(name, 0, size)[0]
    (left, top), thin = corner(name, 0, size), max(1, size // 200)
    dark[top - thin : top + board.side * pitch + thin, left - thin : left + board.side * pitch + thin] = False
    for place in range(board.side):
        x, y = corner(name, place * (board.side + 1), size)
        for strip in (dark[:, x : x + pitch], dark[y : y + pitch].T):
            assert abs(np.flatnonzero(strip.any(axis=0)).mean() - pitch / 2) < max(1, pitch / 5)


RNG = np.random.default_rng(0)
NOUGHTS: Any = registry.load("TicTacToe").game()
PAWNS: Any = registry.load("Breakthrough").game()

KNOWN = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
GRID = tuple(map(int, KNOWN))
STARTS: dict[str, Any] = {
    "Sudoku": SudokuState(GRID, GRID, GRID),
    "Minesweeper": MinesweeperState((HIDDEN,) * 64, (0, 9, 63, 62, 61, 60, 59, 58, 57, 56)),
}
"""Where a game begins that begins elsewhere otherwise."""


def test_replies_are_read_as_the_game_spells_its_moves() -> None:
    for name, moves, meant, right, wrong in cases(__file__)["replies"]:
        loaded, rng = registry.load(name), np.random.default_rng(0)
        live = LiveGame(loaded, loaded.game())
        live.start(rng)
        if name in STARTS:
            live.go_on_from(STARTS[name], rng)
        for move in moves.split():
            live.play({live.movers[0]: live.read(live.movers[0], move.replace("+", " "))})
        (seat,) = live.movers
        names = loaded.words.names(live.view(seat))
        for reply in right:
            assert names[live.read(seat, reply)] == meant, reply
        for reply in wrong:
            assert isinstance(live.read(seat, reply), Illegal), reply


def test_a_winning_line_is_struck_through_and_states_that_look_different_differ():
    assert after(NOUGHTS, 0, 1, 2) != after(NOUGHTS, 2, 1, 0), "the last move is part of the picture"
    assert after(NOUGHTS, 0, 1, 2, 3) == after(NOUGHTS, 2, 1, 0, 3)
    assert full_lines(NOUGHTS.view(after(NOUGHTS, 0, 1, 2, 3, 8, 5, 6, 7, 4), None).cells) == [(0, 4, 8), (2, 4, 6)]
    view = NOUGHTS.view(after(NOUGHTS, 0, 3, 1, 4, 2), None)
    x, y = tic_tac_toe_picture.corner(1, 512)
    side = tic_tac_toe_picture.corner(1, 512)[0] - tic_tac_toe_picture.corner(0, 512)[0]
    between = (slice(y + side // 2, y + side // 2 + 1), slice(x + 1, x + 9))
    struck, plain = tic_tac_toe_picture.draw(view), tic_tac_toe_picture.draw(view._replace(mover=1))
    assert (plain[between] == 255).all()
    assert tuple(struck[between][0, 4]) == tic_tac_toe_picture.WINNING_LINE
    assert (struck[y + 2 * side :] == plain[y + 2 * side :]).all()


def test_whoever_captures_everything_or_reaches_the_far_side_wins():
    state = PAWNS.start(RNG)
    while PAWNS.movers(state):  # black captures what it can, white walks into it, and nobody wants to get through
        (seat,) = PAWNS.movers(state)
        after_move = {action: PAWNS.play(state, {seat: action}, RNG) for action in PAWNS.legal(state, seat)}

        def wish(action, seat=seat, after_move=after_move):
            through = breakthrough_words.NAMES[action][3] in "18"
            replies = [captures(reply) for reply in PAWNS.legal(after_move[action], 1 - seat)]
            return not through, captures(action) == (seat == 0), any(replies) == (seat == 1)

        assert PAWNS.returns(state) == (0.0, 0.0)
        state = after_move[max(after_move, key=wish)]
    view = PAWNS.view(state, None)
    assert "w" not in view.cells and "b" not in view.cells[-8:]
    assert view.winner == 0 and list(PAWNS.returns(state)) == [1.0, -1.0]
    assert BreakthroughView(None, "." * 63 + "b", None).winner == 0
    assert BreakthroughView(None, "w" + "b" * 7 + "." * 56, None).winner == 1
    for cells, mover, result in (
        ("." * 48 + "b" + "." * 7 + "." * 7 + "w", 0, 1),
        ("b" + "." * 7 + "." * 7 + "w" + "." * 48, 1, -1),
    ):
        state = board_state(cells, mover)
        for action in PAWNS.legal(state, mover):
            ended = PAWNS.play(state, {mover: action}, RNG)
            assert PAWNS.movers(ended) == () and PAWNS.returns(ended) == (result, -result)
