"""Many episodes as a learner steps them: tensors in, tensors out, and agents in the seats that are not its own."""

import importlib.util
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from torch import Tensor

from mmgames.agents.finding import Others
from mmgames.baselines.learning.league import League, agents_beside, plays_on_card
from mmgames.baselines.learning.several_processes import Processes
from mmgames.core import registry
from mmgames.envs.process_batch import ProcessBatch
from mmgames.envs.vector import BatchedEnv
from mmgames.errors import MmgamesError, unknown_option

OURS = ("num_envs", "observe", "copy", "device", "threads", "size")  # options of a batch that the recipe settles


def action_size(env: Any) -> int:
    """How many actions a seat has; in box games, how many numbers an action has."""
    space = env.single_action_space
    return int(space.n if isinstance(space, spaces.Discrete) else space.shape[0])


def make_batch(
    game_id: str, recipe: Any, beside: tuple[Others, Any] | None, threads: int | None, options: dict[str, Any],
    device: torch.device, processes: Processes,
) -> Any:  # fmt: skip
    """The episodes for a recipe, over a kernel, on the card where nobody thinks beside the learner, or in processes; a
    game that is not learned so is one sentence. `beside` are those who play beside it, and its seat, if it has one."""
    spec = registry.find(game_id)
    if wrong := [name for name in OURS if name in options]:
        raise unknown_option(wrong[0], spec.id, spec.options)
    if spec.actions == "text":
        raise MmgamesError(f"{spec.id} is played in words; `mmgames train spo` learns Spy, the guide shows the others.")
    if not spec.batched and (recipe.observe != "features" or beside):
        why = "nobody plays beside the learner" if beside else f"it learns it from features, not from {recipe.observe}"
        raise MmgamesError(f"{spec.id} has no compiled kernel, so {why}; leave that out.")
    keys = (recipe.observe, "action_mask", *(("state",) if recipe.critic == "central" else ()))
    size: dict[str, Any] = {"size": recipe.size} if recipe.observe == "rgb" else {}
    made: Any = BatchedEnv if spec.batched else ProcessBatch
    found = all(importlib.util.find_spec(name) for name in ("numba_cuda", "cupy"))
    if device.type == "cuda" and found and spec.batched and not recipe.core:
        game = registry.load(game_id).game(**{name: options[name] for name in spec.options if name in options})
        if beside is None or all(map(plays_on_card, agents_beside(game, *beside).values())):
            size["device"] = "cuda"
    size["threads"] = processes.threads if threads is None else threads
    return made(game_id, processes.num_envs, observe=keys, copy=False, **size, **options)


def staggered(env: Any, seed: int, first: int = 0) -> tuple[dict[str, Any], np.ndarray]:
    """Begin episodes at different times, so that an update sees all phases of a game: what is seen, what is over.
    Rows count from `first`."""
    length, over = min(env.game.spec.length, 100), np.zeros(env.num_envs, np.bool_)
    observation, _ = env.reset(seed=seed * 1_000_003 + first)
    for time in range(1, length):
        observation, *_, terminated, truncated, _ = env.step(env.random_actions())
        fresh = np.arange(first, first + env.num_envs) % length == time
        if time == length - 1:
            over = (env.threads.to_host(terminated) | env.threads.to_host(truncated)) & ~fresh
        if fresh.any():
            observation, _ = env.reset(options={"reset_mask": fresh})
    return observation, over


def mean_returns(seats: Any, learning: list[int], sums: np.ndarray, counts: np.ndarray) -> dict[str, float]:
    """Means from sums and counts of each seat's returns, where a learner had it; the last count is that of episodes."""
    told = {"return": learning, **{f"return_{seat}": [place] for place, seat in enumerate(seats)}}
    means = {name: float(sums[at].sum() / counts[at].sum()) for name, at in told.items() if counts[at].any()}
    return {"episodes": float(counts[-1]), **means} if counts[-1] else {}


class Episodes:
    """The episodes of a batched environment whose arrays are NumPy's, for tensors on any device.

    This is all that a learner asks of an environment; one whose arrays are tensors on a card needs the same methods.
    """

    def __init__(self, env: Any, league: League | None) -> None:
        self.env, self.league = env, league
        shape = env.num_envs, len(env.seats)
        dealt = league is not None and league.seat is None
        self.taken = torch.from_numpy(league.taken if league is not None and dealt else np.zeros(shape, np.bool_))
        """[env, seat]: where an agent had the seat in the last step, and not the learner."""
        self.running = np.full(shape, np.nan)  # returns so far; the first episodes begin with random moves: not counted
        self.finished: list[np.ndarray] = []

    def reset(self, seed: int, first: int) -> tuple[dict[str, Tensor], Tensor]:
        """What all seats observe, [env, seat, …], and which episodes the next step only restarts, [env]."""
        self.observation, self.over = staggered(self.env, seed, first)
        return self._seen(), torch.from_numpy(self.over)

    def step(self, actions: Tensor, paid: Tensor, done: Tensor, cut: Tensor) -> dict[str, Tensor]:
        """Joint actions [env, seat, …] -> observations; the rewards [env, seat], what is over and what of it was only
        cut short [env] are written where it is told."""
        joint = actions.cpu().numpy()
        if self.league is not None:
            self.league.act(self.observation, joint, self.over)
        self.observation, rewards, terminated, truncated, _ = self.env.step(joint)
        np.logical_or(terminated, truncated, out=self.over)
        self.running += rewards
        if self.over.any():
            whole = self.over & ~np.isnan(self.running[:, 0])
            self.finished.append(np.where(self.taken.numpy()[whole], np.nan, self.running[whole]))
            self.running[self.over] = 0.0
        for into, array in ((paid, rewards), (done, self.over), (cut, truncated & ~terminated)):
            into.copy_(torch.from_numpy(array))
        return self._seen()

    def random_actions(self) -> Tensor:
        """Any legal action of every seat."""
        return torch.from_numpy(self.env.random_actions())

    def returns(self, learning: list[int], processes: Processes) -> dict[str, float]:
        """Mean returns of the episodes that ended, over all seats that learn and of each, and how many they were."""
        ended, self.finished = np.concatenate([np.zeros((0, len(self.env.seats))), *self.finished]), []
        ended = np.pad(ended, ((0, 0), (0, 1)))
        told = np.stack((np.nansum(ended, 0), (~np.isnan(ended)).sum(0)))
        return mean_returns(self.env.seats, learning, *processes.sum(torch.from_numpy(told)).numpy())

    def save(self) -> dict[str, np.ndarray]:
        """All that it takes to go on."""
        kept = {f"env.{name}": array for name, array in self.env.save().items()} | {"running": self.running}
        return kept | (self.league.save() if self.league is not None else {})

    def restore(self, arrays: dict[str, np.ndarray], about: dict[str, Any]) -> dict[str, Tensor]:
        """Go on from what was saved, and from `over`; what all seats observe."""
        self.observation, _ = self.env.restore({k[4:]: array for k, array in arrays.items() if k.startswith("env.")})
        self.running[:], self.over[:] = arrays["running"], arrays["over"][0]
        if self.league is not None:
            self.league.restore(arrays, about)
        return self._seen()

    def _seen(self) -> dict[str, Tensor]:
        return {key: torch.from_numpy(array) for key, array in self.observation.items()}
