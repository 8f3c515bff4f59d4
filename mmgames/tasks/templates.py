"""What Ask asks: TEMPLATES says which questions there are in which game.

A template is a function of the board and a random generator: the question, the true answer and wrong ones. It gives
None when the board has no good question of its kind. A game without templates of its own gets the general ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mmgames.tasks.positions import Matrix, QuestionBoard

NEAR, NEAR_SUM = 3, 5  # how far a wrong count and a wrong sum are off at the most


class Draft(NamedTuple):
    """A question before its options have letters. Of more than three wrong answers, three are drawn."""

    text: str
    answer: str
    wrong: Sequence[str]


class Seen:
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


Template = Callable[[Seen, np.random.Generator], Draft | None]


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


def what_is_at(seen: Seen, rng: np.random.Generator) -> Draft:
    row, column, place = seen.one_of_a_kind(rng, seen.codes)
    return choice(f"What is on {place}?", seen.codes[seen.matrix[row][column]], list(seen.codes.values()))


def how_many(seen: Seen, rng: np.random.Generator) -> Draft:
    code = seen.code(rng)
    text = f"On how many {seen.cell_name}s of the {seen.called} is there {seen.codes[code]}?"
    return number(text, seen.flat.count(code), len(seen.flat))


def how_many_empty(seen: Seen, rng: np.random.Generator) -> Draft:
    text = f"How many {seen.cell_name}s of the {seen.called} are empty?"
    return number(text, seen.flat.count(seen.empty), len(seen.flat))


def how_many_in_all(seen: Seen, rng: np.random.Generator) -> Draft:
    """As `how_many` of a colour; the paper lists both."""
    code = seen.code(rng)
    thing = seen.codes[code].split(maxsplit=1)[1]
    return number(f"How many {thing}s are there in all?", seen.flat.count(code), len(seen.flat))


def any_code_in_line(seen: Seen, rng: np.random.Generator) -> Draft:
    """As `how_many_in_line`, and empty cells are asked about too."""
    codes, name = seen.line(rng)
    code = pick(rng, list(seen.codes))
    text = f"On how many {seen.cell_name}s of {name} is there {seen.codes[code]}?"
    if code == seen.empty:
        text = f"How many {seen.cell_name}s of {name} are empty?"
    return number(text, codes.count(code), len(codes))


def how_many_in_line(seen: Seen, rng: np.random.Generator) -> Draft:
    codes, name = seen.line(rng)
    code = seen.code(rng)
    text = f"On how many {seen.cell_name}s of {name} is there {seen.codes[code]}?"
    return number(text, codes.count(code), len(codes))


def taken_in_line(seen: Seen, rng: np.random.Generator) -> Draft:
    codes, name = seen.line(rng)
    return number(f"How many {seen.cell_name}s of {name} are not empty?", seen.stones(codes), len(codes))


def taken_on_edge(seen: Seen, rng: np.random.Generator) -> Draft:
    edge = seen.edge()
    text = f"How many of the {seen.cell_name}s along the edge of the {seen.called} are not empty?"
    return number(text, seen.stones(edge), len(edge))


def taken_around(seen: Seen, rng: np.random.Generator) -> Draft:
    row, column, place = seen.cell(rng)
    around = seen.around(row, column)
    return number(f"How many of the {seen.cell_name}s around {place}, also diagonally, are not empty?",
                  seen.stones(around), len(around))  # fmt: skip


def more_white_or_black(seen: Seen, rng: np.random.Generator) -> Draft:
    black, white = (sum(seen.colours.get(code) == colour for code in seen.flat) for colour in ("black", "white"))
    answer = "as many of both" if black == white else "more black" if black > white else "more white"
    called = {name.split()[-1] for code, name in seen.codes.items() if code != seen.empty}
    things = f"{called.pop()}s" if len(called) == 1 else "pieces"  # discs, or pawns and knights and so on
    return choice(f"Are there more black or more white {things} on the {seen.called}?", answer,
                  ("more black", "more white", "as many of both"))  # fmt: skip


GENERAL: tuple[Template, ...] = (what_is_at, how_many, how_many_empty, how_many_in_line, taken_in_line)


# TicTacToe


def winner(seen: Seen, rng: np.random.Generator) -> Draft:
    lines: list[Sequence[int]] = [*seen.matrix, *zip(*seen.matrix, strict=True)]
    lines += [[seen.matrix[i][i] for i in range(3)], [seen.matrix[i][2 - i] for i in range(3)]]
    who = {line[0] for line in lines if line[0] != seen.empty and len(set(line)) == 1}
    answer = "both" if len(who) == 2 else "OX"[who.pop()] if who else "nobody"
    return choice("Who has three marks in a row, column or diagonal?", answer, ("X", "O", "both", "nobody"))


MARKS = {1: "red", 0: "blue"}


def coloured_marks(seen: Seen, rng: np.random.Generator) -> Draft:
    code = pick(rng, list(MARKS))
    return number(f"How many {MARKS[code]} marks are on the board?", seen.flat.count(code), 9)


def coloured_marks_in_line(seen: Seen, rng: np.random.Generator) -> Draft:
    code = pick(rng, list(MARKS))
    codes, name = seen.line(rng)
    return number(f"How many {MARKS[code]} marks are in {name}?", codes.count(code), 3)


# Reversi and Gomoku


def fullest_row(seen: Seen, rng: np.random.Generator) -> Draft | None:
    code = seen.code(rng)
    counts = [row.count(code) for row in seen.matrix]
    if counts.count(max(counts)) > 1:
        return None
    answer = seen.row_names[counts.index(max(counts))]
    return choice(f"Which row has {seen.codes[code]} on the most {seen.cell_name}s?", answer, seen.row_names)


def five_in_a_row(seen: Seen, rng: np.random.Generator) -> Draft:
    text = "Do five stones of one colour stand next to each other in a row, column or diagonal?"
    lines = [*seen.matrix, *zip(*seen.matrix, strict=True), *_diagonals(seen.matrix)]
    return yes_or_no(text, any(_longest(line, code) >= 5 for code in seen.colours for line in lines))


def longest_run(seen: Seen, rng: np.random.Generator) -> Draft:
    """In a row, in a column, or in any diagonal."""
    code = seen.code(rng)
    if rng.random() < 1 / 3:
        lines, where = _diagonals(seen.matrix), "on any diagonal"
    else:
        codes, name = seen.line(rng)
        lines, where = [codes], f"in {name}"
    longest = max(_longest(line, code) for line in lines)
    text = f"How many {seen.colours[code]} stones stand next to each other {where}, at the most?"
    return number(text, longest, max(seen.height, seen.width))


def _diagonals(matrix: Matrix) -> list[list[int]]:
    height, width = len(matrix), len(matrix[0])
    falling = [[matrix[y][y + by] for y in range(height) if 0 <= y + by < width] for by in range(-height + 1, width)]
    rising = [[matrix[y][by - y] for y in range(height) if 0 <= by - y < width] for by in range(height + width - 1)]
    return falling + rising


def _longest(line: Sequence[int], code: int) -> int:
    longest = here = 0
    for cell in line:
        here = here + 1 if cell == code else 0
        longest = max(longest, here)
    return longest


def stones_on_edge(seen: Seen, rng: np.random.Generator) -> Draft:
    """Of one colour."""
    code, edge = seen.code(rng), seen.edge()
    text = f"How many {seen.colours[code]} stones are along the edge of the board?"
    return number(text, edge.count(code), len(edge))


# Sudoku

BOXES = tuple(
    f"the {down} {across} box".replace("middle middle", "central")
    for down in ("top", "middle", "bottom")
    for across in ("left", "middle", "right")
)


def _box(seen: Seen, rng: np.random.Generator) -> tuple[list[int], str]:
    which = int(rng.integers(9))
    top, left = which // 3 * 3, which % 3 * 3
    return [seen.matrix[top + i // 3][left + i % 3] for i in range(9)], BOXES[which]


def digit_in_line(seen: Seen, rng: np.random.Generator) -> Draft:
    """How often one digit stands there; in a Sudoku that is once or not at all."""
    codes, name = seen.line(rng)
    digit = int(rng.integers(1, 10))
    return number(f"How often does the digit {digit} stand in {name}?", codes.count(digit), 9)


def digit_in_box(seen: Seen, rng: np.random.Generator) -> Draft:
    codes, name = _box(seen, rng)
    digit = int(rng.integers(1, 10))
    return number(f"How often does the digit {digit} stand in {name}?", codes.count(digit), 9)


def empty_in_box(seen: Seen, rng: np.random.Generator) -> Draft:
    codes, name = _box(seen, rng)
    return number(f"How many cells of {name} are empty?", codes.count(seen.empty), 9)


def sum_of_line(seen: Seen, rng: np.random.Generator) -> Draft:
    codes, name = seen.line(rng)
    return number(f"What is the sum of the digits in {name}?", sum(codes), near=NEAR_SUM)


def sum_of_box(seen: Seen, rng: np.random.Generator) -> Draft:
    codes, name = _box(seen, rng)
    return number(f"What is the sum of the digits in {name}?", sum(codes), near=NEAR_SUM)


def line_contains(seen: Seen, rng: np.random.Generator) -> Draft:
    codes, name = seen.line(rng)
    digit = int(rng.integers(1, 10))
    return yes_or_no(f"Does {name} contain the digit {digit}?", digit in codes)


# Minesweeper

MINE, HIDDEN = 9, -1


def shown_at(seen: Seen, rng: np.random.Generator) -> Draft:
    row, column, place = seen.one_of_a_kind(rng, seen.codes)
    return choice(f"What does {place} show?", seen.codes[seen.matrix[row][column]], list(seen.codes.values()))


def shown_mines(seen: Seen, rng: np.random.Generator) -> Draft:
    return number("How many mines are shown?", seen.flat.count(MINE), len(seen.flat))


def shown_cells(seen: Seen, rng: np.random.Generator) -> Draft:
    return number("How many cells are shown, mines too?", seen.stones(seen.flat), len(seen.flat))


def shown_in_line(seen: Seen, rng: np.random.Generator) -> Draft:
    codes, name = seen.line(rng)
    return number(f"How many cells of {name} are shown, mines too?", seen.stones(codes), len(codes))


def mines_around(seen: Seen, rng: np.random.Generator) -> Draft:
    row, column, place = seen.cell(rng)
    around = seen.around(row, column)
    text = f"How many of the cells around {place}, also diagonally, show a mine?"
    return number(text, around.count(MINE), len(around))


def mine_at(seen: Seen, rng: np.random.Generator) -> Draft:
    """Half of the time, where mines are shown, one of them is asked about."""
    if seen.balanced:
        row, column, place = seen.cell(rng)
        return yes_or_no(f"Does {place} show a mine?", seen.matrix[row][column] == MINE)
    wanted = rng.random() < 0.5
    cells = [(y, x) for y, row in enumerate(seen.matrix) for x, code in enumerate(row) if (code == MINE) == wanted] or [
        (0, 0)
    ]
    row, column = pick(rng, cells)
    return yes_or_no(f"Does {seen.places[row][column]} show a mine?", seen.matrix[row][column] == MINE)


# Chess

KINDS = ("pawns", "knights", "bishops", "rooks", "queens", "kings")


def colour_at(seen: Seen, rng: np.random.Generator) -> Draft:
    row, column, place = seen.one_of_a_kind(rng, {seen.empty: "", **seen.colours})
    answer = seen.colours.get(seen.matrix[row][column], "it is empty")
    return choice(f"Which colour has the piece on {place}?", answer, ("white", "black", "it is empty"))


def more_of_two_kinds(seen: Seen, rng: np.random.Generator) -> Draft:
    first, second = (int(i) for i in rng.permutation(len(KINDS))[:2])
    counts = [sum(abs(code) == kind + 1 for code in seen.flat) for kind in (first, second)]
    names = [KINDS[kind] for kind in (first, second)]
    answer = "as many of both" if counts[0] == counts[1] else f"more {names[counts[1] > counts[0]]}"
    text = f"Counting both colours, are there more {names[0]} or more {names[1]}?"
    return choice(text, answer, (f"more {names[0]}", f"more {names[1]}", "as many of both"))


def emptier_half(seen: Seen, rng: np.random.Generator) -> Draft:
    if rng.random() < 0.5:
        half = seen.height // 2
        halves, names = (seen.matrix[:half], seen.matrix[half:]), ("the upper half", "the lower half")
    else:
        half = seen.width // 2
        columns = tuple(zip(*seen.matrix, strict=True))
        halves, names = (columns[:half], columns[half:]), ("the left half", "the right half")
    empty = [sum(row.count(seen.empty) for row in part) for part in halves]
    answer = "both have as many" if empty[0] == empty[1] else names[empty[1] > empty[0]]
    text = f"Which half of the board has more empty squares, {names[0].split()[1]} or {names[1].split()[1]}?"
    return choice(text, answer, (*names, "both have as many"))


# Overcooked

LOOSE = ("onions", "empty dishes", "dishes of soup")
TILES = {"free floor tile": "free floor tiles", "counter": "counters, empty or not,", "empty counter": "empty counters"}
SKIPPED = 0.75  # the share of questions with the answer 0 that are passed over: most pots and counters are empty
WAYS = {"up": (-1, 0), "down": (1, 0), "right": (0, 1), "left": (0, -1)}


def _chef(seen: Seen, rng: np.random.Generator) -> tuple[int, str, int, int]:
    """A chef: its seat, its name and where it stands."""
    seat = int(rng.integers(2))
    code = seen.rules.CHEF + seat
    return seat, seen.codes[code], *seen.where(code)[0]


def _held(seen: Seen, seat: int) -> int:
    return seen.view.row[seen.rules.HOLDS + seat]


def _way(seen: Seen, seat: int) -> str:
    return seen.vocabulary.FACES[seen.view.row[seen.rules.FACING + seat]]


def tiles_in_line(seen: Seen, rng: np.random.Generator) -> Draft:
    codes, name = seen.line(rng)
    kind = pick(rng, list(TILES))
    count = sum(kind in seen.codes[code] for code in codes)
    return number(f"How many {TILES[kind]} are in {name}?", count, len(codes))


def loose_things(seen: Seen, rng: np.random.Generator) -> Draft | None:
    kind = int(rng.integers(len(LOOSE)))
    item = kind + 1  # as hands and counters keep it, but for soups of fewer onions, which have numbers of their own
    count = seen.flat.count(seen.rules.LYING + item)
    count += sum(min(_held(seen, seat), len(LOOSE)) == item for seat in (0, 1))
    if count == 0 and rng.random() < SKIPPED:
        return None
    return number(f"How many {LOOSE[kind]} lie on counters or are held by a chef?", count, len(seen.flat))


def floor_around_chef(seen: Seen, rng: np.random.Generator) -> Draft:
    _, name, row, column = _chef(seen, rng)
    around = seen.around(row, column)
    text = f"How many of the tiles around {name}, also diagonally, are free floor?"
    return number(text, around.count(seen.empty), len(around))


def onions_in_pot(seen: Seen, rng: np.random.Generator) -> Draft | None:
    """Of pots that were not started: the others are always full."""
    pot, raw = seen.rules.POT, seen.rules.RAW
    onions = {pot: 0, **{raw + count: count for count in range(1, seen.rules.FULL + 1)}}
    pots = seen.where(*onions)
    if not pots:
        return None
    row, column = pick(rng, pots)
    count = onions[seen.matrix[row][column]]
    if count == 0 and rng.random() < SKIPPED:
        return None
    return number(f"How many onions are in the pot on {seen.places[row][column]}?", count, seen.rules.FULL)


def chef_holds(seen: Seen, rng: np.random.Generator) -> Draft:
    seat, name, *_ = _chef(seen, rng)
    return choice(
        f"What does {name} hold?", seen.vocabulary.thing(_held(seen, seat)), list(seen.vocabulary.ITEMS.values())
    )


def chef_faces(seen: Seen, rng: np.random.Generator) -> Draft:
    seat, name, *_ = _chef(seen, rng)
    return choice(f"Which way does {name} face?", _way(seen, seat), list(WAYS))


def before_chef(seen: Seen, rng: np.random.Generator) -> Draft:
    seat, name, row, column = _chef(seen, rng)
    down, right = WAYS[_way(seen, seat)]
    code = seen.matrix[row + down][column + right]
    wrong = [text for other, text in seen.codes.items() if other != seen.rules.CHEF + seat]
    return choice(f"What is on the tile that {name} faces?", seen.codes[code], wrong)


TEMPLATES: dict[str, tuple[Template, ...]] = {
    "mmgames/TicTacToe-v0": (
        *(what_is_at, how_many, how_many_empty, any_code_in_line),
        *(winner, coloured_marks, coloured_marks_in_line),
    ),
    "mmgames/Reversi-v0": (
        *(what_is_at, how_many, how_many_empty, how_many_in_line),
        *(fullest_row, more_white_or_black, taken_in_line, how_many_in_all),
    ),
    "mmgames/Sudoku-v0": (
        *(what_is_at, how_many, how_many_empty, digit_in_line, digit_in_box),
        *(sum_of_line, sum_of_box, line_contains, empty_in_box),
    ),
    "mmgames/Minesweeper-v0": (shown_at, shown_mines, shown_cells, shown_in_line, mines_around, mine_at),
    "mmgames/Gomoku-v0": (
        *(what_is_at, how_many, how_many_in_line, five_in_a_row),
        *(taken_around, how_many_empty, longest_run, stones_on_edge),
    ),
    "mmgames/Chess-v0": (
        *(colour_at, what_is_at, how_many, taken_in_line),
        *(more_white_or_black, more_of_two_kinds, taken_on_edge, emptier_half),
    ),
    "mmgames/Breakthrough-v0": (*GENERAL, more_white_or_black, taken_on_edge, fullest_row),
    "mmgames/CoinDilemma-v0": (what_is_at, taken_in_line, taken_around, taken_on_edge),
    "mmgames/Overcooked-v0": (
        *(what_is_at, tiles_in_line, loose_things, floor_around_chef),
        *(onions_in_pot, chef_holds, chef_faces, before_chef),
    ),
}
