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

import math
from typing import NamedTuple

import numpy as np

from mmgames.kernels.batch import draw
from mmgames.kernels.kernel import FRACTION, inlined, kernel, uncounted
from mmgames.kernels.kernel_game import NOBODY, lay_out

UNPROVEN = np.float32(2.0)
NO_LEAF = -1
EXPLORATION = 1.5
UNTRIED_LESS = 0.2  # how much worse than its position a move is held to be before it was tried, when all others were
VISITS_BEFORE = 50.0  # values weigh against probabilities as if the best move had been visited so much more often

NODE = np.dtype(
    [
        ("turn", np.int32),
        ("parent", np.int32),
        ("visits", np.int32),
        ("moves", np.int32),  # how many there are
        ("tried", np.int32),
        ("total", np.float32),  # summed results
        ("value", np.float32),  # what the network says
        ("proven", np.float32),
    ]
)
EDGE = np.dtype([("action", np.int32), ("child", np.int32), ("prior", np.float32)])
ROOT_EDGE = np.dtype([("logit", np.float32), ("noise", np.float32)])
GAME = np.dtype([("used", np.int32), ("leaf", np.int32)])  # how many nodes; the one that is to be judged, or NO_LEAF


class Trees(NamedTuple):
    """The trees of many games. Moves that were tried come first among those of a node."""

    states: np.ndarray  # [game, node]
    nodes: np.ndarray  # [game, node]
    edges: np.ndarray  # [game, node, move]
    root: np.ndarray  # [game, move]
    games: np.ndarray  # [game]


def make_trees(games: int, simulations: int, blank: np.ndarray, most_moves: int) -> Trees:
    """Room for so many games, with so many simulations for a move."""
    nodes = (games, simulations + 1)
    shapes = ((nodes, NODE), ((*nodes, most_moves), EDGE), ((games, most_moves), ROOT_EDGE), (games, GAME))
    states = np.repeat(blank, games * (simulations + 1)).reshape(nodes)
    trees = Trees(states, *(np.zeros(*shape).view(np.recarray) for shape in shapes))
    trees.games["leaf"] = NO_LEAF
    return trees


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
    return Trees(uncounted(t.states), uncounted(t.nodes), uncounted(t.edges), uncounted(t.root), uncounted(t.games))


@kernel
def put_best_first(t, game, node):
    """Bring the likeliest of the untried moves to the place where the next one is taken from."""
    place = t.nodes[game, node].tried
    best = place
    for move in range(place + 1, t.nodes[game, node].moves):
        if t.edges[game, node, move].prior > t.edges[game, node, best].prior:
            best = move
    if best != place:
        exchange(t, game, node, place, best)


@kernel
def exchange(t, game, node, one, other):
    """Two untried moves change places."""
    edges = t.edges[game, node]
    edges[one].prior, edges[other].prior = edges[other].prior, edges[one].prior
    edges[one].action, edges[other].action = edges[other].action, edges[one].action


@kernel
def list_moves(moves, t, game, node, logits, slots, legal):
    """Write down the legal moves of a node with their probabilities; the logarithm that all their logits lack."""
    mover = t.nodes[game, node].turn
    n = moves(t.states[game, node], mover, legal)
    most = np.float32(-np.inf)
    for move in range(n):
        logit = logits[game, slots[mover, legal[move]]]
        t.edges[game, node, move].action = legal[move]
        t.edges[game, node, move].prior = logit
        most = max(most, logit)
    total = np.float32(0.0)
    for move in range(n):
        likely = np.float32(math.exp(t.edges[game, node, move].prior - most))
        t.edges[game, node, move].prior = likely
        total += likely
    for move in range(n):
        t.edges[game, node, move].prior /= total
    t.nodes[game, node].moves = n
    t.nodes[game, node].tried = 0


