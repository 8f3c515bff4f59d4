"""An alpha-beta chess player: iterative deepening, a table of positions, captures played out before judging.

The search runs compiled on the kernels of games/chess and is bounded by the positions it looks at, not by
time, so that it plays the same everywhere. It knows the usual economies: the best move of an earlier search first,
then good captures, then moves that refuted others (killers, history); a narrow window for all but the first move;
late quiet moves less deep; a pass that is still good enough cuts (null move).
"""

from __future__ import annotations

import numpy as np

from mmgames.agents.base import Agent
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.games.chess.kernel import LOGGED, QUIET_PLIES, balance, cannot_mate, hashes_before
from mmgames.games.chess.position import attacked, captures, in_check, push, quiet_moves
from mmgames.games.chess.tables import (
    BECOMES,
    FILE_KEYS,
    FROM,
    HASH,
    KINGS,
    MOST_MOVES,
    MOVER,
    MOVER_KEY,
    NOWHERE,
    NUM_ACTIONS,
    PASSING,
    PHASE,
    POSITION,
    QUIET,
    SQUARES,
    TO,
    WORTH,
)
from mmgames.kernels.compiling import compiled_later
from mmgames.kernels.kernel import copy_row, kernel
from mmgames.kernels.kernel_game import imagined_row

MATE = 30_000
MOST_PLIES = 64
FEW_NODES = 1000
MOST_DEPTH = 40
TABLE_SIZE = 1 << 17
EXACT, LOWER, UPPER = 0, 1, 2
LOOKED, LIMIT, STOPPED, BEST = range(4)  # places in the counters
ENTER, MOVES, GO_ON, LEAVE = range(4)  # what the search does next
FULL, SCOUT, PASS = range(3)  # why a position is looked at: for its value, to see whether it is better, after a pass
DEPTH, ALPHA, BETA, PASSING_ALLOWED, CALLED, CHECK, STILL, HINT = range(8)  # what is known of a position in progress
FIRST_ALPHA, FOUND, FOUND_ACTION, COUNT, NEXT, TRIED = range(8, 14)
PAWN, BISHOP, ROOK = 1, 3, 4
PAWN_AHEAD = np.array([0, 5, 8, 14, 26, 48, 80, 0])  # a passed pawn's bonus by how far it has come


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
        return self.best(imagined_row(turn), turn.rng)[0]

    def best(self, row: np.ndarray, rng: np.random.Generator) -> tuple[int, int]:
        """The move it plays in a position, and what it thinks the position is worth to the mover."""
        rows = np.zeros((MOST_PLIES, POSITION), np.int64)
        rows[0] = row[:POSITION]
        past = np.zeros(int(row[LOGGED]) + MOST_PLIES, np.int64)
        compiled_later(hashes_before)(row, past)
        # A small search need not wait for the compiler.
        searched = compiled_later(search) if self.nodes <= FEW_NODES else search
        counters = np.zeros(4, np.int64)
        counters[LIMIT] = 2**62  # one ply is always finished
        memory = (
            np.zeros((MOST_PLIES, 14), np.int64),
            np.zeros((MOST_PLIES, MOST_MOVES), np.int64),
            np.zeros((MOST_PLIES, MOST_MOVES), np.int64),
            np.full((MOST_PLIES, 2), -1, np.int64),
            np.zeros(NUM_ACTIONS, np.int64),
            rng.integers(0, 64, NUM_ACTIONS),
            np.zeros((TABLE_SIZE, 5), np.int64),
        )
        chosen, value = -1, 0
        for depth in range(1, self.depth + 1):
            counters[BEST] = -1
            found = searched(rows, depth, *memory, past, counters)
            if counters[BEST] != -1:
                chosen = int(counters[BEST])
            if counters[STOPPED]:
                break
            value = int(found)
            counters[LIMIT] = self.nodes
            if counters[LOOKED] >= self.nodes or abs(value) > MATE - MOST_PLIES:
                break
        return chosen, value


