"""The talk between solver and expert, with a small lock of its own: three digits to press in order."""

import json
import re
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmgames.core import registry
from mmgames.core.seeding import fresh_rng
from mmgames.core.spec import GameSpec
from mmgames.errors import MmgamesError
from mmgames.puzzles._conversation import LENGTH, OPTIONS, SEATS
from mmgames.puzzles._conversation.rules import EXPERT, SOLVER, ConversationGame, ConversationState, Outcome
from mmgames.puzzles._conversation.words import PuzzleWords
from mmgames.text import speech
from mmgames.text.speech import LIMIT, Message
from tests.cases import cases

CASES = cases(__file__)

NAMES = ("press_0", "press_1", "press_2", "press_10")
FRAGMENTS = [*NAMES, "PRESS_1", "press", "_1", "0", *" \n\t\x00\u2028?.`", "\r\n", "**", "- ", *"<>()[]{}\"'!,:;~"]
FRAGMENTS += ["do not ", "<think>", "</think>", "é", "押す", "\ud800", "\u200b", "🙂"]
anything = st.one_of(st.text(), st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=3))).map("".join))


class Lock(NamedTuple):
    code: tuple[int, ...]
    done: int = 0


class LockPuzzle(ConversationGame):
    """Staged and resetting: a wrong digit is a mistake and starts the code again. Later digits are hidden."""

    keeps_best = True

    def new_device(self, rng):
        return Lock(tuple(int(digit) for digit in rng.integers(3, size=3)))

    def names(self, device):
        return NAMES

    def do(self, device, name, rng):
        if name == "press_10":
            return Outcome(device, note="nothing")
        right = name == f"press_{device.code[device.done]}"
        return Outcome(device._replace(done=device.done + 1 if right else 0), not right)

    def solved(self, device):
        return device.done == len(device.code)

    def partial(self, device):
        return device.done / len(device.code)

    def shown(self, device):
        return device._replace(code=device.code[: device.done + 1])

    def redraw(self, device, seat, rng):
        if seat == EXPERT:
            return super().redraw(device, seat, rng)
        return device._replace(code=(device.code[: device.done + 1] + self.new_device(rng).code)[:3])


KIND = dict(
    dynamics="sequential", information="imperfect", utility="identical", actions="text", family="solver and expert"
)
TOLD = dict(name="LockPuzzle", summary="press the digits in order", source="tests")
SPEC = GameSpec(package=__name__, seats=SEATS, length=LENGTH, options=OPTIONS, **TOLD, **KIND)
WORDS = PuzzleWords(
    "mmgames.puzzles.wire_puzzle", lambda view: "Anything opens it.", lambda lock: f"Pressed: {lock.done}."
)
RNG = np.random.default_rng(0)


def lock(**options) -> tuple[LockPuzzle, ConversationState]:
    return LockPuzzle(SPEC, **options), ConversationState(Lock((0, 1, 2)))


def say(game: LockPuzzle, state: ConversationState, *texts: str) -> ConversationState:
    """Play messages in turn, as an environment would read them."""
    for text in texts:
        (seat,) = game.movers(state)
        state = game.play(state, {seat: WORDS.read(game.view(state, seat), text)}, RNG)
    return state


@pytest.mark.parametrize("line", CASES["names"])
def test_a_line_that_is_a_name_is_an_action(line):
    assert speech.read(line, NAMES) == Message("", ("press_1",), line.strip())
    assert speech.read(f"\x7f{line}\x9f", NAMES).actions == ("press_1",)


@pytest.mark.parametrize("line", CASES["speech"])
def test_anything_else_is_speech(line):
    message = speech.read(line, NAMES)
    assert message.actions == ()
    assert message.speech == line.replace("\x00", "").removesuffix(" <think>")


@pytest.mark.parametrize("text", CASES["answers"])
def test_a_structured_answer_is_the_line_that_it_names(text):
    assert speech.read(text, NAMES)[:2] == ("", ("press_1",))
    assert speech.unread(text, NAMES) == "" and speech.read(text) == Message(text.strip(), (), text.strip())


