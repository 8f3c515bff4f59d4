"""WirePuzzle: the manual, the panel, what each seat gets to see, and the scripted pair."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from mmgames.baselines.puzzles.wire_puzzle import Expert, Solver, advised_wire
from mmgames.core import registry
from mmgames.puzzles._conversation.rules import SOLVER, ConversationState
from mmgames.puzzles.wire_puzzle import manual
from mmgames.puzzles.wire_puzzle.manual import COLOURS, right_wire
from mmgames.puzzles.wire_puzzle.rules import Panel
from tests.rules.talking import Says, answer, converse, live_at, say, states

ROOMS = registry.load("mmgames/WirePuzzle-v0")
FOUR = Panel(("red", "blue", "red", "white"), (False,) * 4, "KX47T3")  # two reds and odd: cut the last red, 3


def by_hand(wires: tuple[str, ...], odd: bool) -> int:
    """The manual again, written out as a person would."""
    count, last = wires.count, wires[-1]
    if len(wires) == 3:
        if count("red") == 0:
            return 2
        if last == "white":
            return 3
        if count("blue") > 1:
            return max(i for i, wire in enumerate(wires, 1) if wire == "blue")
        return 3
    if len(wires) == 4:
        if count("red") > 1 and odd:
            return max(i for i, wire in enumerate(wires, 1) if wire == "red")
        if last == "yellow" and count("red") == 0:
            return 1
        if count("blue") == 1:
            return 1
        if count("yellow") > 1:
            return 4
        return 2
    if len(wires) == 5:
        if last == "black" and odd:
            return 4
        if count("red") == 1 and count("yellow") > 1:
            return 1
        if count("black") == 0:
            return 2
        return 1
    if count("yellow") == 0 and odd:
        return 3
    if count("yellow") == 1 and count("white") > 1:
        return 4
    if count("red") == 0:
        return 6
    return 4


# The manual and the panel


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_the_table_names_the_right_wire_for_every_panel(count):
    for wires in itertools.product(COLOURS, repeat=count):
        for odd in (False, True):
            assert right_wire(wires, odd) == by_hand(wires, odd)


def test_half_of_the_serial_numbers_are_odd_and_with_the_released_rules_none():
    for rules, low, high in (("paper", 0.47, 0.53), ("released", 0.0, 0.0)):
        game = ROOMS.game(rules=rules)
        rng = np.random.default_rng(0)
        panels = [game.start(rng).device for _ in range(4_000)]
        assert low <= np.mean([panel.odd for panel in panels]) <= high
        assert {len(panel.wires) for panel in panels} == {3, 4, 5, 6}
        assert {wire for panel in panels for wire in panel.wires} == set(COLOURS)
        assert all(len(panel.serial) == 6 and panel.serial[-1].isdigit() for panel in panels)


def test_a_shuffled_manual_has_the_form_of_the_standard_one_and_always_names_a_wire():
    rng = np.random.default_rng(0)
    for _ in range(30):
        drawn = manual.shuffled(rng)
        assert [sorted(len(rule.when) for rule in rules) for rules in drawn] == [
            sorted(len(rule.when) for rule in rules) for rules in manual.STANDARD
        ]
        assert all(rules[-1].when == () for rules in drawn)
        for count in (3, 4, 5, 6):
            for wires in rng.choice(COLOURS, (20, count)).tolist():
                assert {right_wire(tuple(wires), odd, drawn) for odd in (False, True)} <= set(range(1, count + 1))


def test_a_manual_imagined_by_the_solver_explains_all_that_happened():
    game, rng = ROOMS.game(manual="shuffled"), np.random.default_rng(1)
    for seed in range(30):
        for state in states(ROOMS, seed, manual="shuffled"):
            panel, other = state.device, game.imagine(state, SOLVER, rng).device
            if game.solved(panel):
                assert other.right_wire == panel.right_wire
            else:
                assert not other.cut[other.right_wire - 1]


def test_a_wrong_cut_is_a_mistake_and_nothing_is_put_back():
    live = say(live_at(ROOMS, FOUR), "cut_wire_1")
    assert live.state.mistakes == 1
    assert live.state.device.cut == (True, False, False, False)
    # Cut wires still count: with one red left uncut the last red one is still right.
    assert say(live, "", "cut_wire_3").totals == [1.0, 1.0]


def test_cutting_a_wire_again_is_another_mistake():
    live = say(live_at(ROOMS, FOUR), "cut_wire_1", "", "cut_wire_1")
    assert live.state.mistakes == 2
    assert "that wire was cut before; that was a mistake." in ROOMS.words.history(live.view(SOLVER))


# What each seat gets to see


@pytest.mark.parametrize("size", [64, 128, 512])
def test_every_change_of_the_panel_shows_in_the_picture(size):
    game, draw = ROOMS.game(), ROOMS.picture.draw

    def picture(panel: Panel, mistakes: int = 0) -> np.ndarray:
        return draw(game.view(ConversationState(panel, mistakes=mistakes), SOLVER), size)

    base = picture(FOUR)
    shown = [base, picture(FOUR, 1), picture(FOUR, 2)]
    shown += [picture(FOUR._replace(cut=tuple(i == n for i in range(4)))) for n in range(4)]
    shown += [picture(FOUR._replace(serial=f"KX47T{digit}")) for digit in (1, 6)]
    for n in range(4):
        for colour in set(COLOURS) - {FOUR.wires[n]}:
            shown.append(picture(FOUR._replace(wires=(*FOUR.wires[:n], colour, *FOUR.wires[n + 1 :]))))
    assert {image.shape for image in shown} == {base.shape}
    assert len({image.tobytes() for image in shown}) == len(shown)


# The scripted pair


def test_the_solver_says_when_advice_was_wrong_and_does_not_repeat_it():
    live = converse(live_at(ROOMS, FOUR), Solver(), Says("Cut wire 1."))
    assert live.state.dialogue[2].results[0].mistake
    assert live.state.dialogue[4].message.speech.startswith("I have cut wire 1, and it was wrong.")
    assert live.game.events(live.state)["actions"] <= 3


@pytest.mark.parametrize(
    "advice,wire",
    [
        ("Please cut wire 3, counted from the top.", 3),
        ("cut_wire_2", 2),
        ("You have four wires, two are red. So cut wire number 3!", 3),
        ("Cut the third wire.", 3),
        ("Snip the last red wire now", 3),
        ("Do not cut wire 1. Cut wire 2.", 2),
        ("Cut the last one.", 4),
        ("Should you cut wire 1? Yes: cut wire 1.", 1),
        ("If the last wire is red, cut wire 2.", None),
        ("Cut wire 1 or wire 2.", None),
        ("Don't cut wire 3.", None),
        ("Is wire 3 red?", None),
        ("Cut wire 5.", None),
        ("Cut the last yellow wire.", None),
        ("", None),
    ],
)
def test_the_solver_understands_plain_advice_and_nothing_into_it(advice, wire):
    assert advised_wire(advice, FOUR) == wire


@pytest.mark.parametrize(
    "messages,said",
    [
        (("There are 4 wires: red, blue, red, white. The serial number is KX47T3.",), "cut wire 3,"),
        (("1: red, 2: blue, 3: red, 4: white. Serial odd.",), "cut wire 3,"),
        (("Wires are RED, BLUE, RED and WHITE; the last digit is 8",), "cut wire 1,"),
        (("1 red\n2 blue\n3 red\n4 white", "It is not odd."), "cut wire 1,"),
        (("I see red, blue, red, white.",), "odd or an even"),
        (("I see yellow, blue and white.",), "cut wire 2,"),
        (("There are 4 wires: red, blue, white. Odd.",), "how many wires"),
        (("Help!",), "how many wires"),
        (("",), "how many wires"),
    ],
)
def test_the_expert_answers_when_it_is_certain_and_asks_otherwise(messages, said):
    assert said in answer(ROOMS, Expert(), FOUR, *messages)
