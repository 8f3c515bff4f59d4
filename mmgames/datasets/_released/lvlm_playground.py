"""LVLM-Playground's released questions: its archive or the folder it unpacks to.

The files hold pictures and truths; of the prompts only the multiple-choice questions. So Perceive is asked as here, and
Rule in the words below, which name cells as the pictures label them.
"""

import json
import os
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from mmgames.core.prompt import section
from mmgames.datasets._released.rows import ReleasedFile, ReleasedSource, row_errors
from mmgames.errors import MmgamesError
from mmgames.tasks import TaskSpec
from mmgames.tasks.ask import LETTERS, Ask
from mmgames.tasks.boards import Matrix
from mmgames.tasks.perceive import Perceive
from mmgames.tasks.questions import Question
from mmgames.tasks.rule import Rule

FOLDERS = {"perceive": "perceive", "ask": "qa", "rule": "rule"}
"""Kind of task -> what its folder is called."""
_CELL = "Write the cell as the picture labels it, its letter first, such as A1."
MOVES = {
    "TicTacToe": ("A move puts a mark on an empty cell.", _CELL),
    "Reversi": (
        "Black is to move: a disc on an empty cell that encloses white discs, in a straight line, between itself and "
        "another black disc.",
        _CELL,
    ),
    "Sudoku": (
        "A move writes a digit into an empty cell whose row, column and box do not hold it yet.",
        "Write the cell as the picture labels it, its letter first, then a space and the digit, such as A1 5.",
    ),
    "Minesweeper": ("A move opens a cell that is still closed.", _CELL),
    "Gomoku": ("Black is to move: a stone on an empty point.", _CELL),
    "Chess": (
        "White is to move, by the usual rules of chess.",
        "Write the move in algebraic notation, such as e4, Nf3 or O-O.",
    ),
}
"""Game -> what a legal move is, and how it is written."""
_REPLY = {
    "direct": 'Reply with one JSON object and nothing else: {"movement": "…"}.',
    "cot": 'Think step by step first. Then end your reply with one JSON object: {"movement": "…"}.',
}


class _Archive:
    """The files of the archive, or of the folder that it unpacks to, by their names in it."""

    def __init__(self, path: Path) -> None:
        try:
            self._zip = None if path.is_dir() else zipfile.ZipFile(path)
        except (OSError, zipfile.BadZipFile) as error:
            raise MmgamesError(f"{path} is neither a folder nor a whole zip file: {error}.") from error
        self.path = path

    def find(self, end: str) -> str | None:
        """The first file whose name ends so."""
        if self._zip is not None:
            return next((name for name in self._zip.namelist() if f"/{name}".endswith(f"/{end}")), None)
        return next((place for place in (f"benchmark/{end}", end) if (self.path / place).is_file()), None)

    def read(self, name: str) -> bytes:
        try:
            return (self.path / name).read_bytes() if self._zip is None else self._zip.read(name)
        except KeyError:
            raise ValueError(f"there is no {name} in it") from None
        except zipfile.BadZipFile as error:
            raise ValueError(f"{name} is damaged: {error}") from error


def archive(path: Path) -> _Archive:
    """The archive at a path; it stays open."""
    try:
        changed = path.stat().st_mtime_ns
    except OSError as error:
        raise MmgamesError(f"{path} cannot be read: {error.strerror}.") from error
    return _archive(path, changed, os.getpid())


@lru_cache(maxsize=4)
def _archive(path: Path, changed: int, process: int) -> _Archive:
    return _Archive(path)  # each process has its own, for two may not read through one handle


def annotation_file(path: Path, spec: TaskSpec) -> str | None:
    """The name of the file with the truths of a task, if the archive has it."""
    game = spec.name.partition("-")[0]
    return archive(path).find(f"{FOLDERS[spec.kind]}/{game.lower()}/annotation.json") if game in MOVES else None


