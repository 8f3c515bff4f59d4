"""ColorPuzzle in words."""

from __future__ import annotations

from mmgames.puzzles._conversation.words import PuzzleWords, device_facts
from mmgames.puzzles.color_puzzle import manual
from mmgames.puzzles.color_puzzle.manual import COLOURS, SIDE, WHITE
from mmgames.puzzles.color_puzzle.rules import ColorDevice
from mmgames.text.facts import Count, Fact, same


def _device(board: ColorDevice) -> str:
    rows = (board.squares[at : at + SIDE] for at in range(0, len(board.squares), SIDE))
    return "The board:\n" + "\n".join(f"Row {number}: {', '.join(row)}" for number, row in enumerate(rows))


def _told(board: ColorDevice) -> list[Fact | Count]:
    ways = same((*COLOURS, WHITE))
    squares = [
        Fact(tuple(f"row {at // SIDE} {mark}{at % SIDE}" for mark in _BEFORE_COLUMN), colour, ways)
        for at, colour in enumerate(board.squares)
    ]
    return [*squares, *(Count(f"{colour} squares", board.squares.count(colour)) for colour in ways)]


_BEFORE_COLUMN = ("column ", "and column ", "col ")


_words = PuzzleWords(
    task=(
        "The device is a board of 16 squares in four rows and four columns, both numbered from 0; row 0 is at the top "
        "and column 0 at the left. At first the squares are red, blue, green, yellow and magenta. All of them have to "
        "turn white. The action click_row_R_col_C clicks a square. The manual says which group of squares is next: a "
        "colour, a row or a column; it depends on the number of white squares and on the group before. A click on any "
        "square of the right group turns the whole group white, and the other squares may change their colours. A "
        "click on a square of another group is a mistake and sets the board back to its beginning. Clicking a white "
        "square does nothing."
    ),
    manual=manual.text,
    device=_device,
    shown=(
        "It shows the board of squares with the numbers of the columns above it and of the rows at its left; a white "
        "square has a glow in its middle."
    ),
    written="The actions are click_row_0_col_0 to click_row_3_col_3.",
    notes={
        "white": "that square is white already; nothing happens.",
        "reset": "that was a mistake; the board is back at its beginning.",
    },
)
answer_format, describe, ending, history, legend, names, notation, read, rules, status, talk, you = _words.functions()
MOVE_TYPES = _words.MOVE_TYPES
facts = device_facts(_told)
unclear = _words.unclear
