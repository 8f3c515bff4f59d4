"""Pairs from the boards of registered games: two views that differ in one cell, or in what one move changes.

Every game with an alphabet for Perceive takes part. Where a view keeps its cells as a plain row, one of them is
changed; otherwise, and with `change=move`, somebody makes a move. What a board shows beside its cells is the same in
both pictures: no clock, count or marker of the last move tells a spy where its picture differs.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from mmgames.core import registry
from mmgames.errors import MissingExtra, MmgamesError, unknown
from mmgames.games.spy.pictures.fitting import centred
from mmgames.games.spy.pictures.pair import ASPECT, Change, Fact, Pair
from mmgames.kernels.records import RecordState, copied

CHANGES = ("any", "thing", "move")
MOST_CELLS = 6  # a move that changes more of the board than this is no small difference
_TRIES = 20
_SMALLEST = 48  # pixels of a drawn board's longer side


class BoardScene(NamedTuple):
    """One view of one game."""

    game: str
    view: Any

    def draw(self, size: int) -> np.ndarray:
        draw = registry.load(self.game).picture.draw
        room_high, room_wide = round(size * ASPECT), size
        picture = draw(self.view, max(_SMALLEST, min(room_high, room_wide)))
        high, wide = picture.shape[:2]
        # Drawn anew rather than enlarged: an oblong board may use more of the sheet.
        scale = min(room_wide / wide, room_high / high)
        longest = int(max(wide, high) * scale)
        if longest != max(wide, high) and longest >= _SMALLEST:
            picture = draw(self.view, longest)
        return centred(picture, size)

    def facts(self) -> tuple[Fact, ...]:
        board = _board(self.game)
        matrix = board.cells(self.view)
        places = board.places(len(matrix), len(matrix[0]))
        cells = [
            Fact(f"the content of {places[row][column]}", board.codes[code])
            for row, line in enumerate(matrix)
            for column, code in enumerate(line)
        ]
        flat = [code for line in matrix for code in line]
        counts = [Fact(f"the number of cells with {name}", str(flat.count(code))) for code, name in board.codes.items()]
        return (*cells, *counts)

    def record(self) -> Mapping[str, Any]:
        board = _board(self.game)
        meanings = {str(code): name for code, name in board.codes.items()}
        return {"game": self.game, "cells": [list(line) for line in board.cells(self.view)], "codes": meanings}


@cache
def _board(game: str) -> Any:
    from mmgames.tasks.positions import board

    return board(game)


class Boards:
    """Pairs of boards of `game`, or of any registered game that has an alphabet."""

    def __init__(self, game: str = "", change: str = "any") -> None:
        from mmgames.tasks.positions import BOARDS

        if change not in CHANGES:
            raise unknown("change", change, "boards", CHANGES)
        self.change = change
        known = [id for id in BOARDS if id in registry.specs]
        if game:
            id = registry.find(game).id
            if id not in known:
                raise unknown("game", game, "boards", known)
            known = [id]
        self.games = [id for id in known if _loads(id)]
        if not self.games:
            raise MmgamesError(f"boards: no game that has an alphabet can be loaded here ({', '.join(known)}).")

    def pair(self, rng: np.random.Generator) -> Pair:
        game = self.games[int(rng.integers(len(self.games)))]
        board = _board(game)
        first = self.change
        if first == "any":
            first = "thing" if rng.random() < 0.5 else "move"
        while True:
            views = _other_thing(board, rng) if first == "thing" else None
            views = views or _other_move(board, rng)
            if views is None:
                continue
            views = _alike(board, *views)
            changes = _changes(board, *views)
            if changes:
                return Pair(BoardScene(game, views[0]), BoardScene(game, views[1]), changes)

    def vary(self, scene: BoardScene, rng: np.random.Generator) -> Pair | None:
        board = _board(scene.game)
        for _ in range(_TRIES):
            other = _with_another_cell(board, scene.view, rng)
            if other is None:
                continue
            _, other = _alike(board, scene.view, other)
            if changes := _changes(board, scene.view, other):
                return Pair(scene, BoardScene(scene.game, other), changes)
        return None


def _loads(game: str) -> bool:
    try:
        registry.load(game)
    except MissingExtra:
        return False
    return True


def _other_thing(board: Any, rng: np.random.Generator) -> tuple[Any, Any] | None:
    """A view and the same with one cell different."""
    view = board.show(rng).view
    other = _with_another_cell(board, view, rng)
    return None if other is None else (view, other)


def _with_another_cell(board: Any, view: Any, rng: np.random.Generator) -> Any | None:
    """The view with one cell different; None where views do not keep their cells as a plain row."""
    cells = getattr(view, "cells", None)
    if not hasattr(view, "_replace") or not isinstance(cells, (str, tuple)):
        return None
    matrix = np.array(board.cells(view))
    if len(cells) != matrix.size:
        return None
    place = int(rng.integers(len(cells)))
    others = sorted({cell for cell in cells if cell != cells[place]}, key=str)
    if not others:
        return None
    new = others[int(rng.integers(len(others)))]
    changed: Any = cells[:place] + new + cells[place + 1 :] if isinstance(cells, str) else None
    changed = changed or (*cells[:place], new, *cells[place + 1 :])
    other = view._replace(cells=changed)
    return other if (np.array(board.cells(other)) != matrix).sum() == 1 else None


def _other_move(board: Any, rng: np.random.Generator) -> tuple[Any, Any] | None:
    """A view and the same seat's view after a random move; None if the move changes too much or nothing."""
    from mmgames.tasks.positions import played

    game = board.game
    state = played(board, rng, int(rng.integers(max(1, min(60, game.spec.length) // 2) + 1)))
    if state is None:
        return None
    movers = game.movers(state)
    seat = movers[int(rng.integers(len(movers)))]
    moves = {}
    for mover in movers:
        legal = game.legal(state, mover)
        moves[mover] = legal[int(rng.integers(len(legal)))]
    return game.view(state, seat), game.view(game.play(state, moves, rng), seat)


def _alike(board: Any, one: Any, other: Any) -> tuple[Any, Any]:
    """Two views that differ in nothing but what their cells show, and mark no cell as special."""
    cells = board.cells(other)

    def shows(view: Any) -> bool:
        return bool(board.cells(view) == cells)

    for name in one._fields:
        mine, theirs = getattr(one, name), getattr(other, name)
        if mine == theirs:
            continue
        if shows(other._replace(**{name: mine})):
            other = other._replace(**{name: mine})
        elif isinstance(theirs, str) and " " in theirs:  # a chess position: the board, then clocks and rights
            other = other._replace(**{name: " ".join([theirs.split()[0], *mine.split()[1:]])})
        elif isinstance(theirs, RecordState):
            for field in theirs.array.dtype.names or ():
                for place, old in enumerate(mine.array[field].flat):
                    array = copied(getattr(other, name).array)
                    array[field].flat[place] = old
                    back = other._replace(**{name: RecordState(array)})
                    if shows(back):
                        other = back
        elif isinstance(theirs, tuple) and len(mine) == len(theirs):
            for place, (old, new) in enumerate(zip(mine, theirs, strict=True)):
                row = getattr(other, name)
                back = other._replace(**{name: (*row[:place], old, *row[place + 1 :])})
                if old != new and shows(back):
                    other = back
    return _unmarked(one), _unmarked(other)


def _unmarked(view: Any) -> Any:
    """A view in which nobody moved last, is to move or in check, and all digits of a puzzle are given ones."""
    facts = {"last": None} if "last" in view._fields else {}
    if "ending" in view._fields:  # a view of chess; while somebody is to move it shows a check
        facts |= {"mover": None, "ending": None, "winner": None}
    if "puzzle" in view._fields:
        facts["puzzle"] = view.cells
    return view._replace(**facts)


def _changes(board: Any, one: Any, other: Any) -> tuple[Change, ...]:
    before, after = np.array(board.cells(one)), np.array(board.cells(other))
    if before.shape != after.shape or not 1 <= (before != after).sum() <= MOST_CELLS:
        return ()
    places = board.places(*before.shape)
    return tuple(
        Change(places[row][column], "content", board.codes[before[row, column]], board.codes[after[row, column]])
        for row, column in np.argwhere(before != after).tolist()
    )


SOURCE = Boards
