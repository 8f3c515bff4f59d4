"""Chess as kernels, for many games at once and for search: a position and its past in one row of numbers.

Squares are counted from a1 to h8. The value of the position is kept up to date move by move, once for the middle game
and once for the end game, and so is a hash of it. Moves since the last capture or pawn move are kept in a log; taking
them back one by one shows whether a position has been there before. python-chess, whose rules the single games play by,
judges all of this in the tests and is not needed here.
"""

from __future__ import annotations

import numpy as np

from mmgames.kernels.compiling import compiled_later
from mmgames.kernels.kernel import copy_row, kernel
from mmgames.kernels.kernel_game import NOBODY, Kernel

SIDE = 8
CELLS = SIDE * SIDE
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
REPETITIONS = 3  # of a position are a draw
QUIET_PLIES = 100  # without a capture or a pawn move are a draw
PIECES = "PNBRQK"  # codes 1 to 6 for White, -1 to -6 for Black
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)
NOWHERE = -1

# The row. First a position as a search needs it: the seat to move, the rights to castle as bits, where a pawn can be
# captured en passant, plies since the last capture or pawn move, both kings' squares, a hash, values, and the squares.
MOVER, CASTLING, PASSING, QUIET, KINGS, HASH, MIDDLE, END, PHASE = 0, 1, 2, 3, 4, 6, 7, 8, 9
SQUARES = 10  # the first of 64
POSITION = SQUARES + CELLS
# Then what else makes a game: the number of the move, the last one, how often this position has been on the board, how
# the game has ended (a place in ENDINGS), and the moves in the log.
NUMBER, LAST, TIMES, ENDING, LOGGED = range(POSITION, POSITION + 5)
LOG = LOGGED + 1
WIDTH = LOG + QUIET_PLIES
MOST_MOVES = 256

ENDINGS = (
    "",  # not at all
    "checkmate",
    "stalemate",
    "insufficient material",
    "fifty moves without a capture or a pawn move",
    "threefold repetition",
)
RUNNING, CHECKMATE, STALEMATE, INSUFFICIENT, FIFTY, THREEFOLD = range(6)

# An entry of the log: the action, and the rights to castle and the en passant square (NOWHERE is 0) before it.
ENTRY_RIGHTS, ENTRY_PASSING = 11, 15
ACTION_BITS = (1 << ENTRY_RIGHTS) - 1


