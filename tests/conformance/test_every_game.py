"""Every registered game goes through the whole conformance kit; nobody keeps a list."""

from __future__ import annotations

import mmgames
from mmgames.core import registry
from mmgames.testing import conformance

TestEveryGame = conformance(*mmgames.specs)


def test_every_game_folder_loads() -> None:
    assert registry.broken == {}
    assert mmgames.specs
