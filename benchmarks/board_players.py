"""The page docs/results/board-players.md: learned searchers against the games' own minimax.

    python benchmarks/board_players.py play results/board-players     # about half an hour of one core
    python benchmarks/board_players.py page results/board-players     # the page, from what is there

Each pair plays as many games with either side. What has been played is not played again.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

import mmgames
from mmgames.core import registry
from mmgames.running.statistics import mean_and_error

GAMES = ("Breakthrough", "Reversi", "Gomoku")
LEARNED = ("alphazero", "alphazero:simulations=0")
OTHER = "minimax"
PAGE = Path("docs/results/board-players.md")
HEAD = """# Board players

Written by `python benchmarks/board_players.py page`; its head has the commands.

The networks of `alphazero` that come with mmgames against `minimax`, which looks as many moves ahead as each game says:
{depths}. `alphazero` judges 64 positions a move, `alphazero:simulations=0` plays what
its network likes best, without a search.

There are {games} games with either side, {both} for each row. A win counts 1, a loss -1; errors are standard errors.
Where all {both} are won, up to {bound:.0f} % of games may still be lost (with 95 % confidence). `alphazero` draws
nothing at random, and `minimax` only among moves that are equally good to it, so games can be alike; where many are,
the error is too small.

How the networks were made stands in `assets/alphazero/README.md`: nine minutes of one graphics card for all three
together, from self-play alone.
"""
TABLE = (
    "| agent | game | moves first | moves second | both | won | drawn | lost | different games |",
    "|---|---|---|---|---|---|---|---|---|",
)


class Pair(NamedTuple):
    game: str
    learned: str
    seat: int
    file: Path


def pairs(folder: Path) -> Iterator[Pair]:
    for game, learned, seat in itertools.product(GAMES, LEARNED, (0, 1)):
        name = learned.replace(":", "-").replace("=", "-")
        yield Pair(game, learned, seat, folder / f"{game}-{name}-{seat}.jsonl")


def play(folder: Path, games: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for pair in pairs(folder):
        agents = [OTHER, OTHER]
        agents[pair.seat] = pair.learned
        result = mmgames.match(pair.game, agents, games, out=pair.file, processes=1, progress=False)
        print(pair.game, *agents, result.returns().mean(0), flush=True)


def cell(values: np.ndarray) -> str:
    found = mean_and_error(values)
    return f"{found['mean']:.2f} ± {found['standard_error']:.2f}"


def page(folder: Path, games: int) -> str:
    lines = []
    for game, learned in itertools.product(GAMES, LEARNED):
        sides = [pair for pair in pairs(folder) if (pair.game, pair.learned) == (game, learned)]
        results, different = [], set()
        for pair in sides:
            rows = [json.loads(line) for line in pair.file.read_text("utf-8").splitlines()]
            rows = [row for row in rows if "returns" in row]
            assert len(rows) == games, f"{pair.file} has {len(rows)} games"
            results.append(np.array([row["returns"][pair.seat] for row in rows]))
            different |= {(pair.seat, json.dumps(row["actions"])) for row in rows}
        both = np.concatenate(results)
        cells = [learned, game, *map(cell, results), cell(both)]
        cells += [str(int((both == outcome).sum())) for outcome in (1, 0, -1)]
        cells.append(str(len(different)))
        lines.append("| " + " | ".join(cells) + " |")
    depths = ", ".join(f"{registry.load(game).game().kernel.depth} in {game}" for game in GAMES)  # type: ignore[attr-defined]
    return "\n".join([HEAD.format(depths=depths, games=games, both=2 * games, bound=150 / games), *TABLE, *lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=("play", "page"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=50, help="with either side (default 50)")
    parser.add_argument("--out", type=Path, default=PAGE)
    args = parser.parse_args()
    if args.do == "play":
        play(args.folder, args.games)
    else:
        args.out.write_text(page(args.folder, args.games), "utf-8")


if __name__ == "__main__":
    main()
