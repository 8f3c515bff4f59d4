"""Two robot arms bring a cube to a point in the air that neither reaches alone, told skill by skill.

## Description
The world of TwoRobotPickCube, with skills in place of numbers: two Panda arms stand on either side of a table, the cube
lies where only the left one reaches it, and the goal hangs where only the right one does. What to do and when is to be
decided; how a hand moves is not.

## Rules
- In every decision each arm is told one skill. Both run theirs at the same time in ManiSkill's physics, 20 steps of
  control a second; the next decision comes when both have ended, after 80 steps at the latest.
- The left arm stands at (0, -0.75), the right one at (0, 0.75); coordinates are metres, z is up, the table is at 0.
- Cube (4 cm) and goal are drawn at random: the cube at x ±0.05, y -0.2 to -0.1 with any heading, the goal at x ±0.05,
  y 0.1 to 0.2, z 0.02 to 0.32.
- It is done when the cube's middle is within 2.5 cm of the goal and the right arm stands still.

## Actions
Six skills, of which those are legal that the arm can try now:

| | skill | possible |
|---|---|---|
| 0 | take the cube | the hand is empty, reaches it (80 cm along the table), and the other arm does not hold it |
| 1 | lay the cube in the middle | the hand holds it |
| 2 | bring the cube to the goal | the hand holds it and reaches the goal |
| 3 | open the hand | the hand holds it |
| 4 | go home | always; with what the hand holds |
| 5 | wait | always; for a moment, and until the other arm has ended |

A skill that is possible may still fail: the fingers close on nothing, the cube slips out of them, the arms are in each
other's way. What came of it, and why it failed, is told in words and in `info["skill"]`: `skill`, its name, `failed`,
the reason or nothing, and `steps`, how many steps of control it took.

## Observation
The picture and what a prompt tells beside it are those of TwoRobotPickCube, with `coordinates=True` where things are,
and what came of all skills so far. Features (76), from -1 to 1: those of TwoRobotPickCube (74), and of the own last
skill and the other's whether it is done, 1, or has failed, -1.

## Rewards
The same for both: how far the job has come at its best, from 0 at the start to 1 when it is done. It has four stages
of a quarter each: the left arm holds the cube; the cube is where the right arm reaches it; the right arm holds it; it
is at the goal. Within a stage the share grows as the hand or the cube comes closer. The sparse return is 1 for
success alone.

## Episode end
Terminates with success, and after 12 decisions in any case.

## Agents
`planner` looks at the scene and tells the next skill; it needs four decisions.

## Source
ManiSkill3's TwoRobotPickCube-v1; skills and rewards are our own.
"""

from mmgames.embodied._control import robot_skills

SPEC = robot_skills(
    __name__,
    "TwoRobotPickCubeSkills",
    "two arms hand a cube over and lift it to a goal, skill by skill",
    "skill_planners:PickSkillPlanner",
)
