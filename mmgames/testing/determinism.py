"""Same seed, same episode: again, in another process, with any number of threads."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np

from mmgames.core.observation import Observer
from mmgames.core.spec import GameSpec
from mmgames.testing.playing import advance, begin, digest, episodes
from mmgames.testing.records import aec_record, batched_record, records


def seen_elsewhere(spec: GameSpec) -> dict[str, str]:
    """What a second process, whose strings and sets hash differently, sees of the same episodes."""
    hash_seed = "0" if os.environ.get("PYTHONHASHSEED") != "0" else "1"
    done = subprocess.run(
        [sys.executable, "-m", "mmgames.testing.records", spec.package, spec.id],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_another_process_sees_the_same_episodes(spec: GameSpec) -> None:
    assert seen_elsewhere(spec) == records(spec)


def test_the_seed_decides_the_episode(spec: GameSpec) -> None:
    assert aec_record(spec, seed=3) == aec_record(spec, seed=3)
    # The random players' choices differ with the seed as well, so even games without chance diverge.
    assert len({aec_record(spec, seed=seed) for seed in range(4)}) > 1


def test_only_games_with_chance_depend_on_the_seed(spec: GameSpec) -> None:
    def story(seed: int) -> str:
        """What all seats read while players with a seed of their own make six moves."""
        live, rng = begin(spec, seed), np.random.default_rng(0)
        observer = Observer(live.loaded, live.game, observe="text")
        told = []
        for _ in range(6):
            told.append([observer.text(live.view(seat)) for seat in range(len(live.game.seats))])
            if live.movers:
                advance(live, rng)
        return digest(told)

    stories = {story(seed) for seed in range(episodes(spec, 16))}
    assert (len(stories) > 1) == (spec.chance != "none")


def test_threads_do_not_change_batched_play(batched_spec: GameSpec) -> None:
    results = {batched_record(batched_spec, num_envs=3 * 1024 + 7, steps=8, threads=threads) for threads in (1, 2, 3)}
    assert len(results) == 1
