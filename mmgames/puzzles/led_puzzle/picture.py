"""LedPuzzle as a picture and as features."""

import numpy as np

from mmgames.core.game_modules import Box
from mmgames.drawing import canvas
from mmgames.drawing.canvas import FAINT, INK, WHITE, Colour, Pen, mix
from mmgames.puzzles._conversation import controls
from mmgames.puzzles._conversation import picture as kit
from mmgames.puzzles._conversation.picture import DARK, PANEL, Layout
from mmgames.puzzles.led_puzzle.manual import COLOURS, LETTERS, PLACES, Manual
from mmgames.puzzles.led_puzzle.rules import MOST, NAMES, Lights

PAINTS: dict[str, Colour] = {
    "red": (216, 32, 40),
    "green": (52, 178, 72),
    "blue": (40, 104, 232),
    "yellow": (255, 234, 60),
    "purple": (146, 58, 190),
    "orange": (248, 132, 20),
}
_TROUGH = mix(DARK, PANEL, 0.12)
NUM_FEATURES = MOST * len(COLOURS) + MOST + len(PLACES) * (len(LETTERS) + 1) + 4


def _background(at: Layout) -> np.ndarray:
    """The panel with the trough for the lights and a cross that joins opposite buttons."""
    frame = kit.typed_housing(at, "LED")
    top, bottom = _trough(at)
    canvas.fill(frame, at.left, top, at.right, bottom, _TROUGH)
    side, (x, y), (end, low) = _key(at), _place(at, 0), _place(at, 3)
    cross = canvas.stamp(_cross, end + side - x, low + side - y, PANEL)
    canvas.paste(frame, cross, x, y)
    return frame


def _trough(at: Layout) -> tuple[int, int]:
    return at.top, at.top + round(at.height * 0.165)


def _key(at: Layout) -> int:
    return round(at.height * 0.235)


def _place(at: Layout, number: int) -> tuple[int, int]:
    """The upper left corner of a button."""
    row, column = divmod(number, 2)
    side, gap = _key(at), round(at.width * 0.05)
    top = _trough(at)[1]
    x = (at.left + at.right) // 2 - side - gap // 2 + column * (side + gap)
    return x, (top + at.bottom) // 2 - side - gap // 2 + row * (side + gap)


def _stage(pen: Pen, colour: str, when: str, aspect: float) -> None:
    """The light of a stage, with an arrow below it if that is the present one and a tick on it if it is done."""
    paint = PAINTS[colour]
    middle = 0.41
    if when == "now":
        for radius, share in ((0.48, 0.80), (0.45, 0.62), (0.42, 0.42)):
            pen.disc(0.5, middle, radius, mix(paint, _TROUGH, share))
        pen.polygon([(0.5, 0.79), (0.33, 0.94), (0.67, 0.94)], WHITE)
    pen.disc(0.5, middle, 0.38, mix(DARK, WHITE, 0.30))
    pen.disc(0.5, middle, 0.33, paint)
    pen.ellipse(0.41, middle - 0.11 * aspect, 0.10, 0.07, mix(paint, WHITE, 0.7))
    if when == "done":
        tick = [(0.34, middle + 0.01), (0.46, middle + 0.11), (0.68, middle - 0.14)]
        pen.line(tick, DARK, 0.16)
        pen.line(tick, WHITE, 0.09)


def _cross(pen: Pen) -> None:
    for colour, width in ((mix(PANEL, DARK, 0.45), 0.020), (mix(PANEL, WHITE, 0.45), 0.008)):
        pen.line([(0.2, 0.2), (0.8, 0.8)], colour, width)
        pen.line([(0.8, 0.2), (0.2, 0.8)], colour, width)


def _page(manual: Manual, size: int) -> np.ndarray:
    return kit.painted_page("Lights", size, _manual_page, manual)


