"""ColorPuzzle: the table, the board, what each seat gets to see, and the scripted pair."""

import itertools

import numpy as np
import pytest

from mmgames.baselines.puzzles.color_puzzle import Expert, Solver, advised_group
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.puzzles._conversation.rules import SOLVER
from mmgames.puzzles.color_puzzle import manual
from mmgames.puzzles.color_puzzle.manual import COLOURS, STANDARD
from mmgames.puzzles.color_puzzle.picture import PAINTS
from mmgames.puzzles.color_puzzle.rules import NAMES, STAGES, ColorDevice, stages_needed
from tests.cases import cases
from tests.players import Acts
from tests.rules.talking import converse, do, live_at, looks, misanswered, misread

ROOMS = registry.load("mmgames/ColorPuzzle-v0")
HEAD = ["red", "blue", "green", "yellow", "magenta", "row", "column"]
TABLE = cases(__file__)["table"]
PLAIN = (
    "red", "red", "red", "red",
    "blue", "blue", "blue", "yellow",
    "yellow", "yellow", "magenta", "magenta",
    "magenta", "magenta", "magenta", "green",
)  # fmt: skip
START = ColorDevice(PLAIN, PLAIN)  # green is rarest, and its one square is in the last corner
GREEN = "click_row_3_col_3"


def right_squares(squares: tuple[str, ...], previous: str | None) -> set[tuple[int, int]]:
    """The squares that may be clicked by the standard manual, worked out as a person would."""
    grid = [list(squares[at : at + 4]) for at in (0, 4, 8, 12)]
    cells = [(row, column) for row in range(4) for column in range(4) if grid[row][column] != "white"]
    if previous is None:
        rarest = min(squares.count(colour) for colour in HEAD[:5] if colour in squares)
        group = next(colour for colour in HEAD[:5] if squares.count(colour) == rarest)
    else:
        group = TABLE[16 - len(cells) - 1].split()[HEAD.index(previous)]
    if group == "row":
        top = min(row for row, _ in cells)
        return {(row, column) for row, column in cells if row == top}
    if group == "column":
        left = min(column for _, column in cells)
        return {(row, column) for row, column in cells if column == left}
    return {(row, column) for row, column in cells if grid[row][column] == group}


def name(cell: tuple[int, int]) -> str:
    return f"click_row_{cell[0]}_col_{cell[1]}"


def test_the_table_is_the_one_that_was_given_and_shuffled_ones_have_its_form():
    assert [" ".join(row) for row in STANDARD.table] == TABLE
    assert list(STANDARD.ties) == HEAD[:5] and STANDARD.first == "fewest"
    rng = np.random.default_rng(2)
    for _ in range(50):
        drawn = manual.shuffled(rng)
        assert sorted(drawn.ties) == sorted(COLOURS) and drawn.first in ("fewest", "most")
        assert [sorted(row) for row in drawn.table[:11]] == [sorted(HEAD)] * 11
        assert {group for row in drawn.table[11:] for group in row} == {"row", "column"}


def test_every_click_does_what_the_manual_worked_out_by_hand_says():
    rights = wrongs = 0
    for seed in range(60):
        live, rng = LiveGame(ROOMS, ROOMS.game(mistakes=9, turns=100)), np.random.default_rng(seed)
        live.start(rng)
        start = live.state.device.squares
        while live.movers:
            before = live.state.device
            right = right_squares(before.squares, before.previous)
            cell = divmod(int(rng.integers(16)), 4)
            if rng.random() < 0.8:
                cell = sorted(right)[int(rng.integers(len(right)))]
            mistakes = live.state.mistakes
            do(live, name(cell))
            after = live.state.device.squares
            if before.squares[cell[0] * 4 + cell[1]] == "white":
                assert live.state.device == before
            elif cell in right:
                whites = {divmod(at, 4) for at in range(16) if before.squares[at] == "white"}
                assert {divmod(at, 4) for at in range(16) if after[at] == "white"} == whites | right
                rights += 1
            else:
                assert (live.state.mistakes, after, live.state.device.previous) == (mistakes + 1, start, None)
                wrongs += 1
    assert rights > 300 and wrongs > 50


