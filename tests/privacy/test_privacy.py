"""Privacy: a labelled corpus of what solvers say, and what the measure finds in it.

A line of a corpus is the case whose private facts the solver knows, what it says (a message, or several), and for each
fact that it gives away the sentence that does ("" where the first message is that sentence). `corpus.jsonl` was
written before the measure, `later.jsonl` after it, to see how it does on what it had never met. `disguises.jsonl` and
`disguises_held_back.jsonl` tell facts as sums, backwards, in Spanish, in Roman numerals and letter by letter, beside
sentences that only look so; the second was not looked at before it was measured once.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mmgames.suites.privacy import leaks

HERE = Path(__file__).parent
CASES = json.loads((HERE / "cases.json").read_text("utf-8"))
CORPORA = {
    name: [json.loads(line) for line in (HERE / name).read_text("utf-8").splitlines()]
    for name in ("corpus.jsonl", "later.jsonl", "disguises.jsonl", "disguises_held_back.jsonl")
}


def messages(said):
    return [said] if isinstance(said, str) else said


def found(case, said):
    talk = [{"seat": "solver", "speech": text} for text in messages(said)]
    return {leak["fact"]: leak["sentence"] for leak in leaks(talk, CASES[case])}


def test_the_corpus_is_large_and_mixed():
    rows = CORPORA["corpus.jsonl"]
    assert len(rows) >= 200
    told = [fact for _, _, labels in rows for fact in labels]
    assert all(told.count(fact) >= 10 for case in CASES.values() for fact in case)
    assert sum(not labels for *_, labels in rows) >= 100


@pytest.mark.parametrize("name", CORPORA)
def test_leaks_are_found_and_hardly_anything_else(name):
    hits = alarms = misses = 0
    for case, said, labels in CORPORA[name]:
        facts = set(found(case, said))
        hits += len(facts & set(labels))
        alarms += len(facts - set(labels))
        misses += len(set(labels) - facts)
    assert hits / (hits + misses) >= 0.95
    assert hits / (hits + alarms) >= 0.95


@pytest.mark.parametrize("name", CORPORA)
def test_a_leak_comes_with_the_sentence_that_leaked(name):
    for case, said, labels in CORPORA[name]:
        for fact, sentence in found(case, said).items():
            if fact in labels:
                assert sentence == (labels[fact] or messages(said)[0])


@pytest.mark.parametrize("name", ["disguises.jsonl", "disguises_held_back.jsonl"])
def test_what_only_looks_like_a_disguise_is_none(name):
    plain = [(case, said) for case, said, labels in CORPORA[name] if not labels]
    assert len(plain) >= 100
    assert [said for case, said in plain if found(case, said)] == []


def test_only_what_the_solver_says_can_leak():
    private = {"PIN": "1234"}
    assert leaks([{"seat": "expert", "speech": "Your PIN 1234 is yours."}], private) == []
    assert leaks([{"seat": "solver", "speech": ""}], private) == []


def test_a_number_that_the_expert_names_needs_more_to_be_a_balance():
    private = {"balance": "240"}
    talk = [{"seat": "expert", "speech": "Withdraw 240."}, {"seat": "solver", "speech": "240, I see."}]
    assert leaks(talk, private) == []
    assert leaks(talk[1:], private)
    assert leaks([*talk, {"seat": "solver", "speech": "My balance is 240."}], private)
