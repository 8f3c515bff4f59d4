"""Positions of chess as kernels: which moves there are, and what a move makes of the board.

The value of the position is kept up to date move by move, once for the middle game and once for the end game, and so is
a hash of it.
"""

from mmgames.games.chess.tables import (
    ACTIONS,
    ALIGNED,
    BECOMES,
    BISHOP,
    CASTLING,
    END,
    END_VALUES,
    FILE_KEYS,
    FROM,
    HASH,
    JUMPS,
    KING,
    KINGS,
    KNIGHT,
    MIDDLE,
    MIDDLE_VALUES,
    MOVER,
    MOVER_KEY,
    NOWHERE,
    PASSING,
    PAWN,
    PHASE,
    PHASES,
    PIECE_KEYS,
    POSITION,
    QUEEN,
    QUIET,
    RAYS,
    RIGHT_KEYS,
    RIGHTS,
    ROOK,
    SQUARES,
    STEPS,
    TO,
)
from mmgames.kernels.kernel import kernel


@kernel
def put(row, square, code):
    """Put a piece on an empty square."""
    row[SQUARES + square] = code
    row[HASH] ^= PIECE_KEYS[code + 6, square]
    row[MIDDLE] += MIDDLE_VALUES[code + 6, square]
    row[END] += END_VALUES[code + 6, square]
    row[PHASE] += PHASES[abs(code)]
    if abs(code) == KING:
        row[KINGS + (code < 0)] = square


@kernel
def take(row, square):
    """Take the piece of a square away."""
    code = row[SQUARES + square]
    row[SQUARES + square] = 0
    row[HASH] ^= PIECE_KEYS[code + 6, square]
    row[MIDDLE] -= MIDDLE_VALUES[code + 6, square]
    row[END] -= END_VALUES[code + 6, square]
    row[PHASE] -= PHASES[abs(code)]


@kernel
def attacked(row, square, sign):
    """Whether a piece of White (sign 1) or Black (-1) attacks a square."""
    file = square % 8
    below = square - 8 * sign
    if 0 <= below < 64:
        if file > 0 and row[SQUARES + below - 1] == sign * PAWN:
            return True
        if file < 7 and row[SQUARES + below + 1] == sign * PAWN:
            return True
    for way in range(8):
        place = JUMPS[square, way]
        if place != NOWHERE and row[SQUARES + place] == sign * KNIGHT:
            return True
    for way in range(8):
        step = 0
        place = RAYS[square, way, 0]
        while place != NOWHERE:
            code = row[SQUARES + place] * sign
            if code != 0:
                if code == QUEEN or code == (ROOK if way < 4 else BISHOP) or (code == KING and step == 0):
                    return True
                break
            step += 1
            place = RAYS[square, way, step]
    return False


@kernel
def in_check(row):
    mover = row[MOVER]
    return row[KINGS + mover] != NOWHERE and attacked(row, row[KINGS + mover], 2 * mover - 1)


@kernel
def safe_after(row, action):
    """Whether a move leaves the own king out of check. The row is as before afterwards."""
    mover = row[MOVER]
    source, target = FROM[action], TO[action]
    code, taken = row[SQUARES + source], row[SQUARES + target]
    passed = NOWHERE
    if abs(code) == PAWN and target == row[PASSING]:
        passed = target + 16 * mover - 8
        row[SQUARES + passed] = 0
    row[SQUARES + source] = 0
    row[SQUARES + target] = code
    king = target if abs(code) == KING else row[KINGS + mover]
    safe = king == NOWHERE or not attacked(row, king, 2 * mover - 1)
    row[SQUARES + source] = code
    row[SQUARES + target] = taken
    if passed != NOWHERE:
        row[SQUARES + passed] = -code
    return safe


@kernel
def list_pawn(source, target, out, n):
    if 8 <= target < 56:
        out[n] = ACTIONS[0, source, target]
        return n + 1
    for piece in range(QUEEN, PAWN, -1):
        out[n] = ACTIONS[piece, source, target]
        n += 1
    return n


@kernel
def captures(row, out):
    """Captures and promotions, some of which may leave the king in check."""
    mover = row[MOVER]
    sign = 1 - 2 * mover
    n = 0
    for square in range(64):
        code = row[SQUARES + square] * sign
        if code <= 0:
            continue
        if code == PAWN:
            ahead = square + 8 * sign
            for side in range(-1, 2, 2):
                if 0 <= square % 8 + side < 8:
                    target = ahead + side
                    if row[SQUARES + target] * sign < 0 or target == row[PASSING]:
                        n = list_pawn(square, target, out, n)
            if (ahead < 8 or ahead >= 56) and row[SQUARES + ahead] == 0:
                n = list_pawn(square, ahead, out, n)
        elif code in (KNIGHT, KING):
            for way in range(8):
                target = JUMPS[square, way] if code == KNIGHT else STEPS[square, way]
                if target != NOWHERE and row[SQUARES + target] * sign < 0:
                    out[n] = ACTIONS[0, square, target]
                    n += 1
        else:
            for way in range(4 if code == BISHOP else 0, 4 if code == ROOK else 8):
                step = 0
                target = RAYS[square, way, 0]
                while target != NOWHERE and row[SQUARES + target] == 0:
                    step += 1
                    target = RAYS[square, way, step]
                if target != NOWHERE and row[SQUARES + target] * sign < 0:
                    out[n] = ACTIONS[0, square, target]
                    n += 1
    return n


