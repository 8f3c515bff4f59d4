"""Training, end to end, beside IPPO in JAX: steps of single episodes a second, and the ratio.

    python benchmarks/train.py --peer .venv-peers/bin/python [--game CoinDilemma] [--num-envs 1024 4096] [--device cpu]
    python benchmarks/train.py --peer PYTHON --device cuda --num-envs 4096 65536 --each [--as-many]
    python benchmarks/train.py --peer .venv-peers/bin/python --jaxmarl JaxMARL/baselines/IPPO/ippo_ff_overcooked.py
    python benchmarks/train.py --sb3 .venv-torch/bin/python --game CoinDilemma

The first peer is our own code in JAX (peers/_ippo.py), with two hidden layers of 64 for policy and value and 2 epochs
of 4 minibatches on 32 steps of each episode, as ours then has. With --jaxmarl it is the trainer of JaxMARL's
repository, which its package does not bring (it wants distrax, flax, optax, gymnax, omegaconf and matplotlib beside
it), and both have its settings: 128 steps, 4 epochs, layers of their own for policy and value. They learn on all cores,
in turns; the best of the rounds and batch sizes counts. The environment of a peer is the nearest that JaxMARL has
(coin_game, overcooked); Stable-Baselines3's PPO over SuperSuit plays our own. Figures per second of CPU time stand
beside those of the clock, which neighbours disturb. With --device cuda both learn on the same NVIDIA card; --each tells
every batch size by itself, and with --as-many our games show as many numbers as the peer's: theirs over and over.
"""

import argparse
import itertools
import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, replace
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any
from unittest.mock import patch

import torch

from mmgames.baselines.learning import ippo
from mmgames.envs import batch_base
from mmgames.kernels.kernel import kernel
from mmgames.kernels.kernel_game import Kernel, kernel_of
from mmgames.text.command_line import read_arguments

RECIPE: dict[str, Any] = dict(layers=(64, 64), epochs=2, minibatches=4, rollout=32, trunk="shared", activation="relu")
PEERS_NUMBERS = {"CoinDilemma": 36, "Overcooked": 520}
"""The games, and the numbers that a seat of the peer's game sees."""
PEERS = Path(__file__).parent / "peers"
FIGURES = ("steps_per_second", "steps_per_cpu_second")
JAXMARL: dict[str, Any] = dict(
    layers=(64, 64), epochs=4, minibatches=4, rollout=128, trunk="separate", activation="tanh", rate=2.5e-4, gamma=0.99,
    entropy=0.01,
)  # fmt: skip
"""The settings of JaxMARL's ippo_ff_overcooked.yaml."""
SB3_COPIES = (16, 64)
"""Environments that SuperSuit steps; the best number counts."""


def showing(numbers: int, game: Any) -> Kernel:
    """The rules of a game whose seats see so many numbers: what they are shown, over and over."""
    rules: Any = kernel_of(game)
    features, own = rules.features, rules.num_features

    @kernel
    def repeated(state, seat, out):  # type: ignore[no-untyped-def]
        features(state, seat, out[:own])
        for at in range(own, numbers):
            out[at] = out[at - own]

    return replace(rules, features=repeated, num_features=numbers)


def ours(game: str, recipe: ippo.IppoRecipe, device: str, rounds: int, autograd: bool = False) -> dict[str, float]:
    training = ippo.IppoTraining(game, recipe, device=device)
    if autograd:
        for learner in training.learners:
            learner.fast_gradients = learner.gradients
    for _ in range(2):
        training.learn()
    begun, used = time.perf_counter(), time.process_time()
    for _ in range(rounds):
        training.learn()
    wall, cpu = time.perf_counter() - begun, time.process_time() - used
    steps = rounds * recipe.num_envs * recipe.rollout
    inputs = training.env.kernel.num_features
    training.env.close()
    return {"steps_per_second": steps / wall, "steps_per_cpu_second": steps / cpu, "inputs": inputs}


