"""TRL's GRPOTrainer teaches one model both seats of TicTacToe, against itself: whole games by a rollout function.

Needs `pip install 'mmgames[hf]' trl datasets`, and a GPU for a model of any size.
"""

from typing import Any

import torch
from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

from mmgames.baselines.learning.trl_rollouts import returns_of_games, rollout_func, start_rows

GAME = "TicTacToe"


def main(
    model: Any = "Qwen/Qwen3-0.6B",
    processing_class: Any = None,
    out: str = "trl-grpo",
    steps: int = 100,
    starts: int = 64,
    tokens: int = 64,
) -> list[float]:
    """Trains, and gives the mean return of each step."""
    args = GRPOConfig(
        output_dir=out,
        num_generations=4,
        per_device_train_batch_size=8,  # four games of a start: a row for each seat of each
        shuffle_dataset=False,  # so that the rows of a start stay together
        max_completion_length=tokens,  # of one reply
        max_steps=steps,
        logging_steps=1,
        report_to=[],
        use_cpu=not torch.cuda.is_available(),
        bf16=torch.cuda.is_available(),
    )
    trainer = GRPOTrainer(
        model,
        returns_of_games,
        args=args,
        train_dataset=Dataset.from_list(start_rows(GAME, starts)),
        processing_class=processing_class,
        # What is no move loses the game at once, and is learned from like a lost game.
        rollout_func=rollout_func(GAME, on_illegal="lose", learned_marks=("refused", "cut off")),
    )
    trainer.train()
    return [entry["reward"] for entry in trainer.state.log_history if "reward" in entry]


if __name__ == "__main__":
    print(main())
