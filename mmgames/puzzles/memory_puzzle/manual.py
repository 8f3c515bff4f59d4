"""Manuals of the memory device: for each stage and digit on the display, which button to press."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mmgames.puzzles._conversation.books import standard
from mmgames.text.prose import paragraphs

STAGES = 5
BUTTONS = 4


class Press(NamedTuple):
    """Where the button that was pressed stood, from the left, and what was on it."""

    position: int
    label: int


class Rule(NamedTuple):
    """A button by its position or label (`of` is "position" or "label"): a number, or the one pressed in a stage."""

    of: str
    number: int = 0
    stage: int = 0  # if not 0, this earlier stage's press decides, not the number


Manual = tuple[tuple[Rule, ...], ...]
"""For each stage, the rules for the digits 1 to 4."""
STANDARD: Manual = standard(Manual, __package__)


def right_label(rule: Rule, labels: Sequence[int], presses: Sequence[Press]) -> int:
    """The label of the button to press, given the labels from left to right and the presses of earlier stages."""
    number = getattr(presses[rule.stage - 1], rule.of) if rule.stage else rule.number
    return labels[number - 1] if rule.of == "position" else number


def possible_rules(stage: int) -> tuple[Rule, ...]:
    """The rules that a shuffled manual may have for a stage, counted from 1."""
    return tuple(
        rule
        for of in ("position", "label")
        for rule in (
            *(Rule(of, number) for number in range(1, BUTTONS + 1)),
            *(Rule(of, stage=before) for before in range(1, stage)),
        )
    )


def shuffled(rng: np.random.Generator) -> Manual:
    """A manual with four different rules for every stage."""
    return tuple(
        tuple(rules[i] for i in rng.permutation(len(rules))[:BUTTONS])
        for rules in map(possible_rules, range(1, STAGES + 1))
    )


def line(rule: Rule) -> str:
    """A rule as the manual puts it."""
    if rule.stage:
        same = "in the same position" if rule.of == "position" else "with the same label"
        return f"press the button {same} as the one you pressed in stage {rule.stage}."
    if rule.of == "position":
        return f"press the button in position {rule.number}."
    return f"press the button labelled {rule.number}."


INTRODUCTION = paragraphs(__package__, "words")["introduction"]


@lru_cache(maxsize=64)
def lists(manual: Manual = STANDARD) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(
        (f"Stage {stage}: if the display shows", tuple(line(rule) for rule in rules))
        for stage, rules in enumerate(manual, 1)
    )


@lru_cache(maxsize=64)
def text(manual: Manual = STANDARD) -> str:
    parts = [INTRODUCTION]
    for heading, lines in lists(manual):
        parts.append(f"{heading}\n" + "\n".join(f"- {digit}, {line}" for digit, line in enumerate(lines, 1)))
    return "\n\n".join(parts)
