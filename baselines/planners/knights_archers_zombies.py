"""KnightsArchersZombies' agents: archers aim at where a zombie will be, knights wait beside its way and strike."""

import math

from mmgames.games.knights_archers_zombies.field import ARROW_SIDE, SIDES, ZOMBIE_HIGH, ZOMBIE_WIDE
from mmgames.games.knights_archers_zombies.rules import ATTACK, BACKWARD, FALLS, FLIES, FORWARD, LEFT, RIGHT, WAIT
from mmgames.kernels.kernel import inlined, kernel
from mmgames.kernels.kernel_game import PolicyAgent

HALF_TURN = math.radians(5.0)
WIDTH = (ARROW_SIDE + ZOMBIE_WIDE) / 2.0 - 12.0
"""How far an arrow may pass the middle of a zombie and still hit it, with a little to spare."""
REACH, CLOSE, HOME = 66.0, 48.0, 560.0
"""From where a knight strikes, from where it steps back, and the line it does not leave upwards."""


@inlined
def way_to(state, seat, which):
    """How far a zombie is to the right of a player and below it, from middle to middle."""
    me, zombie = state.players[seat], state.zombies[which]
    half = SIDES[me.heading] // 2
    return zombie.x + ZOMBIE_WIDE / 2.0 - (me.x + half), zombie.y + ZOMBIE_HIGH / 2.0 - (me.y + half)


@inlined
def side_of(me, across, along):
    """By how much a way lies to the right of where one looks, as an angle."""
    return math.atan2(me.right * along - me.down * across, me.right * across + me.down * along)


@kernel
def target(state, seat, first, last):
    """The zombie to go for: the lowest ones are shared out among the players of a kind by their seats; -1: none."""
    count, place, living = state.walking, 0, 0
    for other in range(first, last):
        if state.players[other].alive:
            place += other < seat
            living += 1
    if count == 0:
        return -1
    if count < living:
        place = 0
    best = -1
    for rank in range(min(place + 1, count)):
        lowest, found = -1, -1
        for which in range(count):
            y = state.zombies[which].y * 64 + which  # no two are equal
            if y > lowest and (best < 0 or y < state.zombies[best].y * 64 + best or rank == 0):
                lowest, found = y, which
        best = found
    return best


@kernel
def nearest_zombie(state, seat):
    """The zombie that is nearest, of two the elder; -1: none."""
    best, found = 1e9, -1
    for which in range(state.walking):
        across, along = way_to(state, seat, which)
        if across * across + along * along < best:
            best, found = across * across + along * along, which
    return found


@kernel
def shoot(state, seat, which):
    if which < 0:
        return WAIT
    across, along = way_to(state, seat, which)
    flight = math.sqrt(across * across + along * along) / FLIES
    along += FALLS * flight
    angle = side_of(state.players[seat], across, along)
    far = math.sqrt(across * across + along * along)
    if abs(angle) < 1.0 and far * abs(math.sin(angle)) < WIDTH:
        return ATTACK
    if abs(angle) < HALF_TURN:
        return ATTACK
    return RIGHT if angle > 0.0 else LEFT


@kernel
def strike(state, seat, which):
    me = state.players[seat]
    if which < 0 or me.waits > 1:
        return WAIT
    across, along = way_to(state, seat, which)
    far = math.sqrt(across * across + along * along)
    angle = side_of(state.players[seat], across, along)
    if far < REACH and abs(angle) < 0.9:
        return ATTACK
    if far < CLOSE:
        return BACKWARD if abs(angle) < 1.5 else FORWARD
    if abs(angle) > 2.0 * HALF_TURN:
        return RIGHT if angle > 0.0 else LEFT
    if far > REACH + 20.0 and (me.y + SIDES[me.heading] // 2 > HOME or along > 0.0 or abs(across) > 120.0):
        return FORWARD
    return WAIT


@kernel
def heuristic(state, seat, noise):
    """Archers aim ahead, knights strike what comes near; the lowest zombies are shared out."""
    if not state.players[seat].alive:
        return WAIT
    archers = state.archers
    if seat < archers:
        return shoot(state, seat, target(state, seat, 0, archers))
    return strike(state, seat, target(state, seat, archers, len(state.players)))


@kernel
def nearest(state, seat, noise):
    """The same, but everybody goes for the zombie that is nearest to it."""
    if not state.players[seat].alive:
        return WAIT
    which = nearest_zombie(state, seat)
    return shoot(state, seat, which) if seat < state.archers else strike(state, seat, which)


Heuristic = PolicyAgent.of("Heuristic", heuristic)
Nearest = PolicyAgent.of("Nearest", nearest)
