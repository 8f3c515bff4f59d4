"""Tests of scenes and robots in 3D; `make test-embodied` installs what they need.

Where SAPIEN has no wheel, those of the environments run on the drawn scene, and the others say why they do not.
"""

import importlib.util
import platform
from pathlib import Path

import pytest

HAS_SAPIEN = importlib.util.find_spec("sapien") is not None
HAS_WHEEL = platform.system() != "Linux" or platform.machine() == "x86_64"
WITHOUT = "SAPIEN has no wheel for this machine, so nothing was rendered in 3D"
needs_sapien = pytest.mark.skipif(not HAS_SAPIEN, reason=WITHOUT)


# Where SAPIEN could be installed but is not, the whole folder waits for `make test-embodied`.
collect_ignore_glob = [] if HAS_SAPIEN or not HAS_WHEEL else ["test_*.py"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HAS_SAPIEN and Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.program("vulkan"))


@pytest.fixture
def scene() -> str:
    """What the environments show: 3D where it can be had."""
    return "maniskill" if HAS_SAPIEN else "drawn"
