"""Failures that states decide: what is injected is found, and hardly anything else."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from mmgames import cli, suites
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.seeding import fresh_rng
from mmgames.running.matches import match
from mmgames.suites import failures
from mmgames.suites.claims import false_statements
from mmgames.suites.roles import speaks_as_another
from mmgames.text.facts import Count, Fact, same
from tests.failures.injector import PANELS, SEEDS, judged, shares


@pytest.mark.parametrize("half", SEEDS)
def test_injected_faults_are_named_and_hardly_anything_else(half):
    counts = judged(half)
    assert all(count["hits"] for count in counts.values()) and set(counts) == set(failures.KINDS)
    precision, recall = shares(sum(counts.values(), Counter()))
    assert precision >= 0.95 and recall >= 0.95, (precision, recall)


FACTS = [
    Fact(("b2",), "X", same(("X", "O")) | {"empty": "empty"}),
    Fact(("second wire", "wire 2"), "red", same(("red", "blue", "white"))),
    Fact(("slot 0",), "red 1", same(("red 1", "blue 1")), ("player_1",)),
    Count("wires", 4),
]


@pytest.mark.parametrize(
    "text",
    [
        "B2 is empty.",
        "There is an O on b2, so I play A1.",
        "The second wire is blue and the third one is red.",
        "Wire 2: white",
        "player_1 has a blue 1 in slot 0.",
        "There are five wires.",
        "The number of wires is 3.",
    ],
)
def test_a_statement_that_is_not_true_is_false(text):
    assert false_statements(text, FACTS) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "B2 is X's strongest point.",
        "If B2 were empty, I would take it.",
        "X on A1, O on C3, and B2 has an X.",
        "Is the second wire blue?",
        "The second wire is red or blue.",
        "I said that wire 2 will be white.",
        "My own slot 0 may be blue 1.",
        "There are at least five wires.",
        "There are two wires in the top row.",
        "B2 is not empty.",
        "I'm placing my first O on B2.",
        "Wire 2: blue, red or white?",
        "The wires that fit wire 2: white, red.",
    ],
)
def test_what_is_true_or_states_nothing_is_not(text):
    assert false_statements(text, FACTS) == []


@pytest.mark.parametrize("game", ["Hanabi", "KuhnPoker", "TicTacToe", "Sudoku", *(f"{name}Puzzle" for name in PANELS)])
def test_what_is_true_is_one_of_the_things_that_can_be_said(game):
    loaded = registry.load(f"mmgames/{game}-v0")
    live = LiveGame(loaded, loaded.game())
    for seed in range(3):
        live.start(fresh_rng(seed)[0])
        facts = failures.facts_of(live, 0)
        assert facts
        assert all(fact.value in fact.values.values() for fact in facts if isinstance(fact, Fact))


def test_a_seat_may_speak_of_others_and_of_itself():
    record = {"replies": [{"seat": "white"}, {"seat": "black"}]}
    assert speaks_as_another("I am playing black.", "white", record)
    assert speaks_as_another("I am playing black.", "black", record) is None
    assert speaks_as_another("As black has no moves, I win.", "white", record) is None
    assert speaks_as_another("I am not black, of course.", "white", record) is None


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


def test_agents_that_do_not_speak_are_not_looked_at():
    assert failures.counted(match("mmgames/TicTacToe-v0", "random", 2, 1).episodes) == {}
    assert failures.counted(match("mmgames/WirePuzzle-v0", "random", 2, 1).episodes) == {}
