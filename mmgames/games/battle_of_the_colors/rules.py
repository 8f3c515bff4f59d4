"""BattleOfTheColors: meet on a block; each player prefers its own colour."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from mmgames.core.spec import GameSpec
from mmgames.games._dilemma.rules import (
    CELL,
    COUNT,
    NOWHERE,
    Design,
    Dilemma,
    DilemmaEvent,
    begin,
    free_cell,
    grid_fields,
    walk,
    write_features,
    write_planes,
)
from mmgames.games.battle_of_the_colors import PAYS
from mmgames.kernels.kernel import inlined, kernel
from mmgames.kernels.records import bool_


def fields(players: int) -> np.dtype[Any]:
    counted = dict.fromkeys(("on_own", "on_others", "missed"), (COUNT, players))
    return grid_fields(players, PAYS, may_coincide=bool_, blocks=(CELL, players), **counted)


@kernel
def block_at(state, owner):
    return state.blocks[owner]


@kernel
def start(state, noise):
    """Players and blocks on distinct cells."""
    state.blocks[:] = NOWHERE
    for seat in range(len(state.at)):
        state.on_own[seat] = state.on_others[seat] = state.missed[seat] = 0
    begin(state, block_at, len(state.at), noise)
    for block in range(len(state.at)):
        state.blocks[block] = free_cell(state, block_at, len(state.at), len(state.at) + block, noise)


@kernel
def step(state, actions, noise):
    """Everybody moves; then those who stand on a block together are paid, and blocks come back elsewhere. One alone on
    a block does nothing, unless somebody is on another block: then that block leaves too."""
    walk(state, actions)
    occupied, most = 0, 0
    for block in range(len(state.at)):
        crowd = crowd_on(state, block)
        if crowd > 0 and not is_covered(state, block):
            occupied += 1
            most = max(most, crowd)
    if most < 2 and occupied < 2:
        return
    least = 1 if occupied > 1 else 2  # the crowd from which on a block leaves
    for block in range(len(state.at)):
        if crowd_on(state, block) >= least and not is_covered(state, block):
            pay_crowd(state, block)
    for block in range(len(state.at)):
        if crowd_on(state, block) >= least:
            respawn_block(state, block, noise)


@inlined
def crowd_on(state, block):
    crowd = 0
    for seat in range(len(state.at)):
        crowd += state.at[seat] == state.blocks[block]
    return crowd


@inlined
def is_covered(state, block):
    """Where blocks coincide, the first of them counts as the one that is stood on."""
    covered = False
    for other in range(block):
        covered |= state.blocks[other] == state.blocks[block]
    return covered


@inlined
def pay_crowd(state, block):
    """Those on a block meet, each being paid for every other one there, or one of them misses the others."""
    crowd = crowd_on(state, block)
    for seat in range(len(state.at)):
        if state.at[seat] != state.blocks[block]:
            continue
        if crowd == 1:
            state.points[seat] += state.apart
            state.missed[seat] += 1
        elif seat == block:
            state.points[seat] += (crowd - 1) * state.own_block
            state.on_own[seat] += crowd - 1
        else:
            state.points[seat] += (crowd - 1) * state.others_block
            state.on_others[seat] += crowd - 1


@inlined
def respawn_block(state, block, noise):
    players = len(state.at)
    others = 0 if state.may_coincide else players  # as released, it may lie on another block
    state.blocks[block] = free_cell(state, block_at, others, players + block, noise)


@kernel
def features(state, seat, out):
    write_features(state, block_at, len(state.at), True, seat, out)


@kernel
def planes(state, seat, out):
    write_planes(state, block_at, len(state.at), True, seat, out)


@kernel
def counts(state, out):
    """Two do everything together: on the first's block, on the second's, apart. Several are counted each."""
    players = len(state.at)
    for seat in range(players):
        out[seat] = state.on_own[seat]
        if players > 2:
            out[players + seat] = state.on_others[seat]
            out[2 * players + seat] = state.missed[seat]
    if players == 2:
        out[2] = state.missed[0]


def pair_events(own: int, others: int, apart: int) -> tuple[DilemmaEvent, ...]:
    """What red and blue can do, in the order in which it is counted."""
    return (
        DilemmaEvent("both on the red block", own, others),
        DilemmaEvent("both on the blue block", others, own),
        DilemmaEvent("on different blocks", apart, apart),
    )


DESIGN = Design(
    PAYS, ("meets another on its own block", "meets another on another's block", "misses the others"), pair_events,
    counts, block_at,
)  # fmt: skip


class BattleOfTheColors(Dilemma):
    design, fields, rules = DESIGN, staticmethod(fields), (start, step, features, planes)

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        blank = self.kernel.blank.replace(may_coincide=self.options["rules"] == "released")
        self.kernel = replace(self.kernel, blank=blank)
