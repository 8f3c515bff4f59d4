"""Plans of comparisons: how many episodes show a difference, and what they take."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mmgames.cli import main
from mmgames.suites import find
from mmgames.suites.results.planning import Spread, episodes_needed


def planned(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["plan", *words, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.fixture(scope="module")
def pilot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two agents with the same deals."""
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
    assert coin["paired"] and coin["deviation"] == pytest.approx(apiece)
    assert not apart["environments"][0]["paired"]
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


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--suite", "vs-bench", "--difference", "0"), "--difference 0 is not possible"),
        (("--suite", "vs-bench", "--difference", "nan"), "--difference nan is not possible"),
        (("--suite", "vs-bench", "--difference", "5", "--power", "1"), "--power 1 is not possible"),
        (("--suite", "vs-bnch", "--difference", "5"), "Did you mean 'vs-bench'"),
        (("--suite", "vs-bench", "--difference", "5", "--from", "nowhere"), "nowhere cannot be read"),
        (("--suite", "comma", "--difference", "5", "--from", "PILOT"), "holds results of vs-bench, not of comma"),
        (("--suite", "vs-bench", "--difference", "5", "--from", "PILOT", "--only", "Pong"), "no score in Pong"),
    ],
)
def test_bad_input_gets_a_sentence(words: tuple[str, ...], sentence: str, pilot: Path, capsys: Any) -> None:
    assert main(["plan", *(str(pilot) if word == "PILOT" else word for word in words)]) == 2
    said = capsys.readouterr().err
    assert sentence in said and len(said.strip().splitlines()) == 1
