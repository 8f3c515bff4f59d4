"""Particles is mpe2 1.1.1 and KnightsArchersZombies PettingZoo's, step by step; benchmarks/worlds.py has many more."""

from pathlib import Path

import pytest

from tests.differential import kaz
from tests.differential.mpe import NAMES, Comparison, episodes

PYTHON = Path(__file__).parents[2] / ".venv-lowest" / "bin" / "python"


EPISODES = 12


@pytest.fixture(scope="module")
def compared() -> dict[str, Comparison]:
    comparisons = {scenario: Comparison(scenario) for scenario in NAMES}
    for episode in episodes(PYTHON, NAMES, EPISODES, seed=5):
        comparisons[episode["scenario"]].compare(episode)
    return comparisons


@pytest.mark.parametrize("scenario", NAMES)
def test_a_step_of_ours_is_a_step_of_mpe2(compared: dict[str, Comparison], scenario: str) -> None:
    comparison = compared[scenario]
    assert comparison.steps == EPISODES * 25
    assert comparison.worst["places and speeds"] < 1e-12
    assert comparison.worst["rewards"] < 1e-12
    assert comparison.worst["observations"] < 1e-6


STEPS = 600


def test_a_step_of_ours_is_a_cycle_of_pettingzoo() -> None:
    comparison = kaz.Comparison()
    for episode in kaz.episodes(PYTHON, STEPS, seed=3):
        comparison.compare(episode)
    assert comparison.steps >= STEPS and comparison.kills and comparison.deaths
    assert comparison.worst["directions"] < 1e-12
    assert comparison.worst["observations"] < 1e-6
