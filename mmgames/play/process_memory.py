"""Memory that a server has freed goes back to the system.

Every game has a thread of its own, and glibc gives threads heaps of their own, in which pictures that come and go leave
holes that nobody else fills: after some hundred games most of the memory of a server was such holes. With two heaps,
and large pieces mapped one by one, what is freed can be given back. Elsewhere than on glibc nothing is done.
"""

import ctypes
import gc
import os
import sys
from pathlib import Path
from typing import Any

from mmgames.drawing.canvas import forget_pictures

MOST = 320.0
"""Megabytes above which a server forgets pictures; what it has loaded once takes most of that."""

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


def resident() -> float:
    """The megabytes that this process has in memory; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (OSError, ValueError, IndexError):
        return 0.0


def give_back(most: float = MOST) -> None:
    """Give back what is free, and above `most` megabytes also pictures that are kept to be drawn faster."""
    if resident() > most:
        forget_pictures()
        gc.collect()
    library = _library()
    if library is not None:
        library.malloc_trim(0)
