"""Reversi: OpenSpiel's rules, names that agree with the picture, passes that are named and told."""

from __future__ import annotations

import numpy as np
import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmgames
from mmgames.baselines.search import minimax
from mmgames.baselines.search.minimax import Minimax
from mmgames.baselines.search.reversi import DiscMinimax
from mmgames.games.reversi import picture, words
from mmgames.games.reversi.rules import PASS, Reversi, ReversiView, board_state, cells, legal_moves
from mmgames.kernels.bitboard import EMPTY
from mmgames.kernels.records import RecordState
from mmgames.running.matches import match
from mmgames.text.refusals import Illegal
from mmgames.text.replies import parse

ID = "mmgames/Reversi-v0"
GAME: Reversi = mmgames.load_game(ID)
RNG = np.random.default_rng(0)
NO_DISCS = EMPTY * 64
OPENING = ("C4", "C3", "D3", "E3")


def after(*names: str) -> RecordState:
    state = GAME.start(RNG)
    for name in names:
        (seat,) = GAME.movers(state)
        moves = {text: action for action, text in words.names(GAME.view(state, seat)).items()}
        state = GAME.play(state, {seat: moves[name]}, RNG)
    return state


def discs(**places: str) -> str:
    """A board with discs at some places: discs(b="A1 A2", w="B3")."""
    board = list(NO_DISCS)
    for disc, names in places.items():
        for name in names.split():
            board[words.NAMES.index(name)] = disc
    return "".join(board)


