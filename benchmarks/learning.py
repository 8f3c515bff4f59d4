"""The page docs/results/learning.md: who plays well with whom, how far from a best answer, what sharing rewards does.

    python -m benchmarks.learning train results/learning        # the runs (PyTorch); goes on where it stopped
    python -m benchmarks.learning answers results/learning      # best answers; MonsterHunt's take core hours
    python -m benchmarks.learning oracles results/vs-bench      # the rows of games whose oracles think longer
    python -m benchmarks.learning page results/learning         # the page and its pictures, from what is there

The runs are `mmgames train ippo` with the game's own recipe but for a small network (SMALL), on one thread each: three
dilemmas, each with own, mixed and shared rewards and several seeds. `--part 1/4` takes every fourth run, to share the
work among processes.
"""

import argparse
import csv
import itertools
import math
import os
import tomllib
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import studies
from benchmarks.studies import gap, mean, shown
from mmgames.agents.finding import shipped_policy
from mmgames.baselines.learning import checkpoint_files, learned
from mmgames.envs.batch_agents import play
from mmgames.errors import MmgamesError
from mmgames.text.tables import markdown_table

TOLD = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
DILEMMAS = {game: tuple(agents) for game, agents in TOLD["dilemmas"].items()}
CROSSED = {**DILEMMAS, **{game: tuple(agents) for game, agents in TOLD["others"].items()}}
SHARING = {0.0: "own", 0.5: "mixed", 1.0: "shared"}
ORACLES = tuple(map(tuple, TOLD["bars"]["oracles"]))
SMALL: dict[str, Any] = dict(layers=(64, 64), epochs=2)
EXACT = {"CoinDilemma": 14.7145, "MonsterHunt": 158.0467, "BattleOfTheColors": 29.3423}
# Games that are no matter of seconds: measured by the suite, or by a match against a stronger opponent.
MEASURED = {"Hanabi": "≥ 24.0", "Pong": "> 398 steps", "Breakthrough": "1, against MCTS 100×10", "KuhnPoker": "0"}
STRONGER = ("Breakthrough", "minimax:depth=5", "mcts:simulations=1000,rollouts=10,c=2", "≥ 0.8 (90 % won)")
LOOKS = {("MonsterHunt", "ippo"): 10}
"""Steps between two looks at a policy that sees the clock, where the positions are too many for every step."""
ORACLE_FIGURES = Path(__file__).parent / "oracle_figures.md"  # what `oracles` found
LONG = {"Hanabi": ("hanabi", "hanabi2", "hanabi3"), "CoinDilemma from pictures": ("pictures",)}
"""Runs on a graphics card that have a curve on the page, by their folders beside those of `train`; each goes on from
the one before."""
FIGURES = Path(__file__).parent / "train_figures.md"  # recorded once, on a machine with a graphics card


def train(args: argparse.Namespace) -> None:
    from mmgames.baselines.learning import ippo

    changes = {name: getattr(args, name) for name in ("steps", "num_envs", "device")}
    runs = itertools.product(range(args.seeds), DILEMMAS, SHARING)
    for seed, game, sharing in studies.part(runs, args.part):
        out = args.folder / f"{game}-sharing-{sharing}-{seed}"
        if not (out / "curve.png").exists():
            how = {**SMALL, **changes, "sharing": sharing, "resume": (out / "training.npz").exists()}
            log = ippo.train(game, out, seed=seed, threads=1, show=False, **how)
            print(out.name, round(log[-1].get("return", np.nan), 2), flush=True)


