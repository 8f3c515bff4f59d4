"""Clocks: a late answer is a missed move, by one definition, and no answer is timed twice."""

import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import mmgames
from mmgames import cli, suites
from mmgames.agents.base import Agent
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.play.recorded_calls import CallsFile
from mmgames.running import clocks
from mmgames.running.clocks import Clock, late_answers, read_clock
from mmgames.running.endings import ending_of
from mmgames.running.journal import Journal
from mmgames.running.replays import replay
from tests.refusing import refused


class Hands:
    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Hands:
    made = Hands()
    monkeypatch.setattr(clocks, "now", made)
    return made


class Slow(Agent):
    """Plays the first free cell, and takes the next of these seconds for it."""

    def __init__(self, hands: Hands, *seconds: float) -> None:
        self.hands, self.seconds, self.asked, self.told = hands, list(seconds), 0, []

    def describe(self) -> Any:
        return None

    def fresh(self) -> "Slow":
        return self

    def act(self, turn: Turn) -> Any:
        self.hands.time += self.seconds[self.asked % len(self.seconds)]
        self.asked += 1
        self.told.append(turn.seconds_left)
        return turn.legal[0]


class Answers(Slow):
    """The same in words, so that every answer is kept with its words."""

    def act(self, turn: Turn) -> Any:
        return turn.names[super().act(turn)]


def played(agent: Any, clock: Any, on_illegal: str = "random", **how: Any) -> dict[str, Any]:
    return mmgames.match("TicTacToe", [agent, "random"], 1, on_illegal=on_illegal, clock=clock, **how).episodes[0]


def test_a_clock_has_the_seconds_of_a_turn_or_of_an_episode_and_needs_a_policy_that_plays_on() -> None:
    for given in (10, 10.0, "10", " 10 "):
        assert read_clock(given) == Clock(10.0) and str(read_clock(given)) == "10"
    assert read_clock("300+0.5") == Clock(0.5, 300.0) and str(read_clock("300+0.5")) == "300+0.5"
    assert read_clock(None) is None
    refused(lambda: mmgames.match("TicTacToe", "random", 1, clock=5), "a late answer is a missed move")
    for given in (0, -1, "5s", "", True, float("nan"), float("inf"), "0+5", "1e3", "90000", [5]):
        with pytest.raises(MmgamesError, match="is no clock; write the seconds of a turn"):
            mmgames.match("TicTacToe", "random", 1, clock=given, on_illegal="random")


def test_a_late_answer_is_refused_as_every_other_and_one_in_time_is_not(hands: Hands) -> None:
    slow = Answers(hands, 1.0, 5.5, 5.0, 1.0, 1.0)
    record = played(slow, 5)
    own = [reply for reply in record["replies"] if reply["seat"] == "x"]
    assert [reply.get("kind") for reply in own[:3]] == [None, "too late", None]
    assert own[1]["refused"] == "it took 5.5 s, and there were 5."
    assert record["illegal"][0] == record["late"][0] == record["drawn"][0] == 1
    assert [row[2] for row in record["latencies"] if row[1] == 0][:3] == [1.0, 5.5, 5.0]
    assert record["clock"] == "5" and record["failed"] is None and slow.told[:3] == [5.0, 5.0, 5.0]

    class Mistaken(Answers):
        def act(self, turn: Turn) -> Any:
            move = super().act(turn)
            return move if turn.refused else "nowhere"

    record = played(Mistaken(hands, 3.0), 5, "retry_random")
    kinds = [reply["kind"] for reply in record["replies"]]
    assert kinds[:2] == ["not in the asked form", "too late"] or kinds[:2] == ["not possible here", "too late"]
    assert record["drawn"][0] == record["late"][0] > 0


def test_what_a_turn_leaves_is_kept_where_there_is_a_bank(hands: Hands) -> None:
    slow = Slow(hands, 3.0)
    record = played(slow, "7+1")
    assert slow.asked >= 3 and slow.told == [7.0, 5.0, 3.0, 1.0][: slow.asked]
    assert record["late"][0] == (slow.asked == 4)
    slow = Slow(hands, 8.0)
    record = played(slow, "7+0")
    turns = sum(step[0] is not None for step in record["actions"])
    assert slow.asked == 1 and turns > 1 and record["late"][0] == record["drawn"][0] == turns


@pytest.mark.parametrize("policy", ["retry", "lose"])
def test_where_illegal_replies_lose_a_late_one_does_at_once(hands: Hands, policy: str) -> None:
    slow = Slow(hands, 1.0, 9.0)
    record = played(slow, 5, policy)
    assert slow.asked == 2 and record["forfeit"] == "x" and record["returns"] == [-1.0, 1.0]
    assert ending_of(list(replay(record))[-1], record).headline == "X has run out of time."


def test_a_record_tells_by_itself_which_answers_were_late(hands: Hands) -> None:
    for clock in (5, "7+1", "7+0"):
        record = played(Slow(hands, 1.0, 6.5, 2.0), clock)
        assert late_answers(read_clock(clock), record["latencies"], 2) == record["late"]
        list(replay(record))
        changed = {**record, "latencies": [[step, seat, 0.0] for step, seat, _ in record["latencies"]]}
        refused(partial(list, replay(changed)), "its latencies do not make the answers late")

    class Speaker(Slow):
        def act(self, turn: Turn) -> Any:
            self.hands.time += 9.0
            return "The wire is red."

    speaker = Speaker(hands)
    how: dict[str, Any] = {"on_illegal": "silent", "clock": 5, "turns": 4, "max_steps": 6}
    result = mmgames.match("WirePuzzle", [speaker, "scripted_expert"], 1, **how).episodes[0]
    assert result["failed"] is None and result["late"][0] == result["drawn"][0] > 0
    assert {step[0] for step in result["actions"] if step[0] is not None} == {""}


