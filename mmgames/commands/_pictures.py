"""Pictures on disk: PNG files and contact sheets."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from mmgames.drawing import canvas

_FORMATS = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp")


def check_name(path: Path) -> Path:
    """The path, if its ending says which kind of picture it is to be."""
    from mmgames.errors import MmgamesError

    if path.suffix.lower() not in _FORMATS:
        raise MmgamesError(f"A picture cannot be written to {str(path)!r}: end the name in {', '.join(_FORMATS)}.")
    return path


@contextmanager
def writing(path: Path, what: str) -> Iterator[None]:
    """While a file is written, in a folder that is there: a sentence if it cannot be."""
    from mmgames.errors import MmgamesError
    from mmgames.running.records import check_regular

    check_regular(path, f"{what} cannot be written to")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise MmgamesError(f"{what} cannot be written to {path}: {error.strerror or error}.") from error


def save(path: Path, picture: np.ndarray) -> None:
    from PIL import Image

    with writing(path, "A picture"):
        Image.fromarray(picture).save(path)


def contact_sheet(pictures: Sequence[np.ndarray], captions: Sequence[str]) -> np.ndarray:
    """All pictures on one sheet of paper, each above its caption."""
    across = math.ceil(math.sqrt(len(pictures)))
    down = math.ceil(len(pictures) / across)
    high, wide = (max(picture.shape[side] for picture in pictures) for side in (0, 1))
    letter = max(10, wide // 24)
    gap = wide // 16
    tile_w, tile_h = wide + gap, high + letter * 2 + gap
    sheet = canvas.blank(across * tile_w + gap, down * tile_h + gap, canvas.WHITE)
    for i, (picture, caption) in enumerate(zip(pictures, captions, strict=True)):
        left, top = gap + i % across * tile_w, gap + i // across * tile_h
        x, y = left + (wide - picture.shape[1]) // 2, top + (high - picture.shape[0]) // 2
        canvas.fill(sheet, x - 1, y - 1, x + picture.shape[1] + 1, y + picture.shape[0] + 1, canvas.LINE)
        canvas.paste(sheet, picture, x, y)
        below = canvas.label(caption, letter, canvas.INK, canvas.WHITE)
        canvas.paste(sheet, below, left + wide // 2, top + high + letter, "c")
    return sheet
