"""Who names the elements of pictures without looking: fitted on other questions, it knows which values are frequent.

It sees the question: who is asked, which elements and which values there are. What it learns is how often a value was
right, of an element and of an element where this seat is asked, and how often a whole answer was.
"""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from mmgames import tasks
from mmgames.suites.floors.blind import ENOUGH, FIRST_FITTED
from mmgames.tasks.questions import Question, Style
from mmgames.tasks.recognise import chance_exact, elements_of, possible
from mmgames.text.facts import Fact


def draw_questions(task: str, numbers: Iterable[int], seed: int = 0) -> Iterator[Question]:
    spec = tasks.find(task)
    source = spec.source_class()(spec, Style(drawn=False))
    for number in numbers:
        yield source.ask(np.random.default_rng((seed, number)))


class BlindToElements:
    """Names the value that was most often right."""

    def __init__(self) -> None:
        self._right: defaultdict[Hashable, Counter[str]] = defaultdict(Counter)
        self._whole: defaultdict[Hashable, Counter[tuple[str, ...]]] = defaultdict(Counter)

    def fit(self, questions: Iterable[Question]) -> BlindToElements:
        for question in questions:
            for element in elements_of(question):
                for key in _keys(question, element):
                    self._right[key][element.value] += 1
            self._whole[tuple(question.answer)][tuple(question.answer.values())] += 1
        return self

    def value(self, question: Question, element: Fact) -> str:
        """The value that is most frequent by the key under which one stands out most, drawn a little to evenness."""
        values = possible(element)
        best, chosen = 0.0, values[0]
        for key in _keys(question, element):
            counted = self._right.get(key, Counter())
            total = sum(counted.values())
            if total >= ENOUGH:
                value, times = counted.most_common(1)[0]
                share = (times + 1) / (total + len(values))
                best, chosen = max((best, chosen), (share, value))
        return chosen

    def answer(self, question: Question) -> dict[str, str]:
        """All elements at once: the most frequent answer, where this very question is known well enough."""
        names = tuple(question.answer)
        known = self._whole.get(names, Counter())
        if sum(known.values()) >= ENOUGH:
            return dict(zip(names, known.most_common(1)[0][0], strict=True))
        return {element.names[0]: self.value(question, element) for element in elements_of(question)}


def _keys(question: Question, element: Fact) -> list[Hashable]:
    return [element.names, (element.names, question.facts["seat"])]


class ElementsScore(NamedTuple):
    """Shares in per cent over so many questions: of right elements, and of questions with all of them right."""

    questions: int
    chance: float
    blind: float
    error: float
    chance_all: float
    blind_all: float
    error_all: float


@functools.cache
def measure(task: str, questions: int, fitted: int, seed: int = 0) -> ElementsScore:
    """How well somebody does at a task who does not look, fitted on so many other questions."""
    guesser = BlindToElements().fit(draw_questions(task, range(FIRST_FITTED, FIRST_FITTED + fitted), seed))
    right, whole, chance, chance_all = [], [], [], []
    for question in draw_questions(task, range(questions), seed):
        elements = elements_of(question)
        right.append(np.mean([guesser.value(question, element) == element.value for element in elements]))
        whole.append(guesser.answer(question) == question.answer)
        chance.append(np.mean([1 / len(possible(element)) for element in elements]))
        chance_all.append(chance_exact(elements))
    shares = [100 * np.array(values, float) for values in (chance, right, chance_all, whole)]
    means = [float(values.mean()) for values in shares]
    errors = [float(values.std() / np.sqrt(questions)) for values in shares]
    return ElementsScore(questions, means[0], means[1], errors[1], means[2], means[3], errors[3])
