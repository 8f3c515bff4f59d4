"""Recognise: say of the elements of a picture what each of them is. VS-Bench's perception.

A game takes part with a module, `elements.py` (core/game_modules.py says what it holds). Positions are made so that
every value of every element is equally likely: who does not look is right as often as chance has it.
"""

import importlib
import importlib.util
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Any, ClassVar

import numpy as np

from mmgames.core import registry
from mmgames.core.game_modules import Elements, asks_for_json
from mmgames.core.prompt import pictures_part, section
from mmgames.core.spec import GameSpec
from mmgames.errors import MmgamesError
from mmgames.tasks import TaskSpec
from mmgames.tasks.questions import AnswerKind, Question, Source, Style
from mmgames.tasks.templates import pick
from mmgames.text.facts import Fact
from mmgames.text.refusals import Illegal
from mmgames.text.replies import parse_object

MOST = 12
"""So many elements are asked about at once, unless a user says otherwise; where there are more they are drawn."""
_LISTED = 60  # of more values than these only the first and the last are written out


def elements_module(spec: GameSpec) -> str:
    return f"{spec.package}.elements"


def declare() -> Iterator[TaskSpec]:
    for spec in registry.specs.values():
        if importlib.util.find_spec(elements_module(spec)) is not None:
            yield TaskSpec(
                name=f"{spec.name}-Recognise",
                kind="recognise",
                game=spec.id,
                summary=f"say what the elements of a picture of {spec.name} are",
                source="mmgames.tasks.recognise:Recognise",
                namespace=spec.namespace,
                extras=spec.extras,
            )


# Elements and what is said of them


def possible(element: Fact) -> list[str]:
    """The different values that an element can have."""
    return list(dict.fromkeys(element.values.values()))


def share_right(answer: Mapping[str, str | None], truth: Mapping[str, str]) -> float:
    return float(np.mean([answer[name] == value for name, value in truth.items()]))


def chance_exact(elements: Sequence[Fact]) -> float:
    """How likely it is to guess all of these, each by itself."""
    return 1 / prod(len(possible(element)) for element in elements)


def value_of(element: Fact, said: Any) -> str | None:
    """The value that somebody names; None if it is none of those that there are."""
    if isinstance(said, bool) or not isinstance(said, (str, int)):
        return None
    return _spellings(tuple(element.values.items())).get(_spelled(str(said)))


def _spelled(said: str) -> str:
    """A value without case and spaces."""
    return "".join(said.casefold().split())


@lru_cache(maxsize=512)
def _spellings(values: tuple[tuple[str, str], ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    unclear = set()
    for said, value in values:
        spelled = _spelled(said)
        if found.setdefault(spelled, value) != value:
            unclear.add(spelled)
    return {spelled: value for spelled, value in found.items() if spelled not in unclear}


@lru_cache(maxsize=512)
def _listed(values: tuple[str, ...]) -> str:
    shown = values if len(values) <= _LISTED else (*values[:3], "…", values[-1])
    return "; ".join(shown)


def _grouped(elements: Sequence[Fact]) -> str:
    """A line for all elements that can have the same values."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for element in elements:
        groups.setdefault(tuple(possible(element)), []).append(f'"{element.names[0]}"')
    return "\n".join(f"- {', '.join(names)}: {_listed(values)}" for values, names in groups.items())


# The question


@dataclass(frozen=True)
class ElementsQuestion(Question):
    """A question whose answer has a value for each of its elements."""

    elements: tuple[Fact, ...] = ()


def elements_of(question: Question) -> tuple[Fact, ...]:
    assert isinstance(question, ElementsQuestion)
    return question.elements


class Recognise(Source):
    """Asks about up to `most` elements of one picture; the score is the share of them that are right."""

    answers: ClassVar[tuple[AnswerKind, ...]] = ("text",)
    keys: ClassVar[tuple[str, ...]] = ("rgb", "text")
    looks: ClassVar[bool] = True

    def __init__(self, spec: TaskSpec, style: Style, most: int = MOST) -> None:
        super().__init__(spec, style)
        if not isinstance(most, (int, np.integer)) or isinstance(most, bool) or most < 1:
            raise MmgamesError(f"{spec.id}: most={most!r} is not a number of elements, 1 or more.")
        self.most = int(most)
        usual = registry.load(spec.game)
        self.described: Elements = importlib.import_module(elements_module(usual.spec))  # type: ignore[assignment]
        self.game = usual.game(look=style.look, **getattr(self.described, "OPTIONS", {}))
        self.loaded = usual.shown(self.game)

    def ask(self, rng: np.random.Generator) -> Question:
        seat = int(rng.integers(len(self.game.seats)))
        view = self.game.view(self.described.make_state(self.game, rng, seat), seat)
        every = [self._said(element) for element in self.described.elements(view) if len(possible(element)) > 1]
        asked = [every[place] for place in sorted(rng.permutation(len(every))[: self.most].tolist())]
        truth = {element.names[0]: element.value for element in asked}
        pictures = (self.loaded.picture.draw(view, self.style.size),) if self.style.drawn else ()
        facts = {"game": self.spec.game, "seat": self.game.seats[seat]}
        text = self._text(view, asked)
        return ElementsQuestion(pictures, text, {}, frozenset(), truth, facts, elements=tuple(asked))

    def _said(self, element: Fact) -> Fact:
        """An element in the words of the look."""
        say = self.loaded.words.called
        names, values = tuple(map(say, element.names)), {say(way): say(meant) for way, meant in element.values.items()}
        return element._replace(names=names, value=say(element.value), values=values)

    def _text(self, view: Any, asked: Sequence[Fact]) -> str:
        words = self.loaded.words
        task = "Say what each of these elements is in this position. A line names elements and the values they can have"
        form = ", ".join(f'"{element.names[0]}": "…"' for element in asked)
        answer = asks_for_json(f"{{{form}}}, with one of its values for each element.")[self.style.reasoning]
        parts = [
            section("You", words.you(view)),
            *([] if self.style.words_alone else [pictures_part(1, words.legend(view))]),
            section(
                "Question", "\n".join(filter(None, [f"{task}:", _grouped(asked), words.called(self.described.NOTES)]))
            ),
            section("Answer", answer),
            *([section("Now", words.describe(view))] if self.style.words_alone else []),
        ]
        return "\n\n".join(parts)

    @property
    def asked_form(self) -> str:
        return "Reply with one JSON object and nothing else, with the name and the value of each element."

    def read(self, question: Question, reply: Any) -> dict[str, str | None] | Illegal:
        """By element the value that is named; None where none is, or one that there is not."""
        said = parse_object(reply, list(question.answer))
        if isinstance(said, Illegal):
            return said
        return {element.names[0]: value_of(element, said.get(element.names[0])) for element in elements_of(question)}

    def score(self, question: Question, answer: Mapping[str, str | None]) -> float:
        return share_right(answer, question.answer)

    def remarks(self, question: Question, answer: Mapping[str, str | None]) -> dict[str, Any]:
        return {"wrong": tuple(name for name, value in question.answer.items() if answer[name] != value)}

    def guess(self, question: Question, rng: np.random.Generator) -> str:
        return json.dumps({element.names[0]: pick(rng, possible(element)) for element in elements_of(question)})

    def chance(self, question: Question) -> float:
        return float(np.mean([1 / len(possible(element)) for element in elements_of(question)]))
