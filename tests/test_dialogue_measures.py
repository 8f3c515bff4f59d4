"""Measures of a talk: what counts as a leak, as an error, as a word."""

from __future__ import annotations

import pytest

from mmgames.suites.dialogue import efficiency, error_tags, leaks, tells, tokens


def said(seat, speech="", *results):
    done = [{"action": name, "mistake": mistake} for name, mistake in results]
    return {"seat": seat, "speech": speech, "actions": [name for name, _ in results], "results": done}


@pytest.mark.parametrize(
    "speech",
    [
        "My PIN is 4071.",
        "it is 4 0 7 1",
        "4-0-7-1, got it?",
        "four zero seven one",
        "Four oh seven one!",
        "40 71",
        "four thousand seventy-one",
        "four thousand and seventy one",
        "4,071",
    ],
)
def test_a_number_is_told_in_many_ways(speech):
    assert tells(speech, "4071")


@pytest.mark.parametrize("speech", ["", "14071", "40710", "four zero seven", "the PIN is secret", "1704", "4 0 7 1 2"])
def test_other_numbers_tell_nothing(speech):
    assert not tells(speech, "4071")


def test_names_and_addresses_are_told_word_by_word():
    assert tells("I am anna KOWALSKI and it itches.", "Anna Kowalski")
    assert not tells("Anna says it itches.", "Anna Kowalski")


def test_a_leak_comes_with_its_sentence_and_amounts_of_the_task_are_none():
    talk = [
        said("solver", "Hello. My balance is 740. What now?", ("press_1", False)),
        said("expert", "Withdraw 300. Your PIN 1234 is yours."),
        said("solver", "I take 300."),
    ]
    private = {"PIN": "1234", "balance": "740", "amount": "300"}
    assert leaks(talk, private) == [{"fact": "balance", "sentence": "My balance is 740."}]


def test_keying_a_secret_is_not_saying_it():
    assert leaks([said("solver", "", ("press_1", False), ("press_2", False))], {"PIN": "12"}) == []


NAMES = ("cut_wire_1", "cut_wire_2", "cut_wire_3")


def tagged(*messages):
    return {tag for tag, count in error_tags(messages, NAMES).items() if count}


def test_errors_are_tagged():
    assert tagged(said("solver", "", ("cut_wire_1", True)), said("expert")) == {"acted without asking"}
    again = (said("solver", "Hi", ("cut_wire_1", True)), said("expert"), said("solver", "", ("cut_wire_1", True)))
    assert tagged(*again) == {"repeated mistake"}
    advice = (said("solver", "Which?"), said("expert", "Please do cut_wire_2 now."))
    assert tagged(*advice, said("solver", "", ("cut_wire_3", True))) == {"ignored the expert"}
    assert tagged(*advice, said("solver", "", ("cut_wire_2", False))) == set()
    both = (said("solver", "Which?"), said("expert", "Either cut_wire_1 or cut_wire_2."))
    assert tagged(*both, said("solver", "", ("cut_wire_3", True))) == set()
    assert tagged(said("solver", "Which?"), said("expert", "I know this.\nCUT_WIRE_2.")) == {"expert acted"}


def test_words_and_efficiency_are_counted():
    talk = [said("solver", "Two words, really?", ("cut_wire_1", False)), said("expert", "Yes.")]
    assert tokens(talk) == 5 + 1 + 2
    assert efficiency(0.0, 100) == 0
    assert efficiency(1.0, 0) == 1
    assert efficiency(0.5, 1000) == pytest.approx(0.5)
