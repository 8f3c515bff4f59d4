"""Matches: every episode once, whatever happens; and how episodes end, in words."""

import json
import multiprocessing
import os
import random
import resource
import signal
import subprocess
import sys
import time
from functools import partial
from typing import Any

import numpy as np
import pytest

import mmgames
from mmgames import suites
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.errors import MmgamesError
from mmgames.running import matches
from mmgames.running.answers import TakeBack
from mmgames.running.endings import by_returns, ending_of
from mmgames.running.episodes import EpisodePlayer, make_plan
from mmgames.running.records import Records
from tests.cases import cases, lines
from tests.players import Acts, ActsByEpisode
from tests.refusing import refused

COIN = "mmgames/CoinDilemma-v0"


def test_episodes_depend_on_the_seed_only_and_not_on_processes_or_faces():
    first = mmgames.match(COIN, "random", 6, seed=5).episodes
    assert first == mmgames.match(COIN, "random", 6, seed=5).episodes
    assert first != mmgames.match(COIN, "random", 6, seed=6).episodes
    assert first[:3] == mmgames.match(COIN, "random", 3, seed=5).episodes
    row = mmgames.match(COIN, "random", 1, seed=3).episodes[0]
    table = matches.EpisodePlayer(matches.make_plan(COIN, "random", 3, "fail", {}))
    table.play(0)
    env = mmgames.parallel_env(COIN, observe="text")
    env.reset(seed=row["seed"])
    start = env.state_value
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(row["seed"])))
    assert start == table.live.game.start(rng)
    alone = mmgames.match(COIN, ("common_welfare", "random"), 12, seed=1)
    together = mmgames.match(COIN, ("common_welfare", "random"), 12, seed=1, processes=2)
    assert alone.episodes == together.episodes and alone.summary() == together.summary()


def test_a_file_is_extended_repaired_and_written_by_one_run_at_a_time(tmp_path):
    path = tmp_path / "coin.jsonl"
    short = mmgames.match(COIN, "random", 4, out=path)
    before = path.read_bytes()
    assert mmgames.match(COIN, "random", 4, out=path).episodes == short.episodes and path.read_bytes() == before
    longer = mmgames.match(COIN, "random", 6, out=path)
    assert longer.episodes[:4] == short.episodes and path.read_bytes().startswith(before)
    path = tmp_path / "torn.jsonl"
    whole = mmgames.match(COIN, "random", 5, out=path)
    content = path.read_bytes()
    path.write_bytes(content[:-40])
    again = mmgames.match(COIN, "random", 5, out=path)
    assert again.episodes == whole.episodes and path.read_bytes() == content
    plan = matches.make_plan(COIN, "random", 0, "fail", {})
    with Records(path, plan.about()), pytest.raises(MmgamesError, match="written by another run"):
        mmgames.match(COIN, "random", 2, out=path)


def test_a_results_file_of_another_match_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "coin.jsonl"
    mmgames.match(COIN, "random", 2, out=path)
    before = path.read_bytes()
    with pytest.raises(MmgamesError, match=r"holds other results \(seed is 0 there and 1 here\)"):
        mmgames.match(COIN, "random", 2, seed=1, out=path)
    path.with_name("notes.txt").write_text("not a record\n")
    refused(lambda: mmgames.match(COIN, "random", 2, out=path.with_name("notes.txt")), "line 1 is not a record")
    assert path.read_bytes() == before


def test_a_full_disk_is_said_and_tears_nothing(tmp_path):
    path = tmp_path / "coin.jsonl"
    script = "import resource, signal, sys, mmgames\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    script += "resource.setrlimit(resource.RLIMIT_FSIZE, (1500, resource.RLIM_INFINITY))\n"
    script += "mmgames.match('CoinDilemma', 'random', 50, out=sys.argv[1])\n"
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}  # the limit is for a cache of kernels too
    result = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, env=env)
    assert "the disk is full" in result.stderr and path.stat().st_size <= 1500
    kept = lines(path)  # every line is whole
    assert 1 < len(kept) < 50
    assert mmgames.match(COIN, "random", 50, out=path).episodes == mmgames.match(COIN, "random", 50).episodes
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY


def lost(turn):
    raise RuntimeError("lost its way")


def test_an_agent_that_fails_is_named_costs_only_its_episodes_or_has_moves_drawn():
    stumbles = [ActsByEpisode(*[0, lost, "north-east"] * 2, name="stumbles") for _ in range(2)]
    result = mmgames.match(COIN, ("random", stumbles[0]), 6)
    failures = [row["failed"] for row in result.episodes]
    assert [bool(failure) for failure in failures] == [False, True, True, False, True, True]
    assert failures[1].startswith("stumbles in seat 'blue': RuntimeError: lost its way (test_match.py, line ")
    assert "stumbles in seat 'blue': chose an illegal action: the reply holds no answer" in failures[2]
    summary = result.summary()
    assert summary["failed"] == 4 and summary["seats"][1]["illegal"] == 2 and result.returns().shape == (2, 2)
    result = mmgames.match(COIN, ("random", stumbles[1]), 3, on_illegal="random")
    assert result.episodes[2]["illegal"] == [0, 50] and result.episodes[2]["failed"] is None


