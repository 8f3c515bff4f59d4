"""The learner of IPPO (ippo.py): a network, the rollout of the seats that it plays, acting, and the PPO update.

The gradient of `ppo_loss` comes from autograd or, on the CPU for networks of linear layers, from fused_cpu_update.py,
which gives the same numbers in less time; `Learner.__init__` chooses.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from mmgames.baselines.learning.fused_cpu_update import FusedCpuUpdate
from mmgames.baselines.learning.ippo_network import Net, NormalizedPictures
from mmgames.baselines.learning.ippo_recipe import IppoRecipe
from mmgames.baselines.learning.ppo_loss import Batch, advantages, masked_log_softmax, ppo_loss, sample
from mmgames.baselines.learning.torch_devices import CudaGraph, RowThreads, torch_threads


def next_hidden_state(old: Tensor, new: Tensor, action_mask: Tensor | None, done: Tensor) -> Tensor:
    """The hidden state after a step: zero where the episode was over, the old one where the seat did not move."""
    if action_mask is not None:
        new = torch.where(action_mask.any(1)[:, None, None], new, old)
    return new.masked_fill(done[:, None, None], 0.0)


class Learner:
    """A network, the seats it plays, and their rollout: tensors [time, env, seat, …]."""

    def __init__(self, recipe: IppoRecipe, env: Any, seats: list[int], device: torch.device) -> None:
        self.recipe, self.seats, self.device = recipe, seats, device
        self.torch_threads = torch.get_num_threads() if device.type == "cpu" else 1  # for autograd
        inputs, actions = env.single_observation_space[recipe.observe].shape, env.kernel.num_actions
        critic_inputs = env.state_space.shape if recipe.critic == "central" else inputs
        self.net = Net(recipe, inputs, actions, critic_inputs).to(device)
        self.mean = {name: tensor.clone() for name, tensor in self.net.state_dict().items()} if recipe.average else {}
        self.optimizer = torch.optim.Adam(self.net.parameters(), recipe.rate, eps=1e-5, fused=True)
        self.step = CudaGraph(self.policy_step) if device.type == "cuda" else RowThreads(self.policy_step, env.threads)

        # Which code computes the gradient of `ppo_loss`; both give the same numbers.
        fused = device.type == "cpu" and FusedCpuUpdate.supports(self.net)
        self.compute_gradients = FusedCpuUpdate(self.net, env.threads) if fused else self.autograd_update

        kind = torch.uint8 if recipe.observe == "rgb" else torch.float32
        times, shape = recipe.rollout, (recipe.num_envs, len(seats))
        self.observation = torch.zeros(times + 1, *shape, *inputs, dtype=kind, device=device)
        self.critic_observation = self.observation
        if recipe.critic == "central":
            self.critic_observation = torch.zeros(times + 1, *shape, *critic_inputs, device=device)
        self.action_mask: Tensor | None = None
        if env.kernel.moves is not None:
            self.action_mask = torch.zeros(times + 1, *shape, actions, dtype=torch.bool, device=device)
        self.action = torch.zeros(times, *shape, dtype=torch.int64, device=device)
        self.log_prob = torch.zeros(times, *shape, device=device)
        self.value = torch.zeros(times + 1, *shape, device=device)
        self.hidden_state: Tensor | None = None
        if recipe.core:
            self.hidden_state = torch.zeros(shape[0] * shape[1], self.net.hidden_states, self.net.width, device=device)
        self.first_hidden_state = self.hidden_state  # where the rollout begins
        self.host_action = torch.zeros(shape, dtype=torch.int64, pin_memory=device.type == "cuda")

    def observe(self, time: int, observation: dict[str, np.ndarray], done: Tensor) -> None:
        """Copy what the seats see now into the rollout, straight from the environment's own arrays."""
        seen = torch.from_numpy(observation[self.recipe.observe])
        part = slice(None) if len(self.seats) == seen.shape[1] else self.seats
        self.observation[time].copy_(seen[:, part], non_blocking=True)
        if self.recipe.critic == "central":
            state = torch.from_numpy(observation["state"]).view(seen.shape[0], seen.shape[1], -1)
            for place, seat in enumerate(self.seats):  # one's own part first
                self.critic_observation[time, :, place].copy_(state.roll(-seat, 1).flatten(1))
        if self.action_mask is not None:
            mask = torch.from_numpy(observation["action_mask"])
            self.action_mask[time].copy_(mask[:, part], non_blocking=True)
            self.action_mask[time] &= ~done[:, None, None]

    def act(self, time: int, done: Tensor, generator: torch.Generator) -> np.ndarray:
        """Draw the actions [env, seat] of a step; seats that do not move draw too, and the environment ignores that."""
        inputs = (
            self.observation[time].flatten(0, 1),
            self.critic_observation[time].flatten(0, 1),
            None if self.action_mask is None else self.action_mask[time].flatten(0, 1),
            self.hidden_state,
            done.repeat_interleave(len(self.seats)) if self.hidden_state is not None else None,
            torch.rand(self.action[time].numel(), generator=generator, device=self.device),
        )
        action, log_prob, value, hidden_state = self.step(*inputs)  # calls policy_step
        self.action[time] = action.view_as(self.action[time])
        self.log_prob[time] = log_prob.view_as(self.log_prob[time])
        self.value[time] = value.view_as(self.value[time])
        self.hidden_state = None if hidden_state is None else hidden_state.clone()
        self.host_action.copy_(self.action[time], non_blocking=True)
        if self.device.type == "cuda":
            torch.cuda.current_stream().synchronize()
        return self.host_action.numpy()

    @torch.no_grad()
    def policy_step(
        self, observation: Tensor, critic_observation: Tensor, action_mask: Tensor | None, hidden_state: Tensor | None,
        done: Tensor | None, uniform: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:  # fmt: skip
        """Rows of observations -> actions, their log-probabilities, values, the next hidden state."""
        logits, value, new = self.net(observation, critic_observation, hidden_state)
        if hidden_state is not None and done is not None:
            hidden_state = next_hidden_state(hidden_state, new, action_mask, done)
        log_probs = masked_log_softmax(logits, action_mask)
        action = sample(log_probs, uniform)
        return action, log_probs.gather(1, action[:, None])[:, 0], value, hidden_state

    @torch.no_grad()
    def last_value(self) -> None:
        """The value of where the rollout ends."""
        observation, critic_observation = self.observation[-1].flatten(0, 1), self.critic_observation[-1].flatten(0, 1)
        _, value, _ = self.net(observation, critic_observation, self.hidden_state)
        self.value[-1] = value.view_as(self.value[-1])

    def active(self, done: Tensor) -> Tensor:
        """[time, env, seat]: whose turn it is."""
        if self.action_mask is None:
            return (~done)[:, :, None].expand(-1, -1, len(self.seats))
        return self.action_mask.any(-1)

    def update(self, rewards: Tensor, done: Tensor, entropy_weight: float, shuffle: torch.Generator) -> Tensor:
        """Learn from the rollout; the means over all minibatches of what `ppo_loss` logs."""
        recipe = self.recipe
        advantage, valid = advantages(rewards, self.value, self.active(done), done, recipe.gamma, recipe.gae)
        known = advantage[valid]
        if not len(known):  # no move's outcome is known yet
            return torch.zeros(4, device=self.device)
        observation, first = self.observation[:-1], self.first_hidden_state
        rollout = Batch(
            observation=observation,
            critic_observation=self.critic_observation[:-1] if recipe.critic == "central" else observation,
            action_mask=None if self.action_mask is None else self.action_mask[:-1],
            action=self.action,
            log_prob=self.log_prob,
            advantage=(advantage - known.mean()) / (known.std(correction=0) + 1e-8),
            returns=advantage + self.value[:-1],
            valid=valid,
            done=done[:-1, :, None].expand_as(valid) if recipe.core else None,
            hidden_state=None if first is None else first.unflatten(0, valid.shape[1:])[None],
        )
        if not recipe.core:
            rollout = rollout.map(lambda part: part.flatten(0, 2))
        logged = []
        for _ in range(recipe.epochs):
            for minibatch in self.minibatches(rollout, shuffle):
                logged.append(self.compute_gradients(rollout, minibatch, recipe.clip, recipe.value, entropy_weight))
                nn.utils.clip_grad_norm_(self.net.parameters(), recipe.norm)
                self.optimizer.step()
        return torch.stack(logged).mean(0)

    def minibatches(self, rollout: Batch, shuffle: torch.Generator) -> Iterator[Tensor]:
        """The parts of an epoch: numbers of moves; with a recurrent core, of episodes, whose time is not cut."""
        if self.recipe.core:
            order = torch.randperm(self.recipe.num_envs, generator=shuffle)
        else:
            moves = rollout.valid.nonzero()[:, 0]
            order = moves[torch.randperm(len(moves), generator=shuffle, device=shuffle.device)]
        yield from order.to(self.device).chunk(self.recipe.minibatches)

    def autograd_update(
        self, rollout: Batch, minibatch: Tensor, clip: float, value_weight: float, entropy_weight: float
    ) -> Tensor:
        """Gradients of the loss of a minibatch, into the parameters' `grad`; what `ppo_loss` logs."""
        with torch_threads(self.torch_threads):
            if self.recipe.core:
                batch = rollout.map(lambda part: part[:, minibatch])
                logits, values = self.unroll(batch)
            else:
                batch = rollout.map(lambda part: part.index_select(0, minibatch))
                logits, values, _ = self.net(batch.observation, batch.critic_observation, None)
            loss, logged = ppo_loss(logits, values, batch, clip, value_weight, entropy_weight)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            return logged

    def unroll(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Logits and values of a recurrent network at every step, from the hidden state where the rollout begins."""
        assert batch.hidden_state is not None and batch.done is not None
        hidden_state, outputs = batch.hidden_state[0].flatten(0, 1), []
        for time in range(len(batch.action)):
            observation, critic_observation = (
                part[time].flatten(0, 1) for part in (batch.observation, batch.critic_observation)
            )
            action_mask = None if batch.action_mask is None else batch.action_mask[time].flatten(0, 1)
            logits, values, new = self.net(observation, critic_observation, hidden_state)
            outputs.append((logits, values))
            hidden_state = next_hidden_state(hidden_state, new, action_mask, batch.done[time].flatten())
        all_logits, all_values = (torch.stack(part) for part in zip(*outputs, strict=True))
        return all_logits.view(*batch.action.shape, -1), all_values.view(batch.action.shape)

    def measure_pictures(self, observation: dict[str, np.ndarray]) -> None:
        """Let networks that see pictures know what those usually look like."""
        for part in self.net.modules():
            if isinstance(part, NormalizedPictures):
                part.measure(torch.from_numpy(observation["rgb"][:1024, 0]).to(self.device))

    def average(self) -> None:
        """Take the weights into their running mean."""
        for name, tensor in self.net.state_dict().items():
            if name in self.mean:
                self.mean[name].lerp_(tensor, 1 - self.recipe.average)
