"""The page docs/results/commons.md: what greed and restraint, eating and cleaning come to; what selfish learners learn.

    python -m benchmarks.commons train results/commons      # IPPO (PyTorch), one thread; goes on where it stopped
    python -m benchmarks.commons page results/commons       # groups of heuristics, and the curves of what was trained

Groups of heuristics play 1000 episodes each. IPPO learns each game from everybody's own reward with several seeds; as
it learns, its policy plays all seats of 256 episodes again and again, and what it collects is written down.
"""

import argparse
import itertools
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks import studies
from mmgames.core import registry
from mmgames.games._commons.rules import CLEANS, EATS, FIRES
from mmgames.text.tables import markdown_table

SEED = 1
LOOKS, LOOKED_AT = 24, 256
KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "own": ("one network, own rewards", {"sharing": 0.0}),
    "apart": ("a network each, own rewards", {"sharing": 0.0, "nets": "own"}),
    "shared": ("one network, the mean of all rewards", {"sharing": 1.0}),
}
"""Learners: what they are called, and what they change of the recipe."""
LITERATURE: dict[str, Any] = dict(players=5, horizon=1000, view=15, reach=5)
SIZES: dict[str, dict[str, Any]] = {
    "Harvest": {**LITERATURE, "map": "orchard"},
    "Cleanup": {**LITERATURE, "map": "river", "waste": 0.5},
}
"""The games, with the options of the literature's sizes."""
GROUPS = {
    "restrained": ("Harvest", "greedy"), "cleaner": ("Cleanup", "eater"), "turn_taker": ("Cleanup", "eater"),
}  # fmt: skip
"""Who cooperates, in which game, and who does not."""
COLUMNS = {"return": "return", "apples": "apples eaten", "time": "mean step of eating", "fires": "beams fired"}
Curve = list[dict[str, float]]


class Played(NamedTuple):
    """What episodes came to, by episode and seat: returns, apples, the mean step of eating, beams, cells cleaned."""

    returns: np.ndarray
    apples: np.ndarray
    times: np.ndarray
    fires: np.ndarray
    cleans: np.ndarray

    def step(self, digits: int = 1) -> str:
        """When apples were eaten, on average."""
        return f"{np.nanmean(self.times):.{digits}f}" if self.apples.any() else "–"


def measure(name: str, agents: Sequence[str], episodes: int, **options: Any) -> Played:
    """Play episodes, all of them at once."""
    returns, times, before = np.zeros((episodes, len(agents))), np.zeros((episodes, len(agents))), 0.0
    for step, (states, rewards, _) in enumerate(studies.played(name, agents, episodes, SEED, **options)):
        returns += rewards
        happened = states["happened"].astype(float)
        eaten = happened[:, EATS]
        times += (step + 1) * (eaten - before)
        before = eaten
    with np.errstate(invalid="ignore"):
        return Played(returns, eaten, times / eaten, happened[:, FIRES], happened[:, CLEANS])


def each(values: np.ndarray) -> str:
    """What a player gets, mean and standard error over episodes; a dash for nobody."""
    return studies.mean(values.mean(axis=1) if values.size else ())


def equality(values: np.ndarray) -> float:
    """One less the Gini coefficient of what the seats get, the mean over episodes in which anybody gets anything."""
    gets = values[values.sum(axis=1) > 0]
    apart = np.abs(gets[:, :, None] - gets[:, None, :]).sum(axis=(1, 2))
    return float((1 - apart / (2 * gets.shape[1] * gets.sum(axis=1))).mean())


def group_table(cooperator: str, episodes: int) -> str:
    """The Schelling diagram as a table: what each kind gets, by how many of the group cooperate."""
    game, defector = GROUPS[cooperator]
    players, rows = len(registry.find(game).seats), []
    for number in range(players, -1, -1):
        played = measure(game, [cooperator] * number + [defector] * (players - number), episodes)
        kinds = each(played.returns[:, :number]), each(played.returns[:, number:])
        equal = f"{equality(played.apples):.2f}" if played.apples.any() else "–"
        total = studies.mean(played.returns.sum(axis=1))
        rows.append((str(number), str(players - number), *kinds, total, played.step(), equal))
    gets = (f"each {cooperator} gets", f"each {defector} gets", "all together")
    return markdown_table((cooperator, defector, *gets, "mean step of eating", "equality"), rows)


def large_table() -> str:
    rows = []
    for cooperator, number in itertools.product(("restrained", "turn_taker"), (5, 4, 0)):
        game, defector = GROUPS[cooperator]
        played = measure(game, [cooperator] * number + [defector] * (5 - number), 64, **SIZES[game])
        kinds = [f"{cooperator} {each(played.returns[:, :number])}"] if number else []
        kinds += [f"{defector} {each(played.returns[:, number:])}"] if number < 5 else []
        group = f"{number} {cooperator}, {5 - number} {defector}"
        rows.append((game, group, ", ".join(kinds), played.step(0)))
    return markdown_table(("game", "group", "return of each kind", "mean step of eating"), rows)


def train(args: argparse.Namespace) -> None:
    """Learn what is not learned yet, and write the curve of each run."""
    for seed, kind, game in itertools.product(range(args.seeds), args.kinds, args.games):
        out = args.folder / f"{game}-{kind}-{seed}"
        if not (out / "curve.json").exists():
            learn(game, out, seed, **KINDS[kind][1], **({"steps": args.steps} if args.steps else {}))


