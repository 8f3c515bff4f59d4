"""KuhnPoker: the rules, information sets, nothing hidden leaks, equilibria that nothing beats, regret minimisation."""

from collections.abc import Iterator
from functools import partial

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as spiel_policy
from open_spiel.python.algorithms import cfr as spiel_cfr
from open_spiel.python.algorithms import expected_game_score
from open_spiel.python.algorithms import exploitability as spiel_exploitability

from mmgames.agents.finding import known_agents, make_agent
from mmgames.baselines.planners.kuhn_poker import Equilibrium
from mmgames.baselines.search.cfr import CFR, solve
from mmgames.baselines.search.exploitability import exploitability, information_sets, policy_of
from mmgames.core import registry
from mmgames.core.game import CHANCE
from mmgames.core.live import LiveGame
from mmgames.core.turn import Turn
from mmgames.games.kuhn_poker import picture, words
from mmgames.games.kuhn_poker.rules import BET, HIDDEN, JACK, KING, PASS, SHOWDOWNS, KuhnPoker
from mmgames.kernels.records import RecordState
from mmgames.running.matches import match
from mmgames.text.refusals import Illegal
from mmgames.text.replies import parse
from tests.refusing import refused
from tests.rules.kuhn import ENGINE, history, spiel_state
from tests.rules.plain import after

ROOMS = registry.load("KuhnPoker")
GAME: KuhnPoker = ROOMS.game()
RNG = np.random.default_rng(0)
SEATS = (0, 1)


def everything(state: RecordState) -> Iterator[RecordState]:
    """This state and all that can follow."""
    yield state
    for mover in GAME.movers(state):
        moves = [outcome for outcome, _ in GAME.chance(state)] if mover == CHANCE else GAME.legal(state, mover)
        for move in moves:
            yield from everything(GAME.play(state, {mover: move}, RNG))


STATES = list(everything(GAME.start(RNG)))
DECISIONS = [state for state in STATES if GAME.movers(state) in ((0,), (1,))]
FINISHED = [state for state in STATES if not GAME.movers(state)]


def test_the_other_card_is_seen_at_a_showdown_only_and_chips_are_what_the_engine_pays():
    for state in STATES:
        for seat in SEATS:
            view = GAME.view(state, seat)
            assert (view.cards[1 - seat] != HIDDEN) == (history(state)[2:] in SHOWDOWNS)
            assert picture.features(view)[14] == (GAME.movers(state) == (seat,))
        cards = GAME.view(state, None).cards
        assert HIDDEN not in cards or len(history(state)) < 2, "a spectator sees both cards"
    for state in FINISHED:
        for seat in (None, *SEATS):
            view = GAME.view(state, seat)
            gain = view.chips[1 - view.winner]
            assert list(GAME.returns(state)) == ([gain, -gain] if view.winner == 0 else [-gain, gain])
            assert f"{words.ROLES[view.winner]} wins {gain} " in words.describe(view)


def test_imagined_states_cover_all_that_is_possible():
    rng = np.random.default_rng(1)
    for state in STATES:
        for seat in SEATS:
            imagined = {GAME.imagine(state, seat, rng) for _ in range(40)}
            alike = {other for other in STATES if len(history(other)) == len(history(state))}
            assert imagined == {other for other in alike if GAME.view(other, seat) == GAME.view(state, seat)}


def test_poker_words_mean_what_they_mean_at_that_moment():
    opening, answering = GAME.view(after(GAME, KING, JACK), 0), GAME.view(after(GAME, KING, JACK, BET), 1)
    for view, reply, move in (
        (opening, "check", PASS),
        (opening, "<BET>", BET),
        (opening, "pass", PASS),
        (answering, "fold", PASS),
        (answering, '{"action": "call"}', BET),
    ):
        assert parse(reply, words.names(view), words.aliases(view)) == move
    for view, reply in ((opening, "call"), (opening, "fold"), (answering, "check"), (answering, "all in")):
        assert isinstance(parse(reply, words.names(view), words.aliases(view)), Illegal)


@pytest.mark.parametrize("size", [64, 128, 512])
def test_the_pictures_of_all_information_sets_differ(size):
    views = {GAME.view(state, GAME.movers(state)[0]) for state in DECISIONS}
    pictures = {view: picture.draw(view, size) for view in views}
    assert len({frame.tobytes() for frame in pictures.values()}) == 12
    for frame in pictures.values():
        assert frame.shape == (size, size, 3) and frame.dtype == np.uint8 and frame.flags.writeable


def table_of(agent: Equilibrium) -> spiel_policy.TabularPolicy:
    """The agent's probabilities in OpenSpiel's own form."""
    table = spiel_policy.TabularPolicy(ENGINE)
    for state in DECISIONS:
        (mover,) = GAME.movers(state)
        row = table.policy_for_key(spiel_state(state).information_state_string(mover))
        for action, probability in agent.mixture(GAME.view(state, mover)).items():
            row[action] = probability
    return table


