"""An alpha-beta chess player: iterative deepening, a table of positions, captures played out before judging.

The search runs compiled on the kernels of games/chess and is bounded by the positions it looks at, not by
time, so that it plays the same everywhere. It knows the usual economies: the best move of an earlier search first,
then good captures, then moves that refuted others (killers, history); a narrow window for all but the first move;
late quiet moves less deep; a pass that is still good enough cuts (null move).
"""

import numpy as np

from mmgames.agents.base import Agent
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.games.chess.position import POSITION, attacked, captures, in_check, push, quiet_moves
from mmgames.games.chess.rules import QUIET_PLIES, balance, cannot_mate
from mmgames.games.chess.tables import (
    BECOMES,
    BISHOP,
    FILE_KEYS,
    FROM,
    MOST_MOVES,
    MOVER_KEY,
    NOWHERE,
    NUM_ACTIONS,
    PAWN,
    ROOK,
    TO,
    WORTH,
)
from mmgames.kernels.compiling import compiled_in_background
from mmgames.kernels.kernel import kernel
from mmgames.kernels.records import RecordState, bool_, int8, int16, int32, int64, record

MATE = 30_000
MOST_PLIES = 64
FEW_NODES = 1000
MOST_DEPTH = 40
TABLE_SIZE = 1 << 17
EXACT, LOWER, UPPER = 0, 1, 2
NOTHING = -1
ENTER, MOVES, GO_ON, LEAVE = range(4)  # what the search does next
FULL, SCOUT, PASS = range(3)  # why a position is looked at: for its value, to see whether it is better, after a pass
PAWN_AHEAD = np.array([0, 5, 8, 14, 26, 48, 80, 0])  # a passed pawn's bonus by how far it has come

# What is known of a position in progress, one for each ply.
FRAME = record(
    position=POSITION,
    depth=int16,
    alpha=int32,
    beta=int32,
    first_alpha=int32,
    may_pass=bool_,
    called=int8,  # what the answer of the next ply is for: FULL, SCOUT or PASS
    check=bool_,
    still=int32,  # the value without searching
    found=int32,  # the best value so far
    found_action=int16,
    hint=int16,  # the best move of an earlier search, or NOTHING
    count=int16,  # of moves
    next=int16,  # the first that is still to be looked at
    tried=int16,  # how many of them were legal
    killers=(int16, 2),  # quiet moves that refuted others at this ply
    actions=(int16, MOST_MOVES),
    scores=(int64, MOST_MOVES),
)
# What the whole search keeps.
MEMORY = record(
    looked=int64,  # positions so far
    limit=int64,
    stopped=bool_,
    best=int16,  # the best move of the root
    history=(int64, NUM_ACTIONS),
    whims=(int8, NUM_ACTIONS),  # between equal moves chance decides
    pawns=(int8, (2, 8)),  # scratch of `judge`: by side and file, how many pawns
    foremost=(int8, (2, 8)),  # and the rank of the hindmost as the other side meets it
)
ENTRY = record(hash=int64, value=int32, depth=int16, action=int16, kind=int8)  # of the table of positions


