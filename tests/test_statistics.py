"""Errors that hold, what chance gives, and plans of how many episodes show a difference."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mmgames import suites, tasks
from mmgames.cli import main
from mmgames.running import statistics
from mmgames.running.statistics import mean_and_error, needs_interval
from mmgames.suites import find
from mmgames.suites.entries import Run
from mmgames.suites.floors.kept import floors, name_of
from mmgames.suites.pages import layout, tables
from mmgames.suites.results import result_files
from mmgames.suites.results import rows as results
from mmgames.suites.results.comparison import ALIKE, HIGHER, OPEN, compare
from mmgames.suites.results.planning import Spread, episodes_needed
from mmgames.tasks.questions import Style
from mmgames.text.refusals import Illegal
from tests.cases import cases
from tests.players import Acts
from tests.refusing import refused

VS_BENCH = suites.find("vs-bench")


def row_of(values: list[float], clusters: list[int] | None = None, **changes: Any) -> dict[str, Any]:
    """A row of Kuhn Poker's questions, or of an entry changed like that, with these values."""
    entry = next(entry for entry in VS_BENCH.entries if entry.id == "mmgames/KuhnPoker-Predict-v0")
    run = Run(replace(entry, **changes), "somebody", len(values), 0, 1, None, False)
    run.counts.clusters = list(clusters or ())
    return results.make_row(run, "somebody", np.array(values, float))


@pytest.mark.parametrize(("right", "of", "low", "high"), [(4, 4, 39.76, 100), (0, 10, 0, 30.85), (9, 10, 55.50, 99.75)])
def test_shares_have_an_exact_interval(right: int, of: int, low: float, high: float) -> None:
    found = mean_and_error(np.array([100.0] * right + [0.0] * (of - right)), whole=100.0)
    assert found["interval"] == pytest.approx([low, high], abs=0.01)


def test_an_interval_is_printed_where_plus_and_minus_would_mislead() -> None:
    assert tables.with_error(tables.score_of(row_of([100.0] * 4))) == "100.00 (39.76 to 100.00)"
    assert " ± " in tables.with_error(tables.score_of(row_of([100.0, 0.0] * 20)))
    assert not needs_interval({"mean": 3.0, "standard_error": 0.0}), "files of before have no interval"
    row = layout.TableRow("us", {"A": layout.Cell.of(tables.score_of(row_of([0.0] * 4)))})
    assert "0.0 <sub>0.0 to 60.2</sub>" in layout.write(layout.PaperTable("T", ["A"], [row]))
    one, two = (result_of(row_of([score] * 4)) for score in (0.0, 100.0))
    difference = compare(one, two)[0]
    low, high = difference["interval"]
    assert difference["difference"] == 100 and low < 40 and high == pytest.approx(100)
    for row in (one["rows"][0], two["rows"][0]):
        del row["interval"], row["bounds"]
    assert compare(one, two)[0]["interval"][0] < 40, "files that tell no bounds have what counts as 0 and 100"


def test_what_was_not_met_in_few_games_is_possible() -> None:
    found = mean_and_error(np.full(4, -1.0), whole=1.0, least=-1.0)
    assert found["interval"] == pytest.approx([-1.0, -1.0 + 2 * 0.6024], abs=1e-3) and needs_interval(found)
    kind = {"whole": None, "normal": (0.0, 40.0), "worst": -10.0}
    few, many = (row_of([5.0] * number, **kind)["interval"] for number in (5, 500))
    assert few == pytest.approx([5 - 0.5218 * 15, 5 + 0.5218 * 35], abs=0.01)
    assert few[0] < many[0] < 5 < many[1] < few[1]
    pong = next(entry for entry in VS_BENCH.entries if entry.id == "mmgames/Pong-v0")
    found = results.measured(np.array([0.1, 0.5, 0.3, 2.0, 0.7]), pong, [])
    assert found["interval"][0] < found["mean"] and found["interval"][1] > pong.step
    row = {**row_of([0.0, 100.0]), "aside": True}
    assert compare(result_of(row), result_of(row))[-1]["interval"] is None
    whole = statistics.pooled([mean_and_error(np.ones(4), whole=1.0)] * 4)
    assert whole["mean"] == 1 and whole["interval"] == pytest.approx([1 - 0.6024 / 2, 1.0], abs=1e-3)
    assert statistics.pooled([{"mean": None, "standard_error": None}])["mean"] is None