def test_nothing_beats_an_equilibrium_and_what_is_none_can_be_exploited():
    for alpha in [0, 1 / 6, 1 / 3, "1/6", "0.25"]:
        game = ENGINE
        table = table_of(Equilibrium(alpha))
        assert spiel_exploitability.exploitability(game, table) == pytest.approx(0, abs=1e-9)
        value = expected_game_score.policy_value(game.new_initial_state(), [table, table])
        assert value == pytest.approx([-1 / 18, 1 / 18], abs=1e-9)
    for alpha in [-0.01, 0.34, 1, float("nan"), "1/2", "much", None, "1/0"]:
        refused(partial(Equilibrium, alpha), "from 0 to 1/3", kind=ValueError)
    assert make_agent("equilibrium:alpha=1/6", ROOMS.spec).alpha == pytest.approx(1 / 6)
    assert make_agent("equilibrium:0.2", ROOMS.spec).alpha == 0.2
    assert make_agent("equilibrium", ROOMS.spec).alpha == pytest.approx(1 / 3)
    refused(lambda: make_agent("equilibrium:alpha=2", ROOMS.spec), "alpha=2")
    refused(lambda: Equilibrium().mixture(GAME.view(after(GAME, KING, JACK), 1)), "nothing to decide")
    agent = Equilibrium(1 / 3)
    agent.bets[()][KING] = 0.0
    assert spiel_exploitability.exploitability(ENGINE, table_of(agent)) > 0.01


def test_played_games_follow_the_probabilities():
    agent = Equilibrium(1 / 3)
    rng = np.random.default_rng(5)
    bets = games = total = 0
    for _ in range(6000):
        live = LiveGame(ROOMS, GAME)
        live.start(rng)
        if live.view(0).cards[0] == JACK:
            games += 1
            bets += agent.act(Turn(live, 0, rng))
        while live.movers:
            seat = live.movers[0]
            live.play({seat: agent.act(Turn(live, seat, rng))})
        total += live.totals[0]
    assert bets / games == pytest.approx(1 / 3, abs=0.04)
    assert total / 6000 == pytest.approx(-1 / 18, abs=0.05)


SETS = information_sets(GAME)


@pytest.mark.parametrize("iterations", [1, 2, 3, 10, 60])
@pytest.mark.parametrize("plus", [False, True])
def test_the_average_strategy_is_openspiels_after_as_many_iterations(iterations, plus):
    solver = (spiel_cfr.CFRPlusSolver if plus else spiel_cfr.CFRSolver)(pyspiel.load_game("kuhn_poker"))
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    theirs, ours = solver.average_policy(), solve(GAME, iterations, plus)
    assert set(ours) == set(SETS)
    for view, (_, state) in SETS.items():
        assert ours[view] == pytest.approx(theirs.action_probabilities(spiel_state(state)), abs=1e-9)


@pytest.mark.parametrize("plus", [False, True])
def test_more_iterations_leave_less_to_exploit(plus):
    values = [exploitability(GAME, solve(GAME, iterations, plus)) for iterations in (1, 10, 100, 1000, 10_000)]
    assert values == sorted(values, reverse=True)
    assert values[0] == pytest.approx(11 / 24), "the first iteration plays both actions alike"
    assert 0 <= values[-1] < 2e-4


def test_the_agent_tells_its_probabilities_and_plays_by_them():
    agent = make_agent("cfr:iterations=500,plus=True", ROOMS.spec)
    policy = policy_of((agent, agent), GAME, 1, np.random.default_rng(0))
    assert policy == agent.policy(GAME) == solve(GAME, 500, plus=True)
    assert all(sum(shares.values()) == pytest.approx(1) for shares in policy.values())
    agent = CFR(200)
    live, rng = LiveGame(ROOMS, GAME), np.random.default_rng(2)
    for view, (seat, state) in SETS.items():
        live.go_on_from(state, rng)
        bets = sum(agent.act(Turn(live, seat, rng)) for _ in range(1500))
        assert bets / 1500 == pytest.approx(agent.policy(GAME)[view][BET], abs=0.05)
    assert "cfr" in known_agents(ROOMS.spec)
    result = match("KuhnPoker", ["cfr", "equilibrium"], 3000, seed=1)
    assert not result.summary()["failed"]
    assert result.returns()[:, 0].mean() == pytest.approx(-1 / 18, abs=0.1), "the value of the game"


def test_what_cannot_be_solved_is_refused_in_a_sentence(monkeypatch):
    for options in [{"iterations": 0}, {"iterations": 1.5}, {"iterations": True}, {"plus": "yes"}]:
        refused(lambda options=options: CFR(**options), r"is not possible: give ")
    for id in ["CoinDilemma", "TicTacToe"]:
        loaded = registry.load(id)
        assert "cfr" not in known_agents(loaded.spec)
        refused(partial(solve, loaded.game(), 1), f"CFR cannot play mmgames/{id}-v0")

    class Forgetful(ROOMS.rules):
        def legal(self, state, seat):
            return [PASS] if state.cards[0] == KING and seat == 1 else super().legal(state, seat)

    refused(lambda: solve(Forgetful(ROOMS.spec), 1), "same view have different legal moves")
    monkeypatch.setattr("mmgames.baselines.search.cfr.MOST_NODES", 20)
    refused(lambda: solve(GAME, 1), "more than 20 nodes")
