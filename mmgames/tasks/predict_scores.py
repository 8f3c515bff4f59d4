"""How predictions are scored: accuracy, and precision, recall and F1 of each action."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mmgames.errors import MmgamesError


def accuracy(rows: Sequence[Mapping[str, Any]], predictions: Mapping[str, str]) -> dict[str, float]:
    """How many predictions (row id -> action) name the action that was taken, and how many one that comes to the
    same. A row without a prediction counts as wrong."""
    if not rows:
        raise MmgamesError("There are no rows to score.")
    exact = sum(predictions.get(row["id"]) == row["answer"] for row in rows)
    equal = sum(predictions.get(row["id"]) in row["correct"] for row in rows)
    return {"raw": exact / len(rows), "equivalent": equal / len(rows)}


def uniform_accuracy(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """What predicting any legal action with equal probability is expected to score."""
    if not rows:
        raise MmgamesError("There are no rows to score.")
    raw = float(np.mean([1 / len(row["legal_actions"]) for row in rows]))
    equal = float(np.mean([len(row["correct"]) / len(row["legal_actions"]) for row in rows]))
    return {"raw": raw, "equivalent": equal}


def action_kind(name: str) -> str:
    """What an action is counted as: itself where there are few, in Hanabi and Breakthrough its kind."""
    if name.startswith("("):  # (Play 0), (Reveal player +1 color R)
        words = name.strip("()").split()
        return f"{words[0]} {words[-2]}" if words[0] == "Reveal" else words[0]
    if name.startswith("<"):
        return name
    return "ahead" if name[:1] == name[2:3] else "aside"  # a2a3, a2b3


def by_action(predictions: Sequence[tuple[str, str | None, bool]]) -> dict[str, dict[str, float | int | None]]:
    """Precision, recall and F1 in per cent of every kind of action, from what was made, what was said (None: nothing)
    and whether that counts as right.

    A right prediction counts for the kind of the action that was made, also where it named an equally good one; a wrong
    one against the kind that was made and against the kind that it named, which may be the same.
    """
    made, right, wrong = Counter[str](), Counter[str](), Counter[str]()
    for action, said, good in predictions:
        made[action_kind(action)] += 1
        if good:
            right[action_kind(action)] += 1
        elif said is not None:
            wrong[action_kind(said)] += 1
    found: dict[str, dict[str, float | int | None]] = {}
    for kind in sorted({*made, *wrong}):
        claimed = right[kind] + wrong[kind]
        found[kind] = {
            "questions": made[kind],
            "precision": 100 * right[kind] / claimed if claimed else None,
            "recall": 100 * right[kind] / made[kind] if made[kind] else None,
            "f1": 200 * right[kind] / (claimed + made[kind]),
        }
    return found


def mean_f1(actions: Mapping[str, Mapping[str, Any]]) -> float:
    """The mean F1 of the kinds of actions that were made: who always says the most frequent one does badly."""
    return float(np.mean([row["f1"] for row in actions.values() if row["questions"]]))
