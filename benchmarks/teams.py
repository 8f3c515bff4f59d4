"""The page docs/results/teams.md: which learner serves a team that is paid together.

  python -m benchmarks.teams train results/teams            # a run for each game, learner and seed
  python -m benchmarks.teams page results/teams             # the table, from what is there

IPPO, MAPPO (`--recipe mappo`) and VDN learn the same games from the mean of all seats' rewards, on as many steps, each
by its own recipe. Each policy then plays all seats of 1000 episodes. `--part 1/4` takes every fourth run, to share the
work. What has been trained is not trained again.
"""

import argparse
import itertools
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import studies
from benchmarks.selfishness import EPISODES
from mmgames.core import registry
from mmgames.envs.batch_agents import play
from mmgames.text.tables import markdown_table

GAMES = ("Overcooked", "BattleOfTheColors", "MonsterHunt", "TinyHanabi")
LEARNERS = ("ippo", "mappo", "vdn")
COLUMNS = ("game", "learner", "return per player", "of each seed", "seconds")


def train(args: argparse.Namespace) -> None:
    """Train what is not there yet, and write what each policy collects with itself."""
    from mmgames.baselines.learning import ippo, vdn

    how: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
        "ippo": (ippo.train, {"sharing": 1.0}), "mappo": (ippo.train, {"sharing": 1.0, "recipe": "mappo"}),
        "vdn": (vdn.train, {}),
    }  # fmt: skip
    for game, seed, learner in studies.part(itertools.product(GAMES, range(args.seeds), LEARNERS), args.part):
        out = args.folder / f"{game}-{learner}-{seed}"
        if not (out / "result.json").exists():
            learn, changes = how[learner]
            begun = time.process_time()
            learn(game, out, seed=seed, steps=args.steps, device="cpu", threads=1, show=False, **changes)
            seconds, policy = time.process_time() - begun, f"ippo:{out / 'policy.npz'}"
            returns = play(registry.find(game).id, [policy] * 2, EPISODES).mean(axis=0).tolist()
            run = dict(game=game, learner=learner, seed=seed, steps=args.steps, seconds=seconds)
            studies.keep(out / "result.json", **run, returns=returns)


def page(args: argparse.Namespace) -> str:
    results, rows = studies.kept(args.folder), []
    for game, learner in itertools.product(GAMES, LEARNERS):
        mine = [result for result in results if (result["game"], result["learner"]) == (game, learner)]
        if mine:
            each = [np.mean(result["returns"]) for result in mine]
            seconds = np.mean([result["seconds"] for result in mine])
            single = ", ".join(f"{value:.2f}" for value in each)
            rows.append((game, learner, studies.mean(each), single, f"{seconds:.0f}"))
    steps = " or ".join(f"{number:,}" for number in sorted({result["steps"] for result in results}))
    seeds, table = len({result["seed"] for result in results}), markdown_table(COLUMNS, rows, right=(2, 4))
    return studies.words("teams", table=table, steps=steps, seeds=seeds, episodes=EPISODES)


if __name__ == "__main__":
    does = {"train": train, "page": page}
    studies.command(__doc__, "teams.md", does, part=studies.PART, seeds=3, steps=4_000_000)
