"""Results files and workers when things go badly: one sentence each, and nothing is lost."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import mmgames
from mmgames import cli
from mmgames.errors import MmgamesError
from mmgames.running.exit_guard import Exited, guarded_exit, no_exit
from mmgames.running.matches import play
from tests.cases import cases, lines

TURNS = "mmgames/TicTacToe-v0"
ROOT = Path(__file__).parent.parent


def one_sentence(text: str) -> bool:
    return text.startswith("mmgames: ") and text.count("\n") == 1 and "Traceback" not in text


def test_results_and_pictures_go_to_files_alone(tmp_path, capsys):
    os.mkfifo(tmp_path / "pipe.png")
    (tmp_path / "folder.png").mkdir()
    kinds = {tmp_path / "pipe.png": "a pipe", tmp_path / "folder.png": "a folder", Path("/dev/full"): "a device"}
    for path, kind in kinds.items():
        if not path.exists():
            pytest.skip("this system has no /dev/full")
        assert cli.main(["match", "TicTacToe", "random", "--episodes", "2", "--out", str(path)]) == 2
        told = capsys.readouterr().err
        assert one_sentence(told) and f"Results cannot be kept in {path}: it is {kind}; name a file." in told, told
        if kind != "a device":
            assert cli.main(["show", "TicTacToe", "--size", "64", "--out", str(path)]) == 2
            assert f"it is {kind}; name a file." in capsys.readouterr().err


@pytest.mark.program("unshare")
def test_a_full_disk_loses_nothing(tmp_path):
    """The disk is a real one, of 32 kB, which only the process that fills it can see; it keeps a copy for us."""
    possible = ["unshare", "-rm", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt"]
    if subprocess.run(possible, capture_output=True).returncode:
        pytest.skip("this user may not mount a small disk")
    path = tmp_path / "kept.jsonl"
    script = (
        f"mount -t tmpfs -o size=32k none /mnt && {sys.executable} -m mmgames match TicTacToe random --episodes 1000 "
        f"--processes 1 --out /mnt/ttt.jsonl; code=$?; cp /mnt/ttt.jsonl {path}; exit $code"
    )
    done = subprocess.run(["unshare", "-rm", "sh", "-c", script], capture_output=True, text=True, cwd=ROOT)
    said = done.stderr.splitlines()[-1]
    assert done.returncode == 2 and "the disk is full" in said and "results in it are whole" in said
    kept = lines(path)[1:]
    assert 10 < len(kept) < 1000 and f"The {len(kept)} results" in said
    more = mmgames.match(TURNS, "random", len(kept) + 3, out=path).episodes
    assert more == mmgames.match(TURNS, "random", len(kept) + 3).episodes


def test_a_file_made_by_another_version_is_left_alone(tmp_path):
    path = tmp_path / "ttt.jsonl"
    mmgames.match(TURNS, "random", 2, out=path)
    header, *rows = lines(path)
    for version in ("0.0.1", None):
        header["about"].pop("version")
        if version:
            header["about"]["version"] = version
        path.write_text("".join(json.dumps(line) + "\n" for line in (header, *rows)))
        before = path.read_bytes()
        with pytest.raises(MmgamesError, match=r"was made by mmgames .*, and this is mmgames .* name another file"):
            mmgames.match(TURNS, "random", 3, out=path)
        assert path.read_bytes() == before
        header["about"]["version"] = "x"


@pytest.mark.parametrize(("change", "sentence"), cases(__file__)["rows"])
def test_rows_that_lack_something_are_named(tmp_path, change, sentence, capsys):
    path = tmp_path / "ttt.jsonl"
    mmgames.match(TURNS, "random", 3, out=path)
    rows = lines(path)
    rows[2] = {name: value for name, value in {**rows[2], **change}.items() if name not in change or value is not None}
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    before = path.read_bytes()
    assert cli.main(["match", "TicTacToe", "random", "--episodes", "4", "--out", str(path)]) == 2
    told = capsys.readouterr().err
    assert one_sentence(told) and sentence in told, told
    assert path.read_bytes() == before


def test_what_json_does_not_hold_is_said(tmp_path, monkeypatch):
    from mmgames.core.registry import load

    monkeypatch.setattr(load(TURNS).rules, "record", lambda self, state: {"board": {1, 2}}, raising=False)
    with pytest.raises(MmgamesError, match=r"could not be written: JSON does not hold"):
        mmgames.match(TURNS, "random", 1, out=tmp_path / "x.jsonl")
    monkeypatch.setattr(load(TURNS).rules, "record", lambda self, state: {"returns": [5, 5]}, raising=False)
    (row,) = mmgames.match(TURNS, "random", 1).episodes
    assert row["returns"] is None and "its record() keeps 'returns'" in row["failed"]
    real = os._exit
    with guarded_exit():
        with guarded_exit(), no_exit, pytest.raises(Exited, match=r"called os\._exit\(3\)"):
            os._exit(3)
        assert os._exit is not real
    assert os._exit is real
    list(play("TicTacToe", "random"))
    next(cut_short := play("TicTacToe", "random"))
    cut_short.close()
    assert os._exit is real


LEAVES = """
import json, os, signal, sys
import mmgames
from mmgames.running import processes as workers

