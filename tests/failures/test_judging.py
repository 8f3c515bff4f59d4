"""A model as judge: asked once for each message, and worth what it agrees with people."""

from __future__ import annotations

import json
from collections import Counter
from importlib.resources import files

import pytest

from mmgames import cli, suites
from mmgames.running.matches import match
from mmgames.suites.spoken import judging
from mmgames.suites.spoken.judging import UNREADABLE, agreement, find_rubric
from tests.chat_server import serving, words

CASES = json.loads(files("mmgames.suites.spoken").joinpath("judge_calibration.json").read_text("utf-8"))


def test_agreement_beyond_chance():
    right = ["useful"] * 5 + ["unclear"] * 5
    assert agreement(right, right) == (10, 1.0, 1.0)
    assert agreement(["useful"] * 10, right) == (10, 0.5, 0.0)  # who always says the same agrees by chance
    mixed = agreement(["useful"] * 4 + ["unclear"] * 6, right)
    assert mixed.accuracy == 0.9 and mixed.kappa == pytest.approx(0.8)


def test_every_label_is_calibrated_as_often():
    assert Counter(case["label"] for case in CASES) == dict.fromkeys(find_rubric().labels, 10)


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
        said = capsys.readouterr().out
        assert cli.main([*command, "--episodes", "1", "--json"]) == 0
        (less,) = json.loads(capsys.readouterr().out)["judged"]
    share, chance = 68 / 70, (8 + 60) / 490  # each label ten times, of which two that are useful could not be read
    assert judged["agreement"]["messages"] == 70
    assert judged["agreement"]["accuracy"] == pytest.approx(share)
    assert judged["agreement"]["kappa"] == pytest.approx((share - chance) / (1 - chance))
    (game,) = judged["games"]
    assert game["labels"] == {"useful": 4, "unclear": 2}
    assert sum(less["games"][0]["labels"].values()) == 3
    assert "97 % of cases, Cohen's kappa 0.97" in said and UNREADABLE in said


def test_a_judge_sees_what_the_speaker_sees_and_should_not_tell():
    (record,) = match("mmgames/AtmPuzzle-v0", ("scripted_solver", "scripted_expert"), 1, 3).episodes
    shown = {message.seat: judging.prompt(message, find_rubric()) for _, message in judging.messages(record)}
    assert f"PIN: {record['private']['PIN']}" in shown["solver"]
    assert record["private"]["PIN"] not in shown["expert"]
    (record,) = match("mmgames/WirePuzzle-v0", ("scripted_solver", "scripted_expert"), 1, 3).episodes
    messages = dict(judging.messages(record))
    assert "wire 1: " in messages[0].seen and "\nwires: " in messages[0].seen
    assert messages[0].seen in judging.prompt(messages[0], find_rubric()) and messages[1].seen == ""


def test_replies_that_say_more_than_their_answer_are_judged_in_other_games():
    replies = [{"seat": "o", "step": 1, "reply": words} for words in ('{"action": "B2"}', "I am sure of it. " * 3)]
    record = dict(match("mmgames/TicTacToe-v0", "random", 1, 3).episodes[0], replies=replies)
    ((number, message),) = judging.messages(record)
    assert number == 1 and message.words == replies[1]["reply"] and "seat o of a game, TicTacToe" in message.task
    assert message.seen.count(": empty") == 8


def test_what_cannot_judge_is_refused_in_a_sentence(run, tmp_path, capsys):
    assert cli.main(["failures", str(run), "--judge", "random"]) == 2
    assert "cannot be a judge" in capsys.readouterr().err
    with pytest.raises(judging.MmgamesError, match="no words"):
        judging.judge_run(tmp_path, "chat:tiny", 1)


def test_the_papers_kinds_of_error_are_a_rubric_and_stand_beside_its_figure(run, capsys):
    same = find_rubric("comma").same_as

    def judge(request, number):
        said = json.loads(people(request, number)) if people(request, number) != "I cannot say." else {"answer": "leak"}
        return json.dumps({"answer": same[said["answer"]]})

    with serving(judge) as server:
        assert cli.main(["failures", str(run), "--judge", f"chat:tiny,base_url={server.url}", "--rubric", "comma"]) == 0
    said = capsys.readouterr().out
    assert "97 % of cases" in said and "communication" in said
    assert "Of 2 errors: communication 100 %" in said and "published, GPT-4o, largest first: 36 %, 24 %" in said
    assert all("roleplay" in words(request["messages"][-1]) for request in server.requests)


def test_a_rubric_of_ones_own_is_a_file(run, tmp_path, capsys):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"labels": {"short": "it has few words", "long": "it has many"}}))
    with serving(lambda request, number: '{"answer": "short"}') as server:
        command = ["failures", str(run), "--judge", f"chat:tiny,base_url={server.url}", "--rubric", str(path)]
        assert cli.main([*command, "--json"]) == 0
        (judged,) = json.loads(capsys.readouterr().out)["judged"]
        assert judged["agreement"] is None and {*judged["games"][0]["labels"]} == {"short"}
        path.write_text(json.dumps({"labels": {"one": "x"}}))
        assert cli.main(command) == 2 and "two labels or more" in capsys.readouterr().err
        assert cli.main([*command[:-1], "mine"]) == 2 and "Unknown rubric 'mine'" in capsys.readouterr().err
