"""Short names for agents: `as=NAME` in a description is what records, results and tables call it."""

import json
from pathlib import Path

import pytest

from mmgames import cli, suites
from mmgames.agents.finding import find_agent
from mmgames.agents.identity import agent_name, split_name
from mmgames.core import registry
from mmgames.errors import MmgamesError
from mmgames.running.matches import match
from tests.chat_server import serving
from tests.refusing import refused


@pytest.mark.parametrize(
    ("written", "plain", "name"),
    [
        ("chat:org/model=7b,as=Model-7B", "chat:org/model=7b", "Model-7B"),
        ("chat:as=Model 7B,model=m,base_url=http://h:1/v1", "chat:model=m,base_url=http://h:1/v1", "Model 7B"),
        ("random:as=Chance", "random", "Chance"),
        ("module:Class:as=Mine", "module:Class", "Mine"),
        ("chat:has=1,alias=2", "chat:has=1,alias=2", ""),
    ],
)
def test_a_name_is_told_from_the_options(written: str, plain: str, name: str) -> None:
    assert split_name(written) == (plain, name)
    assert agent_name(written) == (name or plain)


def test_files_and_tables_use_the_name_and_files_say_who_it_is(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    file = tmp_path / "kept.jsonl"
    command = ["match", "TicTacToe", "minimax:depth=1,as=Shallow", "random", "--episodes", "1", "--out", str(file)]
    assert cli.main([*command, "--processes", "1"]) == 0
    assert "Shallow" in capsys.readouterr().out
    about, row = map(json.loads, file.read_text().splitlines())
    assert about["about"]["agents"] == row["agents"] == ["Shallow", "random"]
    assert about["about"]["named"] == {"Shallow": "minimax:depth=1"}
    with pytest.raises(MmgamesError, match="holds other results"):
        match("mmgames/TicTacToe-v0", ("minimax:depth=2,as=Shallow", "random"), 2, out=file)
    plain = match("mmgames/TicTacToe-v0", ("minimax:depth=1", "random"), 1).episodes[0]
    assert {**plain, "agents": row["agents"]} == row, "a name changes nothing else"


def test_two_agents_with_one_name_are_refused(capsys: pytest.CaptureFixture) -> None:
    for one, two in (("minimax:as=A", "minimax:depth=3,as=A"), ("minimax:as=random", "random")):
        assert cli.main(["match", "TicTacToe", one, two, "--episodes", "1"]) == 2
        assert "Two agents are called" in capsys.readouterr().err
        command = ["eval", "vs-bench", "--only", "TicTacToe", "--episodes", "1", "--agent", one, "--agent", two]
        assert cli.main(command) == 2 and "Two agents are called" in capsys.readouterr().err
    for wrong in ("minimax:as=", "minimax:as=A,as=B"):
        with pytest.raises(MmgamesError, match="gives one short name"):
            find_agent(wrong, registry.find("TicTacToe"))
    refused(lambda: suites.find("vs-bench").evaluate("random:as=Chance", 1), "keep their names")


def test_a_model_has_its_name_in_results_and_reports(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    suite, only = suites.find("vs-bench"), ["TicTacToe", "KuhnPoker-Predict"]
    with serving(lambda request, number: "Hm.") as server:
        for model in ("one", "two"):
            agent = f"chat:{model},base_url={server.url},observe=text,as=Tiny"
            result = suite.evaluate(agent, 1, only=only, out=tmp_path / model)
    assert result["agent"] == "Tiny" and {row["agent"] for row in result["rows"]} == {"Tiny"}
    assert result["header"]["named"]["Tiny"].startswith("chat:two,base_url=")
    kept = sorted(path.name for path in (tmp_path / "two").glob("*.jsonl") if ".calls" not in path.name)
    assert kept == ["KuhnPoker-Predict-Tiny.jsonl", "TicTacToe-Tiny-seat-0.jsonl"]
    assert cli.main(["report", str(tmp_path / "two"), "--out", str(tmp_path / "page.html")]) == 0
    page = (tmp_path / "page.html").read_text()
    assert '<tr class="ours"><td>Tiny</td>' in page and page.count("chat:two") == 1, "who it is, among the facts"
    capsys.readouterr()
    both = ["report", *(str(tmp_path / model) for model in ("one", "two")), "--out", str(tmp_path / "page.html")]
    assert cli.main(both) == 2 and "Two agents are called 'Tiny'" in capsys.readouterr().err
