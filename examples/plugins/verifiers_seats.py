"""A game with several seats as a verifiers environment: one model has them all, and learns in each (or some).

With this file's folder in PYTHONPATH, and any endpoint that speaks OpenAI's chat completions:

  eval verifiers_seats --env.taskset.game mmgames/Hanabi-v0 --env.taskset.episodes 20 -m MODEL
  eval verifiers_seats --env.taskset.game mmgames/TicTacToe-v0 --env.others.o minimax -m MODEL
"""

import asyncio
from contextlib import AsyncExitStack

import verifiers.v1 as vf
from pydantic import Field
from verifiers_games import Chat, Games

import mmgames
from mmgames.agents.base import Agent
from mmgames.errors import RunStopped

__all__ = ["Chat", "Games", "SeatsEnv"]


class SeatsConfig(vf.EnvConfig):
    player: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())  # on this machine
    others: dict[str, str] = Field(default_factory=dict)  # agents for the seats that do not learn


class Seat(Agent):
    """A seat whose replies are the turns of an interaction."""

    concurrent, style = True, {"observe": ("rgb", "text")}

    def __init__(self, interaction, loop):
        self.interaction, self.loop = interaction, loop

    def fresh(self):
        return self

    def answer(self, observation):
        asked = self.interaction.turn(mmgames.chat_messages(observation))
        if (turn := asyncio.run_coroutine_threadsafe(asked, self.loop).result()).terminated:
            raise RunStopped("The model was stopped before its game was over.")
        return turn.last_reply


class SeatsEnv(vf.Env[SeatsConfig]):
    async def run(self, task, agents):
        id, others, loop = task.data.game, self.config.others, asyncio.get_running_loop()
        names = mmgames.load_game(id).seats
        async with AsyncExitStack() as open_seats:
            talks = {name: agents.player.interaction(task) for name in names if name not in others}
            talks = {name: await open_seats.enter_async_context(talk) for name, talk in talks.items()}
            seats = [others[name] if name in others else Seat(talks[name], loop) for name in names]
            played = await asyncio.to_thread(mmgames.match, id, seats, 1, [task.data.seed], on_illegal="retry")
        (record,) = played.episodes
        for name, trace in ((name, talk.trace) for name, talk in talks.items()):
            trace.record_metric("seat", names.index(name))
            trace.record_reward("returns", record["returns"][names.index(name)])
            trace.record_metric("illegal_replies", record["illegal"][names.index(name)])
