"""KuhnPoker: the rules, twelve information sets, nothing hidden leaks, and equilibria that nothing beats."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from open_spiel.python import policy as spiel_policy
from open_spiel.python.algorithms import expected_game_score, exploitability

from mmgames.agents.finding import make_agent
from mmgames.baselines.planners.kuhn_poker import Equilibrium
from mmgames.core import registry
from mmgames.core.game import CHANCE
from mmgames.core.live import LiveGame
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.games.kuhn_poker import picture, words
from mmgames.games.kuhn_poker.rules import BET, HIDDEN, JACK, KING, PASS, SHOWDOWNS, KuhnPoker
from mmgames.kernels.records import RecordState
from mmgames.text.refusals import Illegal
from mmgames.text.replies import parse
from tests.rules.kuhn import ENGINE, history, spiel_state

ROOMS = registry.load("KuhnPoker")
GAME: KuhnPoker = ROOMS.game()
RNG = np.random.default_rng(0)
SEATS = (0, 1)


def after(*moves: int) -> RecordState:
    state = GAME.start(RNG)
    for move in moves:
        state = GAME.play(state, {GAME.movers(state)[0]: move}, RNG)
    return state


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


def test_the_other_card_is_seen_at_a_showdown_only():
    for state in STATES:
        for seat in SEATS:
            view = GAME.view(state, seat)
            assert (view.cards[1 - seat] != HIDDEN) == (history(state)[2:] in SHOWDOWNS)
        cards = GAME.view(state, None).cards
        assert HIDDEN not in cards or len(history(state)) < 2, "a spectator sees both cards"


def observation(state: RecordState, seat: int) -> tuple:
    view = GAME.view(state, seat)
    return view, picture.draw(view, 128).tobytes(), words.describe(view), picture.features(view).tobytes()


def test_imagined_states_look_the_same_and_cover_all_that_is_possible():
    rng = np.random.default_rng(1)
    for state in STATES:
        for seat in SEATS:
            seen = observation(state, seat)
            imagined = {GAME.imagine(state, seat, rng) for _ in range(40)}
            assert all(observation(other, seat) == seen for other in imagined)
            alike = {other for other in STATES if len(history(other)) == len(history(state))}
            assert imagined == {other for other in alike if GAME.view(other, seat) == GAME.view(state, seat)}


def test_chips_and_winner_in_the_view_are_what_the_engine_pays():
    for state in FINISHED:
        for seat in (None, *SEATS):
            view = GAME.view(state, seat)
            gain = view.chips[1 - view.winner]
            assert list(GAME.returns(state)) == ([gain, -gain] if view.winner == 0 else [-gain, gain])
            assert f"{words.ROLES[view.winner]} wins {gain} " in words.describe(view)


def test_poker_words_mean_what_they_mean_at_that_moment():
    opening, answering = GAME.view(after(KING, JACK), 0), GAME.view(after(KING, JACK, BET), 1)
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


@pytest.mark.parametrize("alpha", [0, 1 / 6, 1 / 3, "1/6", "0.25"])
def test_nothing_beats_an_equilibrium(alpha):
    game = ENGINE
    table = table_of(Equilibrium(alpha))
    assert exploitability.exploitability(game, table) == pytest.approx(0, abs=1e-9)
    value = expected_game_score.policy_value(game.new_initial_state(), [table, table])
    assert value == pytest.approx([-1 / 18, 1 / 18], abs=1e-9)


def test_probabilities_outside_the_family_can_be_exploited():
    agent = Equilibrium(1 / 3)
    agent.bets[()][KING] = 0.0
    assert exploitability.exploitability(ENGINE, table_of(agent)) > 0.01


@pytest.mark.parametrize("alpha", [-0.01, 0.34, 1, float("nan"), "1/2", "much", None, "1/0"])
def test_an_alpha_out_of_range_is_refused_in_a_sentence(alpha):
    with pytest.raises(ValueError, match="from 0 to 1/3"):
        Equilibrium(alpha)


def test_alpha_can_be_given_by_name():
    assert make_agent("equilibrium:alpha=1/6", ROOMS.spec).alpha == pytest.approx(1 / 6)
    assert make_agent("equilibrium:0.2", ROOMS.spec).alpha == 0.2
    assert make_agent("equilibrium", ROOMS.spec).alpha == pytest.approx(1 / 3)
    with pytest.raises(MmgamesError, match="alpha=2"):
        make_agent("equilibrium:alpha=2", ROOMS.spec)


def test_the_agent_has_nothing_to_say_when_it_is_not_to_move():
    with pytest.raises(MmgamesError, match="nothing to decide"):
        Equilibrium().mixture(GAME.view(after(KING, JACK), 1))


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
