"""Spy as pictures: a seat sees its own; spectators see both, with clues and votes. And as features."""

from functools import lru_cache
from typing import Any

import numpy as np
from PIL import Image

from mmgames.drawing import canvas
from mmgames.drawing.canvas import FAINT, GREEN, INK, LINE, PAPER, RED, Colour, KeptPictures, mix
from mmgames.games.spy.pictures.pair import ASPECT
from mmgames.games.spy.rules import SpyView
from mmgames.games.spy.words import _choice, _name

MOST_BYTES = 192 * 2**20
"""What is kept in all; a pool of 400 pictures of 320 x 240 has room in it."""

_kept = KeptPictures(MOST_BYTES)


def drawn(scene: Any, size: int) -> np.ndarray:
    """`scene.draw(size)`, read-only; the last ones are kept, for everybody but the spy looks at the same one."""
    return _kept.get((scene, size), lambda: scene.draw(size))


GRID = (6, 8)
_THUMB = 64
ROLES = ("civilian", "spy", "observer", "spectator")
STAGES = ("clue", "vote", "over")


def draw(view: SpyView, size: int = 512) -> np.ndarray:
    if view.seat is not None:
        return drawn(view.picture, size).copy()
    return _board(view, size)


def _board(view: SpyView, size: int) -> np.ndarray:
    """Both pictures above, a line for each clue below, votes beside the names."""
    assert view.pair is not None and view.spies is not None
    half = size // 2
    top = round(half * ASPECT)
    rows = view.players * (view.setting.rounds + 1) + 1
    frame = canvas.blank(size, size)
    for x, scene, colour in ((0, view.pair.original, GREEN), (size - half, view.pair.changed, RED)):
        picture = drawn(scene, half)
        frame[: picture.shape[0], x : x + half] = picture
        canvas.outline(frame, x, 0, x + half, top, colour, max(1, size // 170))
    pitch = (size - top) / (rows + 0.5)
    letter = max(5, int(pitch * 0.68))
    line = 0

    def write(parts: list[tuple[str, Colour]]) -> None:
        nonlocal line
        x, y = letter, top + round((line + 0.75) * pitch)
        for text, colour in parts:
            label = _line(text, letter, colour, size - 2 * letter)
            canvas.paste(frame, label, x, y, "w")
            x += label.shape[1] + letter // 2
        line += 1

    for said in view.clues:
        spy = said.seat in view.spies
        write([(f"{said.round}. {_name(view, said.seat)}", RED if spy else GREEN), (said.words or "(no clue)", INK)])
    line = max(line, view.players * view.setting.rounds)
    canvas.fill(frame, 0, top + round((line + 0.2) * pitch), size, top + round((line + 0.2) * pitch) + 1, LINE)
    for seat, vote in view.votes:
        right = vote.choice in view.spies
        write(
            [(_name(view, seat), FAINT), (f"votes for {_choice(view, vote)}", GREEN if right else mix(INK, RED, 0.5))]
        )
    return frame


@lru_cache(maxsize=2048)
def _line(text: str, letter: int, colour: Colour, width: int) -> np.ndarray:
    """A text as a label that is not too wide for the frame."""
    # Signs that the font does not have would be drawn as boxes of any width.
    shown = "".join(sign if sign.isprintable() else " " for sign in text)[:200]
    return canvas.label(shown or " ", letter, colour, PAPER)[:, :width]


def features(view: SpyView) -> np.ndarray:
    players, rounds = view.players, view.setting.rounds
    said = {(clue.seat, clue.round): bool(clue.words) for clue in view.clues}
    scene = view.picture if view.picture is not None else view.pair.original if view.pair else None
    small = Image.fromarray(drawn(scene, _THUMB)).resize(GRID[::-1], Image.Resampling.BOX)
    numbers = [
        *(view.seat == seat for seat in range(players + view.setting.observed)),
        *(view.role == role for role in ROLES),
        *(view.stage == stage for stage in STAGES),
        *(said.get((seat, number + 1), -1) for seat in range(players) for number in range(rounds)),
        len(view.clues) / (players * rounds),
        *(np.asarray(small).ravel() / 127.5 - 1),
    ]
    return np.array(numbers, np.float32)
