"""RLlib's PPO on both PettingZoo faces, as the examples use it, in an environment with RLlib's own pins."""

import pytest

pytest.importorskip("ray.rllib")

from tests.trainers.test_examples import example


def test_rllib_trains_players_that_move_at_once_and_those_that_take_turns() -> None:
    assert example("rllib_parallel").main() == example("rllib_turns").main() == 10
