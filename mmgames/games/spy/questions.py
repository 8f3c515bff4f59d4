"""Questions about the pictures that Spy is played with: find the difference, count, compare, read a chart.

Every question is made so that whoever does not look gains nothing: the answer is drawn first, evenly among those that
the question leaves open, and the scene is made to fit it.
"""

import json
import re
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from mmgames.core.prompt import section
from mmgames.games.spy.pictures import chart, clevr
from mmgames.games.spy.pictures.clevr import Clevr, ClevrScene, Thing
from mmgames.tasks import TaskSpec
from mmgames.tasks.questions import AnswerKind, Question, Source, Style
from mmgames.text.refusals import Illegal
from mmgames.text.replies import no_answer_kind, own_words

GAME = "mmgames/Spy-v0"
FEWEST, MOST = 4, 6  # objects of a scene
MOST_CHANGED = 2
COUNTS = ("0", "1", "2", "3")
VERDICTS = ("more", "fewer", "as many")
LETTERS = "ABCD"

_HOW = {
    "direct": 'Reply with one JSON object and nothing else: {{"answer": {form}}}.',
    "cot": (
        'Think step by step first. Then end your reply with one JSON object on a line of its own: {{"answer": {form}}}.'
    ),
}
_WORDS: dict[str, tuple[str, ...]] = {
    "colour": tuple(clevr.COLOURS),
    "shape": clevr.SHAPES,
    "size": tuple(clevr.SIZES),
    "material": clevr.MATERIALS,
}


def called(attribute: str, word: str) -> str:
    return f"{word}s" if attribute == "shape" else f"{word} objects"


class _Scenes(Source):
    """Questions with answers from a list, about one scene."""

    answers: ClassVar[tuple[AnswerKind, ...]] = ("text", "discrete")
    answer_keys: ClassVar[tuple[str, ...]] = ("answer", "action", "movement", "move")
    called: ClassVar[str] = "one of the answers"

    def _question(
        self, scenes: Any, task: str, form: str, names: dict[int, str], answer: Any, **facts: Any
    ) -> Question:
        parts = [section("Answer", _HOW[self.style.reasoning].format(form=form)), section("Question", task)]
        if self.style.words_alone:
            for place, scene in enumerate(scenes, 1):
                # What the objects are, not how many of a kind: that may be the question.
                told = [f"- {fact.sentence}" for fact in scene.facts() if not fact.topic.startswith("the number")]
                title = "The picture" if len(scenes) == 1 else f"Picture {place}"
                parts.append(section(title, "\n".join(told)))
        pictures = tuple(scene.draw(self.style.size) for scene in scenes) if self.style.drawn else ()
        correct = frozenset({answer} if names else ())
        return Question(pictures, "\n\n".join(parts), names, correct, answer, {"game": GAME, **facts})


def scene_with(rng: np.random.Generator, attribute: str, counts: dict[str, int], least: int) -> ClevrScene:
    """A scene in which so many objects have each of these words, and no others have them."""
    words = _WORDS[attribute]
    others = [word for word in words if word not in counts]
    while True:
        count = int(rng.integers(max(FEWEST, least), MOST + 1))
        if not others:
            # Two words that exclude each other: whatever is not the one is the other.
            count = sum(counts.values())
        scene = Clevr(count, count, changes=1).scene(rng)
        wanted = [word for word, number in counts.items() for _ in range(number)]
        wanted += [others[int(rng.integers(len(others)))] for _ in range(count - len(wanted))]
        order = rng.permutation(count)
        things = tuple(
            _with(thing, attribute, wanted[int(place)]) for thing, place in zip(scene.things, order, strict=True)
        )
        made = scene._replace(things=things)
        if clevr.clear(made):
            return made


def _with(thing: Thing, attribute: str, word: Any) -> Thing:
    return thing._replace(**{attribute: word})


class Count(_Scenes):
    """Asks how many objects there are of a kind: from none to three, each as often."""

    num_answers = len(COUNTS)

    def ask(self, rng: np.random.Generator) -> Question:
        attribute = str(rng.choice(list(_WORDS)))
        word = str(rng.choice(_WORDS[attribute]))
        number = int(rng.integers(len(COUNTS)))
        scene = scene_with_count(rng, attribute, word, number)
        task = f"How many {called(attribute, word)} are there? There are at most {len(COUNTS) - 1}."
        return self._question((scene,), task, '"…"', dict(enumerate(COUNTS)), number, kind=attribute)


def scene_with_count(rng: np.random.Generator, attribute: str, word: str, number: int) -> ClevrScene:
    """A scene of any size with so many objects that have the word."""
    if len(_WORDS[attribute]) > 2:
        return scene_with(rng, attribute, {word: number}, number)
    other = next(name for name in _WORDS[attribute] if name != word)
    total = int(rng.integers(FEWEST, MOST + 1))
    return scene_with(rng, attribute, {word: number, other: total - number}, total)


