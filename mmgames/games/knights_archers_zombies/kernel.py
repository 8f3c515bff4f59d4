"""The rules of KnightsArchersZombies, in the order of the original: players, weapons, zombies."""

import math

import numpy as np

from mmgames.games.knights_archers_zombies.row import (
    ALIVE,
    ARCHERS,
    ARROW,
    ARROWS,
    ATTACK,
    BACKWARD,
    BODY,
    DEADLY,
    DELAY,
    FIELDS,
    FORWARD,
    HEADING,
    HIGH,
    HORIZON,
    KNIGHTS,
    LEFT,
    MOST_ARROWS,
    MOST_ZOMBIES,
    OVER,
    OWNER,
    PLAYER,
    RIGHT,
    SCORE,
    SIDES,
    STEP,
    SWING,
    SWORD,
    SWORD_X,
    SWORD_Y,
    THING,
    TIMER,
    WAIT,
    WAITED,
    WALL,
    WIDE,
    WOBBLE,
    ZOMBIE_HIGH,
    ZOMBIE_WIDE,
    ZOMBIES,
    X,
    Y,
    arrows_at,
    flights_at,
    headings_at,
    zombies_at,
)
from mmgames.kernels.kernel import below, fork, inlined, kernel, reals, rounded
from mmgames.kernels.kernel_game import EVERYBODY, NOBODY

SPEED, FLIES, FALLS, STEPS_ASIDE = 25, 45.0, 5, 30
RELOADS, SWINGS = 4, 7
ARCHER_X, KNIGHT_X, FIRST_Y, BESIDE = 400, 800, 610, 50
TOP, BOTTOM = BODY // 2, HIGH - BODY // 2
LEFTMOST, RIGHTMOST = WALL + BODY // 2, WIDE - WALL - BODY // 2
ZOMBIE_LEFT, ZOMBIE_RIGHT, ZOMBIE_BOTTOM = WALL - ZOMBIE_HIGH, WIDE - WALL - ZOMBIE_WIDE, HIGH - ZOMBIE_HIGH
FIRST_LINE, WOBBLES_EVERY = 5, 3
ASIDE = np.array([0, 1, -1, 1, -1, -1, 1, 0, -1, 0]) * STEPS_ASIDE
"""How far a zombie steps aside for each number it may draw."""
SPAWN = 1000  # what is drawn from the noise, behind the zombies

FULL, QUARTER = 2.0 * math.pi, math.pi / 2.0


def _turn(degrees: float) -> tuple[float, float]:
    """Cosine and sine, exact for quarters."""
    angle = math.fmod(degrees * math.pi / 180.0, FULL)
    angle += FULL if angle < 0.0 else 0.0
    if math.fmod(angle + 1e-6, QUARTER) < 2e-6:
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int((angle + 1e-6) / QUARTER) % 4]
    return math.cos(angle), math.sin(angle)


TURNS = np.array([_turn(-10.0), _turn(10.0)])
SWINGING = np.array([(0.0, 0.0), (0.0, 0.0), *(_turn(60.0 - 20.0 * swing) for swing in range(1, SWINGS))])
"""Where a sword is, seen from where the knight points, for each step of its swing."""


@kernel
def start(row, noise):
    players, archers, numbers = row[ARCHERS] + row[KNIGHTS], row[ARCHERS], reals(row)
    for place in range(STEP, flights_at(row) + 2 * row[MOST_ARROWS]):
        row[place] = 0
    for seat in range(players):
        me, headings = PLAYER + FIELDS * seat, headings_at(row)
        across = ARCHER_X + BESIDE * seat if seat < archers else KNIGHT_X + BESIDE * (seat - archers)
        row[me + X], row[me + Y] = across - BODY // 2, FIRST_Y - BODY // 2
        row[me + ALIVE] = 1
        numbers[headings + 2 * seat + 1] = -1.0


@kernel
def turn(row):
    return NOBODY if row[OVER] else EVERYBODY


@kernel
def moves(row, seat, out):
    """The dead wait."""
    if not row[PLAYER + FIELDS * seat + ALIVE]:
        out[0] = WAIT
        return 1
    for action in range(WAIT + 1):
        out[action] = action
    return WAIT + 1


@inlined
def meet(x, y, wide, high, other_x, other_y, other_wide, other_high):
    return x < other_x + other_wide and other_x < x + wide and y < other_y + other_high and other_y < y + high


@inlined
def die(row, seat):
    row[PLAYER + FIELDS * seat + ALIVE] = row[PLAYER + FIELDS * seat + SWING] = 0


