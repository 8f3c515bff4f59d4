"""A game as an OpenEnv environment: OpenEnv's own server and client, with pictures, several turns and rewards."""

import asyncio
import base64
import io
import socket
import threading

import pytest

pytest.importorskip("openenv")

import gymnasium as gym
import uvicorn
from openenv import GenericEnvClient
from openenv.core.env_server import create_fastapi_app
from PIL import Image


@pytest.fixture(scope="module")
def game(example):
    return example("openenv_game")


@pytest.fixture(scope="module")
def url(game):
    own = socket.create_server(("127.0.0.1", 0))
    app = create_fastapi_app(game.Game, game.Reply, game.Seen, max_concurrent_envs=4)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [own]})
    thread.start()
    yield f"http://127.0.0.1:{own.getsockname()[1]}"
    server.should_exit = True
    thread.join()


def test_an_episode_over_the_wire_is_the_one_in_gymnasium(url) -> None:
    replies = ['{"action": "<UP>"}', '{"action": "<LEFT>"}', '{"action": "<RIGHT>"}'] * 40
    env = gym.make("mmgames/CoinDilemma-v0", observe=("rgb", "text"))
    names = {name: number for number, name in env.unwrapped.live.loaded.words.names(_first(env)).items()}

    async def episode():
        async with GenericEnvClient(base_url=url) as client:
            result = await client.reset(seed=5)
            observation, _ = env.reset(seed=5)
            for reply in replies:
                seen = result.observation
                assert seen["prompt"] == observation["text"] and len(seen["pictures"]) == 1
                shown = Image.open(io.BytesIO(base64.b64decode(seen["pictures"][0].partition(",")[2])))
                assert shown.tobytes() == observation["rgb"].tobytes()
                result = await client.step({"text": reply})
                observation, reward, over, _, _ = env.step(names[reply.split('"')[3]])
                assert (result.reward, result.done) == (reward, over)
                if over:
                    break
            assert result.done and (await client.state())["step_count"] > 3

    asyncio.run(episode())


def _first(env):
    env.reset(seed=0)
    return env.unwrapped.live.view(0)


def test_two_clients_play_apart_and_an_illegal_reply_is_explained(url) -> None:
    async def both():
        async with GenericEnvClient(base_url=url) as one, GenericEnvClient(base_url=url) as other:
            first, second = await one.reset(seed=1), await other.reset(seed=2)
            assert first.observation["pictures"] != second.observation["pictures"]
            refused = await one.step({"text": "I would rather go up."})
            assert refused.observation["illegal"] and not refused.done and refused.reward == 0
            assert (await other.step({"text": "<UP>"})).observation["illegal"] == ""
            assert refused.observation["pictures"] == first.observation["pictures"]

    asyncio.run(both())
