"""What goes wrong in answers to questions: circles, copies, always the same, and the cells that are misread."""

from __future__ import annotations

import json

import pytest

from mmgames import cli, suites
from mmgames.suites.spoken import answers, failures
from mmgames.tasks.replays import questions_in
from tests.test_released_runs import Writer


def counted(tmp_path, name, reply, number=12, suite="lvlm-playground", reading=None):
    chosen = suites.find(suite)
    chosen = chosen.with_reading(reading) if reading else chosen
    chosen.evaluate(Writer(reply), number, only=[name], out=tmp_path)
    _, about, rows = next(iter(questions_in(tmp_path)))
    return answers.counted(about, rows)


@pytest.mark.parametrize(
    ("reply", "circles"),
    [
        ("The board is full. " * 5, True),
        ("The board is full. " * 4, False),
        ("and so on " * 25, True),
        ("[[" + "0, " * 300, True),
        ("[" + ", ".join(["[" + ", ".join(["0"] * 15) + "]"] * 15) + "]", False),  # an empty board of Gomoku
        ("[" + ",\n ".join(["[" + ", ".join(["0"] * 15) + "]"] * 24) + "]", True),
        ("A1 is free. B2 is free. C3 is not.", False),
        ("", False),
    ],
)
def test_a_reply_goes_round_in_circles(reply, circles):
    assert answers.loops(reply) == circles


def test_always_the_same_cell_is_low_diversity(tmp_path):
    found = counted(tmp_path, "Reversi-Rule", lambda seen: '{"action": "D3"}', 30)
    given = found["kinds"]
    assert found["episodes"] == 30 and failures.LOOP not in given
    if answers.NARROW in given:
        assert found["examples"][answers.NARROW].startswith("D3 in")


@pytest.mark.parametrize(("reply", "narrow"), [("B", True), ("ABCD", False)])
def test_always_the_same_letter_is_low_diversity(tmp_path, reply, narrow):
    letters = iter(reply * 100)
    found = counted(tmp_path, "TicTacToe-Ask", lambda seen: f'{{"answer": "{next(letters)}"}}', 16)
    assert (answers.NARROW in found["kinds"]) == narrow
    if narrow:
        assert found["examples"][answers.NARROW].startswith("B in ")


@pytest.mark.parametrize(
    ("reply", "copied"), [('{"action": "B2"}', True), ("Movement: B2", True), ('{"action": "A1"}', False)]
)
def test_an_example_that_is_copied_and_wrong_is_named(tmp_path, reply, copied):
    found = counted(tmp_path, "TicTacToe-Rule", lambda seen: reply, 30, reading="released" if reply[0] == "M" else None)
    _, _, rows = next(iter(questions_in(tmp_path)))
    wrong = sum(row["score"] == 0 for row in rows)
    assert wrong > 0 and found["kinds"].get(answers.COPIED, {"times": 0})["times"] == wrong * copied
    assert not answers._is_example("A1", "## Answer\nsuch as B2.\n\n## Question\nA1?"), "what is asked is no example"
    assert not answers._is_example("B", "## Answer\nAnswer: B"), "a letter stands in every prompt"


def test_an_argued_answer_that_is_not_possible_is_a_plan(tmp_path):
    plan = 'I take the corner because it is the best cell of all.\n{"action": "Z9"}'
    found = counted(tmp_path, "TicTacToe-Rule", lambda seen: plan, 6)
    assert found["kinds"][failures.PLAN]["times"] == 6


def test_cells_are_counted_by_kind(tmp_path, capsys):
    found = counted(tmp_path, "TicTacToe-Perceive", lambda seen: "[[0, 0, 0], [0, 0, 0], [1, 1, 1]]", 20)
    cells = {cell["cell"]: cell for cell in found["cells"]}
    assert {name: cell["number"] for name, cell in cells.items()} == dict.fromkeys(
        ("an empty cell", "an O", "an X"), 60
    )
    assert cells["an empty cell"]["right"] == 0 and cells["an empty cell"]["taken_for"] == "an O"
    assert 0.4 < cells["an O"]["right"] / 60 < 0.9 and cells["an O"]["taken_for"] == "an X"
    assert cli.main(["failures", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "taken most often for" in said and "an empty cell" in said and "TicTacToe-Perceive-v0 Writer" in said


def test_games_and_tasks_of_a_run_stand_in_one_table(tmp_path, capsys):
    suite = suites.find("lvlm-playground")
    suite.evaluate(Writer(lambda seen: "Hm, hm. " * 30), 3, only=["TicTacToe", "TicTacToe-Ask"], out=tmp_path)
    assert cli.main(["failures", str(tmp_path), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["game"] for row in rows] == ["mmgames/TicTacToe-v0", *["mmgames/TicTacToe-Ask-v0"] * 2]
    assert all(row["kinds"][failures.LOOP]["times"] == 3 for row in rows[1:])
