"""KnightsArchersZombies as a picture and as features."""

from __future__ import annotations

import math

import numpy as np

from mmgames.core.rooms import all_but_the_seat
from mmgames.drawing import canvas
from mmgames.drawing.canvas import BLUE, GREEN, INK, LINE, RED, WHITE, Colour, Pen, mix
from mmgames.games.knights_archers_zombies.observed import LINE as NUMBERS
from mmgames.games.knights_archers_zombies.observed import features as write_features
from mmgames.games.knights_archers_zombies.picture_plan import height, is_legible
from mmgames.games.knights_archers_zombies.row import ARCHERS, KNIGHTS, MOST_ARROWS, MOST_ZOMBIES, WALL, WIDE
from mmgames.games.knights_archers_zombies.rules import BattleView
from mmgames.kernels.compiling import compiled_later
from mmgames.kernels.kernel_game import ROW

shows = all_but_the_seat
GROUND: Colour = (222, 214, 190)
STONE: Colour = (128, 122, 116)
MOSS: Colour = (122, 148, 108)
SILVER: Colour = (176, 184, 196)
WOOD: Colour = (120, 84, 48)
FIGURE, ZOMBIE, ARROW, SWORD, CROSS = 52, 46, 50, 40, 56
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


def number(pen: Pen, told: str) -> None:
    pen.text(0.5, 0.5, told, 0.95, INK, bold=True)


def draw(view: BattleView, size: int = 512) -> np.ndarray:
    frame = _ground(size, view.archers, len(view.roles)).copy()
    scale = size / WIDE

    def place(at: tuple[int, int]) -> tuple[int, int]:
        return round(at[0] * scale), round(at[1] * scale)

    def wide(pixels: int) -> int:
        return max(3, round(pixels * scale))

    for at in view.zombies:
        canvas.lay(frame, canvas.overlay(zombie, wide(ZOMBIE), wide(ZOMBIE)), *place(at))
    for at, degrees in view.arrows:
        canvas.lay(frame, canvas.overlay(arrow, wide(ARROW), wide(ARROW), degrees), *place(at))
    for seat in range(len(view.roles)):
        player, is_archer = view.player(seat), seat < view.archers
        _count(frame, size, view.archers, seat, player.kills, player.alive)
        if not player.alive:
            continue
        if player.sword:
            canvas.lay(frame, canvas.overlay(sword, wide(SWORD), wide(SWORD)), *place(player.sword))
        paint = archer if is_archer else knight
        x, y = place(player.at)
        canvas.lay(frame, canvas.overlay(paint, wide(FIGURE), wide(FIGURE), player.heading), x, y)
        if is_legible(size):
            told = str(seat + 1 if is_archer else seat + 1 - view.archers)
            canvas.lay(frame, canvas.overlay(number, wide(30), wide(30), told), x + wide(30), y + wide(26))
    return frame


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
            told = str(seat + 1 if seat < archers else seat + 1 - archers)
            letters = max(3, round(34 * size / WIDE))
            canvas.lay(frame, canvas.overlay(number, letters, letters, told), x + half // 2, y - tall // 2)
    return frame


def _count(frame: np.ndarray, size: int, archers: int, seat: int, kills: int, alive: bool) -> None:
    x, y = _line(size, archers, seat)
    tall = max(5, round(40 * size / WIDE))
    down = y + max(2, round(26 * size / WIDE))
    canvas.paste(frame, canvas.label(str(kills), tall, INK, LINE, bold=size >= 256), x, down, "c")
    if not alive:
        wide = max(4, round(CROSS * size / WIDE))
        canvas.lay(frame, canvas.overlay(cross, wide, wide), x, y - max(2, round(52 * size / WIDE)) // 2)


def features(view: BattleView) -> np.ndarray:
    """What the kernel writes; a spectator looks from the first player."""
    row = view.row
    things = 1 + row[ARCHERS] + 2 * row[KNIGHTS] + row[MOST_ARROWS] + row[MOST_ZOMBIES]
    out = np.empty(NUMBERS * things, np.float32)
    compiled_later(write_features)(np.array(row, ROW), view.seat or 0, out)
    return out
