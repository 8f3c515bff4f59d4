"""What a model that was fitted on public questions knows of sealed ones.

  python -m benchmarks.sealed                                    all tasks below
  python -m benchmarks.sealed Reversi-Ask:balanced --fitted 20000   one of them, with an option that is set

A linear model over hashed words learns from the texts of public questions, without pictures, which answer is right; it
is asked the same questions, other public ones, and ones of a key that is drawn anew. *Known* are the sealed questions
that are among the public ones word for word, position and all: what a model that remembers everything would know.
"""

import itertools
import re
import secrets
import zlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Self

import numpy as np

from mmgames import tasks
from mmgames.core.seeding import RunSeed, SealedSeed
from mmgames.suites.questions import question_seeds
from mmgames.tasks.questions import Question, Source, Style
from mmgames.text.command_line import read_arguments

TASKS = {"Reversi-Ask:balanced": 10_000, "TicTacToe-Ask:balanced": 10_000, "Spy-Compare": 5_000, "Reversi-Ask": 100_000}
ASKED, OTHERS = 10_000, 3_000
"""So many sealed questions are asked, and so many other public ones."""
BITS = 18
EPOCHS, BATCH, RATE = 3, 256, 0.1
MOST_WORDS = 96


class Asked(NamedTuple):
    """A question as the model gets it: hashed features of each answer, 0 being none; and which answers are right."""

    features: np.ndarray  # [answer, feature]
    right: np.ndarray
    whole: int  # a hash of the question with its position


def source(task: str, words_alone: bool) -> Source:
    name, _, option = task.partition(":")
    spec = tasks.find(name)
    own = {**({"shots": 0} if "shots" in spec.options() else {}), **({option: True} if option else {})}
    return spec.source_class()(spec, Style(drawn=False, words_alone=words_alone), **own)  # type: ignore[arg-type]


def hashed(text: str) -> int:
    return 1 + zlib.crc32(text.encode()) % ((1 << BITS) - 1)


def features(question: Question) -> np.ndarray:
    """For each answer: its words, its place, its rank, alone and beside every word of the question."""
    text = question.text.rpartition("## Question\n")[2].partition("\nA. ")[0].partition("\n\n")[0]
    words = re.findall(r"\w+", text)
    beside = [*words, *(" ".join(pair) for pair in itertools.pairwise(words)), text, ""]
    options = question.facts.get("options") or tuple(question.names.values())
    numbers = sorted(options, key=lambda option: (int(option) if option.isdigit() else -1, option))
    found = np.zeros((len(options), MOST_WORDS), np.int64)
    for place, option in enumerate(options):
        about = (f"says {option}", f"at {place}", f"rank {numbers.index(option)} of {len(options)}")
        keys = [hashed(f"{word}|{what}") for word in beside for what in about][:MOST_WORDS]
        found[place, : len(keys)] = keys
    return found


def drawn(task: str, seed: RunSeed, numbers: range) -> Iterator[Asked]:
    id, shown, known = tasks.find(task.partition(":")[0]).id, source(task, False), source(task, True)
    for number in numbers:
        own = question_seeds(seed, id, number)[0]
        question = shown.ask(np.random.default_rng(own))
        whole = known.ask(np.random.default_rng(own))
        right = np.array([answer in question.correct for answer in question.names])
        yield Asked(features(question), right, hash((whole.text, question.answer)))


class Linear:
    """Softmax over the answers of a question, linear in hashed features; fitted by AdaGrad."""

    def __init__(self) -> None:
        self.weights, self.squares = np.zeros(1 << BITS), np.full(1 << BITS, 1e-6)

    def shares(self, one: Asked) -> np.ndarray:
        scores = self.weights[one.features].sum(axis=1)
        grown = np.exp(scores - scores.max())
        return grown / grown.sum()

    def fit(self, questions: Sequence[Asked], rng: np.random.Generator) -> Self:
        for _ in range(EPOCHS):
            order = rng.permutation(len(questions))
            for first in range(0, len(order), BATCH):
                slope = np.zeros(1 << BITS)
                some = order[first : first + BATCH]
                for at in some:
                    one = questions[at]
                    wrong = self.shares(one) - one.right / one.right.sum()
                    np.add.at(slope, one.features, np.broadcast_to(wrong[:, None], one.features.shape))
                slope[0] = 0.0
                slope /= len(some)
                self.squares += slope**2
                self.weights -= RATE * slope / np.sqrt(self.squares)
        return self

    def score(self, questions: Sequence[Asked]) -> np.ndarray:
        return np.array([100.0 * one.right[self.shares(one).argmax()] for one in questions])


def measure(task: str, fitted: int) -> str:
    key = SealedSeed(0, secrets.token_bytes(32))
    public = list(drawn(task, 0, range(fitted)))
    other = list(drawn(task, 0, range(fitted, fitted + OTHERS)))
    sealed = list(drawn(task, key, range(ASKED)))
    model = Linear().fit(public, np.random.default_rng(0))
    remembered = {one.whole for one in public}
    chance = np.array([100.0 * one.right.mean() for one in sealed])
    own, fresh, hidden = model.score(public[:ASKED]), model.score(other), model.score(sealed)
    gain = hidden - chance
    known = 100 * np.mean([one.whole in remembered for one in sealed])
    return (
        f"| {task} | {fitted:,} | {chance.mean():.1f} | {_told(own)} | {_told(fresh)} | {_told(hidden)} | "
        f"{gain.mean():+.1f} ± {gain.std() / np.sqrt(len(gain)):.1f} | {known:.1f} |"
    )


def _told(scores: np.ndarray) -> str:
    return f"{scores.mean():.1f} ± {scores.std() / np.sqrt(len(scores)):.1f}"


if __name__ == "__main__":
    args = read_arguments(__doc__, __file__)
    print("| task | fitted on | chance | on those | on other public ones | on sealed ones | above chance | known |")
    print("|---|---|---|---|---|---|---|---|")
    for task in args.tasks or TASKS:
        print(measure(task, args.fitted or TASKS.get(task, 20_000)), flush=True)