def _manual_page(pen: Pen, manual: Manual) -> None:
    kit.sheet(pen, "Lights")
    for number, (colour, value) in enumerate(zip(COLOURS, manual, strict=True)):
        row, column = divmod(number, 3)
        x, y = 0.15 + 0.28 * column, 0.185 + 0.105 * row
        pen.disc(x, y, 0.040, INK)
        pen.disc(x, y, 0.035, PAINTS[colour])
        pen.text(x + 0.06, y, f"times {value}", 0.039, INK, "lm", bold=True)
    for number, letter in enumerate(LETTERS):
        row, column = divmod(number, 7)
        x, y = 0.125 + 0.122 * column, 0.385 + 0.062 * row
        pen.text(x, y, letter, 0.042, INK, bold=True)
        pen.text(x + 0.035, y, f"{number}", 0.036, mix(INK, WHITE, 0.25), "lm")
    _example(pen, manual)


def _example(pen: Pen, manual: Manual) -> None:
    """The method on an example: R under the first colour, worked out with this manual."""
    value, factor = LETTERS.index("R"), manual[0]
    product, result = value * factor, value * factor % len(LETTERS)
    for number in range(len(PLACES)):
        row, column = divmod(number, 2)
        x, y = 0.13 + 0.13 * column, 0.66 + 0.13 * row
        pen.rect(x, y, x + 0.11, y + 0.11, controls.IVORY if number in (0, 3) else WHITE, FAINT, 0.004, radius=0.015)
    pen.line([(0.215, 0.745), (0.275, 0.805)], PAINTS[COLOURS[0]], 0.008)
    pen.text(0.185, 0.715, "R", 0.075, INK, bold=True)
    pen.text(0.315, 0.845, LETTERS[result], 0.075, INK, bold=True)
    lines = (
        f"An example under the {COLOURS[0]} light:",
        f"R is {value}, and {factor} times {value} is {product}. Less 26",
        f"as often as possible that is {result}, or {LETTERS[result]}, the",
        "letter diagonally opposite. So press R.",
    )
    for number, line in enumerate(lines):
        pen.text(0.42, 0.70 + 0.052 * number, line, 0.031, INK, "lm")


@kit.device_picture(_page, _background, 0.94)
def draw(frame: np.ndarray, at: Layout, device: Lights) -> None:
    side, tall = round(at.width * 0.115), round(at.height * 0.165)
    left = (at.left + at.right - side * len(device.lights)) // 2
    for number, colour in enumerate(device.lights):
        when = "now" if number == device.done else "done" if number < device.done else "later"
        stage = canvas.stamp(_stage, side, tall, _TROUGH, colour, when, side / tall)
        canvas.paste(frame, stage, left + number * side, _trough(at)[0])
    side, dot = _key(at), round(at.width * 0.034)
    for number, (letter, wrong) in enumerate(zip(device.letters, device.wrong, strict=True)):
        x, y = _place(at, number)
        canvas.paste(frame, canvas.stamp(controls.labelled_key, side, side, PANEL, letter, 1.0, 0.66), x, y)
        light = canvas.stamp(controls.signal, dot, dot, PANEL, controls.WRONG if wrong else None)
        canvas.paste(frame, light, x - dot * 2 if number % 2 == 0 else x + side + dot, y + (side - dot) // 2)


@kit.clicked_regions(0.94)
def regions(at: Layout, device: Lights) -> dict[str, Box]:
    """A click on a button presses it."""
    side, corners = _key(at), (_place(at, number) for number in range(len(PLACES)))
    return {name: (x, y, x + side, y + side) for name, (x, y) in zip(NAMES, corners, strict=True)}


@kit.device_features(NUM_FEATURES)
def features(device: Lights, out: np.ndarray) -> None:
    """The lights one-hot, which stage it is, the letters one-hot, which buttons were wrong, and how far things are."""
    for number, colour in enumerate(device.lights):
        out[number * len(COLOURS) + COLOURS.index(colour)] = 1
    base = MOST * len(COLOURS)
    if device.done < len(device.lights):
        out[base + device.done] = 1
    base += MOST
    for number, letter in enumerate(device.letters):
        out[base + number * len(LETTERS) + LETTERS.index(letter)] = 1
    out[-4 - len(PLACES) : -4] = device.wrong
