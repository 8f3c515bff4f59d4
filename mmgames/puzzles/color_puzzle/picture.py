"""ColorPuzzle as a picture and as features."""

import numpy as np

from mmgames.core.game_modules import Box
from mmgames.drawing import canvas
from mmgames.drawing.canvas import PAPER, WHITE, Colour, Pen, mix
from mmgames.puzzles._conversation import picture as kit
from mmgames.puzzles._conversation.picture import DARK, Layout
from mmgames.puzzles.color_puzzle import manual
from mmgames.puzzles.color_puzzle.manual import COLOURS, GROUPS, SIDE
from mmgames.puzzles.color_puzzle.rules import COUNT, NAMES, STAGES, ColorDevice

PAINTS: dict[str, Colour] = {
    "red": (214, 44, 40),
    "blue": (34, 88, 208),
    "green": (28, 148, 66),
    "yellow": (250, 208, 32),
    "magenta": (208, 52, 186),
    "white": (250, 250, 246),
}
NUM_FEATURES = COUNT * len(PAINTS) + 5


def _page(table: manual.Manual, size: int) -> np.ndarray:
    head = ("", *map(manual.label, GROUPS))
    rows = (head, *((str(white), *map(manual.label, row)) for white, row in enumerate(table.table, 1)))
    tints = {colour: PAINTS[colour] for colour in COLOURS}
    return kit.painted_page("Colours", size, kit.table, "Colours", manual.paragraphs(table), rows, tints)


def _grid(at: Layout) -> tuple[int, int, int]:
    """Where the first square begins, and how far it is from one to the next."""
    pitch = (at.bottom - at.top) * 10 // (SIDE * 10 + 7)
    left = at.left + (at.right - at.left - pitch * SIDE) // 2
    return left, at.bottom - pitch * SIDE - round(pitch * 0.16), pitch


def _background(at: Layout) -> np.ndarray:
    """The panel without its squares: a dark tray, and numbers beside the rows and above the columns."""
    frame = kit.titled_housing(at, "COLOURS")
    left, top, pitch = _grid(at)
    rim = max(2, round(pitch * 0.08))
    canvas.fill(frame, left - rim, top - rim, left + pitch * SIDE + rim, top + pitch * SIDE + rim, DARK)
    tall = max(9, round(pitch * 0.36))
    for number in range(SIDE):
        name = canvas.stamp(kit.sign, round(tall * 0.7), tall, kit.PANEL, str(number), DARK)
        middle = number * pitch + pitch // 2
        canvas.paste(frame, name, left - rim - round(tall * 0.6), top + middle, "c")
        canvas.paste(frame, name, left + middle, top - rim - tall // 2 - 1, "c")
    return frame


def _tile(pen: Pen, colour: str) -> None:
    """A key of coloured glass; a white one is lit."""
    paint = PAINTS[colour]
    pen.rect(0, 0, 1, 1, mix(paint, DARK, 0.55), radius=0.14)
    pen.rect(0.03, 0.02, 0.97, 0.93, paint, radius=0.13)
    pen.rect(0.09, 0.07, 0.91, 0.86, mix(paint, WHITE, 0.14), radius=0.10)
    pen.rect(0.13, 0.40, 0.87, 0.82, paint, radius=0.08)
    pen.rect(0.13, 0.38, 0.87, 0.55, paint)
    if colour == manual.WHITE:
        pen.disc(0.5, 0.48, 0.20, mix(paint, (255, 236, 170), 0.55))
        pen.disc(0.5, 0.48, 0.11, mix(paint, (255, 236, 170), 0.25))
    else:
        pen.ellipse(0.30, 0.17, 0.14, 0.05, mix(paint, PAPER, 0.6))


@kit.device_picture(_page, _background, 1.0)
def draw(frame: np.ndarray, at: Layout, board: ColorDevice) -> None:
    left, top, pitch = _grid(at)
    side = round(pitch * 0.9)
    inset = (pitch - side) // 2
    for number, colour in enumerate(board.squares):
        down, across = divmod(number, SIDE)
        tile = canvas.stamp(_tile, side, side, DARK, colour)
        canvas.paste(frame, tile, left + across * pitch + inset, top + down * pitch + inset)


@kit.clicked_regions(1.0)
def regions(at: Layout, board: ColorDevice) -> dict[str, Box]:
    """A click on a square presses it."""
    left, top, pitch = _grid(at)
    corners = ((left + place % SIDE * pitch, top + place // SIDE * pitch) for place in range(COUNT))
    return {name: (x, y, x + pitch, y + pitch) for name, (x, y) in zip(NAMES, corners, strict=True)}


@kit.device_features(NUM_FEATURES)
def features(board: ColorDevice, out: np.ndarray) -> None:
    """For each square, row by row, which of five colours or white it is, then groups done, mistakes, whether it is
    solved, the turn and whether it is over; the expert's are 0 but for the last two."""
    names = list(PAINTS)
    for at, colour in enumerate(board.squares):
        out[at * len(names) + names.index(colour)] = 1
    out[-5] = board.stage / STAGES