class Compare(_Scenes):
    """Asks which of two kinds there is more of; each of three answers is right as often."""

    num_answers = len(VERDICTS)

    def ask(self, rng: np.random.Generator) -> Question:
        attribute = str(rng.choice([name for name, words in _WORDS.items() if len(words) > 2]))
        one, other = (str(word) for word in rng.permutation(_WORDS[attribute])[:2])
        answer = int(rng.integers(len(VERDICTS)))
        low, high = sorted(rng.permutation(4)[:2].tolist())
        counts = {0: (high, low), 1: (low, high), 2: (int(rng.integers(1, 3)),) * 2}[answer]
        scene = scene_with(rng, attribute, {one: counts[0], other: counts[1]}, sum(counts))
        task = (
            f"Compare the number of {called(attribute, one)} with the number of {called(attribute, other)}: are there "
            "more, fewer or as many?"
        )
        return self._question(
            (scene,), task, '"more" | "fewer" | "as many"', dict(enumerate(VERDICTS)), answer, kind=attribute
        )


class ReadChart(_Scenes):
    """Asks for the value of an item; the options are values of the same chart, so that none stands out."""

    num_answers = len(LETTERS)

    def __init__(self, spec: TaskSpec, style: Style, kinds: str = "bar+line+pie") -> None:
        super().__init__(spec, style)
        self.charts = chart.Chart(kinds)

    def ask(self, rng: np.random.Generator) -> Question:
        scene = self.charts.scene(rng)
        chosen = rng.permutation(len(scene.items))[: len(LETTERS)].tolist()
        answer = int(rng.integers(len(LETTERS)))
        item = scene.items[chosen[answer]]
        listed = [f"{letter}. {scene.said(scene.values[place])}" for letter, place in zip(LETTERS, chosen, strict=True)]
        what = "share" if scene.kind == "pie" else "value"
        task = "\n".join([f"What is the {what} of {item}?", *listed])
        options = tuple(scene.said(scene.values[place]) for place in chosen)
        return self._question((scene,), task, '"…"', dict(enumerate(LETTERS)), answer, kind=scene.kind, options=options)


_LIST = re.compile(r"\[\s*+((?:\d{1,3}+(?:\s*+,\s*+\d{1,3}+)*+)?)\s*+\]")


class Difference(_Scenes):
    """Shows two pictures and asks which objects differ, by their places from the left; all sets are as likely."""

    answers: ClassVar[tuple[AnswerKind, ...]] = ("text",)
    keys: ClassVar[tuple[str, ...]] = ("rgb", "text")

    def __init__(self, spec: TaskSpec, style: Style, attributes: str = "colour+shape") -> None:
        super().__init__(spec, style)
        Clevr(attributes=attributes)  # says what is wrong with them
        self.attributes = attributes

    def ask(self, rng: np.random.Generator) -> Question:
        count = int(rng.integers(FEWEST, MOST + 1))
        sets = possible_sets(count)
        chosen = sets[int(rng.integers(len(sets)))]
        source = Clevr(count, count, changes=len(chosen), attributes=self.attributes)
        while True:
            pair = source.vary(source.scene(rng), rng, [place - 1 for place in chosen])
            if pair is not None:
                break
        task = (
            "The two pictures show the same scene, but one or two objects differ. Which ones, counted from the left, "
            "beginning with 1? Give their numbers as a list."
        )
        facts = {"objects": count, "changes": [change._asdict() for change in pair.changes]}
        return self._question((pair.original, pair.changed), task, "[…]", {}, chosen, **facts)

    @property
    def asked_form(self) -> str:
        return _HOW["direct"].format(form="[…]")

    def read(self, question: Question, reply: Any) -> tuple[int, ...] | Illegal:
        own = own_words(reply)
        if isinstance(own, Illegal):
            return own
        lists = list(_LIST.finditer(own))
        if not lists:
            return Illegal(no_answer_kind(own), "the reply holds no list of numbers such as [1, 3].", reply)
        said = [tuple(sorted({int(number) for number in one[1].split(",") if number.strip()})) for one in lists]
        if any(one != said[-1] for one in said):
            return Illegal("not clear", "the reply gives two different lists.", reply)
        return said[-1]

    def score(self, question: Question, answer: Any) -> float:
        return float(answer == question.answer)

    def truth(self, question: Question) -> dict[str, Any]:
        text = json.dumps(list(question.answer))
        return {"answer": text, "correct": (text,)}

    def guess(self, question: Question, rng: np.random.Generator) -> str:
        sets = possible_sets(question.facts["objects"])
        return json.dumps({"answer": list(sets[int(rng.integers(len(sets)))])})

    def chance(self, question: Question) -> float:
        return 1 / len(possible_sets(question.facts["objects"]))


def possible_sets(count: int) -> list[tuple[int, ...]]:
    """The sets of one or two places out of so many."""
    places = range(1, count + 1)
    return [chosen for size in range(1, MOST_CHANGED + 1) for chosen in combinations(places, size)]
