"""Minesweeper in words."""

from functools import lru_cache

from mmgames.core.game_modules import is_mover, said
from mmgames.games.minesweeper.rules import HIDDEN, MINE, MinesweeperView, legal_moves
from mmgames.text.prose import paragraphs

ROW_LETTERS = "ABCDEFGHIJKLMNOP"
CODES = {
    HIDDEN: "a closed cell",
    0: "an open cell with no mine beside it",
    **{number: f"an open cell with the number {number}" for number in range(1, MINE)},
    MINE: "a shown mine",
}
legend, notation, goal = said(__package__, "legend", "notation", "goal")
_RULES = paragraphs(__package__, "words")["rules"]


@lru_cache(maxsize=8)
def places(side: int) -> tuple[str, ...]:
    """The names of the cells, row by row."""
    return tuple(f"{letter}{column}" for letter in ROW_LETTERS[:side] for column in range(1, side + 1))


@lru_cache(maxsize=8)
def _action_names(side: int) -> tuple[str, ...]:
    return tuple(f"{verb} {place}" for verb in ("reveal", "flag") for place in places(side))


def names(view: MinesweeperView) -> dict[int, str]:
    all_names = _action_names(view.side)
    return {action: all_names[action] for action in legal_moves(view.cells, view.flags)} if is_mover(view) else {}


def aliases(view: MinesweeperView) -> dict[str, int]:
    """A cell alone, either way round, means to open it, and so does open A1."""
    forms: dict[str, int] = {}
    for cell, place in enumerate(places(view.side)):
        turned = place[1:] + place[0]
        forms[place] = forms[turned] = forms[f"reveal {turned}"] = cell
        forms[f"open {place}"] = forms[f"open {turned}"] = cell
        forms[f"flag {turned}"] = len(view.cells) + cell
    return forms


def rules(view: MinesweeperView) -> str:
    corner = places(view.side)[-1]
    beside = " and has no mine beside it" if view.first == "zero" else ""
    return _RULES.format(side=view.side, mines=view.total, row=corner[0], column=corner[1:], beside=beside)


def you(view: MinesweeperView) -> str:
    return "You are watching." if view.seat is None else "You play alone. Open every cell that hides no mine."


def history(view: MinesweeperView) -> str:
    """How far it is; the picture shows the rest."""
    if view.hit is not None:
        return f"{places(view.side)[view.hit]} hid a mine: the game is lost."
    closed = view.cells.count(HIDDEN)
    if view.mover is None:
        return "All cells without a mine are open: the game is won."
    whose = "Your move." if view.mover == view.seat else "The player is to move."
    return f"{_many(view.total, 'mine')}, {_many(len(view.flags), 'flag')}, {_many(closed, 'closed cell')}. {whose}"


def ending(view: MinesweeperView) -> str:
    if view.hit is not None:
        return f"Lost: {places(view.side)[view.hit]} hid a mine."
    return "Won: all cells without a mine are open."


def describe(view: MinesweeperView) -> str:
    """The field drawn with signs, the last move and how far it is."""
    wide = 2 if view.side > 9 else 1
    lines = ["# is a closed cell, F a flagged one, a digit the number of mines around an open cell, * a mine."]
    lines.append(" ".join([" ", *(str(column + 1).rjust(wide) for column in range(view.side))]))
    for row in range(view.side):
        signs = (_sign(view, row * view.side + column).rjust(wide) for column in range(view.side))
        lines.append(" ".join([ROW_LETTERS[row], *signs]))
    names = places(view.side)
    if view.last is not None:
        what = "flagged" if view.last in view.flags and view.cells[view.last] == HIDDEN else "opened"
        lines.append(f"Last move: {names[view.last]} was {what}.")
    if view.mines and view.mover is not None:
        lines.append(f"The mines are on {', '.join(names[mine] for mine in view.mines)}.")
    lines.append(history(view))
    return "\n".join(lines)


def _sign(view: MinesweeperView, cell: int) -> str:
    code = view.cells[cell]
    if code == HIDDEN:
        return "F" if cell in view.flags else "#"
    return "*" if code == MINE else str(code)


def _many(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
