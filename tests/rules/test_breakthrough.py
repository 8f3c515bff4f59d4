"""Breakthrough: OpenSpiel's rules, names that agree with the picture, pieces where the moves went."""

from __future__ import annotations

import numpy as np
import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmgames
from mmgames.games.breakthrough import picture, words
from mmgames.games.breakthrough.rules import Breakthrough, BreakthroughView, board_state, captures, ends
from mmgames.kernels.bitboard import EMPTY
from mmgames.kernels.records import RecordState
from mmgames.text.refusals import Illegal
from mmgames.text.replies import parse

ID = "mmgames/Breakthrough-v0"
GAME: Breakthrough = mmgames.load_game(ID)
RNG = np.random.default_rng(0)
START = "b" * 16 + "." * 32 + "w" * 16


def after(*names: str) -> RecordState:
    state = GAME.start(RNG)
    for name in names:
        (seat,) = GAME.movers(state)
        moves = {text: action for action, text in words.names(GAME.view(state, seat)).items()}
        state = GAME.play(state, {seat: moves[name]}, RNG)
    return state


# White's b-pawn and black's a-pawn meet: a5 can take b4, then a3 can take b4 back.
CLASH = ("a7a6", "b2b3", "a6a5", "b3b4")


@given(st.randoms(use_true_random=False))
def test_every_game_agrees_with_openspiel(choices):
    theirs = pyspiel.load_game("breakthrough").new_initial_state()
    ours = GAME.start(RNG)
    while not theirs.is_terminal():
        seat = theirs.current_player()
        view = GAME.view(ours, seat)
        assert [line.replace(" ", "") for line in words.describe(view).splitlines()[1:9]] == str(theirs).split()[:8]
        assert GAME.movers(ours) == (seat,) and view.mover == seat and view.winner is None
        assert list(GAME.legal(ours, seat)) == theirs.legal_actions() == list(words.names(view))
        for action, name in words.names(view).items():
            assert theirs.action_to_string(action) == name + "*" * captures(action)
        action = choices.choice(theirs.legal_actions())
        ours = GAME.play(ours, {seat: action}, RNG)
        theirs.apply_action(action)
        assert GAME.view(ours, None).last == action
    assert GAME.movers(ours) == ()
    assert list(GAME.returns(ours)) == theirs.returns()
    view = GAME.view(ours, None)
    assert theirs.returns()[view.winner] == 1.0
    assert f"{words.ROLES[view.winner]} has won" in words.history(view)


def test_black_moves_first_and_down_the_board():
    state = GAME.start(RNG)
    assert GAME.seats == ("black", "white") and GAME.movers(state) == (0,)
    assert GAME.view(state, 0).cells == START
    assert "a7a6" in words.names(GAME.view(state, 0)).values()
    assert "a2a3" in words.names(GAME.view(after("a7a6"), 1)).values()


def test_pieces_capture_diagonally_and_are_stopped_straight_ahead():
    met = after("a7a6", "a2a3", "a6a5", "a3a4", "h7h6", "h2h3")
    assert "a5a4" not in words.names(GAME.view(met, 0)).values()
    clash = GAME.view(after(*CLASH), 0)
    assert "a5b4" in words.names(clash).values()
    taken = GAME.view(after(*CLASH, "a5b4"), 1)
    assert taken.cells.count("w") == 15 and taken.cells[words.PLACES.index("b4")] == "b"
    assert "Last move: black a5b4, a capture." in words.describe(taken)


def test_whoever_captures_everything_wins():
    state = GAME.start(RNG)
    while GAME.movers(state):  # black captures what it can, white walks into it, and nobody wants to get through
        (seat,) = GAME.movers(state)
        after_move = {action: GAME.play(state, {seat: action}, RNG) for action in GAME.legal(state, seat)}

        def wish(action, seat=seat, after_move=after_move):
            through = words.NAMES[action][3] in "18"
            replies = [captures(reply) for reply in GAME.legal(after_move[action], 1 - seat)]
            return not through, captures(action) == (seat == 0), any(replies) == (seat == 1)

        assert GAME.returns(state) == (0.0, 0.0)
        state = after_move[max(after_move, key=wish)]
    view = GAME.view(state, None)
    assert "w" not in view.cells and "b" not in view.cells[-8:]
    assert view.winner == 0 and list(GAME.returns(state)) == [1.0, -1.0]


def test_a_piece_on_the_far_side_wins():
    assert BreakthroughView(None, "." * 63 + "b", None).winner == 0
    assert BreakthroughView(None, "w" + "b" * 7 + "." * 56, None).winner == 1
    for cells, mover, result in (
        ("." * 48 + "b" + "." * 7 + "." * 7 + "w", 0, 1),
        ("b" + "." * 7 + "." * 7 + "w" + "." * 48, 1, -1),
    ):
        state = board_state(cells, mover)
        for action in GAME.legal(state, mover):
            ended = GAME.play(state, {mover: action}, RNG)
            assert GAME.movers(ended) == () and GAME.returns(ended) == (result, -result)


