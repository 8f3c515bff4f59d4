"""Learned policies without PyTorch: a checkpoint plays any seat of any face, and what is none is refused."""

import io
import itertools
import json
import pickle
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import mmgames
from mmgames.agents.finding import known_agents, listed_agents, ready_agents, shipped_policy
from mmgames.baselines.learning import checkpoint_files, learned
from mmgames.kernels.kernel_game import kernel_of
from tests.refusing import refused

COIN, TIC, KUHN = "mmgames/CoinDilemma-v0", "mmgames/TicTacToe-v0", "mmgames/KuhnPoker-v0"


def checkpoint(path: Path, game: str = COIN, core: str = "", **changes: Any) -> Path:
    kernel = kernel_of(mmgames.load_game(game))
    assert kernel is not None
    rng = np.random.default_rng(0)
    sizes = [kernel.num_features, 16, 8]
    arrays: dict[str, np.ndarray] = {}
    for i, (into, out) in enumerate(itertools.pairwise(sizes)):
        arrays |= {f"0.encoder.{2 * i}.weight": rng.normal(size=(out, into)), f"0.encoder.{2 * i}.bias": np.zeros(out)}
    if core:
        many = learned.GATES[core] * 8
        arrays |= {"0.core.weight_ih": rng.normal(size=(many, 8)), "0.core.weight_hh": rng.normal(size=(many, 8))}
        arrays |= {"0.core.bias_ih": np.zeros(many), "0.core.bias_hh": np.zeros(many)}
    arrays |= {"0.actor.weight": rng.normal(size=(kernel.num_actions, 8)), "0.actor.bias": np.zeros(kernel.num_actions)}
    about = {
        "game": game, "options": {}, "observe": "features", "nets": [[0, 1]], "inputs": [kernel.num_features],
        "actions": kernel.num_actions, "layers": [16, 8], "activation": "tanh", "core": core,
    }  # fmt: skip
    checkpoint_files.write(path, {**about, **changes}, arrays)
    return path


@pytest.mark.parametrize("game", [COIN, TIC, KUHN])
@pytest.mark.parametrize("core", ["", "gru", "lstm"])
def test_a_checkpoint_plays_every_seat(game: str, core: str, tmp_path: Path) -> None:
    agent = f"ippo:{checkpoint(tmp_path / 'policy.npz', game, core)}"
    assert mmgames.match(game, [agent], episodes=5, seed=3, processes=1, progress=False).summary()["failed"] == 0
    for seat in mmgames.specs[game].seats:
        env = gym.make(game, seat=seat, others=agent, observe=("features", "action_mask"))
        env.action_space.seed(0)
        observation, _ = env.reset(seed=1)
        over = False
        while not over:
            action = env.action_space.sample(mask=observation["action_mask"])
            observation, _, terminated, truncated, _ = env.step(action)
            over = terminated or truncated


def test_a_greedy_policy_draws_nothing_and_another_draws_as_it_is_likely(tmp_path: Path) -> None:
    logits, masks = np.log([[0.1, 0.6, 0.3]]), np.ones((1, 3), bool)
    assert learned.chosen(logits, masks, None) == [1]
    draws = (np.arange(1000) + 0.5) / 1000
    counts = np.bincount(learned.chosen(logits.repeat(1000, 0), masks.repeat(1000, 0), draws), minlength=3)
    assert counts.tolist() == [100, 600, 300]
    masks[0, 1] = False
    assert learned.chosen(logits, masks, None) == [2]
    assert set(learned.chosen(logits.repeat(9, 0), masks.repeat(9, 0), np.linspace(0, 0.999, 9))) == {0, 2}
    refused(lambda: gym.make("mmgames/Gomoku-v0", others="ippo").reset(seed=0), "mmgames train ippo mmgames/Gomoku-v0")
    path = checkpoint(tmp_path / "policy.npz")
    refused(lambda: gym.make(COIN, others=f"ippo:file={path},greedy=perhaps"), "it is True or False")


def cannot_play(path: Path, game: str, sentence: str) -> None:
    refused(lambda: gym.make(game, others=f"ippo:{path}").reset(seed=0), sentence)


def test_what_is_no_checkpoint_is_refused_and_nothing_in_it_is_run(tmp_path: Path) -> None:
    good, trap = checkpoint(tmp_path / "policy.npz"), io.BytesIO()
    np.savez(trap, about=np.array([Trap()], dtype=object), allow_pickle=True)
    for name, sentence, content in (
        ("missing.npz", "There is no checkpoint", None),
        ("cut.npz", "a damaged one", good.read_bytes()[:200]),
        ("empty.npz", "a damaged one", b""),
        ("text.npz", "a damaged one", b"weights"),
        ("pickle.npz", "a damaged one", pickle.dumps({"about": "x"})),
        ("trap.npz", "a damaged one", trap.getvalue()),
    ):
        if content is not None:
            (tmp_path / name).write_bytes(content)
        cannot_play(tmp_path / name, COIN, sentence)
        refused(partial(mmgames.match, COIN, [f"ippo:{tmp_path / name}"], 1, progress=False), sentence)


class Trap:
    def __reduce__(self) -> Any:
        return (pytest.fail, ("code of a checkpoint was run",))


def test_other_versions_shapes_and_games_are_refused(tmp_path: Path) -> None:
    path = checkpoint(tmp_path / "policy.npz")
    cannot_play(path, TIC, "was trained for mmgames/CoinDilemma-v0, not for mmgames/TicTacToe-v0")
    about, arrays = checkpoint_files.read(path)
    cases = {
        "version": ({**about, "format": 99}, arrays, "has format 99, but this mmgames reads format 1"),
        "shape": ({**about, "inputs": [99]}, arrays, "shape"),
        "lacks": ({**about}, {k: v for k, v in arrays.items() if "actor.bias" not in k}, "'0.actor.bias' is missing"),
        "nan": (about, {**arrays, "0.actor.bias": np.full(5, np.nan)}, "finite numbers"),
        "says": ({k: v for k, v in about.items() if k != "core"}, arrays, "does not say its core"),
    }
    for name, (said, kept, sentence) in cases.items():
        file = tmp_path / f"{name}.npz"
        with open(file, "wb") as out:
            np.savez(out, about=np.frombuffer(json.dumps(said).encode(), np.uint8), **kept)
        cannot_play(file, COIN, sentence)


@pytest.mark.parametrize(("trainer", "number", "most"), [("ippo", 7, 2_000_000), ("alphazero", 3, 1_500_000)])
def test_lists_say_where_a_checkpoint_has_to_be_named_and_those_that_come_with_mmgames_are_small(
    trainer: str, number: int, most: int
) -> None:
    for id, spec in mmgames.specs.items():
        plain, listed, comes = known_agents(spec), listed_agents(spec), shipped_policy(id, trainer) is not None
        assert [name.partition(":")[0] for name in listed] == list(plain)
        assert (trainer in listed) == comes
        assert (f"{trainer}:FILE" in listed) == (trainer in plain and not comes)
        assert set(ready_agents(spec)) == {name for name in listed if ":" not in name}
    found = [path for id in mmgames.specs if (path := shipped_policy(id, trainer)) is not None]
    assert len(found) >= number
    for path in found:
        assert path.stat().st_size <= most
        about, _ = checkpoint_files.read(path)
        assert about["command"].startswith(f"mmgames train {trainer} ") and about["steps"] > 0
