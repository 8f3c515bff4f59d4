"""Records replay: what was done, said and refused is kept, comes back and can be looked at, as a film too."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import mmgames
from mmgames import cli
from mmgames.core.registry import load
from mmgames.running.matches import play
from tests.cases import cases, lines
from tests.players import Acts, Says
from tests.refusing import refused
from tests.toys import PUCK, known

COIN, TURNS, WIRE = "mmgames/CoinDilemma-v0", "mmgames/TicTacToe-v0", "mmgames/WirePuzzle-v0"


def test_a_record_or_a_file_that_is_still_written_brings_back_every_state_as_far_as_it_went(tmp_path):
    path = tmp_path / "coin.jsonl"
    for row in mmgames.match(COIN, ("common_welfare", "random"), 3, seed=2, out=path).episodes:
        played = [live.state for live in play(COIN, ("common_welfare", "random"), row["seed"])]
        assert [live.state for live in mmgames.replay(row)] == played
        assert [live.state for live in mmgames.replay(path, row["episode"])] == played
        assert [live.state for live in mmgames.replay(str(path), row["episode"])] == played
    (row,) = mmgames.match("Hanabi", "random", 1, players=3, max_steps=7).episodes
    *_, live = mmgames.replay(row)
    assert len(live.game.seats) == 3 and len(row["actions"]) == 7
    (row,) = mmgames.match(TURNS, (Acts("B2", "Z9"), Acts("A1")), 1).episodes
    assert row["failed"] and row["actions"] == [[4, None], [None, 0]] and len(list(mmgames.replay(row))) == 3
    (row,) = mmgames.match(TURNS, (Acts("B2", "Z9", "Z8", "Z7"), Acts("A1")), 1, on_illegal="retry").episodes
    assert row["forfeit"] == "x" and len(list(mmgames.replay(row))) == 3
    path = tmp_path / "ttt.jsonl"
    mmgames.match(TURNS, "minimax", 2, out=path)
    path.write_bytes(path.read_bytes() + b'{"episode": 2, "se')
    assert len(list(mmgames.replay(path, 1))) == 10


def test_replies_refusals_and_seconds_are_kept_and_seconds_are_no_part_of_what_is_compared(tmp_path):
    agents = (Acts("centre", "B2", 'So.\n{"action": "A1"}', "Answer: C3"), "random")
    (row,) = mmgames.match(TURNS, agents, 1, seed=3, on_illegal="retry", max_steps=3).episodes
    first, second, third = row["replies"]
    assert first["step"] == 0 and first["seat"] == "x" and first["reply"] == "centre" and "'centre'" in first["refused"]
    assert second == {"step": 0, "seat": "x", "reply": "B2"}
    assert third == {"step": 2, "seat": "x", "reply": 'So.\n{"action": "A1"}'}
    assert len(row["seconds"]) == 3 and all(value >= 0 for value in row["seconds"])
    (plain,) = mmgames.match(TURNS, "random", 1).episodes
    assert "replies" not in plain and "seconds" not in plain
    agents = ("scripted_solver", "scripted_expert")
    first = mmgames.match(WIRE, agents, 4, out=tmp_path / "one.jsonl")
    second = mmgames.match(WIRE, agents, 4, processes=2)
    assert first.episodes == second.episodes and all(row["seconds"] for row in first.episodes)
    timed = {**second.episodes[0], "seconds": [1e9]}
    assert not (timed != first.episodes[0])  # noqa: SIM202 - both operators are meant
    assert timed == first.episodes[0] and first.episodes[0] == timed
    assert {**timed, "seed": 1} != first.episodes[0] and lines(tmp_path / "one.jsonl")[1:] == first.episodes


def test_every_kind_of_action_is_kept_as_json_holds_it():
    with known():
        for id, kind in ((PUCK, list), ("mmgames/Spy-v0", str)):
            (row,) = mmgames.match(id, "random", 1, seed=1).episodes
            assert row["failed"] is None
            states = [live.state for live in mmgames.replay(json.loads(json.dumps(row)))]
            assert states == [live.state for live in play(id, "random", row["seed"])]
            assert {type(action) for step in row["actions"] for action in step} <= {kind, type(None)}


def test_a_record_that_cannot_be_replayed_says_why(tmp_path):
    path = tmp_path / "ttt.jsonl"
    mmgames.match(TURNS, "minimax", 2, out=path)
    row = lines(path)[1]

    def cannot(record, *words, episode=None):
        refused(lambda: list(mmgames.replay(record, episode)), *words)

    cannot({key: value for key, value in row.items() if key != "actions"}, "has no 'actions'", "Play the match again")
    cannot({**row, "seed": "x"}, "'seed' with an unusable value, 'x'")
    cannot({**row, "actions": [*row["actions"][:1], row["actions"][0]]}, "at step 1 x is not to move")
    same = [*row["actions"][:1], row["actions"][0][::-1]]
    cannot({**row, "actions": same}, "at step 1 o cannot have done that", "is not legal for o here")
    cannot({**row, "actions": [["B2", None]]}, "at step 0 x cannot have done that")
    cannot({**row, "returns": [9.0, 9.0]}, "returns [0.0, 0.0], not [9.0, 9.0]", "does not replay")
    cannot({**row, "game": "acme/Gone-v0"}, "There is no environment 'acme/Gone-v0'")
    cannot(path, "Say which episode", "there are 2, from 0 to 1")
    cannot(path, "has no episode 5", episode=5)
    cannot(tmp_path, "it is a folder")
    cannot(tmp_path / "nothing.jsonl", "No such file")
    old = tmp_path / "old.jsonl"
    header, first, *_ = lines(path)
    header["about"]["version"] = "0.0.1"
    first["actions"] = [["B2", None]]
    old.write_text(json.dumps(header) + "\n" + json.dumps(first) + "\n")
    cannot(old, "made by mmgames 0.0.1", f"this is {mmgames.__version__}")
    (tmp_path / "prose.jsonl").write_text('{"a": 1}\n')
    cannot(tmp_path / "prose.jsonl", "is no results file")


def test_show_draws_an_episode_of_a_results_file(tmp_path, capsys):
    path, out = tmp_path / "ttt.jsonl", tmp_path / "game.png"
    result = mmgames.match(TURNS, ("minimax", "random"), 3, out=path)
    show = ["show", str(path), "--episode", "1", "--size", "96", "--out", str(out)]
    assert cli.main(show) == 0
    shown = capsys.readouterr().out
    row = result.episodes[1]
    assert f"TicTacToe, episode 1, seed {row['seed']}: x minimax" in shown
    assert len(re.findall(r"^ +\d+  [xo]  [ABC][123]$", shown, re.M)) == row["length"]
    assert min(Image.open(out).size) > 2 * 96, "a strip of positions"
    assert cli.main([*show, "--steps", "2"]) == 0 and f"{out}: TicTacToe after step 2" in capsys.readouterr().out
    *_, live = list(mmgames.replay({**row, "actions": row["actions"][:2], "returns": None}))
    with Image.open(out) as image:
        assert (np.asarray(image) == load(TURNS).picture.draw(live.view(None), 96)).all()
    assert cli.main([*show, "--steps", "2", "--seat", "o"]) == 0 and "seen by o" in capsys.readouterr().out


def test_show_tells_a_dialogue_and_how_an_episode_ended(tmp_path, capsys):
    path, out = tmp_path / "wire.jsonl", str(tmp_path / "x.png")
    result = mmgames.match(WIRE, ("scripted_solver", "scripted_expert"), 1, out=path)
    assert cli.main(["show", str(path), "--size", "64", "--out", out]) == 0
    shown = capsys.readouterr().out
    for step in result.episodes[0]["actions"]:
        for message in filter(None, step):
            assert all(line in shown for line in message.splitlines())
    path = tmp_path / "lost.jsonl"
    mmgames.match(TURNS, (Acts("B2", "Z9", "Z8", "Z7"), Acts("A1")), 1, on_illegal="retry", out=path)
    assert cli.main(["show", str(path), "--size", "64", "--out", out]) == 0
    shown = capsys.readouterr().out
    assert "(refused:" in shown and "X has lost it by replies that were no moves" in shown


def test_show_refuses_in_one_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    mmgames.match(TURNS, "random", 1, out="kept.jsonl")
    for arguments, sentence in cases(__file__)["refused"]:
        assert cli.main(["show", *arguments]) == 2
        error = capsys.readouterr().err
        assert sentence in error and error.count("\n") == 1


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    mmgames.match("CoinDilemma", "random", 2, seed=1, max_steps=5, out=tmp_path / "coin.jsonl")
    return tmp_path / "coin.jsonl"


def test_films_show_every_position_and_talk(kept: Path, capsys: pytest.CaptureFixture, tmp_path: Path) -> None:
    out = kept.with_name("coin.gif")
    assert cli.main(["show", str(kept), "--episode", "1", "--out", str(out), "--pace", "0.5", "--size", "128"]) == 0
    assert "from the start to step 5" in capsys.readouterr().out
    film = Image.open(out)
    times, seen = [], set()
    for number in range(film.n_frames):
        film.seek(number)
        times.append(film.info["duration"])
        seen.add(film.convert("RGB").tobytes())
    assert times == [500] * 5 + [1500] and len(seen) == 6
    out = tmp_path / "talk.jsonl"
    mmgames.match("WirePuzzle", [Says("What do you see? " * 5000), "scripted_expert"], 1, max_steps=2, out=out)
    assert cli.main(["show", str(out), "--episode", "0", "--out", str(tmp_path / "talk.gif"), "--size", "128"]) == 0
    assert Image.open(tmp_path / "talk.gif").n_frames == 3
    ffmpeg = pytest.importorskip("imageio_ffmpeg")
    out = kept.with_name("coin.mp4")
    assert cli.main(["show", str(kept), "--episode", "0", "--out", str(out), "--seat", "red", "--size", "101"]) == 0
    about = next(ffmpeg.read_frames(out))
    assert about["duration"] == pytest.approx((5 + 3) * 0.8, abs=0.11)
    assert about["size"][0] == 102, "sides are even"


def test_a_missing_package_is_named_before_anything_is_drawn(kept: Path, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    assert cli.main(["show", str(kept), "--episode", "0", "--out", str(kept.with_name("coin.mp4"))]) == 2
    assert "pip install 'mmgames[film]'" in capsys.readouterr().err
    assert cli.main(["show", "CoinDilemma", "--out", str(kept.with_name("coin.mp4"))]) == 2, "a position is no film"
    assert not kept.with_name("coin.mp4").exists()
