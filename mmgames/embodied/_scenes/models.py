"""What the things of a kitchen look like in 3D: our own simple shapes, standing on the origin, front towards +x."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache, partial
from itertools import pairwise

from mmgames.drawing.canvas import Colour, mix
from mmgames.embodied._scenes.solids import (
    Point,
    Solid,
    Solids,
    ball,
    block,
    drum,
    extent,
    lathe,
    moved,
    rod,
    scaled,
    slab,
    tilt,
    times,
    yaw,
)  # fmt: skip
from mmgames.embodied._world.names import base

LARGER = {
    "apple": 2.9, "pear": 2.7, "peach": 2.9, "tomato": 2.9, "banana": 2.1, "bread": 2.0, "meat": 2.1, "pumpkin": 1.9,
    "pizza": 1.6, "green peas": 2.0, "knife": 1.8, "fork": 1.8, "spoon": 1.8, "scissors": 1.9, "plate": 1.7,
    "bowl": 1.8, "tray": 1.5, "wooden cutting board": 1.5, "cup": 2.6, "bottle": 1.7, "wine": 1.7, "kettle": 1.6,
    "cardboardbox": 1.4, "box": 1.4,
}  # fmt: skip
"""How much larger than life things are, so that they can be told apart in a picture of a whole kitchen."""

MEDIUM = 1.5
"""The same for things that are not named there."""

STEEL: Colour = (158, 164, 174)
DARK: Colour = (58, 60, 66)
WHITE: Colour = (246, 246, 242)
LEAF: Colour = (84, 150, 58)
STALK: Colour = (96, 66, 36)
GLOW: Colour = (255, 140, 40)
LAMP_ON: Colour = (60, 230, 90)
LAMP_OFF: Colour = (70, 76, 74)

_INSIDE = {
    "plate": 0.012, "tray": 0.014, "bowl": 0.02, "wooden cutting board": 0.02, "cardboardbox": 0.01, "sink": -0.1,
    "toaster": 0.16, "cabinet": 0.02, "drawer": 0.0,
}  # fmt: skip


def inside(what: str) -> float:
    """How much higher than the foot of a container its contents stand, in metres."""
    return _INSIDE.get(what, 0.03) * LARGER.get(what, 1.0)


def _plate() -> Solids:
    blue: Colour = (70, 120, 196)
    return (
        lathe(((0, 0), (0.06, 0), (0.115, 0.018), (0.115, 0.021), (0.085, 0.013)), (0, 0, 0), blue),
        lathe(((0.09, 0.015), (0.07, 0.008), (0.062, 0.008), (0, 0.008)), (0, 0, 0), WHITE),
        lathe(((0.052, 0.0085), (0.048, 0.0085)), (0, 0, 0), (196, 206, 222)),
    )


def _bowl() -> Solids:
    clay: Colour = (56, 116, 186)
    outside = ((0, 0), (0.045, 0), (0.045, 0.008), (0.085, 0.04), (0.106, 0.08), (0.1, 0.087), (0.09, 0.084))
    return (
        lathe(outside, (0, 0, 0), clay),
        lathe(((0.09, 0.084), (0.082, 0.06), (0.062, 0.03)), (0, 0, 0), (206, 226, 246)),
        lathe(((0.062, 0.03), (0.04, 0.014), (0, 0.012)), (0, 0, 0), (160, 192, 228)),
    )


def _tray() -> Solids:
    wood: Colour = (150, 104, 66)
    rim = mix(wood, DARK, 0.35)
    grips = [rod((x, -0.05, 0.045), (x, 0.05, 0.045), 0.009, STEEL) for x in (-0.155, 0.155)]
    return (
        slab((0.3, 0.22, 0.012), (0, 0, 0), wood),
        *(slab((0.3, 0.014, 0.035), (0, y, 0), rim) for y in (-0.11, 0.11)),
        *(slab((0.014, 0.22, 0.035), (x, 0, 0), rim) for x in (-0.15, 0.15)),
        *grips,
    )


def _board() -> Solids:
    """A board with a handle and a hole in it."""
    wood: Colour = (200, 148, 88)
    return (
        slab((0.22, 0.16, 0.018), (0, 0, 0), wood),
        *(slab((0.22, 0.008, 0.0005), (0, y, 0.018), (166, 112, 60)) for y in (-0.05, 0.0, 0.05)),
        slab((0.08, 0.045, 0.018), (0.145, 0, 0), mix(wood, DARK, 0.15)),
        drum(0.011, 0.0005, (0.165, 0, 0.018), DARK),
    )


def _box() -> Solids:
    """Open, with four flaps folded out."""
    card: Colour = (196, 154, 104)
    shade, light = mix(card, DARK, 0.12), mix(card, WHITE, 0.2)
    walls = [slab((0.26, 0.008, 0.17), (0, y, 0), card) for y in (-0.1, 0.1)]
    walls += [slab((0.008, 0.2, 0.17), (x, 0, 0), shade) for x in (-0.13, 0.13)]
    flaps = []
    for side in (1, -1):
        lean = (math.cos(0.25), side * -math.sin(0.25), 0.0, 0.0)
        flaps.append(block((0.25, 0.09, 0.006), (0, side * 0.135, 0.165), light, lean))
        flaps.append(block((0.09, 0.19, 0.006), (side * 0.165, 0, 0.165), light, tilt(side * 0.5)))
    return (slab((0.26, 0.2, 0.008), (0, 0, 0), mix(card, DARK, 0.3)), *walls, *flaps)


def _leaf(at: Point, turn: float) -> Solid:
    return ball(0.02, at, LEAF, (1.35, 0.7, 0.22))._replace(turn=times(yaw(turn), tilt(-0.5)))


def _apple() -> Solids:
    """Broad shoulders, a hollow with a stalk in it, a leaf."""
    skin: Colour = (206, 34, 36)
    outline = (
        (0, 0.006), (0.02, 0.0), (0.034, 0.014), (0.042, 0.036), (0.041, 0.056), (0.031, 0.072), (0.017, 0.075),
        (0.006, 0.068), (0, 0.06),
    )  # fmt: skip
    stalk = rod((0, 0, 0.06), (0.01, 0, 0.102), 0.0045, STALK, 0.006)
    return (lathe(outline, (0, 0, 0), skin), stalk, _leaf((0.026, 0.004, 0.092), 0.3))


def _pear() -> Solids:
    outline = (
        (0, 0), (0.026, 0.002), (0.042, 0.024), (0.039, 0.048), (0.024, 0.075), (0.018, 0.095), (0.009, 0.106),
        (0, 0.108),
    )  # fmt: skip
    stalk = rod((0, 0, 0.104), (0.012, 0, 0.134), 0.0045, STALK)
    lying = times(yaw(0.4), tilt(0.9))  # it leans, so that its neck is seen from above
    return moved(
        (lathe(outline, (0, 0, -0.03), (184, 204, 56)), *moved((stalk, _leaf((0.03, 0, 0.122), 0.0)), (0, 0, -0.03))),
        (-0.02, 0, 0.045), lying,
    )  # fmt: skip


def _peach() -> Solids:
    """Two cheeks, one of them red, with a cleft between them."""
    return (
        ball(0.039, (0, 0.009, 0.038), (250, 178, 112), (1, 0.86, 0.96)),
        ball(0.039, (0, -0.009, 0.038), (240, 118, 92), (1, 0.86, 0.96)),
        rod((0, 0, 0.07), (0.004, 0, 0.09), 0.004, STALK),
        _leaf((0.026, 0.0, 0.086), 0.0),
        _leaf((-0.022, 0.006, 0.086), 2.8),
    )


def _banana() -> Solids:
    angles = (0.2, 0.75, 1.25, 1.75, 2.25, 2.8)
    points = [(0.095 * math.cos(a), 0.095 * math.sin(a) - 0.06, 0.024) for a in angles]
    radii = (0.011, 0.021, 0.025, 0.025, 0.02, 0.009)
    stalk = (points[-1][0] - 0.022, points[-1][1] - 0.012, 0.026)
    return (
        *(rod(points[k], points[k + 1], radii[k], (250, 212, 46), radii[k + 1]) for k in range(len(points) - 1)),
        ball(0.012, points[0], (84, 60, 28)),
        rod(points[-1], stalk, 0.008, (120, 100, 36)),
    )


def _tomato() -> Solids:
    """Five lobes under a green star."""
    turns = [k * math.tau / 5 for k in range(5)]
    lobes = [ball(0.03, (0.014 * math.cos(a), 0.014 * math.sin(a), 0.03), (226, 58, 34), (1, 1, 0.95)) for a in turns]
    star = [
        block((0.032, 0.009, 0.004), (0.016 * math.cos(a), 0.016 * math.sin(a), 0.06), LEAF, times(yaw(a), tilt(0.3)))
        for a in turns
    ]
    return (*lobes, *star, rod((0, 0, 0.056), (0, 0, 0.076), 0.004, LEAF))


def _bread() -> Solids:
    """A loaf with three cuts."""
    crust: Colour = (190, 118, 52)
    cuts = [block((0.014, 0.062, 0.012), (x, 0, 0.08), (246, 220, 164), yaw(0.5)) for x in (-0.048, 0.0, 0.048)]
    return (ball(0.075, (0, 0, 0.04), crust, (1.3, 0.66, 0.6)), *cuts)


def _meat() -> Solids:
    """A steak: a rim of fat, red meat, and the bone."""
    fat: Colour = (250, 226, 206)
    bone = lathe(((0.006, 0.034), (0.006, 0.04), (0.017, 0.04), (0.017, 0.03)), (-0.036, 0.012, 0), WHITE)
    return (
        ball(0.07, (0, 0, 0.016), fat, (1.2, 0.86, 0.24)),
        ball(0.06, (0.004, 0, 0.021), (196, 48, 50), (1.2, 0.84, 0.25)),
        rod((0.0, -0.035, 0.033), (0.045, 0.012, 0.033), 0.006, fat, 0.003),
        drum(0.007, 0.002, (-0.036, 0.012, 0.034), (214, 140, 120)),
        bone,
    )


def _pumpkin() -> Solids:
    turns = [k * math.tau / 8 for k in range(8)]
    colours: tuple[Colour, Colour] = ((236, 128, 30), (214, 104, 22))
    ribs = [
        ball(0.05, (0.042 * math.cos(a), 0.042 * math.sin(a), 0.048), colours[k % 2], (1, 1, 0.95))
        for k, a in enumerate(turns)
    ]
    return (*ribs, rod((0, 0, 0.08), (0.008, 0, 0.125), 0.014, (88, 116, 52), 0.009), _leaf((0.04, 0.01, 0.108), 0.2))


def _pizza() -> Solids:
    """Cut into six, with sausage and basil on it."""
    cheese: Colour = (250, 210, 92)
    turns = [k * math.tau / 6 for k in range(6)]
    cuts = [block((0.22, 0.004, 0.002), (0, 0, 0.02), (176, 116, 50), yaw(a)) for a in turns[:3]]
    sausage = [drum(0.02, 0.005, (0.066 * math.cos(a), 0.066 * math.sin(a), 0.017), (196, 44, 34)) for a in turns]
    basil = [ball(0.013, (0.036 * math.cos(a), 0.036 * math.sin(a), 0.021), LEAF, (1, 0.6, 0.3)) for a in turns[::2]]
    crust = lathe(((0, 0), (0.114, 0), (0.122, 0.014), (0.113, 0.026), (0.1, 0.018)), (0, 0, 0), (204, 140, 66))
    turned = [moved((piece,), (0, 0, 0), yaw(math.tau / 12))[0] for piece in (*sausage, *basil)]
    return (crust, drum(0.106, 0.004, (0, 0, 0.015), cheese), *cuts, *turned)


def _peas() -> Solids:
    """An open pod with five peas, and three beside it."""
    green: Colour = (124, 200, 60)
    pod: Colour = (60, 132, 44)
    row = [ball(0.0175, (0.033 * k, 0.006 * k * k - 0.012, 0.026), green) for k in (-2, -1, 0, 1, 2)]
    halves = [rod((x * 0.095, 0.012, 0.014), (0, -0.014, 0.012), 0.008, pod, 0.026) for x in (-1, 1)]
    loose = [ball(0.0165, (x, y, 0.016), green) for x, y in ((-0.04, -0.062), (0.006, -0.072), (0.05, -0.056))]
    return (*halves, *row, *loose, rod((0.09, 0.01, 0.014), (0.125, 0.026, 0.02), 0.006, pod))


def _knife() -> Solids:
    """A broad blade with a point, and a dark handle with rivets."""
    point = block((0.04, 0.029, 0.006), (0.132, 0.005, 0.014), STEEL, yaw(math.pi / 4))
    return (
        slab((0.14, 0.042, 0.006), (0.06, 0, 0.011), STEEL),
        point,
        slab((0.14, 0.007, 0.007), (0.06, -0.0185, 0.011), (222, 228, 236)),
        slab((0.1, 0.028, 0.022), (-0.06, 0.006, 0.003), (52, 36, 30)),
        *(drum(0.005, 0.001, (x, 0.006, 0.025), WHITE) for x in (-0.085, -0.035)),
    )


def _fork() -> Solids:
    tines = [slab((0.075, 0.011, 0.008), (0.1, y, 0.008), STEEL) for y in (-0.03, 0.0, 0.03)]
    return (
        slab((0.07, 0.014, 0.01), (0.01, 0, 0.006), STEEL),
        slab((0.03, 0.072, 0.009), (0.055, 0, 0.007), STEEL),
        slab((0.1, 0.024, 0.018), (-0.07, 0, 0), (52, 36, 30)),
        *tines,
    )


def _spoon() -> Solids:
    return (
        slab((0.09, 0.014, 0.01), (0.01, 0, 0.006), STEEL),
        ball(0.034, (0.085, 0, 0.013), STEEL, (1.35, 0.95, 0.34)),
        ball(0.026, (0.087, 0, 0.018), (206, 212, 220), (1.35, 0.9, 0.3)),
        slab((0.1, 0.024, 0.018), (-0.075, 0, 0), (52, 36, 30)),
    )


def _scissors() -> Solids:
    """Open: two blades that cross, and a red ring for each hand's finger."""
    red: Colour = (214, 40, 40)
    found: list[Solid] = [drum(0.009, 0.022, (0, 0, 0), DARK)]
    for z, turn in ((0.004, 0.32), (0.012, -0.32)):
        ring = (
            (0.02, 0),
            (0.036, 0),
            (0.036, 0),
            (0.036, 0.018),
            (0.036, 0.018),
            (0.02, 0.018),
            (0.02, 0.018),
            (0.02, 0),
        )
        half = (
            slab((0.12, 0.02, 0.007), (0.06, 0, z), STEEL),
            slab((0.05, 0.016, 0.012), (-0.03, 0, z), red),
            lathe(ring, (-0.082, 0, z - 0.002), red),
        )
        found += moved(half, (0, 0, 0), yaw(turn))
    return tuple(found)


