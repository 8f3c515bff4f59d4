"""Released files as inputs: small ones of the same layouts, with words and pictures of our own."""

import base64
import io
import json
import zipfile
from dataclasses import replace

import numpy as np
import pyarrow
import pytest
from PIL import Image
from pyarrow import parquet

import mmgames
from mmgames.cli import main
from mmgames.core import registry
from mmgames.datasets import files, viki
from mmgames.embodied._world import generator
from mmgames.errors import MmgamesError
from mmgames.puzzles.keypad_puzzle.manual import STANDARD as KEYPADS
from mmgames.puzzles.maze_puzzle.floor import CLASSIC
from mmgames.puzzles.password_puzzle.manual import STANDARD as WORDS
from mmgames.readers.vision_zero import ASKED, read_vote
from mmgames.suites import find
from mmgames.suites.results import result_files
from mmgames.suites.results.comparison import compare
from mmgames.suites.suite import Suite
from mmgames.tasks.env import TaskEnv
from tests.cases import cases
from tests.players import Says
from tests.refusing import refused

CASES = cases(__file__)

MOVES = {"0": "<STAY>", "1": "<RIGHT>", "2": "<LEFT>", "3": "<UP>", "4": "<DOWN>"}
BOARD = [[1, -1, 0], [0, 1, -1], [-1, -1, 0]]


def picture(width=60, height=40):
    return files.png(np.full((height, width, 3), 200, np.uint8))


def coin_row(number):
    shown = [base64.b64encode(picture(60 + 10 * place)).decode() for place in range(2)]
    asked = {"system": "Be brief.", "observation": f"Board {number}.", "action": "Name it.", "image_path": shown}
    return {"next_action": [4, 2], "prompt": asked, "next_legal_actions": json.dumps(MOVES)}


def write_coin(folder, rows):
    (folder / "data").mkdir(parents=True, exist_ok=True)
    path = folder / "data" / "coin_dilemma.parquet"
    parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    return path


TRUTHS = {
    "perceive": BOARD,
    "qa": {"question": "What is in the middle? A. O B. X", "answer": "B", "example_qa": "How many X? A. 2 → A"},
    "rule": {"rule_state": BOARD, "valid_movements": ["A2", "B3", "C1", "C2"]},
}


def write_boards(path, truths=TRUTHS, pictures=3):
    file = io.BytesIO()
    Image.fromarray(np.zeros((50, 50, 3), np.uint8)).save(file, "JPEG")
    with zipfile.ZipFile(path, "w") as archive:
        for task, truth in truths.items():
            folder = f"benchmark/{task}/tictactoe"
            rows = [{"file": f"{number:07d}.jpg", "gt": truth} for number in range(3)]
            told = {"task": task, "game": "tictactoe", "annotations": rows}
            archive.writestr(f"{folder}/annotation.json", json.dumps(told))
            for number in range(pictures):
                archive.writestr(f"{folder}/{number:07d}.jpg", file.getvalue())
    return path


PATHS = [[[x, y] for x in range(10, 60, 10)] for y in (10, 20)]


def kitchen_rows(level):
    for task in [generator.generate(seed, "test") for seed in range(3)]:
        truth = {"viki_1": "['panda', 'fetch']", "viki_2": viki.released_truth(task), "viki_3": str(PATHS)}[level]
        prompt = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": f"<image>{task.instruction}"}]
        row = {"data_source": level, "prompt": prompt, "images": [{"bytes": picture(64, 36)}]}
        yield {**row, "reward_model": {"ground_truth": truth}}


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """Suite -> a folder or file as its paper released it."""
    folder = tmp_path_factory.mktemp("released")
    write_coin(folder / "vs", [coin_row(number) for number in range(5)])
    for level in viki.LEVELS:
        (folder / f"VIKI-L{level[-1]}").mkdir()
        table = pyarrow.Table.from_pylist(list(kitchen_rows(level)))
        parquet.write_table(table, folder / f"VIKI-L{level[-1]}" / "test.parquet")
    return {"vs-bench": folder / "vs", "lvlm-playground": write_boards(folder / "benchmark.zip"), "viki": folder}


ROWS = {"vs-bench": 5, "lvlm-playground": 3, "viki": 3}


