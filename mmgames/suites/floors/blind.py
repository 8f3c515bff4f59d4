"""Who answers questions without looking: fitted on other questions of the same kind, it knows what is often right.

It sees the question and its options, never the board. What it learns is how often an option was right when it was
offered: with these very words, to this kind of question, and by its rank among the options where these are numbers.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mmgames import tasks
from mmgames.tasks.questions import Style

FIRST_FITTED = 1 << 40
"""Questions for fitting have numbers from here on, which no evaluation reaches."""
ENOUGH = 12  # offers of which a share of right ones is believed


class BlindQuestion(NamedTuple):
    """A question as somebody knows it who does not look, and the place of the right option."""

    template: str
    text: str
    options: tuple[str, ...]
    answer: int


def draw_questions(task: str, numbers: Iterable[int], seed: int = 0, **options: object) -> Iterator[BlindQuestion]:
    """The questions with these numbers, without worked examples."""
    spec = tasks.find(task)
    style = Style(drawn=False, words_alone=False)
    source = spec.source_class()(spec, style, **{"shots": 0, **options})  # type: ignore[arg-type]
    for number in numbers:
        question = source.ask(np.random.default_rng((seed, number)))
        text = question.text.rpartition("## Question\n")[2].partition("\nA. ")[0]
        yield BlindQuestion(question.facts["template"], text, question.facts["options"], question.answer)


class Blind:
    """Names the option that was most often right among those it has learned of."""

    def __init__(self) -> None:
        self._offered: defaultdict[Hashable, int] = defaultdict(int)
        self._right: defaultdict[Hashable, int] = defaultdict(int)

    def fit(self, questions: Iterable[BlindQuestion]) -> Blind:
        for question in questions:
            for place, keys in enumerate(_keys(question)):
                for key in keys:
                    self._offered[key] += 1
                    self._right[key] += place == question.answer
        return self

    def answer(self, question: BlindQuestion) -> int:
        shares = [self._share(keys) for keys in _keys(question)]
        return shares.index(max(shares))

    def _share(self, keys: Sequence[Hashable]) -> float:
        """The highest share of right ones that is known well enough of an option, drawn a little towards evenness."""
        known = [
            (self._right[key] + 1) / (self._offered[key] + 4) for key in keys if self._offered.get(key, 0) >= ENOUGH
        ]
        return max(known, default=0.25)


def _keys(question: BlindQuestion) -> list[list[Hashable]]:
    """For every option what is known of it: its words beside the question's or its kind, its rank, its place."""
    options = question.options
    numeric = all(option.isdigit() for option in options)
    order = sorted(range(len(options)), key=lambda at: int(options[at]) if numeric else 0)
    keys: list[list[Hashable]] = []
    for place, option in enumerate(options):
        kind = question.template, len(options)
        own: list[Hashable] = [(*kind, "words", option), (question.text, option), (*kind, "place", place)]
        if numeric:
            lowest = min(map(int, options))
            own += [(*kind, "rank", order.index(place)), (*kind, "rank above", lowest, order.index(place))]
        keys.append(own)
    return keys


class Score(NamedTuple):
    """Shares of right answers, in per cent, of so many questions."""

    questions: int
    chance: float  # mean of one over the number of options
    blind: float
    error: float


@functools.cache
def _fitted(task: str, questions: int, seed: int, **options: object) -> Blind:
    return Blind().fit(draw_questions(task, range(FIRST_FITTED, FIRST_FITTED + questions), seed, **options))


@functools.cache
def measure(task: str, questions: int, fitted: int, seed: int = 0, **options: object) -> Score:
    """How well somebody does at a task who does not look, fitted on so many other questions."""
    guesser = _fitted(task, fitted, seed, **options)
    right, chance = [], []
    for question in draw_questions(task, range(questions), seed, **options):
        right.append(guesser.answer(question) == question.answer)
        chance.append(1 / len(question.options))
    hits = 100 * np.array(right, float)
    return Score(questions, 100 * float(np.mean(chance)), float(hits.mean()), float(hits.std() / np.sqrt(questions)))
