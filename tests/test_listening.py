"""Clues read against pictures: the labelled ones as they are labelled, and any text without a crash."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmgames.games.spy.listening import hear, meaning
from tests.spy.clue_reading import BUILDING, kept_facts, labels, read_rows

SCENE = {
    "objects": [
        {
            **dict(zip(("size", "colour", "material", "shape"), words.split(), strict=True)),
            "x": x, "y": y, "picture_x": x / 10, "picture_y": 1 - y / 10,
        }
        for words, x, y in (
            ("small red metal cube", 1, 2),
            ("large blue rubber sphere", 4, 8),
            ("small blue metal cylinder", 6, 5),
            ("large green rubber cube", 9, 3),
        )
    ],
    "camera": [5, -9, 5],
}  # fmt: skip
TABLE = {"kind": "bar", "title": "Fish", "unit": "kg", "table": {"Cod": 10, "Eel": 20, "Trout": 5, "Perch": 40}}
SAID = {
    "true": (
        "There are two cubes.",
        "the leftmost thing is a shiny red box!",
        "No cylinder is green, and nothing is yellow.",
        "Both cubes differ: one red, one green.",
        "A blue ball stands to the left of the green block.",
        "There are as many cubes as blue objects.",
        "Half of the objects are small.",
        "Only one sphere, and it is large.",
    ),
    "false": (
        "There are three cubes.",
        "All cubes are metallic.",
        "I see a purple thing",
        "The rightmost object is a sphere.",
        "There isn't a cylinder in my picture.",
        "More balls than boxes.",
    ),
    "empty": ("Hello everyone, good luck!", "I am a civilian.", "My picture is a nice picture.", ""),
    "unclear": ("The arrangement has a pleasing rhythm.", "One of them casts a longer shadow."),
}
ABOUT_FISH = {
    "true": (
        "Perch is the highest",
        "eel: 20",
        "Eel is twice cod.",
        "trout < cod",
        "Cod and trout together make 15.",
        "Cod is not the lowest.",
    ),
    "false": (
        "Eel comes first.",
        "The smallest value is 10.",
        "Cod beats eel by 5",
        "there are five bars",
        "Salmon leads.",
    ),
}


@pytest.mark.parametrize("kind", SAID)
def test_statements_about_things_are_heard_for_what_they_are(kind):
    assert [clue for clue in SAID[kind] if hear(clue, SCENE) != kind] == []


@pytest.mark.parametrize("kind", ABOUT_FISH)
def test_statements_about_charts_are_heard_for_what_they_are(kind):
    assert [clue for clue in ABOUT_FISH[kind] if hear(clue, TABLE) != kind] == []


def test_the_form_of_a_clue_does_not_matter():
    for form in ("{}", "**Clue:** {}", '{{"clue": "{}"}}', "### Clue\n\n{}", "> {}", "{}!!"):
        assert hear(form.format("There are two cubes"), SCENE) == "true", form
        assert hear(form.format("There are no cubes"), SCENE) == "false", form


FLOORS = {
    "clues_building": 0.97,
    "clues_opened": 0.97,
    "clues_batch_1": 0.97,
    "clues_batch_2": 0.97,
    "clues_opened_second": 0.97,
    "clues_opened_third": 0.98,
    "clues_opened_fourth": 0.98,
    "clues_opened_fifth": 0.99,
    "clues_withheld": 495 / 511,
}
"""The share of labelled clues that is read right at least; the reader was built with all but those withheld."""
TAKEN_FOR_THE_OTHER = {"clues_withheld": 2}
"""How many clues that are true of one picture alone are taken for the other's, of those it was not built with."""


@pytest.mark.parametrize("part", FLOORS)
def test_labelled_clues_are_read_as_they_are_meant(part):
    path = BUILDING.with_name(f"{part}.jsonl")
    rows = read_rows(labels(path), meaning, kept_facts(path))
    assert sum(row.right for row in rows) >= FLOORS[part] * len(rows)
    taken = [row for row in rows if {row.label["means"], row.read} == {"A", "B"}]
    assert len(taken) <= TAKEN_FOR_THE_OTHER.get(part, 0)


WORDS = " ".join((*SAID["true"], *ABOUT_FISH["true"], ", : of the 7 @1 row a1 corner")).split()
BOARD = {
    "game": "mmgames/TicTacToe-v0",
    "cells": [[1, -1, 0], [-1, 1, -1], [0, -1, -1]],
    "codes": {"-1": "an empty cell", "0": "an O", "1": "an X"},
}


@settings(max_examples=60, deadline=None)
@given(clue=st.text(max_size=80) | st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join))
def test_any_text_is_heard_as_something(clue):
    for record in (SCENE, TABLE, BOARD, {"blank": True}):
        assert hear(clue, record) in ("true", "false", "empty", "unclear")


def test_boards_are_read_by_cells_and_counts():
    said = {"X in the top left corner": "true", "C1 is empty": "false", "There are two Os.": "true", "no X": "false"}
    assert {clue: hear(clue, BOARD) for clue in said} == said
