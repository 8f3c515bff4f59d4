"""TicTacToe in words."""

from mmgames.core.game_modules import always, is_mover, said
from mmgames.games.tic_tac_toe import rules as k
from mmgames.games.tic_tac_toe.rules import TicTacToeView

ROW_LETTERS = "ABC"
SIGNS = {k.EMPTY: ".", k.NOUGHT: "O", k.CROSS: "X"}
CODES = {k.EMPTY: "an empty cell", k.NOUGHT: "an O", k.CROSS: "an X"}
COLOURS = "X is drawn in red, O in blue."
NAMES = tuple(f"{ROW_LETTERS[cell // k.SIDE]}{cell % k.SIDE + 1}" for cell in range(k.CELLS))
PLACES = NAMES
aliases = always({name[::-1]: cell for cell, name in enumerate(NAMES)})  # column before row: 1A is A1

_RULES = (
    "The board has three by three cells. A cell is named by its row letter and its column number: rows are A, B, C "
    "from top to bottom, columns are 1, 2, 3 from left to right, so A1 is the top left corner and C3 the bottom "
    "right one. {first} moves first; the players take turns to put their mark on an empty cell. Whoever gets three "
    "own marks in one row, column or diagonal wins. A full board without such a line is a draw."
)
legend, notation = said(__package__, "legend", "notation")


def names(view: TicTacToeView) -> dict[int, str]:
    return {cell: NAMES[cell] for cell in k.legal_moves(view.cells, view.seat)} if is_mover(view) else {}


def rules(view: TicTacToeView) -> str:
    return _RULES.format(first=_sign(view, 0))


def you(view: TicTacToeView) -> str:
    if view.seat is None:
        return "You are watching."
    return f"You play {_sign(view, view.seat)}. Win if you can, and do not lose."


def history(view: TicTacToeView) -> str:
    """What the picture does not show: whose turn it is."""
    if view.mover is None:
        lines = k.full_lines(view.cells)
        return f"The game is over: {SIGNS[view.cells[lines[0][0]]]} has won." if lines else "The game is over: a draw."
    whose = f"{_sign(view, view.mover)} is to move" + (": your turn." if view.mover == view.seat else ".")
    return f"Move {k.CELLS - view.cells.count(k.EMPTY) + 1}. {whose}"


def ending(view: TicTacToeView) -> str:
    lines = k.full_lines(view.cells)
    return f"{SIGNS[view.cells[lines[0][0]]]} has won: three in a row." if lines else "Draw: the board is full."


def describe(view: TicTacToeView) -> str:
    """The board drawn with letters, the last move and whose turn it is."""
    lines = ["  " + " ".join(str(column + 1) for column in range(len(k.COLUMNS)))]
    for letter, row in zip(ROW_LETTERS, k.ROWS, strict=True):
        lines.append(" ".join([letter, *(SIGNS[view.cells[cell]] for cell in row)]))
    if view.last is not None:
        lines.append(f"Last move: {SIGNS[view.cells[view.last]]} on {NAMES[view.last]}.")
    lines.append(history(view))
    return "\n".join(lines)


def _sign(view: TicTacToeView, seat: int) -> str:
    return SIGNS[view.marks[seat]]
