"""Pictures that were drawn already: everybody but the spy looks at the same one, again and again."""

from typing import Any

import numpy as np

from mmgames.drawing.kept_pictures import KeptPictures

MOST_BYTES = 192 * 2**20
"""What is kept in all; a pool of 400 pictures of 320 x 240 has room in it."""

_kept = KeptPictures(MOST_BYTES)


def drawn(scene: Any, size: int) -> np.ndarray:
    """`scene.draw(size)`, read-only; the pictures that were looked at last are kept."""
    return _kept.get((scene, size), lambda: scene.draw(size))
