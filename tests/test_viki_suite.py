"""The VIKI-Bench suite and its data set: reference answers, published rows, truths that the checker accepts."""

import ast
import csv
import io
import itertools
import json
import re

import numpy as np
import pytest
from PIL import Image
from pyarrow import parquet

from mmgames import cli, datasets
from mmgames.agents import retries
from mmgames.embodied._world import check, generator
from mmgames.errors import MmgamesError
from mmgames.suites import find
from mmgames.suites.papers.published import tables as published
from mmgames.suites.papers.viki import SUITE
from mmgames.tasks.env import TaskEnv
from tests.chat_server import Fault, pictures, serving, words
from tests.embodied import released_judge
from tests.players import Says
from tests.refusing import refused


def values(result):
    return {(row["environment"], row.get("variant", ""), row["measure"]): row["raw"] for row in result["rows"]}


def test_the_oracle_is_always_right_random_nearly_never_and_heuristics_in_between():
    best, worst = (values(SUITE.evaluate(agent, episodes=4)) for agent in ("oracle", "random"))
    for key, value in best.items():
        assert value == (0.0 if "pixels" in key[2] else 100.0)
        assert worst[key] > 50 if "pixels" in key[2] else worst[key] < 50
    rows = values(SUITE.evaluate("heuristic", episodes=6, only=["VikiActivation", "VikiTrajectory"]))
    settings: dict = {}
    for (environment, _, measure), value in rows.items():
        settings.setdefault((environment, measure), []).append(value)
    assert sorted(map(len, settings.values())) == [2, 2, 2, 3]
    assert all(len(set(found)) == 1 for found in settings.values())
    result = values(SUITE.evaluate("heuristic", episodes=12, only=["VikiKitchen-Plan", "VikiTrajectory"]))
    solved = [value for key, value in result.items() if "solved" in key[2]]
    assert 0 < sum(solved) / len(solved) < 100
    assert all(0 < value < 200 for key, value in result.items() if "pixels" in key[2])


def test_every_published_row_is_on_the_page():
    page = SUITE.page("mmgames eval viki", [SUITE.evaluate("oracle", episodes=2)], {})
    for table in published("viki").values():
        for name in table.rows:
            assert f"| *{name}* |" in page
        assert all(note in page for note in table.notes)
    ours = [line for line in page.splitlines() if line.startswith("| oracle |")]
    assert len(ours) == 4, "the levels in one table, attempts and hard tasks in two more, and what labels are worth"
    assert ours[0].count("| 100.00 ") == 4 and ours[0].count("0.00 <sub>") >= 4
    result = SUITE.evaluate("heuristic", episodes=8, only="VikiPlan", rules="optimal")
    rows = [row for row in result["rows"] if row.get("variant", "").startswith("hard")]
    beyond = [steps for row in rows for steps in row["extra_steps"]]
    assert len(rows) == 2 and min(beyond) == 0 < max(beyond)
    table = SUITE.page("", [result], {}).partition("## Table 4")[2]
    assert f"| {np.mean(beyond):.2f} <sub>" in table.partition("| *VIKI-R")[0]
    oracle = SUITE.evaluate("oracle", episodes=3, only="VikiPlan", rules="released")
    assert all(row["raw"] == 100 for row in oracle["rows"])
    assert {steps for row in oracle["rows"] for steps in row["extra_steps"]} == {0}


def test_an_object_that_answers_is_measured_and_asked_again():
    asked, plan = [], '[{"step": 1, "actions": {"R9": ["Move", "nothing"]}}]'  # which is read and fails
    agent = Says(lambda observation: asked.append(observation) or plan, observe=("rgb", "text"))
    result = SUITE.evaluate(agent, episodes=1, only="VikiPlan", size=96)
    assert all(row["raw"] == 0 for row in result["rows"]) and len(asked) == 1 + 1 + 3 + 3 + 6 + 6 + 1 + 1 + 1 + 1
    assert asked[0]["rgb"].shape == (96, 96, 3)
    named, unlabelled, told = asked[0], asked[-2], asked[-1]
    assert (named["rgb"] != unlabelled["rgb"]).any() and "rgb" not in told
    assert "told by their looks" in unlabelled["text"] and "told by their looks" not in named["text"] + told["text"]
    jobs = {asked["text"].partition("## Job")[2].partition("##")[0] for asked in (named, unlabelled, told)}
    assert len(jobs) == 1, "all three settings ask the same question"


def test_unknown_agents_are_refused():
    assert find("viki") is SUITE
    refused(lambda: SUITE.evaluate("minimax", episodes=1), "Unknown agent")
    refused(lambda: SUITE.evaluate(object(), episodes=1), "answer")
    for entry in SUITE.entries:
        TaskEnv(entry.id, actions="text", **{"observe": "text", **entry.options}).reset(seed=0)
    how = {"episodes": 3, "only": "VikiPlan", "form": "challenge"}
    assert all(row["raw"] == 100 for row in SUITE.evaluate("oracle", **how)["rows"])
    guessed = [row for name in ("random", "heuristic") for row in SUITE.evaluate(name, **how)["rows"]]
    assert all(row["illegal"]["illegal"] == 0 for row in guessed)


