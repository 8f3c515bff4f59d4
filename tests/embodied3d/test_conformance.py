"""A kitchen in 3D goes through the whole conformance kit, which asks a slow game for few pictures."""

from collections.abc import Iterator

import gymnasium
import pytest

from mmgames.core import registry
from mmgames.embodied._scenes import scenes
from mmgames.testing import conformance
from tests.embodied3d.conftest import needs_sapien
from tests.embodied3d.kitchen_in_3d import SPEC

MOST_PICTURES = 250
"""For all tests of the kit together; a game with quick pictures is asked for about 1,800."""

registry.register(SPEC)
TestKitchenIn3D = conformance(SPEC.id)
del registry.specs[SPEC.id]


@pytest.fixture(autouse=True)
def known() -> Iterator[None]:
    """mmgames knows the kitchen only in here."""
    assert SPEC.id in gymnasium.registry
    registry.specs[SPEC.id] = SPEC
    yield
    del registry.specs[SPEC.id]


@needs_sapien
def test_the_kit_kept_within_its_budget() -> None:
    """Pictures that were rendered by the tests above, in this process."""
    assert 0 < scenes._rendered.cache_info().misses <= MOST_PICTURES
