"""Clues read against pictures: the labelled ones as labelled, each kind of claim, and any text without a crash."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmgames.games.spy import pictures
from mmgames.games.spy.listening import hear, meaning
from mmgames.games.spy.listening.sentences import sentences
from tests.spy.clue_reading import BUILDING, HELD_BACK, kept_facts, labels, read_rows, wrong_claims

# From the left: a small red metal cube, a large blue rubber ball, a small blue metal cylinder, a large green rubber
# cube; the red cube is the nearest, then the green one, the cylinder, the ball.
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
TABLE = {"kind": "bar", "title": "Fish sold at the morning market", "unit": "kilograms"}
TABLE |= {"table": {"Cod": 10, "Eel": 20, "Trout": 5, "Perch": 40}}
WEEK = {"kind": "line", "unit": "loaves", "table": {"Mon": 100, "Tue": 150, "Wed": 50, "Thu": 75, "Fri": 200}}
DRINKS = {
    "kind": "stacked",
    "unit": "cups",
    "table": {
        "Tea in 2023": 100, "Coffee in 2023": 300, "Milk in 2023": 50, "Juice in 2023": 150,
        "Tea in 2024": 200, "Coffee in 2024": 250, "Milk in 2024": 400, "Juice in 2024": 350,
    },
}  # fmt: skip
BOARD = {"game": "mmgames/TicTacToe-v0", "cells": [[1, -1, 0], [-1, 1, -1], [0, -1, -1]]}
BOARD |= {"codes": {"-1": "an empty cell", "0": "an O", "1": "an X"}}
CLAIMS = {
    "counts": (SCENE,
        "There are two cubes.|Only one sphere, and it is large.",
        "There are three cubes.|Three blue things"),
    "denials": (SCENE,
        "No cylinder is green, and nothing is yellow.|There are two cubes, neither of which is blue.",
        "There isn't a cylinder in my picture.|No cubes here."),
    "quantifiers": (SCENE,
        "Half of the objects are small.|At least two objects are blue.|All objects but one are not spheres.",
        "All cubes are metallic.|Most objects are spheres.|Exactly three objects are small."),
    "exceptions": (SCENE,
        "Apart from the ball, all of the objects are cubes or cylinders.",
        "Everything except the ball is small.|All objects apart from the ball are metal."),
    "places": (SCENE,
        "the leftmost thing is a shiny red box!|The second object from the left is a ball.|green cube on the far right",
        "The rightmost object is a sphere.|There is a green cube on the left.|The nearest object is blue."),
    "relations": (SCENE,
        "A blue ball stands to the left of the green block.|Behind the green cube there is a blue cylinder.",
        "The blue ball is in front of the cylinder.|There is a cube behind the ball."),
    "amounts": (SCENE,
        "There are as many cubes as blue objects.|There are twice as many cubes as spheres.|Cubes outnumber the balls.",
        "More balls than boxes.|There are three times as many cubes as balls."),
    "likeness": (SCENE,
        "The ball is the same color as the cylinder.|The two cubes differ in colour, size and material.",
        "No two objects have the same colour.|The cubes are the same colour."),
    "parts": (SCENE,
        "Both cubes differ: one red, one green.|One of the cubes is small and red, while the other one is large.",
        "One of the cubes is yellow.|Only the ball is blue.|The cubes are red and blue."),
    "what is taken back": (SCENE,
        "There are three cubes. No wait, two cubes.|There is a yellow ball... sorry, I meant a blue ball.",
        "There are two cubes. No wait, three cubes."),
    "values": (TABLE, "eel: 20|Cod is 10 kg.|Perch is above 30", "Eel is 30.|Every bar is above 10.|Salmon: 10"),
    "ranks": (TABLE,
        "Perch is the highest|Cod is not the lowest.|Eel comes second.|In ascending order: trout, cod, eel, perch.",
        "Eel has the smallest bar.|The first bar is perch.|The smallest value is 10."),
    "ratios and sums": (TABLE,
        "Eel is twice cod.|Cod and trout together make 15.|trout < cod|Eel is 10 more than cod.",
        "Cod beats eel by 5|Perch is three times eel.|Perch plus cod makes 60."),
    "changes": (WEEK,
        "The line falls from Tuesday to Wednesday.|It drops by 100 from Tuesday to Wednesday.",
        "The line falls all week.|The line rises from Tuesday to Wednesday."),
    "two series": (DRINKS,
        "Tea doubled between 2023 and 2024.|The tallest stack is coffee with 550.|Tea in 2024: 200",
        "Tea totals 400.|In 2023, milk is the highest.|Juice fell from 2023 to 2024."),
    "boards": (BOARD,
        "X in the top left corner|There are two Os.|The top row reads X, empty, O.|There are as many Xs as Os.",
        "C1 is empty|no X|The centre is free.|More Os than Xs."),
    "the middle of boards": (BOARD, "X holds the centre.|A2 is empty.", "An O is in the middle.|A1 is empty."),
}  # fmt: skip
NO_CLAIM = {
    "empty": ("Hello everyone, good luck!", "I am a civilian.", "My picture is a nice picture.", ""),
    "unclear": ("The arrangement has a pleasing rhythm.", "One of them casts a longer shadow."),
}


@pytest.mark.parametrize("kind", CLAIMS)
def test_claims_are_understood(kind: str) -> None:
    record, true, false = CLAIMS[kind]
    assert [clue for clue in true.split("|") if hear(clue, record) != "true"] == []
    assert [clue for clue in false.split("|") if hear(clue, record) != "false"] == []


@pytest.mark.parametrize("kind", NO_CLAIM)
@pytest.mark.parametrize("record", [SCENE, TABLE, BOARD])
def test_what_makes_no_claim_is_harmless(kind, record):
    assert [clue for clue in NO_CLAIM[kind] if hear(clue, record) != kind] == []


def test_neither_unknown_words_nor_the_form_of_a_clue_matter():
    for record in (SCENE, TABLE, BOARD):
        assert hear("Frumious bandersnatches galumphed through Wabe.", record) in ("empty", "unclear")
    for form in ("{}", "**Clue:** {}", '{{"clue": "{}"}}', "### Clue\n\n{}", "> {}", "{}!!"):
        assert hear(form.format("There are two cubes"), SCENE) == "true", form
        assert hear(form.format("There are no cubes"), SCENE) == "false", form
    assert sentences("I see two cubes. No wait, three.") == ("three cubes",)


@pytest.mark.parametrize("source", ["clevr", "chart"])
def test_facts_are_read_by_their_words_as_they_are_told(source):
    for seed in range(5):
        pair = pictures.find(source).pair(np.random.default_rng(seed))
        for scene in (pair.original, pair.changed):
            values = {fact.topic: fact.value for fact in scene.facts()}
            told = [(fact.sentence, fact.value == values.get(fact.topic)) for fact in pair.original.facts()]
            assert [words for words, true in told if hear(words, scene.record()) != str(true).lower()] == []
            assert hear(" ".join([words for words, true in told if true][:3]), scene.record()) == "true"


READ = {BUILDING: 0.94, HELD_BACK: 0.9}
"""The share of labelled clues that is read right at least; the reader was built with the first part alone."""
WRONG = {BUILDING: 0.04, HELD_BACK: 0.07}
"""The share in which it takes a claim for true that is false, or the other way round, at most."""


@pytest.mark.parametrize("part", READ)
def test_labelled_clues_are_read_as_they_are_meant(part):
    rows = read_rows(labels(part), meaning, kept_facts(part))
    assert sum(row.right for row in rows) >= READ[part] * len(rows)
    assert len(wrong_claims(rows)) <= WRONG[part] * len(rows)


WORDS = " ".join(
    clue for _, true, false in CLAIMS.values() for clue in (true, false, ", : of the 7 @1 @i9 @u row a1 corner except")
).replace("|", " ").split()  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(clue=st.text(max_size=80) | st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join))
def test_any_text_is_heard_as_something(clue):
    for record in (SCENE, TABLE, WEEK, DRINKS, BOARD, {"blank": True}):
        assert hear(clue, record) in ("true", "false", "empty", "unclear")