def learn(game: str, out: Path, seed: int, **changes: Any) -> None:
    from mmgames.baselines.learning import checkpoint_files
    from mmgames.baselines.learning.ippo import IppoTraining
    from mmgames.baselines.learning.ippo_recipe import recipe_for

    out.mkdir(parents=True, exist_ok=True)
    spec = registry.find(game)
    training = IppoTraining(spec.id, recipe_for(spec.id, **changes), seed=seed, device="cpu", threads=1)
    looks = {round(number * training.updates / LOOKS) for number in range(LOOKS + 1)}
    curve: Curve = []
    while True:
        if training.updates_done in looks:
            checkpoint_files.write(out / "policy.npz", training.about(), training.policy())
            curve.append({"steps": training.done_steps, **look(game, out / "policy.npz", len(spec.seats))})
            print(out.name, json.dumps(curve[-1]), flush=True)
        if training.updates_done >= training.updates:
            break
        training.learn()
    training.env.close()
    (out / "curve.json").write_text(json.dumps(curve) + "\n")


def look(game: str, policy: Path, players: int) -> dict[str, float]:
    """What a policy collects with itself, by player and episode."""
    played = measure(game, [f"ippo:{policy}"] * players, LOOKED_AT)
    found = {name: float(getattr(played, name).mean()) for name in ("apples", "fires", "cleans")}
    time = float(np.nanmean(played.times)) if played.apples.any() else math.nan
    return {"return": float(played.returns.mean()), "time": time, **found}


def curves(folder: Path, game: str, kind: str = "own") -> list[Curve]:
    return [json.loads(path.read_text()) for path in sorted(folder.glob(f"{game}-{kind}-*/curve.json"))]


def curve_table(runs: list[Curve], **more: str) -> str:
    """Every third look, ± standard errors over seeds."""
    columns = {**COLUMNS, **more}
    rows = []
    for entries in list(zip(*runs, strict=True))[::3]:
        values = ([entry[name] for entry in entries if not math.isnan(entry[name])] for name in columns)
        rows.append((f"{int(entries[0]['steps']):,}", *(studies.mean(some, digits=1) for some in values)))
    return markdown_table(("steps", *columns.values()), rows)


def means(runs: list[Curve], name: str) -> np.ndarray:
    """The mean over seeds at each look."""
    return np.array([np.nanmean([entry[name] for entry in entries]) for entries in zip(*runs, strict=True)])


def plot(folder: Path, path: Path) -> None:
    """Apples eaten and the mean step of eating as IPPO learns, a line for each seed."""
    from matplotlib.figure import Figure

    drawn = Figure((8, 5), layout="constrained")
    axes = drawn.subplots(2, 2, squeeze=False)
    for (line, name), (column, game) in itertools.product(enumerate(("apples", "time")), enumerate(SIZES)):
        place = axes[line][column]
        for run in curves(folder, game):
            place.plot([entry["steps"] / 1e6 for entry in run], [entry[name] for entry in run], lw=1)
        place.set(xlabel="million steps", ylabel=COLUMNS[name], title=game if line == 0 else "")
        place.set_ylim(bottom=0)
        place.grid(alpha=0.3)
    drawn.savefig(path, dpi=110)


def ends(runs: list[Curve], name: str) -> str:
    """Where runs end, seed by seed; a dash where nobody has eaten."""
    return ", ".join("–" if math.isnan(run[-1][name]) else f"{run[-1][name]:.1f}" for run in runs)


def page(args: argparse.Namespace) -> str:
    """The tables, and under them the curves of what was trained."""
    groups = {cooperator: group_table(cooperator, args.episodes) for cooperator in GROUPS}
    text = studies.words("commons", episodes=args.episodes, large=large_table(), **groups)
    harvest, cleanup = (curves(args.folder, game) for game in SIZES)
    if not (harvest and cleanup):
        return text
    picture = args.out.with_name("commons-learning.png")
    plot(args.folder, picture)
    apples, time, cleans = means(harvest, "apples"), means(harvest, "time"), means(cleanup, "cleans")
    best = int(apples.argmax())
    kinds = []
    for game, (kind, (called, _)) in itertools.product(SIZES, KINDS.items()):
        if runs := curves(args.folder, game, kind):
            kinds.append((game, called, *(ends(runs, name) for name in ("return", "time", "cleans"))))
    return text + studies.words(
        "commons_learned", looked_at=LOOKED_AT, picture=picture.name, harvest_seeds=len(harvest),
        cleanup_seeds=len(cleanup), harvest=curve_table(harvest), cleanup=curve_table(cleanup, cleans="cells cleaned"),
        first=apples[0], best=apples[best], last=apples[-1], steps=harvest[0][best]["steps"], early=time[0],
        late=time[-1], ends=ends(cleanup, "return"), cleans=(cleans[0], cleans[-1]),
        kinds=markdown_table(("game", "learners", "return", "mean step of eating", "cells cleaned"), kinds),
    )  # fmt: skip


if __name__ == "__main__":
    studies.command(
        __doc__, "commons.md", {"train": train, "page": page}, seeds=3, episodes=1000,
        games=studies.some_of(SIZES, "games"), kinds=studies.some_of(KINDS, "of learners"),
        steps={"type": int, "default": 0, "help": "how many to learn from; by default those of the recipe"},
    )  # fmt: skip
