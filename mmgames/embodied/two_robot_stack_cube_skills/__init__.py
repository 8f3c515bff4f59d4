"""Two robot arms build a tower of two cubes on a target, told skill by skill.

## Description
The world of TwoRobotStackCube, with skills in place of numbers: two Panda arms stand on either side of a table, each
with a cube that only it reaches, and a round target lies in between. The green cube has to lie on the target and the
blue one to stand on it. What to do and when is to be decided; how a hand moves is not.

## Rules
- In every decision each arm is told one skill. Both run theirs at the same time in ManiSkill's physics, 20 steps of
  control a second; the next decision comes when both have ended, after 80 steps at the latest.
- The left arm stands at (0, -0.75), the right one at (0, 0.75); coordinates are metres, z is up, the table is at 0.
- Everything is drawn at random: the blue cube at x ±0.05, y -0.2 to -0.1, the green one at x ±0.05, y 0.1 to 0.2,
  both with any heading, the target at x ±0.05, y -0.1.
- It is done when the green cube's middle is within 6 cm of the target's, the blue cube stands on it, and no hand
  holds either of them.

## Actions
Nine skills, of which those are legal that the arm can try now:

| | skill | possible |
|---|---|---|
| 0, 1 | take the blue cube, the green cube | the hand is empty, reaches it, and the other arm does not hold it |
| 2, 3 | lay the blue cube, the green cube on the target | the hand holds it |
| 4 | set the blue cube on the green cube | the hand holds the blue one and reaches the other, which nobody holds |
| 5 | set the green cube on the blue cube | the same with the green one |
| 6 | open the hand | the hand holds a cube |
| 7 | go home | always; with what the hand holds |
| 8 | wait | always; for a moment, and until the other arm has ended |

A skill that is possible may still fail: the fingers close on nothing, a cube slips out of them or falls off the other,
something lies on the target, the arms are in each other's way. What came of it, and why it failed, is told in words and
in `info["skill"]`: `skill`, its name, `failed`, the reason or nothing, and `steps`, how many steps of control it took.

## Observation
The picture and what a prompt tells beside it are those of TwoRobotStackCube, with `coordinates=True` where things are,
and what came of all skills so far. Features (91), from -1 to 1: those of TwoRobotStackCube (87), after who holds which
cube also whether the left arm holds the green one and the right arm the blue one (2); at the end, of the own last skill
and the other's, whether it is done, 1, or has failed, -1.

## Rewards
The same for both: how far the job has come at its best, from 0 at the start to 1 when it is done. It has four stages
of a quarter each: the right arm holds the green cube; it lies on the target; the left arm holds the blue cube; it
stands on the green one. Within a stage the share grows as the hand or the cube comes closer. The sparse return is 1
for success alone.

## Episode end
Terminates with success, and after 12 decisions in any case.

## Agents
`planner` looks at the scene and tells the next skill; it needs three decisions.

## Source
ManiSkill3's TwoRobotStackCube-v1; skills and rewards are our own.
"""

from mmgames.embodied._control import robot_skills

SPEC = robot_skills(
    __name__,
    "TwoRobotStackCubeSkills",
    "two arms build a tower of two cubes, skill by skill",
    "skill_planners:StackSkillPlanner",
)
