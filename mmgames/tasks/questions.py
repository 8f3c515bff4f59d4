"""What a task is made of: its facts (TaskSpec), a question, how questions look (Style), and who asks them (Source)."""

from __future__ import annotations

import importlib
import inspect
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from mmgames.agents.base import Agent
from mmgames.core import prompt
from mmgames.core.look_names import USUAL
from mmgames.errors import MmgamesError
from mmgames.text.refusals import Illegal
from mmgames.text.replies import Reading, parse
from mmgames.text.structured import ANSWER_KEYS

KEYS = ("rgb", "text", "legal_actions", "action_mask")
AnswerKind = Literal["discrete", "text"]


@dataclass(frozen=True)
class TaskSpec:
    """The facts about a task. Data only, so that listing tasks costs nothing."""

    name: str  # the game and what is asked: "CoinDilemma-Predict"
    kind: str
    game: str  # id of the game the questions are about
    summary: str
    source: str  # "module:Class" of what asks
    version: int = 0
    namespace: str = "mmgames"
    extras: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()  # other names under which it can be made
    released: str = ""  # "module:Class" of what asks the questions of a paper's released files (`released=FILE`)

    @property
    def id(self) -> str:
        return f"{self.namespace}/{self.name}-v{self.version}"

    def options(self, released: bool = False) -> list[str]:
        """The keywords that its questions can be asked with; `released`: those of a paper's files."""
        return list(inspect.signature(self.source_class(released)).parameters)[2:]

    def source_class(self, released: bool = False) -> type[Source]:
        module, _, attribute = ((released and self.released) or self.source).partition(":")
        return getattr(importlib.import_module(module), attribute)


@dataclass(frozen=True)
class Question:
    """What is asked, and what is right. `pictures` are the oldest first and empty when nobody wants to see them."""

    pictures: tuple[np.ndarray, ...]
    text: str
    names: Mapping[int, str]  # the possible answers, where they can be listed
    correct: frozenset[int]  # all that count as right
    answer: Any  # the one of them that the question was made from
    facts: Mapping[str, Any] = field(default_factory=dict)  # where the question comes from, for records
    aliases: Mapping[str, int] | None = None  # further ways to write the answers
    meanings: Callable[[str], Collection[int]] | None = None  # which answers any other text can mean
    system: str = ""  # how the text begins, where a chat model gets that as its system message
    seen: Any = None  # all that whoever is asked can know, as values, for those who work out the best guess


@dataclass(frozen=True)
class Style:
    """How questions are to look."""

    drawn: bool = True  # whether anybody wants the pictures
    words_alone: bool = False  # whether the text has to say what the pictures would show
    size: int = 512
    frames: int | None = None  # None: as many as the game shows
    reasoning: prompt.Reasoning = "direct"
    reading: Reading = "paragraph"  # how replies in words are read
    look: str = USUAL  # of the game that is asked about


