"""Pong for two: both paddles of the old cartridge are played."""

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
