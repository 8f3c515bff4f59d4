"""What the things of a kitchen look like in 3D: our own simple shapes, standing on the origin, front towards +x."""

from __future__ import annotations

import math

from mmgames.drawing.canvas import Colour, mix
from mmgames.embodied._scenes.solids import Solid, Solids, ball, block, drum, lathe, rod, scaled, slab, tilt, yaw
from mmgames.embodied._world.names import base

LARGER = 1.5
"""Small things are so much larger than life, so that they can be told apart in a picture of a whole kitchen."""

STEEL: Colour = (188, 192, 198)
DARK: Colour = (58, 60, 66)
WHITE: Colour = (240, 240, 236)
WOOD: Colour = (176, 124, 72)
GLOW: Colour = (255, 140, 40)
LAMP_ON: Colour = (60, 230, 90)
LAMP_OFF: Colour = (70, 76, 74)

INSIDE = {
    "plate": 0.03, "tray": 0.03, "bowl": 0.05, "wooden cutting board": 0.035, "cardboardbox": 0.03, "sink": -0.1,
    "toaster": 0.21, "cabinet": 0.02, "drawer": 0.0,
}  # fmt: skip
"""How much higher than the foot of a container its contents stand, in metres."""


def _plate() -> Solids:
    outline = ((0, 0), (0.06, 0), (0.11, 0.018), (0.115, 0.02), (0.105, 0.02), (0.062, 0.008), (0, 0.008))
    return (
        lathe(outline, (0, 0, 0), (120, 160, 214)),
        lathe(((0.1, 0.0195), (0.112, 0.021)), (0, 0, 0), (244, 246, 250)),
    )


def _bowl() -> Solids:
    outline = ((0, 0), (0.045, 0), (0.085, 0.04), (0.1, 0.07), (0.093, 0.07), (0.078, 0.042), (0.04, 0.012), (0, 0.01))
    return (lathe(outline, (0, 0, 0), (74, 128, 190)),)


def _tray() -> Solids:
    wood: Colour = (150, 104, 66)
    floor = slab((0.3, 0.22, 0.012), (0, 0, 0), wood)
    rims = [slab((0.3, 0.012, 0.035), (0, y, 0), mix(wood, DARK, 0.25)) for y in (-0.11, 0.11)]
    rims += [slab((0.012, 0.22, 0.035), (x, 0, 0), mix(wood, DARK, 0.25)) for x in (-0.15, 0.15)]
    return (floor, *rims)


def _board() -> Solids:
    return (
        slab((0.24, 0.17, 0.018), (0, 0, 0), (206, 160, 104)),
        slab((0.07, 0.035, 0.018), (0.155, 0, 0), (186, 138, 84)),
    )


def _box() -> Solids:
    card: Colour = (196, 154, 104)
    walls = [slab((0.26, 0.008, 0.17), (0, y, 0), card) for y in (-0.1, 0.1)]
    walls += [slab((0.008, 0.2, 0.17), (x, 0, 0), mix(card, DARK, 0.12)) for x in (-0.13, 0.13)]
    flaps = []
    for side in (1, -1):
        lean = (math.cos(0.25), side * -math.sin(0.25), 0.0, 0.0)
        flaps.append(block((0.25, 0.09, 0.006), (0, side * 0.135, 0.175), mix(card, WHITE, 0.2), lean))
    return (slab((0.26, 0.2, 0.008), (0, 0, 0), card), *walls, *flaps)


def _fruit(colour: Colour, radius: float = 0.04, stretch=(1.0, 1.0, 0.92)) -> Solids:
    stem = rod((0, 0, radius * 1.7), (0.006, 0, radius * 2.25), 0.004, (96, 66, 36))
    return (ball(radius, (0, 0, radius * stretch[2]), colour, stretch), stem)


def _pear() -> Solids:
    outline = (
        (0, 0),
        (0.025, 0.003),
        (0.04, 0.025),
        (0.036, 0.05),
        (0.022, 0.075),
        (0.016, 0.09),
        (0.008, 0.1),
        (0, 0.101),
    )
    return (lathe(outline, (0, 0, 0), (176, 196, 64)), rod((0, 0, 0.098), (0.006, 0, 0.118), 0.004, (96, 66, 36)))


def _peach() -> Solids:
    leaf = ball(0.018, (0.02, 0, 0.082), (92, 150, 64), (1.3, 0.7, 0.25))
    return (ball(0.04, (0, 0, 0.038), (246, 168, 120), (1, 1, 0.94)), leaf)