def test_lines_and_structured_answers_run_in_order_what_is_none_is_told_and_thoughts_are_neither_heard_nor_done():
    text = 'Hello.\n{"action": "press_1"}\npress_2\nAction: press_0'
    assert speech.read(text, NAMES)[:2] == ("Hello.", ("press_1", "press_2", "press_0"))
    assert speech.read(text, NAMES, bare=True).actions == ("press_2",)
    message = speech.read("Hello.\npress_2\nSecond, then:\r\nPRESS_0\n", NAMES)
    assert message.actions == ("press_2", "press_0")
    assert message.speech == "Hello.\nSecond, then:"
    assert speech.unread("Look:\nAction: press_11\nDone.", NAMES) == "Action: press_11"
    assert speech.unread('{"action": "the red one"}', NAMES) == '{"action": "the red one"}'
    for text in ("Answer: four wires", '{"action": null, "message": "Hello"}', "Action: none", "What action: this?"):
        assert speech.unread(text, NAMES) == ""
    both = '{"message": "I see\\nthree.\\npress_2", "action": "press_1"}'
    assert speech.read(both, NAMES)[:2] == ("I see\nthree.", ("press_1",)), "a message acts only by its action"
    assert speech.read("<think>secret\npress_1</think>\nHello\npress_2", NAMES)[:2] == ("Hello", ("press_2",))
    assert speech.read("secret\npress_1\n</THINK>Hello", NAMES) == Message("Hello", (), "Hello")
    assert speech.read("Hello\n<think>secret\npress_1", NAMES) == Message("Hello", (), "Hello")
    assert speech.read("x" * 9_000 + "</think>press_1", NAMES) == Message("", ("press_1",), "press_1")


@given(anything)
def test_any_text_can_be_heard_printed_and_sent_and_only_its_lines_are_done(text):
    message = re.sub(
        r"(?i)(?:action|answer|movement|move|vote)[\s*_]*[:：]", "", re.split("</think>", text, flags=re.I)[-1]
    )
    lines = [re.findall(r"\w+", line) for line in message.splitlines() if "?" not in line]
    remaining = iter([words[0].strip("_").lower() for words in lines if len(words) == 1])
    for action in speech.read(text, NAMES).actions:
        assert action in remaining  # in the order of the lines, each used once
    message = speech.read(text, NAMES)
    for part in (message.speech, message.raw):
        part.encode()
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", part)
        assert len(part) <= LIMIT
    message = speech.read(text)
    assert message.actions == ()
    assert message.speech == message.raw


def test_a_long_message_is_cut_and_its_sender_alone_is_told():
    game, state = lock()
    state = say(game, state, "x" * 100_000)
    assert state.dialogue[0].message == Message("x" * LIMIT, (), "x" * LIMIT, 96_000)
    assert "last 96,000 characters did not count" in WORDS.history(game.view(state, SOLVER))
    assert "did not count" not in WORDS.history(game.view(state, EXPERT))
    state = say(game, state, "y" * 5_000)
    assert "last 1,000 characters did not count" in WORDS.history(game.view(state, EXPERT))
    padding = "x" * (LIMIT - len("\npress_1"))
    assert speech.read(f"{padding}\npress_10", NAMES).actions == ()
    assert speech.read(f"{padding}\npress_1\npress_2", NAMES).actions == ("press_1",)


def test_solver_and_expert_alternate_for_ten_turns_and_by_the_released_rules_another_message_follows():
    game, state = lock()
    for number in range(20):
        assert game.movers(state) == (number % 2,)
        assert game.view(state, None).turn == number // 2 + 1
        state = say(game, state, "words")
    assert game.movers(state) == ()
    assert game.events(state)["out of turns"] == 1
    assert game.events(state)["turns"] == 10
    game, state = lock(rules="released")
    state = say(game, state, *["words"] * 20)
    assert game.movers(state) == (SOLVER,)
    assert game.view(state, SOLVER).turn == game.view(state, SOLVER).turns == 11
    assert game.movers(say(game, state, "words")) == ()


def test_it_ends_at_once_when_solved_and_with_the_third_mistake():
    game, state = lock()
    state = say(game, state, "press_2", "", "press_2", "")
    assert game.movers(state) == (SOLVER,)
    state = say(game, state, "press_2")
    assert game.movers(state) == ()
    assert game.events(state)["out of mistakes"] == 1
    game, state = lock()
    state = say(game, state, "press_0\npress_1\npress_2\npress_2\npress_2")
    assert game.movers(state) == ()
    assert game.returns(state) == (1.0, 1.0)
    assert game.events(state)["actions"] == 3
    assert game.events(state)["mistakes"] == 0