def test_questions_about_one_episode_count_as_one(tmp_path: Any) -> None:
    answers, episodes = [100.0] * 10 + [0.0] * 10, [0] * 10 + [1] * 10
    alone, together = row_of(answers), row_of(answers, episodes)
    assert together["standard_error"] > 4 * alone["standard_error"]
    assert row_of(answers, list(range(20)))["standard_error"] == alone["standard_error"]
    assert row_of(answers * 3, [*range(20)] * 3)["standard_error"] == pytest.approx(alone["standard_error"])
    assert together["clusters"] == episodes and "clusters" not in alone
    wide, narrow = (row["interval"][1] - row["interval"][0] for row in (together, alone))
    assert wide > narrow
    VS_BENCH.evaluate("random", 16, only="Hanabi-Predict", out=tmp_path)
    (kept,) = result_files.read(tmp_path)
    clusters = kept["rows"][0]["clusters"]
    assert len(clusters) == 16 and 1 < len(set(clusters)) < 16


def result_of(*rows: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"suite": "s", "agent": "a", "seed": 0, "rows": list(rows), **more}


@pytest.mark.parametrize("number", [5, 10, 50])
def test_intervals_hold_where_values_are_few_and_skewed(number: int) -> None:
    """What `python -m benchmarks.interval_coverage` measures of the suites themselves."""
    rng = np.random.default_rng(number)
    for pool in (np.minimum(rng.exponential(0.1, 4000), 1.0), rng.beta(5, 2, 4000), rng.random(4000) < 0.1):
        drawn = [rng.choice(pool, number).astype(float) for _ in range(600)]
        ends = [mean_and_error(values, whole=1.0)["interval"] for values in drawn]
        assert np.mean([low <= pool.mean() <= high for low, high in ends]) > 0.91


def holed(row: dict[str, Any], lost: range) -> dict[str, Any]:
    left = [at for at in range(len(row["values"])) if at not in lost]
    values = [row["values"][at] for at in left]
    told = {"values": values, "raw": float(np.mean(values)), "missing": len(lost), "interval": None}
    return {**row, **told, "deals": [str(at) for at in left], "lost": [str(at) for at in lost]}


def test_missing_values_are_counted_and_cannot_be_turned_into_a_difference() -> None:
    rng = np.random.default_rng(0)
    bad = row_of([100.0 * (at % 10 == 0) for at in range(60)])
    line, overall = compare(result_of(bad), result_of(holed(row_of([0.0] * 50 + [100.0] * 10), range(50))))
    assert line["missing"] == [0, 50] and line["paired"] and line["worst"][0] < 0 < line["worst"][1]
    assert line["verdict"] == OPEN == overall["verdict"] and line["interval"][0] > 0
    good = row_of([100.0 * (at % 10 != 0) for at in range(60)])
    line = compare(result_of(bad), result_of(holed(good, range(2))))[0]
    assert line["missing"] == [0, 2] and line["verdict"] == HIGHER and line["worst"][0] < line["interval"][0]
    refused(lambda: tables.check_complete([result_of(holed(good, range(2)))]), "a lacks 2 in KuhnPoker-Predict-v0")
    shuffled = {**bad, "values": rng.permutation(bad["values"]).tolist()}
    assert compare(result_of(bad), result_of(shuffled))[0]["verdict"] == ALIKE
    long, short = row_of([0.0, 100.0] * 20), row_of([0.0, 100.0] * 10)
    for row in (long, short):
        row["deals"] = [str(at) for at in range(len(row["values"]))]
    line = compare(result_of(long), result_of(short))[0]
    assert line["paired"] and line["difference"] == 0 and line["missing"] == [0, 0]


def test_errors_and_intervals_to_the_last_digit() -> None:
    assert mean_and_error(np.array([1.0, 0, 1, 1]), [0, 0, 1, 1])["standard_error"] == pytest.approx(0.25)
    one, two = {"mean": 0.5, "interval": [0.3, 0.6]}, {"mean": 0.8, "interval": [0.7, 0.95]}
    assert statistics.difference_interval(one, two) == pytest.approx([0.3 - 0.02**0.5, 0.3 + 0.25])
    means = [{"mean": mean, "standard_error": mean, "interval": [0.0, 4 * mean]} for mean in (1.0, 3.0)]
    whole = statistics.pooled(means, [1, 3])
    assert [whole["mean"], whole["standard_error"]] == pytest.approx([2.5, math.hypot(0.25, 2.25)])
    assert whole["interval"] == pytest.approx([2.5 - math.hypot(0.25, 2.25), 2.5 + 3 * math.hypot(0.25, 2.25)])
    whole = statistics.pooled([{"mean": 1.0, "standard_error": 0.5}, {"mean": 2.0, "standard_error": None}])
    assert whole == {"mean": 1.5, "standard_error": None, "interval": None}
    for interval, misleads in (([-2.5, 2.4], True), ([-1.5, 2.4], False), ([-2.4, 2.5], True), ([-2.4, 1.5], False)):
        assert needs_interval({"mean": 0.0, "standard_error": 1.0, "interval": interval}) == misleads
    assert statistics.middle_of(np.arange(1001.0)) == pytest.approx([25.0, 975.0])


