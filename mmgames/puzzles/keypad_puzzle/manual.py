"""Manuals of the keypad: columns of symbols. Four symbols are never together in more than one column.

The symbols are in symbols.json.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from mmgames.puzzles._conversation.books import kept, standard
from mmgames.text.prose import paragraphs

PLACES = ("top_left", "top_right", "bottom_left", "bottom_right")


class Look(NamedTuple):
    """A symbol in plain English: what to call it, and what it looks like."""

    name: str
    like: str


DRAWN: dict[str, dict[str, Any]] = kept(__package__, "symbols")
LOOKS = {symbol: Look(drawn["name"], drawn["like"]) for symbol, drawn in DRAWN.items()}
SYMBOLS = tuple(LOOKS)

Manual = tuple[tuple[str, ...], ...]
"""Columns of symbols, each from top to bottom."""
STANDARD: Manual = standard(Manual, __package__)


def right_order(symbols: Sequence[str], manual: Manual = STANDARD) -> tuple[str, ...] | None:
    """The symbols as they come in the column that has them all; None if no column has."""
    for column in manual:
        if set(symbols) <= set(column):
            return tuple(symbol for symbol in column if symbol in symbols)
    return None


def shuffled(rng: np.random.Generator, wanted: Sequence[str] = ()) -> Manual:
    """Columns that share symbols as the standard ones do, but other symbols and in another order.

    One of the columns has the `wanted` symbols (as many as are on a keypad) in the order in which they are given.
    """
    columns = [[column[i] for i in rng.permutation(len(column))] for column in STANDARD]
    chosen = columns[int(rng.integers(len(columns)))]
    rows = sorted(rng.permutation(len(chosen))[: len(wanted)])
    becomes = {chosen[row]: symbol for row, symbol in zip(rows, wanted, strict=True)}
    free = [symbol for symbol in SYMBOLS if symbol not in wanted]
    names = (free[i] for i in rng.permutation(len(free)))
    becomes |= {symbol: next(names) for symbol in SYMBOLS if symbol not in becomes}
    return tuple(tuple(becomes[symbol] for symbol in column) for column in columns)


INTRODUCTION = paragraphs(__package__, "words")["introduction"]


@lru_cache(maxsize=64)
def text(manual: Manual = STANDARD) -> str:
    """The columns in words."""
    return "\n".join(
        f"Column {number}, from top to bottom: "
        + "; ".join(f"{LOOKS[symbol].name} ({LOOKS[symbol].like})" for symbol in column)
        for number, column in enumerate(manual, 1)
    )