class Source:
    """Asks questions and scores answers. A task brings a subclass; its keywords are options of the environment."""

    answers: ClassVar[tuple[AnswerKind, ...]] = ("discrete", "text")
    """How an answer can be given; the first unless a user says otherwise."""

    keys: ClassVar[tuple[str, ...]] = KEYS
    """What can be observed: not the possible answers, where these would give the right one away."""

    remembers: ClassVar[bool] = False
    """Whether the pictures before the last one can be shown too (`frames`)."""

    looks: ClassVar[bool] = False
    """Whether its questions can be asked about the game in another look (`look`)."""

    pictures_vary: bool = False
    """Whether some questions have more pictures than others."""

    answer_keys: ClassVar[tuple[str, ...]] = ANSWER_KEYS
    """The keys of an answer in JSON, the one that the question asks for first."""

    @property
    def asked_form(self) -> str:
        """How to answer, in one line, for somebody who is asked again."""
        return f'Reply with one JSON object and nothing else: {{"{self.answer_keys[0]}": "…"}}.'

    called: ClassVar[str] = "a legal move"
    """What an answer should have been, for the reason why a reply is none."""

    paper: ClassVar[str] = ""
    """The suite of the paper whose code is known to read such replies."""

    rows: int | None = None
    """How many questions there are, where they are numbered; None: they are drawn without end."""

    num_answers: int
    """How many different answers there are over all questions; needed for discrete answers."""

    def __init__(self, spec: TaskSpec, style: Style) -> None:
        self.spec = spec
        self.style = style

    def ask(self, rng: np.random.Generator) -> Question:
        """A fresh question, all its chances settled by `rng`."""
        raise NotImplementedError

    def numbered(self, number: int) -> Question:
        """The question with this number, where they are numbered."""
        raise MmgamesError(f"{self.spec.id}: its questions are drawn and have no numbers.")

    def sample(self) -> Question:
        """Any question, quickly made: the shapes of the pictures are measured on it."""
        return self.ask(np.random.default_rng(0))

    def forget(self) -> None:
        """Drop whatever was kept for later questions; called when an environment is seeded."""

    def read(self, question: Question, reply: Any) -> Any | Illegal:
        """The answer that a reply in words gives."""
        if callable(self.style.reading):
            return self.style.reading(reply, question.names)
        if self.as_paper and isinstance(reply, str):
            return self.read_as_paper(question, reply)
        options = question.facts.get("options", ())  # which are named by their letters, with or without their texts
        lettered = {f"{question.names[number]} {option}": number for number, option in enumerate(options)}
        lettered |= {f"option {question.names[number]}": number for number in range(len(options))}
        return parse(
            reply,
            question.names,
            {**lettered, **(question.aliases or {})},
            meanings=question.meanings,
            keys=self.answer_keys,
            called=self.called,
        )

    @property
    def as_paper(self) -> bool:
        """Whether it is asked and read as the paper's own code reads."""
        return self.style.reading == self.paper

    def read_as_paper(self, question: Question, reply: str) -> Any | Illegal:
        """The same as the paper's own code reads it, where that is known."""
        raise NotImplementedError

    def as_reply(self, answer: str) -> str:
        """What somebody replies who gives this answer."""
        return answer

    def score(self, question: Question, answer: Any) -> float:
        return float(answer in question.correct)

    def exact(self, question: Question, answer: Any) -> bool:
        """Whether an answer is the very one that the question was made from."""
        return bool(answer == question.answer)

    def remarks(self, question: Question, answer: Any) -> dict[str, Any]:
        """What else there is to say about an answer, for `info`."""
        return {}

    def again(self, question: Question, reply: Any, answer: Any | Illegal) -> Question | None:
        """The question that follows an answer, where somebody may try again; None ends the episode."""
        return None

    def released_score(self, question: Question, reply: Any) -> float | None:
        """What a reply to a released question earns by the rule that was released with it, from 0 to 1."""
        return None

    def truth(self, question: Question) -> dict[str, Any]:
        """What an answer is compared with, in words or, where it has parts, in JSON: it and all that count as right."""
        if not question.names:
            text = json.dumps(question.answer)
            return {"answer": text, "correct": (text,)}
        right = tuple(name for number, name in question.names.items() if number in question.correct)
        return {"answer": question.names[question.answer], "correct": right}

    def guess(self, question: Question, rng: np.random.Generator) -> str:
        """What somebody replies who sees nothing: any answer with equal probability."""
        return str(rng.choice(list(question.names.values())))

    def chance(self, question: Question) -> float | None:
        """What `guess` scores on average, exactly; None where that is not known."""
        return len(question.correct) / len(question.names) if question.names else None


def task_style(agent: Agent | None) -> dict[str, Any]:
    """How an agent wants its questions, as far as a task can give them so; who knows the answers does not look."""
    style = {} if agent is None else agent.style
    return {name: style[name] for name in ("observe", "size", "reasoning") if name in style}
