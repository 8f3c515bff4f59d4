"""How fast rounds of Spy and their pictures are: `python benchmarks/spy.py [FIGURE…] [--json]`, all figures or some.

pair      milliseconds for a fresh CLEVR pair: two pictures of 320 by 240, four samples a pixel
pairs     seconds for a data set of 2,000 such pairs, drawn, compressed and written by two processes
rounds    full rounds a second of scripted agents, nobody looking
pool      the same with everybody's picture, from 50 pairs drawn before
fresh     the same with everybody's picture, every pair drawn anew
"""

from __future__ import annotations

import resource
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from figures import Figure, main, timed

from mmgames.datasets import find
from mmgames.games.spy import pictures

POOL = 50


def pair() -> Figure:
    source = pictures.find("clevr")
    rng = np.random.default_rng(0)

    def work() -> int:
        for _ in range(40):
            drawn = source.pair(rng)
            drawn.original.draw(320)
            drawn.changed.draw(320)
        return 40

    rate, wall = timed(work)
    return Figure(1000 / rate, "ms", "a scene drawn at random, changed, and both rendered", 1000 / wall)


def pairs() -> Figure:
    def spent() -> float:
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return sum(each.ru_utime + each.ru_stime for each in used)

    with tempfile.TemporaryDirectory() as folder:
        cpu, wall = spent(), time.perf_counter()
        find("vision-zero").build(Path(folder) / "pairs", rows=2000, processes=2)
        wall = time.perf_counter() - wall
        cpu = spent() - cpu
    return Figure(cpu / 2, "s", "`mmgames dataset vision-zero OUT --n 2000 --processes 2`, each process's time", wall)


def _playing(rounds: int, observe: tuple[str, ...] | None, **options: Any) -> tuple[float, float]:
    from mmgames.agents.finding import make_agents
    from mmgames.core import registry
    from mmgames.core.live import LiveGame
    from mmgames.core.observation import Observer
    from mmgames.core.seeding import agent_streams
    from mmgames.core.turn import Turn

    loaded = registry.load("mmgames/Spy-v0")
    game = loaded.game(**options)
    agents = make_agents(["consistency"] * len(game.seats), game.spec)
    watching = None if observe is None else Observer(loaded, game, observe=observe, size=320)
    plain = Observer(loaded, game, observe=("text",))
    seed = 0

    def work() -> int:
        nonlocal seed
        for _ in range(rounds):
            seed += 1
            rng = np.random.default_rng(seed)
            streams = agent_streams(rng, len(game.seats))
            live = LiveGame(loaded, game)
            live.start(rng)
            while live.movers:
                moves = {}
                for seat in live.movers:
                    if watching is not None:
                        watching.observe(live.view(seat))
                    turn = Turn(live, seat, streams[seat], watching or plain)
                    moves[seat] = live.move_of(seat, agents[seat].act(turn))
                live.play(moves)
        return rounds

    if "instances" in options:
        for _ in range(4):
            work()  # the pool is drawn
    return timed(work)


def rounds() -> Figure:
    rate, wall = _playing(100, None)
    return Figure(rate, "rounds/s", "five seats, two rounds of clues and a vote, agents `consistency`", wall)


def pool() -> Figure:
    rate, wall = _playing(60, ("rgb", "text"), instances=POOL)
    return Figure(rate, "rounds/s", f"instances={POOL}; picture of 320 pixels and text at every decision", wall)


def fresh() -> Figure:
    rate, wall = _playing(15, ("rgb", "text"))
    return Figure(rate, "rounds/s", "a fresh CLEVR pair every round; picture of 320 pixels and text", wall)


FIGURES = {"pair": pair, "pairs": pairs, "rounds": rounds, "pool": pool, "fresh": fresh}

if __name__ == "__main__":
    main(FIGURES, __doc__)
