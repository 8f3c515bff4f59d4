"""Two small games that no user sees. They prove the parts of the contract that few games need, and go through the
whole conformance kit: box actions in a simulator, and talk whose roles change, with turns and joint moves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import gymnasium

from mmgames.core import registry
from tests.toys import clue_round, puck_push

TOYS = (puck_push.SPEC, clue_round.SPEC)


@contextmanager
def known() -> Iterator[None]:
    """mmgames knows the toys only in here, so that nothing else lists them."""
    for toy in TOYS:
        if toy.id not in gymnasium.registry:
            registry.register(toy)
        registry.specs[toy.id] = toy
    try:
        yield
    finally:
        for toy in TOYS:
            del registry.specs[toy.id]
