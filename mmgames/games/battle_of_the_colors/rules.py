"""BattleOfTheColors: meet on a block; each player prefers its own colour."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mmgames.core.spec import GameSpec
from mmgames.games._dilemma.rules import (
    BLUE_AT,
    RED_AT,
    THINGS,
    Dilemma,
    DilemmaEvent,
    dilemma_kernel,
    free_cell,
    happen,
    payoffs,
    scatter,
    walk,
    write_features,
    write_planes,
)
from mmgames.kernels.kernel import fork, kernel

BLOCKS = 2
RED_BLOCK, BLUE_BLOCK = THINGS, THINGS + 1
EVENTS = (
    DilemmaEvent("both on the red block", +2, +1),
    DilemmaEvent("both on the blue block", +1, +2),
    DilemmaEvent("on different blocks", 0, 0),
)
BOTH_RED, BOTH_BLUE, APART = range(3)
PAYOFFS = payoffs(EVENTS)


@kernel
def start(row, noise):
    scatter(row, BLOCKS, noise)


@kernel
def respawn(row, block, noise, may_coincide):
    """A new place for a block, off the players and, unless they may coincide, off the other block."""
    other = RED_BLOCK + BLUE_BLOCK - block
    kept = row[other]
    if may_coincide:
        row[other] = -1
    row[block] = free_cell(fork(noise, block), row, BLOCKS, block)
    row[other] = kept


@kernel
def play(row, actions, noise, may_coincide):
    walk(row, actions)
    red, blue = row[RED_AT], row[BLUE_AT]
    on_block = (red == row[RED_BLOCK] or red == row[BLUE_BLOCK]) and (blue == row[RED_BLOCK] or blue == row[BLUE_BLOCK])
    if on_block:
        if red != blue:
            event = APART
        else:
            event = BOTH_RED if red == row[RED_BLOCK] else BOTH_BLUE  # where the blocks coincide, red pays
        happen(row, event, BLOCKS, PAYOFFS)
        red_left = event == APART or red == row[RED_BLOCK]
        blue_left = event == APART or blue == row[BLUE_BLOCK]
        if red_left:
            respawn(row, RED_BLOCK, noise, may_coincide)
        if blue_left:
            respawn(row, BLUE_BLOCK, noise, may_coincide)


@kernel
def step(row, actions, noise):
    play(row, actions, noise, False)


@kernel
def step_released(row, actions, noise):
    play(row, actions, noise, True)


@kernel
def features(row, seat, out):
    write_features(row, seat, BLOCKS, True, out)


@kernel
def planes(row, seat, out):
    write_planes(row, seat, BLOCKS, True, out)


class BattleOfTheColors(Dilemma):
    things = BLOCKS
    events_table = EVENTS
    kernel = dilemma_kernel(BLOCKS, EVENTS, start, step, features, planes)

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        if self.options["rules"] != "paper":
            self.kernel = replace(self.kernel, step=step_released)
