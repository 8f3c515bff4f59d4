"""The batched face: thousands of episodes stepped by the compiled kernel of a game."""

from __future__ import annotations

import itertools
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from mmgames.core import batch, registry
from mmgames.core.agents import Others, find_seat, seat_agents
from mmgames.core.constants import ILLEGAL_REWARD
from mmgames.core.errors import MmgamesError
from mmgames.core.seeding import agent_noise, fresh_rng

ROWS_PER_THREAD = 1024  # fewer rows than this are not worth a second thread


class BatchedEnv:
    """All seats of `num_envs` episodes: arrays [env, seat, …], features and rewards written by the kernel.

    An episode that ended is restarted by the next step, which ignores its actions and pays nothing (Gymnasium's
    next-step autoreset). `copy=False` hands out the internal buffers, which the next step overwrites.
    The results do not depend on `threads`.

    Seats that are not to move have an all-zero mask and may send anything. An illegal action of a mover ends its
    episode as it stands: reward -1 for the offender, 0 for the others.
    """

    def __init__(
        self, env_id: str, num_envs: int = 1, *, threads: int | None = None, copy: bool = True, **options: Any
    ) -> None:
        loaded = registry.load(env_id)
        if not loaded.spec.batched:
            raise MmgamesError(
                f"{loaded.spec.id} has no compiled kernel; use gym.make_vec(…, vectorization_mode='sync') instead."
            )
        if isinstance(num_envs, bool) or not isinstance(num_envs, (int, np.integer)) or num_envs < 1:
            raise MmgamesError(f"{loaded.spec.id}: num_envs={num_envs!r} is out of range; it must be at least 1.")
        self.game = cast(batch.KernelGame, loaded.game(**options))
        self.num_envs = int(num_envs)
        self.seats = self.game.seats
        self.copy = copy
        kernel: batch.Kernel = self.game.kernel
        self.kernel = kernel
        self.single_observation_space = spaces.Dict(
            features=spaces.Box(-1.0, 1.0, (kernel.num_features,), np.float32),
            action_mask=spaces.Box(0, 1, (self.game.num_actions,), np.int8),
        )
        self.single_action_space = spaces.Discrete(self.game.num_actions)
        n, s = self.num_envs, len(self.seats)
        self.rows = np.zeros((n, kernel.width), batch.ROW)
        self.rows[:, : len(kernel.settings)] = kernel.settings
        self._streams = np.zeros(n, np.uint64)
        self._over = np.zeros(n, np.bool_)
        self._rewards = np.zeros((n, s), np.float32)
        self._features = np.zeros((n, s, kernel.num_features), np.float32)
        self._masks = np.ones((n, s, self.game.num_actions), np.int8)
        threads = min(threads or os.cpu_count() or 1, max(1, n // ROWS_PER_THREAD))
        bounds = np.linspace(0, n, threads + 1).astype(int).tolist()
        self._shares = list(itertools.pairwise(bounds))
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        self._begun = False

    def reset(self, seed: int | None = None, options: dict | None = None) -> tuple[dict, dict]:
        if seed is not None or not self._begun:
            _, drawn = fresh_rng(seed)
            self._streams[:] = np.random.SeedSequence(drawn).generate_state(self.num_envs, np.uint64)
            self._begun = True
        self._over[:] = False
        self._fresh()
        kernel = self.kernel
        if kernel.mask is None:
            self._threaded(batch.start_rows, kernel.start, kernel.features, self.rows, self._streams, self._features)
        else:
            self._threaded(
                batch.start_masked_rows,
                *(kernel.start, kernel.features, kernel.mask),
                *(self.rows, self._streams, self._features, self._masks),
            )
        return self._observation(), {}

    def step(self, actions: np.ndarray) -> tuple[dict, np.ndarray, np.ndarray, np.ndarray, dict]:
        """Joint actions [env, seat] -> observations, rewards [env, seat], terminated [env], truncated [env], info."""
        if not self._begun:
            raise MmgamesError(f"{self.game.spec.id}: call reset() before step().")
        actions = self._check(actions)
        kernel = self.kernel
        self._fresh()
        if kernel.mask is None:
            self._threaded(
                batch.step_rows,
                *(kernel.start, kernel.step, kernel.features),
                *(self.rows, self._streams, actions, self._rewards, self._over, self._features),
            )
        else:
            self._threaded(
                batch.step_masked_rows,
                *(kernel.start, kernel.step, kernel.features, kernel.mask),
                *(self.rows, self._streams, actions, self._rewards, self._over, self._features, self._masks),
                np.float32(ILLEGAL_REWARD),
            )
        return self._observation(), self._rewards, self._over.copy(), np.zeros(self.num_envs, np.bool_), {}

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def _check(self, actions: np.ndarray) -> np.ndarray:
        actions = np.asarray(actions)
        shape, most = (self.num_envs, len(self.seats)), self.game.num_actions
        if actions.shape != shape or actions.dtype.kind not in "iu":
            raise MmgamesError(
                f"{self.game.spec.id}: step() takes whole numbers of shape {shape}, "
                f"not {actions.dtype} of shape {actions.shape}."
            )
        if actions.min() < 0 or actions.max() >= most:
            raise MmgamesError(f"{self.game.spec.id}: actions must lie between 0 and {most - 1}.")
        return np.ascontiguousarray(actions, np.int64)

    def _fresh(self) -> None:
        """New arrays for what the caller keeps; the kernel fills them entirely, so this costs no copy."""
        if self.copy:
            self._rewards = np.empty_like(self._rewards)
            self._features = np.empty_like(self._features)

    def _observation(self) -> dict[str, np.ndarray]:
        return {"features": self._features, "action_mask": self._masks.copy() if self.copy else self._masks}

    def act(self, seat: int, policy: Any, streams: np.ndarray, actions: np.ndarray) -> None:
        """Fill in `actions[:, seat]`, all rows, with what a compiled policy chooses; None draws any legal action."""
        masked = self.kernel.mask is not None
        if policy is None and masked:
            self._threaded(batch.random_masked_rows, self._masks, seat, streams, actions)
        elif policy is None:
            self._threaded(batch.random_rows, self.game.num_actions, seat, streams, actions)
        elif masked:
            self._threaded(batch.act_masked_rows, policy, self.rows, self._masks, seat, streams, actions)
        else:
            self._threaded(batch.act_rows, policy, self.rows, seat, streams, actions)

    def _threaded(self, loop: Any, *arguments: Any) -> None:
        """Run a kernel loop over all rows, a share for each thread."""
        if self._pool is None:
            loop(*arguments, 0, self.num_envs)
            return
        running = [self._pool.submit(loop, *arguments, first, last) for first, last in self._shares[1:]]  # type: ignore[call-arg]
        loop(*arguments, *self._shares[0])
        for share in running:
            share.result()


class SoloVectorEnv(gymnasium.vector.VectorEnv):
    """One seat of many episodes (`gym.make_vec`): {features, action_mask}, the other seats played by kernels."""

    def __init__(
        self, env_id: str, num_envs: int = 1, *, seat: str | int | None = None, others: Others = None, **kwargs: Any
    ) -> None:
        self.all = BatchedEnv(env_id, num_envs, **kwargs)
        rules = self.all.game
        self.num_envs = num_envs
        self.seat = find_seat(rules, seat)
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}
        self.single_observation_space = self.all.single_observation_space
        self.single_action_space = self.all.single_action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        rest = [s for s in range(len(rules.seats)) if s != self.seat]
        self._policies: dict[int, Any] = {}
        for other, agent in seat_agents(others, rules, rest).items():
            policy = getattr(type(agent), "policy", None)
            if policy is None and type(agent).__name__ != "Random":
                raise MmgamesError(
                    f"{rules.spec.id}: {type(agent).__name__} has no compiled policy for the batched face; "
                    "use gym.make_vec(…, vectorization_mode='sync') with it."
                )
            self._policies[other] = policy
        self._streams: np.ndarray = np.zeros((len(rules.seats), num_envs), np.uint64)
        self._actions = np.zeros((num_envs, len(rules.seats)), np.int64)

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[dict, dict]:
        super().reset(seed=seed)
        if seed is not None or not self._streams.any():
            self._streams = agent_noise(fresh_rng(seed)[0], *self._streams.shape)
        observation, info = self.all.reset(seed=seed)
        return self._mine(observation), info

    def step(self, actions: np.ndarray) -> tuple[dict, np.ndarray, np.ndarray, np.ndarray, dict]:
        every = self.all
        own = np.asarray(actions)
        if own.shape != (self.num_envs,) or own.dtype.kind not in "iu":
            raise MmgamesError(
                f"{every.game.spec.id}: step() takes {self.num_envs} actions, whole numbers, "
                f"not {own.dtype} of shape {own.shape}."
            )
        self._actions[:, self.seat] = own
        for other, policy in self._policies.items():
            every.act(other, policy, self._streams[other], self._actions)
        observation, rewards, terminated, truncated, info = every.step(self._actions)
        return self._mine(observation), rewards[:, self.seat].copy(), terminated, truncated, info

    def _mine(self, observation: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        return {key: np.ascontiguousarray(value[:, self.seat]) for key, value in observation.items()}

    def close_extras(self, **kwargs: Any) -> None:
        self.all.close()
