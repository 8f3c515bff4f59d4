"""`mmgames new` writes a game that works at once: it passes the kit, is installed, found and played."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from mmgames.cli import main
from mmgames.commands._new_game import Names
from tests.cases import cases
from tests.test_package import ROOT, run, run_python


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("new") / "race"
    assert main(["new", "PebbleRace", "--namespace", "acme", "--out", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def site(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = tmp_path_factory.mktemp("site")
    how = ("--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check")
    done = run(sys.executable, "-m", "pip", "install", *how, "--target", site, made, cwd=made)
    assert done.returncode == 0, done.stderr
    return site


def test_a_new_game_passes_the_kit_before_it_is_installed(made: Path) -> None:
    done = run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore", cwd=made)
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.search(r"^(\d+) passed", done.stdout, re.M)
    assert passed and int(passed[1]) > 80, done.stdout


def test_new_games_of_other_kinds_pass_the_kit_too(tmp_path: Path) -> None:
    """In one process: its start takes as long as a kit."""
    for name, kind in (("PebbleDash", "joint"), ("PebbleDeal", "hidden"), ("PebbleTalk", "text")):
        assert main(["new", name, "--kind", kind, "--out", str(tmp_path / kind)]) == 0
    words = ("-m", "pytest", "-v", "-p", "no:cacheprovider", "-W", "ignore", "-k", "not copies and not api")
    done = run(sys.executable, *words, "-o", "pythonpath=joint/src hidden/src text/src", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert all(done.stdout.count(f"[own/{name}] PASSED") > 20 for name in ("PebbleDash", "PebbleDeal", "PebbleTalk"))
    test_what_is_written_has_the_style_of_this_repository(tmp_path)


def test_a_broken_promise_is_a_sentence_with_its_seed_and_moves(tmp_path: Path) -> None:
    assert main(["new", "PebbleRace", "--out", str(tmp_path / "race")]) == 0
    rules = tmp_path / "race" / "src" / "pebble_race" / "rules.py"
    rules.write_text(rules.read_text("utf-8").replace("1 - state.mover)", "1 - state.mover) if state.field else state"))
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore", "-k", "transition_gives")
    said = run(sys.executable, *words, cwd=tmp_path / "race").stdout
    assert "It is not so that a transition gives a different state." in said
    assert re.search(r"The last episode of own/PebbleRace-v0 had seed 8; done in it: red push \d", said), said


def test_a_new_game_with_a_kernel_passes_the_kit_too_in_batches_as_well(tmp_path: Path) -> None:
    folder = tmp_path / "race"
    assert main(["new", "PebbleRace", "--kernel", "--out", str(folder)]) == 0
    done = run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore", cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.search(r"^(\d+) passed", done.stdout, re.M)
    assert passed and int(passed[1]) > 90, done.stdout
    test_what_is_written_has_the_style_of_this_repository(folder)


def test_an_installed_new_game_is_found_and_played_in_every_face(site: Path, tmp_path: Path) -> None:
    code = """
import gymnasium, pettingzoo, mmgames
env = gymnasium.make("acme/PebbleRace-v0", others="minimax:depth=10", goal=15)
observation, info = env.reset(seed=0)
print(observation["rgb"].shape, observation["legal_actions"])
over = False
while not over:
    observation, reward, terminated, truncated, info = env.step(0)
    over = terminated or truncated
print(reward)
print(pettingzoo.make("aec", "acme/PebbleRace-v0").possible_agents)
print(mmgames.specs["acme/PebbleRace-v0"].package, mmgames.core.discovery.broken)
"""
    told = run_python(code, tmp_path, PYTHONPATH=str(site)).splitlines()
    assert told == ["(128, 512, 3) ('push 1', 'push 2', 'push 3')", "-1.0", "['red', 'blue']", "pebble_race {}"]


def test_what_is_written_has_the_style_of_this_repository(made: Path) -> None:
    for command in (["check"], ["format", "--check"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--no-cache", "--config", str(ROOT / "pyproject.toml")]
        done = subprocess.run([*ruff, str(made)], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


def test_a_name_that_cannot_be_had_gets_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    for words, sentence in cases(__file__)["names"]:
        assert main(["new", *words]) == 2
        said = capsys.readouterr().err
        assert sentence in said and said.count("\n") == 1 and said.endswith(".\n")
        assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "full"]


@pytest.mark.parametrize(("name", "module"), [("PebbleRace", "pebble_race"), ("Go3D", "go3_d"), ("ATMRun", "atm_run")])
def test_a_package_is_named_after_its_game(name: str, module: str) -> None:
    assert Names(name, "own").module == module
