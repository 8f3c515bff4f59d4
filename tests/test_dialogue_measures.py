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
    acts = tagged(said("solver", "Which?"), said("expert", "I know this.\nCUT_WIRE_2."))
    assert acts == {"expert acted", "expert named an action"}


NAMED, IGNORED, ACTED = "expert named an action", "ignored the expert", "expert acted"
SPEECHES = {
    "Cut the wire number two.|Now please cut wire 2!|You should cut wire two.": {NAMED, IGNORED},
    "How many wires are there?|Wire 2 is red, is it?|I know about wire 2.": set(),
    "Do not cut wire 2.|If it is red, cut wire 2.|Shall you cut wire 2?|You could cut wire 2.": {NAMED},
    "I once cut wire 2 myself.|Cut wire 1. Cut wire 2.": {NAMED},
}


@pytest.mark.parametrize("speeches", SPEECHES)
def test_an_order_of_one_action_in_plain_words_is_tagged_and_nothing_else_can_be_ignored(speeches):
    for speech in speeches.split("|"):
        talk = (said("solver", "Which?"), said("expert", speech), said("solver", "", ("cut_wire_3", True)))
        assert tagged(*talk) == SPEECHES[speeches], speech


def test_an_expert_acts_that_says_so_of_itself():
    acts = "I cut wire 2.|Then I will cut the wire two.|I'll cut_wire_2"
    speaks = "Cut wire 2.|I would never cut wire 2.|I say: cut wire 2.|You cut wire 2."
    for speeches, expected in ((acts, True), (speaks, False)):
        for speech in speeches.split("|"):
            assert (ACTED in tagged(said("solver", "Which?"), said("expert", speech))) == expected, speech


def test_words_and_efficiency_are_counted():
    talk = [said("solver", "Two words, really?", ("cut_wire_1", False)), said("expert", "Yes.")]
    assert tokens(talk) == 5 + 1 + 2
    assert efficiency(0.0, 100) == 0 and efficiency(1.0, 0) == 1 and efficiency(0.5, 1000) == pytest.approx(0.5)
    spoken = {"seat": "solver", "speech": "Red?", "actions": [], "results": []}
    thought = {"seat": "solver", "reply": "<think>" + "hm " * 3200 + "</think> Red?"}
    record = {"transcript": [spoken], "replies": [thought]}
    total, counted = tokens_written(record, ("solver", "expert"))
    assert total > 3200 and counted == {"solver": WORDS, "expert": WORDS}
    assert efficiency(1.0, total) < 0.4
    told = {**record, "replies": [], "completion_tokens": [5000, None]}
    assert tokens_written(told, ("solver", "expert")) == (5000, {"solver": USAGE, "expert": WORDS})
    assert tokens_written({"transcript": [spoken]}, ("solver", "expert"))[0] == 2, "records of before"