def _cup() -> Solids:
    """A mug of coffee."""
    glaze: Colour = (36, 132, 160)
    outline = ((0, 0), (0.034, 0), (0.04, 0.085), (0.04, 0.085), (0.034, 0.085), (0.034, 0.07))
    loop = [(0.036, 0, 0.07), (0.062, 0, 0.068), (0.07, 0, 0.045), (0.06, 0, 0.022), (0.034, 0, 0.018)]
    handle = [rod(one, other, 0.008, glaze) for one, other in pairwise(loop)]
    return (
        lathe(outline, (0, 0, 0), glaze),
        lathe(((0.0382, 0.03), (0.0393, 0.05)), (0, 0, 0), WHITE)._replace(stretch=(1.02, 1.02, 1.0)),
        drum(0.034, 0.002, (0, 0, 0.066), (92, 52, 28)),
        *handle,
    )


def _bottle(glass: Colour, label: Colour, cap: Colour, neck: float) -> Solids:
    """One with a label and a cap; `neck` says how high its shoulders end."""
    top = 0.235
    shoulders = ((0.038, neck - 0.05), (0.03, neck - 0.02), (0.015, neck), (0.013, top))
    return (
        lathe(((0, 0), (0.034, 0), (0.038, 0.01), *shoulders), (0, 0, 0), glass),
        lathe(((0.0388, 0.03), (0.0388, 0.09)), (0, 0, 0), label),
        drum(0.017, 0.03, (0, 0, top - 0.015), cap),
    )


