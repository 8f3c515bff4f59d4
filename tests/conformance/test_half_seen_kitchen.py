"""A kitchen of which every seat knows only what it has seen goes through the kit's tests of what is hidden."""

from dataclasses import replace

import pytest

from mmgames.core import registry
from mmgames.core.spec import Option
from mmgames.embodied import viki_kitchen
from mmgames.testing import conformance, hidden

OPTIONS = {
    **viki_kitchen.SPEC.options,
    "information": Option("partial", "what a seat knows", choices=("perfect", "partial")),
    "robots": Option(4, "how many seats there are", low=1, high=16),
}
KNOWN = dict(name="HalfSeenKitchen", namespace="tests", information="imperfect", doc=registry.find("VikiKitchen").doc)
SPEC = replace(viki_kitchen.SPEC, rules="VikiKitchen", options=OPTIONS, seats=("R1", "R2", "R3", "R4"), **KNOWN)
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
