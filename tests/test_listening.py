"""Clues read against pictures: the labelled ones as labelled, each kind of claim, and any text without a crash."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mmgames.games.spy import pictures
from mmgames.games.spy.listening import hear, meaning
from mmgames.games.spy.listening.sentences import sentences
from tests.cases import cases
from tests.spy.clue_reading import BUILDING, HELD_BACK, read_rows, wrong_claims

CASES = cases(__file__)
RECORDS, CLAIMS, NO_CLAIM = CASES["records"], CASES["claims"], CASES["no claim"]
"""Pictures as their records tell them, and what is said of them: true, false, or no claim at all."""
SCENE, TABLE, BOARD = (RECORDS[name] for name in ("scene", "table", "board"))


@pytest.mark.parametrize("kind", CLAIMS)
def test_claims_are_understood(kind: str) -> None:
    record = RECORDS[CLAIMS[kind]["of"]]
    for truth in ("true", "false"):
        assert [clue for clue in CLAIMS[kind][truth] if hear(clue, record) != truth] == []


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
    rows = read_rows(part, meaning)
    assert sum(row.right for row in rows) >= READ[part] * len(rows)
    assert len(wrong_claims(rows)) <= WRONG[part] * len(rows)


SAID = [clue for claims in CLAIMS.values() for clue in (*claims["true"], *claims["false"])]
WORDS = " ".join([*SAID, ", : of the 7 @1 @i9 @u row a1 corner except"]).split()


@settings(max_examples=150, deadline=None)
@given(clue=st.text(max_size=80) | st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join))
@example("one 0")
def test_any_text_is_heard_as_something(clue):
    for record in (*RECORDS.values(), {"blank": True}):
        assert hear(clue, record) in ("true", "false", "empty", "unclear")