def _banana() -> Solids:
    points = [(0.09 * math.cos(a), 0.09 * math.sin(a) - 0.06, 0.02) for a in (0.35, 0.85, 1.35, 1.85, 2.35, 2.8)]
    radii = (0.008, 0.017, 0.02, 0.02, 0.016, 0.007)
    return (
        *(rod(points[k], points[k + 1], radii[k], (244, 210, 60), radii[k + 1]) for k in range(len(points) - 1)),
        ball(0.008, points[0], (96, 70, 30)),
        ball(0.007, points[-1], (96, 70, 30)),
    )


def _tomato() -> Solids:
    star = [block((0.035, 0.008, 0.003), (0, 0, 0.066), (70, 140, 60), yaw(k * math.pi / 3)) for k in range(3)]
    return (ball(0.04, (0, 0, 0.033), (214, 50, 38), (1, 1, 0.82)), *star)


def _bread() -> Solids:
    crust: Colour = (190, 124, 60)
    return (
        ball(0.075, (0, 0, 0.04), crust, (1.25, 0.62, 0.6)),
        *(block((0.012, 0.05, 0.01), (x, 0, 0.083), (240, 214, 160), yaw(0.5)) for x in (-0.045, 0.0, 0.045)),
    )


def _meat() -> Solids:
    return (
        ball(0.07, (0, 0, 0.018), (176, 62, 58), (1.15, 0.8, 0.26)),
        ball(0.03, (0.02, 0.0, 0.028), (238, 214, 204), (1.2, 0.8, 0.35)),
    )


def _pumpkin() -> Solids:
    ribs = [ball(0.05, (0.035 * math.cos(a), 0.035 * math.sin(a), 0.048), (232, 124, 34), (1, 1, 0.95)) for a in
            (k * math.pi / 4 for k in range(8))]  # fmt: skip
    return (*ribs, drum(0.012, 0.035, (0, 0, 0.092), (88, 112, 52)))


def _pizza() -> Solids:
    top = [(0.05, 0.02), (-0.04, 0.05), (-0.02, -0.055), (0.03, -0.045), (-0.065, 0), (0.0, 0.0)]
    return (
        drum(0.12, 0.014, (0, 0, 0), (204, 146, 76)),
        drum(0.106, 0.004, (0, 0, 0.013), (246, 208, 96)),
        *(drum(0.019, 0.004, (x, y, 0.016), (190, 48, 36)) for x, y in top),
    )


def _peas() -> Solids:
    green: Colour = (104, 176, 60)
    pods = [(-0.05, 0.025, 0.4), (0.0, -0.03, -0.2), (0.04, 0.03, 0.9)]
    found: list[Solid] = []
    for x, y, turn in pods:
        dx, dy = 0.05 * math.cos(turn), 0.05 * math.sin(turn)
        found.append(rod((x - dx, y - dy, 0.018), (x + dx, y + dy, 0.018), 0.014, mix(green, DARK, 0.15), 0.01))
        found += [ball(0.012, (x + dx * k, y + dy * k, 0.032), green) for k in (-0.6, 0.0, 0.6)]
    return tuple(found)


def _knife() -> Solids:
    return (
        slab((0.15, 0.028, 0.006), (0.06, 0, 0.008), STEEL),
        slab((0.1, 0.022, 0.018), (-0.065, 0, 0), (46, 40, 40)),
    )


def _fork() -> Solids:
    tines = [slab((0.05, 0.005, 0.006), (0.085, y, 0.006), STEEL) for y in (-0.014, -0.005, 0.005, 0.014)]
    return (
        slab((0.11, 0.01, 0.008), (-0.02, 0, 0.004), STEEL),
        slab((0.03, 0.034, 0.007), (0.045, 0, 0.005), STEEL),
        *tines,
    )


def _spoon() -> Solids:
    return (
        slab((0.12, 0.01, 0.008), (-0.03, 0, 0.004), STEEL),
        ball(0.026, (0.06, 0, 0.01), STEEL, (1.35, 0.9, 0.3)),
    )


def _scissors() -> Solids:
    blades = [slab((0.13, 0.012, 0.006), (0.045, 0, z), STEEL, yaw(turn)) for z, turn in ((0.006, 0.2), (0.012, -0.2))]
    rings = [
        lathe(((0.016, 0), (0.024, 0), (0.024, 0.014), (0.016, 0.014), (0.016, 0)), (-0.05, y, 0.002), (206, 48, 44))
        for y in (-0.028, 0.028)
    ]
    return (*blades, *rings)


def _cup() -> Solids:
    outline = ((0, 0), (0.03, 0), (0.038, 0.08), (0.034, 0.08), (0.028, 0.008), (0, 0.008))
    red: Colour = (208, 84, 76)
    handle = (
        rod((0.034, 0, 0.06), (0.058, 0, 0.052), 0.006, red),
        rod((0.058, 0, 0.052), (0.054, 0, 0.03), 0.006, red),
        rod((0.054, 0, 0.03), (0.032, 0, 0.022), 0.006, red),
    )
    return (lathe(outline, (0, 0, 0), red), *handle)


