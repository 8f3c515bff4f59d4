"""Gomoku in words."""

from __future__ import annotations

from mmgames.games.gomoku.rules import BLACK, CELLS, EMPTY, SIDE, WHITE, GomokuView, fives, legal_moves

ROLES = ("black", "white")
COLUMN_LETTERS = "ABCDEFGHIJKLMNO"
ROW_NUMBERS = tuple(str(SIDE - row) for row in range(SIDE))  # from the top
NAMES = tuple(COLUMN_LETTERS[cell % SIDE] + ROW_NUMBERS[cell // SIDE] for cell in range(CELLS))
PLACES = NAMES
ALIASES = {name[1:] + name[0]: cell for cell, name in enumerate(NAMES)}
CODES = {0: "an empty point", 1: "a black stone", 2: "a white stone"}

_ROLE_OF_STONE = {BLACK: ROLES[0], WHITE: ROLES[1]}
_RULES = (
    "The board has fifteen by fifteen points, where its lines cross. A point is named by its column letter and its row "
    "number: columns are A to O from left to right, rows are 1 to 15 from bottom to top, so A1 is the bottom left "
    "corner, O15 the top right one and H8 the middle. Black moves first; the players take turns to put one own stone "
    "on any empty point, and stones are never moved or taken away. Whoever first has five or more own stones in an "
    "unbroken line wins; the line may be a row, a column or a diagonal. A full board without such a line is a draw."
)


def names(view: GomokuView) -> dict[int, str]:
    if view.mover is None or view.mover != view.seat:
        return {}
    return {cell: NAMES[cell] for cell in legal_moves(view.cells)}


def aliases(view: GomokuView) -> dict[str, int]:
    """Row before column means the same point: 8H is H8."""
    return ALIASES


def rules(view: GomokuView) -> str:
    return _RULES


def you(view: GomokuView) -> str:
    if view.seat is None:
        return "You are watching."
    return f"You play {ROLES[view.seat]}. Get five in a row before the other does."


def legend(view: GomokuView) -> str:
    return (
        "Black and white stones lie where the lines cross. The letters of the columns stand below the board and the "
        "numbers of the rows at its left. A red dot marks the last stone; when somebody has won, the stones in a "
        "row have golden rings."
    )


def notation(view: GomokuView) -> str:
    return "An action is written as the name of a point, its column letter and its row number, such as H8."


def history(view: GomokuView) -> str:
    """What the picture does not show: whose turn it is."""
    if view.mover is None:
        lines = fives(view.cells)
        if not lines:
            return "The game is over: a draw."
        return f"The game is over: {_ROLE_OF_STONE[view.cells[lines[0][0]]]} has won."
    whose = f"{ROLES[view.mover].capitalize()} is to move" + (": your turn." if view.mover == view.seat else ".")
    return f"Move {CELLS - view.cells.count(EMPTY) + 1}. {whose}"


def describe(view: GomokuView) -> str:
    """The board drawn with letters, the last move and whose turn it is."""
    lines = ["b is a black stone, w a white one, . an empty point."]
    for row, number in enumerate(ROW_NUMBERS):
        lines.append(" ".join([number.rjust(2), *view.cells[row * SIDE : (row + 1) * SIDE]]))
    lines.append(" ".join(["  ", *COLUMN_LETTERS]))
    if view.last is not None:
        lines.append(f"Last move: {_ROLE_OF_STONE.get(view.cells[view.last], '')} {NAMES[view.last]}.")
    if view.mover is None:
        for line in fives(view.cells):
            lines.append(f"In a row: {', '.join(NAMES[cell] for cell in line)}.")
    lines.append(history(view))
    return "\n".join(lines)
