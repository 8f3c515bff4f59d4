"""A kitchen of which every seat knows only what it has seen goes through the kit's tests of what is hidden."""

from __future__ import annotations

import pytest

from mmgames.core import registry
from mmgames.testing import conformance, hidden
from tests.conformance.half_seen_kitchen import SPEC

registry.register(SPEC)
TestHalfSeenKitchen = conformance(SPEC.id)
del registry.specs[SPEC.id]
for name in list(vars(TestHalfSeenKitchen)):
    if name.startswith("test_") and not hasattr(hidden, name):
        delattr(TestHalfSeenKitchen, name)


@pytest.fixture(autouse=True)
def known() -> None:
    """mmgames knows the kitchen only in here."""
    registry.specs[SPEC.id] = SPEC
