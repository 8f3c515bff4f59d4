"""Numbers that are not whole in records: kept by their bits, the same compiled and interpreted."""

import copy
import pickle

import numpy as np
import pytest

from mmgames.errors import MmgamesError
from mmgames.kernels.kernel import fork, fraction, interpreted, kernel
from mmgames.kernels.records import blank_state, bool_, float32, float64, int16, record

STONE = record(height=float64, fallen=int16, lies=bool_)
FALL = blank_state(record(gravity=float64, scale=float32, stones=(STONE, 3), speed=(float64, (3, 2))), gravity=-0.25)


@kernel
def start(state, noise):
    state.scale = 0.1
    for stone in range(len(state.stones)):
        state.stones[stone].height = fraction(fork(noise, stone))
        state.speed[stone, 0] = 0.1 * stone


@kernel
def step(state, actions):
    for number in range(len(state.stones)):
        stone = state.stones[number]
        state.speed[number, 1] += state.gravity * actions[number] * state.scale
        stone.height += state.speed[number, 1]
        stone.fallen += 1
        stone.lies = stone.height < 0.0
    if state.stones[0].lies:
        state.stones[1] = state.stones[0]


def test_compiled_and_interpreted_kernels_leave_the_same_bits():
    one, other = FALL.replace(), FALL.replace()
    for state, begin, go in ((one, start, step), (other, interpreted(start), interpreted(step))):
        begin(state.record, np.uint64(12345))
        for action in (0, 2, 40, 1):
            go(state.record, np.array([action, 1, 0]))
    assert one == other and one.array.tobytes() == other.array.tobytes()
    assert one.stones[1] == one.stones[0] != one.stones[2] and one.stones[2].fallen == 4


def test_states_keep_numbers_that_are_not_whole_by_their_bits():
    state = FALL.replace(gravity=0.1)
    for twin in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state)), state.replace()):
        assert twin == state and hash(twin) == hash(state)
    assert state != FALL.replace(gravity=np.nextafter(0.1, 1.0))
    assert FALL.replace(gravity=0.0) != FALL.replace(gravity=-0.0)
    nowhere = FALL.replace(gravity=np.nan)
    assert nowhere == copy.deepcopy(nowhere) and hash(nowhere) == hash(FALL.replace(gravity=np.nan))
    assert nowhere != state and np.isnan(nowhere.gravity)
    assert FALL.gravity == -0.25 and FALL.scale == 0.0 and FALL.speed == ((0.0, 0.0),) * 3
    assert FALL.replace(scale=0.5).scale == 0.5
    with pytest.raises(MmgamesError, match="does not fit"):
        FALL.replace(scale=0.1)  # no float32 is 0.1


def test_fractions_fill_the_unit_interval_evenly():
    drawn = np.array([fraction(np.uint64(fork(np.uint64(5), use))) for use in range(4000)])
    assert drawn.min() >= 0.0 and drawn.max() < 1.0
    assert np.histogram(drawn, 4, (0, 1))[0].min() > 900
