"""Games on a card, played by Numba's simulator of one: the same bits as on the processor, to the last field."""

import json
import os
import subprocess
import sys

import pytest

import mmgames
from mmgames.core import registry
from mmgames.errors import MissingExtra, MmgamesError
from tests.refusing import refused

COIN, TICTACTOE, KNIGHTS = (f"mmgames/{name}-v0" for name in ("CoinDilemma", "TicTacToe", "KnightsArchersZombies"))
PLAY = """
import json, sys
from benchmarks.card import compare
for id, options in json.loads(sys.argv[1]):
    print(id, compare(id, 2, 4, **options), flush=True)
"""


def simulated(*cases: tuple[str, dict]) -> list[str]:
    """What differs, a line for each case; in another process, where Numba stands for a card."""
    env = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    command = [sys.executable, "-W", "ignore", "-c", PLAY, json.dumps(cases)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()


def test_every_game_plays_the_same_bits() -> None:
    games = [spec.id for spec in registry.specs.values() if spec.batched and not spec.simulator.vector]
    assert simulated(*((id, {}) for id in games)) == [f"{id} the same bits" for id in games]


def test_pictures_planes_setups_and_opponents_are_the_same_too() -> None:
    cases = [
        (COIN, {"observe": ["rgb", "planes"], "players": 3, "autoreset_mode": "SameStep", "horizon": 2}),
        (KNIGHTS, {"observe": ["rgb", "state"], "copy": False}),
        (TICTACTOE, {"others": "random", "statistics": True}),
        (COIN, {"others": "common_welfare"}),
    ]
    assert simulated(*cases) == [f"{id} the same bits" for id, _ in cases]


def test_what_is_missing_is_said() -> None:
    refused(lambda: mmgames.vector_env(COIN, 2, device="tpu"), "Unknown device 'tpu'")
    with pytest.raises((MissingExtra, MmgamesError), match="device='cuda' needs"):
        mmgames.vector_env(COIN, 2, device="cuda")
