"""How strong a policy is while it learns: beside an anchor, against its start, and exactly in poker."""

from pathlib import Path
from typing import Any

import pytest

from mmgames.baselines.learning import alphazero, ippo, strength, vdn
from mmgames.baselines.learning.training_log import read_log
from tests.refusing import refused

SMALL = dict(num_envs=16, rollout=8, layers=(16,), minibatches=2, device="cpu", threads=1, show=False)
PLAYS = dict(blocks=1, channels=8, batch=32, window=1024, simulations=4, num_envs=8, rollout=9)
PLAYS |= dict(device="cpu", threads=1, show=False)


@pytest.mark.parametrize(
    "trainer, game, how, columns",
    [
        (ippo, "KuhnPoker", SMALL, {"strength", "exploitability"}),
        (ippo, "MonsterHunt", {**SMALL, "seat": 1, "others": "random"}, {"strength"}),
        (ippo, "TicTacToe", {**SMALL, "others": "pool:past|random"}, {"strength", "over_start"}),
        (vdn, "TinyHanabi", SMALL, {"strength"}),
        (alphazero, "TicTacToe", PLAYS, {"strength", "over_start"}),
    ],
)
def test_the_log_says_how_strong_a_policy_is(
    trainer: Any, game: str, how: dict[str, Any], columns: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strength, "EPISODES", 8)
    monkeypatch.setattr(strength, "AT_ONCE", 2)
    log = trainer.train(game, tmp_path, steps=600, anchor="random", **how)
    first, last = next(row for row in log if "strength" in row), log[-1]
    for name in columns - {"exploitability"}:
        assert last[f"{name}_low"] <= last[name] <= last[f"{name}_high"]
    told = {"strength", "over_start", "exploitability"}
    assert told & last.keys() == columns == told & first.keys()
    assert read_log(tmp_path / "log.csv")[-1] == pytest.approx(last)
    if game == "KuhnPoker":
        assert 0.2 < first["exploitability"] < 0.6, "nearly uniform play loses 0.458 to the best answer"


def test_measuring_takes_its_share_of_the_time_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = strength.Strength("KuhnPoker")
    assert measured.due(0.0)
    measured.spent = 1.0
    assert not measured.due(19.0) and measured.due(20.0)
    row = {"strength": 0.5, "strength_low": 0.25, "strength_high": 0.75, "exploitability": 0.1}
    assert measured.told(row) == "beside random 0.50 (0.25 to 0.75), exploitability 0.100"
    refused(lambda: strength.Strength("KuhnPoker", {}, "mtcs"), "mtcs")
