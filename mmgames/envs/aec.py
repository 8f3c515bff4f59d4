"""The AEC face: PettingZoo's turns. Simultaneous moves are collected and played together."""

from typing import Any

import pettingzoo

from mmgames.core.constants import ILLEGAL_REWARD
from mmgames.core.game import Action, Seat
from mmgames.envs.all_seats import AllSeatsEnv
from mmgames.errors import MmgamesError, unknown
from mmgames.text.refusals import Illegal


class AecEnv(AllSeatsEnv, pettingzoo.AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """All seats of a game as a PettingZoo AEC environment; agents are named by their roles.

    An illegal action follows PettingZoo's terminate-illegal convention: reward -1 for the offender, 0 for the
    others, everybody terminated and truncated; `infos[agent]["illegal"]` says why. `max_cycles` is
    PettingZoo's word for `max_steps`: transitions of the game, a joint move being one.
    """

    agent_selection: str
    infos: dict[str, dict[str, Any]]

    def __init__(self, env_id: str, **kwargs: Any) -> None:
        super().__init__(env_id, **kwargs)
        self.metadata["is_parallelizable"] = True
        self._seat_of = {role: seat for seat, role in enumerate(self.possible_agents)}
        self._pending: dict[Seat, Action] = {}
        self._no_rewards = dict.fromkeys(self.possible_agents, 0.0)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._start_anew(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._pending = {}
        self._skip_agent_selection = None
        self._next()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Any:
        if agent not in self._seat_of:
            raise unknown("seat", agent, self.game.spec.id, self.possible_agents)
        if self.live.state is None:
            raise MmgamesError(f"{self.game.spec.id}: call reset() before observe().")
        return self._observe(self._seat_of[agent])

    def step(self, action: Action) -> None:
        if not self.agents:
            raise MmgamesError(f"{self.game.spec.id}: the episode is over or has not begun; call reset().")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self._seat_of[agent]
        move = self._check(seat, action)  # before anything changes: it may raise
        self._cumulative_rewards[agent] = 0.0
        if isinstance(move, Illegal):
            self.terminations = dict.fromkeys(self.agents, True)
            self.truncations = dict.fromkeys(self.agents, True)
            self._clear_rewards()
            self.rewards[agent] = ILLEGAL_REWARD
            self.infos[agent] = {**self.infos[agent], **move.as_info()}
        else:
            pending, live = self._pending, self.live
            pending[seat] = move
            if len(pending) < len(live.movers):
                self._clear_rewards()
                waiting = (seat for seat in live.movers if seat not in pending)
                self.agent_selection = self.possible_agents[next(waiting)]
                return
            self._reward_parts = {}
            rewards = self._play(pending)
            self._pending = {}
            if rewards is live.no_rewards:
                self.rewards = self._no_rewards.copy()
            else:
                self.rewards = dict(zip(self.possible_agents, rewards, strict=True))
            self._next()
            if not live.movers:
                self.terminations = dict.fromkeys(self.agents, True)
            elif self.max_steps is not None and self._out_of_time():
                self.truncations = dict.fromkeys(self.agents, True)
            elif rewards is live.no_rewards and self.render_mode != "human":
                return  # nothing to add up, nobody to see off, nothing to show: so it is most of the time
        self._accumulate_rewards()
        if self.terminations[agent] or self.truncations[agent]:
            self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def _next(self) -> None:
        movers = self.live.movers
        if movers:
            self.agent_selection = self.possible_agents[movers[0]]
        self.infos = self._infos()
