"""Recorded episodes as films."""

import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import mmgames
from mmgames import cli


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    mmgames.match("CoinDilemma", "random", 2, seed=1, max_steps=5, out=tmp_path / "coin.jsonl")
    return tmp_path / "coin.jsonl"


def test_a_gif_shows_every_position_and_stays_at_the_end(kept: Path, capsys: pytest.CaptureFixture) -> None:
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


def test_an_mp4_is_as_long_and_as_large_as_it_should_be(kept: Path) -> None:
    ffmpeg = pytest.importorskip("imageio_ffmpeg")
    out = kept.with_name("coin.mp4")
    assert cli.main(["show", str(kept), "--episode", "0", "--out", str(out), "--seat", "red", "--size", "101"]) == 0
    about = next(ffmpeg.read_frames(out))
    assert about["duration"] == pytest.approx((5 + 3) * 0.8, abs=0.11)
    assert about["size"][0] == 102, "sides are even"


def test_talk_stands_below_the_picture_and_a_long_message_fits(tmp_path: Path) -> None:
    class Talks:
        def answer(self, observation: dict) -> str:
            return "What do you see? " * 5000

    out = tmp_path / "talk.jsonl"
    mmgames.match("WirePuzzle", [Talks(), "scripted_expert"], 1, max_steps=2, out=out)
    assert cli.main(["show", str(out), "--episode", "0", "--out", str(tmp_path / "talk.gif"), "--size", "128"]) == 0
    assert Image.open(tmp_path / "talk.gif").n_frames == 3


def test_a_missing_package_is_named_before_anything_is_drawn(kept: Path, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    assert cli.main(["show", str(kept), "--episode", "0", "--out", str(kept.with_name("coin.mp4"))]) == 2
    assert "pip install 'mmgames[film]'" in capsys.readouterr().err
    assert cli.main(["show", "CoinDilemma", "--out", str(kept.with_name("coin.mp4"))]) == 2, "a position is no film"
    assert not kept.with_name("coin.mp4").exists()
