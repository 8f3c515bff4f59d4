"""Papers' readers: what their released code makes of replies, kept as facts, and examples of each of their rules."""

import json
from pathlib import Path

import numpy as np

from mmgames import readers
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.readers import comma, lvlm_playground, vs_bench
from mmgames.text.refusals import Illegal
from tests.cases import cases
from tests.refusing import refused

CASES = cases(__file__)

READINGS = json.loads((Path(__file__).parent / "released_readings.json").read_text("utf-8"))
STEPS = ("<STAY>", "<RIGHT>", "<LEFT>", "<UP>", "<DOWN>")


def read(game, reply, legal=STEPS):
    found = vs_bench.read_move(game, None, dict(enumerate(legal)), reply)
    return found.kind if isinstance(found, Illegal) else legal[found]


def test_every_kept_reply_is_read_as_the_papers_code_reads_it():
    for game in READINGS["VS-Bench"]:
        legal = READINGS["VS-Bench"][game]["legal"]
        for reply, expected in READINGS["VS-Bench"][game]["replies"]:
            found = read(game, reply, legal)
            assert (found if found in legal else None) == expected, reply
    for game in READINGS["Rule"]:
        for reply, expected in READINGS["Rule"][game]:
            assert lvlm_playground.read_movement(game, reply) == expected, reply
    for reply, expected in READINGS["Ask"]:
        assert lvlm_playground.read_option(reply) == expected, reply
    replies = [replies for game in READINGS["VS-Bench"].values() for replies in game["replies"]]
    assert len(replies) + len(READINGS["Ask"]) + sum(map(len, READINGS["Rule"].values())) == 591


def test_forms_are_tried_in_the_order_of_each_papers_code():
    for game, reply, expected, *why in CASES["forms"]:
        assert read(game, reply) == expected, why
    for game, legal, reply, expected, *why in CASES["games"]:
        assert read(game, reply, legal) == expected, why
    for reply, letter, *why in CASES["ask"]:
        assert lvlm_playground.read_option(reply) == letter, why
    for game, reply, move in CASES["rule"]:
        assert lvlm_playground.read_movement(game, reply) == move


BOARD = ((1, 0, -1), (0, 1, 1), (-1, -1, 0))
WRITTEN = str([list(row) for row in BOARD])


def test_perceive_takes_all_numbers_between_the_brackets():
    for reply, board in (
        (f"Game State: {WRITTEN}", BOARD),
        ("[[1 0 -1 0 1 1 -1 -1 0]]", BOARD),  # rows are cut by their number
        (f"A draft [[0, 0]], then {WRITTEN}", None),  # from the first to the last bracket: eleven numbers
        (f"```\n{WRITTEN}\n``` or [[0]]", BOARD),  # a fence that comes first ends it
        (f"```nothing``` {WRITTEN}", None),
        (f"``` {WRITTEN}", BOARD),  # a fence that is not closed is none
        (WRITTEN.replace("1", "2"), None),
        ("]] [[", None),
        (f"[[{'9' * 5000}" + " 0" * 8 + "]]", None),
    ):
        assert lvlm_playground.read_matrix("TicTacToe", reply) == board


def test_ten_is_let_through_in_minesweeper_alone():
    for game, known in (("Minesweeper", True), ("Chess", False)):
        assert (lvlm_playground.read_matrix(game, f"[[{'10 ' * 64}]]") is not None) == known
    for reply in ("[[" * 50_000, "Final Answer" + " " * 50_000, "```json" * 20_000, "A" * 100_000, "(" * 100_000):
        for game in vs_bench.GAMES:
            read(game, reply)
        lvlm_playground.read_option(reply)
        lvlm_playground.read_matrix("Chess", reply)
        for game in lvlm_playground.GAMES:
            lvlm_playground.read_movement(game, reply, r"Movement:\s*")


def played(game, reply, *before):
    loaded = registry.load(f"mmgames/{game}-v0")
    rules, rng = loaded.game(), np.random.default_rng(0)
    state = rules.start(rng)
    for move in before:
        (seat,) = rules.movers(state)
        names = {name: action for action, name in loaded.words.names(rules.view(state, seat)).items()}
        state = rules.play(state, {seat: names[move]}, rng)
    (seat,) = rules.movers(state)
    view = rules.view(state, seat)
    names = loaded.words.names(view)
    found = lvlm_playground.read_move(game, view, names, reply)
    return found.kind if isinstance(found, Illegal) else names[found]


