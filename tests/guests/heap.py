"""An environment of PettingZoo's, as a user might write one: whoever takes the last of a heap wins."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import AgentSelector

import mmgames


class Heap(AECEnv):
    metadata = {"render_modes": ["rgb_array"], "name": "heap"}  # noqa: RUF012

    def __init__(self, most: int = 9, render_mode: str | None = None) -> None:
        self.most, self.render_mode = most, render_mode
        self.possible_agents = ["first", "second"]
        sight = spaces.Dict(
            {"observation": spaces.Box(0, most, (1,), np.int64), "action_mask": spaces.Box(0, 1, (2,), np.int8)}
        )
        self.action_spaces: dict[str, Any] = dict.fromkeys(self.possible_agents, spaces.Discrete(2))
        self.observation_spaces: dict[str, Any] = dict.fromkeys(self.possible_agents, sight)

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        self.heap = int(np.random.default_rng(seed).integers(5, self.most + 1))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Any] = {agent: {} for agent in self.agents}
        self._turns = AgentSelector(self.agents)
        self.agent_selection = self._turns.reset()

    def observe(self, agent: str) -> Any:
        return {"observation": np.array([self.heap]), "action_mask": np.array([1, self.heap > 1], np.int8)}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0
        self.heap -= 1 + int(action)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.heap <= 0:
            self.rewards = {one: 1.0 if one == agent else -1.0 for one in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self.agent_selection = self._turns.next()

    def render(self) -> np.ndarray:
        picture = np.full((64, 64, 3), 240, np.uint8)
        picture[:2], picture[-2:] = 0, 120
        for stone in range(self.heap):
            y, x = divmod(stone, 3)
            picture[20 * y + 4 : 20 * y + 20, 20 * x + 4 : 20 * x + 20] = (30, 90, 160)
        return picture


class Drift(gymnasium.Env):
    """An environment of Gymnasium's with numbers for actions: keep near the middle of a line."""

    metadata = {"render_modes": ["rgb_array"]}  # noqa: RUF012
    action_space = spaces.Box(-1, 1, (2,), np.float32)
    observation_space = spaces.Dict({"place": spaces.Box(-np.inf, np.inf, (1,)), "step": spaces.Discrete(9)})

    def __init__(self, render_mode: str | None = None) -> None:
        self.render_mode = render_mode

    def _seen(self) -> dict[str, Any]:
        return {"place": np.array([self.place], np.float32), "step": self.steps}

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.place, self.steps = float(self.np_random.normal()), 0
        return self._seen(), {}

    def step(self, action: np.ndarray) -> Any:
        self.place += float(action[0] - 0.5 * action[1])
        self.steps += 1
        return self._seen(), -abs(self.place), self.steps == 8, False, {}

    def render(self) -> np.ndarray:
        picture = np.full((32, 64, 3), 255, np.uint8)
        picture[:2] = 0
        middle = int(np.clip(32 + 8 * self.place, 3, 60))
        picture[4:, middle - 3 : middle + 4] = (200, 40, 40)
        return picture


def env(**arguments: Any) -> Heap:
    return Heap(**arguments)


gymnasium.register("guests/Drift-v3", "tests.guests.heap:Drift")
HEAP = mmgames.from_pettingzoo(
    env, words={"rules": "Take one or two; whoever takes the last wins.", "actions": ["take one", "take two"]}
)
