"""Runs whose replies are read as the papers' code reads them, from the prompt to the result."""

import json
import pickle
import re

import gymnasium as gym
import numpy as np
import pytest

import mmgames
from mmgames.cli import main
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.observation import Observer
from mmgames.errors import MmgamesError
from mmgames.readers import READERS
from mmgames.readers.lvlm_playground import spelled
from mmgames.suites import find
from mmgames.suites.suite import Suite
from mmgames.tasks.env import TaskEnv
from mmgames.text.replies import READINGS
from mmgames.wrappers import TextActions
from tests.chat_server import serving, words
from tests.players import Says
from tests.refusing import refused


def first_legal(observation):
    return json.dumps({"action": observation["legal_actions"][0]})


def released(name, agent, **how):
    return find(name).with_reading("released").evaluate(agent, 2, **how)


def test_a_suite_reads_as_released_where_its_papers_code_is_known():
    assert set(READERS) == {"vs-bench", "lvlm-playground"} and READINGS == ("paragraph", "released")
    mine = Suite(name="mine", title="Mine", entries=())
    refused(lambda: mine.with_reading("released"), "How the code of Mine reads replies is not known here")
    refused(lambda: gym.make("mmgames/Cleanup-v0", reading="released"), "no paper's reader of its replies is known")
    refused(lambda: TaskEnv("CoinDilemma-Recognise", reading="released"), "no paper's reader of its replies is known")
    env = gym.make("mmgames/Gomoku-v0", reading="released", observe="text", others="random")
    text = TextActions(env, on_illegal="retry")
    text.reset(seed=0)
    assert text.step("Movement: 3C")[4]["reply"] == "Movement: 3C"
    assert text.step("B2")[4]["illegal_kind"] == "not in the asked form"
    with pytest.raises(MmgamesError, match="make the environment with reading='released'"):
        TextActions(gym.make("mmgames/Gomoku-v0", others="random"), reading="released")
    env = gym.make("mmgames/Reversi-v0", reading="released", observe="text", others="random").unwrapped
    assert "Movement: C4" in env.reset(seed=0)[0]["text"]
    other = pickle.loads(pickle.dumps(env.live.loaded))
    assert other is env.live.loaded and other.reader is READERS["lvlm-playground"]


def test_vs_bench_plays_what_its_code_reads_and_draws_at_once_where_it_reads_nothing(tmp_path):
    result = released("vs-bench", Says(lambda seen: "I go UP."), only=["CoinDilemma"], out=tmp_path)
    (row,) = result["rows"]
    assert result["reading"] == "released" and row["illegal"]["illegal"] == 0
    rows = [json.loads(line) for line in (tmp_path / "CoinDilemma-Says.jsonl").read_text().splitlines()[1:]]
    assert {row["reading"] for row in rows} == {"vs-bench"}
    assert [len([*mmgames.replay(row)]) for row in rows] == [51, 51], "records are replayed whatever read them"
    silent = Says(lambda seen: "Hm.")
    (row,) = released("vs-bench", silent, only=["CoinDilemma"])["rows"]
    assert row["illegal"]["illegal"] == row["illegal"]["replies"] == 2 * 50 * 2
    assert len(silent.prompts) == 20 * 100 and len(set(silent.prompts[:20])) == 1, "a seat is asked the same 20 times"
    assert not any("Your last reply was no move" in text for text in silent.prompts)


def test_vs_bench_asks_again_for_a_form_and_not_for_a_legal_action():
    numbers = iter(range(10**6))
    late = Says(lambda seen: "go up" if next(numbers) % 3 == 2 else "Hm.")
    (row,) = released("vs-bench", late, only=["CoinDilemma"])["rows"]
    assert row["illegal"]["illegal"] == 0 and len(late.prompts) == 3 * 100, "in one of the two seats"
    wrong = Says(lambda seen: '{"action": "<JUMP>"}')
    for name, seats in (("CoinDilemma-Predict", 1), ("KuhnPoker", 2)):
        (row,) = released("vs-bench", wrong, only=[name])["rows"]
        assert row["illegal"]["illegal"] == row["illegal"]["replies"] == seats * len(wrong.prompts)
        wrong.prompts.clear()
    silent = Says(lambda seen: "Hm.")
    (row,) = released("vs-bench", silent, only=["CoinDilemma-Predict"])["rows"]
    assert len(silent.prompts) == 2 * 20 and len(set(silent.prompts)) == 2 and row["illegal"]["illegal"] == 2
    silent.prompts.clear()
    (row,) = released("vs-bench", silent, only=["KuhnPoker"])["rows"]
    assert len(silent.prompts) == 6 * 25 * 20 and row["illegal"]["replies"] == 12 * 25


