"""Means without luck: what is taken out is 0 on average, whatever the signals are, and what is left says more."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mmgames
from mmgames.agents.base import Agent
from mmgames.arena.arena import arena
from mmgames.arena.ladder import as_text, ladder
from mmgames.baselines.planners.kuhn_poker import Equilibrium
from mmgames.cli import main
from mmgames.running import variates
from mmgames.running.variates import Luck, adjusted
from mmgames.suites.results import result_files
from mmgames.suites.results.comparison import compare
from tests.players import Acts
from tests.refusing import refused


def luck_of(game: str, agents: list[Any], episodes: int) -> np.ndarray:
    result = mmgames.match(game, agents, episodes)
    luck = Luck(game, agents, {})
    return np.array([luck(row) for row in result.episodes])


def nothing_on_average(found: np.ndarray) -> bool:
    errors = found.std(axis=0, ddof=1) / np.sqrt(len(found))
    return bool((np.abs(found.mean(axis=0)) <= 3.5 * errors + 1e-12).all())


def test_kuhn_poker_between_agents_that_tell_has_no_luck_left() -> None:
    seat = mmgames.match("KuhnPoker", ["equilibrium", "equilibrium"], 300).summary(variates=True)["seats"][0]
    assert seat["without_luck"]["mean"] == pytest.approx(-1 / 18, abs=0.002)
    assert seat["without_luck"]["worth"] > 1000 and seat["standard_error"] > 0.05
    for agents in (["equilibrium", Acts(Equilibrium().act)], [Acts(Equilibrium().act), "random"]):
        seat = mmgames.match("KuhnPoker", agents, 400).summary(variates=True)["seats"][0]
        assert seat["without_luck"]["worth"] > 4
        assert abs(seat["without_luck"]["mean"] - seat["mean"]) < 3 * seat["standard_error"]


def test_luck_is_nothing_on_average(monkeypatch: pytest.MonkeyPatch) -> None:
    for game, agents, episodes in (
        ("KuhnPoker", ["random", "equilibrium"], 300),
        ("TinyHanabi", ["rule_bot"], 25),
        ("CoinDilemma", ["self_interest"], 15),
    ):
        found = luck_of(game, agents if len(agents) == 2 else agents * 2, episodes)
        assert (found.std(axis=0) > 0).sum() >= 2 and nothing_on_average(found)

    def odd(game: Any, agents: Any) -> Callable[[Any], list[float]]:
        return lambda state: [float(hash(state) % 7), float(sum(state.array.tobytes()) % 3)]

    monkeypatch.setattr(variates, "signals_of", odd)
    assert nothing_on_average(luck_of("KuhnPoker", ["random", "equilibrium"], 400))


def test_choices_are_taken_out_only_of_agents_that_tell() -> None:
    chance, own = np.hsplit(luck_of("CoinDilemma", ["self_interest", "self_interest"], 2), 2)
    assert chance.any() and not own.any()
    assert np.hsplit(luck_of("CoinDilemma", ["random", "self_interest"], 1), 2)[1].any()

    class Liar(Agent):
        def act(self, turn: Any) -> int:
            return 1

        def probabilities(self, turn: Any) -> dict[int, float]:
            return {0: 1.0, 1: 0.0}

    refused(lambda: mmgames.match("KuhnPoker", [Liar(), "random"], 40).without_luck(), "Liar says that it never plays")


def test_a_multiple_is_never_fitted_to_its_own_episode_nor_to_too_few() -> None:
    rng = np.random.default_rng(1)
    luck = rng.normal(size=(120, 1))
    values = 3 * luck + rng.normal(size=(120, 1))
    left = adjusted(values, luck, range(120))
    assert left is not None and left.std() < 0.4 * values.std()
    changed = values.copy()
    changed[7] += 50
    again = adjusted(changed, luck, range(120))
    assert again is not None and again[7, 0] - left[7, 0] == pytest.approx(50)
    assert adjusted(np.ones((9, 1)), np.arange(9.0)[:, None], range(9)) is None
    assert "without_luck" not in mmgames.match("KuhnPoker", "random", 5).summary(variates=True)["seats"][0]
    assert mmgames.match("TicTacToe", "random", 4).without_luck() == []


def test_the_command_prints_both_means(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--variates", "--processes", "1"]
    assert main(["match", "KuhnPoker", "equilibrium", "random", "--episodes", "40", *words]) == 0
    said = capsys.readouterr().out
    assert "return without luck" in said and "standard error" in said
    assert main(["match", "TicTacToe", "random", "--episodes", "2", *words]) == 0
    assert "Nothing is told without luck" in capsys.readouterr().out
    result = arena(["KuhnPoker"], ["equilibrium", "random"], 80)
    told = ladder(result, variates=True)["by_game"]["mmgames/KuhnPoker-v0"]
    assert told["collected_without_luck_error"][0][1] < told["collected_error"][0][1] / 10
    assert "without luck" in as_text(ladder(result, variates=True)) and "luck" not in as_text(ladder(result))


def test_an_evaluation_tells_scores_without_luck_and_compares_them(tmp_path: Path, capsys: Any) -> None:
    words = ["eval", "vs-bench", "--only", "CoinDilemma", "--set", "horizon=6", "--episodes", "60", "--processes", "1"]
    for agent in ("common_welfare", "self_interest"):
        assert main([*words, "--agent", agent, "--variates", "--out", str(tmp_path / agent)]) == 0
        assert "without luck" in capsys.readouterr().out
    (found,) = result_files.read(tmp_path / "common_welfare")
    (row,) = found["rows"]
    told = row["without_luck"]
    assert told["mean"] == pytest.approx(np.mean(row["values_without_luck"]))
    assert told["standard_error"] < row["standard_error"] and abs(told["mean"] - row["raw"]) < 3 * row["standard_error"]
    plain, without = compare(found, *result_files.read(tmp_path / "self_interest"))[:2]
    assert (plain["variant"], without["variant"]) == ("", "without luck") and without["paired"]
    assert np.ptp(without["interval"]) < np.ptp(plain["interval"])
