"""Iterative-SPO over a vision-language model with random weights: how it learns, and how fast a large one goes.

    python -m benchmarks.spo_language learn --out runs/spy-words --device cuda --iterations 60
    python -m benchmarks.spo_language page --log learned.jsonl --out docs/results/spy-words.md
    python -m benchmarks.spo_language speed --device cuda --width 2048 --layers 28 --tokens 32 --updates 2

`learn` makes a small model with a tokenizer of its own, which learns to name what stands in pictures, then to say what
scripted players say, and at a vote why: what it sees, and which clues are true of it. That is RUN/reference; where it
is there already, it is taken as it is. Then it plays itself at the suite's table; the same command goes on after a
stop. It prints the log, with evaluations against the reference. The model then plays as
`hf:RUN/model,size=256,reasoning=cot,max_tokens=256`.
`page` makes a page of what `learn` printed, given the same options. `speed` has bytes as tokens, so prompts are some
four times as long as a trained model's.
"""

import argparse
import json
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image

from benchmarks import studies
from mmgames.baselines.learning.iterative_spo import SpoRecipe
from mmgames.baselines.learning.language_trainer import CHECKPOINT, LanguageTrainer, TrainerRecipe
from mmgames.baselines.learning.spo_language import LanguageTraining, scripted_examples
from mmgames.baselines.learning.viki_prompts import Prompts
from mmgames.baselines.learning.viki_questions import Asked, Drawn
from mmgames.baselines.models import small_vision_model
from mmgames.baselines.models.hf import HuggingFace
from mmgames.baselines.models.token_batches import encode, write_encoded
from mmgames.baselines.planners.spy import judged_clues, stated
from mmgames.games.spy import seat_names
from mmgames.games.spy.pictures.clevr import COLOURS, MATERIALS, SHAPES, SIZES, Clevr, ClevrScene
from mmgames.games.spy.rules import SpyView
from mmgames.running.processes import run_jobs
from mmgames.text.command_line import read_arguments
from mmgames.text.tables import markdown_table
from tests.hf.models import llava

SHOWN: dict[str, Any] = {"max_tokens": 256, "reasoning": "cot"}
NAMES = (*COLOURS, *SHAPES, *MATERIALS, *SIZES, *(f"player_{number}" for number in range(1, 6)), "N/A")
"""The words of the domain, for a tokenizer."""
VOTES = tuple(f"</think>{name}" for name in NAMES)
LOOK = "What is there, from left to right?"
CHUNK = 100
"""Pictures or rounds that one process draws at a time."""


