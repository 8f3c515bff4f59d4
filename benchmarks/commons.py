"""The page docs/results/commons.md: what greed and restraint, eating and cleaning come to; what selfish learners learn.

    python benchmarks/commons.py train results/commons      # IPPO (PyTorch), one thread; goes on where it stopped
    python benchmarks/commons.py page results/commons       # groups of heuristics, and the curves of what was trained

Groups of heuristics play 1000 episodes each. IPPO learns each game from everybody's own reward with several seeds; as
it learns, its policy plays all seats of 256 episodes again and again, and what it collects is written down.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mmgames.agents.finding import seat_agents
from mmgames.core import registry
from mmgames.envs.batch_agents import BatchAgents
from mmgames.envs.options import BATCH_KEYS
from mmgames.envs.vector import BatchedEnv
from mmgames.games._commons.rules import CLEANS, EATS, FIRES

PAGE = Path("docs/results/commons.md")
EPISODES, SEED = 1000, 1
LOOKS, LOOKED_AT = 24, 256
KINDS: dict[str, dict[str, Any]] = {
    "own": {"sharing": 0.0},
    "apart": {"sharing": 0.0, "nets": "own"},
    "shared": {"sharing": 1.0},
}
LEARNERS = {
    "own": "one network, own rewards",
    "apart": "a network each, own rewards",
    "shared": "one network, the mean of all rewards",
}
LITERATURE: dict[str, Any] = dict(players=5, horizon=1000, view=15, reach=5)


class Dilemma(NamedTuple):
    """A game, who cooperates in it and who does not, and the options of the literature's sizes."""

    name: str
    cooperators: tuple[str, ...]
    defector: str
    large: dict[str, Any]


DILEMMAS = (
    Dilemma("Harvest", ("restrained",), "greedy", {**LITERATURE, "map": "orchard"}),
    Dilemma("Cleanup", ("cleaner", "turn_taker"), "eater", {**LITERATURE, "map": "river", "waste": 0.5}),
)


READINGS = {
    "Harvest": "What greed is worth to one player among the same others: what each greedy gets in a line, beside what "
    "each restrained gets in the line above it.",
    "Cleanup": "A cleaner hardly eats, so nobody would rather be one, and with none of them nobody eats. A turn-taker "
    "eats what it has helped to grow.",
}


class Played(NamedTuple):
    """What episodes came to, by episode and seat: returns, apples, the mean step of eating, beams, cells cleaned."""

    returns: np.ndarray
    apples: np.ndarray
    times: np.ndarray
    fires: np.ndarray
    cleans: np.ndarray


def measure(name: str, agents: Sequence[str], episodes: int, seed: int = SEED, **options: Any) -> Played:
    """Play episodes, all of them at once."""
    env = BatchedEnv(registry.find(name).id, episodes, observe=BATCH_KEYS, copy=False, threads=1, **options)
    seats = len(env.seats)
    players = BatchAgents(env, seat_agents(list(agents), env.game, range(seats)), seed)
    observation, _ = env.reset(seed=seed)
    joint, over = np.zeros((episodes, seats), np.int64), np.zeros(episodes, bool)
    returns, times, before = np.zeros((episodes, seats)), np.zeros((episodes, seats)), 0.0

    def counted(kind: int) -> np.ndarray:
        return env.states["happened"][:, kind].astype(float)

    for step in range(env.game.spec.length):
        players.act(observation, joint, over)
        observation, rewards, *_ = env.step(joint)
        returns += rewards
        eaten = counted(EATS)
        times += (step + 1) * (eaten - before)
        before = eaten
    apples = counted(EATS)
    with np.errstate(invalid="ignore"):
        found = Played(returns, apples, times / apples, counted(FIRES), counted(CLEANS))
    env.close()
    return found


def figure(values: np.ndarray) -> str:
    """Mean and standard error over episodes; a dash for nobody."""
    if not values.size:
        return "–"
    each = values.mean(axis=1)
    return f"{each.mean():.2f} ± {each.std(ddof=1) / math.sqrt(len(each)):.2f}"


def one(value: float) -> str:
    """A figure, or a dash where there is none: nobody has eaten."""
    return "–" if math.isnan(value) else f"{value:.1f}"


def gini(values: np.ndarray) -> float:
    """One less the Gini coefficient of what the seats get, the mean over episodes in which anybody gets anything."""
    gets = values[values.sum(axis=1) > 0]
    if not len(gets):
        return math.nan
    apart = np.abs(gets[:, :, None] - gets[:, None, :]).sum(axis=(1, 2))
    return float((1 - apart / (2 * gets.shape[1] * gets.sum(axis=1))).mean())


