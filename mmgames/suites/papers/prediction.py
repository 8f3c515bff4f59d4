"""VS-Bench's questions: what will the other one do, and what are the elements of a picture, singly and together?"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from mmgames.running.statistics import mean_and_error
from mmgames.suites.entries import PublishedFigure, Run, SuiteEntry, in_per_cent
from mmgames.suites.pages.vs_bench import GAMES, PERCEIVED
from mmgames.suites.papers import published
from mmgames.suites.questions import EXACT_CHANCE, GUESS_OR_KNOW, Answerers, Asker, ask
from mmgames.tasks.predict import by_action, mean_f1
from mmgames.tasks.predict_recipes import ROWS
from mmgames.tasks.recognise import chance_exact, elements_of

BEST_GUESS = "best_guess"
"""Who answers questions and plays nothing: the best guess from what can be seen, knowing how the others play."""


def _best_guess(source: Any, question: Any, rng: np.random.Generator) -> str:
    from mmgames.baselines.search.best_guess import best_guess  # who asks for no guess loads no search

    return best_guess(question, rng)


class Predictions(Asker):
    """Questions about one episode follow each other, as many as its recipe takes: playing it is the costly part."""

    @staticmethod
    def answerers() -> Answerers:
        return {**GUESS_OR_KNOW, BEST_GUESS: _best_guess}

    _next = (-1, 0)  # the episode, and the place of the next question in it

    def put(self, number: int) -> tuple[int, Any]:
        if self.env.source.rows is not None:
            return super().put(number)
        episode, place = divmod(number, self.env.source.recipe.per_episode)
        own_seed = self.seeds(number if isinstance(self.seed, Sequence) else episode)[0]
        if self._next != (episode, place):
            self._next = (episode, 0)
        while True:
            first = self._next[1] == 0
            observation, _ = self.env.reset(seed=own_seed if first else None)
            self._next = (episode, self._next[1] + 1)
            if self._next[1] > place:
                return own_seed, observation

    def remarks(self, question: Any, reply: Any, info: Mapping[str, Any]) -> dict[str, Any]:
        """Whether it was the very move, what it was, and what guessing would have been worth."""
        chance = {"legal": len(question.names), "right": len(question.correct)}
        if self.env.source.rows is not None:
            return chance  # released files tell all moves that count, and not which of them was made
        said = self.env.source.read(question, reply) if "illegal" not in info and reply is not None else None
        moves = {"made": info.get("answer"), "said": question.names.get(said)}
        return {"place": self._next[1] - 1, "exact": info["exact"], **moves, **chance}


def predict(run: Run) -> np.ndarray:
    """100 for every prediction that is right, equally good moves included; the very move goes into the details."""
    rows = ask(run, Predictions)
    episodes = run.counts.clusters
    chance = mean_and_error(np.array([100.0 * row["right"] / row["legal"] for row in rows]), episodes)
    if all("exact" in row for row in rows):
        exact = np.array([100.0 * row["exact"] for row in rows])
        run.details["exact"] = mean_and_error(exact, episodes, whole=100.0)
    if rows and all(row.get("made") for row in rows):
        run.details["by_action"] = by_action([(row["made"], row["said"], bool(row["score"])) for row in rows])
        run.details["f1"] = mean_f1(run.details["by_action"])
    run.details.update(
        chance_exact=mean_and_error(np.array([100.0 / row["legal"] for row in rows]), episodes),
        chance={**chance, "source": EXACT_CHANCE},
    )
    return np.array([100.0 * row["score"] for row in rows])


def entries() -> Iterator[SuiteEntry]:
    table = published.tables("vs_bench")["Table 1"]
    for column, name in GAMES.items():
        figures = {
            "random": PublishedFigure(table.value("Random", column), None, "the chance to name the very move"),
            "oracle": PublishedFigure(table.value("Oracle", column)),
        }
        what = "right predictions in per cent"
        yield in_per_cent(f"mmgames/{name}-Predict-v0", what, predict, published=figures, most=ROWS, oracle_most=ROWS)


class Recognitions(Asker):
    def remarks(self, question: Any, reply: Any, info: Mapping[str, Any]) -> dict[str, Any]:
        """Whether all elements were right, which were not, and what guessing all of them would have been worth."""
        wrong = {"wrong": list(info["wrong"])} if info.get("wrong") else {}
        return {"exact": info["exact"], "chance_exact": chance_exact(elements_of(question)), **wrong}


def recognise(run: Run) -> np.ndarray:
    """The shares of elements that are right, 0 to 100; how often all were goes into the details."""
    rows = ask(run, Recognitions)
    shares = {name: np.array([100.0 * row[name] for row in rows]) for name in ("exact", "chance", "chance_exact")}
    run.details["all_elements"] = mean_and_error(shares["exact"], whole=100.0)
    run.details["chance"] = {**mean_and_error(shares["chance"]), "source": EXACT_CHANCE}
    run.details["chance_all"] = {**mean_and_error(shares["chance_exact"]), "source": EXACT_CHANCE}
    return np.array([100.0 * row["score"] for row in rows])


def perceived_entries() -> Iterator[SuiteEntry]:
    for name in PERCEIVED.values():
        id, few = f"mmgames/{name}-Recognise-v0", 50  # who knows the answers is right whatever is asked
        yield in_per_cent(id, "right elements in per cent", recognise, most=ROWS, oracle_most=few)
