"""How many games an arena needs, and whether its intervals hold, on simulated leagues whose truth is known.

  python -m benchmarks.arena agents   Kendall's τ of 20 real agents, and how often each beats the one before it
  python -m benchmarks.arena order   Kendall's τ of 20 agents: adaptive, and all against all, up to ten times as long
  python -m benchmarks.arena cover   how often 95 % intervals hold, at a number of games and at all of them
  python -m benchmarks.arena kill    an arena with faulty agents that is killed again and again
  python -m benchmarks.arena variates   how many episodes means without luck save, and whether they are unbiased

Neighbours of a league beat each other in 60 % of games that are not drawn; the first side is worth 0.3 in log-odds.
"""

import itertools
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import studies
from mmgames.agents.finding import find_agent
from mmgames.arena.arena import Settings, arena
from mmgames.arena.ladder import ladder
from mmgames.arena.meetings import SCHEDULES, Schedule, adaptive_pairs, fair_pairs, next_fit
from mmgames.arena.ratings import Comparison, Ratings, fit
from mmgames.baselines.search.minimax import Minimax
from mmgames.baselines.search.tree_values import signals
from mmgames.core import registry
from mmgames.core.seeding import draw_from
from mmgames.running.matches import match
from mmgames.running.processes import run_jobs
from mmgames.running.statistics import WIDE
from mmgames.text.command_line import read_arguments

NEIGHBOURS = np.log(0.6 / 0.4)
"""By how much each of a league is stronger than the next."""
FIRST, DRAW = 0.3, 0.2


def league(
    rng: np.random.Generator, truth: np.ndarray, games: int = 1900, schedule: Schedule = "adaptive"
) -> Iterator[Ratings]:
    """A simulated league of these strengths: its ratings whenever it has an eighth more games, and at its end."""
    agents = len(truth)
    played: list[Comparison] = []
    rounds, looks = 0, 0
    met = np.zeros((agents, agents), int)
    found = fit([], range(agents))
    while len(played) < games:
        most = (games - len(played)) // 2
        if schedule == "adaptive":
            pairs = adaptive_pairs(found, met, most, range(agents), rounds)
        else:
            pairs = fair_pairs(met, most, range(agents))
        rounds += 1
        for one, other in (*pairs, *((other, one) for one, other in pairs)):
            played.append(Comparison(one, other, _outcome(rng, truth[one] - truth[other] + FIRST), "", len(played)))
            met[one, other] += 1
        if len(played) >= looks or len(played) >= games:
            looks = next_fit(len(played))
            found = fit(played, range(agents))
            yield found


def ladder_like(rng: np.random.Generator, agents: int = 20) -> np.ndarray:
    """Strengths of agents of whom each beats the next as often, in any order."""
    return rng.permutation(np.arange(agents) * NEIGHBOURS)


def with_outlier(rng: np.random.Generator, agents: int = 6) -> np.ndarray:
    """The same with one more, who wins 5 to 0.1 % of its games against the middle, or loses as many."""
    even = np.arange(agents - 1) * NEIGHBOURS
    return np.append(rng.permutation(even), even.mean() + rng.choice([-1, 1]) * rng.uniform(3, 7))


def _outcome(rng: np.random.Generator, gap: float) -> float:
    win, loss = np.exp(gap / 2), np.exp(-gap / 2)
    drawn = rng.random() * (win + loss + DRAW)
    return 1.0 if drawn < win else 0.0 if drawn < win + loss else 0.5


def kendall(one: np.ndarray, other: np.ndarray) -> float:
    """Pairs in the same order less those in the other, of all."""
    above = np.triu_indices(len(one), 1)
    agree = np.sign(one[:, None] - one[None, :]) * np.sign(other[:, None] - other[None, :])
    return float(agree[above].mean())


def tau(seed: int, games: int, schedule: Schedule, agents: int = 20) -> float:
    """Kendall's τ of a league's order with the true one."""
    rng = np.random.default_rng(seed)
    truth = ladder_like(rng, agents)
    *_, found = league(rng, truth, games, schedule)
    return kendall(found.strengths, truth)


def order(leagues: int) -> None:
    for schedule, games in (("adaptive", 1900), ("round-robin", 1900), ("round-robin", 19_000)):
        taus = [tau(seed, games, schedule) for seed in range(leagues)]  # type: ignore[arg-type]
        print(f"{schedule:12} {games:6} games: τ {studies.mean(taus, digits=3)}, lowest {min(taus):.3f}", flush=True)


LADDER = (
    *((share, 1) for share in (0, 0.05, 0.1, 0.16, 0.22, 0.29, 0.37, 0.46, 0.56, 0.7, 0.87, 1)),
    *((1, 2), (0.7, 3), (1, 3), (0.82, 4), (0.91, 4), (1, 4), (0.93, 5), (1, 5)),
)
"""Share of best moves, and how far ahead they are looked for: twenty agents of Breakthrough, weakest first."""


