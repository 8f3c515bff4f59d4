"""How fast Iterative-SPO goes over a vision-language model: one with random weights, as large as you like.

    python -m benchmarks.spo_language --device cuda --width 2048 --layers 28 --tokens 32 --updates 2

Its words are bytes, so prompts are some four times as long as a trained model's. A reply always has `--tokens` tokens.
"""

from __future__ import annotations

import argparse
import json
import time

import torch

from mmgames.baselines.learning.spo_language import LanguageTraining
from mmgames.baselines.models.hf import HuggingFace
from tests.hf.models import llava


def player(args: argparse.Namespace) -> HuggingFace:
    torch.manual_seed(0)
    wide = {"hidden_size": args.width, "intermediate_size": 3 * args.width, "num_hidden_layers": args.layers}
    words = {**wide, "num_attention_heads": max(1, args.width // 64), "num_key_value_heads": max(1, args.width // 256)}
    sight = {"hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 24, "num_attention_heads": 16}
    with torch.device(args.device):
        model, processor = llava(words, sight if args.width >= 512 else None, pixels=336, patch=14)
    model = model.to(args.device, torch.bfloat16 if args.device == "cuda" else torch.float32)
    # Random weights would write the sign for a picture, of which there is none, and stop anywhere.
    model.generation_config.suppress_tokens = [model.config.image_token_id]
    model.generation_config.min_new_tokens = args.tokens
    settings = {"temperature": 1.0, "logprobs": True, "size": 320, "max_tokens": args.tokens}
    return HuggingFace("random", weights=(model, processor), **settings)  # type: ignore[arg-type]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--tokens", type=int, default=64, help="tokens of a reply")
    parser.add_argument("--batch", type=int, default=1, help="rounds of an update")
    parser.add_argument("--updates", type=int, default=2)
    args = parser.parse_args()
    model = player(args)
    training = LanguageTraining(model, batch=args.batch)
    training.switch.shortest = training.switch.longest = max(1, args.updates // 2)  # half votes, half clues
    training.iterate()
    begun, replies, written = time.perf_counter(), 0, 0
    for _ in range(args.updates):
        training.iterate()
        replies += len(training.decisions)
        written += sum(len(decision["tokens"]) for decision in training.decisions)
    seconds = time.perf_counter() - begun
    read = model.weights.encode(training.decisions[-1]["messages"])["input_ids"].shape[1]
    row = {
        "parameters": sum(part.numel() for part in model.weights.model.parameters()),
        "device": torch.cuda.get_device_name() if args.device == "cuda" else "cpu",
        "seconds_per_update": seconds / args.updates,
        "replies_per_second": replies / seconds,
        "tokens_written_per_second": written / seconds,
        "tokens_of_the_longest_prompt": read,
        **{name: getattr(args, name) for name in ("width", "layers", "tokens", "batch", "updates")},
    }
    if args.device == "cuda":
        row["gigabytes"] = torch.cuda.max_memory_allocated() / 2**30
    print(json.dumps(row))


if __name__ == "__main__":
    main()
