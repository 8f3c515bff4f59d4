"""Sudoku: puzzles with one solution, moves that clash with nothing, names that agree with the picture."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmgames
from mmgames.baselines.planners.sudoku import Solver
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.turn import Turn
from mmgames.games.sudoku import generator, picture, words
from mmgames.games.sudoku.rules import BOXES, COLUMNS, ROWS, Sudoku, SudokuState, SudokuView, legal_moves
from tests.cases import cases

ID = "mmgames/Sudoku-v0"
GAME: Sudoku = mmgames.load_game(ID)
RNG = np.random.default_rng(0)
seeds = st.integers(0, 2**32)

# A well-known grid: the example in the encyclopedias, and its solution.
KNOWN = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def grid(text: str) -> tuple[int, ...]:
    return tuple(map(int, text))


def play_out(state: SudokuState, rng: np.random.Generator) -> SudokuState:
    while GAME.movers(state):
        legal = GAME.legal(state, 0)
        state = GAME.play(state, {0: legal[int(rng.integers(len(legal)))]}, rng)
    return state


@given(seeds)
def test_every_puzzle_has_exactly_its_one_solution(seed):
    puzzle, solution = generator.generate(np.random.default_rng(seed), 27, 41)
    assert 27 <= 81 - puzzle.count(0) <= 41
    assert generator.solutions(puzzle) == 1 and generator.solution(puzzle) == solution
    assert all(clue in (0, digit) for clue, digit in zip(puzzle, solution, strict=True))
    for unit in (*ROWS, *COLUMNS, *BOXES):
        assert sorted(solution[cell] for cell in unit) == list(range(1, 10))


def test_options_choose_how_many_digits_are_printed():
    for options, low, high in cases(__file__)["clues"]:
        game = mmgames.load_game(ID, **options)
        counts = {81 - game.start(np.random.default_rng(seed)).puzzle.count(0) for seed in range(40)}
        assert min(counts) >= low and max(counts) <= high
        if high > low:
            assert len(counts) > 2


def test_the_solver_knows_a_known_grid_and_always_wins():
    assert generator.solution(grid(KNOWN)) == grid(SOLVED)
    assert generator.solutions(grid(KNOWN)) == 1
    assert generator.solutions((0,) * 81, most=5) == 5
    clashing = (5, 5, *grid(KNOWN)[2:])
    assert generator.solutions(clashing) == 0 and generator.solution(clashing) is None
    for options in ({}, {"clues": 24}):
        result = mmgames.match(ID, "solver", episodes=25, seed=3, **options)
        assert [row["returns"] for row in result.episodes] == [[1.0]] * 25
        assert all(row["events"]["wrong"] == 0 for row in result.episodes)
    wrong = next(
        action for action in legal_moves(grid(KNOWN)) if grid(SOLVED)[action // 9] != action % 9 + 1
    )  # legal, but not in the solution
    live = LiveGame(registry.load(ID), GAME)
    live.go_on_from(GAME.play(SudokuState(grid(KNOWN), grid(SOLVED), grid(KNOWN)), {0: wrong}, RNG), RNG)
    while live.movers:
        live.play({0: live.check(0, Solver().act(Turn(live, 0, RNG)))})
    assert live.totals == [0.0]


@given(seeds, st.integers(0, 40))
def test_legal_moves_are_the_digits_that_clash_with_nothing(seed, moves):
    rng = np.random.default_rng(seed)
    state = GAME.start(rng)
    for _ in range(moves):
        legal = GAME.legal(state, 0)
        if legal:
            state = GAME.play(state, {0: legal[int(rng.integers(len(legal)))]}, rng)
    wanted = []
    for cell in range(81):
        for digit in range(1, 10):
            units = [unit for unit in (*ROWS, *COLUMNS, *BOXES) if cell in unit]
            seen = {state.cells[other] for unit in units for other in unit}
            if not state.cells[cell] and digit not in seen:
                wanted.append(cell * 9 + digit - 1)
    assert list(GAME.legal(state, 0)) == wanted == list(words.names(GAME.view(state, 0))) or not wanted
    assert bool(GAME.movers(state)) == bool(wanted)


@given(seeds)
def test_a_game_is_won_by_a_full_grid_and_lost_by_a_stuck_one(seed):
    end = play_out(GAME.start(np.random.default_rng(seed)), np.random.default_rng(seed))
    full = 0 not in end.cells
    assert list(GAME.returns(end)) == [1.0 if full else 0.0]
    assert ("solved" if full else "lost") in words.history(GAME.view(end, 0))
    events = GAME.events(end)
    assert events["entered"] == 81 - end.cells.count(0) - (81 - end.puzzle.count(0))
    assert (events["wrong"] == 0) == full


def test_the_last_move_is_gold_and_dead_cells_of_a_lost_game_are_red_and_features_hold_the_digits():
    view = GAME.view(play_out(GAME.start(np.random.default_rng(1)), np.random.default_rng(1)), 0)
    assert view.mover is None and 0 in view.cells
    frame = picture.draw(view)
    assert (
        tuple(frame[picture.corner(view.last, 512)[1] + 1, picture.corner(view.last, 512)[0] + 1]) == picture.LAST_MOVE
    )
    for cell in range(81):
        x, y = picture.corner(cell, 512)
        assert (tuple(frame[y + 20, x + 1]) == picture.STUCK) == (view.cells[cell] == 0)
    told = picture.features(SudokuView(0, grid(SOLVED), grid(KNOWN), None))
    assert told.shape == (810,) and told[:729].reshape(81, 9).sum() == 81
    assert (told[:729].reshape(81, 9).argmax(axis=1) + 1 == grid(SOLVED)).all()
    assert told[729:].astype(bool).tolist() == [digit > 0 for digit in grid(KNOWN)]


def letters_in(strip: np.ndarray) -> list[int]:
    """How many rows each of the letters in a strip of paper has, from top to bottom."""
    inked = (strip.min(axis=2) < 200).any(axis=1)
    edges = np.flatnonzero(np.diff(np.r_[False, inked, False].astype(int)))
    return (edges[1::2] - edges[::2]).tolist()


@pytest.mark.parametrize("size", [64, 68, 69, 72, 80, 96, 112, 127])
def test_small_grids_are_whole(size):
    empty = (0,) * 81
    frame = picture.draw(SudokuView(None, empty, empty, 0), size)
    left, top, side, _ = picture._layout(size)
    far = size - max(1, size // 64)
    for line in (frame[top, left:far], frame[top:far, left], frame[far - 1, left:far], frame[top:far, far - 1]):
        assert (line == picture.INK).all(), "no label bites into the frame"
    names = letters_in(frame[:, : left - 1])
    assert len(names) == 9 and min(names) >= 5, "no letter covers another"
    seen = []
    for digit in range(1, 10):
        cells = (digit, *empty[1:])
        x, y = picture.corner(0, size)
        seen.append(picture.draw(SudokuView(None, cells, cells, 0), size)[y : y + side, x : x + side].astype(int))
        (height,) = letters_in(seen[-1])
        assert 5 <= height <= side
    for one in range(9):
        for other in range(one):
            assert (np.abs(seen[one] - seen[other]).max(axis=2) > 60).sum() >= 2, (one + 1, other + 1)
