"""Particles and KnightsArchersZombies beside the packages they are made after, and the page docs/results/worlds.md.

    python -m benchmarks.worlds particles --python .venv-peers/bin/python --steps 100000 | tee results/particles.txt
    python -m benchmarks.worlds kaz --python .venv-peers/bin/python --steps 100000 | tee results/kaz.txt
    python -m benchmarks.worlds page results/particles.txt results/kaz.txt

The other package plays random episodes and tells the state before and after each step; our rules start from the state
before, get the same actions and draws, and the largest differences are told. What is whole must be equal. The page has
these lines, and what heuristic and random players collect.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import studies
from mmgames.games.particles.scenarios import SCENARIOS
from mmgames.text.command_line import read_arguments
from mmgames.text.tables import markdown_table

PAGE = Path("docs/results/worlds.md")
HORIZON, EPISODES, SEED = 25, 1000, 1


def particles(python: Path, steps: int) -> None:
    from tests.differential.mpe import NAMES, Comparison, episodes

    for scenario in NAMES:
        comparison = Comparison(scenario)
        for episode in episodes(python, [scenario], -(-steps // HORIZON), seed=11):
            comparison.compare(episode)
        _tell(f"{scenario}: {comparison.steps} steps", comparison.worst)


def kaz(python: Path, steps: int) -> None:
    from tests.differential.kaz import Comparison, episodes

    comparison = Comparison()
    for episode in episodes(python, steps, seed=11):
        comparison.compare(episode)
    _tell(f"KnightsArchersZombies: {comparison.steps} steps, {comparison.kills} kills", comparison.worst)


def _tell(what: str, worst: dict[str, float]) -> None:
    differences = ", ".join(f"{kind} {most:.1e}" for kind, most in worst.items())
    print(f"{what}; largest differences: {differences}", flush=True)


def collected(name: str, agents: Sequence[str], **options: Any) -> tuple[np.ndarray, float]:
    """What each seat collects in an episode, the mean of many, and how long episodes are."""
    returns, lengths = np.zeros((EPISODES, len(agents))), np.zeros(EPISODES)
    for _, rewards, over in studies.played(name, agents, EPISODES, SEED, **options):
        returns[~over] += rewards[~over]
        lengths[~over] += 1
    return returns.mean(axis=0), float(lengths.mean())


def figures(values: np.ndarray) -> str:
    return ", ".join(f"{value:.1f}" for value in values)


def page(files: Sequence[Path]) -> None:
    rows = []
    for scenario in SCENARIOS:
        sides = [kind.adversary for kind in scenario.kinds]
        groups = [[False] * len(sides), sides, [not side for side in sides], [True] * len(sides)]
        cells = [scenario.name, ", ".join(scenario.roles)]
        for number, group in enumerate(groups):
            agents = ["heuristic" if one else "random" for one in group]
            once = number in (0, 3) or any(sides)
            cells.append(figures(collected("Particles", agents, scenario=scenario.name)[0]) if once else "–")
        rows.append(cells)
    heads = ("scenario", "seats", "all random", "adversaries heuristic", "others heuristic", "all heuristic")
    battle = []
    for agents in (("random",) * 4, ("heuristic",) * 2 + ("random",) * 2, ("heuristic",) * 4):
        kills, length = collected("KnightsArchersZombies", agents)
        battle.append((", ".join(agents), figures(kills), f"{length:.0f}"))
    lines = (line for file in files for line in file.read_text("utf-8").splitlines() if "largest differences" in line)
    text = studies.words(
        "worlds", compared="\n".join(f"- {line}" for line in lines), episodes=EPISODES,
        particles=markdown_table(heads, rows),
        battle=markdown_table(("archers and knights", "kills", "steps"), battle),
    )  # fmt: skip
    PAGE.write_text(text, "utf-8")


if __name__ == "__main__":
    args = read_arguments(__doc__, __file__)
    if args.what == "page":
        page(args.files)
    else:
        (particles if args.what == "particles" else kaz)(args.python, args.steps)
