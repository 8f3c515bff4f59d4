"""The batched faces: thousands of episodes stepped by the compiled kernel of a game."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from mmgames.core import batch
from mmgames.core.agents import Others, find_seat, seat_agents
from mmgames.core.constants import SEAT_OPTIONS
from mmgames.core.errors import MmgamesError
from mmgames.envs.rows import OWN_OPTIONS, Rows


class BatchedEnv(Rows):
    """All seats of `num_envs` episodes: arrays [env, seat, …], features and rewards written by the kernel.

    An episode that ended is restarted by the next step, which ignores its actions and pays nothing (Gymnasium's
    next-step autoreset). `copy=False` hands out the internal buffers, which the next step overwrites.
    The results do not depend on `threads`.

    Seats that are not to move have an all-zero mask and may send anything. An illegal action of a mover ends its
    episode as it stands: reward -1 for the offender, 0 for the others, and `info["illegal"]` [env, seat] says who it
    was; with `illegal="error"` it raises. `info["action_mask"]` is there whatever is observed.
    """

    def __init__(self, env_id: str, num_envs: int = 1, **options: Any) -> None:
        super().__init__(env_id, num_envs, **options)
        n, seats = self.num_envs, len(self.seats)
        self._look_for(range(seats))
        self._rewards = np.zeros((n, seats), np.float32)
        self._offends = np.zeros((n, seats), np.bool_)
        self._no_actions = np.zeros((n, seats), np.int64)
        self._drawn_streams = np.zeros(n, np.uint64)

    def reset(self, seed: Any = None, options: dict | None = None) -> tuple[dict, dict]:
        """Start all episodes, or those of `options={"reset_mask": …}`. `seed` is a number or a list of numbers."""
        which = self._which(options)
        self._seed(seed, which, ("draws", self._drawn_streams))
        self._play(which, True, self._no_actions)
        return self._observation(), self._info()

    def step(self, actions: np.ndarray) -> tuple[dict, np.ndarray, np.ndarray, np.ndarray, dict]:
        """Joint actions [env, seat] -> observations, rewards [env, seat], terminated [env], truncated [env], info."""
        self._play(self._everywhere, False, self._check(actions, self._no_actions.shape))
        return self._observation(), self._rewards, self._terminated.copy(), self._truncated.copy(), self._info()

    def random_actions(self) -> np.ndarray:
        """Joint actions [env, seat]: any legal action of every mover, all with equal probability."""
        actions = np.empty_like(self._no_actions)
        self._threaded(batch.random_rows, self._masks, self._drawn_streams, actions)
        return actions

    def act(self, seat: int, policy: Any, streams: np.ndarray, actions: np.ndarray) -> None:
        """Fill in `actions[:, seat]`, all rows, with what a compiled policy chooses; None draws any legal action."""
        kernel = self.kernel
        self._threaded(
            batch.act_rows, kernel.turn, kernel.moves, policy, kernel.room, self.rows, seat, streams, actions
        )

    def close(self) -> None:
        self._end_threads()

    def _play(self, which: np.ndarray, anew: bool, actions: np.ndarray) -> None:
        if self.copy:
            self._rewards = np.empty_like(self._rewards) if which is self._everywhere else self._rewards.copy()
        self._run(batch.step_rows, which, anew, self._offends, actions, self._rewards)

    def _observation(self) -> dict[str, np.ndarray]:
        return {key: self._features if key == "features" else self._masks for key in self.keys}

    def _info(self) -> dict[str, Any]:
        info = {"action_mask": self._masks}
        return {**info, "illegal": self._offends.copy()} if self._offends.any() else info


class SoloVectorEnv(Rows, gymnasium.vector.VectorEnv):  # type: ignore[misc]
    """One seat of many episodes (`gym.make_vec`): {features, action_mask}; compiled policies play the other seats.

    Each row is the decision process of `gym.make`: after your action the others take their turns until it is yours
    again or the episode is over, and so they do at its beginning. Rewards add up meanwhile. An illegal action ends its
    episode with reward -1 and `info["illegal"]` [env] says so; with `illegal="error"` it raises.
    """

    own_options = (*SEAT_OPTIONS, *OWN_OPTIONS)

    def __init__(
        self, env_id: str, num_envs: int = 1, *, seat: str | int | None = None, others: Others = None, **options: Any
    ) -> None:
        super().__init__(env_id, num_envs, **options)
        n, rules = self.num_envs, self.game
        self.seat = find_seat(rules, seat)
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)
        self._look_for([self.seat])
        rest = [s for s in range(len(rules.seats)) if s != self.seat]
        self._policies: list[Any] = []
        self._places = np.full(len(rules.seats), batch.ANY_LEGAL)
        for other, agent in seat_agents(others, rules, rest).items():
            policy = getattr(type(agent), "policy", None)
            if policy is None and type(agent).__name__ != "Random":
                raise MmgamesError(
                    f"{rules.spec.id}: {type(agent).__name__} has no compiled policy for the batched face; "
                    "use gym.make_vec(…, vectorization_mode='sync') with it."
                )
            if policy is not None:
                if policy not in self._policies:
                    self._policies.append(policy)
                self._places[other] = self._policies.index(policy)
        if len(self._policies) > batch.MOST_POLICIES:
            raise MmgamesError(
                f"{rules.spec.id}: others= names {len(self._policies)} different agents; the batched face takes "
                f"{batch.MOST_POLICIES} at the most."
            )
        self._policies += [None] * (batch.MOST_POLICIES - len(self._policies))
        self._agent_streams = np.zeros(n, np.uint64)
        self._paid = np.zeros(n)
        self._rewards = np.zeros(n, np.float32)
        self._offends = np.zeros(n, np.bool_)
        self._no_actions = np.zeros(n, np.int64)

    def reset(self, *, seed: Any = None, options: dict | None = None) -> tuple[dict, dict]:
        """Start all episodes, or those of `options={"reset_mask": …}`. `seed` is a number or a list of numbers."""
        which = self._which(options)
        self._seed(seed, which, ("agents", self._agent_streams))
        self._play(which, True, self._no_actions)
        return self._observation(), self._info()

    def step(self, actions: np.ndarray) -> tuple[dict, np.ndarray, np.ndarray, np.ndarray, dict]:
        self._play(self._everywhere, False, self._check(actions, (self.num_envs,)))
        rewards = self._rewards.copy() if self.copy else self._rewards
        return self._observation(), rewards, self._terminated.copy(), self._truncated.copy(), self._info()

    def _play(self, which: np.ndarray, anew: bool, actions: np.ndarray) -> None:
        self._run(
            batch.one_seat_rows,
            *(which, anew, self._offends, actions, self._rewards),
            *(self._paid, self._places, *self._policies, self._agent_streams),
        )

    def _observation(self) -> dict[str, np.ndarray]:
        return {key: self._features[:, 0] if key == "features" else self._masks[:, 0] for key in self.keys}

    def _info(self) -> dict[str, Any]:
        info = {"action_mask": self._masks[:, 0]}
        return {**info, "illegal": self._offends.copy()} if self._offends.any() else info

    def close_extras(self, **kwargs: Any) -> None:
        self._end_threads()
