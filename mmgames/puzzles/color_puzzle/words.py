"""ColorPuzzle in words."""

from mmgames.puzzles._conversation.words import PuzzleWords
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


SHARED = PuzzleWords(__package__, manual.text, _device, told=_told)
