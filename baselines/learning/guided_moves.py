"""What searches that a network guides come to (guided_trees.py): better probabilities, a move, the game going on."""

import math

import numpy as np

from mmgames.baselines.learning.guided_trees import UNPROVEN, borrowed, mean_result, root_weight, write_planes
from mmgames.kernels.batch import draw
from mmgames.kernels.kernel import below, fork, kernel, uncounted
from mmgames.kernels.kernel_game import NOBODY


@kernel
def judge_moves(t, game, scale, scores):
    """Write logit + weighted value for each move at the root; what is expected of each.

    Moves that surely lose, or do not win where another one does, get -inf. Moves without a visit are held to be worth
    what the tried ones and the network say on the average."""
    sign, n, tried = 1 - 2 * t.nodes[game, 0].turn, t.nodes[game, 0].moves, t.nodes[game, 0].tried
    mass, weighed, visits = 0.0, 0.0, 0
    for move in range(tried):
        child = t.edges[game, 0, move].child
        mass += t.edges[game, 0, move].prior
        weighed += t.edges[game, 0, move].prior * sign * mean_result(t, game, child)
        visits += t.nodes[game, child].visits
    usual = sign * t.nodes[game, 0].value
    if visits > 0 and mass > 0:
        usual = (usual + visits * weighed / mass) / (1 + visits)
    weight, result = root_weight(t, game, scale), sign * t.nodes[game, 0].proven
    won, lost = result == 1 and t.nodes[game, 0].proven != UNPROVEN, result == -1
    expected = np.full(n, usual)
    for move in range(n):
        scores[move] = t.root[game, move].logit
        if move < tried:
            child = t.edges[game, 0, move].child
            expected[move] = sign * mean_result(t, game, child)
            certain = t.nodes[game, child].proven != UNPROVEN
            if (won and not (certain and expected[move] == 1)) or (certain and not lost and expected[move] == -1):
                scores[move] = -np.inf
        elif won:
            scores[move] = -np.inf
        scores[move] += weight * expected[move]
    return expected


@kernel
def choose_move(t, game, scores, noise):
    """The move that was tried most and has the highest score, with the root's noise or without."""
    best, chosen, most = -np.inf, 0, -1
    for move in range(t.nodes[game, 0].moves):
        visits = t.nodes[game, t.edges[game, 0, move].child].visits if move < t.nodes[game, 0].tried else 0
        score = scores[move] + (t.root[game, move].noise if noise else 0.0)
        if score == -np.inf:
            visits = -1
        if visits > most or (visits == most and score > best):
            best, chosen, most = score, move, visits
    return chosen


@kernel
def gather(t, slots, scale, noisy, targets, values, chosen, first, last):
    """What the searches have found: better probabilities of the moves (-1 where one is illegal), the value of the
    position to its mover, and the action to play; with the root's noise where a game is `noisy`."""
    t = borrowed(t)
    scores = np.empty(t.edges.shape[2])
    for game in range(first, last):
        mover, n = t.nodes[game, 0].turn, t.nodes[game, 0].moves
        expected = judge_moves(t, game, scale, scores)
        most = -np.inf
        for move in range(n):
            most = max(most, scores[move])
        total = 0.0
        for move in range(n):
            total += math.exp(scores[move] - most)
        for slot in range(targets.shape[1]):
            targets[game, slot] = -1.0
        values[game] = 0.0
        for move in range(n):
            share = math.exp(scores[move] - most) / total
            targets[game, slots[mover, t.edges[game, 0, move].action]] = share
            values[game] += share * expected[move]
        chosen[game] = t.edges[game, 0, choose_move(t, game, scores, noisy[game])].action


@kernel
def begin(start, turn, moves, step, blank, states, noise, random_moves, legal, actions):
    """Start a game, with up to so many random moves; if they end it, without them."""
    states[0] = blank[0]
    state = states[0]
    start(state, noise)
    for number in range(below(fork(noise, 0), random_moves + 1)):
        mover = turn(state)
        actions[mover] = legal[below(fork(noise, number + 1), moves(state, mover, legal))]
        step(state, actions, np.uint64(0))
        if turn(state) == NOBODY:
            states[0] = blank[0]
            start(state, noise)
            return


@kernel
def play_on(start, turn, moves, step, returns, blank, t, chosen, streams, random_moves, results, first, last):
    """Play the chosen action of each game, or begin it where there is none (-1), and begin games that are over anew.

    `results` is how a game has ended, NaN while it goes on."""
    t = borrowed(t)
    legal, actions, totals = np.empty(t.edges.shape[2], np.int64), np.zeros(2, np.int64), np.zeros(2)
    for game in range(first, last):
        state = t.states[game, 0]
        results[game] = np.nan
        if chosen[game] >= 0:
            actions[turn(state)] = chosen[game]
            step(state, actions, np.uint64(0))
        if chosen[game] < 0 or turn(state) == NOBODY:
            if chosen[game] >= 0:
                returns(state, totals)
                results[game] = min(1.0, max(-1.0, totals[0]))
            begin(start, turn, moves, step, blank, t.states[game], draw(streams, game), random_moves, legal, actions)
        t.nodes[game, 0].turn = turn(state)


@kernel
def show(features, planes, num_features, t, sheets, first, last):
    """Write the planes of the positions to move in."""
    t, sheets = borrowed(t), uncounted(sheets)
    numbers = np.empty(num_features, np.float32)
    for game in range(first, last):
        write_planes(features, planes, t.states[game, 0], t.nodes[game, 0].turn, numbers, sheets[game])


@kernel
def draw_moves(moves, t, streams, chosen, first, last):
    """Any legal action of each game, all with equal probability."""
    t = borrowed(t)
    legal = np.empty(t.edges.shape[2], np.int64)
    for game in range(first, last):
        n = moves(t.states[game, 0], t.nodes[game, 0].turn, legal)
        chosen[game] = legal[below(draw(streams, game), n)]