def draw_rounds(seed: int, rounds: int, each: int, pixels: int) -> Drawn:
    """Of some rounds of scripted players so many replies each, on average, as many votes as clues: what was shown, and
    what was said."""
    shown = HuggingFace("none", weights=llava(), size=pixels, **SHOWN)  # type: ignore[arg-type]
    found = scripted_examples(shown, rounds, seed=seed, thoughts=thoughts)
    rng, chosen = np.random.default_rng(seed), []
    for vote in (True, False):
        of = [example for example in found if example.reply.endswith(VOTES) == vote]
        chosen += [of[place] for place in rng.permutation(len(of))[: each * rounds // 2]]
    asked, pictures = [], []
    for number, example in enumerate(chosen):
        text, seen = (part["text" if part["type"] == "text" else "image"] for part in example.messages[-1]["content"])
        asked.append(Asked("round", text, example.reply, "", {}, number, plain=True))
        pictures.append(_square(seen, pixels))
    return Drawn(asked, np.stack(pictures))


def thoughts(view: SpyView) -> str:
    """At the vote: what is seen, then everybody's clue and how that is in the own picture. A clue is said at once."""
    scene: ClevrScene = view.picture  # type: ignore[assignment]
    if view.stage != "vote":
        return ""
    own, words = {fact.topic: fact.value for fact in scene.facts()}, {"true": "yes", "false": "no"}
    judged = []
    for seat, said, found in judged_clues(view):
        if seat != view.seat:
            topic, claimed = stated(said) or ("", "")
            # The own value first: after the claim, which is true most of the time, a model would say it once more.
            told = f"{topic} {own.get(topic, '')} {claimed} ".removeprefix("the ").removeprefix("number of ")
            judged.append(f"{seat_names(view.players)[seat]} {told.replace(' a ', ' ')}{words.get(found, found)}")
    return f"{named(scene)}. {', '.join(judged)}"


def named(scene: ClevrScene, way: int = 1) -> str:
    return ", ".join(thing.called.removeprefix("a ") for thing in scene.things[::way])


def draw_looks(seed: int, count: int, pixels: int) -> Drawn:
    """Pictures, and what stands in them from left to right; every second one is the one before in a mirror."""
    clevr, rng = Clevr(), np.random.default_rng(seed)
    asked, pictures = [], []
    for _ in range(count // 2):
        scene: Any = clevr.pair(rng).original
        drawn = _square(Image.fromarray(scene.draw(pixels)), pixels)
        for way in (1, -1):
            asked.append(Asked("look", LOOK, named(scene, way), "", {}, len(pictures), plain=True))
            pictures.append(drawn[:, ::way])
    return Drawn(asked, np.stack(pictures))


def seen_right(trainer: LanguageTrainer, seed: int, pixels: int, count: int = 500) -> float:
    """How many pictures that it has not learned from the model lists without an error."""
    looks = draw_looks(10**9 + seed, count, pixels)
    prompts, longest = Prompts(trainer.weights, looks), 64
    asked = [encode(trainer.weights, prompts[number]) for number in range(count)]
    written = write_encoded(trainer.weights, asked, [0] * count, longest, 0.0, 1.0)
    return float(np.mean([one.text == of.answer for one, of in zip(written, looks.questions, strict=True)]))


def _square(picture: Image.Image, pixels: int) -> np.ndarray:
    """A picture as the model's processor makes it before it is brought to scale."""
    return np.asarray(picture.resize((pixels, pixels), Image.Resampling.BICUBIC))


def draw(args: argparse.Namespace) -> tuple[Drawn, Drawn]:
    """What is learned before the model plays: looks, and replies of scripted rounds."""
    draw_looks(0, 2, args.pixels)  # compiled here once, and not by every process
    seeds = range(args.seed * 10**6, args.seed * 10**6 + max(args.rounds, args.pictures), CHUNK)
    looked = [(seed, CHUNK, args.pixels) for seed in seeds[: args.pictures // CHUNK]]
    played = [(seed, CHUNK, args.each, args.pixels) for seed in seeds[: args.rounds // CHUNK]]
    looks, rounds = run_jobs(draw_looks, looked, args.processes), run_jobs(draw_rounds, played, args.processes)
    return _together(looks), _together(rounds)


def _together(parts: Iterable[Drawn]) -> Drawn:
    asked: list[Asked] = []
    pictures: list[np.ndarray] = []
    for part in sorted(parts, key=lambda one: one.questions[0].answer):  # they come in any order
        asked += [replace(one, picture=one.picture + sum(map(len, pictures))) for one in part.questions]
        pictures.append(part.pictures)
    return Drawn(asked, np.concatenate(pictures))


def learn(args: argparse.Namespace) -> None:
    begun, folder = time.perf_counter(), Path(args.out)
    recipe = TrainerRecipe(
        rate=args.rate, batch=128, warmup=50, kl=args.kl, save_every=10**9, seed=args.seed, epochs=args.epochs,
        precision=args.precision or ("bfloat16" if args.device == "cuda" else "float32"),
    )  # fmt: skip
    if not (folder / "reference").exists():
        warm_up(args, recipe, folder / "warm-up").export(folder / "reference")
    before = HuggingFace(str(folder / "reference"), dtype="float32", device=args.device).weights
    # A rate that rises slowly: the first updates of an optimiser move all weights as far as they may. And one token
    # that has become unlikely must not make the gradient so long that the optimiser takes small steps for long.
    itself = replace(recipe, rate=args.spo_rate, warmup=10 * args.epochs, largest_gradient=0.1)
    trainer = LanguageTrainer.resume(folder, before.model, before.processor, itself)
    spo = SpoRecipe(
        iterations=args.iterations, batch=args.batch, held_out=0, evaluate=args.every, rounds=args.evaluate,
        shortest=min(SpoRecipe.shortest, args.stage), longest=args.stage,
    )  # fmt: skip
    training = LanguageTraining(trainer, spo, player={"size": args.pixels, **SHOWN})
    while training.iteration < args.iterations and time.perf_counter() - begun < args.seconds:
        told = training.iterate()
        print(json.dumps({"seconds": time.perf_counter() - begun, "iteration": training.iteration, **told}), flush=True)
    trainer.save()
    trainer.export(folder / "model")


def warm_up(args: argparse.Namespace, recipe: TrainerRecipe, folder: Path) -> LanguageTrainer:
    """A model with random weights learns to look and to say what scripted players say."""
    begun = time.perf_counter()
    looks, rounds = draw(args)
    some = rounds.questions[:2000]
    model, processor = small_vision_model.build(
        [LOOK, *(text for one in some for text in (one.text, one.answer))], names=NAMES, seed=args.seed,
        width=args.width, layers=args.layers, pixels=args.pixels, eye_width=256, eye_layers=6,
    )  # fmt: skip
    known = (folder / CHECKPOINT).exists()  # with the rate of that moment
    trainer = LanguageTrainer.resume(folder, model.to(args.device), processor, None if known else recipe)
    about = {"weights": small_vision_model.weight_count(model), "looks": len(looks.questions)}
    print(json.dumps({**about, "replies": len(rounds.questions), "seconds": time.perf_counter() - begun}), flush=True)
    for stage, drawn, updates in (("look", looks, args.look), ("sft", rounds, args.warm)):
        examples = Prompts(trainer.weights, drawn).examples(False)
        while (done := trainer.updates.get(stage, 0)) < updates:
            falling = 0.05 + 0.95 * 0.5 * (1 + np.cos(np.pi * done / updates))
            trainer.recipe = replace(recipe, rate=args.rate * float(falling))
            trainer.sft(examples, min(done + 100, updates), stage)
            print(json.dumps({"seconds": time.perf_counter() - begun, **trainer.log[-1]}), flush=True)
        if stage == "look":
            print(json.dumps({"pictures listed right": seen_right(trainer, args.seed, args.pixels)}), flush=True)
    trainer.recipe = recipe
    return trainer


def page(args: argparse.Namespace) -> None:
    """What a run has printed as a page."""
    lines = [json.loads(line) for line in Path(args.log).read_text().splitlines() if line.startswith("{")]
    about, listed = (next(line for line in lines if name in line) for name in ("weights", "pictures listed right"))
    run = [line for line in lines if "iteration" in line]
    each = max(min(5, len(run)), round(len(run) / 12))
    names = ("accuracy", "abstention", "caught", "reward", "reply_tokens", "clue_tokens", "kl", "stage")
    shares, digits, played = ("accuracy", "abstention", "caught", "stage"), {"kl": 4, "reward": 2}, []
    for some in (run[first : first + each] for first in range(0, len(run), each)):
        means = {name: np.mean([line[name] for line in some]) * (100 if name in shares else 1) for name in names}
        means["kl"] = np.median([line["kl"] for line in some])
        cells = [f"{means[name]:.{digits.get(name, 1)}f}" for name in names]
        played.append([f"{some[0]['iteration']} to {some[-1]['iteration']}", *cells])
    won = [
        [str(line["iteration"]), f"{100 * line['win_rate']:.1f} ± {100 * line['win_error']:.1f}"]
        + [f"{100 * line[name]:.1f}" for name in ("win_as_spy", "win_as_civilian")]
        for line in run
        if "win_rate" in line
    ]
    heads = ("votes right", "votes N/A", "caught", "worth", "reply", "clue", "divergence", "on clues")
    warm = max(line["seconds"] for line in lines if "seconds" in line and "iteration" not in line)
    took = run[-1]["seconds"] + (warm if run[0]["seconds"] < warm else 0)  # a run of its own, from the reference
    text = studies.words(
        "spo_language",
        settings=f"--batch {args.batch} --stage {args.stage} --spo-rate {args.spo_rate:g} --precision {args.precision}",
        weights=about["weights"] / 1e6, looks=about["looks"], replies=about["replies"], rounds=args.batch, each=each,
        listed=100 * listed["pictures listed right"], minutes=took / 60, evaluated=args.evaluate,
        played=markdown_table(("iterations", *heads), played),
        won=markdown_table(("iteration", "all rounds", "as the spy", "as the civilians"), won),
    )  # fmt: skip
    Path(args.out).write_text(text, encoding="utf-8")


def speed(args: argparse.Namespace) -> None:
    torch.manual_seed(0)
    sizes = {
        "hidden_size": args.width, "intermediate_size": 3 * args.width, "num_hidden_layers": args.layers,
        "num_attention_heads": max(1, args.width // 64), "num_key_value_heads": max(1, args.width // 256),
    }  # fmt: skip
    sight = {"hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 24, "num_attention_heads": 16}
    with torch.device(args.device):
        model, processor = llava(sizes, sight if args.width >= 512 else None, pixels=336, patch=14)
    precision = "bfloat16" if args.device == "cuda" else "float32"
    model = model.to(args.device, getattr(torch, precision))
    recipe = TrainerRecipe(batch=1, lora=args.lora, precision=precision, checkpointing=True, save_every=10**6)
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


if __name__ == "__main__":
    args = read_arguments(__doc__, __file__)
    {"learn": learn, "page": page, "speed": speed}[args.what](args)
