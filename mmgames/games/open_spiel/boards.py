"""Boards that people know, read from OpenSpiel's own text of a position; `boards.json` says how each is written.

`row` finds the rows of the board in the text, `cell` the cells of a row; `columns` and `slant` say where these lie,
`above`, `below` and `left` what stands at the edges, `signs` which pieces there are, and `move`, `said` and `place`
how a move is named, what people call it, and which cells may be clicked for it.
"""

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mmgames.drawing import canvas
from mmgames.drawing.canvas import BLACK, BLUE, FAINT, GOLD, INK, LINE, PAPER, RED, WHITE, Pen
from mmgames.games.open_spiel.engine import load_engine
from mmgames.games.open_spiel.rules import OpenSpielView

KNOWN: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
COLOURS = {"red": RED, "blue": BLUE, "gold": GOLD, "black": BLACK, "white": WHITE}
WOOD, FRAME = canvas.mix(GOLD, PAPER, 0.6), canvas.mix(BLUE, PAPER, 0.25)
DARK = canvas.mix(LINE, PAPER, 0.3)


class Cell(NamedTuple):
    sign: str
    column: int
    x: float  # of its left upper corner, in cells
    y: int


class Layout(NamedTuple):
    cells: list[Cell]
    side: int  # of a cell, in pixels
    left: int
    top: int

    def corner(self, x: float, y: float) -> tuple[int, int]:
        return self.left + int(x * self.side), self.top + int(y * self.side)


def known(view: OpenSpielView) -> dict[str, Any]:
    """How the board of a game is written; nothing where no picture of it is known."""
    return KNOWN.get(load_engine(view.engine).get_type().short_name, {})


@lru_cache(maxsize=256)
def layout(engine: str, text: str, top: int, size: int) -> Layout | None:
    """Where the cells of a board lie below `top`; None where the text holds no board that is known."""
    board = KNOWN.get(load_engine(engine).get_type().short_name, {"row": "$."})
    rows = [found[1] for found in map(re.compile(board["row"]).fullmatch, text.splitlines()) if found]
    cells = []
    for y, row in enumerate(rows):
        signs = re.findall(board.get("cell", "."), row)
        spread = board.get("columns", [range(len(signs))])
        for column, sign in zip(spread[y % len(spread)], signs, strict=True):
            cells.append(Cell(sign, column, column + board.get("slant", 0) * y, y))
    if not cells:
        return None
    wide, high = max(cell.x for cell in cells) + 1, len(rows)
    side = max(1, int(min(size / (wide + 2), (size - top) / (high + 3))))
    return Layout(cells, side, int(size - wide * side) // 2, top + (size - top - high * side) // 2)


def draw(frame: np.ndarray, board: dict[str, Any], view: OpenSpielView, at: Layout) -> None:
    """The board, what stands at its edges, and beneath it what else the text says of it."""
    size, rows = len(frame), at.cells[-1].y + 1
    taken = {(cell.x, cell.y) for cell in at.cells}
    for cell in at.cells:
        arms = tuple((cell.x + x, cell.y + y) in taken for x, y in ((-1, 0), (0, -1), (1, 0), (0, 1)))
        details = (board["ground"], cell.sign, board["signs"].get(cell.sign, ""), (cell.column + cell.y) % 2, arms)
        canvas.paste(frame, canvas.stamp(_cell, at.side, at.side, PAPER, *details), *at.corner(cell.x, cell.y))
    signs = []
    for edge, y in (("above", -0.5), ("below", rows + 0.4)):
        names = board.get(edge, [""])[(view.seat or 0) % len(board.get(edge, [""]))]
        signs += [(name, x + 0.5, y) for x, name in enumerate(names) if x <= max(cell.column for cell in at.cells)]
    for y in range(rows):
        signs.append((_number(board, y, rows), board.get("slant", 0) * y - 0.5, y + 0.5))
    for name, x, y in signs:
        if name:
            canvas.paste(frame, canvas.label(name, max(8, at.side * 2 // 5), FAINT, PAPER), *at.corner(x, y), "c")
    kept = "   ".join(line for line in view.sight.splitlines() if re.fullmatch(board.get("keep", "$."), line))
    if kept:
        canvas.paste(frame, canvas.label(kept, size // 28, INK, PAPER), size // 2, size - size // 28, "c")


def _number(board: dict[str, Any], y: int, rows: int) -> str:
    return {"up": str(rows - y), "down": str(y + 1)}.get(board.get("left", ""), "")


def _cell(pen: Pen, ground: str, sign: str, piece: str, odd: int, arms: tuple[bool, ...]) -> None:
    colour, _, crowned = piece.partition(" ")
    edge = FAINT
    if ground == "holes":
        pen.rect(0, 0, 1, 1, FRAME)
        pen.disc(0.5, 0.5, 0.4, PAPER)
    elif ground == "squares" and sign != "|":
        pen.rect(0, 0, 1, 1, DARK if odd else PAPER, LINE, 0.02)
    elif ground == "lines":
        pen.rect(0, 0, 1, 1, WOOD)
        for arm, end in zip(arms, ((0, 0.5), (0.5, 0), (1, 0.5), (0.5, 1)), strict=True):
            if arm:
                pen.line([(0.5, 0.5), end], INK, 0.04)
        edge = INK
    elif ground in ("free", "pits"):
        pen.disc(0.5, 0.5, 0.46, DARK, LINE, 0.03)
    if colour:
        pen.disc(0.5, 0.5, 0.4, COLOURS[colour], edge, 0.03)
    if crowned:
        pen.disc(0.5, 0.5, 0.2, None, GOLD, 0.08)
    elif sign.isdigit():
        pen.text(0.5, 0.5, sign, 0.5, INK, "mm", True)


def regions(board: dict[str, Any], view: OpenSpielView, at: Layout) -> dict[int, list[tuple[int, ...]]]:
    """Where each move leads, as a box in the picture: a cell, or (a name without a row) a whole column."""
    boxes: dict[str, tuple[int, ...]] = {}
    for cell in at.cells:
        name = "".join(board["above"][0][cell.column : cell.column + 1])  # the edge of a large board has fewer
        corners = (*at.corner(cell.x, cell.y), *at.corner(cell.x + 1, cell.y + 1))
        for called in {name, name + _number(board, cell.y, at.cells[-1].y + 1)} if name else ():
            before = boxes.get(called, corners)
            boxes[called] = (*map(min, before[:2], corners[:2]), *map(max, before[2:], corners[2:]))
    places = {action: said(board, name, "place") for action, name in view.legal}
    return {action: [boxes[place]] for action, place in places.items() if place in boxes}


def said(board: dict[str, Any], name: str, how: str = "said") -> str:
    """A move in the words of people, or (`place`) the cell that it is about; nothing where there are none."""
    found = re.fullmatch(board.get("move", "$."), name)
    if found is None or how not in board:
        return ""
    numbers = (int(part) + 1 - board.get("first", 1) if part.isdigit() else part for part in found.groups())
    return str(board[how].format(*numbers))
