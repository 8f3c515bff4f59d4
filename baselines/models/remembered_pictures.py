"""A processor that remembers what it has made of the last pictures.

Players look at the same picture in several turns, civilians of Spy share one, and with `history` every turn shows the
earlier ones again: each is brought to scale once.
"""

import copy
import threading
from collections import OrderedDict
from typing import Any

from mmgames.agents.token_replies import picture_hash

ROOM = 256 * 2**20
"""So many bytes of what was made are kept."""


def remembering(processor: Any) -> Any:
    """The same processor, which is left as it is, with a memory; one that sees nothing needs none."""
    if not hasattr(processor, "image_processor"):
        return processor
    made = copy.copy(processor)
    made.image_processor = _Remembering(processor.image_processor)
    return made


class _Remembering:
    def __init__(self, eye: Any) -> None:
        self._eye = eye
        self._kept: OrderedDict[Any, Any] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._eye, name)

    def __call__(self, images: Any, *args: Any, **how: Any) -> Any:
        key = _hashes(images), repr(args), repr(sorted(how.items()))
        with self._lock:
            found = self._kept.pop(key, None)
            if found is None:
                found = self._eye(images, *args, **how)
                self._bytes += _size(found)
            self._kept[key] = found
            while self._bytes > ROOM and len(self._kept) > 1:
                self._bytes -= _size(self._kept.popitem(last=False)[1])
        return copy.copy(found)  # some processors take parts out of it


def _hashes(images: Any) -> Any:
    return tuple(map(_hashes, images)) if isinstance(images, (list, tuple)) else picture_hash(images)


def _size(made: Any) -> int:
    return sum(getattr(value, "nbytes", 0) for value in made.values())
