"""JaxMARL's own IPPO for Overcooked, from a file of its repository: how fast it is on the CPU.

Run by `benchmarks/train.py`, with the file and the settings: python _jaxmarl_trainer.py ippo_ff_overcooked.py
'{"NUM_ENVS": 16, …}'. What the file logs elsewhere goes nowhere; compiling does not count.
"""

# ruff: noqa: E402 - JAX is told its platform first

from __future__ import annotations

import json
import os
import runpy
import sys
import time
import types
import warnings
from importlib.metadata import version
from typing import Any

os.environ["JAX_PLATFORMS"] = "cpu"
warnings.simplefilter("ignore")

import jax
from jaxmarl.environments.overcooked import Overcooked, overcooked_layouts

SEED = 0


def silent(name: str, **has: Any) -> None:
    """A module that stands in for one that only reports."""
    made = types.ModuleType(name)
    made.__dict__.update(has)
    sys.modules[name] = made


def for_any_seat(name: str) -> None:
    """Let a space be asked for without saying whose: later editions of the package want a seat there."""
    whole = getattr(Overcooked, name)
    setattr(Overcooked, name, lambda env, agent="agent_0": whole(env, agent))


def main(path: str, settings: str) -> None:
    silent("wandb", log=lambda *_: None)
    silent("hydra", main=lambda **_: lambda function: function)
    for_any_seat("action_space")
    for_any_seat("observation_space")
    config = json.loads(settings)
    config["ENV_KWARGS"] = {"layout": overcooked_layouts["cramped_room"]}
    make_train = runpy.run_path(path)["make_train"]
    train = jax.jit(make_train(config)).lower(jax.random.PRNGKey(SEED)).compile()
    begun, used = time.perf_counter(), time.process_time()
    jax.block_until_ready(train(jax.random.PRNGKey(SEED)))
    wall, cpu = time.perf_counter() - begun, time.process_time() - used
    steps = config["NUM_UPDATES"] * config["NUM_STEPS"] * config["NUM_ENVS"]
    library = f"JaxMARL {version('jaxmarl')}'s {os.path.basename(path)}, JAX {jax.__version__}"
    print(json.dumps({"library": library, "steps_per_second": steps / wall, "steps_per_cpu_second": steps / cpu}))


if __name__ == "__main__":
    main(*sys.argv[1:])