def test_a_chat_model_answers_by_name_and_a_service_that_is_away_leaves_holes(tmp_path, monkeypatch):
    monkeypatch.setattr(retries, "_sleep", lambda seconds: None)
    away = [0, 3]  # the first question of two is never answered
    with serving(lambda request, number: Fault(503) if number in range(*away) else "[]") as server:
        name = f"chat:tiny,base_url={server.url},size=96,tries=3,away=0"
        how = {"only": ["VikiKitchen-Activate", "VikiTrajectory"], "out": tmp_path, "concurrency": 1}
        first = SUITE.evaluate(name, 2, **how)["rows"]
        assert [row["missing"] for row in first] == [1] + [0] * 8 and first[0]["episodes"] == 1
        assert [row["illegal"]["policy"] for row in first] == ["wrong"] * 9
        assert pictures(server.requests[0]["messages"][-1])[0].size[0] <= 96
        asked = len(server.requests)
        again = SUITE.evaluate(name, 2, **how)["rows"]
        assert len(server.requests) == asked + 1, "only what is missing is asked"
        assert [row["missing"] for row in again] == [0] * 9 and again[0]["failed_before"] == 1
    assert again[1]["raw"] > 100, "a reply that is no path is as far off as can be"


def test_plans_are_written_in_the_challenges_csv(tmp_path):
    path = tmp_path / "plans.csv"
    command = ["eval", "viki", "--agent", "oracle", "--only", "VikiKitchen-Plan", "--episodes", "3"]
    assert cli.main([*command, "--csv", str(path)]) == 2, "nothing is kept without --out"
    for form in ("challenge", "plan"):
        assert cli.main([*command, "--set", f"form={form}", "--out", str(tmp_path / form), "--csv", str(path)]) == 0
        with path.open(newline="") as file:
            rows = list(csv.DictReader(file))
        assert [*rows[0]] == ["task_id", "task_description", "answer.selected_robots", "answer.action_plan"]
        assert [row["task_id"] for row in rows] == ["task_0", "task_1", "task_2"]
        for row in rows:
            robots, steps = ast.literal_eval(row["answer.selected_robots"]), ast.literal_eval(row["answer.action_plan"])
            acting = {who for step in steps for who in step["actions"]}
            assert robots and set(robots) == acting and all(name[0].isupper() for name in acting)
            assert [step["step"] for step in steps] == [*range(1, len(steps) + 1)] and row["task_description"]


def test_rows_have_the_released_columns(tmp_path):
    module = datasets.find("viki")
    report = module.build(tmp_path / "data", rows=3, size=128, splits=("test",))
    assert report["tables"].keys() == {"viki_1-test", "viki_2-test", "viki_3-test"}
    assert "viki_2-test" in module.table(report, "here")
    for level in module.LEVELS:
        rows = parquet.read_table(tmp_path / "data" / f"{level}-test.parquet").to_pylist()
        assert len(rows) == 3
        for row in rows:
            assert row["data_source"] == level and [message["role"] for message in row["prompt"]] == ["system", "user"]
            assert row["prompt"][1]["content"].startswith("<image>")
            assert Image.open(io.BytesIO(row["images"][0]["bytes"])).width == 128
            assert row["reward_model"]["ground_truth"]
    for row in rows:
        assert len(json.loads(row["reward_model"]["ground_truth"])) == 2


def test_rows_without_labels_and_with_several_views_have_as_many_pictures_as_marks(tmp_path):
    module = datasets.find("viki")
    named = module.make_rows("viki_1", "test", 0, range(1), 64, {"scene": "drawn"}, False, "")[0]
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
    module = datasets.find("viki")
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
        task = next(module._tasks("viki_2", split, number * 1_000))
        assert task.id == row["extra_info"]["task"]
        expected = module.released_truth(task)
        assert module.without_nulls(row["reward_model"]["ground_truth"]) == expected
        assert json.loads(line)["reward_model"]["ground_truth"] == expected


def test_the_plan_in_the_truth_works_also_as_the_released_scorer_follows_it():
    module = datasets.find("viki")
    for seed in range(5):
        task = generator.generate(seed, "test")
        truth = module.released_truth(task)
        assert check(task, [step["actions"] for step in truth["time_steps"]]).solved
        assert set(truth["robots"]) == set(task.active)
        assert len(truth["robots"]) + len(truth["idle_robots"]) == len(task.robots)
    drawn = [next(datasets.find("viki")._tasks("viki_2", "test", number)) for number in range(0, 40_000, 1_000)]
    assert all(map(generator.works_as_released, drawn))
    assert not all(generator.templates()[task.template].released for task in drawn)


