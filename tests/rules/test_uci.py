"""Chess engines that speak UCI: Stockfish plays, and engines that fail are told of in one sentence.

The broken engines are real programs too.
"""

import asyncio
import contextlib
import copy
import gc
import os
import pickle
import re
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import mmgames
from mmgames.agents.finding import make_agent
from mmgames.baselines.search import uci
from mmgames.baselines.search.uci import Uci, find_engine
from mmgames.core import registry
from mmgames.errors import MmgamesError
from tests.cases import cases
from tests.refusing import refused

CASES = cases(__file__)

ID = "mmgames/Chess-v0"
SPEC = registry.find(ID)
stockfish = pytest.mark.program("stockfish")

# A whole engine: it plays the first legal move, unless it is told to misbehave at its n-th move.
ENGINE = """\
    #!{python}
    import os, sys, time
    import chess
    board, moves = chess.Board(), 0
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["uci"]:
            print("id name Simple", "uciok", sep="\\n", flush=True)
        elif words[:1] == ["isready"]:
            print("readyok", flush=True)
        elif words[:1] == ["position"]:
            board = chess.Board(" ".join(words[2:8])) if words[1] == "fen" else chess.Board()
            for move in words[words.index("moves") + 1 :] if "moves" in words else []:
                board.push_uci(move)
        elif words[:1] == ["go"]:
            moves += 1
            if moves == {at}:
                {misbehave}
            print("bestmove", next(iter(board.legal_moves)).uci(), flush=True)
        elif words[:1] == ["quit"]:
            open({farewell!r}, "w").close()
            break
"""


def simple_engine(folder: Path, misbehave: str = "pass", at: int = 2) -> str:
    path = folder / "engine"
    farewell = str(folder / "said goodbye")
    text = textwrap.dedent(ENGINE).format(python=sys.executable, misbehave=misbehave, at=at, farewell=farewell)
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


