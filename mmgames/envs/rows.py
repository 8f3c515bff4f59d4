"""What both batched faces share: the rows of many episodes, their random streams, observations and threads."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, get_args

import numpy as np
from gymnasium import spaces

from mmgames.core import registry
from mmgames.core.constants import ILLEGAL_REWARD, IllegalPolicy
from mmgames.core.errors import IllegalAction, MmgamesError, unknown
from mmgames.core.game import Seat
from mmgames.core.kernel_game import ROW, Kernel, kernel_of
from mmgames.core.seeding import row_stream

KEYS = ("features", "action_mask")
OWN_OPTIONS = ("observe", "illegal", "max_steps", "threads", "copy")
ROWS_PER_THREAD = 1024  # fewer rows than this are not worth a second thread
NEVER = 2**62


class Rows:
    """Many episodes of a kernel game, and the options that both batched faces take.

    It can be copied and pickled, and a forked child can go on with it: each process starts its own threads.
    """

    own_options: tuple[str, ...] = OWN_OPTIONS

    def __init__(
        self,
        env_id: str,
        num_envs: int = 1,
        *,
        observe: Iterable[str] | str | None = None,
        illegal: IllegalPolicy = "penalty",
        max_steps: int | None = None,
        threads: int | None = None,
        copy: bool = True,
        **options: Any,
    ) -> None:
        loaded = registry.load(env_id)
        where = loaded.spec.id
        if not loaded.spec.batched:
            raise MmgamesError(
                f"{where} has no compiled kernel; use gym.make_vec(…, vectorization_mode='sync') instead."
            )
        for name in options:
            if name not in loaded.spec.options:
                raise unknown("option", name, f"{where}, batched", (*loaded.spec.options, *self.own_options))
        if illegal not in get_args(IllegalPolicy):
            raise unknown("illegal policy", illegal, where, get_args(IllegalPolicy))
        self.num_envs = _at_least_one("num_envs", num_envs, where)
        self.game: Any = loaded.game(**options)
        kernel = kernel_of(self.game)
        assert kernel is not None
        self.kernel: Kernel = kernel
        self.seats = self.game.seats
        self.copy = copy
        self.illegal = illegal
        self.max_steps = None if max_steps is None else _at_least_one("max_steps", max_steps, where)
        self.keys = _check_keys(observe, where)
        known: dict[str, spaces.Space] = {
            "features": spaces.Box(-1.0, 1.0, (kernel.num_features,), np.float32),
            "action_mask": spaces.Box(0, 1, (kernel.num_actions,), np.int8),
        }
        self.single_observation_space = spaces.Dict({key: known[key] for key in self.keys})
        self.single_action_space = spaces.Discrete(kernel.num_actions)
        n = self.num_envs
        self.rows = np.zeros((n, kernel.width), ROW)
        self.rows[:] = kernel.empty_row()
        self._streams = np.zeros(n, np.uint64)
        self._steps = np.zeros(n, np.int64)
        self._terminated = np.zeros(n, np.bool_)
        self._truncated = np.zeros(n, np.bool_)
        self._everywhere = np.ones(n, np.bool_)
        threads = _processors() if threads is None else _at_least_one("threads", threads, where)
        self._threads = min(threads, max(1, n // ROWS_PER_THREAD))
        self._pool: ThreadPoolExecutor | None = None
        self._pool_of = 0  # the process that started the pool
        self._begun = False

    def _look_for(self, seats: Sequence[Seat]) -> None:
        """Make the arrays for the observations of these seats."""
        n, kernel = self.num_envs, self.kernel
        self._looking = np.array(seats, np.int64)
        self._features = np.zeros((n, len(seats) if "features" in self.keys else 0, kernel.num_features), np.float32)
        self._masks = np.ones((n, len(seats), kernel.num_actions), np.int8)

    def _seed(self, seed: Any, which: np.ndarray, *streams: tuple[str, np.ndarray]) -> None:
        """Give rows new streams: each from its own seed. A number is the first row's seed; the next rows count on."""
        if seed is None and self._begun:
            return
        n = self.num_envs
        if isinstance(seed, (int, np.integer)) and not isinstance(seed, bool):
            seed = range(int(seed), int(seed) + n)
        elif seed is None:
            first = int.from_bytes(os.urandom(8), "little")
            seed = range(first, first + n)
        seeds = list(seed) if isinstance(seed, Iterable) else [seed]
        wrong = [one for one in seeds if one is not None and (not isinstance(one, (int, np.integer)) or one < 0)]
        if wrong or len(seeds) != n:
            raise MmgamesError(
                f"{self.game.spec.id}: seed= is one whole number from 0, or a list of {n}, one for each episode "
                f"(None: go on with its random stream), not {seed!r}."
            )
        if not self._begun:
            seeds = [int.from_bytes(os.urandom(8), "little") if one is None else one for one in seeds]
        for name, into in (("game", self._streams), *streams):
            for row in np.flatnonzero(which):
                if seeds[row] is not None:
                    into[row] = row_stream(int(seeds[row]), name)
        self._begun = True

    def _which(self, options: dict | None) -> np.ndarray:
        """The rows that a reset is for: those of `options={"reset_mask": …}`, or all."""
        mask = (options or {}).get("reset_mask")
        if mask is None or not self._begun:
            return self._everywhere
        mask = np.asarray(mask)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise MmgamesError(
                f"{self.game.spec.id}: reset_mask is an array of {self.num_envs} booleans, at least one of them True, "
                f"not {mask.dtype} of shape {mask.shape}."
            )
        return mask

    def _check(self, actions: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        if not self._begun:
            raise MmgamesError(f"{self.game.spec.id}: call reset() before step().")
        actions, most = np.asarray(actions), self.kernel.num_actions
        if actions.shape != shape or actions.dtype.kind not in "iu":
            raise MmgamesError(
                f"{self.game.spec.id}: step() takes whole numbers of shape {shape}, "
                f"not {actions.dtype} of shape {actions.shape}."
            )
        if actions.min() < 0 or actions.max() >= most:
            raise MmgamesError(f"{self.game.spec.id}: actions must lie between 0 and {most - 1}.")
        if self.illegal == "error" and self.kernel.moves is not None:
            self._refuse(actions.reshape(self.num_envs, -1))
        return np.ascontiguousarray(actions, np.int64)

    def _refuse(self, actions: np.ndarray) -> None:
        """Raise at an illegal action of a mover, before anything is played."""
        running = ~(self._terminated | self._truncated)
        moving = self._masks.any(axis=2) & running[:, None]
        allowed = np.take_along_axis(self._masks, actions[..., None].astype(np.int64), axis=2)[..., 0]
        for row, place in np.argwhere(moving & (allowed == 0))[:1]:
            seat, action = int(self._looking[place]), int(actions[row, place])
            raise IllegalAction(
                f"{self.game.spec.id}: {action} is not legal for {self.seats[seat]} in episode {row}. "
                f"Legal: {', '.join(map(str, np.flatnonzero(self._masks[row, place])[:12]))}."
            )

    def _run(self, loop: Any, which: np.ndarray, anew: bool, offends: np.ndarray, *rest: Any) -> None:
        """Step the rows with one of the loops of core/batch.py."""
        before = self._masks
        if self.copy and which is self._everywhere:  # the loop fills new arrays entirely, so this costs no copy
            self._features = np.empty_like(self._features)
            self._masks = np.empty_like(before) if self.kernel.moves is not None else before.copy()
        elif self.copy:
            self._features, self._masks = self._features.copy(), before.copy()
        k = self.kernel
        self._threaded(
            loop,
            *(k.start, k.turn, k.moves, k.step, k.returns, k.features, k.chance, k.room, k.most_outcomes),
            *(self.rows, self._streams, self._steps, self.max_steps or NEVER, which, anew),
            *(self._terminated, self._truncated, offends, np.float32(ILLEGAL_REWARD)),
            *(self._looking, self._features, self._masks, before, *rest),
        )

    def _threaded(self, loop: Any, *arguments: Any) -> None:
        """Run a kernel loop over all rows, a share for each thread."""
        if self._threads == 1:
            loop(*arguments, 0, self.num_envs)
            return
        if self._pool is None or self._pool_of != os.getpid():
            self._pool, self._pool_of = ThreadPoolExecutor(self._threads - 1), os.getpid()
        shares = list(itertools.pairwise(np.linspace(0, self.num_envs, self._threads + 1).astype(int).tolist()))
        running = [self._pool.submit(loop, *arguments, first, last) for first, last in shares[1:]]  # type: ignore[call-arg]
        loop(*arguments, *shares[0])
        for share in running:
            share.result()

    def _end_threads(self) -> None:
        if self._pool is not None and self._pool_of == os.getpid():
            self._pool.shutdown()
        self._pool = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_pool": None}


def _processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _at_least_one(name: str, value: Any, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise MmgamesError(f"{where}: {name}={value!r} is out of range; it must be at least 1.")
    return int(value)


def _check_keys(observe: Iterable[str] | str | None, where: str) -> tuple[str, ...]:
    asked = KEYS if observe is None else (observe,) if isinstance(observe, str) else tuple(observe)
    for key in asked:
        if key not in KEYS:
            raise unknown("observation", key, f"{where}, batched", KEYS)
    if not asked:
        raise MmgamesError(f"{where}: observe= names nothing. Known: {', '.join(KEYS)}.")
    return asked
