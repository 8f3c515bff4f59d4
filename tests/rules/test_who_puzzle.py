"""WhoPuzzle: the manual, the panel, what each seat gets to see, and the scripted pair."""

import json
from importlib import resources

import numpy as np

from mmgames.baselines.puzzles.who_puzzle import Expert, Solver, advised_button, display_in, labels_in
from mmgames.core import registry
from mmgames.puzzles._conversation.rules import SOLVER
from mmgames.puzzles.who_puzzle import manual
from mmgames.puzzles.who_puzzle.manual import DISPLAYS, LABELS, PLACES, STANDARD, right_button
from mmgames.puzzles.who_puzzle.rules import Panel
from tests.cases import cases
from tests.players import Acts
from tests.rules.talking import converse, do, live_at, looks, misanswered, misread, states

ROOMS = registry.load("mmgames/WhoPuzzle-v0")
TABLES = json.loads(resources.files("mmgames.puzzles.who_puzzle").joinpath("manual.json").read_text())
# UR: read the top left label, YOU. Of its list the first that is on a button is YOUR, bottom left.
UR = Panel("UR", ("YOU", "WHAT?", "BLANK", "UR", "YOUR", "WAIT"))
RIGHT, WRONG = "press_bottom_left_button", "press_top_right_button"


def by_hand(display: str, labels: tuple[str, ...]) -> int:
    """The standard manual again, from its table, written out as a person would go about it."""
    for place, words in zip(PLACES, TABLES["read"], strict=True):
        if display in words:
            row, side = place.split("_")
            read = labels[2 * ["top", "middle", "bottom"].index(row) + ["left", "right"].index(side)]
    order = dict(TABLES["orders"])[read]
    ranks = {label: order.index(label) for label in labels if label in order}
    return labels.index(min(ranks, key=ranks.__getitem__))


def test_the_tables_are_whole_and_say_what_was_given():
    assert len(STANDARD.displays) == len(set(STANDARD.displays)) == len(STANDARD.labels) == 28
    assert "" in STANDARD.displays
    for label, words in STANDARD.orders:
        assert label in words and len(set(words)) == len(words) == 14
    families = {frozenset(words) for _, words in STANDARD.orders}
    assert len(families) == 2 and not frozenset.intersection(*families)
    assert len(set(DISPLAYS)) == len(DISPLAYS) and len(set(LABELS)) == len(LABELS)
    for display, place, label, list_begins in cases(__file__)["given"]:
        assert display in STANDARD.read[PLACES.index(place)]
        assert dict(STANDARD.orders)[label][:3] == tuple(list_begins)


def test_the_right_button_is_the_one_found_by_hand_and_panels_are_drawn_evenly():
    rng = np.random.default_rng(0)
    for display in STANDARD.displays:
        for _ in range(40):
            labels = tuple(STANDARD.labels[i] for i in rng.permutation(28)[:6])
            assert right_button(display, labels) == by_hand(display, labels)
    game, rng = ROOMS.game(), np.random.default_rng(1)
    panels = [game.start(rng).device for _ in range(6_000)]
    for shown, number in ((lambda panel: [panel.display], 28), (lambda panel: panel.labels, 28)):
        counts = np.unique([word for panel in panels for word in shown(panel)], return_counts=True)[1]
        assert len(counts) == number and counts.max() < 1.5 * counts.min()
    assert all(len(set(panel.labels)) == 6 for panel in panels)
    assert {panel.right_button for panel in panels} == set(range(6))


def test_a_wrong_button_is_a_mistake_and_an_empty_display_is_told_apart_from_words():
    live = do(live_at(ROOMS, UR), WRONG, WRONG)
    assert live.state.mistakes == 2
    assert live.state.device == UR._replace(marks=("", "wrong", "", "", "", ""))
    assert live.totals == [0.0, 0.0]
    assert do(live, RIGHT).totals == [1.0, 1.0]
    told = {
        ROOMS.words.describe(live_at(ROOMS, UR._replace(display=word)).view(SOLVER))
        for word in ("", "BLANK", "NOTHING")
    }
    assert len(told) == 3 and sum("The display is empty." in text for text in told) == 1


def test_shuffled_manuals_have_the_form_of_the_standard_one_and_explain_all_that_happened():
    rng = np.random.default_rng(2)
    for _ in range(50):
        drawn = manual.shuffled(rng)
        assert len(set(drawn.displays)) == 28 and set(drawn.displays) <= set(DISPLAYS)
        assert len(set(drawn.labels)) == 28 and set(drawn.labels) <= set(LABELS)
        assert sorted(map(len, {frozenset(words) for _, words in drawn.orders})) == [14, 14]
        assert all(label in words and len(words) == 14 for label, words in drawn.orders)
    game, rng = ROOMS.game(manual="shuffled"), np.random.default_rng(3)
    for seed in range(15):
        for state in states(ROOMS, seed, manual="shuffled"):
            device = game.imagine(state, SOLVER, rng).device
            assert device.display in device.manual.displays and set(device.labels) <= set(device.manual.labels)
            assert device.marks[device.right_button] == ("right" if "right" in device.marks else "")


def test_every_word_and_mark_shows_in_the_picture():
    sizes = (96, 512)
    assert looks(ROOMS, (UR._replace(display=word) for word in DISPLAYS), sizes=sizes) == len(DISPLAYS)
    assert looks(ROOMS, (UR._replace(labels=(label, *UR.labels[1:])) for label in LABELS), sizes=sizes) == len(LABELS)
    marks = [("",) * n + (mark,) + ("",) * (5 - n) for n in range(6) for mark in ("", "wrong")]
    assert looks(ROOMS, (UR._replace(marks=each) for each in marks), sizes=sizes) == 7


def test_the_solver_reads_nothing_into_plain_advice_and_the_expert_answers_when_it_is_certain():
    assert misread(ROOMS, lambda advice: advised_button(advice, UR)) == []
    live = converse(live_at(ROOMS, UR), Solver(), Acts("Press the top right button."))
    assert [entry.results[0].action for entry in live.state.dialogue if entry.results].count(WRONG) == 1
    assert "it was wrong" in live.state.dialogue[4].message.speech
    assert misanswered(ROOMS, Expert(), UR) == []
    for words in (("YOU", "YOU ARE"), ("WHAT", "WHAT?"), ("U", "UR"), ("NO", "NOTHING"), ("YOU", "YOU'RE")):
        for word in words:
            labels = ("LEFT", "RIGHT", "MIDDLE", "PRESS", "WAIT", word)
            told = ", ".join(f"{place.replace('_', ' ')}: {label}" for place, label in zip(PLACES, labels, strict=True))
            assert labels_in(told, STANDARD) == labels
    for word in STANDARD.displays[1:]:
        assert display_in(f"The display reads {word}.", STANDARD) == word or word == ""
