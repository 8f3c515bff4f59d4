"""Chess in words."""

from __future__ import annotations

from functools import lru_cache

from mmgames.games.chess.rules import (
    MOVES,
    PIECES,
    QUIET_PLIES,
    SIDE,
    ChessView,
    cells,
    checked_king,
    legal_moves,
    placement,
    position,
)

ROLES = ("white", "black")
FILES = "abcdefgh"
RANKS = "87654321"  # from the top
KINDS = ("pawn", "knight", "bishop", "rook", "queen", "king")
SIGNS = {0: ".", **dict(enumerate(PIECES, 1)), **{-code: letter.lower() for code, letter in enumerate(PIECES, 1)}}
CODES = {
    0: "an empty square",
    **{code: f"a white {kind}" for code, kind in enumerate(KINDS, 1)},
    **{-code: f"a black {kind}" for code, kind in enumerate(KINDS, 1)},
}
NAMES = tuple(move.uci() for move in MOVES)

_RULES = (
    "This is chess by the usual rules. A square is named by its file, a to h from left to right, and its rank, 1 to "
    "8 from bottom to top; White begins on ranks 1 and 2, Black on ranks 7 and 8, and White makes the first move. "
    "Checkmate wins. Stalemate is a draw, and so is a position in which neither side has the pieces to give mate, "
    "the same position for the third time, and fifty moves by each side without a capture or a pawn move. A move is "
    "named by the square it leaves and the square it enters, such as e2e4; castling by the move of the king, such as "
    "e1g1; a promotion by one more letter, q, r, b or n for the new piece, such as e7e8q. Algebraic notation such as "
    "Nf3, exd5, O-O or e8=Q is understood too."
)


def names(view: ChessView) -> dict[int, str]:
    if view.mover is None or view.mover != view.seat:
        return {}
    return {action: NAMES[action] for action in legal_moves(view.fen)}


def aliases(view: ChessView) -> dict[str, int]:
    """Algebraic notation with and without its marks, and e2-e4."""
    return dict(_aliases(view.fen)) if names(view) else {}


@lru_cache(maxsize=512)
def _aliases(fen: str) -> dict[str, int]:
    board = position(fen).copy(stack=False)
    forms: dict[str, int] = {}
    for action in legal_moves(fen):
        written = board.san(MOVES[action])
        bare = written.rstrip("+#")
        forms[written] = forms[bare] = forms[f"{NAMES[action][:2]}-{NAMES[action][2:]}"] = action
        if "=" in bare:
            forms[bare.replace("=", "")] = forms[written.replace("=", "")] = action
        if bare[0] == "O":
            forms[bare.replace("O", "0")] = forms[written.replace("O", "0")] = action
    return forms


def rules(view: ChessView) -> str:
    return _RULES


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


def describe(view: ChessView) -> str:
    """The board drawn with letters, the last move and the rest."""
    lines = ["Capitals are white pieces, small letters black: p pawn, n knight, b bishop, r rook, q queen, k king."]
    for rank, codes in zip(RANKS, cells(view), strict=True):
        lines.append(" ".join([rank, *(SIGNS[code] for code in codes)]))
    lines.append(" ".join([" ", *FILES]))
    if view.last is not None:
        move = MOVES[view.last]
        code = placement(view.fen)[(SIDE - 1 - move.to_square // SIDE) * SIDE + move.to_square % SIDE]
        lines.append(f"Last move: {NAMES[view.last]} ({CODES[code][2:]}).")
    lines.append(history(view))
    return "\n".join(lines)


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
