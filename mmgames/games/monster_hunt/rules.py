"""MonsterHunt: eat apples alone, or beat the monster together; alone with the monster it hurts."""

from mmgames.games._dilemma.rules import (
    BLUE,
    BLUE_AT,
    RED,
    RED_AT,
    SIDE,
    THINGS,
    Dilemma,
    DilemmaEvent,
    dilemma_kernel,
    free_cell,
    happen,
    payoffs,
    scatter,
    walk,
    write_features,
    write_planes,
)
from mmgames.kernels.kernel import below, fork, kernel

APPLES = 2
THINGS_HERE = APPLES + 1
MONSTER_AT = THINGS + APPLES
PREY, AXIS = 0, 1  # what is drawn from the noise beside new places, which are numbered as in the row
EVENTS = (
    DilemmaEvent("red eats an apple", +2, 0),
    DilemmaEvent("blue eats an apple", 0, +2),
    DilemmaEvent("red meets the monster alone", -2, 0),
    DilemmaEvent("blue meets the monster alone", 0, -2),
    DilemmaEvent("both meet the monster", +5, +5),
)
EATS, ALONE, TOGETHER = 0, 2, 4
PAYOFFS = payoffs(EVENTS)


@kernel
def start(row, noise):
    scatter(row, THINGS_HERE, noise)


@kernel
def prowl(row, noise):
    """The monster steps towards the closer player; ties, of players and of axes, are settled by the noise."""
    at = row[MONSTER_AT]
    x, y = at % SIDE, at // SIDE
    red = abs(row[RED_AT] % SIDE - x) + abs(row[RED_AT] // SIDE - y)
    blue = abs(row[BLUE_AT] % SIDE - x) + abs(row[BLUE_AT] // SIDE - y)
    if red == blue:
        prey = row[RED_AT + below(fork(noise, PREY), 2)]
    else:
        prey = row[RED_AT] if red < blue else row[BLUE_AT]
    across, along = prey % SIDE - x, prey // SIDE - y
    if across != 0 and (along == 0 or below(fork(noise, AXIS), 2) == 0):
        row[MONSTER_AT] += 1 if across > 0 else -1
    elif along != 0:
        row[MONSTER_AT] += SIDE if along > 0 else -SIDE


@kernel
def step(row, actions, noise):
    walk(row, actions)
    prowl(row, noise)
    for apple in range(APPLES):
        place = THINGS + apple
        eaten = row[MONSTER_AT] == row[place]  # the monster spoils an apple, but takes nobody's pay
        for seat in range(2):
            if row[RED_AT + seat] == row[place]:
                happen(row, EATS + seat, THINGS_HERE, PAYOFFS)
                eaten = True
        if eaten:
            row[place] = free_cell(fork(noise, place), row, THINGS_HERE, place)
    red, blue = row[RED_AT] == row[MONSTER_AT], row[BLUE_AT] == row[MONSTER_AT]
    if red or blue:
        together = red and blue
        seat = RED if red else BLUE
        happen(row, TOGETHER if together else ALONE + seat, THINGS_HERE, PAYOFFS)
        place = MONSTER_AT if together else RED_AT + seat
        row[place] = free_cell(fork(noise, place), row, THINGS_HERE, place)


@kernel
def features(row, seat, out):
    write_features(row, seat, THINGS_HERE, False, out)


@kernel
def planes(row, seat, out):
    write_planes(row, seat, THINGS_HERE, False, out)


class MonsterHunt(Dilemma):
    things = THINGS_HERE
    events_table = EVENTS
    kernel = dilemma_kernel(THINGS_HERE, EVENTS, start, step, features, planes)