def test_babbling_is_charged_below_random_play_and_the_headline_stays() -> None:
    honest = VS_BENCH.evaluate("random", 4, only="CoinDilemma")
    babble = VS_BENCH.evaluate(Acts("Hm."), 4, only="CoinDilemma")
    row = babble["rows"][0]
    assert "charged" not in honest["rows"][0] and "overall_charged" not in honest
    assert row["charged"]["mean"] < min(row["raw"], honest["rows"][0]["raw"])
    assert row["charged"]["values"] == 4 and babble["overall_charged"] == row["charged"]["normalised"]
    assert "illegal play charged" in tables.head([babble]) and "illegal play charged" not in tables.head([honest])
    assert "Illegal play charged" in VS_BENCH.page("c", [babble], {})
    asked = VS_BENCH.evaluate(Acts("<BET>"), 1, only="KuhnPoker")["rows"][0]
    low, high = asked["interval"]
    assert asked["standard_error"] > 0 and low <= asked["raw"] <= high and low < high
    told = VS_BENCH.evaluate("equilibrium", 1, only="KuhnPoker")["rows"][0]
    assert told["standard_error"] is None, "a policy that is told is exact"


@pytest.mark.parametrize("drawn", range(4))
def test_one_more_illegal_move_never_raises_the_charged_score(drawn: int) -> None:
    def charged(flags: list[bool], values: list[float]) -> float:
        entry = next(entry for entry in VS_BENCH.entries if entry.id == "mmgames/CoinDilemma-v0")
        run = Run(entry, "somebody", 4, 0, 1, None, False)
        run.counts.with_drawn = flags
        row = results.make_row(run, "somebody", np.array(values))
        return row.get("charged", {"mean": row["raw"]})["mean"]

    before = [False] * 4
    after = [number == drawn for number in range(4)]
    lucky = [50.0 if flag else -10.0 for flag in after]  # the drawn move was the best there is
    assert charged(after, lucky) <= charged(before, [-10.0] * 4)


@pytest.mark.parametrize("task", ["TicTacToe-Rule", "TicTacToe-Ask", "TicTacToe-Perceive", "VikiKitchen-Activate"])
def test_chance_is_what_guessing_scores(task: str) -> None:
    spec = tasks.find(f"mmgames/{task}-v0")
    source = spec.source_class()(spec, Style(drawn=False, words_alone=True))
    rng = np.random.default_rng(0)
    question = source.ask(rng)
    guesses = [source.read(question, source.guess(question, rng)) for _ in range(1500)]
    legal = [guess for guess in guesses if not isinstance(guess, Illegal)]
    scores = [guess.accuracy if task.startswith("Viki") else source.score(question, guess) for guess in legal]
    assert sum(scores) / len(guesses) == pytest.approx(source.chance(question), abs=0.05)


def test_every_entry_has_a_floor_and_a_game_that_is_played_blind_says_so() -> None:
    for name in ("vs-bench", "lvlm-playground", "comma", "vision-zero", "viki"):
        kept = floors()[name]
        assert {name_of(entry) for entry in suites.find(name).every} <= set(kept), name
        assert all(one["mean"] == one["ways"][one["by"]]["mean"] for one in kept.values())
    result = VS_BENCH.evaluate("random", 4, only="MonsterHunt")
    (row,) = result["rows"]
    assert row["floor"]["normalised"] > 25 and row["above_floor"]["mean"] < 0
    assert any("without looking" in line and "MonsterHunt" in line for line in tables.asides(result))
    assert str(tables.asides_of_all([result, {**result, "agent": "other"}])).count("without looking") == 1
    assert "floor" not in VS_BENCH.evaluate("random", 1, only="MonsterHunt", horizon=9)["rows"][0]
    row = suites.find("viki").evaluate("random", 4, only="VikiKitchen-Trace")["rows"][0]
    traced = row["above_floor"]
    assert row["normalised_standard_error"] > 0 and traced["standard_error"] > 0
    assert traced["interval"][0] < traced["mean"] < traced["interval"][1]  # in pixels
    result = suites.find("lvlm-playground").evaluate("oracle", 2, only="TicTacToe-Rule")
    row = result["rows"][0]
    assert row["above_chance"]["mean"] == pytest.approx(100) and 0 < row["chance"]["mean"] < 100
    assert any("exact, for these questions" in text for text in tables.explained([result]))
    for entry in VS_BENCH.entries:
        assert entry.whole == 100.0 or (entry.worst is not None and entry.worst <= entry.normal[0]), entry.id


