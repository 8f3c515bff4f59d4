"""Proximal policy optimisation as formulas over tensors: what a batch holds, sampling, advantages and the loss.

Both `Learner.autograd_update` (ippo.py) and fused_cpu_update.py, which is held against it, minimise `ppo_loss`.
"""

from __future__ import annotations

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
    action: Tensor
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
    logits: Tensor, values: Tensor, batch: Batch, clip: float, value_weight: float, entropy_weight: float
) -> tuple[Tensor, Tensor]:
    """The loss that is minimised, and what is logged of it: policy loss, value loss, entropy, divergence."""
    log_probs = masked_log_softmax(logits, batch.action_mask)
    log_ratio = log_probs.gather(-1, batch.action[..., None])[..., 0] - batch.log_prob
    ratio = log_ratio.exp()
    weight = batch.valid / batch.valid.sum().clamp(min=1)  # means over the valid moves
    policy_loss = -(clipped_gain(ratio, batch.advantage, clip) * weight).sum()
    value_loss = ((values - batch.returns).square() * weight).sum()
    entropy = -((log_probs.exp() * log_probs).sum(-1) * weight).sum()
    loss = policy_loss + value_weight * value_loss - entropy_weight * entropy
    divergence = ((ratio - 1 - log_ratio) * weight).sum()  # Schulman's low-variance estimate, from the old policy
    return loss, torch.stack((policy_loss, value_loss, entropy, divergence)).detach()
