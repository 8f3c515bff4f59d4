"""Other libraries' trainers, as the examples use them: each learns something, or runs ten updates."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples" / "trainers"


def example(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_ppo_of_stable_baselines_learns_a_dilemma_over_the_batched_face() -> None:
    pytest.importorskip("stable_baselines3")
    assert example("sb3_ppo").main() > 10, "untrained it is below 2"


def test_maskable_ppo_learns_a_board_game() -> None:
    pytest.importorskip("sb3_contrib")
    assert example("sb3_maskable_ppo").main() > 0.7, "untrained it is about 0.3"


def test_a_convolutional_network_takes_batched_pictures() -> None:
    pytest.importorskip("stable_baselines3")
    assert example("sb3_pictures").main() == 10 * 8 * 32


def test_torchrl_learns_over_vectorised_rows() -> None:
    pytest.importorskip("torchrl")
    assert example("torchrl_ppo").main() > 5, "untrained it is about 1"


def test_tianshou_learns_at_a_pettingzoo_table() -> None:
    pytest.importorskip("tianshou")
    assert example("tianshou_dqn").main() > 0.45, "untrained it is about 0.3"


def test_supersuit_leads_to_stable_baselines() -> None:
    pytest.importorskip("supersuit")
    assert example("supersuit_ppo").main() == 10 * 64 * 8
