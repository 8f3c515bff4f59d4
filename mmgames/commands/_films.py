"""An episode as a film: every position, and below it who did what to get there. GIF, or MP4 with the extra `film`."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mmgames.commands import _pictures
from mmgames.drawing import canvas

if TYPE_CHECKING:
    from mmgames.commands._transcript import Transcript

FILMS = (".gif", ".mp4")
LINES = 3  # below the picture
LAST = 3  # the end stays as long as so many positions
FRAMES_A_SECOND = 10  # of an MP4; a position is shown for many of them


def frames(transcript: Transcript, draw: Callable[[Any, int], np.ndarray], size: int) -> list[np.ndarray]:
    """A picture for each position, all of one size, above the deeds that led to it."""
    pictures = [draw(view, size) for view in transcript.views]
    wide, high = (max(picture.shape[side] for picture in pictures) for side in (1, 0))
    letter = max(10, wide // 30)
    line = round(letter * 1.3)
    whole = (wide + wide % 2, high + LINES * line + letter)
    made = []
    for step, picture in enumerate(pictures):
        sheet = canvas.blank(whole[0], whole[1] + whole[1] % 2, canvas.WHITE)  # even sides, as films want them
        canvas.paste(sheet, picture, (wide - picture.shape[1]) // 2, (high - picture.shape[0]) // 2)
        for number, text in enumerate(_told(transcript, step, wide * 2 // letter)):
            words = canvas.label(text, letter, canvas.INK, canvas.WHITE)[:, : wide - letter]
            canvas.paste(sheet, words, letter // 2, high + letter // 2 + number * line)
        made.append(sheet)
    return made


def _told(transcript: Transcript, step: int, letters: int) -> list[str]:
    """The lines below a position."""
    if step == 0:
        seated = map(" ".join, zip(transcript.seats, transcript.agents, strict=True))
        return textwrap.wrap(", ".join(seated), letters)[:LINES]
    deeds = [f"{deed.role}: {deed.did[:500] or 'nothing'}" for deed in transcript.deeds if deed.step == step - 1]
    found = [text for deed in deeds for text in textwrap.wrap(f"{step}. {deed}", letters)]
    if step == len(transcript.views) - 1:
        found = [*found[: LINES - 1], "returns " + ", ".join(f"{value:g}" for value in transcript.returns)]
    return found if len(found) <= LINES else [*found[: LINES - 1], found[LINES - 1][: letters - 2] + " …"]


def check(path: Path) -> None:
    """A sentence about a film that cannot be made here; better before it is drawn."""
    if path.suffix.lower() == ".mp4":
        _ffmpeg()


def save(path: Path, pictures: Sequence[np.ndarray], pace: float) -> None:
    """Write a film in which every picture stays for `pace` seconds."""
    with _pictures.writing(path, "A film"):
        (_save_mp4 if path.suffix.lower() == ".mp4" else _save_gif)(path, pictures, pace)


def _save_gif(path: Path, pictures: Sequence[np.ndarray], pace: float) -> None:
    from PIL import Image

    first, *others = [Image.fromarray(one).quantize(256, dither=Image.Dither.NONE) for one in pictures]
    each = max(20, round(1000 * pace))  # viewers slow down what is quicker
    times = [each] * len(others) + [each * LAST]
    first.save(path, save_all=True, append_images=others, duration=times, loop=0)


def _save_mp4(path: Path, pictures: Sequence[np.ndarray], pace: float) -> None:
    size = pictures[0].shape[1::-1]  # width and height
    times = max(1, round(pace * FRAMES_A_SECOND))
    film = _ffmpeg().write_frames(
        path, size, fps=FRAMES_A_SECOND, codec="libx264", quality=8, macro_block_size=2, ffmpeg_log_level="error"
    )
    film.send(None)
    for number, picture in enumerate(pictures):
        for _ in range(times * (LAST if number == len(pictures) - 1 else 1)):
            film.send(np.ascontiguousarray(picture))
    film.close()


def _ffmpeg() -> Any:
    from mmgames.errors import needs_extra

    with needs_extra("A film as MP4 (a GIF needs nothing)", "film"):
        import imageio_ffmpeg
    return imageio_ffmpeg