@pytest.mark.parametrize("name", ROWS)
def test_who_knows_is_right_by_both_rules_and_every_row_says_whose_data_it_is(released, name, tmp_path):
    suite = find(name).with_released(released[name])
    result = suite.evaluate("oracle", episodes=100, out=tmp_path)
    assert result["agent"] == "oracle, released data"
    assert result_files.read(tmp_path)[0]["rows"][0]["released"]["sha256"]
    for row in result["rows"]:
        assert row["episodes"] == row["released"]["rows"] == ROWS[name], "each question once, however many are wanted"
        assert row["normalised"] == 100 and row["released_rule"]["mean"] > 66
    page = suite.page("mmgames eval", [result], {})
    assert "| oracle, released data |" in page and "by the released rule" in page


def test_the_files_prompts_and_pictures_reach_the_model_as_they_are(released):
    env = TaskEnv("CoinDilemma-Predict", released=released["vs-bench"])
    observation, _ = env.reset(seed=1, options={"number": 3})
    assert env.observation_space.contains(observation)
    system, user = mmgames.chat_messages(observation)
    assert system == {"role": "system", "content": "Be brief."}
    assert user["content"][0]["text"] == "Board 3.\n\nName it."
    assert observation["rgb"].shape == (2, 40, 70, 3), "the smaller picture lies on white"
    assert [message["role"] for message in mmgames.chat_messages(observation, system="Mine.")] == ["system", "user"]
    assert env.reset(seed=7)[0]["text"] == env.reset(seed=7)[0]["text"], "a row can be drawn, too"


def scores(task, path, reply):
    env = TaskEnv(task, released=path, observe="text")
    env.reset(seed=0, options={"number": 0})
    return env.step(reply)[1], env.source.released_score(env.question, reply)


def test_a_reply_earns_by_our_rule_and_by_the_released_one(released):
    for task, suite, reply, ours, theirs, *why in CASES["scores"]:
        assert scores(task, released[suite], reply) == (pytest.approx(ours), pytest.approx(theirs)), why


def test_no_reply_takes_the_released_rules_long_or_stops_them(released):
    for task, suite in (("CoinDilemma-Predict", "vs-bench"), ("TicTacToe-Perceive", "lvlm-playground")):
        for reply in ("[[" * 50_000, '```{"action": "' * 5_000, "<answer>" * 10_000, None):
            assert scores(task, released[suite], reply) == (0, 0)
    for seed in range(20):
        task = generator.generate(seed, "test")
        again = viki.task_of(viki.released_truth(task))
        assert again.goals == task.goals and again.chains == task.chains
        assert {asset.name: asset.at for asset in again.assets} == {asset.name: asset.at for asset in task.assets}
        assert {robot.name: robot.type for robot in again.robots} == {robot.name: robot.type for robot in task.team}
        assert again.reference_length == len(generator.reference_plan(task))


def refusal(task, path):
    with pytest.raises(MmgamesError) as error:
        TaskEnv(task, released=path).reset(options={"number": 0})
    assert str(error.value).count("\n") == 0
    return str(error.value)


