"""Where everything stands in the kitchen, in metres: plain numbers for scene, rules, words and agents alike."""

from mmgames.embodied._control.scene import ControlTask

TASK = ControlTask.told_in(__package__)
PANDA, FETCH, G1 = range(3)
MODES = ("pd_ee_delta_pose", "pd_joint_delta_pos", "pd_joint_delta_pos")
NUMBERS = (7, 13, 25)  # how many numbers an action of each has
COUNTER_SCALE, APPLE_SCALE = 0.82, 0.56
COUNTER_TOP = 0.692
STANDS = (
    ((0.15, -1.05, COUNTER_TOP), (0.70710678, 0.0, 0.0, 0.70710678)),
    ((-1.3, 0.75, 0.0), (1.0, 0.0, 0.0, 0.0)),
    ((-0.3, -0.05, 0.755), (1.0, 0.0, 0.0, 0.0)),
)
"""Place and turn of each robot's base at the start. A base inside the counter makes joints explode."""

APPLE, BOWL, BELL, SPOT = range(4)
REGIONS = {
    "apple": ((-0.06, -0.68), (0.03, -0.58)),
    "bowl": ((0.28, -0.62), (0.34, -0.5)),
    "bell": ((-0.06, -0.17), (0.0, -0.11)),
    "spot": ((-0.85, 0.3), (-0.7, 0.6)),
}
"""Between which corners (x, y) things are drawn."""
HEIGHTS = {"apple": 0.721, "bowl": 0.753, "bell": 0.715, "spot": 0.004}
BELL_RADIUS, SPOT_RADIUS = 0.035, 0.15
RING_WITHIN = 0.05  # so close a hand must come to the bell's middle to ring it
BOWL_RADIUS = 0.06