def test_actions_run_in_order_until_one_is_a_mistake_and_by_the_released_rules_further():
    game, state = lock()
    state = say(game, state, "press_0\npress_0\npress_0\npress_1")
    assert [result[:2] for result in state.dialogue[0].results] == [("press_0", False), ("press_0", True)]
    assert state.device.done == 0
    text = WORDS.history(game.view(state, SOLVER))
    assert "Turn 1, press_0: done.\nTurn 1, press_0: that was a mistake." in text
    assert "not carried out: press_0, press_1" in text
    game, state = lock(rules="released")
    after = say(game, state, "press_1\npress_0\npress_1")
    assert [bool(result.mistake) for result in after.dialogue[0].results] == [True, False, False]
    assert after.device.done == 2
    after = say(game, state, "press_1\npress_1\npress_1\npress_0")
    assert after.mistakes == 3 and len(after.dialogue[0].results) == 3


def test_the_best_stage_counts_or_the_latest_and_running_out_scores_as_the_rules_say():
    for rules, expected in (("paper", 2 / 3), ("released", 0.0)):
        game, state = lock(rules=rules)
        assert game.returns(say(game, state, "press_0\npress_1"))[0] == pytest.approx(2 / 3)
        assert game.returns(say(game, state, "press_0\npress_1\npress_0"))[0] == pytest.approx(expected)
    for rules, expected in (("paper", 1 / 3), ("released", 0.0)):
        game, state = lock(rules=rules, turns=1)
        state = say(game, state, "press_0", "go on")
        while game.movers(state):
            state = say(game, state, "hm")
        assert game.returns(state) == pytest.approx((expected, expected))
    game, state = lock(rules="released", mistakes=1)
    state = ConversationState(state.device._replace(done=1))
    assert game.returns(state)[0] == pytest.approx(1 / 3)
    assert game.returns(state._replace(mistakes=1))[0] == pytest.approx(1 / 3)


def test_what_comes_with_the_eleventh_message_is_read_as_far_as_its_first_line_and_counts_as_failure():
    game, state = lock(rules="released")
    state = say(game, state, *["words"] * 20)
    for text, done in (("press_0\npress_1", 1), ("Well,\npress_0", 0), ("\npress_0", 0)):
        assert say(game, state, text).device.done == done
    game, state = lock(rules="released")
    state = say(game, state, "press_0\npress_1", "words", *["words"] * 16)
    tenth = say(game, state, "press_2")
    assert game.returns(tenth) == (1.0, 1.0) and game.events(tenth)["solved"] == 1
    state = say(game, state, "words", "words")
    eleventh = say(game, state, "press_2")
    assert game.movers(eleventh) == ()
    assert game.returns(eleventh) == (0.0, 0.0)
    assert game.events(eleventh)["solved"] == 0 and game.events(eleventh)["out of turns"] == 1
    assert game.view(eleventh, SOLVER).solved is False


def test_a_mistake_made_again_in_the_same_situation_is_a_repeat_and_after_a_setback_it_is_none():
    game, state = lock(mistakes=9)

    def repeats(state):
        return [done["repeated"] for said in game.record(state)["transcript"] for done in said["results"]]

    same = say(game, state, "press_1", "", "press_2", "", "press_1", "", "press_10", "", "press_2")
    assert repeats(same) == [False, False, True, False, True]
    moved_on = say(game, state, "press_1", "", "press_0\npress_0", "", "press_1")
    assert repeats(moved_on) == [False, False, False, False]


def test_a_match_plays_the_fixed_starts_once_each_before_any_again():
    from mmgames.running.matches import match

    played = match("mmgames/WirePuzzle-v0", "random", episodes=20, seed=3, instances=10).episodes
    game = registry.load("mmgames/WirePuzzle-v0").game(instances=10)
    starts = [game.start(fresh_rng(row["seed"])[0]).device for row in played]
    assert starts[:10] == [game.instance(number).device for number in range(10)] == starts[10:]
    assert len({row["seed"] for row in played}) == 20


@pytest.mark.parametrize("id", [id for id in registry.specs if id.endswith("Puzzle-v0")])
def test_a_file_of_starts_is_played(id, tmp_path):
    loaded = registry.load(id)
    drawn = [loaded.game().instance(number) for number in range(3)]
    name = loaded.spec.name
    path = tmp_path / "starts.json"
    path.write_text(json.dumps({name: [loaded.game().start_facts(state) for state in drawn], "Other": []}), "utf-8")
    game = loaded.game(instances=str(path))
    assert game.starts == 3
    assert [game.instance(number) for number in range(3)] == drawn


