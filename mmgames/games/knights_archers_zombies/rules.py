"""KnightsArchersZombies, in the order of the original: players, weapons, zombies."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from mmgames.core.game import Seat
from mmgames.core.spec import GameSpec
from mmgames.games.knights_archers_zombies.field import (
    ARROW_SIDE,
    BODY,
    HIGH,
    SIDES,
    SWORD_SIDE,
    TURNS,
    WALL,
    WIDE,
    ZOMBIE_HIGH,
    ZOMBIE_WIDE,
    BattleView,
    roles,
    turned,
)
from mmgames.kernels.kernel import below, fork, inlined, kernel, rounded
from mmgames.kernels.kernel_game import EVERYBODY, NOBODY, Kernel, KernelGame
from mmgames.kernels.records import RecordState, blank_state, bool_, float64, int8, int16, record

FORWARD, BACKWARD, LEFT, RIGHT, ATTACK, WAIT = range(6)
ACTIONS = 6

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
SWINGING = np.array([(0.0, 0.0), (0.0, 0.0), *(turned(60.0 - 20.0 * swing) for swing in range(1, SWINGS))])
"""Where a sword is, seen from where the knight points, for each step of its swing."""


PLAYER = record(
    alive=bool_,
    x=int16,
    y=int16,
    heading=int8,  # where it points, in tens of degrees clockwise from up
    right=float64,  # and the same as a direction
    down=float64,
    waits=int8,  # how long it cannot attack (archers) or do anything (knights)
    swing=int8,  # how far its sword has swung; 0: it has none out
    sword_x=int16,
    sword_y=int16,
    kills=int16,
)
ARROW = record(x=int16, y=int16, right=float64, down=float64, owner=int8)
ZOMBIE = record(x=int16, y=int16, wobble=int8)


def fields(players: int, arrows: int, zombies: int) -> np.dtype[Any]:
    return record(
        archers=int8,
        delay=int16,
        deadly=bool_,
        horizon=int16,
        step=int16,
        over=bool_,
        players=(PLAYER, players),  # archers first
        flying=int8,  # so many of the arrows are there, the first one shot first
        arrows=(ARROW, arrows),
        walking=int8,  # so many of the zombies are there, the eldest first
        zombies=(ZOMBIE, zombies),
        waited=int16,  # steps since the last zombie came
    )


@kernel
def start(state, noise):
    state.step = state.waited = 0
    state.over = False
    for seat in range(len(state.players)):
        me, archers = state.players[seat], state.archers
        across = ARCHER_X + BESIDE * seat if seat < archers else KNIGHT_X + BESIDE * (seat - archers)
        me.x, me.y = across - BODY // 2, FIRST_Y - BODY // 2
        me.heading, me.right, me.down = 0, 0.0, -1.0
        me.alive = True
        me.waits = me.swing = me.sword_x = me.sword_y = me.kills = 0
    while state.flying > 0:
        drop_arrow(state, state.flying - 1)
    for which in range(state.walking):
        clear_zombie(state, which)
    state.walking = 0


@kernel
def turn(state):
    return NOBODY if state.over else EVERYBODY


@kernel
def moves(state, seat, out):
    """The dead wait."""
    if not state.players[seat].alive:
        out[0] = WAIT
        return 1
    for action in range(WAIT + 1):
        out[action] = action
    return WAIT + 1


@kernel
def step(state, actions, noise):
    advance(state, actions, noise, None)


@kernel
def advance(state, actions, noise, draws):
    """A step; `draws` are told in place of drawn if given."""
    archers = state.archers
    for seat in range(len(state.players)):
        me, action = state.players[seat], actions[seat]
        if me.alive:
            if action == ATTACK and seat < archers and state.flying >= len(state.arrows):
                action = WAIT
            if not is_held_up(me, seat < archers, action):
                act(state, seat, action)
    use_weapons(state)
    bite(state)
    walk(state, noise, draws)
    state.step += 1
    state.over = is_lost(state) or state.step >= state.horizon


# Players


@inlined
def is_held_up(me, shoots, action):
    """Whether a player cannot do this now; asking brings the end of it nearer."""
    if (shoots and action != ATTACK) or me.waits == 0:
        return False
    me.waits -= 1
    return me.waits > 0


@kernel
def act(state, seat, action):
    """What a player does, and that it stays on the field."""
    me = state.players[seat]
    if action == FORWARD or action == BACKWARD:  # noqa: SIM109 - Numba is slow to look through a tuple
        way = 1 if action == FORWARD else -1
        me.x += way * rounded(me.right * SPEED)
        me.y += way * rounded(me.down * SPEED)
    elif action == LEFT or action == RIGHT:  # noqa: SIM109
        turn_around(me, action)
    elif action == ATTACK:
        if seat < state.archers:
            shoot(state, seat)
        else:
            me.swing, me.waits = 1, SWINGS
    half = SIDES[me.heading] // 2
    along = me.y + half
    me.x = max(min(me.x + half, RIGHTMOST), LEFTMOST) - half
    me.y = max(min(along, BOTTOM), TOP) - half
    if state.deadly and (along < TOP or along > BOTTOM):
        die(me)


@inlined
def turn_around(me, action):
    """To the left or to the right, around the middle."""
    half = SIDES[me.heading] // 2
    across, along = me.x + half, me.y + half
    me.heading = (me.heading + (1 if action == RIGHT else 35)) % 36
    cosine, sine = TURNS[action - LEFT, 0], TURNS[action - LEFT, 1]
    me.right, me.down = cosine * me.right - sine * me.down, sine * me.right + cosine * me.down
    half = SIDES[me.heading] // 2
    me.x, me.y = across - half, along - half


@inlined
def shoot(state, seat):
    """A new arrow from the middle of an archer, the way it points."""
    me, arrow = state.players[seat], state.arrows[state.flying]
    half = SIDES[me.heading] // 2
    arrow.x, arrow.y = me.x + half - ARROW_SIDE // 2, me.y + half - ARROW_SIDE // 2
    arrow.right, arrow.down = me.right, me.down
    arrow.owner = seat
    state.flying += 1
    me.waits = RELOADS


@inlined
def die(me):
    me.alive = False
    me.swing = 0


# Weapons


@inlined
def use_weapons(state):
    """Arrows and swords move on, and then hit: the arrows of the first archer first, swords last."""
    archers, players = state.archers, len(state.players)
    fly(state)
    for seat in range(archers, players):
        if state.players[seat].swing:
            swing(state, seat)
    if state.walking == 0:
        return
    for seat in range(archers):
        which = 0
        while which < state.flying:
            arrow, killed = state.arrows[which], 0
            if arrow.owner == seat:
                killed = hit(state, arrow.x, arrow.y, ARROW_SIDE)
            if killed:
                state.players[seat].kills += killed
                drop_arrow(state, which)
            else:
                which += 1
    for seat in range(archers, players):
        me = state.players[seat]
        if me.swing:
            me.kills += hit(state, me.sword_x, me.sword_y, SWORD_SIDE)


@inlined
def fly(state):
    """All arrows fly on; those that leave the field are gone."""
    which, half = 0, ARROW_SIDE // 2
    while which < state.flying:
        arrow = state.arrows[which]
        x = int(arrow.x + half + arrow.right * FLIES) - half
        y = int(arrow.y + half + arrow.down * FLIES) - half
        if x < 0 or y < 0 or x > WIDE or y > HIGH:
            drop_arrow(state, which)
        else:
            arrow.x, arrow.y = x, y
            which += 1


@kernel
def drop_arrow(state, which):
    """An arrow goes, and those behind it move up."""
    last = state.flying - 1
    for place in range(which, last):
        state.arrows[place] = state.arrows[place + 1]
    arrow = state.arrows[last]
    arrow.x = arrow.y = arrow.owner = 0
    arrow.right = arrow.down = 0.0
    state.flying = last


@inlined
def swing(state, seat):
    """A sword goes on around its knight."""
    me = state.players[seat]
    me.swing += 1
    if me.swing > SWINGS:
        me.swing = 0
        return
    side = SIDES[me.heading]
    cosine, sine = SWINGING[me.swing, 0], SWINGING[me.swing, 1]
    right, down = cosine * me.right - sine * me.down, sine * me.right + cosine * me.down
    middle = side // 2 - SWORD_SIDE // 2
    me.sword_x = me.x + middle + int(right * (SWORD_SIDE + side) / 2.0)
    me.sword_y = me.y + middle + int(down * (SWORD_SIDE + side) / 2.0)


@kernel
def hit(state, x, y, wide):
    """The zombies that a square of this width meets are gone; how many that were."""
    kept, count = 0, state.walking
    for which in range(count):
        zombie = state.zombies[which]
        if not meet(x, y, wide, wide, zombie.x, zombie.y, ZOMBIE_WIDE, ZOMBIE_HIGH):
            if kept < which:
                state.zombies[kept] = zombie
            kept += 1
    for which in range(kept, count):
        clear_zombie(state, which)
    state.walking = kept
    return count - kept


@inlined
def meet(x, y, wide, high, other_x, other_y, other_wide, other_high):
    return x < other_x + other_wide and other_x < x + wide and y < other_y + other_high and other_y < y + high


# Zombies


@inlined
def bite(state):
    """Whoever a zombie touches dies."""
    for seat in range(len(state.players)):
        me = state.players[seat]
        x, y, side = me.x, me.y, SIDES[me.heading]
        for which in range(state.walking if me.alive else 0):
            zombie = state.zombies[which]
            if meet(x, y, side, side, zombie.x, zombie.y, ZOMBIE_WIDE, ZOMBIE_HIGH):
                die(me)


@inlined
def walk(state, noise, draws):
    """Zombies come down, step aside now and then, and a new one comes."""
    drawn = 0
    for which in range(state.walking):
        zombie = state.zombies[which]
        zombie.y += FALLS
        zombie.wobble = (zombie.wobble + 1) % WOBBLES_EVERY
        if zombie.wobble == 0:
            if draws is not None:
                number = draws[drawn]
                drawn += 1
            else:
                number = below(fork(noise, which), len(ASIDE))
            aside = zombie.x + ASIDE[number]
            if ZOMBIE_LEFT <= aside <= ZOMBIE_RIGHT:
                zombie.x = aside
    if state.walking < len(state.zombies):
        state.waited += 1
        if state.waited == state.delay:
            state.waited = 0
            zombie = state.zombies[state.walking]
            if draws is not None:
                zombie.x = draws[drawn]
            else:
                zombie.x = ZOMBIE_LEFT + below(fork(noise, SPAWN), ZOMBIE_RIGHT - ZOMBIE_LEFT)
            zombie.y, zombie.wobble = FIRST_LINE, 0
            state.walking += 1


@inlined
def clear_zombie(state, which):
    zombie = state.zombies[which]
    zombie.x = zombie.y = zombie.wobble = 0


@inlined
def is_lost(state):
    """Whether a zombie has come through, or nobody is left."""
    for which in range(state.walking):
        if state.zombies[which].y > ZOMBIE_BOTTOM:
            return True
    living = 0
    for seat in range(len(state.players)):
        living += state.players[seat].alive
    return living == 0


@kernel
def returns(state, out):
    for seat in range(len(state.players)):
        out[seat] = state.players[seat].kills


# What a player observes: itself, then everything by its distance and place

LINE = 5
"""Numbers for each thing: its distance, where it is from here, where it points."""
DIAGONAL = math.sqrt(2.0)


def num_features(state: RecordState) -> int:
    kind = state.array.dtype
    players, arrows, zombies = (kind[name].shape[0] for name in ("players", "arrows", "zombies"))
    return LINE * (1 + players + (players - state.archers) + arrows + zombies)


@kernel
def features(state, seat, out):
    """Oneself; the living, each at its own place; swords that are out, arrows by their archers, zombies."""
    out[:] = 0.0
    me, archers, players = state.players[seat], state.archers, len(state.players)
    mine_x, mine_y = me.x / WIDE, me.y / HIGH
    out[1], out[2] = bounded(mine_x), bounded(mine_y)
    out[3], out[4] = bounded(me.right), bounded(me.down)
    sword = LINE * (1 + players)
    for other in range(players):
        it = state.players[other]
        if it.alive:
            write_thing(out, LINE * (1 + other), it.x, it.y, mine_x, mine_y, it.right, it.down)
        if it.swing:
            write_thing(out, sword, it.sword_x, it.sword_y, mine_x, mine_y, it.right, it.down)
            sword += LINE
    at = LINE * (1 + players + players - archers)
    for archer in range(archers):
        for which in range(state.flying):
            arrow = state.arrows[which]
            if arrow.owner == archer:
                write_thing(out, at, arrow.x, arrow.y, mine_x, mine_y, arrow.right, arrow.down)
                at += LINE
    at = LINE * (1 + players + players - archers + len(state.arrows))
    for which in range(state.walking):
        zombie = state.zombies[which]
        write_thing(out, at, zombie.x, zombie.y, mine_x, mine_y, 0.0, 1.0)
        at += LINE


@inlined
def write_thing(out, at, x, y, mine_x, mine_y, right, down):
    across, along = x / WIDE - mine_x, y / HIGH - mine_y
    out[at] = bounded(math.sqrt(across * across + along * along) / DIAGONAL)
    out[at + 1], out[at + 2] = bounded(across), bounded(along)
    out[at + 3], out[at + 4] = bounded(right), bounded(down)


@inlined
def bounded(number):
    return np.float32(1.0 if number > 1.0 else -1.0 if number < -1.0 else number)


class KnightsArchersZombies(KernelGame[BattleView]):
    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        chosen = self.options
        archers, knights = chosen["archers"], chosen["knights"]
        blank = blank_state(
            fields(archers + knights, chosen["most_arrows"], chosen["most_zombies"]),
            archers=archers,
            **{name: chosen[name] for name in ("delay", "deadly", "horizon")},
        )
        self.kernel = Kernel(blank, ACTIONS, num_features(blank), start, turn, moves, step, returns, features)
        self.settle(seats=roles(archers, knights), length=chosen["horizon"])

    def view(self, state: RecordState, seat: Seat | None) -> BattleView:
        return BattleView(seat, self.seats, state)

    def outcome(self, state: RecordState) -> RecordState:
        return state

    def events(self, state: RecordState) -> Mapping[str, int]:
        return {f"{role} kills": me.kills for role, me in zip(self.seats, state.players, strict=True)}
