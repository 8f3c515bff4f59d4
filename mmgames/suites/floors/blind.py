"""Who answers questions without looking: fitted on other questions of the same kind, it knows what is often right.

It sees the words beside the pictures and the options, never the board. What it learns is how much a choice earned when
it could be made, and what each sentence that not every question has adds to that. A choice is a value or a move by its
name, and among the options of Ask also one by its place or its rank.
"""

import functools
import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mmgames import tasks
from mmgames.running.statistics import mean_and_error
from mmgames.tasks.questions import Question, Source, Style
from mmgames.tasks.recognise import elements_of, possible
from mmgames.text.refusals import Illegal

FIRST_FITTED = 1 << 40
"""Questions for fitting have numbers from here on, which no evaluation reaches."""
ENOUGH, PULL = 12, 10.0
"""So often must a sentence be met to be believed, and with so many it is believed by half."""
REPLIES = 40
"""Where answers are not listed, so many are tried: those that were right most often."""
ALWAYS, WORDS, SWAPPED, CHANCE = "always the same", "words alone", "pictures swapped", "chance"


class Fit(NamedTuple):
    """What a choice earns: on average, where no sentence speaks, and what each sentence adds."""

    mean: float
    without: float
    adds: Mapping[str, float]


class Part(NamedTuple):
    """One thing that a question asks for, and what each choice earns, of 100; what is not there earns nothing."""

    name: Hashable
    worth: Mapping[Hashable, float]


def draw_questions(
    task: str, numbers: Iterable[int], seed: int = 0, **options: Any
) -> Iterator[tuple[Source, Question]]:
    """The questions with these numbers, without pictures and worked examples."""
    spec = tasks.find(task)
    few = {"shots": 0} if "shots" in spec.options() else {}
    source = spec.source_class()(spec, Style(drawn=False), **few, **options)  # type: ignore[call-arg]
    for number in numbers:
        yield source, source.ask(np.random.default_rng((seed, number)))


def parts(source: Source, question: Question, replies: Sequence[str]) -> list[Part]:
    kind, options = source.spec.kind, question.facts.get("options", ())
    if kind == "recognise":
        found = elements_of(question)
        return [Part(one.names, {value: 100.0 * (value == one.value) for value in possible(one)}) for one in found]
    if kind == "perceive":
        cells = [(place, code) for place, code in np.ndenumerate(np.array(question.answer))]
        codes = source.board.codes  # type: ignore[attr-defined]
        return [Part(place, {own: 100.0 * (own == code) for own in codes}) for place, code in cells]
    if options:
        return [Part((question.facts["template"], len(options)), dict(_options(options, question.answer)))]
    if question.names:
        return [Part("", {name: 100.0 * (number in question.correct) for number, name in question.names.items()})]
    return [Part("", {reply: worth(source, question, reply) for reply in replies})]


def _options(options: Sequence[str], answer: int) -> Iterator[tuple[Hashable, float]]:
    numeric = all(option.isdigit() for option in options)
    order = sorted(range(len(options)), key=lambda at: int(options[at]) if numeric else 0)
    for place, option in enumerate(options):
        earned = 100.0 * (place == answer)
        yield from ((("words", option), earned), (("place", place), earned))
        if numeric:
            rank = order.index(place)
            yield from ((("rank", rank), earned), (("rank above", options[order[0]], rank), earned))


def worth(source: Source, question: Question, reply: str) -> float:
    """What a reply earns: of 100, or of a traced path minus its distance in pixels."""
    answer = source.read(question, reply)
    if source.spec.kind == "trace":
        from mmgames.embodied._world.paths import worst

        return -float(worst().rmse if isinstance(answer, Illegal) else source.remarks(question, answer)["rmse"])
    return 0.0 if isinstance(answer, Illegal) else 100.0 * float(source.remarks(question, answer)["accuracy"])


def sentences(question: Question) -> frozenset[str]:
    """What the words say, sentence by sentence, the options left out."""
    told = question.text.partition("\nA. ")[0]
    return frozenset({"", *re.split(r"(?<=[.:])\s+|\n", told)})


