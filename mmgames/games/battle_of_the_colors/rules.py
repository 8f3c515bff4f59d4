"""BattleOfTheColors: meet on a block; each player prefers its own colour."""

from dataclasses import replace
from typing import Any

from mmgames.core.spec import GameSpec
from mmgames.games._dilemma.rules import Dilemma, free_cell, walk, write_features, write_planes
from mmgames.games.battle_of_the_colors import PAYS
from mmgames.kernels.kernel import inlined, kernel
from mmgames.kernels.records import bool_

SETTINGS = {"may_coincide": bool_}
THINGS = {"blocks": ("players",)}
COUNTED = dict.fromkeys(("on_own", "on_others", "missed"), ("players",))


@kernel
def block_at(state, owner):
    return state.blocks[owner]


@kernel
def start(state, noise):
    """Players and blocks on distinct cells."""
    players = len(state.at)
    for seat in range(players):
        state.at[seat] = free_cell(state, block_at, players, seat, noise)
    for block in range(players):
        state.blocks[block] = free_cell(state, block_at, players, players + block, noise)


@kernel
def step(state, actions, noise):
    """Everybody moves; then those who stand on a block together are paid, and blocks come back elsewhere. One alone on
    a block does nothing, unless somebody is on another block: then that block leaves too."""
    walk(state, actions)
    players, occupied, most = len(state.at), 0, 0
    for block in range(players):
        crowd = crowd_on(state, block)
        if crowd > 0 and not is_covered(state, block):
            occupied += 1
            most = max(most, crowd)
    if most < 2 and occupied < 2:
        return
    least = 1 if occupied > 1 else 2  # the crowd from which on a block leaves
    for block in range(players):
        if crowd_on(state, block) >= least and not is_covered(state, block):
            pay_crowd(state, block)
    others = 0 if state.may_coincide else players  # as released, a block may come back on another one
    for block in range(players):
        if crowd_on(state, block) >= least:
            state.blocks[block] = free_cell(state, block_at, others, players + block, noise)


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
    met = crowd_on(state, block) - 1
    for seat in range(len(state.at)):
        if state.at[seat] != state.blocks[block]:
            continue
        if met == 0:
            state.points[seat] += state.apart
            state.missed[seat] += 1
        elif seat == block:
            state.points[seat] += met * state.own_block
            state.on_own[seat] += met
        else:
            state.points[seat] += met * state.others_block
            state.on_others[seat] += met


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
        if players > 2 or seat == 0:
            out[players * (2 if players > 2 else 1) + seat] = state.missed[seat]


EVENTS = {
    "both on the red block": ("own_block", "others_block"),
    "both on the blue block": ("others_block", "own_block"),
    "on different blocks": ("apart", "apart"),
}


class BattleOfTheColors(Dilemma):
    pays, things, counted, pair_events = PAYS, THINGS, COUNTED, EVENTS
    rules = start, step, features, planes, counts
    settings = SETTINGS
    kinds = ("meets another on its own block", "meets another on another's block", "misses the others")

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        blank = self.kernel.blank.replace(may_coincide=self.options["rules"] == "released")
        self.kernel = replace(self.kernel, blank=blank)
