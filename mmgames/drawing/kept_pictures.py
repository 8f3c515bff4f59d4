"""Pictures that are kept because they are looked at again, up to a number of bytes; all can be forgotten at once."""

from __future__ import annotations

import functools
import sys
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable

import numpy as np

_every: weakref.WeakSet[KeptPictures] = weakref.WeakSet()


class KeptPictures:
    """The pictures that were looked at last, `most_bytes` in all."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self._kept: OrderedDict[Hashable, np.ndarray] = OrderedDict()
        self.bytes = 0
        _every.add(self)

    def get(self, key: Hashable, draw: Callable[[], np.ndarray]) -> np.ndarray:
        """The picture that is kept under a key, or the one that is drawn now; read-only."""
        picture = self._kept.get(key)
        if picture is not None:
            self._kept.move_to_end(key)
            return picture
        picture = draw()
        picture.setflags(write=False)
        self._kept[key] = picture
        self.bytes += picture.nbytes
        while self.bytes > self.most_bytes and len(self._kept) > 1:
            self.bytes -= self._kept.popitem(last=False)[1].nbytes
        return picture

    def forget(self) -> None:
        self._kept.clear()
        self.bytes = 0


def forget_pictures() -> None:
    """Forget all that is kept to draw faster: it is drawn again when it is needed."""
    for kept in list(_every):
        kept.forget()
    for name, module in list(sys.modules.items()):
        if name.startswith("mmgames.drawing.") or ".picture" in name or "._scenes." in name:
            for found in list(vars(module).values()):
                if isinstance(found, functools._lru_cache_wrapper):
                    found.cache_clear()