def running(program: str) -> list[int]:
    """The processes of any program that run this one."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and program.encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
    return found


def gone(program: str) -> bool:
    """Whether all of them end soon."""
    for _ in range(1200):
        if not running(program):
            return True
        time.sleep(0.05)
    return False


def first_moves(others: str | Uci, steps: int = 3) -> Any:
    env = gymnasium.make(ID, others=others, observe="features")
    env.reset(seed=1)
    for _ in range(steps):
        env.step(int(np.flatnonzero(env.unwrapped.action_masks())[0]))
    return env


@stockfish
def test_stockfish_is_found_plays_a_sound_game_and_refuses_a_skill_above_its_own():
    assert os.access(find_engine("stockfish"), os.X_OK)
    result = mmgames.match(ID, ["uci:nodes=2000", "random"], episodes=2, seed=1)
    assert result.returns()[:, 0].tolist() == [1.0, 1.0] and result.summary()["failed"] == 0
    path = find_engine("stockfish")
    env = first_moves(f"uci:{path},time=0.01,skill=0")
    (engine,) = env.unwrapped.agents.values()
    assert env.unwrapped.state_value.number == 4 and not engine._engine.ended
    env.close()
    assert engine._engine is None
    refused(lambda: first_moves("uci:stockfish,skill=77", steps=1), r"stockfish does not take skill=77: .*at most 20")


def test_an_engine_is_asked_to_quit_used_again_and_ends_when_nobody_remembers_its_player(tmp_path):
    path = simple_engine(tmp_path)
    env = first_moves(f"uci:{path}")
    env.close()
    assert (tmp_path / "said goodbye").exists() and gone(path)
    env.reset(seed=2)
    env.step(int(np.flatnonzero(env.unwrapped.action_masks())[0]))
    assert len(running(path)) == 1
    env.close()
    assert gone(path)
    env = first_moves(f"uci:{path}")
    assert running(path)
    del env
    gc.collect()
    assert gone(path)


def test_a_program_ends_although_an_engine_is_running(tmp_path):
    path = simple_engine(tmp_path)
    code = (
        "import gymnasium, mmgames\n"
        f"env = gymnasium.make({ID!r}, others={'uci:' + path!r}, observe='features')\n"
        "env.reset(seed=1)\n"
        "env.step(int(env.unwrapped.action_masks().nonzero()[0][0]))\n"
        "print('played')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "played\n", "")
    assert gone(path)


def test_engines_play_in_other_processes_and_where_a_loop_is_running_already(tmp_path):
    path = simple_engine(tmp_path)
    assert mmgames.match(ID, ["random", f"uci:{path}"], episodes=3, seed=1, processes=2).summary()["failed"] == 0
    assert gone(path)

    async def cell() -> None:
        first_moves(f"uci:{path}", steps=2).close()

    asyncio.run(cell())
    assert gone(path)


def test_copies_and_pickles_start_engines_of_their_own(tmp_path):
    player = Uci(simple_engine(tmp_path))
    state = mmgames.load_game(ID).start(np.random.default_rng(0))
    chosen = {player.choose(state)}
    for twin in (copy.deepcopy(player), pickle.loads(pickle.dumps(player))):
        chosen.add(twin.choose(state))
        assert len(running(player.path)) == 2
        twin.close()
    player.close()
    assert len(chosen) == 1 and gone(player.path)


@pytest.mark.parametrize(("misbehave", "sentence"), CASES["failures"])
def test_an_engine_that_fails_costs_its_own_episode_only(tmp_path, misbehave, sentence):
    path = simple_engine(tmp_path, misbehave, at=3)
    result = mmgames.match(ID, ["random", f"uci:{path}"], episodes=2, seed=1)
    failures = [row["failed"] for row in result.episodes]
    assert failures[0].startswith(f"uci:{path} in seat 'black': The engine {path} ") and "\n" not in failures[0]
    assert re.search(sentence, failures[0])
    assert result.episodes[0]["returns"] is None and result.episodes[0]["length"] == 5
    assert result.episodes[1]["length"] > 0


def test_an_engine_that_died_is_started_again_in_the_next_episode(tmp_path):
    path = simple_engine(tmp_path)
    env = first_moves(f"uci:{path}", steps=1)
    os.kill(running(path)[0], signal.SIGKILL)
    assert gone(path)
    refused(lambda: env.step(int(np.flatnonzero(env.unwrapped.action_masks())[0])), "has ended in the middle of a game")
    env.reset(seed=2)
    env.step(int(np.flatnonzero(env.unwrapped.action_masks())[0]))
    assert len(running(path)) == 1
    env.close()


def test_an_engine_that_says_nothing_is_given_up_and_started_again_in_the_next_episode(tmp_path, monkeypatch):
    monkeypatch.setattr(uci, "SPARE_SECONDS", 0.5)
    monkeypatch.setattr(uci, "QUIT_SECONDS", 0.1)
    hung = tmp_path / "hung once"
    path = simple_engine(
        tmp_path, f"os.path.exists({str(hung)!r}) or open({str(hung)!r}, 'w').close() or time.sleep(60)", 1
    )
    state = mmgames.load_game(ID).start(np.random.default_rng(0))
    player = Uci(path)
    refused(lambda: player.choose(state), r"did not answer within 0\.6 seconds\.")
    assert gone(path)
    monkeypatch.setattr(uci, "SPARE_SECONDS", 60)
    player.begin(mmgames.load_game(ID), 0)
    assert player.choose(state) >= 0
    assert len(running(path)) == 1
    player.close()
    assert gone(path)


def test_engines_are_killed_without_a_word(tmp_path, monkeypatch, caplog):
    """The loop in the background must hear of every exit status itself; a dozen, as it is a question of luck."""
    monkeypatch.setattr(uci, "KILL_SECONDS", 0.2)
    path = simple_engine(tmp_path)
    for _ in range(12):
        player = Uci(path)
        player.choose(mmgames.load_game(ID).start(np.random.default_rng(0)))
        player._engine._kill()
    assert gone(path)
    time.sleep(0.5)
    assert not caplog.records


def test_a_program_that_is_no_engine_is_told_of_and_waited_for_only_once(monkeypatch):
    with pytest.raises(MmgamesError, match=r"/bin/true did not start as a UCI engine \(.*exit code: 0.*\)\."):
        first_moves("uci:/bin/true", steps=1)
    monkeypatch.setattr(uci, "START_SECONDS", 0.5)
    for program in ("/bin/cat", "/usr/bin/yes"):  # one repeats what it hears, the other never stops talking
        sentence = (
            rf"{program} did not start as a UCI engine \(it did not answer `uci` with `uciok` within 0\.5 seconds\)\."
        )
        refused(lambda program=program: first_moves(f"uci:{program}", steps=1), sentence)
        assert gone(program)
    monkeypatch.setattr(uci, "START_SECONDS", 0.5)
    waits: list[float] = []
    real = uci._wait
    monkeypatch.setattr(uci, "_wait", lambda question, seconds: waits.append(seconds) or real(question, seconds))
    result = mmgames.match(ID, ["random", Uci("/bin/cat")], episodes=3, seed=1)
    sentences = {row["failed"] for row in result.episodes}
    assert len(sentences) == 1 and "within 0.5 seconds" in sentences.pop()
    assert waits == [0.5]


def test_a_program_that_is_no_engine_is_tried_again_after_close(tmp_path):
    path = simple_engine(tmp_path)
    engine = Path(path).read_text()
    Path(path).write_text("#!/bin/sh\n")
    player = Uci(path)
    state = mmgames.load_game(ID).start(np.random.default_rng(0))
    refused(lambda: player.choose(state), "did not start as a UCI engine")
    Path(path).write_text(engine)
    player.close()
    assert player.choose(state) >= 0
    player.close()


def test_impossible_engines_and_options_are_refused_before_the_game(tmp_path):
    for description, sentence in CASES["impossible"]:
        refused(lambda description=description: make_agent(description, SPEC), sentence)
        refused(lambda description=description: mmgames.match(ID, ["random", description], episodes=1), sentence)
    (tmp_path / "engine").write_text("not a program")
    refused(lambda: Uci(str(tmp_path / "engine")), r"is not executable; run chmod \+x on it")
    path = simple_engine(tmp_path)
    refused(lambda: first_moves(f"uci:{path},skill=3", steps=1), "does not take skill=3")
