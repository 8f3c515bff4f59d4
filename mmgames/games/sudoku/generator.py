"""Sudoku puzzles with exactly one solution, as kernels: about a millisecond each.

Solutions are counted by trying digits where the fewest fit. A puzzle is a random full grid from which digits are taken
out in random order as long as the rest has one solution; when the wanted number of clues cannot be reached that way,
another grid is tried.
"""

from collections.abc import Sequence

import numpy as np

from mmgames.kernels.compiling import compiled_in_background
from mmgames.kernels.kernel import below, kernel, noise, scramble

SIDE, CELLS = 9, 81
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
ALL = (1 << SIDE) - 1  # a set of digits is a number: bit d - 1 stands for the digit d
IN_ORDER = np.uint64(0)

ROW = np.arange(CELLS) // SIDE
COLUMN = np.arange(CELLS) % SIDE
BOX = ROW // 3 * 3 + COLUMN // 3
SIZE = np.array([bin(digits).count("1") for digits in range(ALL + 1)])


@kernel
def take(digits, nth):
    """The nth of the digits of a set, the smallest being 0th."""
    digit = 0
    while True:
        if digits >> digit & 1:
            if nth == 0:
                return digit + 1
            nth -= 1
        digit += 1


@kernel
def solve(cells, most, stream, solution):
    """How many ways there are to fill the empty cells (0), counted up to `most`; the last one is left in `solution`.

    With a stream of noise the digits are tried in random order, so that the first solution is a random one.
    """
    rows, columns, boxes = np.zeros(SIDE, np.int64), np.zeros(SIDE, np.int64), np.zeros(SIDE, np.int64)
    grid = cells.copy()
    empty = 0
    for cell in range(CELLS):
        if grid[cell] == 0:
            empty += 1
            continue
        bit = 1 << (grid[cell] - 1)
        if (rows[ROW[cell]] | columns[COLUMN[cell]] | boxes[BOX[cell]]) & bit:
            return 0
        rows[ROW[cell]] |= bit
        columns[COLUMN[cell]] |= bit
        boxes[BOX[cell]] |= bit
    chosen, untried = np.zeros(CELLS, np.int64), np.zeros(CELLS, np.int64)
    found = depth = 0
    forward = True
    while True:
        if forward and depth == empty:
            found += 1
            for cell in range(CELLS):
                solution[cell] = grid[cell]
            if found == most:
                return found
            forward = False
        if forward:
            fewest = SIDE + 1
            for cell in range(CELLS):
                if grid[cell] == 0:
                    digits = ALL & ~(rows[ROW[cell]] | columns[COLUMN[cell]] | boxes[BOX[cell]])
                    if SIZE[digits] < fewest:
                        fewest = SIZE[digits]
                        chosen[depth], untried[depth] = cell, digits
                        if fewest < 2:
                            break
        else:
            if depth == 0:
                return found
            depth -= 1
            cell = chosen[depth]
            bit = 1 << (grid[cell] - 1)
            grid[cell] = 0
            rows[ROW[cell]] ^= bit
            columns[COLUMN[cell]] ^= bit
            boxes[BOX[cell]] ^= bit
        forward = untried[depth] != 0
        if forward:
            nth = 0
            if stream != IN_ORDER:
                nth = below(scramble(stream), SIZE[untried[depth]])
                stream += GOLDEN
            cell, digit = chosen[depth], take(untried[depth], nth)
            bit = 1 << (digit - 1)
            untried[depth] ^= bit
            grid[cell] = digit
            rows[ROW[cell]] |= bit
            columns[COLUMN[cell]] |= bit
            boxes[BOX[cell]] |= bit
            depth += 1


@kernel
def make(clues, stream, puzzle, solution):
    """Fill in a puzzle with that many clues and its only solution."""
    blank, other = np.zeros(CELLS, np.int64), np.zeros(CELLS, np.int64)
    order = np.arange(CELLS)
    while True:
        solve(blank, 1, scramble(stream), solution)
        for cell in range(CELLS):
            puzzle[cell] = solution[cell]
        left = CELLS
        for place in range(CELLS):
            if left == clues:
                return
            stream += GOLDEN
            swap = place + below(scramble(stream), CELLS - place)
            order[place], order[swap] = order[swap], order[place]
            cell = order[place]
            puzzle[cell] = 0
            if solve(puzzle, 2, IN_ORDER, other) == 1:
                left -= 1
            else:
                puzzle[cell] = solution[cell]
        if left == clues:
            return
        stream += GOLDEN


def generate(rng: np.random.Generator, low: int, high: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """A random puzzle with `low` to `high` clues, any number with equal probability, and its solution."""
    puzzle, solution = np.zeros(CELLS, np.int64), np.zeros(CELLS, np.int64)
    compiled_in_background(make)(int(rng.integers(low, high + 1)), noise(rng), puzzle, solution)
    return tuple(puzzle.tolist()), tuple(solution.tolist())


def solutions(cells: Sequence[int], most: int = 2) -> int:
    """How many solutions a grid has, counted up to `most`."""
    return int(compiled_in_background(solve)(np.array(cells, np.int64), most, IN_ORDER, np.zeros(CELLS, np.int64)))


def solution(cells: Sequence[int]) -> tuple[int, ...] | None:
    """A solution of a grid, if it has one."""
    found = np.zeros(CELLS, np.int64)
    return (
        tuple(found.tolist()) if compiled_in_background(solve)(np.array(cells, np.int64), 1, IN_ORDER, found) else None
    )
