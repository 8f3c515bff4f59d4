"""WhoPuzzle as a picture and as features."""

from functools import partial

import numpy as np

from mmgames.core.game_modules import Box
from mmgames.drawing import canvas
from mmgames.drawing.canvas import FAINT, INK, RED, WHITE, Pen, mix
from mmgames.puzzles._conversation import controls
from mmgames.puzzles._conversation import picture as kit
from mmgames.puzzles._conversation.picture import PANEL, Layout
from mmgames.puzzles.who_puzzle.manual import DISPLAYS, LABELS, PLACES, Manual
from mmgames.puzzles.who_puzzle.rules import NAMES, Panel

_SIGNALS = {"": None, "wrong": controls.WRONG, "right": controls.RIGHT}
NUM_FEATURES = len(DISPLAYS) + len(PLACES) * (len(LABELS) + 1) + 4


def _button(at: Layout) -> tuple[int, int, int]:
    """Width and height of a button, and the size of the light beside it."""
    return round((at.right - at.left) * 0.38), round(at.height * 0.145), round(at.width * 0.034)


def _place(at: Layout, number: int) -> tuple[int, int]:
    """The upper left corner of a button."""
    wide, high, _ = _button(at)
    row, column = divmod(number, 2)
    gap = round(at.width * 0.02)
    middle = (at.left + at.right) // 2
    top = at.top + round(at.height * 0.235)
    pitch = (at.bottom - top) / 3
    return middle + gap // 2 if column else middle - gap // 2 - wide, round(top + row * pitch + (pitch - high) / 2)


def _page(manual: Manual, size: int) -> np.ndarray:
    """The page with the first step; the lists of the second would be too small to read and are in the text."""
    return kit.painted_page("Who?", size, _first_step, manual.read)


def _first_step(pen: Pen, read: tuple[tuple[str, ...], ...]) -> None:
    kit.sheet(pen, "Who?")
    pen.text(kit.LEFT, 0.150, "Step 1: the word on the display tells which button's label to read.", 0.029, INK, "lm")
    pen.text(kit.LEFT, 0.190, "Step 2, the list for that label, is on the pages of text.", 0.029, INK, "lm")
    for number, words in enumerate(read):
        row, column = divmod(number, 2)
        x, y = kit.LEFT + 0.43 * column, 0.225 + 0.25 * row
        _button_map(pen, x, y + 0.015, number)
        shown = [word or "(empty)" for word in words]
        rows = max(6, -(-len(shown) // 2))  # a lopsided manual gets smaller letters
        letters = min(0.030, 0.17 / rows)
        for at, word in enumerate(shown):
            across, down = divmod(at, rows)
            left, middle = x + 0.115 + 0.15 * across, y + 0.028 + down * letters * 1.15
            pen.text(left, middle, word, controls.fit(word, 0.145, letters), INK, "lm")


def _button_map(pen: Pen, x: float, y: float, marked: int) -> None:
    """A little panel with one button marked."""
    pen.rect(x, y, x + 0.095, y + 0.125, mix(PANEL, WHITE, 0.3), radius=0.01)
    pen.rect(x + 0.012, y + 0.010, x + 0.083, y + 0.030, controls.GLASS, radius=0.004)
    for number in range(len(PLACES)):
        row, column = divmod(number, 2)
        left, top = x + 0.012 + column * 0.038, y + 0.038 + row * 0.028
        pen.rect(left, top, left + 0.033, top + 0.021, RED if number == marked else FAINT, radius=0.004)


@kit.device_picture(_page, partial(kit.typed_housing, name="WHO?"), 0.94)
def draw(frame: np.ndarray, at: Layout, panel: Panel) -> None:
    wide, high = round((at.right - at.left) * 0.78), round(at.height * 0.16)
    screen = canvas.stamp(controls.screen, wide, high, PANEL, panel.display, wide / high)
    canvas.paste(frame, screen, (at.left + at.right) // 2, at.top + round(at.height * 0.115), "c")
    wide, high, dot = _button(at)
    for number, (label, mark) in enumerate(zip(panel.labels, panel.marks, strict=True)):
        x, y = _place(at, number)
        canvas.paste(frame, canvas.stamp(controls.labelled_key, wide, high, PANEL, label, wide / high), x, y)
        light = canvas.stamp(controls.signal, dot, dot, PANEL, _SIGNALS[mark])
        beside = x - dot * 2 if number % 2 == 0 else x + wide + dot
        canvas.paste(frame, light, beside, y + (high - dot) // 2)


@kit.clicked_regions(0.94)
def regions(at: Layout, panel: Panel) -> dict[str, Box]:
    """A click on a button presses it."""
    (wide, high, _), corners = _button(at), (_place(at, number) for number in range(len(PLACES)))
    return {name: (x, y, x + wide, y + high) for name, (x, y) in zip(NAMES, corners, strict=True)}


@kit.device_features(NUM_FEATURES)
def features(panel: Panel, out: np.ndarray) -> None:
    """The word on the display and each label one-hot, then for each button -1 wrong, +1 right, and progress."""
    out[DISPLAYS.index(panel.display)] = 1
    for number, (label, mark) in enumerate(zip(panel.labels, panel.marks, strict=True)):
        out[len(DISPLAYS) + number * len(LABELS) + LABELS.index(label)] = 1
        out[-4 - len(PLACES) + number] = (mark == "right") - (mark == "wrong")
