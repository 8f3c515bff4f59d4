"""Rows that hold reals: kept by their bits, the same compiled and interpreted, and of no cost to rows without."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from mmgames.kernels.kernel import fork, fraction, interpreted, kernel, reals
from mmgames.kernels.kernel_game import EVERYBODY, NOBODY, Kernel, RowState

SIZE, STEP, GRAVITY, PLACE, SPEED = range(5)


@kernel
def start(row, noise):
    numbers = reals(row)
    row[STEP] = 0
    numbers[PLACE] = fraction(fork(noise, 0))
    numbers[SPEED] = 0.1 * row[SIZE]


@kernel
def turn(row):
    return NOBODY if reals(row)[PLACE] < 0.0 else EVERYBODY


@kernel
def step(row, actions, noise):
    numbers = reals(row)
    row[STEP] += 1
    numbers[SPEED] += numbers[GRAVITY] * actions[0]
    numbers[PLACE] += numbers[SPEED]
    if row[PLACE] == row[SPEED]:  # the same bits
        row[STEP] = -1


@kernel
def returns(row, out):
    out[0] = reals(row)[PLACE]


@kernel
def features(row, seat, out):
    out[0] = min(1.0, max(-1.0, reals(row)[PLACE]))


FALL = Kernel(
    width=5, num_actions=3, num_features=1, start=start, turn=turn, moves=None, step=step, returns=returns,
    features=features, settings=(3,), num_reals=3, real_settings=(-0.25,),
)  # fmt: skip


def test_settings_of_both_kinds_stand_where_they_belong():
    row = FALL.empty_row()
    assert row.dtype == np.int64 and row[SIZE] == 3
    assert FALL.reals_of(row).tolist() == [-0.25, 0.0, 0.0]


def test_compiled_and_interpreted_kernels_leave_the_same_bits():
    rows = [FALL.empty_row(), FALL.empty_row()]
    for row, (begin, go, tell) in zip(
        rows, ((start, step, returns), map(interpreted, (start, step, returns))), strict=True
    ):
        begin(row, np.uint64(12345))
        for action in (0, 2, 1, 2):
            go(row, np.array([action]), np.uint64(0))
            tell(row, np.zeros(1))
    assert np.array_equal(*rows) and rows[0][STEP] == 4
    place, speed = FALL.reals_of(rows[0])[1:]
    assert speed == pytest.approx(0.3 - 0.25 * 5) and place != speed


def test_what_is_written_as_one_kind_is_read_as_the_other():
    row = FALL.empty_row()
    FALL.reals_of(row)[1:] = 0.0, 0.0
    step(row, np.array([0]), np.uint64(0))
    assert row[STEP] == -1


def test_states_are_copied_pickled_compared_and_hashed_by_their_bits():
    row = FALL.empty_row()
    start(row, np.uint64(7))
    state, other = RowState(row), RowState(row.copy())
    FALL.reals_of(other.row)[1] = np.nextafter(FALL.reals_of(row)[1], 2.0)
    for twin in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state)), RowState(row.copy())):
        assert twin == state and hash(twin) == hash(state)
    assert other != state
    FALL.reals_of(other.row)[1] = np.nan
    assert other == copy.deepcopy(other)


def test_fractions_fill_the_unit_interval_evenly():
    drawn = np.array([fraction(np.uint64(fork(np.uint64(5), use))) for use in range(4000)])
    assert drawn.min() >= 0.0 and drawn.max() < 1.0
    assert np.histogram(drawn, 4, (0, 1))[0].min() > 900
