"""What plugs in elsewhere, with the real packages: `make test-plugins` has a venv for each set that fits together."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples" / "plugins"
LONGEST = 60


@pytest.fixture(scope="session")
def example():
    """An example by its name, as a module; one that is too long to be read at a glance fails."""

    def load(name: str) -> ModuleType:
        path = EXAMPLES / f"{name}.py"
        assert len(path.read_text("utf-8").splitlines()) <= LONGEST
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load
