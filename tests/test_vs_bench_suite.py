"""VS-Bench's suite in both editions: measures, normalisers, and pages with nothing unexplained."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mmgames import cli, suites
from mmgames.errors import MmgamesError
from mmgames.games.pong.score import score
from mmgames.suites.pages import layout, report, vs_bench_second
from mmgames.suites.pages import vs_bench as vs_bench_page
from mmgames.suites.pages.vs_bench import DECISIONS, GAMES, SECOND, measured
from mmgames.suites.papers import published, second_edition
from mmgames.suites.papers.prediction import Predictions
from mmgames.suites.papers.second_edition import KNIGHTS, PARTICLES, SIDES, references
from mmgames.suites.papers.vs_bench import ENTRIES, SUITE, VARIANTS
from mmgames.suites.results.comparison import compare
from mmgames.tasks.predict_recipes import recipes
from tests.players import Acts, Says
from tests.refusing import refused

PAPER = published.tables("vs_bench")
PAGE = Path(__file__).parents[1] / "docs" / "results" / "vs-bench.md"


def entry(id):
    return next(entry for entry in SUITE.entries if entry.id == f"mmgames/{id}-v0")


def test_pongs_normaliser_gives_the_papers_column_from_its_steps():
    low, high = entry("Pong").normal
    for name, row in PAPER["Table 4"].rows.items():
        points = 2 * row.cells["Atari Pong score"].value - 3  # more than a 0:3 loss, if any
        if points > 0 or name in ("Optimal", "Random"):
            continue
        normalised = 100 * (score(0, row.cells["Atari Pong steps"].value) - low) / (high - low)
        assert normalised == pytest.approx(PAPER["Table 2"].value(name, "Atari Pong"), abs=0.051), name
    assert low == pytest.approx(1.44, abs=0.005) and high == 100


@pytest.mark.parametrize("column", ["Hanabi", "Overcooked", "Breakthrough", "Coin Dilemma", "Monster Hunt"])
def test_the_normalisers_give_the_papers_table_from_its_returns(column):
    low, high = entry(GAMES[column]).normal
    raw = "Hanabi final" if column == "Hanabi" else column
    for name in PAPER["Table 4"].rows:
        if name in ("Optimal", "Random"):
            continue
        normalised = 100 * (PAPER["Table 4"].value(name, raw) - low) / (high - low)
        rounding = 100 * (0.05 + 0.05) / (high - low) + 0.051  # of the return, of the random one and of the result
        assert normalised == pytest.approx(PAPER["Table 2"].value(name, column), abs=rounding), name


def test_every_game_is_asked_about_and_played_and_the_page_explains_every_difference():
    ids = [entry.id for entry in SUITE.entries]
    for name in GAMES.values():
        assert f"mmgames/{name}-v0" in ids and f"mmgames/{name}-Predict-v0" in ids
    for name in (*GAMES.values(), "TicTacToe", "TinyHanabi"):
        assert f"mmgames/{name}-Recognise-v0" in ids
    assert {"mmgames/TicTacToe-v0", "mmgames/TinyHanabi-v0"} <= set(ids)
    written = PAGE.read_text("utf-8")
    assert layout.NOT_EXPLAINED not in written and layout.SLIPS in written
    for name in PAPER["Table 1"].rows:
        assert f"| *{name}* |" in written
    assert suites.find("vs-bench") is SUITE


@pytest.mark.parametrize("agent", ["random", "oracle"])
def test_predictions_have_a_measure_of_their_own(agent):
    result = SUITE.evaluate(agent, 40, seed=1, only=["CoinDilemma-Predict", "KuhnPoker-Predict", "KuhnPoker"])
    by_id = {row["environment"]: row for row in result["rows"]}
    coin = by_id["mmgames/CoinDilemma-Predict-v0"]
    assert coin["chance_exact"]["mean"] == pytest.approx(20)
    assert coin["chance"]["mean"] > 20, "equally good moves count"
    assert by_id["mmgames/KuhnPoker-Predict-v0"]["chance_exact"]["mean"] == pytest.approx(50)
    assert coin["exact"]["mean"] <= coin["raw"]
    overall = result["overall"]
    predicted = [row["raw"] for id, row in by_id.items() if "Predict" in id]
    assert overall["strategic reasoning"] == pytest.approx(np.mean(predicted))
    assert overall["decision making"] == result["overall_normalised"] == by_id["mmgames/KuhnPoker-v0"]["normalised"]
    assert coin["raw"] == 100 if agent == "oracle" else coin["raw"] < 70


@pytest.mark.parametrize("agent", ["random", "oracle"])
def test_perception_has_a_measure_of_its_own(agent):
    result = SUITE.evaluate(agent, 60, seed=1, only=["KuhnPoker-Recognise", "TicTacToe-Recognise", "KuhnPoker"])
    kuhn, cells, played = result["rows"]
    assert [row["measured"] for row in result["rows"]] == ["perception", "perception", "decision making"]
    assert kuhn["chance"]["mean"] == pytest.approx(40) and cells["chance"]["mean"] == pytest.approx(100 / 3)
    assert kuhn["chance_all"]["mean"] == pytest.approx(100 / (3 * 3 * 3 * 2 * 2))
    assert result["overall"]["perception"] == pytest.approx((kuhn["raw"] + cells["raw"]) / 2)
    assert result["over"]["perception"] == {"environments": 2, "of": 10}
    assert result["overall_normalised"] == played["normalised"], "perception is no part of it"
    if agent == "oracle":
        assert kuhn["raw"] == cells["all_elements"]["mean"] == 100
    else:
        assert kuhn["all_elements"]["mean"] < kuhn["raw"] < 60
        assert kuhn["floor"]["mean"] == pytest.approx(40, abs=5), "three cards, two of which are in play"
    assert any("all elements right" in line for line in SUITE.remarks(result))
    table = next(one for one in vs_bench_page.tables([result]) if one.title.startswith("Perception"))
    rows = {row.name: row.cells for row in table.rows}
    assert rows[agent]["Kuhn Poker"].value == kuhn["raw"] and "Overall" not in rows[agent]
    assert "fitted, without looking" in rows


def test_a_model_is_asked_about_elements_and_who_can_only_play_is_asked_nothing():
    def see(observation):
        assert observation["rgb"].ndim == 3 and "## Now" not in observation["text"]
        return '{"chips of player_0": 1, "chips of player_1": 1}'

    (row,) = SUITE.evaluate(Says(see, observe=("rgb", "text"), size=64), 80, only=["KuhnPoker-Recognise"])["rows"]
    assert row["raw"] == pytest.approx(20, abs=4), "two of five elements, each right half the time"
    assert row["all_elements"]["mean"] == 0 and row["illegal"]["illegal"] == 0
    refused(lambda: SUITE.evaluate(Acts(1), 1, only="KuhnPoker-Recognise"), "can only play")
    refused(lambda: SUITE.evaluate(Acts(1), 1, only="KuhnPoker-Predict"), "can only play")
    assert not SUITE._predicts(Acts(1)) and SUITE._predicts(Says("")) and SUITE._predicts("random")


def test_an_overall_hides_nothing_above_a_hundred_and_dilemmas_have_the_exact_optimum_as_another():
    result = SUITE.evaluate("oracle", 3, only=["Overcooked", "KuhnPoker", "TinyHanabi"])
    overall = result["overall"]
    assert overall["decision making"] > 110, "a mini game is not in it"
    assert overall["decision making, each game at most 100"] == pytest.approx(100)
    assert any("at most 100" in line for line in SUITE.headline(result))
    result = SUITE.evaluate("oracle", 60, seed=4, only=["CoinDilemma", "KuhnPoker"])
    coin, kuhn = sorted(result["rows"], key=lambda row: row["environment"])
    assert "of_optimum" not in kuhn
    assert abs(coin["of_optimum"]["mean"] - 100) < 4 * coin["of_optimum"]["standard_error"]
    assert coin["of_optimum"]["mean"] < coin["normalised"], "the published optimum can be surpassed"
    assert any("exact optimum" in line for line in SUITE.remarks(result))
    planned = next(table for table in vs_bench_page.tables([result]) if table.title.startswith("Table 2"))
    assert any("exact optimum" in row.name and "Coin Dilemma" in row.cells for row in planned.rows)


@pytest.mark.parametrize("variant", VARIANTS)
def test_variants_change_what_a_model_gets(variant):
    def bet(observation):
        seen.append(observation)
        return json.dumps({"action": observation["legal_actions"][0]}) if "legal_actions" in observation else "<BET>"

    seen: list[dict] = []
    agent = Says(bet)
    agent.style, agent.name = {"size": 64}, "says"
    result = SUITE.evaluate(agent, 2, only=["KuhnPoker-Predict", "CoinDilemma"], variant=variant)
    assert result["variant"] == variant and seen
    pictures = [observation for observation in seen if "rgb" in observation]
    thinking = [observation for observation in seen if "step by step" in observation["text"]]
    assert len(pictures) == (0 if variant == "text-only" else len(seen))
    assert len(thinking) == (len(seen) if variant == "cot" else 0)
    tables = {table.title.split(":")[0]: table for table in vs_bench_page.tables([result])}
    word = vs_bench_page.VARIANTS[variant]
    assert "Table 5" not in tables, "neither game is in it"
    assert all(word in column or "says" not in column for column in tables["Table 2"].columns)
    refused(lambda: SUITE.evaluate(agent, 1, variant="blind"), "Unknown variant 'blind'")


def test_tables_have_every_published_row():
    result = SUITE.evaluate("random", 2, only=["Hanabi", "Hanabi-Predict"])
    tables = {table.title.split(":")[0]: table for table in vs_bench_page.tables([result])}
    for name in ("Table 1", "Table 2", "Table 3", "Table 4", "Table 5", "Table 6"):
        rows = {row.name: row.cells for row in tables[name].rows if row.published}
        assert rows == {name: row.cells for name, row in PAPER[name].rows.items()}
    fireworks = {row.name: row.cells for row in tables["Table 4"].rows}["random"]
    assert fireworks["Hanabi fireworks"].value >= fireworks["Hanabi final"].value
    first, second = (Predictions("mmgames/Hanabi-Predict-v0", {}, "oracle", 3) for _ in range(2))
    rows = [first(number) for number in range(9)]
    assert len({row["seed"] for row in rows}) == 3, "four questions share an episode"
    assert len({row["reply"] for row in rows}) > 3
    for number in (5, 2, 8, 6, 7, 0):
        assert second(number) == rows[number]


def test_the_page_says_how_many_questions_were_asked_and_how_well_each_action_is_foreseen():
    results = [SUITE.evaluate(agent, 15, only=["KuhnPoker-Predict"]) for agent in ("random", "oracle", "best_guess")]
    written = vs_bench_page.page("VS-Bench", "", results, {})
    assert "what the other player does next (15 questions a game)" in written
    assert "| questions, each |" in written and "400 questions" not in written
    tables = {table.title.split(":")[0]: table for table in vs_bench_page.tables(results)}
    by_action = tables["Table 1, by action"]
    assert {row.name.split(",")[0] for row in by_action.rows} == {"Kuhn: BET", "Kuhn: PASS"}
    assert not any("oracle" in column for column in by_action.columns)
    rows = {row.name: row.cells["Kuhn Poker"].value for row in tables["Table 1"].rows if "Kuhn Poker" in row.cells}
    assert rows["oracle"] == 100 >= rows["best_guess"] > rows["random"]
    assert 0 < rows["best_guess, mean F1 of the actions"] <= 100


def test_games_of_two_are_played_against_whom_a_user_names():
    suite = suites.find("vs-bench")
    (row,) = suite.evaluate("random", 4, only=["Breakthrough"], opponent="random")["rows"]
    assert row["variant"] == "opponent=random" and row["published"] is None and "beside random" in row["measure"]
    (row,) = suite.evaluate("common_welfare", 4, only=["CoinDilemma"], opponent="self_interest")["rows"]
    assert row["episodes"] == 4 and "of_optimum" not in row
    with pytest.raises(MmgamesError, match="KuhnPoker-v0 is not played against anybody"):
        suite.evaluate("random", 4, only=["KuhnPoker"], opponent="random")
    refused(lambda: suite.evaluate("random", 4, only=["CoinDilemma"], opponent="nobody"), "Unknown agent 'nobody'")
    with pytest.raises(MmgamesError, match="for games of two that are played"):
        suite.evaluate("random", 4, only=["CoinDilemma-Predict"], opponent="random")


EDITION = SUITE.of_edition(2)
NEW = ["KnightsArchersZombies", "Particles"]


def test_ten_games_have_all_three_measures_and_references_of_our_own() -> None:
    ids = [entry.id for entry in EDITION.entries]
    assert len(SECOND) == 10 and set(SECOND.values()) == {*GAMES.values(), *NEW}
    assert ids == [f"mmgames/{name}{end}-v0" for end in ("-Predict", "-Recognise", "") for name in SECOND.values()]
    assert SUITE.entries == SUITE.every == ENTRIES and SUITE.of_edition(1) is SUITE
    assert EDITION.of_edition(1).entries == ENTRIES and EDITION.of_edition(1).title == SUITE.title
    assert {name for name, recipe in recipes().items() if recipe.edition == 2} == set(NEW)
    first = {entry.id: entry for entry in ENTRIES}
    for entry in EDITION.entries:
        assert not entry.published and EDITION.published_deviation(entry) is None
        name = entry.id.partition("/")[2].removesuffix("-v0")
        if measured({"environment": entry.id}) == DECISIONS and name != PARTICLES:
            random, best = references()[name]
            assert entry.normal == (random.mean, best.mean) and random.agent == "random" != best.agent
        if entry.id in first:
            assert entry.protocol is first[entry.id].protocol
            assert entry.oracle == second_edition.BETTER.get(name, first[entry.id].oracle)
    games = {name for name in SECOND.values() if name != PARTICLES}
    assert set(references()) == games | {f"{PARTICLES} {side}" for side in SIDES}
    for random, best in references().values():
        assert random.mean < best.mean and (random.episodes >= 20 or random.standard_error in (None, 0.0))


@pytest.fixture(scope="module")
def results() -> list[dict[str, Any]]:
    asked = [f"{name}{end}" for name in NEW for end in ("", "-Predict", "-Recognise")]
    return [EDITION.evaluate(agent, 12, seed=3, only=asked) for agent in ("random", "oracle")]


def test_random_play_is_near_0_and_the_best_of_ours_near_100(results: list[dict[str, Any]]) -> None:
    for result, expected in zip(results, (0, 100), strict=True):
        assert result["edition"] == 2 and result["suite"] == "vs-bench"
        rows = {row["environment"]: row for row in result["rows"]}
        for name in NEW:
            row = rows[f"mmgames/{name}-v0"]
            assert abs(row["normalised"] - expected) < 5 * row["normalised_standard_error"] + 3
            assert row["measured"] == DECISIONS and row["published"] is None
        sides = rows["mmgames/Particles-v0"]
        assert {side: sides[side]["mean"] for side in SIDES}.keys() == SIDES.keys()
        assert result["over"]["decision making"] == {"environments": 2, "of": 10}
        for measure, end in (("perception", "Recognise"), ("strategic reasoning", "Predict")):
            own = [row["raw"] for id, row in rows.items() if end in id]
            assert result["overall"][measure] == pytest.approx(np.mean(own))
    told = "\n".join([*EDITION.headline(results[1]), *EDITION.remarks(results[1])])
    assert "return as the rival" in told and "published" not in told


def test_each_side_of_the_particle_world_is_played_by_the_agent_and_answered_by_the_heuristic() -> None:
    (row,) = EDITION.evaluate(("random", "heuristic", "heuristic"), 8, seed=1, only=PARTICLES)["rows"]
    low, high = second_edition.normal(f"{PARTICLES} rival")
    assert row["rival"]["mean"] < (low + high) / 2 and row["episodes"] == 8
    low, high = second_edition.normal(f"{PARTICLES} pair")
    assert row["pair"]["mean"] > (low + high) / 2


def test_the_page_marks_everything_as_ours_and_says_what_is_not_known(results: list[dict[str, Any]]) -> None:
    written = EDITION.page("the command", results, {})
    assert written.startswith(f"# {vs_bench_second.TITLE}\n") and vs_bench_second.UNKNOWN in written
    assert "**published" not in written and not re.search(r"^\| \*(?!\*)", written, re.M), "no row is published"
    tables = {table.title: table for table in EDITION.paper_tables(results)}
    assert len(tables) == 4 and all(len(table.columns) >= 10 for table in tables.values())
    (perceived,) = (table for title, table in tables.items() if title.startswith("Perception"))
    rows = {row.name: row.cells for row in perceived.rows}
    blind, chance = rows["fitted, without looking"], rows["any value, each element by itself"]
    for column in ("Knights Archers Zombies", "MPE"):
        assert abs(blind[column].value - chance[column].value) < 5 * blind[column].error  # type: ignore[operator]
    for random, best in references().values():
        assert f"{random.mean:.2f}".lstrip("-") in written and f"{best.mean:.2f}".lstrip("-") in written
    assert vs_bench_second.TITLE in report.page(results, [])


def test_editions_are_chosen_by_name_and_not_mixed(results: list[dict[str, Any]], tmp_path: Any, capsys: Any) -> None:
    same = SUITE.evaluate("random", 12, seed=3, only=[KNIGHTS], edition=2)["rows"]
    assert same == [row for row in results[0]["rows"] if row["environment"] == f"mmgames/{KNIGHTS}-v0"]
    refused(lambda: SUITE.evaluate("random", 1, edition=3), "Unknown edition '3'")
    refused(lambda: SUITE.evaluate("random", 1, only=[KNIGHTS]), "KnightsArchersZombies")
    first = SUITE.evaluate("random", 2, only=["KuhnPoker"])
    assert "edition" not in first
    refused(lambda: compare(first, results[0]), "two editions")
    refused(lambda: report.page([first, results[0]], []), "one edition")
    page = tmp_path / "page.md"
    command = ["eval", "vs-bench", "--set", "edition=2", "--only", "Particles-Recognise", "--agent", "random"]
    assert cli.main([*command, "--episodes", "5", "--markdown", str(page)]) == 0
    assert "edition=2" in page.read_text("utf-8") and "second edition" in capsys.readouterr().out
    assert cli.main([*command, "--overall", str(tmp_path / "bars.png")]) != 0
    assert "first edition" in capsys.readouterr().err
