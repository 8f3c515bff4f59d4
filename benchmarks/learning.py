"""The page docs/results/learning.md: who plays well with whom, how far from a best answer, what sharing rewards does.

    python benchmarks/learning.py train results/learning        # the runs (PyTorch); goes on where it stopped
    python benchmarks/learning.py answers results/learning      # best answers; MonsterHunt's take core hours
    python benchmarks/learning.py oracles results/vs-bench      # the rows of games whose oracles think longer
    python benchmarks/learning.py page results/learning         # the page and its pictures, from what is there

The runs are `mmgames train ippo` with the game's own recipe but for a small network (SMALL), on one thread each: three
dilemmas, each with own, mixed and shared rewards and several seeds. `--part 1/4` takes every fourth run, to share the
work among processes.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import os
from pathlib import Path
from typing import Any

import numpy as np

from mmgames.agents.finding import shipped_policy
from mmgames.baselines.learning import checkpoint_files, learned
from mmgames.envs.batch_agents import play
from mmgames.errors import MmgamesError

DILEMMAS = {
    "CoinDilemma": ("random", "self_interest", "common_welfare", "optimum", "ippo"),
    "MonsterHunt": ("random", "self_interest", "chase", "wait_middle", "optimum", "ippo"),
    "BattleOfTheColors": ("random", "self_interest", "common_welfare", "optimum", "ippo"),
}
CROSSED = {
    **DILEMMAS,
    "Overcooked": ("random", "greedy", "planner", "ippo"),
    "Hanabi": ("random", "ippo"),
    "TinyHanabi": ("random", "rule_bot", "ippo"),
    "TicTacToe": ("random", "ippo"),
    "KuhnPoker": ("random", "ippo"),
}
SHARING = {0.0: "own", 0.5: "mixed", 1.0: "shared"}
ORACLES = (
    ("CoinDilemma", "optimum", 14.5),
    ("CoinDilemma", "ippo", 14.5),
    ("MonsterHunt", "optimum", 92.2),
    ("MonsterHunt", "ippo", 92.2),
    ("BattleOfTheColors", "optimum", 29.9),
    ("BattleOfTheColors", "ippo", 29.9),
    ("Overcooked", "ippo", 50.0),
    ("Hanabi", "ippo", 24.0),
)
SMALL: dict[str, Any] = dict(layers=(64, 64), epochs=2)
EXACT = {"CoinDilemma": 14.7145, "MonsterHunt": 158.0467, "BattleOfTheColors": 29.3423}
# Games that are no matter of seconds: measured by the suite, or by a match against a stronger opponent.
MEASURED = {"Hanabi": "≥ 24.0", "Pong": "> 398 steps", "Breakthrough": "1, against MCTS 100×10", "KuhnPoker": "0"}
STRONGER = ("Breakthrough", "minimax:depth=5", "mcts:simulations=1000,rollouts=10,c=2", "≥ 0.8 (90 % won)")
PAGE = Path("docs/results/learning.md")
LOOKS = {("MonsterHunt", "ippo"): 10}
"""Steps between two looks at a policy that sees the clock, where the positions are too many for every step."""
ORACLE_FIGURES = Path(__file__).parent / "oracle_figures.md"  # what `oracles` found
LONG = {"Hanabi": ("hanabi", "hanabi2", "hanabi3"), "CoinDilemma from pictures": ("pictures",)}
"""Runs on a graphics card that have a curve on the page, by their folders beside those of `train`; each goes on from
the one before."""
FIGURES = Path(__file__).parent / "train_figures.md"  # recorded once, on a machine with a graphics card


def runs(seeds: int) -> list[tuple[str, dict[str, Any]]]:
    """The name of each run and what it is trained with."""
    return [
        (f"{game}-sharing-{sharing}-{seed}", dict(game_id=game, seed=seed, sharing=sharing))
        for seed, game, sharing in itertools.product(range(seeds), DILEMMAS, SHARING)
    ]


def train(folder: Path, part: str, **changes: Any) -> None:
    from mmgames.baselines.learning import ippo

    number, of = (int(word) for word in part.split("/"))
    for place, (name, how) in enumerate(runs(changes.pop("seeds"))):
        if place % of == number - 1 and not (folder / name / "curve.png").exists():
            begun = (folder / name / "training.npz").exists()
            log = ippo.train(out=folder / name, threads=1, show=False, resume=begun, **{**SMALL, **changes, **how})
            print(name, round(log[-1].get("return", np.nan), 2), flush=True)


def read(path: Path) -> tuple[list[float], list[float]]:
    with open(path, newline="") as file:
        rows = [row for row in csv.DictReader(file) if row.get("return")]
    return [float(row["steps"]) for row in rows], [float(row["return"]) for row in rows]


def told(values: np.ndarray) -> str:
    return f"{values.mean():.2f} ± {values.std() / max(1, len(values)) ** 0.5:.2f}"


def heat_map(path: Path, title: str, names: tuple[str, ...], means: np.ndarray) -> None:
    from matplotlib.figure import Figure

    figure = Figure((1.2 + 0.9 * len(names), 0.8 + 0.8 * len(names)), layout="constrained")
    axes = figure.add_subplot(title=title, ylabel="first seat", xlabel="second seat")
    axes.imshow(means, cmap="viridis")
    middle = (means.min() + means.max()) / 2
    for (i, j), mean in np.ndenumerate(means):
        axes.text(j, i, f"{mean:.1f}", ha="center", va="center", color="black" if mean > middle else "white", size=8)
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


def cross_play(lines: list[str], folder: Path, episodes: int, played: Played) -> dict[tuple[str, str, str], np.ndarray]:
    """Every agent with every other; what each pair collected, by game, first and second seat."""
    found: dict[tuple[str, str, str], np.ndarray] = {}
    lines += ["## Who plays well with whom", ""]
    lines += [
        f"Mean return of the first seat over {episodes} episodes, rows in the first seat, columns in the second. In "
        "games of one team both seats get the same. Errors are standard errors.",
        "",
    ]
    for game, agents in CROSSED.items():
        means = np.zeros((len(agents), len(agents)))
        lines += [f"### {game}", "", "| | " + " | ".join(agents) + " |", "|---|" + "---|" * len(agents)]
        for (i, one), (j, two) in itertools.product(enumerate(agents), enumerate(agents)):
            found[game, one, two] = played(game, [one, two], episodes, 11)
            means[i, j] = found[game, one, two][:, 0].mean()
        for one in agents:
            cells = (told(found[game, one, two][:, 0]) for two in agents)
            lines.append(f"| {one} | " + " | ".join(cells) + " |")
        picture = folder / f"learning-{game}.png"
        heat_map(picture, game, agents, means)
        lines += ["", f"![Cross-play in {game}]({picture.name})", ""]
    return found


def answers(lines: list[str], found: dict[tuple[str, str, str], np.ndarray], episodes: int, played: Played) -> None:
    """How much more than an agent somebody gets who knows that agent."""
    lines += ["## How far from a best answer", ""]
    lines += [
        "Beside an agent in the second seat, the most that the first seat can get for itself, by dynamic programming "
        "over all positions (`python -m mmgames.baselines.search.best_answer GAME AGENT`): worked out, and played over "
        f"{episodes} episodes. The gap is what was played beyond what the agent itself gets in that seat, how much it "
        "leaves to be had. At 0 nobody gains by playing otherwise: two such agents are in equilibrium.",
        "",
        "| game | agent | beside itself | best answer, worked out | played | gap |",
        "|---|---|---|---|---|---|",
    ]
    for game, agents in DILEMMAS.items():
        for agent in agents:
            worth, best = played.answer(game, agent, episodes, 12)
            own = found[game, agent, agent][:, 0]
            gap, error = best.mean() - own.mean(), (best.var() / len(best) + own.var() / len(own)) ** 0.5
            lines.append(f"| {game} | {agent} | {told(own)} | {worth:.2f} | {told(best)} | {gap:+.2f} ± {error:.2f} |")
    lines += [
        "",
        "MonsterHunt's learned policy looks at the clock; its best answer was planned from a look at every tenth step.",
        "",
    ]


def sharing(lines: list[str], results: Path, folder: Path) -> None:
    """Learning curves by how much of the reward is shared."""
    from matplotlib.figure import Figure

    lines += ["## What sharing rewards does", ""]
    figure = Figure((11, 3.6), layout="constrained")
    axes = figure.subplots(1, len(DILEMMAS))
    rows, most = [], 0
    for place, game in enumerate(DILEMMAS):
        for amount, name in SHARING.items():
            logs = [read(path) for path in sorted(results.glob(f"{game}-sharing-{amount}-*/log.csv"))]
            logs = [log for log in logs if log[0]]
            if not logs:
                continue
            steps = logs[0][0]
            curves = np.array([np.interp(steps, *log) for log in logs])
            mean, error = curves.mean(0), curves.std(0, ddof=min(1, len(logs) - 1)) / len(logs) ** 0.5
            axes[place].plot(steps, mean, label=name)
            axes[place].fill_between(steps, mean - 2 * error, mean + 2 * error, alpha=0.25)
            last = curves[:, -max(1, len(steps) // 20) :].mean(1)
            rows.append(f"| {game} | {name} | {len(logs)} | {steps[-1]:,.0f} | {told(last)} |")
            most = max(most, len(logs))
        axes[place].set(title=game, xlabel="steps", ylabel="return per player")
        axes[place].grid(alpha=0.3)
    if not rows:
        lines += ["No such runs are there yet; `python benchmarks/learning.py train` makes them.", ""]
        return
    axes[0].legend()
    figure.savefig(folder / "learning-sharing.png", dpi=120)
    lines += [
        f"IPPO with one small network for both players, {most} seeds: each is paid its own reward, half of it shared, "
        "or the mean of both. Bands are two standard errors over seeds; the last column is the end of training.",
        "",
        *["| game | reward | seeds | steps | return per player |", "|---|---|---|---|---|"],
        *rows,
        "",
        "![Learning curves](learning-sharing.png)",
        "",
    ]


def long_runs(lines: list[str], results: Path, folder: Path) -> None:
    """Learning curves of single long runs, with the commands that made them."""
    from matplotlib.figure import Figure

    there = {title: [results / name for name in names] for title, names in LONG.items()}
    there = {title: runs for title, runs in there.items() if all((run / "log.csv").exists() for run in runs)}
    if not there:
        return
    lines += ["## Long runs", "", "Return per seat while learning, on one graphics card:", ""]
    figure = Figure((5.5 * len(there), 3.6), layout="constrained")
    for axes, (title, runs) in zip(np.atleast_1d(figure.subplots(1, len(there))), there.items(), strict=True):
        before = 0.0
        for run in runs:
            steps, returns = read(run / "log.csv")
            axes.plot(np.array(steps) + before, returns)
            before += steps[-1]
            about, _ = checkpoint_files.read(run / "policy.npz")
            end = np.mean(returns[-max(1, len(returns) // 20) :])
            lines.append(f"- {title}: {steps[-1]:,.0f} steps, at the end {end:.2f}; `{about['command']}`")
        axes.set(title=title, xlabel="steps", ylabel="return per seat")
        axes.grid(alpha=0.3)
    figure.savefig(folder / "learning-long-runs.png", dpi=120)
    lines += ["", "In Hanabi the first run is paid for fireworks alone, since a beginner scores nothing otherwise; the "
              "others go on from it under the rules, where a team that loses all lives has nothing.", "",
              "![Long runs](learning-long-runs.png)", ""]  # fmt: skip


def poker(lines: list[str]) -> None:
    """How exploitable the shipped policy of KuhnPoker is, exactly."""
    from mmgames.baselines.search.exploitability import exploitability, policy_of
    from mmgames.core import registry

    game = registry.load("mmgames/KuhnPoker-v0").game()
    policy = policy_of((learned.Learned(), learned.Learned()), game, 1, np.random.default_rng(0))
    path = shipped_policy("mmgames/KuhnPoker-v0")
    assert path is not None
    lines += [
        f"In KuhnPoker the learned policy is exploitable by {exploitability(game, policy):.4f} chips a hand, worked "
        f"out exactly; an equilibrium by 0, uniform play by 0.4583. Made with {made_with(path)}.",
        "",
    ]


def made_with(path: Path) -> str:
    """The commands that made a checkpoint, one after the other."""
    about = checkpoint_files.read(path)[0]
    return ", then ".join(f"`{command}`" for command in (*about.get("before", ()), about["command"]))


def oracles(lines: list[str], episodes: int, played: Played) -> None:
    lines += ["## At the optimum", ""]
    lines += [
        f"Return per player of an agent with itself, {episodes} episodes; the bar is the best published or asked for, "
        "the optimum what dynamic programming says is the most that two players can collect (`python -m "
        "mmgames.baselines.search.dilemma_optimum`). In BattleOfTheColors the paper's 29.9, a mean of ten episodes, "
        "lies above what is possible on average under the paper's rules. The last rows are measured by VS-Bench's "
        "suite or a match, over as many episodes as they say.",
        "",
        "| game | agent | return per player | bar | optimum | made with |",
        "|---|---|---|---|---|---|",
    ]
    for game, agent, bar in ORACLES:
        returns = played(game, [agent, agent], episodes, 13).mean(1)
        path = shipped_policy(f"mmgames/{game}-v0")
        how = made_with(path) if agent == "ippo" and path else "planned"
        exact = f"{EXACT[game]:.2f}" if game in EXACT else "–"
        lines.append(f"| {game} | {agent} | {told(returns)} | {bar} | {exact} | {how} |")
    lines += [*ORACLE_FIGURES.read_text().splitlines(), ""]


def measure(results: Path, out: Path) -> None:
    """Rows for the table of `oracles`, from a folder of VS-Bench's suite; what is not there is played."""
    from mmgames import suites
    from mmgames.running.matches import match

    command = "`mmgames eval vs-bench --agent oracle --episodes 1000 --only {}`"
    suite = suites.find("vs-bench")
    result = suite.evaluate("oracle", 1000, 0, only=list(MEASURED), out=results, processes=os.cpu_count() or 1)
    rows = {row["environment"].partition("/")[2].removesuffix("-v0"): row for row in result["rows"]}
    lines = []
    for game, bar in MEASURED.items():
        row = rows[game]
        figure = row.get("steps", {"mean": row["raw"], "standard_error": row["standard_error"]})
        error = "" if figure["standard_error"] is None else f" ± {figure['standard_error']:.2f}"
        said = f"{round(figure['mean'], 2) + 0.0:.2f}{error}" + (" steps" if "steps" in row else "")
        count = "exact" if game == "KuhnPoker" else f"{row['episodes']:,} episodes"
        entry = next(entry for entry in suite.entries if entry.id == row["environment"])
        lines.append(f"| {game} | {entry.oracle} | {said} | {bar} | – | {count}: {command.format(game)} |")
    game, agent, other, bar = STRONGER
    returns = np.concatenate(
        [
            match(
                game, pair, 50, 0, out=results / f"{game}-stronger-{seat}.jsonl", processes=os.cpu_count() or 1
            ).returns()[:, seat]
            for seat, pair in enumerate(((agent, other), (other, agent)))
        ]
    )
    how = f"`mmgames match {game} {agent} {other} --episodes 50` and the other way round"
    lines.append(f"| {game} | {agent} | {told(returns)} | {bar} | – | {len(returns)} games: {how} |")
    out.write_text("\n".join(lines) + "\n")


