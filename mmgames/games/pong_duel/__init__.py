"""Pong for two: both paddles of the old cartridge are played.

## Description
The cartridge's own game for two players. Everything is as in Pong, but nobody on the other side is bound to follow the
ball: what one side wins the other loses.

## Rules
- Both players choose at the same time; a step holds their actions for 4 frames of the emulator. In each frame each knob
  goes on doing what it did before with probability `sticky` (0.25).
- The episode begins after 1 to 30 steps without an action, drawn at random; they do not count.
- The cartridge wants a button pressed for every serve. It is pressed for the players while the ball is out of play, so
  the ball comes back some 15 steps after a point, and neither side can hold up the game.

## Actions
`<STAY>`, `<UP>`, `<DOWN>`, in this order; all are always legal. A paddle keeps moving for a moment after you let go:
one step of `<UP>` carries it 23 of the field's 160 units in all.

## Observation
The picture is the emulator's screen, scaled to `size`, the same for both; the last four steps are stacked unless
`frames=` says otherwise. In words the field is 160 by 160 units with the origin at the top left. Features (13): whether
the ball is in play, its place and how far it flew in the last step, the own and the other's paddle and how far they
moved, the points of both, the time and whether the episode is over; all scaled to [-1, 1], and mirrored for the left
player, so that both read alike.

## Rewards
+1 for a point, -1 for a point of the other side.

## Episode end
Terminates when either side has 3 points (`points`), and after 1000 steps in any case.

## Agents
`tracker` works out where the ball will arrive and brings the paddle there.

## Source
VS-Bench; the game is Atari's, run by the Arcade Learning Environment for several players (multi-agent-ale-py) with the
cartridge that ale-py brings along.
"""

from dataclasses import replace

from mmgames.games import pong

SPEC = replace(
    pong.SPEC,
    name="PongDuel",
    package=__name__,
    summary="both paddles played: Pong for two",
    seats=("right", "left"),
    dynamics="simultaneous",
    utility="zero_sum",
)
