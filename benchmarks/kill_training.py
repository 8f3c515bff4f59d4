"""Kills training runs at random moments, and compares what they end as with a run that nobody disturbed.

    python -m benchmarks.kill_training --kills 50

A tiny model with random weights learns from examples with pictures, then from what it plays, and all is saved after
every update. Each run is a process that is killed (SIGKILL) and begun again until it is done; runs follow until so many
kills have hit. It prints a JSON object and fails if one bit of a run's last save or of its log is another one.
"""

import json
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image

import mmgames
from mmgames.baselines.learning.language_trainer import CHECKPOINT, Example, LanguageTrainer, TrainerRecipe
from mmgames.baselines.learning.rollouts import play
from mmgames.text.command_line import read_arguments
from tests.hf.models import llava

RECIPE = TrainerRecipe(rate=1e-2, batch=2, advantages="baseline", lora=2, save_every=1, seed=3)
PLAYER: dict[str, Any] = {"size": 32, "max_tokens": 3, "observe": "rgb", "reasoning": "direct", "legal_in_text": False}


def train(folder: Path, steps: int) -> None:
    """So many updates by examples and as many by rollouts, from wherever the folder's last save is."""
    torch.manual_seed(0)
    model, processor = llava()
    trainer = LanguageTrainer.resume(folder, model, processor, RECIPE)
    asked = [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "?"}]}]
    colours = ("red", "green", "blue", "black", "white")
    trainer.sft([Example(asked, name, (Image.new("RGB", (32, 32), name),)) for name in colours], steps)
    player = trainer.player(**PLAYER)
    for number in trainer.remaining(steps):
        played = play("KuhnPoker", player, 2, [number, number], on_illegal="random", max_steps=1)
        # With random weights no reply is a move; what they are worth here is the first token.
        learned = [replace(one, marks=()) for one in played.decisions]
        trainer.improve(learned, [float(one.reply_ids[0] % 5 - 2) for one in learned])
    trainer.close()


def start(work: Callable[[], None]) -> int:
    """The id of a new process that does it: a copy of this one, so that nothing has to be imported again."""
    process = os.fork()
    if process:
        return process
    code = 1
    try:
        work()
        code = 0
    finally:
        os._exit(code)


def ended(process: int) -> bool:
    """Wait for it: whether it was done, and not killed."""
    _, status = os.waitpid(process, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return False
    if os.waitstatus_to_exitcode(status):
        raise SystemExit("The training failed by itself.")
    return True


def kept(folder: Path) -> tuple[bytes, bytes]:
    return (folder / CHECKPOINT).read_bytes(), (folder / "log.csv").read_bytes()


def main() -> None:
    args = read_arguments(__doc__, __file__)
    rng = np.random.default_rng(args.seed)
    torch.set_num_threads(1)  # what more threads there were would be missing in copies of this process
    model, processor = llava()  # all that a run needs is imported here, once
    with tempfile.TemporaryDirectory() as name:
        LanguageTrainer(model, processor, RECIPE, name)
    mmgames.match("KuhnPoker", "random", 1)
    with tempfile.TemporaryDirectory() as name:
        whole, folder = Path(name) / "whole", Path(name) / "killed"
        begun = time.perf_counter()
        ended(start(lambda: train(whole, args.steps)))
        lasted, kills, halves, runs, same = time.perf_counter() - begun, 0, 0, 0, 0
        while kills < args.kills:
            done = False
            while not done:
                process = start(lambda: train(folder, args.steps))
                if kills < args.kills:
                    time.sleep(rng.uniform(0, lasted / 2))
                    os.kill(process, signal.SIGKILL)  # one that is done stays until it is waited for
                done = ended(process)
                kills += not done
                halves += any(folder.glob("*.partial")) and not done
            runs, same = runs + 1, same + (kept(folder) == kept(whole))
            shutil.rmtree(folder)
    row = {"kills": kills, "within_a_write": halves, "runs": runs, "runs_with_the_same_bits": same}
    print(json.dumps({**row, "updates_of_a_run": 2 * args.steps}))
    if same < runs:
        raise SystemExit("A run that was killed has ended otherwise.")


if __name__ == "__main__":
    main()
