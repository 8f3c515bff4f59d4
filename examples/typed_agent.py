"""A script that a type checker can follow to its end: `mypy --strict examples/typed_agent.py`."""

import numpy as np

import mmgames
from mmgames import Turn


class First:
    """Takes the first legal action."""

    def act(self, turn: Turn) -> int:
        return int(turn.legal[0])


game = mmgames.load_game("TicTacToe")
result = mmgames.match("TicTacToe", [First(), "random"], episodes=20)
means = np.mean([row["returns"] for row in result.episodes], axis=0)
for role, mean in zip(game.seats, means, strict=True):
    print(f"{role} {mean:+.2f}")

env = mmgames.vector_env("mmgames/TicTacToe-v0", num_envs=64)
env.reset(seed=0)
observations, rewards, terminated, truncated, info = env.step(env.random_actions())
print(f"{env.num_envs} games, {int(terminated.sum())} of them over")
env.close()
