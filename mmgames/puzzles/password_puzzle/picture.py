"""PasswordPuzzle as a picture and as features."""

from string import ascii_lowercase as LETTERS

import numpy as np

from mmgames.core.game_modules import Box
from mmgames.drawing import canvas
from mmgames.drawing.canvas import INK, WHITE, Pen, mix
from mmgames.puzzles._conversation import controls
from mmgames.puzzles._conversation import picture as kit
from mmgames.puzzles._conversation.controls import IVORY
from mmgames.puzzles._conversation.picture import DARK, PANEL, Layout
from mmgames.puzzles.password_puzzle.manual import WHEELS, Manual
from mmgames.puzzles.password_puzzle.rules import Lock

NUM_FEATURES = WHEELS * len(LETTERS) + 4


def _background(at: Layout) -> np.ndarray:
    """The lock without its letters: buttons above and below every wheel, and the one to submit."""
    frame = kit.typed_housing(at, "LOCK")
    wide, high = _button(at)
    below = _top(at) + high + _wheel(at)[1]
    for number in range(WHEELS):
        x = _left(at, number) + (_wheel(at)[0] - wide) // 2
        canvas.paste(frame, canvas.stamp(_turn, wide, high, PANEL, True), x, _top(at))
        canvas.paste(frame, canvas.stamp(_turn, wide, high, PANEL, False), x, below)
    left, top, right, bottom = _submit(at)
    wide, high = right - left, bottom - top
    key = canvas.stamp(controls.labelled_key, wide, high, PANEL, "SUBMIT", wide / high, 0.46, (236, 196, 92))
    canvas.paste(frame, key, left, top)
    return frame


def _submit(at: Layout) -> Box:
    wide, high = round(at.width * 0.34), round(at.height * 0.125)
    left, top = (at.left + at.right - wide) // 2, at.bottom - high - round(at.height * 0.018)
    return left, top, left + wide, top + high


def _wheel(at: Layout) -> tuple[int, int]:
    return round(at.width * 0.145), round(at.height * 0.325)


def _button(at: Layout) -> tuple[int, int]:
    return round(at.width * 0.105), round(at.height * 0.098)


def _top(at: Layout) -> int:
    return at.top + round(at.height * 0.012)


def _left(at: Layout, number: int) -> int:
    wide, _ = _wheel(at)
    gap = round(at.width * 0.018)
    return (at.left + at.right - wide * WHEELS - gap * (WHEELS - 1)) // 2 + number * (wide + gap)


def _drum(pen: Pen, letter: str) -> None:
    """A wheel seen from the front: darker towards its upper and lower edge, with a letter in the middle."""
    pen.rect(0.0, 0.0, 1.0, 1.0, mix(PANEL, DARK, 0.75), radius=0.08)
    bands = 24
    for band in range(bands):
        y0, y1 = 0.03 + 0.94 * band / bands, 0.03 + 0.94 * (band + 1) / bands
        away = abs((band + 0.5) / bands * 2 - 1)
        pen.rect(0.05, y0, 0.95, y1 + 0.01, mix(mix(IVORY, WHITE, 0.4 * (1 - away)), DARK, 0.62 * away**3))
    for y in (0.20, 0.80):
        pen.rect(0.05, y, 0.95, y + 0.008, mix(IVORY, DARK, 0.35))
    pen.text(0.5, 0.51, letter, 0.52, INK, bold=True)


def _turn(pen: Pen, up: bool) -> None:
    """The button that turns a wheel up or down."""
    tip, foot = (0.14, 0.86) if up else (0.86, 0.14)
    pen.polygon([(0.5, tip + 0.07), (0.04, foot + 0.05), (0.96, foot + 0.05)], mix(PANEL, DARK, 0.5))
    pen.polygon([(0.5, tip), (0.06, foot), (0.94, foot)], mix(DARK, PANEL, 0.1))
    inner = (0.30, 0.76) if up else (0.70, 0.24)
    pen.polygon([(0.5, inner[0]), (0.25, inner[1]), (0.75, inner[1])], mix(DARK, WHITE, 0.30))


def _page(manual: Manual, size: int) -> np.ndarray:
    return kit.painted_page("Password", size, _list, manual)


def _list(pen: Pen, manual: Manual) -> None:
    kit.sheet(pen, "Password")
    lines = ("Five wheels, three neighbouring letters on each.", "Turned rightly they spell one of these words:")
    for number, line in enumerate(lines):
        pen.text(kit.LEFT, 0.155 + 0.042 * number, line, 0.034, INK, "lm")
    columns = 4
    rows = -(-len(manual) // columns)
    for number, word in enumerate(manual):
        column, row = divmod(number, rows)
        x, y = kit.LEFT + 0.215 * column, 0.285 + 0.62 / rows * (row + 0.3)
        pen.text(x, y, word.upper(), 0.040, INK, "lm")


@kit.device_picture(_page, _background, 0.88)
def draw(frame: np.ndarray, at: Layout, lock: Lock) -> None:
    wide, high = _wheel(at)
    for number, letter in enumerate(lock.letters):
        wheel = canvas.stamp(_drum, wide, high, PANEL, letter.upper())
        canvas.paste(frame, wheel, _left(at, number), _top(at) + _button(at)[1])


@kit.clicked_regions(0.88)
def regions(at: Layout, lock: Lock) -> dict[str, Box]:
    """A click on an arrow turns its wheel, one on the key submits."""
    wide, high = _button(at)
    found = {"submit": _submit(at)}
    for number in range(WHEELS):
        x = _left(at, number) + (_wheel(at)[0] - wide) // 2
        for name, y in (("up", _top(at)), ("down", _top(at) + high + _wheel(at)[1])):
            found[f"{name}_button_{number + 1}"] = (x, y, x + wide, y + high)
    return found


@kit.device_features(NUM_FEATURES)
def features(lock: Lock, out: np.ndarray) -> None:
    """The letters one-hot, and how far things are."""
    for number, letter in enumerate(lock.letters):
        out[number * len(LETTERS) + LETTERS.index(letter)] = 1
