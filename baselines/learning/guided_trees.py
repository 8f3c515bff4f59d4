"""Tree searches that a network guides, for many games at once: the kernels, and the arrays that they grow.

Every game has a tree, whose first node is the position to move in. A simulation walks from there to a position that is
not in the tree yet; the network judges those of all games together, as one batch (`network(planes) -> logits, values`),
and what it says goes back up. At the root the moves to try are drawn without replacement by their probabilities, with
Gumbel noise, and halved again and again (Danihelka et al., Policy improvement by planning with Gumbel, 2022); further
down the move with the highest

    mean result to the mover + EXPLORATION · probability · sqrt(visits of the position) / (1 + visits of the move)

is taken (PUCT, Silver et al., 2017). Results that are certain travel up as well, as in baselines/search/mcts.py.

Results, values and proofs are those of the first seat, unless it is said otherwise.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from mmgames.kernels.batch import FRACTION, draw
from mmgames.kernels.kernel import copy_row, inlined, kernel, uncounted
from mmgames.kernels.kernel_game import NOBODY, lay_out

UNPROVEN = np.float32(2.0)
NO_LEAF = -1
EXPLORATION = 1.5
UNTRIED_LESS = 0.2
"""How much worse than its position a move is held to be before it was tried, when all others were."""
VISITS_BEFORE = 50.0
"""Values weigh against probabilities as if the best move had been visited so much more often."""


class Trees(NamedTuple):
    """The trees of many games: arrays [game, node, …]. Moves that were tried come first among those of a node."""

    rows: np.ndarray
    turn: np.ndarray
    parent: np.ndarray
    visits: np.ndarray
    total: np.ndarray  # summed results
    value: np.ndarray  # what the network says
    proven: np.ndarray
    moves: np.ndarray  # how many there are
    tried: np.ndarray
    action: np.ndarray  # [game, node, move]
    prior: np.ndarray
    child: np.ndarray
    logit: np.ndarray  # [game, move of the root]
    noise: np.ndarray
    used: np.ndarray  # [game]: nodes
    leaf: np.ndarray  # [game]: the node that is to be judged, or NO_LEAF


def make_trees(games: int, simulations: int, width: int, most_moves: int) -> Trees:
    """Room for so many games, with so many simulations for a move."""
    nodes, whole, real = (games, simulations + 1), np.int32, np.float32
    at_nodes = {name: np.zeros(nodes, whole) for name in ("turn", "parent", "visits", "moves", "tried")}
    at_nodes |= {name: np.zeros(nodes, real) for name in ("total", "value", "proven")}
    at_moves = {name: np.zeros((*nodes, most_moves), whole) for name in ("action", "child")}
    return Trees(
        rows=np.zeros((*nodes, width), np.int64),
        prior=np.zeros((*nodes, most_moves), real),
        logit=np.zeros((games, most_moves), real),
        noise=np.zeros((games, most_moves), real),
        used=np.zeros(games, whole),
        leaf=np.full(games, NO_LEAF, whole),
        **at_nodes,
        **at_moves,
    )


def halving(considered: int, simulations: int) -> np.ndarray:
    """[moves considered, simulation]: how often the move to try next has been tried, by sequential halving.

    Each round tries all moves that are left equally often and then leaves the better half of them."""
    plan = np.zeros((considered + 1, simulations), np.int32)
    for moves in range(1, considered + 1):
        rounds, left, tried = max(1, math.ceil(math.log2(moves))), moves, 0
        wanted: list[int] = []
        while len(wanted) < simulations:
            times = max(1, simulations // (rounds * left))
            wanted += [tried + again for again in range(times) for _ in range(left)]
            tried, left = tried + times, max(min(2, moves), left // 2)
        plan[moves] = wanted[:simulations]
    return plan


@inlined
def borrowed(t):
    """The same trees without counts of holders; see `uncounted`."""
    return Trees(
        uncounted(t.rows), uncounted(t.turn), uncounted(t.parent), uncounted(t.visits), uncounted(t.total),
        uncounted(t.value), uncounted(t.proven), uncounted(t.moves), uncounted(t.tried), uncounted(t.action),
        uncounted(t.prior), uncounted(t.child), uncounted(t.logit), uncounted(t.noise), uncounted(t.used),
        uncounted(t.leaf),
    )  # fmt: skip


@kernel
def put_best_first(t, game, node):
    """Bring the likeliest of the untried moves to the place where the next one is taken from."""
    place = t.tried[game, node]
    best = place
    for move in range(place + 1, t.moves[game, node]):
        if t.prior[game, node, move] > t.prior[game, node, best]:
            best = move
    if best != place:
        exchange(t, game, node, place, best)


@kernel
def exchange(t, game, node, one, other):
    """Two untried moves change places."""
    t.prior[game, node, one], t.prior[game, node, other] = t.prior[game, node, other], t.prior[game, node, one]
    t.action[game, node, one], t.action[game, node, other] = t.action[game, node, other], t.action[game, node, one]


@kernel
def list_moves(moves, t, game, node, logits, slots, legal):
    """Write down the legal moves of a node with their probabilities; the logarithm that all their logits lack."""
    mover = t.turn[game, node]
    n = moves(t.rows[game, node], mover, legal)
    most = np.float32(-np.inf)
    for move in range(n):
        logit = logits[game, slots[mover, legal[move]]]
        t.action[game, node, move] = legal[move]
        t.prior[game, node, move] = logit
        most = max(most, logit)
    total = np.float32(0.0)
    for move in range(n):
        likely = np.float32(math.exp(t.prior[game, node, move] - most))
        t.prior[game, node, move] = likely
        total += likely
    for move in range(n):
        t.prior[game, node, move] /= total
    t.moves[game, node] = n
    t.tried[game, node] = 0


@kernel
def open_root(moves, t, game, logits, values, slots, considered, streams, noise, legal):
    """The moves of the root with fresh noise, those first that are to be considered, best first."""
    list_moves(moves, t, game, 0, logits, slots, legal)
    n = t.moves[game, 0]
    for move in range(n):
        t.logit[game, move] = math.log(max(t.prior[game, 0, move], 1e-12))
        uniform = (np.float64(draw(streams, game) >> np.uint64(11)) + 0.5) * FRACTION
        t.noise[game, move] = -noise * math.log(-math.log(uniform))
    for place in range(min(considered, n)):
        best = place
        for move in range(place + 1, n):
            if t.logit[game, move] + t.noise[game, move] > t.logit[game, best] + t.noise[game, best]:
                best = move
        if best != place:
            exchange(t, game, 0, place, best)
            t.logit[game, place], t.logit[game, best] = t.logit[game, best], t.logit[game, place]
            t.noise[game, place], t.noise[game, best] = t.noise[game, best], t.noise[game, place]
    t.value[game, 0] = values[game] * (1 - 2 * t.turn[game, 0])
    t.visits[game, 0], t.total[game, 0] = 1, t.value[game, 0]
    t.proven[game, 0], t.used[game] = UNPROVEN, 1


@kernel
def mean_result(t, game, node):
    """What is known of a node that was visited."""
    if t.proven[game, node] != UNPROVEN:
        return t.proven[game, node]
    return t.total[game, node] / t.visits[game, node]


@kernel
def root_weight(t, game, scale):
    """By how much the value of a move at the root is multiplied before it is added to a logit."""
    most = 0
    for move in range(t.tried[game, 0]):
        most = max(most, t.visits[game, t.child[game, 0, move]])
    return np.float32((VISITS_BEFORE + most) * scale)


@kernel
def choose_at_root(t, game, wanted, scale):
    """The considered move that was tried `wanted` times and looks best; one that was not tried yet if that is 0."""
    if wanted == 0 and t.tried[game, 0] < t.moves[game, 0]:
        return t.tried[game, 0]
    sign, weight = 1 - 2 * t.turn[game, 0], root_weight(t, game, scale)
    best, chosen = np.float32(-np.inf), 0
    for move in range(t.tried[game, 0]):
        child = t.child[game, 0, move]
        score = t.logit[game, move] + t.noise[game, move] + weight * sign * mean_result(t, game, child)
        if t.visits[game, child] != wanted:
            score -= np.float32(1e6)
        if score > best:
            best, chosen = score, move
    return chosen


@kernel
def choose_below(t, game, node):
    """The move that PUCT takes."""
    sign, tried = 1 - 2 * t.turn[game, node], t.tried[game, node]
    spread = EXPLORATION * math.sqrt(t.visits[game, node])
    best, chosen, seen = -np.inf, tried, 0.0
    for move in range(tried):
        child = t.child[game, node, move]
        seen += t.prior[game, node, move]
        score = sign * mean_result(t, game, child)
        if t.proven[game, child] == UNPROVEN:
            score += spread * t.prior[game, node, move] / (1 + t.visits[game, child])
        elif score <= -1.0:
            score = -1e6
        if score > best:
            best, chosen = score, move
    if tried < t.moves[game, node]:
        hope = sign * t.total[game, node] / t.visits[game, node] - UNTRIED_LESS * math.sqrt(seen)
        if hope + spread * t.prior[game, node, tried] > best:
            chosen = tried
    return chosen


@kernel
def add_node(turn, step, returns, t, game, node, move, actions, totals):
    """The position after an untried move, as a new node."""
    new = t.used[game]
    t.used[game] += 1
    t.tried[game, node] += 1
    t.child[game, node, move] = new
    row = t.rows[game, new]
    copy_row(t.rows[game, node], row)
    actions[t.turn[game, node]] = t.action[game, node, move]
    step(row, actions, np.uint64(0))
    whose = turn(row)
    t.turn[game, new], t.parent[game, new] = whose, node
    t.visits[game, new] = t.moves[game, new] = t.tried[game, new] = 0
    t.total[game, new], t.proven[game, new] = 0.0, UNPROVEN
    if whose == NOBODY:
        returns(row, totals)
        t.proven[game, new] = min(1.0, max(-1.0, totals[0]))
    if node != 0:
        put_best_first(t, game, node)
    return new


@kernel
def prove(t, game, node):
    """Whether the result of a node is certain now, which it is then given: all moves are, or one wins."""
    sign, best = 1 - 2 * t.turn[game, node], np.float32(-np.inf)
    complete = t.tried[game, node] == t.moves[game, node]
    for move in range(t.tried[game, node]):
        result = t.proven[game, t.child[game, node, move]]
        if result == UNPROVEN:
            complete = False
        else:
            best = max(best, sign * result)
    if complete or best >= 1:
        t.proven[game, node] = sign * best
        return True
    return False


@kernel
def send_up(t, game, node, result):
    """Count a result in all nodes above the one that it was found at, and in this one."""
    certain = t.proven[game, node] != UNPROVEN
    while True:
        t.visits[game, node] += 1
        t.total[game, node] += result
        if node == 0:
            return
        node = t.parent[game, node]
        certain = certain and prove(t, game, node)


@kernel
def find_leaf(turn, step, returns, t, game, wanted, scale, actions, totals):
    """Walk down to a position that the network is to judge; NO_LEAF if the result was certain, which is counted."""
    node, move = 0, choose_at_root(t, game, wanted, scale)
    while True:
        if move == t.tried[game, node]:
            node = add_node(turn, step, returns, t, game, node, move, actions, totals)
        else:
            node = t.child[game, node, move]
        if t.proven[game, node] != UNPROVEN:
            send_up(t, game, node, t.proven[game, node])
            return NO_LEAF
        if t.visits[game, node] == 0:
            return node
        move = choose_below(t, game, node)


@inlined
def write_planes(features, planes, row, seat, numbers, sheets):
    if planes is not None:
        planes(row, seat, sheets)
    else:
        features(row, seat, numbers)
        lay_out(numbers, sheets)


@kernel
def grow(
    turn, moves, step, returns, features, planes, num_features,
    trees, slots, plan, simulation, streams, noise, scale, logits, values, sheets, first, last,
):  # fmt: skip
    """Take in what the network said of the leaves, and find the next ones, whose planes are written.

    Simulation -1 is the root itself. After the last one nothing more is looked for."""
    t, logits, values, sheets = borrowed(trees), uncounted(logits), uncounted(values), uncounted(sheets)
    legal, actions, totals = np.empty(t.action.shape[2], np.int64), np.zeros(2, np.int64), np.zeros(2)
    numbers = np.empty(num_features, np.float32)
    most = plan.shape[0] - 1
    for game in range(first, last):
        if simulation < 0:
            open_root(moves, t, game, logits, values, slots, most, streams, noise, legal)
        elif t.leaf[game] != NO_LEAF:
            leaf = t.leaf[game]
            list_moves(moves, t, game, leaf, logits, slots, legal)
            put_best_first(t, game, leaf)
            t.value[game, leaf] = values[game] * (1 - 2 * t.turn[game, leaf])
            send_up(t, game, leaf, t.value[game, leaf])
        t.leaf[game] = NO_LEAF
        if simulation + 1 < plan.shape[1] and t.proven[game, 0] == UNPROVEN and t.moves[game, 0] > 1:
            wanted = plan[min(most, t.moves[game, 0]), simulation + 1]
            leaf = find_leaf(turn, step, returns, t, game, wanted, scale, actions, totals)
            t.leaf[game] = leaf
            if leaf != NO_LEAF:
                write_planes(features, planes, t.rows[game, leaf], t.turn[game, leaf], numbers, sheets[game])
