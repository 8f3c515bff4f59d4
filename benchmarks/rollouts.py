"""How fast rollouts of a language model go beside one reply at a time, and whether a token or a picture goes astray.

    python -m benchmarks.rollouts speed --episodes 64 --tokens 32
    python -m benchmarks.rollouts check --turns 100000 --device cuda --processes 16 --out check.jsonl --seconds 480

Both use a model with random weights, so nothing is downloaded. `speed` plays the same game with the same model in a
match, reply after reply, and in rollouts, and prints the decisions a second of each. `check` plays environments of all
kinds with pictures and history, plays every record again, and compares what each prompt held with what was seen then.
It works in blocks, which `--out` keeps: the same command goes on where `--seconds` or a power cut has stopped it.
"""

import argparse
import json
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

import mmgames
from mmgames.agents.answering import Answering
from mmgames.agents.token_replies import TokenPrompt, TokenReply, picture_hash, pictures_in
from mmgames.baselines.learning.rollouts import log_probabilities, play
from mmgames.baselines.models.hf import HuggingFace
from mmgames.core.seeding import fresh_rng
from mmgames.core.turn import Turn
from mmgames.running.processes import run_jobs
from mmgames.running.replays import replay
from mmgames.running.resumable import ResultRow, ResumableWork
from mmgames.running.rollouts import Decision
from mmgames.text.command_line import read_arguments
from tests.hf.models import SPECIAL, TEMPLATE, TEXT, llava

GAME = "TicTacToe"
CHECKED: dict[str, dict[str, Any]] = {
    **{name: {} for name in ("TicTacToe", "Reversi", "Breakthrough", "Gomoku", "Minesweeper", "KuhnPoker", "Hanabi")},
    **{name: {} for name in ("CoinDilemma", "MonsterHunt", "Overcooked", "WirePuzzle", "MazePuzzle")},
    "Spy": {"pictures": "chart"},
    "VikiKitchen": {},
}
BLOCK = 500
"""So many decisions of one environment, and a few more where episodes end later, are one piece of the check."""
ASTRAY = ("lost", "swapped", "retokenised")
TOLERANCE = 1e-3
"""Log-probabilities from one forward pass may differ by this much from those that were told token by token."""


class TimedModel(HuggingFace):
    """A model that counts the seconds in which it reads and writes: all other time of rollouts is the environment's."""

    seconds = 0.0

    def complete_batch(self, prompts: Sequence[TokenPrompt]) -> list[TokenReply | Exception]:
        begun = time.perf_counter()
        written = super().complete_batch(prompts)  # tokens are numbers by now, so a GPU has done its work
        self.seconds += time.perf_counter() - begun
        return written


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
    model = TimedModel("random weights", weights=weights, **shown)
    how = {"on_illegal": "random", "max_steps": args.steps}
    few = max(1, args.episodes // 16)
    mmgames.match(GAME, model, 1, **how)
    play(GAME, model, 2, **how)
    begun = clocks()
    match = mmgames.match(GAME, model, few, **how)
    replies = sum(len(row["replies"]) for row in match.episodes)
    one_at_a_time = [replies / (now - then) for now, then in zip(clocks(), begun, strict=True)]
    begun, model.seconds = clocks(), 0.0
    played = play(GAME, model, args.episodes, at_once=args.episodes, **how)
    took = time.perf_counter() - begun[0]
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
        "environment_share": round(1 - model.seconds / took, 4),
    }
    print(json.dumps(row))


def check(args: argparse.Namespace) -> None:
    """All blocks that the file does not hold yet; an error status where something went astray."""
    about = {"turns_of_a_block": BLOCK, "tokens": args.tokens, "at_once": args.at_once, "steps": args.steps}
    blocks = len(CHECKED) * math.ceil(args.turns / len(CHECKED) / BLOCK)
    until = math.inf if args.seconds is None else time.time() + args.seconds
    one = partial(check_block, {**about, "device": args.device, "alone": args.processes == 1}, until)

    def make_rows(missing: list[int], journal: Any) -> Iterable[ResultRow]:
        found = run_jobs(one, [(number,) for number in missing], args.processes)
        return (row for row in found if row is not None)

    fields: dict[str, Callable[[Any], bool]] = {"counts": lambda value: isinstance(value, dict)}
    about |= {"about": "a check of rollouts", "device": args.device}
    work = ResumableWork(args.out, about, fields, "block", blocks, calls_models=False, label="check", progress=True)
    rows = list(work.run(make_rows).rows)
    for name in sorted({row["environment"] for row in rows}):
        print(json.dumps({"environment": name, **summary([row for row in rows if row["environment"] == name])}))
    whole = summary(rows)
    missing = blocks - len(rows)
    print(json.dumps({"environments": len({row["environment"] for row in rows}), **whole, "missing_blocks": missing}))
    if any(whole[kind] for kind in ASTRAY) or not whole["worst_log_probability"] <= TOLERANCE:
        raise SystemExit(1)


