"""KnightsArchersZombies as a picture and as features."""

import math
from functools import lru_cache
from typing import Any

import numpy as np

from mmgames.core.game_modules import Box, all_but_the_seat
from mmgames.drawing import canvas
from mmgames.drawing.canvas import BLUE, GREEN, INK, LINE, RED, WHITE, Colour, Pen, mix
from mmgames.games.knights_archers_zombies.field import (
    ARROW_SIDE,
    SIDES,
    SWORD_SIDE,
    WALL,
    WIDE,
    ZOMBIE_HIGH,
    ZOMBIE_WIDE,
    BattleView,
)
from mmgames.games.knights_archers_zombies.picture_plan import height, is_legible
from mmgames.games.knights_archers_zombies.rules import ATTACK, BACKWARD, FORWARD, LEFT, RIGHT, num_features
from mmgames.games.knights_archers_zombies.rules import features as write_features
from mmgames.games.knights_archers_zombies.words import names
from mmgames.kernels.kernel import inlined, kernel, rounded
from mmgames.kernels.kernel_game import ask
from mmgames.kernels.records import RecordState
from mmgames.kernels.sprites import NOTHING, Sprite, SpriteSheet, centred, laid, put

shows = all_but_the_seat
GROUND: Colour = (222, 214, 190)
STONE: Colour = (128, 122, 116)
MOSS: Colour = (122, 148, 108)
SILVER: Colour = (176, 184, 196)
WOOD: Colour = (120, 84, 48)
FIGURE, ZOMBIE, ARROW, SWORD, CROSS, NUMBER, NUMBER_BELOW = 52, 46, 50, 40, 56, 30, 26
"""How large things are drawn, in pixels of the field: larger than they are, to be seen."""


def _turned(points: list[tuple[float, float]], degrees: float) -> list[tuple[float, float]]:
    """Points around the middle, which look up, turned clockwise."""
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [
        (0.5 + (x - 0.5) * cosine - (y - 0.5) * sine, 0.5 + (x - 0.5) * sine + (y - 0.5) * cosine) for x, y in points
    ]


def archer(pen: Pen, degrees: int) -> None:
    """A green cap; the bow is in front."""
    pen.disc(0.5, 0.5, 0.30, mix(GREEN, INK, 0.5))
    pen.disc(0.5, 0.5, 0.26, GREEN)
    bow = [(0.5 + 0.40 * math.sin(turn), 0.5 - 0.40 * math.cos(turn)) for turn in np.linspace(-0.9, 0.9, 9)]
    pen.line(_turned(bow, degrees), WOOD, 0.08)
    pen.line(_turned([bow[0], bow[-1]], degrees), INK, 0.03)
    pen.line(_turned([(0.5, 0.42), (0.5, 0.06)], degrees), INK, 0.04)


def knight(pen: Pen, degrees: int) -> None:
    """A blue helmet with a tip and a slit in front."""
    helmet = [(0.5, 0.08), (0.74, 0.30), (0.76, 0.66), (0.62, 0.80), (0.38, 0.80), (0.24, 0.66), (0.26, 0.30)]
    pen.polygon(_turned(helmet, degrees), mix(BLUE, INK, 0.55))
    inner = [(0.5 + (x - 0.5) * 0.82, 0.5 + (y - 0.5) * 0.82) for x, y in helmet]
    pen.polygon(_turned(inner, degrees), BLUE)
    pen.line(_turned([(0.34, 0.40), (0.66, 0.40)], degrees), WHITE, 0.07)
    pen.line(_turned([(0.5, 0.40), (0.5, 0.20)], degrees), WHITE, 0.05)


def zombie(pen: Pen) -> None:
    """It comes down with its arms stretched out."""
    dark = mix(MOSS, INK, 0.55)
    for x in (0.26, 0.74):
        pen.line([(x, 0.42), (x, 0.90)], dark, 0.16)
        pen.line([(x, 0.44), (x, 0.88)], mix(MOSS, WHITE, 0.15), 0.09)
    pen.disc(0.5, 0.42, 0.32, dark)
    pen.disc(0.5, 0.42, 0.28, MOSS)
    for x in (0.39, 0.61):
        pen.disc(x, 0.46, 0.07, WHITE)
        pen.disc(x, 0.48, 0.04, RED)
    pen.line([(0.38, 0.61), (0.62, 0.61)], INK, 0.05)


def arrow(pen: Pen, degrees: int) -> None:
    pen.line(_turned([(0.5, 0.95), (0.5, 0.15)], degrees), WOOD, 0.09)
    pen.polygon(_turned([(0.5, 0.0), (0.36, 0.26), (0.64, 0.26)], degrees), WHITE, INK, 0.03)
    pen.line(_turned([(0.36, 0.98), (0.5, 0.84), (0.64, 0.98)], degrees), RED, 0.06)