@kernel
def judge(row):
    """The value of a position to the mover, in hundredths of a pawn, as it looks without searching."""
    value = balance(row)
    pawns = np.zeros((2, 8), np.int64)
    foremost = np.full((2, 8), -1, np.int64)  # the rank of each side's hindmost pawn as the other side meets it
    bishops = np.zeros(2, np.int64)
    for square in range(64):
        code = row[SQUARES + square]
        if code == PAWN:
            pawns[0, square % 8] += 1
            foremost[0, square % 8] = square // 8
        elif code == -PAWN:
            if pawns[1, square % 8] == 0:
                foremost[1, square % 8] = square // 8
            pawns[1, square % 8] += 1
        elif code == BISHOP:
            bishops[0] += 1
        elif code == -BISHOP:
            bishops[1] += 1
    value += 30 * ((bishops[0] > 1) - np.int64(bishops[1] > 1))
    for file in range(8):
        for side in range(2):
            sign = 1 - 2 * side
            own, other = pawns[side], pawns[1 - side]
            if own[file] == 0:
                continue
            value -= 14 * sign * (own[file] - 1)
            if (file == 0 or own[file - 1] == 0) and (file == 7 or own[file + 1] == 0):
                value -= 12 * sign
            rank = foremost[side, file]
            free = True
            for near in range(max(0, file - 1), min(8, file + 2)):
                if other[near] > 0:
                    for ahead in range(rank + sign, 8 if side == 0 else -1, sign):
                        if row[SQUARES + 8 * ahead + near] == -sign * PAWN:
                            free = False
            if free:
                value += sign * PAWN_AHEAD[rank if side == 0 else 7 - rank]
    for square in range(64):
        code = row[SQUARES + square]
        if abs(code) == ROOK:
            owner = 1 if code < 0 else 0
            if pawns[owner, square % 8] == 0:
                value += (1 - 2 * owner) * (20 if pawns[1 - owner, square % 8] == 0 else 10)
    if row[PHASE] < 10 and abs(value) > 350 and row[KINGS] != NOWHERE and row[KINGS + 1] != NOWHERE:
        # Whoever is far ahead brings the king along to give mate.
        one, other = row[KINGS], row[KINGS + 1]
        apart = max(abs(one % 8 - other % 8), abs(one // 8 - other // 8))
        value += (7 - apart) * 6 if value > 0 else (apart - 7) * 6
    return value * (1 - 2 * row[MOVER]) + 8


@kernel
def order(row, actions, n, first, killer, other_killer, history, out):
    """How promising the moves look before any search."""
    for i in range(n):
        action = actions[i]
        victim = abs(row[SQUARES + TO[action]])
        mover = abs(row[SQUARES + FROM[action]])
        if mover == PAWN and TO[action] == row[PASSING]:
            victim = PAWN
        if action == first:
            out[i] = 1 << 40
        elif victim or BECOMES[action]:
            out[i] = (1 << 30) + 16 * WORTH[victim] + 16 * WORTH[BECOMES[action]] - WORTH[mover]
        elif action == killer:
            out[i] = (1 << 29) + 1
        elif action == other_killer:
            out[i] = 1 << 29
        else:
            out[i] = history[action]


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
def legal_push(rows, ply, action):
    """Make a move on the next row; whether it was legal."""
    copy_row(rows[ply], rows[ply + 1])
    after = rows[ply + 1]
    push(after, action)
    mover = rows[ply][MOVER]
    king = after[KINGS + mover]
    return king == NOWHERE or not attacked(after, king, 2 * mover - 1)


@kernel
def ask(frames, ply, depth, alpha, beta, passing, called):
    """Look at the position after a move; `called` says what the answer is for."""
    frames[ply, CALLED] = called
    after = frames[ply + 1]
    after[DEPTH], after[ALPHA], after[BETA], after[PASSING_ALLOWED] = depth, alpha, beta, passing
    return ply + 1, ENTER


@kernel
def enter(row, frame, ply, actions, scores, killers, history, table, past, counters):
    """Begin with a position: whether its value is known at once, and the value. Otherwise its moves are listed next."""
    base = past.size - MOST_PLIES
    past[base + ply] = row[HASH]
    counters[LOOKED] += 1
    if counters[LOOKED] >= counters[LIMIT]:
        counters[STOPPED] = 1
        return True, 0
    frame[CHECK] = frame[DEPTH] >= 0 and in_check(row)
    frame[DEPTH] += frame[CHECK]
    frame[FIRST_ALPHA], frame[TRIED], frame[NEXT], frame[HINT] = frame[ALPHA], 0, 0, -1
    if frame[DEPTH] <= 0 or ply >= MOST_PLIES - 2:
        # Out of depth: only captures and promotions are played on.
        frame[DEPTH] = 0
        frame[STILL] = frame[FOUND] = judge(row)
        frame[ALPHA] = max(frame[ALPHA], frame[STILL])
        return frame[STILL] >= frame[BETA] or ply >= MOST_PLIES - 2, frame[STILL]
    frame[FOUND], frame[FOUND_ACTION] = -MATE, -1
    if ply > 0:
        if row[QUIET] >= QUIET_PLIES or (row[PHASE] < 4 and cannot_mate(row, 1) and cannot_mate(row, -1)):
            return True, 0
        for back in range(4, min(row[QUIET], base + ply) + 1, 2):
            if past[base + ply - back] == row[HASH]:
                return True, 0
    slot = row[HASH] & (TABLE_SIZE - 1)
    if table[slot, 0] == row[HASH]:
        depth, kind, value = table[slot, 1], table[slot, 2], table[slot, 3]
        frame[HINT] = table[slot, 4]
        if abs(value) > MATE - 1000:
            value -= ply if value > 0 else -ply
        enough = kind == EXACT or (kind == LOWER and value >= frame[BETA]) or (kind == UPPER and value <= frame[ALPHA])
        if ply > 0 and depth >= frame[DEPTH] and enough:
            return True, value
    frame[STILL] = judge(row)
    return False, 0


@kernel
def list_moves(row, frame, ply, actions, scores, killers, history, whims):
    frame[COUNT] = captures(row, actions)
    if frame[DEPTH] > 0:
        frame[COUNT] = quiet_moves(row, actions, frame[COUNT])
    order(row, actions, frame[COUNT], frame[HINT], killers[0], killers[1], history, scores)
    if ply == 0:
        for i in range(frame[COUNT]):
            scores[i] = 64 * scores[i] + whims[actions[i]]


@kernel
def keep(row, frame, ply, table):
    """Remember what was found out about a position. A mate is as far as from here."""
    value = frame[FOUND]
    if abs(value) > MATE - 1000:
        value += ply if value > 0 else -ply
    slot = row[HASH] & (TABLE_SIZE - 1)
    table[slot, 0], table[slot, 1], table[slot, 3] = row[HASH], frame[DEPTH], value
    table[slot, 2] = LOWER if frame[FOUND] >= frame[BETA] else EXACT if frame[FOUND] > frame[FIRST_ALPHA] else UPPER
    table[slot, 4] = frame[FOUND_ACTION]


@kernel
def skip_turn(row):
    row[MOVER] = 1 - row[MOVER]
    row[HASH] ^= MOVER_KEY
    row[QUIET] = 0  # nothing before a pass can be repeated
    if row[PASSING] != NOWHERE:
        row[HASH] ^= FILE_KEYS[row[PASSING] % 8]
        row[PASSING] = NOWHERE


# One long kernel on purpose: what its states share stays in registers instead of going through more arguments.
@kernel
def search(rows, plies, frames, lists, scores, killers, history, whims, table, past, counters):
    """The value of the position in rows[0] to its mover, `plies` deep; the best move is left in the counters.

    A loop with a stack of frames: Numba crashes when it loads kernels that call themselves from disk.
    """
    ply, state = ask(frames, -1, plies, -MATE - 1, MATE + 1, False, FULL)
    value = 0
    while counters[STOPPED] == 0:
        row, frame = rows[ply], frames[ply]
        if state == ENTER:
            known, value = enter(row, frame, ply, lists[ply], scores[ply], killers[ply], history, table, past, counters)
            state = LEAVE if known else MOVES
            hopeful = frame[DEPTH] >= 3 and frame[STILL] >= frame[BETA] and row[PHASE] > 6
            if not known and frame[PASSING_ALLOWED] and hopeful and not frame[CHECK]:
                copy_row(row, rows[ply + 1])
                skip_turn(rows[ply + 1])
                ply, state = ask(frames, ply, frame[DEPTH] - 3, -frame[BETA], 1 - frame[BETA], False, PASS)
            continue
        if state == MOVES:
            list_moves(row, frame, ply, lists[ply], scores[ply], killers[ply], history, whims)
            state = GO_ON
        if state == GO_ON:
            if frame[NEXT] == frame[COUNT]:
                if frame[DEPTH] > 0:
                    if frame[TRIED] == 0:
                        frame[FOUND] = ply - MATE if frame[CHECK] else 0
                    else:
                        keep(row, frame, ply, table)
                value, state = frame[FOUND], LEAVE
                continue
            action = next_best(lists[ply], scores[ply], frame[NEXT], frame[COUNT])
            frame[NEXT] += 1
            alpha, beta, depth = frame[ALPHA], frame[BETA], frame[DEPTH]
            gain = WORTH[abs(row[SQUARES + TO[action]])] + WORTH[BECOMES[action]]
            if depth == 0 and gain > 0 and frame[STILL] + gain + 200 < alpha:
                continue
            late = gain == 0 and frame[TRIED] > 0 and not frame[CHECK]
            if depth == 1 and late and frame[STILL] + 150 <= alpha and frame[FOUND] > 1000 - MATE:
                continue
            if not legal_push(rows, ply, action):
                continue
            frame[TRIED] += 1
            if depth == 0:
                ply, state = ask(frames, ply, -1, -beta, -alpha, False, FULL)
            elif frame[TRIED] == 1:
                ply, state = ask(frames, ply, depth - 1, -beta, -alpha, True, FULL)
            else:
                less = late and frame[TRIED] > 4 and depth >= 3 and not in_check(rows[ply + 1])
                ply, state = ask(frames, ply, depth - 1 - less, -alpha - 1, -alpha, True, SCOUT)
            continue
        # LEAVE: this position is done with `value`; what does that mean for the one before it?
        if ply == 0:
            break
        ply, value = ply - 1, -value
        row, frame = rows[ply], frames[ply]
        if frame[CALLED] == PASS:
            state = LEAVE if value >= frame[BETA] else MOVES
            continue
        if frame[CALLED] == SCOUT and value > frame[ALPHA]:
            ply, state = ask(frames, ply, frame[DEPTH] - 1, -frame[BETA], -frame[ALPHA], True, FULL)
            continue
        action = lists[ply, frame[NEXT] - 1]
        state = GO_ON
        if value > frame[FOUND]:
            frame[FOUND], frame[FOUND_ACTION] = value, action
            if ply == 0:
                counters[BEST] = action
        frame[ALPHA] = max(frame[ALPHA], value)
        if frame[ALPHA] >= frame[BETA]:
            if frame[DEPTH] > 0:
                keep(row, frame, ply, table)
                if row[SQUARES + TO[action]] == 0 and BECOMES[action] == 0:
                    if killers[ply, 0] != action:
                        killers[ply, 1] = killers[ply, 0]
                        killers[ply, 0] = action
                    history[action] += frame[DEPTH] * frame[DEPTH]
            value, state = frame[FOUND], LEAVE
    return value
