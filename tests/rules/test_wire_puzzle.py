"""WirePuzzle: the manual, the panel, what each seat gets to see, and the scripted pair."""

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
    """The manual again, written out as a person would: the first line that holds names the wire."""
    count, end = wires.count, wires[-1]

    def last(colour: str) -> int:
        return max((i for i, wire in enumerate(wires, 1) if wire == colour), default=0)

    if len(wires) == 3:
        lines = [(not count("red"), 2), (end == "white", 3), (count("blue") > 1, last("blue")), (True, 3)]
    elif len(wires) == 4:
        lines = [(count("red") > 1 and odd, last("red")), (end == "yellow" and not count("red"), 1)]
        lines += [(count("blue") == 1, 1), (count("yellow") > 1, 4), (True, 2)]
    elif len(wires) == 5:
        lines = [(end == "black" and odd, 4), (count("red") == 1 and count("yellow") > 1, 1)]
        lines += [(not count("black"), 2), (True, 1)]
    else:
        lines = [(not count("yellow") and odd, 3), (count("yellow") == 1 and count("white") > 1, 4)]
        lines += [(not count("red"), 6), (True, 4)]
    return next(wire for holds, wire in lines if holds)


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_the_table_names_the_right_wire_for_every_panel(count):
    for wires in itertools.product(COLOURS, repeat=count):
        for odd in (False, True):
            assert right_wire(wires, odd) == by_hand(wires, odd)


def test_half_of_the_serial_numbers_are_odd_and_shuffled_manuals_always_name_a_wire():
    for rules, low, high in (("paper", 0.47, 0.53), ("released", 0.0, 0.0)):
        game = ROOMS.game(rules=rules)
        rng = np.random.default_rng(0)
        panels = [game.start(rng).device for _ in range(4_000)]
        assert low <= np.mean([panel.odd for panel in panels]) <= high
        assert {len(panel.wires) for panel in panels} == {3, 4, 5, 6}
        assert {wire for panel in panels for wire in panel.wires} == set(COLOURS)
        assert all(len(panel.serial) == 6 and panel.serial[-1].isdigit() for panel in panels)
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


def test_wrong_cuts_are_mistakes_and_imagined_manuals_explain_all_that_happened():
    live = say(live_at(ROOMS, FOUR), "cut_wire_1")
    assert live.state.mistakes == 1
    assert live.state.device.cut == (True, False, False, False)
    # Cut wires still count: with one red left uncut the last red one is still right.
    assert say(live, "", "cut_wire_3").totals == [1.0, 1.0]
    live = say(live_at(ROOMS, FOUR), "cut_wire_1", "", "cut_wire_1")
    assert live.state.mistakes == 2
    assert "that wire was cut before; that was a mistake." in ROOMS.words.history(live.view(SOLVER))
    game, rng = ROOMS.game(manual="shuffled"), np.random.default_rng(1)
    for seed in range(30):
        for state in states(ROOMS, seed, manual="shuffled"):
            panel, other = state.device, game.imagine(state, SOLVER, rng).device
            if game.solved(panel):
                assert other.right_wire == panel.right_wire
            else:
                assert not other.cut[other.right_wire - 1]


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


def test_the_solver_understands_plain_advice_reads_nothing_into_it_and_repeats_nothing_wrong():
    for advice, wire in [
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
    ]:
        assert advised_wire(advice, FOUR) == wire
    live = converse(live_at(ROOMS, FOUR), Solver(), Says("Cut wire 1."))
    assert live.state.dialogue[2].results[0].mistake
    assert live.state.dialogue[4].message.speech.startswith("I have cut wire 1, and it was wrong.")
    assert live.game.events(live.state)["actions"] <= 3


def test_the_expert_answers_when_it_is_certain_and_asks_otherwise():
    for messages, said in [
        (("There are 4 wires: red, blue, red, white. The serial number is KX47T3.",), "cut wire 3,"),
        (("1: red, 2: blue, 3: red, 4: white. Serial odd.",), "cut wire 3,"),
        (("Wires are RED, BLUE, RED and WHITE; the last digit is 8",), "cut wire 1,"),
        (("1 red\n2 blue\n3 red\n4 white", "It is not odd."), "cut wire 1,"),
        (("I see red, blue, red, white.",), "odd or an even"),
        (("I see yellow, blue and white.",), "cut wire 2,"),
        (("There are 4 wires: red, blue, white. Odd.",), "how many wires"),
        (("Help!",), "how many wires"),
        (("",), "how many wires"),
    ]:
        assert said in answer(ROOMS, Expert(), FOUR, *messages)