@kernel
def quiet_moves(row, out, n):
    """All other moves, after the first n of `out`; castling only where the king passes no attacked square."""
    mover = row[MOVER]
    sign = 1 - 2 * mover
    for square in range(64):
        code = row[SQUARES + square] * sign
        if code <= 0:
            continue
        if code == PAWN:
            ahead = square + 8 * sign
            if 8 <= ahead < 56 and row[SQUARES + ahead] == 0:
                out[n] = ACTIONS[0, square, ahead]
                n += 1
                if square // 8 == (1 if mover == 0 else 6) and row[SQUARES + ahead + 8 * sign] == 0:
                    out[n] = ACTIONS[0, square, ahead + 8 * sign]
                    n += 1
        elif code in (KNIGHT, KING):
            for way in range(8):
                target = JUMPS[square, way] if code == KNIGHT else STEPS[square, way]
                if target != NOWHERE and row[SQUARES + target] == 0:
                    out[n] = ACTIONS[0, square, target]
                    n += 1
        else:
            for way in range(4 if code == BISHOP else 0, 4 if code == ROOK else 8):
                step = 0
                target = RAYS[square, way, 0]
                while target != NOWHERE and row[SQUARES + target] == 0:
                    out[n] = ACTIONS[0, square, target]
                    n += 1
                    step += 1
                    target = RAYS[square, way, step]
    rights = row[CASTLING] >> (2 * mover)
    home = 56 * mover + 4
    if rights & 3 and not attacked(row, home, -sign):
        free = row[SQUARES + home + 1] == 0 and row[SQUARES + home + 2] == 0
        if rights & 1 and free and not attacked(row, home + 1, -sign):
            out[n] = ACTIONS[0, home, home + 2]
            n += 1
        free = row[SQUARES + home - 1] == 0 and row[SQUARES + home - 2] == 0 and row[SQUARES + home - 3] == 0
        if rights & 2 and free and not attacked(row, home - 1, -sign):
            out[n] = ACTIONS[0, home, home - 2]
            n += 1
    return n


@kernel
def harmless(row, action, checked):
    """Whether a move leaves the king out of check for certain: the king stays, and nothing behind the piece sees it."""
    source = FROM[action]
    king = row[KINGS + row[MOVER]]
    return not checked and king != source and TO[action] != row[PASSING] and not ALIGNED[king, source]


@kernel
def list_legal(row, most, out):
    """Legal moves, `most` of them at the most, captures first; how many."""
    n = quiet_moves(row, out, captures(row, out))
    legal = 0
    checked = in_check(row)
    here = row[:POSITION].copy()  # moves are tried on it, and a row may be read-only
    for i in range(n):
        if harmless(row, out[i], checked) or safe_after(here, out[i]):
            out[legal] = out[i]
            legal += 1
            if legal == most:
                break
    return legal


@kernel
def push(row, action):
    """Make a move of the position; the rest of the row is left as it was."""
    mover = row[MOVER]
    sign = 1 - 2 * mover
    source, target = FROM[action], TO[action]
    code = row[SQUARES + source]
    row[QUIET] += 1
    if row[SQUARES + target] != 0:
        take(row, target)
        row[QUIET] = 0
    passing = row[PASSING]
    if passing != NOWHERE:
        row[HASH] ^= FILE_KEYS[passing % 8]
        row[PASSING] = NOWHERE
    take(row, source)
    put(row, target, sign * BECOMES[action] if BECOMES[action] else code)
    row[HASH] ^= RIGHT_KEYS[row[CASTLING]]
    row[CASTLING] &= RIGHTS[source] & RIGHTS[target]
    row[HASH] ^= RIGHT_KEYS[row[CASTLING]]
    row[HASH] ^= MOVER_KEY
    row[MOVER] = 1 - mover
    if abs(code) == KING and abs(target - source) == 2:
        rook = source + 3 if target > source else source - 4
        put(row, (source + target) // 2, row[SQUARES + rook])
        take(row, rook)
    elif abs(code) == PAWN:
        row[QUIET] = 0
        if target == passing:
            take(row, target - 8 * sign)
        elif abs(target - source) == 16:
            allow_passing(row, target)


@kernel
def allow_passing(row, pawn):
    """Mark the square behind a pawn that went two squares if capturing it en passant is legal."""
    sign = 1 - 2 * row[MOVER]
    behind = pawn + 8 * sign
    for side in range(-1, 2, 2):
        if 0 <= pawn % 8 + side < 8 and row[SQUARES + pawn + side] == sign * PAWN:
            row[PASSING] = behind
            if safe_after(row, ACTIONS[0, pawn + side, behind]):
                row[HASH] ^= FILE_KEYS[behind % 8]
                return
    row[PASSING] = NOWHERE
