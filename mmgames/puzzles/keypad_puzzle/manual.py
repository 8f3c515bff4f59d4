"""Manuals of the keypad: columns of symbols. Four symbols are never together in more than one column."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

PLACES = ("top_left", "top_right", "bottom_left", "bottom_right")


class Look(NamedTuple):
    """A symbol in plain English: what to call it, and what it looks like."""

    name: str
    like: str


LOOKS = {
    "koppa": Look("balloon", "a ring on top of an upright stick"),
    "little_yus": Look("three-legged A", "a letter A with a third leg under its crossbar"),
    "lambda_bar": Look("crossed lambda", "a long slanted stroke with one leg, and a short bar across its upper end"),
    "koppa_lightning": Look("lightning bolt", "a zigzag of three strokes"),
    "big_yus": Look("tripod", "a triangle standing on its tip, with three legs under it"),
    "kai": Look("K with a hook", "a letter K whose lower leg curls back to the left"),
    "dotted_c_right": Look("backward C with a dot", "a letter C open to the left, with a dot inside"),
    "e_diaeresis": Look("backward E with two dots", "a round letter E open to the left, with two dots above it"),
    "curly_q": Look("spiral", "a line that winds outwards, like a snail's shell"),
    "hollow_star": Look("hollow star", "the outline of a star with five points"),
    "inverted_question": Look("upside-down question mark", "a hook below, a dot on top"),
    "copyright": Look("copyright sign", "a small c in a circle"),
    "omega_titlo": Look("round W with a wavy hat", "a round letter w, and a little wave above it"),
    "zhe_descender": Look("double K", "two letters K back to back, with a small tail at the lower right"),
    "komi_dzje": Look("three with an arm", "a figure 3 with a hook on its right, like a raised arm"),
    "be_curl": Look("flagged six", "a figure 6 whose top waves to the right like a flag"),
    "pilcrow": Look("paragraph mark", "a backward P with a filled belly and two upright lines"),
    "yat": Look("crossed b", "a small letter b with a long bar across its upper part"),
    "smiley_teh": Look("smiley", "a smiling mouth and two dots for eyes"),
    "psi": Look("trident", "a fork with three prongs"),
    "dotted_c_left": Look("normal C with a dot", "a letter C open to the right, with a dot inside"),
    "ksi_curl": Look("three with horns", "a figure 3 with two horns on top and a winding tail"),
    "filled_star": Look("solid star", "a star with five points, filled in"),
    "thousands_sign": Look("slash with two bars", "a long slanted stroke crossed by two shorter ones"),
    "ae_ligature": Look("joined a and e", "the small letters a and e grown together"),
    "short_i_tail": Look("backward N with a bow", "a letter N turned round, a little bow above it, a tail at its foot"),
    "omega": Look("horseshoe", "a ring open at the bottom, with two feet: a Greek Omega"),
}
SYMBOLS = tuple(LOOKS)

Manual = tuple[tuple[str, ...], ...]
"""Columns of symbols, each from top to bottom."""
STANDARD: Manual = (
    ("koppa", "little_yus", "lambda_bar", "koppa_lightning", "big_yus", "kai", "dotted_c_right"),
    ("e_diaeresis", "koppa", "dotted_c_right", "curly_q", "hollow_star", "kai", "inverted_question"),
    ("copyright", "omega_titlo", "curly_q", "zhe_descender", "komi_dzje", "lambda_bar", "hollow_star"),
    ("be_curl", "pilcrow", "yat", "big_yus", "zhe_descender", "inverted_question", "smiley_teh"),
    ("psi", "smiley_teh", "yat", "dotted_c_left", "pilcrow", "ksi_curl", "filled_star"),
    ("be_curl", "e_diaeresis", "thousands_sign", "ae_ligature", "psi", "short_i_tail", "omega"),
)  # fmt: skip


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


INTRODUCTION = (
    "The keypad has four keys in two rows of two, each with a symbol. The manual has six columns of symbols; one of "
    "them has all four symbols of the keypad. Press the keys in the order in which their symbols come in that column "
    "from top to bottom. After a wrong key begin again with the first."
)


@lru_cache(maxsize=64)
def columns(manual: Manual = STANDARD) -> str:
    """The columns in words."""
    return "\n".join(
        f"Column {number}, from top to bottom: "
        + "; ".join(f"{LOOKS[symbol].name} ({LOOKS[symbol].like})" for symbol in column)
        for number, column in enumerate(manual, 1)
    )
