"""The page docs/results/selfishness.md: what it costs several players that each learns for itself.

  python benchmarks/selfishness.py train results/selfishness            # a run for each game, number of players, seed
  python benchmarks/selfishness.py page results/selfishness             # the table, from what is there

IPPO learns each dilemma with 2, 3, 4, 6 and 8 players, once from everybody's own reward and once from the mean of all,
with several seeds. Each policy then plays all seats of 1000 episodes; so do the heuristics. `--part 1/4` takes every
fourth run, to share the work. What has been trained is not trained again.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mmgames.core import registry
from mmgames.envs.batch_agents import play

HEURISTICS = {
    "CoinDilemma": ("self_interest", "common_welfare"),
    "MonsterHunt": ("self_interest", "wait_middle"),
    "BattleOfTheColors": ("self_interest", "common_welfare"),
}
PLAYERS = (2, 3, 4, 6, 8)
SHARING = {0.0: "own", 1.0: "shared"}
EPISODES = 1000
RECIPE: dict[str, Any] = dict(layers=(64, 64), epochs=2)
PAGE = Path("docs/results/selfishness.md")
READ = """\
Both prices are to be read together. Between heuristics, who know the game, it is what selfishness costs by the rules.
Between learners it is that and how hard each reward is to learn from: the more players share a reward, the less of it
is due to what one of them did. Where the price of learning is below zero, own rewards taught more than shared ones in
the same number of steps, although the heuristics show that playing for all would collect more than either."""


def runs(seeds: int, games: Sequence[str]) -> list[tuple[str, int, int, float]]:
    """Game, seed, players and sharing of each run."""
    return list(itertools.product(games, range(seeds), PLAYERS, SHARING))


def train(folder: Path, part: str, todo: list[tuple[str, int, int, float]], **settings: Any) -> None:
    """Train what is not there yet, and write what each policy collects with itself."""
    from mmgames.baselines.learning import ippo

    number, of = (int(word) for word in part.split("/"))
    for game, seed, players, sharing in todo[number - 1 :: of]:
        out = folder / f"{game}-{players}-{SHARING[sharing]}-{seed}"
        if (out / "result.json").exists():
            continue
        ippo.train(
            game, out, seed=seed, sharing=sharing, options={"players": players}, show=False, **settings, **RECIPE
        )
        result = dict(game=game, players=players, sharing=SHARING[sharing], seed=seed, steps=settings["steps"])
        result["returns"] = itself(game, f"ippo:{out / 'policy.npz'}", players).mean(axis=0).tolist()
        (out / "result.json").write_text(json.dumps(result) + "\n")
        print(json.dumps(result), flush=True)


def itself(game: str, agent: str, players: int) -> np.ndarray:
    """Returns [episode, seat] of an agent in all seats."""
    return play(registry.find(game).id, [agent] * players, EPISODES, players=players)


def figure(values: Sequence[float]) -> tuple[float, float]:
    """Mean and standard error; the error of a single value is not known."""
    return float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else math.nan


def shown(mean: float, error: float, sign: str = "") -> str:
    return f"{mean:{sign}.2f}" + ("" if math.isnan(error) else f" ± {error:.2f}")


def page(folder: Path) -> str:
    """The table."""
    results = [json.loads(path.read_text()) for path in sorted(folder.glob("*/result.json"))]
    steps = ", ".join(f"{number:,}" for number in sorted({result["steps"] for result in results}))
    lines = [
        "# The price of selfishness",
        "",
        "What one player collects in an episode when all of them learn for themselves, and when all of them learn "
        f"for all. IPPO with one small network for all seats, {steps} steps of single episodes, on 5×5 with 50 steps "
        f"an episode; each policy measured with itself over {EPISODES} episodes, ± standard errors over seeds where "
        "there is more than one. The price is what a player loses because everybody is paid its own reward alone. "
        f"Heuristics play with themselves too, ± over {EPISODES} episodes. The head of `benchmarks/selfishness.py` "
        "has the commands.",
        "",
        "| game | players | seeds | own reward | shared reward | price | self_interest | the kinder heuristic | "
        "between them |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for game, players in itertools.product(HEURISTICS, PLAYERS):
        means: dict[str, list[float]] = {kind: [] for kind in SHARING.values()}
        for result in results:
            if (result["game"], result["players"]) == (game, players):
                means[result["sharing"]].append(float(np.mean(result["returns"])))
        if not all(means.values()):
            continue
        (own, own_error), (shared, shared_error) = figure(means["own"]), figure(means["shared"])
        price, error = shared - own, math.hypot(own_error, shared_error)
        cells = [game, str(players), str(min(map(len, means.values())))]
        cells += [shown(own, own_error), shown(shared, shared_error), shown(price, error, "+")]
        selfish, kinder = HEURISTICS[game]
        (low, low_error), (high, high_error) = (
            figure(itself(game, agent, players).mean(axis=1).tolist()) for agent in (selfish, kinder)
        )
        cells += [shown(low, low_error), f"{shown(high, high_error)} ({kinder})"]
        cells.append(shown(high - low, math.hypot(low_error, high_error), "+"))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", READ, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=("train", "page"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--part", default="1/1", help="which share of the runs, such as 2/4")
    parser.add_argument("--games", nargs="+", choices=tuple(HEURISTICS), default=list(HEURISTICS))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=3_000_000)
    parser.add_argument("--num-envs", type=int, default=1024)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--out", type=Path, default=PAGE)
    args = parser.parse_args()
    if args.do == "train":
        settings = dict(steps=args.steps, num_envs=args.num_envs, device=args.device, threads=args.threads)
        train(args.folder, args.part, runs(args.seeds, args.games), **settings)
    else:
        args.out.write_text(page(args.folder))


if __name__ == "__main__":
    main()