class Blind:
    """Makes the choice that should earn most: by what it earned on average and what each sentence beside it added."""

    def __init__(self, asked: Sequence[tuple[frozenset[str], Sequence[Part]]], listed: bool) -> None:
        """`listed`: the choices that there are stand beside the picture; otherwise all that earned something are."""
        self.listed = listed
        self.fits: dict[Hashable, dict[Hashable, Fit]] = {}
        rows: defaultdict[Hashable, list[tuple[frozenset[str], Mapping[Hashable, float]]]] = defaultdict(list)
        for cues, own in asked:
            for part in own:
                rows[part.name].append((cues, part.worth))
        for name, some in rows.items():
            met, earned = Counter[str](), Counter[Hashable]()
            for cues, worths in some:
                met.update(cues)
                earned.update(worths)  # type: ignore[arg-type]
            told = [cue for cue in sorted(met) if ENOUGH <= met[cue] < len(some)]
            beside = np.array([[cue in cues for cue in told] for cues, _ in some], np.float64).reshape(len(some), -1)
            choices = [choice for choice, _ in earned.most_common(None if listed else REPLIES)]
            fits = {choice: self._fit([own.get(choice) for _, own in some], told, beside) for choice in choices}
            self.fits[name] = {choice: fit for choice, fit in fits.items() if fit}

    def _fit(self, earned: Sequence[float | None], told: Sequence[str], beside: np.ndarray) -> Fit | None:
        """Least squares, in which a sentence that is met PULL times counts half."""
        there = np.array([not self.listed or one is not None for one in earned])
        if there.sum() < ENOUGH:
            return None
        values, seen = np.array([one or 0.0 for one in earned])[there], beside[there]
        usual, mean = seen.mean(0), float(values.mean())
        apart = seen - usual
        adds = np.linalg.solve(apart.T @ apart + PULL * np.eye(len(told)), apart.T @ (values - mean))
        return Fit(mean, mean - float(usual @ adds), dict(zip(told, adds.tolist(), strict=True)))

    def choose(self, cues: Iterable[str], part: Part) -> Hashable:
        """Without sentences, what earned most on average."""
        fits, told = self.fits.get(part.name, {}), tuple(cues)

        def expected(choice: Hashable) -> float:
            fit = fits.get(choice)
            if fit is None:
                return -np.inf
            return fit.without + sum(fit.adds.get(cue, 0.0) for cue in told) if told else fit.mean

        return max(part.worth if self.listed else fits, key=expected, default="")


def _of_episodes(
    task: str, number: int, first: int, seed: int, options: Mapping[str, Any]
) -> dict[int, list[tuple[Source, Question]]]:
    """All questions about so many episodes, by episode; what is not about one that others share is one of its own."""
    found: dict[int, list[tuple[Source, Question]]] = {}
    for at, (source, one) in enumerate(draw_questions(task, itertools.count(first), seed, **options)):
        episode = one.facts.get("seed", at)
        if len(found) == number and episode not in found:
            break
        found.setdefault(episode, []).append((source, one))
    return found


@functools.cache
def measure(task: str, episodes: int, fitted: int, seed: int = 0, **options: Any) -> dict[str, dict[str, Any]]:
    """What is earned at a task without looking, in each way, with its standard error; fitted on so many others.

    Episodes are counted, not questions: those about one have much the same answers.
    """
    known = [each for own in _of_episodes(task, fitted, FIRST_FITTED, seed, options).values() for each in own]
    kind = tasks.find(task).kind
    written = kind not in ("recognise", "perceive") and not known[0][1].names
    truths = Counter(_right(*one) for one in known) if written else Counter()
    replies = [reply for reply, _ in truths.most_common(REPLIES)]
    guesser = Blind([(sentences(one), parts(source, one, replies)) for source, one in known], kind != "rule")
    by_episode = _of_episodes(task, episodes, 0, seed, options)
    fresh = [each for own in by_episode.values() for each in own]
    together = [episode for episode, own in by_episode.items() for _ in own]
    asked = [(sentences(one), parts(source, one, replies)) for source, one in fresh]

    def earned(choose: Callable[[frozenset[str], Part], Hashable]) -> list[float]:
        return [float(np.mean([part.worth.get(choose(cues, part), 0.0) for part in own])) for cues, own in asked]

    ways = {ALWAYS: earned(lambda cues, part: guesser.choose((), part)), WORDS: earned(guesser.choose)}
    half = len(fresh) // 2  # the next question may be about the same episode
    if replies:
        others = [_right(*one) for one in [*fresh[half:], *fresh[:half]]]
        ways[SWAPPED] = [worth(*one, other) for one, other in zip(fresh, others, strict=True)]
    else:
        shifted = [{part.name: max(part.worth, key=part.worth.__getitem__) for part in own} for _, own in asked]
        pairs = zip(asked, [*shifted[half:], *shifted[:half]], strict=True)
        ways[SWAPPED] = [
            float(np.mean([part.worth.get(other.get(part.name), 0.0) for part in own])) for (_, own), other in pairs
        ]
    chances = [source.chance(one) for source, one in fresh]
    if None not in chances:
        ways[CHANCE] = [100.0 * chance for chance in chances if chance is not None]
    counts = {"episodes": episodes, "questions": len(fresh)}
    return {name: {**mean_and_error(np.array(own), together), **counts} for name, own in ways.items()}


def _right(source: Source, question: Question) -> str:
    return source.as_reply(str(source.truth(question)["answer"]))