class AlphaBeta(Agent):
    """Plays the best move it finds within `nodes` positions and, if given, `depth` plies; equal moves at random."""

    def __init__(self, nodes: int = 60_000, depth: int | None = None) -> None:
        for name, value, most in (("nodes", nodes, 10**9), ("depth", depth, MOST_DEPTH)):
            whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool) and 1 <= value <= most
            if not (whole or (name == "depth" and value is None)):
                raise MmgamesError(f"{name}={value!r} is not possible: give a whole number from 1 to {most:,}.")
        self.nodes = int(nodes)
        self.depth = MOST_DEPTH if depth is None else int(depth)

    def act(self, turn: Turn) -> int:
        return self.best(turn.imagine(), turn.rng)[0]

    def best(self, state: RecordState, rng: np.random.Generator) -> tuple[int, int]:
        """The move it plays in a position, and what it thinks the position is worth to the mover."""
        frames, memory, table = np.zeros(MOST_PLIES, FRAME), np.zeros(1, MEMORY), np.zeros(TABLE_SIZE, ENTRY)
        frames["position"][0] = state.array["position"][0]
        frames["killers"] = NOTHING
        memory["whims"] = rng.integers(0, 64, NUM_ACTIONS)
        memory["limit"] = 2**62  # one ply is always finished
        known = state.position.clock - state.settled.clock
        past = np.array(state.past[:known] + (0,) * MOST_PLIES, np.int64)
        # A small search need not wait for the compiler.
        searched = compiled_in_background(search) if self.nodes <= FEW_NODES else search
        chosen, value = NOTHING, 0
        for depth in range(1, self.depth + 1):
            memory["best"] = NOTHING
            found = searched(frames, depth, memory, table, past)
            if memory["best"][0] != NOTHING:
                chosen = int(memory["best"][0])
            if memory["stopped"][0]:
                break
            value = int(found)
            memory["limit"] = self.nodes
            if memory["looked"][0] >= self.nodes or abs(value) > MATE - MOST_PLIES:
                break
        return chosen, value