def test_results_and_suites_are_of_their_clock_and_say_so(hands: Hands, tmp_path: Path) -> None:
    path = tmp_path / "ttt.jsonl"
    played(Slow(hands, 1.0), 5, out=path)
    assert json.loads(path.read_text().splitlines()[0])["about"]["clock"] == "5"
    refused(lambda: played(Slow(hands, 1.0), 6, out=path), "clock is '5' there and '6' here")
    summary = mmgames.match("TicTacToe", [Slow(hands, 6.0), "random"], 2, on_illegal="random", clock=5).summary()
    assert summary["clock"] == "5" and summary["seats"][0]["late"] == summary["seats"][0]["drawn"] > 2
    record = played(Slow(hands, 100.0), None)
    assert not {"clock", "late", "latencies"} & set(record) and record["illegal"] == [0, 0]
    result = suites.find("vs-bench").evaluate(Slow(hands, 2.0), 1, only=["TicTacToe"], clock=1)
    illegal = result["rows"][0]["illegal"]
    assert result["clock"] == "1" and illegal["kinds"] == {"too late": illegal["replies"]}


KILLED = """
import os, signal, sys
import mmgames
from mmgames.play.recorded_calls import CallsFile
from mmgames.running import clocks

class Slow:
    name = "Slow"
    asked = time = 0
    def fresh(self): return self
    def act(self, turn):
        if Slow.asked == int(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)
        Slow.time += (1.0, 9.0, 2.0)[Slow.asked % 3]
        Slow.asked += 1
        return turn.legal[0]

clocks.now = lambda: Slow.time
mmgames.match("TicTacToe", [Slow(), "random"], 3, on_illegal="random", clock=5, out=sys.argv[1])
"""


def test_a_match_that_was_killed_goes_on_without_timing_an_answer_again(hands: Hands, tmp_path: Path) -> None:
    def run(path: Path, asked: int) -> int:
        return subprocess.run([sys.executable, "-c", KILLED, str(path), str(asked)], check=False).returncode

    whole, killed = tmp_path / "whole.jsonl", tmp_path / "killed.jsonl"
    assert run(whole, -1) == 0 and run(killed, 6) == -signal.SIGKILL
    assert len(killed.read_text().splitlines()) - 1 < 3, "in the middle of an episode"
    slow = Slow(hands, 1000.0)
    slow.name = "Slow"
    match = mmgames.match("TicTacToe", [slow, "random"], 3, on_illegal="random", clock=5, out=killed)
    expected = [json.loads(line) for line in whole.read_text().splitlines()[1:]]
    times = [[each for one in rows for each in one["latencies"]] for rows in (match.episodes, expected)]
    flat, kept = ([seconds for _, seat, seconds in each if seat == 0] for each in times)
    assert flat[:6] == kept[:6] == [1.0, 9.0, 2.0] * 2, "as they were measured before it was killed"
    assert set(flat[6:]) == {1000.0}, "those that nobody had answered"
    again = tmp_path / "again.jsonl"
    again.write_text("".join(line + "\n" for line in whole.read_text().splitlines()[:2]))
    again.with_suffix(".calls.jsonl").write_bytes(whole.with_suffix(".calls.jsonl").read_bytes())
    mmgames.match("TicTacToe", [slow, "random"], 3, on_illegal="random", clock=5, out=again)
    assert again.read_bytes() == whole.read_bytes(), "bit by bit, however slow it is now"


def test_a_journal_keeps_times_that_are_no_calls(tmp_path: Path) -> None:
    class Chat(Agent):
        def answer(self, observation: dict[str, Any]) -> str:
            return "B2"

        def recall(self, observation: dict[str, Any], reply: str) -> None:
            pass

    path = tmp_path / "run.calls.jsonl"
    with Journal(path, {}) as journal:
        journal.ask(Chat(), "0:x", 0, {"text": "where?"})
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    rows[-1]["seconds"] = 7.25
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for _ in range(2):
        with Journal(path, {}) as journal:
            assert journal.ask(Chat(), "0:x", 0, {"text": "where?"}) == "B2"
            assert journal.clocked("0:x", 0, 0.0001) == 7.25
            assert journal.in_flight == 0 and journal.budget.spent["calls"] == 1
    path = tmp_path / "match.jsonl"
    mmgames.match("TicTacToe", [Chat(), "random"], 1, on_illegal="retry_random", clock=86_400, out=path)
    replies = json.loads(path.read_text().splitlines()[1])["replies"]
    calls = list(CallsFile(path).calls())
    assert len(calls) == len(replies) and all(call.took["reply"] == "B2" for call in calls)


def test_the_command_tells_of_late_answers(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    asked = ["match", "TicTacToe", "random", "--episodes", "2", "--processes", "1", "--clock", "86400"]
    assert cli.main([*asked, "--on-illegal", "random"]) == 0
    assert "late answers, with 86400 seconds: x 0, o 0" in capsys.readouterr().out
    assert cli.main(asked) != 0 and "a late answer is a missed move" in capsys.readouterr().err
    words = f"match TicTacToe random --episodes 1 --clock 10 --on-illegal random --out {tmp_path / 'kept.jsonl'}"
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-m", "mmgames", *words.split()], env=env, capture_output=True, text=True)
    _, row = map(json.loads, (tmp_path / "kept.jsonl").read_text("utf-8").splitlines())
    assert done.returncode == 0, done.stderr
    assert {type(one[1]) for one in row["latencies"]} == {int}
