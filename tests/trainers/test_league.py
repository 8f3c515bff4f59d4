"""Leagues on real PyTorch: who plays beside the learner, what is learned from, and that a run goes on bit by bit."""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mmgames.baselines.learning import checkpoint_files, ippo
from mmgames.baselines.learning.ippo_recipe import recipe_for
from mmgames.cli import main
from mmgames.envs.batch_agents import play
from tests.refusing import refused
from tests.trainers.test_ippo import COIN, KUHN, SMALL, taken_up_again

POOL = "pool:2*past:recent=0.5|random"


def training(game: str = COIN, others: Any = POOL, seat: Any = None, **changes: Any) -> ippo.IppoTraining:
    recipe = recipe_for(game, **{**SMALL, "steps": 10_000, "snapshots": 2, "self_play": 0.25, **changes})
    return ippo.IppoTraining(game, recipe, device="cpu", others=others, seat=seat)


@pytest.mark.parametrize(
    ("game", "changes"), [(COIN, {}), (KUHN, {"core": "gru"}), (COIN, {"nets": "own", "critic": "central"})]
)
def test_a_league_that_is_taken_up_again_goes_on_bit_by_bit(game: str, changes: dict[str, Any], tmp_path: Path) -> None:
    whole, again = taken_up_again(lambda: training(game, **changes), tmp_path, 9)
    assert len(whole.league.snapshots) == len(again.league.snapshots) == 9
    assert len(play(game, f"past:{tmp_path / 'training.npz'}", 4)) == 4


def test_the_learner_has_one_seat_or_all_and_others_play_theirs() -> None:
    run = training(self_play=0.4, num_envs=400, rollout=60)
    run.learn()
    active, done = run.storage["active"].numpy()[:-1], run.done.numpy()[:-1]
    done[0] = ~active[0].any(1)  # the next rollout begins with what this one ended with
    taken = ~active & ~done[..., None]
    assert set(taken.sum(2).ravel().tolist()) == {0, 1}
    assert 0.3 < (taken.sum(2) == 0)[~done].mean() < 0.5
    assert 0.4 < taken[..., 0].sum() / taken.sum() < 0.6
    changed = (taken[1:] != taken[:-1]).any(2) & ~done[1:] & ~done[:-1]
    assert not changed.any(), "seats change hands between episodes alone"
    assert (taken[0] != taken[-1])[~done[0] & ~done[-1]].any(), "and they do"
    run = training(others="pool:self_interest|random", self_play=0.5)
    assert run.league is not None
    joint = np.full((16, 2), -1)
    run.league.act(run.episodes.observation, joint, np.zeros(16, bool))
    assert np.array_equal(joint >= 0, run.league.taken) and run.league.taken.any()


def test_the_first_snapshot_is_where_the_learner_began_and_without_others_none_is_kept() -> None:
    run = training()
    before = {name: array.copy() for name, array in run.policy().items()}
    for _ in range(3):
        run.learn()
    first, second = run.league.snapshots
    assert all(np.array_equal(array, first[name]) for name, array in before.items())
    assert not np.array_equal(before["0.actor.weight"], second["0.actor.weight"])
    run = training(others=None)
    run.learn()
    assert run.league is None and not any(name.startswith("past") for name in run.everything())


def test_leagues_that_cannot_be_meant() -> None:
    for how, sentence in [
        (dict(seat="red"), "leave out seat="),
        (dict(others="pool:nobody"), "Unknown agent 'nobody'"),
        (dict(others="pool:-1*random"), "is out of range"),
        (dict(self_play=2.0), "self_play=2.0 is out of range"),
        (dict(snapshots=0), "snapshots=0 is out of range"),
        (dict(recipe="leage"), "Did you mean 'league'"),
    ]:
        refused(partial(training, **how), sentence)


def test_recipes_have_names_and_can_be_put_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recipe = recipe_for(COIN, ("league", "mappo"), sharing=0.0)
    assert "past" in recipe.others and recipe.critic == "central" and recipe.sharing == 0.0
    line = ["train", "ippo", "CoinDilemma", "--out", str(tmp_path), "--num-envs", "16", "--steps", "2048"]
    line += ["--recipe", "league", "--recipe", "mappo", "--recipe", "layers=(16,)", "--device", "cpu"]
    assert main(line) == 0
    assert "beside itself or past:" in capsys.readouterr().out
    about, _ = checkpoint_files.read(tmp_path / "policy.npz")
    assert about["others"] == recipe.others and about["recipe"]["self_play"] == recipe.self_play
    assert main([*line, "--resume"]) == 0