def test_play_takes_the_move_after_its_label():
    for game, reply, expected, *why in CASES["play"]:
        assert played(game, reply) == expected, why


def test_games_have_the_reader_of_their_paper_which_reads_what_is_asked_for():
    own, boards = (readers.READERS[name] for name in ("vs-bench", "lvlm-playground"))
    assert readers.reader_of("released", "Hanabi") is own
    assert readers.reader_of("released", "TicTacToe") is boards and readers.reader_of("vs-bench", "TicTacToe") is own
    assert readers.reader_of("vs-bench", "Chess") is readers.reader_of("paragraph", "Hanabi") is None
    refused(lambda: readers.reader_of("released", "Cleanup"), "Cleanup: no paper's reader of its replies is known")
    opening = ("e2e4", "e7e5", "g1f3", "g8f6", "f1e2", "f8e7")
    assert played("Chess", "Movement: O-O", *opening) == "not possible here"
    assert played("Chess", "Movement: e1g1", *opening) == "e1g1"
    assert lvlm_playground.read_move("Reversi", None, {64: "pass"}, "I have no move.") == 64
    chess = registry.load("mmgames/Chess-v0")
    game = chess.game()
    view = game.view(game.start(np.random.default_rng(0)), 0)
    written = lvlm_playground.spelled("Chess", view, chess.words.names(view))
    assert {"e4", "Nf3", "a3"} <= set(written.values()) and len(written) == 20
    assert lvlm_playground.spelled("Minesweeper", None, {0: "reveal A1", 64: "flag A1"}) == {0: "A1"}
    assert lvlm_playground.spelled("Reversi", None, {5: "A6", 64: "pass"}) == {5: "A6"}
    for game in lvlm_playground.GAMES:
        assert lvlm_playground.read_movement(game, lvlm_playground.asks(game)["cot"], r"Movement:\s*") is not None
    assert lvlm_playground.read_option(lvlm_playground.asks_for_option()["direct"]) == "B"
    assert vs_bench.asks("Hanabi") is None
    tic_tac_toe = registry.load("mmgames/TicTacToe-v0")
    live = LiveGame(tic_tac_toe, tic_tac_toe.game(), "vs-bench")
    live.start(None)
    for reply, cell in (('{"action": "B2"}', 4), ("x ( 1 ,2 )", 5), ("(2, 0)", 6)):
        assert live.read(0, reply) == cell
    assert live.read(0, "O(2,0)").kind == "not possible here", "the mark of the other"


NAMES = ("press_1", "press_2", "press_3", "submit")


def test_actions_are_looked_for_line_by_line_in_the_engines_order():
    for message, actions, *why in CASES["actions"]:
        assert list(comma.read_actions(message, NAMES)) == actions, why
    assert comma.read_actions("press_2\npress_1", NAMES, last=True) == ("press_2",)
    assert comma.read_actions("\npress_1", NAMES, last=True) == ()
    for puzzle in ORDERS:
        loaded = registry.load(f"mmgames/{puzzle}Puzzle-v0")
        game = loaded.game(rules="released")
        view = game.view(game.start(np.random.default_rng(0)), 0)
        assert view.names == tuple(f"press_{place}_button" for place in ORDERS[puzzle])
        said = "press_bottom_left_button or press_bottom_right_button"
        first = "press_bottom_right_button" if puzzle == "Led" else "press_bottom_left_button"
        assert loaded.words.read(view, said).actions == (first,)
    loaded = registry.load("mmgames/PasswordPuzzle-v0")
    game = loaded.game(rules="released")
    view = game.view(game.start(np.random.default_rng(0)), 0)
    assert view.names[:4] == ("up_button_1", "down_button_1", "up_button_2", "down_button_2")
    assert set(view.names) == set(loaded.game().action_names)
    assert loaded.words.read(view, "up_button_2, then down_button_1, then submit").actions == ("down_button_1",)
    thought = loaded.words.read(view, "<think>submit?\n</think>\nup_button_3")
    assert thought.actions == ("submit", "up_button_3") and "submit?" in thought.speech, "thoughts are part of it"
    assert loaded.words.read(view._replace(turn=view.turns), "\nsubmit").actions == ()


ORDERS = {
    "Led": ("top_left", "top_right", "bottom_right", "bottom_left"),
    "Keypad": ("top_left", "bottom_left", "top_right", "bottom_right"),
    "Who": ("top_left", "top_right", "middle_left", "middle_right", "bottom_left", "bottom_right"),
}
