"""Breakthrough: OpenSpiel's rules, names that agree with the picture, pieces where the moves went."""

from __future__ import annotations

import numpy as np

import mmgames
from mmgames.games.breakthrough import words
from mmgames.games.breakthrough.rules import Breakthrough, BreakthroughView, board_state, captures

ID = "mmgames/Breakthrough-v0"
GAME: Breakthrough = mmgames.load_game(ID)
RNG = np.random.default_rng(0)


# White's b-pawn and black's a-pawn meet: a5 can take b4, then a3 can take b4 back.
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
