"""The Gymnasium face: one seat for you, agents by name or object in the others."""

from typing import Any

import gymnasium
import numpy as np

from mmgames.agents.finding import Others, find_seat, seat_agents
from mmgames.agents.players import Players, ask_for_move
from mmgames.core.constants import ILLEGAL_REWARD, OWN_OPTIONS, RENDER_MODES
from mmgames.core.game import Action, Seat
from mmgames.core.seeding import agent_streams, fresh_rng
from mmgames.core.turn import Turn
from mmgames.envs.base import GameEnv, modes_here
from mmgames.errors import MmgamesError
from mmgames.text.refusals import Illegal


class SoloEnv(GameEnv, gymnasium.Env):
    """One seat of a game as a Gymnasium environment.

    `seat` is a role name or number (default: the first), `others` fills the remaining seats. An illegal action
    ends the episode with reward -1 and `info["illegal"]`, or raises with `illegal="error"`. With several movers
    at once the other seats choose without seeing your action. If the others end an episode before your first turn, or
    use up `max_steps`, the first step ends it too, whatever its action. An agent that raises breaks the episode off:
    only reset() goes on from there.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 4}  # noqa: RUF012 - Gymnasium's own convention
    own_options = OWN_OPTIONS
    shares_pictures = False

    def __init__(self, env_id: str, *, seat: str | int | None = None, others: Others = None, **kwargs: Any) -> None:
        super().__init__(env_id, **kwargs)
        self.seat = find_seat(self.game, seat)
        rest = (other for other in range(len(self.game.seats)) if other != self.seat)
        self.players = Players(seat_agents(others, self.game, rest))
        observation, action = self._spaces()
        self.metadata = {**type(self).metadata, "render_modes": modes_here()}
        self.observation_space = observation[self.seat]
        self.action_space = action[self.seat]
        self._agent_rngs: dict[Seat, np.random.Generator] = {}
        self._over = True
        self._broke_off = ""  # the sentence that says so, after an agent has raised

    @property
    def agents(self) -> dict[Seat, Any]:
        """The agents of the other seats, as they were given."""
        return {seat: agent.given for seat, agent in self.players.agents.items()}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is not None or self._np_random is None or not self._agent_rngs:
            if self._np_random is None:
                self._np_random, self._np_random_seed = fresh_rng(seed)
            # The agents' own streams: what they draw does not change what the game deals, nor tell of it.
            streams = agent_streams(self._np_random, len(self.game.seats))
            self._agent_rngs = {seat: streams[seat] for seat in self.players.agents}
        self._over, self._broke_off = True, ""
        try:
            self.players.begin(self.live)
        except BaseException as error:
            self._break_off(error)
            raise
        self._start(self._np_random)
        self._paid = 0.0  # what the others' first moves earn this seat is part of its first reward
        self._others_move()
        self._over = False
        if self.render_mode == "human":
            self.render()
        return self._observe(self.seat), self._info(self.seat)

    def step(self, action: Action) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if self._over:
            why = self._broke_off or "the episode is over or has not begun; call reset()."
            raise MmgamesError(f"{self.game.spec.id}: {why}")
        seat = self.seat
        truncated = False
        self._reward_parts = {}
        # Others may end an episode before this seat's first turn; then any action does nothing but hear of it.
        goes_on = self._goes_on()
        move = self._check(seat, action) if goes_on else None
        if isinstance(move, Illegal):
            reward, terminated = ILLEGAL_REWARD, True
        else:
            if goes_on:
                self._play({seat: move, **self._ask(*(other for other in self.live.movers if other != seat))})
                self._others_move()
            reward = float(self.live.totals[seat] - self._paid)
            self._paid = self.live.totals[seat]
            terminated = not self.live.movers
            truncated = self._out_of_time()
        self._over = terminated or truncated
        if self._over:
            try:
                self.players.end(self.live)
            except BaseException as error:
                self._break_off(error)
                raise
        info = self._info(seat)
        if isinstance(move, Illegal):
            info.update(move.as_info())
        if self.render_mode == "human":
            self.render()
        return self._observe(seat), reward, terminated, truncated, info

    def close(self) -> None:
        """Close the window, and what the agents of the other seats keep open, such as a chess engine."""
        super().close()
        self.players.end(self.live, quietly=True)
        self.players.close()

    def action_masks(self) -> np.ndarray:
        """The legal actions as booleans, where MaskablePPO looks for them."""
        return self.live.mask(self.seat).astype(bool)

    def _others_move(self) -> None:
        while self._goes_on() and self.seat not in self.live.movers:
            self._play(self._ask(*self.live.movers))

    def _goes_on(self) -> bool:
        return bool(self.live.movers) and not self._out_of_time()

    def _ask(self, *seats: Seat) -> dict[Seat, Action]:
        """What the others do, agents that may be asked at the same time so."""
        turns = {seat: Turn(self.live, seat, self._agent_rngs[seat], self.observer) for seat in seats}
        try:
            return self.players.ask(turns, lambda turn: ask_for_move(self.players.agents[turn.seat], self.live, turn))
        except BaseException as error:
            self._break_off(error)
            raise

    def _break_off(self, error: BaseException) -> None:
        """Nobody can go on from here: this seat's own move may be played already, and its answer is missing."""
        seat = self.players.asking
        assert seat is not None
        agent, role = self.players.agents[seat].class_name, self.game.seats[seat]
        self._over = True
        self._broke_off = (
            f"the episode broke off when the agent {agent} in seat {role!r} raised {type(error).__name__}; "
            "reset() starts a new one."
        )
        self.players.end(self.live, quietly=True)
