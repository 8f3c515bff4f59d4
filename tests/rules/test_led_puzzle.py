"""LedPuzzle: the sums, the stages, what each seat gets to see, and the scripted pair."""

import itertools

import numpy as np
import pytest

from mmgames.baselines.puzzles.led_puzzle import Expert, Solver
from mmgames.core import registry
from mmgames.puzzles._conversation.rules import SOLVER
from mmgames.puzzles.led_puzzle import manual
from mmgames.puzzles.led_puzzle.manual import COLOURS, MULTIPLIERS, STANDARD, multiplier, right_buttons
from mmgames.puzzles.led_puzzle.rules import NAMES, Lights
from tests.players import Acts
from tests.rules.talking import converse, do, live_at, looks, misanswered, states

ROOMS = registry.load("mmgames/LedPuzzle-v0")
ALPHABET = [chr(65 + i) for i in range(26)]
# Red is 2: R (17) twice is 34, less 26 is 8, I. So the top right button is right, with I at the bottom left.
RED = Lights(("red", "blue", "green"), ("B", "R", "I", "Y"))
RIGHT, WRONG = "press_top_right_button", "press_top_left_button"


def by_hand(letters: tuple[str, ...], light: str) -> list[str]:
    """The names of the right buttons, worked out as a person would."""
    factor = {"red": 2, "green": 3, "blue": 4, "yellow": 5, "purple": 6, "orange": 7}[light]
    top_left, top_right, bottom_left, bottom_right = letters
    found = []
    for name, letter, opposite in (
        ("press_top_left_button", top_left, bottom_right),
        ("press_top_right_button", top_right, bottom_left),
        ("press_bottom_left_button", bottom_left, top_right),
        ("press_bottom_right_button", bottom_right, top_left),
    ):
        value = (ord(letter) - ord("A")) * factor
        while value >= 26:
            value -= 26
        if chr(value + ord("A")) == opposite:
            found.append(name)
    return found


def test_the_right_buttons_are_those_found_by_hand_and_shuffled_manuals_have_other_numbers():
    rng = np.random.default_rng(0)
    for light, one, other in itertools.product(COLOURS, ALPHABET, ALPHABET):
        letters = (one, *rng.choice(ALPHABET, 2).tolist(), other)
        assert [NAMES[at] for at in right_buttons(letters, multiplier(light, STANDARD))] == by_hand(letters, light)
    rng = np.random.default_rng(3)
    manuals = {manual.shuffled(rng) for _ in range(100)}
    assert len(manuals) == 100
    assert all(len(set(drawn)) == 6 and set(drawn) <= set(MULTIPLIERS) for drawn in manuals)
    assert set(itertools.chain(*manuals)) == set(MULTIPLIERS)


@pytest.mark.parametrize("rules", ["paper", "released"])
def test_a_stage_may_have_several_right_buttons_but_never_none(rules):
    game, rng = ROOMS.game(rules=rules), np.random.default_rng(1)
    numbers = [len(game.start(rng).device.right_buttons) for _ in range(2_000)]
    assert min(numbers) == 1 and max(numbers) > 1
    assert 1.05 < np.mean(numbers) < 1.2  # the two free letters fit by chance now and then


def test_any_right_button_leads_to_the_next_stage_and_a_wrong_one_changes_nothing():
    # Yellow is 5: E (4) five times is 20, U; V (21) five times is 105, less 104 is 1, B.
    for name in ("press_bottom_left_button", "press_bottom_right_button"):
        live = do(live_at(ROOMS, Lights(("yellow", "red"), ("B", "U", "E", "V"))), name)
        assert live.state.device.done == 1 and live.state.mistakes == 0
    live = do(live_at(ROOMS, RED), RIGHT)
    assert live.state.device.done == 1 and live.state.device.letters != RED.letters
    assert live.totals == pytest.approx([1 / 3, 1 / 3])
    assert "right, stage 1 is done." in ROOMS.words.history(live.view(SOLVER))
    live = do(live_at(ROOMS, RED), RIGHT)
    stage_two = live.state.device
    do(live, next(name for name in NAMES if name not in by_hand(stage_two.letters, "blue")))
    assert live.state.mistakes == 1
    assert live.state.device.letters == stage_two.letters and live.state.device.done == 1
    assert live.totals == pytest.approx([1 / 3, 1 / 3])
    assert do(live, by_hand(stage_two.letters, "blue")[0]).state.device.wrong == (False,) * 4


def test_stages_colours_and_places_are_drawn_evenly():
    game, rng = ROOMS.game(), np.random.default_rng(2)
    devices = [game.start(rng).device for _ in range(3_000)]
    for values in (
        [len(device.lights) for device in devices],
        [light for device in devices for light in device.lights],
        [device.right_buttons[0] for device in devices if len(device.right_buttons) == 1],
    ):
        counts = np.unique(values, return_counts=True)[1]
        assert counts.max() < 1.25 * counts.min()
    assert {len(device.lights) for device in devices} == {2, 3, 4, 5}


@pytest.mark.parametrize("rules", ["paper", "released"])
def test_a_manual_imagined_by_the_solver_explains_all_that_happened(rules):
    options = {"manual": "shuffled", "rules": rules}
    game, rng, presses = ROOMS.game(**options), np.random.default_rng(4), 0
    for seed in range(30):
        for state in states(ROOMS, seed, **options):
            device = game.imagine(state, SOLVER, rng).device
            assert len(set(device.manual)) == 6
            assert device.right_buttons or game.solved(device)
            for press in device.past:
                right = right_buttons(press.letters, multiplier(press.light, device.manual))
                assert (press.button in right) == press.right
                presses += 1
    assert presses > 100


def test_every_change_shows_in_the_picture():
    shown = [RED._replace(letters=(letter, "R", "I", "Y")) for letter in ALPHABET]
    shown += [RED._replace(lights=("red", colour, "green")) for colour in COLOURS if colour != "blue"]
    shown += [RED._replace(done=1), RED._replace(done=2), RED._replace(lights=("red", "blue"))]
    shown += [RED._replace(wrong=tuple(i == n for i in range(4))) for n in range(4)]
    assert looks(ROOMS, shown) == len(shown)


def test_the_solver_uses_a_button_or_numbers_but_no_old_advice_and_the_expert_always_tells_the_numbers():
    for expert in [
        "Press the top right button.",
        "Red means 2, blue means 4 and green means 3.",
        "red = 2\nblue = 4\ngreen = 3",
        "The lights stand for: red: 2, blue: 4, green: 3.",
    ]:
        live = converse(live_at(ROOMS, RED), Solver(), Acts(expert))
        assert live.state.dialogue[2].results[0][:2] == (RIGHT, False)
        assert expert.startswith("Press") or live.totals == [1.0, 1.0]
    live = converse(live_at(ROOMS, RED), Solver(), Acts("Press the top right button."))
    assert [len(entry.results) for entry in live.state.dialogue[::2]][:4] == [0, 1, 0, 1]
    assert misanswered(ROOMS, Expert(), RED) == []
