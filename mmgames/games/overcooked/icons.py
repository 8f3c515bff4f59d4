"""How everything in the kitchen looks: tiles, stations, things, chefs, and the icons beside it. Each is painted into a
square of side 1."""

import numpy as np

from mmgames.drawing.canvas import BLUE, FAINT, GOLD, GREEN, INK, WHITE, Colour, Paint, Pen, mix
from mmgames.games.overcooked.layouts import COUNTER, DISHES, FLOOR, HATCH, OFFSETS, ONIONS
from mmgames.games.overcooked.rules import DISH, FETCHED, FULL, IDLE, NOTHING, ONION, PLATED, POTTED, SERVED

LEAF: Colour = (64, 168, 74)
PLUM: Colour = (122, 78, 148)
HATS = (BLUE, LEAF)
TILES: Colour = (236, 230, 218)
WOOD: Colour = (186, 146, 104)
STEEL: Colour = (120, 124, 132)
SKIN: Colour = (240, 200, 164)
BULB: Colour = (226, 164, 62)
BROTH: Colour = (196, 92, 36)


def floor(pen: Pen) -> None:
    pen.rect(0, 0, 1, 1, mix(TILES, INK, 0.10))
    pen.rect(0.015, 0.015, 0.985, 0.985, TILES)


def counter(pen: Pen) -> None:
    pen.rect(0, 0, 1, 1, mix(WOOD, INK, 0.35))
    pen.rect(0.02, 0.02, 0.98, 0.98, WOOD)
    pen.rect(0.08, 0.08, 0.92, 0.92, mix(WOOD, WHITE, 0.25), radius=0.06)


def onion(pen: Pen) -> None:
    pen.line([(0.5, 0.30), (0.44, 0.10)], GREEN, 0.08)
    pen.line([(0.5, 0.30), (0.60, 0.12)], GREEN, 0.08)
    pen.ellipse(0.5, 0.58, 0.38, 0.33, mix(BULB, INK, 0.45))
    pen.ellipse(0.5, 0.58, 0.34, 0.29, BULB)
    pen.ellipse(0.5, 0.58, 0.15, 0.29, mix(BULB, WHITE, 0.35))
    pen.polygon([(0.36, 0.34), (0.5, 0.18), (0.64, 0.34)], BULB)


def dish(pen: Pen) -> None:
    pen.disc(0.5, 0.5, 0.44, mix(STEEL, INK, 0.4))
    pen.disc(0.5, 0.5, 0.40, WHITE)
    pen.disc(0.5, 0.5, 0.26, mix(WHITE, STEEL, 0.35))
    pen.disc(0.5, 0.5, 0.23, mix(WHITE, STEEL, 0.10))


def soup(pen: Pen, onions: int) -> None:
    """A filled dish; one of fewer than three onions is pale and shows how many it is made of."""
    dish(pen)
    pen.disc(0.5, 0.5, 0.32, mix(BROTH, INK, 0.3))
    pen.disc(0.5, 0.5, 0.29, BROTH if onions == FULL else mix(BROTH, WHITE, 0.6))
    for x in (0.36, 0.64, 0.5)[:onions] if onions < FULL else ():
        pen.disc(x, 0.5, 0.10, BULB, INK, 0.02)
    if onions == FULL:
        for x, y in ((0.42, 0.42), (0.60, 0.48), (0.46, 0.62)):
            pen.disc(x, y, 0.07, BULB)


def item(pen: Pen, what: int) -> None:
    if what == ONION:
        onion(pen)
    elif what == DISH:
        dish(pen)
    elif what > DISH:
        soup(pen, what - DISH)
    else:
        pen.line([(0.32, 0.5), (0.68, 0.5)], FAINT, 0.07)


def onions(pen: Pen) -> None:
    """A crate of onions."""
    counter(pen)
    pen.rect(0.10, 0.10, 0.90, 0.90, mix(WOOD, INK, 0.55), radius=0.05)
    for x, y in ((0.14, 0.10), (0.48, 0.10), (0.14, 0.46), (0.48, 0.46)):
        onion(pen.part(x, y, 0.40))


def dishes(pen: Pen) -> None:
    """A stack of dishes."""
    counter(pen)
    for lift in (0.10, 0.05, 0.0):
        dish(pen.part(0.10 + lift / 2, 0.06 + lift, 0.78))


def hatch(pen: Pen) -> None:
    """The serving hatch: a violet mat with an arrow out of the kitchen and a bell."""
    counter(pen)
    pen.rect(0.08, 0.08, 0.92, 0.92, mix(PLUM, INK, 0.15), radius=0.06)
    pen.rect(0.14, 0.14, 0.86, 0.86, mix(PLUM, WHITE, 0.40), radius=0.05)
    pen.pie(0.5, 0.60, 0.28, 180, 360, GOLD)
    pen.rect(0.18, 0.60, 0.82, 0.68, mix(GOLD, INK, 0.45))
    pen.disc(0.5, 0.28, 0.06, mix(GOLD, INK, 0.45))


