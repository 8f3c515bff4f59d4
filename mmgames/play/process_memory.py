"""Memory that a server has freed goes back to the system.

Every game has a thread of its own, and glibc gives threads heaps of their own, in which pictures that come and go leave
holes that nobody else fills: after some hundred games most of the memory of a server was such holes. With two heaps,
and large pieces mapped one by one, what is freed can be given back. Elsewhere than on glibc nothing is done.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

TRIM_THRESHOLD, MMAP_THRESHOLD, ARENA_MAX = -1, -3, -8  # of mallopt(3)
SETTINGS = {ARENA_MAX: 2, MMAP_THRESHOLD: 256 * 1024, TRIM_THRESHOLD: 128 * 1024}


def _library() -> Any:
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "mallopt") and hasattr(library, "malloc_trim") else None


def keep_small() -> bool:
    """From now on this process has few heaps; whether that could be set. Best before threads are started."""
    library = _library()
    if library is None:
        return False
    set_so = [library.mallopt(which, value) == 1 for which, value in SETTINGS.items()]
    return all(set_so)


def give_back() -> None:
    """Give back now what is free."""
    library = _library()
    if library is not None:
        library.malloc_trim(0)
