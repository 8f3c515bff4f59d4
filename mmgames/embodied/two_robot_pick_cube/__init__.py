"""Two robot arms bring a cube to a point in the air that neither reaches alone.

## Description
Two Panda arms stand on either side of a table. The cube lies where only the left one reaches it, and the goal hangs
where only the right one does: one has to hand the cube over to the other.

## Rules
- All robots move at the same time, 20 times a second; the physics is ManiSkill's, at 100 steps a second.
- The left arm stands at (0, -0.75), the right one at (0, 0.75); coordinates are metres, z is up, the table is at 0.
- Cube (4 cm) and goal are drawn at random: the cube at x ±0.05, y -0.2 to -0.1 with any heading, the goal at x ±0.05,
  y 0.1 to 0.2, z 0.02 to 0.32.
- Both arms begin drawn back, so that they hide neither cube nor goal.
- It is done when the cube's middle is within 2.5 cm of the goal and the right arm stands still.

## Actions
`control="hand"`, the default: seven numbers from -1 to 1. The first three move the hand along x, y and z, 1 asks for
10 cm; the next three turn it about these axes, 1 asks for 0.1 radians; the last one is the gripper, 1 open, -1
closed. An arm makes about a third of what it is asked for in one step, so look and correct. `control="joints"`: eight
numbers, the turns of seven joints (1 asks for 0.1 radians) and the gripper.

## Observation
The picture shows the table from the side, the goal as a green ball with a thread down to the table; it is drawn from
the poses, in software where there is no graphics device. A prompt with a picture leaves out where things are, unless
`coordinates=True` asks for it; one without a picture always tells it, in metres. Features (74), from -1 to 1: of the
own arm and then of the other the joints (9), their speeds (9) and the pose of the hand (7); the poses of cube and
goal (7 each), where they are from the own hand (6), who holds the cube (2), how far the job has come, whether it is
over (2).

## Rewards
The same for both: how far the job has come at its best, from 0 at the start to 1 when it is done. It has four stages
of a quarter each: the left arm holds the cube; the cube is where the right arm reaches it; the right arm holds it; it
is at the goal. Within a stage the share grows as the hand or the cube comes closer. The sparse return is 1 for
success alone.

## Episode end
Terminates with success, and after 100 steps in any case.

## Agents
`planner` leads the hands from point to point; both arms do their part of one plan.

## Source
ManiSkill3's TwoRobotPickCube-v1, with arms that have no cameras on their wrists and begin drawn back, and rewards of
our own. `mmgames.vector_env` runs many of them on a CUDA device; that could not be tried by us.
"""

from mmgames.embodied._control import CONTROL, robot_control

SPEC = robot_control(
    __name__,
    "TwoRobotPickCube",
    "two arms hand a cube over and lift it to a goal",
    "arm_planners:PickPlanner",
    seats=("left", "right"),
    options=CONTROL,
    vector="mmgames.embodied._control.batch:ControlBatch",
)
