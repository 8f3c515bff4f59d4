"""TextActions: replies in, moves out, and no reply is bent into a move it does not name."""

import json
import pickle
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import mmgames
from mmgames.errors import IllegalAction
from mmgames.testing.playing import sampled
from mmgames.wrappers import TextActions
from tests.environments import begun
from tests.refusing import refused

COIN = "mmgames/CoinDilemma-v0"


def make(id: str = COIN, on_illegal: Any = "penalty", retries: int = 2, **options: Any) -> TextActions:
    options.setdefault("observe", ("text", "legal_actions", "action_mask"))
    return TextActions(gym.make(id, **options), on_illegal=on_illegal, retries=retries)


def same(one: Any, other: Any) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[key], other[key]) for key in one)


def test_a_named_move_is_the_move(discrete_spec) -> None:
    said, played = make(discrete_spec.id), gym.make(discrete_spec.id, observe=("legal_actions", "action_mask"))
    observation, _ = said.reset(seed=4)
    played.reset(seed=4)
    over, rng = False, np.random.default_rng(0)
    while not over:
        legal = np.flatnonzero(observation["action_mask"])
        choice = int(rng.integers(len(legal)))
        reply = json.dumps({"action": observation["legal_actions"][choice]})
        observation, reward, terminated, truncated, info = said.step(reply)
        other, other_reward, *ends, _ = played.step(int(legal[choice]))
        assert (reward, terminated, truncated) == (other_reward, *ends)
        assert observation["legal_actions"] == other["legal_actions"]
        assert np.array_equal(observation["action_mask"], other["action_mask"])
        assert info["reply"] == reply and info["illegal_replies"] == 0 and "illegal" not in info
        over = terminated or truncated


HM = '{"action": "hm"}'
"""Read, and no move; what is not read is asked again first (tests/test_asked_again.py)."""


def test_an_illegal_reply_is_penalised_and_ends_the_episode() -> None:
    env = begun(make())
    _, reward, terminated, truncated, info = env.step("I might go <UP> or <DOWN>.")
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal_replies"] == 1 and info["reply"] == "I might go <UP> or <DOWN>."
    assert "its last line is not a legal move" in info["illegal"]
    for reply in ("1", "-1", "2.0", "", "UPP", "Action: 3"):  # the number of a move is not its name
        env.reset(seed=0)
        _, reward, terminated, _, info = env.step(reply)
        assert (reward, terminated, info["illegal_replies"]) == (-1.0, True, 1)


def test_retry_gives_the_same_observation_counts_and_begins_anew_after_a_good_reply() -> None:
    env = make(on_illegal="retry", retries=2)
    first, _ = env.reset(seed=0)
    for left in (1, 0):
        observation, reward, terminated, truncated, info = env.step(HM)
        assert same(observation, first) and (reward, terminated, truncated) == (0.0, False, False)
        assert info["retries_left"] == left and "'hm'" in info["illegal"] and info["action_mask"].all()
    _, reward, terminated, _, info = env.step(HM)
    assert (reward, terminated, info["illegal_replies"]) == (-1.0, True, 3)
    env = begun(make(on_illegal="retry", retries=1))
    for turn in range(5):
        assert env.step(HM)[4]["retries_left"] == 0
        _, _, terminated, _, info = env.step("<STAY>")
        assert not terminated and info["illegal_replies"] == turn + 1


@pytest.mark.parametrize("on_illegal", ["penalty", "retry", "random"])
@pytest.mark.parametrize("last", [HM, "<STAY>"])
def test_nothing_is_played_after_the_end(on_illegal: str, last: str) -> None:
    env = begun(make(on_illegal=on_illegal, retries=0, max_steps=1))
    assert any(env.step(last)[2:4])
    refused(lambda: env.step(HM), "call reset()")


def test_random_plays_a_legal_move_and_says_which() -> None:
    played = []
    for _ in range(2):
        env = make(on_illegal="random")
        observation, _ = env.reset(seed=0)
        moves = []
        for turn in range(20):
            legal = observation["legal_actions"]
            observation, _, terminated, _, info = env.step(HM)
            assert not terminated and info["random_move"] in legal
            assert info["illegal_replies"] == turn + 1 and "illegal" in info
            moves.append(info["random_move"])
        played.append(moves)
    assert played[0] == played[1], "the same seed draws the same moves"
    assert len(set(played[0])) > 2


