"""Games for two: their states have `turn`, whose it is, NOBODY's at the end, and `result`, that of the first seat."""

from mmgames.kernels.kernel import inlined, kernel
from mmgames.kernels.kernel_game import NOBODY


@kernel
def turn(state):
    return state.turn


@kernel
def returns(state, out):
    out[0] = state.result
    out[1] = -state.result


@inlined
def win(state, seat):
    """The game is over, and this seat has won it."""
    state.result = 1 - 2 * seat
    state.turn = NOBODY