def _kettle() -> Solids:
    body = ((0, 0), (0.07, 0), (0.088, 0.03), (0.08, 0.07), (0.05, 0.105), (0.03, 0.112), (0, 0.114))
    blue: Colour = (92, 132, 172)
    loop = [(-0.066, 0, 0.085), (-0.055, 0, 0.16), (0, 0, 0.185), (0.055, 0, 0.16), (0.066, 0, 0.085)]
    return (
        lathe(body, (0, 0, 0), blue),
        lathe(((0.036, 0.111), (0.03, 0.118), (0, 0.12)), (0, 0, 0), mix(blue, DARK, 0.35)),
        ball(0.015, (0, 0, 0.128), DARK),
        rod((0.07, 0, 0.045), (0.135, 0, 0.105), 0.018, blue, 0.011),
        *(rod(one, other, 0.01, DARK) for one, other in pairwise(loop)),
    )


def _fan(on: bool) -> Solids:
    """A fan on a foot that looks up a little, and south where things lie as they do; its blades turn when it is on."""
    turns = [k * math.tau / 4 + (0.5 if on else 0.0) for k in range(4)]
    blades = [
        block((0.012, 0.07, 0.1), (0.03, 0.048 * math.sin(a), 0.048 * math.cos(a)), (70, 150, 220),
              (math.cos(-a / 2), math.sin(-a / 2), 0, 0))
        for a in turns
    ]  # fmt: skip
    ring = ((0.112, 0), (0.13, 0), (0.13, 0.03), (0.112, 0.03), (0.112, 0))
    head = (lathe(ring, (0.02, 0, 0), DARK, tilt(math.pi / 2)), ball(0.026, (0.04, 0, 0), WHITE), *blades)
    foot = (drum(0.09, 0.025, (0, 0, 0), DARK), rod((0, 0, 0.02), (0, 0, 0.22), 0.018, DARK))
    return moved(scaled((*foot, *moved(head, (0, 0, 0.24), tilt(-0.5))), MEDIUM), (0, 0, 0), yaw(-0.9))