def plain_moves(board: str, own: str) -> list[int]:
    """The moves by the definition: a line of the other's discs from an empty cell to an own disc."""
    found = []
    for row in range(8):
        for column in range(8):
            for down, right in ((a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b):
                line = ""
                r, c = row + down, column + right
                while 0 <= r < 8 and 0 <= c < 8:
                    line += board[r * 8 + c]
                    r, c = r + down, c + right
                met = line.lstrip("w" if own == "b" else "b")
                if board[row * 8 + column] == EMPTY and len(met) < len(line) and met.startswith(own):
                    found.append(row * 8 + column)
                    break
    return found


@given(st.randoms(use_true_random=False))
def test_every_game_agrees_with_openspiel(choices):
    theirs = pyspiel.load_game("othello").new_initial_state()
    ours = GAME.start(RNG)
    signs = str.maketrans("bw.", "xo-")
    while not theirs.is_terminal():
        seat = theirs.current_player()
        view = GAME.view(ours, seat)
        rows = [line[2:].translate(signs) for line in words.describe(view).splitlines()[2:10]]
        assert rows == [line[2:17] for line in str(theirs).splitlines()[2:10]]
        assert GAME.movers(ours) == (seat,) and view.mover == seat
        assert list(GAME.legal(ours, seat)) == theirs.legal_actions() == list(words.names(view))
        for action, name in words.names(view).items():
            # OpenSpiel names the column by a letter and the row by a number.
            theirs_named = theirs.action_to_string(action)
            assert name == "pass" == theirs_named or theirs_named == "abcdefgh"[int(name[1]) - 1] + str(
                "ABCDEFGH".index(name[0]) + 1
            )
        action = choices.choice(theirs.legal_actions())
        ours = GAME.play(ours, {seat: action}, RNG)
        theirs.apply_action(action)
        assert GAME.view(ours, None).last == action
    assert GAME.movers(ours) == ()
    assert list(GAME.returns(ours)) == theirs.returns()
    view = GAME.view(ours, None)
    if view.winner is None:
        assert theirs.returns() == [0.0, 0.0] and "a draw" in words.history(view)
    else:
        assert theirs.returns()[view.winner] == 1.0
        assert f"{words.ROLES[view.winner]} has won" in words.history(view)


@given(st.text("..bw", min_size=64, max_size=64), st.sampled_from([0, 1]))
def test_moves_are_found_on_any_board(board, seat):
    assert list(legal_moves(board, seat)) == (plain_moves(board, "bw"[seat]) or [PASS])


def test_black_moves_first_from_the_usual_position():
    state = GAME.start(RNG)
    assert GAME.seats == ("black", "white") and GAME.movers(state) == (0,)
    assert GAME.view(state, 0).cells == discs(b="D5 E4", w="D4 E5")
    assert list(words.names(GAME.view(state, 0)).values()) == ["C4", "D3", "E6", "F5"]


def test_enclosed_discs_turn_over_in_all_directions():
    before, now = GAME.view(after("C4"), 1), GAME.view(after("C4", "C3"), 0)
    assert before.cells == discs(b="C4 D4 D5 E4", w="E5")
    assert now.cells == discs(b="C4 D5 E4", w="C3 D4 E5")


def test_the_moves_of_a_whole_game_with_a_pass_are_told():
    rng = np.random.default_rng(2)
    for _ in range(200):
        state = GAME.start(rng)
        while GAME.movers(state):
            (seat,) = GAME.movers(state)
            if list(GAME.legal(state, seat)) == [PASS]:
                assert words.names(GAME.view(state, seat)) == {PASS: "pass"}
                assert (
                    parse("Pass.", words.names(GAME.view(state, seat)), words.aliases(GAME.view(state, seat))) == PASS
                )
                view = GAME.view(GAME.play(state, {seat: PASS}, rng), 1 - seat)
                role = words.ROLES[seat].capitalize()
                assert f"{role} could not move and passed." in words.history(view)
                assert "Last move" not in words.describe(view)
                assert np.array_equal(picture.draw(view), picture.draw(view._replace(last=None)))
                return
            state = GAME.play(state, {seat: int(rng.choice(GAME.legal(state, seat)))}, rng)
    raise AssertionError("no game had a pass")


def test_the_board_lets_a_blocked_side_pass_and_ends_when_both_are():
    state = board_state(discs(b="A1", w="A2"), 1)  # white cannot move, black can
    assert GAME.movers(state) == (1,) and GAME.legal(state, 1) == (PASS,)
    state = GAME.play(state, {1: PASS}, RNG)
    assert GAME.movers(state) == (0,) and [words.NAMES[cell] for cell in GAME.legal(state, 0)] == ["A3"]
    state = GAME.play(state, {0: words.NAMES.index("A3")}, RNG)
    assert GAME.movers(state) == () and GAME.returns(state) == (1.0, -1.0), "black owns every disc"


@pytest.mark.parametrize("reply", ["C4", "c4", "4C", '{"action": "C4"}', "Action: C4."])
def test_replies_may_turn_a_name_round(reply):
    view = GAME.view(GAME.start(RNG), 0)
    assert words.NAMES[parse(reply, words.names(view), words.aliases(view))] == "C4"


@pytest.mark.parametrize("reply", ["A1", "C3", "pass", "D4", "I play C4 now"])
def test_other_words_are_no_move(reply):
    view = GAME.view(GAME.start(RNG), 0)
    assert isinstance(parse(reply, words.names(view), words.aliases(view)), Illegal)


def test_only_the_player_to_move_has_names():
    state = after("C4")
    assert words.names(GAME.view(state, 0)) == {} == words.names(GAME.view(state, None))
    assert sorted(words.names(GAME.view(state, 1)).values()) == ["C3", "C5", "E3"]


def test_the_rules_say_what_equal_numbers_are():
    assert "equal numbers are a draw" in words.rules(GAME.view(GAME.start(RNG), 0))


def test_text_next_to_a_picture_does_not_tell_the_board():
    state = after(*OPENING)
    assert words.history(GAME.view(state, 0)) == "Move 5. Black is to move: your turn."
    assert "Last move: white E3." in words.describe(GAME.view(state, 1))


def test_cells_are_coded_row_by_row():
    view = ReversiView(None, discs(b="A1 H8", w="A8 C2"), 0)
    rows = cells(view)
    assert (rows[0][0], rows[7][7], rows[0][7], rows[2][1]) == (1, 1, 2, 2)
    assert sum(map(sum, rows)) == 6 and len(rows) == 8 and {len(row) for row in rows} == {8}
    assert set(words.CODES) == {0, 1, 2} and "black" in words.CODES[1] and "white" in words.CODES[2]


@pytest.mark.parametrize("size", [64, 128, 301, 512])
@pytest.mark.parametrize("place", ["A1", "A8", "H1", "H8", "C6", "F3"])
def test_a_disc_is_drawn_on_the_cell_its_name_says_and_nowhere_else(place, size):
    empty = picture.draw(ReversiView(None, NO_DISCS, 0), size)
    row, column = "ABCDEFGH".index(place[0]), int(place[1]) - 1
    brightness = {}
    for disc in "bw":
        frame = picture.draw(ReversiView(None, discs(**{disc: place}), 0), size)
        assert frame.shape == (size, size, 3) and frame.dtype == np.uint8 and frame.flags.writeable
        rows, columns = np.nonzero((frame != empty).any(axis=2))
        side = picture.corner(1, size)[0] - picture.corner(0, size)[0]
        left, top = picture.corner(8 * row + column, size)
        assert left <= columns.min() and columns.max() < left + side
        assert top <= rows.min() and rows.max() < top + side
        brightness[disc] = frame[rows, columns].mean()
    assert brightness["b"] + 80 < brightness["w"]


@pytest.mark.parametrize("size", [128, 512])
def test_labels_stand_beside_their_rows_and_above_their_columns(size):
    dark = (picture.draw(ReversiView(None, NO_DISCS, 0), size) < 130).all(axis=2)
    side = picture.corner(1, size)[0] - picture.corner(0, size)[0]
    for place in range(8):
        x, y = picture.corner(9 * place, size)
        edge = picture.corner(0, size)[0] - max(1, size // 200)
        for strip in (dark[:edge, x : x + side], dark[y : y + side, :edge].T):
            marked = np.nonzero(strip.any(axis=0))[0]
            assert abs(marked.mean() - side / 2) < side / 5, "a label is centred on its row or column"


def test_only_the_cell_of_the_last_move_is_gold():
    view = GAME.view(after(*OPENING), 0)
    frame = picture.draw(view)
    for cell in range(64):
        x, y = picture.corner(cell, 512)
        assert tuple(frame[y + 3, x + 30]) == (picture.LAST_MOVE if words.NAMES[cell] == "E3" else picture.FELT)


def test_features_tell_own_discs_from_the_others():
    black, white = (picture.features(GAME.view(after("C4"), seat)) for seat in (0, 1))
    assert black.shape == (130,) and black.dtype == np.float32
    assert (black[:64] == white[64:128]).all() and black[:64].sum() == 4 and black[64:128].sum() == 1
    assert black[words.NAMES.index("C4")] == 1.0
    assert black[128:].tolist() == [0.0, 0.0] and white[128:].tolist() == [1.0, 1.0]


class ByDiscs(Reversi):
    """With a judge of its own, so that minimax works on the Game contract."""

    def evaluate(self, state, seat):
        view = self.view(state, None)
        return (view.cells.count("b") - view.cells.count("w")) / 65


class ByMovesAndCorners(Reversi):
    def evaluate(self, state, seat):
        view = self.view(state, None)
        corners = [view.cells[words.NAMES.index(name)] for name in ("A1", "A8", "H1", "H8")]
        freedom = len(plain_moves(view.cells, "b")) - len(plain_moves(view.cells, "w"))
        return (freedom + 10 * (corners.count("b") - corners.count("w"))) / 128


@pytest.mark.parametrize(("agent", "plain"), [(Minimax, ByMovesAndCorners), (DiscMinimax, ByDiscs)])
def test_the_compiled_search_finds_what_the_plain_one_finds(agent, plain):
    rng = np.random.default_rng(4)
    slow, state = plain(GAME.spec), GAME.start(rng)
    number = 0
    minimax._memo.cache_clear()  # the two plain games share a name
    while movers := GAME.movers(state):
        if number % 9 == 0:
            assert agent(3).best(GAME, state) == Minimax(3).best(slow, state) == agent().best(GAME, state)
        state = GAME.play(state, {movers[0]: int(rng.choice(GAME.legal(state, movers[0])))}, rng)
        number += 1


@pytest.mark.parametrize(("agent", "least"), [("minimax", 95), ("disc_minimax", 65)])
def test_three_moves_ahead_beat_random_play(agent, least):
    wins = [(match(ID, agents, 50, seed=1).returns()[:, seat] == 1).sum()
            for seat, agents in enumerate(([agent, "random"], ["random", agent]))]  # fmt: skip
    assert sum(wins) >= least


def test_tree_search_beats_random_play():
    agents = ["mcts:simulations=40", "random"]
    assert (match(ID, agents, 10, seed=1).returns()[:, 0] == 1).sum() >= 9
