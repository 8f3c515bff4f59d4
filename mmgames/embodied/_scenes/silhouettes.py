"""What robots look like in drawings: each type has a shape and a colour of its own."""

from __future__ import annotations

from mmgames.drawing.canvas import INK, WHITE, Colour, Pen, mix
from mmgames.embodied._world.names import TYPES

ROBOT_COLOURS: dict[str, Colour] = {
    "panda": (226, 122, 36),
    "fetch": (38, 82, 168),
    "unitree_h1": (122, 62, 150),
    "stompy": (24, 128, 116),
    "unitree_go2": (96, 102, 112),
    "anymal_c": (188, 48, 58),
}


def _arm(pen: Pen, colour: Colour) -> None:
    dark = mix(colour, INK, 0.45)
    pen.rect(0.22, 0.84, 0.78, 0.97, dark, radius=0.05)
    pen.line([(0.5, 0.85), (0.28, 0.5), (0.62, 0.22)], colour, 0.15)
    pen.disc(0.5, 0.85, 0.11, colour, dark, 0.03)
    pen.disc(0.28, 0.5, 0.1, WHITE, dark, 0.04)
    pen.disc(0.62, 0.22, 0.09, WHITE, dark, 0.04)
    pen.line([(0.62, 0.22), (0.8, 0.3)], dark, 0.07)
    pen.line([(0.8, 0.3), (0.95, 0.22)], dark, 0.05)
    pen.line([(0.8, 0.3), (0.92, 0.42)], dark, 0.05)


def _wheeled(pen: Pen, colour: Colour) -> None:
    dark = mix(colour, INK, 0.5)
    pen.rect(0.14, 0.66, 0.86, 0.86, dark, radius=0.1)
    pen.disc(0.26, 0.86, 0.12, (40, 40, 44), (200, 200, 205), 0.035)
    pen.disc(0.74, 0.86, 0.12, (40, 40, 44), (200, 200, 205), 0.035)
    pen.rect(0.34, 0.28, 0.6, 0.68, colour, dark, 0.025, 0.05)
    pen.rect(0.28, 0.08, 0.66, 0.27, WHITE, dark, 0.03, 0.07)
    pen.disc(0.4, 0.175, 0.045, colour)
    pen.disc(0.54, 0.175, 0.045, colour)
    pen.line([(0.58, 0.42), (0.8, 0.5), (0.93, 0.36)], dark, 0.08)
    pen.disc(0.94, 0.35, 0.05, dark)


def _humanoid(pen: Pen, colour: Colour) -> None:
    dark = mix(colour, INK, 0.5)
    pen.line([(0.42, 0.6), (0.36, 0.96)], dark, 0.13)
    pen.line([(0.58, 0.6), (0.64, 0.96)], dark, 0.13)
    pen.line([(0.34, 0.32), (0.14, 0.44), (0.1, 0.62)], dark, 0.09)
    pen.line([(0.66, 0.32), (0.86, 0.44), (0.9, 0.62)], dark, 0.09)
    pen.disc(0.1, 0.63, 0.06, colour)
    pen.disc(0.9, 0.63, 0.06, colour)
    pen.rect(0.3, 0.27, 0.7, 0.66, colour, dark, 0.025, 0.1)
    pen.disc(0.5, 0.14, 0.125, WHITE, dark, 0.035)
    pen.rect(0.41, 0.1, 0.59, 0.16, dark, radius=0.03)


def _dog(pen: Pen, colour: Colour) -> None:
    dark = mix(colour, INK, 0.5)
    for x in (0.2, 0.34, 0.62, 0.75):
        pen.line([(x, 0.56), (x - 0.05, 0.74), (x + 0.02, 0.93)], dark, 0.075)
    pen.rect(0.12, 0.38, 0.8, 0.62, colour, dark, 0.025, 0.1)
    pen.rect(0.68, 0.2, 0.97, 0.44, colour, dark, 0.025, 0.08)
    pen.disc(0.87, 0.31, 0.04, WHITE)
    pen.polygon([(0.7, 0.22), (0.76, 0.06), (0.82, 0.22)], dark)
    pen.line([(0.13, 0.44), (0.03, 0.26)], dark, 0.06)


def _broad_humanoid(pen: Pen, colour: Colour) -> None:
    """Broad in the shoulders, with a square head, fists and large feet."""
    dark = mix(colour, INK, 0.5)
    for leg, hand in ((0.33, 0.09), (0.67, 0.91)):
        pen.line([(leg, 0.62), (leg, 0.86)], dark, 0.17)
        pen.rect(leg - 0.16, 0.86, leg + 0.16, 0.98, dark, radius=0.04)
        pen.line([(0.5 + (hand - 0.5) * 0.7, 0.32), (hand, 0.6)], dark, 0.13)
        pen.rect(hand - 0.085, 0.58, hand + 0.085, 0.74, colour)
    pen.polygon([(0.16, 0.27), (0.84, 0.27), (0.7, 0.68), (0.3, 0.68)], colour, dark, 0.03)
    pen.rect(0.34, 0.03, 0.66, 0.27, WHITE, dark, 0.035, 0.03)
    pen.disc(0.43, 0.14, 0.05, dark)
    pen.disc(0.57, 0.14, 0.05, dark)


def _headless_dog(pen: Pen, colour: Colour) -> None:
    """A box on four bent legs, without a head or a tail; a handle on top, a lamp at each end."""
    dark = mix(colour, INK, 0.5)
    for x, knee in ((0.2, -0.12), (0.34, -0.12), (0.66, 0.12), (0.8, 0.12)):
        pen.line([(x, 0.5), (x + knee, 0.68), (x, 0.88)], dark, 0.085)
        pen.disc(x, 0.9, 0.06, INK)
    pen.arc(0.5, 0.3, 0.16, 180, 360, dark, 0.06)
    pen.rect(0.06, 0.3, 0.94, 0.56, colour, dark, 0.03, 0.05)
    pen.rect(0.3, 0.36, 0.7, 0.5, dark, radius=0.03)
    for x in (0.14, 0.86):
        pen.disc(x, 0.43, 0.055, WHITE, dark, 0.02)


_ROBOTS = {
    "panda": _arm,
    "fetch": _wheeled,
    "unitree_h1": _humanoid,
    "stompy": _broad_humanoid,
    "unitree_go2": _dog,
    "anymal_c": _headless_dog,
}
LOOKS = tuple(_ROBOTS[type] for type in TYPES)
COLOURS = tuple(ROBOT_COLOURS[type] for type in TYPES)
"""The drawings of robots and their colours, by the numbers of their looks: the places of their types in TYPES."""
