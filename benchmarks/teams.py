"""The page docs/results/teams.md: which learner serves a team that is paid together.

  python -m benchmarks.teams train results/teams            # a run for each game, learner and seed
  python -m benchmarks.teams page results/teams             # the table, from what is there

IPPO, MAPPO (`--recipe mappo`) and VDN learn the same games from the mean of all seats' rewards, on as many steps, each
by its own recipe. Each policy then plays all seats of 1000 episodes. `--part 1/4` takes every fourth run, to share the
work. What has been trained is not trained again.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.selfishness import EPISODES, figure, shown
from mmgames.core import registry
from mmgames.envs.batch_agents import play

GAMES = ("Overcooked", "BattleOfTheColors", "MonsterHunt", "TinyHanabi")
LEARNERS = ("ippo", "mappo", "vdn")
PAGE = Path("docs/results/teams.md")
HEAD = """# Teams

Written by `python -m benchmarks.teams page`; its head has the commands.

Which learner serves a team that is paid together? All of them learn from the mean of all seats' rewards, {steps}
steps of single episodes, with one network for all seats. *ippo* values each seat's own observation, *mappo* those of
all seats together while it learns, *vdn* adds up what one network says of each seat's action. Each has its own recipe
as it is shipped. A policy is measured with itself over {episodes} episodes: what one player collects, ± standard
errors over {seeds} seeds. Seconds are those of one core.

| game | learner | return per player | of each seed | seconds |
| --- | --- | ---: | --- | ---: |"""


def runs(seeds: int) -> list[tuple[str, int, str]]:
    """Game, seed and learner of each run."""
    return list(itertools.product(GAMES, range(seeds), LEARNERS))


def train(folder: Path, part: str, seeds: int, steps: int) -> None:
    """Train what is not there yet, and write what each policy collects with itself."""
    from mmgames.baselines.learning import ippo, vdn

    how: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
        "ippo": (ippo.train, {"sharing": 1.0}), "mappo": (ippo.train, {"sharing": 1.0, "recipe": "mappo"}),
        "vdn": (vdn.train, {}),
    }  # fmt: skip
    number, of = (int(word) for word in part.split("/"))
    for game, seed, learner in runs(seeds)[number - 1 :: of]:
        out = folder / f"{game}-{learner}-{seed}"
        if (out / "result.json").exists():
            continue
        learn, changes = how[learner]
        begun = time.process_time()
        learn(game, out, seed=seed, steps=steps, device="cpu", threads=1, show=False, **changes)
        result = {"game": game, "learner": learner, "seed": seed, "steps": steps}
        result |= {"seconds": time.process_time() - begun, "returns": collected(game, out / "policy.npz")}
        (out / "result.json").write_text(json.dumps(result) + "\n")
        print(json.dumps(result), flush=True)


def collected(game: str, policy: Path) -> list[float]:
    """What each seat gets on average."""
    means: list[float] = play(registry.find(game).id, [f"ippo:{policy}"] * 2, EPISODES).mean(axis=0).tolist()
    return means


def page(folder: Path) -> str:
    """The table."""
    results = [json.loads(path.read_text()) for path in sorted(folder.glob("*/result.json"))]
    steps = " or ".join(f"{number:,}" for number in sorted({result["steps"] for result in results}))
    seeds = len({result["seed"] for result in results})
    lines = [HEAD.format(steps=steps, episodes=EPISODES, seeds=seeds)]
    for game, learner in itertools.product(GAMES, LEARNERS):
        mine = [result for result in results if (result["game"], result["learner"]) == (game, learner)]
        if not mine:
            continue
        each = [sum(result["returns"]) / len(result["returns"]) for result in mine]
        seconds = sum(result["seconds"] for result in mine) / len(mine)
        told = ", ".join(f"{value:.2f}" for value in each)
        lines.append(f"| {game} | {learner} | {shown(*figure(each))} | {told} | {seconds:.0f} |")
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=("train", "page"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--part", default="1/1", help="which share of the runs, such as 2/4")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=4_000_000)
    parser.add_argument("--out", type=Path, default=PAGE)
    args = parser.parse_args()
    if args.do == "train":
        train(args.folder, args.part, args.seeds, args.steps)
    else:
        args.out.write_text(page(args.folder))


if __name__ == "__main__":
    main()
