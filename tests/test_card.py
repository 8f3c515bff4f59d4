"""Games on a card, played by Numba's simulator of one: the same bits as on the processor."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import mmgames
from mmgames.core import registry
from mmgames.errors import MissingExtra, MmgamesError

GAMES = [spec.id for spec in registry.specs.values() if spec.batched and not spec.vector]

PLAY = """
import json, sys
from benchmarks.card import compare
for id, options, steps in json.loads(sys.argv[1]):
    print(id, options, compare(id, 3, steps, **options))
"""


def simulated(*cases: tuple[str, dict, int]) -> list[str]:
    env = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PLAY, json.dumps(cases)], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()


@pytest.mark.parametrize("id", GAMES)
def test_the_card_plays_the_same_bits(id: str) -> None:
    (told,) = simulated((id, {}, 12))
    assert told.endswith("the same bits")
