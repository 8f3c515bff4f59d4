"""KeypadPuzzle: the columns, the keys, the drawn symbols, what each seat gets to see, and the scripted pair."""

import itertools

import numpy as np
import pytest

from mmgames.baselines.puzzles.keypad_puzzle import Expert, Solver, advised_keys, symbol_called, symbols_in
from mmgames.core import registry
from mmgames.drawing import canvas
from mmgames.drawing.canvas import INK, WHITE
from mmgames.puzzles._conversation.rules import EXPERT, SOLVER
from mmgames.puzzles.keypad_puzzle import manual
from mmgames.puzzles.keypad_puzzle.manual import LOOKS, PLACES, STANDARD, SYMBOLS, right_order
from mmgames.puzzles.keypad_puzzle.picture import GLYPHS, glyph
from mmgames.puzzles.keypad_puzzle.rules import NAMES, Pad
from tests.players import Acts
from tests.rules.talking import (
    TALKS,
    converse,
    do,
    live_at,
    looks,
    misanswered,
    misread,
    observation,
    say,
    states,
)

ROOMS = registry.load("mmgames/KeypadPuzzle-v0")
# The fifth column has the trident, the smiley, the C with a dot and the solid star in this order.
PAD = Pad(("filled_star", "psi", "smiley_teh", "dotted_c_left"))
ORDER = ("press_top_right_button", "press_bottom_left_button", "press_bottom_right_button", "press_top_left_button")


def by_hand(pad: Pad) -> list[str]:
    """The actions in their order: the column that has all four, then by the row of each symbol."""
    (column,) = [column for column in STANDARD if all(symbol in column for symbol in pad.symbols)]
    return sorted(NAMES, key=lambda name: column.index(pad.symbols[NAMES.index(name)]))


def test_four_symbols_stand_in_one_column_alone_and_are_pressed_in_its_order():
    assert len(SYMBOLS) == 27 and [len(set(column)) for column in STANDARD] == [7] * 6
    assert set(itertools.chain(*STANDARD)) == set(SYMBOLS) == set(GLYPHS)
    for one, other in itertools.combinations(STANDARD, 2):
        assert len(set(one) & set(other)) <= 3
    for column in STANDARD:
        for four in itertools.combinations(column, 4):
            for symbols in (four, four[::-1], (four[2], four[0], four[3], four[1])):
                assert right_order(symbols) == four
                assert [NAMES[key] for key in Pad(symbols).right_keys] == by_hand(Pad(symbols))
    assert right_order(("koppa", "psi", "omega", "yat")) is None


def test_columns_symbols_and_places_are_drawn_evenly():
    game, rng = ROOMS.game(), np.random.default_rng(0)
    pads = [game.start(rng).device for _ in range(5_000)]
    orders = np.unique([pad.right_keys for pad in pads], axis=0, return_counts=True)[1]
    assert len(orders) == 24 and orders.max() < 1.5 * orders.min()
    appearances = np.unique([pad.symbols for pad in pads], return_counts=True)[1]
    assert len(appearances) == 27 and appearances.max() < 2.5 * appearances.min()  # two columns have some of them


def test_the_right_order_solves_it_and_a_wrong_key_lets_all_keys_up():
    assert say(live_at(ROOMS, PAD), "\n".join(ORDER)).totals == [1.0, 1.0]
    live = live_at(ROOMS, PAD)
    for number, name in enumerate(ORDER, 1):
        assert do(live, name).totals == pytest.approx([number / 4] * 2)
    live = do(live_at(ROOMS, PAD), ORDER[0], ORDER[1])
    assert live.state.device.down == (1, 2)
    assert do(live, ORDER[3]).state.device.down == ()
    assert live.state.mistakes == 1
    assert "all keys are up again" in ROOMS.words.history(live.view(SOLVER))
    assert say(live, "", "\n".join(ORDER)).totals == [1.0, 1.0]
    live = do(live_at(ROOMS, PAD), ORDER[0], ORDER[0])
    assert live.state.mistakes == 1 and live.state.device.down == ()


@pytest.mark.parametrize(
    "keys,paper,released",
    [("01", 2, 2), ("013", 2, 2), ("0130", 2, 1), ("0130x", 2, 1), ("x", 0, 0), ("0x01x", 2, 2), ("0123", 4, 4)],
)
def test_the_best_run_counts_and_with_the_released_rules_the_latest_that_began_well(keys, paper, released):
    for rules, down in (("paper", paper), ("released", released)):
        live = live_at(ROOMS, PAD, rules=rules)
        for key in keys:
            wrong = ORDER[len(live.state.device.down) - 1]  # the one before, or the last of all
            do(live, wrong if key == "x" else ORDER[int(key)])
        assert live.totals == pytest.approx([down / 4, down / 4])


