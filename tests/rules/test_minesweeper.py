"""Minesweeper: the mines are where the numbers say, and what can be known about them is known exactly."""

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmgames
from mmgames.baselines.planners.minesweeper import EndGame, Solver
from mmgames.games.minesweeper import picture, words
from mmgames.games.minesweeper.beliefs import Beliefs
from mmgames.games.minesweeper.rules import HIDDEN, LEVELS, MINE, MinesweeperState, MinesweeperView, neighbours
from mmgames.text.replies import parse
from tests.refusing import refused

ID = "mmgames/Minesweeper-v0"
GAME: Any = mmgames.load_game(ID)
RNG = np.random.default_rng(0)


def place(name: str) -> int:
    return words.places(8).index(name)


def play(state: MinesweeperState, *moves: str) -> MinesweeperState:
    for move in moves:
        verb, name = move.split()
        state = GAME.play(state, {0: place(name) + (64 if verb == "flag" else 0)}, RNG)
    return state


def field(*rows: str) -> tuple[int, ...]:
    """Codes from signs: # closed, * a mine, digits."""
    return tuple({"#": HIDDEN, "*": MINE}.get(sign, 0) or int(sign) for row in rows for sign in row)


def numbers(side: int, mines: set[int]) -> list[int]:
    return [MINE if cell in mines else sum(near in mines for near in around)
            for cell, around in enumerate(neighbours(side))]  # fmt: skip


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("first", ["safe", "zero"])
def test_the_first_cell_is_safe_wherever_it_is(level, first):
    game = mmgames.load_game(ID, level=level, first=first)
    side, total = LEVELS[level]
    for cell in range(side * side):
        state = game.play(game.start(RNG), {0: cell}, RNG)
        assert len(set(state.mines)) == total and state.hit is None
        assert state.cells[cell] == (0 if first == "zero" else sum(m in neighbours(side)[cell] for m in state.mines))


def test_mines_are_laid_evenly_on_all_cells_but_the_first_and_a_flag_is_a_note():
    first = {0: place("C3")}
    begun = (GAME.play(GAME.start(RNG), first, np.random.default_rng(seed)) for seed in range(2000))
    counts = Counter(mine for state in begun for mine in state.mines)
    assert place("C3") not in counts
    expected = 2000 * 10 / 63
    assert min(counts.values()) > 0.75 * expected and max(counts.values()) < 1.25 * expected
    state = play(LAID, "flag A3")
    names = words.names(GAME.view(state, 0))
    assert "flag A3" not in names.values() and "reveal A3" in names.values()
    assert state.cells == LAID.cells
    assert play(state, "reveal A3").flags == ()
    assert GAME.events(state) == {"opened": 0, "flags": 1}


@given(st.integers(0, 2**32))
def test_numbers_count_the_mines_around_and_zeros_open_their_neighbours(seed):
    rng = np.random.default_rng(seed)
    state = GAME.start(rng)
    while GAME.movers(state):
        closed = [cell for cell, code in enumerate(state.cells) if code == HIDDEN]
        before = state
        cell = closed[int(rng.integers(len(closed)))]
        state = GAME.play(state, {0: cell}, rng)
        truth = numbers(8, set(state.mines))
        assert all(code in (HIDDEN, truth[at]) for at, code in enumerate(state.cells))
        if state.hit is None:
            for at, code in enumerate(state.cells):
                if code == 0:
                    assert all(state.cells[near] != HIDDEN for near in neighbours(8)[at])
            if truth[cell]:
                assert state.cells.count(HIDDEN) == before.cells.count(HIDDEN) - 1
    assert list(GAME.returns(state)) == [1.0 if state.hit is None else 0.0]
    assert state.hit is not None or state.cells.count(HIDDEN) == 10


MINES = tuple(place(name) for name in ("A1", "B5", "C8", "D2", "E5", "F1", "G7", "H2", "H3", "H8"))
LAID = MinesweeperState((HIDDEN,) * 64, MINES)


def test_opening_a_mine_loses_and_opening_everything_else_wins():
    end = play(LAID, "flag A1", "flag A2", "reveal B5")
    assert GAME.movers(end) == () and list(GAME.returns(end)) == [0.0]
    assert [cell for cell, code in enumerate(end.cells) if code == MINE] == sorted(MINES)
    view = GAME.view(end, 0)
    assert view.flags == (place("A2"),), "a flag on a mine gives way to the mine, a wrong one stays"
    assert "B5 hid a mine" in words.history(view)
    state = LAID
    for cell in range(64):
        if cell not in MINES and state.cells[cell] == HIDDEN:
            assert list(GAME.returns(state)) == [0.0]
            state = GAME.play(state, {0: cell}, RNG)
    assert GAME.movers(state) == () and list(GAME.returns(state)) == [1.0]
    assert state.flags == tuple(sorted(MINES)) and "won" in words.history(GAME.view(state, 0))
    assert GAME.events(state) == {"opened": 54, "flags": 0}


def every_placement(side: int, total: int, codes: list[int]) -> list[tuple[int, ...]]:
    """By trying them all."""
    shown = {cell for cell, code in enumerate(codes) if code == MINE}
    closed = [cell for cell, code in enumerate(codes) if code == HIDDEN]
    found = []
    for chosen in combinations(closed, total - len(shown)):
        truth = numbers(side, shown | set(chosen))
        if all(code in (HIDDEN, truth[cell]) for cell, code in enumerate(codes)):
            found.append(tuple(sorted(shown | set(chosen))))
    return found


