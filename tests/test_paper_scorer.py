"""A paper's own scorer over kept replies, from small checkouts that are made up here."""

import json
import sys

import pytest

from mmgames.cli import main
from mmgames.suites import find
from tests.players import Says

METRIC = """
class Metric:
    def __init__(self, record, annotations):
        raise OSError("it reads a file")

    def score(self, kind, game, annotation, right):
        (row,) = self.record[kind][game]
        print("said", row["raw"])
        return round(float(right(row["raw"], annotation["annotations"][0]["gt"])), 3)

    def evaluate_rule(self, game, annotation):
        return self.score("rule", game, annotation, lambda said, truth: said[-2:] in truth["valid_movements"])

    def evaluate_qa(self, game, annotation):
        return self.score("qa", game, annotation, lambda said, truth: said[-1:] == truth["answer"])

    def evaluate_perceive(self, game, annotation):
        return self.score("perceive", game, annotation, lambda said, truth: 1 / 3 if len(truth) == 3 else 0)
"""
AGENT = """
import re
from envs.base_env import RegexError

class PromptAgent:
    def _extract_action(self, response, forms):
        for form, make in forms:
            if found := re.findall(form, response):
                return make(found[-1])
        raise RegexError(response)

    def _parse_action(self, said, legal):
        for key, name in legal.items():
            if said in name:
                return key
        raise ValueError(said)
"""
BASE = """
class RegexError(Exception):
    pass

class BaseEnv:
    _registry = {}

    def __init_subclass__(cls, *, env_type):
        cls._registry[env_type] = cls
"""
COIN = """
from envs.base_env import BaseEnv

class Coin(BaseEnv, env_type="coin_dilemma"):
    def __init__(self):
        raise OSError("it opens pictures")

    @property
    def regex_patterns(self):
        return [("go ([A-Z]+)", lambda word: f"<{word}>")]
"""


@pytest.fixture
def checkout(tmp_path):
    for name, text in (
        ("playground/evaluator/metric.py", METRIC),
        ("agents/prompt_agent.py", AGENT),
        ("envs/base_env.py", BASE),
        ("envs/coin_dilemma.py", COIN),
    ):
        path = tmp_path / "checkout" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "checkout"


def judged(capsys, *arguments):
    assert main(["failures", *map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_both_verdicts_stand_row_by_row(tmp_path, checkout, capsys):
    def reply(seen):
        return "Any of them, say B2" if "one move" in seen["text"] else "Answer: A"

    names = [f"TicTacToe-{kind}" for kind in ("Rule", "Ask", "Perceive")]
    find("lvlm-playground").evaluate(Says(reply), 6, only=names, out=tmp_path / "run")
    rows = judged(capsys, tmp_path / "run", "--scorer", checkout, "--python", sys.executable)
    assert len(rows) == 24 and [row["number"] for row in rows[:6]] == [*range(6)]
    own = {kind: [row for row in rows if kind in row["run"]] for kind in ("Rule", "Ask", "Perceive")}
    assert [row["theirs"] for row in own["Ask"]] == [row["ours"] for row in own["Ask"]], "the letters are ours"
    assert 0 < sum(row["theirs"] for row in own["Ask"] + own["Rule"]) < 18
    assert not any(row["ours"] for row in own["Rule"]), "a move in passing is none by our rule"
    assert {row["theirs"] for row in own["Perceive"]} == {0.333}
    assert main(["failures", str(tmp_path / "run"), "--scorer", str(checkout)]) == 0
    differ = 6 + sum(row["theirs"] for row in own["Rule"])
    assert f"{differ:g} of 24 verdicts differ." in capsys.readouterr().out


def test_predictions_go_through_the_forms_of_the_environment(tmp_path, checkout, capsys):
    find("vs-bench").evaluate(Says(lambda seen: "go UP"), 8, only=["CoinDilemma-Predict"], out=tmp_path / "run")
    rows = judged(capsys, tmp_path / "run", "--scorer", checkout)
    assert len(rows) == 8 and not any(row["ours"] for row in rows)
    assert 0 < sum(row["theirs"] for row in rows) < 8, "some of them go up"


def test_what_cannot_be_scored_is_said_in_a_sentence(tmp_path, checkout, capsys):
    run = tmp_path / "run"
    find("lvlm-playground").evaluate(Says(lambda seen: "B2"), 2, only=["TicTacToe-Rule"], out=run)
    assert main(["failures", str(run), "--scorer", str(tmp_path / "nowhere")]) == 2
    assert "cannot be run in" in capsys.readouterr().err
    (checkout / "playground/evaluator/metric.py").write_text("import no_such_library")
    assert main(["failures", str(run), "--scorer", str(checkout)]) == 2
    assert "No module named 'no_such_library'" in capsys.readouterr().err
    find("vs-bench").evaluate("random", 2, only=["CoinDilemma"], out=tmp_path / "games")
    assert main(["failures", str(tmp_path / "games"), "--scorer", str(checkout)]) == 2
    assert "holds no replies to questions" in capsys.readouterr().err
