"""What proximal policy optimisation does with one row after the other, as loops that a processor's threads or a card's
run: moves drawn, advantages, the gradient of the loss. Written with tensors (ippo.py), each would be dozens of passes
over memory. tests/trainers/test_ippo.py holds them against those.
"""

import math

import numpy as np

from mmgames.kernels.kernel import inlined, kernel

SEEN = "observation", "critic_observation"
OF_MOVES = "action_mask", "action", "log_prob", "advantage", "returns", "valid"
"""The columns of a rollout that a network sees, and those that `loss_rows` takes."""


@inlined
def softmax(logits, action_mask, masked, row, of, probs, log_probs):
    """Probabilities of a row's legal actions; where nothing is legal all are as likely, and nobody listens."""
    largest, total = np.float32(-1e9), np.float32(0.0)
    for j in range(len(probs)):
        if (not masked or action_mask[of, j]) and logits[row, j] > largest:
            largest = logits[row, j]
    for j in range(len(probs)):
        probs[j] = 0.0
        if not masked or action_mask[of, j]:
            probs[j] = math.exp(logits[row, j] - largest)
            total += probs[j]
    log_total = np.float32(math.log(total)) if total > 0 else np.float32(math.log(len(probs)))
    for j in range(len(probs)):
        probs[j] = probs[j] / total if total > 0 else np.float32(1.0) / len(probs)
        log_probs[j] = logits[row, j] - largest - log_total if total > 0 else -log_total


@kernel
def draw_rows(outputs, action_mask, uniform, actions, log_probs, values, first, last):
    """A move of each row: where the cumulative probability passes a number drawn uniformly from [0, 1)."""
    many = outputs.shape[1] - 1
    probs, logs = np.zeros(many, np.float32), np.zeros(many, np.float32)
    masked = len(action_mask) > 0
    for i in range(first, last):
        softmax(outputs, action_mask, masked, i, i, probs, logs)
        # Kept below 1, so that after rounding too an action of probability 0 is never drawn.
        left, action = min(uniform[i], np.float32(1 - 1e-6)), 0
        for j in range(len(probs)):
            if probs[j] > 0:
                action = j
                if left < probs[j]:
                    break
                left -= probs[j]
        actions[i] = action
        log_probs[i] = logs[action]
        values[i] = outputs[i, len(probs)]


@kernel
def advantage_rows(rewards, values, active, done, gamma, gae, result, valid, first, last):
    """As `advantages` (ippo.py) has it; a row is a seat of an episode, through all times."""
    seats = rewards.shape[2]
    for i in range(first, last):
        env, seat = i // seats, i % seats
        next_value, next_advantage, reward = values[-1, env, seat], np.float32(0.0), np.float32(0.0)
        known = active[-1, env, seat]
        for back in range(len(rewards)):
            time = len(rewards) - 1 - back
            moves = active[time, env, seat]
            if done[time + 1, env]:
                next_value, next_advantage, reward, known = np.float32(0.0), np.float32(0.0), np.float32(0.0), True
            reward += rewards[time, env, seat]
            advantage = reward + gamma * next_value - values[time, env, seat] + gamma * gae * next_advantage
            result[time, env, seat], valid[time, env, seat] = advantage, moves and known
            if moves:
                next_value, next_advantage = values[time, env, seat], advantage if known else np.float32(0.0)
                reward, known = np.float32(0.0), True


@kernel
def loss_rows(
    rows, outputs, action_mask, action, old_log_prob, advantage, returns, valid, weights, gradient, logged, first, last
):
    """The derivative of `ppo_loss` (ippo.py) by a network's outputs, and what each row adds to what the loss logs.

    A row of outputs is the logits and the value of the move with the number that `rows` has. `action_mask` has no rows
    where every action is legal. `weights` are the clip, the weights of value loss and entropy, and that of a move.
    """
    actions = outputs.shape[1] - 1
    probs, log_probs = np.zeros(actions, np.float32), np.zeros(actions, np.float32)
    masked, one = len(action_mask) > 0, np.float32(1.0)
    clip, value_weight, entropy_weight, row_weight = weights[0], weights[1], weights[2], weights[3]
    low, high = one - clip, one + clip
    for i in range(first, last):
        of = rows[i]
        weight = row_weight if valid[of] else np.float32(0.0)
        softmax(outputs, action_mask, masked, i, of, probs, log_probs)
        entropy = np.float32(0.0)
        for j in range(actions):
            if probs[j] > 0:
                entropy -= probs[j] * log_probs[j]
        log_ratio = log_probs[action[of]] - old_log_prob[of]
        ratio = np.float32(math.exp(log_ratio))
        clipped = ratio > high if advantage[of] > 0 else ratio < low
        # By the action's log-probability; that of a clipped ratio is 0.
        policy_gradient = np.float32(0.0) if clipped else -advantage[of] * ratio * weight
        for j in range(actions):
            gradient[i, j] = 0.0
            if probs[j] > 0:
                entropy_gradient = weight * entropy_weight * (log_probs[j] + entropy)
                gradient[i, j] = probs[j] * (entropy_gradient - policy_gradient)
        gradient[i, action[of]] += policy_gradient
        error = outputs[i, actions] - returns[of]
        gradient[i, actions] = np.float32(2.0) * value_weight * error * weight
        logged[i, 0] = -weight * min(ratio * advantage[of], min(max(ratio, low), high) * advantage[of])
        logged[i, 1] = weight * error * error
        logged[i, 2] = weight * entropy
        logged[i, 3] = weight * (ratio - one - log_ratio)


@kernel
def step_rows(rewards, terminated, truncated, taken, paid, done, cut, running, ended, first, last):
    """What a step of each episode means to a learner: rewards, whether it is over or only cut short, and in `ended`
    how many episodes have ended, the returns of the seats that nobody had `taken`, and how many these are. Returns that
    are no numbers began before anybody counted."""
    seats = rewards.shape[1]
    for i in range(first, last):
        done[i] = terminated[i] or truncated[i]
        cut[i] = truncated[i] and not terminated[i]
        whole = done[i] and running[i, 0] == running[i, 0]
        ended[i, 0] += whole
        for seat in range(seats):
            paid[i, seat] = rewards[i, seat]
            running[i, seat] += rewards[i, seat]
            if whole and not taken[i, seat]:
                ended[i, 1 + seat] += running[i, seat]
                ended[i, 1 + seats + seat] += 1
            if done[i]:
                running[i, seat] = 0.0
