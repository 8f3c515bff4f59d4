"""Minimax and tree search: compiled and plain ones agree, ties are fair, proofs right, and refusals sentences."""

from collections import Counter
from functools import cache
from math import inf, nan

import numpy as np
import pytest

import mmgames
from mmgames.agents.finding import known_agents, make_agent
from mmgames.baselines.search.mcts import MCTS, Candidate
from mmgames.baselines.search.minimax import Minimax
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.running.matches import match
from mmgames.testing.playing import begin
from tests.refusing import refused
from tests.rules.plain import after, without_kernel

ROOMS = registry.load("TicTacToe")
GAME = ROOMS.game()
RNG = np.random.default_rng(0)


def play(agents, seed: int) -> list[float]:
    live = LiveGame(ROOMS, GAME)
    rng = np.random.default_rng(seed)
    live.start(rng)
    while live.movers:
        seat = live.movers[0]
        live.play({seat: live.check(seat, agents[seat].act(Turn(live, seat, rng)))})
    return live.totals


def test_minimax_never_loses_to_random_and_draws_against_itself():
    for seat in [0, 1]:
        agents = [make_agent("random", ROOMS.spec), make_agent("random", ROOMS.spec)]
        agents[seat] = make_agent("minimax", ROOMS.spec)
        results = Counter(play(agents, seed)[seat] for seed in range(250))
        assert results[-1.0] == 0
        assert results[1.0] > 150, "random play loses most of the time"
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
    state = after(GAME, *opening)
    (mover,) = GAME.movers(state)
    values = {cell: plain_value(GAME.play(state, {mover: cell}, RNG)) for cell in GAME.legal(state, mover)}
    best = (min if mover else max)(values.values())
    found = Minimax().best(GAME, state)
    assert found and {values[cell] for cell in found} == {best}
    if best == 0:
        assert found == [cell for cell, value in values.items() if value == 0], "all draws are equally good"


def test_a_win_is_taken_at_once_a_loss_put_off_and_the_centre_answered_in_a_corner():
    assert Minimax().best(GAME, after(GAME, 0, 3, 1, 4)) == [2]
    assert Minimax().best(GAME, after(GAME, 0, 3, 1, 4, 8)) == [5]
    lost = after(GAME, 0, 1, 4)
    assert plain_value(lost) == 1.0
    assert Minimax().best(GAME, lost) == [8], "O is lost, but does not let X win with the next move"
    assert Minimax().best(GAME, after(GAME, 4)) == [0, 2, 6, 8]


def test_ties_are_broken_evenly_and_a_game_can_say_what_a_position_is_worth():
    live = begin(ROOMS.spec, 3)
    rng = np.random.default_rng(3)
    counts = Counter(Minimax().act(Turn(live, 0, rng)) for _ in range(1800))
    assert set(counts) == set(range(9))
    assert min(counts.values()) > 140 and max(counts.values()) < 260

    class LikesTheMiddle(type(GAME)):
        def evaluate(self, state, seat):
            centre = self.view(state, None).cells[4]
            return 0.0 if centre < 0 else 0.5 if centre == (1, 0)[seat] else -0.5

    game = LikesTheMiddle(mmgames.specs["mmgames/TicTacToe-v0"])
    # Another name keeps what is remembered about the two games apart.
    game.spec = type(game.spec)(**{**game.spec.__dict__, "name": "TicTacToeWithTaste"})
    assert Minimax(1).best(game, after(GAME)) == [4]
    assert Minimax(1).best(game, after(GAME, 0)) == [4]


def test_minimax_sees_as_far_as_its_depth_and_never_beyond_the_game():
    fork = after(GAME, 0, 8)  # only deep search tells the forking corners from the rest
    assert Minimax(1).best(GAME, fork) == list(GAME.legal(fork, 0))
    assert set(Minimax().best(GAME, fork)) < set(GAME.legal(fork, 0))
    assert Minimax(2).best(GAME, after(GAME, 0, 3, 1)) == [2], "two moves ahead it sees the threat"
    assert Minimax(10**9).best(GAME, after(GAME, 4)) == Minimax().best(GAME, after(GAME, 4))
    fresh = [Minimax(depth).best(GAME, after(GAME, 0, 1)) for depth in (1, 2, 3, 5, None)]
    for depth in (None, 4, 2, 1):
        Minimax(depth).best(GAME, after(GAME))
    assert [Minimax(depth).best(GAME, after(GAME, 0, 1)) for depth in (1, 2, 3, 5, None)] == fresh


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


