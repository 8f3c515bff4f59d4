"""One seat of a game, with agents in the others."""

from __future__ import annotations

from typing import Any

import gymnasium
import pytest

from mmgames.baselines.random import Random
from mmgames.core.errors import MmgamesError
from mmgames.testing.gymnasium_api import play_out


def test_an_agent_that_cannot_begin_breaks_the_episode_off() -> None:
    class Unready(Random):
        ready = True

        def begin(self, game: Any, seat: int) -> None:
            if not self.ready:
                raise RuntimeError("no idea")

    agent = Unready()
    env = gymnasium.make("mmgames/TicTacToe-v0", others=agent)
    env.reset(seed=1)
    env.step(0)
    agent.ready = False
    with pytest.raises(RuntimeError, match="no idea"):
        env.reset(seed=1)
    with pytest.raises(
        MmgamesError, match=r"broke off when the agent Unready in seat 'o' raised RuntimeError; reset\(\)"
    ):
        env.step(1)
    agent.ready = True
    assert len(play_out(env, seed=1)) > 1
