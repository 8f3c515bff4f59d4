"""Rounds of Spy, how fast and how fair: `python benchmarks/spy.py [FIGURE…] [--json]`, all figures or some.

pair      milliseconds for a fresh CLEVR pair: two pictures of 320 by 240, four samples a pixel
pairs     seconds for a data set of 2,000 such pairs, drawn, compressed and written by two processes
rounds    full rounds a second of scripted agents, nobody looking
pool      the same with everybody's picture, from 50 pairs drawn before
fresh     the same with everybody's picture, every pair drawn anew
time      a round's time with civilians that read English, as a multiple of one with civilians that know one form
order     how often scripted spies are not caught by such civilians: the smallest gap, in standard errors, in the order
          oracle, truthful, blurting, silent, and in how many of n rounds each was not caught
clue      milliseconds to read a labelled clue about simple things, a chart or a board for the first time
"""

import itertools
import json
import resource
import tempfile
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from figures import Figure, main, rate, timed

from mmgames.agents.finding import make_agent, make_agents
from mmgames.baselines.planners.spy import Consistency, own_facts, stated
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.observation import Observer
from mmgames.core.seeding import agent_streams
from mmgames.core.turn import Turn
from mmgames.datasets import find
from mmgames.games.spy import pictures
from mmgames.games.spy.listening import meaning
from mmgames.games.spy.rules import SpyView

SPY = "mmgames/Spy-v0"
POOL = 50
SPIES = {"oracle": 400, "listening": 200, "truthful": 1000, "blurting": 1000, "silent": 400}
"""How many rounds each scripted spy plays; listening is slow, and beside the order."""


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


def _round(seed: int, agents: list[Any], game: Any, observe: tuple[str, ...] = ("text",)) -> bool:
    """Whether the spy of one round is caught; who is to move is shown all that is to be observed."""
    loaded, rng = registry.load(SPY), np.random.default_rng(seed)
    observer, streams = Observer(loaded, game, observe=observe, size=320), agent_streams(rng, len(game.seats))
    live = LiveGame(loaded, game)
    live.start(rng)
    while live.movers:
        moves = {}
        for seat in live.movers:
            if observe != ("text",):
                observer.observe(live.view(seat))
            moves[seat] = live.move_of(seat, agents[seat].act(Turn(live, seat, streams[seat], observer)))
        live.play(moves)
    return bool(game.caught(live.state))


def _playing(rounds: int, how: str, observe: tuple[str, ...] = ("text",), **options: Any) -> Figure:
    game = registry.load(SPY).game(**options)
    agents, seeds = _civilians(), itertools.count(1)

    def work() -> int:
        return len([_round(seed, agents, game, observe) for seed in itertools.islice(seeds, rounds)])

    if "instances" in options:
        for _ in range(4):
            work()  # the pool is drawn
    return rate(work, "rounds/s", how)


def _civilians(one_form: bool = False) -> list[Any]:
    """Five players that suspect what is false or empty: of any clue, or of those in the form of a fact alone."""

    class OneForm(Consistency):
        def suspicion(self, view: SpyView) -> Counter[int]:
            counts: Counter[int] = Counter()
            facts = {fact.topic.lower(): fact.value.lower() for fact in own_facts(view)}
            repeated = set[str]()
            for said in view.clues:
                fact = stated(said.words)
                if fact is not None and fact[0] in facts:
                    counts[said.seat] += 100 * (facts[fact[0]] != fact[1]) + (said.words in repeated)
                else:
                    counts[said.seat] += 1
                repeated.add(said.words)
            return counts

    return [OneForm() for _ in range(5)] if one_form else make_agents(["consistency"] * 5, registry.find(SPY))


def clocked() -> Figure:
    spent = [0.0, 0.0]
    tables, game = (_civilians(one_form=True), _civilians()), registry.load(SPY).game()
    for block in range(-1, 20):
        for which, agents in enumerate(tables):
            begun = time.process_time()
            for seed in range(25 * max(block, 0), 25 * max(block, 0) + 25):
                _round(seed, agents, game)
            spent[which] += (time.process_time() - begun) * (block >= 0)
    milliseconds = [1000 * each / 500 for each in spent]
    how = f"{milliseconds[1]:.2f} ms of processor time against {milliseconds[0]:.2f}, 500 rounds each, in turn"
    return Figure(spent[1] / spent[0], "times", how)


def order() -> Figure:
    rates: dict[str, tuple[float, float]] = {}
    for name, number in SPIES.items():
        free = 0
        for seed in range(number):
            agents = _civilians()
            agents[seed % 5] = make_agent(name, registry.find(SPY))
            free += not _round(seed, agents, registry.load(SPY).game(spy=f"player_{seed % 5 + 1}"))
        share = free / number
        rates[name] = share, (share * (1 - share) / number) ** 0.5
    gaps = []
    for (high, wrong), (low, other) in itertools.pairwise(rates[name] for name in SPIES if name != "listening"):
        error = (wrong**2 + other**2) ** 0.5
        gaps.append((high - low) / error if error else float("inf"))
    told = [
        f"{name} {100 * share:.1f} ± {100 * error:.1f} % of {SPIES[name]}" for name, (share, error) in rates.items()
    ]
    return Figure(min(gaps), "standard errors", f"{', '.join(told)}; gaps {', '.join(f'{gap:.1f}' for gap in gaps)}")


def clue() -> Figure:
    def read(name: str) -> tuple[int, float]:
        file = Path(__file__).parent.parent / "tests" / "spy" / f"{name}.jsonl"
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        facts = json.loads(file.with_name(f"{name}_facts.json").read_text(encoding="utf-8"))
        begun = time.process_time()
        for row in rows:
            meaning(row["clue"], *facts[json.dumps([row["pictures"], row.get("options"), row["seed"]])])
        return len(rows), time.process_time() - begun

    read("clues_building")  # games are imported for the names of their cells
    number, seconds = read("clues_held_back")
    return Figure(1000 * seconds / number, "ms", f"{number} clues, each against two scenes, none read before")


if __name__ == "__main__":
    pool = f"instances={POOL}; picture of 320 pixels and text at every decision"
    fresh = "a fresh CLEVR pair every round; picture of 320 pixels and text"
    figures = {
        "pair": pair,
        "pairs": pairs,
        "rounds": partial(_playing, 100, "five seats, two rounds of clues and a vote, agents `consistency`"),
        "pool": partial(_playing, 60, pool, ("rgb", "text"), instances=POOL),
        "fresh": partial(_playing, 15, fresh, ("rgb", "text")),
        "time": clocked,
        "order": order,
        "clue": clue,
    }
    main(figures, __doc__)
