"""Environments of odd shapes, as users write them: one of PettingZoo whose parts are exchanged, one of Gymnasium."""

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv


class Odd(ParallelEnv):
    """Six steps in which nothing happens; it takes nothing but what its spaces hold, of all who are there."""

    metadata = {"render_modes": ["rgb_array"], "name": "odd"}  # noqa: RUF012

    def __init__(
        self,
        agents: Sequence[Any] = ("a", "b"),
        act: spaces.Space[Any] | None = None,
        sight: spaces.Space[Any] | None = None,
        see: Callable[[int], Any] = lambda step: np.array([step / 6], np.float32),
        info: Callable[[Any, int], dict[str, Any]] = lambda agent, step: {},
        draw: Callable[[], Any] = lambda: np.full((16, 24, 3), 90, np.uint8),
        reward: Any = 1.0,
        there: Callable[[int], Sequence[Any]] | None = None,
        modes: tuple[str | None, ...] = (None, "rgb_array"),
        render_mode: str | None = None,
    ) -> None:
        assert render_mode in modes
        self.possible_agents, self.render_mode = list(agents), render_mode
        self.act, self.sight = act or spaces.Discrete(3), sight or spaces.Box(0, 1, (1,))
        self.see, self.info, self.draw, self.reward = see, info, draw, reward
        self.there = there or (lambda step: self.possible_agents if step < 6 else [])

    def action_space(self, agent: Any) -> Any:
        return self.act

    def observation_space(self, agent: Any) -> Any:
        return self.sight

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        self.steps, self.done = 0, []  # type: ignore[var-annotated]
        self.agents = list(self.there(0))
        return self._told(self.see(0)), {agent: self.info(agent, 0) for agent in self.agents}

    def step(self, actions: dict[Any, Any]) -> Any:
        assert set(actions) == set(self.agents)
        assert all(self.act.contains(action) for action in actions.values()), actions
        self.done.append(actions)
        self.steps += 1
        paid = self._told(self.reward)
        self.agents = list(self.there(self.steps))
        infos = {agent: self.info(agent, self.steps) for agent in self.agents}
        return self._told(self.see(self.steps)), paid, self._told(False), self._told(False), infos

    def _told(self, what: Any) -> dict[Any, Any]:
        return dict.fromkeys(self.agents, what)

    def render(self) -> Any:
        return self.draw()


class Plain(gymnasium.Env):
    """Three steps; it knows no renderers and takes no `render_mode`."""

    action_space = spaces.Tuple([spaces.Discrete(2), spaces.Discrete(3, start=1)])
    observation_space = spaces.Dict({"mission": spaces.Text(30), "step": spaces.Discrete(4)})

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.steps = 0
        return {"mission": "doorway", "step": 0}, {}

    def step(self, action: Any) -> Any:
        self.steps += 1
        return {"mission": "doorway", "step": self.steps}, float(action[1]), self.steps == 3, False, {}


gymnasium.register("odd/Plain-v2", "tests.guests.odd:Plain")
