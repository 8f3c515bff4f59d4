"""What holds for every game whose rules are a kernel, over whole games of random play."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mmgames
from mmgames.core import registry
from mmgames.core.game import CHANCE
from mmgames.kernels.kernel_game import EVERYBODY, NOBODY, kernel_of

GAMES = [
    spec.id
    for spec in mmgames.specs.values()
    if spec.actions == "discrete" and not registry.why_missing(spec) and kernel_of(registry.load(spec.id).game())
]
a_few_games = settings(max_examples=25)  # an example is a whole game, dozens of positions


def any_rng(choices):
    """A generator that belongs to the example: what it deals is drawn anew with it."""
    return np.random.default_rng(choices.getrandbits(32))


def moved(game, state, choices):
    """The state after any legal moves of all movers, or after any outcome of chance."""
    movers = game.movers(state)
    if movers == (CHANCE,):
        return game.play(
            state, {CHANCE: choices.choice([outcome for outcome, _ in game.chance(state)])}, any_rng(choices)
        )
    return game.play(state, {seat: choices.choice(game.legal(state, seat)) for seat in movers}, any_rng(choices))


def test_the_games_that_search_agents_need_have_kernels():
    assert {"mmgames/Breakthrough-v0", "mmgames/TicTacToe-v0", "mmgames/Chess-v0"} <= set(GAMES)


@pytest.mark.parametrize("id", GAMES)
@a_few_games
@given(choices=st.randoms(use_true_random=False))
def test_a_kernel_and_its_game_agree(id, choices):
    game = registry.load(id).game()
    kernel, totals = kernel_of(game), np.empty(len(game.seats))
    state = game.start(any_rng(choices))
    for _ in range(60):
        whose, movers = kernel.turn(state.record), game.movers(state)
        assert movers == {NOBODY: (), EVERYBODY: tuple(range(len(game.seats)))}.get(whose, (whose,))
        kernel.returns(state.record, totals)
        assert totals.tolist() == list(game.returns(state))
        if not movers:
            break
        for seat in movers:
            if seat != CHANCE:
                assert kernel.legal(state, seat) == tuple(sorted(game.legal(state, seat)))
        assert -1 < kernel.evaluate(state.record) < 1
        state = moved(game, state, choices)


@pytest.mark.parametrize("id", GAMES)
@a_few_games
@given(choices=st.randoms(use_true_random=False))
def test_moves_are_listed_once_within_the_promised_room(id, choices):
    game = registry.load(id).game()
    kernel = kernel_of(game)
    out = np.full(kernel.moves_capacity + 1, -1, np.int64)
    state = game.start(any_rng(choices))
    for list_moves in filter(None, (kernel.moves, kernel.candidates)):
        for _ in range(30):
            movers = game.movers(state)
            for seat in movers:
                if seat != CHANCE:
                    n = list_moves(state.record, seat, out)
                    listed = out[:n].tolist()
                    assert n > 0 and out[-1] == -1 and len(set(listed)) == n
                    assert set(listed) <= set(game.legal(state, seat))
            if not movers:
                break
            state = moved(game, state, choices)
