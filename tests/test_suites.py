"""Suites: published tables, reproduced."""

import json
from functools import partial

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import exploitability as open_spiel_exploitability
from open_spiel.python.policy import TabularPolicy

import mmgames
from mmgames import cli, suites
from mmgames.baselines.search.exploitability import exploitability, information_sets, policy_of
from mmgames.errors import MmgamesError
from tests.players import Acts
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
    policy = policy_of((Acts(1), Acts(1)), KUHN, 25, np.random.default_rng(0))
    assert all(chances == {0: 0.0, 1: 1.0} for chances in policy.values()) and len(policy) == 12


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


def test_eval_prints_one_json_document_and_goes_on_from_its_records(tmp_path, capsys):
    command = ["eval", "vs-bench", "--agent", "random", "--episodes", "5", "--processes", "1", "--json"]
    command += ["--out", str(tmp_path), *(word for name in SMALL for word in ("--only", name))]
    told = []
    for _ in range(2):
        assert cli.main(command) == 0
        kept = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        told.append((json.loads(capsys.readouterr().out), kept))
    assert told[0] == told[1] and "CoinDilemma-random.jsonl" in kept
    assert [row["environment"].partition("/")[2] for row in told[0][0]["rows"]] == [f"{name}-v0" for name in SMALL]


def test_unknown_suites_and_agents_are_said_in_a_sentence_and_none_means_all():
    refused(lambda: suites.find("vsbench"), "Did you mean 'vs-bench'")
    refused(lambda: suites.find("vs-bench").evaluate("wait_middle", episodes=1), "Unknown agent 'wait_middle'")
    with pytest.raises(MmgamesError, match="Unknown environment 'mmgames/WirePuzzle-v0' for the suite vs-bench"):
        suites.find("vs-bench").evaluate("random", episodes=1, only=["WirePuzzle"])
    suite = suites.find("vs-bench")
    one = suite.evaluate("random", 2, only="KuhnPoker")["rows"]
    assert [row["environment"] for row in one] == ["mmgames/KuhnPoker-v0"] and suite.ids_of(None) == set()
    for entry in suites.find("vs-bench").entries:
        low, high = entry.normal
        assert low < high
        if "random" in entry.published and "Predict" not in entry.id:
            assert entry.published["random"].value == pytest.approx(low)


@pytest.mark.parametrize("suite", ["vs-bench", "comma", "lvlm-playground"])
def test_impossible_numbers_are_said_in_a_sentence(suite):
    evaluate = suites.find(suite).evaluate
    for wrong in (2.0, "5"):
        refused(partial(evaluate, "random", episodes=wrong), f"at least one episode, not {wrong!r}")
    for wrong in (-1, True):
        refused(partial(evaluate, "random", seed=wrong), f"from 0 up, not {wrong}")
    refused(lambda: evaluate("random", processes=0), "At least one process is needed, not 0")


def test_a_suite_page_and_a_radar_plot_are_written(tmp_path):
    page, plot = tmp_path / "page.md", tmp_path / "radar.png"
    command = ["eval", "vs-bench", "--agent", "random", "--agent", "oracle", "--episodes", "3"]
    command += ["--markdown", str(page), "--radar", str(plot), *(word for name in SMALL for word in ("--only", name))]
    assert cli.main(command) == 0
    written = page.read_text()
    assert "|  | Overall | Hanabi |" in written and "| *o4-mini* |" in written
    assert "## Table 1" not in written, "nothing of it was measured"
    assert plot.read_bytes().startswith(b"\x89PNG")
