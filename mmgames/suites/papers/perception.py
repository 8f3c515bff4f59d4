"""VS-Bench's perception: the elements of a game's picture, each by itself and all of them together."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from mmgames.running.statistics import mean_and_error
from mmgames.suites.entries import Run, SuiteEntry, in_per_cent
from mmgames.suites.pages.vs_bench import PERCEIVED
from mmgames.suites.questions import EXACT_CHANCE, Asker, ask
from mmgames.tasks.predict_recipes import ROWS
from mmgames.tasks.recognise import chance_exact, elements_of


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


def entries() -> Iterator[SuiteEntry]:
    for name in PERCEIVED.values():
        id, few = f"mmgames/{name}-Recognise-v0", 50  # who knows the answers is right whatever is asked
        yield in_per_cent(id, "right elements in per cent", recognise, most=ROWS, oracle_most=few)
