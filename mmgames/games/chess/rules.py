"""Chess: python-chess keeps the rules; a position is its FEN. kernel.py plays many games at once and searches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import chess
import numpy as np

from mmgames.core.game import Game, Seat
from mmgames.games.chess import kernel as k
from mmgames.games.chess.kernel import CODE_OF, QUIET_PLIES, REPETITIONS, START
from mmgames.games.chess.tables import BECOMES, CELLS, FROM, NUM_ACTIONS, SIDE, TO
from mmgames.kernels.compiling import compiled_later, switch_to_compiled

MOVES = [
    chess.Move(source, target, piece or None)
    for source, target, piece in zip(FROM.tolist(), TO.tolist(), BECOMES.tolist(), strict=True)
]
ACTION_OF = {(move.from_square, move.to_square, move.promotion): action for action, move in enumerate(MOVES)}


class ChessState(NamedTuple):
    fen: str  # an en passant square only where the capture is legal, so equal positions have equal words
    last: int | None = None  # the last move
    quiet: tuple[int, ...] = ()  # the moves since the last capture or pawn move
    seen: tuple[str, ...] = ()  # the words of the positions before each of them and of this one


def at_rest(fen: str) -> ChessState:
    """A position without a past."""
    return ChessState(fen, seen=(_words(fen),))


class ChessView(NamedTuple):
    """The board as both players see it. It need not be reachable, nor have kings: questions make their own boards."""

    seat: Seat | None
    fen: str
    mover: Seat | None  # None when the game is over
    times: int = 1  # how often this position has been on the board
    last: int | None = None  # the last move
    ending: str | None = None  # why the game is over
    winner: Seat | None = None


def cells(view: ChessView) -> tuple[tuple[int, ...], ...]:
    """The ranks from 8 to 1, each from file a to h: 1 to 6 for P N B R Q K, white positive, black negative, 0 empty."""
    codes = placement(view.fen)
    return tuple(codes[first : first + SIDE] for first in range(0, CELLS, SIDE))


@lru_cache(maxsize=4096)
def placement(fen: str) -> tuple[int, ...]:
    """The codes of the squares from a8 to h1, row by row."""
    return tuple(_row(fen)[k.SQUARES : k.POSITION].reshape(SIDE, SIDE)[::-1].ravel().tolist())


@lru_cache(maxsize=64)
def _row(fen: str) -> np.ndarray:
    """The position as the kernels read it, to be read only."""
    return k.row_of(fen)


_boards: dict[str, chess.Board] = {}
_MOST_BOARDS = 4096


def position(fen: str) -> chess.Board:
    """The board of a FEN, shared by all: copy it before you change it."""
    board = _boards.get(fen)
    return _keep(fen, chess.Board(fen)) if board is None else board


def _keep(fen: str, board: chess.Board) -> chess.Board:
    if len(_boards) >= _MOST_BOARDS:
        _boards.clear()
    _boards[fen] = board
    return board


@lru_cache(maxsize=4096)
def legal_moves(fen: str) -> tuple[int, ...]:
    """The legal moves of any position, in order, from the compiled board, which lists them ten times as fast."""
    row = _row(fen)
    return k.KERNEL.legal(row, int(row[k.MOVER]))


@lru_cache(maxsize=4096)
def checked_king(fen: str) -> int | None:
    """The place, row by row from a8, of the king in check."""
    board = position(fen)
    king = board.king(board.turn)
    return None if king is None or not board.is_check() else cell_of(king)


@lru_cache(maxsize=4096)
def too_few_pieces(fen: str) -> bool:
    """Whether nobody can be mated any more, whatever is played."""
    return position(fen).is_insufficient_material()


def cell_of(square: int) -> int:
    """The place of a square of python-chess's in rows from the top."""
    return chess.square_mirror(square)


_RIGHTS = tuple(zip((chess.BB_H1, chess.BB_A1, chess.BB_H8, chess.BB_A8), "KQkq", strict=True))
SIGN_OF = {0: "1", **{code: letter for letter, code in CODE_OF.items()}}
_EMPTY_RUNS = tuple(("1" * length, str(length)) for length in range(SIDE, 1, -1))


def fen_of(board: chess.Board) -> str:
    """What `board.fen()` says, several times faster."""
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    signs = np.empty(CELLS + SIDE, np.uint8)
    length = compiled_later(k.write_placement)(
        np.array(kinds, np.uint64), np.uint64(board.occupied_co[chess.WHITE]), signs
    )
    placed = signs[:length].tobytes().decode("ascii")
    turn = "w" if board.turn else "b"
    rights = board.clean_castling_rights()
    castling = "".join([letter for rook, letter in _RIGHTS if rights & rook]) or "-"
    passing = chess.square_name(board.ep_square) if board.has_legal_en_passant() else "-"  # type: ignore[arg-type]
    return f"{placed} {turn} {castling} {passing} {board.halfmove_clock} {board.fullmove_number}"


