"""LVLM-Playground: the suite's measures, stars and random row, and its data set."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pyarrow.parquet
import pytest

from mmgames import cli, suites
from mmgames.core import registry
from mmgames.datasets import lvlm_playground as data
from mmgames.datasets.files import pictures, read_rows
from mmgames.suites.pages.tables import refusals
from mmgames.suites.papers.stars import PAPER_MEASURES, STARS, Measures, formula_stars, overall, weight
from tests.cases import cases
from tests.players import Acts, ActsByEpisode, Says, first_legal
from tests.refusing import refused

CASES = cases(__file__)

SUITE = suites.find("lvlm-playground")
SMALL: dict[str, Any] = {"rows": 12, "size": 64, "games": ["TicTacToe", "Chess"]}


def test_the_formula_gives_the_papers_stars_and_they_weigh_the_games() -> None:
    made = {game: formula_stars(measures) for game, measures in PAPER_MEASURES.items()}
    differing = {(one, game) for game, stars in made.items() for one in stars if stars[one] != STARS[game][one]}
    reasoning = {("reasoning", game) for game in ("Sudoku", "Minesweeper", "Gomoku", "Chess")}
    assert differing == reasoning | {("decision", "Minesweeper"), ("decision", "Gomoku")}
    tiny, vast = Measures(0.5, 2, 4, 2, 2, 0, 1), Measures(500.0, 50, 1000, 500, 500, 1, 9)
    assert set(formula_stars(tiny).values()) == {0.5} and set(formula_stars(vast).values()) == {5.0}
    assert weight("Perceive", STARS["Chess"]) == 3.5 and weight("Play", STARS["Chess"]) == 16.5
    assert weight("Play", STARS["Sudoku"]) == 7.5
    assert overall("Ask", {"TicTacToe": 1.0, "Gomoku": 0.0}) == pytest.approx(1 / 10)
    assert overall("Rule", {"Breakthrough": 0.3}, {"Breakthrough": {"perception": 2.0}}) == pytest.approx(0.3)
    refused(lambda: overall("Rule", {"Breakthrough": 0.3}), "'Breakthrough'")
    refused(lambda: weight("Talk", STARS["Chess"]), "'Talk'")


def test_who_guesses_gets_the_published_random_rows() -> None:
    only = [f"{game}-{kind}" for game in ("TicTacToe", "Reversi", "Gomoku") for kind in ("Perceive", "Rule")]
    result = SUITE.evaluate("random", 300, only=[*only, "Minesweeper-Rule"])
    for row in result["rows"]:
        assert abs(row["raw"] - row["published"]["value"]) < 4 * row["standard_error"], row["environment"]
    assert len(result["rows"]) == 7 and set(result["overall"]) == {"Perceive", "Rule"}
    assert {row["published"]["note"] for row in result["rows"]} == {"of 1000"}
    kinds = {kind for row in result["rows"] for kind in row["illegal"].get("kinds", ())}
    assert kinds == {"not possible here"}, "an illegal move is in the asked form"
    paper, even = SUITE.evaluate("random", 150, only=["TicTacToe-Ask"])["rows"]
    assert paper["published"]["value"] == pytest.approx(25.6) and even["published"] is None
    assert even["variant"] == "balanced"
    assert paper["floor"]["mean"] > paper["chance"]["mean"] + 25 > paper["above_floor"]["mean"]
    assert abs(even["floor"]["mean"] - even["chance"]["mean"]) < 3 + 4 * even["floor"]["standard_error"]
    played = ["TicTacToe", "Sudoku"]
    blind, legal = (SUITE.evaluate(agent, 200, only=played)["rows"] for agent in ("random", "legal_random"))
    moves = [row["valid_moves"] for row in blind]
    assert abs(moves[0]["mean"] - 2.36) < 4 * moves[0]["standard_error"] + 0.1, "as published"
    assert moves[1]["mean"] < 1 and blind[1]["forfeits"] == 200
    assert blind[1]["illegal"]["illegal"] == blind[1]["forfeits"], "each failure counts once"
    assert [line for line in refusals({"rows": blind}) if "lost its game" in line] == refusals({"rows": blind})
    assert [row["forfeits"] for row in legal] == [0, 0] and legal[1]["valid_moves"]["mean"] > 20
    assert {row["agent"] for row in legal} == {"legal_random"}


def test_flags_are_no_valid_moves_and_the_measured_agent_is_o_and_begins() -> None:
    def flag(turn: Any) -> str:
        names = list(turn.names.values())
        return next((name for name in names if name.startswith("flag")), names[0])

    assert 1 <= SUITE.evaluate(Acts(flag), 2, only=["Minesweeper"])["rows"][0]["valid_moves"]["mean"] <= 54
    game = registry.load("mmgames/TicTacToe-v0").game(begins="o")
    entry = next(entry for entry in SUITE.entries if entry.id == "mmgames/TicTacToe-v0")
    assert entry.options == {"begins": "o"} and game.seats == ("o", "x") == game.spec.seats
    view = game.view(game.play(game.start(np.random.default_rng(0)), {0: 4}, np.random.default_rng(0)), 0)
    assert view.cells[4] == 0, "an O"
    words = registry.load("mmgames/TicTacToe-v0").words
    assert "O moves first" in words.rules(view) and words.you(view).startswith("You play O.")


def test_who_knows_gets_everything_and_an_object_is_asked() -> None:
    seen: list[Any] = []
    only = ["TicTacToe-Perceive", "Chess-Ask", "Sudoku-Rule", "Minesweeper-Rule"]
    assert [row["raw"] for row in SUITE.evaluate("oracle", 40, only=only)["rows"]] == [100.0] * 5
    agent = Says(lambda shown: seen.append(shown["rgb"].shape) or "A", observe=("rgb", "text"))
    row = SUITE.evaluate(agent, 20, only=["Chess-Ask"], shots=1)["rows"][0]
    assert 0 < row["raw"] < 100 and seen == [(2, 512, 512, 3)] * 40, "both ways to ask"
    refused(lambda: SUITE.evaluate("minimax", 1, only=["Chess-Ask"]), "answer\\(observation\\)")
    refused(lambda: SUITE.evaluate("random", 1, only=["Chess-Rule"], shots=1), "Unknown option 'shots'")
    refused(lambda: SUITE.evaluate("random", 1, only=["Checkers-Rule"]), "Checkers")


def test_answers_are_kept_and_an_evaluation_goes_on_from_them(tmp_path: Path) -> None:
    whole = SUITE.evaluate("random", 8, only=["TicTacToe-Ask"])["rows"][0]
    SUITE.evaluate("random", 3, only=["TicTacToe-Ask"], out=tmp_path)
    assert SUITE.evaluate("random", 8, only=["TicTacToe-Ask"], out=tmp_path)["rows"][0] == whole
    kept = sorted(file.name for file in tmp_path.glob("*.jsonl"))
    assert kept == ["TicTacToe-Ask-balanced-random.jsonl", "TicTacToe-Ask-random.jsonl"]
    assert len((tmp_path / "TicTacToe-Ask-random.jsonl").read_text().splitlines()) == 9
    only = ["TicTacToe-Rule", "Minesweeper-Rule"]
    assert SUITE.evaluate("random", 120, only=only) == SUITE.evaluate("random", 120, only=only, processes=2)


def test_play_counts_games_that_are_not_lost_against_any_opponent() -> None:
    result = SUITE.evaluate("oracle", 4, only=["TicTacToe", "Sudoku"])
    assert [row["raw"] for row in result["rows"]] == [100.0, 100.0]
    assert result["rows"][0]["valid_moves"]["mean"] == 5.0 and result["overall"] == {"Play": 100.0}
    short = SUITE.evaluate("oracle", 4, only=["TicTacToe"], max_steps=6)["rows"][0]
    assert (short["raw"], short["unfinished"], short["valid_moves"]["mean"]) == (0.0, 4, 3.0), "neither won nor drawn"
    row = SUITE.evaluate("minimax", 10, only=["TicTacToe"], opponent="random")["rows"][0]
    assert row["raw"] == 100.0 and row["valid_moves"]["mean"] < 5.0, "it wins before the board is full"
    for wrong, sentence in CASES["wrong opponents"]:
        refused(partial(SUITE.evaluate, "random", 1, **wrong), sentence)


def test_whoever_answers_also_plays_and_three_invalid_replies_in_a_row_lose() -> None:
    def seen(observation: dict[str, Any]) -> str:
        assert set(observation) == {"rgb", "text"} and observation["rgb"].shape == (64, 64, 3)
        return "Somewhere!"

    agent = Says(seen, "Movement: B2", "B2", observe=("rgb", "text"))
    row = SUITE.evaluate(agent, 1, only=["TicTacToe"], size=64)["rows"][0]
    assert (row["raw"], row["forfeits"], row["valid_moves"]["mean"]) == (0.0, 1, 1.0) and row["failed"] == 0
    first, second, *_ = agent.prompts
    assert "A1, A2" not in first, "the legal moves are not listed"
    assert second.startswith(first) and "Your last reply was no move" in second and "'Somewhere!'" in second
    assert len(agent.prompts) == 5, "one more for the first strike, then three strikes"
    listed = Says("B2")
    SUITE.evaluate(listed, 1, only=["TicTacToe"], size=64, legal_in_text=True)
    assert "A1, A2" in listed.prompts[0]
    agent = Says(None, None, 4)
    row = SUITE.evaluate(agent, 1, only=["TicTacToe"], size=64)["rows"][0]
    assert row["forfeits"] == 1 and row["valid_moves"]["mean"] == 0.0
    assert "a reply must be text, not NoneType" in agent.prompts[1] and "A1, " not in agent.prompts[1]


def test_an_agent_that_fails_costs_its_own_questions_and_games_and_an_opponent_nothing() -> None:
    def stumbles(observation: dict[str, Any]) -> None:
        if len(agent.prompts) % 2:  # otherwise it says nothing, is asked again, and stumbles again
            raise ConnectionError("the line is dead")

    agent = Says(stumbles, name="stumbles")
    rows = SUITE.evaluate(agent, 4, only=["TicTacToe-Rule", "TicTacToe"])["rows"]
    assert [row["raw"] for row in rows] == [0.0, 0.0] and rows[0]["failed"] == 4
    assert rows[0]["first_failure"].startswith("stumbles: ConnectionError: the line is dead (test_lvlm_playground.py, ")
    assert rows[1]["failed"] == 4 and "ConnectionError: the line is dead" in rows[1]["first_failure"]

    fails_once = ActsByEpisode(first_legal, RuntimeError("lost its way"), first_legal, name="fails once")
    row = SUITE.evaluate("minimax", 4, only=["TicTacToe"], opponent=fails_once)["rows"][0]
    assert (row["raw"], row["episodes"], row["failed"]) == (100.0, 3, 1)


def test_what_failed_is_asked_once_more_and_the_rest_is_not(tmp_path: Path) -> None:
    def answer(observation: dict[str, Any]) -> str:
        return '{"action": "Z9"}' if "## Question" in observation["text"] else "half a sign: \ud800"

    def line(*replies: Any) -> Says:
        return Says(*replies, name="line", about="a line, dead or not")

    only, dead = ["TicTacToe-Rule", "TicTacToe"], (answer, answer, ConnectionError("the line is dead"))
    assert [row["failed"] for row in SUITE.evaluate(line(*dead), 5, only=only, out=tmp_path)["rows"]] == [3, 5]
    alive = line(answer)
    second = SUITE.evaluate(alive, 5, only=only, out=tmp_path)["rows"]
    assert [row["failed"] for row in second] == [0, 0]
    assert len(alive.prompts) == 3 + 5 * 4, "three questions; in each game one that is asked again, and three strikes"
    again = line(*dead)
    assert SUITE.evaluate(again, 5, only=only, out=tmp_path)["rows"] == second and not again.prompts


def test_wrong_options_are_said_before_anybody_is_asked() -> None:
    agent = Says("B2")
    for wrong, sentence in CASES["wrong options"]:
        refused(partial(SUITE.evaluate, agent, 1, **{"only": ["TicTacToe-Perceive", "TicTacToe"], **wrong}), sentence)
    assert not agent.prompts
    refused(lambda: suites.find("lvlm-robustness").evaluate("random", 1, band="K"), "Unknown option 'band'")


def test_the_robustness_tables_have_a_row_for_each_band(tmp_path: Path) -> None:
    result = suites.find("lvlm-robustness").evaluate("random", 20, out=tmp_path)
    named = [f"{row['environment']} {row['variant']}" for row in result["rows"]]
    assert len(set(named)) == len(named) == 11 == len(list(tmp_path.glob("*.jsonl")))
    assert named[0] == "mmgames/Gomoku-Perceive-v0 stones 0-45"
    assert named[-1] == "mmgames/Chess-Perceive-v0 pieces KQRBNP"
    assert all(abs(row["raw"] - 100 / 3) < 5 * row["standard_error"] for row in result["rows"][:5])
    assert all(abs(row["raw"] - 100 / 13) < 5 * row["standard_error"] for row in result["rows"][5:])


def test_a_page_and_a_radar_are_written_with_the_command_that_made_them(tmp_path: Path, capsys: Any) -> None:
    page, radar = tmp_path / "page.md", tmp_path / "radar.png"
    command = ["eval", "lvlm-playground", "--agent", "random", "--agent", "oracle", "--episodes", "4"]
    for name in ("TicTacToe-Perceive", "TicTacToe-Ask", "Minesweeper-Rule", "TicTacToe"):
        command += ["--only", name]
    assert cli.main([*command, "--set", "shots=1", "--markdown", str(page), "--radar", str(radar), "--wide"]) == 0
    shown = capsys.readouterr().out
    assert "Ask, weighted over the games: 100.00" in shown and "5.0 ± 0.0 valid moves a game" in shown
    text = page.read_text()
    assert "--set shots=1 --only TicTacToe-Perceive --only TicTacToe-Ask --only Minesweeper-Rule" in text
    for title in ("Table 2: Perceive", "Table 3: Ask", "Ask, balanced", "Table 4: Rule", "Play: unbeaten", "Table 8"):
        assert f"## {title}" in text
    assert "| *GPT-4o* | 90.7 | 52.0 |" in text
    assert "| without looking |" not in text, "with shots the floor may be another"
    plain = suites.find("lvlm-playground").evaluate("random", 2, only=["TicTacToe-Ask"])
    tables = suites.find("lvlm-playground").paper_tables([plain])
    assert sum(row.name == "without looking" for table in tables for row in table.rows) == 2
    assert "| oracle | 5.00 <sub>±0.00</sub> |" in text and "Where the paper slips" in text
    assert "| reasoning | 0.5 | 1.5 | 2 (3.5) | 5 (4) | 4 (5) | 3 (3.5) |" in text
    assert radar.read_bytes().startswith(b"\x89PNG")


def test_rows_of_the_data_set_are_what_an_environment_asks(tmp_path: Path) -> None:
    report = data.build(tmp_path / "set", seed=1, **SMALL)
    made = [f"{game}-{kind}" for game in SMALL["games"] for kind in ("Perceive", "Ask", "Rule")]
    assert list(report["tasks"]) == made
    for task in report["tasks"]:
        rows = read_rows(tmp_path / "set", task)
        embedded = pyarrow.parquet.read_table(tmp_path / "set" / f"{task}.parquet").to_pylist()
        assert len(rows) == 12 and len({row["id"] for row in rows}) == 12
        env: Any = gymnasium.make(rows[0]["task"], size=64, disable_env_checker=True).unwrapped
        for row, other in zip(rows[:4], embedded, strict=False):
            assert row == {**other, "pictures": len(other["pictures"])}
            observation, _ = env.reset(seed=row["seed"])
            assert observation["text"] == row["prompt"] and row["answer"] in row["correct"]
            rgb = observation["rgb"]
            shown = list(rgb) if rgb.ndim == 4 else [rgb]
            assert all(np.array_equal(*pair) for pair in zip(pictures(other), shown, strict=True))
            assert env.step(row["answer"])[1] == 1.0


def finished_files(folder: Path) -> dict[str, bytes]:
    """All but the journal, which has its lines in the order the tables were finished."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != data.JOURNAL}


