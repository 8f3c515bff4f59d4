"""Environments for tests."""

from typing import Any

import gymnasium


def make(id: str, **options: Any) -> Any:
    """A task with small pictures, which no checker looks at."""
    return gymnasium.make(id, disable_env_checker=True, **{"size": 64, **options}).unwrapped


def begun(env: Any, seed: int = 0) -> Any:
    env.reset(seed=seed)
    return env
