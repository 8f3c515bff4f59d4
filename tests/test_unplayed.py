"""Games whose extra is not installed: the rest is played, and nothing looks whole that is not."""

import html
import inspect
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mmgames import cli, suites
from mmgames.core import registry
from mmgames.datasets import lvlm_playground, vs_bench
from mmgames.errors import MissingExtra
from mmgames.suites.results import unplayed
from tests.chat_server import serving
from tests.refusing import refused

HIDING = """
{hidden}

import sys
sys.meta_path.insert(0, Hidden(sys.argv.pop(1)))
from mmgames.cli import main
sys.exit(main(sys.argv[1:]))
"""
FEW = ["--only", "CoinDilemma", "--only", "Pong", "--only", "KuhnPoker"]
PONG = "Pong (extra atari). Install what they need with pip install 'mmgames[atari]'."


class Hidden:
    def __init__(self, module: str) -> None:
        self.module = module

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if f"{name}.".startswith(f"{self.module}."):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


@contextmanager
def lacking(name: str) -> Iterator[None]:
    """Here and now, a game whose rules cannot be imported because they need an extra."""
    spec = registry.find(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(registry.specs, spec.id, replace(spec, extras=("window",)))
        patch.setattr(sys, "meta_path", [Hidden(f"{spec.package}.rules"), *sys.meta_path])
        patch.delitem(sys.modules, f"{spec.package}.rules", raising=False)
        patch.delitem(registry._loaded, spec.id, raising=False)
        yield
    registry._loaded.pop(spec.id, None)


@pytest.fixture(scope="module")
def run_without_atari(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess]:
    folder = tmp_path_factory.mktemp("unplayed")
    code = "from __future__ import annotations\n" + HIDING.format(hidden=inspect.getsource(Hidden))
    command = ["eval", "vs-bench", "--agent", "random", "--episodes", "2", "--processes", "1", *FEW]
    command += ["--out", "run", "--markdown", "page.md", "--json"]
    started = [sys.executable, "-c", code, "ale_py", *command]
    return folder, subprocess.run(started, capture_output=True, text=True, timeout=600, cwd=folder)


def test_a_suite_says_what_it_lacks_plays_the_rest_and_shows_the_hole(run_without_atari) -> None:
    folder, done = run_without_atari
    assert done.returncode == 0, done.stderr
    first, *rest = done.stderr.splitlines()
    assert first == f"mmgames: not played: {PONG}"
    assert rest and all("CoinDilemma" in line for line in rest), "progress comes after it"
    result = json.loads(done.stdout)
    assert [row["environment"] for row in result["rows"]] == ["mmgames/KuhnPoker-v0", "mmgames/CoinDilemma-v0"]
    (one,) = result["unplayed"]
    assert one["environment"] == "mmgames/Pong-v0" and one["extras"] == ["atari"]
    assert result["overall"]["decision making"] == np.mean([row["normalised"] for row in result["rows"]])
    assert result["over"]["decision making"] == result["over"][unplayed.ALL] == {"environments": 2, "of": 8}
    assert "(over 2 of 8 environments)" in suites.find("vs-bench").headline(result)[0]
    assert unplayed.over({"over": {unplayed.ALL: {"environments": 8, "of": 8}}}) == "", "a whole one needs no words"
    page = (folder / "page.md").read_text("utf-8")
    assert f"Not played: {PONG}".replace("[", r"\[").replace("]", r"\]") in page
    decisions = page.partition("## Table 2")[2].partition("\n## ")[0].splitlines()
    head, ours = (next(line for line in decisions if line.startswith(start)) for start in ("|  |", "| random"))
    cells = dict(zip(head.split("|"), ours.split("|"), strict=True))
    assert cells[" Pong "] == " not played " and cells[" Overall "] == " – ", "no mean stands under Overall"
    assert cells[" Hanabi "] == " – ", "what was not asked for is no one"
    assert cli.main(["report", str(folder / "run"), "--out", str(folder / "page.html")]) == 0
    report = (folder / "page.html").read_text("utf-8")
    assert '<small class="missing">not played</small>' in report and "over 2 of 8 environments" in report
    assert "Not played: Pong (extra atari)" in report
    summary, _, papers = report.partition("Beside the published models")
    assert summary.count("not played") == 2, "in the table and among the bars"
    assert papers.count("<td>not played</td>") == 3, "and in each of the paper's tables that has the game"


def test_the_same_run_fills_the_hole_when_the_extra_is_there(run_without_atari, tmp_path: Path, capsys: Any) -> None:
    pytest.importorskip("ale_py")
    folder, done = run_without_atari
    shutil.copytree(folder / "run", tmp_path / "run")
    records = {path: path.read_bytes() for path in (tmp_path / "run").glob("CoinDilemma*.jsonl")}
    command = ["eval", "vs-bench", "--agent", "random", "--episodes", "2", "--processes", "1", *FEW]
    assert cli.main([*command, "--out", str(tmp_path / "run"), "--json"]) == 0
    out, err = capsys.readouterr()
    result, first = json.loads(out), json.loads(done.stdout)
    assert "not played" not in err and result["unplayed"] == []
    assert result["over"]["decision making"] == {"environments": 3, "of": 8}
    rows = {row["environment"]: row for row in result["rows"]}
    assert rows["mmgames/Pong-v0"]["episodes"] == 2
    assert all(rows[row["environment"]]["raw"] == row["raw"] for row in first["rows"])
    assert records and all(path.read_bytes() == content for path, content in records.items()), "nothing is played twice"


@pytest.mark.parametrize("only", [FEW, ["--only", "Pong"]], ids=["strict", "nothing else is left"])
def test_strict_refuses_and_so_does_a_run_that_would_be_one_hole(only: list[str], tmp_path: Path, capsys: Any) -> None:
    command = ["eval", "vs-bench", "--agent", "random", *only, "--out", str(tmp_path / "run")]
    with lacking("Pong"):
        assert cli.main([*command, *(["--strict"] if len(only) > 2 else [])]) == 2
    told = "mmgames/Pong-v0 needs a package that is not installed: pip install 'mmgames[window]'."
    assert capsys.readouterr().err == f"mmgames: {told}\n" and not (tmp_path / "run").exists()


def test_questions_about_a_game_are_holes_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    only = [word for name in ("TicTacToe", "Chess") for word in ("--only", f"{name}-Rule", "--only", name)]
    command = ["eval", "lvlm-playground", "--episodes", "2", *only, "--agent", "random"]
    with lacking("Chess"):
        page = ["--agent", "legal_random", "--processes", "1", "--markdown", str(tmp_path / "page.md"), "--wide"]
        assert cli.main([*command, *page]) == 0
        out, err = capsys.readouterr()
        assert cli.main([*command, "--dry-run"]) == 0
        dry = capsys.readouterr()
    assert err.startswith("mmgames: not played: Chess (extra window).")
    assert out.count("not played") == 3, "two environments, one of which one agent is not asked"
    assert "Rule, weighted over the games" in out and out.count("(over 1 of 6 environments)") == 3
    assert " not played |" in (tmp_path / "page.md").read_text("utf-8")
    assert "Chess" not in dry.out and "not played: Chess" in dry.err


def test_what_is_skipped_is_a_hole(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    command = ["eval", "viki", "--agent", "random", "--episodes", "2", "--processes", "1"]
    command += ["--out", str(tmp_path / "run")]
    only = ["--only", "VikiKitchen-Plan", "--only", "VikiKitchen-Activate"]
    skip = ["--skip", "VikiKitchen-Activate", "--skip", "VikiKitchen-Plan/pass@6", "--strict"]
    assert cli.main([*command, *only, *skip, "--json"]) == 0
    told = capsys.readouterr()
    result = json.loads(told.out)
    assert {"in domain", "pass@6 with feedback"} < {row["variant"] for row in result["rows"]}
    left = [(one["environment"].split("-")[1], one.get("variant")) for one in result["unplayed"]]
    assert left == [("Activate", None), ("Plan", "pass@6"), ("Activate", "no labels"), ("Activate", "text only")]
    assert "not played, as --skip says: mmgames/VikiKitchen-Activate-v0" in told.err
    assert cli.main(["report", str(tmp_path / "run"), "--out", str(tmp_path / "page.html")]) == 0
    assert "as --skip says" in (tmp_path / "page.html").read_text()
    assert cli.main([*command, "--only", "VikiKitchen-Activate", *skip]) == 2
    assert "--skip leaves nothing of it to play" in capsys.readouterr().err
    for wrong in ("TicTacToe", "VikiKitchen-Plan/pass@7"):
        assert cli.main([*command, "--skip", wrong]) == 2 and wrong in capsys.readouterr().err
    command = ["dataset", "vision-zero", str(tmp_path / "pairs"), "--n", "2", "--processes", "1"]
    assert cli.main([*command, "--strict"]) == 0
    with lacking("KuhnPoker"):
        command = ["dataset", "vs-bench", str(tmp_path / "data"), "--games", "KuhnPoker", "CoinDilemma", "--rows", "8"]
        assert cli.main([*command, "--strict"]) == 2
    assert "KuhnPoker-v0 needs a package that is not installed" in capsys.readouterr().err
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("name", suites.suites())
def test_every_suite_has_holes(name: str) -> None:
    suite = suites.find(name)
    games = list(dict.fromkeys(registry.find(_game(entry.id)).id for entry in suite.entries))
    ids = [next(entry.id for entry in suite.entries if _game(entry.id) == game) for game in games[:2]]
    with lacking(games[0]):
        if len(games) == 1:
            refused(lambda: suite.evaluate("random", 1, only=ids), "window", kind=MissingExtra)
            return
        refused(lambda: suite.evaluate("random", 1, only=ids, strict=True), "window", kind=MissingExtra)
        result = suite.evaluate("random", 2, only=ids)
        page = suite.page("a command", [result], {})
    assert {one["environment"] for one in result["unplayed"]} == {ids[0]}
    assert {row["environment"] for row in result["rows"]} == {ids[1]}
    assert "| not played |" in page and "Not played: " in page and "environments)" in " ".join(suite.headline(result))


def _game(id: str) -> str:
    from mmgames import tasks

    task = None if id in registry.specs else tasks.named(id)
    return id if task is None else task.game


def test_holes_stay_holes_when_a_run_is_scored_again(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    only = ["--only", "CoinDilemma-Predict", "--only", "TicTacToe", "--only", "KuhnPoker-Predict"]
    with serving(lambda request, number: "<STAY>") as server, lacking("KuhnPoker"):
        name = f"chat:tiny,base_url={server.url},observe=text"
        command = ["eval", "vs-bench", "--agent", name, "--episodes", "1", *only, "--json"]
        assert cli.main([*command, "--out", str(tmp_path / "old")]) == 0
    first = json.loads(capsys.readouterr().out)
    assert [one["environment"] for one in first["unplayed"]] == ["mmgames/KuhnPoker-Predict-v0"]
    assert cli.main([*command, "--replies-from", str(tmp_path / "old")]) == 0
    out, err = capsys.readouterr()
    again = json.loads(out)
    assert again["rows"] == first["rows"] and again["over"] == first["over"]
    assert err.startswith("mmgames: not played in the run that is scored again: KuhnPoker.")
    assert cli.main([*command, "--strict", "--replies-from", str(tmp_path / "old")]) == 2
    assert "KuhnPoker" in capsys.readouterr().err


def test_comparisons_and_demos_name_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    suite, only = suites.find("comma"), ["WirePuzzle", "MazePuzzle"]
    with lacking("WirePuzzle"):
        suite.evaluate("random", 2, only=only, out=tmp_path / "one")
    suite.evaluate("random", 2, only=only, out=tmp_path / "two")
    assert cli.main(["compare", str(tmp_path / "one"), str(tmp_path / "two")]) == 0
    told = capsys.readouterr().out.splitlines()
    overall = next(line for line in told if line.startswith("overall"))
    assert overall.startswith("overall (1 of 10 and 2 of 10) ")
    assert "Only the second has WirePuzzle." in told
    assert "–" in overall, "means over other environments have no difference"
    with lacking("WirePuzzle"):
        assert cli.main(["demo", "WirePuzzle", "MazePuzzle", "--out", str(tmp_path)]) == 0
        out, err = capsys.readouterr()
        assert "\nMazePuzzle " in out and "WirePuzzle" not in out
        told = "ot played: WirePuzzle (extra window). Install what they need with pip install 'mmgames[window]'."
        assert err.splitlines()[-1] == f"mmgames: n{told}"
        assert html.escape(f"N{told}") in (tmp_path / "index.html").read_text("utf-8")
        assert cli.main(["demo", "WirePuzzle", "--out", str(tmp_path)]) == 1


DATA: dict[str, Any] = {
    "vs-bench": (vs_bench, {"rows": 8, "size": 64, "games": ["KuhnPoker", "CoinDilemma"]}, "KuhnPoker"),
    "lvlm-playground": (lvlm_playground, {"rows": 4, "size": 64, "games": ["TicTacToe", "Sudoku"]}, "Sudoku"),
}


@pytest.mark.parametrize("name", DATA)
def test_a_data_set_leaves_out_what_it_cannot_play_and_makes_it_later(name: str, tmp_path: Path, capsys: Any) -> None:
    module, how, game = DATA[name]
    with lacking(game):
        refused(lambda: module.build(tmp_path / "data", **how, strict=True), game, kind=MissingExtra)
        assert not (tmp_path / "data").exists()
        report = module.build(tmp_path / "data", **how, progress=True)
        assert capsys.readouterr().err.startswith(f"mmgames: not made: {game} (extra window).")
        assert report["left out"] == {game: ["window"]} and f"not made: {game}" in module.table(report, "data")
        refused(lambda: module.build(tmp_path / "other", **{**how, "games": [game]}), game, kind=MissingExtra)
    there = {path.name: path.read_bytes() for path in (tmp_path / "data").glob("*.parquet")}
    assert there and not any(file.startswith(game) for file in there)
    assert "left out" in json.loads((tmp_path / "data" / "report.json").read_text())
    report = module.build(tmp_path / "data", **how)
    assert "left out" not in report and list((tmp_path / "data").glob(f"{game}*.parquet"))
    assert all((tmp_path / "data" / file).read_bytes() == content for file, content in there.items())
    module.build(tmp_path / "whole", **how)
    for file in (tmp_path / "whole").glob("*.parquet"):
        assert file.read_bytes() == (tmp_path / "data" / file.name).read_bytes(), "as if it had been there at once"
