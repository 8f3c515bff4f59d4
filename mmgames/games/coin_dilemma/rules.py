"""CoinDilemma: collect coins; a coin of another's colour costs that player two points."""

from mmgames.games._dilemma.rules import SIDE, Dilemma, DilemmaView, free_cell, walk, write_features, write_planes
from mmgames.games.coin_dilemma import PAYS
from mmgames.kernels.kernel import inlined, kernel

THINGS = {"coins": ("players",)}
COUNTED = {"taken": ("players", "players")}  # by who took it and whose coin it was


@kernel
def coin(state, owner):
    return state.coins[owner]


@kernel
def start(state, noise):
    """Players and coins on distinct cells."""
    for seat in range(len(state.at)):
        state.at[seat] = free_cell(state, coin, len(state.at), seat, noise)
    for owner in range(len(state.at)):
        respawn_coin(state, owner, noise)


@inlined
def respawn_coin(state, owner, noise):
    state.coins[owner] = free_cell(state, coin, len(state.at), len(state.at) + owner, noise)


@kernel
def step(state, actions, noise):
    """Everybody moves; then everybody on a coin collects it, and the coin comes back elsewhere."""
    walk(state, actions)
    for owner in range(len(state.at)):
        collected = False
        for seat in range(len(state.at)):
            if state.at[seat] == state.coins[owner]:
                collect_coin(state, seat, owner)
                collected = True
        if collected:
            respawn_coin(state, owner, noise)


@inlined
def collect_coin(state, seat, owner):
    state.taken[seat, owner] += 1
    if seat == owner:
        state.points[seat] += state.own_coin
    else:
        state.points[seat] += state.others_coin
        state.points[owner] += state.lost_coin


@kernel
def features(state, seat, out):
    write_features(state, coin, len(state.at), True, seat, out)


@kernel
def planes(state, seat, out):
    write_planes(state, coin, len(state.at), True, seat, out)


@kernel
def counts(state, out):
    """Between two: who took whose coin. Of several: who took its own, who another's, whose was taken by another."""
    players = len(state.at)
    out[:] = 0
    for seat in range(players):
        for owner in range(players):
            if players == 2:
                out[2 * seat + owner] = state.taken[seat, owner]
            elif seat == owner:
                out[seat] = state.taken[seat, owner]
            else:
                out[players + seat] += state.taken[seat, owner]
                out[2 * players + owner] += state.taken[seat, owner]


EVENTS = {
    "red takes red coin": ("own_coin", ""),
    "red takes blue coin": ("others_coin", "lost_coin"),
    "blue takes red coin": ("lost_coin", "others_coin"),
    "blue takes blue coin": ("", "own_coin"),
}


class CoinDilemma(Dilemma):
    pays, things, counted, pair_events = PAYS, THINGS, COUNTED, EVENTS
    rules = start, step, features, planes, counts
    kinds = ("takes its own coin", "takes another's coin", "loses its coin to another")


def cells(view: DilemmaView) -> tuple[tuple[int, ...], ...]:
    """The rows of the grid from the top: 0 empty, 1 red player, 2 blue player, 3 both, 4 red coin, 5 blue coin."""
    codes = [0] * SIDE**2
    for cell, code in zip((*view.state.coins, *view.state.at), (4, 5, 1, 2), strict=True):
        codes[cell] = 3 if code == 2 and codes[cell] == 1 else code  # a coin and a player never share a cell
    return tuple(tuple(codes[first : first + SIDE]) for first in range(SIDE**2 - SIDE, -1, -SIDE))
