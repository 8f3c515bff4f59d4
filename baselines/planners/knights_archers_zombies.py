"""KnightsArchersZombies' agents: archers aim at where a zombie will be, knights wait beside its way and strike."""

import math

from mmgames.games.knights_archers_zombies.kernel import FALLS, FLIES
from mmgames.games.knights_archers_zombies.row import (
    ALIVE,
    ARCHERS,
    ARROW,
    ATTACK,
    BACKWARD,
    FIELDS,
    FORWARD,
    HEADING,
    KNIGHTS,
    LEFT,
    PLAYER,
    RIGHT,
    SIDES,
    THING,
    TIMER,
    WAIT,
    ZOMBIE_HIGH,
    ZOMBIE_WIDE,
    ZOMBIES,
    X,
    Y,
    headings_at,
    zombies_at,
)
from mmgames.kernels.kernel import inlined, kernel, reals
from mmgames.kernels.kernel_game import RowAgent

HALF_TURN = math.radians(5.0)
WIDTH = (ARROW + ZOMBIE_WIDE) / 2.0 - 12.0
"""How far an arrow may pass the middle of a zombie and still hit it, with a little to spare."""
REACH, CLOSE, HOME = 66.0, 48.0, 560.0
"""From where a knight strikes, from where it steps back, and the line it does not leave upwards."""


@inlined
def middle_x(row, seat):
    return row[PLAYER + FIELDS * seat + X] + SIDES[row[PLAYER + FIELDS * seat + HEADING]] // 2


@inlined
def middle_y(row, seat):
    return row[PLAYER + FIELDS * seat + Y] + SIDES[row[PLAYER + FIELDS * seat + HEADING]] // 2


@inlined
def side_of(right, down, across, along):
    """By how much a way lies to the right of where one looks, as an angle."""
    return math.atan2(right * along - down * across, right * across + down * along)


@kernel
def target(row, seat, first, last):
    """The zombie to go for: the lowest ones are shared out among the players of a kind by their seats; -1: none."""
    zombies, count, place = zombies_at(row), row[ZOMBIES], 0
    living = 0
    for other in range(first, last):
        if row[PLAYER + FIELDS * other + ALIVE]:
            if other < seat:
                place += 1
            living += 1
    if count == 0:
        return -1
    if count < living:
        place = 0
    best = -1
    for rank in range(min(place + 1, count)):
        lowest, found = -1, -1
        for which in range(count):
            y = row[zombies + THING * which + Y] * 64 + which  # no two are equal
            if y > lowest and (best < 0 or y < row[zombies + THING * best + Y] * 64 + best or rank == 0):
                lowest, found = y, which
        best = found
    return best


@kernel
def nearest_zombie(row, seat):
    """The zombie that is nearest, of two the elder; -1: none."""
    zombies, best, found = zombies_at(row), 1e9, -1
    for which in range(row[ZOMBIES]):
        across = row[zombies + THING * which + X] + ZOMBIE_WIDE / 2.0 - middle_x(row, seat)
        along = row[zombies + THING * which + Y] + ZOMBIE_HIGH / 2.0 - middle_y(row, seat)
        if across * across + along * along < best:
            best, found = across * across + along * along, which
    return found


@kernel
def shoot(row, seat, which):
    numbers, headings = reals(row), headings_at(row)
    if which < 0:
        return WAIT
    zombie = zombies_at(row) + THING * which
    across = row[zombie + X] + ZOMBIE_WIDE / 2.0 - middle_x(row, seat)
    along = row[zombie + Y] + ZOMBIE_HIGH / 2.0 - middle_y(row, seat)
    flight = math.sqrt(across * across + along * along) / FLIES
    along += FALLS * flight
    angle = side_of(numbers[headings + 2 * seat], numbers[headings + 2 * seat + 1], across, along)
    far = math.sqrt(across * across + along * along)
    if abs(angle) < 1.0 and far * abs(math.sin(angle)) < WIDTH:
        return ATTACK
    if abs(angle) < HALF_TURN:
        return ATTACK
    return RIGHT if angle > 0.0 else LEFT


@kernel
def strike(row, seat, which):
    numbers, headings = reals(row), headings_at(row)
    if which < 0 or row[PLAYER + FIELDS * seat + TIMER] > 1:
        return WAIT
    zombie = zombies_at(row) + THING * which
    across = row[zombie + X] + ZOMBIE_WIDE / 2.0 - middle_x(row, seat)
    along = row[zombie + Y] + ZOMBIE_HIGH / 2.0 - middle_y(row, seat)
    far = math.sqrt(across * across + along * along)
    angle = side_of(numbers[headings + 2 * seat], numbers[headings + 2 * seat + 1], across, along)
    if far < REACH and abs(angle) < 0.9:
        return ATTACK
    if far < CLOSE:
        return BACKWARD if abs(angle) < 1.5 else FORWARD
    if abs(angle) > 2.0 * HALF_TURN:
        return RIGHT if angle > 0.0 else LEFT
    if far > REACH + 20.0 and (middle_y(row, seat) > HOME or along > 0.0 or abs(across) > 120.0):
        return FORWARD
    return WAIT


@kernel
def heuristic(row, seat, noise):
    if not row[PLAYER + FIELDS * seat + ALIVE]:
        return WAIT
    archers = row[ARCHERS]
    if seat < archers:
        return shoot(row, seat, target(row, seat, 0, archers))
    return strike(row, seat, target(row, seat, archers, archers + row[KNIGHTS]))


@kernel
def nearest(row, seat, noise):
    if not row[PLAYER + FIELDS * seat + ALIVE]:
        return WAIT
    which = nearest_zombie(row, seat)
    return shoot(row, seat, which) if seat < row[ARCHERS] else strike(row, seat, which)


class Heuristic(RowAgent):
    """Archers aim ahead, knights strike what comes near; the lowest zombies are shared out."""

    policy = heuristic


class Nearest(RowAgent):
    """The same, but everybody goes for the zombie that is nearest to it."""

    policy = nearest
