"""Gomoku in words."""

from mmgames.core.game_modules import always, is_mover, said
from mmgames.games.gomoku.rules import BLACK, CELLS, EMPTY, SIDE, WHITE, GomokuView, fives, legal_moves

ROLES = ("black", "white")
ROW_LETTERS = "ABCDEFGHIJKLMNO"  # from the top
COLUMN_NUMBERS = tuple(str(column) for column in range(1, SIDE + 1))
NAMES = tuple(ROW_LETTERS[cell // SIDE] + COLUMN_NUMBERS[cell % SIDE] for cell in range(CELLS))
PLACES = NAMES
aliases = always({name[1:] + name[0]: cell for cell, name in enumerate(NAMES)})  # column before row: 8H is H8
CODES = {0: "an empty point", 1: "a black stone", 2: "a white stone"}

_ROLE_OF_STONE = {BLACK: ROLES[0], WHITE: ROLES[1]}
rules, legend, notation = said(__package__, "rules", "legend", "notation")


def names(view: GomokuView) -> dict[int, str]:
    return {cell: NAMES[cell] for cell in legal_moves(view.cells)} if is_mover(view) else {}


def you(view: GomokuView) -> str:
    if view.seat is None:
        return "You are watching."
    return f"You play {ROLES[view.seat]}. Get five in a row before the other does."


def history(view: GomokuView) -> str:
    """What the picture does not show: whose turn it is."""
    if view.mover is None:
        lines = fives(view.cells)
        if not lines:
            return "The game is over: a draw."
        return f"The game is over: {_ROLE_OF_STONE[view.cells[lines[0][0]]]} has won."
    whose = f"{ROLES[view.mover].capitalize()} is to move" + (": your turn." if view.mover == view.seat else ".")
    return f"Move {CELLS - view.cells.count(EMPTY) + 1}. {whose}"


def ending(view: GomokuView) -> str:
    lines = fives(view.cells)
    if not lines:
        return "Draw: the board is full."
    return f"{_ROLE_OF_STONE[view.cells[lines[0][0]]].capitalize()} has won: five in a row."


def describe(view: GomokuView) -> str:
    """The board drawn with letters, the last move and whose turn it is."""
    lines = ["b is a black stone, w a white one, . an empty point."]
    lines.append(" ".join([" ", *(number.rjust(2) for number in COLUMN_NUMBERS)]))
    for row, letter in enumerate(ROW_LETTERS):
        lines.append(" ".join([letter, *(f" {stone}" for stone in view.cells[row * SIDE : (row + 1) * SIDE])]))
    if view.last is not None:
        lines.append(f"Last move: {_ROLE_OF_STONE.get(view.cells[view.last], '')} {NAMES[view.last]}.")
    if view.mover is None:
        for line in fives(view.cells):
            lines.append(f"In a row: {', '.join(NAMES[cell] for cell in line)}.")
    lines.append(history(view))
    return "\n".join(lines)