def fen_of_row(row: np.ndarray) -> str:
    signs = [SIGN_OF[code] for code in row[k.SQUARES : k.POSITION].reshape(SIDE, SIDE)[::-1].ravel().tolist()]
    castling = "".join([letter for bit, letter in enumerate("KQkq") if row[k.CASTLING] >> bit & 1]) or "-"
    passing = "-" if row[k.PASSING] == k.NOWHERE else chess.square_name(int(row[k.PASSING]))
    return f"{_rows(signs)} {'wb'[row[k.MOVER]]} {castling} {passing} {row[k.QUIET]} {row[k.NUMBER]}"


def _rows(signs: list[str]) -> str:
    """The first word of a FEN from the signs of all squares, 1 for an empty one."""
    rows = "/".join(["".join(signs[first : first + SIDE]) for first in range(0, CELLS, SIDE)])
    for run, number in _EMPTY_RUNS:
        rows = rows.replace(run, number)
    return rows


def mover_of(fen: str) -> Seat:
    return 0 if fen.split(" ", 2)[1] == "w" else 1


def fen_before(state: ChessState) -> str:
    """The position before the quiet moves of a state."""
    plies = len(state.quiet)
    _, turn, _, _, quiet, number = state.fen.split(" ")
    made = 2 * int(number) + (turn == "b") - plies
    return f"{state.seen[0]} {int(quiet) - plies} {made // 2}"


Ending = tuple[str, Seat | None] | None
_judged: tuple[ChessState | None, Ending] = (None, None)


def ending(state: ChessState) -> Ending:
    """How the game has ended and who won it; None while it goes on. Everybody asks it of a new state at once."""
    global _judged
    known, end = _judged
    if known is not state:
        end = _ending(state)
        _judged = state, end
    return end


def _ending(state: ChessState) -> Ending:
    if not legal_moves(state.fen):
        mated = position(state.fen).is_check()
        return (k.ENDINGS[k.CHECKMATE], 1 - mover_of(state.fen)) if mated else (k.ENDINGS[k.STALEMATE], None)
    if too_few_pieces(state.fen):
        return k.ENDINGS[k.INSUFFICIENT], None
    if int(state.fen.rsplit(" ", 2)[1]) >= QUIET_PLIES:
        return k.ENDINGS[k.FIFTY], None
    if state.seen.count(state.seen[-1]) >= REPETITIONS:
        return k.ENDINGS[k.THREEFOLD], None
    return None


class Chess(Game[ChessState, ChessView]):
    kernel = k.KERNEL

    @property
    def num_actions(self) -> int:
        return NUM_ACTIONS

    def start(self, rng: np.random.Generator) -> ChessState:
        switch_to_compiled()
        return at_rest(START)

    def movers(self, state: ChessState) -> tuple[Seat, ...]:
        return () if ending(state) else (mover_of(state.fen),)

    def legal(self, state: ChessState, seat: Seat) -> Sequence[int]:
        return legal_moves(state.fen)

    def play(self, state: ChessState, actions: Mapping[Seat, int], rng: np.random.Generator) -> ChessState:
        action = actions[mover_of(state.fen)]
        board = position(state.fen).copy(stack=False)
        zeroing = board.is_zeroing(MOVES[action])
        board.push(MOVES[action])
        fen = fen_of(board)
        _keep(fen, board)
        if zeroing:
            return ChessState(fen, action, (), (_words(fen),))
        return ChessState(fen, action, (*state.quiet, action), (*state.seen, _words(fen)))

    def returns(self, state: ChessState) -> Sequence[float]:
        end = ending(state)
        if end is None or end[1] is None:
            return 0.0, 0.0
        return (1.0, -1.0) if end[1] == 0 else (-1.0, 1.0)

    def view(self, state: ChessState, seat: Seat | None) -> ChessView:
        why, winner = ending(state) or (None, None)
        mover = None if why else mover_of(state.fen)
        times = state.seen.count(state.seen[-1])
        return ChessView(seat, state.fen, mover, times, state.last, why, winner)

    def row_of(self, state: ChessState) -> np.ndarray:
        """The row of a state, for the kernels."""
        row = k.row_of(state.fen)
        row[k.LAST] = k.NOWHERE if state.last is None else state.last
        row[k.LOGGED] = len(state.quiet)
        for number, (action, before) in enumerate(zip(state.quiet, state.seen, strict=False)):
            row[k.LOG + number] = compiled_later(k.entry)(k.row_of(f"{before} 0 1"), action)
        row[k.TIMES] = compiled_later(k.times_seen)(row)
        row[k.ENDING] = compiled_later(k.judge)(row)
        return row

    def state_of(self, row: np.ndarray) -> ChessState:
        """The state of a row."""
        then, seen = row.copy(), [_words(fen_of_row(row))]
        logged = row[k.LOG : k.LOG + row[k.LOGGED]]
        for entry in logged[::-1]:
            compiled_later(k.take_back)(then, entry)
            seen.append(_words(fen_of_row(then)))
        last = None if row[k.LAST] == k.NOWHERE else int(row[k.LAST])
        return ChessState(fen_of_row(row), last, tuple((logged & k.ACTION_BITS).tolist()), tuple(seen[::-1]))


def _words(fen: str) -> str:
    """What of a FEN makes a position the same: pieces, side to move, castling rights, en passant."""
    return fen.rsplit(" ", 2)[0]