def jaxmarl(python: str, file: str, recipe: ippo.IppoRecipe, rounds: int) -> dict[str, Any]:
    """JaxMARL's own trainer, with the numbers of a recipe."""
    settings = {
        "ENV_NAME": "overcooked", "NUM_ENVS": recipe.num_envs, "NUM_STEPS": recipe.rollout,
        "TOTAL_TIMESTEPS": rounds * recipe.num_envs * recipe.rollout, "UPDATE_EPOCHS": recipe.epochs,
        "NUM_MINIBATCHES": recipe.minibatches, "LR": recipe.rate, "ANNEAL_LR": True, "GAMMA": recipe.gamma,
        "GAE_LAMBDA": recipe.gae, "CLIP_EPS": recipe.clip, "ENT_COEF": recipe.entropy, "VF_COEF": 0.5,
        "MAX_GRAD_NORM": 0.5, "REW_SHAPING_HORIZON": 2.5e6, "ACTIVATION": recipe.activation,
    }  # fmt: skip
    return {"inputs": None, **run(python, "_jaxmarl_trainer", file, json.dumps(settings))}


def sb3(python: str, game: str, recipe: ippo.IppoRecipe) -> dict[str, Any]:
    """The best of a few numbers of environments, by each clock."""
    told = [run(python, "_sb3", game, json.dumps(asdict(recipe)), "6", str(copies)) for copies in SB3_COPIES]
    return {"sb3": told[0]["library"], **{f"sb3_{name}": max(each[name] for each in told) for name in FIGURES}}


def run(python: str, peer: str, *words: str, device: str = "cpu") -> dict[str, Any]:
    env = {**os.environ, "MMGAMES_BENCH_DEVICE": device}
    done = subprocess.run([python, str(PEERS / f"{peer}.py"), *words], capture_output=True, text=True, env=env)
    if done.returncode:
        sys.exit(f"The peer did not run: {(done.stderr.strip() or 'it said nothing').splitlines()[-1]}")
    return json.loads(done.stdout.splitlines()[-1])


def row_of(name: str, sizes: list[int], args: argparse.Namespace) -> dict[str, Any]:
    """Ours and the peer's in turns; the best of all rounds and batch sizes."""
    game = f"mmgames/{name}-v0"
    mine: list[dict[str, Any]] = []
    theirs: list[dict[str, Any]] = []
    shown = partial(showing, PEERS_NUMBERS[name]) if args.as_many else kernel_of
    settings = JAXMARL if args.jaxmarl else RECIPE
    for _, num_envs in itertools.product(range(args.rounds), sizes):
        recipe = ippo.recipe_for(game, **settings, sharing=1.0, num_envs=num_envs, steps=10**9)
        with patch.object(batch_base, "kernel_of", shown):
            mine.append(ours(game, recipe, args.device, args.updates, args.autograd) | {"num_envs": num_envs})
        if args.jaxmarl:
            theirs.append(jaxmarl(args.peer, args.jaxmarl, recipe, args.updates) | {"num_envs": num_envs})
        elif args.peer:
            words = (game, json.dumps(asdict(recipe)), str(args.updates))
            theirs.append(run(args.peer, "_ippo", *words, device=args.device) | {"num_envs": num_envs})
    row: dict[str, Any] = {
        "game": game,
        "device": torch.cuda.get_device_name() if args.device == "cuda" else args.device,
        "net": list(recipe.layers),
        **{setting: getattr(recipe, setting) for setting in ("epochs", "minibatches", "rollout")},
        "inputs": mine[0]["inputs"],
    }
    for figure in FIGURES:
        best = max(mine, key=itemgetter(figure))
        row |= {figure: best[figure], f"{figure}_with": best["num_envs"]}
        if theirs:
            best = max(theirs, key=itemgetter(figure))
            row |= {f"peer_{figure}": best[figure], f"peer_{figure}_with": best["num_envs"]}
            row[f"ratio_{figure}"] = row[figure] / row[f"peer_{figure}"]
    if theirs:
        row |= {"peer": theirs[0]["library"], "peer_inputs": theirs[0]["inputs"]}
    if args.sb3:
        row |= sb3(args.sb3, game, recipe)
        for figure in FIGURES:
            row[f"ratio_to_sb3_{figure}"] = row[figure] / row[f"sb3_{figure}"]
    return row


if __name__ == "__main__":
    args = read_arguments(__doc__, __file__)
    sizes = [[size] for size in args.num_envs] if args.each else [args.num_envs]
    for name, some in itertools.product(["Overcooked"] if args.jaxmarl else args.game or PEERS_NUMBERS, sizes):
        print(json.dumps(row_of(name, some, args)), flush=True)
