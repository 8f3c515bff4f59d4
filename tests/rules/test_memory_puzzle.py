"""MemoryPuzzle: the rules by stage, what is remembered, what each seat gets to see, and the scripted pair."""

import itertools

import numpy as np
import pytest

from mmgames.baselines.puzzles.memory_puzzle import Expert, Solver, advised_label
from mmgames.core import registry
from mmgames.puzzles._conversation.rules import SOLVER
from mmgames.puzzles.memory_puzzle import manual
from mmgames.puzzles.memory_puzzle.manual import STANDARD, Press, right_label
from mmgames.puzzles.memory_puzzle.rules import MemoryDevice
from tests.cases import cases
from tests.rules.talking import answer, converse, do, live_at, looks, misanswered, misread, say, states

ROOMS = registry.load("mmgames/MemoryPuzzle-v0")
FIRST = MemoryDevice(3, (2, 4, 1, 3))  # stage 1, digit 3: position 3, which is labelled 1
RIGHT, WRONG = "press_1", "press_3"


def by_hand(stage: int, display: int, labels: tuple[int, ...], positions: list[int], pressed: list[int]) -> int:
    """The label to press, with the standard manual written out as a person would."""
    if stage == 1:
        return labels[{1: 2, 2: 2, 3: 3, 4: 4}[display] - 1]
    if stage == 2:
        if display == 1:
            return 4
        return labels[0] if display == 3 else labels[positions[0] - 1]
    if stage == 3:
        return {1: pressed[1], 2: pressed[0], 3: labels[2], 4: 4}[display]
    if stage == 4:
        if display == 2:
            return labels[0]
        return labels[positions[0 if display == 1 else 1] - 1]
    return pressed[{1: 0, 2: 1, 3: 3, 4: 2}[display]]


def test_the_right_label_is_the_one_found_by_hand_and_labels_and_manuals_are_shuffled():
    rng = np.random.default_rng(0)
    for digits in itertools.product((1, 2, 3, 4), repeat=5):
        presses: list[Press] = []
        for stage, digit in enumerate(digits, 1):
            labels = tuple(int(i) + 1 for i in rng.permutation(4))
            label = right_label(STANDARD[stage - 1][digit - 1], labels, presses)
            assert label == by_hand(stage, digit, labels, [p for p, _ in presses], [at for _, at in presses])
            presses.append(Press(labels.index(label) + 1, label))
    for rules, orders in (("paper", 24), ("released", 1)):
        seen = {state.device.labels for seed in range(60) for state in states(ROOMS, seed, rules=rules)}
        assert len(seen) == orders
    assert seen == {(3, 1, 2, 4)}
    rng = np.random.default_rng(3)
    for _ in range(50):
        drawn = manual.shuffled(rng)
        assert [len(set(rules)) for rules in drawn] == [4] * 5
        assert all(rule.stage < stage for stage, rules in enumerate(drawn, 1) for rule in rules)


def test_a_right_press_leads_to_the_next_stage_and_a_wrong_one_back_but_the_best_counts():
    live = do(live_at(ROOMS, FIRST), RIGHT)
    assert live.state.device.done == 1 and live.state.device.presses == (Press(3, 1),)
    assert live.totals == pytest.approx([0.2, 0.2])
    assert "press_1: right, stage 1 is done; it was in position 3." in ROOMS.words.history(live.view(SOLVER))
    live = do(live_at(ROOMS, FIRST), RIGHT)
    do(live, f"press_{live.state.device.right_label % 4 + 1}")
    assert live.state.mistakes == 1
    assert (live.state.device.done, live.state.device.presses) == (0, ())
    assert live.totals == pytest.approx([0.2, 0.2])
    assert "starts again at stage 1" in ROOMS.words.history(live.view(SOLVER))


def play(live, *right: bool):
    """Press right or wrong buttons one after the other."""
    for well in right:
        label = live.state.device.right_label
        do(live, f"press_{label if well else label % 4 + 1}")
    return live


def test_the_best_run_counts_and_with_the_released_rules_the_latest_that_began_well():
    for presses, paper, released, *_ in cases(__file__)["runs"]:
        for rules, done in (("paper", paper), ("released", released)):
            live = play(live_at(ROOMS, FIRST, rules=rules), *(sign == "+" for sign in presses))
            assert live.totals == pytest.approx([done / 5, done / 5])


@pytest.mark.parametrize("rules", ["paper", "released"])
def test_a_manual_imagined_by_the_solver_explains_all_that_happened(rules):
    options = {"manual": "shuffled", "rules": rules}
    game, rng, events = ROOMS.game(**options), np.random.default_rng(4), 0
    for seed in range(40):
        for state in states(ROOMS, seed, **options):
            imagined = game.imagine(state, SOLVER, rng).device
            for event in imagined.past:
                rule = imagined.manual[len(event.presses)][event.display - 1]
                assert (right_label(rule, event.labels, event.presses) == event.label) == event.right
                events += 1
    assert events > 200


def test_the_solver_has_to_remember_what_it_pressed_and_starts_again_after_a_mistake():
    live = do(live_at(ROOMS, FIRST, memory="last"), RIGHT)
    board = live.view(SOLVER).device
    assert (board.done, board.presses, board.past, board.latest) == (1, (), (), 0)
    say(live, "Fine.", "Hm.", "Fine.")
    assert "position 3" not in ROOMS.words.history(live.view(SOLVER))
    game = ROOMS.game()
    for seed in range(40):
        live = live_at(ROOMS, game.start(np.random.default_rng(seed)).device)
        play(live, True, True, False)
        say(live, "Never mind.")
        converse(live, Solver(), Expert(), seed)
        assert live.totals == [1.0, 1.0] and live.state.mistakes == 1


def test_every_change_shows_in_the_picture():
    boards = [MemoryDevice(digit, labels) for digit in (1, 2, 3, 4) for labels in itertools.permutations((1, 2, 3, 4))]
    boards += [MemoryDevice(3, (2, 4, 1, 3), done) for done in (1, 2, 3, 4, 5)]
    assert looks(ROOMS, boards) == len(boards)


def test_the_solver_reads_nothing_into_plain_advice_and_the_expert_always_reads_out_the_rules():
    assert misread(ROOMS, lambda advice: advised_label(advice, FIRST)) == []
    assert misanswered(ROOMS, Expert(), FIRST) == []
    told = answer(ROOMS, Expert(), FIRST, "Stage 1: position 2, label 4; stage 2: position 3, label 1.", memory="last")
    assert "Pressed so far: stage 1: position 2, label 4; stage 2: position 3, label 1." in told
