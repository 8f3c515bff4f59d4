"""AlphaZero on real PyTorch: what it computes, that it learns, that it goes on where it stopped."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import mmgames
from mmgames.baselines.learning import alphazero, board_network, board_policy
from mmgames.baselines.learning.replay_window import ReplayWindow, turned
from mmgames.cli import main
from mmgames.core import registry
from mmgames.kernels.symmetries import action_points
from tests.cases import cases
from tests.refusing import refused
from tests.trainers.test_ippo import taken_up_again

TIC_TAC_TOE = "mmgames/TicTacToe-v0"
SMALL = dict(num_envs=16, rollout=4, simulations=4, blocks=1, channels=8, batch=32, window=1024, steps=4096)


def training(game: str = TIC_TAC_TOE, **changes: Any) -> alphazero.AlphaZeroTraining:
    recipe = alphazero.recipe_for(game, **{**SMALL, **changes})
    return alphazero.AlphaZeroTraining(game, recipe, device="cpu", threads=1)


@pytest.mark.parametrize("elsewhere", [0, 2])
def test_networks_say_the_same_with_and_without_pytorch(elsewhere: int) -> None:
    shape = board_network.NetworkShape(3, 5, 4, 2, elsewhere, blocks=2, channels=6)
    torch.manual_seed(3)
    learning = board_network.BoardNetwork(shape, normalised=True)
    planes = torch.randn(7, 3, 5, 4)
    for _ in range(20):  # statistics that are not those of the beginning
        learning(planes + torch.randn_like(planes))
    with torch.no_grad():
        logits, values = learning.eval()(planes)
    acting = board_network.BoardNetwork(shape, normalised=False)
    acting.load_state_dict(learning.folded())
    arrays = {name: tensor.numpy() for name, tensor in learning.folded().items()}
    plain = board_policy.BoardNetwork(shape._asdict(), arrays)(planes.numpy())
    with torch.no_grad():
        folded = acting(planes)
    assert logits.shape == (7, 2 * 20 + elsewhere) and logits.std() > 0.01 and values.std() > 0.01
    for there in (folded, plain):
        np.testing.assert_allclose(logits.numpy(), np.asarray(there[0]), atol=1e-4)
        np.testing.assert_allclose(values.numpy(), np.asarray(there[1]), atol=1e-4)


def test_the_policy_learns_nothing_of_illegal_moves_and_targets_turn_with_planes() -> None:
    logits = torch.tensor([[1.0, 2.0, 50.0]], requires_grad=True)
    loss = alphazero.policy_loss(logits, torch.tensor([[0.5, 0.5, -1.0]]))
    loss.backward()
    legal = torch.log_softmax(torch.tensor([1.0, 2.0]), 0)
    assert logits.grad is not None and logits.grad[0, 2] == 0
    assert loss.item() == pytest.approx(-legal.mean().item())
    points = action_points(registry.load("Breakthrough").game().kernel)  # type: ignore[attr-defined]
    mirrored = turned(torch.arange(64.0).view(1, 1, 8, 8), torch.from_numpy(points.cell_sources[1:2]))
    assert mirrored[0, 0, 0].tolist() == [7.0, 6, 5, 4, 3, 2, 1, 0]
    assert points.slot_sources[1, 0] == 2 * 64 + 7  # a step to the left on file a was one to the right on file h


def test_positions_are_learned_from_when_their_game_is_over_and_are_worth_what_their_mover_got() -> None:
    kernel = registry.load("TicTacToe").game().kernel  # type: ignore[attr-defined]
    window = ReplayWindow(4, 2, (3, 3, 3), action_points(kernel), torch.device("cpu"))
    on, over = np.array([np.nan, np.nan], np.float32), np.array([np.nan, -1.0], np.float32)
    for move in range(6):
        window.see(torch.full((2, 3, 3, 3), float(move)), slice(0, 2))
        targets, values = np.full((2, 9), 1 / 9, np.float32), np.zeros(2, np.float32)
        window.keep(targets, values, np.full(2, move % 2), over if move == 4 else on)
        assert window.known == (0 if move < 4 else 4 if move == 4 else 3)
    planes, _, values = window.sample(np.random.default_rng(0), 64, 0.0)
    assert dict(zip(planes[:, 0, 0, 0].tolist(), values.tolist(), strict=True)) == {2.0: -1.0, 3.0: 1.0, 4.0: -1.0}
    assert window.begun.tolist() == [0, 5]


@pytest.mark.parametrize("updates", [1, 4])
def test_a_run_that_is_taken_up_again_goes_on_bit_by_bit(updates: int, tmp_path: Path) -> None:
    whole, again = taken_up_again(lambda: training(num_envs=8), tmp_path, updates)
    there = training(num_envs=8)
    there.restore(tmp_path / "training.npz")
    assert (there.window.known > SMALL["batch"]) == (updates > 1)  # before it has learned anything, and after
    assert whole.window.known > SMALL["batch"]
    assert all(torch.equal(tensor, again.net.state_dict()[name]) for name, tensor in whole.net.state_dict().items())
    refused(lambda: training(num_envs=8, trust=0.5).restore(tmp_path / "training.npz"), "was made with recipe")


def test_it_learns_tic_tac_toe(tmp_path: Path) -> None:
    log = alphazero.train(TIC_TAC_TOE, tmp_path, device="cpu", threads=1, show=False, steps=12_000)
    assert log[-1]["value_loss"] < 0.5 * log[10]["value_loss"]
    learned = f"alphazero:{tmp_path / 'policy.npz'}"
    for agents in ([learned, "minimax"], ["minimax", learned]):
        result = mmgames.match(TIC_TAC_TOE, agents, episodes=40, processes=1, progress=False)
        assert len(result.finished) == 40 and not result.returns().any()  # all are draws


def test_the_command_trains_and_refuses_to_overwrite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changes = [word for name, value in SMALL.items() for word in ("--recipe", f"{name}={value}")]
    line = ["train", "alphazero", "TicTacToe", "--out", str(tmp_path), *changes, "--device", "cpu", "--steps", "128"]
    assert main(line) == 0
    assert f"alphazero:{tmp_path / 'policy.npz'}" in capsys.readouterr().out
    assert main(line) != 0
    assert "--resume" in capsys.readouterr().err


@pytest.mark.parametrize(("game", "how", "sentence"), cases(__file__)["cannot be trained"])
def test_what_cannot_be_trained_is_said(game: str, how: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    refused(lambda: alphazero.train(game, tmp_path, device="cpu", **how), sentence)