def read(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Steps and returns of a log."""
    with open(path, newline="") as file:
        rows = [(float(row["steps"]), float(row["return"])) for row in csv.DictReader(file) if row.get("return")]
    return tuple(np.array(rows).reshape(-1, 2).T)  # type: ignore[return-value]


def at_the_end(curves: np.ndarray) -> np.ndarray:
    """The mean of the last twentieth."""
    return curves[..., -max(1, curves.shape[-1] // 20) :].mean(-1)


def heat_map(path: Path, title: str, names: tuple[str, ...], means: np.ndarray) -> None:
    from matplotlib.figure import Figure

    figure = Figure((1.2 + 0.9 * len(names), 0.8 + 0.8 * len(names)), layout="constrained")
    axes = figure.add_subplot(title=title, ylabel="first seat", xlabel="second seat")
    axes.imshow(means, cmap="viridis")
    middle = (means.min() + means.max()) / 2
    for (i, j), value in np.ndenumerate(means):
        axes.text(j, i, f"{value:.1f}", ha="center", va="center", color="black" if value > middle else "white", size=8)
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right")
    axes.set_yticks(range(len(names)), names)
    figure.savefig(path, dpi=110)


class Played:
    """Returns [episode, seat] of agents in a game; what was played before is read from the folder of the runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "played"
        self.folder.mkdir(parents=True, exist_ok=True)

    def __call__(self, game: str, agents: list[str], episodes: int, seed: int) -> np.ndarray:
        names = "-".join(Path(agent).parent.name if "/" in agent else agent for agent in agents)
        kept = self.folder / f"{game}-{names}-{episodes}-{seed}.npy"
        if not kept.exists():
            np.save(kept, play(game, agents, episodes, seed=seed))
        return np.load(kept)

    def answer(self, game: str, agent: str, episodes: int, seed: int) -> tuple[float, np.ndarray]:
        """What the best answer to an agent is worth, and what it got in each episode."""
        from mmgames.baselines.search.best_answer import answered

        kept = self.folder / f"{game}-answer-{agent}-{episodes}-{seed}.npz"
        if not kept.exists():
            worth, returns = answered(game, agent, episodes, seed, every=LOOKS.get((game, agent), 1))
            np.savez(kept, worth=worth, returns=returns)
        with np.load(kept) as file:
            return float(file["worth"]), file["returns"]


def answers(args: argparse.Namespace) -> None:
    for game, agents in DILEMMAS.items():
        for agent in agents:
            worth, returns = Played(args.folder).answer(game, agent, args.crossed, 12)
            print(f"{game} {agent}: worth {worth:.2f}, played {mean(returns)}", flush=True)


def cross_play(args: argparse.Namespace, played: Played) -> str:
    """Every agent with every other: a table and a picture for each game."""
    parts = []
    for game, agents in CROSSED.items():
        found = [[played(game, [one, two], args.crossed, 11)[:, 0] for two in agents] for one in agents]
        rows = [(one, *map(mean, row)) for one, row in zip(agents, found, strict=True)]
        picture = args.out.with_name(f"learning-{game}.png")
        heat_map(picture, game, agents, np.array(found).mean(-1))
        parts.append(f"### {game}\n\n{markdown_table(('', *agents), rows)}\n\n![Cross-play in {game}]({picture.name})")
    return "\n\n".join(parts)


def answer_table(args: argparse.Namespace, played: Played) -> str:
    """How much more than an agent somebody gets who knows that agent."""
    rows = []
    for game, agents in DILEMMAS.items():
        for agent in agents:
            worth, best = played.answer(game, agent, args.crossed, 12)
            own = played(game, [agent, agent], args.crossed, 11)[:, 0]
            rows.append((game, agent, mean(own), f"{worth:.2f}", mean(best), gap(best, own)))
    return markdown_table(("game", "agent", "beside itself", "best answer, worked out", "played", "gap"), rows)


def sharing_table(results: Path, picture: Path) -> tuple[str, int]:
    """Learning curves by how much of the reward is shared; the table, and how many seeds there are."""
    from matplotlib.figure import Figure

    figure = Figure((11, 3.6), layout="constrained")
    rows, most = [], 0
    for axes, game in zip(figure.subplots(1, len(DILEMMAS)), DILEMMAS, strict=True):
        for amount, name in SHARING.items():
            logs = [read(path) for path in sorted(results.glob(f"{game}-sharing-{amount}-*/log.csv"))]
            if not (logs := [log for log in logs if len(log[0])]):
                continue
            steps, count = logs[0][0], len(logs)
            curves = np.array([np.interp(steps, *log) for log in logs])
            middle, error = curves.mean(0), curves.std(0, ddof=min(1, count - 1)) / count**0.5
            axes.plot(steps, middle, label=name)
            axes.fill_between(steps, middle - 2 * error, middle + 2 * error, alpha=0.25)
            ends = at_the_end(curves)
            end = shown(ends.mean(), ends.std() / count**0.5)
            rows.append((game, name, str(count), f"{steps[-1]:,.0f}", end))
            most = max(most, count)
        axes.set(title=game, xlabel="steps", ylabel="return per player")
        axes.grid(alpha=0.3)
    figure.axes[0].legend()
    figure.savefig(picture, dpi=120)
    return markdown_table(("game", "reward", "seeds", "steps", "return per player"), rows), most


def long_runs(results: Path, picture: Path) -> str:
    """Learning curves of single long runs, with the commands that made them."""
    from matplotlib.figure import Figure

    there = {title: [results / name for name in names] for title, names in LONG.items()}
    there = {title: runs for title, runs in there.items() if all((run / "log.csv").exists() for run in runs)}
    figure, lines = Figure((5.5 * max(1, len(there)), 3.6), layout="constrained"), []
    for place, (title, runs) in enumerate(there.items(), 1):
        axes, before = figure.add_subplot(1, len(there), place), 0.0
        for run in runs:
            steps, returns = read(run / "log.csv")
            axes.plot(steps + before, returns)
            before += steps[-1]
            about, _ = checkpoint_files.read(run / "policy.npz")
            end = at_the_end(returns)
            lines.append(f"- {title}: {steps[-1]:,.0f} steps, at the end {end:.2f}; `{about['command']}`")
        axes.set(title=title, xlabel="steps", ylabel="return per seat")
        axes.grid(alpha=0.3)
    figure.savefig(picture, dpi=120)
    return "\n".join(lines)


def exploitable() -> float:
    """By how much the shipped policy of KuhnPoker can be exploited, exactly."""
    from mmgames.baselines.search.exploitability import exploitability, policy_of
    from mmgames.core import registry

    game = registry.load("KuhnPoker").game()
    policy = policy_of((learned.Learned(), learned.Learned()), game, 1, np.random.default_rng(0))
    return exploitability(game, policy)


def made_with(game: str) -> str:
    """The commands that made the policy that comes with a game, one after the other."""
    path = shipped_policy(f"mmgames/{game}-v0")
    assert path is not None
    about = checkpoint_files.read(path)[0]
    return ", then ".join(f"`{command}`" for command in (*about.get("before", ()), about["command"]))


def oracle_table(args: argparse.Namespace, played: Played) -> str:
    rows = []
    for game, agent, bar in ORACLES:
        returns = played(game, [agent, agent], args.episodes, 13).mean(1)
        exact = f"{EXACT[game]:.2f}" if game in EXACT else "–"
        rows.append((game, agent, mean(returns), str(bar), exact, made_with(game) if agent == "ippo" else "planned"))
    head = ("game", "agent", "return per player", "bar", "optimum", "made with")
    return markdown_table(head, rows, markup=True) + "\n" + ORACLE_FIGURES.read_text().rstrip()


def oracles(args: argparse.Namespace) -> None:
    """Rows for `oracle_table`, from a folder of VS-Bench's suite; what is not there is played."""
    from mmgames import suites
    from mmgames.running.matches import match

    command = "`mmgames eval vs-bench --agent oracle --episodes 1000 --only {}`"
    suite = suites.find("vs-bench")
    processes = os.cpu_count() or 1
    result = suite.evaluate("oracle", 1000, 0, only=list(MEASURED), out=args.folder, processes=processes)
    rows = {row["environment"].partition("/")[2].removesuffix("-v0"): row for row in result["rows"]}
    lines = []
    for game, bar in MEASURED.items():
        row = rows[game]
        figure = row.get("steps", {"mean": row["raw"], "standard_error": row["standard_error"]})
        error = math.nan if figure["standard_error"] is None else figure["standard_error"]
        said = shown(round(figure["mean"], 2) + 0.0, error) + (" steps" if "steps" in row else "")
        count = "exact" if game == "KuhnPoker" else f"{row['episodes']:,} episodes"
        entry = next(entry for entry in suite.entries if entry.id == row["environment"])
        lines.append(f"| {game} | {entry.oracle} | {said} | {bar} | – | {count}: {command.format(game)} |")
    game, agent, other, bar = STRONGER
    returns: list[float] = []
    for seat, pair in enumerate(((agent, other), (other, agent))):
        out = args.folder / f"{game}-stronger-{seat}.jsonl"
        returns += [*match(game, pair, 50, 0, out=out, processes=processes).returns()[:, seat]]
    how = f"`mmgames match {game} {agent} {other} --episodes 50` and the other way round"
    lines.append(f"| {game} | {agent} | {mean(returns)} | {bar} | – | {len(returns)} games: {how} |")
    ORACLE_FIGURES.write_text("\n".join(lines) + "\n")


def page(args: argparse.Namespace) -> str:
    played, beside = Played(args.folder), args.out.with_name
    sharing, seeds = sharing_table(args.folder, beside("learning-sharing.png"))
    return studies.words(
        "learning", speed=FIGURES.read_text().strip(), episodes=args.episodes, crossed=args.crossed,
        oracles=oracle_table(args, played), exploitable=exploitable(), made_with=made_with("KuhnPoker"),
        cross_play=cross_play(args, played), answers=answer_table(args, played), sharing=sharing, seeds=seeds,
        long_runs=long_runs(args.folder, beside("learning-long-runs.png")),
    )  # fmt: skip


if __name__ == "__main__":
    try:
        studies.command(
            __doc__, "learning.md", {"train": train, "answers": answers, "oracles": oracles, "page": page},
            part=studies.PART, seeds=5, steps=3_000_000, num_envs=512, device="cpu", episodes=1000,
            crossed={"type": int, "default": 500, "help": "episodes of each pair of agents"},
        )  # fmt: skip
    except MmgamesError as error:
        raise SystemExit(str(error)) from error
