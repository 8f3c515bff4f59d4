"""Questions that Ask asks about the board of one game; TEMPLATES says which questions there are in which game.

A game that is not in TEMPLATES gets the general ones.
"""

from collections.abc import Sequence

import numpy as np

from mmgames.tasks import templates as general
from mmgames.tasks.boards import Matrix
from mmgames.tasks.templates import GENERAL, NEAR_SUM, AskedBoard, Draft, Template, choice, number, pick, yes_or_no

# TicTacToe


def winner(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    lines: list[Sequence[int]] = [*seen.matrix, *zip(*seen.matrix, strict=True)]
    lines += [[seen.matrix[i][i] for i in range(3)], [seen.matrix[i][2 - i] for i in range(3)]]
    who = {line[0] for line in lines if line[0] != seen.empty and len(set(line)) == 1}
    answer = "both" if len(who) == 2 else "OX"[who.pop()] if who else "nobody"
    return choice("Who has three marks in a row, column or diagonal?", answer, ("X", "O", "both", "nobody"))


MARKS = {1: "red", 0: "blue"}


def coloured_marks(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    code = pick(rng, list(MARKS))
    return number(f"How many {MARKS[code]} marks are on the board?", seen.flat.count(code), 9)


def coloured_marks_in_line(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    code = pick(rng, list(MARKS))
    codes, name = seen.line(rng)
    return number(f"How many {MARKS[code]} marks are in {name}?", codes.count(code), 3)


# Reversi and Gomoku


def fullest_row(seen: AskedBoard, rng: np.random.Generator) -> Draft | None:
    code = seen.code(rng)
    counts = [row.count(code) for row in seen.matrix]
    if counts.count(max(counts)) > 1:
        return None
    answer = seen.row_names[counts.index(max(counts))]
    return choice(f"Which row has {seen.codes[code]} on the most {seen.cell_name}s?", answer, seen.row_names)


def five_in_a_row(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    text = "Do five stones of one colour stand next to each other in a row, column or diagonal?"
    lines = [*seen.matrix, *zip(*seen.matrix, strict=True), *_diagonals(seen.matrix)]
    return yes_or_no(text, any(_longest(line, code) >= 5 for code in seen.colours for line in lines))


def longest_run(seen: AskedBoard, rng: np.random.Generator) -> Draft:
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


def stones_on_edge(seen: AskedBoard, rng: np.random.Generator) -> Draft:
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


def _box(seen: AskedBoard, rng: np.random.Generator) -> tuple[list[int], str]:
    which = int(rng.integers(9))
    top, left = which // 3 * 3, which % 3 * 3
    return [seen.matrix[top + i // 3][left + i % 3] for i in range(9)], BOXES[which]


def digit_in_line(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    """How often one digit stands there; in a Sudoku that is once or not at all."""
    codes, name = seen.line(rng)
    digit = int(rng.integers(1, 10))
    return number(f"How often does the digit {digit} stand in {name}?", codes.count(digit), 9)


def digit_in_box(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    codes, name = _box(seen, rng)
    digit = int(rng.integers(1, 10))
    return number(f"How often does the digit {digit} stand in {name}?", codes.count(digit), 9)


def empty_in_box(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    codes, name = _box(seen, rng)
    return number(f"How many cells of {name} are empty?", codes.count(seen.empty), 9)


def sum_of_line(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    codes, name = seen.line(rng)
    return number(f"What is the sum of the digits in {name}?", sum(codes), near=NEAR_SUM)


def sum_of_box(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    codes, name = _box(seen, rng)
    return number(f"What is the sum of the digits in {name}?", sum(codes), near=NEAR_SUM)


def line_contains(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    codes, name = seen.line(rng)
    digit = int(rng.integers(1, 10))
    return yes_or_no(f"Does {name} contain the digit {digit}?", digit in codes)


# Minesweeper

MINE, HIDDEN = 9, -1


def shown_at(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    row, column, place = seen.one_of_a_kind(rng, seen.codes)
    return choice(f"What does {place} show?", seen.codes[seen.matrix[row][column]], list(seen.codes.values()))


def shown_mines(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    return number("How many mines are shown?", seen.flat.count(MINE), len(seen.flat))


def shown_cells(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    return number("How many cells are shown, mines too?", seen.stones(seen.flat), len(seen.flat))


def shown_in_line(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    codes, name = seen.line(rng)
    return number(f"How many cells of {name} are shown, mines too?", seen.stones(codes), len(codes))


def mines_around(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    row, column, place = seen.cell(rng)
    around = seen.around(row, column)
    text = f"How many of the cells around {place}, also diagonally, show a mine?"
    return number(text, around.count(MINE), len(around))


def mine_at(seen: AskedBoard, rng: np.random.Generator) -> Draft:
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


def colour_at(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    row, column, place = seen.one_of_a_kind(rng, {seen.empty: "", **seen.colours})
    answer = seen.colours.get(seen.matrix[row][column], "it is empty")
    return choice(f"Which colour has the piece on {place}?", answer, ("white", "black", "it is empty"))


def more_of_two_kinds(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    first, second = (int(i) for i in rng.permutation(len(KINDS))[:2])
    counts = [sum(abs(code) == kind + 1 for code in seen.flat) for kind in (first, second)]
    names = [KINDS[kind] for kind in (first, second)]
    answer = "as many of both" if counts[0] == counts[1] else f"more {names[counts[1] > counts[0]]}"
    text = f"Counting both colours, are there more {names[0]} or more {names[1]}?"
    return choice(text, answer, (f"more {names[0]}", f"more {names[1]}", "as many of both"))


def emptier_half(seen: AskedBoard, rng: np.random.Generator) -> Draft:
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


def _chef(seen: AskedBoard, rng: np.random.Generator) -> tuple[int, str, int, int]:
    """A chef: its seat, its name and where it stands."""
    seat = int(rng.integers(2))
    code = seen.rules.CHEF + seat
    return seat, seen.codes[code], *seen.where(code)[0]


def _held(seen: AskedBoard, seat: int) -> int:
    return seen.view.state.holds[seat]


def _way(seen: AskedBoard, seat: int) -> str:
    return seen.vocabulary.FACES[seen.view.state.facing[seat]]


def tiles_in_line(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    codes, name = seen.line(rng)
    kind = pick(rng, list(TILES))
    count = sum(kind in seen.codes[code] for code in codes)
    return number(f"How many {TILES[kind]} are in {name}?", count, len(codes))


def loose_things(seen: AskedBoard, rng: np.random.Generator) -> Draft | None:
    kind = int(rng.integers(len(LOOSE)))
    item = kind + 1  # as hands and counters keep it, but for soups of fewer onions, which have numbers of their own
    count = seen.flat.count(seen.rules.LYING + item)
    count += sum(min(_held(seen, seat), len(LOOSE)) == item for seat in (0, 1))
    if count == 0 and rng.random() < SKIPPED:
        return None
    return number(f"How many {LOOSE[kind]} lie on counters or are held by a chef?", count, len(seen.flat))


def floor_around_chef(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    _, name, row, column = _chef(seen, rng)
    around = seen.around(row, column)
    text = f"How many of the tiles around {name}, also diagonally, are free floor?"
    return number(text, around.count(seen.empty), len(around))


def onions_in_pot(seen: AskedBoard, rng: np.random.Generator) -> Draft | None:
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


def chef_holds(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    seat, name, *_ = _chef(seen, rng)
    return choice(
        f"What does {name} hold?", seen.vocabulary.thing(_held(seen, seat)), list(seen.vocabulary.ITEMS.values())
    )


def chef_faces(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    seat, name, *_ = _chef(seen, rng)
    return choice(f"Which way does {name} face?", _way(seen, seat), list(WAYS))


def before_chef(seen: AskedBoard, rng: np.random.Generator) -> Draft:
    seat, name, row, column = _chef(seen, rng)
    down, right = WAYS[_way(seen, seat)]
    code = seen.matrix[row + down][column + right]
    wrong = [text for other, text in seen.codes.items() if other != seen.rules.CHEF + seat]
    return choice(f"What is on the tile that {name} faces?", seen.codes[code], wrong)


TEMPLATES: dict[str, tuple[Template, ...]] = {
    "mmgames/TicTacToe-v0": (
        *(general.what_is_at, general.how_many, general.how_many_empty, general.any_code_in_line),
        *(winner, coloured_marks, coloured_marks_in_line),
    ),
    "mmgames/Reversi-v0": (
        *(general.what_is_at, general.how_many, general.how_many_empty, general.how_many_in_line),
        *(fullest_row, general.more_white_or_black, general.taken_in_line, general.how_many_in_all),
    ),
    "mmgames/Sudoku-v0": (
        *(general.what_is_at, general.how_many, general.how_many_empty, digit_in_line, digit_in_box),
        *(sum_of_line, sum_of_box, line_contains, empty_in_box),
    ),
    "mmgames/Minesweeper-v0": (shown_at, shown_mines, shown_cells, shown_in_line, mines_around, mine_at),
    "mmgames/Gomoku-v0": (
        *(general.what_is_at, general.how_many, general.how_many_in_line, five_in_a_row),
        *(general.taken_around, general.how_many_empty, longest_run, stones_on_edge),
    ),
    "mmgames/Chess-v0": (
        *(colour_at, general.what_is_at, general.how_many, general.taken_in_line),
        *(general.more_white_or_black, more_of_two_kinds, general.taken_on_edge, emptier_half),
    ),
    "mmgames/Breakthrough-v0": (*GENERAL, general.more_white_or_black, general.taken_on_edge, fullest_row),
    "mmgames/CoinDilemma-v0": (general.what_is_at, general.taken_in_line, general.taken_around, general.taken_on_edge),
    "mmgames/Overcooked-v0": (
        *(general.what_is_at, tiles_in_line, loose_things, floor_around_chef),
        *(onions_in_pot, chef_holds, chef_faces, before_chef),
    ),
}
