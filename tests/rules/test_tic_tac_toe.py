"""TicTacToe: OpenSpiel's rules, names that agree with the picture, marks where the moves went."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmgames
from mmgames.core import registry
from mmgames.games.tic_tac_toe import picture, words
from mmgames.games.tic_tac_toe.rules import CROSS, EMPTY, NOUGHT, TicTacToe, TicTacToeView, full_lines
from mmgames.kernels.records import RecordState
from mmgames.text.refusals import Illegal
from mmgames.text.replies import parse

ID = "mmgames/TicTacToe-v0"
GAME: TicTacToe = mmgames.load_game(ID)
RNG = np.random.default_rng(0)
orders = st.permutations(range(9))


def after(*cells: int) -> RecordState:
    state = GAME.start(RNG)
    for cell in cells:
        state = GAME.play(state, {GAME.movers(state)[0]: cell}, RNG)
    return state


@given(orders)
def test_every_game_agrees_with_openspiel(order):
    theirs = pyspiel.load_game("tic_tac_toe").new_initial_state()
    ours = GAME.start(RNG)
    for cell in order:
        view = GAME.view(ours, None)
        assert words.describe(view).splitlines()[1:4] == [
            " ".join(letter + row.upper()) for letter, row in zip("ABC", str(theirs).split(), strict=True)
        ]
        assert list(GAME.returns(ours)) == theirs.returns()
        if theirs.is_terminal():
            assert GAME.movers(ours) == ()
            return
        seat = theirs.current_player()
        assert GAME.movers(ours) == (seat,)
        assert list(GAME.legal(ours, seat)) == theirs.legal_actions() == list(words.names(GAME.view(ours, seat)))
        ours = GAME.play(ours, {seat: cell}, RNG)
        theirs.apply_action(cell)
    assert GAME.movers(ours) == ()


@given(orders, st.integers(0, 9))
def test_states_are_values(order, moves):
    state = GAME.start(RNG)
    for cell in order[:moves]:
        if GAME.movers(state):
            before = state.array.tobytes()
            state, earlier = GAME.play(state, {GAME.movers(state)[0]: cell}, RNG), state
            assert earlier.array.tobytes() == before
    for twin in (copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert twin == state
        assert hash(twin) == hash(state)
        assert GAME.view(twin, 0) == GAME.view(state, 0)


def test_states_that_look_different_differ():
    assert after(0, 1, 2) != after(2, 1, 0), "the last move is part of the picture"
    assert after(0, 1, 2, 3) == after(2, 1, 0, 3)


def test_cells_are_named_by_row_letter_and_column_number():
    names = words.names(GAME.view(GAME.start(RNG), 0))
    assert list(names.values()) == ["A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3"]
    assert words.describe(GAME.view(after(5), 1)).splitlines()[:4] == ["  1 2 3", "A . . .", "B . . X", "C . . ."]


@pytest.mark.parametrize(
    ("reply", "cell"),
    [("B3", 5), ("3B", 5), ('{"action": "c1"}', 6), ("<answer>1C</answer>", 6), ("Movement: a2", 1)],
)
def test_replies_name_a_cell_either_way_round(reply, cell):
    view = GAME.view(GAME.start(RNG), 0)
    assert parse(reply, words.names(view), words.aliases(view)) == cell


@pytest.mark.parametrize("reply", ["B2", "2B", "D1", "A4", "I would take A1 here", "11"])
def test_a_taken_or_unknown_cell_is_no_move(reply):
    view = GAME.view(after(4), 1)
    assert isinstance(parse(reply, words.names(view), words.aliases(view)), Illegal)


def test_only_the_player_to_move_has_names():
    state = after(4)
    assert words.names(GAME.view(state, 0)) == {}
    assert len(words.names(GAME.view(state, 1))) == 8
    assert words.names(GAME.view(state, None)) == {}
    assert words.names(GAME.view(after(0, 3, 1, 4, 2), 1)) == {}


def test_the_winner_gets_one_point_from_the_loser():
    assert list(GAME.returns(after(0, 3, 1, 4, 2))) == [1.0, -1.0]
    assert list(GAME.returns(after(0, 3, 1, 4, 8, 5))) == [-1.0, 1.0]
    assert list(GAME.returns(after(0, 1, 2, 4, 3, 5, 7, 6, 8))) == [0.0, 0.0]


def test_one_move_can_fill_two_lines():
    assert full_lines(GAME.view(after(0, 1, 2, 3, 8, 5, 6, 7, 4), None).cells) == [(0, 4, 8), (2, 4, 6)]


def test_text_next_to_a_picture_does_not_tell_the_board():
    state = after(4, 0)
    assert "Move 3" in words.history(GAME.view(state, 0)) and "your turn" in words.history(GAME.view(state, 0))
    assert "your turn" not in words.history(GAME.view(state, 1))
    for name in words.NAMES:
        assert name not in words.history(GAME.view(state, 0))
    assert "X has won" in words.history(GAME.view(after(0, 3, 1, 4, 2), 1))
    assert "draw" in words.history(GAME.view(after(0, 1, 2, 4, 3, 5, 7, 6, 8), None))


def board_of(**marks: int) -> TicTacToeView:
    cells = [EMPTY] * 9
    for name, mark in marks.items():
        cells[words.NAMES.index(name)] = mark
    return TicTacToeView(None, tuple(cells), 0)


@pytest.mark.parametrize("size", [64, 128, 301, 512])
@pytest.mark.parametrize("cell", range(9))
def test_a_mark_is_drawn_in_its_own_cell_and_nowhere_else(cell, size):
    name = words.NAMES[cell]
    empty = picture.draw(board_of(), size)
    for mark, colour in ((CROSS, 0), (NOUGHT, 2)):
        frame = picture.draw(board_of(**{name: mark}), size)
        assert frame.shape == (size, size, 3) and frame.dtype == np.uint8 and frame.flags.writeable
        rows, columns = np.nonzero((frame != empty).any(axis=2))
        row, column = cell // 3, cell % 3
        third = 0.87 * size / 3
        for places, number in ((rows, row), (columns, column)):
            assert places.min() >= 0.1 * size + number * third - 2
            assert places.max() <= 0.1 * size + (number + 1) * third + size // 32 + 2
        strongest = frame[rows, columns].astype(int).sum(axis=0).argmax()
        assert strongest == colour, "X is red, O is blue"


def test_labels_stand_beside_their_rows_and_above_their_columns():
    frame = picture.draw(board_of(), 512)
    dark = (frame < 120).all(axis=2)
    edge = round(512 * 0.1)
    for place in range(3):
        x, y = picture.corner(4 * place, 512)
        side = picture.corner(4, 512)[0] - picture.corner(0, 512)[0]
        for strip in (dark[:edge, x : x + side], dark[y : y + side, :edge].T):
            columns = np.nonzero(strip.any(axis=0))[0]
            assert abs(columns.mean() - side / 2) < side / 12, "a label is centred on its row or column"
    assert not dark[:edge, :edge].any()


def test_the_last_move_is_tinted():
    state = after(4, 0)
    x, y = picture.corner(0, 512)
    older_x, older_y = picture.corner(4, 512)
    frame = picture.draw(GAME.view(state, 0))
    assert tuple(frame[y + 2, x + 2]) == picture.LAST_MOVE
    assert tuple(frame[older_y + 2, older_x + 2]) == (255, 255, 255)


def test_a_winning_line_is_struck_through_only_when_the_game_is_over():
    view = GAME.view(after(0, 3, 1, 4, 2), None)
    x, y = picture.corner(1, 512)
    side = picture.corner(1, 512)[0] - picture.corner(0, 512)[0]
    between = (slice(y + side // 2, y + side // 2 + 1), slice(x + 1, x + 9))
    struck, plain = picture.draw(view), picture.draw(view._replace(mover=1))
    assert (plain[between] == 255).all()
    assert tuple(struck[between][0, 4]) == picture.WINNING_LINE
    assert (struck[y + 2 * side :] == plain[y + 2 * side :]).all()


def test_features_read_alike_from_both_seats():
    state = after(4, 0)
    x_sees, o_sees = (picture.features(GAME.view(state, seat)) for seat in (0, 1))
    assert x_sees.shape == (27,) and x_sees.dtype == np.float32
    assert np.nonzero(x_sees)[0].tolist() == [4, 9 + 0, *(18 + cell for cell in (1, 2, 3, 5, 6, 7, 8))]
    assert (x_sees[:9] == o_sees[9:18]).all() and (x_sees[9:18] == o_sees[:9]).all()


def test_frames_are_fresh_every_time():
    view = GAME.view(after(4), 0)
    first = picture.draw(view)
    first[:] = 0
    assert picture.draw(view).any()


def test_the_registered_game_plays_from_both_faces():
    assert registry.find(ID).seats == ("x", "o")
    env = mmgames.aec_env(ID, observe=("text", "action_mask"))
    env.reset(seed=1)
    for cell in (0, 3, 1, 4, 2):
        env.step(cell)
    assert env.rewards == {"x": 1.0, "o": -1.0}
    assert all(env.terminations.values())