def test_a_build_goes_on_and_is_the_same_for_any_number_of_processes(tmp_path: Path, capsys: Any) -> None:
    command = ["dataset", "lvlm-playground", "OUT", "--n", "101", "--size", "64", "--games", "TicTacToe"]
    for folder, processes in (("one", "1"), ("two", "2")):
        command[2] = str(tmp_path / folder)
        assert cli.main([*command, "--processes", processes]) == 0 and "TicTacToe-Rule" in capsys.readouterr().out
    first = finished_files(tmp_path / "one")
    assert first == finished_files(tmp_path / "two")
    (tmp_path / "one" / "TicTacToe-Ask.jsonl").unlink()
    command[2] = str(tmp_path / "one")
    assert cli.main([*command, "--json"]) == 0 and json.loads(capsys.readouterr().out)["rows"] == 101
    assert first == finished_files(tmp_path / "one")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("hello")
    refused(lambda: data.build(tmp_path / "other"), "holds something else")
    refused(lambda: data.build(tmp_path / "third", games=["Checkers"]), "'Checkers'")


def test_bands_and_options_of_the_tasks_make_tables_of_their_own(tmp_path: Path) -> None:
    small: dict[str, Any] = {"rows": 3, "size": 64}
    assert len(data.build(tmp_path / "bands", games=["Gomoku"], bands=True, **small)["tasks"]) == 15
    for band, table in (("0-45", "Gomoku-Perceive-0-45"), ("181-225", "Gomoku-Perceive-181-225")):
        low, high = map(int, band.split("-"))
        for row in read_rows(tmp_path / "bands", table):
            assert low <= sum(code > 0 for line in json.loads(row["answer"]) for code in line) <= high
            env: Any = gymnasium.make("mmgames/Gomoku-Perceive-v0", band=band, size=64, disable_env_checker=True)
            assert env.reset(seed=row["seed"])[0]["text"] == row["prompt"]
            assert env.step(row["answer"])[1] == 1.0 and json.loads(row["settings"]) == {"band": band}
    data.build(tmp_path / "shots", games=["Reversi"], shots=2, **small)
    assert [row["pictures"] for row in read_rows(tmp_path / "shots", "Reversi-Ask")] == [3, 3, 3]
    assert [row["pictures"] for row in read_rows(tmp_path / "shots", "Reversi-Rule")] == [1, 1, 1]
    for wrong, sentence in CASES["wrong data"]:
        refused(partial(data.build, tmp_path / "wrong", **{**small, **wrong}), sentence)
    assert not (tmp_path / "wrong").exists()


def test_a_damaged_file_is_told_of(tmp_path: Path) -> None:
    small: dict[str, Any] = {"rows": 3, "size": 64, "games": ["TicTacToe"]}
    data.build(tmp_path, **small)
    for name, damage in (
        ("TicTacToe-Ask.jsonl", b"{]"),
        ("TicTacToe-Ask.jsonl", b""),
        ("TicTacToe-Rule.parquet", b"x"),
    ):
        whole = (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(damage)
        refused(lambda: data.build(tmp_path, **small), f"{name} is damaged; remove it")
        (tmp_path / name).write_bytes(whole)
    assert data.build(tmp_path, **small)["rows"] == 3
