"""What a player of Spy makes of questions about the same pictures: what has training on the game done for other tasks?

Its eye counts and compares, and is not trained by the game. Its vote tells what differs: each object of the second
picture is told to it by one player, while another tells the truth about its own picture.
"""

import json
import re
from collections.abc import Callable, Sequence

import numpy as np
import torch

from mmgames import tasks
from mmgames.baselines.learning.spy_eye import KINDS, PIXELS, Detections
from mmgames.baselines.learning.spy_policy import SpyPolicy, sentence, vote_choices
from mmgames.games.spy.questions import COUNTS, MOST_CHANGED, VERDICTS
from mmgames.games.spy.rules import KnownClue, Setting, SpyView
from mmgames.tasks.questions import Question, Style
from mmgames.text.refusals import Illegal

WORDS = {word: (kind, number) for kind, names in enumerate(KINDS) for number, word in enumerate(names)}


def suspicion(policy: SpyPolicy, mine: Detections, heard: Detections, slot: int) -> float:
    """How much likelier a vote against whoever tells of this object is than N/A; above zero: it differs."""
    told = (sentence(one.statements[slot], mine.objects) for one in (heard, mine))
    clues = tuple(KnownClue(seat, 1, words) for seat, words in enumerate(told, 1))
    setting = Setting(2, 1, 1, False, True, silence_loses=True, beta=0.1, lam=0.1)
    view = SpyView(0, "civilian", None, setting, (0, 1, 2), clues, "vote", None, True)
    features, mask, _ = vote_choices(view, mine)
    with torch.no_grad():
        log_probs = policy.vote(torch.from_numpy(features)[None], torch.from_numpy(mask)[None])[0]
    return float(log_probs[1] - log_probs[-1])


def difference(policy: SpyPolicy, seen: Sequence[Detections], text: str) -> list[int]:
    """The objects that the vote holds for changed, the likeliest one at least and two at most."""
    first, second = seen
    likely = {slot + 1: suspicion(policy, first, second, slot) for slot in range(min(first.objects, second.objects))}
    best = sorted(likely, key=lambda place: -likely[place])[:MOST_CHANGED]
    return sorted([best[0], *(place for place in best[1:] if likely[place] > 0)])


def other_words(policy: SpyPolicy, seen: Sequence[Detections], text: str) -> list[int]:
    """The objects for which the eye has other words, whatever the vote makes of it: what the game did not teach."""
    first, second = seen
    places = range(min(first.objects, second.objects))
    return [place + 1 for place in places if first.statements[place] != second.statements[place]]


def numbers_of(seen: Detections, text: str) -> list[int]:
    """How many objects the eye sees of each kind that a question names."""
    words = (said if said in WORDS else said[:-1] for said in re.findall(r"\w+", text))
    named = [WORDS[word] for word in words if word in WORDS]
    there = seen.statements[: seen.objects]
    return [sum(one.kinds[kind] == number for one in there) for kind, number in named]


def count(policy: SpyPolicy, seen: Sequence[Detections], text: str) -> str:
    return COUNTS[min(numbers_of(seen[0], text)[0], len(COUNTS) - 1)]


def compare(policy: SpyPolicy, seen: Sequence[Detections], text: str) -> str:
    one, other = numbers_of(seen[0], text)
    return VERDICTS[0 if one > other else 1 if one < other else 2]


Answer = Callable[[SpyPolicy, Sequence[Detections], str], object]
ANSWERS: dict[str, Answer] = {"Spy-Difference": difference, "Spy-Count": count, "Spy-Compare": compare}
"""The tasks that a player of Spy can answer. It reads no words in pictures, so not Spy-ReadChart."""


def reply(policy: SpyPolicy, answer: Answer, question: Question) -> str:
    asked = question.text.rpartition("Question\n")[2]
    seen = policy.eye.see(np.stack(question.pictures))
    return json.dumps({"answer": answer(policy, seen, asked)})


def score(policy: SpyPolicy, task: str, questions: int, seed: int, answer: Answer | None = None) -> dict[str, float]:
    """The share of questions that are answered right, and what somebody gets who does not look."""
    spec = tasks.find(task)
    source = spec.source_class()(spec, Style(size=PIXELS))
    rng = np.random.default_rng([seed, 9])
    right, chance = [], []
    for _ in range(questions):
        question = source.ask(rng)
        given = source.read(question, reply(policy, answer or ANSWERS[task], question))
        right.append(0.0 if isinstance(given, Illegal) else source.score(question, given))
        chance.append(source.chance(question) or 0.0)
    return {"score": float(np.mean(right)), "chance": float(np.mean(chance))}
