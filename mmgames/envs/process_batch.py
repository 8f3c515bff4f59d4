"""Many episodes of a game that has no compiled kernel, as arrays like those of the batched face."""

import itertools
import json
import multiprocessing
import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from mmgames.core import registry
from mmgames.core.actions import most_numbers
from mmgames.core.live import LiveGame
from mmgames.core.spaces import of_all_seats
from mmgames.envs import options as checks
from mmgames.envs.played_rows import BEGIN, END, STEP, BatchArrays, arrays_in, rows_of, serve
from mmgames.errors import MmgamesError, unknown_option
from mmgames.kernels.threads import Threads

OPTIONS = ("observe", "max_steps", "threads", "copy")


class ProcessBatch:
    """All seats of `num_envs` episodes of any game with features: arrays [env, seat, …], as BatchedEnv has them.

    The episodes are played in as many processes as `threads` says, or in this one if that is 1; the results do not
    depend on it. An episode that ended is restarted by the next step, which ignores its actions and pays nothing.

    Actions are whole numbers [env, seat]; in box games [env, seat, number], from -1 (the lowest value) to 1 (the
    highest). Seats whose actions have fewer numbers than others' use the first ones, and the mask tells which; seats
    with fewer features have zeros behind them.
    """

    masked = True

    def __init__(
        self, env_id: str, num_envs: int = 1, *, observe: Iterable[str] | str | None = None,
        max_steps: int | None = None, threads: int | None = None, copy: bool = True, **options: Any,
    ) -> None:  # fmt: skip
        loaded = registry.load(env_id)
        where = loaded.spec.id
        for name in options:
            if name not in loaded.spec.options:
                raise unknown_option(name, f"{where}, in processes", (*loaded.spec.options, *OPTIONS))
        if loaded.spec.actions == "text":
            raise MmgamesError(f"{where} is played in words; a batch takes games whose actions are numbers.")
        self.num_envs = checks.at_least_one("num_envs", num_envs, where)
        self.max_steps = None if max_steps is None else checks.at_least_one("max_steps", max_steps, where)
        threads = checks.count_processors() if threads is None else checks.at_least_one("threads", threads, where)
        self.threads, self.copy = Threads(threads), copy
        self.game: Any = loaded.game(**options)
        self.seats = self.game.seats
        self.keys = checks.check_batch_keys(observe, ("features", "action_mask", "state"), where)
        kinds = self._make_spaces(loaded)
        n = self.num_envs
        self._history = np.zeros((16, *kinds["actions"][0]), kinds["actions"][1])  # the actions of episodes under way
        self._drawn = 0  # how often random actions were
        self._begun = False
        self._workers: list[tuple[Any, Any]] = []
        self._rows: Any = None  # where they are played here
        if threads == 1 or n == 1:
            self.arrays = BatchArrays(**{name: np.zeros(shape, kind) for name, (shape, kind) in kinds.items()})
            self._rows = rows_of(where, options, self.max_steps, self.arrays)
        else:
            self._start_processes(min(threads, n), where, options, kinds)

    def _make_spaces(self, loaded: registry.LoadedGame) -> dict[str, Any]:
        """The spaces of a seat, and the shape and dtype of each array."""
        game, n, seats = self.game, self.num_envs, len(self.seats)
        box = game.spec.actions == "box"
        actions = most_numbers(game) if box else game.num_actions
        game.leave_pictures_out()
        sample = LiveGame(loaded, game)
        sample.start(np.random.default_rng(0))
        features = max(sample.features(seat).size for seat in range(seats))
        game.close()
        if not features:
            raise MmgamesError(f"{game.spec.id} has no features, so there are no numbers to learn from.")
        self.state_space = spaces.Box(-1.0, 1.0, (seats * features,), np.float32)
        known: dict[str, spaces.Space[Any]] = {
            "features": spaces.Box(-1.0, 1.0, (features,), np.float32),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            "state": self.state_space,
        }
        self.single_observation_space = spaces.Dict({key: known[key] for key in self.keys})
        self.single_action_space: spaces.Space[Any] = (
            spaces.Box(-1.0, 1.0, (actions,), np.float32) if box else spaces.Discrete(actions)
        )
        self.observation_space = of_all_seats(self.single_observation_space, self.keys, seats, n)
        self.action_space = of_all_seats(self.single_action_space, (), seats, n)
        return {
            "features": ((n, seats, features), np.float32),
            "masks": ((n, seats, actions), np.int8),
            "rewards": ((n, seats), np.float32),
            "offends": ((n, seats), np.bool_),
            "terminated": ((n,), np.bool_),
            "truncated": ((n,), np.bool_),
            "seeds": ((n,), np.int64),
            "episodes": ((n,), np.int64),
            "steps": ((n,), np.int64),
            "actions": ((n, seats, actions), np.float32) if box else ((n, seats), np.int64),
            "which": ((n,), np.bool_),
        }

    def _start_processes(self, count: int, where: str, options: dict[str, Any], kinds: dict[str, Any]) -> None:
        context = multiprocessing.get_context("spawn")
        shared = {
            name: context.RawArray("b", int(np.prod(shape)) * np.dtype(kind).itemsize)
            for name, (shape, kind) in kinds.items()
        }
        self.arrays = arrays_in(shared, kinds)
        ends = np.linspace(0, self.num_envs, count + 1).astype(int).tolist()
        for first, last in itertools.pairwise(ends):
            mine, theirs = context.Pipe()
            arguments = (theirs, where, options, self.max_steps, kinds, shared, first, last)
            worker = context.Process(target=serve, args=arguments, daemon=True)
            worker.start()
            theirs.close()
            self._workers.append((worker, mine))
        self._wait()

    def _command(self, command: str) -> None:
        if self._rows is not None:
            {BEGIN: self._rows.begin, STEP: self._rows.step}[command]()
            return
        for _, pipe in self._workers:
            try:
                pipe.send(command)
            except OSError:  # it is gone; waiting for it tells why
                continue
        self._wait()

    def _wait(self) -> None:
        for worker, pipe in self._workers:
            try:
                failure = pipe.recv()
            except (EOFError, OSError):
                worker.join(5)
                self.close()
                raise MmgamesError(
                    f"{self.game.spec.id}: a process that plays its episodes has died (exit code {worker.exitcode}). "
                    "threads=1 plays them in this one; a script that uses several has to be a file, and has to keep "
                    'what it does under `if __name__ == "__main__":`.'
                ) from None
            if failure:
                self.close()
                raise MmgamesError(
                    f"{self.game.spec.id}: a process that plays its episodes gave up; threads=1 plays them in this "
                    f"one. It says: {failure}"
                )

    def reset(self, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start all episodes, or those of `options={"reset_mask": …}`. `seed` is a whole number: the first row's."""
        arrays, mask = self.arrays, (options or {}).get("reset_mask")
        arrays.which[:] = True if mask is None or not self._begun else mask
        if seed is None and self._begun:
            arrays.episodes[arrays.which] += 1
        else:
            first = int.from_bytes(os.urandom(7), "little") if seed is None else seed
            if isinstance(first, bool) or not isinstance(first, (int, np.integer)) or not 0 <= first < 2**62:
                raise MmgamesError(f"{self.game.spec.id}: seed={seed!r} is out of range; it is a whole number from 0.")
            arrays.seeds[:], arrays.episodes[:] = int(first) + np.arange(self.num_envs), 0
            self._drawn = 0
        self._begun = True
        self._command(BEGIN)
        return self._observation(), self._info()

    def step(self, actions: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Joint actions -> observations, rewards [env, seat], terminated [env], truncated [env], info."""
        arrays = self.arrays
        arrays.actions[:] = self._check(actions)
        arrays.which[:] = True
        self._keep_actions(~(arrays.terminated | arrays.truncated))
        self._command(STEP)
        info = self._info()
        if arrays.offends.any():
            info |= {"illegal": arrays.offends.copy(), "_illegal": arrays.offends.any(axis=1)}
        rewards = arrays.rewards.copy() if self.copy else arrays.rewards
        return self._observation(), rewards, arrays.terminated.copy(), arrays.truncated.copy(), info

    def _keep_actions(self, played: np.ndarray) -> None:
        steps = self.arrays.steps[played]
        if steps.size and steps.max() >= len(self._history):
            self._history = np.concatenate((self._history, np.zeros_like(self._history)))
        self._history[steps, played] = self.arrays.actions[played]

    def _check(self, actions: np.ndarray) -> np.ndarray:
        where, wanted = self.game.spec.id, self.arrays.actions
        if not self._begun:
            raise MmgamesError(f"{where}: call reset() before step().")
        actions, box = np.asarray(actions), wanted.dtype.kind == "f"
        if actions.shape != wanted.shape or actions.dtype.kind not in ("f" if box else "iu"):
            kind = "numbers from -1 to 1" if box else "whole numbers"
            raise MmgamesError(
                f"{where}: step() takes {kind} of shape {wanted.shape}, not {actions.dtype} of shape {actions.shape}."
            )
        low, high = (-1, 1) if box else (0, self.arrays.masks.shape[2] - 1)
        if not (low <= actions.min() and actions.max() <= high):  # NaN neither
            raise MmgamesError(f"{where}: actions must lie between {low} and {high}.")
        return actions

    def random_actions(self) -> np.ndarray:
        """Joint actions: any legal action of every mover, all with equal probability."""
        rng = np.random.default_rng([self._drawn, *self.arrays.seeds.tolist()])
        self._drawn += 1
        masks = self.arrays.masks
        if self.arrays.actions.dtype.kind == "f":
            return rng.uniform(-1, 1, masks.shape).astype(np.float32)
        chosen: np.ndarray = np.where(masks != 0, rng.random(masks.shape), -1).argmax(axis=2)
        return chosen

    def _observation(self) -> dict[str, np.ndarray]:
        arrays = self.arrays
        seen = {"features": arrays.features, "action_mask": arrays.masks}
        seen["state"] = arrays.features.reshape(self.num_envs, -1)
        return {key: seen[key].copy() if self.copy else seen[key] for key in self.keys}

    def _info(self) -> dict[str, Any]:
        masks = self.arrays.masks
        return {"action_mask": masks.copy() if self.copy else masks, "_action_mask": np.ones(self.num_envs, np.bool_)}

    def save(self) -> dict[str, np.ndarray]:
        """How all episodes stand, as arrays that numpy.savez can write: the seeds and the actions since they began."""
        arrays = self.arrays
        kept = {name: getattr(arrays, name).copy() for name in ("seeds", "episodes", "steps", "terminated")}
        history = self._history[: int(arrays.steps.max(initial=0))].copy()
        return {"about": np.array(self._about()), **kept, "history": history, "drawn": np.array(self._drawn)}

    def restore(self, saved: Mapping[str, np.ndarray]) -> tuple[Any, dict[str, Any]]:
        """Go on from where `save` was called, in this environment or in one made alike: all is played once more."""
        arrays = self.arrays
        if str(saved.get("about")) != self._about():
            raise MmgamesError(
                f"{self.game.spec.id}: what was saved is of another kind of batch: {saved.get('about', '?')!s}; "
                f"this one is {self._about()}."
            )
        arrays.seeds[:], arrays.episodes[:], arrays.which[:] = saved["seeds"], saved["episodes"], True
        self._begun, self._drawn, history = True, int(saved["drawn"]), saved["history"]
        self._command(BEGIN)
        for time, actions in enumerate(history):
            arrays.actions[:], arrays.which[:] = actions, saved["steps"] > time
            self._keep_actions(arrays.which)
            self._command(STEP)
        if (arrays.steps != saved["steps"]).any() or (arrays.terminated != saved["terminated"]).any():
            raise MmgamesError(f"{self.game.spec.id}: its episodes led elsewhere when they were played once more.")
        return self._observation(), self._info()

    def _about(self) -> str:
        facts = {"id": self.game.spec.id, "options": self.game.options, "num_envs": self.num_envs}
        return json.dumps({**facts, "face": type(self).__name__}, sort_keys=True, default=str)

    def close(self) -> None:
        """End the processes, or close the games of this one."""
        workers, self._workers = self._workers, []
        for _, pipe in workers:
            try:
                pipe.send(END)
            except OSError:
                continue
        for worker, pipe in workers:
            worker.join(5)
            if worker.exitcode is None:
                worker.kill()
            pipe.close()
        if self._rows is not None:
            self._rows.close()
        self.threads.end()
