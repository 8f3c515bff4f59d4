"""The VIKI data set: released columns, our pictures, truths that the checker accepts."""

import io
import json

import numpy as np
import pytest
from PIL import Image

from mmgames.datasets import find
from mmgames.embodied._world import check, generator
from mmgames.errors import MmgamesError
from tests.embodied import released_judge
from tests.refusing import refused

parquet = pytest.importorskip("pyarrow.parquet")


def test_rows_have_the_released_columns(tmp_path):
    module = find("viki")
    report = module.build(tmp_path / "data", rows=3, size=128, splits=("test",))
    assert report["tables"].keys() == {"viki_1-test", "viki_2-test", "viki_3-test"}
    assert "viki_2-test" in module.table(report, "here")
    for level in module.LEVELS:
        rows = parquet.read_table(tmp_path / "data" / f"{level}-test.parquet").to_pylist()
        assert len(rows) == 3
        for row in rows:
            assert row["data_source"] == level
            assert [message["role"] for message in row["prompt"]] == ["system", "user"]
            assert row["prompt"][1]["content"].startswith("<image>")
            assert Image.open(io.BytesIO(row["images"][0]["bytes"])).width == 128
            assert row["reward_model"]["ground_truth"]
    for row in rows:
        assert len(json.loads(row["reward_model"]["ground_truth"])) == 2


def test_rows_without_labels_and_with_several_views_have_as_many_pictures_as_marks(tmp_path):
    module = find("viki")
    named = module.make_rows("viki_1", "test", 0, 0, 1, 64, {"scene": "drawn"})[0]
    module.build(tmp_path / "data", rows=1, size=64, splits=("test",), labels=False, views="above,ego")
    for level in module.LEVELS:
        (row,) = parquet.read_table(tmp_path / "data" / f"{level}-test.parquet").to_pylist()
        content = row["prompt"][1]["content"]
        assert content.count("<image>") == len(row["images"]) > 1 and "told by their looks" in content
        if level == "viki_1":
            assert row["images"][0]["bytes"] != named["images"][0]["bytes"]
            assert row["reward_model"] == named["reward_model"]
    refused(lambda: module.build(tmp_path / "more", rows=1, views="below"), "view")


def test_a_plans_truth_is_nested_and_comes_back_as_it_was(tmp_path):
    module = find("viki")
    module.build(tmp_path / "data", rows=6, size=64, splits=("test",))
    table = parquet.read_table(tmp_path / "data" / "viki_2-test.parquet")
    truth = table.schema.field("reward_model").type.field("ground_truth").type
    fields = [truth.field(i).name for i in range(truth.num_fields)]
    assert fields == [
        "task_id", "task_name", "description", "layout_id", "robots", "idle_robots", "init_pos", "time_steps",
        "goal_constraints", "temporal_constraints",
    ]  # fmt: skip
    lines = (tmp_path / "data" / "viki_2-test.jsonl").read_text().splitlines()
    for row, line in zip(table.to_pylist(), lines, strict=True):
        number, split = row["extra_info"]["index"], row["extra_info"]["split"]
        task = module._task("viki_2", split, number * 1_000)
        assert task.id == row["extra_info"]["task"]
        expected = module.released_truth(task)
        assert module.without_nulls(row["reward_model"]["ground_truth"]) == expected
        assert json.loads(line)["reward_model"]["ground_truth"] == expected


def test_the_plan_in_the_truth_works_also_as_the_released_scorer_follows_it():
    module = find("viki")
    for seed in range(5):
        task = generator.generate(seed, "test")
        truth = module.released_truth(task)
        assert check(task, [step["actions"] for step in truth["time_steps"]]).solved
        assert set(truth["robots"]) == set(task.active)
        assert len(truth["robots"]) + len(truth["idle_robots"]) == len(task.robots)
    drawn = [find("viki")._task("viki_2", "test", number) for number in range(0, 40_000, 1_000)]
    assert all(map(generator.works_as_released, drawn))
    assert not all(generator.templates()[task.template].released for task in drawn)


@pytest.mark.parametrize("template", generator.templates())
def test_a_truth_that_may_be_exported_scores_one_with_the_released_scorer(template):
    works = []
    for seed in range(2):
        task = generator.generate(seed, template=template)
        truth = find("viki").released_truth(task)
        works.append(generator.works_as_released(task))
        reply = f"<think></think><answer>{truth['time_steps']}</answer>"
        assert released_judge.score(truth, reply) == (1.0 if works[-1] else 0.1)
    # Doors that are closed, things that are handed over, boxes that are pushed to a place: nobody can do that there.
    assert any(works) == (generator.templates()[template].family not in (14, 15, 19, 21))


def test_a_build_goes_on_and_is_the_same_again(tmp_path):
    module = find("viki")
    for name in ("one", "two"):
        module.build(tmp_path / name, rows=2, size=96, splits=("ood",))
    module.build(tmp_path / "one", rows=2, size=96, splits=("ood",))
    for level in module.LEVELS:
        first, second = (tmp_path / name / f"{level}-ood.jsonl" for name in ("one", "two"))
        assert first.read_bytes() == second.read_bytes()


def test_hard_tables_and_the_scene_are_asked_for(tmp_path, monkeypatch):
    from mmgames.embodied._scenes import scenes

    shown = []
    monkeypatch.setattr(scenes, "check", lambda scene, where: shown.append(scene))
    monkeypatch.setattr(scenes, "overview", lambda scene, *_: shown.append(scene) or np.zeros((8, 8, 3), np.uint8))
    monkeypatch.setitem(find("viki").__dict__, "LEVELS", {"viki_2": "VikiKitchen-Plan"})
    report = find("viki").build(tmp_path / "x", rows=2, size=64, splits=("hard",), scene="maniskill")
    assert set(shown) == {"maniskill"} and report["scene"] == "maniskill"
    truths = [json.loads(line) for line in (tmp_path / "x" / "viki_2-hard.jsonl").read_text().splitlines()]
    assert all(len(truth["reward_model"]["ground_truth"]["time_steps"]) >= 6 for truth in truths)


def test_reasons_are_a_column_that_is_asked_for_and_wrong_splits_are_said(tmp_path):
    refused(lambda: find("viki").build(tmp_path / "x", splits=("all",)), "Unknown split")
    refused(lambda: find("viki").build(tmp_path / "x", scene="painted"), "Unknown scene")
    refused(lambda: find("viki").build(tmp_path / "x", rows=0), "at least one row")
    module = find("viki")
    module.build(tmp_path / "data", rows=2, size=64, splits=("test",), reasoning=True)
    for level, begins in (("viki_1", "Seen: R1 "), ("viki_2", "Wanted in the end: ")):
        rows = parquet.read_table(tmp_path / "data" / f"{level}-test.parquet").to_pylist()
        assert all(row["reasoning"].startswith(begins) for row in rows)
    assert "reasoning" not in parquet.read_table(tmp_path / "data" / "viki_3-test.parquet").column_names
    with pytest.raises(MmgamesError):
        module.build(tmp_path / "data", rows=2, size=64, splits=("test",))  # other settings than it was begun with
