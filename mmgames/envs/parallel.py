"""The parallel face: everybody acts at once. In a turn-based game the seats that do not move are ignored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pettingzoo
from gymnasium import spaces

from mmgames.core.constants import ILLEGAL_REWARD, RENDER_MODES
from mmgames.core.game import Action, Seat
from mmgames.core.seeding import Stream
from mmgames.envs.base import GameEnv
from mmgames.errors import MmgamesError, unknown
from mmgames.text.refusals import Illegal

PerAgent = dict[str, Any]


class ParallelEnv(GameEnv, pettingzoo.ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """All seats of a game as a PettingZoo parallel environment; agents are named by their roles.

    Seats that do not move have an all-zero mask and may send anything or nothing. An illegal action of a mover
    ends the episode for all: reward -1 for each offender, 0 for the others, `infos[agent]["illegal"]` says why.
    """

    possible_agents: list[str]
    observation_spaces: dict[str, spaces.Space[Any]]
    action_spaces: dict[str, spaces.Space[Any]]

    def __init__(self, env_id: str, *, max_cycles: int | None = None, **kwargs: Any) -> None:
        kwargs.setdefault("max_steps", max_cycles)
        super().__init__(env_id, **kwargs)
        spec = self.game.spec
        self.metadata = {"name": f"{spec.name}_v{spec.version}", "render_modes": RENDER_MODES, "render_fps": 4}
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

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[PerAgent, PerAgent]:
        if seed is not None or self._stream is None:
            self._stream = Stream(seed)
        self._start(self._stream.rng if self.game.draws else None)
        self.agents = list(self.possible_agents)
        if self.render_mode == "human":
            self.render()
        return self._observations(), self._infos()

    def step(self, actions: Mapping[str, Action]) -> tuple[PerAgent, PerAgent, PerAgent, PerAgent, PerAgent]:
        if not self.agents:
            raise MmgamesError(f"{self.game.spec.id}: the episode is over or has not begun; call reset().")
        for role in actions:
            if role not in self.possible_agents:
                raise unknown("seat", role, self.game.spec.id, self.possible_agents)
        moves: dict[Seat, Action] = {}
        offences: dict[str, Illegal] = {}
        for seat in self.live.movers:
            role = self.possible_agents[seat]
            if role not in actions:
                raise MmgamesError(f"{self.game.spec.id}: {role!r} is to move, but step() got no action for it.")
            move = self._check(seat, actions[role])
            if isinstance(move, Illegal):
                offences[role] = move
            else:
                moves[seat] = move
        self._clear_reward_parts()
        if offences:
            rewards = {role: ILLEGAL_REWARD if role in offences else 0.0 for role in self.possible_agents}
        else:
            rewards = dict(zip(self.possible_agents, self._play(moves), strict=True))
        over = bool(offences) or not self.live.movers
        cut = not over and self._out_of_time()
        infos = self._infos()
        for role, refusal in offences.items():
            infos[role].update(refusal.as_info())
        if over or cut:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        roles = self.possible_agents
        return self._observations(), rewards, dict.fromkeys(roles, over), dict.fromkeys(roles, cut), infos

    def _observations(self) -> PerAgent:
        return {role: self._observe(seat) for seat, role in enumerate(self.possible_agents)}
