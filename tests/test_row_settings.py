"""Settings that change a score stand in its row, every suite takes them, and comparisons tell where they differ."""

import json
from functools import partial
from pathlib import Path

import pytest

from mmgames import cli, suites
from mmgames.text.tables import COLUMNS
from tests.cases import cases
from tests.players import Says
from tests.refusing import refused

LISTED, NOTHING = "## Legal actions", '{"action": "nothing"}'


def test_every_suite_runs_with_and_without_a_list_of_legal_moves() -> None:
    for name, how in cases(__file__)["suites"]:
        suite = suites.find(name)
        if not how:  # one of its many opponents
            how = {"left_out": [{"environment": one.id, "variant": one.variant} for one in suite.entries[1:]]}
        for listed in (True, False):
            agent = Says(NOTHING)
            rows = suite.evaluate(agent, 1, legal_in_text=listed, **how)["rows"]
            assert {row["settings"].get("legal_in_text") for row in rows} == ({None} if name == "viki" else {listed})
            assert any(LISTED in text for text in agent.prompts) == (listed and name != "viki")
        assert suite.evaluate("random", 1, legal_in_text=False, **how)["rows"]
        if name == "vs-bench":
            refused(
                partial(suite.evaluate, Says(NOTHING), 1, legal_in_text=3, **how), "legal_in_text=3 is not possible"
            )


def test_a_row_tells_its_settings_and_whoever_does_not_read_has_none() -> None:
    suite = suites.find("vs-bench")
    row = suite.evaluate(Says(NOTHING, size=96), 1, only="TicTacToe", variant="cot")["rows"][0]
    settings = {"observe": "text", "size": 96, "frames": None, "reasoning": "cot", "legal_in_text": True}
    assert row["settings"] == {**settings, "reading": "paragraph", "asked_again": True}
    read = suite.with_reading("released").evaluate(Says(NOTHING), 1, only="TicTacToe")["rows"][0]["settings"]
    assert read["reading"] == "vs-bench" and not read["asked_again"]
    assert "settings" not in suite.evaluate("random", 1, only="TicTacToe")["rows"][0]


def test_a_comparison_says_in_which_settings_rows_differ(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = suites.find("vs-bench")
    for number, listed in enumerate((True, False)):
        suite.evaluate(Says(NOTHING, size=96), 2, only="TicTacToe", legal_in_text=listed, out=tmp_path / str(number))
    runs = [str(tmp_path / "0"), str(tmp_path / "1")]
    assert cli.main(["compare", *runs]) == 0
    told = capsys.readouterr().out
    assert "other settings (legal_in_text True and False): TicTacToe-v0" in told and "rows are paired" in told
    assert max(map(len, told.splitlines())) <= COLUMNS
    assert cli.main(["compare", *runs, "--json"]) == 0 and len(json.loads(capsys.readouterr().out)[0]["settings"]) == 1
    assert cli.main(["compare", runs[0], runs[0]]) == 0 and "other settings" not in capsys.readouterr().out