def test_what_is_wrong_with_a_file_is_said_with_file_and_row(tmp_path):
    rows = [coin_row(number) for number in range(3)]
    path = write_coin(tmp_path, [rows[0], {**rows[1], "next_action": [9]}])
    assert f"{path}, row 1: its next_action [9]" in refusal("CoinDilemma-Predict", tmp_path)
    path.write_bytes(path.read_bytes()[:200])
    assert f"{path} cannot be read as a Parquet file" in refusal("CoinDilemma-Predict", path)
    parquet.write_table(pyarrow.table({"next_action": [[1]]}), path)
    assert "has no column 'next_legal_actions'" in refusal("CoinDilemma-Predict", path)
    rows[0]["prompt"]["image_path"] = ["aGVsbG8="]
    write_coin(tmp_path, rows)
    assert f"{path}, row 0: its picture cannot be read." in refusal("CoinDilemma-Predict", path)
    assert "holds no questions" in refusal("MonsterHunt-Predict", path)
    assert "There is no file" in refusal("MonsterHunt-Predict", tmp_path / "nowhere")
    path = write_boards(tmp_path / "benchmark.zip", {"perceive": [[1, 2, 3]], "rule": TRUTHS["rule"]}, pictures=0)
    assert "annotation.json, row 0: its truth is no matrix" in refusal("TicTacToe-Perceive", path)
    assert "row 0: there is no benchmark/rule/tictactoe/0000000.jpg" in refusal("TicTacToe-Rule", path)
    assert "there is no benchmark/qa/tictactoe/annotation.json" in refusal("TicTacToe-Ask", path)
    path.write_bytes(path.read_bytes()[:100])
    assert "neither a folder nor a whole zip file" in refusal("TicTacToe-Rule", path)
    row = next(kitchen_rows("viki_2"))
    row["reward_model"]["ground_truth"]["goal_constraints"][0][0]["name"] = "a dragon"
    path = tmp_path / "test.parquet"
    parquet.write_table(pyarrow.Table.from_pylist([row]), path)
    assert f"{path}, row 0: A goal is about 'a dragon'" in refusal("VikiPlan", path)
    assert "holds no questions" in refusal("VikiActivation", path)
    refused(lambda: Suite("mine", "Mine", ()).with_released(tmp_path), "reads no released data")
    refused(lambda: find("viki").with_released(tmp_path), "holds nothing")


def configurations():
    colours = ["red", "blue", "green", "yellow", "magenta"]
    walls = [[2 if (row, column) == CLASSIC.torus else int(cell) for column, cell in enumerate(line)]
             for row, line in enumerate(CLASSIC.walls)]  # fmt: skip
    return [
        {"SimpleWirePuzzle": {"n_wires": 3, "colors": ["red", "blue", "white"]}},
        {"KeyPadPuzzle": {"strip_num": 1, "image_nums": [3, 0, 5, 2]}},
        {"TelehealthPuzzle": {"skin_lesion_idx": 5}},
        {"MazePuzzle": {"maze": walls, "start_x": 3, "start_y": 1, "torus_color": "green"}, "notes": "an easy one"},
        {"MemoryPuzzle": {"display_text": 2, "notes": "no more"}},
        {"PasswordPuzzle": {"possible_words": [*WORDS], "answer_word": "about", "current_letters": list("bbpvu")}},
        {"WhoPuzzle": {"display_text": "", "button_texts": ["YES", "OKAY", "WHAT", "LEFT", "PRESS", "RIGHT"]}},
        {"LedPuzzle": {"num_stages": 2, "led_colors": ["green", "blue"]}},
        {"ColourPuzzle": {"colors": (colours * 4)[:16]}},
        {"AtmPuzzle": {"PIN": "0042", "Balance": 700}},
        {"AtmPuzzle": {"PIN": "9999", "Balance": 20}},
    ]


def written(path, value):
    path.write_text(json.dumps(value))
    return path


def test_released_configurations_are_the_devices_in_the_file_each_played_once_by_both_rules(tmp_path):
    suite = find("comma").with_released(written(tmp_path / "puzzles.json", configurations()))
    assert len(suite.entries) == 9, "Telehealth's photographs were not released"
    for rules in ("paper", "released"):
        result = suite.evaluate("oracle", episodes=50, rules=rules)
        assert result["agent"] == "oracle, released data"
        assert [row["episodes"] for row in result["rows"]] == [row["released"]["rows"] for row in result["rows"]]
        assert all(row["raw"] == 100 for row in result["rows"])
    path = tmp_path / "puzzles.json"

    def start(puzzle, number=0):
        game = registry.load(puzzle).game(instances=str(path))
        return game.start_facts(game.instance(number))

    assert start("WirePuzzle") == {"wires": ["red", "blue", "white"], "serial": "123456"}
    assert start("KeypadPuzzle") == {"symbols": [KEYPADS[1][place] for place in (3, 0, 5, 2)]}
    assert start("MazePuzzle") == {"torus": "green", "start": [3, 1]}, "the classic floor; start_x is the row"
    assert start("MemoryPuzzle") == {"display": 2, "labels": [3, 1, 2, 4]}
    assert start("PasswordPuzzle")["wheels"] == ["zab", "abc", "nop", "tuv", "stu"]
    assert start("LedPuzzle") == start("LedPuzzle"), "its letters are drawn once and for all"
    assert start("AtmPuzzle", 1) == {"pin": "9999", "balance": 20}