@kernel
def open_root(moves, t, game, logits, values, slots, considered, streams, noise, legal):
    """The moves of the root with fresh noise, those first that are to be considered, best first."""
    list_moves(moves, t, game, 0, logits, slots, legal)
    n, root = t.nodes[game, 0].moves, t.root[game]
    for move in range(n):
        root[move].logit = math.log(max(t.edges[game, 0, move].prior, 1e-12))
        uniform = (np.float64(draw(streams, game) >> np.uint64(11)) + 0.5) * FRACTION
        root[move].noise = -noise * math.log(-math.log(uniform))
    for place in range(min(considered, n)):
        best = place
        for move in range(place + 1, n):
            if root[move].logit + root[move].noise > root[best].logit + root[best].noise:
                best = move
        if best != place:
            exchange(t, game, 0, place, best)
            root[place].logit, root[best].logit = root[best].logit, root[place].logit
            root[place].noise, root[best].noise = root[best].noise, root[place].noise
    t.nodes[game, 0].value = values[game] * (1 - 2 * t.nodes[game, 0].turn)
    t.nodes[game, 0].visits, t.nodes[game, 0].total = 1, t.nodes[game, 0].value
    t.nodes[game, 0].proven, t.games[game].used = UNPROVEN, 1


@kernel
def mean_result(t, game, node):
    """What is known of a node that was visited."""
    if t.nodes[game, node].proven != UNPROVEN:
        return t.nodes[game, node].proven
    return t.nodes[game, node].total / t.nodes[game, node].visits


@kernel
def root_weight(t, game, scale):
    """By how much the value of a move at the root is multiplied before it is added to a logit."""
    most = 0
    for move in range(t.nodes[game, 0].tried):
        most = max(most, t.nodes[game, t.edges[game, 0, move].child].visits)
    return np.float32((VISITS_BEFORE + most) * scale)


@kernel
def choose_at_root(t, game, wanted, scale):
    """The considered move that was tried `wanted` times and looks best; one that was not tried yet if that is 0."""
    if wanted == 0 and t.nodes[game, 0].tried < t.nodes[game, 0].moves:
        return t.nodes[game, 0].tried
    sign, weight = 1 - 2 * t.nodes[game, 0].turn, root_weight(t, game, scale)
    best, chosen = np.float32(-np.inf), 0
    for move in range(t.nodes[game, 0].tried):
        child = t.edges[game, 0, move].child
        score = t.root[game, move].logit + t.root[game, move].noise + weight * sign * mean_result(t, game, child)
        if t.nodes[game, child].visits != wanted:
            score -= np.float32(1e6)
        if score > best:
            best, chosen = score, move
    return chosen


@kernel
def choose_below(t, game, node):
    """The move that PUCT takes."""
    sign, tried = 1 - 2 * t.nodes[game, node].turn, t.nodes[game, node].tried
    spread = EXPLORATION * math.sqrt(t.nodes[game, node].visits)
    best, chosen, seen = -np.inf, tried, 0.0
    for move in range(tried):
        child = t.edges[game, node, move].child
        seen += t.edges[game, node, move].prior
        score = sign * mean_result(t, game, child)
        if t.nodes[game, child].proven == UNPROVEN:
            score += spread * t.edges[game, node, move].prior / (1 + t.nodes[game, child].visits)
        elif score <= -1.0:
            score = -1e6
        if score > best:
            best, chosen = score, move
    if tried < t.nodes[game, node].moves:
        hope = sign * t.nodes[game, node].total / t.nodes[game, node].visits - UNTRIED_LESS * math.sqrt(seen)
        if hope + spread * t.edges[game, node, tried].prior > best:
            chosen = tried
    return chosen


@kernel
def add_node(turn, step, returns, t, game, node, move, actions, totals):
    """The position after an untried move, as a new node."""
    new = np.int64(t.games[game].used)
    t.games[game].used += 1
    t.nodes[game, node].tried += 1
    t.edges[game, node, move].child = new
    t.states[game, new] = t.states[game, node]
    state = t.states[game, new]
    actions[t.nodes[game, node].turn] = t.edges[game, node, move].action
    step(state, actions, np.uint64(0))
    whose = turn(state)
    t.nodes[game, new].turn, t.nodes[game, new].parent = whose, node
    t.nodes[game, new].visits = t.nodes[game, new].moves = t.nodes[game, new].tried = 0
    t.nodes[game, new].total, t.nodes[game, new].proven = 0.0, UNPROVEN
    if whose == NOBODY:
        returns(state, totals)
        t.nodes[game, new].proven = min(1.0, max(-1.0, totals[0]))
    if node != 0:
        put_best_first(t, game, node)
    return new


