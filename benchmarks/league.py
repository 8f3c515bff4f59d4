"""The page docs/results/leagues.md: does a league leave less to a best answer than self-play does?

    python -m benchmarks.league train results/league        # the runs (PyTorch), about a minute of one core each
    python -m benchmarks.league answers results/league      # best answers, in MonsterHunt about a minute of one core
    python -m benchmarks.league page results/league         # the page, from what is there

IPPO learns CoinDilemma and MonsterHunt from each player's own reward, by self-play and with `--recipe league`, with
several seeds and as many steps. `baselines/search/best_answer.py` then plans the best answer to each policy, and plays
it. What has been made is not made again.
"""

import argparse
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import studies
from benchmarks.studies import gap, mean
from mmgames.text.tables import markdown_table

GAMES = {"CoinDilemma": 5, "MonsterHunt": 50}
"""The games, and the steps between two looks at a policy when a best answer to it is planned."""
STEPS = {"CoinDilemma": 1_500_000, "MonsterHunt": 4_000_000}
KINDS: dict[str, dict[str, Any]] = {"self-play": {}, "league": {"recipe": "league"}}
RECIPE: dict[str, Any] = dict(sharing=0.0, layers=(64, 64), epochs=2)
EPISODES = 500
COLUMNS = {"itself": "beside itself", "worth": "best answer, worked out", "played": "played"}


def runs(args: argparse.Namespace) -> Iterator[tuple[str, str, int, Path]]:
    """Game, kind, seed and folder."""
    for seed, game, kind in itertools.product(range(args.seeds), args.games, args.kinds):
        yield game, kind, seed, args.folder / f"{game}-{kind}-{seed}"


def train(args: argparse.Namespace) -> None:
    from mmgames.baselines.learning import ippo

    for game, kind, seed, out in runs(args):
        if not (out / "curve.png").exists():
            begun = (out / "training.npz").exists()
            how = {**RECIPE, **KINDS[kind], "steps": args.steps or STEPS[game]}
            log = ippo.train(game, out, seed=seed, device="cpu", threads=1, show=False, resume=begun, **how)
            print(out.name, ippo.outcome(log), flush=True)


def answers(args: argparse.Namespace) -> None:
    """Write what each policy gets beside itself, and what the best answer to it gets."""
    from mmgames.baselines.search.best_answer import answered
    from mmgames.envs.batch_agents import play

    for game, kind, seed, out in runs(args):
        if (out / "curve.png").exists() and not (out / "answer.json").exists():
            policy = f"ippo:{out / 'policy.npz'}"
            itself = play(game, [policy, policy], EPISODES, seed=8)[:, 0].mean()
            worth, played = answered(game, policy, EPISODES, 9, GAMES[game])
            run = dict(game=game, kind=kind, seed=seed, worth=worth)
            studies.keep(out / "answer.json", **run, itself=itself, played=played.mean())


def page(args: argparse.Namespace) -> str:
    """The tables, and what they say."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for one in studies.kept(args.folder, "answer.json"):
        found.setdefault((one["game"], one["kind"]), []).append({**one, "gap": one["worth"] - one["itself"]})
    gaps = {key: [one["gap"] for one in found[key]] for key in itertools.product(GAMES, KINDS)}
    rows = [
        (*key, *(mean([one[name] for one in found[key]]) for name in COLUMNS), mean(each, "+"))
        for key, each in gaps.items()
    ]
    compared = []
    for game in GAMES:
        own, league = (np.array(gaps[game, kind]) for kind in KINDS)
        compared.append(
            f"- {game}: the league's policy leaves {league.mean():.2f} to a best answer, self-play's {own.mean():.2f}: "
            f"{league.mean() / own.mean():.2f} times as much, {gap(league, own)}."
        )
    seeds = len(next(iter(gaps.values())))
    return studies.words(
        "league", seeds=seeds, episodes=EPISODES, compared="\n".join(compared),
        table=markdown_table(("game", "learned by", *COLUMNS.values(), "gap"), rows),
        gaps=markdown_table(
            ("game", "learned by", *map(str, range(seeds))),
            [(*key, *(f"{one:+.2f}" for one in each)) for key, each in gaps.items()],
        ),
    )  # fmt: skip


if __name__ == "__main__":
    studies.command(
        __doc__, "leagues.md", {"train": train, "answers": answers, "page": page}, seeds=3,
        games=studies.some_of(GAMES, "games"), kinds=studies.some_of(KINDS, "ways to learn"),
        steps={"type": int, "help": "of each run, in place of those in STEPS"},
    )  # fmt: skip
