"""Compile the kernels of games ahead, for container images."""

from __future__ import annotations

import argparse
import sys
from itertools import islice
from typing import TYPE_CHECKING

from mmgames.commands import _arguments

if TYPE_CHECKING:
    from mmgames.core.spec import GameSpec

STEPS = 2
ROWS = 16


def run(args: argparse.Namespace) -> int:
    from mmgames.core import registry
    from mmgames.running.processes import run_jobs
    from mmgames.running.progress import Progress

    games = _arguments.chosen_games(args.ids)
    lacking = {spec.id: why for spec in games if not spec.without_extras and (why := registry.why_missing(spec))}
    jobs = [(spec.id,) for spec in games if spec.id not in lacking]
    with Progress(len(jobs), "games") as bar:
        for _ in run_jobs(compile_game, jobs, args.processes):
            bar.advance()
    print(f"{len(jobs)} games are compiled.")
    if args.ids:
        for line in lacking.values():
            print(f"mmgames: {line}", file=sys.stderr)
    return 2 if args.ids and lacking else 0


def compile_game(id: str) -> str:
    """Play a little in every way that compiles something, waiting for the compiler each time."""
    from mmgames.core import registry
    from mmgames.kernels.compiling import compile_now, silence_messages
    from mmgames.running.matches import play

    silence_messages()
    with compile_now():
        spec = registry.find(id)
        _play_alone(spec)
        if spec.batched:
            _play_batched(spec)
        for _ in islice(play(spec.id, None, 0, **spec.without_extras), 1 + STEPS):
            pass  # the reference agents move
    return id


def _play_alone(spec: GameSpec) -> None:
    """Rules and observations of every kind."""
    import numpy as np

    from mmgames.core.observation import keys_of
    from mmgames.core.registry import load
    from mmgames.envs.aec import AecEnv

    env = AecEnv(spec.id, observe=keys_of(load(spec.id))[1], **spec.without_extras)
    rng = np.random.default_rng(0)
    env.reset(seed=0)
    for agent in env.agent_iter(1 + STEPS * len(spec.seats)):
        _, _, terminated, truncated, _ = env.last()
        over = terminated or truncated
        env.step(None if over else env.live.sample(env.possible_agents.index(agent), rng))
    env.close()


def _play_batched(spec: GameSpec) -> None:
    import gymnasium

    from mmgames.core.registry import load
    from mmgames.envs.vector import BatchedEnv

    pictures = [("rgb",)] if hasattr(load(spec.id).picture, "sprites") else []
    for observe in (None, *pictures):
        env = BatchedEnv(spec.id, ROWS, **({} if observe is None else {"observe": observe}))
        env.reset(seed=0)
        env.step(env.random_actions())
        env.close()
    single = gymnasium.make_vec(spec.id, num_envs=ROWS)
    single.reset(seed=0)
    single.step(single.action_space.sample())
    single.close()
