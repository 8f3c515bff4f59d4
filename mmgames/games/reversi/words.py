"""Reversi in words."""

from mmgames.core.game_modules import always, is_mover, said
from mmgames.games.reversi.rules import PASS, ReversiView, legal_moves
from mmgames.kernels.bitboard import BLACK, CELLS, SIDE, WHITE

ROLES = ("black", "white")
ROW_LETTERS = "ABCDEFGH"
COLUMN_NUMBERS = "12345678"
NAMES = (*(ROW_LETTERS[cell // SIDE] + COLUMN_NUMBERS[cell % SIDE] for cell in range(CELLS)), "pass")
PLACES = NAMES[:CELLS]
aliases = always({name[::-1]: cell for cell, name in enumerate(PLACES)})  # column before row: 1A is A1
CODES = {0: "an empty cell", 1: "a black disc", 2: "a white disc"}

rules, legend, notation = said(__package__, "rules", "legend", "notation")


def names(view: ReversiView) -> dict[int, str]:
    return {action: NAMES[action] for action in legal_moves(view.cells, view.seat)} if is_mover(view) else {}


def you(view: ReversiView) -> str:
    if view.seat is None:
        return "You are watching."
    return f"You play {ROLES[view.seat]}. Have more discs than the other player at the end."


def history(view: ReversiView) -> str:
    """What the picture does not show: whose turn it is, and that somebody passed."""
    if view.mover is None:
        black, white = view.cells.count(BLACK), view.cells.count(WHITE)
        ended = f"The game is over with {black} black and {white} white discs: "
        return ended + ("a draw." if view.winner is None else f"{ROLES[view.winner]} has won.")
    whose = f"{ROLES[view.mover].capitalize()} is to move" + (": your turn." if view.mover == view.seat else ".")
    passed = f"{ROLES[1 - view.mover].capitalize()} could not move and passed. " if view.last == PASS else ""
    return f"Move {view.number + 1}. {passed}{whose}"


def ending(view: ReversiView) -> str:
    discs = sorted((view.cells.count(BLACK), view.cells.count(WHITE)), reverse=True)
    if view.winner is None:
        return f"Draw: {discs[0]} discs each."
    return f"{ROLES[view.winner].capitalize()} has won, {discs[0]} discs to {discs[1]}."


def describe(view: ReversiView) -> str:
    """The board drawn with letters, the last move and whose turn it is."""
    lines = ["b is a black disc, w a white one, . an empty cell.", " ".join([" ", *COLUMN_NUMBERS])]
    for row, letter in enumerate(ROW_LETTERS):
        lines.append(" ".join([letter, *view.cells[row * SIDE : (row + 1) * SIDE]]))
    if view.last is not None and view.last != PASS:
        colour = {BLACK: ROLES[0], WHITE: ROLES[1]}.get(view.cells[view.last], "")
        lines.append(f"Last move: {colour} {NAMES[view.last]}.")
    lines.append(history(view))
    return "\n".join(lines)
