"""Particles and KnightsArchersZombies beside the packages they are made after: every step of theirs is played by ours.

    python -m benchmarks.worlds particles --python .venv-peers/bin/python --steps 100000
    python -m benchmarks.worlds kaz --python .venv-peers/bin/python --steps 100000

The other package plays random episodes and tells the state before and after each step; our rules start from the state
before, get the same actions and draws, and the largest differences are told. What is whole must be equal.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HORIZON = 25


def particles(python: Path, steps: int) -> int:
    from tests.differential.mpe import NAMES, Comparison, episodes

    for scenario in NAMES:
        comparison = Comparison(scenario)
        for episode in episodes(python, [scenario], -(-steps // HORIZON), seed=11):
            comparison.compare(episode)
        worst = ", ".join(f"{kind} {most:.1e}" for kind, most in comparison.worst.items())
        print(f"{scenario}: {comparison.steps} steps; largest differences: {worst}", flush=True)
    return 0


def kaz(python: Path, steps: int) -> int:
    from tests.differential.kaz import Comparison, episodes

    comparison = Comparison()
    for episode in episodes(python, steps, seed=11):
        comparison.compare(episode)
    worst = ", ".join(f"{kind} {most:.1e}" for kind, most in comparison.worst.items())
    print(f"{comparison.steps} steps, {comparison.kills} kills; largest differences: {worst}", flush=True)
    return 0


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("world", choices=("particles", "kaz"))
    parser.add_argument(
        "--python", type=Path, default=Path(".venv-peers/bin/python"), help="an interpreter with mpe2 and pygame"
    )
    parser.add_argument("--steps", type=int, default=100_000, help="of each scenario (default: 100,000)")
    args = parser.parse_args(argv)
    return (particles if args.world == "particles" else kaz)(args.python, args.steps)


if __name__ == "__main__":
    sys.exit(main())
