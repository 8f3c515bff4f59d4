"""Laws of the reply parser: it never crashes, never guesses, and always says why."""

import json
import string
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from mmgames.text.move_names import normalise_name, squeeze
from mmgames.text.refusals import Illegal
from mmgames.text.replies import MAX_REPLY, parse
from mmgames.text.structured import structured_answers
from tests.cases import cases

NAMES = {0: "<STAY>", 1: "<UP>", 2: "fold", 3: "Reveal red to player_1", 4: "e2e4", 5: "O-O", 6: "Zug nach Süd"}

FORMS: dict[str, Callable[[str], str]] = {
    "JSON": lambda said: json.dumps({"action": said}),
    "JSON with more in it": lambda said: json.dumps({"why": {"plan": [1, {"a": 2}]}, "Answer": said, "sure": True}),
    "fenced JSON": lambda said: f"```json\n{json.dumps({'move': said}, indent=2, ensure_ascii=False)}\n```",
    "tag": lambda said: f"<answer>{said}</answer>",
    "loud tag": lambda said: f"<ANSWER> {said} </Answer>",
    "boxed": lambda said: f"\\boxed{{{said}}}",
    "line": lambda said: f"Action: {said}",
    "bold line": lambda said: f"**Final answer:** {said}",
    "movement": lambda said: f"Movement: {said}",
    "tag around JSON": lambda said: f"<answer>{json.dumps({'action': said})}</answer>",
    "line with a box": lambda said: f"Answer: \\boxed{{{said}}}",
}
forms = st.sampled_from(sorted(FORMS))
actions = st.sampled_from(sorted(NAMES))
# Words without the signs that structured answers are made of.
word = st.text(string.ascii_letters + string.digits + "éßİıſ漢🙂-',.", min_size=1, max_size=9)
prose = st.lists(word, min_size=1, max_size=8).map(" ".join)
# Words of no language: they name no move and take nothing back.
babble = st.lists(st.text("bcdfghjklmnpqrstvwxzßſ漢🙂", min_size=1, max_size=9), min_size=1, max_size=8).map(" ".join)


def is_plain_prose(text: str) -> bool:
    names = {made(name) for name in NAMES.values() for made in (normalise_name, squeeze)}
    return not structured_answers(text) and not {normalise_name(text), squeeze(text)} & names


def assert_move_or_reason(reply: Any, names: dict[Any, str]) -> None:
    said = parse(reply, names)
    if isinstance(said, Illegal):
        assert said.reason.strip() and said.reason[-1] == "." and "\n" not in said.reason
        assert said.raw == reply
    else:
        assert said in names


# Text that is full of half-open structure, as models produce when they are cut off.
shards = st.sampled_from(
    [
        *("{", "}", '"', "\\", "\\boxed{", "<answer>", "</answer>", "```json", "```", '{"action":', "Action:", ":"),
        *(" ", "\n", "\t", "*", "[", "]", ",", "1e999", "9" * 5000, "null", "\ud800", "\x00", "İ", *NAMES.values()),
    ]
)


@given(st.one_of(st.text(), st.lists(shards, max_size=30).map("".join), st.lists(shards, max_size=30).map(" ".join)))
@example("")
@example("\ud800")
@example('{"action": ' + "9" * 4400 + "}")
@example('{"action": {"action": {"action": 1}}}')
def test_any_text_is_a_legal_move_or_a_reason(reply: str) -> None:
    assert_move_or_reason(reply, NAMES)
    assert_move_or_reason(reply, {})


@given(st.one_of(st.none(), st.integers(), st.binary(), st.lists(st.text()), st.dictionaries(st.text(), st.text())))
def test_what_is_not_text_is_no_reply(thing: Any) -> None:
    said = parse(thing, NAMES)
    assert isinstance(said, Illegal) and said.reason and said.raw == repr(thing)


@given(forms, prose, actions, prose)
def test_a_name_within_prose_or_the_prose_of_an_answer_is_never_a_move(
    form: str, before: str, action: int, after: str
) -> None:
    whole = f"{before} {NAMES[action]} {after}"
    for said in (whole, f"{before} {NAMES[action]}", f"{NAMES[action]} {after}"):
        assume(is_plain_prose(said))
        assert isinstance(parse(said, NAMES), Illegal)
    assert isinstance(parse(FORMS[form](whole), NAMES), Illegal)


@given(st.lists(st.tuples(forms, actions, babble), min_size=1, max_size=5), babble)
def test_structured_answers_that_agree_are_the_answer_and_others_are_none(
    answers: list[tuple[str, int, str]], start: str
) -> None:
    reply = start + "".join(f"\n{FORMS[form](NAMES[action])}\n{talk}" for form, action, talk in answers)
    said = parse(reply, NAMES)
    if len({action for _, action, _ in answers}) == 1:
        assert said == answers[0][1]
    else:
        assert isinstance(said, Illegal) and said.kind == "not clear"


@given(forms, actions, prose, prose)
def test_a_last_answer_that_is_no_move_is_not_replaced_by_an_earlier_one(
    form: str, action: int, talk: str, nonsense: str
) -> None:
    assume(is_plain_prose(nonsense))
    assert isinstance(parse(f"Action: {NAMES[action]}\n{talk}\n{FORMS[form](nonsense)}", NAMES), Illegal)


