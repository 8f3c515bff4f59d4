"""IPPO (ippo.py) on a graphics card: episodes, network and optimiser stay there, and what is done again and again is
recorded once, as a CUDA graph, and replayed: thousands of small kernels start as one.

Where the environment cannot be stepped on the card (processes, a recurrent core, agents who think) only the policy's
step is recorded.
"""

import functools
import gc
import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from mmgames.baselines.learning.ppo_rows import OF_MOVES, SEEN, advantage_rows, draw_rows, loss_rows, step_rows
from mmgames.baselines.learning.training_env import Episodes, mean_returns, staggered

NO_MASK = torch.zeros((0, 0), dtype=torch.bool)


def accelerate(policy_step: Callable[..., Any], gradients: Callable[..., Any], net: Any, threads: Any) -> Any:
    """The two functions of a learner, as they are to be called."""
    if not hasattr(threads, "stream"):
        return RecordedFunction(policy_step), gradients
    if net.log_deviation is not None:
        return policy_step, gradients
    layers = None
    if importlib.util.find_spec("triton") is not None:
        from mmgames.baselines.learning import fused_layers

        layers = fused_layers.fused(net)
    return functools.partial(draw_moves, net, layers, threads), functools.partial(loss_gradients, net, layers, threads)


def join(threads: Any) -> None:
    """Let loops run where PyTorch works."""
    from numba import cuda

    stream = torch.cuda.current_stream().cuda_stream
    threads.stream = cuda.external_stream(stream) if stream else 0


def run(threads: Any, loop: Any, *arguments: Any, count: int) -> None:
    """A loop over rows of tensors."""
    join(threads)
    threads.run(loop, *arguments, count=count)


@torch.no_grad()
def draw_moves(
    net: Any, layers: Any, threads: Any, observation: Tensor, critic_observation: Tensor | None,
    action_mask: Tensor | None, _hidden: None, _done: None, noise: Tensor,
) -> tuple[Tensor, Tensor, Tensor, None]:  # fmt: skip
    """What `Learner.policy_step` does: one loop after the network."""
    seen = observation, critic_observation
    outputs = net.outputs(*seen, None)[0] if layers is None else layers.outputs(observation)
    actions, log_probs, values = (torch.empty_like(noise, dtype=kind) for kind in (torch.int64, None, None))
    mask = NO_MASK.cuda() if action_mask is None else action_mask
    run(threads, draw_rows, outputs, mask, noise, actions, log_probs, values, count=len(noise))
    return actions, log_probs, values, None


def loss_gradients(
    net: Any, layers: Any, threads: Any, moves: dict[str, Tensor], rows: Tensor, clip: float, value: float,
    entropy: Tensor | float,
) -> Tensor:  # fmt: skip
    """What `Learner.gradients` does: autograd goes through the layers alone, if they are not fused."""
    if layers is None:
        seen = [moves[name].index_select(0, rows) for name in SEEN if name in moves]
        outputs, _ = net.outputs(seen[0], seen[-1], None)
    else:
        outputs = layers.outputs(moves["observation"], rows)
    columns = [moves[name] if name in moves else NO_MASK.cuda() for name in OF_MOVES]
    entropy = torch.as_tensor(entropy, device="cuda")
    share = 1 / moves["valid"].index_select(0, rows).sum().clamp(min=1)
    weights = torch.stack((torch.full_like(entropy, clip), torch.full_like(entropy, value), entropy, share))
    gradient, logged = torch.empty_like(outputs), torch.empty(len(rows), 4, device="cuda")
    run(threads, loss_rows, rows, outputs.detach(), *columns, weights, gradient, logged, count=len(rows))
    if layers is None:
        parts = torch.autograd.grad(outputs, [*net.parameters()], gradient)
        for parameter, part in zip(net.parameters(), parts, strict=True):
            parameter.grad = part.contiguous()  # as convolutions' are not
    else:
        layers.backward(moves["observation"], rows, gradient)
    return logged.sum(0)


