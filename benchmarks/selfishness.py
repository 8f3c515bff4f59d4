"""The page docs/results/selfishness.md: what it costs several players that each learns for itself.

  python -m benchmarks.selfishness train results/selfishness            # a run for each game, number of players, seed
  python -m benchmarks.selfishness page results/selfishness             # the table, from what is there

IPPO learns each dilemma with 2, 3, 4, 6 and 8 players, once from everybody's own reward and once from the mean of all,
with several seeds. Each policy then plays all seats of 1000 episodes; so do the heuristics. `--part 1/4` takes every
fourth run, to share the work. What has been trained is not trained again.
"""

import argparse
import itertools
from typing import Any

import numpy as np

from benchmarks import studies
from benchmarks.studies import gap, mean
from mmgames.core import registry
from mmgames.envs.batch_agents import play
from mmgames.text.tables import markdown_table

HEURISTICS = {
    "CoinDilemma": ("self_interest", "common_welfare"),
    "MonsterHunt": ("self_interest", "wait_middle"),
    "BattleOfTheColors": ("self_interest", "common_welfare"),
}
PLAYERS = (2, 3, 4, 6, 8)
SHARING = {0.0: "own", 1.0: "shared"}
EPISODES = 1000
RECIPE: dict[str, Any] = dict(layers=(64, 64), epochs=2)
COLUMNS = ("game", "players", "seeds", "own reward", "shared reward", "price", "self_interest", "the kinder heuristic")


def train(args: argparse.Namespace) -> None:
    """Train what is not there yet, and write what each policy collects with itself."""
    from mmgames.baselines.learning import ippo

    settings = {name: getattr(args, name) for name in ("steps", "num_envs", "device", "threads")}
    runs = itertools.product(args.games, range(args.seeds), PLAYERS, SHARING.items())
    for game, seed, players, (sharing, kind) in studies.part(runs, args.part):
        out = args.folder / f"{game}-{players}-{kind}-{seed}"
        if not (out / "result.json").exists():
            options = {"players": players}
            ippo.train(game, out, seed=seed, sharing=sharing, options=options, show=False, **settings, **RECIPE)
            returns = itself(game, f"ippo:{out / 'policy.npz'}", players).mean(axis=0).tolist()
            run = dict(game=game, players=players, sharing=kind, seed=seed, steps=args.steps)
            studies.keep(out / "result.json", **run, returns=returns)


def itself(game: str, agent: str, players: int) -> np.ndarray:
    """Returns [episode, seat] of an agent in all seats."""
    return play(registry.find(game).id, [agent] * players, EPISODES, players=players)


def page(args: argparse.Namespace) -> str:
    results, rows = studies.kept(args.folder), []
    for game, players in itertools.product(HEURISTICS, PLAYERS):
        mine = [one for one in results if (one["game"], one["players"]) == (game, players)]
        own, shared = ([np.mean(one["returns"]) for one in mine if one["sharing"] == kind] for kind in SHARING.values())
        if own and shared:
            selfish, kinder = (itself(game, agent, players).mean(axis=1) for agent in HEURISTICS[game])
            learned = [str(min(len(own), len(shared))), mean(own), mean(shared), gap(shared, own)]
            played = [mean(selfish), f"{mean(kinder)} ({HEURISTICS[game][1]})", gap(kinder, selfish)]
            rows.append([game, str(players), *learned, *played])
    table = markdown_table((*COLUMNS, "between them"), rows)
    steps = ", ".join(f"{number:,}" for number in sorted({result["steps"] for result in results}))
    return studies.words("selfishness", table=table, steps=steps, episodes=EPISODES)


if __name__ == "__main__":
    studies.command(
        __doc__, "selfishness.md", {"train": train, "page": page}, part=studies.PART, seeds=3, steps=3_000_000,
        games=studies.some_of(HEURISTICS, "dilemmas"), threads=1, num_envs=1024, device="auto",
    )  # fmt: skip
