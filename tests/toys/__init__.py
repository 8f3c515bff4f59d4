"""A small game that no user sees, with actions in numbers and a simulator. It goes through the conformance kit."""

from collections.abc import Iterator
from contextlib import contextmanager

import gymnasium

from mmgames.core import registry
from tests.toys.puck_push import SPEC

PUCK = SPEC.id


@contextmanager
def known() -> Iterator[None]:
    """mmgames knows the toy only in here, so that nothing else lists it."""
    if PUCK not in gymnasium.registry:
        registry.register(SPEC)
    registry.specs[PUCK] = SPEC
    try:
        yield
    finally:
        del registry.specs[PUCK]
