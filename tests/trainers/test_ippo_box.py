"""IPPO over games without a kernel: box actions, guests, kitchens."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pettingzoo
import pytest
import torch
from gymnasium import spaces

import mmgames
from mmgames.baselines.learning import action_distributions, ippo, learned
from mmgames.core.turn import Turn
from tests.toys import PUCK
from tests.toys import known as toys
from tests.trainers.test_ippo import taken_up_again

SMALL: dict[str, Any] = {"num_envs": 8, "rollout": 8, "layers": (16,), "minibatches": 2, "epochs": 2}


@pytest.fixture(autouse=True)
def known() -> Iterator[None]:
    with toys():
        yield


def training(game: str, threads: int = 1, **changes: Any) -> ippo.IppoTraining:
    recipe = ippo.recipe_for(game, **{**SMALL, "steps": 10_000, **changes})
    return ippo.IppoTraining(game, recipe, device="cpu", threads=threads)


@pytest.mark.parametrize(
    ("game", "changes"),
    [(PUCK, {}), (PUCK, {"core": "gru", "nets": "own"}), (PUCK, {"critic": "central"}), ("mmgames/Minesweeper-v0", {})],
)
def test_a_run_that_is_taken_up_again_goes_on_bit_by_bit(game: str, changes: dict[str, Any], tmp_path: Path) -> None:
    taken_up_again(lambda: training(game, **changes), tmp_path, 2)


def test_densities_are_those_of_normal_distributions_over_the_numbers_that_are_asked_for() -> None:
    torch.manual_seed(0)
    mean, log_deviation, action = torch.randn(5, 3), torch.randn(3), torch.randn(5, 3)
    mask = torch.tensor([[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0], [1, 1, 1]], dtype=torch.bool)
    each = torch.distributions.Normal(mean, log_deviation.exp())
    log_prob, entropy = action_distributions.log_prob_and_entropy(mean, action, mask, log_deviation)
    torch.testing.assert_close(log_prob, (each.log_prob(action) * mask).sum(-1))
    torch.testing.assert_close(entropy, (each.entropy() * mask).sum(-1))


def test_it_learns_numbers_and_the_checkpoint_plays_them(tmp_path: Path) -> None:
    drift = mmgames.from_gymnasium("tests.guests.heap:guests/Drift-v3")
    how = {"num_envs": 16, "rollout": 32, "minibatches": 4, "epochs": 8, "layers": (32,), "rate": 3e-3, "threads": 1}
    log = ippo.train(drift, tmp_path, device="cpu", show=False, steps=20_480, **how)
    before, after = log[0]["return"], ippo.outcome(log)["return"]
    assert before < -8 < -3 < after, (before, after)
    played = mmgames.match(drift, f"ippo:{tmp_path / 'policy.npz'}", episodes=50, seed=1).episodes
    assert np.mean([record["returns"][0] for record in played]) > -3
    best = learned.Learned(tmp_path / "policy.npz", greedy=True)
    env = mmgames.parallel_env(drift, observe="features")
    env.reset(seed=0)
    actions = [best.act(Turn(env.live, 0, np.random.default_rng(seed))) for seed in (0, 1)]
    assert np.array_equal(*actions) and env.action_space("player").contains(actions[0])
    assert not best.tells_probabilities


class Uneven(pettingzoo.ParallelEnv):
    """Two agents, of which the second sees and does more; each is paid for the last of its numbers."""

    metadata: ClassVar[dict[str, Any]] = {"name": "uneven"}
    possible_agents: ClassVar[list[str]] = ["small", "large"]

    def observation_space(self, agent: str) -> spaces.Box:
        return spaces.Box(-1, 1, (2 if agent == "small" else 3,), np.float32)

    def action_space(self, agent: str) -> spaces.Box:
        return spaces.Box(-2, 2, (1 if agent == "small" else 4,), np.float32)

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        self.agents, self.left = list(self.possible_agents), 4
        return self._seen(), {agent: {} for agent in self.agents}

    def _seen(self) -> dict[str, np.ndarray]:
        return {agent: np.full(self.observation_space(agent).shape, 0.5, np.float32) for agent in self.agents}

    def step(self, actions: dict[str, np.ndarray]) -> Any:
        self.left -= 1
        agents, over = list(self.agents), not self.left
        seen, paid = self._seen(), {agent: float(actions[agent][-1]) for agent in agents}
        self.agents = [] if over else agents
        return seen, paid, dict.fromkeys(agents, over), dict.fromkeys(agents, False), {agent: {} for agent in agents}


def test_seats_with_fewer_numbers_and_features_share_a_network_with_others(tmp_path: Path) -> None:
    game = mmgames.from_pettingzoo(Uneven)
    run = training(game, rate=1e-2)
    assert run.observation["features"].shape == (8, 2, 3) and not run.observation["features"][:, 0, 2].any()
    assert run.observation["action_mask"].amax(0).tolist() == [[1, 0, 0, 0], [1, 1, 1, 1]]
    rows = [run.learn() for _ in range(12)]
    assert all(rows[-1][f"return_{seat}"] > rows[0][f"return_{seat}"] + 1 for seat in Uneven.possible_agents), rows
    run.save(tmp_path)
    played = mmgames.match(game, f"ippo:{tmp_path / 'policy.npz'}", episodes=5).episodes
    assert all(min(record["returns"]) > 0 for record in played)


def test_kitchens_are_learned_in_processes_as_in_one() -> None:
    one, two = (training("mmgames/VikiKitchen-v0", threads) for threads in (1, 2))
    try:
        assert one.learn() == two.learn()
    finally:
        two.env.close()