def test_a_tie_goes_to_the_colour_that_the_manual_names_first_and_other_squares_are_coloured_anew():
    squares = ("magenta", "blue", "yellow") + ("red",) * 7 + ("green",) * 6
    assert manual.first_group(STANDARD, squares) == "blue"
    assert (
        manual.first_group(STANDARD._replace(ties=("yellow", "red", "green", "blue", "magenta")), squares) == "yellow"
    )
    assert manual.first_group(STANDARD._replace(first="most"), squares) == "red"
    boards = {do(live_at(ROOMS, START._replace(most_white=n)), GREEN).state.device.squares for n in range(3)}
    game, rng = ROOMS.game(), np.random.default_rng(0)
    boards |= {game.do(START, GREEN, rng).device.squares for _ in range(30)}
    assert len(boards) > 25
    assert all(board.count("white") == 1 and board[15] == "white" for board in boards)
    # After green, with one white square, it is red's turn.
    assert all("red" in board for board in boards)


@pytest.mark.parametrize("rules", ["paper", "released"])
def test_every_colour_is_there_at_the_start(rules):
    game, rng = ROOMS.game(rules=rules), np.random.default_rng(0)
    boards = [game.start(rng).device.squares for _ in range(300)]
    assert all(set(board) == set(COLOURS) for board in boards)
    first_five = {board[:5] for board in boards}
    assert len(first_five) == 1 if rules == "released" else len(first_five) > 100


@pytest.mark.parametrize("rules", ["paper", "released"])
def test_the_most_white_squares_count_whatever_comes_later(rules):
    live = do(live_at(ROOMS, START, rules=rules), GREEN)
    assert live.totals == [1 / 16, 1 / 16]
    white = live.state.device.squares.count("white")
    wrong = next(name(divmod(at, 4)) for at in range(16) if live.state.device.squares[at] not in ("white", "red"))
    do(live, wrong)
    assert (live.state.device.squares, live.totals) == (PLAIN, [white / 16] * 2)
    do(live, "click_row_0_col_0", "click_row_0_col_0")
    assert live.movers == () and live.totals == [white / 16] * 2


@pytest.mark.parametrize("rules", ["paper", "released"])
def test_a_manual_imagined_by_the_solver_explains_every_click_and_leaves_the_board_solvable(rules):
    options = {"manual": "shuffled", "rules": rules}
    game, rng, clicks, others = ROOMS.game(**options), np.random.default_rng(3), 0, 0
    for seed in range(25):
        # A solver who knows the manual but errs now and then sees more of it than a random one.
        state, draws = game.start(np.random.default_rng(seed)), np.random.default_rng(seed)
        while game.movers(state):
            board = state.device
            right = manual.members(board.squares, manual.right_group(board.manual, board.squares, board.previous))
            at = sorted(right)[0] if draws.random() < 0.8 else int(draws.integers(16))
            for text in (NAMES[at], "Go on."):
                if movers := game.movers(state):
                    message = ROOMS.words.read(game.view(state, movers[0]), text)
                    state = game.play(state, {movers[0]: message}, draws)
            device = game.imagine(state, SOLVER, rng).device
            others += device.manual != board.manual
            for click in device.clicks:
                group = manual.right_group(device.manual, click.squares, click.previous)
                members = manual.members(click.squares, group)
                assert members == click.whitened if click.whitened else click.at not in members
                clicks += 1
            if not game.solved(device):
                assert stages_needed(device.manual, device.squares, device.previous) <= STAGES - device.stage
    assert clicks > 500 and others > 60


def test_the_solver_is_not_shown_what_it_has_to_remember_and_begins_again_after_wrong_advice():
    live = do(live_at(ROOMS, START), GREEN)
    shown = live.view(SOLVER).device
    assert (shown.previous, shown.clicks, shown.manual) == (None, (), None)
    live = converse(live_at(ROOMS, START), Solver(), Acts("Click the red squares."))
    said = [entry.message.speech for entry in live.state.dialogue[::2]]
    assert [len(entry.results) for entry in live.state.dialogue[:10:2]] == [0, 1, 0, 1, 0]
    assert "4 red, 3 blue, 1 green, 3 yellow and 5 magenta squares" in said[2]


def test_every_square_shows_in_the_picture():
    shown = {PLAIN}
    for at, colour in itertools.product(range(16), PAINTS):
        shown.add((*PLAIN[:at], colour, *PLAIN[at + 1 :]))
    assert looks(ROOMS, (ColorDevice(squares, squares) for squares in shown)) == len(shown) == 16 * 5 + 1


def test_the_solver_reads_nothing_into_plain_advice_and_the_expert_answers_when_it_is_certain():
    assert misread(ROOMS, advised_group) == []
    assert misanswered(ROOMS, Expert(), START) == []
