"""How fast rollouts of a language model go beside one reply at a time, and whether a token or a picture goes astray.

    python -m benchmarks.rollouts speed --episodes 64 --tokens 32
    python -m benchmarks.rollouts check --turns 100000

Both use a model with random weights, so nothing is downloaded. `speed` plays the same game with the same model in a
match, reply after reply, and in rollouts, and prints the decisions a second of each. `check` plays environments of all
kinds with pictures and history, plays every record again, and compares what each prompt held with what was seen then.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

import mmgames
from mmgames.agents.answering import Answering
from mmgames.agents.token_replies import picture_hash, pictures_in
from mmgames.baselines.learning.rollouts import log_probabilities, play
from mmgames.baselines.models.hf import HuggingFace
from mmgames.core.seeding import fresh_rng
from mmgames.core.turn import Turn
from mmgames.running.replays import replay
from mmgames.running.rollouts import Decision
from tests.hf.models import SPECIAL, TEMPLATE, TEXT, llava

GAME = "TicTacToe"
CHECKED: dict[str, dict[str, Any]] = {
    "TicTacToe": {},
    "Reversi": {},
    "Breakthrough": {},
    "Gomoku": {},
    "Minesweeper": {},
    "KuhnPoker": {},
    "Hanabi": {},
    "CoinDilemma": {},
    "MonsterHunt": {},
    "Overcooked": {},
    "WirePuzzle": {},
    "MazePuzzle": {},
    "Spy": {"pictures": "chart"},
    "VikiKitchen": {},
}


def text_model(episodes: int, width: int, layers: int, words: int) -> tuple[Any, Any]:
    """A model of words alone whose tokenizer has learned the prompts of the game, some four letters a token."""
    env = mmgames.aec_env(GAME, observe=("text",))
    prompts = []
    for seed in range(episodes):
        env.reset(seed=seed)
        prompts.append(env.observe(env.agent_selection)["text"])
    base = Tokenizer(models.BPE())
    base.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    base.decoder = decoders.ByteLevel()
    letters = pre_tokenizers.ByteLevel.alphabet()
    base.train_from_iterator(prompts, trainers.BpeTrainer(vocab_size=words, initial_alphabet=letters))
    reader = transformers.PreTrainedTokenizerFast(tokenizer_object=base, eos_token="<end>", pad_token="<pad>")
    reader.add_tokens(list(SPECIAL), special_tokens=True)
    reader.chat_template = TEMPLATE.replace("CONTENT", TEXT)
    config = transformers.LlamaConfig(
        vocab_size=len(reader), hidden_size=width, intermediate_size=3 * width, num_hidden_layers=layers,
        num_attention_heads=4, num_key_value_heads=1, max_position_embeddings=8192,
        eos_token_id=reader.eos_token_id, pad_token_id=reader.pad_token_id,
    )  # fmt: skip
    return transformers.LlamaForCausalLM(config), reader


def clocks() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


def speed(args: argparse.Namespace) -> None:
    torch.manual_seed(0)
    weights = text_model(8, args.width, args.layers, args.words)
    weights[0].to(args.device)
    shown = {"observe": "text", "temperature": 1.0, "max_tokens": args.tokens}
    model = HuggingFace("random weights", weights=weights, **shown)
    how = {"on_illegal": "random", "max_steps": args.steps}
    few = max(1, args.episodes // 16)
    mmgames.match(GAME, model, 1, **how)
    play(GAME, model, 2, **how)
    begun = clocks()
    match = mmgames.match(GAME, model, few, **how)
    replies = sum(len(row["replies"]) for row in match.episodes)
    one_at_a_time = [replies / (now - then) for now, then in zip(clocks(), begun, strict=True)]
    begun = clocks()
    played = play(GAME, model, args.episodes, at_once=args.episodes, **how)
    together = [len(played.decisions) / (now - then) for now, then in zip(clocks(), begun, strict=True)]
    row = {
        "weights": sum(part.numel() for part in weights[0].parameters()),
        "device": torch.cuda.get_device_name() if args.device == "cuda" else f"cpu, {torch.get_num_threads()} threads",
        "prompt_tokens": max(len(one.prompt_ids) for one in played.decisions),
        "reply_tokens": round(sum(len(one.reply_ids) for one in played.decisions) / len(played.decisions), 1),
        "decisions": len(played.decisions),
        "decisions_per_second": round(together[0], 2),
        "one_at_a_time": round(one_at_a_time[0], 2),
        "ratio": round(together[0] / one_at_a_time[0], 1),
        "ratio_by_cpu_seconds": round(together[1] / one_at_a_time[1], 1),  # where others use the machine too
    }
    print(json.dumps(row))


def check(args: argparse.Namespace) -> None:
    torch.manual_seed(0)
    weights = llava()
    weights[0].to(args.device)
    model = HuggingFace(
        "random weights", weights=weights, temperature=1.0, max_tokens=4, size=64, history=2, observe="rgb"
    )
    counts = Counter({"turns": 0, "pictures": 0, "lost": 0, "swapped": 0, "retokenised": 0})
    worst, seed = 0.0, 0
    each = -(-args.turns // len(CHECKED))
    for name, options in CHECKED.items():
        here: Counter[str] = Counter()
        while here["turns"] < each:
            how = {"at_once": args.at_once, "on_illegal": "retry_random", "max_steps": args.steps}
            played = play(
                name, model, args.at_once, [seed + number for number in range(args.at_once)], **how, **options
            )
            seed += args.at_once
            by_episode: dict[int, list[Decision]] = {}
            for one in played.decisions:
                by_episode.setdefault(one.episode, []).append(one)
            for record in played.records:
                here.update(astray(model, record, by_episode.get(record["episode"], [])))
            with torch.no_grad():
                for start in range(0, len(played.decisions), args.at_once):
                    some = played.decisions[start : start + args.at_once]
                    for one, now in zip(some, log_probabilities(model, some), strict=True):
                        told = torch.tensor(one.written.log_probs, device=now.device)
                        worst = max(worst, float((now - told).abs().max()))
        print(name, dict(here), flush=True)
        counts.update(here)
    print(json.dumps({"environments": len(CHECKED), **counts, "worst_log_probability": worst}))


def astray(model: HuggingFace, record: dict[str, Any], decisions: list[Decision]) -> Iterator[str]:
    """What became of the tokens and pictures of an episode, by its record, which is played again."""
    seen: dict[tuple[int, int], tuple[str, ...]] = {}
    wanted = {(one.turn, one.seat) for one in decisions}
    bridge = Answering(model)
    for step, live in enumerate(replay(record)):
        for seat in live.movers:
            if (step, seat) in wanted:
                style = dict(bridge.style)
                shown = Turn(live, seat, fresh_rng(0)[0]).observe(style.pop("observe"), **style)
                seen[step, seat] = tuple(map(picture_hash, pictures_in(model.fresh().messages(shown))))
    past: dict[int, list[Decision]] = {}
    for one in decisions:
        earlier = past.setdefault(one.seat, [])
        kept = earlier[len(earlier) - len(one.prompt.said) :]
        expected = tuple(hash for other in [*kept, one] for hash in seen[other.turn, other.seat])
        yield "turns"
        yield from ["pictures"] * len(one.prompt.pictures)
        if len(one.prompt.pictures) < len(expected):
            yield "lost"
        elif one.prompt.pictures != expected:
            yield "swapped"
        if one.prompt.said != tuple(other.reply_ids for other in kept) or not in_order(one, kept):
            yield "retokenised"
        earlier.append(one)


def in_order(decision: Decision, kept: list[Decision]) -> bool:
    """Whether a prompt holds these replies by their ids, one after the other."""
    text, start = " ".join(map(str, decision.prompt_ids)) + " ", 0
    for one in kept:
        part = " ".join(map(str, one.reply_ids)) + " "
        start = text.find(part, start)
        if start < 0:
            return False
        start += len(part)
    return True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("speed", "check"))
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--episodes", type=int, default=64, help="speed: so many at a time")
    parser.add_argument("--tokens", type=int, default=32, help="speed: of each reply")
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--words", type=int, default=1500, help="speed: size of the vocabulary")
    parser.add_argument("--turns", type=int, default=400, help="check: so many decisions at least")
    parser.add_argument("--at-once", type=int, default=8, help="check: episodes at a time")
    parser.add_argument("--steps", type=int, default=4, help="transitions of an episode at most")
    args = parser.parse_args()
    {"speed": speed, "check": check}[args.what](args)


if __name__ == "__main__":
    main()