def pot(pen: Pen, count: int, clock: int, cook_time: int) -> None:
    """A pot on its stove, from above. While it cooks it shows how long it has; when it is done it has a green rim."""
    counter(pen)
    pen.rect(0.06, 0.06, 0.94, 0.94, mix(STEEL, INK, 0.55), radius=0.08)
    for x in (0.06, 0.94):
        pen.disc(x + (0.5 - x) * 0.08, 0.5, 0.09, INK)
    done = clock >= cook_time
    pen.disc(0.5, 0.5, 0.42, INK)
    pen.disc(0.5, 0.5, 0.39, GREEN if clock != IDLE and done else mix(STEEL, WHITE, 0.45))
    if clock != IDLE and not done:
        pen.pie(0.5, 0.5, 0.39, -90, -90 + 360 * clock / cook_time, GOLD)
    pen.disc(0.5, 0.5, 0.30, mix(STEEL, INK, 0.6) if clock == IDLE else BROTH)
    if clock == IDLE:
        for x, y in ((0.28, 0.24), (0.50, 0.30), (0.32, 0.48))[:count]:
            onion(pen.part(x - 0.03, y, 0.30))
        return
    for x, y in ((0.34, 0.36), (0.66, 0.38), (0.50, 0.70))[:count]:
        pen.disc(x, y, 0.06, BULB)
    if done:
        pen.line([(0.34, 0.52), (0.46, 0.64), (0.67, 0.36)], WHITE, 0.10)
    else:
        pen.text(0.5, 0.5, str(clock), 0.44, WHITE, bold=True)


def chef(pen: Pen, seat: int, facing: int, holds: int) -> None:
    """A chef from above: hat, face and hands towards where it faces, and what it holds before it."""
    hat = HATS[seat]
    ahead, aside = OFFSETS[facing], (OFFSETS[facing][1], OFFSETS[facing][0])

    def at(forward: float, sideways: float = 0.0) -> tuple[float, float]:
        return 0.5 + forward * ahead[0] + sideways * aside[0], 0.5 + forward * ahead[1] + sideways * aside[1]

    def across(wide: float, deep: float) -> tuple[float, float]:
        return (wide, deep) if ahead[0] == 0 else (deep, wide)

    pen.ellipse(*at(-0.06), *across(0.43, 0.30), mix(hat, INK, 0.55))
    pen.ellipse(*at(-0.06), *across(0.40, 0.27), mix(hat, WHITE, 0.55))
    for side in (-0.27, 0.27):
        pen.disc(*at(0.17, side), 0.10, mix(SKIN, INK, 0.5))
        pen.disc(*at(0.17, side), 0.08, SKIN)
    if holds == NOTHING:
        pen.polygon([at(0.50), at(0.36, 0.13), at(0.36, -0.13)], hat)
    pen.disc(*at(0.10), 0.23, mix(SKIN, INK, 0.5))
    pen.disc(*at(0.10), 0.21, SKIN)
    for side in (-0.09, 0.09):
        pen.disc(*at(0.21, side), 0.04, INK)
    pen.disc(*at(-0.10), 0.30, mix(hat, INK, 0.5))
    pen.disc(*at(-0.10), 0.27, hat)
    for forward, side in ((-0.22, 0.0), (-0.13, 0.12), (-0.13, -0.12), (0.02, 0.08), (0.02, -0.08)):
        pen.disc(*at(forward, side), 0.085, mix(hat, WHITE, 0.30))
    if holds != NOTHING:
        x, y = at(0.26)
        item(pen.part(x - 0.25, y - 0.25, 0.50), holds)


def on(pen: Pen, ground: Paint, paint: Paint, *details: int) -> None:
    """A thing on its ground, a little smaller than the cell if it lies on a counter."""
    ground(pen)
    paint(pen if ground is floor else pen.part(0.14, 0.14, 0.72), *details)


def clock_face(pen: Pen) -> None:
    pen.disc(0.5, 0.5, 0.44, INK)
    pen.disc(0.5, 0.5, 0.36, WHITE)
    pen.line([(0.5, 0.22), (0.5, 0.5), (0.70, 0.60)], INK, 0.09)


def star(pen: Pen) -> None:
    turns = [-90 + 36 * i for i in range(10)]
    points = [
        (0.5 + far * np.cos(np.radians(turn)), 0.52 + far * np.sin(np.radians(turn)))
        for turn, far in zip(turns, (0.48, 0.20) * 5, strict=True)
    ]
    pen.polygon(points, GOLD)


def event_icon(pen: Pen, event: int) -> None:
    if event == POTTED:
        pot(pen.part(0.28, 0.18, 0.72), 0, IDLE, 1)
        onion(pen.part(0.0, 0.0, 0.55))
    elif event == FETCHED:
        dish(pen)
    elif event == PLATED:
        soup(pen, FULL)
    elif event == SERVED:
        hatch(pen.part(0.22, 0.0, 0.78))
        soup(pen.part(0.0, 0.42, 0.56), FULL)


STATIONS: dict[int, Paint] = {FLOOR: floor, COUNTER: counter, ONIONS: onions, DISHES: dishes, HATCH: hatch}
