"""The page docs/results/arena.md: the agents that come with every game, as a ladder, so that a newcomer has a place.

python -m benchmarks.pool play results/pool [GAME …] --processes 2    # an arena for each game; goes on where it stopped
python -m benchmarks.pool page results/pool                           # the page, from what is there
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mmgames.arena.arena import Settings, arena, read
from mmgames.arena.ladder import ladder

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
PAGE = Path("docs/results/arena.md")
HEAD = """# The pool

Written by `python -m benchmarks.pool page`.

The agents that come with each game, as [an arena](../guides/arena.md) orders them. Ratings are Elo's: 400 points are
ten to one, and the mean of a ladder is 0. Beside each stands its 95 % interval. In a game in which all are one team
nobody is stronger alone: there it is what each collects with its like, and with the others. What a newcomer's place
is tells the command of its game with one more `--agent`, or `--add` to a folder that is kept with `--out`.

Games without chance whose agents draw nothing repeat themselves; their intervals count every game as a new one and
are too narrow for two such agents, though not for their order.
"""


def play(folder: Path, games: Sequence[str], processes: int) -> None:
    for game in games or POOL:
        total, agents = POOL[game]
        arena([game], agents, total, Settings(), out=folder / game, processes=processes, progress=True)


def page(folder: Path) -> str:
    parts = [HEAD]
    for game, (total, agents) in POOL.items():
        if (folder / game).exists():
            words = [word for agent in agents for word in ("--agent", agent)]
            command = shlex.join(["mmgames", "arena", game, *words, "--games", str(total)])
            told = ladder(read([folder / game]))
            (found,) = told["by_game"].values()
            lines = _team(told["agents"], found) if found["kind"] == "team" else _ladder(found["ladder"])
            parts.append("\n".join([f"## {game}", "", *lines, "", f"{found['games']} games: `{command}`", ""]))
    return "\n".join(parts)


def _ladder(ranks: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield from ("| place | agent | rating | 95 % | comparisons |", "| ---: | --- | ---: | --- | ---: |")
    for place, one in enumerate(ranks, 1):
        low, high = one["interval"]
        yield f"| {place} | {one['agent']} | {one['rating']:+.0f} | {low:+.0f} to {high:+.0f} | {one['comparisons']} |"


def _team(names: Sequence[str], found: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"| collected with | {' | '.join(names)} |", f"| --- |{' ---: |' * len(names)}")
    for name, means in zip(names, found["collected"], strict=True):
        yield f"| {name} | {' | '.join('–' if mean is None else f'{mean:.2f}' for mean in means)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=("play", "page"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("games", nargs="*", choices=(*POOL, []), metavar="GAME")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--out", type=Path, default=PAGE)
    args = parser.parse_args()
    if args.do == "play":
        play(args.folder, args.games, args.processes)
    else:
        args.out.write_text(page(args.folder))


if __name__ == "__main__":
    main()
