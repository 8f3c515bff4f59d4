"""Seeds and starts: what a key deals is known to nobody without it, and what was played can be played again."""

import json
import os
import pickle
import stat
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mmgames.cli import main
from mmgames.core.seeding import SealedSeed
from mmgames.errors import MmgamesError
from mmgames.running.episodes import episode_seed
from mmgames.running.matches import match
from mmgames.running.seals import make_key, read_key
from mmgames.suites import find, suites
from mmgames.suites.questions import question_seeds
from mmgames.suites.results import result_files
from mmgames.suites.results.comparison import compare
from tests.cases import cases
from tests.refusing import refused

ONE, TWO = SealedSeed(0, bytes(32)), SealedSeed(0, bytes(31) + b"\1")
SMALL = ["CoinDilemma", "KuhnPoker-Predict"]


def evaluated(seed: Any, **how: Any) -> dict[str, Any]:
    return find("vs-bench").evaluate("random", 3, seed, only=SMALL, **how)


def seeds_in(folder: Path) -> set[int]:
    lines = [json.loads(line) for path in folder.glob("*.jsonl") for line in path.read_text().splitlines()[1:]]
    return {line["seed"] for line in lines}


def test_a_key_repeats_what_it_dealt_and_another_deals_otherwise_and_is_not_paired(tmp_path: Path) -> None:
    first, again, other = (evaluated(seed, out=tmp_path / name) for seed, name in ((ONE, "a"), (ONE, "b"), (TWO, "c")))
    assert first["rows"] == again["rows"] and first["sealed"] == again["sealed"] == ONE.fingerprint
    assert other["sealed"] == TWO.fingerprint != ONE.fingerprint
    evaluated(0, out=tmp_path / "open")
    dealt = {name: seeds_in(tmp_path / name) for name in ("a", "b", "c", "open")}
    assert dealt["a"] == dealt["b"] and len(dealt["a"]) >= 4
    assert not dealt["a"] & dealt["c"] and not dealt["a"] & dealt["open"]
    for seed in (TWO, 0, SealedSeed(1, ONE.key)):
        refused(partial(evaluated, seed, out=tmp_path / "a"), "holds other results (seed is '0 sealed")
    evaluated(ONE, out=tmp_path / "a")
    first, same, other = (result_files.read(tmp_path / name)[0] for name in "abc")
    assert all(row["paired"] for row in compare(first, same))
    assert not any(row["paired"] for row in compare(first, other))


def test_no_use_of_a_seed_repeats_another() -> None:
    found = [episode_seed(ONE, number) for number in range(50)]
    found += [seed for number in range(50) for seed in question_seeds(ONE, "mmgames/TicTacToe-Ask-v0", number)]
    found += [episode_seed(SealedSeed(1, ONE.key), 0), episode_seed(ONE.part(0), 0), episode_seed(ONE.part(1), 0)]
    assert len(set(found)) == len(found) and all(0 <= seed < 1 << 63 for seed in found)
    assert np.log2(np.median(found)) > 60, "all bits are used"
    for take in (int, np.random.default_rng, lambda seed: seed + 1, lambda seed: np.random.SeedSequence((seed, 0))):
        with pytest.raises(TypeError):
            take(ONE)  # type: ignore[operator]
    assert pickle.loads(pickle.dumps(ONE)) == ONE and ONE.key.hex() not in repr(ONE)
    told = find("vs-bench").evaluate("random", 2, ONE, only=["TicTacToe", "CoinDilemma"])
    assert told["public"] == ["mmgames/TicTacToe-v0"]
    refused(lambda: evaluated(ONE, write_instances="starts.jsonl"), "not sealed")


@pytest.mark.parametrize("name", sorted(suites()))
def test_every_suite_can_be_sealed(name: str) -> None:
    """Whatever makes seeds of its own from the run's as if that were a number would raise here."""
    suite = find(name)
    empty = {(one["environment"], one.get("variant", "")) for one in suite.unplayed()}
    entries = {entry.protocol: entry for entry in suite.entries if entry.key not in empty}
    cheap = [entry.id for entry in entries.values() if not entry.id.endswith(("Hanabi-v0", "-Ask-v0"))][:3]
    told = suite.evaluate("random", 2, ONE, only=cheap)
    assert told["sealed"] == ONE.fingerprint and told["seed"] == 0
    assert ONE.key.hex() not in json.dumps(told, default=str)


