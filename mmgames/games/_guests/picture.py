"""Guests as pictures: what their renderer shows, what a seat observes if that is a picture, or its words."""

import textwrap
from functools import lru_cache
from typing import Any

import numpy as np
from PIL import Image

from mmgames.drawing import canvas
from mmgames.drawing.canvas import INK, PAPER
from mmgames.errors import MmgamesError
from mmgames.games._guests.sights import array_in, frame_of
from mmgames.games._guests.view import GuestView
from mmgames.games._guests.words import describe

COLUMNS = 44


def draw(view: GuestView, size: int = 512) -> np.ndarray:
    """At the asked size; the frame of a guest has the size that it has, and is resampled."""
    shown = _frame(view)
    if shown is None:
        return _written(describe(view), size).copy()
    return _resized(*shown, size).copy()


def features(view: GuestView) -> np.ndarray:
    """The observation as numbers between -1 and 1."""
    if not view.features:
        raise MmgamesError(f"{view.game} observes pictures or words, so it has no features; leave them unobserved.")
    return np.frombuffer(view.features, np.float32).copy()


def shows(view: GuestView) -> Any:
    return _frame(view) or describe(view)


def _frame(view: GuestView) -> tuple[tuple[int, ...], bytes] | None:
    if view.picture is not None:
        return view.picture
    array = array_in(view.observation)
    if array is None or array.dtype != np.uint8 or array.ndim not in (2, 3) or min(array.shape[:2]) < 8:
        return None
    frame = frame_of(array) if array.ndim == 2 or array.shape[2] in (1, 3) else None
    return None if frame is None else (frame.shape, frame.tobytes())


@lru_cache(maxsize=16)
def _resized(shape: tuple[int, ...], pixels: bytes, size: int) -> np.ndarray:
    array = np.frombuffer(pixels, np.uint8).reshape(shape)
    share = size / max(shape[:2])
    high, wide = (max(1, round(side * share)) for side in shape[:2])
    if max(high, wide) != size:
        high, wide = (size, wide) if shape[0] >= shape[1] else (high, size)
    way = Image.Resampling.NEAREST if share >= 2 else Image.Resampling.LANCZOS
    return np.asarray(Image.fromarray(array).resize((wide, high), way))


@lru_cache(maxsize=16)
def _written(text: str, size: int) -> np.ndarray:
    frame = canvas.blank(size, size, PAPER)
    lines = [part for line in text.splitlines() for part in textwrap.wrap(line, COLUMNS) or [""]]
    pitch = min(size / 16, (size - size / 10) / max(1, len(lines)))
    for number, line in enumerate(lines):
        height = max(4, int(pitch * 0.7))
        label = canvas.label(line, height, INK, PAPER)
        y = int(size / 20 + number * pitch)
        space = frame[y : y + label.shape[0], size // 20 :]
        part = label[: space.shape[0], : space.shape[1]]
        space[: part.shape[0], : part.shape[1]] = part
    return frame
