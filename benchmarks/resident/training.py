"""The resident learns by heart what who knows best replies, from files that worker processes draw in the meantime."""

import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.resident.examples import draw_file, entries, file_of, read_file
from mmgames.baselines.learning.checkpoint_files import keep_settings
from mmgames.baselines.learning.language_trainer import CHECKPOINT, LanguageTrainer, TrainerRecipe
from mmgames.baselines.learning.viki_prompts import PlannedReply, seen_pictures, with_picture_tokens
from mmgames.baselines.models import quantised_weights, small_vision_model
from mmgames.baselines.models.local_weights import Weights
from mmgames.baselines.models.small_vision_model import common_pieces
from mmgames.baselines.models.token_batches import EncodedPrompt, ReadyPrompt, write_encoded
from mmgames.errors import MmgamesError
from mmgames.running.processes import run_jobs

BLOCK = 50
"""So many updates are made before the clock and new files are looked at."""

OFTEN, LONG = 0.5, 12
"""What this share of an entry's prompts has in common, and is so many letters long, is one token."""


@dataclass(frozen=True)
class Settings:
    """Everything that decides a run."""

    seed: int = 0
    only: str = ""
    """Learn these entries alone, by their names with commas between them; empty: all."""
    parts: int = 400
    """Of each entry so many files are learned from,"""
    each: int = 64
    """with so many examples each."""
    width: int = 384
    layers: int = 6
    eye_width: int = 192
    eye_layers: int = 4
    pixels: int = 128
    batch: int = 64
    accumulation: int = 4
    rate: float = 1e-3
    updates: int = 0
    """The rate falls to nothing over so many updates; 0: over the seconds that the run is given in all."""
    longest: int = 1600
    """Examples of more tokens are left out, and counted."""
    max_tokens: int = 256


class Mixture(Sequence[PlannedReply]):
    """What the next update learns: of every entry as much on average, chosen by the seed and the update's number."""

    def __init__(self, trainer: LanguageTrainer) -> None:
        self.trainer = trainer
        self.found: dict[int, list[PlannedReply]] = {}

    def __len__(self) -> int:
        return self.trainer.recipe.batch * self.trainer.recipe.accumulation

    def __getitem__(self, place: Any) -> Any:
        rng = np.random.default_rng([self.trainer.recipe.seed, 3, self.trainer.steps, place])
        some = self.found[sorted(self.found)[rng.integers(len(self.found))]]
        return some[rng.integers(len(some))]


