"""Where the picture of a grid dilemma has its grid and its figures."""

from mmgames.games._dilemma.setup import SIDE

BOLD_FROM = 256  # smaller pictures have no room for bold figures


def layout(size: int, side: int) -> tuple[int, int, int, int, int]:
    """Width, height, cell side, left and top of the grid."""
    width, height = size, size * 5 // 8
    cell = int(height * 0.9) // side
    return width, height, cell, height - cell * side - height // 50, height // 50


def cell_side(size: int, side: int) -> int:
    return layout(size, side)[2]


def inside(cell: int) -> tuple[int, int]:
    """How far from its cell's edge a token is, and how large."""
    pad = max(1, cell // 16)
    return pad, max(1, cell - 2 * pad)


def numbering(size: int, side: int) -> int:
    """How high the numbers of columns and rows are."""
    usual = max(8, size // 28)
    return usual if side <= SIDE else max(5, min(usual, cell_side(size, side) * 2 // 3))


def letters(size: int, shown: str = "") -> int:
    """How high a figure of the table is; long ones are smaller."""
    usual = max(8, size // 22)
    return usual if len(shown) <= 3 else max(6, usual * 14 // (5 * len(shown)))