@inlined
def shoot(row, numbers, seat):
    """A new arrow from the middle of an archer, the way it points."""
    me, which = PLAYER + FIELDS * seat, row[ARROWS]
    arrow, half = arrows_at(row) + THING * which, SIDES[row[me + HEADING]] // 2
    row[arrow + X], row[arrow + Y] = row[me + X] + half - ARROW // 2, row[me + Y] + half - ARROW // 2
    row[arrow + OWNER] = seat
    for axis in range(2):
        numbers[flights_at(row) + 2 * which + axis] = numbers[headings_at(row) + 2 * seat + axis]
    row[ARROWS] += 1
    row[me + TIMER] = RELOADS


@inlined
def is_held_up(row, seat, action):
    """Whether a player cannot do this now; asking brings the end of it nearer."""
    me = PLAYER + FIELDS * seat
    if row[me + TIMER] == 0 or (seat < row[ARCHERS] and action != ATTACK):
        return False
    row[me + TIMER] -= 1
    return row[me + TIMER] > 0


@kernel
def act(row, seat, action):
    """What a player does, and that it stays on the field."""
    numbers, me, heading = reals(row), PLAYER + FIELDS * seat, headings_at(row) + 2 * seat
    if action == FORWARD or action == BACKWARD:  # noqa: SIM109 - Numba is slow to look through a tuple
        way = 1 if action == FORWARD else -1
        row[me + X] += way * rounded(numbers[heading] * SPEED)
        row[me + Y] += way * rounded(numbers[heading + 1] * SPEED)
    elif action == LEFT or action == RIGHT:  # noqa: SIM109
        half = SIDES[row[me + HEADING]] // 2
        across, along = row[me + X] + half, row[me + Y] + half
        row[me + HEADING] = (row[me + HEADING] + (1 if action == RIGHT else 35)) % 36
        cosine, sine = TURNS[action - LEFT, 0], TURNS[action - LEFT, 1]
        right, down = numbers[heading], numbers[heading + 1]
        numbers[heading] = cosine * right - sine * down
        numbers[heading + 1] = sine * right + cosine * down
        half = SIDES[row[me + HEADING]] // 2
        row[me + X], row[me + Y] = across - half, along - half
    elif action == ATTACK:
        if seat < row[ARCHERS]:
            shoot(row, numbers, seat)
        else:
            row[me + SWING], row[me + TIMER] = 1, SWINGS
    half = SIDES[row[me + HEADING]] // 2
    along = row[me + Y] + half
    row[me + X] = max(min(row[me + X] + half, RIGHTMOST), LEFTMOST) - half
    row[me + Y] = max(min(along, BOTTOM), TOP) - half
    if row[DEADLY] and (along < TOP or along > BOTTOM):
        die(row, seat)


@inlined
def swing(row, numbers, seat):
    """A sword goes on around its knight."""
    me, heading = PLAYER + FIELDS * seat, headings_at(row) + 2 * seat
    row[me + SWING] += 1
    if row[me + SWING] > SWINGS:
        row[me + SWING] = 0
        return
    side = SIDES[row[me + HEADING]]
    cosine, sine = SWINGING[row[me + SWING], 0], SWINGING[row[me + SWING], 1]
    right = cosine * numbers[heading] - sine * numbers[heading + 1]
    down = sine * numbers[heading] + cosine * numbers[heading + 1]
    middle = side // 2 - SWORD // 2
    row[me + SWORD_X] = row[me + X] + middle + int(right * (SWORD + side) / 2.0)
    row[me + SWORD_Y] = row[me + Y] + middle + int(down * (SWORD + side) / 2.0)


@kernel
def drop_arrow(row, which):
    """An arrow goes, and those behind it move up."""
    numbers, arrows, flights = reals(row), arrows_at(row), flights_at(row)
    last = row[ARROWS] - 1
    for place in range(arrows + THING * which, arrows + THING * last):
        row[place] = row[place + THING]
    for place in range(flights + 2 * which, flights + 2 * last):
        numbers[place] = numbers[place + 2]
    for place in range(THING):
        row[arrows + THING * last + place] = 0
    numbers[flights + 2 * last] = numbers[flights + 2 * last + 1] = 0.0
    row[ARROWS] = last


@kernel
def hit(row, x, y, wide):
    """The zombies that a square of this width meets are gone; how many that were."""
    zombies, kept, count = zombies_at(row), 0, row[ZOMBIES]
    for which in range(count):
        zombie = zombies + THING * which
        if not meet(x, y, wide, wide, row[zombie + X], row[zombie + Y], ZOMBIE_WIDE, ZOMBIE_HIGH):
            if kept < which:
                for place in range(THING):
                    row[zombies + THING * kept + place] = row[zombie + place]
            kept += 1
    for place in range(zombies + THING * kept, zombies + THING * count):
        row[place] = 0
    row[ZOMBIES] = kept
    return count - kept


