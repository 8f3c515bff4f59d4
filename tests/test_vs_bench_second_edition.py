"""VS-Bench's second edition: ten games and three measures, scaled by our own references, with nothing published."""

from typing import Any

import numpy as np
import pytest

from mmgames import cli
from mmgames.suites.pages import report, vs_bench_second
from mmgames.suites.pages.vs_bench import DECISIONS, GAMES, SECOND, measured
from mmgames.suites.papers import second_edition
from mmgames.suites.papers.second_edition import KNIGHTS, PARTICLES, SIDES, references
from mmgames.suites.papers.vs_bench import ENTRIES, SUITE
from mmgames.suites.results.comparison import compare
from mmgames.tasks.predict_recipes import recipes
from tests.refusing import refused

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
    result = EDITION.evaluate(("random", "heuristic", "heuristic"), 8, seed=1, only=PARTICLES)
    (row,) = result["rows"]
    low, high = second_edition.normal(f"{PARTICLES} rival")
    assert row["rival"]["mean"] < (low + high) / 2 and row["episodes"] == 8
    low, high = second_edition.normal(f"{PARTICLES} pair")
    assert row["pair"]["mean"] > (low + high) / 2


def _rows_of_models(written: str) -> list[str]:
    """The lines of tables that are in italics, as published rows are; headings of groups are bold."""
    return [line for line in written.splitlines() if line.startswith("| *") and not line.startswith("| **")]


def test_the_page_marks_everything_as_ours_and_says_what_is_not_known(results: list[dict[str, Any]]) -> None:
    written = EDITION.page("the command", results, {})
    assert written.startswith(f"# {vs_bench_second.TITLE}\n") and vs_bench_second.UNKNOWN in written
    assert "**published" not in written and not _rows_of_models(written)
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
