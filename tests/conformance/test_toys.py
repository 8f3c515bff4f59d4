"""The toy goes through the whole conformance kit, as any game does."""

from collections.abc import Iterator

import pytest

from mmgames.testing import conformance
from tests import toys

with toys.known():
    TestToy = conformance(toys.PUCK)


@pytest.fixture(autouse=True)
def known() -> Iterator[None]:
    with toys.known():
        yield
