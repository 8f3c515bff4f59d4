"""What the rows of games for two begin with: whose turn it is, NOBODY's at the end, and the first seat's result."""

from mmgames.kernels.kernel import kernel

TURN, RESULT = range(2)


@kernel
def turn(row):
    return row[TURN]


@kernel
def returns(row, out):
    out[0] = row[RESULT]
    out[1] = -row[RESULT]