def test_the_third_invalid_move_of_a_game_loses_whatever_lies_between(tmp_path):
    def reply(seen):
        turns.append(seen["text"])
        return "Hm." if len(turns) % 2 else f"Movement: {'ABC'[len(turns) // 2 % 3]}{len(turns) // 6 + 1}"

    turns: list[str] = []
    result = released("lvlm-playground", Says(reply), only=["Minesweeper"], out=tmp_path)
    (file,) = [file for file in tmp_path.glob("Minesweeper*.jsonl") if "calls" not in file.name]
    for row in map(json.loads, file.read_text().splitlines()[1:]):
        assert row["illegal"] == [3] and row["forfeit"], "three in all, and no two in a row"
    assert not any("was no move" in text for text in turns), "nobody is told why"
    assert result["rows"][0]["raw"] == 0


def test_every_game_is_read_in_the_form_that_it_asks_for_and_the_page_says_so(tmp_path):
    names = ["Breakthrough", "KuhnPoker", "Overcooked", "TinyHanabi", "TicTacToe", "CoinDilemma-Predict"]
    result = released("vs-bench", Says(first_legal, observe=("text", "legal_actions")), only=names)
    assert [row["environment"].partition("/")[2] for row in result["rows"] if row["illegal"]["illegal"]] == []
    result = released("vs-bench", "oracle", only=["Overcooked-Predict", "Hanabi-Predict"])
    assert [row["raw"] for row in result["rows"]] == [100, 100]
    page = tmp_path / "page.md"
    words = ["--reading", "released", "--only", "TicTacToe-Rule", "--episodes", "3", "--markdown", str(page)]
    assert main(["eval", "lvlm-playground", *words]) == 0
    assert "Replies are read as the paper's own code reads them." in page.read_text()


CELLS = ("TicTacToe", "Reversi", "Minesweeper", "Gomoku", "Sudoku")


@pytest.mark.parametrize("game", (*CELLS, "Chess"))
def test_rule_asks_for_a_line_that_the_papers_code_reads(game):
    env = TaskEnv(f"{game}-Rule", reading="released", observe="text", rules="released")
    right = 0
    for seed in range(5):
        observation, _ = env.reset(seed=seed)
        assert "Movement: " in observation["text"] and '{"action"' not in observation["text"]
        right += env.step(f"Movement: {next(iter(env.question.names.values()))}")[1]
    assert right >= 4, "a check, or a tenth column, is not read there"


def test_checks_letters_and_matrices_are_read_as_the_papers_code_reads_them():
    env, checks = TaskEnv("Chess-Rule", reading="released", observe="text"), []
    for seed in range(200):
        env.reset(seed=seed)
        for move in env.question.names.values():
            if move.endswith("+"):
                checks.append(env.source.read(env.question, f"Movement: {move}").kind)
        if checks:
            break
    assert set(checks) == {"not possible here"}, "a check is read without its mark, and found nowhere"
    env = TaskEnv("Reversi-Ask", reading="released", observe="text")
    observation, _ = env.reset(seed=3)
    assert re.search(r"in this form: Answer: B\.", observation["text"])
    assert len(re.findall(r"^Answer: [A-D]$", observation["text"], re.M)) == 3 and '"answer"' not in observation["text"]
    letter = env.question.names[env.question.answer]
    assert env.source.read(env.question, f'{{"answer": "{letter}"}}').kind == "not in the asked form"
    assert env.step(f"Answer: {letter}")[1] == 1
    env = TaskEnv("TicTacToe-Perceive", reading="released", observe="text")
    env.reset(seed=0)
    written = env.source.truth(env.question)["answer"]
    assert env.source.score(env.question, env.source.read(env.question, f"Game State: {written}")) == 1
    assert env.source.read(env.question, f"{written} or {written}").kind == "not in the asked form"


