"""Ask: a question about the board with up to four options; game_templates.py says what is asked in which game."""

import itertools
from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np

from mmgames.core.game_modules import asks_for_json
from mmgames.core.prompt import section
from mmgames.errors import MmgamesError
from mmgames.readers import lvlm_playground
from mmgames.tasks import TaskSpec
from mmgames.tasks.boards import Rules
from mmgames.tasks.game_templates import TEMPLATES
from mmgames.tasks.positions import BoardSource, task_specs
from mmgames.tasks.questions import AnswerKind, Question, Style
from mmgames.tasks.templates import GENERAL, AskedBoard, Draft, Template, pick
from mmgames.tasks.varied import STREAMS, shown
from mmgames.text.refusals import Illegal

LETTERS = "ABCD"
MOST_SHOTS = 3


declare = partial(task_specs, "ask")


_HOW = asks_for_json('{"answer": "…"}, giving the letter of one option.')


class Ask(BoardSource):
    """Asks about random positions. `shots` worked examples of the same kind come first, each with its own board.

    `balanced`: nothing about the question or its options tells which option is right (see `Ask._balanced`), so that who
    does not look at the board gets no more than by chance. Otherwise the paper's questions are asked, of which many can
    be answered by naming what is most frequent.
    """

    answers: ClassVar[tuple[AnswerKind, ...]] = ("text", "discrete")
    answer_keys: ClassVar[tuple[str, ...]] = ("answer", "action", "movement", "move")
    called: ClassVar[str] = "one of the letters"
    num_answers = len(LETTERS)

    def __init__(
        self,
        spec: TaskSpec,
        style: Style,
        rules: Rules = "paper",
        band: str | None = None,
        shots: int = MOST_SHOTS,
        balanced: bool = False,
    ) -> None:
        super().__init__(spec, style, rules, band)
        if not isinstance(balanced, bool):
            raise MmgamesError(f"{spec.id}: balanced={balanced!r} is not possible; it is True or False.")
        if isinstance(shots, bool) or not isinstance(shots, int) or not 0 <= shots <= MOST_SHOTS:
            raise MmgamesError(f"{spec.id}: shots={shots!r} is out of range; 0 to {MOST_SHOTS} examples are shown.")
        self.shots, self.balanced = shots, balanced
        self.templates = TEMPLATES.get(spec.game, GENERAL)

    def ask(self, rng: np.random.Generator) -> Question:
        template = pick(rng, self.templates)
        asked = [self._one(template, rng) for _ in range(self.shots + 1)]
        style, words = self.style, self.board.words
        say = words.called
        parts = [section("Answer", self.how)]
        if self.board.coordinates and not style.words_alone:
            parts.append(section("Coordinates", say(self.board.coordinates)))
        if self.board.colours and style.words_alone:
            parts.append(section("Colours", say(self.board.colours)))
        if self.shots and not style.words_alone:
            last = f"The {self.shots + 1} pictures belong to these questions in their order; answer the last one."
            parts.append(section("Pictures", last))
        for place, (view, draft, options) in enumerate(asked, 1):
            example = place <= self.shots
            now = [in_words(words, view)] if style.words_alone else []
            listed = [f"{letter}. {say(option)}" for letter, option in zip(LETTERS, options, strict=False)]
            solved = [self.as_asked(LETTERS[options.index(draft.answer)])] if example else []
            title = f"Example {place}" if example else "Question"
            parts.append(section(title, "\n".join([*now, say(draft.text), *listed, *solved])))
        draw = self.board.loaded.picture.draw
        pictures = tuple(draw(view, style.size) for view, _, _ in asked) if style.drawn else ()
        _, draft, options = asked[-1]
        answer = options.index(draft.answer)
        names = dict(enumerate(LETTERS[: len(options)]))
        facts = {"game": self.spec.game, "template": template.__name__, "options": tuple(map(say, options))}
        return Question(pictures, "\n\n".join(parts), names, frozenset({answer}), answer, facts)

    @property
    def how(self) -> str:
        """How to answer: in JSON, or in a line that the paper's code reads."""
        forms = lvlm_playground.asks_for_option() if self.as_paper else _HOW
        return forms[self.style.reasoning]

    def as_asked(self, letter: str) -> str:
        return f"Answer: {letter}" if self.as_paper else f'{{"answer": "{letter}"}}'

    def read_as_paper(self, question: Question, reply: str) -> int | Illegal:
        letter = lvlm_playground.read_option(reply)
        if letter is None:
            return Illegal("not in the asked form", "the reply has no letter where the paper's code looks.", reply)
        found = next((number for number, name in question.names.items() if name == letter), None)
        return Illegal("not possible here", f"there is no option {letter}.", reply) if found is None else found

    def _one(self, template: Template, rng: np.random.Generator) -> tuple[Any, Draft, list[str]]:
        """A view, a question about it and its options in the order they are shown."""
        while self.balanced:
            found = self._balanced(template, rng)
            if found is not None:
                return found
        while True:
            view = self.board.show(rng, self.rules, self.band).view
            draft = template(AskedBoard(self.board, view), rng)
            if draft is not None:
                return view, draft, options(draft, rng)

    def _balanced(self, template: Template, rng: np.random.Generator) -> tuple[Any, Draft, list[str]] | None:
        """As `_one`. The very same question is asked about one board after the other, until some of the answers are
        near enough to each other; then every one of these is as likely to be the right one, whose board is shown.

        Whatever the answers are and however often they come up, all of those offered are equally likely. None if the
        boards have too few answers to this question.
        """
        settled = int(rng.integers(1 << 62))
        found: dict[str, tuple[Any, Draft]] = {}
        text, best = None, []
        stream = STREAMS.get(self.spec.game, shown)(self.board, rng, self.band)
        for view in itertools.islice(stream, BOARDS_TRIED):
            draft = template(AskedBoard(self.board, view, balanced=True), np.random.default_rng(settled))
            text = text or (draft and draft.text)
            if draft is None or draft.text != text or draft.answer in found:
                continue
            found[draft.answer] = view, draft
            best = _together(found)
            if len(best) >= min(len(LETTERS), len(draft.wrong) + 1):
                break
        if len(best) < 2:
            return None
        offered = [best[int(i)] for i in rng.permutation(len(best))[: len(LETTERS)]]
        view, draft = found[offered[int(rng.integers(len(offered)))]]
        return view, draft._replace(wrong=[option for option in offered if option != draft.answer]), offered


BOARDS_TRIED = 24


def _together(found: Mapping[str, tuple[Any, Draft]]) -> list[str]:
    """The largest group of answers in which one takes all others for good wrong answers to it."""
    groups = ([answer, *(other for other in found if other in draft.wrong)] for answer, (_, draft) in found.items())
    return max(groups, key=len)


def in_words(words: Any, view: Any) -> str:
    """The board in words, without what is said about the game so far: that counts what a question asks to count."""
    return words.describe(view).removesuffix(words.history(view)).rstrip()


def options(draft: Draft, rng: np.random.Generator) -> list[str]:
    """The right answer and up to three wrong ones; every place is equally likely for the right one."""
    wrong = [draft.wrong[int(i)] for i in rng.permutation(len(draft.wrong))[: len(LETTERS) - 1]]
    wrong.insert(int(rng.integers(len(wrong) + 1)), draft.answer)
    return wrong
