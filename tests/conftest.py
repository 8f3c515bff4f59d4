"""Every test that asks for `spec` runs once for each registered game; nobody keeps a list.

`discrete_spec`, `text_spec`, `simultaneous_spec`, `batched_spec` and `hiding_spec` are the games of that kind.
"""

from __future__ import annotations

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"  # before anything imports pygame: windows open nowhere
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings

import mmgames
from mmgames.core.spec import GameSpec

# Examples are drawn the same way in every run, and no example is timed: a busy machine is not a defect.
settings.register_profile(
    "suite", deadline=None, derandomize=True, max_examples=150, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("suite")

KINDS: dict[str, Callable[[GameSpec], bool]] = {
    "spec": lambda spec: True,
    "discrete_spec": lambda spec: spec.actions == "discrete",
    "text_spec": lambda spec: spec.actions == "text",
    "simultaneous_spec": lambda spec: spec.dynamics == "simultaneous" and spec.length > 4,  # PettingZoo's kit plays 4
    "batched_spec": lambda spec: spec.batched,
    "hiding_spec": lambda spec: spec.information == "imperfect",
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for kind, belongs in KINDS.items():
        if kind in metafunc.fixturenames:
            chosen = [spec for spec in mmgames.specs.values() if belongs(spec)]
            metafunc.parametrize(kind, chosen, ids=[spec.name for spec in chosen])
