"""Chess: position.py has the board and its moves; here is what makes a game of them, and how it is written down.

python-chess, which judges all of this in the tests, is needed for words alone: it reads notation.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.games.chess.position import POSITION, arrange, can_move, in_check, list_legal, push
from mmgames.games.chess.tables import (
    BISHOP,
    CELLS,
    FULL_PHASE,
    KING,
    KNIGHT,
    MOST_MOVES,
    NOWHERE,
    NUM_ACTIONS,
    PAWN,
    PIECES,
    QUEEN,
    ROOK,
    SIDE,
)
from mmgames.kernels.kernel import inlined, kernel
from mmgames.kernels.kernel_game import NOBODY, Kernel, KernelGame, ask
from mmgames.kernels.records import RecordState, blank_state, int8, int16, int64, record

REPETITIONS = 3  # of a position are a draw
QUIET_PLIES = 100  # without a capture or a pawn move are a draw
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

STATE = record(
    position=POSITION,
    number=int16,  # of the move
    last=int16,  # the last move, or NOWHERE
    times=int8,  # how often this position has been on the board
    ending=int8,  # how the game has ended: a place in ENDINGS
    settled=POSITION,  # the position after the last capture or pawn move
    moves=(int16, QUIET_PLIES),  # the moves since then
    past=(int64, QUIET_PLIES),  # and the hashes of the positions before each of them
)

BACK_RANK = (ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK)
START_SQUARES = np.array([*BACK_RANK, *[PAWN] * 8, *[0] * 32, *[-PAWN] * 8, *(-piece for piece in BACK_RANK)])
START_FACTS = np.array([0, 15, NOWHERE, 0, 1])  # White moves, everybody may castle, nothing is passing, move 1


@kernel
def start(state, noise):
    set_up(state, START_SQUARES, START_FACTS)


@kernel
def set_up(state, squares, facts):
    """Any position, without a past: the squares from a1 to h8, and what the other words of a FEN say."""
    arrange(state.position, squares, facts[0], facts[1], facts[2], facts[3])
    state.number = facts[4]
    state.last = NOWHERE
    state.times = 1
    state.ending = RUNNING
    state.settled = state.position
    state.moves[:] = 0
    state.past[:] = 0


@kernel
def turn(state):
    return state.position.mover if state.ending == RUNNING else NOBODY


@kernel
def moves(state, seat, out):
    return list_legal(state.position, out)


@kernel
def step(state, actions, noise):
    position = state.position
    mover, before, plies = position.mover, position.hash, position.clock - state.settled.clock
    action = actions[mover]
    push(position, action)
    state.number += mover
    state.last = action
    if position.clock == 0:
        state.settled = position
        state.moves[:plies] = 0
        state.past[:plies] = 0
    else:
        state.moves[plies] = action
        state.past[plies] = before
    state.times = times_seen(state)
    state.ending = judge(state)


@inlined
def times_seen(state):
    """How often the position has been on the board; what was before a capture or a pawn move does not come back."""
    times = 1
    for ply in range(state.position.clock - state.settled.clock):
        times += state.past[ply] == state.position.hash
    return times


@kernel
def judge(state):
    """How a game ends with the position on the board, if it does."""
    position = state.position
    if not can_move(position):
        return CHECKMATE if in_check(position) else STALEMATE
    if cannot_mate(position, 1) and cannot_mate(position, -1):
        return INSUFFICIENT
    if position.clock >= QUIET_PLIES:
        return FIFTY
    return THREEFOLD if state.times >= REPETITIONS else RUNNING


@kernel
def cannot_mate(position, sign):
    """Whether a side has too little to give mate by any play, as python-chess counts it."""
    knights = bishops = others_help = bishop_squares = minor_or_pawn = 0
    for square in range(64):
        code = position.squares[square] * sign
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
def returns(state, out):
    won = 2 * state.position.mover - 1 if state.ending == CHECKMATE else 0
    out[0] = won
    out[1] = -won


@kernel
def balance(position):
    """The value of the position to White in hundredths of a pawn."""
    phase = min(position.phase, FULL_PHASE)
    return (position.middle * phase + position.end * (FULL_PHASE - phase)) // FULL_PHASE


@kernel
def evaluate(state):
    value = balance(state.position)
    return value / (abs(value) + 1000)


@kernel
def features(state, seat, out):
    """Own pieces, the other's, rights and counters, as the page says."""
    position = state.position
    out[:] = 0.0
    sign, flip = 1 - 2 * seat, 56 * (1 - seat)
    for square in range(64):
        code = position.squares[square] * sign
        if code != 0:
            out[(abs(code) - 1 + 6 * (code < 0)) * 64 + (square ^ flip)] = 1.0
    rest = out[12 * 64 :]
    for bit in range(4):
        rest[bit] = (position.castling >> (bit ^ (2 * seat))) & 1
    if position.passing != NOWHERE:
        rest[4 + position.passing % 8] = 1.0
    rest[12] = turn(state) == seat
    rest[13] = seat
    rest[14] = min(1.0, position.clock / QUIET_PLIES)
    rest[15] = state.times > 1
    rest[16] = state.times > 2


