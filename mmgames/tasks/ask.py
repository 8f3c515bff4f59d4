"""Ask: a question about the board with up to four options; templates.py says what is asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from mmgames.core.errors import MmgamesError
from mmgames.core.prompt import section
from mmgames.tasks import TaskSpec
from mmgames.tasks.env import AnswerKind, Question, Source, Style
from mmgames.tasks.positions import Rules, board, task_specs
from mmgames.tasks.templates import GENERAL, TEMPLATES, Draft, Seen, Template, pick

LETTERS = "ABCD"
MOST_SHOTS = 3


def declare() -> Iterator[TaskSpec]:
    return task_specs("ask")


_HOW = {
    "direct": 'Reply with one JSON object and nothing else: {"answer": "…"}, giving the letter of one option.',
    "cot": (
        "Think step by step first. Then end your reply with one JSON object on a line of its own: "
        '{"answer": "…"}, giving the letter of one option.'
    ),
}


class Ask(Source):
    """Asks about random positions. `shots` worked examples of the same kind come first, each with its own board."""

    answers: ClassVar[tuple[AnswerKind, ...]] = ("text", "discrete")
    answer_keys: ClassVar[tuple[str, ...]] = ("answer", "action", "movement", "move")
    called: ClassVar[str] = "one of the letters"
    num_answers = len(LETTERS)

    def __init__(
        self, spec: TaskSpec, style: Style, rules: Rules = "paper", band: str | None = None, shots: int = 0
    ) -> None:
        super().__init__(spec, style)
        if isinstance(shots, bool) or not isinstance(shots, int) or not 0 <= shots <= MOST_SHOTS:
            raise MmgamesError(f"{spec.id}: shots={shots!r} is out of range; 0 to {MOST_SHOTS} examples are shown.")
        self.board = board(spec.game, band)
        self.board.check(spec.id, rules, band)
        self.rules, self.band, self.shots = rules, band, shots
        self.templates = TEMPLATES.get(spec.game, GENERAL)

    def ask(self, rng: np.random.Generator) -> Question:
        template = pick(rng, self.templates)
        asked = [self._one(template, rng) for _ in range(self.shots + 1)]
        style, words = self.style, self.board.words
        parts = [section("Answer", _HOW[style.reasoning])]
        if self.board.coordinates and not style.words_alone:
            parts.append(section("Coordinates", self.board.coordinates))
        if self.board.colours and style.words_alone:
            parts.append(section("Colours", self.board.colours))
        if self.shots and not style.words_alone:
            last = f"The {self.shots + 1} pictures belong to these questions in their order; answer the last one."
            parts.append(section("Pictures", last))
        for place, (view, draft, options) in enumerate(asked, 1):
            example = place <= self.shots
            now = [in_words(words, view)] if style.words_alone else []
            listed = [f"{letter}. {option}" for letter, option in zip(LETTERS, options, strict=False)]
            solved = [f'{{"answer": "{LETTERS[options.index(draft.answer)]}"}}'] if example else []
            title = f"Example {place}" if example else "Question"
            parts.append(section(title, "\n".join([*now, draft.text, *listed, *solved])))
        draw = self.board.loaded.picture.draw
        pictures = tuple(draw(view, style.size) for view, _, _ in asked) if style.drawn else ()
        _, draft, options = asked[-1]
        answer = options.index(draft.answer)
        names = dict(enumerate(LETTERS[: len(options)]))
        aliases = {f"{names[i]}{mark} {option}": i for i, option in enumerate(options) for mark in (".", ")", ":")}
        facts = {"game": self.spec.game, "template": template.__name__, "options": tuple(options)}
        return Question(pictures, "\n\n".join(parts), names, frozenset({answer}), answer, facts, aliases)

    def _one(self, template: Template, rng: np.random.Generator) -> tuple[Any, Draft, list[str]]:
        """A view, a question about it and its options in the order they are shown."""
        while True:
            view = self.board.show(rng, self.rules, self.band).view
            draft = template(Seen(self.board, view), rng)
            if draft is not None:
                return view, draft, options(draft, rng)


def in_words(words: Any, view: Any) -> str:
    """The board in words, without what is said about the game so far: that counts what a question asks to count."""
    return words.describe(view).removesuffix(words.history(view)).rstrip()


def options(draft: Draft, rng: np.random.Generator) -> list[str]:
    """The right answer and up to three wrong ones; every place is equally likely for the right one."""
    wrong = [draft.wrong[int(i)] for i in rng.permutation(len(draft.wrong))[: len(LETTERS) - 1]]
    wrong.insert(int(rng.integers(len(wrong) + 1)), draft.answer)
    return wrong
