"""Rule: name one legal move. Any counts; the possible ones are not shown."""

from functools import partial
from typing import ClassVar

import numpy as np

from mmgames.core import prompt
from mmgames.core.prompt import section
from mmgames.readers import lvlm_playground
from mmgames.tasks import TaskSpec
from mmgames.tasks.boards import Rules
from mmgames.tasks.positions import BoardSource, task_specs
from mmgames.tasks.questions import AnswerKind, Question, Style
from mmgames.text.refusals import Illegal
from mmgames.text.replies import parse_keywords

declare = partial(task_specs, "rule")


class Rule(BoardSource):
    """Asks for a move in a random position that has one."""

    answers: ClassVar[tuple[AnswerKind, ...]] = ("text", "discrete")
    keys: ClassVar[tuple[str, ...]] = ("rgb", "text")

    def __init__(self, spec: TaskSpec, style: Style, rules: Rules = "paper", band: str | None = None) -> None:
        super().__init__(spec, style, rules, band)
        self.num_answers = self.board.game.num_actions
        self.name = spec.name.partition("-")[0]
        words = self.board.words
        self.words = words.asking(lvlm_playground.asks(self.name)) if self.as_paper else words

    def ask(self, rng: np.random.Generator) -> Question:
        position = self.board.rule(rng, self.rules, self.band)
        view, words = position.view, self.words
        # Passing in Reversi and flags in Minesweeper are no moves on the board.
        names = {action: name for action, name in self.board.legal(view).items() if action < self.board.num_moves}
        if self.as_paper:
            names = lvlm_playground.spelled(self.name, view, names)
        parts = [
            prompt.fixed_part(words, view, self.style.reasoning, pictures=0 if self.style.words_alone else 1),
            section("Question", "Name one move that you may make now. Any legal move is right."),
            section("Now", words.describe(view) if self.style.words_alone else words.history(view)),
        ]
        pictures = (self.board.loaded.picture.draw(view, self.style.size),) if self.style.drawn else ()
        facts = {"game": self.spec.game, **position.facts}
        mines = facts.get("mines", ())  # any legal move is right; who knows names one that is no mistake either
        good = [action for action, name in names.items() if name.split()[-1] not in mines] or list(names)
        answer = good[int(rng.integers(len(good)))]
        text, keywords = "\n\n".join(parts), parse_keywords(words, view)
        return Question(pictures, text, names, frozenset(names), answer, facts, **keywords)

    def read_as_paper(self, question: Question, reply: str) -> int | Illegal:
        found: int | Illegal = lvlm_playground.read_legal(self.name, reply, question.names)
        return found

    def guess(self, question: Question, rng: np.random.Generator) -> str:
        """Any move that the rules have a number for, legal or not."""
        action = int(rng.integers(self.board.num_moves))
        return question.names.get(action, '{"action": "illegal"}')

    def chance(self, question: Question) -> float:
        return len(question.names) / self.board.num_moves
