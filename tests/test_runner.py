"""The runner: many episodes at a time with the same results, every call on disk, and nothing asked twice."""

import collections
import itertools
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import mmgames
from mmgames import cli, suites
from mmgames.agents import retries
from mmgames.baselines.models.chat import Chat
from mmgames.running import progress
from mmgames.running.journal import Budget, BudgetSpent, fingerprint
from mmgames.running.threads import run_on_threads
from tests.chat_server import Fault, serving, words
from tests.refusing import refused

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retries, "_sleep", lambda seconds: None)


def by_prompt(request: dict[str, Any], number: int = 0) -> str:
    """A reply that depends on the prompt alone: mostly a legal move, now and then none."""
    text = "\n".join(words(message) for message in request["messages"])
    legal = text.rpartition("## Legal actions")[2].partition("\n## ")[0].strip().split(", ")
    pick = int(fingerprint({"text": text}), 16)
    return "Hm." if pick % 7 == 0 else json.dumps({"action": legal[pick % len(legal)]})


def test_results_are_the_same_for_any_concurrency(tmp_path: Path) -> None:
    def meeting(request: dict[str, Any], number: int) -> str:
        """The first ones wait until three are there."""
        while concurrent and server.most_together < 3:
            time.sleep(0.005)
        return by_prompt(request)

    concurrent = False
    with serving(meeting) as server:
        agent = Chat("tiny", server.url, observe="text", history=1)
        one = mmgames.match("TicTacToe", [agent, "random"], 6, on_illegal="retry")
        assert server.most_together == 1
        out, concurrent = tmp_path / "many.jsonl", True
        many = mmgames.match("TicTacToe", [agent, "random"], 6, on_illegal="retry", concurrency=6, out=out)
    assert many.episodes == one.episodes and server.most_together > 2
    calls = [json.loads(line) for line in (tmp_path / "many.calls.jsonl").read_text().splitlines()[1:]]
    answered = [row for row in calls if "reply" in row]
    assert len(answered) == sum(len(row["replies"]) for row in many.episodes)
    assert {"prompt", "reply", "seconds", "tokens_in", "tokens_out", "model"} <= set(answered[0])
    with serving(by_prompt) as server:
        name = f"chat:tiny,base_url={server.url},observe=text"
        for suite, only in (("vs-bench", "KuhnPoker"), ("lvlm-playground", "TicTacToe-Rule")):
            rows = [suites.find(suite).evaluate(name, 6, only=only, concurrency=threads)["rows"] for threads in (1, 5)]
            assert rows[0] == rows[1]


def test_a_match_goes_on_in_the_middle_of_an_episode(tmp_path: Path) -> None:
    out = tmp_path / "kept.jsonl"
    with serving(by_prompt) as server:
        agent = Chat("tiny", server.url, observe="text", history=2)
        how: dict[str, Any] = {"on_illegal": "retry_random", "max_steps": 12}
        whole = mmgames.match("CoinDilemma", agent, 1, **how)
        asked = len(server.requests)
        with pytest.raises(BudgetSpent, match="The budget of 9 calls is spent"):
            mmgames.match("CoinDilemma", agent, 1, out=out, budget=Budget(calls=9), **how)
        assert len(server.requests) == asked + 9
        rest = mmgames.match("CoinDilemma", agent, 1, out=out, **how)
    assert rest.episodes == whole.episodes
    assert len(server.requests) == 2 * asked, "no finished call was made again"


def test_budgets_count_earlier_runs_and_money(tmp_path: Path) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text('{"tiny": [1000, 2000]}')
    with serving(by_prompt) as server:
        command = ["match", "CoinDilemma", f"chat:tiny,base_url={server.url},observe=text", "random", "--episodes", "1"]
        command += ["--on-illegal", "random", "--out", str(tmp_path / "a.jsonl"), "--prices", str(prices)]
        assert cli.main([*command, "--max-cost", "0.03"]) == 2
        assert len(server.requests) == 2, "a call costs 10 x 0.001 + 3 x 0.002"
        assert cli.main([*command, "--max-cost", "0.03"]) == 2 and len(server.requests) == 2
        assert cli.main([*command, "--max-tokens", "39"]) == 2 and len(server.requests) == 3
    refused(lambda: Budget(money=1.0), "needs the prices")
    prices.write_text("[]")
    assert cli.main([*command, "--max-cost", "1"]) == 2


