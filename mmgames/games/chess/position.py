"""Positions of chess: what stands on the board, which moves there are, and what a move makes of it.

The value of a position is kept up to date move by move, once for the middle game and once for the end game, and so is a
hash of it.
"""

from mmgames.games.chess.tables import (
    ACTIONS,
    ALIGNED,
    BECOMES,
    BISHOP,
    CELLS,
    END_VALUES,
    FILE_KEYS,
    FROM,
    JUMPS,
    KING,
    KNIGHT,
    MIDDLE_VALUES,
    MOVER_KEY,
    NOWHERE,
    PAWN,
    PHASES,
    PIECE_KEYS,
    QUEEN,
    RAYS,
    RIGHT_KEYS,
    RIGHTS,
    ROOK,
    TO,
    WAYS,
)
from mmgames.kernels.kernel import inlined, kernel
from mmgames.kernels.records import int8, int16, int32, int64, record

AHEAD = 2
"""From this one on, the ways of a pawn are no captures."""

POSITION = record(
    squares=(int8, CELLS),  # the codes of the pieces
    kings=(int8, 2),  # where they stand, by seat, or NOWHERE
    mover=int8,  # the seat
    castling=int8,  # rights as bits: 1 and 2 White's king's and queen's side, 4 and 8 Black's
    passing=int8,  # the square on which a pawn can be captured en passant, or NOWHERE
    clock=int16,  # plies since the last capture or pawn move
    hash=int64,  # of all of this but the clock
    middle=int32,  # the value to White in the middle game, in hundredths of a pawn
    end=int32,  # and in the end game
    phase=int16,  # how much is on the board: FULL_PHASE at the start, 0 with kings and pawns alone
)


@kernel
def arrange(position, squares, mover, castling, passing, clock):
    """Fill in a position: the codes of all squares, and what the other words of a FEN say."""
    position.mover, position.castling, position.passing, position.clock = mover, castling, passing, clock
    position.middle = position.end = position.phase = 0
    position.hash = RIGHT_KEYS[castling]
    if mover == 1:
        position.hash ^= MOVER_KEY
    if passing != NOWHERE:
        position.hash ^= FILE_KEYS[passing % 8]
    position.kings[:] = NOWHERE
    for square in range(64):
        position.squares[square] = 0
        if squares[square] != 0:
            put(position, square, squares[square])


@kernel
def put(position, square, code):
    """Put a piece on an empty square."""
    position.squares[square] = code
    position.hash ^= PIECE_KEYS[code + 6, square]
    position.middle += MIDDLE_VALUES[code + 6, square]
    position.end += END_VALUES[code + 6, square]
    position.phase += PHASES[abs(code)]
    if abs(code) == KING:
        position.kings[1 if code < 0 else 0] = square


@kernel
def take(position, square):
    """Take the piece of a square away."""
    code = position.squares[square]
    position.squares[square] = 0
    position.hash ^= PIECE_KEYS[code + 6, square]
    position.middle -= MIDDLE_VALUES[code + 6, square]
    position.end -= END_VALUES[code + 6, square]
    position.phase -= PHASES[abs(code)]


@inlined
def attacker_on(position, square, sign, source, target, passed):
    """The code of a piece, above 0 if it is of White (sign 1) or Black (-1), once the other side has moved."""
    if square == source or square == passed:  # noqa: SIM109 - Numba looks through no tuple of two kinds
        return 0
    if square == target:
        return -PAWN  # whichever piece it is, it is in the way
    return position.squares[square] * sign


