"""WirePuzzle: the manual, the panel, what each seat gets to see, and the scripted pair."""

import itertools

import numpy as np
import pytest

import mmgames
from mmgames.baselines.puzzles.wire_puzzle import Expert, Solver, advised_wire
from mmgames.core import registry
from mmgames.puzzles._conversation.rules import SOLVER, ConversationState
from mmgames.puzzles.wire_puzzle import manual
from mmgames.puzzles.wire_puzzle.manual import COLOURS, right_wire
from mmgames.puzzles.wire_puzzle.rules import Panel
from tests.players import Acts
from tests.rules.talking import converse, live_at, misanswered, misread, say, states

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


def test_the_solver_reads_nothing_into_plain_advice_and_the_expert_answers_when_it_is_certain():
    assert misread(ROOMS, lambda advice: advised_wire(advice, FOUR)) == []
    live = converse(live_at(ROOMS, FOUR), Solver(), Acts("Cut wire 1."))
    assert live.state.dialogue[2].results[0].mistake
    assert live.state.dialogue[4].message.speech.startswith("I have cut wire 1, and it was wrong.")
    assert live.game.events(live.state)["actions"] <= 3
    assert misanswered(ROOMS, Expert(), FOUR) == []


def test_two_experts_have_half_of_the_manual_each_and_three_solve_it_together():
    game = ROOMS.game(experts=2)
    assert game.seats == ("solver", "expert_1", "expert_2") and game.spec.length == 30
    state = game.start(np.random.default_rng(0))
    halves = [game.view(state, seat).manual for seat in (1, 2)]
    assert [[bool(rules) for rules in half] for half in halves] == [
        [True, True, False, False],
        [False, False, True, True],
    ]
    texts = [ROOMS.words.rules(game.view(state, seat)) for seat in (0, 1, 2)]
    assert ["4 wires:" in text for text in texts] == [False, True, False]
    assert ["5 wires:" in text for text in texts] == [False, False, True]
    assert len({ROOMS.picture.draw(game.view(state, seat), 512).tobytes() for seat in (1, 2)}) == 2
    assert "expert_2" in ROOMS.words.you(game.view(state, 2))
    for seed, memory in itertools.product(range(20), ("full", "last")):
        trio = (Solver(), Expert(), Expert())
        (record,) = mmgames.match("WirePuzzle", trio, 1, seed, experts=2, memory=memory).episodes
        assert record["events"]["solved"] == 1 and record["events"]["mistakes"] == 0
        assert record["events"]["turns"] == 2 and len(record["returns"]) == 3
        said = [entry["speech"] for entry in record["transcript"]]
        assert ["My half" in words for words in said[1:3]].count(True) == 1
    rng = np.random.default_rng(1)
    after = game.play(state, {0: ROOMS.words.read(game.view(state, 0), "Three red wires.\ncut_wire_1")}, rng)
    for seat in (1, 2):
        view, other = game.view(after, seat), game.view(game.imagine(after, seat, rng), seat)
        assert view == other and view.heard == ("Three red wires.",)
    assert "The expert_1 is to speak" in ROOMS.words.status(game.view(after, None))
