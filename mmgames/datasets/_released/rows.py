"""What all released questions have in common: a file with numbered rows, and a source that asks them one by one.

Rows count from 0. All of a file but its pictures is looked at when it is opened, so that what is wrong with it is said
before anybody is asked.
"""

import ast
import base64
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from mmgames.datasets import files
from mmgames.errors import MmgamesError
from mmgames.tasks.questions import AnswerKind, Question, Source, Style, TaskSpec
from mmgames.text.refusals import Illegal

MOST_TEXT = 1_000_000
"""A longer text is not read as a value."""


class ReleasedFile:
    """A released file with numbered rows. `contents` are they without their pictures."""

    def __init__(
        self, path: Path, contents: Sequence[Any], pictures: Callable[[int], Iterable[bytes]], inside: str = ""
    ) -> None:
        self.path, self.contents, self._pictures = path, contents, pictures
        self.name = f"{path}: {inside}" if inside else str(path)
        if not contents:
            raise MmgamesError(f"{self.name} holds no questions.")

    def facts(self) -> dict[str, Any]:
        """What a result says of the file."""
        return {
            "file": self.name,
            "rows": len(self.contents),
            "sha256": files.digest(self.path, self.path.stat().st_mtime_ns),
        }

    def pictures(self, number: int) -> tuple[np.ndarray, ...]:
        """The pictures of a row, in their own size; smaller ones lie on white where several differ in size."""
        with row_errors(self.name, number):
            found = [files.decoded(content) for content in self._pictures(number)]
        height, width = (max((picture.shape[side] for picture in found), default=0) for side in (0, 1))
        return tuple(_padded(picture, height, width) for picture in found)


def _padded(picture: np.ndarray, height: int, width: int) -> np.ndarray:
    if picture.shape[:2] == (height, width):
        return picture
    sheet = np.full((height, width, 3), 255, np.uint8)
    sheet[: picture.shape[0], : picture.shape[1]] = picture
    return sheet


@contextmanager
def row_errors(path: Path | str, number: int) -> Iterator[None]:
    """Whatever is wrong with a row is said with the file and the row's number."""
    try:
        yield
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, OSError) as error:
        lacking = isinstance(error, KeyError)
        why = f"it has no {error.args[0]!r}" if lacking else str(error).rstrip(".") or type(error).__name__
        raise MmgamesError(f"{path}, row {number}: {why}.") from error


class ReleasedSource(Source):
    """Asks the rows of a released file. A task's own source may stand behind it and read the replies.

    A subclass says how its file is opened (`open_file`) and how a row is asked (`row_question`).
    """

    answers: ClassVar[tuple[AnswerKind, ...]] = ("text",)
    keys: ClassVar[tuple[str, ...]] = ("rgb", "text", "system")
    rows: int
    file: ReleasedFile

    def __init__(self, spec: TaskSpec, style: Style, released: str | os.PathLike[str]) -> None:
        super().__init__(spec, style)
        self.open(released)

    def open(self, released: str | os.PathLike[str]) -> None:
        self.file = self.open_file(Path(released))
        self.rows = len(self.file.contents)

    def open_file(self, path: Path) -> ReleasedFile:
        raise NotImplementedError

    def row_question(self, number: int, pictures: tuple[np.ndarray, ...]) -> Question:
        raise NotImplementedError

    def numbered(self, number: int) -> Question:
        if not 0 <= number < self.rows:
            raise MmgamesError(f"{self.file.name} has the rows 0 to {self.rows - 1}, and no {number}.")
        return self.row_question(number, self.file.pictures(number) if self.style.drawn else ())

    def ask(self, rng: np.random.Generator) -> Question:
        return self.numbered(int(rng.integers(self.rows)))

    def released_score(self, question: Question, reply: Any) -> float | None:
        answer = self.read_as_paper(question, reply) if isinstance(reply, str) else None
        return 0.0 if answer is None or isinstance(answer, Illegal) else self.score(question, answer)

    def row_facts(self, number: int) -> dict[str, Any]:
        return {"game": self.spec.game, "file": self.file.path.name, "number": number}


def open_parquet(
    path: Path, columns: Sequence[str], read: Callable[[dict[str, Any]], Any], pictures: str
) -> ReleasedFile:
    """A Parquet file. `read` makes the content of a row from its `columns`; `pictures` is the column, or the field of
    one as `prompt.images`, that lists its pictures, each as bytes, as a struct that has them, or in base64.

    A file is read once for all who ask its questions at a time.
    """
    try:
        stamp = path.stat()
    except OSError as error:
        raise MmgamesError(f"{path} cannot be read: {error.strerror}.") from error
    return _open_parquet(path, (stamp.st_mtime_ns, stamp.st_size), tuple(columns), read, pictures)


@lru_cache(maxsize=8)
def _open_parquet(path: Path, stamp: Any, columns: tuple[str, ...], read: Any, pictures: str) -> ReleasedFile:
    parquet = files.pyarrow().parquet
    try:
        file = parquet.ParquetFile(path)
        known = file.schema_arrow.names
        for column in (*columns, pictures):
            if column.partition(".")[0] not in known:
                raise MmgamesError(f"{path} has no column {column.partition('.')[0]!r}; its columns: {known}.")
        rows = file.read(columns=list(columns)).to_pylist()
    except (ValueError, OSError) as error:  # what pyarrow raises for a file of another kind, or half of one
        if isinstance(error, MmgamesError):
            raise
        raise MmgamesError(f"{path} cannot be read as a Parquet file: {str(error)[:200].rstrip('.')}.") from error
    contents = []
    for number, row in enumerate(rows):
        with row_errors(path, number):
            contents.append(read(row))
    return ReleasedFile(path, contents, lambda number: _parquet_pictures(path, stamp, pictures, number))


_reading = threading.Lock()


@lru_cache(maxsize=1)  # these may be large
def _picture_column(path: Path, stamp: Any, column: str) -> Any:
    return files.pyarrow().parquet.ParquetFile(path).read(columns=[column])


def _parquet_pictures(path: Path, stamp: Any, column: str, number: int) -> list[bytes]:
    with _reading:  # once for all threads
        row = _picture_column(path, stamp, column).slice(number, 1).to_pylist()[0]
    for name in column.split("."):
        row = row[name]
    held = [picture["bytes"] if isinstance(picture, dict) else picture for picture in row or ()]
    return [base64.b64decode(picture) if isinstance(picture, str) else picture for picture in held]


def literal(text: str) -> Any:
    """A Python value in a text, as the released code reads it; a ValueError if it is none."""
    try:
        if len(text) <= MOST_TEXT:
            return ast.literal_eval(text.strip())
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        pass
    raise ValueError(f"{text[:60]!r} is no value")
