"""Chess as kernels, for many games at once and for search: a position and its past in one row of numbers.

tables.py has the layout of a position, position.py what a move does to it. Here is what makes a game of it: moves since
the last capture or pawn move are kept in a log; taking them back one by one shows whether a position has been there
before. python-chess, whose rules the single games play by, judges all of this in the tests and is not needed here.
"""

from __future__ import annotations

import numpy as np

from mmgames.games.chess.position import in_check, list_legal, push, put, take
from mmgames.games.chess.tables import (
    BISHOP,
    CASTLING,
    CELLS,
    END,
    FILE_KEYS,
    FROM,
    FULL_PHASE,
    HASH,
    KING,
    KINGS,
    KNIGHT,
    MIDDLE,
    MOST_MOVES,
    MOVER,
    MOVER_KEY,
    NOWHERE,
    NUM_ACTIONS,
    PASSING,
    PAWN,
    PHASE,
    PIECES,
    POSITION,
    QUEEN,
    QUIET,
    RIGHT_KEYS,
    ROOK,
    SIDE,
    SQUARES,
    TO,
)
from mmgames.kernels.compiling import compiled_later
from mmgames.kernels.kernel import copy_row, kernel
from mmgames.kernels.kernel_game import NOBODY, Kernel

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
REPETITIONS = 3  # of a position are a draw
QUIET_PLIES = 100  # without a capture or a pawn move are a draw

# Then what else makes a game: the number of the move, the last one, how often this position has been on the board, how
# the game has ended (a place in ENDINGS), and the moves in the log.
NUMBER, LAST, TIMES, ENDING, LOGGED = range(POSITION, POSITION + 5)
LOG = LOGGED + 1
WIDTH = LOG + QUIET_PLIES
NUM_FEATURES = 2 * len(PIECES) * CELLS + 17

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


@kernel
def moves(row, seat, out):
    return list_legal(row, MOST_MOVES, out)


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