def agents(games: int, processes: int) -> None:
    """The order that arenas find of real agents, beside the true one; neighbours play a match of so many games."""
    names = [f"benchmarks.arena:Often:share={share},depth={depth},as={share}x{depth}" for share, depth in LADDER]
    won = []
    for weaker, stronger in pairwise(names):
        sides = ([stronger, weaker], [weaker, stronger])
        ends = [match("Breakthrough", both, games // 2, processes=processes).returns() for both in sides]
        won.append(float(np.mean([*(ends[0][:, 0] > 0), *(ends[1][:, 1] > 0)])))
        one, other = (name.rpartition("=")[2] for name in (stronger, weaker))
        print(f"{one:>8} beats {other:>8} in {100 * won[-1]:.1f} %", flush=True)
    print(f"neighbours: {games} games each, lowest {100 * min(won):.1f} %", flush=True)
    for schedule, total in (("adaptive", 1900), ("round-robin", 1900), ("round-robin", 19_000)):
        rated = ladder(arena(["Breakthrough"], names, total, Settings(schedule), processes=processes))  # type: ignore[arg-type]
        ranks = rated["by_game"]["mmgames/Breakthrough-v0"]["ladder"]
        found = {one["agent"]: one["rating"] for one in ranks}
        ratings = np.array([found[name.rpartition("=")[2]] for name in names])
        print(f"{schedule:12} {total:6} games: τ {kendall(ratings, np.arange(len(names))):.3f}", flush=True)


LEAGUES = {"even": (ladder_like, 20, 1900), "with an outlier": (with_outlier, 6, 300)}
"""Kinds of leagues: what draws their strengths, how many agents, how many games."""


def cover(leagues: int, processes: int = 1) -> None:
    """How often intervals hold what is true: at the end; and the ones for any time whenever looked at."""
    for kind, schedule in itertools.product(LEAGUES, SCHEDULES):
        jobs = [(kind, schedule, seed) for seed in range(leagues)]
        held = np.array([np.array(found) for found in run_jobs(_held, jobs, processes)])  # [league, agent, which]
        parts = {"at the end": held[:, :, 0], "always": held[:, :, 1]}
        if kind != "even":
            parts |= {"the outlier": held[:, -1:, 0], "the others": held[:, :-1, 0]}
        said = [f"{name} {studies.mean(100 * part.mean(axis=1), digits=3)} %" for name, part in parts.items()]
        if kind != "even":
            said.insert(3, f"{held[:, -1, 2].mean():.0%} open ends")
        print(f"{kind}, {schedule}, {leagues} leagues: {', '.join(said)}", flush=True)


def _held(kind: str, schedule: Schedule, seed: int) -> list[list[float]]:
    """Of every agent: whether its interval holds at the end, those for any time at all looks, and has an open end."""
    draw, agents, games = LEAGUES[kind]
    rng = np.random.default_rng(seed)
    truth = draw(rng, agents)
    always = np.ones(agents, bool)
    for number, found in enumerate(league(rng, truth, games, schedule)):
        own = truth - found.likelihood.middles(truth)[0]
        if (number + 1).bit_count() == 1:
            always &= _inside(found.interval(anytime=True), own)
    last = found.interval()
    return np.stack((_inside(last, own), always, np.isinf(last).any(axis=1)), axis=1).astype(float).tolist()


def _inside(interval: np.ndarray, truth: np.ndarray) -> np.ndarray:
    return np.asarray((interval[:, 0] <= truth) & (truth <= interval[:, 1]))


class Silent:
    """Plays as an agent of KuhnPoker does, and does not tell how likely its moves are, as a model would not."""

    def __init__(self, like: str = "equilibrium") -> None:
        self.agent = find_agent(like, registry.find("KuhnPoker"))

    def act(self, turn: Any) -> Any:
        return self.agent.act(turn)


class Often:
    """Plays the best move, so many moves ahead, with a probability, and any other time one at random."""

    def __init__(self, share: float, depth: int = 1) -> None:
        self.share, self.best = float(share), Minimax(int(depth))

    def act(self, turn: Any) -> Any:
        return self.best.act(turn) if turn.rng.random() < self.share else draw_from(turn.legal, turn.rng)


_HIDDEN, _HIDDEN_RANDOM = "benchmarks.arena:Silent", "benchmarks.arena:Silent:like=random"
BEHIND = {_HIDDEN: "equilibrium", _HIDDEN_RANDOM: "random"}
PAIRS = (
    *(("KuhnPoker", "equilibrium", "random"), ("KuhnPoker", "equilibrium", _HIDDEN), ("KuhnPoker", _HIDDEN, "random")),
    *(("KuhnPoker", _HIDDEN_RANDOM, "cfr:iterations=10"), ("KuhnPoker", _HIDDEN, _HIDDEN_RANDOM)),
    *(("Hanabi", "rule_bot", "rule_bot"), ("TinyHanabi", "rule_bot", "rule_bot"), ("TinyHanabi", "random", "rule_bot")),
    *(("CoinDilemma", "self_interest", "common_welfare"), ("CoinDilemma", "random", "random")),
    *(("MonsterHunt", "self_interest", "self_interest"), ("BattleOfTheColors", "self_interest", "self_interest")),
)
MATCH = 200
"""Episodes of a match whose mean is looked at."""


def variates(matches: int, only: str = "", first: int = 0) -> None:
    """Of the first seat: the plain mean and the one without luck, over matches of 200 episodes each."""
    print(
        "| game | first seat | second seat | episodes | exact | plain mean | without luck | worth | off by, in errors "
        "| plain intervals hold | those without luck |\n|---|---|---|---|---|---|---|---|---|---|---|"
    )
    for game, one, other in (pair for pair in PAIRS if only in ("", pair[0])):
        plain, less = [], []
        for seed in range(first, first + (matches if game == "KuhnPoker" else max(3, matches // 20))):
            seat = match(game, [one, other], MATCH, seed).summary(variates=True)["seats"][0]
            plain.append((seat["mean"], seat["standard_error"]))
            less.append((seat["without_luck"]["mean"], seat["without_luck"]["standard_error"]))
        (mean, error), (lean, lean_error) = np.array(plain).T, np.array(less).T
        truth = _exact(one, other) if game == "KuhnPoker" else None
        apart = lean - (mean if truth is None else truth)  # what is not known exactly is held against the plain mean
        sure = apart.mean() / (apart.std(ddof=1) / np.sqrt(len(apart)))
        middle = lean.mean() if truth is None else truth
        held = [np.mean(np.abs(m - middle) <= WIDE * e) for m, e in ((mean, error), (lean, lean_error))]
        print(
            f"| {game} | {one} | {other} | {len(mean) * MATCH:,} | {'–' if truth is None else f'{truth:.4f}'} | "
            f"{studies.mean(mean, digits=3)} | {studies.mean(lean, digits=3)} | "
            f"{np.median((error / lean_error) ** 2):.2f} | {sure:+.2f} | {held[0]:.0%} | {held[1]:.0%} |",
            flush=True,
        )


def _exact(one: str, other: str) -> float:
    """What the first seat of KuhnPoker is worth between two agents, those who do not tell being as those they play."""
    game = registry.load("KuhnPoker").game()
    agents = [find_agent(BEHIND.get(name, name), game.spec) for name in (one, other)]
    return float(signals(game, agents)(game.start(np.random.default_rng(0)))[0])


COMMAND = (
    *("arena", "TicTacToe", "KuhnPoker", "--agent", "random", "--agent", "benchmarks.arena:Faulty"),
    *("--agent", "benchmarks.arena:Faulty:rate=0.3,as=faultier", "--games", "400", "--json", "--out"),
)


class Faulty:
    """Plays at random, and now and then raises, answers nonsense or an illegal move; the same in the same game."""

    def __init__(self, rate: float = 0.05) -> None:
        self.rate = rate

    def act(self, turn: Any) -> Any:
        kind = turn.rng.random()
        if kind < self.rate / 3:
            raise RuntimeError("a fault")
        if kind < self.rate:
            return "no move at all" if kind < self.rate * 2 / 3 else 10_000
        return turn.sample()


def kill(times: int) -> None:
    """An arena that is killed at random moments gives the same ladder as one that is left alone."""
    chance = random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        alone, killed = Path(folder) / "alone", Path(folder) / "killed"
        begun = time.perf_counter()
        expected = json.loads(_mmgames(*COMMAND, str(alone)).communicate()[0])
        seconds = time.perf_counter() - begun
        deaths, done = 0, b""
        while deaths < times or not done:
            process = _mmgames(*COMMAND, str(killed))
            try:
                wait = None if deaths >= times else chance.uniform(0.3, 1.0) * max(2.0, seconds / 3)
                done, _ = process.communicate(timeout=wait)
                if deaths < times:  # it was done before it could be killed: begin anew
                    assert json.loads(done) == expected
                    for file in killed.iterdir():
                        file.unlink()
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.communicate()
                deaths += 1
        same = json.loads(done) == expected
        print(f"{deaths} kills, {expected['games']} games, {expected['failed']} failed: ladder equal: {same}")
        sys.exit(0 if same else 1)


def _mmgames(*words: str) -> subprocess.Popen[bytes]:
    run, env = [sys.executable, "-m", "mmgames", *words], {**os.environ, "PYTHONPATH": "."}
    return subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env)


if __name__ == "__main__":
    args = read_arguments(__doc__, __file__)
    known = {
        "agents": lambda: agents(args.matches, args.processes),
        "order": lambda: order(args.leagues),
        "cover": lambda: cover(args.leagues, args.processes),
        "kill": lambda: kill(args.kills),
        "variates": lambda: variates(args.matches, args.only, args.seed),
    }
    known[args.do]()
