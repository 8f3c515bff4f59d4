"""CoinDilemma: collect coins; a coin of another's colour costs that player two points."""

from mmgames.games._dilemma.rules import BLUE, RED, SIDE, Dilemma, DilemmaView, put_thing, walk
from mmgames.games.coin_dilemma import PAYS
from mmgames.kernels.kernel import inlined, kernel

OWN, ANOTHERS, LOST = range(3)  # what happens with a coin: its owner takes it, a player takes another's, or loses it


@kernel
def step(state, actions, noise):
    """Everybody moves; then everybody on a coin collects it, and the coin comes back elsewhere."""
    walk(state, actions)
    for coin in range(len(state.at)):  # a coin has the number of its owner
        collected = False
        for seat in range(len(state.at)):
            if state.at[seat] == state.things[coin]:
                collect(state, seat, coin)
                collected = True
        if collected:
            put_thing(state, coin, noise)


@inlined
def collect(state, seat, owner):
    if seat == owner:
        state.points[seat] += state.own_coin
        state.happened[OWN, seat] += 1
    else:
        state.points[seat] += state.others_coin
        state.points[owner] += state.lost_coin
        state.happened[ANOTHERS, seat] += 1
        state.happened[LOST, owner] += 1


class CoinDilemma(Dilemma):
    takes_step, pays = step, PAYS
    kinds = ("takes its own coin", "takes another's coin", "loses its coin to another")
    pair_events = (
        ("red takes red coin", OWN, RED, "own_coin", ""),
        ("red takes blue coin", ANOTHERS, RED, "others_coin", "lost_coin"),
        ("blue takes red coin", ANOTHERS, BLUE, "lost_coin", "others_coin"),
        ("blue takes blue coin", OWN, BLUE, "", "own_coin"),
    )


def cells(view: DilemmaView) -> tuple[tuple[int, ...], ...]:
    """The rows of the grid from the top, by the codes of its words."""
    codes = [0] * SIDE**2
    for cell, code in zip((*view.state.things, *view.state.at), (4, 5, 1, 2), strict=True):
        codes[cell] = 3 if code == 2 and codes[cell] == 1 else code  # a coin and a player never share a cell
    return tuple(tuple(codes[first : first + SIDE]) for first in range(SIDE**2 - SIDE, -1, -SIDE))
