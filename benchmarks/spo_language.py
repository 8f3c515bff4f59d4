"""Iterative-SPO over a vision-language model with random weights: how it learns, and how fast a large one goes.

    python -m benchmarks.spo_language learn --out runs/spy-words --device cuda --iterations 60
    python -m benchmarks.spo_language speed --device cuda --width 2048 --layers 28 --tokens 32 --updates 2

`learn` makes a small model with a tokenizer of its own, warms it up on rounds of scripted players, and lets it play
itself at the suite's table; the same command goes on after a stop. It prints the log, with evaluations against the
frozen reference. The model then plays as `hf:RUN/model,size=128,reasoning=direct`.
`speed` has bytes as tokens, so prompts are some four times as long as a trained model's.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from mmgames.baselines.learning.iterative_spo import SpoRecipe
from mmgames.baselines.learning.language_trainer import Example, LanguageTrainer, TrainerRecipe
from mmgames.baselines.learning.spo_language import LanguageTraining, scripted_examples
from mmgames.baselines.learning.viki_prompts import PlannedReply
from mmgames.baselines.models import small_vision_model
from mmgames.baselines.models.hf import HuggingFace
from mmgames.baselines.models.token_batches import ReadyPrompt, encode
from mmgames.games.spy.pictures.clevr import COLOURS, MATERIALS, SHAPES, SIZES
from tests.hf.models import llava

SHOWN: dict[str, Any] = {"size": small_vision_model.PIXELS, "max_tokens": 32, "reasoning": "direct"}
NAMES = (*COLOURS, *SHAPES, *MATERIALS, *SIZES, *(f"player_{number}" for number in range(1, 6)), "N/A")
"""The words of the domain, for a tokenizer."""


def sizes(width: int, layers: int) -> dict[str, int]:
    return {
        "hidden_size": width, "intermediate_size": 3 * width, "num_hidden_layers": layers,
        "num_attention_heads": max(1, width // 64), "num_key_value_heads": max(1, width // 256),
    }  # fmt: skip


def learn(args: argparse.Namespace) -> None:
    begun = time.perf_counter()
    blank = HuggingFace("none", weights=llava(), **SHOWN)  # type: ignore[arg-type]
    rng = np.random.default_rng(args.seed)
    taught = []
    for first in range(0, args.rounds, 100):  # of each round some, so that many pictures are seen
        some = scripted_examples(blank, min(100, args.rounds - first), seed=args.seed * 1000 + first)
        taught += [some[place] for place in rng.permutation(len(some))[: args.each * 100]]
    texts = [part["text"] for one in taught[:1000] for part in one.messages[-1]["content"] if part["type"] == "text"]
    model, processor = small_vision_model.build(
        [*texts, *(one.reply for one in taught[:1000])], names=NAMES, seed=args.seed, width=args.width,
        layers=args.layers,
    )  # fmt: skip
    recipe = TrainerRecipe(
        rate=args.rate, batch=128, warmup=50, kl=args.kl, save_every=50, seed=args.seed,
        precision="bfloat16" if args.device == "cuda" else "float32",
    )  # fmt: skip
    trainer = LanguageTrainer.resume(args.out, model.to(args.device), processor, recipe)
    spo = SpoRecipe(iterations=args.iterations, batch=args.batch, held_out=0, evaluate=args.every, rounds=args.evaluate)
    training = LanguageTraining(trainer, spo, player=SHOWN)
    examples = [_ready(trainer, one) for one in taught]
    about = {"weights": small_vision_model.weight_count(model), "examples": len(examples)}
    print(json.dumps({**about, "seconds": time.perf_counter() - begun}), flush=True)
    while (done := trainer.updates.get("sft", 0)) < args.warm:
        falling = 0.05 + 0.95 * 0.5 * (1 + np.cos(np.pi * done / args.warm))
        trainer.recipe = replace(recipe, rate=args.rate * float(falling))
        trainer.sft(examples, min(done + 50, args.warm))
        print(json.dumps({"seconds": time.perf_counter() - begun, **trainer.log[-1]}), flush=True)
    trainer.recipe = replace(recipe, rate=args.spo_rate)
    while training.iteration < args.iterations and time.perf_counter() - begun < args.seconds:
        told = training.iterate()
        print(json.dumps({"seconds": time.perf_counter() - begun, "iteration": training.iteration, **told}), flush=True)
    trainer.save()
    trainer.export(Path(args.out) / "model")


def _ready(trainer: LanguageTrainer, example: Example) -> PlannedReply:
    """An example that is encoded once for all passes; its picture is small enough to be kept."""
    encoded = encode(trainer.weights, example.prompt())
    encoded.pictures = {name: [one.bfloat16() for one in some] for name, some in encoded.pictures.items()}
    return PlannedReply(ReadyPrompt([], (), (), 0, encoded), example.reply, trainer.weights.tokens(example.reply))


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
    parser.add_argument("--width", type=int, default=320)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--batch", type=int, default=16, help="rounds of an update")
    parser.add_argument("--tokens", type=int, default=32, help="speed: tokens of a reply")
    parser.add_argument("--updates", type=int, default=2, help="speed: so many are timed")
    parser.add_argument("--lora", type=int, help="speed: the rank of adapters; without it all weights learn")
    parser.add_argument("--rounds", type=int, default=8000, help="learn: scripted rounds to warm up on")
    parser.add_argument("--each", type=int, default=4, help="learn: so many replies of a round are learned, on average")
    parser.add_argument("--warm", type=int, default=1500, help="learn: updates of the warm-up")
    parser.add_argument("--every", type=int, default=20, help="learn: iterations between evaluations")
    parser.add_argument("--iterations", type=int, default=60, help="learn: iterations of self-play")
    parser.add_argument("--evaluate", type=int, default=300, help="learn: rounds of an evaluation")
    parser.add_argument("--rate", type=float, default=1e-3, help="learn: of the warm-up")
    parser.add_argument("--spo-rate", type=float, default=5e-5, help="learn: of self-play")
    parser.add_argument("--kl", type=float, default=0.04)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="learn: stop after so long")
    args = parser.parse_args()
    {"learn": learn, "speed": speed}[args.what](args)


if __name__ == "__main__":
    main()
