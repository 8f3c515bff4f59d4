"""Boards turned over: what a game says of its symmetries holds in play, move by move."""

import numpy as np
import pytest

from mmgames.core import registry
from mmgames.kernels.kernel_game import NOBODY, Kernel
from mmgames.kernels.records import RecordState, copied
from mmgames.kernels.symmetries import FLIP_COLUMNS, FLIP_ROWS, TRANSPOSE, action_points, laid_over

BOARD_GAMES = ("TicTacToe", "Breakthrough", "Reversi", "Gomoku")


def kernel_of(name: str) -> Kernel:
    return registry.load(name).game().kernel  # type: ignore[attr-defined]


def started(kernel: Kernel) -> RecordState:
    """A state to be played on in place."""
    state = RecordState(copied(kernel.blank.array))
    kernel.start(state.record, np.uint64(0))
    return state


def test_ways_to_lay_a_board_upon_itself() -> None:
    assert laid_over(0, (2, 2)).tolist() == [0, 1, 2, 3]
    assert laid_over(FLIP_COLUMNS, (2, 2)).tolist() == [1, 0, 3, 2]
    assert laid_over(FLIP_ROWS, (2, 2)).tolist() == [2, 3, 0, 1]
    assert laid_over(TRANSPOSE, (2, 2)).tolist() == [0, 2, 1, 3]
    assert len({tuple(laid_over(way, (3, 3))) for way in range(8)}) == 8


@pytest.mark.parametrize("name", BOARD_GAMES)
def test_every_action_of_a_seat_has_a_place_of_its_own(name: str) -> None:
    kernel = kernel_of(name)
    points, rng = action_points(kernel), np.random.default_rng(1)
    assert points.slots.min() >= 0 and points.slots.max() < points.size
    state = started(kernel)
    actions = np.zeros(2, np.int64)
    while (mover := state.turn) != NOBODY:
        legal = kernel.legal(state, mover)
        assert len(set(points.slots[mover, list(legal)].tolist())) == len(legal)
        actions[mover] = rng.choice(legal)
        kernel.step(state.record, actions, np.uint64(0))


@pytest.mark.parametrize("name", BOARD_GAMES)
def test_games_that_are_turned_over_stay_turned_over(name: str) -> None:
    """Two games are played side by side, one with each action where the other one's lands when the board is turned."""
    kernel = kernel_of(name)
    points, rng = action_points(kernel), np.random.default_rng(2)
    assert len(points.cell_sources) == len(kernel.symmetries) + 1 > 1
    for cells, slots in zip(points.cell_sources, points.slot_sources, strict=True):
        state, other = started(kernel), started(kernel)
        while (mover := state.turn) != NOBODY:
            assert other.turn == mover
            seen, seen_there = (kernel.planes_of(each, mover) for each in (state, other))
            np.testing.assert_array_equal(seen.reshape(len(seen), -1)[:, cells].reshape(seen.shape), seen_there)
            legal, legal_there = (np.array(kernel.legal(each, mover)) for each in (state, other))
            mask, mask_there = np.zeros((2, points.size), np.bool_)
            mask[points.slots[mover, legal]], mask_there[points.slots[mover, legal_there]] = True, True
            np.testing.assert_array_equal(mask[slots], mask_there)
            pick = rng.choice(legal)
            (lands,) = np.flatnonzero(slots == points.slots[mover, pick])
            (there,) = legal_there[points.slots[mover, legal_there] == lands]
            actions = np.zeros(2, np.int64)
            actions[mover] = pick
            kernel.step(state.record, actions, np.uint64(0))
            actions[mover] = there
            kernel.step(other.record, actions, np.uint64(0))
        totals, totals_there = np.zeros(2), np.zeros(2)
        kernel.returns(state.record, totals), kernel.returns(other.record, totals_there)
        assert other.turn == NOBODY and totals.tolist() == totals_there.tolist()
