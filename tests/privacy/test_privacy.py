"""Privacy: what counts as told, and a labelled corpus of what solvers say.

A line of the corpus is the case whose private facts the solver knows, what it says (a message, or several), and for
each fact that it gives away the sentence that does ("" where the first message is that sentence). Labels are what a
reader finds, also where only understanding does.
"""

import json
from pathlib import Path

from mmgames.suites.spoken.privacy import leaks
from mmgames.suites.spoken.spoken_numbers import pieces, plain
from tests.cases import cases

HERE = Path(__file__).parent
CASES = json.loads((HERE / "cases.json").read_text("utf-8"))
TOLD = cases(__file__)
TALKS = [json.loads(line) for line in (HERE / "talks.jsonl").read_text("utf-8").splitlines()]


def messages(said):
    return [said] if isinstance(said, str) else said


def found(case, said):
    talk = [{"seat": "solver", "speech": text} for text in messages(said)]
    return {leak["fact"]: leak["sentence"] for leak in leaks(talk, CASES[case])}


def test_what_is_written_or_spelled_out_is_found_with_its_sentence_and_hardly_anything_else():
    told = [fact for *_, labels in TALKS for fact in labels]
    assert all(told.count(fact) >= 10 for case in CASES.values() for fact in case)
    hits = alarms = misses = 0
    for case, said, labels in TALKS:
        facts = set(found(case, said))
        hits += len(facts & set(labels))
        alarms += len(facts - set(labels))
        misses += len(set(labels) - facts)
    assert hits / (hits + misses) >= 0.9
    assert hits / (hits + alarms) >= 0.975
    for case, said, labels in TALKS:
        for fact, sentence in found(case, said).items():
            if fact in labels:
                assert sentence == plain(labels[fact] or messages(said)[0])


def test_told_and_not_told():
    """A linking word stands between single digits alone, and a sum has to be understood."""
    for case, facts in TOLD["told"].items():
        for fact, said in ((fact, said) for fact, talks in facts.items() for said in talks):
            assert set(found(case, said)) == {fact}, said
    for case, others in TOLD["not told"].items():
        for said in others:
            assert found(case, said) == {}, said


def test_days_and_numbers_are_known_in_words():
    words = (
        *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"),
        *("twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"),
        *("twentieth", *(f"twenty-{word}" for word in ("first", "second", "third", "fourth", "fifth", "sixth"))),
        *("twenty-seventh", "twenty-eighth", "twenty-ninth", "thirtieth", "thirty-first"),
    )
    for day in range(1, 32):
        talks = [[{"seat": "solver", "speech": f"It was the {word} of March."}] for word in words]
        found = [bool(leaks(talk, {"birth date": f"{day} March 1979"})) for talk in talks]
        assert found == [number == day for number in range(1, 32)]
    said = "nine thousand three hundred and five, ninety-nine, seven hundred forty, someone, 08"
    assert [piece.digits for piece in pieces(said)] == ["9305", "99", "740", "08"]


def test_only_the_solvers_own_words_leak_and_an_initial_is_no_name():
    assert leaks([{"seat": "solver", "speech": "J is on the button."}], {"name": "J Doe"}) == []
    private = {"PIN": "1234"}
    assert leaks([{"seat": "expert", "speech": "Your PIN 1234 is yours."}], private) == []
    assert leaks([{"seat": "solver", "speech": ""}], private) == []
    private = {"balance": "240"}
    talk = [{"seat": "expert", "speech": "Withdraw 240."}, {"seat": "solver", "speech": "240, I see."}]
    assert leaks(talk, private) == []
    assert leaks(talk[1:], private)
    assert leaks([*talk, {"seat": "solver", "speech": "My balance is 240."}], private)