@st.composite
def small_fields(draw):
    """4×4 fields with some cells shown, mines among them."""
    mines = draw(st.sets(st.integers(0, 15), min_size=1, max_size=6))
    shown = draw(st.sets(st.integers(0, 15), max_size=10))
    truth = numbers(4, mines)
    return len(mines), [truth[cell] if cell in shown else HIDDEN for cell in range(16)]


@given(small_fields())
def test_placements_and_risks_are_those_of_trying_everything(case):
    total, codes = case
    wanted = every_placement(4, total, codes)
    beliefs = Beliefs(4, total, codes)
    assert beliefs.placements == len(wanted)
    assert sorted(beliefs.each()) == sorted(wanted)
    risks = beliefs.risks()
    assert set(risks) == {cell for cell, code in enumerate(codes) if code == HIDDEN}
    for cell, risk in risks.items():
        assert risk == pytest.approx(sum(cell in mines for mines in wanted) / len(wanted), abs=1e-12)
        assert (risk == 0.0) == all(cell not in mines for mines in wanted)
        assert (risk == 1.0) == all(cell in mines for mines in wanted)


@pytest.mark.parametrize(
    ("total", "codes"),
    [
        (3, field("1###", "####", "##1#", "####")),
        (2, field("####", "####", "####", "###*")),
        (4, field("12##", "####", "##3#", "####")),
    ],
)
def test_imagined_mines_are_drawn_evenly_from_all_that_can_be(total, codes):
    wanted = every_placement(4, total, list(codes))
    beliefs, rng = Beliefs(4, total, codes), np.random.default_rng(1)
    counts = Counter(beliefs.sample(rng) for _ in range(60 * len(wanted)))
    assert set(counts) == set(wanted)
    surprise = sum((count - 60) ** 2 / 60 for count in counts.values())
    freedom = len(wanted) - 1
    assert surprise < freedom + 4 * (2 * freedom) ** 0.5, "chi-square"


@pytest.mark.parametrize("level", LEVELS)
def test_imagining_keeps_what_is_shown_and_moves_what_is_not(level):
    game = mmgames.load_game(ID, level=level)
    rng = np.random.default_rng(4)
    state = game.play(game.start(rng), {0: game.size // 2 + 3}, rng)
    for _ in range(6):
        safe = [cell for cell, code in enumerate(state.cells) if code == HIDDEN and cell not in state.mines]
        state = game.play(state, {0: safe[int(rng.integers(len(safe)))]}, rng)
    other = game.imagine(state, 0, rng)
    assert other.mines != state.mines and other._replace(mines=state.mines) == state
    truth = numbers(game.side, set(other.mines))
    assert all(code in (HIDDEN, truth[cell]) for cell, code in enumerate(other.cells))


def test_certain_cells_are_opened_and_contradictions_are_said():
    beliefs = Beliefs(4, 2, field("8###", "####", "####", "####"))
    assert beliefs.placements == 0 and list(beliefs.each()) == []
    refused(lambda: beliefs.risks(), "contradicts itself")
    assert Beliefs(2, 1, field("00", "00")).placements == 0
    codes = field("1#######", "11######", *["########"] * 6)
    assert Beliefs(8, 10, codes).risks()[place("A2")] == 1.0, "the corner's only closed neighbour"
    best = Solver().best(MinesweeperView(0, 8, 10, codes, 0))
    assert {words.places(8)[cell] for cell in best} == {"A3", "B3", "C1", "C2", "C3"}


def test_the_solver_plays_the_end_out_and_wins_most_games():
    placements = [(0, 14), (0, 15), (1, 14), (1, 15)]  # two tosses of a coin: one placement of four is won
    game = EndGame(4, placements)
    assert game._wins(game.placements, sum(1 << cell for cell in (0, 1, 14, 15))) == 1
    placements = [(0,), (1,), (2,)]  # opening the middle one tells nothing, an end tells all
    assert EndGame(4, placements).best([0, 1, 2]) == [0, 2]
    result = mmgames.match(ID, "solver", episodes=30, seed=2)
    assert 0.65 <= result.returns().mean() <= 0.97
    assert mmgames.match(ID, "random", episodes=30, seed=2).returns().mean() <= 0.05
    result = mmgames.match(ID, "solver", episodes=2, seed=1, level="16x16")
    assert result.summary()["failed"] == 0 and result.returns().min() >= 0
    game = mmgames.load_game(ID, level="16x16")
    view = game.view(game.start(RNG), 0)
    names = words.names(view)
    assert names[255] == "reveal P16" and names[256 + 9] == "flag A10" and len(names) == 512
    assert parse("16P", names, words.aliases(view)) == 255
    assert "P16 the bottom right one" in words.rules(view)


def test_features_hold_every_cell_once_and_only_the_spectator_is_told_where_the_mines_are():
    state = play(LAID, "reveal A2")
    assert GAME.view(state, 0).mines == () and GAME.view(state, None).mines == tuple(MINES)
    assert "The mines are on A1" in words.describe(GAME.view(state, None))
    assert "mines are on" not in words.describe(GAME.view(state, 0))
    seen, known = (picture.draw(GAME.view(state, seat), 256) for seat in (0, None))
    for cell in range(64):
        x, y = picture.corner(cell, 256, 8)
        assert (seen[y : y + 20, x : x + 20] == known[y : y + 20, x : x + 20]).all() == (cell not in MINES)
    told = picture.features(GAME.view(play(LAID, "flag A1", "reveal A2"), 0))
    planes = told[:-1].reshape(64, 12)
    assert told.shape == (769,) and planes[0].tolist() == [1, 1] + [0] * 10
    assert planes[1].tolist() == [0, 0, 0, 0, 1] + [0] * 7 and told[-1] == pytest.approx(0.9)
    assert (np.delete(planes, 1, axis=1).sum(axis=1) == 1).all()
