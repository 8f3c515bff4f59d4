"""Three robots serve an apple: an arm fills the bowl, a mobile robot comes for it, a humanoid rings the bell.

## Description
A Panda arm stands on a kitchen counter, a Unitree G1 before it, and a Fetch waits further back. The arm takes the
apple and puts it into the bowl, Fetch drives to the blue spot on the floor, and the humanoid reaches for the brass
bell. Each can do only its own part, and it counts when all three are done at the same moment.

## Rules
- All robots move at the same time, 20 times a second; the physics is ManiSkill's, at 100 steps a second.
- Coordinates are metres, z is up, the floor is at 0 and the counter's top at 0.69. The arm stands at (0.15, -1.05) on
  the counter, Fetch starts at (-1.3, 0.75), the humanoid stands at (-0.3, -0.05) and cannot walk.
- Apple, bowl, bell and spot are drawn at random, each from a region of about ten centimetres, the spot's larger.
- It is done when the apple lies in the bowl and the arm has let go, Fetch's middle is within 15 cm of the spot's, and
  the humanoid's right hand is within 5 cm of the bell's middle.

## Actions
Numbers from -1 to 1. `arm` has seven: the first three move its hand along x, y and z, 1 asks for 10 cm; the next
three turn it about these axes, 1 asks for 0.1 radians; the last one is the gripper, 1 open, -1 closed. `fetch` has
13: seven joints of its arm (1 asks for 0.1 radians), its gripper, head pan, head tilt and torso lift (0.1), then how
fast it drives forward (1 is 1 m/s) and how fast it turns to the left (1 is 3.14 radians/s). `humanoid` has 25, its
joints as ManiSkill lists them: torso, then shoulder pitch, shoulder roll, shoulder yaw, elbow pitch and elbow roll,
each left and right (1 asks for 0.2 radians), then the fingers (0.5). A robot makes about a third of what its joints
are asked for in one step.

## Observation
The picture shows the kitchen from a corner, with all robots and all that they have to reach; it is drawn from the
poses, in software where there is no graphics device. A prompt with a picture leaves out where things are, unless
`coordinates=True` asks for it; one without a picture always tells it, in metres. Features (162), from -1 to 1: of the
own robot and then of the others in order the joints (9, 15 or 25), their speeds and the pose of the hand (7); the
poses of apple, bowl, bell and spot (7 each), where they are from the own hand (12), whether the arm holds the apple,
how far the job has come, whether it is over. Fetch's first three joints are how far it has driven along x and y, and
turned.

## Rewards
The same for all: how far the job has come at its best, from 0 at the start to 1 when it is done. The apple gives a
half, in two stages (held, in the bowl), Fetch a quarter as it comes closer to the spot, and the bell a quarter, which
counts once the others are done. The sparse return is 1 for success alone.

## Episode end
Terminates with success, and after 100 steps in any case.

## Agents
`planner` leads the arm's hand from point to point, drives Fetch straight to its spot, and bends the humanoid's arm
until its hand is at the bell.

## Source
A task of our own in ManiSkill3, with the counter, robots, apple and bowl that its wheel brings.
"""

from mmgames.embodied._control import robot_control

SPEC = robot_control(
    __name__,
    "ThreeRobotKitchen",
    "an arm, a mobile robot and a humanoid serve an apple",
    "kitchen_robots:KitchenPlanner",
    seats=("arm", "fetch", "humanoid"),
)
