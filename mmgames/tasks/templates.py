"""Questions that Ask can ask about any board, and what such templates are made with.

A template is a function of the board and a random generator: the question, the true answer and wrong ones. It gives
None when the board has no good question of its kind.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mmgames.tasks.boards import Matrix, QuestionBoard

NEAR, NEAR_SUM = 3, 5  # how far a wrong count and a wrong sum are off at the most


class Draft(NamedTuple):
    """A question before its options have letters. Of more than three wrong answers, three are drawn."""

    text: str
    answer: str
    wrong: Sequence[str]


class AskedBoard:
    """A board as a question sees it: codes in rows, and the names of its cells and lines.

    `balanced`: which cell or line is asked about must not depend on what is there, for the same question is asked about
    several boards.
    """

    def __init__(self, board: QuestionBoard, view: Any, balanced: bool = False) -> None:
        self.view, self.balanced = view, balanced
        self.rules, self.vocabulary, self.called = board.rules, board.vocabulary, board.boards.called
        self.matrix: Matrix = board.cells(view)
        self.codes = board.codes
        self.height, self.width = len(self.matrix), len(self.matrix[0])
        self.places = board.places(self.height, self.width)
        self.row_names, self.column_names = board.line_names(self.height, self.width)
        self.empty = next(iter(self.codes))  # CODES begin with the empty cell
        self.cell_name = self.codes[self.empty].split()[-1]  # cell, square, point, tile
        self.flat = [code for row in self.matrix for code in row]
        self.colours = {code: (*name.split(), "")[1] for code, name in self.codes.items() if code != self.empty}

    def cell(self, rng: np.random.Generator) -> tuple[int, int, str]:
        """Any cell, and its name."""
        row, column = int(rng.integers(self.height)), int(rng.integers(self.width))
        return row, column, self.places[row][column]

    def one_of_a_kind(self, rng: np.random.Generator, kinds: Mapping[int, Any]) -> tuple[int, int, str]:
        """A cell and its name: first any kind of content that the board has, then any cell with it, so that whoever
        does not look gains nothing by naming what is most frequent."""
        if self.balanced:
            return self.cell(rng)
        kind = pick(rng, sorted({kinds[code] for code in self.flat}))
        row, column = pick(rng, self.where(*(code for code in kinds if kinds[code] == kind)))
        return row, column, self.places[row][column]

    def line(self, rng: np.random.Generator) -> tuple[list[int], str]:
        """The codes of any row or column, and its name; all of them are equally likely."""
        while True:
            number = int(rng.integers(max(self.height, self.width)))
            rows = rng.random() < 0.5
            if rows and number < self.height:
                return list(self.matrix[number]), self.row_names[number]
            if not rows and number < self.width:
                return [row[number] for row in self.matrix], self.column_names[number]

    def around(self, row: int, column: int) -> list[int]:
        """The codes of the up to eight cells around a cell."""
        return [
            self.matrix[y][x]
            for y in range(max(0, row - 1), min(self.height, row + 2))
            for x in range(max(0, column - 1), min(self.width, column + 2))
            if (y, x) != (row, column)
        ]

    def edge(self) -> list[int]:
        return [
            code
            for y, row in enumerate(self.matrix)
            for x, code in enumerate(row)
            if y in (0, self.height - 1) or x in (0, self.width - 1)
        ]

    def code(self, rng: np.random.Generator, without: Sequence[int] = ()) -> int:
        return pick(rng, [code for code in self.codes if code != self.empty and code not in without])

    def where(self, *codes: int) -> list[tuple[int, int]]:
        """The cells with one of these codes."""
        return [(y, x) for y, row in enumerate(self.matrix) for x, code in enumerate(row) if code in codes]

    def stones(self, codes: Sequence[int]) -> int:
        return sum(code != self.empty for code in codes)


Template = Callable[[AskedBoard, np.random.Generator], Draft | None]


def pick(rng: np.random.Generator, items: Sequence[Any]) -> Any:
    return items[int(rng.integers(len(items)))]


def number(text: str, answer: int, most: int | None = None, near: int = NEAR) -> Draft:
    """A question for a number; the wrong ones are near it, and possible where enough of them are."""
    close = [answer + step for step in range(-near, near + 1) if step and answer + step >= 0]
    possible = [value for value in close if most is None or value <= most]
    return Draft(text, str(answer), [str(value) for value in (possible if len(possible) >= 3 else close)])


def choice(text: str, answer: str, options: Sequence[str]) -> Draft:
    return Draft(text, answer, [option for option in options if option != answer])


def yes_or_no(text: str, answer: bool) -> Draft:
    return choice(text, "yes" if answer else "no", ("yes", "no"))


# Templates for any board


def what_is_at(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    row, column, place = seen.one_of_a_kind(rng, seen.codes)
    return choice(f"What is on {place}?", seen.codes[seen.matrix[row][column]], list(seen.codes.values()))


def how_many(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    code = seen.code(rng)
    text = f"On how many {seen.cell_name}s of the {seen.called} is there {seen.codes[code]}?"
    return number(text, seen.flat.count(code), len(seen.flat))


def how_many_empty(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    text = f"How many {seen.cell_name}s of the {seen.called} are empty?"
    return number(text, seen.flat.count(seen.empty), len(seen.flat))


def how_many_in_all(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    """As `how_many` of a colour; the paper lists both."""
    code = seen.code(rng)
    thing = seen.codes[code].split(maxsplit=1)[1]
    return number(f"How many {thing}s are there in all?", seen.flat.count(code), len(seen.flat))


def any_code_in_line(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    """As `how_many_in_line`, and empty cells are asked about too."""
    codes, name = seen.line(rng)
    code = pick(rng, list(seen.codes))
    text = f"On how many {seen.cell_name}s of {name} is there {seen.codes[code]}?"
    if code == seen.empty:
        text = f"How many {seen.cell_name}s of {name} are empty?"
    return number(text, codes.count(code), len(codes))


def how_many_in_line(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    codes, name = seen.line(rng)
    code = seen.code(rng)
    text = f"On how many {seen.cell_name}s of {name} is there {seen.codes[code]}?"
    return number(text, codes.count(code), len(codes))


def taken_in_line(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    codes, name = seen.line(rng)
    return number(f"How many {seen.cell_name}s of {name} are not empty?", seen.stones(codes), len(codes))


def taken_on_edge(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    edge = seen.edge()
    text = f"How many of the {seen.cell_name}s along the edge of the {seen.called} are not empty?"
    return number(text, seen.stones(edge), len(edge))


def taken_around(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    row, column, place = seen.cell(rng)
    around = seen.around(row, column)
    return number(f"How many of the {seen.cell_name}s around {place}, also diagonally, are not empty?",
                  seen.stones(around), len(around))  # fmt: skip


def more_white_or_black(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    black, white = (sum(seen.colours.get(code) == colour for code in seen.flat) for colour in ("black", "white"))
    answer = "as many of both" if black == white else "more black" if black > white else "more white"
    called = {name.split()[-1] for code, name in seen.codes.items() if code != seen.empty}
    things = f"{called.pop()}s" if len(called) == 1 else "pieces"  # discs, or pawns and knights and so on
    return choice(f"Are there more black or more white {things} on the {seen.called}?", answer,
                  ("more black", "more white", "as many of both"))  # fmt: skip


GENERAL: tuple[Template, ...] = (what_is_at, how_many, how_many_empty, how_many_in_line, taken_in_line)
