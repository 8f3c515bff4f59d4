"""MonsterHunt: eat apples alone, or beat the monster together; alone with the monster it hurts."""

from mmgames.games._dilemma.rules import Dilemma, free_cell, walk, write_features, write_planes
from mmgames.games.monster_hunt import PAYS
from mmgames.kernels.kernel import below, fork, inlined, kernel

THINGS = {"apples": ("players",), "monster": ()}
COUNTED = dict.fromkeys(("eaten", "hurt", "defeated"), ("players",))
MONSTERS = 1
PREY, AXIS = 0, 1
"""What is drawn from the noise beside free cells: whom the monster goes for, and which way round."""


@kernel
def thing(state, which):
    return state.apples[which] if which < len(state.apples) else state.monster


@inlined
def new_cell(state, which, noise):
    return free_cell(state, thing, len(state.at) + MONSTERS, which, noise)


@kernel
def start(state, noise):
    """Players, apples and the monster on distinct cells."""
    players = len(state.at)
    for seat in range(players):
        state.at[seat] = new_cell(state, seat, noise)
    for apple in range(players):
        state.apples[apple] = new_cell(state, players + apple, noise)
    state.monster = new_cell(state, 2 * players, noise)


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
            state.apples[apple] = new_cell(state, len(state.at) + apple, noise)
    met, last = 0, 0
    for seat in range(len(state.at)):
        if state.at[seat] == state.monster:
            met, last = met + 1, seat
    if met == 1:
        state.points[last] += state.alone
        state.hurt[last] += 1
        state.at[last] = new_cell(state, last, noise)
    elif met > 1:
        defeat_monster(state, noise)


@inlined
def defeat_monster(state, noise):
    """All players who are with the monster are paid, and it comes back elsewhere."""
    for seat in range(len(state.at)):
        if state.at[seat] == state.monster:
            state.points[seat] += state.together
            state.defeated[seat] += 1
    state.monster = new_cell(state, 2 * len(state.at), noise)


@inlined
def steps_to_monster(state, seat):
    side = state.side
    across = abs(state.at[seat] % side - state.monster % side)
    return across + abs(state.at[seat] // side - state.monster // side)


@inlined
def prowl(state, noise):
    """The monster steps towards the closest player; ties, of players and of axes, are settled by the noise."""
    prey, nearest, ties = 0, steps_to_monster(state, 0), 1
    for seat in range(1, len(state.at)):
        away = steps_to_monster(state, seat)
        if away < nearest:
            prey, nearest, ties = seat, away, 1
        elif away == nearest:
            ties += 1
    if ties > 1:
        skip = below(fork(noise, PREY), ties)
        for seat in range(len(state.at)):
            if steps_to_monster(state, seat) == nearest:
                if skip == 0:
                    prey = seat
                skip -= 1
    side, goal = state.side, state.at[prey]
    across, along = goal % side - state.monster % side, goal // side - state.monster // side
    if across != 0 and (along == 0 or below(fork(noise, AXIS), 2) == 0):
        state.monster += 1 if across > 0 else -1
    elif along != 0:
        state.monster += side if along > 0 else -side


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


EVENTS = {
    "red eats an apple": ("apple", ""),
    "blue eats an apple": ("", "apple"),
    "red meets the monster alone": ("alone", ""),
    "blue meets the monster alone": ("", "alone"),
    "both meet the monster": ("together", "together"),
}


class MonsterHunt(Dilemma):
    pays, things, counted, pair_events = PAYS, THINGS, COUNTED, EVENTS
    rules = start, step, features, planes, counts
    more_things = MONSTERS
    kinds = ("eats an apple", "meets the monster alone", "meets the monster with others")
