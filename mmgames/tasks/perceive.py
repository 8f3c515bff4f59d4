"""Perceive: write down the board as a matrix of codes. The score is the share of cells that are right."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np

from mmgames.core.prompt import listing, section
from mmgames.tasks import TaskSpec
from mmgames.tasks.boards import Matrix, Rules
from mmgames.tasks.positions import board, task_specs
from mmgames.tasks.questions import AnswerKind, Question, Source, Style
from mmgames.text.refusals import Illegal
from mmgames.text.replies import MAX_REPLY, Reading, no_answer_kind, strip_reasoning_and_quotes
from mmgames.text.retractions import chooses, not_meant, taken_back

# Nothing here ever steps back, so that no reply takes long.
_NUMBER = r"[+-]?\d{1,4}+"
_ROW = re.compile(rf"\[\s*+({_NUMBER}(?:\s*+,\s*+{_NUMBER})*+)\s*+(?:,\s*+)?\]")
_AROUND_ROW = re.compile(r"[\[\](){};|]|array|,\s*$")
_COMMENT = re.compile(r"(?<=[\],\s])//[^\n\]]*$", re.M)
_INTEGER = re.compile(_NUMBER)
_RULE = re.compile(r"[\s|:-]*-[\s|:-]*")
_ROW_LABEL = re.compile(r"^[\s*#-]*+(?:row|line|rank)\s*+\w{1,3}+\s*+[:=.)-]?+|^\s*+[-*•]\s++(?=\[)", re.I)
_LEAD = 400  # signs before a matrix in which the words that lead to it are looked for
_AS_ASKED = re.compile(
    r"\b(?:in|as|using|with|following|according to) (?:the |this |your |a )?(?:\w+[ -]){0,2}?"
    r"(?:format|form|shape|request|codes?)\b"
    r"|\b(?:in|of|from|on) your (?:\w+ )?(?:picture|image|board|photo)\b|\bas (?:you )?(?:asked|requested)\b",
    re.I,
)
"""What a matrix in the asked form is said to be in."""
_CLOSED = re.compile(r"\s*+(?:,\s*+)?\]")


def last_matrix(reply: str) -> Matrix | None:
    """The last matrix `[[…], […]]` in a text, whatever stands around it; None if no word chooses it over another."""
    found: Matrix | None = None
    found_end = 0
    rows: list[tuple[int, ...]] = []
    start = end = -1
    for match in _ROW.finditer(reply):
        if not rows or reply[end : match.start()].strip() not in ("", ","):
            if one := _closed(reply, rows, start, end):
                found, found_end = one, end
            rows, start = [], match.start()
        rows.append(tuple(map(int, match.group(1).split(","))))
        end = match.end()
    last = _closed(reply, rows, start, end)
    if last and found and len(last) == len(found) and last != found and not chooses(reply[found_end:start]):
        return None
    return last or found


def matrix_in_lines(reply: str, height: int, width: int, codes: Mapping[int, str]) -> Matrix | None:
    """The last so many lines of a text that are rows: of numbers, or of the signs and words that codes stand for.

    Brackets, "Row 1:" and the strokes of a table may be there; the heading of a table is no row.
    """
    signs = _signs(codes)
    rows: list[tuple[int, ...]] = []
    heads = 0
    for line in reply.splitlines():
        cells = _cells(line, width)
        row = [signs.get(cell.casefold(), cell) for cell in cells]
        if len(row) == width and all(isinstance(code, int) or _INTEGER.fullmatch(code) for code in row):
            rows.append(tuple(map(int, row)))
        elif _RULE.fullmatch(line):
            heads = len(rows)
        elif rows and line.strip("[](){} `\t"):
            rows, heads = ([], 0) if len(rows) < height else (rows, heads)
    if len(rows) == height + 1 and heads == 1:
        rows = rows[1:]
    return tuple(rows) if len(rows) == height else None


def _cells(line: str, width: int) -> list[str]:
    """The cells of a line, without the label of its row."""
    bare = _ROW_LABEL.sub("", line).strip()
    if bare.startswith("|"):
        cells = [cell.strip(" *`") for cell in bare.strip("|").split("|")]
    else:
        bare = _AROUND_ROW.sub(" ", bare)
        cells = [cell.strip(" .*`") or cell.strip() for cell in (bare.split(",") if "," in bare else bare.split())]
    return cells[1:] if len(cells) == width + 1 and "|" in bare else cells


def _signs(codes: Mapping[int, str]) -> dict[str, int]:
    """What a code may be written as: the last word of what it means, and the signs of an empty cell."""
    found: dict[str, int] = {}
    for code, meaning in codes.items():
        words = meaning.casefold().split()
        for sign in (".", "_", "-", "empty") if "empty" in words else words[-1:]:
            found[sign] = -1_000 if sign in found else code  # no code, where two mean the same
    return {sign: code for sign, code in found.items() if code in codes}


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


def _leading(text: str) -> str:
    """The words of the sentence that leads to the last matrix of a text, on its line or the one above."""
    opened = -1
    for row in _ROW.finditer(text):
        if (place := _before(text, row.start())) >= 0 and text[place] == "[":
            opened = place
    before = text[max(0, opened - _LEAD) : max(0, opened)].rstrip(" \t\n`([{$\\")
    return _AS_ASKED.sub("", re.split(r"(?<=[.!?;])\s|\n", before)[-1])


def read_matrix(reply: Any, truth: Matrix, codes: Any, reading: Reading = "strict") -> Matrix | Illegal:
    """The matrix that a reply gives, if it has the shape of `truth` and only known codes."""
    if not isinstance(reply, str):
        return Illegal("not in the asked form", f"a reply must be text, not {type(reply).__name__}.", repr(reply))
    if len(reply) > MAX_REPLY:
        return Illegal("too long", f"the reply has {len(reply):,} characters; at most {MAX_REPLY:,} are read.", reply)
    text = reply.replace("\N{MINUS SIGN}", "-").replace("\N{FULLWIDTH COMMA}", ",")
    if reading == "lenient":
        text = _COMMENT.sub("", text)
    matrix = last_matrix(text)
    if matrix is None and reading == "lenient":
        spoken = strip_reasoning_and_quotes(text)
        if isinstance(spoken, str):
            left_out = spoken.count("[") == spoken.count("]") + 1
            matrix = (
                last_matrix(spoken + "]") if left_out else matrix_in_lines(spoken, len(truth), len(truth[0]), codes)
            )
    if matrix is None:
        reason = "the reply holds no matrix of whole numbers such as [[0, 1], [1, 0]]."
        return Illegal(no_answer_kind(reply), reason, reply)
    if why := taken_back(text.rpartition("]")[2]):
        return Illegal("not clear", f"it is not clear what the reply answers: {why}.", reply)
    if not_meant(_leading(text)):
        return Illegal("not clear", "the words before the matrix say that it is not the answer.", reply)
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


def declare() -> Iterator[TaskSpec]:
    return task_specs("perceive")


_HOW = {
    "direct": "Reply with the matrix as JSON, a list of rows, and nothing else.",
    "cot": "Think step by step first. Then end your reply with the matrix as JSON, a list of rows.",
}


class Perceive(Source):
    """Asks for a transcript of a random position."""

    answers: ClassVar[tuple[AnswerKind, ...]] = ("text",)
    keys: ClassVar[tuple[str, ...]] = ("rgb", "text")

    def __init__(self, spec: TaskSpec, style: Style, rules: Rules = "paper", band: str | None = None) -> None:
        super().__init__(spec, style)
        self.board = board(spec.game, band)
        self.board.check(spec.id, rules, band)
        self.rules, self.band = rules, band

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
            + listing({str(code): meaning for code, meaning in sorted(self.board.codes.items())})
        )
        parts = [section("Question", task), section("Answer", _HOW[self.style.reasoning])]
        return "\n\n".join([*parts, *([section("Now", now)] if now else [])])

    def read(self, question: Question, reply: Any) -> Matrix | Illegal:
        return read_matrix(reply, question.answer, self.board.codes, self.style.reading)

    def score(self, question: Question, answer: Matrix) -> float:
        return cell_accuracy(answer, question.answer)

    def truth(self, question: Question) -> dict[str, Any]:
        text = json.dumps(question.answer)
        return {"answer": text, "correct": (text,)}

    def guess(self, question: Question, rng: np.random.Generator) -> str:
        shape = len(question.answer), len(question.answer[0])
        return json.dumps(rng.choice(list(self.board.codes), shape).tolist())

    def chance(self, question: Question) -> float:
        return 1 / len(self.board.codes)
