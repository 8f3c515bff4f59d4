"""These tests need SAPIEN. On a machine that has no wheel of it they are left out, and say why."""

from __future__ import annotations

import importlib.util

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if importlib.util.find_spec("sapien") is None:
        why = pytest.mark.skip(
            reason="SAPIEN is not installed (it has no wheel for Linux on aarch64): nothing in 3D ran"
        )
        for item in items:
            if "embodied3d" in item.nodeid:
                item.add_marker(why)
