"""Sudoku in words."""

from mmgames.core.game_modules import is_mover, said
from mmgames.games.sudoku.rules import CELLS, EMPTY, NUM_ACTIONS, SIDE, SudokuView, blocked, legal_moves

ROW_LETTERS = "ABCDEFGHI"
COLUMN_NUMBERS = tuple(str(number + 1) for number in range(SIDE))
PLACES = tuple(ROW_LETTERS[cell // SIDE] + COLUMN_NUMBERS[cell % SIDE] for cell in range(CELLS))
NAMES = tuple(f"{PLACES[action // SIDE]} {action % SIDE + 1}" for action in range(NUM_ACTIONS))
CODES = {0: "an empty cell", **{digit: f"the digit {digit}" for digit in range(1, SIDE + 1)}}

rules, legend, notation, goal = said(__package__, "rules", "legend", "notation", "goal")


def names(view: SudokuView) -> dict[int, str]:
    return {action: NAMES[action] for action in legal_moves(view.cells)} if is_mover(view) else {}


def aliases(view: SudokuView) -> dict[str, int]:
    """Other ways to write a move: A1=5, A1: 5, 1A 5 and their like."""
    forms: dict[str, int] = {}
    for action in names(view):
        place, digit = NAMES[action].split()
        for cell in (place, place[::-1]):
            for mark in (" ", "=", " = ", ":", ": ", ",", ", "):
                forms[cell + mark + digit] = action
    return forms


def you(view: SudokuView) -> str:
    return "You are watching." if view.seat is None else "You solve the puzzle alone. Fill the whole grid."


def history(view: SudokuView) -> str:
    """How far it is; the picture shows the rest."""
    left = view.cells.count(EMPTY)
    if not left:
        return "The grid is full: the puzzle is solved."
    if view.mover is None:
        return f"No digit fits into any of the {left} empty cells: the puzzle is lost."
    return f"Empty cells: {left}. " + ("Your move." if view.mover == view.seat else "The player is to move.")


def ending(view: SudokuView) -> str:
    left = view.cells.count(EMPTY)
    return f"Lost: no digit fits into any of the {left} empty cells." if left else "Solved: the grid is full."


def describe(view: SudokuView) -> str:
    """The grid drawn with digits, the player's entries, and how far it is."""
    lines = ["A dot is an empty cell.", f"  {_line(COLUMN_NUMBERS)}"]
    for row, letter in enumerate(ROW_LETTERS):
        if row in (3, 6):
            lines.append("  ------+-------+------")
        digits = view.cells[row * SIDE : (row + 1) * SIDE]
        lines.append(f"{letter} {_line(tuple(str(digit) if digit else '.' for digit in digits))}")
    entered = [cell for cell in range(CELLS) if view.cells[cell] and not view.puzzle[cell]]
    if entered:
        listing = ", ".join(f"{PLACES[cell]} {view.cells[cell]}" for cell in entered)
        lines.append(f"Entered so far: {listing}. All other digits are printed.")
    if view.last is not None:
        lines.append(f"Last move: {PLACES[view.last]} {view.cells[view.last]}.")
    if view.mover is None and (stuck := blocked(view.cells)):
        lines.append(f"No digit fits into {', '.join(PLACES[cell] for cell in stuck)}.")
    lines.append(history(view))
    return "\n".join(lines)


def _line(signs: tuple[str, ...]) -> str:
    return " | ".join(" ".join(signs[first : first + 3]) for first in (0, 3, 6))