def sword(pen: Pen) -> None:
    pen.disc(0.5, 0.5, 0.46, mix(SILVER, INK, 0.5))
    pen.disc(0.5, 0.5, 0.38, SILVER)
    pen.polygon([(0.5, 0.10), (0.58, 0.66), (0.42, 0.66)], WHITE, INK, 0.04)
    pen.line([(0.32, 0.68), (0.68, 0.68)], WOOD, 0.10)
    pen.line([(0.5, 0.68), (0.5, 0.88)], WOOD, 0.10)


def cross(pen: Pen) -> None:
    for points in ([(0.1, 0.1), (0.9, 0.9)], [(0.9, 0.1), (0.1, 0.9)]):
        pen.line(points, RED, 0.16)


def number(pen: Pen, text: str) -> None:
    pen.text(0.5, 0.5, text, 0.95, INK, bold=True)


def across(size: int, pixels: int) -> int:
    """How wide something is in a picture, so many pixels at least that it is seen."""
    return max(3, round(pixels * (size / WIDE)))


def draw(view: BattleView, size: int = 512) -> np.ndarray:
    return _sheet_of(view.state, size).draw_one(view.state)


def _line(size: int, archers: int, seat: int) -> tuple[int, int]:
    """The middle of what is told of a player on its wall."""
    number = seat if seat < archers else seat - archers
    across = WALL / 2 if seat < archers else WIDE - WALL / 2
    return round(across * size / WIDE), round((60 + 120 * number) * size / WIDE)


