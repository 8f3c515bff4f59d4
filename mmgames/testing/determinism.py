"""Same seed, same episode: again, in another process, with any number of threads."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from mmgames.core.observation import Observer
from mmgames.core.spec import GameSpec
from mmgames.envs import batch_base
from mmgames.kernels.threads import Threads
from mmgames.testing.playing import advance, begin, digest, episodes
from mmgames.testing.records import aec_record, batched_record, records


def seen_elsewhere(specs: Sequence[GameSpec]) -> subprocess.Popen[str]:
    """A second process that will print what it sees of the same episodes: its rules are interpreted, and its strings
    and sets hash differently."""
    hash_seed = "0" if os.environ.get("PYTHONHASHSEED") != "0" else "1"
    return subprocess.Popen(
        [sys.executable, "-m", "mmgames.testing.records", *(f"{spec.package}={spec.id}" for spec in specs)],
        env={
            **os.environ,
            "MMGAMES_COMPILE": "never",
            "PYTHONHASHSEED": hash_seed,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_another_process_sees_the_same_episodes(specs: Sequence[GameSpec]) -> None:
    """Compiled here, interpreted there. One process for all games, as its start costs more than they do."""
    with seen_elsewhere(specs) as other:
        here = {spec.id: records(spec) for spec in specs}
        printed, said = other.communicate()
    assert other.returncode == 0, said
    there = json.loads(printed)
    assert list(there) == [spec.id for spec in specs]
    assert {id: seen for id, seen in there.items() if seen != here[id]} == {}, "these games differ"


def test_the_seed_decides_the_episode(spec: GameSpec) -> None:
    once, again, other = (aec_record(spec, seed=seed, most=60) for seed in (3, 3, 4))
    assert once == again
    assert once != other, "the players' choices differ with the seed, so games without chance diverge as well"


def test_only_games_with_chance_depend_on_the_seed(spec: GameSpec) -> None:
    def story(seed: int, most: int) -> str:
        """What all seats read while players with a seed of their own make so many moves."""
        live, rng = begin(spec, seed), np.random.default_rng(0)
        observer = Observer(live.loaded, live.game, observe="text")
        digests = []
        for _ in range(most):
            digests.append([observer.text(live.view(seat)) for seat in range(len(live.game.seats))])
            if live.movers:
                advance(live, rng)
        return digest(digests)

    stories = {story(seed, 6) for seed in range(episodes(spec, 16))}
    if len(stories) == 1 and spec.chance != "none":  # some draw nothing in the first moves
        stories = {story(seed, 30) for seed in range(episodes(spec, 16))}
    assert (len(stories) > 1) == (spec.chance != "none")


def test_threads_do_not_change_batched_play(batched_spec: GameSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    parts: list[int] = []
    run_all = Threads.run_all

    def counted(pool: Threads, tasks: Sequence[Any]) -> None:
        parts.append(len(tasks))
        run_all(pool, tasks)

    monkeypatch.setattr(Threads, "run_all", counted)
    monkeypatch.setattr(batch_base, "ROWS_PER_THREAD", 8)  # as if a few rows were worth a thread of their own
    results = {batched_record(batched_spec, num_envs=3 * 8 + 7, steps=12, threads=threads) for threads in (1, 2, 3)}
    assert set(parts) >= {2, 3}
    assert len(results) == 1
