"""What there is to recognise in a picture of KnightsArchersZombies: where players are and where they look, what they
have killed, and how many zombies, arrows and swords there are."""

from __future__ import annotations

import math

import numpy as np

from mmgames.games.knights_archers_zombies.kernel import RELOADS, SWINGS, swing
from mmgames.games.knights_archers_zombies.row import (
    ALIVE,
    ARCHERS,
    ARROW,
    ARROWS,
    FIELDS,
    HEADING,
    HIGH,
    HORIZON,
    MOST_ARROWS,
    MOST_ZOMBIES,
    OWNER,
    PLAYER,
    SCORE,
    SIDES,
    STEP,
    SWING,
    THING,
    TIMER,
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
from mmgames.games.knights_archers_zombies.rules import BattleView, KnightsArchersZombies, Point
from mmgames.games.knights_archers_zombies.words import spoken_role
from mmgames.kernels.kernel import plain_python
from mmgames.kernels.kernel_game import RowState
from mmgames.text.facts import Fact, same

PARTS = 4
NOTES = (
    f"The field between the walls is divided into {PARTS} columns of equal width, 1 to {PARTS} from left to right, and "
    f"{PARTS} rows of equal height, 1 to {PARTS} from top to bottom. A player is in the part that its middle is in. "
    "Swords are those that are being swung."
)
_DEAD = "dead"
_ACROSS, _DOWN = (WIDE - 2 * WALL) // PARTS, HIGH // PARTS
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
        column, row = (x - WALL) // _ACROSS + 1, y // _DOWN + 1
        looks = _LOOKS[round(player.heading / 90) % len(_LOOKS)]
        found += [
            Fact((f"column of {name}",), str(column) if player.alive else _DEAD, _PLACES),
            Fact((f"row of {name}",), str(row) if player.alive else _DEAD, _PLACES),
            Fact((f"{name} looks",), looks if player.alive else _DEAD, _WAYS),
            Fact((f"kills of {name}",), str(player.kills), kills),
        ]
    swords = sum(player.sword is not None for player in players)
    for name, count, most in (
        ("zombies", len(view.zombies), view.row[MOST_ZOMBIES]),
        ("arrows", len(view.arrows), view.row[MOST_ARROWS]),
        ("swords", swords, _MOST_SWORDS),
    ):
        found.append(Fact((name,), str(count), same(map(str, range(most + 1)))))
    return found


def make_state(game: KnightsArchersZombies, rng: np.random.Generator, seat: int) -> RowState:
    """Players in parts of their own or dead, any number of zombies, arrows and swords, and nothing on another."""
    row = game.start(rng).row.copy()
    archers, players = int(row[ARCHERS]), len(game.seats)
    alive = rng.random(players) < _LIVES
    swings = _swinging(rng, alive[archers:])
    parts = rng.permutation(PARTS * PARTS)[:players].tolist()
    taken = [_put_player(row, rng, one, parts[one], bool(alive[one])) for one in range(players)]
    for knight, swung in enumerate(swings, archers):
        if swung:
            _swing(row, rng, knight)
    row[STEP] = rng.integers(row[HORIZON])
    free: list[Point] = []
    row[ZOMBIES], row[ARROWS] = rng.integers(row[MOST_ZOMBIES] + 1), rng.integers(row[MOST_ARROWS] + 1)
    while len(free) < row[ZOMBIES] + row[ARROWS]:
        spot = int(rng.integers(WALL + _INSIDE, WIDE - WALL - _INSIDE)), int(rng.integers(_INSIDE, HIGH - _INSIDE))
        far = min((math.dist(spot, at) for at in free), default=_APART) >= _APART
        if far and all(math.dist(spot, at) >= _FROM_PLAYERS for at in taken):
            free.append(spot)
    for which, (x, y) in enumerate(free[: row[ZOMBIES]]):
        zombie = zombies_at(row) + THING * which
        row[[zombie + X, zombie + Y]] = x - ZOMBIE_WIDE // 2, y - ZOMBIE_HIGH // 2
        row[zombie + WOBBLE] = rng.integers(3)
    for which, at in enumerate(free[row[ZOMBIES] :]):
        _put_arrow(row, rng, which, at)
    return RowState(row)


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


def _put_player(row: np.ndarray, rng: np.random.Generator, seat: int, part: int, alive: bool) -> Point:
    me, way = PLAYER + FIELDS * seat, int(rng.integers(len(_LOOKS)))
    x = WALL + part % PARTS * _ACROSS + int(rng.integers(_MARGIN, _ACROSS - _MARGIN))
    y = part // PARTS * _DOWN + int(rng.integers(_MARGIN, _DOWN - _MARGIN))
    half = int(SIDES[9 * way]) // 2
    row[[me + X, me + Y, me + HEADING, me + ALIVE]] = x - half, y - half, 9 * way, alive
    row[me + SCORE] = rng.integers(_MOST_KILLS + 1)
    row[me + TIMER] = rng.integers(RELOADS) if alive and seat < row[ARCHERS] else 0
    heading = headings_at(row) + 2 * seat
    row.view(np.float64)[heading : heading + 2] = ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))[way]
    return x, y


def _swing(row: np.ndarray, rng: np.random.Generator, seat: int) -> None:
    me = PLAYER + FIELDS * seat
    row[me + SWING] = rng.integers(1, SWINGS)
    plain_python(swing)(row, row.view(np.float64), seat)
    row[me + TIMER] = SWINGS + 1 - row[me + SWING]


def _put_arrow(row: np.ndarray, rng: np.random.Generator, which: int, at: Point) -> None:
    arrow, flight = arrows_at(row) + THING * which, flights_at(row) + 2 * which
    row[[arrow + X, arrow + Y]] = at[0] - ARROW // 2, at[1] - ARROW // 2
    row[arrow + OWNER] = rng.integers(row[ARCHERS])
    turn = math.radians(10 * int(rng.integers(36)))
    row.view(np.float64)[flight : flight + 2] = math.sin(turn), -math.cos(turn)