class OnlyOnThursdays:
    def act(self, turn):
        return self.plan[turn.seat]  # there is none


def test_a_crash_shows_the_line_of_the_users_own_file_and_is_warned_of():
    warned = "2 of 2 episodes failed; the first: OnlyOnThursdays in seat 'red': Attribute"
    with pytest.warns(UserWarning, match=warned):
        result = mmgames.match("CoinDilemma", [OnlyOnThursdays(), "random"], 2)
    line = OnlyOnThursdays.act.__code__.co_firstlineno + 1
    assert result.episodes[0]["failed"].endswith(f"(test_match.py, line {line})")
    own = suites.find("lvlm-playground").evaluate(Crashes(), 1, only="TicTacToe-Rule")["rows"][0]["first_failure"]
    assert own.endswith(f"ZeroDivisionError: division by zero (test_match.py, line {Crashes.line})")


class Crashes:
    line = 0

    def answer(self, observation):
        Crashes.line = self.answer.__code__.co_firstlineno + 2
        return 1 / 0


def test_an_agent_may_answer_in_words_and_three_illegal_answers_in_a_row_lose():
    agents = Acts("B2", 'Next.\n{"action": "1A"}', "Answer: C3"), Acts("A2", "A3")
    (row,) = mmgames.match("TicTacToe", agents, 1).episodes
    assert row["returns"] == [1.0, -1.0] and row["length"] == 5 and row["illegal"] == [0, 0]
    agent = Acts("D5", "D4", "B2", "B2", 4, "B2")
    result = mmgames.match("TicTacToe", (agent, Acts("A1")), 2, on_illegal="retry")
    row = result.episodes[0]
    assert row["returns"] == [-1.0, 1.0] and row["forfeit"] == "x" and row["failed"] is None
    assert row["length"] == 2 and row["illegal"] == [5, 0], "two strikes, a move, then three"
    assert [bool(reason) for reason in agent.refused[:6]] == [False, True, True, False, True, True]
    assert "'D5'" in agent.refused[1] and "'D4'" in agent.refused[2]
    assert [(seat["forfeits"], seat["illegal"]) for seat in result.summary()["seats"]] == [(2, 10), (0, 0)]
    (row,) = mmgames.match(COIN, ("random", Acts("up", "Hm.", "", "?!", "fly")), 1, on_illegal="retry").episodes
    assert row["forfeit"] == "blue" and row["length"] == 1, "one move, one that is asked again, and three strikes"
    alone = mmgames.match(COIN, ("random", Acts("up")), 1, max_steps=1).episodes[0]["returns"]
    assert row["returns"] == [alone[0], alone[1] - 1], "in other games nobody else wins by it"


def test_what_is_taken_back_leaves_neither_replies_nor_earlier_views():
    class Regrets:
        def act(self, turn):
            seen.append(len(player.live.recent_views(turn.seat, 4)))
            if len(seen) == 1:
                self.start = player.live.state
            if len(seen) == 2:
                raise TakeBack(0, self.start)
            return list(turn.names.values())[-1]

    seen: list[int] = []
    player = EpisodePlayer(make_plan("TicTacToe", [Regrets(), "minimax"], 0, "fail", {}))
    row = player.play(0)
    assert seen[:3] == [1, 3, 1] and row["taken_back"] == 2
    assert [reply["step"] for reply in row["replies"]] == list(range(0, row["length"], 2))


def test_episodes_at_the_limit_are_unfinished_and_count_as_they_stand(tmp_path):
    path = tmp_path / "short.jsonl"
    result = mmgames.match("TicTacToe", "minimax", 3, max_steps=4, out=path)
    assert [(row["unfinished"], row["length"], row["returns"]) for row in result.episodes] == [(True, 4, [0, 0])] * 3
    assert result.summary()["unfinished"] == 3 and result.summary()["max_steps"] == 4
    whole = mmgames.match("TicTacToe", "minimax", 3, max_steps=9)
    assert whole.summary()["unfinished"] == 0 and not any("unfinished" in row for row in whole.episodes)
    refused(lambda: mmgames.match("TicTacToe", "minimax", 3, out=path), "max_steps")


def test_wrong_calls_get_one_sentence():
    for call, sentence in cases(__file__)["wrong"]:
        refused(partial(mmgames.match, COIN, **call), sentence)