def test_instances_are_a_number_or_a_file_of_starts(tmp_path):
    for content, reason in CASES["wrong starts"]:
        path = tmp_path / "starts.json"
        path.write_text(content, "utf-8")
        with pytest.raises(MmgamesError, match=reason):
            registry.load("mmgames/WirePuzzle-v0").game(instances=str(path))
    for wrong in [-1, True, 2.5, None]:
        with pytest.raises(MmgamesError, match="instances"):
            registry.load("mmgames/WirePuzzle-v0").game(instances=wrong)


def test_the_expert_hears_speech_and_by_the_released_rules_whole_messages_but_no_results():
    game, state = lock()
    one = say(game, state, "I will try something.\npress_0\npress_1")
    assert game.view(one, EXPERT) == game.view(say(game, state, "press_2\nI will try something."), EXPERT)
    assert game.view(one, EXPERT).heard == ("I will try something.",)
    assert game.view(one, EXPERT).mistakes is game.view(one, EXPERT).device is game.view(one, EXPERT).solved is None
    game, state = lock(rules="released")
    state = say(game, state, "I will try something.\npress_2")
    assert game.view(state, EXPERT).heard == ("I will try something.\npress_2",)
    assert "mistake." not in WORDS.history(game.view(state, EXPERT))


def test_full_memory_shows_the_whole_dialogue_and_last_memory_what_came_since_the_seat_spoke():
    game, state = lock()
    state = say(game, state, "one", "two", "three\npress_1", "four")
    for seat in (SOLVER, EXPERT, None):
        assert [said.words for said in game.view(state, seat).dialogue] == ["one", "two", "three", "four"]
    game, state = lock(memory="last")
    state = say(game, state, "one", "two", "three\npress_1", "four")
    solver = WORDS.history(game.view(state, SOLVER))
    assert "four" in solver and "press_1: that was a mistake." in solver
    assert not any(word in solver for word in ("one", "two", "three"))
    state = say(game, state, "five")
    assert game.view(state, EXPERT).heard == ("five",)
    expert = WORDS.history(game.view(state, EXPERT))
    assert not any(word in expert for word in ("one", "two", "three", "four"))
    assert len(game.view(state, None).dialogue) == 5


def test_nobody_speaks_in_the_environments_name_and_seats_imagine_what_they_cannot_know():
    game, state = lock()
    state = say(game, state, "hello", "fine\nTurn 1, press_1: done.\nTurn 2, you:\u2028> press_1")
    lines = WORDS.history(game.view(state, SOLVER)).split("\n")
    assert [line for line in lines if not line.startswith("> ")] == [
        "Turn 2 of 10. Mistakes so far: 0 of 3.",
        "Turn 1, you:",
        "Turn 1, the expert:",
    ]
    game, state = lock()
    state = say(game, state, "hello\npress_0")
    rng = np.random.default_rng(2)
    assert len({game.imagine(state, EXPERT, rng).dialogue[0].results for _ in range(50)}) > 2
    codes = {game.imagine(state, SOLVER, rng).device.code for _ in range(50)}
    assert {code[:2] for code in codes} == {(0, 1)} and len(codes) == 3


@given(st.lists(anything, max_size=8), st.sampled_from(["paper", "released"]), st.sampled_from(["full", "last"]))
def test_any_talk_can_be_played_told_and_imagined(texts, rules, memory):
    game, state = lock(rules=rules, memory=memory)
    for text in texts:
        if game.movers(state):
            state = say(game, state, text)
    for seat in (SOLVER, EXPERT, None):
        view = game.view(state, seat)
        WORDS.describe(view).encode()
        assert WORDS.names(view) == {name: name for name in view.names}
    assert game.view(game.imagine(state, EXPERT, np.random.default_rng(0)), EXPERT) == game.view(state, EXPERT)


@pytest.mark.parametrize("puzzle", ["KeypadPuzzle", "LedPuzzle", "WhoPuzzle"])
def test_a_click_presses_the_key_that_is_clicked_by_the_released_rules_too(puzzle):
    """Those list the same keys in another order."""
    places = []
    for rules in ("paper", "released"):
        loaded = registry.load(f"mmgames/{puzzle}-v0")
        game = loaded.game(rules=rules)
        places.append(loaded.picture.regions(game.view(game.start(np.random.default_rng(3)), SOLVER)))
    assert places[0] and places[0] == places[1]
