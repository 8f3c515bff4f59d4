"""WirePuzzle as a picture and as features."""

from math import pi, sin

import numpy as np

from mmgames.core.game_modules import Box
from mmgames.drawing import canvas
from mmgames.drawing.canvas import PAPER, WHITE, Colour, Pen, mix
from mmgames.puzzles._conversation import picture as kit
from mmgames.puzzles._conversation.picture import DARK, PANEL, Layout
from mmgames.puzzles.wire_puzzle import manual
from mmgames.puzzles.wire_puzzle.manual import COLOURS, MOST
from mmgames.puzzles.wire_puzzle.rules import NAMES, Panel

PAINTS: dict[str, Colour] = {
    "red": (208, 44, 40),
    "white": (250, 250, 247),
    "yellow": (250, 212, 40),
    "blue": (36, 92, 204),
    "black": (24, 24, 28),
}
COPPER: Colour = (206, 124, 66)
# A full swing, a sag, a hump …: each wire hangs its own way, always the same.
_BENDS = ((1.0, 0.10), (0.5, 0.16), (1.5, 0.08), (0.5, -0.14), (1.0, -0.12), (1.5, -0.07))
NUM_FEATURES = MOST * len(COLOURS) + MOST + 5


def _background(at: Layout, count: int) -> np.ndarray:
    """The panel without its wires: plate, terminal strips, screws and numbers."""
    frame = kit.housing(at).copy()
    kit.plate(frame, at, "SERIAL")
    left, right = _strips(at)
    canvas.fill(frame, at.left, at.top, left, at.bottom, DARK)
    canvas.fill(frame, right, at.top, at.right, at.bottom, DARK)
    row = (at.bottom - at.top) / MOST
    side, digit = round(row * 0.62), round(row * (0.86 if row > 20 else 1))
    for number in range(1, count + 1):
        y = _height(at, number, count)
        screw = canvas.stamp(kit.screw, side, side, DARK, number)
        canvas.paste(frame, screw, left - side // 2, y, "c")
        canvas.paste(frame, screw, right + side // 2, y, "c")
        name = canvas.stamp(kit.sign, digit * 2 // 3, digit, DARK, str(number), PAPER)
        canvas.paste(frame, name, (at.left + left - side) // 2, y, "c")
    return frame


def _strips(at: Layout) -> tuple[int, int]:
    """Where the left terminal strip ends and the right one begins."""
    return at.left + round(at.width * 0.145), at.right - round(at.width * 0.085)


def _height(at: Layout, number: int, count: int) -> int:
    """The middle of a wire's row."""
    return round(at.top + (number - 0.5) * (at.bottom - at.top) / count)


def _wire(pen: Pen, colour: str, cut: bool, number: int) -> None:
    swings, height = _BENDS[number - 1]

    def bend(first: float, last: float, droop: float = 0.0) -> list[tuple[float, float]]:
        steps = [first + (last - first) * i / 40 for i in range(41)]
        curve = [0.5 + height * sin(2 * pi * swings * x) for x in steps]
        free_end = first if first > 0 else last
        # Near the free end of a cut wire the curve turns away.
        return [(x, y + droop * max(0.0, 1 - abs(x - free_end) / 0.16) ** 2) for x, y in zip(steps, curve, strict=True)]

    if not cut:
        _strand(pen, colour, bend(0, 1))
        return
    for points, tip in ((bend(0, 0.41, 0.16), -1), (bend(0.59, 1, -0.16), 0)):
        (x, y), (before, above) = points[tip], points[-3 if tip else 2]
        length = 0.035 / max(1e-6, abs(x - before))
        end = (x + (x - before) * length, y + (y - above) * length)
        pen.line([(x, y), end], mix(COPPER, DARK, 0.6), 0.24)
        pen.line([(x, y), end], COPPER, 0.15)
        _strand(pen, colour, points)


def _strand(pen: Pen, colour: str, points: list[tuple[float, float]]) -> None:
    paint = PAINTS[colour]
    shine = mix(paint, WHITE, 0.30 if colour == "black" else 0.55)
    for layer, above, below in (
        (mix(paint, DARK, 0.80), 0.23, 0.23),
        (mix(paint, DARK, 0.25), 0.19, 0.19),
        (paint, 0.19, 0.12),
        (shine, 0.12, -0.07),
    ):
        upper = [(x, y - above) for x, y in points]
        pen.polygon(upper + [(x, y + below) for x, y in reversed(points)], layer)


@kit.device_picture(kit.list_page("Wires", manual), _background, of=lambda panel: (len(panel.wires),))
def draw(frame: np.ndarray, at: Layout, panel: Panel) -> None:
    kit.inscribe(frame, at, panel.serial)
    left, right = _strips(at)
    tall = int((at.bottom - at.top) / MOST * 0.94)
    for number, (colour, cut) in enumerate(zip(panel.wires, panel.cut, strict=True), 1):
        wire = canvas.stamp(_wire, right - left, tall, PANEL, colour, cut, number)
        canvas.paste(frame, wire, left, _height(at, number, len(panel.wires)) - tall // 2)


@kit.clicked_regions()
def regions(at: Layout, panel: Panel) -> dict[str, Box]:
    """A click on a wire cuts it."""
    (left, right), tall, names = _strips(at), int((at.bottom - at.top) / MOST * 0.94), NAMES[len(panel.wires)]
    tops = (_height(at, number, len(names)) - tall // 2 for number in range(1, len(names) + 1))
    return {name: (left, top, right, top + tall) for name, top in zip(names, tops, strict=True)}


@kit.device_features(NUM_FEATURES)
def features(panel: Panel, out: np.ndarray) -> None:
    """For each wire its colour and whether it is cut, then the serial's parity and how far things are."""
    for at, (colour, cut) in enumerate(zip(panel.wires, panel.cut, strict=True)):
        out[at * len(COLOURS) + COLOURS.index(colour)] = 1
        out[MOST * len(COLOURS) + at] = cut
    out[-5] = 1 if panel.odd else -1
