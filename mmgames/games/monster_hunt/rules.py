"""MonsterHunt: eat apples alone, or beat the monster together; alone with the monster it hurts."""

from __future__ import annotations

from typing import Any

import numpy as np

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
from mmgames.games.monster_hunt import PAYS
from mmgames.kernels.kernel import below, fork, inlined, kernel

MONSTERS = 1
PREY, AXIS = 0, 1
"""What is drawn from the noise beside free cells: whom the monster goes for, and which way round."""


def fields(players: int) -> np.dtype[Any]:
    counted = dict.fromkeys(("eaten", "hurt", "defeated"), (COUNT, players))
    return grid_fields(players, PAYS, apples=(CELL, players), monster=CELL, **counted)


@kernel
def thing(state, which):
    return state.apples[which] if which < len(state.apples) else state.monster


@kernel
def start(state, noise):
    """Players, apples and the monster on distinct cells."""
    state.apples[:] = NOWHERE
    state.monster = NOWHERE
    for seat in range(len(state.at)):
        state.eaten[seat] = state.hurt[seat] = state.defeated[seat] = 0
    begin(state, thing, len(state.at) + MONSTERS, noise)
    for apple in range(len(state.at)):
        respawn_apple(state, apple, noise)
    respawn_monster(state, noise)


@inlined
def respawn_apple(state, apple, noise):
    state.apples[apple] = free_cell(state, thing, len(state.at) + MONSTERS, len(state.at) + apple, noise)


@inlined
def respawn_monster(state, noise):
    state.monster = free_cell(state, thing, len(state.at) + MONSTERS, 2 * len(state.at), noise)


@kernel
def step(state, actions, noise):
    """Everybody moves, then the monster; apples are eaten or trampled; then whoever meets the monster is paid."""
    walk(state, actions)
    prowl(state, noise)
    for apple in range(len(state.at)):
        gone = state.monster == state.apples[apple]  # the monster tramples an apple, but takes nobody's pay
        for seat in range(len(state.at)):
            if state.at[seat] == state.apples[apple]:
                state.points[seat] += state.apple
                state.eaten[seat] += 1
                gone = True
        if gone:
            respawn_apple(state, apple, noise)
    met = 0
    for seat in range(len(state.at)):
        met += state.at[seat] == state.monster
    if met == 1:
        hurt_who_is_alone(state, noise)
    elif met > 1:
        defeat_monster(state, noise)


@inlined
def steps_between(cell, x, y, side):
    return abs(cell % side - x) + abs(cell // side - y)


@inlined
def prowl(state, noise):
    """The monster steps towards the closest player; ties, of players and of axes, are settled by the noise."""
    side = np.int64(state.side)
    x, y = state.monster % side, state.monster // side
    prey, nearest, ties = 0, steps_between(state.at[0], x, y, side), 1
    for seat in range(1, len(state.at)):
        away = steps_between(state.at[seat], x, y, side)
        if away < nearest:
            prey, nearest, ties = seat, away, 1
        elif away == nearest:
            ties += 1
    if ties > 1:
        skip = below(fork(noise, PREY), ties)
        for seat in range(len(state.at)):
            if steps_between(state.at[seat], x, y, side) == nearest:
                if skip == 0:
                    prey = seat
                skip -= 1
    across, along = state.at[prey] % side - x, state.at[prey] // side - y
    if across != 0 and (along == 0 or below(fork(noise, AXIS), 2) == 0):
        state.monster += 1 if across > 0 else -1
    elif along != 0:
        state.monster += side if along > 0 else -side


@inlined
def hurt_who_is_alone(state, noise):
    """One player is with the monster: it pays and is put elsewhere."""
    for seat in range(len(state.at)):
        if state.at[seat] == state.monster:
            state.points[seat] += state.alone
            state.hurt[seat] += 1
            state.at[seat] = free_cell(state, thing, len(state.at) + MONSTERS, seat, noise)
            return


@inlined
def defeat_monster(state, noise):
    """Several players are with the monster: all of them are paid, and it comes back elsewhere."""
    for seat in range(len(state.at)):
        if state.at[seat] == state.monster:
            state.points[seat] += state.together
            state.defeated[seat] += 1
    respawn_monster(state, noise)


@kernel
def features(state, seat, out):
    write_features(state, thing, len(state.at) + MONSTERS, False, seat, out)


@kernel
def planes(state, seat, out):
    write_planes(state, thing, len(state.at) + MONSTERS, False, seat, out)


@kernel
def counts(state, out):
    """What each has eaten, then met alone, then met with others, which two do together: that counts once."""
    players = len(state.at)
    for seat in range(players):
        out[seat] = state.eaten[seat]
        out[players + seat] = state.hurt[seat]
        if players > 2 or seat == 0:
            out[2 * players + seat] = state.defeated[seat]


def pair_events(apple: int, alone: int, together: int) -> tuple[DilemmaEvent, ...]:
    """What red and blue can do, in the order in which it is counted."""
    return (
        DilemmaEvent("red eats an apple", apple, 0),
        DilemmaEvent("blue eats an apple", 0, apple),
        DilemmaEvent("red meets the monster alone", alone, 0),
        DilemmaEvent("blue meets the monster alone", 0, alone),
        DilemmaEvent("both meet the monster", together, together),
    )


DESIGN = Design(
    PAYS, ("eats an apple", "meets the monster alone", "meets the monster with others"), pair_events, counts, thing,
    MONSTERS,
)  # fmt: skip


class MonsterHunt(Dilemma):
    design, fields, rules = DESIGN, staticmethod(fields), (start, step, features, planes)
