"""Gomoku: five or more in a row win, names agree with the picture, patterns are counted as they stand on the board."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmgames
from mmgames.baselines.search.minimax import Minimax
from mmgames.drawing.canvas import TINY_FONT
from mmgames.games.gomoku import picture, words
from mmgames.games.gomoku.rules import EMPTY, KERNEL, NO_STONES, Gomoku, fives
from mmgames.kernels.records import RecordState, copied

GAME: Gomoku = mmgames.load_game("mmgames/Gomoku-v0")
RNG = np.random.default_rng(0)
FIVES = np.array([
    [15 * (row + k * down) + column + k * right for k in range(5)]
    for row, column, (down, right) in product(range(15), range(15), ((0, 1), (1, 0), (1, 1), (1, -1)))
    if row + 4 * down < 15 and 0 <= column + 4 * right < 15
])  # fmt: skip


def after(*names: str) -> RecordState:
    state = GAME.start(RNG)
    for name in names:
        (seat,) = GAME.movers(state)
        assert words.NAMES.index(name) in GAME.legal(state, seat)
        state = GAME.play(state, {seat: words.NAMES.index(name)}, RNG)
    return state


def plain_fives(board: str) -> set[str]:
    """The colours with five in a row, by the definition: every five points in every direction."""
    fives = np.frombuffer(board.encode(), np.uint8)[FIVES]
    return set(map(chr, fives[(fives == fives[:, :1]).all(axis=1), 0].tolist())) - {EMPTY}


@given(st.randoms(use_true_random=False))
def test_a_game_ends_exactly_when_five_stand_in_a_row(choices):
    state, made = GAME.start(RNG), 0
    while movers := GAME.movers(state):
        board = GAME.view(state, None).cells
        assert movers == (made % 2,) and not plain_fives(board)
        empty = [cell for cell in range(225) if board[cell] == EMPTY]
        assert list(GAME.legal(state, movers[0])) == empty == list(words.names(GAME.view(state, movers[0])))
        state = GAME.play(state, {movers[0]: choices.choice(empty)}, RNG)
        made += 1
    won = plain_fives(GAME.view(state, None).cells)
    assert won == {"bw"[(made - 1) % 2]} or (made == 225 and not won)
    returns = list(GAME.returns(state))
    assert returns == ([0.0, 0.0] if not won else [1.0, -1.0] if won == {"b"} else [-1.0, 1.0])
    told = words.history(GAME.view(state, None))
    assert ("a draw" in told) == (not won) and all(f"{words.ROLES['bw'.index(side)]} has won" in told for side in won)


@given(st.text(".bbw", min_size=225, max_size=225))
def test_fives_are_found_on_any_board(board):
    assert {board[line[0]] for line in fives(board)} == plain_fives(board)
    assert all(len(line) >= 5 and len({board[cell] for cell in line}) == 1 for line in fives(board))


ACROSS, ALONG = ("A1 B1 C1 D1 E1", "K15 L15 M15 N15 O15"), ("A1 A2 A3 A4 A5", "O11 O12 O13 O14 O15")


@pytest.mark.parametrize("line", [*ACROSS, *ALONG, "A1 B2 C3 D4 E5", "K5 L4 M3 N2 O1"])
def test_five_in_a_row_win_along_every_line(line):
    black = line.split()
    white = ["H1", "H3", "H5", "H7"]
    state = after(*[name for pair in zip(black[:4], white, strict=True) for name in pair])
    assert GAME.movers(state) == (0,)
    state = after(*[name for pair in zip(black[:4], white, strict=True) for name in pair], black[4])
    assert GAME.movers(state) == () and list(GAME.returns(state)) == [1.0, -1.0]
    assert f"In a row: {', '.join(sorted(black, key=words.NAMES.index))}." in words.describe(GAME.view(state, 1))


def test_more_than_five_in_a_row_win_too_and_a_full_board_without_five_is_a_draw():
    black, white = ["A8", "B8", "C8", "E8", "F8", "D8"], ["A1", "C1", "E1", "G1", "I1"]
    moves = [name for pair in zip(black, [*white, ""], strict=True) for name in pair if name]
    state = after(*moves)
    assert GAME.movers(after(*moves[:-1])) == (0,) and GAME.movers(state) == ()
    assert GAME.returns(state) == (1.0, -1.0) and len(fives(GAME.view(state, None).cells)[0]) == 6
    full = "".join("bw"[(column + row // 2) % 2] for row in range(15) for column in range(15))
    assert not plain_fives(full) and full.count("b") == 113
    black, white = ([cell for cell in range(225) if full[cell] == side] for side in "bw")
    order = [cell for pair in zip(black, [*white, -1], strict=True) for cell in pair if cell >= 0]
    state = GAME.start(RNG)
    for number, cell in enumerate(order):
        assert GAME.movers(state) == (number % 2,)
        state = GAME.play(state, {number % 2: cell}, RNG)
    assert GAME.movers(state) == () and list(GAME.returns(state)) == [0.0, 0.0]
    assert words.history(GAME.view(state, 0)) == "The game is over: a draw."


def plain_patterns(board: str, own: str) -> list[int]:
    """Windows of five with 1 to 4 own stones and nothing else, open threes, open fours: looked up line by line."""
    counts = [0] * 6
    for cell, (down, right) in product(range(225), ((0, 1), (1, 0), (1, 1), (1, -1))):
        row, column = divmod(cell, 15)
        line = ""
        while len(line) < 6 and row < 15 and 0 <= column < 15:
            line += board[row * 15 + column]
            row, column = row + down, column + right
        five = line[:5]
        if len(five) == 5 and set(five) == {own, EMPTY}:
            counts[five.count(own) - 1] += 1
        open_ended = len(line) == 6 and line[0] == line[5] == EMPTY
        if open_ended and set(line) == {own, EMPTY} and line.count(own) >= 3:
            counts[line.count(own) + 1] += 1
    return counts


@given(st.permutations(range(225)), st.integers(0, 90))
def test_the_board_keeps_count_of_its_patterns(order, moves):
    state, actions = RecordState(copied(GAME.start(RNG).array)), np.zeros(2, np.int64)
    board = list(NO_STONES)
    for cell in order[:moves]:
        cell = cell % 15 // 2 + cell // 15 // 2 * 15  # crowded into a corner, so that patterns arise
        if board[cell] == EMPTY:
            seat = (225 - board.count(EMPTY)) % 2
            board[cell] = "bw"[seat]
            state.array["turn"] = seat  # patterns are counted on even when somebody has won
            actions[:] = cell
            KERNEL.step(state.record, actions, np.uint64(0))
    for seat in (0, 1):
        assert list(state.patterns[seat]) == plain_patterns("".join(board), "bw"[seat])


def test_candidates_are_near_stones_and_minimax_makes_five_and_stops_five():
    out = np.empty(KERNEL.moves_capacity, np.int64)
    assert KERNEL.candidates(GAME.start(RNG).record, 0, out) == 1 and words.NAMES[out[0]] == "H8"
    found = {words.NAMES[cell] for cell in out[: KERNEL.candidates(after("H8", "A1").record, 0, out)]}
    assert len(found) == 24 + 8 and {"F6", "J10", "C3", "A3"} <= found and not {"H8", "A1", "H11", "D1"} & found
    win = after("H8", "A1", "I8", "A3", "J8", "A5", "K8", "A7")
    assert {words.NAMES[cell] for cell in Minimax().best(GAME, win)} == {"G8", "L8"}
    stop = after("H8", "G8", "I8", "A3", "J8", "A5", "K8")
    assert {words.NAMES[cell] for cell in Minimax().best(GAME, stop)} == {"L8"}
    threatened = after("H8", "A1", "I8", "A15", "J8")
    assert {words.NAMES[cell] for cell in Minimax().best(GAME, threatened)} <= {"F8", "G8", "K8", "L8"}


def test_stones_of_a_winning_line_have_rings_and_tiny_letters_all_differ():
    assert set(TINY_FONT) >= set("0123456789ABCDEFGHIJKLMNO")
    shapes = [shape for letter, shape in TINY_FONT.items() if letter.isalpha()]
    digits = [shape for letter, shape in TINY_FONT.items() if letter.isdigit()]
    assert len(set(shapes)) == 15 and len(set(digits)) == 10 and {len(shape) for shape in TINY_FONT.values()} == {5}
    view = GAME.view(after("H8", "A1", "I8", "A3", "J8", "A5", "K8", "A7", "L8"), 0)
    changed = (picture.draw(view) != picture.draw(view._replace(mover=1))).any(axis=2)
    side = picture.corner(1, 512)[0] - picture.corner(0, 512)[0]
    ringed = set()
    for cell, name in enumerate(words.NAMES):
        x, y = picture.corner(cell, 512)
        if changed[y : y + side, x : x + side].any():
            ringed.add(name)
    assert ringed == {"H8", "I8", "J8", "K8", "L8"}