def test_shuffled_columns_share_symbols_as_the_standard_ones_do():
    def shared(columns):
        return sorted(len(set(one) & set(other)) for one, other in itertools.combinations(columns, 2))

    rng = np.random.default_rng(1)
    for _ in range(50):
        drawn = manual.shuffled(rng)
        assert shared(drawn) == shared(STANDARD)
        assert [len(set(column)) for column in drawn] == [7] * 6 and set(itertools.chain(*drawn)) == set(SYMBOLS)
        wanted = [SYMBOLS[i] for i in rng.permutation(27)[:4]]
        assert right_order(wanted, manual.shuffled(rng, wanted)) == tuple(wanted)


def test_a_manual_imagined_by_the_solver_explains_all_that_happened():
    game, rng, orders = ROOMS.game(manual="shuffled"), np.random.default_rng(2), set()
    for seed in range(30):
        for state in states(ROOMS, seed, manual="shuffled"):
            device = game.imagine(state, SOLVER, rng).device
            keys = device.right_keys
            assert all((keys[press.after] == press.key) == press.right for press in device.past)
            orders.add(keys)
    assert len(orders) == 24


def test_every_symbol_has_a_name_and_a_look_of_its_own_also_when_it_is_small():
    for side, apart in [(64, 0.07), (24, 0.06), (14, 0.05)]:
        pictures = {name: canvas.stamp(glyph, side, side, WHITE, name, INK).astype(float) for name in SYMBOLS}
        for one, other in itertools.combinations(SYMBOLS, 2):
            difference = np.abs(pictures[one] - pictures[other]).mean() / 255
            assert difference > apart, f"{one} and {other} differ by {difference:.3f}"
    for name in SYMBOLS:
        picture = np.pad(canvas.stamp(glyph, 60, 60, WHITE, name, INK), ((1, 1), (1, 1), (0, 0)), constant_values=255)
        rows, columns = np.nonzero(picture.min(axis=2) < 128)
        assert rows.max() - rows.min() > 36 and columns.max() - columns.min() > 20, name
        assert picture[1:-1, [1, -2]].min() > 100, f"{name} touches its left or right edge"
    assert len({look.name for look in LOOKS.values()}) == len({look.like for look in LOOKS.values()}) == 27
    for symbol, look in LOOKS.items():
        assert symbol_called(look.name.lower()) == symbol_called(look.like.lower()) == symbol
        assert symbol_called(f"it is a {look.name.lower()}: {look.like}.") == symbol


def test_symbols_are_named_only_to_who_has_no_picture_of_them():
    live = say(live_at(ROOMS, PAD), f"Hello.\n{ORDER[0]}", "And now?")
    names = [look.name for look in LOOKS.values()]
    for seat, told in ((SOLVER, [LOOKS[symbol].name for symbol in PAD.symbols]), (EXPERT, names)):
        beside = observation(live, seat, observe=("rgb", "text"))["text"]
        alone = observation(live, seat, observe="text")["text"]
        assert not any(name in beside for name in names)
        assert all(name in alone for name in told)
    assert "top right (down): trident, a fork with three prongs" in observation(live, SOLVER, observe="text")["text"]


def test_every_key_and_every_column_shows_in_the_pictures():
    pads = [PAD._replace(symbols=(symbol, *PAD.symbols[1:])) for symbol in SYMBOLS if symbol not in PAD.symbols[1:]]
    pads += [PAD._replace(down=keys) for keys in ((0,), (1,), (2,), (3,), (1, 2), (1, 2, 3), (1, 2, 3, 0))]
    assert looks(ROOMS, pads) == len(pads)
    assert looks(ROOMS, (PAD, PAD._replace(manual=(STANDARD[0], *STANDARD[2:], STANDARD[1]))), EXPERT) == 2


def test_the_solver_reads_nothing_into_plain_advice_and_the_expert_answers_when_it_is_certain():
    assert misread(ROOMS, lambda advice: advised_keys(advice, PAD)) == []
    for advice, keys in TALKS["KeypadPuzzle"]["advice"]:
        assert advised_keys(advice, PAD._replace(down=(1,))) == [key for key in keys if key != 1]
    live = converse(
        live_at(ROOMS, PAD), Solver(), Acts("Press top left, then top right, then bottom left, then bottom right.")
    )
    assert len(live.state.dialogue[2].results) == 1 and live.state.dialogue[2].results[0].mistake
    assert live.state.dialogue[4].message.speech.startswith("That order was wrong.")
    assert [entry.results[0].action for entry in live.state.dialogue if entry.results].count(NAMES[0]) == 1
    assert misanswered(ROOMS, Expert(), PAD) == []
    told = symbols_in("Top left: a backward C with a dot. Top right: a normal C with a dot. Bottom left: hollow star.")
    assert told == {"top_left": "dotted_c_right", "top_right": "dotted_c_left", "bottom_left": "hollow_star"}
    assert list(PLACES)[3] not in told
