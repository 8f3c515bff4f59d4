"""KnightsArchersZombies' heuristic: archers aim at where a zombie will be, knights wait beside its way and strike."""

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
def shoot(row, seat):
    numbers, headings = reals(row), headings_at(row)
    which = target(row, seat, 0, row[ARCHERS])
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
def strike(row, seat):
    numbers, headings = reals(row), headings_at(row)
    which = target(row, seat, row[ARCHERS], row[ARCHERS] + row[KNIGHTS])
    if which < 0:
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
    return shoot(row, seat) if seat < row[ARCHERS] else strike(row, seat)


class Heuristic(RowAgent):
    """Archers aim ahead, knights strike what comes near."""

    policy = heuristic
