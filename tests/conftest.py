"""Every test that asks for `spec` runs once for each registered game; nobody keeps a list.

See mmgames/testing for the kinds of games that a test can ask for.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

os.environ["SDL_VIDEODRIVER"] = "dummy"  # before anything imports pygame: windows open nowhere, whatever is set
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

import pytest
from hypothesis import HealthCheck, settings

import mmgames
from mmgames.testing import for_each_game

# Examples are drawn the same way in every run, and no example is timed: a busy machine is not a defect.
settings.register_profile(
    "suite", deadline=None, derandomize=True, max_examples=150, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("suite")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.cls is None or not hasattr(metafunc.cls, "pytest_generate_tests"):  # the kit's classes bring their own
        for_each_game(metafunc, mmgames.specs.values())


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real browser without a screen."""
    playwright = pytest.importorskip("playwright.sync_api")
    program = shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("there is no browser here")
    with playwright.sync_playwright() as engine:
        opened = engine.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield opened
        opened.close()
