"""What there is to recognise in a picture of KnightsArchersZombies: where players are and where they look, what they
have killed, and how many zombies, arrows and swords there are."""

import math
from typing import Any

import numpy as np

from mmgames.games.knights_archers_zombies import rules as k
from mmgames.games.knights_archers_zombies.field import BattleView, Point
from mmgames.games.knights_archers_zombies.rules import KnightsArchersZombies
from mmgames.games.knights_archers_zombies.words import spoken_role
from mmgames.kernels.kernel_game import ask
from mmgames.kernels.records import RecordState
from mmgames.text.facts import Fact, same

PARTS = 4
NOTES = (
    f"The field between the walls is divided into {PARTS} columns of equal width, 1 to {PARTS} from left to right, and "
    f"{PARTS} rows of equal height, 1 to {PARTS} from top to bottom. A player is in the part that its middle is in. "
    "Swords are those that are being swung."
)
_DEAD = "dead"
_ACROSS, _DOWN = (k.WIDE - 2 * k.WALL) // PARTS, k.HIGH // PARTS
_LOOKS = ("up", "right", "down", "left")
_PLACES = same((*(str(part) for part in range(1, PARTS + 1)), _DEAD))
_WAYS = same((*_LOOKS, _DEAD))
_MOST_KILLS, _MOST_SWORDS = 9, 2
_LIVES = PARTS / (PARTS + 1)
"""How often a player lives: it is dead as often as in any one column or row, or as it looks any one way."""
_MARGIN = 40  # so far from the edge of its part is a player
_APART, _FROM_PLAYERS = 52, 84  # between zombies and arrows, and from players with their numbers and swords
_INSIDE = 60  # so far from the edges of the field are zombies and arrows


def elements(view: BattleView) -> list[Fact]:
    found = []
    kills = same(map(str, range(_MOST_KILLS + 1)))
    players = [view.player(seat) for seat in range(len(view.roles))]
    for role, player in zip(view.roles, players, strict=True):
        name, (x, y) = spoken_role(role), player.at
        column, row = (x - k.WALL) // _ACROSS + 1, y // _DOWN + 1
        looks = _LOOKS[round(player.heading / 90) % len(_LOOKS)]
        found += [
            Fact((f"column of {name}",), str(column) if player.alive else _DEAD, _PLACES),
            Fact((f"row of {name}",), str(row) if player.alive else _DEAD, _PLACES),
            Fact((f"{name} looks",), looks if player.alive else _DEAD, _WAYS),
            Fact((f"kills of {name}",), str(player.kills), kills),
        ]
    swords = sum(player.sword is not None for player in players)
    for name, count, most in (
        ("zombies", len(view.zombies), len(view.state.zombies)),
        ("arrows", len(view.arrows), len(view.state.arrows)),
        ("swords", swords, _MOST_SWORDS),
    ):
        found.append(Fact((name,), str(count), same(map(str, range(most + 1)))))
    return found


def make_state(game: KnightsArchersZombies, rng: np.random.Generator, seat: int) -> RecordState:
    """Players in parts of their own or dead, any number of zombies, arrows and swords, and nothing on another."""
    state = game.start(rng).replace()
    battle, archers, players = state.array[0], state.archers, len(game.seats)
    alive = rng.random(players) < _LIVES
    swings = _swinging(rng, alive[archers:])
    parts = rng.permutation(PARTS * PARTS)[:players].tolist()
    taken = [
        _put_player(me, rng, part, bool(lives), one < archers)
        for one, (me, part, lives) in enumerate(zip(battle["players"], parts, alive, strict=True))
    ]
    for knight, swung in enumerate(swings, archers):
        if swung:
            me = battle["players"][knight]
            me["swing"] = rng.integers(1, k.SWINGS)
            ask(k.swing, state, knight)
            me["waits"] = k.SWINGS + 1 - me["swing"]
    battle["step"] = rng.integers(state.horizon)
    free: list[Point] = []
    zombies, arrows = (int(rng.integers(len(battle[name]) + 1)) for name in ("zombies", "arrows"))
    battle["walking"], battle["flying"] = zombies, arrows
    while len(free) < zombies + arrows:
        spot = (
            int(rng.integers(k.WALL + _INSIDE, k.WIDE - k.WALL - _INSIDE)),
            int(rng.integers(_INSIDE, k.HIGH - _INSIDE)),
        )
        far = min((math.dist(spot, at) for at in free), default=_APART) >= _APART
        if far and all(math.dist(spot, at) >= _FROM_PLAYERS for at in taken):
            free.append(spot)
    for zombie, (x, y) in zip(battle["zombies"], free[:zombies], strict=False):
        zombie["x"], zombie["y"] = x - k.ZOMBIE_WIDE // 2, y - k.ZOMBIE_HIGH // 2
        zombie["wobble"] = rng.integers(3)
    for arrow, (x, y) in zip(battle["arrows"], free[zombies:], strict=False):
        arrow["x"], arrow["y"] = x - k.ARROW_SIDE // 2, y - k.ARROW_SIDE // 2
        arrow["owner"] = rng.integers(archers)
        turn = math.radians(10 * int(rng.integers(36)))
        arrow["right"], arrow["down"] = math.sin(turn), -math.cos(turn)
    return state


def _swinging(rng: np.random.Generator, alive: np.ndarray) -> list[bool]:
    """Which of the knights swing: none, one and two swords are as likely as each other. One living knight swings in
    half of all cases, and of two the shares that are left are made up."""
    two = _LIVES * _LIVES
    one = 2 * _LIVES * (1 - _LIVES)
    if alive.sum() < len(alive):
        swords = int(alive.any() and rng.random() < 0.5)
    else:
        both, single = 1 / 3 / two, (1 / 3 - one / 2) / two
        swords = int(rng.choice(3, p=[1 - both - single, single, both]))
    chosen = rng.permutation(np.flatnonzero(alive))[:swords].tolist()
    return [knight in chosen for knight in range(len(alive))]


def _put_player(me: Any, rng: np.random.Generator, part: int, alive: bool, shoots: bool) -> Point:
    way = int(rng.integers(len(_LOOKS)))
    x = k.WALL + part % PARTS * _ACROSS + int(rng.integers(_MARGIN, _ACROSS - _MARGIN))
    y = part // PARTS * _DOWN + int(rng.integers(_MARGIN, _DOWN - _MARGIN))
    half = int(k.SIDES[9 * way]) // 2
    me["x"], me["y"], me["heading"], me["alive"] = x - half, y - half, 9 * way, alive
    me["kills"] = rng.integers(_MOST_KILLS + 1)
    me["waits"] = rng.integers(k.RELOADS) if alive and shoots else 0
    me["right"], me["down"] = ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))[way]
    return x, y