@pytest.mark.parametrize("reply", ["a5b4", "A5B4", "a5b4*", "a5xb4", "a5-b4", '{"action": "a5b4*"}', "Movement: a5xb4"])
def test_replies_may_mark_a_capture(reply):
    view = GAME.view(after(*CLASH), 0)
    action = parse(reply, words.names(view), words.aliases(view))
    assert words.NAMES[action] == "a5b4" and captures(action)


@pytest.mark.parametrize("reply", ["b5b4", "a5xa4", "a5", "b4", "a5b4c3", "I take on b4 with a5b4 now", "a5a6"])
def test_other_words_are_no_move(reply):
    view = GAME.view(after(*CLASH), 0)
    assert isinstance(parse(reply, words.names(view), words.aliases(view)), Illegal)


def test_only_the_player_to_move_has_names():
    state = after("a7a6")
    assert words.names(GAME.view(state, 0)) == {} == words.names(GAME.view(state, None))
    assert len(words.names(GAME.view(state, 1))) == 22


def test_text_next_to_a_picture_does_not_tell_the_board():
    state = after(*CLASH)
    assert words.history(GAME.view(state, 0)) == "Move 5. Black is to move: your turn."
    assert words.history(GAME.view(state, 1)) == "Move 5. Black is to move."
    assert "Last move: white b3b4." in words.describe(GAME.view(state, 1))


def lone(place: str, piece: str) -> BreakthroughView:
    at = words.PLACES.index(place)
    return BreakthroughView(None, EMPTY * at + piece + EMPTY * (63 - at), 0)


@pytest.mark.parametrize("size", [64, 128, 301, 512])
@pytest.mark.parametrize("place", ["a1", "a8", "h1", "h8", "c6", "f3"])
def test_a_piece_is_drawn_on_the_square_its_name_says_and_nowhere_else(place, size):
    empty = picture.draw(BreakthroughView(None, EMPTY * 64, 0), size)
    column, rank = "abcdefgh".index(place[0]), int(place[1])
    brightness = {}
    for piece in "bw":
        frame = picture.draw(lone(place, piece), size)
        assert frame.shape == (size, size, 3) and frame.dtype == np.uint8 and frame.flags.writeable
        rows, columns = np.nonzero((frame != empty).any(axis=2))
        side = picture.corner(1, size)[0] - picture.corner(0, size)[0]
        left, top = picture.corner(8 * (8 - rank) + column, size)
        assert left <= columns.min() and columns.max() < left + side
        assert top <= rows.min() and rows.max() < top + side
        brightness[piece] = frame[rows, columns].mean()
    assert brightness["b"] + 80 < brightness["w"]


@pytest.mark.parametrize("size", [128, 512])
def test_labels_stand_beside_their_ranks_and_below_their_files(size):
    frame = picture.draw(BreakthroughView(None, EMPTY * 64, 0), size)
    dark = (frame < 130).all(axis=2)
    side = picture.corner(1, size)[0] - picture.corner(0, size)[0]
    for place in range(8):
        x, y = picture.corner(9 * place, size)
        left, bottom = picture.corner(0, size)[0], picture.corner(56, size)[1] + side
        for strip in (dark[bottom + 1 :, x : x + side], dark[y : y + side, : left - 1].T):
            marked = np.nonzero(strip.any(axis=0))[0]
            assert abs(marked.mean() - side / 2) < side / 5, "a label is centred on its rank or file"


def test_the_two_squares_of_the_last_move_are_gold():
    frame = picture.draw(GAME.view(after(*CLASH), 0))
    plain = picture.draw(GAME.view(after(*CLASH), 0)._replace(last=None))
    source, target = ends(GAME.view(after(*CLASH), 0).last)
    assert (words.PLACES[source], words.PLACES[target]) == ("b3", "b4")
    for cell in range(64):
        x, y = picture.corner(cell, 512)
        assert (tuple(frame[y + 2, x + 2]) in picture.LAST_MOVE) == (cell in (source, target))
        assert tuple(plain[y + 2, x + 2]) in picture.SQUARES


def test_features_read_alike_from_both_seats():
    black, white = (picture.features(GAME.view(GAME.start(RNG), seat)) for seat in (0, 1))
    assert black.shape == (130,) and black.dtype == np.float32
    assert (black[:128] == white[:128]).all(), "the board at the start looks the same from either side"
    assert black[128:].tolist() == [1.0, 0.0] and white[128:].tolist() == [0.0, 1.0]
    black, white = (picture.features(GAME.view(after("c7c6"), seat)) for seat in (0, 1))
    own, other = black[:64].reshape(8, 8), white[64:128].reshape(8, 8)
    assert (own == other[::-1]).all(), "what is far to one is near to the other"
    assert own[5, 2] == 1.0 and own[6, 2] == 0.0, "five rows lie ahead of the piece on c6"


def test_the_game_is_over_for_both_faces_when_a_piece_gets_through():
    env = mmgames.aec_env(ID, observe=("text", "action_mask"))
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    while not any(env.terminations.values()):
        env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))
    assert sorted(env.rewards.values()) == [-1.0, 1.0]
    assert "has won" in env.observe("black")["text"]
