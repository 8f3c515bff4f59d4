"""The canvas kit draws the same picture, however it comes to draw it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mmgames.drawing import canvas

SIDE, TILE = 3, 4
KINDS = "abc"
COLOURS = dict(zip(KINDS, (canvas.RED, canvas.BLUE, canvas.GOLD), strict=True))

boards = st.lists(st.sampled_from(KINDS), min_size=SIDE**2, max_size=SIDE**2)


def mosaic() -> canvas.Mosaic:
    ground = canvas.blank(SIDE * TILE, SIDE * TILE, COLOURS["a"])

    def tile(place: int, kind: str) -> canvas.Tile:
        return canvas.flat(TILE, TILE, COLOURS[kind]), place % SIDE * TILE, place // SIDE * TILE

    return canvas.Mosaic(ground, "a" * SIDE**2, tile)


@given(st.lists(boards, min_size=1, max_size=6))
def test_a_mosaic_does_not_remember_what_it_drew_before(sequence: list[list[str]]) -> None:
    used = mosaic()
    for board in sequence:
        drawn = used.draw(list(board))
        assert np.array_equal(drawn, mosaic().draw(list(board)))
        colours = [tuple(drawn[place // SIDE * TILE, place % SIDE * TILE]) for place in range(SIDE**2)]
        assert colours == [COLOURS[kind] for kind in board]


def test_scribbling_on_a_drawn_mosaic_leaves_the_next_one_alone() -> None:
    used, board = mosaic(), list("abcabcabc")
    used.draw(board)[:] = 0
    assert np.array_equal(used.draw(board), mosaic().draw(board))
