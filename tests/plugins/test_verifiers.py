"""A game as a verifiers environment, rolled out by verifiers against a real HTTP endpoint: pictures, turns, rewards."""

import asyncio
import json
import sys

import gymnasium as gym
import pytest

pytest.importorskip("verifiers")

import verifiers.v1 as vf

from tests.chat_server import pictures, serving
from tests.plugins.conftest import EXAMPLES

REPLY = '{"action": "<LEFT>"}'


@pytest.fixture(autouse=True)
def plugged(example, monkeypatch):
    example("verifiers_games")  # not too long
    monkeypatch.setenv("TINY_KEY", "none")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    yield
    for name in ("verifiers_games", "verifiers_seats"):
        sys.modules.pop(name, None)


def rolled_out(server, episodes=2, example="verifiers_games", others=None, **taskset):
    """The episodes of a whole rollout."""
    chosen = {"id": example, "episodes": episodes, **taskset}
    more = {} if others is None else {"others": others}
    env = vf.load_environment(vf.resolve_env_config({"taskset": chosen, **more}))
    ctx = vf.ModelContext(model="tiny", client=vf.EvalClientConfig(base_url=server.url, api_key_var="TINY_KEY"))

    async def run():
        async with env.serving():
            return [await env.run_slot(slot, ctx) for task in env.taskset for slot in env.slots(task)]

    return asyncio.run(run())


def test_episodes_are_played_with_pictures_and_rewarded_as_in_a_match() -> None:
    with serving(lambda request, number: REPLY) as server:
        episodes = rolled_out(server)
        assert all(episode.ok for episode in episodes), [episode.errors for episode in episodes]
        shown = [pictures(request["messages"][-1]) for request in server.requests]
        assert all(len(seen) == 1 and seen[0].size[0] == 512 for seen in shown)
        assert any(len(request["messages"]) > 20 for request in server.requests), "the whole talk goes along"
    for seed, episode in enumerate(episodes):
        env = gym.make("mmgames/CoinDilemma-v0", observe="text")
        env.reset(seed=seed)
        left = {name: number for number, name in _names(env).items()}["<LEFT>"]
        total, over = 0.0, False
        while not over:
            _, reward, over, _, _ = env.step(left)
            total += reward
        (trace,) = episode.traces
        assert trace.reward == pytest.approx(total) and trace.metrics["illegal_replies"] == 0


def _names(env):
    live = env.unwrapped.live
    return live.loaded.words.names(live.view(0))


def test_replies_that_are_no_moves_lose_and_a_game_that_is_not_there_is_one_sentence() -> None:
    with serving(lambda request, number: "I would rather go left.") as server:
        (episode,) = rolled_out(server, 1, game="mmgames/TicTacToe-v0")
        assert len(server.requests) == 4, "asked again, and then three strikes"
    (trace,) = episode.traces
    assert trace.reward == -1.0 and trace.metrics["illegal_replies"] == 3
    with serving(lambda request, number: REPLY) as server:
        (episode,) = rolled_out(server, 1, game="mmgames/CoinDilema-v0")
    assert not episode.ok and "CoinDile" in episode.errors[0].message


def scripted(request, number):
    """The first legal move that the prompt lists."""
    text = "".join(part.get("text", "") for part in request["messages"][-1]["content"])
    return json.dumps({"action": text.rpartition("## Legal actions\n")[2].split(",")[0].strip()})


def test_one_model_plays_all_seats_and_each_has_a_trace_and_a_reward(example) -> None:
    with serving(scripted) as server:
        example("verifiers_seats")  # not too long
        (episode,) = rolled_out(server, 1, "verifiers_seats", game="mmgames/TicTacToe-v0")
        assert episode.ok, episode.errors
        earned = {trace.metrics["seat"]: trace.reward for trace in episode.traces}
        assert earned == {0: 1.0, 1: -1.0}, "the first to move has A1, A3, B2 and C1"
        talks = [len(request["messages"]) for request in server.requests]
        assert talks == [1, 1, 3, 3, 5, 5, 7], "each seat remembers its own talk alone"
        assert all(pictures(request["messages"][-1]) for request in server.requests)


def test_seats_that_do_not_learn_are_played_by_agents_and_a_joint_move_asks_all() -> None:
    with serving(scripted) as server:
        (episode,) = rolled_out(server, 1, "verifiers_seats", {"o": "minimax"}, game="mmgames/TicTacToe-v0")
        assert episode.ok, episode.errors
    (trace,) = episode.traces
    assert trace.reward == -1.0 and trace.metrics["illegal_replies"] == 0
    with serving(lambda request, number: "no move at all") as server:
        (episode,) = rolled_out(server, 1, "verifiers_seats", game="mmgames/CoinDilemma-v0")
        assert episode.ok, episode.errors
    assert sorted(trace.metrics["illegal_replies"] for trace in episode.traces)[-1] == 3
