"""VIKI-R: a model learns to choose robots and plan for them, or to trace their paths, from examples and by GRPO.

    python -m mmgames.baselines.learning.viki_r draw DATA --rows 40000 --processes 16
    python -m mmgames.baselines.learning.viki_r train DATA RUN --method sft+grpo --seed 0 --seconds 560 --device cuda

`sft` learns answers alone. `zero` is GRPO from the model as it is. `sft+grpo` learns answers with the planner's reasons
and goes on by GRPO: replies to one question are compared by what the paper pays, a tenth for the form and the rest for
being right; with the step penalty a plan that is too long is wrong. The same command goes on with a run until its time
is over, and then measures it. With `--model` any folder or name of transformers learns; without it a small one is built
(baselines/models/small_vision_model.py), which learns to look first: it names the robots in pictures, whatever the
method. What was trained plays as `hf:RUN/model,size=128,reasoning=cot`.

`draw --paths` draws questions of the third level, and a run with them learns those: to look is then to say where paths
begin and end, and so are the reasons.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers

from mmgames.baselines.learning import viki_questions
from mmgames.baselines.learning.checkpoint_files import keep_settings
from mmgames.baselines.learning.language_trainer import LanguageTrainer, TrainerRecipe
from mmgames.baselines.learning.rollout_advantages import group_advantages
from mmgames.baselines.learning.torch_devices import device_named
from mmgames.baselines.learning.viki_prompts import Prompts
from mmgames.baselines.learning.viki_questions import Asker, Drawn
from mmgames.baselines.models import small_vision_model
from mmgames.baselines.models.token_batches import encode, write_encoded
from mmgames.core.whole_files import write_whole
from mmgames.embodied._questions.kitchen import ACCURACY_SHARE, FORMAT_SHARE, Judged
from mmgames.errors import MmgamesError
from mmgames.running.rollouts import Decision
from mmgames.text.command_line import arguments_of

METHODS = ("sft", "zero", "sft+grpo")
BEFORE = ("L1-test", "L2-test", "L2-ood", "L3-test", "L3-ood")  # what is measured between examples and GRPO, too
MEASURED = ("L1-test", "L2-test", "L2-ood", "L2-hard", "L2-ood-hard", "L1-ood", "L3-test", "L3-ood")
DISTANCES = ("rmse", "hausdorff", "frechet")  # of paths, in pixels
SHARES = {"L1": 0.25, "L2": 0.75, "L3": 1.0}  # of the questions that GRPO asks at a time; paths are drawn by themselves
UPDATES = 50  # by examples, before the clock is looked at and all is saved
SAMPLE = 1000  # the tasks whose texts a tokenizer is learned from


@dataclass(frozen=True)
class Settings:
    """Everything that decides a run, beside the questions."""

    method: str = "sft+grpo"
    seed: int = 0
    model: str = ""  # a folder or name of transformers; empty: a small model with random weights
    width: int = 384
    layers: int = 6
    look_seconds: float = 60.0  # how long a small model learns to name robots before anything else;
    sft_seconds: float = 300.0  # and how long each stage learns in all, what is loaded and measured left out
    grpo_seconds: float = 260.0
    batch: int = 128  # replies that are read at once;
    accumulation: int = 2  # an update by examples is made of so many batches
    sft_rate: float = 1e-3
    grpo_rate: float = 2e-5
    questions: int = 160  # of so many questions GRPO draws replies at a time,
    group: int = 8  # so many to each,
    epochs: int = 2  # and makes so many updates of them
    kl: float = 0.0
    penalty: bool = True  # whether a plan that takes more steps than the reference is wrong for GRPO
    max_tokens: int = 192
    precision: str = "auto"  # what the model computes in: float32, bfloat16, or the second of them on a graphics card
    tasks: int = 0  # learn from the first so many tasks; 0: from all that were drawn

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise MmgamesError(f"viki_r: method {self.method!r} is none of {', '.join(METHODS)}.")
        if self.group < 2:
            raise MmgamesError(f"viki_r: group={self.group} is too small; replies are compared with each other.")


def reward(judged: Judged, penalty: bool) -> float:
    """What GRPO pays for a reply: the score, or without a penalty also for a plan that works and is too long."""
    right = judged.accuracy if penalty else max(judged.accuracy, float(judged.remarks.get("valid", False)))
    return FORMAT_SHARE * judged.formatted + ACCURACY_SHARE * right


class Run:
    """One model that learns, in a folder."""

    def __init__(self, data: Path, folder: Path, settings: Settings, device: str) -> None:
        self.data, self.folder, self.settings = data, folder, settings
        keep_settings(folder, asdict(settings))
        self.drawn = viki_questions.read(data, "train", settings.tasks or None)
        model, processor = self._model()
        precision = settings.precision
        if precision == "auto":
            precision = "bfloat16" if device == "cuda" else "float32"
        self.recipe = TrainerRecipe(
            rate=settings.sft_rate, batch=settings.batch, accumulation=settings.accumulation, kl=settings.kl,
            epochs=settings.epochs, warmup=50, precision=precision, save_every=10**9, seed=settings.seed,
            weigh="token",
        )  # fmt: skip
        if (folder / "training.safetensors").exists():
            self.trainer = LanguageTrainer.resume(folder, model.to(device), processor)
        else:
            self.trainer = LanguageTrainer(model.to(device), processor, self.recipe, folder)
        self.prompts = Prompts(self.trainer.weights, self.drawn)
        self.asker = Asker("train", self.drawn.pictures.shape[1])
        unspent = dict.fromkeys(("look", "sft", "grpo"), 0.0)
        self.spent: dict[str, float] = self.trainer.notes.setdefault("seconds", unspent)

    def _model(self) -> tuple[Any, Any]:
        """The model as it is before anything is learned."""
        settings = self.settings
        if settings.model:
            model = transformers.AutoModelForImageTextToText.from_pretrained(settings.model)
            return model, transformers.AutoProcessor.from_pretrained(settings.model)
        some = self.drawn.questions[: 2 * SAMPLE]
        return small_vision_model.build(
            [text for one in some for text in (one.text, one.reply(True))] + [viki_questions.LOOK],
            names=viki_questions.NAMES, seed=settings.seed, width=settings.width, layers=settings.layers,
            pixels=self.drawn.pictures.shape[1],
        )  # fmt: skip

    def learn(self, seconds: float) -> bool:
        """Learn for some seconds; whether all is learned that was to be."""
        end = time.monotonic() + seconds
        stages: list[tuple[str, float, Callable[[], None]]] = []
        if not self.settings.model:
            stages.append(("look", self.settings.look_seconds, self._look))
        if self.settings.method != "zero":
            stages.append(("sft", self.settings.sft_seconds, self._examples))
        if self.settings.method != "sft":
            stages.append(("grpo", self.settings.grpo_seconds, self._rollouts))
        for stage, whole, learn in stages:
            while self.spent[stage] < whole:
                began = time.monotonic()
                if began >= end:
                    self.trainer.save()
                    return False
                learn()
                self.spent[stage] += time.monotonic() - began
            if stage == "sft" and self.settings.method == "sft+grpo" and "before" not in self.trainer.notes:
                self.trainer.notes["before"] = self.measure(BEFORE)
            self.trainer.save()
        return True

    def _look(self) -> None:
        """Some updates by pictures and the robots in them."""
        self.trainer.recipe = self.recipe
        self.trainer.sft(self.looks, self.trainer.updates.get("look", 0) + UPDATES, "look")
        self._tell("look", f"loss {self.trainer.log[-1]['look/loss']:.4f}")

    @cached_property
    def looks(self) -> Sequence[Any]:
        return Prompts(self.trainer.weights, self.drawn.looks()).examples(False)

    def _examples(self) -> None:
        """Some updates by examples; the rate falls as time passes."""
        passed = min(1.0, self.spent["sft"] / self.settings.sft_seconds)
        falling = 0.05 + 0.95 * 0.5 * (1 + np.cos(np.pi * passed))
        self.trainer.recipe = replace(self.recipe, rate=self.settings.sft_rate * float(falling))
        done = self.trainer.updates.get("sft", 0)
        self.trainer.sft(self.taught, done + UPDATES)
        self._tell("sft", f"loss {self.trainer.log[-1]['sft/loss']:.4f}")

    @cached_property
    def taught(self) -> Sequence[Any]:
        """The examples: answers alone, or with reasons where GRPO follows."""
        return self.prompts.examples(self.settings.method == "sft+grpo")

    def _rollouts(self) -> None:
        """One update by GRPO."""
        settings, number = self.settings, self.trainer.updates.get("grpo", 0) // self.settings.epochs
        self.trainer.recipe = replace(self.recipe, rate=settings.grpo_rate)
        rng = np.random.default_rng([settings.seed, 6, number])
        decisions: list[Decision] = []
        for level, share in SHARES.items():
            places = [at for at, one in enumerate(self.drawn.questions) if one.level == level]
            chosen = rng.choice(places, min(round(share * settings.questions), len(places)), replace=False)
            decisions += self._replies(chosen.tolist(), number)
        worth = group_advantages(decisions)
        differ = [(one, value) for one, value in zip(decisions, worth, strict=True) if value]  # others teach nothing
        learned = self.trainer.improve([one for one, _ in differ], [value for _, value in differ], stage="grpo")
        paid, length = np.mean([one.reward for one in decisions]), np.mean([len(one.reply_ids) for one in decisions])
        self.trainer.log[-1] |= {"grpo/paid": float(paid), "grpo/length": float(length)}
        self._tell("grpo", f"paid {paid:.3f}, {length:.0f} tokens, {learned['learned']:.0f} learned from")

    def _replies(self, places: Sequence[int], number: int) -> list[Decision]:
        """Replies to questions, a group to each, as decisions with what they are paid."""
        settings, group = self.settings, self.settings.group
        asked = [self.prompts[place] for place in places for _ in range(group)]
        rng = np.random.default_rng([settings.seed, 7, number, len(places)])
        seeds = rng.integers(2**62, size=len(asked)).tolist()
        encoded = [encode(self.trainer.weights, one) for one in asked]
        written = write_encoded(self.trainer.weights, encoded, seeds, settings.max_tokens, 1.0, 1.0) if asked else []
        made = []
        for at, (prompt, reply) in enumerate(zip(asked, written, strict=True)):
            place = places[at // group]
            question = self.drawn.questions[place]
            paid = reward(self.asker.judge(question, reply.text), settings.penalty)
            made.append(
                Decision(
                    env=question.level, episode=number * len(asked) + at, seed=place, seat=0, role="answerer", turn=0,
                    attempt=0, prompt=prompt, written=reply, refused=None, reward=paid, reward_to_go=paid,
                )
            )  # fmt: skip
        return made

    def _tell(self, stage: str, what: str) -> None:
        done = self.trainer.updates.get(stage, 0)
        print(f"{self.folder.name}: {stage} {done}, {self.spent[stage]:.0f} s: {what}", flush=True)

    def measure(self, what: Sequence[str]) -> dict[str, Any]:
        """How the model answers what it has not seen, its likeliest reply to each question."""
        found: dict[str, Any] = {}
        for name in what:
            level, _, split = name.partition("-")
            try:
                drawn = viki_questions.read(self.data, split)
            except MmgamesError:
                continue  # it was not drawn
            if not drawn.of(level):
                continue
            found[name] = self._score(drawn, level)
            print(f"{self.folder.name}: {name} {found[name]}", flush=True)
        return found

    def _score(self, drawn: Drawn, level: str) -> dict[str, float]:
        prompts = Prompts(self.trainer.weights, drawn)
        places = [place for place, one in enumerate(drawn.questions) if one.level == level]
        judged: list[Judged] = []
        tokens = 0
        for first in range(0, len(places), 512):
            some = places[first : first + 512]
            encoded = [encode(self.trainer.weights, prompts[place]) for place in some]
            written = write_encoded(self.trainer.weights, encoded, [0] * len(some), self.settings.max_tokens, 0.0, 1.0)
            tokens += sum(len(one.reply_ids) for one in written)
            judged += [
                self.asker.judge(drawn.questions[place], one.text) for place, one in zip(some, written, strict=True)
            ]
        extra = [one.remarks["extra_steps"] for one in judged if one.remarks.get("extra_steps") is not None]
        return {
            "questions": len(judged),
            "accuracy": float(np.mean([one.accuracy for one in judged])),
            "formatted": float(np.mean([one.formatted for one in judged])),
            "valid": float(np.mean([one.remarks.get("valid", one.accuracy == 1.0) for one in judged])),
            "extra_steps": float(np.mean(extra)) if extra else 0.0,
            "reply_tokens": tokens / len(judged),
        } | {name: float(np.mean([one.remarks[name] for one in judged])) for name in DISTANCES if level == "L3"}

    def finish(self) -> dict[str, Any]:
        """Measure, and write the results and the model."""
        results = {
            "settings": asdict(self.settings),
            "weights": small_vision_model.weight_count(self.trainer.model),
            "tasks": len(self.drawn.pictures),
            "pixels": self.drawn.pictures.shape[1],
            "updates": self.trainer.updates,
            "seconds": {name: round(value, 1) for name, value in self.spent.items()},
            "device": torch.cuda.get_device_name() if self.trainer.model.device.type == "cuda" else "CPU",
            "measured": self.measure(MEASURED),
            "before": self.trainer.notes.get("before", {}),
            "reply_tokens": [entry["grpo/length"] for entry in self.trainer.log if "grpo/length" in entry],
            "paid": [entry["grpo/paid"] for entry in self.trainer.log if "grpo/paid" in entry],
        }
        self.trainer.export(self.folder / "model")
        write_whole(self.folder / "results.json", (json.dumps(results, indent=1) + "\n").encode())
        return results


def main(arguments: Sequence[str] | None = None) -> int:
    args = _parser().parse_args(arguments)
    try:
        if args.command == "draw":
            measured = ("test", "ood") if args.paths else ("test", "ood", "hard", "ood-hard")
            rows = {"train": args.rows, **dict.fromkeys(measured, args.measured)}
            made = viki_questions.draw(
                args.data, rows, size=args.size, seed=args.seed, paths=args.paths, processes=args.processes
            )
            print(f"{args.data}: {made} files were drawn")
        else:
            settings = Settings(**{name: getattr(args, name) for name in asdict(Settings())})
            began = time.monotonic()
            run = Run(args.data, args.run, settings, str(device_named(args.device)))
            print(f"{args.run.name}: began after {time.monotonic() - began:.0f} s", flush=True)
            if run.learn(args.seconds - (time.monotonic() - began)):
                run.finish()
            else:
                print(f"{args.run.name}: give the same command again to go on", flush=True)
    except MmgamesError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m mmgames.baselines.learning.viki_r", description="VIKI-R")
    commands = parser.add_subparsers(dest="command", required=True)
    draw = commands.add_parser("draw", help="draw questions and pictures ahead")
    arguments_of(__package__, "viki_r draw")(draw)
    train = commands.add_parser("train", help="learn, or go on learning, then measure")
    arguments_of(__package__, "viki_r train")(train)
    for name, value in asdict(Settings()).items():
        bare = isinstance(value, bool)
        how: dict[str, Any] = {"action": argparse.BooleanOptionalAction} if bare else {"type": type(value)}
        train.add_argument("--" + name.replace("_", "-"), default=value, **how)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
