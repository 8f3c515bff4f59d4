"""What actions are drawn from: a softmax over legal ones, or normal distributions for the numbers of box actions."""

import math

import torch
from torch import Tensor
from torch.nn import functional


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


def draw(
    outputs: Tensor, action_mask: Tensor | None, log_deviation: Tensor | None, noise: Tensor
) -> tuple[Tensor, Tensor]:
    """An action for each row of outputs, and its log-probability; `noise` is uniform, or normal for boxes."""
    if log_deviation is not None:
        action = outputs + log_deviation.exp() * noise
        return action, gaussian_log_prob(outputs, log_deviation, action, action_mask)
    log_probs = masked_log_softmax(outputs, action_mask)
    action = sample(log_probs, noise)
    return action, log_probs.gather(1, action[:, None])[:, 0]


def log_prob_and_entropy(
    outputs: Tensor, action: Tensor, action_mask: Tensor | None, log_deviation: Tensor | None
) -> tuple[Tensor, Tensor]:
    """Of each move: the log-probability of its action, and the entropy of the policy that might have made another.

    A network's outputs are logits; in box games the means of normal distributions, and `log_deviation` the rest.
    """
    if log_deviation is None:
        log_probs = masked_log_softmax(outputs, action_mask)
        return log_probs.gather(-1, action[..., None])[..., 0], -(log_probs.exp() * log_probs).sum(-1)
    each = (log_deviation + 0.5 * math.log(2 * math.pi * math.e)).expand_as(outputs)
    entropy = (each if action_mask is None else each * action_mask).sum(-1)
    return gaussian_log_prob(outputs, log_deviation, action, action_mask), entropy


def clipped_gain(ratio: Tensor, advantage: Tensor | float, clip: float) -> Tensor:
    """What is to grow: advantage times ratio of new to old probability, beyond the clip only where that is less."""
    return torch.minimum(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage)