def test_a_dry_run_counts_asks_nobody_and_for_a_policy_once_however_many_episodes(capsys: Any) -> None:
    command = ["eval", "vs-bench", "--agent", "chat:none", "--only", "CoinDilemma", "--episodes", "3"]
    assert cli.main([*command, "--dry-run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["estimated_replies"] == 3 * 2 * 50
    told = []
    for episodes in ("3", "300"):
        command = ["eval", "vs-bench", "--agent", "chat:none,observe=text", "--only", "KuhnPoker", "--dry-run"]
        assert cli.main([*command, "--json", "--episodes", episodes]) == 0
        told.append(json.loads(capsys.readouterr().out)["calls"])
    assert told[0] == told[1] > 0


FAILS = '[{"step": 1, "actions": {"R9": ["Move", "nothing"]}}]'
"""A plan that is read, and fails."""


def test_a_dry_run_counts_every_try_tokens_and_money(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    (tmp_path / "prices.json").write_text('{"none": [1000000, 0]}')
    agent = "chat:none,base_url=http://localhost:1/v1,observe=text"
    command = ["eval", "viki", "--agent", agent, "--only", "VikiKitchen-Plan", "--episodes", "1", "--dry-run", "--json"]
    command += ["--reply-tokens", "10", "--prices", str(tmp_path / "prices.json")]
    assert cli.main(command) == 0
    told = json.loads(capsys.readouterr().out)
    with serving(lambda request, number: FAILS) as server:
        suites.find("viki").evaluate(f"chat:none,base_url={server.url},observe=text", 1, only="VikiKitchen-Plan")
    assert told["calls"] == len(server.requests) == 2 + 2 * 3 + 2 * 6 + 2 + 2
    assert told["calls_if_all_are_refused"] == told["calls"] + 10, "each of ten questions is asked again once"
    assert told["tokens_out"] == 10 * told["calls"]
    characters = sum(len(words(message)) for request in server.requests for message in request["messages"])
    assert told["money"] == pytest.approx(told["tokens_in"], abs=1)
    assert told["tokens_in"] == pytest.approx(characters / 4, rel=0.1)


def test_progress_is_told_at_every_tenth(capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    with progress.Progress(20, "work", done=3) as shown:
        for _ in range(17):
            shown.advance()
    assert capsys.readouterr().err.split("\n")[:-1] == [f"work: {done} of 20" for done in range(4, 21, 2)]
    times = itertools.count(step=40.0)
    monkeypatch.setattr(progress, "_clock", lambda: next(times))
    with serving(by_prompt) as server:
        agent = Chat("tiny", server.url, observe="text")
        budget = Budget(prices={"tiny-1": (1e6, 1e6)})
        how: dict[str, Any] = {"max_steps": 3, "budget": budget, "progress": True, "on_illegal": "random"}
        rows = mmgames.match("TicTacToe", [agent, "random"], 2, **how).episodes
    assert [row["completion_tokens"] for row in rows] == [[6, None]] * 2
    first, *others, last = capsys.readouterr().err.splitlines()
    assert first == "mmgames/TicTacToe-v0: 0 of 2, 2 calls, 26 tokens, 26.0000 in money", "nothing is known of the rest"
    assert any(re.search(r"1 of 2, \d calls.* in money, about \d+ (min|s) left", line) for line in others)
    assert last.startswith("mmgames/TicTacToe-v0: 2 of 2, 4 calls") and "left" not in last


def test_threads_raise_what_a_worker_raises_and_begin_nothing_more() -> None:
    begun: list[int] = []

    def work(job: int) -> int:
        begun.append(job)
        if job == 3:
            raise RuntimeError("enough")
        return job

    with pytest.raises(RuntimeError, match="enough"):
        list(run_on_threads(range(100), lambda: work, 1))
    assert begun == [0, 1, 2, 3]
    assert sorted(run_on_threads(range(20), lambda: lambda job: job * 2, 4)) == list(range(0, 40, 2))


def test_a_recorded_run_is_scored_again_without_a_server(tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    with serving(by_prompt) as server:
        name = f"chat:tiny,base_url={server.url},observe=text,key_from=MY_KEY,history=1"
        monkeypatch.setenv("MY_KEY", "secret")
        runs = {"vs-bench": "TicTacToe KuhnPoker CoinDilemma-Predict", "lvlm-playground": "TicTacToe-Rule TicTacToe"}
        eval = {suite: ["eval", suite, "--agent", name, "--episodes", "2"] for suite in runs}
        commands = {suite: [*eval[suite], *(f"--only={one}" for one in runs[suite].split())] for suite in runs}
        for suite, command in commands.items():
            assert cli.main([*command, "--json", "--out", str(old / suite)]) == 0
    first = json.loads("[" + capsys.readouterr().out.replace("\n}\n{", "\n},\n{") + "]")
    monkeypatch.delenv("MY_KEY")
    monkeypatch.setitem(sys.modules, "urllib3", None)
    for number, (suite, command) in enumerate(commands.items()):
        assert cli.main([*command, "--json"]) == 2, "to ask, it needs a key"
        capsys.readouterr()
        again = [*command, "--json", "--out", str(new / suite), "--replies-from", str(old / suite)]
        assert cli.main(again) == 0 and json.loads(capsys.readouterr().out)["rows"] == first[number]["rows"]
        assert cli.main(again) == 2 and "is not empty" in capsys.readouterr().err
        assert cli.main([*command, "--json", "--reading", "paragraph", "--replies-from", str(old / suite)]) == 0
        rows = json.loads(capsys.readouterr().out)["rows"]
        assert [row["raw"] for row in rows] == [row["raw"] for row in first[number]["rows"]]
        more = [word if word != "2" else "3" for word in command]
        assert cli.main([*more, "--json", "--replies-from", str(old / suite)]) == 0
        holes = [row["missing"] for row in json.loads(capsys.readouterr().out)["rows"]]
        assert any(holes), "what was never asked is missing"
    assert cli.main([*command, "--replies-from", str(tmp_path)]) == 2
    assert "holds no journals" in capsys.readouterr().err


def test_a_question_that_may_be_asked_again_goes_on_where_it_was_cut_short(tmp_path: Path) -> None:
    suite, only = suites.find("viki"), ["VikiKitchen-Plan"]
    with serving(lambda request, number: FAILS) as server:
        name = f"chat:tiny,base_url={server.url},observe=text"
        with pytest.raises(BudgetSpent):
            suite.evaluate(name, 1, only=only, out=tmp_path, budget=Budget(calls=10))
        assert len(server.requests) == 10
        suite.evaluate(name, 1, only=only, out=tmp_path)
        assert len(server.requests) == 1 + 1 + 3 + 3 + 6 + 6 + 1 + 1 + 1 + 1, "no attempt was made twice"


def start(url: str, folder: Path, episodes: int) -> subprocess.Popen:
    quick = "import mmgames.agents.retries as p; p._sleep = lambda s: None; from mmgames.cli import main; main()"
    command = [sys.executable, "-c", quick, "eval", "vs-bench", "--only", "CoinDilemma", "--episodes", str(episodes)]
    command += ["--agent", f"chat:tiny,base_url={url},observe=text,tries=50,timeout=3", "--concurrency", "4", "--json"]
    command += ["--out", str(folder)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def played(process: subprocess.Popen) -> list[dict[str, Any]]:
    out, error = process.communicate()
    assert process.returncode == 0, error
    rows = json.loads(out)["rows"]
    return [{key: value for key, value in row.items() if key not in ("agent", "failed_before")} for row in rows]


def test_killed_at_any_moment_nothing_finished_is_lost_or_asked_again(tmp_path: Path) -> None:
    """MMGAMES_KILLS=100 kills it so many times. Moments are random: after so many calls, and a little later."""
    kills = int(os.environ.get("MMGAMES_KILLS", "1"))
    episodes = 2 + kills // 4
    most = 100 * episodes // kills // 2  # an episode has a hundred calls, and all kills have to find one going on
    chance, moments = random.Random(5), random.Random(1)

    def faulty(request: dict[str, Any], number: int) -> Any:
        time.sleep(0.02)
        fault = chance.random()
        if fault < 0.002:
            time.sleep(3.5)  # longer than the client waits
        faults = (Fault(429, "", "0"), Fault(500), Fault(200, '{"half'), Fault(200, '{"choices": []}'), None)
        return faults[int(fault * 50)] if fault < 0.1 else by_prompt(request)

    with serving(by_prompt) as server:
        undisturbed = played(start(server.url, tmp_path / "whole", episodes))
    with serving(faulty) as server:
        for kill in range(kills):
            process = start(server.url, tmp_path / "torn", episodes)
            moment = len(server.requests) + moments.randrange(most)
            while len(server.requests) < moment:
                assert process.poll() is None, f"it ended before kill {kill}: {process.communicate()[1]}"
                time.sleep(0.005)
            time.sleep(moments.uniform(0.0, 0.03))
            assert process.poll() is None
            os.kill(process.pid, signal.SIGKILL)
            process.communicate()
        torn = played(start(server.url, tmp_path / "torn", episodes))
        asked = len(server.requests)
    assert torn == undisturbed
    (file,) = (tmp_path / "torn").glob("*.calls.jsonl")
    answered: collections.Counter[tuple[str, int]] = collections.Counter()
    for line in file.read_text().splitlines()[1:]:
        row = json.loads(line)
        answered[row["scope"], row["call"]] += "reply" in row
    assert set(answered.values()) == {1}, "each call was finished once"
    print(f"{kills} kills, {len(answered)} calls finished, {asked} requests with faults and those under way at a kill")
