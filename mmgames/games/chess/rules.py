"""Chess: python-chess keeps the rules; a position is its FEN. board.py has the same rules once more, for search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import chess
import numpy as np

from mmgames.core.game import Game, Seat

if TYPE_CHECKING:
    from mmgames.core.kernel_game import Kernel

SIDE = 8
CELLS = SIDE * SIDE
START = chess.STARTING_FEN
REPETITIONS = 3  # of a position are a draw
QUIET_PLIES = 100  # without a capture or a pawn move are a draw
PIECES = "PNBRQK"  # codes 1 to 6 for White, -1 to -6 for Black
CODE_OF = {letter: (index + 1) * sign for letters, sign in ((PIECES, 1), (PIECES.lower(), -1))
           for index, letter in enumerate(letters)}  # fmt: skip


def _geometric_moves() -> list[chess.Move]:
    """Every move that some piece could make on an empty board: as a queen or a knight, and promotions of pawns."""
    found = []
    for source in chess.SQUARES:
        file, rank = chess.square_file(source), chess.square_rank(source)
        for target in chess.SQUARES:
            right, up = chess.square_file(target) - file, chess.square_rank(target) - rank
            line = right == 0 or up == 0 or abs(right) == abs(up)
            if source != target and (line or {abs(right), abs(up)} == {1, 2}):
                found.append(chess.Move(source, target))
                if abs(right) < 2 and (rank, up) in ((6, 1), (1, -1)):
                    found += [chess.Move(source, target, piece) for piece in chess.PIECE_TYPES[1:5]]
    return found


MOVES = _geometric_moves()
NUM_ACTIONS = len(MOVES)
ACTION_OF = {(move.from_square, move.to_square, move.promotion): action for action, move in enumerate(MOVES)}


class ChessState(NamedTuple):
    fen: str  # an en passant square only where the capture is legal, so equal positions have equal words
    history: tuple[int, ...] = ()
    seen: tuple[str, ...] = ()  # positions since the last capture or pawn move, this one the last


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
    codes: list[int] = []
    for sign in fen.partition(" ")[0]:
        if sign.isdigit():
            codes += [0] * int(sign)
        elif sign != "/":
            codes.append(CODE_OF[sign])
    return tuple(codes)


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
    """The legal moves of any position, in order."""
    moves = position(fen).generate_legal_moves()
    return tuple(sorted([ACTION_OF[move.from_square, move.to_square, move.promotion] for move in moves]))


@lru_cache(maxsize=4096)
def checked_king(fen: str) -> int | None:
    """The place, row by row from a8, of the king in check."""
    board = position(fen)
    king = board.king(board.turn)
    return None if king is None or not board.is_check() else cell_of(king)


def cell_of(square: int) -> int:
    """The place of a square of python-chess's in rows from the top."""
    return chess.square_mirror(square)


_LETTERS = tuple((colour, letter if colour else letter.lower()) for letter in PIECES for colour in chess.COLORS)
_RIGHTS = tuple(zip((chess.BB_H1, chess.BB_A1, chess.BB_H8, chess.BB_A8), "KQkq", strict=True))
_EMPTY_RUNS = tuple(("1" * length, str(length)) for length in range(SIDE, 1, -1))


def fen_of(board: chess.Board) -> str:
    """What `board.fen()` says, several times faster."""
    signs = ["1"] * CELLS
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    for place, (colour, letter) in enumerate(_LETTERS):
        bits = kinds[place // 2] & board.occupied_co[colour]
        while bits:
            square = bits.bit_length() - 1
            signs[square ^ 56] = letter  # rows from the top
            bits ^= 1 << square
    rows = "/".join(["".join(signs[first : first + SIDE]) for first in range(0, CELLS, SIDE)])
    for run, number in _EMPTY_RUNS:
        rows = rows.replace(run, number)
    turn = "w" if board.turn else "b"
    rights = board.clean_castling_rights()
    castling = "".join([letter for rook, letter in _RIGHTS if rights & rook]) or "-"
    passing = chess.square_name(board.ep_square) if board.has_legal_en_passant() else "-"  # type: ignore[arg-type]
    return f"{rows} {turn} {castling} {passing} {board.halfmove_clock} {board.fullmove_number}"


def mover_of(fen: str) -> Seat:
    return 0 if fen.split(" ", 2)[1] == "w" else 1


def ending(state: ChessState) -> tuple[str, Seat | None] | None:
    """How the game has ended and who won it; None while it goes on."""
    if not legal_moves(state.fen):
        mated = position(state.fen).is_check()
        return ("checkmate", 1 - mover_of(state.fen)) if mated else ("stalemate", None)
    if position(state.fen).is_insufficient_material():
        return "insufficient material", None
    if int(state.fen.rsplit(" ", 2)[1]) >= QUIET_PLIES:
        return "fifty moves without a capture or a pawn move", None
    if state.seen.count(state.seen[-1]) >= REPETITIONS:
        return "threefold repetition", None
    return None


class Chess(Game[ChessState, ChessView]):
    @property
    def num_actions(self) -> int:
        return NUM_ACTIONS

    @property
    def kernel(self) -> Kernel:
        """The rules as kernels, imported when a search asks for them."""
        from mmgames.games.chess.board import KERNEL

        return KERNEL

    def row_of(self, state: ChessState) -> np.ndarray:
        """The kernels' row for a state."""
        from mmgames.games.chess.board import row_after

        return row_after(state.history)

    def start(self, rng: np.random.Generator) -> ChessState:
        return ChessState(START, seen=(_words(START),))

    def movers(self, state: ChessState) -> tuple[Seat, ...]:
        return () if ending(state) else (mover_of(state.fen),)

    def legal(self, state: ChessState, seat: Seat) -> Sequence[int]:
        return legal_moves(state.fen)

    def play(self, state: ChessState, actions: Mapping[Seat, int], rng: np.random.Generator) -> ChessState:
        action = actions[mover_of(state.fen)]
        board = position(state.fen).copy(stack=False)
        kept = () if board.is_zeroing(MOVES[action]) else state.seen
        board.push(MOVES[action])
        fen = fen_of(board)
        _keep(fen, board)
        return ChessState(fen, (*state.history, action), (*kept, _words(fen)))

    def returns(self, state: ChessState) -> Sequence[float]:
        end = ending(state)
        if end is None or end[1] is None:
            return 0.0, 0.0
        return (1.0, -1.0) if end[1] == 0 else (-1.0, 1.0)

    def view(self, state: ChessState, seat: Seat | None) -> ChessView:
        why, winner = ending(state) or (None, None)
        mover = None if why else mover_of(state.fen)
        times = state.seen.count(state.seen[-1])
        return ChessView(seat, state.fen, mover, times, state.history[-1] if state.history else None, why, winner)


def _words(fen: str) -> str:
    """What of a FEN makes a position the same: pieces, side to move, castling rights, en passant."""
    return fen.rsplit(" ", 2)[0]
