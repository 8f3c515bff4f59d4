"""The VIKI-Bench suite: reference answers, published rows, and agents that answer."""

import ast
import csv

import numpy as np

from mmgames import cli
from mmgames.agents import retries
from mmgames.agents.retries import NO_RETRIES
from mmgames.errors import Unavailable
from mmgames.suites import find
from mmgames.suites.papers.published import tables as published
from mmgames.suites.papers.viki import SUITE
from mmgames.tasks.env import TaskEnv
from tests.chat_server import Fault, pictures, serving
from tests.refusing import refused


def values(result):
    return {(row["environment"], row.get("variant", ""), row["measure"]): row["raw"] for row in result["rows"]}


def test_the_oracle_is_always_right_and_random_nearly_never():
    best, worst = (values(SUITE.evaluate(agent, episodes=4)) for agent in ("oracle", "random"))
    for key, value in best.items():
        assert value == (0.0 if "pixels" in key[2] else 100.0)
        assert worst[key] > 50 if "pixels" in key[2] else worst[key] < 50


def test_who_does_not_look_scores_the_same_with_labels_without_and_in_words():
    rows = values(SUITE.evaluate("heuristic", episodes=6, only=["VikiActivation", "VikiTrajectory"]))
    settings: dict = {}
    for (environment, _, measure), value in rows.items():
        settings.setdefault((environment, measure), []).append(value)
    assert sorted(map(len, settings.values())) == [2, 2, 2, 3]
    assert all(len(set(found)) == 1 for found in settings.values())


def test_heuristics_are_in_between():
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


def test_extra_steps_of_plans_that_work_are_on_the_page():
    result = SUITE.evaluate("heuristic", episodes=8, only="VikiPlan", rules="optimal")
    rows = [row for row in result["rows"] if row.get("variant", "").startswith("hard")]
    beyond = [steps for row in rows for steps in row["extra_steps"]]
    assert len(rows) == 2 and min(beyond) == 0 < max(beyond)
    table = SUITE.page("", [result], {}).partition("## Table 4")[2]
    assert f"| {np.mean(beyond):.2f} <sub>" in table.partition("| *VIKI-R")[0]
    oracle = SUITE.evaluate("oracle", episodes=3, only="VikiPlan", rules="released")
    assert all(row["raw"] == 100 for row in oracle["rows"])
    assert {steps for row in oracle["rows"] for steps in row["extra_steps"]} == {0}


def test_the_challenges_form_is_answered_by_all_reference_agents():
    how = {"episodes": 3, "only": "VikiPlan", "form": "challenge"}
    assert all(row["raw"] == 100 for row in SUITE.evaluate("oracle", **how)["rows"])
    guessed = [row for name in ("random", "heuristic") for row in SUITE.evaluate(name, **how)["rows"]]
    assert all(row["illegal"]["illegal"] == 0 for row in guessed)


class Stubborn:
    """Gives the same plan, which is read and fails, to everything, and remembers how often it was asked."""

    def __init__(self):
        self.asked = []

    def answer(self, observation):
        self.asked.append(observation)
        return '[{"step": 1, "actions": {"R9": ["Move", "nothing"]}}]'


def test_an_object_that_answers_is_measured_and_asked_again():
    agent = Stubborn()
    result = SUITE.evaluate(agent, episodes=1, only="VikiPlan", size=96)
    assert all(row["raw"] == 0 for row in result["rows"])
    assert len(agent.asked) == 1 + 1 + 3 + 3 + 6 + 6 + 1 + 1 + 1 + 1
    assert agent.asked[0]["rgb"].shape == (96, 96, 3)
    named, unlabelled, told = agent.asked[0], agent.asked[-2], agent.asked[-1]
    assert (named["rgb"] != unlabelled["rgb"]).any() and "rgb" not in told
    assert "told by their looks" in unlabelled["text"] and "told by their looks" not in named["text"] + told["text"]
    jobs = {asked["text"].partition("## Job")[2].partition("##")[0] for asked in (named, unlabelled, told)}
    assert len(jobs) == 1, "all three settings ask the same question"


class Busy(Stubborn):
    """Does not answer its second question."""

    def answer(self, observation):
        if len(self.asked) == 1:
            self.asked.append(None)
            raise Unavailable("nobody there")
        super().answer(observation)
        return '["nobody"]'


def test_what_a_service_does_not_answer_is_missing_and_not_wrong(tmp_path):
    agent = Busy()
    agent.retry_policy = NO_RETRIES
    result = SUITE.evaluate(agent, episodes=3, only="VikiActivation", size=64, out=tmp_path)
    row = result["rows"][0]
    assert (row["episodes"], row["missing"], row["failed"]) == (2, 1, 1)
    again = SUITE.evaluate(agent, episodes=3, only="VikiActivation", size=64, out=tmp_path)["rows"][0]
    assert (again["episodes"], again["missing"], again["failed_before"]) == (3, 0, 1)
    assert len(agent.asked) == 3 * 3 + 1, "nothing that was answered is asked twice"


def test_unknown_agents_are_refused():
    assert find("viki") is SUITE
    refused(lambda: SUITE.evaluate("minimax", episodes=1), "Unknown agent")
    refused(lambda: SUITE.evaluate(object(), episodes=1), "answer")
    for entry in SUITE.entries:
        TaskEnv(entry.id, actions="text", **{"observe": "text", **entry.options}).reset(seed=0)


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
        out = str(tmp_path / form)
        assert cli.main([*command, "--set", f"form={form}", "--out", out, "--csv", str(path)]) == 0
        with path.open(newline="") as file:
            rows = list(csv.DictReader(file))
        assert [*rows[0]] == ["task_id", "task_description", "answer.selected_robots", "answer.action_plan"]
        assert [row["task_id"] for row in rows] == ["task_0", "task_1", "task_2"]
        for row in rows:
            robots, steps = ast.literal_eval(row["answer.selected_robots"]), ast.literal_eval(row["answer.action_plan"])
            acting = {who for step in steps for who in step["actions"]}
            assert robots and set(robots) == acting and all(name[0].isupper() for name in acting)
            assert [step["step"] for step in steps] == [*range(1, len(steps) + 1)] and row["task_description"]
