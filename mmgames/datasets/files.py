"""The files of a data set: Parquet with the pictures inside, JSON lines without them, a journal and a report."""

import hashlib
import io
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from mmgames.core import extras, registry
from mmgames.core.whole_files import write_whole
from mmgames.errors import MmgamesError, needs_extra, unknown
from mmgames.running.records import Records

KINDS = ("parquet", "jsonl")
# Pillow's usual level takes nearly twice as long, for files that are a tenth smaller.
PNG_LEVEL = 3


def pyarrow() -> Any:
    with needs_extra("A data set", "data"):
        import pyarrow
        import pyarrow.parquet
    return pyarrow


def open_journal(folder: Path, name: str, data_set: str, settings: Mapping[str, Any]) -> Records:
    """The record of a build; a folder with anything else in it is left alone."""
    from mmgames.version import __version__

    pyarrow()  # what is missing is better said before any work is done
    if folder.exists() and not folder.is_dir():
        raise MmgamesError(f"{folder} is a file; name a folder for the data set.")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / name).is_file():
        raise MmgamesError(f"{folder} holds something else; name a new folder or an empty one for the data set.")
    return Records(folder / name, {"data set": data_set, "version": __version__, **settings})


def chosen(games: Sequence[str] | None, known: Iterable[str], data_set: str) -> list[str]:
    """The known games, or those of them that are named, in their order."""
    known = list(known)
    for name in games or ():
        if name not in known:
            raise unknown("game", name, f"the data set {data_set}", known)
    return [name for name in known if games is None or name in games]


def playable(names: Sequence[str], strict: bool, say: bool) -> tuple[list[str], dict[str, list[str]]]:
    """The games of a data set that can be played here, and the extras of those that are left out: game -> extras.

    With `strict` it is an error if one is left out. It is said (`say`) now, before any work is done.
    """
    lacking = {
        spec.name: list(spec.extras)
        for spec in extras.games_lacking_extras([registry.find(name) for name in names], strict)
    }
    if lacking and say:
        print(f"mmgames: {left_out(lacking)}", file=sys.stderr, flush=True)
    return [name for name in names if name not in lacking], lacking


def left_out(lacking: Mapping[str, Sequence[str]]) -> str:
    """One line about the games that a data set lacks."""
    return extras.left_out_message(lacking.items(), "not made")


def finished(folder: Path, journal: Records, name: str) -> bool:
    """Whether the two files of a table are written, and were written by this build."""
    noted = any(row.get("finished") == name for row in journal.rows)
    return noted and all((folder / f"{name}.{kind}").is_file() for kind in KINDS)


def save(folder: Path, journal: Records, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a table as `NAME.parquet` and `NAME.jsonl`, and note that it is there; rows may have pictures."""
    arrow = pyarrow()
    # Pictures are laid out as the `datasets` library lays out a list of images.
    picture = arrow.struct([("bytes", arrow.binary()), ("path", arrow.string())])

    def kind(key: str) -> Any:
        if key == "pictures":
            return arrow.list_(picture)
        if isinstance(rows[0][key], list):
            return arrow.list_(arrow.string())
        return arrow.int64() if isinstance(rows[0][key], int) else arrow.string()

    schema = arrow.schema([(key, kind(key)) for key in rows[0]])
    drawn = "pictures" in rows[0]

    def with_pictures(row: Mapping[str, Any], held: Any) -> dict[str, Any]:
        return {**row, "pictures": held} if drawn else dict(row)

    embedded = [with_pictures(row, [{"bytes": png, "path": None} for png in row.get("pictures", ())]) for row in rows]
    buffer = io.BytesIO()
    arrow.parquet.write_table(arrow.Table.from_pylist(embedded, schema), buffer)
    write_whole(folder / f"{name}.parquet", buffer.getvalue())
    lines = (json.dumps(with_pictures(row, len(row.get("pictures", ()))), ensure_ascii=False) for row in rows)
    write_whole(folder / f"{name}.jsonl", "".join(f"{line}\n" for line in lines).encode())
    if not any(row.get("finished") == name for row in journal.rows):
        journal.add({"finished": name})


def write_report(folder: Path, report: Mapping[str, Any]) -> None:
    write_whole(folder / "report.json", (json.dumps(report, indent=2, ensure_ascii=False) + "\n").encode())


def read_rows(folder: str | os.PathLike[str], name: str) -> list[dict[str, Any]]:
    """The rows of one table of a finished data set, without their pictures."""
    path = Path(folder) / f"{name}.jsonl"
    try:
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    except ValueError:
        raise damaged(path) from None


def checked_rows(folder: Path, name: str, rows: int) -> list[dict[str, Any]]:
    """The rows of a table, if both of its files are whole."""
    table = read_rows(folder, name)
    if len(table) != rows:
        raise damaged(folder / f"{name}.jsonl")
    path = folder / f"{name}.parquet"
    try:
        whole = pyarrow().parquet.read_metadata(path).num_rows == rows
    except ValueError:  # what pyarrow raises for a file of another kind is one
        whole = False
    if not whole:
        raise damaged(path)
    return table


def damaged(path: Path) -> MmgamesError:
    return MmgamesError(f"{path} is damaged; remove it and start the same command again.")


def png(picture: np.ndarray) -> bytes:
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(picture).save(file, "PNG", compress_level=PNG_LEVEL)
    return file.getvalue()


def pictures(row: Mapping[str, Any]) -> Iterator[np.ndarray]:
    """The pictures of a row that was read from a Parquet file."""
    return (decoded(picture["bytes"]) for picture in row["pictures"])


def decoded(content: bytes) -> np.ndarray:
    """The picture in the bytes of a file; a ValueError if they are none."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(content)) as image:
            return np.asarray(image.convert("RGB"))
    except (OSError, SyntaxError, Image.DecompressionBombError) as error:  # what Pillow raises for broken files
        raise ValueError("its picture cannot be read") from error


@lru_cache(maxsize=64)
def digest(path: Path, changed: int) -> str:
    """A short hash of the content of a file that was changed last at this time."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]
