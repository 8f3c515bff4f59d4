"""Our own IPPO on real PyTorch: what it computes, that it learns, that it goes on where it stopped."""

# ruff: noqa: E402 - PyTorch may be missing

from __future__ import annotations

import csv
import json
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import mmgames
from mmgames.baselines import ippo, ippo_cpu, learned
from mmgames.cli import main
from mmgames.core.errors import MmgamesError

SMALL = dict(num_envs=16, rollout=8, layers=(16,), minibatches=2)
COIN, KUHN = "mmgames/CoinDilemma-v0", "mmgames/KuhnPoker-v0"


def training(game: str = COIN, **changes: object) -> ippo.Training:
    return ippo.Training(game, ippo.recipe_for(game, **{**SMALL, "steps": 10_000, **changes}), device="cpu")


@pytest.mark.parametrize("game", [COIN, KUHN])
@pytest.mark.parametrize("core", ["", "gru", "lstm"])
@pytest.mark.parametrize("nets", ["shared", "own"])
def test_a_run_that_is_taken_up_again_goes_on_bit_by_bit(game: str, core: str, nets: str, tmp_path: Path) -> None:
    whole = training(game, core=core, nets=nets)
    for _ in range(3):
        whole.learn()
    whole.save(tmp_path)
    again = training(game, core=core, nets=nets)
    again.restore(tmp_path / "training.npz")
    for _ in range(3):
        assert whole.learn() == again.learn()
    assert all(np.array_equal(array, again.policy()[name]) for name, array in whole.policy().items())
    assert again.done_steps == 6 * 16 * 8


def test_the_policy_that_plays_may_be_a_running_mean_of_the_weights(tmp_path: Path) -> None:
    run = training(KUHN, average=0.75)
    before = run.policy()["0.actor.weight"].copy()
    run.learn()
    last = run.learners[0].net.actor.weight.detach().numpy()
    np.testing.assert_allclose(run.policy()["0.actor.weight"], 0.75 * before + 0.25 * last, rtol=1e-4, atol=1e-6)
    run.save(tmp_path)
    again = training(KUHN, average=0.75)
    again.restore(tmp_path / "training.npz")
    assert run.learn() == again.learn()
    assert all(np.array_equal(array, again.policy()[name]) for name, array in run.policy().items())


