"""A model as judge: asked once for each message, and worth what it agrees with people."""

from __future__ import annotations

import json
from collections import Counter
from importlib.resources import files

import pytest

from mmgames import cli, suites
from mmgames.suites import judging
from mmgames.suites.judging import RUBRIC, UNREADABLE, agreement
from tests.chat_server import serving, words

CASES = json.loads(files("mmgames.suites").joinpath("judge_calibration.json").read_text("utf-8"))


def test_agreement_beyond_chance():
    right = ["useful"] * 5 + ["unclear"] * 5
    assert agreement(right, right) == (10, 1.0, 1.0)
    assert agreement(["useful"] * 10, right) == (10, 0.5, 0.0)  # who always says the same agrees by chance
    mixed = agreement(["useful"] * 4 + ["unclear"] * 6, right)
    assert mixed.accuracy == 0.9 and mixed.kappa == pytest.approx(0.8)


def test_every_label_is_calibrated_as_often():
    assert Counter(case["label"] for case in CASES) == dict.fromkeys(RUBRIC, 10)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    suites.find("comma").evaluate("oracle", episodes=2, only=["WirePuzzle"], out=folder)
    return folder


def people(request, number):
    """A judge that labels as people did, but for two; of other messages it finds all useful but one."""
    asked = words(request["messages"][-1])
    for place, case in enumerate(CASES):
        if f"## The message to judge\n{case['seat']}:\n> {case['message']}\n" in asked:
            return "I cannot say." if place < 2 else json.dumps({"answer": case["label"]})
    return json.dumps({"answer": "unclear" if "Please cut" in asked.split("## The message to judge")[1] else "useful"})


def test_a_judge_is_calibrated_and_asked_once(run, capsys):
    with serving(people) as server:
        command = ["failures", str(run), "--judge", f"chat:tiny,base_url={server.url}"]
        assert cli.main([*command, "--json"]) == 0
        (judged,) = json.loads(capsys.readouterr().out)["judged"]
        asked = len(server.requests)
        assert cli.main(command) == 0
        assert len(server.requests) == asked  # the journal answers
    assert judged["agreement"]["messages"] == 40
    assert judged["agreement"]["accuracy"] == pytest.approx(38 / 40)
    assert judged["agreement"]["kappa"] == pytest.approx((0.95 - 0.2375) / (1 - 0.2375))
    (game,) = judged["games"]
    assert game["labels"] == {"useful": 4, "unclear": 2}
    said = capsys.readouterr().out
    assert "95 % of cases, Cohen's kappa 0.93" in said and UNREADABLE in said


def test_what_cannot_judge_is_refused_in_a_sentence(run, tmp_path, capsys):
    assert cli.main(["failures", str(run), "--judge", "random"]) == 2
    assert "cannot be a judge" in capsys.readouterr().err
    with pytest.raises(judging.MmgamesError, match="no talks"):
        judging.judge_run(tmp_path, "chat:tiny", 1)
