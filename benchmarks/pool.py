"""The page docs/results/arena.md: the agents that come with every game, as a ladder, so that a newcomer has a place.

python -m benchmarks.pool play results/pool [GAME …] --processes 2    # an arena for each game; goes on where it stopped
python -m benchmarks.pool page results/pool                           # the page, from what is there
"""

import argparse
import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import studies
from mmgames.arena.arena import Settings, arena, read
from mmgames.arena.ladder import between, ladder
from mmgames.text.tables import markdown_table

POOL: dict[str, tuple[int, list[str]]] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
"""How many games are played in each, and by whom."""
COLUMNS = ("place", "agent", "rating", "95 %", "comparisons")


def play(args: argparse.Namespace) -> None:
    for game in args.games or POOL:
        total, agents = POOL[game]
        arena([game], agents, total, Settings(), out=args.folder / game, processes=args.processes, progress=True)


def page(args: argparse.Namespace) -> str:
    parts = []
    for game, (total, agents) in POOL.items():
        if (args.folder / game).exists():
            words = [word for agent in agents for word in ("--agent", agent)]
            command = shlex.join(["mmgames", "arena", game, *words, "--games", str(total)])
            rated = ladder(read([args.folder / game]))
            (found,) = rated["by_game"].values()
            table = team_table(rated["agents"], found) if found["kind"] == "team" else ladder_table(found["ladder"])
            parts.append(f"## {game}\n\n{table}\n\n{found['games']} games: `{command}`\n")
    return studies.words("pool", ladders="\n".join(parts))


def ladder_table(ranks: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        (str(place), one["agent"], f"{one['rating']:+.0f}", between(one["interval"]), str(one["comparisons"]))
        for place, one in enumerate(ranks, 1)
    ]
    return markdown_table(COLUMNS, rows, right=(0, 2, 4))


def team_table(names: Sequence[str], found: Mapping[str, Any]) -> str:
    cells = [["–" if mean is None else f"{mean:.2f}" for mean in means] for means in found["collected"]]
    rows = [(name, *means) for name, means in zip(names, cells, strict=True)]
    return markdown_table(("collected with", *names), rows, right=range(1, len(names) + 1))


if __name__ == "__main__":
    games = {"flag": "games", "nargs": "*", "choices": (*POOL, []), "metavar": "GAME"}
    studies.command(__doc__, "arena.md", {"play": play, "page": page}, games=games, processes=1)
