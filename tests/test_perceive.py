"""Perceive tasks: a board is written down as a matrix, and every right cell counts."""

import json
from collections import Counter
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmgames
from mmgames import tasks
from mmgames.errors import MmgamesError
from mmgames.games.overcooked.layouts import GRIDS
from mmgames.games.overcooked.layouts import NAMES as LAYOUTS
from mmgames.games.sudoku.generator import solutions
from mmgames.tasks.boards import PositionSource
from mmgames.tasks.perceive import matrices
from mmgames.tasks.positions import CHESS_BANDS, GOMOKU_BANDS, REVERSI_BANDS, board, random_play, take_part
from tests.cases import cases
from tests.environments import begun, make
from tests.refusing import refused

CASES = cases(__file__)

TTT = "mmgames/TicTacToe-Perceive-v0"
TRUTH = [[1, 0, -1], [0, 1, -1], [-1, 0, 1]]


def asked_about(matrix: list[list[int]]) -> Any:
    env = begun(make(TTT, observe="text"))
    object.__setattr__(env.question, "answer", tuple(map(tuple, matrix)))
    return env


@pytest.mark.parametrize("id", [spec.id for spec in tasks.specs.values() if spec.kind == "perceive"])
def test_the_true_matrix_earns_everything_and_each_wrong_cell_costs_its_share(id: str) -> None:
    env = make(id)
    observation, _ = env.reset(seed=1)
    assert observation in env.observation_space and set(observation) == {"rgb", "text"}
    _, reward, terminated, truncated, info = env.step(json.dumps(env.question.answer))
    assert (reward, terminated, truncated, info["exact"]) == (1.0, True, False, True)
    env.reset(seed=1)
    matrix = [list(row) for row in env.question.answer]
    for place in (0, -1):
        matrix[place][place] = next(code for code in env.source.board.codes if code != matrix[place][place])
    cells = len(matrix) * len(matrix[0])
    _, reward, *_, info = env.step(f"{matrix}")
    assert reward == pytest.approx(1 - 2 / cells) and not info["exact"]


def test_prose_around_a_matrix_does_not_matter_and_one_of_another_shape_or_other_codes_earns_nothing() -> None:
    for reply in CASES["around the matrix"]:
        assert asked_about(TRUTH).step(reply.format(json.dumps(TRUTH, indent=1)))[1] == 1.0
    long = [(json.dumps([TRUTH[0]] * 9000), "3 rows of 3"), ("x" * 200_001, "at most 200,000")]
    for reply, why in (*CASES["no board"], *long):
        _, reward, terminated, _, info = asked_about(TRUTH).step(reply)
        assert reward == 0.0 and terminated and why in info["illegal"]


def test_two_different_matrices_decide_nothing_and_a_true_minus_is_one_too() -> None:
    _, reward, _, _, info = asked_about(TRUTH).step(f"{json.dumps([[0] * 3] * 3)} No: {json.dumps(TRUTH)}")
    assert reward == 0.0 and info["illegal_kind"] == "not clear"
    assert asked_about(TRUTH).step(json.dumps(TRUTH).replace("-", "\N{MINUS SIGN}"))[1] == 1.0
    env = make("mmgames/Overcooked-Perceive-v0")
    assert "Write down the kitchen as a matrix of 4 rows with 5 whole numbers each" in env.reset(seed=0)[0]["text"]
    turned = [list(column) for column in zip(*env.question.answer, strict=True)]
    assert "4 rows of 5" in env.step(json.dumps(turned))[4]["illegal"]


@pytest.mark.parametrize("piece", ["[", "[[", "]", "[1", "[1,", "[[1],", "[1]] ", "[ ", "[1  ", "[[1]]", "\n", "-"])
def test_endless_repeats_are_read_without_harm(piece: str) -> None:
    for start in ("", "[[1"):
        assert asked_about(TRUTH).step((start + piece * 200_000)[:200_000])[1] == 0.0


@given(st.text(alphabet="[], -01\n{}a`", max_size=300))
def test_any_text_is_read_or_refused(reply: str) -> None:
    assert all(isinstance(code, int) for matrix in matrices(reply) for row in matrix for code in row)


@given(st.lists(st.lists(st.integers(-9, 9), min_size=1, max_size=5), min_size=1, max_size=5), st.text(max_size=20))
def test_every_written_matrix_is_found_again(matrix: list[list[int]], prose: str) -> None:
    assert matrices(prose.replace("[", "").replace("]", "") + json.dumps(matrix)) == [tuple(map(tuple, matrix))]


def shown(game: str, seed: int, **options: Any) -> np.ndarray:
    source = board(f"mmgames/{game}-v0", options.get("band"))
    return np.array(source.cells(source.show(np.random.default_rng(seed), **options).view))


