"""The page docs/results/board-players.md: learned searchers against the games' own minimax.

    python -m benchmarks.board_players play results/board-players     # about half an hour of one core
    python -m benchmarks.board_players page results/board-players     # the page, from what is there

Each pair plays as many games with either side. What has been played is not played again.
"""

import argparse
import itertools
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import mmgames
from benchmarks import studies
from mmgames.core import registry
from mmgames.text.tables import markdown_table

GAMES = ("Breakthrough", "Reversi", "Gomoku")
LEARNED = ("alphazero", "alphazero:simulations=0")
OTHER = "minimax"
COLUMNS = ("agent", "game", "moves first", "moves second", "both", "won", "drawn", "lost", "different games")


def files(folder: Path, game: str, learned: str) -> Iterator[Path]:
    """The games of a pair, with the first side and with the second."""
    name = learned.replace(":", "-").replace("=", "-")
    return (folder / f"{game}-{name}-{seat}.jsonl" for seat in (0, 1))


def play(args: argparse.Namespace) -> None:
    args.folder.mkdir(parents=True, exist_ok=True)
    for game, learned in itertools.product(GAMES, LEARNED):
        for agents, file in zip(((learned, OTHER), (OTHER, learned)), files(args.folder, game, learned), strict=True):
            result = mmgames.match(game, [*agents], args.games, out=file, processes=1, progress=False)
            print(game, *agents, result.returns().mean(0), flush=True)


def page(args: argparse.Namespace) -> str:
    lines = []
    for game, learned in itertools.product(GAMES, LEARNED):
        results, different = [], set()
        for seat, file in enumerate(files(args.folder, game, learned)):
            rows = [row for row in map(json.loads, file.read_text("utf-8").splitlines()) if "returns" in row]
            assert len(rows) == args.games, f"{file} has {len(rows)} games"
            results.append([row["returns"][seat] for row in rows])
            different |= {(seat, json.dumps(row["actions"])) for row in rows}
        both = np.concatenate(results)
        ends = [str(int((both == outcome).sum())) for outcome in (1, 0, -1)]
        lines.append((learned, game, *map(studies.mean, (*results, both)), *ends, str(len(different))))
    depths = ", ".join(f"{registry.load(game).game().kernel.depth} in {game}" for game in GAMES)  # type: ignore[attr-defined]
    numbers = dict(games=args.games, both=2 * args.games, bound=150 / args.games)
    return studies.words("board_players", depths=depths, table=markdown_table(COLUMNS, lines), **numbers)


if __name__ == "__main__":
    games = {"type": int, "default": 50, "help": "with either side (default 50)"}
    studies.command(__doc__, "board-players.md", {"play": play, "page": page}, games=games)
