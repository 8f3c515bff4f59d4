"""Perceive: write down the board as a matrix of codes. The score is the share of cells that are right."""

import json
import re
from functools import partial
from typing import Any, ClassVar

import numpy as np

from mmgames.core.prompt import listing, section
from mmgames.readers import lvlm_playground
from mmgames.tasks.boards import Matrix
from mmgames.tasks.positions import BoardSource, task_specs
from mmgames.tasks.questions import AnswerKind, Question
from mmgames.text.refusals import Illegal
from mmgames.text.replies import no_answer_kind, own_words

# Nothing here ever steps back, so that no reply takes long.
_NUMBER = r"[+-]?\d{1,4}+"
_ROW = re.compile(rf"\[\s*+({_NUMBER}(?:\s*+,\s*+{_NUMBER})*+)\s*+(?:,\s*+)?\]")
_CLOSED = re.compile(r"\s*+(?:,\s*+)?\]")


def matrices(reply: str) -> list[Matrix]:
    """The matrices `[[…], […]]` in a text, whatever stands around them."""
    found: list[Matrix | None] = []
    rows: list[tuple[int, ...]] = []
    start = end = -1
    for match in _ROW.finditer(reply):
        if not rows or reply[end : match.start()].strip() not in ("", ","):
            found.append(_closed(reply, rows, start, end))
            rows, start = [], match.start()
        rows.append(tuple(map(int, match.group(1).split(","))))
        end = match.end()
    found.append(_closed(reply, rows, start, end))
    return [matrix for matrix in found if matrix]


def _closed(reply: str, rows: list[tuple[int, ...]], start: int, end: int) -> Matrix | None:
    closed = _CLOSED.match(reply, end) if rows else None
    opened = _before(reply, start)
    if closed is None or opened < 0 or reply[opened] != "[":
        return None
    outer = _before(reply, opened)
    deeper = outer >= 0 and reply[outer] == "[" and _CLOSED.match(reply, closed.end())
    return None if deeper else tuple(rows)


def _before(reply: str, place: int) -> int:
    """The place of the last sign before a place that is no space; -1 if there is none."""
    place -= 1
    while place >= 0 and reply[place].isspace():
        place -= 1
    return place


def read_matrix(reply: Any, truth: Matrix, codes: Any) -> Matrix | Illegal:
    """The matrix that a reply gives, if it has the shape of `truth` and only known codes."""
    own = own_words(reply)
    if isinstance(own, Illegal):
        return own
    found = matrices(own.replace("\N{MINUS SIGN}", "-").replace("\N{FULLWIDTH COMMA}", ","))
    if not found:
        reason = "the reply holds no matrix of whole numbers such as [[0, 1], [1, 0]]."
        return Illegal(no_answer_kind(own), reason, reply)
    matrix = found[-1]
    if any(one != matrix for one in found if len(one) == len(matrix)):
        return Illegal("not clear", "the reply gives two different matrices.", reply)
    height, width = len(truth), len(truth[0])
    if len(matrix) != height or any(len(row) != width for row in matrix):
        return Illegal("not in the asked form", f"the matrix must have {height} rows of {width} numbers.", reply)
    strange = next((code for row in matrix for code in row if code not in codes), None)
    if strange is not None:
        reason = f"{strange} is no code; the codes are {min(codes)} to {max(codes)}."
        return Illegal("not possible here", reason, reply)
    return matrix


def cell_accuracy(matrix: Matrix, truth: Matrix) -> float:
    """The share of cells that are right, of two matrices of one shape."""
    return float(np.mean(np.array(matrix) == np.array(truth)))


declare = partial(task_specs, "perceive")


_HOW = {
    "direct": "Reply with the matrix as JSON, a list of rows, and nothing else.",
    "cot": "Think step by step first. Then end your reply with the matrix as JSON, a list of rows.",
}


class Perceive(BoardSource):
    """Asks for a transcript of a random position."""

    answers: ClassVar[tuple[AnswerKind, ...]] = ("text",)
    keys: ClassVar[tuple[str, ...]] = ("rgb", "text")

    def ask(self, rng: np.random.Generator) -> Question:
        position = self.board.show(rng, self.rules, self.band)
        view, words = position.view, self.board.words
        matrix = self.board.cells(view)
        text = self.asked(matrix, words.describe(view) if self.style.words_alone else "")
        pictures = (self.board.loaded.picture.draw(view, self.style.size),) if self.style.drawn else ()
        facts = {"game": self.spec.game, **position.facts}
        return Question(pictures, text, {}, frozenset(), matrix, facts)

    def asked(self, matrix: Matrix, now: str = "") -> str:
        """The question for a board of this shape; `now` tells in words what stands on it."""
        called, height, width = self.board.boards.called, len(matrix), len(matrix[0])
        task = (
            f"Write down the {called} as a matrix of {height} rows with {width} whole numbers each, the top row first, "
            "every row from left to right. The numbers mean:\n"
            + self.board.words.called(listing({str(code): what for code, what in sorted(self.board.codes.items())}))
        )
        parts = [section("Question", task), section("Answer", _HOW[self.style.reasoning])]
        return "\n\n".join([*parts, *([section("Now", now)] if now else [])])

    @property
    def asked_form(self) -> str:
        return _HOW["direct"]

    def read(self, question: Question, reply: Any) -> Matrix | Illegal:
        if self.as_paper and isinstance(reply, str):
            return self.read_as_paper(question, reply)
        return read_matrix(reply, question.answer, self.board.codes)

    def read_as_paper(self, question: Question, reply: str) -> Matrix | Illegal:
        found = lvlm_playground.read_matrix(self.spec.name.partition("-")[0], reply)
        reason = "the reply has no matrix with as many numbers of the right range as there are cells."
        return Illegal("not in the asked form", reason, reply) if found is None else found

    def score(self, question: Question, answer: Matrix) -> float:
        return cell_accuracy(answer, question.answer)

    def guess(self, question: Question, rng: np.random.Generator) -> str:
        shape = len(question.answer), len(question.answer[0])
        return json.dumps(rng.choice(list(self.board.codes), shape).tolist())

    def chance(self, question: Question) -> float:
        return 1 / len(self.board.codes)