def _geometric_moves() -> list[tuple[int, int, int]]:
    """From, to, new piece: every way of a queen or a knight on an empty board, and the promotions of pawns."""
    found = []
    for source in range(CELLS):
        for target in range(CELLS):
            right, up = target % SIDE - source % SIDE, target // SIDE - source // SIDE
            line = right == 0 or up == 0 or abs(right) == abs(up)
            if source != target and (line or {abs(right), abs(up)} == {1, 2}):
                found.append((source, target, 0))
                if abs(right) < 2 and (source // SIDE, up) in ((6, 1), (1, -1)):
                    found += [(source, target, piece) for piece in (KNIGHT, BISHOP, ROOK, QUEEN)]
    return found


FROM, TO, BECOMES = np.array(_geometric_moves()).T.copy()
NUM_ACTIONS = len(FROM)
NUM_FEATURES = 2 * len(PIECES) * CELLS + 17
ACTIONS = np.full((6, 64, 64), NOWHERE)  # by new piece (0 none), from, to
ACTIONS[BECOMES, FROM, TO] = np.arange(NUM_ACTIONS)


def _ends(steps: list[tuple[int, int]], far: bool) -> np.ndarray:
    """[square, way, step]: the squares reached one after the other, NOWHERE beyond the edge."""
    reached = np.full((64, len(steps), 8 if far else 2), NOWHERE)
    for square in range(64):
        for way, (right, up) in enumerate(steps):
            for step in range(7 if far else 1):
                file, rank = square % 8 + right * (step + 1), square // 8 + up * (step + 1)
                if 0 <= file < 8 and 0 <= rank < 8:
                    reached[square, way, step] = rank * 8 + file
                else:
                    break
    return reached


_STRAIGHT, _DIAGONAL = [(1, 0), (-1, 0), (0, 1), (0, -1)], [(1, 1), (1, -1), (-1, 1), (-1, -1)]
RAYS = _ends(_STRAIGHT + _DIAGONAL, True)
JUMPS = _ends([(r, u) for r in (-2, -1, 1, 2) for u in (-2, -1, 1, 2) if abs(r) != abs(u)], False)[:, :, 0].copy()
STEPS = RAYS[:, :, 0].copy()
ALIGNED = np.zeros((64, 64), np.bool_)  # whether a queen on one square attacks the other if nothing is between them
for _square in range(64):
    ALIGNED[_square, [place for place in RAYS[_square].ravel() if place != NOWHERE]] = True
# The rights that a move from or to a square leaves: bits 1 and 2 White's king's and queen's side, 4 and 8 Black's.
RIGHTS = np.full(64, 15)
for _square, _lost in ((0, 2), (4, 3), (7, 1), (56, 8), (60, 12), (63, 4)):
    RIGHTS[_square] &= ~_lost

_noise = np.random.default_rng(1968)
PIECE_KEYS = _noise.integers(-(2**63), 2**63, (13, 64))  # by code + 6
RIGHT_KEYS = _noise.integers(-(2**63), 2**63, 16)
FILE_KEYS = _noise.integers(-(2**63), 2**63, 8)
MOVER_KEY = int(_noise.integers(-(2**63), 2**63))

WORTH = np.array([0, 100, 320, 330, 500, 920, 0])
PHASES = np.array([0, 0, 1, 1, 2, 4, 0])
FULL_PHASE = 24


def _values() -> tuple[np.ndarray, np.ndarray]:
    """[code + 6, square]: what a piece is worth there to White, in hundredths of a pawn, early and late in the game."""
    middle, end = np.zeros((13, 64), np.int64), np.zeros((13, 64), np.int64)
    for square in range(64):
        file, rank = square % 8, square // 8
        centre = min(file, 7 - file) + min(rank, 7 - rank)  # 0 in a corner, 6 in the middle
        inner = min(file, 7 - file)
        wing = abs(file - 3.5) > 1  # where a king hides
        early = {
            PAWN: (0, -2, 0, 6, 14, 26, 50, 0)[rank] + (10 if inner == 3 and rank in (3, 4) else 0)
            - (12 if inner == 3 and rank == 1 else 0),
            KNIGHT: 9 * centre - 34 - (6 if rank == 0 else 0),
            BISHOP: 4 * centre - 12 - (10 if rank == 0 else 0),
            ROOK: (18 if rank == 6 else 0) + 3 * inner - 4,
            QUEEN: 2 * centre - 6 - (4 if rank == 0 else 0),
            KING: (24 if rank == 0 and wing else 0) - 16 * rank - (18 if not wing else 0),
        }  # fmt: skip
        late = {
            PAWN: (0, 4, 8, 16, 32, 60, 100, 0)[rank],
            KNIGHT: 7 * centre - 26,
            BISHOP: 4 * centre - 12,
            ROOK: 10 if rank == 6 else 4,
            QUEEN: 5 * centre - 14,
            KING: 9 * centre - 30,
        }
        for kind in range(PAWN, KING + 1):
            for table, extra in ((middle, early), (end, late)):
                table[6 + kind, square] = WORTH[kind] + extra[kind]
                table[6 - kind, square ^ 56] = -(WORTH[kind] + extra[kind])
    return middle, end


MIDDLE_VALUES, END_VALUES = _values()


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
def moves(row, seat, out):
    return list_legal(row, MOST_MOVES, out)


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


@kernel
def cannot_mate(row, sign):
    """Whether a side has too little to give mate by any play, as python-chess counts it."""
    knights = bishops = others_help = bishop_squares = minor_or_pawn = 0
    for square in range(64):
        code = row[SQUARES + square] * sign
        if code in (PAWN, ROOK, QUEEN):
            return False
        kind = abs(code)
        knights += code == KNIGHT
        bishops += code == BISHOP
        others_help += -QUEEN < code < 0
        minor_or_pawn += kind in (KNIGHT, PAWN)
        if kind == BISHOP:
            bishop_squares |= 1 + (square // 8 + square % 8) % 2
    if knights:
        return knights + bishops == 1 and others_help == 0
    if bishops:
        return bishop_squares < 3 and minor_or_pawn == 0
    return True


@kernel
def take_back(row, entry):
    """Undo a move of the log on a position: pieces, rights, side to move and hash, as they were before it."""
    source, target = FROM[entry & ACTION_BITS], TO[entry & ACTION_BITS]
    code = row[SQUARES + target]
    take(row, target)
    put(row, source, code)
    if abs(code) == KING and abs(target - source) == 2:
        rook = source + 3 if target > source else source - 4
        put(row, rook, row[SQUARES + (source + target) // 2])
        take(row, (source + target) // 2)
    row[HASH] ^= RIGHT_KEYS[row[CASTLING]]
    row[CASTLING] = (entry >> ENTRY_RIGHTS) & 15
    row[HASH] ^= RIGHT_KEYS[row[CASTLING]]
    row[PASSING] = (entry >> ENTRY_PASSING) - 1
    if row[PASSING] != NOWHERE:
        row[HASH] ^= FILE_KEYS[row[PASSING] % 8]
    row[HASH] ^= MOVER_KEY
    row[MOVER] = 1 - row[MOVER]
    row[QUIET] -= 1


@kernel
def hashes_before(row, out):
    """The hashes of the positions before each move of the log."""
    then = row[:POSITION].copy()
    for number in range(row[LOGGED] - 1, -1, -1):
        take_back(then, row[LOG + number])
        out[number] = then[HASH]


@kernel
def times_seen(row):
    """How often the position has been on the board; rights to castle that are lost do not come back."""
    times = 1
    if row[LOGGED] >= 4:
        then = row[:POSITION].copy()
        for number in range(row[LOGGED] - 1, -1, -1):
            take_back(then, row[LOG + number])
            if then[CASTLING] != row[CASTLING]:
                break
            times += then[HASH] == row[HASH]
    return times


@kernel
def judge(row):
    """How a game ends with the position on the board, if it does."""
    if list_legal(row, 1, np.empty(MOST_MOVES, np.int64)) == 0:
        return CHECKMATE if in_check(row) else STALEMATE
    if cannot_mate(row, 1) and cannot_mate(row, -1):
        return INSUFFICIENT
    if row[QUIET] >= QUIET_PLIES:
        return FIFTY
    return THREEFOLD if row[TIMES] >= REPETITIONS else RUNNING


@kernel
def entry(row, action):
    """What the log keeps of a move before it is made."""
    return action | row[CASTLING] << ENTRY_RIGHTS | (row[PASSING] + 1) << ENTRY_PASSING


@kernel
def step(row, actions, noise):
    mover = row[MOVER]
    action = actions[mover]
    kept = entry(row, action)
    push(row, action)
    row[NUMBER] += mover
    row[LAST] = action
    if row[QUIET] == 0:
        row[LOG : LOG + row[LOGGED]] = 0
        row[LOGGED] = 0
    else:
        row[LOG + row[LOGGED]] = kept
        row[LOGGED] += 1
    row[TIMES] = times_seen(row)
    row[ENDING] = judge(row)


@kernel
def turn(row):
    return row[MOVER] if row[ENDING] == RUNNING else NOBODY


@kernel
def returns(row, out):
    out[0] = 2 * row[MOVER] - 1 if row[ENDING] == CHECKMATE else 0
    out[1] = -out[0]


@kernel
def balance(row):
    """The value of the position to White in hundredths of a pawn."""
    phase = min(row[PHASE], FULL_PHASE)
    return (row[MIDDLE] * phase + row[END] * (FULL_PHASE - phase)) // FULL_PHASE


@kernel
def evaluate(row):
    value = balance(row)
    return value / (abs(value) + 1000)


@kernel
def features(row, seat, out):
    """Own pieces, the other's, rights and counters, as the page says."""
    out[:] = 0.0
    sign, flip = 1 - 2 * seat, 56 * (1 - seat)
    for square in range(64):
        code = row[SQUARES + square] * sign
        if code != 0:
            out[(abs(code) - 1 + 6 * (code < 0)) * 64 + (square ^ flip)] = 1.0
    rest = out[12 * 64 :]
    for bit in range(4):
        rest[bit] = (row[CASTLING] >> (bit ^ (2 * seat))) & 1
    if row[PASSING] != NOWHERE:
        rest[4 + row[PASSING] % 8] = 1.0
    rest[12] = turn(row) == seat
    rest[13] = seat
    rest[14] = min(1.0, row[QUIET] / QUIET_PLIES)
    rest[15] = row[TIMES] > 1
    rest[16] = row[TIMES] > 2


CODE_OF = {letter: (index + 1) * sign for letters, sign in ((PIECES, 1), (PIECES.lower(), -1))
           for index, letter in enumerate(letters)}  # fmt: skip
LETTERS = np.zeros(128, np.int64)  # codes by letters
for _letter, _code in CODE_OF.items():
    LETTERS[ord(_letter)] = _code
_SPACE, _SLASH, _ZERO, _NINE, _A, _BLACK, _NONE = (ord(sign) for sign in " /09ab-")
_RIGHT_LETTERS = np.array([ord(letter) for letter in "KQkq"])
CAPITALS = np.array([ord(letter) for letter in PIECES])
SMALLER = ord("a") - ord("A")


@kernel
def read_number(text, at):
    """The whole number that begins there, and where the next word begins."""
    number = 0
    while at < text.size and text[at] != _SPACE:
        number = 10 * number + text[at] - _ZERO
        at += 1
    return number, at + 1


@kernel
def read(row, text):
    """Fill in the position of a FEN, given as bytes; what was before it is unknown."""
    row[:] = 0
    row[KINGS : KINGS + 2] = NOWHERE
    row[PASSING] = row[LAST] = NOWHERE
    row[TIMES] = 1
    square, at = 56, 0
    while text[at] != _SPACE:
        sign = text[at]
        if sign == _SLASH:
            square -= 16
        elif sign <= _NINE:
            square += sign - _ZERO
        else:
            put(row, square, LETTERS[sign])
            square += 1
        at += 1
    if text[at + 1] == _BLACK:
        row[MOVER] = 1
        row[HASH] ^= MOVER_KEY
    at += 3
    while text[at] != _SPACE:
        for bit in range(4):
            row[CASTLING] |= (text[at] == _RIGHT_LETTERS[bit]) << bit
        at += 1
    row[HASH] ^= RIGHT_KEYS[row[CASTLING]]
    at += 1
    if text[at] != _NONE:
        row[PASSING] = text[at] - _A + 8 * (text[at + 1] - _ZERO - 1)
        row[HASH] ^= FILE_KEYS[row[PASSING] % 8]
        at += 1
    row[QUIET], at = read_number(text, at + 2)
    row[NUMBER], at = read_number(text, at)


@kernel
def write_placement(kinds, white, out):
    """The first word of a FEN as bytes, from the squares of each kind of piece and of White; how many bytes."""
    at = 0
    for line in range(7, -1, -1):
        empty = 0
        for square in range(8 * line, 8 * line + 8):
            bit = np.uint64(1) << np.uint64(square)
            letter = 0
            for kind in range(kinds.size):
                if kinds[kind] & bit:
                    letter = CAPITALS[kind] if white & bit else CAPITALS[kind] + SMALLER
            if not letter:
                empty += 1
                continue
            if empty:
                out[at] = _ZERO + empty
                at, empty = at + 1, 0
            out[at] = letter
            at += 1
        if empty:
            out[at] = _ZERO + empty
            at += 1
        out[at] = _SLASH
        at += 1
    return at - 1


def row_of(fen: str) -> np.ndarray:
    """Any position as a row; its past is unknown, and nobody looks whether the game is over."""
    row = np.zeros(WIDTH, np.int64)
    compiled_later(read)(row, np.frombuffer(fen.encode("ascii"), np.uint8))
    return row


_START_ROW = row_of(START)


@kernel
def start(row, noise):
    copy_row(_START_ROW, row)


KERNEL = Kernel(
    *(WIDTH, NUM_ACTIONS, NUM_FEATURES, start, turn, moves, step, returns, features),
    most_moves=MOST_MOVES,
    evaluate=evaluate,
    depth=3,
    board=(SIDE, SIDE),
)
