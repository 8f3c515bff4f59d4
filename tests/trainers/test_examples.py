"""Other libraries' trainers, as the examples use them: each learns something, or runs ten updates."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str, folder: str = "trainers") -> Any:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / folder / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("name", "package", "more_than"),
    [
        ("sb3_ppo", "stable_baselines3", 10),  # untrained it is below 2
        ("sb3_maskable_ppo", "sb3_contrib", 0.7),  # untrained it is about 0.3
        ("torchrl_ppo", "torchrl", 5),  # untrained it is about 1
        ("tianshou_dqn", "tianshou", 0.45),  # untrained it is about 0.3
    ],
)
def test_a_trainer_learns(name: str, package: str, more_than: float) -> None:
    pytest.importorskip(package)
    assert example(name).main() > more_than


@pytest.mark.parametrize(
    ("name", "package", "steps"),
    [("sb3_pictures", "stable_baselines3", 8 * 32), ("supersuit_ppo", "supersuit", 64 * 8)],
)
def test_ten_updates_run(name: str, package: str, steps: int) -> None:
    pytest.importorskip(package)
    assert example(name).main() == 10 * steps
