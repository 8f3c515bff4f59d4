"""Files of starts: what a suite played can be played again by others, bit by bit."""

import json
from pathlib import Path

import pytest

from mmgames import suites
from mmgames.cli import main
from mmgames.running.matches import match
from tests.refusing import refused

SUITES = {
    "vs-bench": {"only": ["CoinDilemma", "KuhnPoker", "TicTacToe", "Hanabi-Predict"]},
    "comma": {"only": ["WirePuzzle"], "rules": "released"},
    "lvlm-playground": {"only": ["TicTacToe-Rule", "TicTacToe"]},
    "viki": {"only": ["VikiKitchen-Activate"]},
    "vision-zero": {"pictures": "chart"},
}


@pytest.mark.parametrize("name", SUITES)
def test_starts_are_written_and_played_again_bit_by_bit(name: str, tmp_path: Path) -> None:
    suite, file, options = suites.find(name), tmp_path / "starts.jsonl", dict(SUITES[name])
    first = suite.evaluate("random", 5, 3, write_instances=file, **options)
    again = suite.evaluate("random", 9, instances=file, only=options.get("only"), write_instances=tmp_path / "2.jsonl")
    assert again["rows"] == first["rows"] and again["seed"] == 3
    assert (tmp_path / "2.jsonl").read_bytes() == file.read_bytes()
    other = suite.evaluate("random", 5, 4, **options)
    assert other["rows"] != first["rows"]


def test_any_choice_of_starts_can_be_given(tmp_path: Path) -> None:
    suite, file = suites.find("comma"), tmp_path / "starts.jsonl"
    whole = suite.evaluate("random", 4, out=tmp_path / "whole", only="WirePuzzle", write_instances=file)
    head, *lines = file.read_text().splitlines()
    last = {**json.loads(lines[-1]), "number": 0}
    file.write_text("\n".join([head, json.dumps(last)]))
    one = suite.evaluate("random", 4, out=tmp_path / "one", only="WirePuzzle", instances=file)
    records = [
        json.loads(next((tmp_path / run).glob("WirePuzzle-random.jsonl")).read_text().splitlines()[-1])
        for run in ("whole", "one")
    ]
    assert records[0]["transcript"] == records[1]["transcript"]
    assert (whole["rows"][0]["episodes"], one["rows"][0]["episodes"]) == (4, 1)


def test_what_is_wrong_with_a_file_is_said_before_anything_is_played(tmp_path: Path) -> None:
    suite, file = suites.find("comma"), tmp_path / "starts.jsonl"
    refused(lambda: suite.evaluate("random", 1, instances=file), "cannot be read")
    head = {"suite": "comma", "seed": 0}
    start = {"environment": "mmgames/WirePuzzle-v0", "number": 0, "seed": 1, "options": {}}
    for lines, reason in [
        ([head], "holds no starts"),
        ([{**head, "suite": "viki"}, start], "is of the suite 'viki'"),
        ([head, {**start, "seed": "x"}], "line 2 lacks seed"),
        ([head, start], "has no starts of mmgames/TelehealthPuzzle-v0"),
    ]:
        file.write_text("\n".join(map(json.dumps, lines)))
        refused(lambda: suite.evaluate("random", 1, instances=file), reason)
    refused(lambda: match("TicTacToe", "random", 3, seed=[1, 2]), "2 seeds, and 3 episodes")


def test_the_command_writes_and_reads_starts(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    file = str(tmp_path / "s.jsonl")
    command = ["eval", "vs-bench", "--agent", "random", "--only", "CoinDilemma", "--json"]
    assert main([*command, "--episodes", "2", "--seed", "7", "--write-instances", file]) == 0
    first = json.loads(capsys.readouterr().out)
    assert main([*command, "--episodes", "3", "--instances", file]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == first["rows"]
