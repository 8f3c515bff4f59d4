"""CoinDilemma: collect coins; a coin of the other's colour costs the other player two points."""

from __future__ import annotations

from mmgames.games._dilemma.rules import (
    BLUE_AT,
    RED_AT,
    SIDE,
    THINGS,
    Dilemma,
    DilemmaEvent,
    DilemmaView,
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

COINS = 2
RED_COIN, BLUE_COIN = THINGS, THINGS + 1
EVENTS = (
    DilemmaEvent("red takes red coin", +1, 0),
    DilemmaEvent("red takes blue coin", +1, -2),
    DilemmaEvent("blue takes red coin", -2, +1),
    DilemmaEvent("blue takes blue coin", 0, +1),
)
PAYOFFS = payoffs(EVENTS)


def cells(view: DilemmaView) -> tuple[tuple[int, ...], ...]:
    """The rows of the grid from the top: 0 empty, 1 red player, 2 blue player, 3 both, 4 red coin, 5 blue coin."""
    codes = [0] * SIDE**2
    for place, code in ((RED_COIN, 4), (BLUE_COIN, 5), (RED_AT, 1), (BLUE_AT, 2)):
        both = code == 2 and codes[view.row[place]] == 1
        codes[view.row[place]] = 3 if both else code  # a coin and a player never share a cell
    return tuple(tuple(codes[first : first + SIDE]) for first in range(SIDE**2 - SIDE, -1, -SIDE))


@kernel
def start(row, noise):
    scatter(row, COINS, noise)


@kernel
def step(row, actions, noise):
    walk(row, actions)
    for coin in range(COINS):
        place = THINGS + coin
        red, blue = row[RED_AT] == row[place], row[BLUE_AT] == row[place]
        # Two players on one coin both collect it.
        if red:
            happen(row, coin, COINS, PAYOFFS)
        if blue:
            happen(row, 2 + coin, COINS, PAYOFFS)
        if red or blue:
            row[place] = free_cell(fork(noise, place), row, COINS, place)


@kernel
def features(row, seat, out):
    write_features(row, seat, COINS, True, out)


@kernel
def planes(row, seat, out):
    write_planes(row, seat, COINS, True, out)


class CoinDilemma(Dilemma):
    things = COINS
    events_table = EVENTS
    kernel = dilemma_kernel(COINS, EVENTS, start, step, features, planes)