class ReleasedBoard(ReleasedSource):
    """A task of the archive; the task's own source reads and scores the replies."""

    def open_file(self, path: Path) -> ReleasedFile:
        name = annotation_file(path, self.spec)
        game = self.spec.name.partition("-")[0].lower()
        if name is None:
            wanted = f"benchmark/{FOLDERS[self.spec.kind]}/{game}/annotation.json"
            raise MmgamesError(f"{path} holds no questions for {self.spec.id}: there is no {wanted} in it.")
        held = archive(path)
        file, inside = (path / name, "") if path.is_dir() else (path, name)
        told = f"{path}: {inside}" if inside else str(file)
        try:
            rows = json.loads(held.read(name))["annotations"]
            names = [f"{name.rpartition('/')[0]}/{row['file']}" for row in rows]
        except (ValueError, KeyError, TypeError) as error:
            raise MmgamesError(f"{told} cannot be read as annotations: {str(error)[:200].rstrip('.')}.") from error
        contents = []
        for number, row in enumerate(rows):
            with row_errors(told, number):
                contents.append(self.read_truth(row["gt"]))
        return ReleasedFile(file, contents, lambda number: [held.read(names[number])], inside)

    def read_truth(self, truth: Any) -> Any:
        """The truth of a row, checked; a ValueError says what is wrong with it."""
        raise NotImplementedError


class ReleasedPerceive(ReleasedBoard, Perceive):
    def read_truth(self, truth: Any) -> Matrix:
        cells = np.array(truth)
        if cells.shape != self.board.shape or not set(cells.ravel().tolist()) <= set(self.board.codes):
            raise ValueError(f"its truth is no matrix of {self.board.shape} cells with the codes of the game")
        return tuple(map(tuple, cells.tolist()))

    def row_question(self, number: int, pictures: tuple[np.ndarray, ...]) -> Question:
        matrix = self.file.contents[number]
        return Question(pictures, self.asked(matrix), {}, frozenset(), matrix, self.row_facts(number))


class ReleasedAsk(ReleasedBoard, Ask):
    def read_truth(self, truth: Any) -> tuple[str, int]:
        letter = truth["answer"].strip()[:1].upper()
        if not letter or letter not in LETTERS:
            raise ValueError(f"its answer {truth['answer']!r} is none of the letters A to D")
        examples = [section("Examples", truth["example_qa"])] if truth.get("example_qa") else []
        parts = [section("Answer", self.how), *examples]
        return "\n\n".join([*parts, section("Question", truth["question"])]), LETTERS.index(letter)

    def row_question(self, number: int, pictures: tuple[np.ndarray, ...]) -> Question:
        text, answer = self.file.contents[number]
        return Question(pictures, text, dict(enumerate(LETTERS)), frozenset({answer}), answer, self.row_facts(number))


class ReleasedRule(ReleasedBoard, Rule):
    def read_truth(self, truth: Any) -> tuple[str, ...]:
        moves = truth["valid_movements"]
        if not isinstance(moves, list) or not moves or not all(isinstance(move, str) and move for move in moves):
            raise ValueError("its valid_movements are no list of moves")
        return tuple(dict.fromkeys(moves))

    def row_question(self, number: int, pictures: tuple[np.ndarray, ...]) -> Question:
        names = dict(enumerate(self.file.contents[number]))
        legal, form = MOVES[self.spec.name.partition("-")[0]]
        task = f"Name one move that you may make now. Any legal move is right. {legal}"
        text = f"{section('Question', task)}\n\n{section('Answer', f'{_REPLY[self.style.reasoning]} {form}')}"
        checks = {bare: number for number, name in names.items() if (bare := name.rstrip("+#")) != name}
        return Question(pictures, text, names, frozenset(names), 0, self.row_facts(number), checks)

    def guess(self, question: Question, rng: np.random.Generator) -> str:
        """Any move that the rules have a number for, legal or not."""
        number = int(rng.integers(self.board.num_moves))
        return question.names.get(number, "a move that is not legal")
