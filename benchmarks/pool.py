"""The page docs/results/arena.md: the agents that come with every game, as a ladder, so that a newcomer has a place.

python -m benchmarks.pool play results/pool [GAME …] --processes 2    # an arena for each game; goes on where it stopped
python -m benchmarks.pool page results/pool                           # the page, from what is there
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks import studies
from mmgames.arena.arena import Settings, arena, read
from mmgames.arena.ladder import ladder
from mmgames.text.tables import markdown_table

GRID = ("random", "self_interest", "optimum", "ippo")
PUZZLES = ("Atm", "Color", "Keypad", "Led", "Maze", "Memory", "Password", "Telehealth", "Who", "Wire")
POOL: dict[str, tuple[int, tuple[str, ...]]] = {
    "Breakthrough": (300, (
        "random", "mcts:simulations=100,as=mcts-100", "mcts:simulations=1000,as=mcts-1000",
        *(f"minimax:depth={depth},as=minimax-{depth}" for depth in (1, 2, 3, 4, 5)),
        *(f"alphazero:simulations={some},as=alphazero-{some}" for some in (0, 16, 64)),
    )),
    "Reversi": (200, (
        "random", "mcts:simulations=100,as=mcts-100", "mcts:simulations=1000,as=mcts-1000", "disc_minimax",
        *(f"minimax:depth={depth},as=minimax-{depth}" for depth in (1, 3, 5)),
        *(f"alphazero:simulations={some},as=alphazero-{some}" for some in (0, 16, 64)),
    )),
    "Gomoku": (160, (
        "random", "mcts:simulations=200,as=mcts-200", "minimax:depth=1,as=minimax-1", "minimax",
        *(f"alphazero:simulations={some},as=alphazero-{some}" for some in (0, 16, 64)),
    )),
    "Chess": (40, ("random", "minimax", "alpha_beta")),
    "TicTacToe": (400, (
        "random", "mcts:simulations=10,as=mcts-10", "mcts:simulations=100,as=mcts-100", "ippo", "minimax",
    )),
    "OpenSpiel": (80, (
        "random", "mcts:simulations=10,as=mcts-10", "mcts:simulations=100,as=mcts-100", "minimax:depth=4,as=minimax-4",
    )),
    "Pong": (40, ("random", "tracker")),
    "PongDuel": (40, ("random", "tracker")),
    "KuhnPoker": (4000, ("random", "cfr", "ippo", "equilibrium")),
    "CoinDilemma": (400, (*GRID, "common_welfare")),
    "MonsterHunt": (400, (*GRID, "chase", "wait_middle", "wait_corner")),
    "BattleOfTheColors": (400, (*GRID, "common_welfare", "biased_red", "biased_blue")),
    "Harvest": (80, ("random", "greedy", "restrained")),
    "Cleanup": (80, ("random", "eater", "cleaner", "turn_taker")),
    "KnightsArchersZombies": (40, ("random", "heuristic")),
    "Particles": (80, ("random", "heuristic")),
    "Spy": (400, (
        "random", "truthful", "consistency", "listening", "vague", "copying", "blurting", "silent", "spo", "oracle",
    )),
    "Minesweeper": (60, ("random", "solver")),
    "Sudoku": (20, ("random", "solver")),
    "Hanabi": (60, ("random", "careless_bot", "rule_bot", "ippo")),
    "TinyHanabi": (200, ("random", "careless_bot", "rule_bot", "ippo", "oracle")),
    "Overcooked": (40, ("random", "greedy", "planner", "ippo")),
    "VikiKitchen": (40, ("random", "greedy", "planner")),
    "VikiChain": (60, ("random", "heuristic", "oracle")),
    **{f"{name}Puzzle": (12, ("random", "scripted_solver|scripted_expert:as=scripted")) for name in PUZZLES},
}  # fmt: skip
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
            told = ladder(read([args.folder / game]))
            (found,) = told["by_game"].values()
            table = team_table(told["agents"], found) if found["kind"] == "team" else ladder_table(found["ladder"])
            parts.append(f"## {game}\n\n{table}\n\n{found['games']} games: `{command}`\n")
    return studies.words("pool", ladders="\n".join(parts))


def ladder_table(ranks: Sequence[Mapping[str, Any]]) -> str:
    rows = []
    for place, one in enumerate(ranks, 1):
        low, high = one["interval"]
        rating, interval = f"{one['rating']:+.0f}", f"{low:+.0f} to {high:+.0f}"
        rows.append((str(place), one["agent"], rating, interval, str(one["comparisons"])))
    return markdown_table(COLUMNS, rows, right=(0, 2, 4))


def team_table(names: Sequence[str], found: Mapping[str, Any]) -> str:
    cells = [["–" if mean is None else f"{mean:.2f}" for mean in means] for means in found["collected"]]
    rows = [(name, *means) for name, means in zip(names, cells, strict=True)]
    return markdown_table(("collected with", *names), rows, right=range(1, len(names) + 1))


if __name__ == "__main__":
    games = {"flag": "games", "nargs": "*", "choices": (*POOL, []), "metavar": "GAME"}
    studies.command(__doc__, "arena.md", {"play": play, "page": page}, games=games, processes=1)
