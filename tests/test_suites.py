"""Suites: published tables, reproduced."""

import json
import subprocess
import sys

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import exploitability as open_spiel_exploitability
from open_spiel.python.policy import TabularPolicy

import mmgames
from mmgames import cli, suites
from mmgames.baselines.search.exploitability import exploitability, information_sets, policy_of
from mmgames.errors import MmgamesError
from tests.refusing import refused
from tests.rules.kuhn import spiel_state

KUHN = mmgames.load_game("mmgames/KuhnPoker-v0")
SMALL = ["KuhnPoker", "CoinDilemma", "MonsterHunt", "BattleOfTheColors"]


def test_exploitability_agrees_with_open_spiel_on_random_policies():
    rng = np.random.default_rng(1)
    game = pyspiel.load_game("kuhn_poker")
    for _ in range(20):
        theirs = TabularPolicy(game)
        ours = {}
        for view, (seat, state) in information_sets(KUHN).items():
            bet = rng.random() if rng.random() < 0.7 else float(rng.integers(2))
            ours[view] = {0: 1 - bet, 1: bet}
            key = spiel_state(state).information_state_string(seat)
            theirs.action_probability_array[theirs.state_lookup[key]] = [1 - bet, bet]
        expected = open_spiel_exploitability.exploitability(game, theirs)
        assert exploitability(KUHN, ours) == pytest.approx(expected, abs=1e-12)


class AlwaysBets:
    def act(self, turn):
        return 1


def test_an_agent_that_only_acts_is_asked_for_its_policy():
    policy = policy_of((AlwaysBets(), AlwaysBets()), KUHN, 25, np.random.default_rng(0))
    assert all(chances == {0: 0.0, 1: 1.0} for chances in policy.values())
    assert len(policy) == 12


@pytest.mark.parametrize("agent", ["random", "oracle"])
def test_vs_bench_rows_agree_with_the_published_ones_and_with_exact_plans(agent):
    result = suites.find("vs-bench").evaluate(agent, episodes=30, seed=2, only=SMALL)
    for row in result["rows"]:
        published = row["published"]
        if row["standard_error"] is None:
            assert row["raw"] == pytest.approx(published["value"], abs=1e-9)
        elif agent == "oracle" and "of_optimum" in row:  # it does better than the published one, as far as that goes
            assert abs(row["of_optimum"]["mean"] - 100) < 3 * row["of_optimum"]["standard_error"], row
        else:
            assert abs(published["difference_in_standard_errors"]) < 3, row
    capped = result["overall"]["decision making, each game at most 100"]
    assert capped == pytest.approx(0 if agent == "random" else 100, abs=6)


def test_the_normaliser_puts_random_at_zero_and_the_reference_at_a_hundred():
    for entry in suites.find("vs-bench").entries:
        low, high = entry.normal
        assert low < high
        if "random" in entry.published and "Predict" not in entry.id:
            assert entry.published["random"].value == pytest.approx(low)


def test_eval_prints_one_json_document_and_goes_on_from_its_records(tmp_path):
    command = [sys.executable, "-m", "mmgames", "eval", "vs-bench", "--agent", "random", "--episodes", "5", "--json"]
    command += ["--out", str(tmp_path), *(word for name in SMALL for word in ("--only", name))]
    first = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    kept = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert "CoinDilemma-random.jsonl" in kept
    second = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert first == second
    assert kept == {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert [row["environment"].partition("/")[2] for row in first["rows"]] == [f"{name}-v0" for name in SMALL]


def test_unknown_suites_and_agents_are_said_in_a_sentence():
    refused(lambda: suites.find("vsbench"), "Did you mean 'vs-bench'")
    refused(lambda: suites.find("vs-bench").evaluate("wait_middle", episodes=1), "Unknown agent 'wait_middle'")
    with pytest.raises(MmgamesError, match="Unknown environment 'mmgames/WirePuzzle-v0' for the suite vs-bench"):
        suites.find("vs-bench").evaluate("random", episodes=1, only=["WirePuzzle"])


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"episodes": 2.0}, "at least one episode, not 2.0"),
        ({"episodes": "5"}, "at least one episode, not '5'"),
        ({"seed": -1}, "from 0 up, not -1"),
        ({"seed": True}, "from 0 up, not True"),
        ({"processes": 0}, "At least one process is needed, not 0"),
    ],
)
@pytest.mark.parametrize("suite", ["vs-bench", "comma", "lvlm-playground"])
def test_impossible_numbers_are_said_in_a_sentence(suite, wrong, sentence):
    refused(lambda: suites.find(suite).evaluate("random", **wrong), sentence)


def test_all_is_meant_by_none_and_one_name_by_a_string():
    suite = suites.find("vs-bench")
    one = suite.evaluate("random", 2, only="KuhnPoker")["rows"]
    assert [row["environment"] for row in one] == ["mmgames/KuhnPoker-v0"]
    assert suite.ids_of(None) == set()


def test_a_suite_page_and_a_radar_plot_are_written(tmp_path):
    page, plot = tmp_path / "page.md", tmp_path / "radar.png"
    command = ["eval", "vs-bench", "--agent", "random", "--agent", "oracle", "--episodes", "3"]
    command += ["--markdown", str(page), "--radar", str(plot), *(word for name in SMALL for word in ("--only", name))]
    assert cli.main(command) == 0
    written = page.read_text()
    assert "|  | Overall | Hanabi |" in written and "| *o4-mini* |" in written
    assert "## Table 1" not in written, "nothing of it was measured"
    assert plot.read_bytes().startswith(b"\x89PNG")