def page(results: Path, out: Path, episodes: int, crossed: int) -> None:
    played = Played(results)
    lines = ["# Learning", ""]
    lines += ["Written by `python benchmarks/learning.py page`; its first lines say what was run.", ""]
    lines += ["## Speed of training, end to end", "", FIGURES.read_text().strip(), ""]
    oracles(lines, episodes, played)
    poker(lines)
    found = cross_play(lines, out.parent, crossed, played)
    answers(lines, found, crossed, played)
    sharing(lines, results, out.parent)
    long_runs(lines, results, out.parent)
    out.write_text("\n".join(lines).rstrip() + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("train", "answers", "oracles", "page"))
    parser.add_argument("results", type=Path)
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=3_000_000)
    parser.add_argument("--num-envs", type=int, default=512)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--episodes", type=int, default=1000)
    parser.add_argument("--crossed", type=int, default=500, help="episodes of each pair of agents")
    parser.add_argument("--out", type=Path, default=PAGE)
    args = parser.parse_args()
    try:
        if args.what == "train":
            chosen = {name: getattr(args, name) for name in ("seeds", "steps", "num_envs", "device")}
            train(args.results, args.part, **chosen)
        elif args.what == "answers":
            for game, agents in DILEMMAS.items():
                for agent in agents:
                    worth, returns = Played(args.results).answer(game, agent, args.crossed, 12)
                    print(f"{game} {agent}: worth {worth:.2f}, played {told(returns)}", flush=True)
        elif args.what == "oracles":
            measure(args.results, ORACLE_FIGURES)
        else:
            page(args.results, args.out, args.episodes, args.crossed)
    except MmgamesError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