def planned(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["plan", *words, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.fixture(scope="module")
def pilot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pilot")
    for agent in ("random", "common_welfare"):
        find("vs-bench").evaluate(agent, 12, only=["CoinDilemma"], out=folder)
    return folder


def test_as_many_as_are_planned_see_the_difference_as_often_as_is_asked_for() -> None:
    episodes = episodes_needed([Spread("one", 30.0)], 5.0, power=0.8, level=0.05)
    assert episodes == 283  # (1.960 + 0.842)² · 30² / 5²
    rng = np.random.default_rng(0)
    seen = rng.normal(5.0, 30.0, (4000, episodes)).mean(axis=1) / (30.0 / np.sqrt(episodes))
    assert np.mean(np.abs(seen) > 1.96) == pytest.approx(0.8, abs=0.03)
    one, four = ([Spread(str(number), 30.0) for number in range(count)] for count in (1, 4))
    assert episodes_needed(four, 5.0) == pytest.approx(episodes_needed(one, 5.0) / 4, abs=1)
    assert episodes_needed([Spread("asked once", 0.0, fixed=10.0)], 5.0) is None
    assert episodes_needed([Spread("few starts", 30.0, most=100)], 5.0) is None
    assert episodes_needed([Spread("few starts", 30.0, most=300)], 5.0) == 283
    assert episodes_needed([Spread("asked once", 0.0, fixed=1.0)], 5.0) == 2


def test_a_pilot_run_with_two_agents_is_paired(pilot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--suite", "vs-bench", "--difference", "5", "--from", str(pilot), "--only", "CoinDilemma")
    paired, apart = planned(capsys, *words, "--paired"), planned(capsys, *words, "--unpaired")
    results = [json.loads(path.read_text()) for path in sorted(pilot.glob("*.result.json"))]
    one, other = (result["rows"][0] for result in results)
    low, high = one["normal"]
    apiece = np.subtract(one["values"], other["values"]).std(ddof=1) * 100 / (high - low)
    (coin,) = paired["environments"]
    assert coin["paired"] and coin["deviation"] == pytest.approx(apiece) and not apart["environments"][0]["paired"]
    assert planned(capsys, *words)["environments"] == paired["environments"]


def test_cost_grows_with_episodes_and_has_a_price(pilot: Path, capsys: pytest.CaptureFixture, tmp_path: Path) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text('{"": [1.0, 2.0]}')
    words = ("--suite", "vs-bench", "--from", str(pilot), "--only", "CoinDilemma", "--prices", str(prices))
    few, many = (planned(capsys, *words, "--difference", difference) for difference in ("5", "1"))
    one, other = few["cost"]["all"], many["cost"]["all"]
    times = many["episodes_per_environment"] / few["episodes_per_environment"]
    assert times > 10 and other["calls"] == pytest.approx(one["calls"] * times)
    assert one["calls"] == few["episodes_per_environment"] * 50 * 2 * 2  # steps, seats, agents
    assert one["money"] == pytest.approx((one["tokens_in"] + 2 * one["tokens_out"]) / 1e6)


def test_without_a_pilot_run_one_is_played_and_published_models_count(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--suite", "vs-bench", "--difference", "5", "--only", "Hanabi", "--pilot-episodes", "3")
    (hanabi,) = planned(capsys, *words)["environments"]
    assert hanabi["deviation"] > 10, "random play scores nothing at all and says nothing of models"
    assert main(["plan", *words]) == 0
    said = capsys.readouterr().out
    assert "episodes per environment and agent show a difference of 5 points" in said and "tokens in" in said


def test_bad_input_gets_a_sentence(pilot: Path, capsys: Any) -> None:
    for words, sentence in cases(__file__)["bad input"]:
        assert main(["plan", *(str(pilot) if word == "PILOT" else word for word in words)]) == 2
        said = capsys.readouterr().err
        assert sentence in said and len(said.strip().splitlines()) == 1
