"""Measures of a talk: what counts as a leak, as an error, as a word."""

import pytest

from mmgames.suites.spoken.dialogue import USAGE, WORDS, efficiency, error_tags, tokens, tokens_written


def said(seat, speech="", *results):
    done = [{"action": name, "mistake": bool(what), "repeated": what == "again"} for name, what in results]
    return {"seat": seat, "speech": speech, "actions": [name for name, _ in results], "results": done}


NAMES = ("cut_wire_1", "cut_wire_2", "cut_wire_3")


def tagged(*messages):
    return {tag for tag, count in error_tags(messages, NAMES).items() if count}


def test_errors_are_tagged():
    assert tagged(said("solver", "", ("cut_wire_1", True)), said("expert")) == {"acted without asking"}
    again = (said("solver", "Hi", ("cut_wire_1", True)), said("expert"), said("solver", "", ("cut_wire_1", "again")))
    assert tagged(*again) == {"repeated mistake"}
    advice = (said("solver", "Which?"), said("expert", "Please do cut_wire_2 now."))
    assert tagged(*advice, said("solver", "", ("cut_wire_3", True))) == {"ignored the expert", "expert named an action"}
    assert tagged(*advice, said("solver", "", ("cut_wire_2", False))) == {"expert named an action"}
    both = (said("solver", "Which?"), said("expert", "Either cut_wire_1 or cut_wire_2."))
    assert tagged(*both, said("solver", "", ("cut_wire_3", True))) == {"expert named an action"}
    assert tagged(said("solver", "Which?"), said("expert", "I know this.\nCUT_WIRE_2.")) == {
        "expert acted",
        "expert named an action",
    }


@pytest.mark.parametrize("speech", ["Cut the wire number two.", "Now please cut wire 2!", "You should cut wire two."])
def test_an_expert_that_names_an_action_in_plain_words_is_tagged(speech):
    talk = (said("solver", "Which?"), said("expert", speech), said("solver", "", ("cut_wire_3", True)))
    assert tagged(*talk) == {"expert named an action", "ignored the expert"}


@pytest.mark.parametrize("speech", ["How many wires are there?", "Wire 2 is red, is it?", "I know about wire 2."])
def test_an_expert_that_names_none_is_not(speech):
    assert tagged(said("solver", "Which?"), said("expert", speech)) == set()


@pytest.mark.parametrize(
    "speech",
    ["Do not cut wire 2.", "If it is red, cut wire 2.", "Shall you cut wire 2?", "You could cut wire 2.",
     "I once cut wire 2 myself.", "Cut wire 1. Cut wire 2."],
)  # fmt: skip
def test_what_is_no_order_of_one_action_cannot_be_ignored(speech):
    talk = (said("solver", "Which?"), said("expert", speech), said("solver", "", ("cut_wire_3", True)))
    assert tagged(*talk) == {"expert named an action"}


@pytest.mark.parametrize("speech", ["I cut wire 2.", "Then I will cut the wire two.", "I'll cut_wire_2"])
def test_an_expert_that_says_to_act_itself_is_tagged(speech):
    assert "expert acted" in tagged(said("solver", "Which?"), said("expert", speech))


@pytest.mark.parametrize(
    "speech", ["Cut wire 2.", "I would never cut wire 2.", "I say: cut wire 2.", "You cut wire 2."]
)
def test_an_expert_that_speaks_of_an_action_does_not_act(speech):
    assert "expert acted" not in tagged(said("solver", "Which?"), said("expert", speech))


def test_words_and_efficiency_are_counted():
    talk = [said("solver", "Two words, really?", ("cut_wire_1", False)), said("expert", "Yes.")]
    assert tokens(talk) == 5 + 1 + 2
    assert efficiency(0.0, 100) == 0
    assert efficiency(1.0, 0) == 1
    assert efficiency(0.5, 1000) == pytest.approx(0.5)


def test_thoughts_count_as_much_as_what_is_said():
    said = {"seat": "solver", "speech": "Red?", "actions": [], "results": []}
    thought = {"seat": "solver", "reply": "<think>" + "hm " * 3200 + "</think> Red?"}
    record = {"transcript": [said], "replies": [thought]}
    total, counted = tokens_written(record, ("solver", "expert"))
    assert total > 3200 and counted == {"solver": WORDS, "expert": WORDS}
    assert efficiency(1.0, total) < 0.4
    told = {**record, "replies": [], "completion_tokens": [5000, None]}
    assert tokens_written(told, ("solver", "expert")) == (5000, {"solver": USAGE, "expert": WORDS})
    assert tokens_written({"transcript": [said]}, ("solver", "expert"))[0] == 2, "records of before"