def _toaster(on: bool) -> Solids:
    """Two slots that glow when it is on, and a lever that is then down."""
    red: Colour = (204, 56, 46)
    slots = [
        block((0.04, 0.22, 0.006), (x, 0, 0.2), GLOW if on else DARK, glow=0.9 if on else 0.0) for x in (-0.04, 0.04)
    ]
    return (
        slab((0.19, 0.3, 0.17), (0, 0, 0.02), red),
        *(rod((x, -0.14, 0.182), (x, 0.14, 0.182), 0.018, red) for x in (-0.08, 0.08)),
        slab((0.15, 0.3, 0.02), (0, 0, 0.18), mix(red, WHITE, 0.2)),
        slab((0.18, 0.29, 0.03), (0, 0, 0), DARK),
        slab((0.006, 0.02, 0.12), (0.096, 0.09, 0.05), DARK),
        slab((0.04, 0.05, 0.025), (0.105, 0.09, 0.06 if on else 0.14), STEEL),
        ball(0.018, (0.097, -0.08, 0.08), STEEL),
        *slots,
    )


def _fridge(on: bool) -> Solids:
    return (
        *_lamp((0.335, -0.28, 1.45), on),
        slab((0.6, 0.72, 1.62), (0, 0, 0), (222, 226, 230)),
        slab((0.02, 0.7, 0.98), (0.31, 0, 0.6), (236, 240, 243)),
        slab((0.02, 0.7, 0.54), (0.31, 0, 0.04), (236, 240, 243)),
        slab((0.03, 0.03, 0.5), (0.335, 0.29, 0.8), STEEL),
        slab((0.03, 0.03, 0.3), (0.335, 0.29, 0.16), STEEL),
    )