def groups(dilemma: Dilemma, cooperator: str, episodes: int, **options: Any) -> list[str]:
    """The Schelling diagram as a table: what each kind gets, by how many of the group cooperate."""
    players = options.get("players", len(registry.find(dilemma.name).seats))
    lines = [
        f"| {cooperator} | {dilemma.defector} | each {cooperator} gets | each {dilemma.defector} gets | all together "
        "| mean step of eating | equality |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for number in range(players, -1, -1):
        agents = [cooperator] * number + [dilemma.defector] * (players - number)
        played = measure(dilemma.name, agents, episodes, **options)
        total = figure(played.returns.sum(axis=1, keepdims=True))
        step = f"{np.nanmean(played.times):.1f}" if played.apples.any() else "–"
        equal = f"{gini(played.apples):.2f}" if played.apples.any() else "–"
        kinds = figure(played.returns[:, :number]), figure(played.returns[:, number:])
        lines.append(f"| {number} | {players - number} | {kinds[0]} | {kinds[1]} | {total} | {step} | {equal} |")
    return [*lines, ""]


def train(folder: Path, seeds: int, games: Sequence[str], kinds: Sequence[str], **changes: Any) -> None:
    """Learn what is not learned yet, and write the curve of each run."""
    for seed, kind, game in itertools.product(range(seeds), kinds, games):
        out = folder / f"{game}-{kind}-{seed}"
        if not (out / "curve.json").exists():
            learn(game, out, seed, **KINDS[kind], **changes)


def learn(game: str, out: Path, seed: int, **changes: Any) -> None:
    from mmgames.baselines.learning import checkpoint_files
    from mmgames.baselines.learning.ippo import IppoTraining
    from mmgames.baselines.learning.ippo_recipe import recipe_for

    out.mkdir(parents=True, exist_ok=True)
    spec = registry.find(game)
    training = IppoTraining(spec.id, recipe_for(spec.id, **changes), seed=seed, device="cpu", threads=1)
    looks = {round(number * training.updates / LOOKS) for number in range(LOOKS + 1)}
    curve: list[dict[str, float]] = []
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
    return {
        "return": float(played.returns.mean()),
        "apples": float(played.apples.mean()),
        "time": float(np.nanmean(played.times)) if played.apples.any() else math.nan,
        "fires": float(played.fires.mean()),
        "cleans": float(played.cleans.mean()),
    }


COLUMNS = {"return": "return", "apples": "apples eaten", "time": "mean step of eating", "fires": "beams fired"}


def curves(folder: Path, game: str, kind: str = "own") -> list[list[dict[str, float]]]:
    return [json.loads(path.read_text()) for path in sorted(folder.glob(f"{game}-{kind}-*/curve.json"))]


def curve_table(runs: list[list[dict[str, float]]], cleans: bool) -> list[str]:
    """Every third look, ± standard errors over seeds."""
    columns = {**COLUMNS, **({"cleans": "cells cleaned"} if cleans else {})}
    lines = [f"| steps | {' | '.join(columns.values())} |", "| --- |" + " --- |" * len(columns)]
    for entries in list(zip(*runs, strict=True))[::3]:
        cells = [f"{int(entries[0]['steps']):,}"]
        for name in columns:
            values = np.array([entry[name] for entry in entries])
            values = values[~np.isnan(values)]
            error = f" ± {values.std(ddof=1) / math.sqrt(len(values)):.1f}" if len(values) > 1 else ""
            cells.append(f"{values.mean():.1f}{error}" if len(values) else "–")
        lines.append(f"| {' | '.join(cells)} |")
    return [*lines, ""]


def means(runs: list[list[dict[str, float]]], name: str) -> np.ndarray:
    """The mean over seeds at each look."""
    return np.array([np.nanmean([entry[name] for entry in entries]) for entries in zip(*runs, strict=True)])


def harvest_story(runs: list[list[dict[str, float]]]) -> str:
    apples, time = means(runs, "apples"), means(runs, "time")
    best = int(apples.argmax())
    return (
        f"A player eats {apples[0]:.1f} apples at first, {apples[best]:.1f} at the best look, after "
        f"{int(runs[0][best]['steps']):,} steps, and {apples[-1]:.1f} in the end; the mean step of eating goes from "
        f"{time[0]:.0f} to {time[-1]:.0f}. In the literature (Perolat and others) apples last to the end while "
        "players act at random, then returns rise, and fall as players learn to gather quickly and nothing grows back. "
        "Later on, players there learn to keep others away with a beam that removes them for a while; the beam here "
        "does not."
    )


def cleanup_story(runs: list[list[dict[str, float]]]) -> str:
    ends, cleans = ", ".join(one(run[-1]["return"]) for run in runs), means(runs, "cleans")
    return (
        f"By seed, players end with {ends}; a player cleans {cleans[0]:.1f} cells at first and {cleans[-1]:.1f} in the "
        "end. In the literature (Hughes and others) learners who care for their own reward alone, each with a network "
        "of its own, on a map on which water and apples are farther apart, stay near nothing."
    )


STORIES = {"Harvest": harvest_story, "Cleanup": cleanup_story}


def plot(folder: Path, path: Path) -> None:
    """Apples eaten and the mean step of eating as IPPO learns, a line for each seed."""
    from matplotlib.figure import Figure

    drawn = Figure((8, 5), layout="constrained")
    axes = drawn.subplots(2, 2, squeeze=False)
    for column, dilemma in enumerate(DILEMMAS):
        for line, name in enumerate(("apples", "time")):
            place = axes[line][column]
            for run in curves(folder, dilemma.name):
                place.plot([entry["steps"] / 1e6 for entry in run], [entry[name] for entry in run], lw=1)
            place.set(xlabel="million steps", ylabel=COLUMNS[name], title=dilemma.name if line == 0 else "")
            place.set_ylim(bottom=0)
            place.grid(alpha=0.3)
    drawn.savefig(path, dpi=110)


def page(folder: Path, out: Path, episodes: int) -> str:
    """The tables, and under them the curves of what was trained."""
    lines = [
        "# The commons: greed and restraint, eating and cleaning",
        "",
        f"Groups of heuristics in Harvest and Cleanup, {episodes:,} episodes for each line, ± standard errors over "
        "episodes. A line of a table is a group; what its members get, by kind, is the Schelling diagram of the game. "
        "The mean step of eating is what Perolat and others call sustainability, equality is one less the Gini "
        "coefficient of the apples. The head of `benchmarks/commons.py` has the commands.",
        "",
    ]
    for dilemma in DILEMMAS:
        for cooperator in dilemma.cooperators:
            lines += [f"## {dilemma.name}: {cooperator} and {dilemma.defector}", ""]
            lines += groups(dilemma, cooperator, episodes)
        lines += [READINGS[dilemma.name], ""]
    lines += ["## The sizes of the literature", "", *_large()]
    if any(curves(folder, dilemma.name) for dilemma in DILEMMAS):
        lines += _learned(folder, out)
    return "\n".join(lines)


def _large() -> list[str]:
    lines = [
        "Five players, 1000 steps, windows of 15×15, on the large maps; 64 episodes for each line, the returns of one "
        "player.",
        "",
        "| game | group | return of each kind | mean step of eating |",
        "| --- | --- | --- | --- |",
    ]
    for dilemma in DILEMMAS:
        cooperator, defector = dilemma.cooperators[-1], dilemma.defector
        for number in (5, 4, 0):
            agents = [cooperator] * number + [defector] * (5 - number)
            played = measure(dilemma.name, agents, 64, **dilemma.large)
            kinds = [f"{cooperator} {figure(played.returns[:, :number])}"] if number else []
            kinds += [f"{defector} {figure(played.returns[:, number:])}"] if number < 5 else []
            step = f"{np.nanmean(played.times):.0f}" if played.apples.any() else "–"
            group = f"{number} {cooperator}, {5 - number} {defector}"
            lines.append(f"| {dilemma.name} | {group} | {', '.join(kinds)} | {step} |")
    return [*lines, ""]


def _learned(folder: Path, out: Path) -> list[str]:
    picture = out.with_name("commons-learning.png")
    plot(folder, picture)
    lines = [
        "## Selfish learners",
        "",
        "IPPO, one small network for all seats, everybody paid its own reward alone; what a player collects in an "
        f"episode with {LOOKED_AT} episodes at each look, ± standard errors over seeds.",
        "",
        f"![Apples eaten and the mean step of eating as IPPO learns]({picture.name})",
        "",
    ]
    for dilemma in DILEMMAS:
        runs = curves(folder, dilemma.name)
        if runs:
            lines += [f"### {dilemma.name}, {len(runs)} seeds", "", STORIES[dilemma.name](runs), ""]
            lines += curve_table(runs, dilemma.name == "Cleanup")
    lines += [
        "### Networks of their own, and shared rewards",
        "",
        "The same recipe where every seat learns a network of its own, and where all are paid the mean of all rewards. "
        "What a player collects in an episode when learning ends, seed by seed.",
        "",
        "| game | learners | return | mean step of eating | cells cleaned |",
        "| --- | --- | --- | --- | --- |",
    ]
    for dilemma, (kind, told) in itertools.product(DILEMMAS, LEARNERS.items()):
        ends = [run[-1] for run in curves(folder, dilemma.name, kind)]
        if ends:
            cells = [", ".join(one(end[name]) for end in ends) for name in ("return", "time", "cleans")]
            lines.append(f"| {dilemma.name} | {told} | {' | '.join(cells)} |")
    return [*lines, ""]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=("train", "page"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", nargs="+", choices=("Harvest", "Cleanup"), default=["Harvest", "Cleanup"])
    parser.add_argument("--kinds", nargs="+", choices=tuple(KINDS), default=list(KINDS), help="of learners")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=0, help="how many to learn from; by default those of the recipe")
    parser.add_argument("--episodes", type=int, default=EPISODES)
    parser.add_argument("--out", type=Path, default=PAGE)
    args = parser.parse_args()
    if args.do == "train":
        changes = {"steps": args.steps} if args.steps else {}
        train(args.folder, args.seeds, args.games, args.kinds, **changes)
    else:
        args.out.write_text(page(args.folder, args.out, args.episodes), "utf-8")


if __name__ == "__main__":
    main()