@inlined
def attacked_after(position, square, sign, source, target, passed):
    """Whether a piece of White (sign 1) or Black (-1) attacks a square once the other side has moved from a source to a
    target and captured the pawn on `passed`. All three may be NOWHERE."""
    file = square % 8
    below = square - 8 * sign
    if 0 <= below < 64:
        if file > 0 and attacker_on(position, below - 1, sign, source, target, passed) == PAWN:
            return True
        if file < 7 and attacker_on(position, below + 1, sign, source, target, passed) == PAWN:
            return True
    for way in range(8):
        place = JUMPS[square, way]
        if place != NOWHERE and attacker_on(position, place, sign, source, target, passed) == KNIGHT:
            return True
    for way in range(8):
        step = 0
        place = RAYS[square, way, 0]
        while place != NOWHERE:
            code = attacker_on(position, place, sign, source, target, passed)
            if code != 0:
                if code == QUEEN or code == (ROOK if way < 4 else BISHOP) or (code == KING and step == 0):
                    return True
                break
            step += 1
            place = RAYS[square, way, step]
    return False


@kernel
def attacked(position, square, sign):
    """Whether a piece of White (sign 1) or Black (-1) attacks a square."""
    return attacked_after(position, square, sign, NOWHERE, NOWHERE, NOWHERE)


@kernel
def in_check(position):
    king = position.kings[position.mover]
    return king != NOWHERE and attacked(position, king, 2 * position.mover - 1)


@kernel
def safe_after(position, source, target):
    """Whether a move leaves the own king out of check."""
    mover = position.mover
    kind = abs(position.squares[source])
    passed = target + 16 * mover - 8 if kind == PAWN and target == position.passing else NOWHERE
    king = target if kind == KING else position.kings[mover]
    return king == NOWHERE or not attacked_after(position, king, 2 * mover - 1, source, target, passed)


@kernel
def is_safe(position, source, target, checked):
    """The same where it is known whether the mover is in check. If not, most moves need no look: the king stays, and
    nothing behind the piece sees it."""
    king = position.kings[position.mover]
    if not checked and king != source and target != position.passing and not ALIGNED[king, source]:
        return True
    return safe_after(position, source, target)


@kernel
def pawn_target(position, square, way):
    """Where a pawn of the mover can go by a capture towards file a (way 0) or h (1), one square ahead (2) or two (3);
    NOWHERE if it cannot."""
    sign = 1 - 2 * position.mover
    ahead = square + 8 * sign
    if not 0 <= ahead < 64:
        return NOWHERE
    if way < AHEAD:
        side = 2 * way - 1
        capture = 0 <= square % 8 + side < 8 and (
            position.squares[ahead + side] * sign < 0 or ahead + side == position.passing
        )
        return ahead + side if capture else NOWHERE
    if position.squares[ahead] != 0:
        return NOWHERE
    if way == AHEAD:
        return ahead
    twice = square // 8 == (1 if position.mover == 0 else 6) and position.squares[ahead + 8 * sign] == 0
    return ahead + 8 * sign if twice else NOWHERE


@inlined
def list_pawn(source, target, out, n):
    if 8 <= target < 56:
        out[n] = ACTIONS[0, source, target]
        return n + 1
    for piece in range(QUEEN, PAWN, -1):
        out[n] = ACTIONS[piece, source, target]
        n += 1
    return n


@kernel
def list_moves(position, capturing, out, n):
    """Captures and promotions, or all other moves but castling, after the first n of `out`; how many there are then.
    Some may leave the king in check."""
    sign = 1 - 2 * position.mover
    squares = position.squares
    for square in range(64):
        code = squares[square] * sign
        if code == PAWN:
            for way in range(4):
                target = pawn_target(position, square, way)
                if target != NOWHERE and capturing == (way < AHEAD or not 8 <= target < 56):
                    n = list_pawn(square, target, out, n)
        elif code > 0:
            for way in range(8):
                step = 0
                target = WAYS[code, square, way, 0]
                while target != NOWHERE and squares[target] == 0:
                    if not capturing:
                        out[n] = ACTIONS[0, square, target]
                        n += 1
                    step += 1
                    target = WAYS[code, square, way, step]
                if capturing and target != NOWHERE and squares[target] * sign < 0:
                    out[n] = ACTIONS[0, square, target]
                    n += 1
    return n


