"""Our own IPPO on real PyTorch: what it computes, that it learns, that it goes on where it stopped."""

import csv
import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import mmgames
from mmgames.baselines.learning import action_distributions, checkpoint_files, ippo, ippo_on_cpu, learned, ppo_rows
from mmgames.cli import main
from tests.refusing import refused

SMALL = dict(num_envs=16, rollout=8, layers=(16,), minibatches=2)
COIN, KUHN = "mmgames/CoinDilemma-v0", "mmgames/KuhnPoker-v0"


def training(game: str = COIN, **changes: object) -> ippo.IppoTraining:
    return ippo.IppoTraining(game, ippo.recipe_for(game, **{**SMALL, "steps": 10_000, **changes}), device="cpu")


def taken_up_again(make: Callable[[], Any], folder: Path, updates: int = 3) -> tuple[Any, Any]:
    """A run, and one that was taken up from it in the middle: they go on bit by bit alike."""
    whole = make()
    for _ in range(updates):
        whole.learn()
    whole.save(folder)
    again = make()
    again.restore(folder / "training.npz")
    for _ in range(updates):
        assert whole.learn() == again.learn()
    assert all(np.array_equal(array, again.policy()[name]) for name, array in whole.policy().items())
    return whole, again


@pytest.mark.parametrize("game", [COIN, KUHN])
@pytest.mark.parametrize("core", ["", "gru", "lstm"])
@pytest.mark.parametrize("nets", ["shared", "own"])
def test_a_run_that_is_taken_up_again_goes_on_bit_by_bit(game: str, core: str, nets: str, tmp_path: Path) -> None:
    _, again = taken_up_again(lambda: training(game, core=core, nets=nets), tmp_path)
    assert again.done_steps == 6 * 16 * 8


def test_the_policy_that_plays_may_be_a_running_mean_of_the_weights(tmp_path: Path) -> None:
    run = training(KUHN, average=0.75)
    before = run.policy()["0.actor.weight"].copy()
    run.learn()
    last = run.learners[0].net.actor.weight.detach().numpy()
    np.testing.assert_allclose(run.policy()["0.actor.weight"], 0.75 * before + 0.25 * last, rtol=1e-4, atol=1e-6)
    taken_up_again(lambda: training(KUHN, average=0.75), tmp_path, 1)


