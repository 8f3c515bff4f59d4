"""Pictures that were drawn already: everybody but the spy looks at the same one, again and again."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np

from mmgames.games.spy.pictures.pair import PictureScene

MOST_BYTES = 192 * 2**20
"""What is kept in all; a pool of 400 pictures of 320 x 240 has room in it."""

_kept: OrderedDict[tuple[PictureScene, int], np.ndarray] = OrderedDict()
_bytes = 0


def drawn(scene: Any, size: int) -> np.ndarray:
    """`scene.draw(size)`, read-only; the pictures that were looked at last are kept."""
    global _bytes
    key = (scene, size)
    picture = _kept.get(key)
    if picture is not None:
        _kept.move_to_end(key)
        return picture
    picture = scene.draw(size)
    picture.setflags(write=False)
    _kept[key] = picture
    _bytes += picture.nbytes
    while _bytes > MOST_BYTES and len(_kept) > 1:
        _bytes -= _kept.popitem(last=False)[1].nbytes
    return picture