@canvas.kept(32)
def _ground(size: int, archers: int, players: int) -> np.ndarray:
    """The field, the walls, and who is told of on them."""
    high, wall = height(size), round(WALL * size / WIDE)
    frame = canvas.blank(size, high, GROUND)
    rows = max(2, high // 24)
    for left in (0, size - wall):
        canvas.fill(frame, left, 0, left + wall, high, STONE)
        for line, y in enumerate(range(0, high, rows)):
            canvas.fill(frame, left, y, left + wall, y + max(1, size // 512), mix(STONE, INK, 0.3))
            middle = left + wall // 2 if line % 2 else left + wall // 4
            canvas.fill(frame, middle, y, middle + max(1, size // 512), min(high, y + rows), mix(STONE, INK, 0.3))
    canvas.fill(frame, wall, high - max(1, size // 200), size - wall, high, RED)
    for seat in range(players):
        x, y = _line(size, archers, seat)
        half = max(2, round(WALL * 0.46 * size / WIDE))
        tall = max(2, round(52 * size / WIDE))
        canvas.fill(frame, x - half, y - tall, x + half, y + tall, LINE)
        wide = max(3, round(FIGURE * size / WIDE))
        paint = archer if seat < archers else knight
        canvas.lay(frame, canvas.overlay(paint, wide, wide, 0), x - half // 2, y - tall // 2)
        if is_legible(size):
            text = str(seat + 1 if seat < archers else seat + 1 - archers)
            letters = max(3, round(34 * size / WIDE))
            canvas.lay(frame, canvas.overlay(number, letters, letters, text), x + half // 2, y - tall // 2)
    return frame


def _kills(size: int, kills: int) -> np.ndarray:
    return canvas.label(str(kills), max(5, round(40 * size / WIDE)), INK, LINE, bold=size >= 256)


def _cross(size: int) -> canvas.Overlay:
    wide = max(4, round(CROSS * size / WIDE))
    return canvas.overlay(cross, wide, wide)


def _count_lines(size: int, archers: int, seat: int) -> tuple[int, int, int]:
    """Where it stands how many a player has killed, and where the cross goes: across, down, down."""
    x, y = _line(size, archers, seat)
    return x, y + max(2, round(26 * size / WIDE)), y - max(2, round(52 * size / WIDE)) // 2


REACH, BOX = 56, 36
"""How far from the own middle a click for a step or a turn is, and how wide the places to click are, on the field."""


def regions(view: BattleView, size: int = 512) -> dict[int, tuple[Box, ...]]:
    """Before, behind and beside the own figure, to go there and to turn; the figure itself, to attack."""
    if view.seat is None or len(names(view)) <= 1:
        return {}
    me, scale = view.player(view.seat), size / WIDE
    found: dict[int, tuple[Box, ...]] = {}
    degrees = {FORWARD: 0, RIGHT: 90, BACKWARD: 180, LEFT: 270}
    for action in (ATTACK, *degrees):
        turn = math.radians(me.heading + degrees.get(action, 0))
        far = REACH if action in degrees else 0
        x, y = (me.at[0] + far * math.sin(turn)) * scale, (me.at[1] - far * math.cos(turn)) * scale
        half = BOX * scale / 2
        box = (
            max(0, round(x - half)),
            max(0, round(y - half)),
            min(size, round(x + half)),
            min(height(size), round(y + half)),
        )
        if box[0] < box[2] and box[1] < box[3]:
            found[action] = (box,)
    return found


def features(view: BattleView) -> np.ndarray:
    """What the kernel writes; a spectator looks from the first player."""
    out = np.empty(num_features(view.state), np.float32)
    ask(write_features, view.state, view.seat or 0, out)
    return out


# Codes of sprites: zombie, sword, cross, arrows and figures by their degrees, numbers, and then the kills.
ZOMBIE_CODE, SWORD_CODE, CROSS_CODE, ARROWS_FROM = range(4)
WAYS = 360
ARCHERS_FROM, KNIGHTS_FROM, NUMBERS_FROM = (ARROWS_FROM + kind * WAYS for kind in (1, 2, 3))
KILLS_FROM = NUMBERS_FROM + 4  # archers, or knights, at the most
# The layout: the size, where numbers are from their figures (0: there are none), and the lines on the walls.
SIZE, NUMBER_X, NUMBER_Y, LINES_FROM = range(4)


@kernel
def place(state, layout, out):
    """Zombies, arrows, and then the players."""
    slot = put(out, 0, NOTHING, 0, 0)
    for which in range(len(state.zombies)):
        zombie, code = state.zombies[which], ZOMBIE_CODE if which < state.walking else NOTHING
        slot = put_at(layout, zombie.x + ZOMBIE_WIDE // 2, zombie.y + ZOMBIE_HIGH // 2, code, out, slot)
    for which in range(len(state.arrows)):
        arrow, half = state.arrows[which], ARROW_SIDE // 2
        way = math.degrees(math.atan2(arrow.right, -arrow.down))
        code = ARROWS_FROM + rounded(way) % WAYS if which < state.flying else NOTHING
        slot = put_at(layout, arrow.x + half, arrow.y + half, code, out, slot)
    for seat in range(len(state.players)):
        slot = put_player(state, layout, seat, out, slot)


@inlined
def put_at(layout, x, y, code, out, slot):
    """A place of the field in the picture."""
    scale = layout[SIZE] / WIDE
    return put(out, slot, code, rounded(x * scale), rounded(y * scale))


@inlined
def put_player(state, layout, seat, out, slot):
    """The kills and the cross on the wall, the sword, the figure, its number."""
    me, archers, line = state.players[seat], state.archers, LINES_FROM + 3 * seat
    slot = put(out, slot, KILLS_FROM + me.kills, layout[line], layout[line + 1])
    slot = put(out, slot, NOTHING if me.alive else CROSS_CODE, layout[line], layout[line + 2])
    sword, half = SWORD_CODE if me.alive and me.swing else NOTHING, SWORD_SIDE // 2
    slot = put_at(layout, me.sword_x + half, me.sword_y + half, sword, out, slot)
    figure, half = (ARCHERS_FROM if seat < archers else KNIGHTS_FROM) + 10 * me.heading, SIDES[me.heading] // 2
    at = slot
    slot = put_at(layout, me.x + half, me.y + half, figure if me.alive else NOTHING, out, slot)
    told = NUMBERS_FROM + (seat if seat < archers else seat - archers)
    shown = told if me.alive and layout[NUMBER_X] else NOTHING
    return put(out, slot, shown, out[at, 1] + layout[NUMBER_X], out[at, 2] + layout[NUMBER_Y])


@lru_cache(maxsize=16)
def _sheet(size: int, archers: int, players: int, zombies: int, arrows: int, most_kills: int) -> SpriteSheet:
    def paint(code: int) -> Sprite:
        if code >= KILLS_FROM:
            return centred(_kills(size, code - KILLS_FROM))
        if code >= NUMBERS_FROM:
            wide = across(size, NUMBER)
            return laid(canvas.overlay(number, wide, wide, str(code - NUMBERS_FROM + 1)))
        if code == CROSS_CODE:
            return laid(_cross(size))
        if code < ARROWS_FROM:
            figure, pixels = (zombie, ZOMBIE) if code == ZOMBIE_CODE else (sword, SWORD)
            return laid(canvas.overlay(figure, across(size, pixels), across(size, pixels)))
        kind, degrees = divmod(code - ARROWS_FROM, WAYS)
        turned, pixels = ((arrow, ARROW), (archer, FIGURE), (knight, FIGURE))[kind]
        return laid(canvas.overlay(turned, across(size, pixels), across(size, pixels), degrees))

    tall = across(size, NUMBER) if is_legible(size) else 0
    lines = [number for seat in range(players) for number in _count_lines(size, archers, seat)]
    layout = np.array([size, tall, across(size, NUMBER_BELOW), *lines])
    slots = 1 + zombies + arrows + 5 * players
    ground, codes = _ground(size, archers, players), KILLS_FROM + most_kills + 1
    return SpriteSheet(ground, place, slots, codes, paint, layout, layered=True)


def _sheet_of(state: RecordState, size: int) -> SpriteSheet:
    kind = state.array.dtype
    players, zombies, arrows = (kind[name].shape[0] for name in ("players", "zombies", "arrows"))
    return _sheet(size, state.archers, players, zombies, arrows, state.horizon // state.delay)


def sprites(game: Any, size: int) -> SpriteSheet:
    return _sheet_of(game.kernel.blank, size)