@pytest.mark.parametrize("activation", ["relu", "tanh"])
@pytest.mark.parametrize("core", ["", "gru", "lstm"])
def test_the_network_without_pytorch_says_the_same(activation: str, core: str, tmp_path: Path) -> None:
    run = training(KUHN, activation=activation, core=core, layers=(24, 16), average=0.0)
    run.learn()
    run.save(tmp_path)
    network = learned.Checkpoint(tmp_path / "policy.npz").network(run.env.game, 1)
    net, hidden_state = run.learners[0].net, network.first_hidden_state(5)
    own = torch.zeros(5, net.hidden_states, net.width) if core else None
    rng = np.random.default_rng(0)
    for _ in range(3):
        seen = rng.standard_normal((5, run.env.kernel.num_features)).astype(np.float32)
        with torch.no_grad():
            logits, _, own = net(torch.from_numpy(seen), torch.from_numpy(seen), own)
        np.testing.assert_allclose(network.logits(seen, hidden_state), logits.numpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("game", [COIN, KUHN])
def test_advantages_are_those_of_each_seats_own_moves(game: str) -> None:
    """Computed once more, row by row, from each seat's own moves and what it was paid until the next of them."""
    run = training(game, rollout=40)
    run.rollout()
    done, rewards = run.done, run.storage["reward"][:-1]
    active, values = run.storage["active"], run.storage["value"]
    gamma, lam = run.recipe.gamma, run.recipe.gae
    result, valid = ippo.advantages(rewards, values, active, done, gamma, lam)
    again, known = torch.empty_like(result), torch.empty_like(valid)
    arrays = [tensor.numpy() for tensor in (rewards, values, active, done)]
    ppo_rows.advantage_rows(*arrays, gamma, lam, again.numpy(), known.numpy(), 0, 16 * 2)
    torch.testing.assert_close(again, result, rtol=1e-5, atol=1e-6)
    assert torch.equal(known, valid)
    checked = 0
    for row in range(16):
        for seat in range(2):
            moves = [t for t in range(40) if active[t, row, seat]]
            after = {
                t: next((u for u in range(t + 1, 41) if active[u, row, seat] or done[u, row]), None) for t in moves
            }
            gains: dict[int, float] = {}
            for t in reversed(moves):
                u = after[t]
                assert bool(valid[t, row, seat]) == (u is not None)
                if u is None:
                    gains[t] = 0.0
                    continue
                paid = float(rewards[t:u, row, seat].sum())
                ends = bool(done[u, row])
                worth = 0.0 if ends else float(values[u, row, seat])
                gains[t] = paid + gamma * worth - float(values[t, row, seat])
                gains[t] += 0.0 if ends else gamma * lam * gains.get(u, 0.0)
                assert float(result[t, row, seat]) == pytest.approx(gains[t], abs=1e-4)
                checked += 1
    assert checked > 300


def test_actions_are_drawn_as_often_as_they_are_likely_and_never_illegal() -> None:
    logits = torch.tensor([[0.0, 1.0, 2.0, 3.0], [5.0, 0.0, 0.0, 9.0], [9.0, 9.0, 9.0, 9.0]]).repeat(20_000, 1)
    mask = torch.tensor([[True] * 4, [False, True, True, False], [False] * 4]).repeat(20_000, 1)
    log_probs = action_distributions.masked_log_softmax(logits, mask)
    uniform = torch.rand(60_000, generator=torch.Generator().manual_seed(0))
    drawn = action_distributions.sample(log_probs, uniform).view(-1, 3)
    often = torch.stack([torch.bincount(column, minlength=4) for column in drawn.T]) / 20_000
    torch.testing.assert_close(often, log_probs[:3].exp(), rtol=0, atol=0.015)
    assert often[1, 0] == often[1, 3] == 0
    ends = torch.tensor([0.0, 1 - 2**-24])  # the least and the largest number that is drawn
    assert action_distributions.sample(log_probs[[1, 1]], ends).tolist() == [1, 2]
    outputs, told = torch.cat((logits, uniform[:, None]), 1).numpy(), np.zeros((3, 60_000), np.float32)
    actions = np.zeros(60_000, np.int64)
    ppo_rows.draw_rows(outputs, mask.numpy(), uniform.numpy(), actions, told[0], told[1], 0, 60_000)
    assert (actions == drawn.flatten().numpy()).mean() > 0.999  # sums are rounded otherwise
    np.testing.assert_allclose(told[0], log_probs.numpy()[np.arange(60_000), actions], rtol=1e-4, atol=1e-5)
    assert np.array_equal(told[1], uniform.numpy())


def rollout_with_drawn_numbers(run: ippo.IppoTraining) -> ippo.Moves:
    """A rollout of whose moves some are clipped and some are not, with advantages and returns of all sizes."""
    run.rollout()
    drawn = torch.Generator().manual_seed(1)
    noise = [torch.randn(run.storage["log_prob"].shape, generator=drawn) for _ in range(3)]
    seen = {name: part for name, part in run.storage.items() if "observation" in name or name.startswith("action")}
    moves = {"log_prob": run.storage["log_prob"] + 0.3 * noise[0], "advantage": noise[1], "returns": noise[2]}
    return {name: part[:-1].flatten(0, 2) for name, part in {**seen, **moves, "valid": run.storage["active"]}.items()}


NETWORKS = [{}, dict(activation="tanh"), dict(trunk="separate"), dict(critic="central"), dict(layers=(16, 24, 8))]


@pytest.mark.parametrize("game", [COIN, KUHN])
@pytest.mark.parametrize("changes", NETWORKS, ids=str)
@pytest.mark.parametrize("workers", [1, 3])
def test_threads_give_the_gradients_of_the_loss(
    game: str, changes: dict[str, Any], workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However the rows are cut into blocks and shared, they are autograd's on `ppo_loss` over all rows at once."""
    monkeypatch.setattr(ippo_on_cpu, "BLOCK_ROWS", 70)  # of a thread's rows the last block is a smaller one
    run = training(game, **{"trunk": "shared", **changes})
    run.learn()
    learner, rollout = run.learners[0], rollout_with_drawn_numbers(run)
    moves = rollout["valid"].nonzero()[:, 0]
    assert len(moves) > 70 * workers / 3
    weights = (0.2, 0.5, 0.02)
    logged = learner.gradients(rollout, moves, *weights)
    expected = [parameter.grad.clone() for parameter in learner.net.parameters()]
    assert isinstance(learner.fast_gradients, ippo_on_cpu.ThreadedGradients)
    learner.net.zero_grad()
    learner.fast_gradients.most = workers
    also_logged = learner.fast_gradients(rollout, moves, *weights)
    for mine, theirs in zip(learner.net.parameters(), expected, strict=True):
        assert theirs.abs().max() > 0
        torch.testing.assert_close(mine.grad, theirs, rtol=1e-3, atol=1e-6)
    torch.testing.assert_close(also_logged, logged, rtol=1e-3, atol=1e-5)


def test_pytorch_keeps_its_threads_and_recurrent_networks_learn_as_it_is_written() -> None:
    for changes in [dict(core="gru"), dict(core="lstm")]:
        run = training("mmgames/TicTacToe-v0", **changes)
        assert run.learners[0].fast_gradients == run.learners[0].gradients
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(3)
        training().learn()
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize("changes", [{}, dict(observe="rgb", num_envs=4, rollout=4)], ids=str)
def test_a_run_in_threads_and_a_plain_one_learn_the_same(changes: dict[str, Any]) -> None:
    fused, plain = training(**changes), training(**changes)
    plain.learners[0].fast_gradients = plain.learners[0].gradients
    for _ in range(2):
        rows = [fused.learn(), plain.learn()]
    assert rows[0] == pytest.approx(rows[1], rel=1e-3, abs=1e-5)
    for name, array in fused.policy().items():
        np.testing.assert_allclose(array, plain.policy()[name], rtol=1e-2, atol=1e-4)


def test_one_update_without_a_known_outcome_changes_nothing_and_returns_are_those_of_whole_episodes() -> None:
    run = training(KUHN, num_envs=1, rollout=1, nets="own")
    for _ in range(12):  # most rollouts of one step hold no finished move of one of the seats
        run.learn()
    assert all(np.isfinite(array).all() for array in run.policy().values())
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


def test_a_central_critic_sees_what_all_seats_see_and_the_policy_does_not() -> None:
    run = training(critic="central")
    run.learn()
    features, own, central = run.env.kernel.num_features, run.storage["observation"], run.storage["critic_observation"]
    assert central.shape[-1] == 2 * features
    assert torch.equal(central[..., 1, :features], own[..., 1, :])
    assert torch.equal(central[..., 1, features:], own[..., 0, :])
    assert run.learners[0].net.encoder[0].in_features == features
    assert torch.equal(central[-1, :, 0], torch.from_numpy(run.env.state()))


PICTURES = dict(observe="rgb", num_envs=4, rollout=4)
PLANES = [dict(observe="planes"), dict(observe="planes", core="gru")]


@pytest.mark.parametrize(("game", "how"), [(COIN, PICTURES), *(("mmgames/TicTacToe-v0", how) for how in PLANES)])
def test_pictures_and_planes_are_seen_and_the_checkpoint_plays(game: str, how: dict[str, Any], tmp_path: Path) -> None:
    run = training(game, **how)
    run.learn()
    run.save(tmp_path)
    seen, net = run.storage["observation"][0, :, 1], run.learners[0].net
    if how is PICTURES:
        pictures, pixels = run.storage["observation"], net.encoder[0]
        assert pictures.dtype == torch.uint8
        assert pixels.usual.mean() > 0.1 and pixels(pictures[0].flatten(0, 1)).abs().median() < 0.01
    network = learned.Checkpoint(tmp_path / "policy.npz").network(run.env.game, 1)
    hidden_state = network.first_hidden_state(len(seen))
    with torch.no_grad():
        own = None if hidden_state is None else torch.zeros(len(seen), 1, net.width)
        logits, _, _ = net(seen, None, own)
    np.testing.assert_allclose(network.logits(seen.numpy(), hidden_state), logits.numpy(), rtol=1e-3, atol=1e-5)
    agents = [f"ippo:{tmp_path}/policy.npz", "random"]
    assert mmgames.match(game, agents, episodes=2, processes=1, progress=False).summary()["failed"] == 0


def test_a_run_may_begin_with_another_policy(tmp_path: Path) -> None:
    first = training()
    first.learn()
    first.save(tmp_path)
    policy = str(tmp_path / "policy.npz")
    second = training(begin=policy, average=0.5)
    assert all(np.array_equal(array, second.policy()[name]) for name, array in first.policy().items())
    refused(lambda: training(begin=policy, layers=(8,)), "does not fit this recipe")
    refused(lambda: training(KUHN, begin=policy), "for mmgames/CoinDilemma-v0")
    refused(lambda: training(begin=str(tmp_path / "nothing.npz")), "There is no checkpoint")


def test_one_seat_learns_beside_agents(tmp_path: Path) -> None:
    recipe = ippo.recipe_for(COIN, **SMALL, steps=10_000)
    whole, _ = taken_up_again(
        lambda: ippo.IppoTraining(COIN, recipe, device="cpu", seat="blue", others="optimum"), tmp_path, 1
    )
    assert [learner.seats for learner in whole.learners] == [[1]]
    refused(lambda: learned.Checkpoint(tmp_path / "policy.npz").network(whole.env.game, 0), "not for seat 0")


def test_nothing_is_learned_after_losses_are_no_numbers_and_runs_of_another_kind_do_not_go_on(tmp_path: Path) -> None:
    run = training()
    run.learn()
    run.save(tmp_path)
    good = (tmp_path / "policy.npz").read_bytes()
    with torch.no_grad():
        run.learners[0].net.critic.bias.fill_(float("nan"))
    refused(lambda: run.run(tmp_path, show=False), "last good checkpoint is kept")
    assert (tmp_path / "policy.npz").read_bytes() == good
    refused(lambda: training(gamma=0.5).restore(tmp_path / "training.npz"), "was made with recipe")
    refused(lambda: training(KUHN).restore(tmp_path / "training.npz"), "was made with game")
    whole = (tmp_path / "training.npz").read_bytes()
    (tmp_path / "training.npz").write_bytes(whole[: len(whole) // 2])
    refused(lambda: training().restore(tmp_path / "training.npz"), "is no checkpoint, or a damaged one")


def test_recipes_that_cannot_be_meant() -> None:
    for changes, sentence in [
        (dict(num_envs=0), "num_envs=0 is out of range"),
        (dict(layers=()), "give widths such as"),
        (dict(sharing=2.0), "sharing=2.0 is out of range"),
        (dict(average=1.0), "average=1.0 is out of range"),
        (dict(core="transformer"), "Known: , gru, lstm"),
        (dict(learning=1), "Unknown setting 'learning' for ippo"),
        (dict(core="gru", num_envs=15), "evenly"),
    ]:
        refused(lambda changes=changes: ippo.recipe_for(COIN, **{**SMALL, **changes}), sentence)


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
    about, _ = checkpoint_files.read(tmp_path / "policy.npz")
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
    result, measured, meaning = capsys.readouterr().out.splitlines()
    assert (
        "return" in result
        and measured.startswith("Measured beside random")
        and said in meaning
        and "learns from shared rewards (sharing=1)" in meaning
    )
    command = shlex.split(meaning.rpartition(": ")[2])
    assert command[:3] == ["mmgames", "match", "CoinDilemma"]
    assert command[3 + place] == f"ippo:{tmp_path / 'policy.npz'}" and command[4 - place] == "common_welfare"
    assert main([*command[1:], "--processes", "1"]) == 0
    line[line.index("--out") + 1] = str(tmp_path / "alone")
    assert main([*line, "--device", "cpu", "--recipe", "sharing=0"]) == 0
    assert "shared" not in capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize(
    ("game", "settings", "sentence"),
    [
        (COIN, {"rate": "fast"}, "rate='fast'"),
        (COIN, {"rate": -1}, "rate=-1"),
        (COIN, {"gamma": 2}, "gamma=2"),
        (COIN, {"sharing": "all"}, "sharing='all'"),
        (COIN, {"seconds": -1.0}, "seconds=-1"),
        (COIN, {"num_envs": 10**13}, "num_envs=10000000000000"),
        ("mmgames/WirePuzzle-v0", {}, "played in words"),
        ("mmgames/Minesweeper-v0", {"observe": "rgb"}, "learns it from features, not from rgb"),
        ("mmgames/VikiKitchen-v0", {"seat": "R1", "others": "random"}, "nobody plays beside the learner"),
    ],
)
def test_what_cannot_be_learned_is_said_in_a_sentence(game: str, settings: Any, sentence: str, tmp_path: Path) -> None:
    refused(lambda: ippo.train(game, tmp_path, device="cpu", show=False, **settings), sentence)
    assert not list(tmp_path.iterdir())


def test_a_run_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    how = {"steps": 2048, "num_envs": 16, "rollout": 8, "device": "cpu"}
    ippo.train(COIN, tmp_path, **how)
    assert "return" in capsys.readouterr().err.splitlines()[-1], "plain lines tell what was learned"
    before = (tmp_path / "policy.npz").read_bytes(), (tmp_path / "log.csv").read_bytes()
    refused(lambda: ippo.train(COIN, tmp_path, **{**how, "seed": 1}), "holds a run already")
    assert before == ((tmp_path / "policy.npz").read_bytes(), (tmp_path / "log.csv").read_bytes())
    assert len(ippo.train(COIN, tmp_path, resume=True, **how)) == 16, "all of it is there to go on from"


def test_an_episode_that_is_cut_short_is_worth_what_would_have_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its last reward comes with the value of its last observation; one that has ended gets nothing."""
    recipe = ippo.recipe_for(COIN, **SMALL, steps=10_000)
    run = ippo.IppoTraining(COIN, recipe, device="cpu", options={"max_steps": 5})
    learner, given = run.learners[0], []
    update = learner.update
    monkeypatch.setattr(
        learner, "fast_update", lambda moves, *rest: given.append(moves["reward"][:-1].clone()) or update(moves, *rest)
    )
    run.learn()
    scale, value, rewards = run.recipe.scale, run.storage["value"][1:], run.storage["reward"][:-1]
    cut = run.truncated[:-1]
    assert cut.any() and torch.equal(cut, run.done[1:]), "nothing ends by itself within five steps"
    plain = (1 - run.recipe.sharing) * rewards + run.recipe.sharing * rewards.mean(-1, keepdim=True)
    more = given[0] - plain / scale
    assert torch.allclose(more[cut], run.recipe.gamma * value[cut], atol=1e-5) and not more[~cut].any()
