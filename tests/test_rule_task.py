"""Rule tasks, in which one legal move is named without a list to choose from, and what all tasks promise."""

import warnings

import chess
import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from mmgames import tasks
from mmgames.core.spaces import AnyPictures
from mmgames.tasks.positions import BOARDS, CHESS_BANDS, board, runs
from mmgames.testing.playing import sampled
from tests.environments import begun, make
from tests.refusing import refused

CHESS, TTT, MINES = (f"mmgames/{name}-Rule-v0" for name in ("Chess", "TicTacToe", "Minesweeper"))


@pytest.mark.parametrize("id", [spec.id for spec in tasks.specs.values() if spec.kind == "rule"])
def test_every_legal_move_counts_and_nothing_tells_which_they_are(id: str) -> None:
    env = make(id, actions="discrete")
    for seed in range(5):
        observation, info = env.reset(seed=seed)
        assert set(observation) == {"rgb", "text"} and not info and "Legal actions" not in observation["text"]
        refused(lambda: env.action_masks(), "no action mask")
        legal = env.question.names
        assert legal
        for action in (min(legal), max(legal)):
            env.reset(seed=seed)
            assert env.step(action)[1] == 1.0
        for action in sorted(set(range(env.action_space.n)) - set(legal))[:3]:
            env.reset(seed=seed)
            assert env.step(action)[1] == 0.0


def test_chess_agrees_with_python_chess_in_both_notations() -> None:
    env = make(CHESS, observe="text")
    source = env.source.board
    for seed in range(15):
        env.reset(seed=seed)
        position = chess.Board(source.rule(np.random.Generator(np.random.PCG64(seed))).view.fen)
        assert position.turn == chess.WHITE
        moves = list(position.legal_moves)
        assert set(env.question.names.values()) == {move.uci() for move in moves}
        assert env.step(position.san(moves[0]))[1] == 1.0
        every = (chess.Move(a, b) for a in range(64) for b in range(64) if a != b)
        illegal = next(move for move in every if move not in moves)
        env.reset(seed=seed)
        assert env.step(illegal.uci())[1] == 0.0


def test_positions_are_what_the_task_says_and_reached_by_legal_play() -> None:
    for seed in range(60):
        rng = np.random.default_rng(seed)
        for rules in ("paper", "released"):
            source = board("mmgames/TicTacToe-v0")
            view = source.rule(rng, rules).view  # type: ignore[arg-type]
            crosses, noughts = view.cells.count(1), view.cells.count(0)
            assert not source.rules.full_lines(view.cells)
            if rules == "paper":
                assert crosses == noughts == 3 and view.seat == 0
            else:
                assert 1 <= crosses <= 5 and crosses - noughts == view.seat and view.seat in (0, 1)
        source = board("mmgames/Minesweeper-v0")
        assert source.rule(rng, "released").view.cells.count(-1) == 31
    for seed in range(15):
        rng = np.random.default_rng(seed)
        gomoku, reversi = board("mmgames/Gomoku-v0"), board("mmgames/Reversi-v0")
        assert not list(runs(gomoku.cells(gomoku.rule(rng).view), 5))
        assert 181 <= sum(stone != "." for stone in gomoku.rule(rng, "paper", "181-225").view.cells) < 225
        assert "pass" not in reversi.legal(reversi.rule(rng).view).values()
    for seed in range(20):
        rng = np.random.default_rng(seed)
        gomoku, reversi, mines = (board(f"mmgames/{name}-v0") for name in ("Gomoku", "Reversi", "Minesweeper"))
        stones = gomoku.rule(rng).view.cells
        assert stones.count("b") == stones.count("w") and 66 <= stones.count("b") + stones.count("w") <= 158
        field = mines.rule(rng).view
        assert field.cells.count(9) == 0 and 10 < field.cells.count(-1) <= 32
        opened = [cell for cell, code in enumerate(field.cells) if code == 0]
        assert all(field.cells[place] >= 0 for cell in opened for place in mines.rules.neighbours(8)[cell])
        view = reversi.rule(rng).view
        assert view.mover == view.seat == 0 and view.number == 60 - view.cells.count(".")


@pytest.mark.parametrize("band", CHESS_BANDS)
def test_the_piece_ladder_reaches_the_rule_task(band: str) -> None:
    chess_board = board("mmgames/Chess-v0", band)
    for seed in range(10):
        fen = chess_board.rule(np.random.default_rng(seed), "paper", band).view.fen
        assert {sign.upper() for sign in fen.split()[0] if sign.isalpha()} <= set(band)
        position = chess.Board(fen)
        assert position.is_valid() and any(position.legal_moves) and position.turn == chess.WHITE


def test_flags_are_no_moves_a_chef_may_do_anything_and_a_larger_board_has_more_answers() -> None:
    env = begun(make(MINES, observe="text"))
    assert all(name.startswith("reveal ") for name in env.question.names.values())
    cell = next(iter(env.question.names.values())).split()[1]
    assert env.step(f"flag {cell}")[1] == 0.0
    for layout in BOARDS["mmgames/Overcooked-v0"].bands:
        env = make("mmgames/Overcooked-Rule-v0", observe="text", band=layout)
        for seed, action in enumerate(("<UP>", "<DOWN>", "<RIGHT>", "<LEFT>", "<STAY>", "<INTERACT>")):
            assert f"({layout})" in env.reset(seed=seed)[0]["text"] and env.step(action)[1] == 1.0
        env.reset(seed=0)
        assert env.step("<JUMP>")[1] == 0.0
    assert make(MINES, actions="discrete").action_space.n == 2 * 64
    env = begun(make(MINES, actions="discrete", band="16x16"))
    assert env.action_space.n == 2 * 256 and max(env.question.names) >= 2 * 64


def test_sudoku_moves_clash_with_nothing() -> None:
    env = make("mmgames/Sudoku-Rule-v0", observe="text")
    for seed in range(5):
        env.reset(seed=seed)
        source = env.source.board
        grid = source.cells(source.rule(np.random.Generator(np.random.PCG64(seed))).view)
        expected = set()
        for y in range(9):
            for x in range(9):
                top, left = y // 3 * 3, x // 3 * 3
                near = {*grid[y], *(row[x] for row in grid)}
                near |= {grid[top + i][left + j] for i in range(3) for j in range(3)}
                if not grid[y][x]:
                    expected |= {f"{'ABCDEFGHI'[y]}{x + 1} {digit}" for digit in range(1, 10) if digit not in near}
        assert set(env.question.names.values()) == expected


CHECKED = [
    pytest.param(id, actions, id=f"{id}, {actions}")
    for id, spec in tasks.specs.items()
    for actions in ("text", "discrete")
    if "Pong-Predict" not in id  # an episode of Pong for each question takes too long
    if actions == "text" or spec.kind in ("ask", "rule", "predict")
]


@pytest.mark.parametrize(("id", "actions"), CHECKED)
def test_the_environment_checker_has_nothing_to_say(id: str, actions: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(sampled(gymnasium.make(id, size=64, actions=actions).unwrapped))


def test_a_picture_is_one_of_colours_or_several() -> None:
    space, wrong = AnyPictures(), [np.zeros(shape, np.uint8) for shape in ((4, 3), (4, 6, 4), (2, 2, 4, 6, 3))]
    assert all(map(space.contains, (space.sample(), np.zeros((2, 4, 6, 3), np.uint8))))
    assert not any(map(space.contains, (*wrong, np.zeros((4, 6, 3)))))
