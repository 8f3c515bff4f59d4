"""The Gymnasium face: one seat for you, agents by name or object in the others."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from mmgames.core.agents import Others, ask, begin, find_seat, seat_agents
from mmgames.core.errors import MmgamesError
from mmgames.core.game import Action, Seat
from mmgames.core.replies import Illegal
from mmgames.envs.face import ILLEGAL_REWARD, RENDER_MODES, Face, fresh_rng


class SoloEnv(Face, gymnasium.Env):
    """One seat of a game as a Gymnasium environment.

    `seat` is a role name or number (default: the first), `others` fills the remaining seats. An illegal action
    ends the episode with reward -1 and `info["illegal"]`, or raises with `illegal="error"`. With several movers
    at once the other seats choose without seeing your action. If the others end an episode before your first turn,
    the first step ends it too, whatever its action.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 4}  # noqa: RUF012 - Gymnasium's own convention

    def __init__(self, game: str, *, seat: str | int | None = None, others: Others = None, **kwargs: Any) -> None:
        super().__init__(game, **kwargs)
        self.seat = find_seat(self.game, seat)
        self.agents = seat_agents(others, self.game, (s for s in range(len(self.game.seats)) if s != self.seat))
        observation, action = self._spaces()
        self.observation_space = observation[self.seat]
        self.action_space = action[self.seat]
        self._agent_rngs: dict[Seat, np.random.Generator] = {}
        self._over = True

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[dict, dict]:
        super().reset(seed=seed)
        if seed is not None or self._np_random is None or not self._agent_rngs:
            if self._np_random is None:
                self._np_random, self._np_random_seed = fresh_rng(seed)
            # The agents' own streams: what they draw does not change what the game deals.
            streams = self._np_random.spawn(len(self.game.seats))
            self._agent_rngs = {seat: streams[seat] for seat in self.agents}
        for agent_seat, agent in self.agents.items():
            begin(agent, self.game, agent_seat)
        self._start(self._np_random)
        self._over = False
        self._paid = 0.0  # what the others' first moves earn this seat is part of its first reward
        self._others_move()
        if self.render_mode == "human":
            self.render()
        return self._observe(self.seat), self._info(self.seat)

    def step(self, action: Action) -> tuple[dict, float, bool, bool, dict]:
        if self._over:
            raise MmgamesError(f"{self.game.spec.id}: the episode is over or has not begun; call reset().")
        seat = self.seat
        truncated = False
        # Others may end an episode before this seat's first turn; then any action does nothing but hear of it.
        move = self._check(seat, action) if self.live.movers else None
        if isinstance(move, Illegal):
            reward, terminated = ILLEGAL_REWARD, True
        else:
            if self.live.movers:
                moves = {seat: move}
                for other in self.live.movers:
                    if other != seat:
                        moves[other] = self._ask(other)
                self._play(moves)
                self._others_move()
            reward = float(self.live.totals[seat] - self._paid)
            self._paid = self.live.totals[seat]
            terminated = not self.live.movers
            truncated = self._out_of_time()
        self._over = terminated or truncated
        info = self._info(seat)
        if isinstance(move, Illegal):
            info["illegal"] = move.reason
        if self.render_mode == "human":
            self.render()
        return self._observe(seat), reward, terminated, truncated, info

    def close(self) -> None:
        """Close the window, and what the agents of the other seats keep open, such as a chess engine."""
        super().close()
        for agent in self.agents.values():
            if hasattr(agent, "close"):
                agent.close()

    def action_masks(self) -> np.ndarray:
        """The legal actions as booleans, where MaskablePPO looks for them."""
        return self.observer.mask(self.live.view(self.seat)).astype(bool)

    def _others_move(self) -> None:
        while self.live.movers and self.seat not in self.live.movers:
            self.live.play({other: self._ask(other) for other in self.live.movers})
            self._look()

    def _ask(self, seat: Seat) -> Action:
        return ask(self.agents[seat], self.live, seat, self._agent_rngs[seat], self.observer)
