"""IPPO (ippo.py) on a graphics card: episodes, network and optimiser stay there, and what is done again and again is
recorded once, as a CUDA graph, and replayed: thousands of small kernels start as one.

Where the environment cannot be stepped on the card (agents in other seats, processes, a recurrent core, pictures, whose
sprites are painted when they first occur) only the policy's step is recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from mmgames.baselines.learning.training_env import mean_returns, staggered


def accelerate(policy_step: Callable[..., Any], gradients: Callable[..., Any], net: Any, threads: Any) -> Any:
    """The two functions of a learner, as they are to be called."""
    return (policy_step if hasattr(threads, "stream") else RecordedFunction(policy_step)), gradients


class Recorded:
    """Something that is done to tensors that stay where they are, with what it gives."""

    def __init__(self, do: Callable[[], Any], *generators: torch.Generator) -> None:
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(3):  # libraries settle how they work
                do()
        torch.cuda.current_stream().wait_stream(aside)
        self.graph = torch.cuda.CUDAGraph()
        for generator in generators:
            self.graph.register_generator_state(generator)
        with torch.cuda.graph(self.graph):
            self.result = do()

    def __call__(self) -> Any:
        self.graph.replay()
        return self.result


class RecordedFunction:
    """A function of tensors on the card."""

    def __init__(self, function: Callable[..., tuple[Tensor | None, ...]]) -> None:
        self.function = function
        self.recorded: Recorded | None = None
        self.inputs: list[Tensor | None] = []

    def __call__(self, *inputs: Tensor | None) -> Any:
        if self.recorded is None:
            self.inputs = [None if given is None else given.clone() for given in inputs]
            self.recorded = Recorded(lambda: self.function(*self.inputs))
        for mine, given in zip(self.inputs, inputs, strict=True):
            if mine is not None and given is not None:
                mine.copy_(given, non_blocking=True)
        return self.recorded()


class CardEpisodes:
    """`Episodes` (training_env.py) whose arrays are on the card; nothing here waits for it but `returns`."""

    def __init__(self, env: Any) -> None:
        self.env = env
        self.rewards, self.terminated, self.truncated, self.actions = (
            torch.as_tensor(array, device="cuda")
            for array in (env._rewards, env._terminated, env._truncated, env._no_actions)
        )
        self.taken = torch.zeros_like(self.rewards, dtype=torch.bool)
        self.running = torch.full_like(self.rewards, torch.nan, dtype=torch.float64)
        self.ended = torch.zeros(1 + len(env.seats), dtype=torch.float64, device="cuda")  # how many, and their returns

    def reset(self, seed: int) -> tuple[dict[str, Tensor], Tensor]:
        seen, over = staggered(self.env, seed)
        self.seen = {key: torch.as_tensor(array, device="cuda") for key, array in seen.items()}
        return self.seen, torch.as_tensor(over, device="cuda")

    def step(self, actions: Tensor) -> tuple[dict[str, Tensor], Tensor, Tensor, Tensor]:
        from numba import cuda

        env = self.env
        self.actions.copy_(actions)
        env.threads.stream = cuda.external_stream(torch.cuda.current_stream().cuda_stream)
        env._play(env._everywhere, False, env._no_actions, env._rewards)
        self.running += self.rewards
        over = (self.terminated | self.truncated)[:, None]
        whole = over & ~self.running[:, :1].isnan()
        self.ended[0] += whole.sum()
        self.ended[1:] += torch.where(whole, self.running, 0.0).sum(0)
        self.running.masked_fill_(over, 0.0)
        return self.seen, self.rewards, self.terminated, self.truncated

    def returns(self, learning: list[int]) -> dict[str, float]:
        episodes, *totals = self.ended.tolist()
        self.ended.zero_()
        return mean_returns(self.env.seats, learning, np.array([totals]) / episodes, episodes) if episodes else {}

    def save(self) -> dict[str, np.ndarray]:
        kept = {f"env.{name}": array for name, array in self.env.save().items()}
        return kept | {"running": self.running.cpu().numpy()}

    def restore(self, arrays: dict[str, np.ndarray], about: dict[str, Any]) -> dict[str, Tensor]:
        self.env.restore({name[4:]: array for name, array in arrays.items() if name.startswith("env.")})
        self.running.copy_(torch.from_numpy(arrays["running"]))
        return self.seen


class RecordedUpdate:
    """A learner's update over all moves of a rollout: those whose outcome is not known weigh nothing."""

    def __init__(self, learner: Any, advantages: Callable[..., Any], storage: Any, done: Tensor) -> None:
        self.learner, self.advantages, self.storage, self.done = learner, advantages, dict(storage), done
        self.storage["reward"] = torch.zeros_like(storage["reward"])
        self.entropy, self.rate = torch.zeros((), device="cuda"), torch.zeros((), device="cuda")
        self.settings = learner.optimizer.param_groups[0]
        self.settings.update(lr=self.rate, capturable=True)
        rows = done[:-1].numel() * len(learner.seats)
        self.order = torch.arange(rows, device="cuda")
        self.prepare = Recorded(self._moves)
        self.epoch = Recorded(self._epoch)

    def __call__(self, storage: Any, done: Tensor, entropy_weight: float, shuffle: torch.Generator) -> Tensor:
        self.storage["reward"].copy_(storage["reward"])
        self.entropy.fill_(entropy_weight)
        self.rate.fill_(self.settings["lr"])
        self.prepare()
        logged = []
        for _ in range(self.learner.recipe.epochs):
            torch.randperm(len(self.order), generator=shuffle, device="cuda", out=self.order)
            logged.append(self.epoch().clone())
        return torch.stack(logged).mean(0)

    def _moves(self) -> Any:
        recipe, mine = self.learner.recipe, {name: part[:, :, self.learner.mine] for name, part in self.storage.items()}
        value, reward, active = mine.pop("value"), mine.pop("reward")[:-1], mine.pop("active")
        advantage, valid = self.advantages(reward, value, active, self.done, recipe.gamma, recipe.gae)
        weight = valid / valid.sum().clamp(min=1)
        mean = (advantage * weight).sum()
        deviation = ((advantage - mean).square() * weight).sum().sqrt()
        moves = {name: part[:-1] for name, part in mine.items()} | {"valid": valid, "returns": advantage + value[:-1]}
        moves["advantage"] = (advantage - mean) / (deviation + 1e-8)
        return {name: part.flatten(0, 2) for name, part in moves.items()}

    def _epoch(self) -> Tensor:
        learner, recipe, logged = self.learner, self.learner.recipe, []
        for minibatch in self.order.chunk(recipe.minibatches):
            logged.append(learner.gradients(self.prepare.result, minibatch, recipe.clip, recipe.value, self.entropy))
            nn.utils.clip_grad_norm_(learner.net.parameters(), recipe.norm)
            learner.optimizer.step()
        return torch.stack(logged).mean(0)


def record(training: Any, advantages: Callable[..., tuple[Tensor, Tensor]]) -> None:
    """Let a run on the card do what it does as graphs. What was tried out meanwhile is taken back."""
    before = training.everything()
    training.fast_rollout = Recorded(training.rollout, training.noise)
    for learner in training.learners:
        learner.fast_update = RecordedUpdate(learner, advantages, training.storage, training.done)
    training.env.threads.stream = 0
    training.restore_arrays(before)
    training.episodes.ended.zero_()