def _oven(on: bool) -> Solids:
    window = GLOW if on else (44, 44, 48)
    rings = [drum(0.085, 0.008, (x, y, 0.85), (30, 30, 32)) for x in (-0.13, 0.13) for y in (-0.15, 0.15)]
    return (
        slab((0.6, 0.66, 0.85), (0, 0, 0), (206, 208, 212)),
        slab((0.02, 0.6, 0.55), (0.305, 0, 0.1), DARK),
        block((0.012, 0.42, 0.28), (0.318, 0, 0.36), window, glow=0.7 if on else 0.0),
        slab((0.035, 0.5, 0.025), (0.33, 0, 0.6), STEEL),
        *(block((0.03, 0.04, 0.04), (0.31, y, 0.76), DARK) for y in (-0.2, -0.07, 0.07, 0.2)),
        *rings,
    )


def _sink(on: bool) -> Solids:
    """A basin that hangs in the worktop it stands on, with a tap; water runs when it is on."""
    deep = 0.16
    walls = [block((0.4, 0.012, deep), (0, y, -deep / 2 + 0.006), STEEL) for y in (-0.24, 0.24)]
    walls += [block((0.012, 0.48, deep), (x, 0, -deep / 2 + 0.006), STEEL) for x in (-0.2, 0.2)]
    tap: Colour = (150, 156, 164)
    water = (rod((0.02, 0, 0.2), (0.02, 0, -0.12), 0.012, (120, 190, 240)),) if on else ()
    return (
        block((0.4, 0.48, 0.01), (0, 0, -deep), mix(STEEL, DARK, 0.25)),
        *walls,
        rod((-0.24, 0, 0), (-0.24, 0, 0.26), 0.018, tap),
        rod((-0.24, 0, 0.26), (0.02, 0, 0.24), 0.016, tap),
        rod((0.02, 0, 0.24), (0.02, 0, 0.2), 0.016, tap),
        *water,
    )