@inlined
def fly(row, numbers):
    """All arrows fly on; those that leave the field are gone."""
    arrows, flights = arrows_at(row), flights_at(row)
    which = 0
    while which < row[ARROWS]:
        arrow, half = arrows + THING * which, ARROW // 2
        row[arrow + X] = int(row[arrow + X] + half + numbers[flights + 2 * which] * FLIES) - half
        row[arrow + Y] = int(row[arrow + Y] + half + numbers[flights + 2 * which + 1] * FLIES) - half
        if row[arrow + X] < 0 or row[arrow + Y] < 0 or row[arrow + X] > WIDE or row[arrow + Y] > HIGH:
            drop_arrow(row, which)
        else:
            which += 1


@inlined
def use_weapons(row, numbers):
    """Arrows and swords move on, and then hit: the arrows of the first archer first, swords last."""
    archers, players = row[ARCHERS], row[ARCHERS] + row[KNIGHTS]
    fly(row, numbers)
    for seat in range(archers, players):
        if row[PLAYER + FIELDS * seat + SWING]:
            swing(row, numbers, seat)
    if row[ZOMBIES] == 0:
        return
    for seat in range(archers):
        which = 0
        while which < row[ARROWS]:
            arrow = arrows_at(row) + THING * which
            killed = 0
            if row[arrow + OWNER] == seat:
                killed = hit(row, row[arrow + X], row[arrow + Y], ARROW)
            if killed:
                row[PLAYER + FIELDS * seat + SCORE] += killed
                drop_arrow(row, which)
            else:
                which += 1
    for seat in range(archers, players):
        me = PLAYER + FIELDS * seat
        if row[me + SWING]:
            row[me + SCORE] += hit(row, row[me + SWORD_X], row[me + SWORD_Y], SWORD)


@inlined
def bite(row):
    """Whoever a zombie touches dies."""
    zombies = zombies_at(row)
    for which in range(row[ZOMBIES]):
        x, y = row[zombies + THING * which + X], row[zombies + THING * which + Y]
        for seat in range(row[ARCHERS] + row[KNIGHTS]):
            me = PLAYER + FIELDS * seat
            side = SIDES[row[me + HEADING]]
            if row[me + ALIVE] and meet(x, y, ZOMBIE_WIDE, ZOMBIE_HIGH, row[me + X], row[me + Y], side, side):
                die(row, seat)


@inlined
def walk(row, noise, draws):
    """Zombies come down, step aside now and then, and a new one comes; `draws` are told in place of drawn if given."""
    zombies, drawn = zombies_at(row), 0
    for which in range(row[ZOMBIES]):
        zombie = zombies + THING * which
        row[zombie + Y] += FALLS
        row[zombie + WOBBLE] += 1
        if row[zombie + WOBBLE] == WOBBLES_EVERY:
            row[zombie + WOBBLE] = 0
            if draws is not None:
                number = draws[drawn]
                drawn += 1
            else:
                number = below(fork(noise, which), len(ASIDE))
            aside = row[zombie + X] + ASIDE[number]
            if ZOMBIE_LEFT <= aside <= ZOMBIE_RIGHT:
                row[zombie + X] = aside
    if row[ZOMBIES] < row[MOST_ZOMBIES]:
        row[WAITED] += 1
        if row[WAITED] == row[DELAY]:
            row[WAITED] = 0
            zombie = zombies + THING * row[ZOMBIES]
            if draws is not None:
                row[zombie + X] = draws[drawn]
            else:
                row[zombie + X] = ZOMBIE_LEFT + below(fork(noise, SPAWN), ZOMBIE_RIGHT - ZOMBIE_LEFT)
            row[zombie + Y], row[zombie + WOBBLE] = FIRST_LINE, 0
            row[ZOMBIES] += 1


@inlined
def is_lost(row):
    """Whether a zombie has come through, or nobody is left."""
    zombies = zombies_at(row)
    for which in range(row[ZOMBIES]):
        if row[zombies + THING * which + Y] > ZOMBIE_BOTTOM:
            return True
    living = 0
    for seat in range(row[ARCHERS] + row[KNIGHTS]):
        living += row[PLAYER + FIELDS * seat + ALIVE]
    return living == 0


@kernel
def advance(row, actions, noise, draws):
    numbers = reals(row)
    for seat in range(row[ARCHERS] + row[KNIGHTS]):
        if row[PLAYER + FIELDS * seat + ALIVE]:
            action = actions[seat]
            if action == ATTACK and seat < row[ARCHERS] and row[ARROWS] >= row[MOST_ARROWS]:
                action = WAIT
            if not is_held_up(row, seat, action):
                act(row, seat, action)
    use_weapons(row, numbers)
    bite(row)
    walk(row, noise, draws)
    row[STEP] += 1
    row[OVER] = 1 if is_lost(row) or row[STEP] >= row[HORIZON] else 0


@kernel
def step(row, actions, noise):
    advance(row, actions, noise, None)


@kernel
def returns(row, out):
    for seat in range(row[ARCHERS] + row[KNIGHTS]):
        out[seat] = row[PLAYER + FIELDS * seat + SCORE]