@kernel
def prove(t, game, node):
    """Whether the result of a node is certain now, which it is then given: all moves are, or one wins."""
    sign, best = 1 - 2 * t.nodes[game, node].turn, np.float32(-np.inf)
    complete = t.nodes[game, node].tried == t.nodes[game, node].moves
    for move in range(t.nodes[game, node].tried):
        result = t.nodes[game, t.edges[game, node, move].child].proven
        if result == UNPROVEN:
            complete = False
        else:
            best = max(best, sign * result)
    if complete or best >= 1:
        t.nodes[game, node].proven = sign * best
        return True
    return False


@kernel
def send_up(t, game, node, result):
    """Count a result in all nodes above the one that it was found at, and in this one."""
    certain = t.nodes[game, node].proven != UNPROVEN
    while True:
        t.nodes[game, node].visits += 1
        t.nodes[game, node].total += result
        if node == 0:
            return
        node = np.int64(t.nodes[game, node].parent)
        certain = certain and prove(t, game, node)


@kernel
def find_leaf(turn, step, returns, t, game, wanted, scale, actions, totals):
    """Walk down to a position that the network is to judge; NO_LEAF if the result was certain, which is counted."""
    node, move = np.int64(0), choose_at_root(t, game, wanted, scale)
    while True:
        if move == t.nodes[game, node].tried:
            node = add_node(turn, step, returns, t, game, node, move, actions, totals)
        else:
            node = np.int64(t.edges[game, node, move].child)
        if t.nodes[game, node].proven != UNPROVEN:
            send_up(t, game, node, t.nodes[game, node].proven)
            return NO_LEAF
        if t.nodes[game, node].visits == 0:
            return node
        move = choose_below(t, game, node)


@inlined
def write_planes(features, planes, state, seat, numbers, sheets):
    if planes is not None:
        planes(state, seat, sheets)
    else:
        features(state, seat, numbers)
        lay_out(numbers, sheets)


@kernel
def grow(
    turn, moves, step, returns, features, planes, num_features,
    trees, slots, plan, simulation, streams, noise, scale, logits, values, sheets, first, last,
):  # fmt: skip
    """Take in what the network said of the leaves, and find the next ones, whose planes are written.

    Simulation -1 is the root itself. After the last one nothing more is looked for."""
    t, logits, values, sheets = borrowed(trees), uncounted(logits), uncounted(values), uncounted(sheets)
    legal, actions, totals = np.empty(t.edges.shape[2], np.int64), np.zeros(2, np.int64), np.zeros(2)
    numbers = np.empty(num_features, np.float32)
    most = plan.shape[0] - 1
    for game in range(first, last):
        if simulation < 0:
            open_root(moves, t, game, logits, values, slots, most, streams, noise, legal)
        elif t.games[game].leaf != NO_LEAF:
            leaf = np.int64(t.games[game].leaf)
            list_moves(moves, t, game, leaf, logits, slots, legal)
            put_best_first(t, game, leaf)
            t.nodes[game, leaf].value = values[game] * (1 - 2 * t.nodes[game, leaf].turn)
            send_up(t, game, leaf, t.nodes[game, leaf].value)
        t.games[game].leaf = NO_LEAF
        if simulation + 1 < plan.shape[1] and t.nodes[game, 0].proven == UNPROVEN and t.nodes[game, 0].moves > 1:
            wanted = plan[min(most, t.nodes[game, 0].moves), simulation + 1]
            leaf = find_leaf(turn, step, returns, t, game, wanted, scale, actions, totals)
            t.games[game].leaf = leaf
            if leaf != NO_LEAF:
                write_planes(features, planes, t.states[game, leaf], t.nodes[game, leaf].turn, numbers, sheets[game])