def test_the_commands_make_a_key_and_use_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key, out = tmp_path / "our.key", tmp_path / "run"
    assert main(["seal", str(key)]) == 0
    written = key.read_text().strip()
    assert len(written) == 64 and stat.S_IMODE(key.stat().st_mode) == 0o600
    fingerprint = SealedSeed(0, bytes.fromhex(written)).fingerprint
    assert fingerprint in capsys.readouterr().out
    words = ["eval", "vs-bench", "--agent", "random", "--only", "CoinDilemma", "--episodes", "2", "--processes", "1"]
    page = tmp_path / "page.md"
    assert main([*words, "--sealed", str(key), "--out", str(out), "--markdown", str(page)]) == 0
    said = capsys.readouterr()
    assert f"sealed with key {fingerprint}" in said.out and "--sealed KEYFILE" in page.read_text()
    everything = said.out + said.err + "".join(path.read_text() for path in [*out.iterdir(), page])
    assert written not in everything and main(["seal", str(key)]) == 2 and key.read_text().strip() == written
    assert "never overwritten" in capsys.readouterr().err
    keys = [str(tmp_path / name) for name in ("one.key", "two.key")]
    for key in keys:
        make_key(key)

    def dealt(command: list[str], key: str, name: str) -> set[int]:
        out = tmp_path / name
        assert main([*command, "--out", str(out), "--sealed", key]) == 0
        file = out / "games.jsonl" if out.is_dir() else out
        about, *rows = map(json.loads, file.read_text().splitlines())
        assert SealedSeed(0, read_key(key)).fingerprint in json.dumps(about)
        assert read_key(key).hex() not in file.read_text()
        return {row["seed"] for row in rows}

    arena = ["arena", "CoinDilemma", "--agent", "random", "--agent", "random:as=other", "--games", "4"]
    for name, command in (("m", ["match", "CoinDilemma", "random", "--episodes", "3"]), ("a", arena)):
        one, again = dealt(command, keys[0], name), dealt(command, keys[0], f"{name}2")
        assert one == again and not one & dealt(command, keys[1], f"{name}3")
        assert main([*command, "--out", str(tmp_path / name), "--sealed", keys[1]]) == 2
        assert "seed" in capsys.readouterr().err, "a run is not gone on with under another key"


def test_a_key_is_read_from_a_file_or_the_environment_and_a_bad_one_is_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    short, shared = tmp_path / "short", tmp_path / "shared"
    short.write_text("abc123")
    short.chmod(0o600)
    make_key(shared)
    shared.chmod(0o644)
    monkeypatch.setenv("WRONG", "secret words")
    cases = {str(short): "holds no key", "env:WRONG": "holds no key", "env:MISSING": "is not set"}
    cases |= {str(tmp_path / "none"): "No key can be read", "0f" * 32: "does not belong on a command line"}
    if os.name == "posix":
        cases[str(shared)] = "chmod 600"
    for where, sentence in cases.items():
        with pytest.raises(MmgamesError, match=sentence) as told:
            read_key(where)
        assert not any(secret in str(told.value) for secret in ("abc123", "secret words", "0f" * 32))
    key = make_key(tmp_path / "key")
    monkeypatch.setenv("OUR_KEY", key.hex())
    assert read_key("env:OUR_KEY") == read_key(str(tmp_path / "key")) == key


SUITES = cases(__file__)["suites"]


@pytest.mark.parametrize("name", SUITES)
def test_starts_are_written_and_played_again_bit_by_bit(name: str, tmp_path: Path) -> None:
    suite, file, options = find(name), tmp_path / "starts.jsonl", dict(SUITES[name])
    first = suite.evaluate("random", 5, 3, write_instances=file, **options)
    again = suite.evaluate("random", 9, instances=file, only=options.get("only"), write_instances=tmp_path / "2.jsonl")
    assert again["rows"] == first["rows"] and again["seed"] == 3
    assert (tmp_path / "2.jsonl").read_bytes() == file.read_bytes()
    assert suite.evaluate("random", 5, 4, **options)["rows"] != first["rows"]


def test_any_choice_of_starts_can_be_given(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    suite, file = find("comma"), tmp_path / "starts.jsonl"
    whole = suite.evaluate("random", 4, out=tmp_path / "whole", only="WirePuzzle", write_instances=file)
    head, *lines = file.read_text().splitlines()
    file.write_text("\n".join([head, json.dumps({**json.loads(lines[-1]), "number": 0})]))
    one = suite.evaluate("random", 4, out=tmp_path / "one", only="WirePuzzle", instances=file)
    files = [tmp_path / run / "WirePuzzle-random.jsonl" for run in ("whole", "one")]
    records = [json.loads(file.read_text().splitlines()[-1]) for file in files]
    assert records[0]["transcript"] == records[1]["transcript"]
    assert (whole["rows"][0]["episodes"], one["rows"][0]["episodes"]) == (4, 1)
    file = str(tmp_path / "s.jsonl")
    command = ["eval", "vs-bench", "--agent", "random", "--only", "CoinDilemma", "--json"]
    assert main([*command, "--episodes", "2", "--seed", "7", "--write-instances", file]) == 0
    first = json.loads(capsys.readouterr().out)
    assert main([*command, "--episodes", "3", "--instances", file]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == first["rows"]


def test_what_is_wrong_with_a_file_is_said_before_anything_is_played(tmp_path: Path) -> None:
    suite, file = find("comma"), tmp_path / "starts.jsonl"
    refused(lambda: suite.evaluate("random", 1, instances=file), "cannot be read")
    head = {"suite": "comma", "seed": 0}
    start = {"environment": "mmgames/WirePuzzle-v0", "number": 0, "seed": 1, "options": {}}
    for lines, reason in [
        ([head], "holds no starts"),
        ([{**head, "suite": "viki"}, start], "is of the suite 'viki'"),
        ([head, {**start, "seed": "x"}], "line 2 lacks seed"),
        ([head, start], "has no starts of mmgames/TelehealthPuzzle-v0"),
    ]:
        file.write_text("\n".join(map(json.dumps, lines)))
        refused(lambda: suite.evaluate("random", 1, instances=file), reason)
    refused(lambda: match("TicTacToe", "random", 3, seed=[1, 2]), "2 seeds, and 3 episodes")