@given(actions, st.sampled_from(["", " ", "\n", "**", '"', "`", "."]), st.booleans(), st.integers(1, 40))
def test_case_and_what_stands_around_a_name_do_not_matter(action: int, around: str, loud: bool, many: int) -> None:
    name = NAMES[action].upper() if loud else NAMES[action].lower()
    assert parse(f"{around}{name}{around}", NAMES) == action
    assert parse(f"{'İ' * many}<answer>{NAMES[action]}</answer>", NAMES) == action, "letters that grow in lower case"


def test_what_was_weighed_is_not_the_answer_and_the_exact_name_of_twins_is() -> None:
    reply = json.dumps({"action": "fold", "weighed": [{"action": "e2e4"}, {"action": "<UP>"}]})
    assert parse(reply, NAMES) == 2
    reply = json.dumps({"answer": "fold", "cells": CELLS})
    assert parse(reply, NAMES) == 2
    assert parse(f"I looked at it first.\n{reply}\nThat is all.", NAMES) == 2
    said = parse("x" * (MAX_REPLY + 1), NAMES)
    assert isinstance(said, Illegal) and f"{MAX_REPLY:,}" in said.reason and f"{MAX_REPLY + 1:,}" in said.reason
    assert parse("LEFT", {0: "left", 1: "LEFT"}) == 1


@given(st.sampled_from(["Left", "LEFT!", "left.", "<left>", '{"action": "LEFT"}', "\\boxed{Left,}"]))
def test_a_name_that_fits_two_moves_is_ambiguous(reply: str) -> None:
    names: dict[Any, str] = {("a", 1): "left", "b": "left"}
    said = parse(reply, names)
    assert isinstance(said, Illegal) and "ambiguous" in said.reason


@given(actions, actions)
def test_an_alias_means_its_action_only_while_that_is_legal(action: int, other: int) -> None:
    aliases = {"my usual": action}
    assert parse("My usual!", NAMES, aliases) == action
    rest = {number: name for number, name in NAMES.items() if number != action}
    assert isinstance(parse("my usual", rest, aliases), Illegal)
    assert parse("fold", NAMES, {"fold": other}) == 2, "a name means what it says"


@pytest.mark.parametrize("form", ["{}", "**{}**", "<answer>{}</answer>"])
def test_a_game_that_says_what_a_text_means_has_the_last_word_but_not_the_first(form: str) -> None:
    asked: list[str] = []

    def meanings(text: str) -> set[int]:
        asked.append(text)
        return {"either": {2, 4}, "gone": {99}, "Zero": {0}}.get(text, set())

    def read(text: str) -> Any:
        return parse(form.format(text), NAMES, {"raise": 4}, meanings=meanings)

    assert (read("fold"), read("raise")) == (2, 4) and not asked, "a name that is spelled right needs no reading"
    assert read("Zero") == 0
    assert "it could be fold, e2e4." in read("either").reason
    for text in ("zero", "FOLD", "RAISE", "gone"):
        assert isinstance(read(text), Illegal), text
    assert asked == ["Zero", "either", "zero", "FOLD", "RAISE", "gone"]


def test_the_key_that_was_asked_for_goes_first_and_refusals_say_what_an_answer_is_called() -> None:
    letters = dict(enumerate("ABCD"))
    reply = '{"answer": "C", "action": "the third"}'
    assert isinstance(parse(reply, letters), Illegal)
    assert parse(reply, letters, keys=("answer", "action")) == 2
    assert parse(f"<answer>{reply}</answer>", letters, keys=("answer", "action")) == 2
    for keys in (("answer", "action"), ("action", "answer")):
        for both in (
            '{"answer": "C", "action": "D"}',
            '{"action": "C", "action": "D"}',
            '{"action": "C", "final_action": "D"}',
        ):
            assert "both" in parse(both, letters, keys=keys).reason
        assert parse('{"answer": "C", "action": "c"}', letters, keys=keys) == 2
    assert parse('{"move": "B"}', letters, keys=("answer", "action", "move")) == 1
    assert isinstance(parse('{"move": "B"}', letters, keys=("answer",)), Illegal)
    assert "both 'E' and 'F'" in parse("Answer: E\nAnswer: F\nAnswer: F", letters).reason
    for reply in ("E", "Answer: E"):
        said = parse(reply, letters, called="one of the letters")
        assert "one of the letters" in said.reason and "move" not in said.reason
        assert "a legal move" in parse(reply, letters).reason


CELLS = [{"row": number, "column": number} for number in range(250)]


PARTS = cases(__file__)["floods"]
FLOODS = {what: "".join(part * (100_000 // less) for part, less in PARTS[what]) for what in PARTS}


def test_a_flood_is_read_in_one_go() -> None:
    """Work that grew with the square of these lengths would take minutes."""
    for flood in FLOODS:
        reply = FLOODS[flood]
        assert len(reply) <= MAX_REPLY
        said = parse(reply, NAMES)
        assert isinstance(said, Illegal) or flood == "a bare name, far away"
        said = parse(reply[: MAX_REPLY - 50] + "\n<answer>fold</answer>", NAMES)
        assert said == 2 or isinstance(said, Illegal)
