"""Vision-Zero as data and as a suite."""

import json

import numpy as np
import pytest
from PIL import Image

from mmgames import suites
from mmgames.cli import main
from mmgames.datasets import files, vision_zero
from mmgames.games.spy import pictures
from tests.players import Acts
from tests.refusing import refused


def test_pairs_are_written_in_the_released_form_with_their_scenes(tmp_path, capsys):
    report = vision_zero.build(tmp_path, rows=4, size=96)
    rows = files.read_rows(tmp_path, "pairs")
    assert len(rows) == 4 and report["changes"] == {"colour": 8, "shape": 8}
    for row in rows:
        pair = pictures.find("clevr").pair(np.random.Generator(np.random.PCG64(row["seed"])))
        for part, scene in (("original", pair.original), ("modified", pair.changed)):
            assert np.array_equal(np.asarray(Image.open(tmp_path / row[part])), scene.draw(96))
            assert json.loads(row[f"{part}_scene"]) == json.loads(json.dumps(scene.record()))
            assert row[f"{part}_facts"] == [fact.sentence for fact in scene.facts()]
        assert json.loads(row["changes"]) == [change._asdict() for change in pair.changes]
    assert files.pyarrow().parquet.read_table(tmp_path / "pairs.parquet").num_rows == 4
    source = pictures.find(f"folder:{tmp_path}")
    assert len(source.pairs) == 4 and not source.problems
    assert main(["dataset", "vision-zero", str(tmp_path / "d"), "--n", "2", "--pictures", "chart"]) == 0
    assert "2 pairs of chart" in capsys.readouterr().out
    with Image.open(tmp_path / "d" / "pairs" / "000000_original.png") as picture:
        assert picture.size == (320, 240)
    refused(lambda: vision_zero.build(tmp_path / "e", noise=2), "noise=2")
    assert not (tmp_path / "e").exists()


def test_a_build_that_was_stopped_draws_only_what_is_missing(tmp_path, monkeypatch):
    options = {"rows": 6, "size": 64, "pictures": "chart"}
    whole = tmp_path / "whole"
    vision_zero.build(whole, **options)
    stopped = tmp_path / "stopped"
    monkeypatch.setattr(vision_zero, "PAIRS_PER_JOB", 2)
    real, calls = vision_zero.draw_pairs, []

    def killed(out, numbers, *rest):
        calls.append(list(numbers))
        if len(calls) == 3:
            raise KeyboardInterrupt
        return real(out, numbers, *rest)

    monkeypatch.setattr(vision_zero, "draw_pairs", killed)
    with pytest.raises(KeyboardInterrupt):
        vision_zero.build(stopped, **options)
    (stopped / "pairs" / "000001_modified.png").unlink()
    vision_zero.build(stopped, **options)
    assert calls == [[0, 1], [2, 3], [4, 5], [1, 4], [5]]
    assert files.read_rows(stopped, "pairs") == files.read_rows(whole, "pairs")
    vision_zero.build(stopped, **options)
    assert len(calls) == 5
    refused(lambda: vision_zero.build(stopped, **{**options, "pictures": "clevr"}), "pictures")


def test_the_suite_measures_both_sides_against_everybody(tmp_path):
    suite = suites.find("vision-zero")
    result = suite.evaluate("consistency", 10, out=tmp_path, pictures="chart")
    assert len(result["rows"]) == 12
    by = {(row["side"], row["opponent"]): row for row in result["rows"]}
    assert by["civilians", "vague"]["raw"] > by["civilians", "oracle"]["raw"]
    for row in result["rows"]:
        assert row["episodes"] == 10 and row["votes_right"] + row["votes_na"] + row["votes_invalid"] <= 1
    # What one side's clues earn, the other's lose.
    mirrored = suite.evaluate("vague", 10, pictures="chart")
    other = next(row for row in mirrored["rows"] if (row["side"], row["opponent"]) == ("spy", "consistency"))
    assert other["raw"] == 100 - by["civilians", "vague"]["raw"]
    assert other["clue_reward"]["mean"] == pytest.approx(-4 * by["civilians", "vague"]["clue_reward"]["mean"])
    lines = suite.page("mmgames eval vision-zero", [result, mirrored], {}).splitlines()
    assert sum(line.startswith("| consistency |") for line in lines) >= 5
    assert "| *Qwen2.5-VL-7B* | 50 | 71 | – | – |" in lines
    civilians = next(line for line in lines if line.startswith("| consistency |")).split(" | ")
    assert civilians[4].startswith(f"{by['civilians', 'vague']['raw']:.1f}") and len(suite.headline(result)) == 2


def test_an_agent_meets_its_reference_in_both_roles(tmp_path, capsys):
    suite = suites.find("vision-zero")
    same = suite.evaluate(("consistency", "consistency"), 40, pictures="chart")
    (row,) = same["rows"]
    assert row["raw"] == 50 and row["episodes"] == 40  # both halves play the same pictures
    better = suite.evaluate(("oracle", "truthful"), 20, pictures="chart")
    (row,) = better["rows"]
    assert row["raw"] > 60 and len(suite.headline(better)) == 2
    page = suite.page("mmgames eval vision-zero", [same, better], {})
    assert "Against its reference" in page and "| oracle + truthful |" in page
    words = "eval vision-zero --trained oracle --reference truthful --episodes 4 --set pictures=chart"
    assert main(words.split()) == 0 and "oracle + truthful" in capsys.readouterr().out
    result = suites.find("vision-zero").evaluate(Acts(""), 5, pictures="chart")
    assert {row["raw"] for row in result["rows"]} == {0.0}