class Leaves:
    def __init__(self, how, episodes):
        self.how, self.episodes = how, episodes

    def begin(self, game, seat):
        self.moves = 0

    def act(self, turn):
        if turn.rng.random() < self.episodes:
            if self.how == "exit":
                os._exit(3)
            if self.how == "sys":
                sys.exit(4)
            if self.how == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            if self.how == "fork":
                if os.fork() == 0:
                    os._exit(0)
                os.wait()
        return turn.legal[0]

if __name__ == "__main__":
    workers.MOST_DEATHS = 1  # each worker has to start Python
    how, share, processes, out = sys.argv[1:]
    agents = ("random", Leaves(how, float(share)))
    result = mmgames.match("TicTacToe", agents, 12, out=out, processes=int(processes))
    print(json.dumps([row["failed"] for row in result.episodes]))
"""


def leave(tmp_path: Path, how: str, share: float, processes: int) -> subprocess.CompletedProcess:
    script = tmp_path / "leaves.py"
    script.write_text(LEAVES)
    command = [sys.executable, str(script), how, str(share), str(processes), str(tmp_path / "out.jsonl")]
    # The game is quick enough in plain Python, and starts sooner.
    environment = {**os.environ, "MMGAMES_COMPILE": "never"}
    return subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment)


@pytest.mark.parametrize(
    ("how", "said", "processes"),
    [("exit", "called os._exit(3)", 1), ("exit", "called os._exit(3)", 2), ("sys", "called sys.exit(4)", 1)],
)
def test_an_agent_that_ends_the_program_fails_its_episode_only(tmp_path, how, said, processes):
    done = leave(tmp_path, how, 0.2, processes)
    assert done.returncode == 0, done.stderr
    failed = json.loads(done.stdout)
    assert 0 < len([why for why in failed if why]) < 12
    assert all(why is None or f"Leaves in seat 'o': {said}" in why for why in failed)
    assert [row["failed"] for row in sorted(lines(tmp_path / "out.jsonl")[1:], key=lambda r: r["episode"])] == failed


def test_processes_that_an_agent_forks_may_leave_as_they_like(tmp_path):
    done = leave(tmp_path, "fork", 0.5, 1)
    assert done.returncode == 0 and json.loads(done.stdout) == [None] * 12, done.stderr


def test_workers_that_die_fail_their_episodes_and_are_given_up_if_they_always_do(tmp_path):
    done = leave(tmp_path, "kill", 0.04, 2)
    assert done.returncode == 0, done.stderr
    failed = json.loads(done.stdout)
    assert 0 < len([why for why in failed if why]) < 12
    assert all(why is None or "the process that played it died" in why for why in failed)
    (tmp_path / "always").mkdir()
    done = leave(tmp_path / "always", "kill", 1.0, 2)
    assert done.returncode == 1 and "Worker processes keep dying" in done.stderr.splitlines()[-1]
    rows = lines(tmp_path / "always" / "out.jsonl")[1:]
    assert rows and all("the process that played it died" in row["failed"] for row in rows)
