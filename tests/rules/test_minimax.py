"""Minimax plays TicTacToe perfectly, sees ahead at Breakthrough, breaks ties fairly and says what it cannot play."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest

import mmgames
from mmgames.agents.finding import known_agents, make_agent
from mmgames.baselines.search.minimax import Minimax
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from tests.rules.plain import without_kernel

ROOMS = registry.load("TicTacToe")
GAME = ROOMS.game()
RNG = np.random.default_rng(0)


def after(*cells: int):
    state = GAME.start(RNG)
    for cell in cells:
        state = GAME.play(state, {GAME.movers(state)[0]: cell}, RNG)
    return state


def play(agents, seed: int) -> list[float]:
    live = LiveGame(ROOMS, GAME)
    rng = np.random.default_rng(seed)
    live.start(rng)
    while live.movers:
        seat = live.movers[0]
        live.play({seat: live.check(seat, agents[seat].act(Turn(live, seat, rng)))})
    return live.totals


@pytest.mark.parametrize("seat", [0, 1])
def test_minimax_never_loses_to_random(seat):
    agents = [make_agent("random", ROOMS.spec), make_agent("random", ROOMS.spec)]
    agents[seat] = make_agent("minimax", ROOMS.spec)
    results = Counter(play(agents, seed)[seat] for seed in range(250))
    assert results[-1.0] == 0
    assert results[1.0] > 150, "random play loses most of the time"


def test_minimax_always_draws_against_itself():
    assert {tuple(play([Minimax(), Minimax()], seed)) for seed in range(100)} == {(0.0, 0.0)}


@cache
def plain_value(state) -> float:
    """The value to X by the definition, without cuts."""
    movers = GAME.movers(state)
    if not movers:
        return GAME.returns(state)[0]
    values = [plain_value(GAME.play(state, {movers[0]: cell}, RNG)) for cell in GAME.legal(state, movers[0])]
    return min(values) if movers[0] else max(values)


@pytest.mark.parametrize("opening", [(4, 1), (0, 8), (0, 4), (1, 7), (0, 1), (4, 0, 8), (0, 4, 8), (1, 0, 4)])
def test_the_moves_found_have_the_value_of_the_position(opening):
    state = after(*opening)
    (mover,) = GAME.movers(state)
    values = {cell: plain_value(GAME.play(state, {mover: cell}, RNG)) for cell in GAME.legal(state, mover)}
    best = (min if mover else max)(values.values())
    found = Minimax().best(GAME, state)
    assert found and {values[cell] for cell in found} == {best}
    if best == 0:
        assert found == [cell for cell, value in values.items() if value == 0], "all draws are equally good"


def test_a_win_is_taken_at_once_and_a_loss_put_off():
    assert Minimax().best(GAME, after(0, 3, 1, 4)) == [2]
    assert Minimax().best(GAME, after(0, 3, 1, 4, 8)) == [5]
    lost = after(0, 1, 4)
    assert plain_value(lost) == 1.0
    assert Minimax().best(GAME, lost) == [8], "O is lost, but does not let X win with the next move"


def test_answers_to_the_centre_are_the_four_corners():
    assert Minimax().best(GAME, after(4)) == [0, 2, 6, 8]


def test_ties_are_broken_evenly_by_the_rng():
    live = LiveGame(ROOMS, GAME)
    live.start(np.random.default_rng(3))
    rng = np.random.default_rng(3)
    counts = Counter(Minimax().act(Turn(live, 0, rng)) for _ in range(1800))
    assert set(counts) == set(range(9))
    assert min(counts.values()) > 140 and max(counts.values()) < 260


def test_what_was_searched_before_does_not_change_the_choice():
    fresh = [Minimax(depth).best(GAME, after(0, 1)) for depth in (1, 2, 3, 5, None)]
    for depth in (None, 4, 2, 1):
        Minimax(depth).best(GAME, after())
    assert [Minimax(depth).best(GAME, after(0, 1)) for depth in (1, 2, 3, 5, None)] == fresh


def test_a_depth_limits_how_far_it_sees():
    fork = after(0, 8)  # only deep search tells the forking corners from the rest
    assert Minimax(1).best(GAME, fork) == list(GAME.legal(fork, 0))
    assert set(Minimax().best(GAME, fork)) < set(GAME.legal(fork, 0))
    assert Minimax(2).best(GAME, after(0, 3, 1)) == [2], "two moves ahead it sees the threat"


def test_a_game_can_say_what_a_position_is_worth():
    class LikesTheMiddle(type(GAME)):
        def evaluate(self, state, seat):
            centre = self.view(state, None).cells[4]
            return 0.0 if centre < 0 else 0.5 if centre == (1, 0)[seat] else -0.5

    game = LikesTheMiddle(mmgames.specs["mmgames/TicTacToe-v0"])
    # Another name keeps what is remembered about the two games apart.
    game.spec = type(game.spec)(**{**game.spec.__dict__, "name": "TicTacToeWithTaste"})
    assert Minimax(1).best(game, after()) == [4]
    assert Minimax(1).best(game, after(0)) == [4]


def positions(game, seed: int):
    """The positions of a random game."""
    rng = np.random.default_rng(seed)
    state = game.start(rng)
    while movers := game.movers(state):
        yield state
        state = game.play(state, {movers[0]: int(rng.choice(game.legal(state, movers[0])))}, rng)


@pytest.mark.parametrize("depth", [1, 2, 3, 4, None])
def test_the_compiled_search_and_the_plain_one_find_the_same(depth):
    plain = without_kernel("TicTacToe")
    for seed in range(12):
        for state in positions(GAME, seed):
            assert Minimax(depth).best(GAME, state) == Minimax(depth).best(plain, state)


def advance(cells: str) -> float:
    """How far the foremost black piece has come less how far the foremost white one has, over seven steps."""
    black = max(at // 8 for at, piece in enumerate(cells) if piece == "b")
    white = max(7 - at // 8 for at, piece in enumerate(cells) if piece == "w")
    return (black - white) / 7


def uncut_best(game, state, depth: int) -> list[int]:
    """The best moves by the definition: every line is looked at, and later results count a millionth less."""

    def value(state, depth: int) -> float:
        movers = game.movers(state)
        if not movers:
            return game.returns(state)[0]
        if depth == 0:
            return advance(game.view(state, None).cells)
        return (1 - 1e-6) * (min if movers[0] else max)(values(state, depth).values())

    def values(state, depth: int) -> dict[int, float]:
        (mover,) = game.movers(state)
        return {action: value(game.play(state, {mover: action}, RNG), depth - 1) for action in game.legal(state, mover)}

    found = values(state, depth)
    best = (min if game.movers(state)[0] else max)(found.values())
    return [action for action, worth in found.items() if abs(worth - best) < 1e-9]


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_all_equally_good_moves_of_breakthrough_are_found(depth):
    game = registry.load("Breakthrough").game()
    every = {1: 1, 2: 8, 3: 32}[depth]
    for state in list(positions(game, depth))[::every]:
        assert Minimax(depth).best(game, state) == uncut_best(game, state, depth)


def test_looking_farther_than_the_game_lasts_changes_nothing():
    assert Minimax(10**9).best(GAME, after(4)) == Minimax().best(GAME, after(4))


@pytest.mark.parametrize("depth", [0, -3, 2.5, True, "deep"])
def test_an_impossible_depth_is_refused_in_a_sentence(depth):
    with pytest.raises(MmgamesError, match=r"depth=.* whole number"):
        Minimax(depth)
    with pytest.raises(MmgamesError, match="depth=0"):
        make_agent("minimax:depth=0", ROOMS.spec)


def test_a_depth_can_be_given_by_name():
    assert make_agent("minimax:depth=3", ROOMS.spec).depth == 3
    assert make_agent("minimax:3", ROOMS.spec).depth == 3


@pytest.mark.parametrize("id", ["CoinDilemma", "KuhnPoker"])
def test_games_it_cannot_play_are_refused_in_a_sentence(id):
    loaded = registry.load(id)
    assert "minimax" not in known_agents(loaded.spec)
    live = LiveGame(loaded, loaded.game())
    live.start(np.random.default_rng(0))
    with pytest.raises(MmgamesError, match=f"Minimax cannot play mmgames/{id}-v0"):
        Minimax().act(Turn(live, 0, RNG))
