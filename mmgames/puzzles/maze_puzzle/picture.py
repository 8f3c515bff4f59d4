"""MazePuzzle as a picture and as features."""

import numpy as np

from mmgames.core.game_modules import Box
from mmgames.drawing import canvas
from mmgames.drawing.canvas import WHITE, Colour, Pen, mix
from mmgames.puzzles._conversation import picture as kit
from mmgames.puzzles._conversation.picture import DARK, Layout
from mmgames.puzzles.maze_puzzle import manual
from mmgames.puzzles.maze_puzzle.floor import SIDE, STEPS, Cell, Floor
from mmgames.puzzles.maze_puzzle.manual import COLOURS
from mmgames.puzzles.maze_puzzle.rules import CHECK, Maze

PAINTS: dict[str, Colour] = {
    "green": (30, 154, 70),
    "blue": (36, 92, 214),
    "red": (214, 42, 38),
    "yellow": (246, 200, 24),
}
GROUND: Colour = (234, 226, 206)
WALL: Colour = (88, 96, 108)
FUR: Colour = (138, 140, 148)
NUM_FEATURES = SIDE * SIDE + 2 + len(COLOURS) * 3 + 4


def _grid(at: Layout) -> tuple[int, int, int]:
    """Where the first cell begins, and how wide a cell is."""
    pitch = (at.bottom - at.top) // SIDE
    return (at.left + at.right - pitch * SIDE) // 2, (at.top + at.bottom - pitch * SIDE) // 2, pitch


def _put(frame: np.ndarray, at: Layout, cell: Cell, paint: canvas.Paint, *details: object) -> None:
    left, top, pitch = _grid(at)
    picture = canvas.stamp(paint, pitch, pitch, GROUND, *details)
    canvas.paste(frame, picture, left + cell[1] * pitch, top + cell[0] * pitch)


def _background(at: Layout, floor: Floor, torus: str) -> np.ndarray:
    """All but the mouse and the lights."""
    frame = kit.titled_housing(at, "MAZE")
    canvas.fill(frame, at.left, at.top, at.right, at.bottom, WALL)
    for row in range(SIDE):
        for column in range(SIDE):
            above, below = floor.open((row - 1, column)), floor.open((row + 1, column))
            if floor.open((row, column)):
                _put(frame, at, (row, column), _ground, not above)
            else:
                _put(frame, at, (row, column), _wall, above, below)
    for colour, cell in zip(COLOURS, floor.spheres, strict=True):
        _put(frame, at, cell, _sphere, colour)
    _put(frame, at, floor.torus, _torus, torus)
    return frame


def _ground(pen: Pen, shaded: bool) -> None:
    pen.rect(0, 0, 1, 1, mix(GROUND, DARK, 0.10))
    pen.rect(0.02, 0.02, 0.98, 0.98, GROUND)
    if shaded:
        pen.rect(0, 0, 1, 0.13, mix(GROUND, DARK, 0.28))


def _wall(pen: Pen, back: bool, front: bool) -> None:
    """A block seen a little from the front: a light edge behind, a dark face before, where the floor is open."""
    pen.rect(0, 0, 1, 1, WALL)
    if back:
        pen.rect(0, 0, 1, 0.09, mix(WALL, WHITE, 0.28))
    if front:
        pen.rect(0, 0.70, 1, 1, mix(WALL, DARK, 0.55))
        pen.rect(0, 0.67, 1, 0.72, mix(WALL, WHITE, 0.12))


def _sphere(pen: Pen, colour: str) -> None:
    paint = PAINTS[colour]
    _ground(pen, False)
    pen.ellipse(0.52, 0.84, 0.32, 0.08, mix(GROUND, DARK, 0.35))
    pen.disc(0.5, 0.48, 0.38, mix(paint, DARK, 0.45))
    pen.disc(0.49, 0.47, 0.36, mix(paint, DARK, 0.12))
    pen.disc(0.47, 0.45, 0.31, paint)
    pen.disc(0.42, 0.38, 0.19, mix(paint, WHITE, 0.22))
    pen.disc(0.37, 0.32, 0.08, mix(paint, WHITE, 0.75))


