"""Minari data sets, read back with Minari's own package."""

import sys
from functools import partial
from pathlib import Path
from typing import Any

import minari
import numpy as np
import pytest
from gymnasium import spaces

import mmgames
from mmgames import cli
from mmgames.datasets.minari import build
from mmgames.errors import MissingExtra
from mmgames.running import records
from tests.refusing import refused


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "store"))
    return tmp_path / "store"


def played(tmp_path: Path, game: str, agents: list[str], **options: Any) -> Path:
    path = tmp_path / f"{game}.jsonl"
    mmgames.match(game, agents, episodes=4, seed=5, out=path, **options)
    return path


def test_what_was_recorded_is_what_minari_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = played(tmp_path, "TicTacToe", ["random", "random"])
    assert cli.main(["dataset", "minari", "test/turns-v0", "--records", str(path)]) == 0
    assert "4 episodes, 8 of single seats" in capsys.readouterr().out
    dataset = minari.load_dataset("test/turns-v0")
    rows = records.read(path)[1]
    assert dataset.total_episodes == 8 and dataset.action_space == spaces.Discrete(9)
    assert dataset.total_steps == sum(row["length"] for row in rows)
    for episode in dataset.iterate_episodes():
        row, seat = rows[episode.infos["episode"][0]], int(episode.infos["seat"][0])
        assert episode.actions.tolist() == [step[seat] for step in row["actions"] if step[seat] is not None]
        assert episode.rewards.sum() == row["returns"][seat]
        assert episode.terminations.tolist() == [False] * (len(episode) - 1) + [True] and not episode.truncations.any()
        masks = episode.infos["action_mask"]
        assert masks[np.arange(len(episode)), episode.actions].all() and not masks[-1].any()
        assert np.array_equal(masks, episode.observations["action_mask"])
        for step in range(len(episode) + 1):
            assert dataset.observation_space.contains({key: seen[step] for key, seen in episode.observations.items()})


def test_words_and_pictures_come_back_as_they_were_and_unfinished_episodes_truncated(tmp_path: Path) -> None:
    path = played(tmp_path, "CoinDilemma", ["self_interest", "random"])
    build("test/seen-v0", records=[path], observe=["text", "rgb"], seats=["blue"], size=64)
    dataset = minari.load_dataset("test/seen-v0")
    assert dataset.total_episodes == 4
    env = mmgames.parallel_env("CoinDilemma", observe=["text", "rgb"], size=64)
    row = records.read(path)[1][0]
    observations, _ = env.reset(seed=row["seed"])
    episode = dataset[0]
    for step, actions in enumerate(row["actions"]):
        seen = {key: column[step] for key, column in episode.observations.items()}
        assert seen["text"] == observations["blue"]["text"] and dataset.observation_space.contains(seen)
        assert np.array_equal(seen["rgb"], observations["blue"]["rgb"])
        observations = env.step(dict(zip(("red", "blue"), actions, strict=True)))[0]
    assert episode.rewards.sum() == row["returns"][1]
    build("test/short-v0", records=[played(tmp_path, "MonsterHunt", ["random", "random"], max_steps=7)])
    for episode in minari.load_dataset("test/short-v0"):
        assert len(episode) == 7 and episode.truncations[-1] and not episode.terminations.any()


def test_batches_hold_whole_episodes_that_replay(store: Path) -> None:
    for name in ("test/one-v0", "test/two-v0"):
        assert build(name, game="KuhnPoker", episodes=30, seed=2)["episodes"] == 30
    one, two = (minari.load_dataset(f"test/{name}-v0") for name in ("one", "two"))
    returns: dict[int, float] = {}
    for episode, again in zip(one, two, strict=True):
        assert np.array_equal(episode.actions, again.actions)
        assert np.array_equal(episode.observations["features"], again.observations["features"])
        number = int(episode.infos["episode"][0])
        returns[number] = returns.get(number, 0.0) + episode.rewards.sum()
        assert episode.infos["action_mask"][np.arange(len(episode)), episode.actions].all()
    assert len(returns) == 30 and set(returns.values()) == {0.0}


def test_what_cannot_be_made_is_said_and_nothing_is_lost(tmp_path: Path, store: Path, monkeypatch: Any) -> None:
    path = played(tmp_path, "KuhnPoker", ["random", "random"])
    build("test/kept-v0", records=[path])
    kept = (store / "test/kept-v0/data/main_data.hdf5").read_bytes()
    other = played(tmp_path, "TicTacToe", ["random", "random"])
    for name, sentence, how in (
        ("test/kept-v0", "There is a data set 'test/kept-v0'", {"records": [path]}),
        ("no name", "no name of a Minari data set", {"records": [path]}),
        ("test/new-v0", "about one game", {"records": [path, other]}),
        ("test/new-v0", "say one of them", {}),
        ("test/new-v0", "has no compiled kernel", {"game": "Spy"}),
        ("test/new-v0", "Minari has no form for 'legal_actions'", {"records": [path], "observe": ["legal_actions"]}),
        ("test/new-v0", "Unknown seat 'dealer'", {"records": [path], "seats": ["dealer"]}),
    ):
        refused(partial(build, name, **how), sentence)  # type: ignore[arg-type]
    assert (store / "test/kept-v0/data/main_data.hdf5").read_bytes() == kept and not (store / "test/new-v0").exists()
    monkeypatch.setitem(sys.modules, "minari", None)
    refused(lambda: build("test/new-v0", records=[path]), "mmgames[minari]", kind=MissingExtra)
