"""ClueRound as a picture and as features."""

from __future__ import annotations

import numpy as np

from mmgames.drawing import canvas
from mmgames.drawing.canvas import BLUE, INK, PAPER, RED

from .rules import SEATS, WORDS, ClueView
from .words import MOST_LETTERS, NAMES


def draw(view: ClueView, size: int = 512) -> np.ndarray:
    """A line for everybody: name, clue, vote; below them the word, for those who know it."""
    row, letter = size // (SEATS + 1), max(7, size // 18)
    frame = canvas.blank(size, row * (SEATS + 1))
    clues, votes = dict(view.clues), dict(view.votes)
    for seat, name in enumerate(NAMES):
        colour = RED if seat == view.spy else BLUE if seat == view.seat else INK
        line = " ".join([name, clues.get(seat, "…"), *([f"> {NAMES[votes[seat]]}"] if seat in votes else [])])
        canvas.paste(frame, canvas.label(line, letter, colour, PAPER), letter // 2, seat * row + row // 2, "w")
    word = canvas.label(view.word or "?", letter, INK, PAPER, bold=True)
    canvas.paste(frame, word, size // 2, SEATS * row + row // 2, "c")
    return frame


def features(view: ClueView) -> np.ndarray:
    clues, votes = dict(view.clues), dict(view.votes)
    numbers = [
        *(view.seat == seat for seat in range(SEATS)),
        *(view.opener == seat for seat in range(SEATS)),
        view.is_spy,
        *(view.word == word for word in WORDS),
        *(len(clues.get(seat, "")) / MOST_LETTERS for seat in range(SEATS)),
        *(votes.get(seat, -1) / SEATS for seat in range(SEATS)),
        bool(view.votes),
        len(view.clues) / SEATS,
    ]
    return np.array(numbers, np.float32)
