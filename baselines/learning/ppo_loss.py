"""Proximal policy optimisation as formulas over tensors: what a batch holds, sampling, advantages and the loss.

Both `Learner.autograd_update` (ippo.py) and fused_cpu_update.py, which is held against it, minimise `ppo_loss`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional


@dataclass(frozen=True)
class Batch:
    """What is learned from: [time, env, seat, …], or flat, with one row for each move."""

    observation: Tensor
    critic_observation: Tensor
    """The same tensor as `observation`, unless the critic is central."""
    action_mask: Tensor | None
    """Which actions were legal; in box games, which numbers of the action were asked for."""
    action: Tensor
    """The number of the action; in box games its numbers, as they were drawn."""
    log_prob: Tensor
    """Of the action, when it was drawn."""
    advantage: Tensor
    returns: Tensor
    valid: Tensor
    """Whether this is a move of the seat whose outcome is known: rows of other steps teach nothing."""
    done: Tensor | None = None
    """With a recurrent core: the episode had ended before this step."""
    hidden_state: Tensor | None = None
    """With a recurrent core: where the rollout begins, [1, env, seat, …]."""

    def map(self, change: Callable[[Tensor], Tensor]) -> Batch:
        """The same change of each tensor; fields that share one go on sharing it."""
        changed = {id(part): change(part) for part in vars(self).values() if part is not None}
        return Batch(**{name: changed.get(id(part)) for name, part in vars(self).items()})  # type: ignore[arg-type]


def masked_log_softmax(logits: Tensor, action_mask: Tensor | None) -> Tensor:
    """Log-probabilities with illegal actions out of reach; where nothing is legal, all actions are as likely."""
    if action_mask is not None:
        logits = logits.masked_fill(~action_mask, -1e9)
    return functional.log_softmax(logits, dim=-1)


def sample(log_probs: Tensor, uniform: Tensor) -> Tensor:
    """An action for each row: where the cumulative probability passes a number drawn uniformly from [0, 1)."""
    cumulative = log_probs.exp().cumsum(1)
    # Clamped, a number stays below the last sum after rounding too: an action of probability 0 is never drawn.
    return (cumulative <= uniform.clamp(max=1 - 1e-6)[:, None] * cumulative[:, -1:]).sum(1)


def gaussian_log_prob(mean: Tensor, log_deviation: Tensor, action: Tensor, action_mask: Tensor | None) -> Tensor:
    """The log-density of box actions whose numbers are drawn each for itself; those that nobody asks for count not."""
    each = -0.5 * ((action - mean) / log_deviation.exp()).square() - log_deviation - 0.5 * math.log(2 * math.pi)
    return (each if action_mask is None else each * action_mask).sum(-1)


def log_prob_and_entropy(outputs: Tensor, batch: Batch, log_deviation: Tensor | None) -> tuple[Tensor, Tensor]:
    """Of each move: the log-probability of its action, and the entropy of the policy that might have made another.

    A network's outputs are logits; in box games the means of normal distributions, and `log_deviation` the rest.
    """
    if log_deviation is None:
        log_probs = masked_log_softmax(outputs, batch.action_mask)
        log_prob = log_probs.gather(-1, batch.action[..., None])[..., 0]
        return log_prob, -(log_probs.exp() * log_probs).sum(-1)
    log_prob = gaussian_log_prob(outputs, log_deviation, batch.action, batch.action_mask)
    each = (log_deviation + 0.5 * math.log(2 * math.pi * math.e)).expand_as(outputs)
    return log_prob, (each if batch.action_mask is None else each * batch.action_mask).sum(-1)


def advantages(
    rewards: Tensor, values: Tensor, active: Tensor, done: Tensor, gamma: float, gae: float
) -> tuple[Tensor, Tensor]:
    """Generalised advantage estimates, and which of them are valid: moves whose outcome lies within the rollout.

    rewards [time, env, seat]; values and active (whether the seat moves) [time + 1, env, seat]; done [time + 1, env]:
    the episode had ended before this step, which only begins the next one.
    """
    result, valid = torch.zeros_like(rewards), torch.zeros_like(rewards, dtype=torch.bool)
    # Backwards in time: value and advantage of the seat's next move, its rewards until then, whether they are known.
    next_value, next_advantage = values[-1], torch.zeros_like(values[-1])
    reward, known = torch.zeros_like(values[-1]), active[-1]
    for time in range(len(rewards) - 1, -1, -1):
        ends, moves = done[time + 1, :, None], active[time]
        next_value, next_advantage = next_value.masked_fill(ends, 0.0), next_advantage.masked_fill(ends, 0.0)
        reward = reward.masked_fill(ends, 0.0) + rewards[time]
        known = known | ends
        advantage = reward + gamma * next_value - values[time] + gamma * gae * next_advantage
        result[time], valid[time] = advantage, moves & known
        next_value = torch.where(moves, values[time], next_value)
        next_advantage = torch.where(moves, advantage * known, next_advantage)
        reward = reward.masked_fill(moves, 0.0)
        known = known | moves
    return result, valid


def clipped_gain(ratio: Tensor, advantage: Tensor | float, clip: float) -> Tensor:
    """What is to grow: advantage times ratio of new to old probability, beyond the clip only where that is less."""
    return torch.minimum(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage)


def ppo_loss(
    outputs: Tensor, values: Tensor, batch: Batch, clip: float, value_weight: float, entropy_weight: float,
    log_deviation: Tensor | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The loss that is minimised, and what is logged of it: policy loss, value loss, entropy, divergence."""
    log_prob, entropies = log_prob_and_entropy(outputs, batch, log_deviation)
    log_ratio = log_prob - batch.log_prob
    ratio = log_ratio.exp()
    weight = batch.valid / batch.valid.sum().clamp(min=1)  # means over the valid moves
    policy_loss = -(clipped_gain(ratio, batch.advantage, clip) * weight).sum()
    value_loss = ((values - batch.returns).square() * weight).sum()
    entropy = (entropies * weight).sum()
    loss = policy_loss + value_weight * value_loss - entropy_weight * entropy
    divergence = ((ratio - 1 - log_ratio) * weight).sum()  # Schulman's low-variance estimate, from the old policy
    return loss, torch.stack((policy_loss, value_loss, entropy, divergence)).detach()
