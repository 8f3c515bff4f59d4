"""Keys of sealed seeds: who has one repeats what it dealt, and nobody else can know it beforehand."""

import os
import re
import secrets
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mmgames.errors import MmgamesError

BYTES = 32
FROM_ENVIRONMENT = "env:"
"""Before the name of an environment variable that holds a key."""


def make_key(path: str | os.PathLike[str]) -> bytes:
    """A new key in a new file, which only its owner can read."""
    key = secrets.token_bytes(BYTES)
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise MmgamesError(
            f"{os.fspath(path)} is there already; a key is never overwritten. Name another file."
        ) from None
    except OSError as error:
        raise MmgamesError(f"The key cannot be written to {os.fspath(path)}: {error.strerror}.") from error
    with os.fdopen(file, "w", encoding="ascii") as out:
        out.write(f"{key.hex()}\n")
    return key


def read_key(where: str) -> bytes:
    """The key in a file, or in an environment variable that is named as `env:NAME`. No message says any of it."""
    if where.startswith(FROM_ENVIRONMENT):
        name = where.removeprefix(FROM_ENVIRONMENT)
        written, named = os.environ.get(name), f"The environment variable {name!r}"
        if written is None:
            raise MmgamesError(f"{named} is not set; it should hold a key of `mmgames seal`.")
    else:
        written, named = _written_in(Path(where)), f"The file {where!r}"
    if not re.fullmatch(f"[0-9a-f]{{{2 * BYTES}}}", written.strip()):
        raise MmgamesError(
            f"{named} holds no key: {2 * BYTES} hexadecimal digits, as `mmgames seal KEYFILE` writes them."
        )
    return bytes.fromhex(written.strip())


def _written_in(path: Path) -> str:
    if re.fullmatch(f"[0-9a-fA-F]{{{2 * BYTES}}}", path.name):
        raise MmgamesError(
            "A key does not belong on a command line, where others can read it; name a file that holds it."
        )
    try:
        if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise MmgamesError(f"Others may read the key in {path}; run `chmod 600 {path}` first.")
        return path.read_text("ascii", errors="replace")
    except OSError as error:
        raise MmgamesError(
            f"No key can be read from {path}: {error.strerror}; `mmgames seal {path}` makes one."
        ) from error


def heading(result: Mapping[str, Any]) -> str:
    """Which key sealed a result, for a heading; nothing where none did."""
    if "sealed" not in result:
        return ""
    public = [id.partition("/")[2] for id in result.get("public", ())]
    return f", sealed with key {result['sealed']}" + (f" (but for {', '.join(public)})" if public else "")