@inlined
def list_castling(position, out, n):
    """Castling, where the king passes no attacked square."""
    mover, squares = position.mover, position.squares
    sign = 1 - 2 * mover
    rights = position.castling >> (2 * mover)
    home = 56 * mover + 4
    if rights & 3 and not attacked(position, home, -sign):
        free = squares[home + 1] == 0 and squares[home + 2] == 0
        if rights & 1 and free and not attacked(position, home + 1, -sign):
            out[n] = ACTIONS[0, home, home + 2]
            n += 1
        free = squares[home - 1] == 0 and squares[home - 2] == 0 and squares[home - 3] == 0
        if rights & 2 and free and not attacked(position, home - 1, -sign):
            out[n] = ACTIONS[0, home, home - 2]
            n += 1
    return n


@kernel
def captures(position, out):
    """Captures and promotions; how many."""
    return list_moves(position, True, out, 0)


@kernel
def quiet_moves(position, out, n):
    """All other moves, after the first n of `out`."""
    return list_castling(position, out, list_moves(position, False, out, n))


@kernel
def list_legal(position, out):
    """Legal moves, captures first; how many."""
    n = quiet_moves(position, out, captures(position, out))
    legal = 0
    checked = in_check(position)
    for i in range(n):
        if is_safe(position, FROM[out[i]], TO[out[i]], checked):
            out[legal] = out[i]
            legal += 1
    return legal


@kernel
def can_move(position):
    """Whether there is a legal move. Castling is not looked at: where the king may castle, it may also take a step."""
    sign = 1 - 2 * position.mover
    squares = position.squares
    checked = in_check(position)
    for square in range(64):
        code = squares[square] * sign
        if code == PAWN:
            for way in range(4):
                target = pawn_target(position, square, way)
                if target != NOWHERE and is_safe(position, square, target, checked):
                    return True
        elif code > 0:
            for way in range(8):
                for step in range(8):
                    target = WAYS[code, square, way, step]
                    if target == NOWHERE or squares[target] * sign > 0:
                        break
                    if is_safe(position, square, target, checked):
                        return True
                    if squares[target] != 0:
                        break
    return False


@kernel
def push(position, action):
    """Make a move."""
    mover = position.mover
    sign = 1 - 2 * mover
    source, target = FROM[action], TO[action]
    code = position.squares[source]
    position.clock += 1
    if position.squares[target] != 0:
        take(position, target)
        position.clock = 0
    passing = position.passing
    if passing != NOWHERE:
        position.hash ^= FILE_KEYS[passing % 8]
        position.passing = NOWHERE
    take(position, source)
    put(position, target, sign * BECOMES[action] if BECOMES[action] else code)
    position.hash ^= RIGHT_KEYS[position.castling]
    position.castling &= RIGHTS[source] & RIGHTS[target]
    position.hash ^= RIGHT_KEYS[position.castling]
    position.hash ^= MOVER_KEY
    position.mover = 1 - mover
    if abs(code) == KING and abs(target - source) == 2:
        rook = source + 3 if target > source else source - 4
        put(position, (source + target) // 2, position.squares[rook])
        take(position, rook)
    elif abs(code) == PAWN:
        position.clock = 0
        if target == passing:
            take(position, target - 8 * sign)
        elif abs(target - source) == 16:
            allow_passing(position, target)


@inlined
def allow_passing(position, pawn):
    """Mark the square behind a pawn that went two squares if capturing it en passant is legal."""
    sign = 1 - 2 * position.mover
    behind = pawn + 8 * sign
    for side in range(-1, 2, 2):
        if 0 <= pawn % 8 + side < 8 and position.squares[pawn + side] == sign * PAWN:
            position.passing = behind
            if safe_after(position, pawn + side, behind):
                position.hash ^= FILE_KEYS[behind % 8]
                return
    position.passing = NOWHERE
