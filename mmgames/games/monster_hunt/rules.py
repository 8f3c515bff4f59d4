"""MonsterHunt: eat apples alone, or beat the monster together; alone with the monster it hurts."""

from mmgames.games._dilemma.rules import BLUE, RED, Dilemma, put_player, put_thing, walk
from mmgames.games.monster_hunt import PAYS
from mmgames.kernels.kernel import below, fork, inlined, kernel

EATEN, HURT, DEFEATED = range(3)  # what happens: an apple is eaten, the monster is met alone, or with others
PREY, AXIS = 0, 1
"""What is drawn from the noise beside free cells: whom the monster goes for, and which way round."""


@kernel
def step(state, actions, noise):
    """Everybody moves, then the monster; apples are eaten or trampled; then whoever meets the monster is paid."""
    walk(state, actions)
    prowl(state, noise)
    monster = len(state.at)  # among the things, behind the apples, of which there are as many as players
    for apple in range(len(state.at)):
        gone = state.things[apple] == state.things[monster]  # it tramples an apple, but takes nobody's pay
        for seat in range(len(state.at)):
            if state.at[seat] == state.things[apple]:
                state.points[seat] += state.apple
                state.happened[EATEN, seat] += 1
                gone = True
        if gone:
            put_thing(state, apple, noise)
    met, last = 0, 0
    for seat in range(len(state.at)):
        if state.at[seat] == state.things[monster]:
            met, last = met + 1, seat
    if met == 1:
        state.points[last] += state.alone
        state.happened[HURT, last] += 1
        put_player(state, last, noise)
    elif met > 1:
        for seat in range(len(state.at)):
            if state.at[seat] == state.things[monster]:
                state.points[seat] += state.together
                state.happened[DEFEATED, seat] += 1
        put_thing(state, monster, noise)


@inlined
def steps_to_monster(state, seat):
    side, at, monster = state.side, state.at[seat], state.things[len(state.at)]
    return abs(at % side - monster % side) + abs(at // side - monster // side)


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
    side, goal, monster = state.side, state.at[prey], state.things[len(state.at)]
    across, along = goal % side - monster % side, goal // side - monster // side
    if across != 0 and (along == 0 or below(fork(noise, AXIS), 2) == 0):
        state.things[len(state.at)] += 1 if across > 0 else -1
    elif along != 0:
        state.things[len(state.at)] += side if along > 0 else -side


class MonsterHunt(Dilemma):
    takes_step, pays, more_things = step, PAYS, 1
    kinds = ("eats an apple", "meets the monster alone", "meets the monster with others")
    pair_events = (
        ("red eats an apple", EATEN, RED, "apple", ""),
        ("blue eats an apple", EATEN, BLUE, "", "apple"),
        ("red meets the monster alone", HURT, RED, "alone", ""),
        ("blue meets the monster alone", HURT, BLUE, "", "alone"),
        ("both meet the monster", DEFEATED, RED, "together", "together"),  # a line in the table, not one for each
    )
