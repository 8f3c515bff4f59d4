"""A field of cells: what is shown in one, and which cells are around it."""

from functools import lru_cache

HIDDEN, MINE = -1, 9  # between them stand the numbers of neighbouring mines


@lru_cache(maxsize=8)
def neighbours(side: int) -> tuple[tuple[int, ...], ...]:
    """The up to eight cells around each cell."""
    return tuple(
        tuple(
            row * side + column
            for row in range(max(0, cell // side - 1), min(side, cell // side + 2))
            for column in range(max(0, cell % side - 1), min(side, cell % side + 2))
            if row * side + column != cell
        )
        for cell in range(side * side)
    )
