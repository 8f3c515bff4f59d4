"""The batched face for all seats: thousands of episodes stepped by the compiled kernel of a game."""

import importlib
from functools import cached_property
from typing import Any

import numpy as np
from gymnasium import spaces

from mmgames.core import registry
from mmgames.core.spaces import of_all_seats
from mmgames.envs.batch_base import BatchBase
from mmgames.kernels import batch


class BatchedEnv(BatchBase):
    """All seats of `num_envs` episodes: arrays [env, seat, …], features and rewards written by the kernel.

    `autoreset_mode` is Gymnasium's. "NextStep": an episode that ended is restarted by the next step, which ignores its
    actions and pays nothing. "SameStep": it is restarted at once; `info["final_obs"]`, true in the rows of
    `info["_final_obs"]`, has what it ended with. "Disabled": you restart it with `reset(options={"reset_mask": …})`.
    `statistics=True` tells the returns and lengths of episodes that end in `info["episode"]`. `copy=False` hands out
    the internal buffers, which the next step overwrites. The results do not depend on `threads`.

    Seats that are not to move have an all-zero mask and may send anything. An illegal action of a mover ends its
    episode as it stands: reward -1 for the offender, 0 for the others, and `info["illegal"]` [env, seat] says who it
    was; with `illegal="error"` it raises. `info["action_mask"]` is there whatever is observed.
    """

    saved = (*BatchBase.saved, "_drawn_streams")

    def __init__(self, env_id: str, num_envs: int = 1, **options: Any) -> None:
        super().__init__(env_id, num_envs, **options)
        n, seats = self.num_envs, len(self.seats)
        self._rewards = self.xp.zeros((n, seats), np.float32)
        self._offends = self.xp.zeros((n, seats), np.bool_)
        self._no_actions = self.xp.zeros((n, seats), np.int64)
        self._drawn_streams = self.xp.zeros(n, np.uint64)
        self._look_for(range(seats))

    @cached_property
    def observation_space(self) -> spaces.Space[Any]:
        """Of all seats of all episodes, as `reset` and `step` give them."""
        return of_all_seats(self.single_observation_space, self.keys, len(self.seats), self.num_envs)

    @cached_property
    def action_space(self) -> spaces.Space[Any]:
        return of_all_seats(self.single_action_space, (), len(self.seats), self.num_envs)

    def reset(self, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start all episodes, or those of `options={"reset_mask": …}`. `seed` is a number or a list of numbers."""
        return self._start(seed, options, ("draws", self._drawn_streams))

    def step(self, actions: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Joint actions [env, seat] -> observations, rewards [env, seat], terminated [env], truncated [env], info."""
        return self._advance(actions)

    def random_actions(self) -> Any:
        """Joint actions [env, seat]: any legal action of every mover, all with equal probability. With copy=False the
        next call draws into the same array."""
        if self.copy or self._drawn is None:
            self._drawn = self.xp.empty_like(self._no_actions)
        masks = None if self.kernel.moves is None else self._masks
        self._threaded(batch.random_states, masks, self.kernel.num_actions, self._drawn_streams, self._drawn)
        return self._drawn

    def act(self, seat: int, policy: Any, streams: np.ndarray, actions: np.ndarray) -> None:
        """Fill in `actions[:, seat]`, all rows, with what a compiled policy chooses; None draws any legal action."""
        rules = (self.kernel.turn, self.kernel.moves, policy, self.kernel.moves_capacity)
        self._threaded(batch.act_states, *rules, self.states, seat, streams, actions)

    def close(self) -> None:
        self.threads.end()

    def _play(self, which: np.ndarray, restart: bool, actions: np.ndarray, rewards: np.ndarray) -> None:
        self._run(batch.step_states, which, restart, actions, rewards)

    def _shape(self, seen: np.ndarray) -> np.ndarray:
        return seen


def batches_of(env_id: str) -> Any:
    """The class whose batches a game is played in: BatchedEnv, unless its simulator brings its own."""
    spec = registry.find(env_id)
    if not spec.simulator.vector:
        return BatchedEnv
    module, _, name = spec.simulator.vector.partition(":")
    return getattr(importlib.import_module(module), name)
