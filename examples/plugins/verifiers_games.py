"""A game as a verifiers environment: pictures, several turns, rewards (`pip install verifiers`).

With this file's folder in PYTHONPATH, and any endpoint that speaks OpenAI's chat completions:

  eval verifiers_games --env.taskset.game mmgames/TicTacToe-v0 --env.taskset.episodes 20 -m MODEL
"""

import gymnasium as gym
import verifiers.v1 as vf
from openai import AsyncOpenAI
from verifiers.v1.dialects.chat import message_to_wire

import mmgames
from mmgames.wrappers import TextActions

__all__ = ["Chat", "GameEnv", "Games"]


class GamesConfig(vf.TasksetConfig):
    game: str = "mmgames/CoinDilemma-v0"
    episodes: int = 10


class Deal(vf.TaskData):
    game: str
    seed: int


class Games(vf.Taskset[vf.Task[Deal], GamesConfig]):
    def load(self):
        for seed in range(self.config.episodes):
            yield vf.Task[Deal](Deal(name=f"{self.config.game}#{seed}", game=self.config.game, seed=seed))


class GameEnvConfig(vf.EnvConfig):
    player: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())  # on this machine


class GameEnv(vf.Env[GameEnvConfig]):
    async def run(self, task, agents):
        env = TextActions(gym.make(task.data.game, observe=("rgb", "text")), on_illegal="retry")
        (observation, info), total, over = env.reset(seed=task.data.seed), 0.0, False
        async with agents.player.interaction(task) as interaction:
            while not over and not (turn := await interaction.turn(mmgames.chat_messages(observation))).terminated:
                observation, reward, terminated, truncated, info = env.step(turn.last_reply)
                total, over = total + reward, terminated or truncated
        interaction.trace.record_reward("returns", total)
        interaction.trace.record_metric("illegal_replies", info["illegal_replies"])


class Chat(vf.Harness[vf.HarnessConfig]):
    """A seat without tools: one call of the model for each turn."""

    APPENDS_SYSTEM_PROMPT, SUPPORTS_RESUME, EXECUTES_CODE, NEEDS_CONTAINER = True, True, False, False

    async def launch(self, ctx, trace, runtime, endpoint, secret, mcp_urls, data):
        async with AsyncOpenAI(base_url=endpoint, api_key=secret) as client:
            await client.chat.completions.create(model=ctx.model, messages=list(map(message_to_wire, data.prompt)))
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")
