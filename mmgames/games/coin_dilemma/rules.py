"""CoinDilemma: collect coins; a coin of another's colour costs that player two points."""

from __future__ import annotations

from mmgames.games._dilemma.rules import (
    ALL_MOVED,
    BLUE_AT,
    CELLS,
    HAS,
    MOVED,
    OWNED,
    RED_AT,
    SIDE,
    THINGS,
    VARIED_OWNED,
    Design,
    Dilemma,
    DilemmaEvent,
    DilemmaView,
    anew,
    count,
    dilemma_kernels,
    pay_of,
    players_of,
    side_of,
    walk,
)
from mmgames.games._dilemma.setup import PLAYERS
from mmgames.games.coin_dilemma import PAYS
from mmgames.kernels.kernel import inlined, kernel

RED_COIN, BLUE_COIN = THINGS, THINGS + 1
OWN, OTHERS, LOST = range(3)
(OWN_PAYS, _), (OTHERS_PAYS, _), (LOST_PAYS, _) = PAYS.values()


def pair_events(own: int, others: int, lost: int) -> tuple[DilemmaEvent, ...]:
    """What red and blue can do, in the order in which it is counted."""
    return (
        DilemmaEvent("red takes red coin", own, 0),
        DilemmaEvent("red takes blue coin", others, lost),
        DilemmaEvent("blue takes red coin", lost, others),
        DilemmaEvent("blue takes blue coin", 0, own),
    )


DESIGN = Design(PAYS, ("takes its own coin", "takes another's coin", "loses its coin to another"), pair_events)


def cells(view: DilemmaView) -> tuple[tuple[int, ...], ...]:
    """The rows of the grid from the top: 0 empty, 1 red player, 2 blue player, 3 both, 4 red coin, 5 blue coin."""
    codes = [0] * SIDE**2
    for place, code in ((RED_COIN, 4), (BLUE_COIN, 5), (RED_AT, 1), (BLUE_AT, 2)):
        both = code == 2 and codes[view.row[place]] == 1
        codes[view.row[place]] = 3 if both else code  # a coin and a player never share a cell
    return tuple(tuple(codes[first : first + SIDE]) for first in range(SIDE**2 - SIDE, -1, -SIDE))


@inlined
def play(row, actions, noise, players, cells, moved, own, others, lost):
    """Everybody moves; then everybody on a coin collects it, and the coin comes back elsewhere."""
    walk(row, actions, players, moved)
    coins = HAS + 3 * players
    for coin in range(players):
        taken = False
        for seat in range(players):
            if row[HAS + 2 * players + seat] == row[coins + coin]:
                taken = True
                if seat == coin:
                    row[HAS + seat] += own
                else:
                    row[HAS + seat] += others
                    row[HAS + coin] += lost
                if players == PLAYERS:
                    row[coins + players + seat * players + coin] += 1
                else:
                    count(row, players, players, OWN if seat == coin else OTHERS, seat, 1)
                    if seat != coin:
                        count(row, players, players, LOST, coin, 1)
        if taken:
            anew(row, coins + coin, players, players, cells, noise)


@kernel
def step(row, actions, noise):
    play(row, actions, noise, PLAYERS, CELLS, MOVED, OWN_PAYS, OTHERS_PAYS, LOST_PAYS)


@kernel
def varied_step(row, actions, noise):
    players, side = players_of(row), side_of(row)
    own, others, lost = pay_of(row, OWN, OWN_PAYS), pay_of(row, OTHERS, OTHERS_PAYS), pay_of(row, LOST, LOST_PAYS)
    play(row, actions, noise, players, side * side, ALL_MOVED[side], own, others, lost)


class CoinDilemma(Dilemma):
    design = DESIGN
    kernel, varied = dilemma_kernels(DESIGN, (step, *OWNED), (varied_step, *VARIED_OWNED))