KERNEL = Kernel(
    *(blank_state(STATE), NUM_ACTIONS, NUM_FEATURES, start, turn, moves, step, returns, features),
    most_moves=MOST_MOVES,
    evaluate=evaluate,
    depth=3,
    board=(SIDE, SIDE),
)


class ChessView(NamedTuple):
    """The board as both players see it. It need not be reachable, nor have kings: questions make their own boards."""

    seat: Seat | None
    fen: str  # an en passant square only where the capture is legal, so equal positions have equal words
    mover: Seat | None  # None when the game is over
    times: int = 1  # how often this position has been on the board
    last: int | None = None  # the last move
    ending: str | None = None  # why the game is over
    winner: Seat | None = None


class Chess(KernelGame[ChessView]):
    kernel = KERNEL

    def view(self, state: RecordState, seat: Seat | None) -> ChessView:
        fen, last, ending = fen_of(state.position, state.number), state.last, state.ending
        mover = mover_of(fen)
        return ChessView(
            *(seat, fen, None if ending else mover, state.times, None if last == NOWHERE else last),
            *(ENDINGS[ending] or None, 1 - mover if ending == CHECKMATE else None),
        )


def cells(view: ChessView) -> tuple[tuple[int, ...], ...]:
    """The ranks from 8 to 1, each from file a to h: 1 to 6 for P N B R Q K, white positive, black negative, 0 empty."""
    codes = placement(view.fen)
    return tuple(codes[first : first + SIDE] for first in range(0, CELLS, SIDE))


SIGNS = np.frombuffer(f"{PIECES.lower()[::-1]}1{PIECES}".encode("ascii"), np.uint8)  # by code + len(PIECES)
CODE_OF = np.zeros(128, np.int64)
CODE_OF[SIGNS] = np.arange(-len(PIECES), len(PIECES) + 1)
_SPREAD = str.maketrans({"/": "", **{str(length): "1" * length for length in range(2, SIDE + 1)}})


def codes_of(fen: str) -> np.ndarray:
    """The codes of the squares of a FEN from a8 to h1, row by row."""
    return CODE_OF[np.frombuffer(fen.partition(" ")[0].translate(_SPREAD).encode("ascii"), np.uint8)]


@lru_cache(maxsize=4096)
def placement(fen: str) -> tuple[int, ...]:
    """The codes of the squares from a8 to h1, row by row."""
    return tuple(codes_of(fen).tolist())


@lru_cache(maxsize=64)
def from_fen(fen: str) -> RecordState:
    """Any position as a state; its past is unknown, and nobody looks whether the game is over."""
    _, mover, castling, passing, clock, number = fen.split(" ")
    squares = codes_of(fen).reshape(SIDE, SIDE)[::-1].ravel()
    rights = sum(1 << bit for bit, letter in enumerate("KQkq") if letter in castling)
    square = NOWHERE if passing == "-" else PLACES.index(passing)
    state = KERNEL.blank.replace()
    ask(set_up, state, squares, np.array(["wb".index(mover), rights, square, int(clock), int(number)]))
    return state


def at_rest(fen: str) -> RecordState:
    """A position to play on from, without a past."""
    state = from_fen(fen)
    return state.replace(ending=ask(judge, state))


PLACES = tuple(file + rank for rank in "12345678" for file in "abcdefgh")
"""The names of the squares from a1 to h8."""
_EMPTY_RUNS = tuple(("1" * length, str(length)) for length in range(SIDE, 1, -1))


def fen_of(position: RecordState, number: int) -> str:
    signs = SIGNS[position.array["squares"][0] + len(PIECES)].tobytes().decode("ascii")
    placed = "/".join([signs[first : first + SIDE] for first in range(CELLS - SIDE, -1, -SIDE)])
    for run, length in _EMPTY_RUNS:
        placed = placed.replace(run, length)
    rights, passing = position.castling, position.passing
    castling = "".join([letter for bit, letter in enumerate("KQkq") if rights >> bit & 1]) or "-"
    target = "-" if passing == NOWHERE else PLACES[passing]
    return f"{placed} {'wb'[position.mover]} {castling} {target} {position.clock} {number}"


def mover_of(fen: str) -> Seat:
    return 0 if fen.split(" ", 2)[1] == "w" else 1


def fen_before(state: RecordState) -> str:
    """The position before the moves of a state."""
    position, settled = state.position, state.settled
    made = 2 * state.number + position.mover - (position.clock - settled.clock)
    return fen_of(settled, made // 2)


def moves_since(state: RecordState) -> tuple[int, ...]:
    """The moves since the last capture or pawn move, as far as they are known."""
    moves: tuple[int, ...] = state.moves[: state.position.clock - state.settled.clock]
    return moves


@lru_cache(maxsize=4096)
def legal_moves(fen: str) -> tuple[int, ...]:
    """The legal moves of any position, in order."""
    return KERNEL.legal(from_fen(fen), mover_of(fen))


@lru_cache(maxsize=4096)
def checked_king(fen: str) -> int | None:
    """The place, row by row from a8, of the king in check."""
    position = from_fen(fen).position
    return cell_of(position.kings[position.mover]) if ask(in_check, position) else None


def cell_of(square: int) -> int:
    """The place of a square in rows from the top."""
    return square ^ 56