class Run:
    """One model that learns, in a folder, and the files it learns from."""

    def __init__(self, folder: Path, settings: Settings, device: str, processes: int) -> None:
        keep_settings(folder, asdict(settings))
        self.folder, self.settings, self.processes = folder, settings, processes
        self.files = folder / "examples"
        self.files.mkdir(exist_ok=True)
        names = [entry.name for entry in entries()]
        if unknown := [name for name in filter(None, settings.only.split(",")) if name not in names]:
            raise MmgamesError(f"The resident has no entries {', '.join(unknown)}; there are {', '.join(names)}.")
        self.chosen = [at for at, name in enumerate(names) if not settings.only or name in settings.only.split(",")]
        self.stopped = False
        self._draw([(entry, part) for part in (0, 1) for entry in self.chosen])  # the tokenizer is learned from them
        model, processor = self._model()
        precision = "bfloat16" if device == "cuda" else "float32"
        self.recipe = TrainerRecipe(
            rate=settings.rate, batch=settings.batch, accumulation=settings.accumulation, warmup=50,
            precision=precision, save_every=10**9, seed=settings.seed,
        )  # fmt: skip
        known = (folder / CHECKPOINT).exists()  # with the rate of that moment
        self.trainer = LanguageTrainer.resume(folder, model.to(device), processor, None if known else self.recipe)
        self.mixture = Mixture(self.trainer)
        self.too_long: dict[tuple[int, int], int] = {}
        self.kept = {at: self._read(at, 0) for at in self.chosen}

    def _draw(self, jobs: Sequence[tuple[int, int]]) -> None:
        """The files that are missing, until the run is over; an entry that cannot be drawn is named once."""
        settings, told = self.settings, set()
        missing = [
            (self.files, entry, part, settings.each, settings.pixels, settings.seed)
            for entry, part in jobs
            if not file_of(self.files, entry, part).exists()
        ]
        for why in run_jobs(draw_file, missing, self.processes):
            if why and why not in told:
                told.add(why)
                print(f"{self.folder.name}: left out: {why}", file=sys.stderr, flush=True)
            if self.stopped:
                break

    def _model(self) -> tuple[Any, Any]:
        """The model before it has learned anything; its tokenizer knows the first files of every entry."""
        settings, texts, pieces = self.settings, [], set()
        for at in self.chosen:
            rows, _ = read_file(file_of(self.files, at, 1))
            own = [_words(row["messages"]) for row in rows]
            pieces.update(piece for piece in common_pieces(own, [], OFTEN) if len(piece) >= LONG)
            texts += [*own, *(row["reply"] for row in rows)]
        return small_vision_model.build(
            texts, pieces=sorted(pieces), seed=settings.seed, width=settings.width, layers=settings.layers,
            eye_width=settings.eye_width, eye_layers=settings.eye_layers, pixels=settings.pixels,
        )  # fmt: skip

    def _read(self, entry: int, part: int) -> list[tuple[PlannedReply, dict[str, Any]]]:
        """The examples of a file as the model reads them, with the rows they are made of."""
        rows, pictures = read_file(file_of(self.files, entry, part))
        made = planned(self.trainer.weights, rows, pictures)
        short = [len(one.asked.encoded.ids) + len(one.ids) <= self.settings.longest for one in made]  # type: ignore[attr-defined]
        self.too_long[entry, part] = short.count(False)
        return [pair for pair, so in zip(zip(made, rows, strict=True), short, strict=True) if so]

    def learn(self, seconds: float, live: float = 120.0) -> bool:
        """Learn for some seconds; whether all updates are made that were to be."""
        settings, notes, began = self.settings, self.trainer.notes, time.monotonic()
        before, measured = notes.setdefault("seconds", 0.0), began
        jobs = [(entry, part) for part in range(1, settings.parts + 1) for entry in self.chosen if self.kept[entry]]
        drawing = threading.Thread(target=partial(self._draw, jobs), daemon=True)
        drawing.start()
        if self.processes == 1:
            drawing.join()  # then a run is the same however fast the machine is
        while (done := self.trainer.updates.get("sft", 0)) < (settings.updates or sys.maxsize):
            now = time.monotonic()
            if now - began >= seconds:
                break
            self._take_new(jobs)
            notes["seconds"] = before + now - began
            passed = done / settings.updates if settings.updates else notes["seconds"] / (before + seconds)
            rate = settings.rate * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * min(1.0, passed))))
            self.trainer.recipe = replace(self.recipe, rate=float(rate))
            self.trainer.sft(self.mixture, min(done + BLOCK, settings.updates or done + BLOCK))
            self._tell(time.monotonic() - began)
            if time.monotonic() - measured > live:
                self.tell_entries(self.agreement(4))
                measured = time.monotonic()
        self.stopped = True
        notes["seconds"] = before + time.monotonic() - began
        self.trainer.save()
        quantised_weights.save(self.trainer.model, self.trainer.weights.processor, self.folder / "model")
        return self.trainer.updates.get("sft", 0) >= (settings.updates or 0)

    def _take_new(self, jobs: Sequence[tuple[int, int]]) -> None:
        for entry, part in jobs:
            new = (entry, part) not in self.too_long and file_of(self.files, entry, part).exists()
            if new and (found := self._read(entry, part)):
                self.mixture.found.setdefault(entry, []).extend(one for one, _ in found)
        if not self.mixture.found:
            raise MmgamesError(f"{self.files} holds no examples; none of the entries can be drawn here.")

    def _tell(self, seconds: float) -> None:
        last, examples = self.trainer.log[-1], sum(map(len, self.mixture.found.values()))
        told = f"{examples} examples of {len(self.mixture.found)} entries, {sum(self.too_long.values())} too long"
        reached = f"update {self.trainer.steps}, loss {last['sft/loss']:.4f}"
        print(f"{self.folder.name}: {seconds:.0f} s, {reached}, {told}", flush=True)

    def agreement(self, each: int) -> dict[str, dict[str, float]]:
        """Of each entry, from seeds that nothing is learned from: how often the likeliest reply is the one that was to
        be learned, and how often it is one that is listed as possible."""
        asked = [(at, pair) for at, kept in self.kept.items() for pair in kept[:each]]
        asked.sort(key=lambda one: len(one[1][0].asked.encoded.ids))  # type: ignore[attr-defined]
        said: dict[int, list[tuple[str, Mapping[str, Any]]]] = {}
        for first in range(0, len(asked), 64):
            some = asked[first : first + 64]
            prompts = [one.asked.encoded for _, (one, _) in some]  # type: ignore[attr-defined]
            weights = self.trainer.weights
            written = write_encoded(weights, prompts, [0] * len(some), self.settings.max_tokens, 0.0, 1.0)
            for (at, (_, row)), reply in zip(some, written, strict=True):
                said.setdefault(at, []).append((reply.text, row))
        found = {}
        for at, replies in sorted(said.items()):
            listed = [text in row["legal"] for text, row in replies if row["legal"]]
            found[entries()[at].name] = {
                "replies": len(replies),
                "agrees": float(np.mean([text == row["reply"] for text, row in replies])),
                "legal": float(np.mean(listed)) if listed else float("nan"),
            }
        return found

    def tell_entries(self, found: Mapping[str, Mapping[str, float]]) -> None:
        for name, own in found.items():
            told = "" if np.isnan(own["legal"]) else f", legal {own['legal']:.0%}"
            print(f"{self.folder.name}: {name}: agrees {own['agrees']:.0%}{told}", flush=True)


def planned(weights: Weights, rows: Sequence[Mapping[str, Any]], pictures: np.ndarray) -> list[PlannedReply]:
    """Examples as a small model reads them, its pictures on the device."""
    texts = [with_picture_tokens(weights, weights.render(row["messages"])) for row in rows]
    ids = weights.tokenizer(texts, add_special_tokens=False)["input_ids"] if rows else []
    pixels, made, first = seen_pictures(weights, pictures), [], 0
    for row, own in zip(rows, ids, strict=True):
        seen = {"pixel_values": [pixels[first : first + row["pictures"]]]} if row["pictures"] else {}
        first += row["pictures"]
        asked = ReadyPrompt([], (), (), 0, EncodedPrompt(own, {}, seen))
        made.append(PlannedReply(asked, row["reply"], weights.tokens(row["reply"])))
    return made


def _words(messages: Sequence[Mapping[str, Any]]) -> str:
    contents = [one["content"] for one in messages]
    parts = [[{"text": content}] if isinstance(content, str) else content for content in contents]
    return "\n".join(part["text"] for own in parts for part in own if "text" in part)