@pytest.mark.parametrize("activation", ["relu", "tanh"])
@pytest.mark.parametrize("core", ["", "gru", "lstm"])
def test_the_network_without_pytorch_says_the_same(activation: str, core: str, tmp_path: Path) -> None:
    run = training(KUHN, activation=activation, core=core, layers=(24, 16), average=0.0)
    run.learn()
    run.save(tmp_path)
    network = learned.Checkpoint(tmp_path / "policy.npz").network(run.env.game, 1)
    net, memory = run.learners[0].net, network.memory(5)
    own = torch.zeros(5, net.memories, net.width) if core else None
    rng = np.random.default_rng(0)
    for _ in range(3):
        seen = rng.standard_normal((5, run.env.kernel.num_features)).astype(np.float32)
        with torch.no_grad():
            logits, _, own = net(torch.from_numpy(seen), torch.from_numpy(seen), own)
        np.testing.assert_allclose(network.logits(seen, memory), logits.numpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("game", [COIN, KUHN])
def test_advantages_are_those_of_each_seats_own_moves(game: str) -> None:
    """Computed once more, row by row, from each seat's own moves and what it was paid until the next of them."""
    run = training(game, rollout=40)
    run.rollout()
    learner, over = run.learners[0], run.over
    rewards = run.rewards
    result, known = learner.advantages(rewards, over[1:], over)
    active, values = learner.active(over), learner.values
    gamma, lam = run.recipe.gamma, run.recipe.gae
    checked = 0
    for row in range(16):
        for seat in range(2):
            moves = [t for t in range(40) if active[t, row, seat]]
            after = {
                t: next((u for u in range(t + 1, 41) if active[u, row, seat] or over[u, row]), None) for t in moves
            }
            gains: dict[int, float] = {}
            for t in reversed(moves):
                u = after[t]
                assert bool(known[t, row, seat]) == (u is not None)
                if u is None:
                    gains[t] = 0.0
                    continue
                paid = float(rewards[t:u, row, seat].sum())
                ends = bool(over[u, row])
                worth = 0.0 if ends else float(values[u, row, seat])
                gains[t] = paid + gamma * worth - float(values[t, row, seat])
                gains[t] += 0.0 if ends else gamma * lam * gains.get(u, 0.0)
                assert float(result[t, row, seat]) == pytest.approx(gains[t], abs=1e-4)
                checked += 1
    assert checked > 300


@pytest.mark.parametrize("game", [COIN, KUHN])
def test_the_kernels_slopes_are_those_of_the_loss(game: str) -> None:
    """One pass of the kernel against autograd on the loss as it is written with tensors."""
    run = training(game, minibatches=1, epochs=1, norm=1e9)
    run.learn()
    run.rollout()
    learner = run.learners[0]
    advantage, known = learner.advantages(run.rewards, run.over[1:], run.over)
    advantage = torch.randn(advantage.shape, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        learner.likely += 0.3 * torch.randn(learner.likely.shape, generator=torch.Generator().manual_seed(2))
    masks = None if learner.masks is None else learner.masks[:-1]
    parts = (learner.seen[:-1], learner.all_seen[:-1], masks, learner.actions, learner.likely, advantage, advantage + 1)
    data = ippo.Batch(*parts, known).flat()
    learner.optimizer.step = lambda: None  # the slopes alone are looked at
    batch = data.rows(data.known.nonzero()[:, 0])
    told = learner._learn(batch, lambda one: learner.net(one.seen, one.all_seen, None)[:2], 0.02)
    expected = [parameter.grad.clone() for parameter in learner.net.parameters()]
    also = learner._learn_on_cpu(data, 0.02, torch.Generator().manual_seed(0))
    for mine, theirs in zip(learner.net.parameters(), expected, strict=True):
        torch.testing.assert_close(mine.grad, theirs, rtol=1e-3, atol=1e-6)
    torch.testing.assert_close(told, also, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("changes", [dict(activation="tanh"), dict(trunk="separate"), dict(layers=(16, 24, 8))])
def test_blocks_and_hands_say_what_autograd_says(changes: dict[str, Any]) -> None:
    """However the rows are cut and shared, the gradients are those of one pass over all of them."""
    run = training(num_envs=300, minibatches=1, **changes)
    run.rollout()
    learner = run.learners[0]
    drawn = torch.Generator().manual_seed(3)
    gain = torch.randn(learner.likely.shape, generator=drawn)
    parts = (learner.seen[:-1], learner.all_seen[:-1], None, learner.actions, learner.likely, gain, gain + 1)
    data = ippo.Batch(*parts, torch.ones_like(gain, dtype=torch.bool)).flat()
    facts = torch.stack((data.actions.float(), data.likely, data.advantage, data.returns), 1)
    which = torch.arange(len(facts))
    learner.optimizer.step = lambda: None
    learner.recipe = replace(learner.recipe, norm=1e9)
    learner._learn(data, lambda one: learner.net(one.seen, one.all_seen, None)[:2], 0.02)
    expected = [parameter.grad.clone() for parameter in learner.net.parameters()]
    weights = tuple(map(np.float32, (learner.recipe.clip, learner.recipe.value, 0.02, 1 / len(facts))))
    hand, other = (ippo_cpu.Hand(learner.net, learner.recipe) for _ in range(2))
    assert (hand.plain is None) == ("trunk" in changes)
    hand.rows = other.rows = 1000  # the last block is a smaller one
    with ippo_cpu.threads_kept():
        hand.learn(data, facts, which[:2500], weights)
        other.learn(data, facts, which[2500:], weights)
    for theirs, *mine in zip(expected, hand.gradients(), other.gradients(), strict=True):
        torch.testing.assert_close(sum(mine), theirs, rtol=1e-3, atol=1e-6)


def test_pytorch_keeps_its_threads() -> None:
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(3)
        training().learn()
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)


def test_an_update_without_a_move_of_known_outcome_changes_nothing() -> None:
    run = training(KUHN, num_envs=1, rollout=1, nets="own")
    for _ in range(12):  # most rollouts of one step hold no finished move of one of the seats
        run.learn()
    assert all(np.isfinite(array).all() for array in run.policy().values())


def test_returns_are_those_of_whole_episodes() -> None:
    """The first episodes are under way when learning begins, with random moves behind them: they are not told."""
    run = training()  # 8 steps a rollout, 50 an episode
    told = [run.learn() for _ in range(12)]
    assert not any("return" in entry for entry in told[:6])
    assert sum(entry.get("episodes", 0) for entry in told) == 16


def test_it_learns_to_collect_coins(tmp_path: Path) -> None:
    log = ippo.train(COIN, tmp_path, steps=400_000, num_envs=256, rollout=32, device="cpu", show=False)
    first, last = log[2]["return"], np.mean([entry["return"] for entry in log[-5:]])
    assert last > first + 4
    with open(tmp_path / "log.csv") as file:
        assert len(list(csv.DictReader(file))) == len(log)
    assert (tmp_path / "curve.png").stat().st_size > 5000
    result = mmgames.match(COIN, [f"ippo:{tmp_path}/policy.npz"], episodes=20, seed=1, processes=1, progress=False)
    assert result.summary()["seats"][0]["mean"] > first + 3


def test_sharing_decides_whose_reward_counts() -> None:
    """Alone, a reward of blue's must not change what red's advantage is; shared, half of it counts."""
    run = training(nets="own", sharing=0.0)
    run.rollout()
    red = run.learners[0]
    more = run.rewards.clone()
    more[..., 1] += 1.0
    assert torch.equal(
        red.advantages(run.rewards[..., [0]], run.over[1:], run.over)[0],
        red.advantages(more[..., [0]], run.over[1:], run.over)[0],
    )


def test_a_central_critic_sees_what_all_seats_see_and_the_policy_does_not() -> None:
    run = training(critic="central")
    run.learn()
    learner = run.learners[0]
    features = run.env.kernel.num_features
    assert learner.all_seen.shape[-1] == 2 * features
    assert torch.equal(learner.all_seen[..., 1, :features], learner.seen[..., 1, :])
    assert torch.equal(learner.all_seen[..., 1, features:], learner.seen[..., 0, :])
    assert learner.net.encoder[0].in_features == features
    assert torch.equal(learner.all_seen[-1, :, 0], torch.from_numpy(run.env.state()))


@pytest.mark.parametrize("core", ["", "gru"])
def test_planes_are_seen_and_the_checkpoint_plays(core: str, tmp_path: Path) -> None:
    run = training("mmgames/TicTacToe-v0", observe="planes", core=core)
    run.learn()
    run.save(tmp_path)
    agent = f"ippo:{tmp_path}/policy.npz"
    result = mmgames.match("TicTacToe", [agent, "random"], episodes=3, processes=1, progress=False)
    assert result.summary()["failed"] == 0


def test_pictures_are_seen_and_the_checkpoint_plays(tmp_path: Path) -> None:
    run = training(COIN, observe="rgb", num_envs=4, rollout=4)
    run.learn()
    assert run.learners[0].seen.dtype == torch.uint8
    pixels = run.learners[0].net.encoder[0]
    assert pixels.usual.mean() > 0.1 and pixels(run.learners[0].seen[0].flatten(0, 1)).abs().median() < 0.01
    run.save(tmp_path)
    played = learned.Checkpoint(tmp_path / "policy.npz").network(run.env.game, 1)
    assert torch.equal(played.net.encoder[0].usual, pixels.usual)
    result = mmgames.match(COIN, [f"ippo:{tmp_path}/policy.npz"], episodes=1, processes=1, progress=False)
    assert result.summary()["failed"] == 0


def test_a_run_may_begin_with_another_policy(tmp_path: Path) -> None:
    first = training()
    first.learn()
    first.save(tmp_path)
    policy = str(tmp_path / "policy.npz")
    second = training(begin=policy, average=0.5)
    assert all(np.array_equal(array, second.policy()[name]) for name, array in first.policy().items())
    with pytest.raises(MmgamesError, match="does not fit this recipe"):
        training(begin=policy, layers=(8,))
    with pytest.raises(MmgamesError, match="for mmgames/CoinDilemma-v0"):
        training(KUHN, begin=policy)
    with pytest.raises(MmgamesError, match="There is no checkpoint"):
        training(begin=str(tmp_path / "nothing.npz"))


def test_one_seat_learns_beside_agents(tmp_path: Path) -> None:
    recipe = ippo.recipe_for(COIN, **SMALL, steps=10_000)
    runs = [ippo.Training(COIN, recipe, device="cpu", seat="blue", others="optimum") for _ in range(2)]
    whole, again = runs
    whole.learn()
    whole.save(tmp_path)
    again.restore(tmp_path / "training.npz")
    assert whole.learn() == again.learn()
    assert [learner.seats for learner in whole.learners] == [[1]]
    with pytest.raises(MmgamesError, match="not for seat 0"):
        learned.Checkpoint(tmp_path / "policy.npz").network(whole.env.game, 0)
    with pytest.raises(MmgamesError, match="say which with seat="):
        ippo.Training(COIN, recipe, device="cpu", others="optimum")


def test_nothing_is_learned_after_losses_are_no_numbers(tmp_path: Path) -> None:
    run = training()
    run.learn()
    run.save(tmp_path)
    good = (tmp_path / "policy.npz").read_bytes()
    with torch.no_grad():
        run.learners[0].net.critic.bias.fill_(float("nan"))
    with pytest.raises(MmgamesError, match="last good checkpoint is kept"):
        run.run(tmp_path, show=False)
    assert (tmp_path / "policy.npz").read_bytes() == good


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (dict(num_envs=0), "num_envs=0 is out of range"),
        (dict(layers=()), "give widths such as"),
        (dict(sharing=2.0), "0 is one's own reward, 1 the shared"),
        (dict(average=1.0), "average=1.0 is out of range"),
        (dict(core="transformer"), "Known: , gru, lstm"),
        (dict(learning=1), "Unknown setting 'learning' for ippo"),
        (dict(core="gru", num_envs=15), "evenly"),
    ],
)
def test_recipes_that_cannot_be_meant(changes: dict, sentence: str) -> None:
    with pytest.raises(MmgamesError, match=sentence):
        ippo.recipe_for(COIN, **{**SMALL, **changes})


