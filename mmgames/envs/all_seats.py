"""What the two PettingZoo faces share: all seats of a game by their roles, their spaces, and the game's generator."""

from typing import Any

import numpy as np
from gymnasium import spaces

from mmgames.core.seeding import Stream
from mmgames.envs.base import GameEnv, modes_here


class AllSeatsEnv(GameEnv):
    """The base of the AEC and the parallel face. `max_cycles` is PettingZoo's word for `max_steps`."""

    possible_agents: list[str]
    observation_spaces: dict[str, spaces.Space[Any]]
    action_spaces: dict[str, spaces.Space[Any]]

    def __init__(self, env_id: str, *, max_cycles: int | None = None, **kwargs: Any) -> None:
        kwargs.setdefault("max_steps", max_cycles)
        super().__init__(env_id, **kwargs)
        spec = self.game.spec
        self.metadata: dict[str, Any] = {
            "name": f"{spec.name}_v{spec.version}",
            "render_modes": modes_here(),
            "render_fps": 4,
        }
        self.possible_agents = list(self.game.seats)
        self.agents: list[str] = []
        observation, action = self._spaces()
        self.observation_spaces = dict(zip(self.possible_agents, observation, strict=True))
        self.action_spaces = dict(zip(self.possible_agents, action, strict=True))
        self._stream: Stream | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    @property
    def np_random(self) -> np.random.Generator:
        """The generator of the game, where wrappers look for one."""
        if self._stream is None:
            self._stream = Stream(None)
        return self._stream.rng

    def _start_anew(self, seed: int | None) -> None:
        """Start an episode, with a new generator if a seed is given."""
        if seed is not None or self._stream is None:
            self._stream = Stream(seed)
        self._start(self._stream.rng if self.game.draws else None)
        self.agents = list(self.possible_agents)