@kernel
def judge(position, memory):
    """The value of a position to the mover, in hundredths of a pawn, as it looks without searching."""
    value = balance(position)
    squares, pawns, foremost = position.squares, memory.pawns, memory.foremost
    pawns[:, :] = 0
    foremost[:, :] = -1
    bishops = black_bishops = 0
    for square in range(64):
        code = squares[square]
        if code == PAWN:
            pawns[0, square % 8] += 1
            foremost[0, square % 8] = square // 8
        elif code == -PAWN:
            if pawns[1, square % 8] == 0:
                foremost[1, square % 8] = square // 8
            pawns[1, square % 8] += 1
        elif code == BISHOP:
            bishops += 1
        elif code == -BISHOP:
            black_bishops += 1
    value += 30 * ((bishops > 1) - np.int64(black_bishops > 1))
    for file in range(8):
        for side in range(2):
            sign = 1 - 2 * side
            if pawns[side, file] == 0:
                continue
            value -= 14 * sign * (pawns[side, file] - 1)
            if (file == 0 or pawns[side, file - 1] == 0) and (file == 7 or pawns[side, file + 1] == 0):
                value -= 12 * sign
            rank = foremost[side, file]
            free = True
            for near in range(max(0, file - 1), min(8, file + 2)):
                if pawns[1 - side, near] > 0:
                    for ahead in range(rank + sign, 8 if side == 0 else -1, sign):
                        if squares[8 * ahead + near] == -sign * PAWN:
                            free = False
            if free:
                value += sign * PAWN_AHEAD[rank if side == 0 else 7 - rank]
    for square in range(64):
        code = squares[square]
        if abs(code) == ROOK:
            owner = 1 if code < 0 else 0
            if pawns[owner, square % 8] == 0:
                value += (1 - 2 * owner) * (20 if pawns[1 - owner, square % 8] == 0 else 10)
    one, other = position.kings[0], position.kings[1]
    if position.phase < 10 and abs(value) > 350 and one != NOWHERE and other != NOWHERE:
        # Whoever is far ahead brings the king along to give mate.
        apart = max(abs(one % 8 - other % 8), abs(one // 8 - other // 8))
        value += (7 - apart) * 6 if value > 0 else (apart - 7) * 6
    return value * (1 - 2 * position.mover) + 8


@kernel
def order(frame, history):
    """How promising the moves look before any search."""
    position = frame.position
    for i in range(frame.count):
        action = frame.actions[i]
        victim = abs(position.squares[TO[action]])
        mover = abs(position.squares[FROM[action]])
        if mover == PAWN and TO[action] == position.passing:
            victim = PAWN
        if action == frame.hint:
            frame.scores[i] = 1 << 40
        elif victim or BECOMES[action]:
            frame.scores[i] = (1 << 30) + 16 * WORTH[victim] + 16 * WORTH[BECOMES[action]] - WORTH[mover]
        elif action == frame.killers[0]:
            frame.scores[i] = (1 << 29) + 1
        elif action == frame.killers[1]:
            frame.scores[i] = 1 << 29
        else:
            frame.scores[i] = history[action]


@kernel
def next_best(actions, scores, i, n):
    """Bring the most promising of the moves from the i-th on to the i-th place."""
    best = i
    for j in range(i + 1, n):
        if scores[j] > scores[best]:
            best = j
    actions[i], actions[best] = actions[best], actions[i]
    scores[i], scores[best] = scores[best], scores[i]
    return actions[i]


@kernel
def legal_push(frames, ply, action):
    """Make a move on the position of the next frame; whether it was legal."""
    frames[ply + 1].position = frames[ply].position
    after, mover = frames[ply + 1].position, frames[ply].position.mover
    push(after, action)
    king = after.kings[mover]
    return king == NOWHERE or not attacked(after, king, 2 * mover - 1)


@kernel
def ask(frames, ply, depth, alpha, beta, may_pass, called):
    """Look at the position after a move; `called` says what the answer is for."""
    if ply >= 0:
        frames[ply].called = called
    after = frames[ply + 1]
    after.depth, after.alpha, after.beta, after.may_pass = depth, alpha, beta, may_pass
    return ply + 1, ENTER


@kernel
def enter(frame, ply, memory, table, past):
    """Begin with a position: whether its value is known at once, and the value. Otherwise its moves are listed next."""
    position = frame.position
    base = past.size - MOST_PLIES
    past[base + ply] = position.hash
    memory.looked += 1
    if memory.looked >= memory.limit:
        memory.stopped = True
        return True, 0
    frame.check = frame.depth >= 0 and in_check(position)
    frame.depth += frame.check
    frame.first_alpha, frame.tried, frame.next, frame.hint = frame.alpha, 0, 0, NOTHING
    if frame.depth <= 0 or ply >= MOST_PLIES - 2:
        # Out of depth: only captures and promotions are played on.
        frame.depth = 0
        frame.still = frame.found = judge(position, memory)
        frame.alpha = max(frame.alpha, frame.still)
        return frame.still >= frame.beta or ply >= MOST_PLIES - 2, frame.still
    frame.found, frame.found_action = -MATE, NOTHING
    if ply > 0:
        few = position.phase < 4
        if position.clock >= QUIET_PLIES or (few and cannot_mate(position, 1) and cannot_mate(position, -1)):
            return True, 0
        for back in range(4, min(position.clock, base + ply) + 1, 2):
            if past[base + ply - back] == position.hash:
                return True, 0
    entry = table[position.hash & (TABLE_SIZE - 1)]
    if entry.hash == position.hash:
        value = entry.value
        frame.hint = entry.action
        if abs(value) > MATE - 1000:
            value -= ply if value > 0 else -ply
        kind = entry.kind
        enough = kind == EXACT or (kind == LOWER and value >= frame.beta) or (kind == UPPER and value <= frame.alpha)
        if ply > 0 and entry.depth >= frame.depth and enough:
            return True, value
    frame.still = judge(position, memory)
    return False, 0


@kernel
def list_moves(frame, ply, memory):
    frame.count = captures(frame.position, frame.actions)
    if frame.depth > 0:
        frame.count = quiet_moves(frame.position, frame.actions, frame.count)
    order(frame, memory.history)
    if ply == 0:
        for i in range(frame.count):
            frame.scores[i] = 64 * frame.scores[i] + memory.whims[frame.actions[i]]


@kernel
def keep(frame, ply, table):
    """Remember what was found out about a position. A mate is as far as from here."""
    value = frame.found
    if abs(value) > MATE - 1000:
        value += ply if value > 0 else -ply
    entry = table[frame.position.hash & (TABLE_SIZE - 1)]
    entry.hash, entry.depth, entry.value = frame.position.hash, frame.depth, value
    entry.kind = LOWER if frame.found >= frame.beta else EXACT if frame.found > frame.first_alpha else UPPER
    entry.action = frame.found_action


@kernel
def skip_turn(position):
    position.mover = 1 - position.mover
    position.hash ^= MOVER_KEY
    position.clock = 0  # nothing before a pass can be repeated
    if position.passing != NOWHERE:
        position.hash ^= FILE_KEYS[position.passing % 8]
        position.passing = NOWHERE


# One long kernel on purpose: what its states share stays in registers instead of going through more arguments.
@kernel
def search(frames, plies, memories, table, past):
    """The value of the first frame's position to its mover, `plies` deep; the best move is left in the memory.

    A loop with a stack of frames: Numba crashes when it loads kernels that call themselves from disk.
    """
    memory = memories[0]
    ply, state = ask(frames, -1, plies, -MATE - 1, MATE + 1, False, FULL)
    value = 0
    while not memory.stopped:
        frame = frames[ply]
        position = frame.position
        if state == ENTER:
            known, value = enter(frame, ply, memory, table, past)
            state = LEAVE if known else MOVES
            hopeful = frame.depth >= 3 and frame.still >= frame.beta and position.phase > 6
            if not known and frame.may_pass and hopeful and not frame.check:
                frames[ply + 1].position = position
                skip_turn(frames[ply + 1].position)
                ply, state = ask(frames, ply, frame.depth - 3, -frame.beta, 1 - frame.beta, False, PASS)
            continue
        if state == MOVES:
            list_moves(frame, ply, memory)
            state = GO_ON
        if state == GO_ON:
            if frame.next == frame.count:
                if frame.depth > 0:
                    if frame.tried == 0:
                        frame.found = ply - MATE if frame.check else 0
                    else:
                        keep(frame, ply, table)
                value, state = frame.found, LEAVE
                continue
            action = next_best(frame.actions, frame.scores, frame.next, frame.count)
            frame.next += 1
            alpha, beta, depth = frame.alpha, frame.beta, frame.depth
            gain = WORTH[abs(position.squares[TO[action]])] + WORTH[BECOMES[action]]
            if depth == 0 and gain > 0 and frame.still + gain + 200 < alpha:
                continue
            late = gain == 0 and frame.tried > 0 and not frame.check
            if depth == 1 and late and frame.still + 150 <= alpha and frame.found > 1000 - MATE:
                continue
            if not legal_push(frames, ply, action):
                continue
            frame.tried += 1
            if depth == 0:
                ply, state = ask(frames, ply, -1, -beta, -alpha, False, FULL)
            elif frame.tried == 1:
                ply, state = ask(frames, ply, depth - 1, -beta, -alpha, True, FULL)
            else:
                less = late and frame.tried > 4 and depth >= 3 and not in_check(frames[ply + 1].position)
                ply, state = ask(frames, ply, depth - 1 - less, -alpha - 1, -alpha, True, SCOUT)
            continue
        # LEAVE: this position is done with `value`; what does that mean for the one before it?
        if ply == 0:
            break
        ply, value = ply - 1, -value
        frame = frames[ply]
        if frame.called == PASS:
            state = LEAVE if value >= frame.beta else MOVES
            continue
        if frame.called == SCOUT and value > frame.alpha:
            ply, state = ask(frames, ply, frame.depth - 1, -frame.beta, -frame.alpha, True, FULL)
            continue
        action = frame.actions[frame.next - 1]
        state = GO_ON
        if value > frame.found:
            frame.found, frame.found_action = value, action
            if ply == 0:
                memory.best = action
        frame.alpha = max(frame.alpha, value)
        if frame.alpha >= frame.beta:
            if frame.depth > 0:
                keep(frame, ply, table)
                if frame.position.squares[TO[action]] == 0 and BECOMES[action] == 0:
                    if frame.killers[0] != action:
                        frame.killers[1] = frame.killers[0]
                        frame.killers[0] = action
                    memory.history[action] += frame.depth * frame.depth
            value, state = frame.found, LEAVE
    return value
