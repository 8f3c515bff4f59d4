"""Actions in numbers and in words, through matches, wrappers and simulators; and who moves when."""

import copy
import pickle
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest

import mmgames
from mmgames.core import registry
from mmgames.core.game import Game
from mmgames.core.live import LiveGame
from mmgames.errors import MmgamesError
from mmgames.testing.playing import begin
from mmgames.text.refusals import Illegal
from mmgames.text.replies import parse_numbers
from mmgames.wrappers.text_actions import TextActions
from tests.cases import cases
from tests.players import Acts
from tests.refusing import refused
from tests.toys import PUCK, known

SPY = "mmgames/Spy-v0"


@pytest.fixture(autouse=True)
def toys() -> Iterator[None]:
    with known():
        yield


def puck(seed: int = 0) -> LiveGame:
    return begin(registry.find(PUCK), seed)


def test_numbers_are_checked_for_form_first_for_bounds_then_and_copied() -> None:
    live = puck()
    move = live.check(0, np.array([0.5, -1.0], np.float32))
    assert isinstance(move, np.ndarray) and move.dtype == np.float32 and live.check(0, [0.5, 0]).tolist() == [0.5, 0.0]
    refused = live.check(1, np.array([0.0, 1.25], np.float32))
    assert isinstance(refused, Illegal)
    assert refused.reason == "number 2 of the action of right is 1.25, out of its bounds -1 to 1."
    for action, told in (
        (np.zeros(3, np.float32), "not an array of float32 with the shape (3,)."),
        (np.zeros(2), "not an array of float64 with the shape (2,)."),
        (np.array([0, np.nan], np.float32), "with the shape (2,) that holds NaN."),
        ([0.0, float("nan")], "not [0.0, nan]."),
        (None, "not None."),
    ):
        with pytest.raises(MmgamesError) as caught:
            live.check(0, action)
        assert str(caught.value).startswith(f"{PUCK}: an action of left is an array of float32 with the shape (2,)")
        assert str(caught.value).endswith(told)
    live, action = puck(), np.zeros(2, np.float32)
    move = live.check(0, action)
    action[0] = 1
    assert not move.any()
    live = puck()
    state = live.state
    with pytest.raises(MmgamesError, match="no move of right can be played: it is no move"):
        live.play({0: live.sample(0, np.random.default_rng(0)), 1: Illegal("something else", "it is no move.", "")})
    assert live.state is state


def test_bounds_that_bound_nothing_are_refused(monkeypatch: Any) -> None:
    for low, high, told in (
        (np.zeros(2), np.zeros(3), "two arrays of numbers of one shape and dtype"),
        (np.zeros(2), np.ones(2, np.float32), "two arrays of numbers of one shape and dtype"),
        (np.zeros(2), np.array([1, np.inf]), "must be finite"),
        (np.ones(2), np.zeros(2), "the lowest values below the highest"),
    ):
        monkeypatch.setattr(registry.load(PUCK).rules, "bounds", lambda *_, both=(low, high): both)
        refused(lambda: mmgames.aec_env(PUCK), told)


def test_random_play_draws_whole_numbers_within_whole_bounds() -> None:
    class Dials(Game):
        def bounds(self, seat: int) -> Any:
            return np.array([0, 5], np.int8), np.array([1, 5], np.int8)

    drawn = np.array([Dials(mmgames.specs[PUCK]).sample(None, 0, np.random.default_rng(seed)) for seed in range(30)])
    assert drawn.dtype == np.int8 and set(drawn[:, 0]) == {0, 1} and set(drawn[:, 1]) == {5}
    from mmgames.agents.finding import GENERAL_AGENTS, RESTRICTED_AGENTS, known_agents

    assert set(known_agents(mmgames.specs[PUCK])) == set(GENERAL_AGENTS) - set(RESTRICTED_AGENTS) | {"ippo"}
    assert not set(known_agents(mmgames.specs[SPY])) & set(RESTRICTED_AGENTS)
    live = puck()
    for reply in ("[1]", "[1, 2, 3]", "[0, 5]", "[NaN, 0]", '["1", "2"]', "[[0, 0]]", '{"action": [0, [1]]}'):
        assert isinstance(live.read(0, reply), Illegal), reply


def test_a_reply_may_answer_in_numbers() -> None:
    for reply, read in cases(__file__)["numbers"]:
        assert parse_numbers(reply) == read
        move = puck().read(0, reply)
        assert isinstance(move, Illegal) if read is None else move.tolist() == read


def test_text_actions_steer_a_box_game() -> None:
    env: Any = TextActions(gymnasium.make(PUCK), on_illegal="random")
    env.reset(seed=1)
    *_, info = env.step('{"action": [1, 0]}')
    assert "illegal" not in info
    *_, info = env.step("hard to the right")
    assert "random_move" not in info and info["again"], "it is asked again first"
    *_, info = env.step("hard to the right")
    assert info["random_move"] in env.unwrapped.action_space and info["illegal_replies"] == 1
    env = TextActions(gymnasium.make(PUCK))
    env.reset(seed=1)
    _, reward, over, _, info = env.step('{"action": [1, 9]}')
    assert (reward, over) == (-1.0, True) and "out of its bounds" in info["illegal"]


def test_an_illegal_text_is_replaced_and_a_malformed_action_fails() -> None:
    game, channel = "talk/CoinDilemma-v0", {"talk_channel": "signals"}
    row = mmgames.match(game, [Acts("Hm."), "random"], episodes=1, on_illegal="random", **channel).episodes[0]
    assert row["failed"] is None and row["illegal"] == [100, 0], "once as a signal and once as a move of every step"
    for policy in ("fail", "random", "retry"):
        row = mmgames.match(PUCK, [Acts(np.zeros(3)), "random"], episodes=1, on_illegal=policy).episodes[0]
        assert "is an array of float32 with the shape (2,)" in row["failed"] and row["illegal"] == [0, 0]


def test_one_seat_hears_of_a_vote_it_has_no_part_in() -> None:
    env: Any = gymnasium.make(SPY, seat="player_3", pictures="chart")
    ended = set()
    for seed in range(12):
        env.reset(seed=seed)
        face = env.unwrapped
        votes = face.seat not in face.live.state.spies
        rng = np.random.default_rng(seed)
        over, steps = False, 0
        while not over:
            *_, over, _, info = env.step(face.live.sample(face.seat, rng))
            steps += 1
            assert "illegal" not in info
        ended.add((votes, steps))
    assert ended == {(True, 3), (False, 2)}


def test_a_simulators_states_are_values_that_replay() -> None:
    live, rng = puck(), np.random.default_rng(4)
    states = [live.state]
    while live.movers:
        live.play({seat: live.check(seat, live.sample(seat, rng)) for seat in live.movers})
        states.append(live.state)
    game = live.game
    with pytest.raises(TypeError):
        pickle.dumps(game.simulator_at(states[0]))  # type: ignore[attr-defined]
    for twin in (copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        for state in (*reversed(states[:-1]), *states[:-1]):  # back and forth: each time the world is replayed
            moves = dict(states[len(state.history) + 1].history[-1])
            assert twin.play(state, moves, rng) == states[len(state.history) + 1]
    assert pickle.loads(pickle.dumps(states)) == states
    live = puck()
    first = live.state
    live.play({seat: live.check(seat, [0.5, 0.5]) for seat in live.movers})
    astray = live.state._replace(poses=first.poses)
    with pytest.raises(MmgamesError, match="replaying 1 transitions led elsewhere"):
        live.game.simulator_at(astray)  # type: ignore[attr-defined]
