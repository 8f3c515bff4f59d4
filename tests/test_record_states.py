"""States with named fields: values that compare by their bytes, and kernels that mean the same to every engine."""

import copy
import pickle
from functools import partial

import numpy as np
import pytest

import mmgames
from mmgames.kernels import records as kept
from mmgames.kernels.kernel import fork, fraction, interpreted, kernel, new_states
from mmgames.kernels.records import RecordState, blank_state, bool_, float64, int8, int16, int32, int64, record, uint64
from tests.environments import begun
from tests.refusing import refused

WHOLE = [kind for kind in kept.KINDS if kind.kind in "iu"]
POINT = record(x=float64, tag=int8)
MIXED = record(step=int16, flag=bool_, at=(int8, 3), taken=(int16, (2, 2)), bits=uint64, here=POINT, path=(POINT, 2))


def mixed() -> RecordState:
    return blank_state(MIXED, step=7, at=(1, 2, 3), taken=((1, 2), (3, 4)), bits=2**63)


def test_a_state_is_a_value_with_names():
    state = mixed()
    assert (state.step, state.flag, state.at, state.taken, state.bits) == (7, False, (1, 2, 3), ((1, 2), (3, 4)), 2**63)
    assert state.here.x == 0.0 and [point.tag for point in state.path] == [0, 0]
    moved = state.replace(step=8, here=blank_state(POINT, x=1.5, tag=-1))
    assert (moved.step, moved.here.x, moved.here.tag, state.step) == (8, 1.5, -1, 7)
    for twin in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state)), mixed()):
        assert twin == state and hash(twin) == hash(state)
    assert moved != state and state != blank_state(POINT) and "step=7" in repr(state)
    with pytest.raises(AttributeError, match=r"state of .*step.* has no attribute 'steps'"):
        _ = state.steps


def test_what_does_not_fit_a_field_is_said():
    refused(lambda: blank_state(MIXED, step=40_000), "step=40000 does not fit into int16")
    for bits in (-1, 1.5, 2**64):
        refused(partial(blank_state, MIXED, bits=bits), "does not fit into uint64")
    assert blank_state(record(bits=(uint64, 2)), bits=(2**63 + 5, 3)).bits == (2**63 + 5, 3)
    for fields in ({"a": np.uint8}, {"returns": int8}, {"_a": int8}, {"a": np.complex64}, {"view": int8}):
        refused(partial(record, **fields), "A state cannot have the field")
    refused(lambda: record(seen=(bool_, 3)), "let seen be of int8")
    assert [kept.whole(most) for most in (127, 128, 40_000, 2**40)] == [int8, int16, int32, int64]
    for fields in ({"a": int8, "b": int64}, {"a": (int8, 3), "b": int16}, {"a": POINT, "b": bool_, "c": (int32, 5)}):
        kind = record(**fields)
        assert sum(kind[name].itemsize for name in kind.names) == kind.itemsize and kind.isalignedstruct


@kernel
def reckon(state, other, out):
    """All that rules do with whole numbers, where they run over too."""
    state.one += 1
    state.many[0] = state.one - 2
    state.many[1] = state.many[0] * state.many[2]
    state.many[2] -= other
    state.table[1, 0] = state.many[2] // other + state.one % other
    out[0] = state.many[1] < state.one
    out[1] = state.one * state.many[1] + other
    state.table[0, 1] = -state.one
    line = state.table[1]
    line[1] = line[0] - 1


@pytest.mark.parametrize("kind", [kind for kind in WHOLE if kind.itemsize < 8], ids=str)
def test_interpreted_and_compiled_kernels_agree_at_the_extremes(kind):
    least, most = np.iinfo(kind).min, np.iinfo(kind).max
    fields = record(one=kind, many=(kind, 3), table=(kind, (2, 2)))
    for one in (least, least + 1, -1, 0, 1, most - 1, most):
        for many in (least, -1, 0, most):
            states = [blank_state(fields, one=one, many=many) for _ in range(2)]
            outs = [np.zeros(2, np.int64) for _ in range(2)]
            reckon(states[0].record, 3, outs[0])
            interpreted(reckon_first)(states[1].array, 3, outs[1])
            assert states[0] == states[1] and outs[0].tolist() == outs[1].tolist(), (one, many)


@kernel
def reckon_first(states, other, out):
    reckon(states[0], other, out)


@kernel
def mix(states):
    room = new_states(states, 3)
    room[0] = states[0]
    room[1] = room[0]
    room[1].at[:] = -1
    room[1].here.x += 0.1
    room[1].path[1].tag = 5
    room[1].bits ^= np.uint64(3)
    room[1].flag = not room[1].flag
    room[2] = room[1]
    room[2].here = room[2].path[1]
    states[0] = room[1]
    states[1] = room[2]


def test_states_are_copied_nested_and_left_alike_by_both_engines():
    arrays = [np.repeat(mixed().array, 2) for _ in range(2)]
    mix(arrays[0])
    interpreted(mix)(arrays[1])
    assert arrays[0].tobytes() == arrays[1].tobytes()
    first, second = (RecordState(arrays[0][i : i + 1]) for i in range(2))
    assert first.at == (-1, -1, -1) and first.here.x == 0.1 and first.flag and second.here.tag == 5
    one, other = FALL.replace(), FALL.replace()
    for state, begin, go in ((one, start, step), (other, interpreted(start), interpreted(step))):
        begin(state.record, np.uint64(12345))
        for action in (0, 2, 40, 1):
            go(state.record, np.array([action, 1, 0]))
    assert one == other and one.array.tobytes() == other.array.tobytes()
    assert one.stones[1] == one.stones[0] != one.stones[2] and one.stones[2].fallen == 4
    drawn = np.array([fraction(np.uint64(fork(np.uint64(5), use))) for use in range(4000)])
    assert drawn.min() >= 0.0 and drawn.max() < 1.0 and np.histogram(drawn, 4, (0, 1))[0].min() > 900


EXTREMES = {
    "CoinDilemma": {"players": 8, "grid": 15, "horizon": 1000, "own_coin": 100, "others_coin": 100, "lost_coin": -100},
    "MonsterHunt": {"players": 8, "grid": 5, "horizon": 200, "apple": -100, "alone": -100, "together": 100},
    "BattleOfTheColors": {"players": 8, "grid": 4, "horizon": 1000, "own_block": 100, "others_block": -100},
}


@pytest.mark.parametrize("name", EXTREMES)
def test_the_largest_games_are_counted_right_to_the_end(name):
    """Points and counts of the longest games with the highest payoffs: added up beside them, in wide numbers."""
    env = begun(mmgames.vector_env(f"mmgames/{name}-v0", 16, **EXTREMES[name]), 3)
    total = np.zeros((16, 8))
    for _ in range(EXTREMES[name]["horizon"]):
        _, rewards, terminated, _, _ = env.step(env.random_actions())
        total += rewards
    assert terminated.all() and (env.states["points"] == total).all() and np.abs(total).max() > 1000


STONE = record(height=float64, fallen=int16, lies=bool_)
FALLING = record(gravity=float64, scale=kept.float32, stones=(STONE, 3), speed=(float64, (3, 2)))
FALL = blank_state(FALLING, gravity=-0.25)


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
    refused(lambda: FALL.replace(scale=0.1), "does not fit")
