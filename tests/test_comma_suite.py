"""The COMMA suite: pairs, measures, published figures."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import mmgames
from mmgames import suites

PUZZLES = [entry.id for entry in suites.find("comma").entries]


def test_all_ten_puzzles_are_in_the_suite():
    assert len(PUZZLES) == 10
    assert set(PUZZLES) == {id for id in mmgames.specs if id.endswith("Puzzle-v0")}


@pytest.fixture(scope="module")
def scripted():
    return suites.find("comma").evaluate("oracle", episodes=4, seed=3)


def test_the_scripted_pair_solves_everything_and_leaks_nothing(scripted):
    for row in scripted["rows"]:
        assert row["raw"] == 100, row["environment"]
        assert row["partial"]["mean"] == 100
        assert row["mistakes"]["mean"] == 0
        assert row["leaks"]["mean"] == 0
        assert row["length"]["mean"] <= 10
        assert 0.5 < row["efficiency"] <= 1


def test_the_published_row_stands_beside_released_runs_only():
    suite = suites.find("comma")
    only = ["WhoPuzzle"]
    released = suite.evaluate("random", episodes=30, only=only, rules="released")["rows"][0]
    assert released["published"]["value"] == 44
    assert released["published_partial"] == 44
    paper = suite.evaluate("random", episodes=3, only=only)["rows"][0]
    assert paper["published"] is None
    assert "published_partial" not in paper


def test_an_unsolved_talk_counts_its_full_length():
    row = suites.find("comma").evaluate(("random", "random"), episodes=5, only=["PasswordPuzzle"])["rows"][0]
    assert row["raw"] == 0
    assert row["length"]["mean"] == 10
    assert row["solved_by_turn"] == [0.0] * 10
    assert row["errors"]["acted without asking"] == 1


def test_a_silent_expert_leaves_a_scripted_solver_worse_off_but_standing():
    result = suites.find("comma").evaluate(("scripted_solver", "random"), episodes=3, seed=1)
    assert all(row["failed"] == 0 for row in result["rows"])
    assert result["overall_normalised"] < 80


def test_a_random_solver_does_not_upset_a_scripted_expert():
    result = suites.find("comma").evaluate(("random", "scripted_expert"), episodes=3, seed=1)
    assert all(row["failed"] == 0 for row in result["rows"])


def test_the_command_takes_a_pair_and_plots_turns(tmp_path):
    plot = tmp_path / "turns.png"
    command = [sys.executable, "-m", "mmgames", "eval", "comma", "--solver", "scripted_solver", "--expert", "random"]
    command += ["--episodes", "2", "--only", "WirePuzzle", "--turns", str(plot), "--json"]
    result = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert result["agent"] == "scripted_solver + random"
    assert plot.read_bytes().startswith(b"\x89PNG")