def test_an_object_that_cannot_travel_is_said_and_a_killed_worker_loses_nothing(tmp_path):
    agent = Acts(0)
    agent.act = lambda turn: 0
    refused(lambda: mmgames.match(COIN, agent, 4, processes=2), "use processes=1")
    plan = matches.make_plan(COIN, "random", 0, "fail", {})
    rows = []
    for row in matches.play_episodes(plan, range(40), 2):
        rows.append(row)
        if len(rows) == 5:
            os.kill(multiprocessing.active_children()[0].pid, signal.SIGKILL)
    assert sorted(row["episode"] for row in rows) == list(range(40))


def test_a_script_that_is_no_file_is_told_why_its_workers_do_not_start():
    program = f"import mmgames\nmmgames.match({COIN!r}, 'random', 4, processes=2)"
    done = subprocess.run([sys.executable], input=program, capture_output=True, text=True)
    assert done.returncode == 1
    assert "Worker processes do not start; a script that uses several has to be a file" in done.stderr.splitlines()[-1]


def test_sigkill_at_random_moments_neither_loses_nor_repeats_an_episode(tmp_path):
    kills = int(os.environ.get("MMGAMES_TEST_KILLS", "1"))
    episodes = 2000 if kills > 1 else 120
    path = tmp_path / "killed.jsonl"
    command = [sys.executable, "-m", "mmgames", "match", COIN, "random", "--episodes", str(episodes)]
    command += ["--processes", "2", "--out", str(path), "--json"]
    luck = random.Random(7)
    for _ in range(kills):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        before = path.stat().st_size if path.exists() else 0
        deadline = time.monotonic() + 60
        # Kill once the run is under way, at a random moment of its writing.
        while process.poll() is None and time.monotonic() < deadline:
            if path.exists() and path.stat().st_size > before:
                break
            time.sleep(0.005)
        time.sleep(luck.random() * 0.05)
        process.kill()
        process.wait()
    final = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = lines(path)[1:]
    assert sorted(row["episode"] for row in rows) == list(range(episodes))
    undisturbed = mmgames.match(COIN, "random", episodes)
    assert sorted(rows, key=lambda row: row["episode"]) == undisturbed.episodes
    assert json.loads(final.stdout) == undisturbed.summary()


def played(game: str, *agents: str, seed: int = 0, **options: Any) -> tuple[LiveGame, dict[str, Any]]:
    player = EpisodePlayer(make_plan(game, agents, seed, "random", options))
    return player.live, player.play(0)


def forced(game: str, *moves: Any) -> LiveGame:
    loaded = registry.load(game)
    live = LiveGame(loaded, loaded.game())
    live.start(None)
    for said in moves:
        (mover,) = live.movers
        live.play({mover: live.move_of(mover, said)})
    return live


def test_endings_say_why_who_has_lost_and_what_returns_say() -> None:
    live = forced("TicTacToe", 0, 1, 2, 4, 3, 5, 7, 6, 8)
    assert ending_of(live, {}).headline == "Draw: the board is full."
    live = forced("TicTacToe", 0)
    ending = ending_of(live, {"returns": [1.0, -1.0], "forfeit": "o"})
    assert ending.headline == "O has lost it by replies that were no moves." and ending.won == ("x",)
    assert all(not score.parts for score in ending.scores)
    chess, team = (registry.load(name).game() for name in ("TicTacToe", "Hanabi"))
    several = registry.load("CoinDilemma").game()
    assert [by_returns(chess, both) for both in ([1, -1], [0, 0])] == ["X has won.", "Draw."]
    assert by_returns(team, [12, 12]) == "Together they have 12 points."
    assert by_returns(several, [3, 1]) == "Red has the most: 3 points."
    assert by_returns(several, [1, 1]) == "Everybody has the same: 1 point."
    pytest.importorskip("chess")
    mated = ending_of(forced("Chess", "f2f3", "e7e5", "g2g4", "Qh4#"), {})
    assert mated.headline == "Black has won: checkmate." and mated.won == ("black",)
    back_and_forth = ("Nf3", "Nf6", "Ng1", "Ng8") * 2
    assert ending_of(forced("Chess", *back_and_forth), {}).headline == "Draw: threefold repetition."


def test_the_end_of_a_spy_round_names_the_spy_and_what_clues_and_votes_earned() -> None:
    live, record = played("Spy", "consistency", seed=1)
    ending = ending_of(live, record)
    assert ending.headline in {
        f"The spy was {record['spies'][0]} and {fate}." for fate in ("was caught", "got away")
    } and ("caught" in ending.headline) == bool(record["events"]["caught"])
    for seat, score in enumerate(ending.scores):
        assert score.total == record["returns"][seat]
        assert dict(score.parts) == {"clues": record["clue_rewards"][seat], "votes": record["vote_rewards"][seat]}
    assert all(part in ending.lines()[1] for part in ("clues", "votes"))
