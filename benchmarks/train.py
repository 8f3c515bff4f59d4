"""Training, end to end, beside IPPO in JAX: steps of single episodes a second, and the ratio.

    python benchmarks/train.py --peer .venv-peers/bin/python [--game CoinDilemma] [--num-envs 1024 4096] [--device cpu]
    python benchmarks/train.py --peer .venv-peers/bin/python --jaxmarl JaxMARL/baselines/IPPO/ippo_ff_overcooked.py
    python benchmarks/train.py --sb3 .venv-torch/bin/python --game CoinDilemma

The first peer is our own code in JAX (peers/_ippo.py), with two hidden layers of 64 for policy and value and 2 epochs
of 4 minibatches on 32 steps of each episode, as ours then has. With --jaxmarl it is the trainer of JaxMARL's
repository, which its package does not bring (it wants distrax, flax, optax, gymnax, omegaconf and matplotlib beside
it), and both have its settings: 128 steps, 4 epochs, layers of their own for policy and value. They learn on all cores,
in turns; the best of the rounds and batch sizes counts. The environment of a peer is the nearest that JaxMARL has
(coin_game, overcooked); Stable-Baselines3's PPO over SuperSuit plays our own. Figures per second of CPU time stand
beside those of the clock, which neighbours disturb.
"""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
import sys
import time
from dataclasses import asdict
from operator import itemgetter
from pathlib import Path
from typing import Any

from mmgames.baselines.learning import ippo

RECIPE: dict[str, Any] = dict(layers=(64, 64), epochs=2, minibatches=4, rollout=32, trunk="shared", activation="relu")
GAMES = {"CoinDilemma": dict(sharing=1.0), "Overcooked": dict(sharing=1.0)}
PEER = Path(__file__).parent / "peers" / "_ippo.py"
SB3 = Path(__file__).parent / "peers" / "_sb3.py"
TRAINER = Path(__file__).parent / "peers" / "_jaxmarl_trainer.py"
JAXMARL: dict[str, Any] = dict(
    layers=(64, 64), epochs=4, minibatches=4, rollout=128, trunk="separate", activation="tanh", rate=2.5e-4, gamma=0.99,
    entropy=0.01,
)  # fmt: skip
"""The settings of JaxMARL's ippo_ff_overcooked.yaml."""
SB3_COPIES = (16, 64)
"""Environments that SuperSuit steps; the best number counts."""


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
    training.env.close()
    return {"steps_per_second": steps / wall, "steps_per_cpu_second": steps / cpu}


def peer(python: str, game: str, recipe: ippo.IppoRecipe, rounds: int) -> dict[str, Any]:
    return run([python, str(PEER), game, json.dumps(asdict(recipe)), str(rounds)])


def jaxmarl(python: str, file: str, recipe: ippo.IppoRecipe, rounds: int) -> dict[str, Any]:
    """JaxMARL's own trainer, with the numbers of a recipe."""
    settings = {
        "ENV_NAME": "overcooked", "NUM_ENVS": recipe.num_envs, "NUM_STEPS": recipe.rollout,
        "TOTAL_TIMESTEPS": rounds * recipe.num_envs * recipe.rollout, "UPDATE_EPOCHS": recipe.epochs,
        "NUM_MINIBATCHES": recipe.minibatches, "LR": recipe.rate, "ANNEAL_LR": True, "GAMMA": recipe.gamma,
        "GAE_LAMBDA": recipe.gae, "CLIP_EPS": recipe.clip, "ENT_COEF": recipe.entropy, "VF_COEF": 0.5,
        "MAX_GRAD_NORM": 0.5, "REW_SHAPING_HORIZON": 2.5e6, "ACTIVATION": recipe.activation,
    }  # fmt: skip
    return {"inputs": None, **run([python, str(TRAINER), file, json.dumps(settings)])}


def sb3(python: str, game: str, recipe: ippo.IppoRecipe) -> dict[str, Any]:
    """The best of a few numbers of environments, by each clock."""
    told = [run([python, str(SB3), game, json.dumps(asdict(recipe)), "6", str(copies)]) for copies in SB3_COPIES]
    best = {name: max(each[name] for each in told) for name in ("steps_per_second", "steps_per_cpu_second")}
    return {"sb3": told[0]["library"], **{f"sb3_{name}": value for name, value in best.items()}}


def run(words: list[str]) -> dict[str, Any]:
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"The peer did not run: {(done.stderr.strip() or 'it said nothing').splitlines()[-1]}")
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=list(GAMES), action="append")
    parser.add_argument("--peer", metavar="PYTHON", help="the interpreter that has JaxMARL")
    parser.add_argument("--jaxmarl", metavar="FILE", help="with --peer: JaxMARL's ippo_ff_overcooked.py, as its peer")
    parser.add_argument("--sb3", metavar="PYTHON", help="the interpreter that has Stable-Baselines3 and SuperSuit")
    parser.add_argument("--num-envs", type=int, nargs="+", default=[1024, 4096], help="batch sizes; the best counts")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--autograd", action="store_true", help="what the fused update on the CPU saves: without it")
    parser.add_argument("--updates", type=int, default=8, help="updates in each round")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    games = ["Overcooked"] if args.jaxmarl else args.game or list(GAMES)
    for name in games:
        game = f"mmgames/{name}-v0"
        mine: list[dict[str, Any]] = []
        theirs: list[dict[str, Any]] = []
        for _, num_envs in itertools.product(range(args.rounds), args.num_envs):
            with_what = {**(JAXMARL if args.jaxmarl else RECIPE), **GAMES[name]}
            recipe = ippo.recipe_for(game, **{**with_what, "num_envs": num_envs, "steps": 10**9})
            mine.append(ours(game, recipe, args.device, args.updates, args.autograd) | {"num_envs": num_envs})
            if args.jaxmarl:
                theirs.append(jaxmarl(args.peer, args.jaxmarl, recipe, args.updates) | {"num_envs": num_envs})
            elif args.peer:
                theirs.append(peer(args.peer, game, recipe, args.updates) | {"num_envs": num_envs})
        row: dict[str, Any] = {
            "game": game,
            "net": list(recipe.layers),
            "epochs": recipe.epochs,
            "minibatches": recipe.minibatches,
            "rollout": recipe.rollout,
        }
        for figure in ("steps_per_second", "steps_per_cpu_second"):
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
            for figure in ("steps_per_second", "steps_per_cpu_second"):
                row[f"ratio_to_sb3_{figure}"] = row[figure] / row[f"sb3_{figure}"]
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
