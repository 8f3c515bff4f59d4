"""Pictures of any shape on a sheet of the one shape that all pictures have."""

import numpy as np
from PIL import Image

from mmgames.drawing.canvas import PAPER, blank
from mmgames.games.spy.pictures.pair import ASPECT


def sheet(size: int) -> np.ndarray:
    return blank(size, round(size * ASPECT), PAPER)


def centred(picture: np.ndarray, size: int) -> np.ndarray:
    """A picture in the middle of a sheet; one that is larger is made smaller."""
    frame = sheet(size)
    high, wide = frame.shape[:2]
    scale = min(wide / picture.shape[1], high / picture.shape[0])
    if scale < 1:
        shape = max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale))
        picture = np.asarray(Image.fromarray(picture).resize(shape, Image.Resampling.LANCZOS))
    top, left = (high - picture.shape[0]) // 2, (wide - picture.shape[1]) // 2
    frame[top : top + picture.shape[0], left : left + picture.shape[1]] = picture
    return frame


def filling(picture: np.ndarray, size: int) -> np.ndarray:
    """A picture in the middle of a sheet, as large as fits."""
    high, wide = round(size * ASPECT), size
    scale = min(wide / picture.shape[1], high / picture.shape[0])
    shape = max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale))
    if shape != (picture.shape[1], picture.shape[0]):
        picture = np.asarray(Image.fromarray(picture).resize(shape, Image.Resampling.LANCZOS))
    return centred(picture, size)
