"""What plugs in elsewhere, with the real packages: `make test-plugins` has a venv for each set that fits together."""

from types import ModuleType

import pytest

from tests.trainers.test_examples import EXAMPLES as ALL
from tests.trainers.test_examples import example as load

EXAMPLES = ALL / "plugins"


@pytest.fixture(scope="session")
def example():
    """An example by its name, as a module; one that is too long to be read at a glance fails."""

    def short(name: str) -> ModuleType:
        assert len((EXAMPLES / f"{name}.py").read_text("utf-8").splitlines()) <= 60
        return load(name, "plugins")

    return short
