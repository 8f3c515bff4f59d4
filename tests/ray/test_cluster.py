"""A real Ray with two workers: the same records as on one machine, whoever is killed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("ray")
import ray

import mmgames
from mmgames import cli, suites
from mmgames.errors import MmgamesError
from mmgames.running.journal import Budget, BudgetSpent
from mmgames.running.ray_cluster import Cluster
from tests.ray.players import Deadly, Mortal, Talker, calls

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112 – else they step back behind everything
    with Cluster(workers=2) as two:
        two.connect()
        yield two
    ray.shutdown()


@pytest.fixture(scope="module")
def address(cluster: Cluster) -> str:
    return ray.get_runtime_context().gcs_address


def lines(file: Path) -> list[bytes]:
    """The lines of a results file, which stand in the order in which episodes ended."""
    return sorted(file.read_bytes().splitlines())


def test_matches_evaluations_and_data_sets_have_the_same_bytes(cluster: Cluster, address: str, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    cluster_of = ["--engine", "ray", "--address", address]
    there = []
    for number, command in enumerate(
        (
            "match KuhnPoker cfr:iterations=20 random --episodes 300 --seed 4 --out {}/match.jsonl",
            "eval lvlm-playground --agent random --episodes 60 --only TicTacToe-Rule --only TicTacToe --json --out {}",
            "dataset vs-bench {}/rows --rows 40 --games KuhnPoker --size 96",
        )
    ):
        here, far = tmp_path / f"here{number}", tmp_path / f"there{number}"
        here.mkdir()
        far.mkdir()
        assert cli.main([*command.format(here).split(), "--processes", "1"]) == 0
        there.append([*command.format(far).split(), *cluster_of])
        assert cli.main(there[-1]) == 0
        files = sorted(file.relative_to(here) for file in here.rglob("*.jsonl"))
        assert files == sorted(file.relative_to(far) for file in far.rglob("*.jsonl")) and files
        assert all(lines(here / name) == lines(far / name) for name in files)
    assert cli.main(there[0]) == 0  # finished: nothing is played again
    assert len(lines(tmp_path / "there0" / "match.jsonl")) == 301


def test_what_was_learned_is_evaluated_on_the_cluster(cluster: Cluster, address: str, tmp_path: Path) -> None:
    command = ["train", "ippo", "CoinDilemma", "--out", str(tmp_path), "--num-envs", "16", "--steps", "2048"]
    command += ["--device", "cpu", "--evaluate", "12", "--against", "self_interest", "--json"]
    assert cli.main([*command, "--engine", "ray", "--address", address]) == 0
    policy = f"ippo:{(tmp_path / 'policy.npz').resolve()}"
    result = mmgames.match("mmgames/CoinDilemma-v0", [policy, "self_interest"], 12, 0, out=tmp_path / "here.jsonl")
    assert len(result.finished) == 12
    assert lines(tmp_path / "evaluation.jsonl") == lines(tmp_path / "here.jsonl")


def test_a_worker_that_is_killed_costs_nothing_else(
    cluster: Cluster, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out, traces = tmp_path / "kept.jsonl", tmp_path / "traces"
    traces.mkdir()
    found = mmgames.match("TicTacToe", ["random", Mortal(str(traces))], 120, out=out, processes=cluster)
    assert (traces / "killed").exists()
    assert len(list(traces.iterdir())) - 1 >= 2  # at least two processes have played
    assert sorted([json.loads(line)["episode"] for line in out.read_text().splitlines()[1:]]) == list(range(120))
    assert found.episodes == mmgames.match("TicTacToe", ["random", Mortal(str(traces), moves=0)], 120).episodes
    assert capfd.readouterr().out == ""  # which is for a command's results
    found = mmgames.match("TicTacToe", ["random", Deadly()], 20, processes=cluster)
    expected = mmgames.match("TicTacToe", ["random", Deadly(kills=False)], 20)
    assert [row["episode"] for row in found.episodes] == list(range(20))
    failed = [row for row in found.episodes if row["failed"]]
    assert [row["episode"] for row in failed] == [row["episode"] for row in expected.episodes if row["failed"]] != []
    assert all("the process that played it died" in row["failed"] for row in failed)


def test_a_driver_that_is_killed_goes_on(cluster: Cluster, address: str, tmp_path: Path) -> None:
    out = tmp_path / "there.jsonl"
    command = ["match", "TicTacToe", "mcts:simulations=400", "--episodes", "150", "--seed", "7"]
    there = [*command, "--out", str(out), "--engine", "ray", "--address", address]
    cluster.close()  # its CPUs are the other driver's
    driver = subprocess.Popen([sys.executable, "-m", "mmgames", *there], cwd=ROOT)
    try:
        while driver.poll() is None and (not out.exists() or out.read_bytes().count(b"\n") < 12):
            time.sleep(0.02)
    finally:
        driver.send_signal(signal.SIGKILL)
    assert driver.wait() == -signal.SIGKILL  # it was not yet done
    before = [line for line in out.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
    assert 12 <= len(before) < 151
    assert cli.main(there) == 0
    assert out.read_bytes().splitlines(keepends=True)[: len(before)] == before
    assert cli.main([*command, "--out", str(tmp_path / "here.jsonl"), "--processes", "1"]) == 0
    assert lines(out) == lines(tmp_path / "here.jsonl")


def test_models_are_asked_within_one_budget_and_nothing_twice(cluster: Cluster, tmp_path: Path) -> None:
    out, traces, spare = tmp_path / "kept.jsonl", tmp_path / "traces", tmp_path / "spare"
    traces.mkdir()
    spare.mkdir()
    whole = mmgames.match("TicTacToe", [Talker(str(spare)), "random"], 8)
    agent = Talker(str(traces), seconds=0.05)
    how = {"out": out, "processes": cluster, "concurrency": 4}
    with pytest.raises(BudgetSpent, match="The budget of 9 calls is spent"):
        mmgames.match("TicTacToe", [agent, "random"], 8, budget=Budget(calls=9), **how)
    assert len(calls(traces)) == 9
    assert mmgames.match("TicTacToe", [agent, "random"], 8, **how).episodes == whole.episodes
    made = calls(traces)
    assert len(made) == len(calls(spare))  # none was made again
    assert 1 < max(call["together"] for call in made) <= 4
    assert len({call["process"] for call in made}) >= 2
    journal = [json.loads(line) for line in out.with_suffix(".calls.jsonl").read_text().splitlines()[1:]]
    assert sum("reply" in row for row in journal) == len(made)


def test_workers_keep_one_rate_limit_together(cluster: Cluster, tmp_path: Path) -> None:
    mmgames.match("KuhnPoker", Talker(str(tmp_path), per_minute=300), 6, processes=cluster, concurrency=4)
    made = calls(tmp_path)
    assert len({call["process"] for call in made}) >= 2
    apart = 60 / 300
    assert made[-1]["at"] - made[0]["at"] > 0.7 * (len(made) - 1) * apart  # two limits would take half as long


def test_questions_are_asked_there_too(cluster: Cluster, tmp_path: Path) -> None:
    suite = suites.find("lvlm-playground")
    how = {"only": "TicTacToe-Rule", "concurrency": 3}
    here = suite.evaluate(Talker(str(tmp_path)), 12, **how)
    asked = len(calls(tmp_path))
    there = suite.evaluate(Talker(str(tmp_path)), 12, processes=cluster, **how)
    assert there["rows"] == here["rows"] and there["calls"] == here["calls"]
    made = calls(tmp_path)[asked:]
    assert len(made) == asked and os.getpid() not in {call["process"] for call in made}


def test_an_error_of_a_job_is_raised_as_it_is_and_work_that_cannot_travel_is_one_sentence(cluster: Cluster) -> None:
    from mmgames.running.processes import run_jobs

    with pytest.raises(ZeroDivisionError):
        list(run_jobs(divmod, [(1, 1), (1, 0), (2, 1)], cluster))
    assert sorted(run_jobs(divmod, [(4, 2), (6, 2)], cluster)) == [(2, 0), (3, 0)]  # and the workers work on
    import threading

    class Locked(Mortal):
        lock = threading.Lock()

        def __reduce__(self):
            raise TypeError("it has a lock")

    with pytest.raises(MmgamesError, match="cannot travel to other processes"):
        mmgames.match("TicTacToe", [Locked("."), "random"], 4, processes=cluster)