_THINGS: dict[str, Callable[[], Solids]] = {
    "apple": _apple, "pear": _pear, "peach": _peach, "banana": _banana, "tomato": _tomato, "bread": _bread,
    "meat": _meat, "pumpkin": _pumpkin, "pizza": _pizza, "green peas": _peas, "knife": _knife, "fork": _fork,
    "spoon": _spoon, "scissors": _scissors, "plate": _plate, "bowl": _bowl, "tray": _tray, "cup": _cup,
    "bottle": partial(_bottle, (52, 142, 100), WHITE, (226, 190, 60), 0.2),
    "wine": partial(_bottle, (84, 16, 40), (244, 234, 208), (150, 110, 40), 0.16),
    "kettle": _kettle, "wooden cutting board": _board, "cardboardbox": _box, "box": _box,
}  # fmt: skip

_SWITCHED: dict[str, Callable[[bool], Solids]] = {
    "toaster": _toaster, "fridge": _fridge, "oven": _oven, "sink": _sink, "cooling fan": _fan,
}  # fmt: skip
"""What shows by itself whether it is on."""


def model(name: str, on: bool = False) -> Solids:
    """A thing by its name. What has no model of its own is a ball with a band; small things that are on have a lamp."""
    what = base(name)
    if what in _SWITCHED:
        return _SWITCHED[what](on)
    made = _THINGS.get(what)
    found = made() if made else (ball(0.05, (0, 0, 0.05), (150, 120, 200)), drum(0.052, 0.012, (0, 0, 0.044), WHITE))
    return scaled(found + (_lamp((0.0, 0.0, 0.13), True) if on else ()), LARGER.get(what, MEDIUM))


@lru_cache(maxsize=64)
def reach(what: str) -> tuple[float, float]:
    """How far a thing reaches to its sides and above its foot, in metres."""
    return extent(model(what))


def _lamp(at: Point, on: bool) -> Solids:
    return (ball(0.014, at, LAMP_ON if on else LAMP_OFF, glow=0.8 if on else 0.0),)
