"""The page docs/results/commons.md: what greed and restraint, eating and cleaning come to; what selfish learners learn.

    python benchmarks/commons.py train results/commons      # IPPO (PyTorch), one thread; goes on where it stopped
    python benchmarks/commons.py page results/commons       # groups of heuristics, and the curves of what was trained

Groups of heuristics play 1000 episodes each. IPPO learns each game from everybody's own reward with several seeds; as
it learns, its policy plays all seats of 256 episodes again and again, and what it collects is written down.
"""

from __future__ import annotations

import argparse
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
from mmgames.games._commons.rules import CLEANS, COUNT, EATS, FIRES, MOST_PLAYERS

PAGE = Path("docs/results/commons.md")
EPISODES, SEED = 1000, 1
LOOKS, LOOKED_AT = 24, 256
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
        first = COUNT + kind * MOST_PLAYERS
        return env.rows[:, first : first + seats].astype(float)

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


def train(folder: Path, seeds: int, games: Sequence[str], steps: int) -> None:
    """Learn what is not learned yet, and write the curve of each run."""
    from mmgames.baselines.learning import checkpoint_files
    from mmgames.baselines.learning.ippo import IppoTraining
    from mmgames.baselines.learning.ippo_recipe import recipe_for

    for seed in range(seeds):
        for game in games:
            out = folder / f"{game}-{seed}"
            if (out / "curve.json").exists():
                continue
            out.mkdir(parents=True, exist_ok=True)
            spec = registry.find(game)
            training = IppoTraining(
                spec.id, recipe_for(spec.id, **({"steps": steps} if steps else {})), seed=seed, device="cpu", threads=1
            )
            looks = {round(look * training.updates / LOOKS) for look in range(LOOKS + 1)}
            curve: list[dict[str, float]] = []
            while True:
                if training.updates_done in looks:
                    checkpoint_files.write(out / "policy.npz", training.about(), training.policy())
                    curve.append({"steps": training.done_steps, **look(game, out / "policy.npz", len(spec.seats))})
                    print(game, seed, json.dumps(curve[-1]), flush=True)
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


def curves(folder: Path, game: str) -> list[list[dict[str, float]]]:
    return [json.loads(path.read_text()) for path in sorted(folder.glob(f"{game}-*/curve.json"))]


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
            lines += [f"### {dilemma.name}, {len(runs)} seeds", "", *curve_table(runs, dilemma.name == "Cleanup")]
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=("train", "page"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", nargs="+", choices=("Harvest", "Cleanup"), default=["Harvest", "Cleanup"])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=0, help="how many to learn from; by default those of the recipe")
    parser.add_argument("--episodes", type=int, default=EPISODES)
    parser.add_argument("--out", type=Path, default=PAGE)
    args = parser.parse_args()
    if args.do == "train":
        train(args.folder, args.seeds, args.games, args.steps)
    else:
        args.out.write_text(page(args.folder, args.out, args.episodes), "utf-8")


if __name__ == "__main__":
    main()
