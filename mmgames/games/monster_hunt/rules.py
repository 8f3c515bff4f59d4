"""MonsterHunt: eat apples alone, or beat the monster together; alone with the monster it hurts."""

from __future__ import annotations

from mmgames.games._dilemma.rules import (
    ACROSS,
    ALL_ACROSS,
    ALL_ALONG,
    ALL_MOVED,
    ALONG,
    CELLS,
    HAS,
    MOVED,
    SIDE,
    STEP,
    THINGS,
    TIME,
    Design,
    Dilemma,
    DilemmaEvent,
    anew,
    count,
    dilemma_kernels,
    pay_of,
    players_of,
    scatter,
    side_of,
    time_of,
    walk,
    write_features,
    write_planes,
)
from mmgames.games._dilemma.setup import PLAYERS
from mmgames.games.monster_hunt import PAYS
from mmgames.kernels.kernel import below, fork, inlined, kernel

MONSTERS = 1
THINGS_HERE = PLAYERS + MONSTERS  # an apple for each player, and the monster
MONSTER_AT = THINGS + PLAYERS
PREY, AXIS = 0, 1  # what is drawn from the noise beside new places, which are numbered as in the row
EATS, ALONE, TOGETHER = range(3)
(EATS_PAYS, _), (ALONE_PAYS, _), (TOGETHER_PAYS, _) = PAYS.values()


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
    PAYS, ("eats an apple", "meets the monster alone", "meets the monster with others"), pair_events, MONSTERS
)


@kernel
def start(row, noise):
    scatter(row, PLAYERS, THINGS_HERE, CELLS, noise)


@kernel
def varied_start(row, noise):
    players, side = players_of(row), side_of(row)
    scatter(row, players, players + MONSTERS, side * side, noise)


@inlined
def far(cell, x, y, side):
    """Steps between a cell and a place."""
    return abs(cell % side - x) + abs(cell // side - y)


@inlined
def prowl(row, noise, players, side):
    """The monster steps towards the closest player; ties, of players and of axes, are settled by the noise."""
    first, monster = HAS + 2 * players, HAS + 4 * players
    at = row[monster]
    x, y = at % side, at // side
    nearest, ties = far(row[first], x, y, side), 1
    prey = row[first]
    for seat in range(1, players):
        away = far(row[first + seat], x, y, side)
        if away < nearest:
            nearest, ties, prey = away, 1, row[first + seat]
        elif away == nearest:
            ties += 1
    if ties > 1:
        skip = below(fork(noise, PREY), ties)
        for seat in range(players):
            if far(row[first + seat], x, y, side) == nearest:
                if skip == 0:
                    prey = row[first + seat]
                skip -= 1
    across, along = prey % side - x, prey // side - y
    if across != 0 and (along == 0 or below(fork(noise, AXIS), 2) == 0):
        row[monster] += 1 if across > 0 else -1
    elif along != 0:
        row[monster] += side if along > 0 else -side


@inlined
def play(row, actions, noise, players, side, moved, apple_pays, alone_pays, together_pays):
    walk(row, actions, players, moved)
    prowl(row, noise, players, side)
    first, apples, monster, things = HAS + 2 * players, HAS + 3 * players, HAS + 4 * players, players + MONSTERS
    for apple in range(players):
        eaten = row[monster] == row[apples + apple]  # the monster spoils an apple, but takes nobody's pay
        for seat in range(players):
            if row[first + seat] == row[apples + apple]:
                row[HAS + seat] += apple_pays
                count(row, players, things, EATS, seat, 1)
                eaten = True
        if eaten:
            anew(row, apples + apple, players, things, side * side, noise)
    met, one = 0, 0
    for seat in range(players):
        if row[first + seat] == row[monster]:
            met += 1
            one = seat
    if met == 1:
        row[HAS + one] += alone_pays
        count(row, players, things, ALONE, one, 1)
        anew(row, first + one, players, things, side * side, noise)
    elif met > 1:
        for seat in range(players):
            if row[first + seat] == row[monster]:
                row[HAS + seat] += together_pays
                if players > PLAYERS or seat == 0:  # two players do this together, which is counted once
                    count(row, players, things, TOGETHER, seat, 1)
        anew(row, monster, players, things, side * side, noise)


@kernel
def step(row, actions, noise):
    play(row, actions, noise, PLAYERS, SIDE, MOVED, EATS_PAYS, ALONE_PAYS, TOGETHER_PAYS)


@kernel
def varied_step(row, actions, noise):
    players, side = players_of(row), side_of(row)
    eats, alone = pay_of(row, EATS, EATS_PAYS), pay_of(row, ALONE, ALONE_PAYS)
    play(row, actions, noise, players, side, ALL_MOVED[side], eats, alone, pay_of(row, TOGETHER, TOGETHER_PAYS))


@kernel
def features(row, seat, out):
    write_features(row, seat, PLAYERS, THINGS_HERE, False, ACROSS, ALONG, TIME[row[STEP]], out)


@kernel
def varied_features(row, seat, out):
    players, side = players_of(row), side_of(row)
    things = players + MONSTERS
    write_features(row, seat, players, things, False, ALL_ACROSS[side], ALL_ALONG[side], time_of(row), out)


@kernel
def planes(row, seat, out):
    write_planes(row, seat, PLAYERS, THINGS_HERE, False, SIDE, TIME[row[STEP]], out)


@kernel
def varied_planes(row, seat, out):
    players = players_of(row)
    write_planes(row, seat, players, players + MONSTERS, False, side_of(row), time_of(row), out)


class MonsterHunt(Dilemma):
    design = DESIGN
    kernel, varied = dilemma_kernels(
        DESIGN, (step, start, features, planes), (varied_step, varied_start, varied_features, varied_planes)
    )
