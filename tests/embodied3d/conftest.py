"""Tests of scenes and robots in 3D. Where SAPIEN has no wheel, those of the environments run on the drawn scene."""

from __future__ import annotations

import importlib.util

import pytest

HAS_SAPIEN = importlib.util.find_spec("sapien") is not None
WITHOUT = "SAPIEN is not installed (it has no wheel for Linux on aarch64): nothing was rendered in 3D"
needs_sapien = pytest.mark.skipif(not HAS_SAPIEN, reason=WITHOUT)


def pytest_report_header() -> str:
    return (
        "3D scenes: rendered by SAPIEN" if HAS_SAPIEN else f"3D scenes: the drawn scene stands in for them; {WITHOUT}"
    )


@pytest.fixture
def scene() -> str:
    """What the environments show: 3D where it can be had."""
    return "maniskill" if HAS_SAPIEN else "drawn"
