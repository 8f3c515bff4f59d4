"""MemoryPuzzle as a picture and as features."""

import numpy as np

from mmgames.core.game_modules import Box
from mmgames.drawing import canvas
from mmgames.drawing.canvas import WHITE, Pen, mix
from mmgames.puzzles._conversation import controls
from mmgames.puzzles._conversation import picture as kit
from mmgames.puzzles._conversation.controls import GLASS, GLOW
from mmgames.puzzles._conversation.picture import DARK, PANEL, Layout
from mmgames.puzzles.memory_puzzle import manual
from mmgames.puzzles.memory_puzzle.manual import BUTTONS, STAGES
from mmgames.puzzles.memory_puzzle.rules import MemoryDevice

Point = tuple[float, float]
# The seven strokes of a digit from end to end, in widths and heights of half a digit, and which of them are lit.
_STROKES = (
    ((-1, -1), (1, -1)),
    ((1, -1), (1, 0)),
    ((1, 0), (1, 1)),
    ((-1, 1), (1, 1)),
    ((-1, 0), (-1, 1)),
    ((-1, -1), (-1, 0)),
    ((-1, 0), (1, 0)),
)
_LIT = {1: (1, 2), 2: (0, 1, 3, 4, 6), 3: (0, 1, 2, 3, 6), 4: (1, 2, 5, 6)}
NUM_FEATURES = BUTTONS + BUTTONS * BUTTONS + STAGES + 4


def _background(at: Layout) -> np.ndarray:
    frame = kit.typed_housing(at, "MEMO")
    wide, _ = _lamp(at)
    x, _ = _lamp_place(at, 0)
    canvas.fill(frame, x - wide // 8, at.top, at.right, at.bottom, DARK)
    return frame


def _key(at: Layout) -> tuple[int, int]:
    """The side of a button and the space between two."""
    return round(at.width * 0.155), round(at.width * 0.024)


def _screen(at: Layout) -> tuple[int, int, int, int]:
    """Left, top, width and height of the display, which is as wide as the row of buttons."""
    side, gap = _key(at)
    top = at.top + gap
    return at.left + gap, top, side * BUTTONS + gap * (BUTTONS - 1), at.bottom - side - gap * 2 - top


def _lamp(at: Layout) -> tuple[int, int]:
    return round(at.width * 0.105), (at.bottom - at.top) // STAGES


def _lamp_place(at: Layout, number: int) -> tuple[int, int]:
    """The upper left corner of a stage's lamp; the first stage is the lowest."""
    wide, high = _lamp(at)
    return at.right - wide - wide // 8, at.bottom - (number + 1) * high - (at.bottom - at.top - STAGES * high) // 2


def _display(pen: Pen, digit: int, aspect: float) -> None:
    """A screen with a digit made of seven strokes; those that are off can just be seen."""
    controls.screen(pen, "", aspect)
    wide, tall = 0.17 / aspect, 0.34
    for number, ((x0, y0), (x1, y1)) in enumerate(_STROKES if digit else ()):
        ends = (0.5 + x0 * wide, 0.5 + y0 * tall), (0.5 + x1 * wide, 0.5 + y1 * tall)
        pen.polygon(_bar(*ends, 0.055 / aspect, 0.055), GLOW if number in _LIT[digit] else mix(GLASS, GLOW, 0.07))


def _bar(start: Point, end: Point, x: float, y: float) -> list[Point]:
    """A bar with pointed ends, upright or flat; x and y are half its breadth."""
    (x0, y0), (x1, y1) = start, end
    if y0 == y1:
        return [start, (x0 + x, y0 - y), (x1 - x, y0 - y), end, (x1 - x, y0 + y), (x0 + x, y0 + y)]
    return [start, (x0 + x, y0 + y), (x0 + x, y1 - y), end, (x0 - x, y1 - y), (x0 - x, y0 + y)]


def _stage(pen: Pen, number: int, when: str) -> None:
    """The lamp of a stage: green when it is done, framed when it is the present one."""
    colour = controls.RIGHT if when == "done" else mix(DARK, WHITE, 0.16)
    if when == "now":
        pen.rect(0.0, 0.08, 1.0, 0.92, WHITE, radius=0.16)
    pen.rect(0.05, 0.13, 0.95, 0.87, mix(DARK, WHITE, 0.05), radius=0.13)
    pen.rect(0.09, 0.17, 0.91, 0.83, colour, radius=0.10)
    pen.text(0.5, 0.5, str(number), 0.48, DARK if when == "done" else mix(DARK, WHITE, 0.75), bold=True)


@kit.device_picture(kit.list_page("Memory", manual), _background)
def draw(frame: np.ndarray, at: Layout, board: MemoryDevice) -> None:
    left, top, wide, high = _screen(at)
    digit = 0 if board.done == STAGES else board.display
    canvas.paste(frame, canvas.stamp(_display, wide, high, PANEL, digit, wide / high), left, top)
    side, gap = _key(at)
    for number, label in enumerate(board.labels):
        key = canvas.stamp(controls.labelled_key, side, side, PANEL, str(label), 1.0, 0.66)
        canvas.paste(frame, key, left + number * (side + gap), at.bottom - side - gap)
    wide, high = _lamp(at)
    for number in range(STAGES):
        x, y = _lamp_place(at, number)
        lit = "done" if number < board.done else "now" if number == board.done else "later"
        canvas.paste(frame, canvas.stamp(_stage, wide, high, DARK, number + 1, lit), x, y)


@kit.clicked_regions()
def regions(at: Layout, board: MemoryDevice) -> dict[str, Box]:
    """A click on a button presses it; buttons are named by their labels, wherever they are."""
    (side, gap), left = _key(at), _screen(at)[0]
    top, lefts = at.bottom - side - gap, (left + number * (side + gap) for number in range(BUTTONS))
    return {f"press_{label}": (x, top, x + side, top + side) for label, x in zip(board.labels, lefts, strict=True)}


@kit.device_features(NUM_FEATURES)
def features(board: MemoryDevice, out: np.ndarray) -> None:
    """The digit and the labels one-hot, which stage it is one-hot, and how far things are."""
    out[board.display - 1] = 1
    for number, label in enumerate(board.labels, 1):
        out[number * BUTTONS + label - 1] = 1
    if board.done < STAGES:
        out[BUTTONS + BUTTONS * BUTTONS + board.done] = 1