def test_a_text_game_gets_the_message_as_it_is(text_spec) -> None:
    said, plain = make(text_spec.id, observe=("text",)), gym.make(text_spec.id, observe=("text",))
    said.reset(seed=2)
    plain.reset(seed=2)
    for message in ("What do you see?\nTell me all.", "Thank you."):
        one, other = said.step(message), plain.step(message)
        assert one[0]["text"] == other[0]["text"] and one[1:4] == other[1:4] and one[4]["reply"] == message


def test_what_is_no_text_and_wrong_settings_are_explained() -> None:
    env = begun(make())
    refused(lambda: env.step(3), "takes the reply as text, not int")
    refused(lambda: make(on_illegal="retri"), "Did you mean 'retry'")
    refused(lambda: make(retries=-1), "retries=-1")
    refused(lambda: TextActions(gym.make("CartPole-v1")), "needs an mmgames environment")
    env = begun(make(illegal="error"))
    refused(lambda: env.step("somewhere else"), "its last line is not a legal move", kind=IllegalAction)


@pytest.mark.filterwarnings("ignore:.*different from the unwrapped version")
def test_gymnasium_accepts_the_wrapped_environment() -> None:
    check_env(sampled(make()), skip_render_check=True)


def test_a_wrapped_environment_travels_mid_episode_and_is_made_again_from_its_spec() -> None:
    env = begun(make(on_illegal="retry"))
    env.step(HM)
    twin = pickle.loads(pickle.dumps(env))
    assert twin.step(HM)[4]["retries_left"] == 0 and same(twin.step("<UP>")[0], env.step("<UP>")[0])
    again = begun(gym.make(gym.envs.registration.EnvSpec.from_json(make(on_illegal="retry", retries=5).spec.to_json())))
    assert again.step(HM)[4]["retries_left"] == 4


def test_the_aec_face_takes_words_and_asks_the_same_seat_again() -> None:
    said: Any = TextActions(mmgames.aec_env("mmgames/TicTacToe-v0", observe=("text", "legal_actions")), "retry", 1)
    plain = mmgames.aec_env("mmgames/TicTacToe-v0")
    said.reset(seed=1)
    plain.reset(seed=1)
    assert "anything" in said.action_space("x")
    for role in said.agent_iter():
        observation, reward, terminated, truncated, _ = said.last()
        assert (reward, terminated, truncated) == plain.last()[1:4]
        if terminated or truncated:
            said.step(None)
            plain.step(None)
            continue
        said.step(HM)
        assert said.agent_selection == role and said.last()[1] == 0.0 and said.infos[role]["retries_left"] == 0
        said.step(json.dumps({"action": observation["legal_actions"][0]}))
        plain.step(int(np.flatnonzero(plain.observe(role)["action_mask"])[0]))
        if role in said.infos:
            assert said.infos[role]["illegal_replies"] > 0 and "illegal" not in said.infos[role]
    said.reset(seed=1)
    said.step(HM)
    said.step(HM)
    assert said.rewards["x"] == -1.0 and said.terminations["o"], "then the penalty"


def test_the_parallel_face_holds_what_was_said_well_and_draws_for_the_others() -> None:
    env: Any = TextActions(mmgames.parallel_env(COIN, observe=("text",)), on_illegal="retry", retries=2)
    before, _ = env.reset(seed=0)
    observations, rewards, terminated, _, infos = env.step({"red": "<UP>", "blue": HM})
    assert observations == before and not any(rewards.values()) and not any(terminated.values())
    assert infos["blue"]["retries_left"] == 1 and "retries_left" not in infos["red"]
    observations, *_, infos = env.step({"blue": "<DOWN>"})
    twin: Any = begun(mmgames.parallel_env(COIN, observe=("text",)))
    assert observations == twin.step({"red": 3, "blue": 4})[0]
    assert (infos["red"]["illegal_replies"], infos["blue"]["illegal_replies"]) == (0, 1)
    refused(lambda: env.step({"red": 3, "blue": "<UP>"}), "takes the reply as text")
    env: Any = TextActions(mmgames.parallel_env(COIN, observe=("text",)), on_illegal="random")
    env.reset(seed=0)
    infos = env.step({"red": HM, "blue": "<STAY>"})[4]
    assert infos["red"]["random_move"] and "random_move" not in infos["blue"]
