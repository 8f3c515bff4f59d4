"""TicTacToe: OpenSpiel's rules, names that agree with the picture, marks where the moves went."""

from __future__ import annotations

import numpy as np

import mmgames
from mmgames.games.tic_tac_toe import picture
from mmgames.games.tic_tac_toe.rules import TicTacToe, full_lines
from mmgames.kernels.records import RecordState

ID = "mmgames/TicTacToe-v0"
GAME: TicTacToe = mmgames.load_game(ID)
RNG = np.random.default_rng(0)


def after(*cells: int) -> RecordState:
    state = GAME.start(RNG)
    for cell in cells:
        state = GAME.play(state, {GAME.movers(state)[0]: cell}, RNG)
    return state


def test_states_that_look_different_differ():
    assert after(0, 1, 2) != after(2, 1, 0), "the last move is part of the picture"
    assert after(0, 1, 2, 3) == after(2, 1, 0, 3)


def test_one_move_can_fill_two_lines():
    assert full_lines(GAME.view(after(0, 1, 2, 3, 8, 5, 6, 7, 4), None).cells) == [(0, 4, 8), (2, 4, 6)]


def test_a_winning_line_is_struck_through_only_when_the_game_is_over():
    view = GAME.view(after(0, 3, 1, 4, 2), None)
    x, y = picture.corner(1, 512)
    side = picture.corner(1, 512)[0] - picture.corner(0, 512)[0]
    between = (slice(y + side // 2, y + side // 2 + 1), slice(x + 1, x + 9))
    struck, plain = picture.draw(view), picture.draw(view._replace(mover=1))
    assert (plain[between] == 255).all()
    assert tuple(struck[between][0, 4]) == picture.WINNING_LINE
    assert (struck[y + 2 * side :] == plain[y + 2 * side :]).all()