def _bottle(glass: Colour, label: Colour, cap: Colour) -> Solids:
    outline = ((0, 0), (0.034, 0), (0.036, 0.01), (0.036, 0.13), (0.03, 0.155), (0.014, 0.185), (0.013, 0.225))
    return (
        lathe(outline, (0, 0, 0), glass),
        lathe(((0.0368, 0.04), (0.0368, 0.1)), (0, 0, 0), label),
        drum(0.0155, 0.03, (0, 0, 0.21), cap),
    )


def _kettle() -> Solids:
    body = ((0, 0), (0.07, 0), (0.085, 0.03), (0.078, 0.07), (0.05, 0.105), (0.03, 0.112), (0, 0.114))
    return (
        lathe(body, (0, 0, 0), (120, 150, 178)),
        ball(0.014, (0, 0, 0.124), DARK),
        rod((0.07, 0, 0.05), (0.125, 0, 0.095), 0.016, (120, 150, 178), 0.009),
        rod((-0.05, 0, 0.1), (-0.03, 0, 0.17), 0.008, DARK),
        rod((-0.03, 0, 0.17), (0.03, 0, 0.17), 0.008, DARK),
        rod((0.03, 0, 0.17), (0.05, 0, 0.1), 0.008, DARK),
    )


def _fan(on: bool) -> Solids:
    blades = [
        block((0.012, 0.05, 0.1), (0.03, 0.048 * math.sin(a), 0.25 + 0.048 * math.cos(a)), (110, 170, 220),
              (math.cos(-a / 2), math.sin(-a / 2), 0, 0))
        for a in (k * math.pi / 2 + (0.5 if on else 0) for k in range(4))
    ]  # fmt: skip
    ring = lathe(
        ((0.115, 0), (0.125, 0), (0.125, 0.03), (0.115, 0.03), (0.115, 0)), (0.02, 0, 0.25), WHITE, tilt(math.pi / 2)
    )
    return (drum(0.08, 0.02, (0, 0, 0), WHITE), rod((0, 0, 0.02), (0, 0, 0.24), 0.014, WHITE), ring, *blades)


def _toaster(on: bool) -> Solids:
    glow = 0.9 if on else 0.0
    slots = [block((0.035, 0.22, 0.006), (x, 0, 0.2), GLOW if on else DARK, glow=glow) for x in (-0.035, 0.035)]
    return (
        slab((0.19, 0.3, 0.2), (0, 0, 0), STEEL),
        slab((0.2, 0.31, 0.03), (0, 0, 0), DARK),
        slab((0.03, 0.03, 0.02), (0.105, 0, 0.06 if on else 0.13), DARK),
        *slots,
    )


def _fridge() -> Solids:
    return (
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


SMALL = {
    "apple": lambda: _fruit((204, 44, 40)), "pear": _pear, "peach": _peach, "banana": _banana, "tomato": _tomato,
    "bread": _bread, "meat": _meat, "pumpkin": _pumpkin, "pizza": _pizza, "green peas": _peas, "knife": _knife,
    "fork": _fork, "spoon": _spoon, "scissors": _scissors, "plate": _plate, "bowl": _bowl, "tray": _tray, "cup": _cup,
    "bottle": lambda: _bottle((110, 180, 220), WHITE, (40, 90, 170)),
    "wine": lambda: _bottle((92, 22, 44), (240, 230, 206), (60, 20, 30)),
    "kettle": _kettle, "wooden cutting board": _board,
}  # fmt: skip


def model(name: str, on: bool = False) -> Solids:
    """A thing by its name. What has no model of its own is a ball with a band; those that can be switched show it."""
    what = base(name)
    if what == "toaster":
        return _toaster(on)
    if what == "fridge":
        return _fridge() + _lamp((0.335, -0.28, 1.45), on)
    if what == "oven":
        return _oven(on)
    if what == "sink":
        return _sink(on)
    if what == "cooling fan":
        return _fan(on)
    if what in ("cardboardbox", "box"):
        return scaled(_box(), 1.25)
    made = SMALL.get(what)
    found = made() if made else (ball(0.05, (0, 0, 0.05), (150, 120, 200)), drum(0.052, 0.012, (0, 0, 0.044), WHITE))
    return scaled(found + (_lamp((0.0, 0.0, 0.13), True) if on else ()), LARGER)


def _lamp(at, on: bool) -> Solids:
    return (ball(0.014, at, LAMP_ON if on else LAMP_OFF, glow=0.8 if on else 0.0),)