@pytest.mark.parametrize("template", generator.templates())
def test_a_truth_that_may_be_exported_scores_one_with_the_released_scorer(template):
    works = []
    for seed in range(2):
        task = generator.generate(seed, template=template)
        truth = datasets.find("viki").released_truth(task)
        works.append(generator.works_as_released(task))
        reply = f"<think></think><answer>{truth['time_steps']}</answer>"
        assert released_judge.score(truth, reply) == (1.0 if works[-1] else 0.1)
    # Doors that are closed, things that are handed over, boxes that are pushed to a place: nobody can do that there.
    assert any(works) == (generator.templates()[template].family not in (14, 15, 19, 21, 24, 25, 26))


def test_a_build_goes_on_and_is_the_same_again(tmp_path):
    module = datasets.find("viki")
    for name in ("one", "two"):
        module.build(tmp_path / name, rows=2, size=96, splits=("ood",))
    module.build(tmp_path / "one", rows=2, size=96, splits=("ood",))
    for level in module.LEVELS:
        first, second = (tmp_path / name / f"{level}-ood.jsonl" for name in ("one", "two"))
        assert first.read_bytes() == second.read_bytes()


def test_a_model_writes_plans_until_they_work_and_what_fails_makes_room(tmp_path):
    """It proposes half of a plan, then the whole one if it hears that this fails; for the first task none."""
    module = datasets.find("viki")
    numbers = range(0, 2_000, 1_000)
    known = [task for number in numbers for task in itertools.islice(module._tasks("viki_2", "test", number), 20)]

    def plan(request, number):
        told = words(request["messages"][-1])
        (job,) = re.findall(r"## Job\n(.*)\n", told)
        task = next((task for task in known if task.instruction == job), known[0])
        if task is known[0]:
            return "<think>Not this one.</think><answer>[]</answer>"
        steps = [{"step": step, "actions": done} for step, done in enumerate(generator.reference_plan(task), 1)]
        answer = json.dumps(steps if "This plan failed." in told else steps[:-1])
        return f"<think>I think of {task.id}.</think><answer>{answer}</answer>"

    with serving(plan) as server:
        author = f"chat:tiny,base_url={server.url},size=64"
        settings = {"size": 64, "splits": ("test",), "author": author}
        module.build(tmp_path / "data", rows=2, reasoning=True, **settings)
        refused(lambda: module.build(tmp_path / "none", rows=1, seed=1, **settings), "no plan that works for 20 tasks")
    rows = [json.loads(line) for line in (tmp_path / "data" / "viki_2-test.jsonl").read_text().splitlines()]
    assert rows[0]["extra_info"]["task"] != known[0].id
    for row in rows:
        truth, facts = row["reward_model"]["ground_truth"], row["extra_info"]
        assert (facts["author"], facts["attempts"]) == (author, 2)
        assert row["reasoning"] == f"I think of {facts['task']}."
        reply = f"<think></think><answer>{truth['time_steps']}</answer>"
        assert released_judge.score(truth, reply) == 1.0
    (other, *_) = (tmp_path / "data" / "viki_1-test.jsonl").read_text().splitlines()
    assert "author" not in json.loads(other)["extra_info"], "activation is not planned"


def test_hard_tables_and_the_scene_are_asked_for(tmp_path, monkeypatch):
    from mmgames.embodied._scenes import scenes

    shown = []
    monkeypatch.setattr(scenes, "check", lambda scene, where: shown.append(scene))
    monkeypatch.setattr(scenes, "overview", lambda scene, *_: shown.append(scene) or np.zeros((8, 8, 3), np.uint8))
    monkeypatch.setitem(datasets.find("viki").__dict__, "LEVELS", {"viki_2": "VikiKitchen-Plan"})
    report = datasets.find("viki").build(tmp_path / "x", rows=2, size=64, splits=("hard",), scene="maniskill")
    assert set(shown) == {"maniskill"} and report["scene"] == "maniskill"
    truths = [json.loads(line) for line in (tmp_path / "x" / "viki_2-hard.jsonl").read_text().splitlines()]
    assert all(len(truth["reward_model"]["ground_truth"]["time_steps"]) >= 6 for truth in truths)


def test_reasons_are_a_column_that_is_asked_for_and_wrong_splits_are_said(tmp_path):
    refused(lambda: datasets.find("viki").build(tmp_path / "x", splits=("all",)), "Unknown split")
    refused(lambda: datasets.find("viki").build(tmp_path / "x", scene="painted"), "Unknown scene")
    refused(lambda: datasets.find("viki").build(tmp_path / "x", rows=0), "at least one row")
    module = datasets.find("viki")
    module.build(tmp_path / "data", rows=2, size=64, splits=("test",), reasoning=True)
    for level, begins in (("viki_1", "Seen: R1 "), ("viki_2", "Wanted in the end: ")):
        rows = parquet.read_table(tmp_path / "data" / f"{level}-test.parquet").to_pylist()
        assert all(row["reasoning"].startswith(begins) for row in rows)
    assert "reasoning" not in parquet.read_table(tmp_path / "data" / "viki_3-test.parquet").column_names
    with pytest.raises(MmgamesError):
        module.build(tmp_path / "data", rows=2, size=64, splits=("test",))  # other settings than it was begun with