def summary(rows: Sequence[ResultRow]) -> dict[str, Any]:
    """What blocks come to together."""
    counts = Counter(dict.fromkeys(("turns", "pictures", *ASTRAY), 0))
    for row in rows:
        counts.update(row["counts"])
    played, model = (sum(row[name] for row in rows) for name in ("seconds", "model_seconds"))
    return {
        **counts,
        "worst_log_probability": max((row["worst"] for row in rows), default=0.0),
        "environment_share": round(1 - model / played, 4) if played else None,
        "seconds_played": round(played, 1),
    }


@lru_cache(maxsize=1)
def seeing_model(device: str, tokens: int, alone: bool) -> TimedModel:
    """A model that sees, with weights large enough that its replies depend on what it saw."""
    torch.backends.cudnn.allow_tf32 = False  # float32 is what is checked
    if not alone:
        torch.set_num_threads(1)
    torch.manual_seed(0)
    weights = llava()
    for part in weights[0].parameters():
        if part.ndim > 1:
            torch.nn.init.normal_(part, std=0.2)
    weights[0].to(device)
    shown: dict[str, Any] = {"max_tokens": tokens, "size": 64, "history": 2, "observe": "rgb", "temperature": 1.0}
    return TimedModel("random weights", weights=weights, **shown)


@lru_cache
def warm_up(model: HuggingFace, name: str) -> None:
    """What is imported and compiled with an environment's first episode is no part of what an episode takes."""
    play(name, model, 2, max_steps=2, **CHECKED[name])


def check_block(settings: dict[str, Any], until: float, number: int) -> ResultRow | None:
    """One block: which environment and which seeds follows from its number. None when it is too late to begin."""
    if time.time() > until:
        return None
    name = list(CHECKED)[number % len(CHECKED)]
    model = seeing_model(settings["device"], settings["tokens"], settings["alone"])
    warm_up(model, name)
    model.seconds, seconds, worst = 0.0, 0.0, 0.0
    counts: Counter[str] = Counter()
    at_once, seed = settings["at_once"], number * (BLOCK + settings["at_once"])  # an episode has a decision at least
    how = {"at_once": at_once, "on_illegal": "retry_random", "max_steps": settings["steps"], **CHECKED[name]}
    while counts["turns"] < BLOCK:
        begun = time.perf_counter()
        played = play(name, model, at_once, [seed + place for place in range(at_once)], **how)
        seconds += time.perf_counter() - begun
        seed += at_once
        for record in played.records:
            own = [one for one in played.decisions if one.episode == record["episode"]]
            counts.update(astray(model, record, own))
        worst = max(worst, worst_difference(model, played.decisions, at_once))
    row = {"block": number, "environment": name, "failed": None, "counts": dict(counts), "worst": worst}
    return {**row, "seconds": seconds, "model_seconds": model.seconds}


def worst_difference(model: HuggingFace, decisions: Sequence[Decision], at_once: int) -> float:
    """The largest difference between what the model told of a token and what it gives it in one forward pass."""
    worst, ordered = 0.0, sorted(decisions, key=lambda one: len(one.prompt_ids))  # little is filled up
    with torch.no_grad():
        for start in range(0, len(ordered), at_once):
            some = ordered[start : start + at_once]
            for one, now in zip(some, log_probabilities(model, some), strict=True):
                before = torch.tensor(one.written.log_probs, device=now.device)
                worst = max(worst, float((now - before).abs().nan_to_num(torch.inf).max()))
    return worst


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


if __name__ == "__main__":
    args = read_arguments(__doc__, __file__)
    {"speed": speed, "check": check}[args.what](args)
