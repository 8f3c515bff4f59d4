"""IPPO in two processes that torchrun starts: the run of one process, and what only one of them does."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mmgames.baselines.learning import checkpoint_files
from mmgames.baselines.learning.training_log import read_log
from mmgames.cli import main

RUNS = {
    "coin": "CoinDilemma --steps 3840 --recipe rollout=40",
    "memory": "KuhnPoker --steps 768 --recipe rollout=8 --recipe core=gru --recipe nets=own",
    "league": "CoinDilemma --steps 3840 --recipe rollout=40 --recipe snapshots=1 --others pool:past|self_interest",
}
STOPPED_AND_TAKEN_UP = """
import json, sys
from mmgames.cli import main

for run in json.loads(sys.argv[1]):
    assert main([*run, "--seconds", "0.000001"]) == 0
    assert main([*run, "--resume"]) == 0
"""


def command(name: str, out: Path) -> list[str]:
    """The arguments of a run of three updates."""
    small = "--num-envs 32 --device cpu --threads 1 --recipe layers=(16,)"
    return ["train", "ippo", *RUNS[name].split(), *small.split(), "--anchor", "none", "--out", str(out)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of two processes that were stopped after one update and taken up again, and what was printed of them."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "twice.py").write_text(STOPPED_AND_TAKEN_UP)
    runs = [command(name, folder / name) for name in RUNS]
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    told = subprocess.run(
        [*torchrun, str(folder / "twice.py"), json.dumps(runs)], capture_output=True, text=True, timeout=120
    )
    assert told.returncode == 0, told.stderr
    (folder / "printed").write_text(told.stdout)
    return folder


@pytest.mark.parametrize("name", RUNS)
def test_two_processes_learn_what_one_learns(name: str, folder: Path, tmp_path: Path) -> None:
    """All minibatches are those of one process, so policies differ by rounding alone, and no episode does."""
    assert main(command(name, tmp_path)) == 0
    alone, together = (read_log(where / "log.csv") for where in (tmp_path, folder / name))
    assert len(together) == 3 and any("return" in row for row in together)
    for one, two in zip(alone, together, strict=True):
        assert one.pop("seconds") and two.pop("seconds")
        assert two == pytest.approx(one, rel=1e-3, abs=1e-5)
        assert [two.get(name) for name in ("steps", "return")] == [one.get(name) for name in ("steps", "return")]
    (_, one), (_, two) = (checkpoint_files.read(where / "policy.npz") for where in (tmp_path, folder / name))
    for part, array in one.items():
        np.testing.assert_allclose(two[part], array, rtol=1e-3, atol=2e-5, err_msg=part)


def test_the_first_process_writes_and_tells(folder: Path) -> None:
    assert (folder / "printed").read_text().count(" steps in ") == 2 * len(RUNS)
    assert {path.name for path in (folder / "coin").iterdir()} >= {"policy.npz", "training.npz", "log.csv"}
    about, arrays = checkpoint_files.read(folder / "coin" / "training.npz")
    assert about["processes"] == 2
    assert arrays["running"].shape == arrays["process.1.running"].shape == (16, 2)
    assert not any(name.startswith("process.1.net.") for name in arrays)


def test_a_run_of_two_processes_is_not_taken_up_by_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command("coin", folder / "coin"), "--resume"]) != 0
    assert "was made with processes 2, not 1; go on with the same" in capsys.readouterr().err


def test_what_processes_cannot_share_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = {"RANK": "0", "WORLD_SIZE": "3", "LOCAL_RANK": "0", "LOCAL_WORLD_SIZE": "3", "TORCHELASTIC_RUN_ID": "any"}
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    assert main(command("coin", tmp_path)) != 0
    assert "num_envs=32 is not split evenly by 3 processes" in capsys.readouterr().err
    assert main(["train", "vdn", "Overcooked", "--out", str(tmp_path)]) != 0
    assert "vdn learns in one process" in capsys.readouterr().err
