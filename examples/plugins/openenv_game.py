"""A game as an OpenEnv environment: prompts, pictures, several turns, rewards (`pip install openenv`).

python examples/plugins/openenv_game.py        serves CoinDilemma on http://127.0.0.1:8000

from openenv import GenericEnvClient           # a client anywhere
async with GenericEnvClient(base_url="http://127.0.0.1:8000") as client:
    result = await client.reset(seed=0)        # result.observation["prompt"], ["pictures"]
    result = await client.step({"text": '{"action": "<UP>"}'})
"""

import gymnasium as gym
import uvicorn
from openenv.core.env_server import Action, Environment, Observation, State, create_fastapi_app

import mmgames
from mmgames.wrappers import TextActions


class Reply(Action):
    text: str


class Seen(Observation):
    prompt: str = ""
    pictures: tuple[str, ...] = ()  # as data: URLs, oldest first
    illegal: str = ""


class Game(Environment[Reply, Seen, State]):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, game="mmgames/CoinDilemma-v0", **options):
        super().__init__()
        env = gym.make(game, **{"observe": ("rgb", "text"), **options})
        self._env, self._state = TextActions(env, on_illegal="retry", retries=2), State()

    def reset(self, seed=None, episode_id=None, **_):
        self._state = State(episode_id=episode_id)
        return self._seen(self._env.reset(seed=seed)[0])

    def step(self, action, timeout_s=None, **_):
        self._state.step_count += 1
        observation, reward, terminated, truncated, info = self._env.step(action.text)
        over = terminated or truncated
        return self._seen(observation, reward=reward, done=over, illegal=info.get("again") or info.get("illegal", ""))

    def _seen(self, observation, **more):
        parts = mmgames.chat_messages(observation)[-1]["content"]
        pictures = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
        return Seen(prompt=observation["text"], pictures=pictures, **more)

    @property
    def state(self):
        return self._state


if __name__ == "__main__":
    uvicorn.run(create_fastapi_app(Game, Reply, Seen, max_concurrent_envs=16), host="127.0.0.1")
