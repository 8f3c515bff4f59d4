"""Reversi: OpenSpiel's rules, names that agree with the picture, passes that are named and told."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmgames
from mmgames.baselines.search import minimax
from mmgames.baselines.search.minimax import Minimax
from mmgames.baselines.search.reversi import DiscMinimax
from mmgames.games.reversi import picture, words
from mmgames.games.reversi.rules import PASS, Reversi, board_state, legal_moves
from mmgames.kernels.bitboard import EMPTY
from mmgames.running.matches import match
from mmgames.text.replies import parse

ID = "mmgames/Reversi-v0"
GAME: Reversi = mmgames.load_game(ID)
RNG = np.random.default_rng(0)


def discs(**places: str) -> str:
    """A board with discs at some places: discs(b="A1 A2", w="B3")."""
    board = list(EMPTY * 64)
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


@given(st.text("..bw", min_size=64, max_size=64), st.sampled_from([0, 1]))
def test_moves_are_found_on_any_board(board, seat):
    assert list(legal_moves(board, seat)) == (plain_moves(board, "bw"[seat]) or [PASS])


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
