"""Failures that states decide: each law with what it names, and with what it does not."""

from __future__ import annotations

import json

import pytest

from mmgames import cli, suites
from mmgames.agents.base import Agent
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.seeding import fresh_rng
from mmgames.running.matches import match
from mmgames.suites.spoken import failures
from mmgames.suites.spoken.claims import false_statements
from mmgames.text.facts import Count, Fact, same

PANELS = ("Wire", "Who", "Led", "Memory", "Color", "Password", "Maze")


class Speaker(Agent):
    """Says what a function makes of its turn."""

    def __init__(self, say):
        self.say = say

    def act(self, turn):
        return self.say(turn)


def played(game, say, **options):
    return match(f"mmgames/{game}-v0", Speaker(say), 1, 5, on_illegal="retry", **options).episodes[0]


def kinds(record):
    return [(failure.kind, failure.step) for failure in failures.found(record)]


def first_move(turn, words=""):
    return f"{words}\n{json.dumps({'action': next(iter(turn.names.values()))})}"


FACTS = [
    Fact(("b2",), "X", same(("X", "O")) | {"empty": "empty"}),
    Fact(("second wire", "wire 2"), "red", same(("red", "blue", "white"))),
    Fact(("third wire", "wire 3"), "blue", same(("red", "blue", "white"))),
    Fact(("slot 0",), "red 1", same(("red 1", "blue 1")), ("player_1",)),
    Fact(("display",), "YOU'RE", same(("YOU'RE", "UH UH", "WHAT?"))),
    Count("wires", 4),
]


@pytest.mark.parametrize(
    "text",
    [
        "B2 is empty.",
        "There is an O on b2.",
        "The second wire is blue and the third wire is red.",
        "- **Wire 2**: red, wire 3: white",
        "Wire 2 = white",
        "player_1 has a blue 1 in slot 0.",
        "The display shows UH UH.",
        "There are five wires.",
        "The number of wires is 3.",
        "I see 12 wires.",
    ],
)
def test_a_statement_that_is_not_true_is_false(text):
    assert false_statements(text, FACTS) == [text]
    assert false_statements(f"Hello there! {text}\nWhat now?", FACTS) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "B2 has an X, wire 2 is red, and wire 3 is blue.",
        "The display shows YOU'RE.",
        "There are 4 wires.",
        "B2 is X's strongest point.",
        "If B2 were empty, I would take it.",
        "Is the second wire blue?",
        "The second wire is red or blue.",
        "I said that wire 2 will be white.",
        "Slot 0 is blue 1.",  # whose?
        "There are at least five wires.",
        "There are two red wires.",
        "B2 is not empty.",
        "O on B2.",
        "B2 is x.",
        "The wires that fit wire 2: white, red.",
        "B2 and wire 2 are white.",
    ],
)
def test_what_is_true_or_states_nothing_plainly_is_not(text):
    assert false_statements(text, FACTS) == []
    assert false_statements(text, []) == []


@pytest.mark.parametrize("game", ["Hanabi", "KuhnPoker", "TicTacToe", "Sudoku", *(f"{name}Puzzle" for name in PANELS)])
def test_true_statements_about_what_is_seen_are_never_false_and_others_are(game):
    loaded = registry.load(f"mmgames/{game}-v0")
    live = LiveGame(loaded, loaded.game())
    for seed in range(3):
        live.start(fresh_rng(seed)[0])
        facts = [fact for fact in failures.facts_of(live, 0) if isinstance(fact, Fact)]
        assert facts
        for fact in facts:
            thing = " ".join((*fact.owners[:1], fact.names[0]))
            right = next(said for said, meant in fact.values.items() if meant == fact.value)
            wrong = next(said for said, meant in fact.values.items() if meant != fact.value)
            assert false_statements(f"{thing}: {right}", facts) == []
            assert false_statements(f"{thing}: {wrong}", facts) == [f"{thing}: {wrong}"]


def test_a_false_statement_is_found_at_the_position_it_is_about():
    record = played("TicTacToe", lambda turn: first_move(turn, "A1 is empty."))
    assert {step for kind, step in kinds(record) if kind == failures.FALSE} == set(range(1, len(record["actions"])))
    assert failures.counted([record])["examples"][failures.FALSE] == "o: A1 is empty."  # the first


def role(words, seat="white", **more):
    replies = [{"seat": "white", "step": 0, "reply": ""}, {"seat": "black", "step": 0, "reply": ""}]
    record = {"replies": [*replies, {"seat": seat, "step": 1, "reply": words}], **more}
    return [failure.said for failure in failures._roles(record)]