def test_a_run_of_another_kind_is_not_gone_on_with(tmp_path: Path) -> None:
    run = training()
    run.learn()
    run.save(tmp_path)
    with pytest.raises(MmgamesError, match="was made with recipe"):
        training(gamma=0.5).restore(tmp_path / "training.npz")
    with pytest.raises(MmgamesError, match="was made with game"):
        training(KUHN).restore(tmp_path / "training.npz")
    whole = (tmp_path / "training.npz").read_bytes()
    (tmp_path / "training.npz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(MmgamesError, match="is no checkpoint, or a damaged one"):
        training().restore(tmp_path / "training.npz")


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a graphics card")
def test_a_card_that_is_not_there_is_one_sentence(capsys: pytest.CaptureFixture, tmp_path: Path) -> None:
    assert main(["train", "ippo", "CoinDilemma", "--out", str(tmp_path), "--device", "cuda"]) == 2
    assert "PyTorch finds none here" in capsys.readouterr().err


def test_the_command_trains_and_goes_on(tmp_path: Path) -> None:
    line = ["train", "ippo", "CoinDilemma", "--out", str(tmp_path), "--num-envs", "16", "--steps", "2048", "--json"]
    line += ["--recipe", "rollout=8", "--recipe", "layers=(16,)", "--tensorboard", "--device", "cpu"]
    done = subprocess.run([sys.executable, "-m", "mmgames", *line], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["steps"] == 2048
    assert list(tmp_path.glob("events.out.tfevents.*"))
    about, _ = learned.read(tmp_path / "policy.npz")
    assert about["game"] == COIN and about["command"].startswith("mmgames train ippo CoinDilemma")
    done = subprocess.run([sys.executable, "-m", "mmgames", *line, "--resume"], capture_output=True, text=True)
    assert done.returncode == 0 and json.loads(done.stdout)["steps"] == 2048


@pytest.mark.parametrize(
    ("arguments", "said", "place"),
    [
        ([], "one player collects in a whole episode in which the policy plays all 2 seats", 0),
        (["--seat", "blue", "--others", "self_interest"], "blue collects in a whole episode beside self_interest", 1),
    ],
    ids=["with itself", "one seat"],
)
def test_training_says_what_its_return_is_and_how_to_play_against_others(
    arguments: list[str], said: str, place: int, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    line = ["train", "ippo", "CoinDilemma", "--out", str(tmp_path), "--num-envs", "16", "--steps", "2048"]
    assert main([*line, "--device", "cpu", *arguments]) == 0
    result, meaning = capsys.readouterr().out.splitlines()
    assert "return" in result and said in meaning and "learns from shared rewards (sharing=1)" in meaning
    command = shlex.split(meaning.rpartition(": ")[2])
    assert command[:3] == ["mmgames", "match", "CoinDilemma"]
    assert command[3 + place] == f"ippo:{tmp_path / 'policy.npz'}" and command[4 - place] == "common_welfare"
    assert main([*command[1:], "--processes", "1"]) == 0
    assert main([*line, "--device", "cpu", "--recipe", "sharing=0"]) == 0
    assert "shared" not in capsys.readouterr().out.splitlines()[-1]
