"""A game as a verifiers environment, rolled out by verifiers against a real HTTP endpoint: pictures, turns, rewards."""

from __future__ import annotations

import asyncio
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
    sys.modules.pop("verifiers_games", None)


def rolled_out(server, episodes=2, **taskset):
    """The episodes of a whole rollout."""
    chosen = {"id": "verifiers_games", "episodes": episodes, **taskset}
    env = vf.load_environment(vf.resolve_env_config({"taskset": chosen}))
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


def test_replies_that_are_no_moves_are_counted_and_lose() -> None:
    with serving(lambda request, number: "I would rather go left.") as server:
        (episode,) = rolled_out(server, 1, game="mmgames/TicTacToe-v0")
        assert len(server.requests) == 3
    (trace,) = episode.traces
    assert trace.reward == -1.0 and trace.metrics["illegal_replies"] == 3


def test_a_game_that_is_not_there_is_one_sentence_on_the_episode() -> None:
    with serving(lambda request, number: REPLY) as server:
        (episode,) = rolled_out(server, 1, game="mmgames/CoinDilema-v0")
    assert not episode.ok and "CoinDile" in episode.errors[0].message