def test_boards_are_what_their_games_and_bands_say() -> None:
    for seed in range(50):
        assert sorted(shown("TicTacToe", seed).ravel().tolist()) == [-1, -1, -1, 0, 0, 0, 1, 1, 1]
    for seed in range(10):
        assert solutions(shown("Sudoku", seed).ravel().tolist()) == 1
    source = board("mmgames/Minesweeper-v0")
    for seed in range(30):
        position = source.show(np.random.default_rng(seed))
        matrix = np.array(source.cells(position.view))
        mines = {(ord(name[0]) - ord("A"), int(name[1:]) - 1) for name in position.facts["mines"]}
        assert (matrix >= 0).sum() == 33 and len(mines) == 10
        for (y, x), code in np.ndenumerate(matrix):
            if (y, x) in mines:
                assert code in (-1, 9)
            elif code >= 0:
                assert code == sum(max(abs(y - b), abs(x - a)) == 1 for b, a in mines)
    assert shown("Minesweeper", 0, band="12x12").shape == (12, 12)
    letters = {1: "P", 2: "N", 3: "B", 4: "R", 5: "Q", 6: "K"}
    for band in (None, *CHESS_BANDS):
        for seed in range(20):
            matrix = shown("Chess", seed, band=band)
            assert (matrix == 6).sum() == (matrix == -6).sum() == 1
            assert {letters[abs(code)] for code in matrix.ravel().tolist() if code} <= set(band or "KQRBNP")
            assert 1 not in abs(matrix[[0, -1]])
    played = shown("Chess", 3, rules="released")
    assert (played == 6).sum() == (played == -6).sum() == 1
    source = board("mmgames/Overcooked-v0")
    views = [source.show(np.random.default_rng(seed)).view for seed in range(300)]
    seen = Counter(code for view in views for row in source.cells(view) for code in row)
    assert seen[4] < 200 and all(seen[code] >= 5 for code in (6, 7, 8, 9, 10, 11, 12))
    told = [source.words.describe(view) for view in views]
    for thing in ("an onion", "an empty dish", "a dish of soup"):
        assert sum(f"holds {thing}" in text for text in told) >= 10
    assert {view.seat for view in views} == {0, 1}


@pytest.mark.parametrize(
    ("game", "bands", "usual"), [("Reversi", REVERSI_BANDS, (10, 56)), ("Gomoku", GOMOKU_BANDS, (67, 157))]
)
def test_stones_keep_to_their_band_and_colours_to_their_share(game: str, bands: Any, usual: tuple[int, int]) -> None:
    for band in (None, *bands):
        low, high = usual if band is None else map(int, band.split("-"))
        for seed in range(30):
            matrix = shown(game, seed, band=band)
            stones, black = int((matrix > 0).sum()), int((matrix == 1).sum())
            assert low <= stones <= high and 0.3 * stones - 1 <= black <= 0.7 * stones + 1


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_kitchen_is_that_of_its_layout_with_both_chefs_on_its_floor(layout: str) -> None:
    kinds = {" ": {0}, "X": {1, 11, 12, 13}, "O": {2}, "D": {3}, "P": {4, 6, 7, 8, 9, 10}, "S": {5}}
    kinds[" "] |= {14, 15}
    for seed in range(30):
        matrix = shown("Overcooked", seed, band=layout)
        grid = [line.replace("1", " ").replace("2", " ") for line in GRIDS[layout]]
        assert matrix.shape == (len(grid), len(grid[0]))
        assert all(code in kinds[grid[y][x]] for (y, x), code in np.ndenumerate(matrix))
        assert (matrix == 14).sum() == (matrix == 15).sum() == 1


def test_wrong_options_get_one_sentence() -> None:
    for options, sentence in CASES["wrong options"]:
        refused(partial(gymnasium.make, TTT, **options), sentence)
    for kind in ("Perceive", "Ask", "Rule"):
        with pytest.raises(MmgamesError, match="band= is for those of"):
            gymnasium.make(f"mmgames/Chess-{kind}-v0", rules="released", band="KQ")


def test_a_game_takes_part_with_an_alphabet_and_a_position_source(monkeypatch: pytest.MonkeyPatch) -> None:
    from mmgames.games.monster_hunt import rules, words
    from mmgames.tasks import positions

    hunt = "mmgames/MonsterHunt-v0"
    monkeypatch.setattr(positions, "BOARDS", dict(positions.BOARDS))
    monkeypatch.setattr(tasks, "specs", dict(tasks.specs))
    monkeypatch.setattr(rules, "cells", lambda view: ((0, 1), (1, 0)), raising=False)
    monkeypatch.setattr(words, "CODES", {0: "an empty cell", 1: "something"}, raising=False)
    monkeypatch.setattr(words, "PLACES", ("A1", "A2", "B1", "B2"), raising=False)
    take_part(PositionSource(hunt, random_play, random_play))
    try:
        for kind, reply in (("Perceive", "[[0, 1], [1, 0]]"), ("Rule", "<UP>")):
            env = begun(make(f"mmgames/MonsterHunt-{kind}-v0", observe="text"))
            assert env.step(reply)[1] == 1.0
        env = begun(make("mmgames/MonsterHunt-Ask-v0", observe="text"))
        assert env.step("ABCD"[env.question.answer])[1] == 1.0
    finally:
        for kind in ("Perceive", "Ask", "Rule"):
            del gymnasium.registry[f"mmgames/MonsterHunt-{kind}-v0"]
    refused(lambda: take_part(PositionSource("mmgames/Nothing-v0", random_play, random_play)), "register the game")
    assert hunt in mmgames.specs
