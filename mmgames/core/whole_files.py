"""Files that a reader finds whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Another name to write a file under; at the end it takes the place of `path`, so nobody ever finds half of it."""
    partial = path.with_name(path.name + ".partial")
    yield partial
    os.replace(partial, path)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under another name first, so that nobody ever finds half of it."""
    with replacing(path) as partial:
        partial.write_bytes(content)
