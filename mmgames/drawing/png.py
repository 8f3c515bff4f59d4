"""A picture as PNG, written in a third of the time that Pillow takes, and about as small for drawn pictures.

Pillow tries all five filters on every row. Here each row is stored as its difference from the row above, which is
nought wherever a drawing goes straight down. The play page needs it: two pictures are most of what a click costs it.
"""

import struct
import zlib

import numpy as np

_MAGIC = b"\x89PNG\r\n\x1a\n"
_UP = 2


def png(pixels: np.ndarray) -> bytes:
    """uint8 [height, width, 3] as the bytes of a PNG file."""
    high, wide, _ = pixels.shape
    flat = pixels.reshape(high, wide * 3)
    rows = np.empty((high, 1 + wide * 3), np.uint8)
    rows[:, 0] = _UP
    rows[0, 1:] = flat[0]
    np.subtract(flat[1:], flat[:-1], out=rows[1:, 1:])
    head = struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)
    return _MAGIC + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows.data, 1)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))
