"""Two players blow at a puck.

## Description
A puck slides over a table, and a player on either side blows at it. The table is a simulator: it moves on, and cannot
be copied or pickled.

## Rules
- In each of 12 steps both blow at the same time; the two forces add up, and the puck loses a tenth of its speed.
- The puck starts in the middle with a small push that is drawn at random. The sides of the table throw it back.
- Where it is in the end counts, and it counts at once when it leaves the table.

## Actions
Two numbers from -1 to 1: the force to the right and the force upwards.

## Observation
The picture shows the table and the puck. Features (6): the puck's place and speed, the time, whether it is over.

## Rewards
How far the puck has moved to the right for the left player, and to the left for the right player.

## Episode end
Terminates after 12 steps, or when the puck leaves the table.

## Agents
`random`.

## Source
Made for these tests.
"""

from mmgames.core.spec import GameSpec

SPEC = GameSpec(
    name="PuckPush",
    package=__name__,
    summary="blow at a puck",
    seats=("left", "right"),
    dynamics="simultaneous",
    information="perfect",
    utility="zero_sum",
    actions="box",
    chance="incidental",
    length=12,
    source="tests",
    family="toys",
    namespace="tests",
    searchable=False,
    doc=__doc__,
)