def test_impossible_depths_and_numbers_are_refused_in_a_sentence():
    for depth in [0, -3, 2.5, True, "deep"]:
        refused(lambda depth=depth: Minimax(depth), r"depth=.* whole number")
        refused(lambda: make_agent("minimax:depth=0", ROOMS.spec), "depth=0")
    assert make_agent("minimax:depth=3", ROOMS.spec).depth == 3
    assert make_agent("minimax:3", ROOMS.spec).depth == 3
    for options in [{"simulations": 0}, {"rollouts": -1}, {"simulations": 2.5}, {"rollouts": True}]:
        refused(lambda options=options: MCTS(**options), r"is not possible: give a whole number from 1\.")
    for c in [-1, inf, nan, "much", True]:
        refused(lambda c=c: MCTS(c=c), r"c=.* is not possible: give a number from 0\.")
    with pytest.raises(MmgamesError, match=r"simulations=10000000000 is too many"):
        MCTS(10**10).search(BREAKTHROUGH, BREAKTHROUGH.start(RNG), np.uint64(0))


BREAKTHROUGH = registry.load("Breakthrough").game()


def best(found: list[Candidate]) -> int:
    return max(found, key=lambda move: (move.proven or 0.0, move.visits, move.mean)).action


@pytest.mark.parametrize("opening", [(), (4,), (0, 4), (0, 1, 4), (0, 4, 8, 2, 6), (0, 1, 2, 4, 3, 5, 7, 6)])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_compiled_tree_search_and_the_plain_one_find_the_same(opening, seed):
    state, plain = after(GAME, *opening), without_kernel("TicTacToe")
    for agent in (MCTS(60, 3), MCTS(200, 1, c=0.5)):
        ours, theirs = (agent.search(game, state, np.uint64(seed)) for game in (GAME, plain))
        assert [move[:2] for move in ours] == [move[:2] for move in theirs]
        assert [move.mean for move in ours] == pytest.approx([move.mean for move in theirs])
        assert [move.proven for move in ours] == [move.proven for move in theirs]


def test_every_move_is_tried_before_one_is_tried_twice_and_proofs_are_right():
    for seed in range(5):
        for simulations in (1, 9, 22, 44):
            found = MCTS(simulations, 1).search(BREAKTHROUGH, BREAKTHROUGH.start(RNG), np.uint64(seed))
            assert len(found) == 22 and all(-1 <= move.mean <= 1 for move in found)
            assert sorted(move.visits for move in found)[-min(simulations, 22)] >= 1
            assert sum(move.visits for move in found) == simulations
    for opening in [(0, 3, 1, 4), (0, 1, 4), (0, 8, 2), (4, 1, 0), (4, 0, 1, 7, 2), (0, 1, 2, 4, 3, 5, 7)]:
        state = after(GAME, *opening)
        (mover,) = GAME.movers(state)
        proven = {}
        for move in MCTS(5000, 1).search(GAME, state, np.uint64(7)):
            if move.proven is not None:
                child = GAME.play(state, {mover: move.action}, RNG)
                while GAME.movers(child):
                    child = GAME.play(child, {GAME.movers(child)[0]: Minimax().best(GAME, child)[0]}, RNG)
                proven[move.action] = move.proven
                assert move.proven == GAME.returns(child)[mover]
        assert proven, "small positions are proven"


def test_a_win_is_taken_and_a_loss_avoided_and_tic_tac_toe_never_lost():
    for seed in range(20):
        assert best(MCTS(50, 1).search(GAME, after(GAME, 0, 3, 1, 4), np.uint64(seed))) == 2
        assert best(MCTS(200, 1).search(GAME, after(GAME, 0, 4, 1), np.uint64(seed))) == 2
    agents = ["mcts:simulations=1000", "minimax"]
    assert (match("TicTacToe", agents, 20).returns() == 0).all()
    assert (match("TicTacToe", agents[::-1], 20).returns() == 0).all()


def test_more_simulations_play_better_and_the_rng_settles_everything():
    returns = [
        match("Breakthrough", agents, 8).returns()
        for agents in (["mcts:400,2", "mcts:25,2"], ["mcts:25,2", "mcts:400,2"])
    ]
    assert returns[0][:, 0].sum() + returns[1][:, 1].sum() >= 10, "of sixteen games it wins at least thirteen"
    live = begin(BREAKTHROUGH.spec)

    def chosen(seed: int) -> list[int]:
        rng = np.random.default_rng(seed)
        return [MCTS(40, 2).act(Turn(live, 0, rng)) for _ in range(6)]

    assert chosen(5) == chosen(5)
    assert len({tuple(chosen(seed)) for seed in range(4)}) == 4
    assert len(Counter(chosen(5))) > 1, "one turn after another draws on"


@pytest.mark.parametrize("id", ["CoinDilemma", "KuhnPoker"])
@pytest.mark.parametrize("search", [MCTS, Minimax])
def test_games_that_a_search_cannot_play_are_refused_in_a_sentence(search, id):
    loaded = registry.load(id)
    assert search.__name__.lower() not in known_agents(loaded.spec)
    live = begin(loaded.spec)
    refused(lambda: search().act(Turn(live, 0, RNG)), f"{search.__name__} cannot play mmgames/{id}-v0")
