"""How strong the agents that people play against are, measured in the arena: assets/strengths.json.

    python benchmarks/strengths.py

Agents of a game meet each other in turn. Who has at least two thirds of what can be had against the others is hard, who
has less than one third easy, and the rest medium. Searches of one agent with less and more effort are agents of their
own. `error` is the standard error of a share. Games in which nobody plays against anybody have no strengths.
"""

import json
import subprocess
import sys
from pathlib import Path

GAMES = {
    "TicTacToe": ("random", "minimax:depth=1", "minimax", "mcts:simulations=20"),
    "Breakthrough": ("random", "minimax:depth=1", "minimax:depth=2", "mcts:simulations=20"),
    "Reversi": ("random", "minimax:depth=1", "minimax:depth=2", "mcts:simulations=20"),
    "Gomoku": ("random", "minimax:depth=1", "mcts:simulations=20"),
    "Chess": ("random", "alpha_beta:depth=1", "alpha_beta:depth=2", "alpha_beta:depth=3"),
    "OpenSpiel": ("random", "minimax:depth=2", "mcts:simulations=100"),
}
NAMED = {"OpenSpiel": "connect_four"}  # the one of its games that was played
GAMES_EACH = 20  # with every other agent
OUT = Path(__file__).parents[1] / "assets" / "strengths.json"


def measured(game: str, agents: tuple[str, ...]) -> dict[str, dict[str, object]]:
    total = GAMES_EACH * len(agents) * (len(agents) - 1) // 2
    command = [sys.executable, "-m", "mmgames", "arena", game, "--games", str(total), "--schedule", "round-robin"]
    command += [part for agent in agents for part in ("--agent", agent)]
    found = json.loads(subprocess.run([*command, "--json"], check=True, capture_output=True, text=True).stdout)
    own, told = next(iter(found["by_game"].values())), {}
    for agent, row, errors in zip(found["agents"], own["collected"], own["collected_error"], strict=True):
        against = [one for one in row if one is not None]
        share = round((1 + sum(against) / len(against)) / 2, 3)
        error = round(sum(one**2 for one in errors if one is not None) ** 0.5 / 2 / (len(agents) - 1), 3)
        strength = "easy" if share < 1 / 3 else "medium" if share < 2 / 3 else "hard"
        told[agent] = {"share": share, "error": error, "strength": strength}
    return {agent: told[agent] for agent in agents}


if __name__ == "__main__":
    games = {NAMED.get(game, game): measured(game, agents) for game, agents in GAMES.items()}
    kept = {"command": "python benchmarks/strengths.py", "games_each": GAMES_EACH, "games": games}
    OUT.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