@pytest.mark.parametrize(
    "words", ["I am black.", "So far so good.\nI'm playing black, and you lead.", "My side is black"]
)
def test_a_seat_that_says_to_be_another_is_confused(words):
    assert role(words)
    assert not role(words, "black")


@pytest.mark.parametrize(
    "words", ["I am white.", "As black has no moves, I win.", "I am not black.", "Am I black?", "I am black, right?",
              "I am black's worst opponent.", "You are black."]
)  # fmt: skip
def test_a_seat_may_speak_of_others_and_of_itself(words):
    assert not role(words)


def test_a_player_who_says_to_be_the_spy_is_confused():
    assert role("I am the spy.", spies=[0]) and not role("I am the spy.") and not role("You are the spy.", spies=[0])


def test_an_expert_that_acts_is_confused_and_a_solver_is_not():
    assert role("I will cut wire 2.", "expert", action_names=["cut_wire_2"])
    assert not role("I will cut wire 2.", "solver", action_names=["cut_wire_2"])


def test_the_same_words_a_third_time_are_a_loop_unless_something_has_changed():
    def ask(turn):
        return "Which one?" if turn.role == "solver" else f"Message {turn.view.turn}."

    assert [step for kind, step in kinds(played("WirePuzzle", ask, max_steps=10)) if kind == failures.LOOP] == [4, 6, 8]
    moves = played("TicTacToe", lambda turn: first_move(turn, "I take this one."))
    assert failures.LOOP not in dict(kinds(moves))


@pytest.mark.parametrize(("plan", "named"), [("I take the corner because it is the best of all.", True), ("", False)])
def test_only_an_illegal_move_that_is_argued_for_is_a_plan(plan, named):
    def say(turn):
        return first_move(turn, plan) if turn.refused else f'{plan}\n{{"action": "A1"}}'

    record = played("TicTacToe", say)
    assert (failures.PLAN in dict(kinds(record))) == named
    assert all(step > 0 for kind, step in kinds(record) if kind == failures.PLAN)  # the first is legal


@pytest.mark.parametrize("same_move", [True, False])
def test_nearly_always_the_same_move_is_low_diversity(same_move):
    def say(turn):
        names = sorted(turn.names.values())
        return json.dumps({"action": names[0 if same_move else int(turn.rng.integers(len(names)))]})

    record = played("CoinDilemma", say, max_steps=20)
    assert (failures.NARROW in dict(kinds(record))) == same_move


def test_scripted_talks_are_without_failures():
    for entry in suites.find("comma").entries:
        for record in match(entry.id, ("scripted_solver", "scripted_expert"), 3, 11).episodes:
            assert failures.found(record) == [], entry.id


def test_the_command_and_the_page_count_what_is_kept(tmp_path, capsys):
    suite = suites.find("comma")
    pair = ("scripted_solver", "random")  # nobody answers, so the solver says the same again and again
    result = suite.evaluate(pair, episodes=2, only=["WirePuzzle"], out=tmp_path)
    counted = result["rows"][0]["failures"]
    assert counted["kinds"][failures.LOOP]["episodes"] == counted["episodes"] == 2
    assert "| scripted_solver + random | repetition loop | 100 |" in suite.page("mmgames", [result], {})
    capsys.readouterr()
    assert cli.main(["failures", str(tmp_path), "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["kinds"] == counted["kinds"]
    assert cli.main(["failures", str(tmp_path)]) == 0
    assert "repetition loop" in capsys.readouterr().out
    assert cli.main(["failures", str(tmp_path / "nothing")]) == 2


def test_counts_of_both_seats_are_one():
    one = {"episodes": 2, "unreadable": 0, "kinds": {"repetition loop": {"times": 3, "episodes": 1}}, "examples": {}}
    both = failures.together([{}, one, one])
    assert both["episodes"] == 4 and both["kinds"]["repetition loop"] == {"times": 6, "episodes": 2}
    assert failures.together([{}, {}]) == {}


def test_an_episode_that_does_not_replay_is_counted_as_such():
    record = dict(played("TicTacToe", first_move))
    broken = {**record, "actions": [[8], [8]]}
    counted = failures.counted([record, broken])
    assert counted["episodes"] == 1 and counted["unreadable"] == 1


def test_agents_that_do_not_speak_are_not_looked_at():
    assert failures.counted(match("mmgames/TicTacToe-v0", "random", 2, 1).episodes) == {}
    assert failures.counted(match("mmgames/WirePuzzle-v0", "random", 2, 1).episodes) == {}
