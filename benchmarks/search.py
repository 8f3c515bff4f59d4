"""Search on Breakthrough, side by side with OpenSpiel: `python benchmarks/search.py [GAMES]`.

Prints how many times faster our tree search is than OpenSpiel's in C++ and in Python, measured in the same run, and how
minimax looking five moves ahead fares against that tree search, in GAMES (10) with the first move and as many without.
"""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from mmgames.baselines.search.minimax import Minimax
from mmgames.commands.bench import best, search_steps
from mmgames.core import registry
from mmgames.core.turn import Turn
from mmgames.running.matches import match

GAME = "mmgames/Breakthrough-v0"
PEER = Path(__file__).parent / "peers" / "open_spiel_mcts.py"


class TimedMinimax(Minimax):
    """Minimax that counts its moves and the seconds they took."""

    moves = 0
    seconds = 0.0

    def act(self, turn: Turn) -> Any:
        begun = time.perf_counter()
        move = super().act(turn)
        self.moves += 1
        self.seconds += time.perf_counter() - begun
        return move


def compare_speed() -> None:
    ours = best(search_steps(registry.find(GAME)), 0.5)
    print(f"mcts 100 × 10, first move of Breakthrough: {ours:.1f} searches/s")
    done = subprocess.run([sys.executable, str(PEER)], capture_output=True, text=True, check=True)
    for peer in map(json.loads, done.stdout.splitlines()):
        print(f"  {peer['library']}: {peer['value']:.2f} searches/s; ours is {ours / peer['value']:.1f} times as fast")


def play(games: int) -> None:
    wins = 0
    game = registry.load(GAME).game()
    agent = TimedMinimax(depth=5)
    agent.best(game, game.start(np.random.default_rng(0)))  # compiled before it is timed
    for seat in (0, 1):
        agents: list[Any] = ["mcts", "mcts"]
        agents[seat] = agent
        wins += int((match(GAME, agents, games, seed=seat).returns()[:, seat] > 0).sum())
    print(f"minimax:depth=5 against mcts: {wins} wins of {2 * games} games, half of them with the first move")
    print(f"  {agent.seconds / agent.moves * 1000:.1f} ms a move on average over {agent.moves} moves")


if __name__ == "__main__":
    compare_speed()
    play(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
