"""The first game many people played on a screen: two paddles, one ball, and a computer that follows it.

## Description
You hold the right paddle of the Atari 2600 cartridge, the computer holds the left one. Whoever lets the ball pass
gives the other a point. The ball flies faster than the paddle starts and stops, so it pays to see where it will be.

## Rules
- A step holds one action for 4 frames of the emulator. In each frame the knob goes on doing what it did before with
  probability `sticky` (0.25).
- The episode begins after 1 to 30 steps without an action, drawn at random; they do not count.
- The ball comes back some 15 steps after a point.

## Actions
`<STAY>`, `<UP>`, `<DOWN>`, in this order; all are always legal. A paddle keeps moving for a moment after you let go:
one step of `<UP>` carries it 23 of the field's 160 units in all.

## Observation
The picture is the emulator's screen, scaled to `size`; the last four steps are stacked unless `frames=` says
otherwise. In words the field is 160 by 160 units with the origin at the top left. Features (13): whether the ball is in
play, its place and how far it flew in the last step, the own and the other's paddle and how far they moved, the points
of both, the time and whether the episode is over; all scaled to [-1, 1].

## Rewards
+1 for a point, -1 for a point of the computer.

## Episode end
Terminates when either side has 3 points (`points`), and after 1000 steps in any case.

## Agents
`tracker` works out where the ball will arrive and brings the paddle there.

## Source
VS-Bench; the game is Atari's, run by the Arcade Learning Environment (ale-py). VS-Bench scores an episode with up to 90
points for points won and up to 10 for its length (`score.py`); the 398 steps it divides by are not a maximum, so that
share is clipped.
"""

from mmgames.core.spec import Agents, GameSpec, Option

OPTIONS = {
    "points": Option(3, "how many points win", low=1, high=21),
    "sticky": Option(0.25, "how likely a knob repeats itself in a frame", low=0.0, high=0.9),
}

SPEC = GameSpec(
    name="Pong",
    package=__name__,
    summary="the right paddle against the cartridge's own player",
    seats=("right",),
    dynamics="sequential",
    information="perfect",
    utility="general_sum",
    actions="discrete",
    chance="incidental",
    length=1000,
    source="VS-Bench",
    family="arcade games",
    extras=("atari",),
    options=OPTIONS,
    agents=Agents({"tracker": "mmgames.baselines.planners.pong:Tracker"}, reference=("tracker",)),
    frames=4,
)
