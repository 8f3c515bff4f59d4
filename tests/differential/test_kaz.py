"""KnightsArchersZombies is PettingZoo's, cycle by cycle, with its random draws."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.differential.kaz import Comparison, episodes

PYTHON = Path(__file__).parents[2] / ".venv-lowest" / "bin" / "python"
STEPS = 600


def test_a_step_of_ours_is_a_cycle_of_pettingzoo() -> None:
    if not PYTHON.exists():
        pytest.fail("pygame beside PettingZoo is not set up; `make .venv-lowest/.ready` does it.")
    comparison = Comparison()
    for episode in episodes(PYTHON, STEPS, seed=3):
        comparison.compare(episode)
    assert comparison.steps >= STEPS and comparison.kills and comparison.deaths
    assert comparison.worst["directions"] < 1e-12
    assert comparison.worst["observations"] < 1e-6
