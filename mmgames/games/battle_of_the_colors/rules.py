"""BattleOfTheColors: meet on a block; each player prefers its own colour."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mmgames.core.spec import GameSpec
from mmgames.games._dilemma.rules import (
    ALL_MOVED,
    CELLS,
    HAS,
    MOVED,
    OWNED,
    THINGS,
    VARIED_OWNED,
    Design,
    Dilemma,
    DilemmaEvent,
    anew,
    count,
    dilemma_kernels,
    free_cell,
    pay_of,
    players_of,
    side_of,
    walk,
)
from mmgames.games._dilemma.setup import PLAYERS
from mmgames.games.battle_of_the_colors import PAYS
from mmgames.kernels.kernel import fork, inlined, kernel

RED_BLOCK, BLUE_BLOCK = THINGS, THINGS + 1
OWN, OTHERS, APART = range(3)
(OWN_PAYS, _), (OTHERS_PAYS, _), (APART_PAYS, _) = PAYS.values()
NO_BLOCK = -1


def pair_events(own: int, others: int, apart: int) -> tuple[DilemmaEvent, ...]:
    """What red and blue can do, in the order in which it is counted."""
    return (
        DilemmaEvent("both on the red block", own, others),
        DilemmaEvent("both on the blue block", others, own),
        DilemmaEvent("on different blocks", apart, apart),
    )


DESIGN = Design(
    PAYS, ("meets another on its own block", "meets another on another's block", "misses the others"), pair_events
)


@inlined
def crowds_on(row, players):
    """How many stand on each block, four bits for each; on how many blocks somebody stands, and the largest crowd.

    Where blocks coincide, the first of them counts as the one that is stood on."""
    first, blocks = HAS + 2 * players, HAS + 3 * players
    crowds, occupied, most = 0, 0, 0
    for block in range(players):
        crowd, covered = 0, False
        for seat in range(players):
            crowd += row[first + seat] == row[blocks + block]
        for other in range(block):
            covered |= row[blocks + other] == row[blocks + block]
        crowds |= crowd << 4 * block
        if crowd > 0 and not covered:
            occupied += 1
            most = max(most, crowd)
    return crowds, occupied, most


@inlined
def pay(row, block, crowd, players, own, others, apart):
    """Pay and count what those on a block do: they meet, or one is alone while somebody is on another block."""
    place = HAS + 3 * players + block
    for seat in range(players):
        if row[HAS + 2 * players + seat] != row[place]:
            continue
        if crowd == 1:
            row[HAS + seat] += apart
        else:
            row[HAS + seat] += (crowd - 1) * (own if seat == block else others)
        if players > PLAYERS:
            kind = APART if crowd == 1 else OWN if seat == block else OTHERS
            count(row, players, players, kind, seat, max(1, crowd - 1))
        elif seat == 0:  # two players do this together, which is counted once
            row[HAS + 4 * players + (block if crowd > 1 else players)] += 1


@inlined
def play(row, actions, noise, players, cells, moved, own, others, apart, may_coincide):
    """Everybody moves; then those who stand on a block together are paid, and blocks come back elsewhere."""
    walk(row, actions, players, moved)
    crowds, occupied, most = crowds_on(row, players)
    if most < 2 and occupied < 2:
        return
    blocks, least = HAS + 3 * players, 1 if occupied > 1 else 2  # crowds from which on a block leaves
    for block in range(players):
        crowd, covered = crowds >> 4 * block & 15, False
        for other in range(block):
            covered |= row[blocks + other] == row[blocks + block]
        if crowd >= least and not covered:
            pay(row, block, crowd, players, own, others, apart)
    for block in range(players):
        if crowds >> 4 * block & 15 >= least:
            if may_coincide:
                row[blocks + block] = free_cell(fork(noise, blocks + block - 1), row, players, 0, blocks, cells)
            else:
                anew(row, blocks + block, players, players, cells, noise)


@kernel
def step(row, actions, noise):
    play(row, actions, noise, PLAYERS, CELLS, MOVED, OWN_PAYS, OTHERS_PAYS, APART_PAYS, False)


@kernel
def step_released(row, actions, noise):
    play(row, actions, noise, PLAYERS, CELLS, MOVED, OWN_PAYS, OTHERS_PAYS, APART_PAYS, True)


@inlined
def play_varied(row, actions, noise, may_coincide):
    players, side = players_of(row), side_of(row)
    own, others, apart = pay_of(row, OWN, OWN_PAYS), pay_of(row, OTHERS, OTHERS_PAYS), pay_of(row, APART, APART_PAYS)
    play(row, actions, noise, players, side * side, ALL_MOVED[side], own, others, apart, may_coincide)


@kernel
def varied_step(row, actions, noise):
    play_varied(row, actions, noise, False)


@kernel
def varied_step_released(row, actions, noise):
    play_varied(row, actions, noise, True)


class BattleOfTheColors(Dilemma):
    design = DESIGN
    kernel, varied = dilemma_kernels(DESIGN, (step, *OWNED), (varied_step, *VARIED_OWNED))

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        if self.options["rules"] != "paper":
            usual = self.kernel is type(self).kernel
            self.kernel = replace(self.kernel, step=step_released if usual else varied_step_released)