def test_what_is_wrong_with_a_configuration_is_said_with_its_number(tmp_path):
    for puzzle, start, told in CASES["wrong configurations"]:
        path = written(tmp_path / "puzzles.json", [start])
        with pytest.raises(MmgamesError, match=told) as error:
            registry.load(puzzle).game(instances=str(path))
        assert "instance 0 of" in str(error.value) or puzzle == "AtmPuzzle"
    refused(lambda: find("comma").with_released(written(tmp_path / "mine", {"mine": 1})), "no list of objects")


def test_pairs_in_a_folder_are_played_and_votes_read_by_both_rules(tmp_path):
    for part in ("original", "modified"):
        (tmp_path / f"room_{part}.png").write_bytes(picture())
    suite = find("vision-zero").with_released(tmp_path)
    (row,) = replace(suite, entries=suite.entries[:1]).evaluate(Says("I say \\boxed{player 1}"), episodes=5)["rows"]
    assert row["released"] == {"file": str(tmp_path), "pairs": 1}
    assert row["released_rule"]["mean"] == 20, "player 1 is the spy in one round of five"


@pytest.mark.parametrize(
    ("reply", "vote"),
    [("\\boxed{3} or \\boxed{2}", 3), ("<answer>player 2</answer>", 2), ("\\boxed{N/A}", 0), ("player 2", None)],
)
def test_a_vote_is_read_by_the_released_rule(reply, vote):
    assert read_vote(reply) == vote
    loaded = registry.load("mmgames/Spy-v0")
    game = loaded.game(reward="released", clue_rounds=1, spy="player_1")
    rng, words = np.random.default_rng(0), loaded.words
    state = game.start(rng)
    while len(game.movers(state)) == 1:
        state = game.play(
            state, {seat: words.read(game.view(state, seat), "Grey.") for seat in game.movers(state)}, rng
        )
    view = game.view(state, 4)
    told = words.read(view, reply)
    assert (told.choice, told.valid) == (None if not vote else vote - 1, vote is not None)
    assert ASKED in words.answer_format(view, "direct") and words.read(view, "player_2").choice == 1
    assert not words.read(view, r"\boxed{9}").valid and not words.read(view, "Vote: player_2").valid


def test_released_readings_of_games_that_read_themselves_are_their_options():
    for name, option in (("comma", "rules"), ("viki", "rules"), ("vision-zero", "reward")):
        assert {entry.options[option] for entry in find(name).with_reading("released").entries} == {"released"}
    assert find("lvlm-robustness").with_reading("released").read_as == "lvlm-playground"


def test_the_command_takes_released_files_and_the_page_tells_how(released, tmp_path, capsys):
    page = tmp_path / "page.md"
    common = ["eval", "vs-bench", "--released", str(released["vs-bench"]), "--processes", "1"]
    assert main([*common, "--agent", "oracle", "--episodes", "2", "--markdown", str(page)]) == 0
    told = capsys.readouterr().out
    assert "oracle, released data" in told and "by the released rule 100.00" in told
    assert f"--released {released['vs-bench']}" in page.read_text()
    assert "Rows named *released data*" in page.read_text()
    assert main([*common, "--agent", "random", "--set", "variant=text-only"]) != 0
    assert "about pictures" in capsys.readouterr().err

    def left(observation):
        return f'{{"action": "{observation["legal_actions"][2]}"}}' if "legal_actions" in observation else "<LEFT>"

    agent = Says(left, observe=("rgb", "text"))
    agent.concurrent = True
    result = find("vs-bench").with_released(released["vs-bench"]).evaluate(agent, episodes=5, concurrency=4)
    assert result["rows"][0]["raw"] == 100
    row = {**result["rows"][0], "values": [100.0] * 5, "normal": [0, 100]}
    compared = compare({**result, "rows": [row]}, {**result, "rows": [{**row, "released": None}]})
    assert not compared[0]["paired"] and compare({**result, "rows": [row]}, {**result, "rows": [row]})[0]["paired"]
