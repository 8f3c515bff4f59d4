"""Chess in words."""

import re
from functools import lru_cache

import chess

from mmgames.core.game_modules import is_mover, said
from mmgames.games.chess import rules as k
from mmgames.games.chess.rules import QUIET_PLIES, ChessView, checked_king, legal_moves
from mmgames.games.chess.tables import BECOMES, FROM, PIECES, TO

ROLES = ("white", "black")
FILES = "abcdefgh"
RANKS = "87654321"  # from the top
PLACES = tuple(file + rank for rank in RANKS for file in FILES)
KINDS = ("pawn", "knight", "bishop", "rook", "queen", "king")
SIGNS = {0: ".", **dict(enumerate(PIECES, 1)), **{-code: letter.lower() for code, letter in enumerate(PIECES, 1)}}
CODES = {
    0: "an empty square",
    **{code: f"a white {kind}" for code, kind in enumerate(KINDS, 1)},
    **{-code: f"a black {kind}" for code, kind in enumerate(KINDS, 1)},
}
MOVES = [
    chess.Move(source, target, piece or None)
    for source, target, piece in zip(FROM.tolist(), TO.tolist(), BECOMES.tolist(), strict=True)
]
ACTION_OF = {(move.from_square, move.to_square, move.promotion): action for action, move in enumerate(MOVES)}
NAMES = tuple(move.uci() for move in MOVES)

rules, legend, notation, goal = said(__package__, "rules", "legend", "notation", "goal")


_NUMBERED = re.compile(r"([0-9]{1,4})(\.\.\.|…|\.) ?")  # 12. is White's move, 12... Black's
_PASSING = re.compile(r" ?e\.p\.?$")
_CASTLING = re.compile(r"[oO]-[oO](-[oO])?[+#]?")
_SHOUTED = re.compile(r"[A-H][1-8][A-H][1-8][NBRQ]?|[AC-HNRQK][A-H1-8X+#=NBRQ-]+")  # not BXC3: a pawn or a bishop?
_SMALL_PIECES = tuple("nrqk")


def names(view: ChessView) -> dict[int, str]:
    return {action: NAMES[action] for action in legal_moves(view.fen)} if is_mover(view) else {}


@lru_cache(maxsize=64)
def position(fen: str) -> chess.Board:
    """The board of a FEN, shared by all: copy it before you change it."""
    return chess.Board(fen)


_FIGURINES = str.maketrans("♔♕♖♗♘♚♛♜♝♞", "KQRBNKQRBN", "♙♟")  # a pawn has no letter


def meanings(view: ChessView, text: str) -> set[int]:
    """The moves that a text can mean to python-chess, which reads algebraic notation with too few and too many marks.

    A capital is part of the move: Bxc3 is a bishop's and bxc3 a pawn's. Where it can mean nothing else, another case
    will do: small n, r, q and k are no files, and E2E4 is no piece's.
    """
    board = position(view.fen)
    text = text.translate(_FIGURINES)
    numbered = _NUMBERED.match(text)
    if numbered and (int(numbered[1]), numbered[2] == ".") == (board.fullmove_number, board.turn):
        text = text[numbered.end() :]
    passing = _PASSING.search(text)
    if passing:
        text = text[: passing.start()]
    if _CASTLING.fullmatch(text):
        text = text.upper()
    elif _SHOUTED.fullmatch(text):
        text = text.lower()
    if text[:1] in _SMALL_PIECES:
        text = text[0].upper() + text[1:]
    found = _moves(board, text)
    if passing:
        found = [move for move in found if board.is_en_passant(move)]
    return {ACTION_OF[move.from_square, move.to_square, move.promotion] for move in found}


def _moves(board: chess.Board, text: str) -> list[chess.Move]:
    try:
        move = board.parse_san(text)
    except chess.AmbiguousMoveError:
        piece, file, rank, target, _ = chess.SAN_REGEX.match(text).groups()  # type: ignore[union-attr]
        pieces = board.pieces_mask(chess.PIECE_SYMBOLS.index(piece.lower()), board.turn)
        return [
            move
            for move in board.generate_legal_moves(pieces, chess.BB_SQUARES[chess.parse_square(target)])
            if move.uci()[0] == (file or move.uci()[0]) and move.uci()[1] == (rank or move.uci()[1])
        ]
    except ValueError:
        return []
    return [move] if move else []  # python-chess reads "--" as no move at all


def you(view: ChessView) -> str:
    if view.seat is None:
        return "You are watching."
    way = "up" if view.seat == 0 else "down"
    return f"You play {ROLES[view.seat]}: your pawns move {way} the board. Win if you can, and do not lose."


def history(view: ChessView) -> str:
    """What the picture does not show: whose turn it is, the rights to castle, what counts towards a draw."""
    if view.mover is None:
        return f"The game is over: {_result(view)}."
    _, _, castling, passing, quiet, number = view.fen.split(" ")
    whose = f"{ROLES[view.mover].capitalize()} is to move" + (": your turn." if view.mover == view.seat else ".")
    lines = [f"Move {number}. {whose}"]
    if checked_king(view.fen) is not None:
        lines.append("The king is in check.")
    lines.append(f"Castling rights: {_rights(castling)}.")
    if passing != "-":
        lines.append(f"A pawn can be captured en passant on {passing}.")
    if int(quiet) >= QUIET_PLIES // 5:
        lines.append(f"{quiet} plies without a capture or a pawn move; {QUIET_PLIES} are a draw.")
    if view.times > 1:
        lines.append("This position is on the board for the second time; the third is a draw.")
    return " ".join(lines)


def ending(view: ChessView) -> str:
    if view.winner is not None:
        return f"{ROLES[view.winner].capitalize()} has won: {view.ending}."
    return f"Draw: {view.ending}." if view.ending else ""


def describe(view: ChessView) -> str:
    """The board drawn with letters, the last move and the rest."""
    lines = ["Capitals are white pieces, small letters black: p pawn, n knight, b bishop, r rook, q queen, k king."]
    for rank, codes in zip(RANKS, k.cells(view), strict=True):
        lines.append(" ".join([rank, *(SIGNS[code] for code in codes)]))
    lines.append(" ".join([" ", *FILES]))
    if view.last is not None:
        move = MOVES[view.last]
        code = k.placement(view.fen)[k.cell_of(move.to_square)]
        lines.append(f"Last move: {NAMES[view.last]} ({CODES[code][2:]}).")
    lines.append(history(view))
    return "\n".join(lines)


@lru_cache(maxsize=16)
def _rights(castling: str) -> str:
    held = []
    for role, letters in zip(ROLES, ("KQ", "kq"), strict=True):
        sides = [
            side for letter, side in zip(letters, ("king's side", "queen's side"), strict=True) if letter in castling
        ]
        if sides:
            held.append(f"{role} {' and '.join(sides)}")
    return ", ".join(held) or "none"


def _result(view: ChessView) -> str:
    if view.winner is not None:
        return f"{view.ending}, {ROLES[view.winner]} has won"
    return f"{view.ending}, a draw" if view.ending else "nobody is to move"
