"""sb3-contrib's MaskablePPO learns TicTacToe against random play; the masks keep it from illegal moves.

pip install 'mmgames[train]'
"""

import sys

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy

from mmgames.wrappers.sb3 import BatchedVecEnv


def main(steps: int = 80_000) -> float:
    torch.set_num_threads(1)
    env = BatchedVecEnv("mmgames/TicTacToe-v0", 128, seat="x", others="random")
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=1024, n_epochs=4, learning_rate=2e-3, seed=0)
    before, _ = evaluate_policy(model, env, n_eval_episodes=512)
    model.learn(steps)
    after, _ = evaluate_policy(model, env, n_eval_episodes=512)
    print(f"mean result: {before:+.2f} before, {after:+.2f} after {model.num_timesteps:,} moves")
    return float(after)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