def advantages_of(threads: Any, *storage: Tensor | float) -> tuple[Tensor, Tensor]:
    """What `advantages` (ippo.py) gives."""
    rewards: Any = storage[0]
    result, valid = torch.empty_like(rewards), torch.empty_like(rewards, dtype=torch.bool)
    run(threads, advantage_rows, *storage, result, valid, count=rewards[0].numel())
    return result, valid


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
        collects = gc.isenabled()
        gc.disable()  # torch.cuda.graph would look for garbage first, for most of a second; none may be found meanwhile
        with torch.cuda.stream(aside):
            self.graph.capture_begin(capture_error_mode="relaxed")
            self.result = do()
            self.graph.capture_end()
        torch.cuda.current_stream().wait_stream(aside)
        if collects:
            gc.enable()

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

    def __init__(self, env: Any, league: Any) -> None:
        self.env, self.league = env, league
        self.rewards, self.terminated, self.truncated, self.actions = (
            torch.as_tensor(array, device="cuda")
            for array in (env._rewards, env._terminated, env._truncated, env._no_actions)
        )
        self.running = torch.full_like(self.rewards, torch.nan, dtype=torch.float64)
        dealt = league is not None and league.seat is None
        taken = league.taken if dealt else env.xp.zeros(self.rewards.shape, np.bool_)
        self.taken = torch.as_tensor(taken, device="cuda")
        # Of each episode's place: how many have ended, their returns, and how often these were the learner's.
        self.ended = torch.zeros(env.num_envs, 1 + 2 * len(env.seats), dtype=torch.float64, device="cuda")

    def reset(self, seed: int, first: int) -> tuple[dict[str, Tensor], Tensor]:
        seen, over = staggered(self.env, seed, first)
        self.seen = {key: torch.as_tensor(array, device="cuda") for key, array in seen.items()}
        return self.seen, torch.as_tensor(over, device="cuda")

    def step(self, actions: Tensor, paid: Tensor, done: Tensor, cut: Tensor) -> dict[str, Tensor]:
        env = self.env
        self.actions.copy_(actions)
        join(env.threads)
        if self.league is not None:
            self.league.act(env._seen(), env._no_actions, env._terminated | env._truncated)
        env._play(env._everywhere, False, env._no_actions, env._rewards)
        told = self.rewards, self.terminated, self.truncated, self.taken, paid, done, cut, self.running, self.ended
        run(env.threads, step_rows, *told, count=env.num_envs)
        return self.seen

    def random_actions(self) -> Tensor:
        join(self.env.threads)
        return torch.as_tensor(self.env.random_actions(), device="cuda")

    def returns(self, learning: list[int], processes: Any) -> dict[str, float]:
        episodes, *rest = self.ended.sum(0).tolist()
        self.ended.zero_()
        totals, counts = rest[: len(rest) // 2], rest[len(rest) // 2 :]
        told = torch.tensor([[*totals, 0.0], [*counts, episodes]], dtype=torch.float64)
        return mean_returns(self.env.seats, learning, *processes.sum(told).numpy())

    def save(self) -> dict[str, np.ndarray]:
        kept = {f"env.{name}": array for name, array in self.env.save().items()}
        kept |= {"running": self.running.cpu().numpy()}
        return kept | (self.league.save() if self.league is not None else {})

    def restore(self, arrays: dict[str, np.ndarray], about: dict[str, Any]) -> dict[str, Tensor]:
        self.env.restore({name[4:]: array for name, array in arrays.items() if name.startswith("env.")})
        self.running.copy_(torch.from_numpy(arrays["running"]))
        if self.league is not None:
            self.league.restore(arrays, about)
        return self.seen


def episodes_of(env: Any, league: Any) -> Any:
    """The episodes of an environment, wherever it is."""
    return CardEpisodes(env, league) if hasattr(env.threads, "stream") else Episodes(env, league)


class RecordedUpdate:
    """A learner's update over all moves of a rollout: those whose outcome is not known weigh nothing."""

    def __init__(self, learner: Any, advantages: Callable[..., Any], storage: Any, done: Tensor) -> None:
        self.learner, self.advantages, self.storage, self.done = learner, advantages, dict(storage), done
        self.storage["reward"] = torch.zeros_like(storage["reward"])
        self.entropy, self.rate = torch.zeros((), device="cuda"), torch.zeros((), device="cuda")
        learner.adam.rate = self.rate
        rows = done[:-1].numel() * len(learner.seats)
        self.order = torch.arange(rows, device="cuda")
        self.prepare = Recorded(self._moves)
        self.epoch = Recorded(self._epoch)

    def __call__(self, storage: Any, done: Tensor, entropy_weight: float, shuffle: torch.Generator) -> Tensor:
        self.storage["reward"].copy_(storage["reward"])
        self.entropy.fill_(entropy_weight)
        self.rate.fill_(self.learner.adam.rate)
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
            given = self.prepare.result, minibatch, recipe.clip, recipe.value, self.entropy
            logged.append(learner.fast_gradients(*given))
            nn.utils.clip_grad_norm_(learner.net.parameters(), recipe.norm)
            learner.adam.step()
        return torch.stack(logged).mean(0)


def record(training: Any) -> None:
    """Let a run on the card do what it does as graphs. What was tried out meanwhile is taken back."""
    before, advantages = training.everything(), functools.partial(advantages_of, training.env.threads)
    if training.league is None:  # agents are asked for as many rows as are theirs, another number in each step
        training.fast_rollout = Recorded(training.rollout, training.noise)
    for learner in training.learners if training.processes.size == 1 else ():  # others are not heard within a graph
        learner.fast_update = RecordedUpdate(learner, advantages, training.storage, training.done)
    training.env.threads.stream = 0
    training.restore_arrays(before)
    training.episodes.ended.zero_()
