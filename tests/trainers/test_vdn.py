"""Value decomposition on real PyTorch: what it computes, that it learns, that it goes on where it stopped."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from mmgames.baselines.learning import vdn
from mmgames.cli import main
from mmgames.envs.batch_agents import play
from tests.refusing import refused
from tests.trainers.test_ippo import taken_up_again

COIN, TINY = "mmgames/CoinDilemma-v0", "mmgames/TinyHanabi-v0"
SMALL = dict(num_envs=16, rollout=8, layers=(16,), minibatches=2, steps=10_000)


def training(game: str = COIN, **changes: Any) -> vdn.VdnTraining:
    return vdn.VdnTraining(game, vdn.recipe_for(game, **{**SMALL, **changes}), device="cpu", threads=1)


def test_joint_moves_are_worth_the_sum_of_all_who_move_and_returns_end_with_their_episode() -> None:
    values = torch.tensor([[[1.0, 2.0, 9.0], [4.0, 5.0, 6.0]]])
    mask = torch.tensor([[[True, True, False], [False, False, False]]])
    assert vdn.chosen_values(values, mask, torch.tensor([[0, 2]])).tolist() == [1.0]
    assert vdn.best_values(values, mask).tolist() == [2.0]
    mask[0, 1] = True
    assert vdn.chosen_values(values, mask, torch.tensor([[0, 2]])).tolist() == [7.0]
    assert vdn.best_values(values, mask).tolist() == [8.0]
    rewards, done = torch.tensor([[1.0], [2.0], [0.0], [4.0]]), torch.tensor([[0], [0], [1], [0], [0]]).bool()
    best = torch.full((5, 1), 10.0)
    paid = vdn.lambda_returns(rewards, best, done, 0.5, 1.0)
    assert paid[:2, 0].tolist() == [1 + 0.5 * 2, 2.0] and paid[3, 0] == 4 + 0.5 * 10
    assert vdn.lambda_returns(rewards, best, done, 0.5, 0.0)[:2, 0].tolist() == [1 + 0.5 * 10, 2.0]


@pytest.mark.parametrize("game", [COIN, TINY])
def test_a_team_that_is_taken_up_again_goes_on_bit_by_bit(game: str, tmp_path: Path) -> None:
    taken_up_again(lambda: training(game, target=2), tmp_path)
    assert len(play(game, f"ippo:{tmp_path / 'policy.npz'}", 4)) == 4
    refused(lambda: training(game, gamma=0.5).restore(tmp_path / "training.npz"), "was made with recipe")


def test_a_team_learns_and_the_command_says_who_plays_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = training(num_envs=128, rollout=16, steps=120_000, layers=(64,), rate=2e-3, scale=1.0)
    log = [run.learn() for _ in range(run.updates)]
    returns = [row["return"] for row in log if "return" in row]
    assert np.mean(returns[-5:]) > np.mean(returns[:5]) + 3
    line = ["train", "vdn", "CoinDilemma", "--out", str(tmp_path), "--num-envs", "16", "--steps", "4096"]
    assert main([*line, "--device", "cpu", "--recipe", "layers=(16,)"]) == 0
    assert f"ippo:{tmp_path / 'policy.npz'}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("game", "how", "sentence"),
    [
        ("TicTacToe", {}, "is a game of opponents"),
        ("Sudoku", {}, "has no compiled kernel"),
        (COIN, {"sharing": 0.0}, "ippo has sharing="),
        (COIN, {"trace": 2}, "trace=2 is out of range"),
        (COIN, {"core": "gru"}, "Unknown setting 'core' for vdn"),
    ],
)
def test_what_is_no_team_is_one_sentence(game: str, how: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    refused(lambda: vdn.train(game, tmp_path / "run", device="cpu", show=False, **how), sentence)
