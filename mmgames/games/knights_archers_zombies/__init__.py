"""Archers and knights hold a line against zombies who come down the field.

## Description
Zombies come from above and stagger down. Archers shoot them from afar, knights strike them down from close by. Whoever
is touched dies, and when a zombie comes through, or nobody is left, the battle is lost. Everybody counts its own kills,
but lasts only as long as the line does.

## Rules
- The field is 1280 pixels wide and 720 high, (0, 0) at the top left, with walls of 100 pixels on the left and on the
  right. 2 archers and 2 knights (`archers`, `knights`) begin near the lower edge and look up.
- All act in each step, archers first. A player turns by 10 degrees or moves 25 pixels forward or backward, and stays
  on the field; with `deadly=True` it dies at the upper and the lower edge.
- An archer's arrow flies 45 pixels a step the way the archer looks. After a shot the next three tries to shoot do
  nothing but count; the fourth one shoots. There are never more than 10 arrows (`most_arrows`).
- A knight's sword swings around it for six steps, from 40 degrees on its right to 60 degrees on its left. It cannot do
  anything else until the swing is over: its next action comes in the seventh step.
- Then weapons move and kill the zombies they touch; an arrow that hits is gone, a sword strikes on. Then whoever is
  touched by a zombie dies. Then zombies move: 5 pixels down, and in every third step 30 pixels aside, left with a
  chance of 0.4, right with 0.3, unless a wall is there. A new zombie comes at a random place of the upper edge every 20
  steps (`delay`), as long as there are fewer than 10 (`most_zombies`).
- What touches is told by squares: 29×31 pixels for zombies, 46 for arrows, 32 for swords, and for players what is
  around a square of 32 that is turned as they are, 32 to 45.

## Actions
`<FORWARD>`, `<BACKWARD>`, `<TURN LEFT>`, `<TURN RIGHT>`, `<ATTACK>`, `<WAIT>`, in this order. For the dead `<WAIT>`
alone is legal. What is done while one cannot is lost, and legal.

## Observation
The picture shows the field, the same for all: archers are green with a bow, knights blue with a helmet, each with its
number, and how many each has killed stands on the walls. Features (135): five numbers for oneself (0, place, where it
looks), and then for each archer, knight, sword that is out, arrow and zombie, up to the most there can be: distance,
where it is from here, where it points; zeros for what is not there. Places are shares of the field's width and height.

## Rewards
+1 for each zombie that one's arrow or sword has killed, when it happens; also for an arrow whose archer has died
meanwhile.

## Episode end
Terminates when a zombie comes through at the bottom, when all players are dead, and after 900 steps (`horizon`).

## Agents
`heuristic` aims at where the zombie that is lowest will be (archers), and waits beside its way and strikes (knights);
archers share out the lowest ones, and so do knights. With `nearest` everybody goes for the zombie nearest to it.

## Source
knights_archers_zombies_v11 of PettingZoo 1.27 (butterfly), with its numbers, its order of things and its vector
observation; it is compared step by step. There the dead leave, rewards come to some agents a step later, the time
limit truncates, and who may be killed can be chosen. Pictures and words are our own.
"""

from mmgames.core.spec import Agents, GameSpec, Option

SPEC = GameSpec(
    name="KnightsArchersZombies",
    package=__name__,
    summary="two archers and two knights hold a line against zombies",
    seats=("archer_1", "archer_2", "knight_1", "knight_2"),
    dynamics="simultaneous",
    information="perfect",
    utility="general_sum",
    actions="discrete",
    chance="incidental",
    length=900,
    source="PettingZoo (butterfly)",
    family="continuous worlds",
    options={
        "archers": Option(2, "how many archers there are", low=1, high=4),
        "knights": Option(2, "how many knights there are", low=1, high=4),
        "horizon": Option(900, "how many steps an episode has at the most", low=1, high=10_000),
        "delay": Option(20, "how many steps pass between one zombie and the next", low=1, high=1000),
        "most_zombies": Option(10, "how many zombies there are at the most at a time", low=1, high=30),
        "most_arrows": Option(10, "how many arrows there are at the most at a time", low=1, high=30),
        "deadly": Option(False, "whether players die at the upper and the lower edge", choices=(False, True)),
    },
    agents=Agents(
        {
            "heuristic": "mmgames.baselines.planners.knights_archers_zombies:Heuristic",
            "nearest": "mmgames.baselines.planners.knights_archers_zombies:Nearest",
        },
        reference=("heuristic",),
    ),
    batched=True,
)
