"""The parallel face: everybody acts at once. In a turn-based game the seats that do not move are ignored."""

from collections.abc import Mapping
from typing import Any

import pettingzoo

from mmgames.core.constants import ILLEGAL_REWARD
from mmgames.core.game import Action, Seat
from mmgames.envs.all_seats import AllSeatsEnv
from mmgames.errors import MmgamesError, unknown
from mmgames.text.refusals import Illegal

PerAgent = dict[str, Any]


class ParallelEnv(AllSeatsEnv, pettingzoo.ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """All seats of a game as a PettingZoo parallel environment; agents are named by their roles.

    Seats that do not move have an all-zero mask and may send anything or nothing. An illegal action of a mover
    ends the episode for all: reward -1 for each offender, 0 for the others, `infos[agent]["illegal"]` says why.
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[PerAgent, PerAgent]:
        self._start_anew(seed)
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
        self._reward_parts = {}
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
