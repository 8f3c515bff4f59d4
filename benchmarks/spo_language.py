"""Iterative-SPO over a vision-language model with random weights: how it learns, and how fast a large one goes.

    python -m benchmarks.spo_language learn --out runs/spy-words --rounds 2000 --warm 2000 --iterations 60
    python -m benchmarks.spo_language speed --device cuda --width 2048 --layers 28 --tokens 32 --updates 2

`learn` makes a small model with a tokenizer of its own, warms it up on rounds of scripted players, and lets it play
itself; the same command goes on after a stop. It prints the log of every evaluation against the frozen reference.
`speed` has bytes as tokens, so prompts are some four times as long as a trained model's.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import torch

from mmgames.baselines.learning.iterative_spo import SpoRecipe
from mmgames.baselines.learning.language_trainer import LanguageTrainer, TrainerRecipe
from mmgames.baselines.learning.spo_language import LanguageTraining, scripted_examples
from mmgames.baselines.models.hf import HuggingFace
from tests.hf.models import llava

TABLE: dict[str, Any] = {
    "civilians": 2, "clue_rounds": 1, "pictures": "clevr:fewest=2,most=3,changes=1,attributes=colour",
}  # fmt: skip


def sizes(width: int, layers: int) -> dict[str, int]:
    return {
        "hidden_size": width, "intermediate_size": 3 * width, "num_hidden_layers": layers,
        "num_attention_heads": max(1, width // 64), "num_key_value_heads": max(1, width // 256),
    }  # fmt: skip


def learn(args: argparse.Namespace) -> None:
    shown = {"size": 64, "max_tokens": 24, "reasoning": "direct"}
    blank = HuggingFace("none", weights=llava(), **shown)  # type: ignore[arg-type]
    examples = scripted_examples(blank, args.rounds, **TABLE)
    texts = [part["text"] for one in examples[:200] for part in one.messages[-1]["content"] if part["type"] == "text"]
    torch.manual_seed(0)
    sight = {**sizes(args.width // 2, 3), "num_attention_heads": 4}
    sight.pop("num_key_value_heads")
    known = [*texts, *(one.reply for one in examples[:200])]
    model, processor = llava(sizes(args.width, args.layers), sight, pixels=64, patch=8, known=known, vocabulary=600)
    model.to(args.device)
    recipe = TrainerRecipe(
        rate=args.rate, batch=64, warmup=50, kl=0.04, largest_gradient=1.0, save_every=25, seed=args.seed,
        precision="bfloat16" if args.device == "cuda" else "float32",
    )  # fmt: skip
    trainer = LanguageTrainer.resume(args.out, model, processor, recipe)
    spo = SpoRecipe(
        iterations=args.iterations, batch=args.batch, held_out=0, from_zero=False, evaluate=10, rounds=args.evaluate,
        good_accuracy=0.7, good_abstention=0.3,
    )  # fmt: skip
    training = LanguageTraining(trainer, spo, player=shown, **TABLE)
    begun = time.perf_counter()
    trainer.sft(examples, steps=args.warm)
    warm = {"weights": sum(part.numel() for part in model.parameters()), "examples": len(examples)}
    print(json.dumps({**warm, "seconds": time.perf_counter() - begun, **trainer.log[args.warm - 1]}), flush=True)
    while training.iteration < args.iterations and time.perf_counter() - begun < args.seconds:
        told = training.iterate()
        if "win_rate" in told:
            print(json.dumps({"seconds": time.perf_counter() - begun, **told}), flush=True)
    trainer.save()


def speed(args: argparse.Namespace) -> None:
    torch.manual_seed(0)
    sight = {"hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 24, "num_attention_heads": 16}
    with torch.device(args.device):
        model, processor = llava(
            sizes(args.width, args.layers), sight if args.width >= 512 else None, pixels=336, patch=14
        )
    model = model.to(args.device, torch.bfloat16 if args.device == "cuda" else torch.float32)
    recipe = TrainerRecipe(batch=1, lora=args.lora, precision="bfloat16" if args.device == "cuda" else "float32",
                           checkpointing=True, save_every=10**6)  # fmt: skip
    trainer = LanguageTrainer(model, processor, recipe, Path(args.out))
    spo = SpoRecipe(batch=args.batch, held_out=0, shortest=1, longest=1, evaluate=10**6)
    training = LanguageTraining(trainer, spo, player={"size": 320, "max_tokens": args.tokens}, silence="heard")
    training.iterate()
    begun, replies = time.perf_counter(), 0
    for _ in range(args.updates):
        training.iterate()
        replies += args.batch * (2 * len(training.game.seats) + 4)
    seconds = time.perf_counter() - begun
    row = {
        "weights": sum(part.numel() for part in model.parameters()),
        "learning": sum(part.numel() for part in trainer.parameters.values()),
        "seconds_per_update": seconds / args.updates,
        "replies_per_second": replies / seconds,
        **{name: getattr(args, name) for name in ("width", "layers", "tokens", "batch", "updates", "lora")},
    }
    if args.device == "cuda":
        row["gigabytes"] = torch.cuda.max_memory_allocated() / 2**30
    print(json.dumps(row))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("learn", "speed"))
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--out", default="runs/spo-language", help="the folder of the run")
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--batch", type=int, default=16, help="rounds of an update")
    parser.add_argument("--tokens", type=int, default=32, help="speed: tokens of a reply")
    parser.add_argument("--updates", type=int, default=2, help="speed: so many are timed")
    parser.add_argument("--lora", type=int, help="speed: the rank of adapters; without it all weights learn")
    parser.add_argument("--rounds", type=int, default=2000, help="learn: scripted rounds to warm up on")
    parser.add_argument("--warm", type=int, default=2000, help="learn: updates of the warm-up")
    parser.add_argument("--iterations", type=int, default=60, help="learn: iterations of self-play")
    parser.add_argument("--evaluate", type=int, default=300, help="learn: rounds of an evaluation")
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="learn: stop after so long")
    args = parser.parse_args()
    {"learn": learn, "speed": speed}[args.what](args)


if __name__ == "__main__":
    main()