def _torus(pen: Pen, colour: str) -> None:
    """A ring as wide as its cell: thick, glossy and with a hole, so that nobody takes it for a sphere."""
    paint = PAINTS[colour]
    pen.rect(0, 0, 1, 1, mix(GROUND, DARK, 0.22))
    for outer, inner, tone in (
        (0.49, 0.16, mix(paint, DARK, 0.55)),
        (0.465, 0.185, mix(paint, DARK, 0.15)),
        (0.42, 0.23, paint),
        (0.37, 0.28, mix(paint, WHITE, 0.30)),
    ):
        pen.disc(0.5, 0.5, outer, None, tone, outer - inner)
    pen.arc(0.5, 0.5, 0.36, 200, 255, mix(paint, WHITE, 0.8), 0.06)


def _mouse(pen: Pen, sphere: str | None) -> None:
    """A mouse; on a sphere's cell the sphere is behind it."""
    if sphere:
        _sphere(pen, sphere)
        pen = pen.part(0.24, 0.26, 0.74)
    else:
        _ground(pen, False)
    edge = mix(FUR, DARK, 0.65)
    pen.line([(0.52, 0.78), (0.74, 0.92), (0.93, 0.82), (0.95, 0.66)], mix((226, 160, 156), DARK, 0.25), 0.05)
    pen.ellipse(0.50, 0.58, 0.27, 0.33, edge)
    pen.ellipse(0.50, 0.58, 0.24, 0.30, FUR)
    for x in (0.27, 0.73):
        pen.disc(x, 0.22, 0.18, edge)
        pen.disc(x, 0.22, 0.15, FUR)
        pen.disc(x, 0.23, 0.09, (230, 172, 170))
    pen.ellipse(0.50, 0.36, 0.22, 0.21, edge)
    pen.ellipse(0.50, 0.36, 0.19, 0.18, mix(FUR, WHITE, 0.18))
    for x in (0.42, 0.58):
        pen.disc(x, 0.33, 0.045, DARK)
    pen.disc(0.5, 0.20, 0.055, (226, 120, 128))


@kit.device_picture(kit.list_page("The maze", manual), _background, 1.0, lambda maze: (maze.floor, maze.torus))
def draw(frame: np.ndarray, at: Layout, maze: Maze) -> None:
    here = next((colour for colour, cell in zip(COLOURS, maze.floor.spheres, strict=True) if cell == maze.mouse), None)
    _put(frame, at, maze.mouse, _mouse, here)


@kit.clicked_regions(1.0)
def regions(at: Layout, maze: Maze) -> dict[str, Box]:
    """A click beside the mouse moves it there, one on the mouse checks the place."""
    left, top, pitch = _grid(at)
    found: dict[str, Box] = {}
    for name, (down, across) in {**STEPS, CHECK: (0, 0)}.items():
        row, column = maze.mouse[0] + down, maze.mouse[1] + across
        if 0 <= row < SIDE and 0 <= column < SIDE:
            x, y = left + column * pitch, top + row * pitch
            found[name] = (x, y, x + pitch, y + pitch)
    return found


@kit.device_features(NUM_FEATURES)
def features(maze: Maze, out: np.ndarray) -> None:
    """The cells row by row (a wall or the torus 1, open 0), the mouse's row and column, the colour of the torus
    one-hot, each sphere's row and column, mistakes, solved, turn, over; the expert's are 0 but for the last two."""
    out[: SIDE * SIDE] = [sign == "1" for row in maze.floor.walls for sign in row]
    at = SIDE * SIDE
    out[at : at + 2] = _place(maze.mouse)
    out[at + 2 + COLOURS.index(maze.torus)] = 1
    out[at + 2 + len(COLOURS) : -4] = [part for cell in maze.floor.spheres for part in _place(cell)]


def _place(cell: Cell) -> tuple[float, float]:
    return cell[0] / (SIDE - 1), cell[1] / (SIDE - 1)