@pytest.mark.parametrize("game", (*CELLS, "Chess"))
def test_play_asks_for_and_reads_the_line_of_a_movement(game):
    loaded = registry.load(f"mmgames/{game}-v0")
    live = LiveGame(loaded, loaded.game(), "released")
    live.start(np.random.default_rng(0))
    text = Observer(live.loaded, live.game, "text").text(live.view(0))
    assert "Movement: " in text and '{"action"' not in text
    action, name = next(iter(spelled(game, live.view(0), loaded.words.names(live.view(0))).items()))
    assert live.read(0, f"I think.\nMovement: {name}") == action
    assert live.read(0, f"I think {name}.").kind == "not in the asked form"


def test_lvlm_playground_runs_from_the_prompt_to_the_result():
    def reply(seen):
        if "Answer: B" in seen["text"]:
            return "Answer: B"
        return "Movement: B2" if "Movement: " in seen["text"] else "[[0, 0, 0], [0, 0, 0], [0, 0, 0]]"

    writer = Says(reply)
    names = [f"TicTacToe{kind}" for kind in ("", "-Rule", "-Perceive", "-Ask")]
    result = released("lvlm-playground", writer, only=names)
    kinds = {kind for row in result["rows"] for kind in row["illegal"].get("kinds", ())}
    assert result["reading"] == "released" and result["on_illegal"] == "retry", "three invalid moves lose there"
    assert kinds <= {"not possible here"}, "the form is read, the move may not be legal"


def test_comma_plays_by_the_rules_of_its_engine(tmp_path):
    asks = Says(lambda seen: "Is it cut_wire_3, cut_wire_2 or cut_wire_1?")
    suite = find("comma").with_reading("released")
    result = suite.evaluate((asks, Says(lambda seen: "Go on.")), 5, only=["WirePuzzle"], out=tmp_path)
    assert all(own["rules"] == "released" for own in result["header"]["options"].values())
    (file,) = [file for file in tmp_path.glob("WirePuzzle*.jsonl") if "calls" not in file.name]
    for row in map(json.loads, file.read_text().splitlines()[1:]):
        said = [entry["actions"] for entry in row["transcript"] if entry["seat"] == "solver"]
        assert set(map(tuple, said)) == {("cut_wire_1",)}, "one action a line, the first in the engine's order"
    silent = Says(lambda seen: "")
    suite.evaluate((silent, "scripted_expert"), 1, only=["WirePuzzle"])
    assert len(silent.prompts) == 11, "nobody is asked again"
    (row,) = suite.evaluate("random", 2, only=["WirePuzzle"])["rows"]
    assert row["published"] is not None, "it stands beside the published row"


def legal_or_not(request, number):
    """A legal name in JSON, whole or without its brackets."""
    text = "\n".join(words(message) for message in request["messages"])
    legal = text.rpartition("## Legal actions")[2].partition("\n## ")[0].strip().split(", ")
    name = legal[len(text) % len(legal)]
    return json.dumps({"action": name.strip("<>") if number % 2 else name})


def test_recorded_replies_are_scored_in_both_readings(tmp_path, capsys):
    with serving(legal_or_not) as server:
        agent = f"chat:tiny,base_url={server.url},observe=text,history=1"
        command = ["eval", "vs-bench", "--agent", agent, "--episodes", "1", "--json"]
        command += ["--only", "CoinDilemma", "--only", "Overcooked-Predict"]
        assert main([*command, "--out", str(tmp_path / "run")]) == 0
    first = json.loads(capsys.readouterr().out)["rows"]
    assert main([*command, "--reading", "released", "--replies-from", str(tmp_path / "run")]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["readings"]["paragraph"] for row in rows] == [row["raw"] for row in first]
    assert [row["readings"]["released"] for row in rows] == [row["raw"] for row in rows]
    assert not any(row["missing"] for row in rows), "it is asked in the same words"
