"""The resident learns by heart what who knows best replies, from files that worker processes draw in the meantime."""

import io
import json
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import transformers

from benchmarks.resident.examples import draw_file, entries, file_of, read_file
from mmgames.baselines.learning.checkpoint_files import keep_settings
from mmgames.baselines.learning.language_trainer import CHECKPOINT, LanguageTrainer, TrainerRecipe
from mmgames.baselines.learning.viki_prompts import PlannedReply, seen_pictures, with_picture_tokens
from mmgames.baselines.models import quantised_weights, small_vision_model
from mmgames.baselines.models.local_weights import Reader, Weights
from mmgames.baselines.models.small_vision_model import common_pieces
from mmgames.baselines.models.token_batches import EncodedPrompt, ReadyPrompt, write_encoded
from mmgames.core.whole_files import write_whole
from mmgames.errors import MmgamesError
from mmgames.kernels.compiling import compile_now
from mmgames.running.processes import run_jobs

BLOCK = 50
"""So many updates are made before the clock and new files are looked at."""

OFTEN, LONG = 0.5, 12
"""What this share of an entry's prompts has in common, and is so many letters long, is one token."""

SHOWN = 512
"""About so many examples of each entry are in memory at a time."""

READERS, WRITTEN = 4, 256
"""So many threads open files, and so many replies are written at once."""


@dataclass(frozen=True)
class Settings:
    """Everything that decides a run."""

    seed: int = 0
    begin: str = ""
    """The folder of a model to begin with, instead of random weights and words of its own: sizes are that one's."""
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
    batch: int = 128
    accumulation: int = 4
    rate: float = 1e-3
    updates: int = 0
    """The rate falls to nothing over so many updates; 0: over the seconds of all calls together."""
    longest: int = 1600
    """Examples of more tokens are left out, and counted."""
    max_tokens: int = 256


class Mixture(Sequence[PlannedReply]):
    """What the next update learns: of every entry as much on average, chosen by the seed and the update's number."""

    def __init__(self, trainer: LanguageTrainer) -> None:
        self.trainer = trainer
        self.found: dict[int, list[PlannedReply]] = {}
        self._chosen = lru_cache(maxsize=1)(self._choose)

    def __len__(self) -> int:
        return self.trainer.recipe.batch * self.trainer.recipe.accumulation

    def __getitem__(self, place: Any) -> Any:
        entry, example = self._chosen(self.trainer.steps)[place]
        some = self.found[sorted(self.found)[int(entry * len(self.found))]]
        return some[int(example * len(some))]

    def _choose(self, update: int) -> Any:
        return np.random.default_rng([self.trainer.recipe.seed, 3, update]).random((len(self), 2)).tolist()


class Run:
    """One model that learns, in a folder, and the files it learns from."""

    def __init__(self, folder: Path, settings: Settings, device: str, processes: int) -> None:
        keep_settings(folder, asdict(settings))
        self.folder, self.settings, self.processes = folder, settings, processes
        self.files, self.words = folder / "examples", folder / "words"
        self.files.mkdir(exist_ok=True)
        names = [entry.name for entry in entries()]
        if unknown := [name for name in filter(None, settings.only.split(",")) if name not in names]:
            raise MmgamesError(f"The resident has no entries {', '.join(unknown)}; there are {', '.join(names)}.")
        if settings.begin and not (Path(settings.begin) / quantised_weights.FILE).is_file():
            raise MmgamesError(f"{settings.begin} holds no model to begin with; name the folder `model` of a run.")
        self.chosen = [at for at, name in enumerate(names) if not settings.only or name in settings.only.split(",")]
        self.stopped = False
        by_game: dict[str, list[int]] = defaultdict(list)
        for at in self.chosen:
            by_game[names[at].partition(" ")[0].partition("-")[0]].append(at)
        self._draw([[(entry, 1) for entry in own] for own in by_game.values()])  # one process compiles for a game
        model, processor = self._model()  # it knows the words of these files
        if not self.words.exists():
            processor.save_pretrained(partly := folder / "words.partly")
            partly.replace(self.words)
        self._draw([[(entry, part)] for part in (0, 1) for entry in self.chosen])
        precision = "bfloat16" if device == "cuda" else "float32"
        self.recipe = TrainerRecipe(
            rate=settings.rate, batch=settings.batch, accumulation=settings.accumulation, warmup=50,
            precision=precision, save_every=10**9, seed=settings.seed,
        )  # fmt: skip
        known = (folder / CHECKPOINT).exists()  # with the rate of that moment
        self.trainer = LanguageTrainer.resume(folder, model.to(device), processor, None if known else self.recipe)
        self.mixture = Mixture(self.trainer)
        self.too_long: dict[tuple[int, int], int] = {}
        self.shown: dict[tuple[int, int], list[tuple[PlannedReply, int]]] = {}
        self.kept = {at: self._read(at, 0) for at in self.chosen}
        self.rows = {at: read_file(file_of(self.files, at, 0))[0] for at in self.chosen}

    def _draw(self, jobs: Sequence[Sequence[tuple[int, int]]]) -> None:
        """The files that are missing, each group by one process, until the run is over; an entry that cannot be drawn
        is named once."""
        settings, told = self.settings, set()
        missing = [own for group in jobs if (own := [one for one in group if not self._ready(*one).exists()])]
        draw = partial(draw_files, self.files, self.words, settings.each, settings.pixels, settings.seed)
        for why in run_jobs(draw, [(own,) for own in missing], self.processes):
            for one in set(why) - told:
                told.add(one)
                print(f"{self.folder.name}: left out: {one}", file=sys.stderr, flush=True)
            if self.stopped:
                break

    def _ready(self, entry: int, part: int) -> Path:
        path = file_of(self.files, entry, part)
        return ids_of(path) if self.words.exists() else path

    def _model(self) -> tuple[Any, Any]:
        """The model before it has learned anything; its tokenizer knows the first files of every entry."""
        settings, texts, pieces = self.settings, [], set()
        if settings.begin:
            begun = quantised_weights.load(settings.begin, "cpu")
            if (seen := begun.model.config.vision_config.image_size) != settings.pixels:
                raise MmgamesError(f"{settings.begin} sees pictures of {seen} pixels; give --pixels {seen}.")
            return begun.model, begun.processor
        for at in self.chosen:
            rows, _ = read_file(file_of(self.files, at, 1))
            own = [_words(row["messages"]) for row in rows]
            pieces.update(piece for piece in common_pieces(own, [], OFTEN) if len(piece) >= LONG)
            texts += [*own, *(row["reply"] for row in rows)]
        return small_vision_model.build(
            texts, pieces=sorted(pieces), seed=settings.seed, width=settings.width, layers=settings.layers,
            eye_width=settings.eye_width, eye_layers=settings.eye_layers, pixels=settings.pixels,
        )  # fmt: skip

    def _read(self, entry: int, part: int) -> list[tuple[PlannedReply, int]]:
        """The examples of a file as the model reads them, each with its place in the file."""
        made = planned(self.trainer.weights, file_of(self.files, entry, part))
        short = [len(one.asked.encoded.ids) + len(one.ids) <= self.settings.longest for one in made]  # type: ignore[attr-defined]
        self.too_long[entry, part] = short.count(False)
        return [(one, at) for at, (one, so) in enumerate(zip(made, short, strict=True)) if so]

    def learn(self, seconds: float, whole: float = 0.0, live: float = 120.0) -> bool:
        """Learn for some seconds, of `whole` in all calls if more are to come; whether all updates are made."""
        settings, notes, began = self.settings, self.trainer.notes, time.monotonic()
        before, measured = notes.setdefault("seconds", 0.0), began
        whole = max(whole, before + seconds)
        jobs = [(entry, part) for part in range(1, settings.parts + 1) for entry in self.chosen if self.kept[entry]]
        drawing = threading.Thread(target=self._draw, args=([[one] for one in jobs],), daemon=True)
        drawing.start()
        if self.processes == 1:
            drawing.join()  # then a run is the same however fast the machine is
        while (done := self.trainer.updates.get("sft", 0)) < (settings.updates or sys.maxsize):
            now = time.monotonic()
            if now - began >= seconds:
                break
            self._show(done // BLOCK, jobs)
            notes["seconds"] = before + now - began
            passed = done / settings.updates if settings.updates else notes["seconds"] / whole
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

    def _show(self, look: int, jobs: Sequence[tuple[int, int]]) -> None:
        """What is learned from until the next look: some files of each entry that are ready, in turn; half of them
        stay for another look."""
        names, ready = {path.name for path in self.files.iterdir()}, defaultdict(list)
        for entry, part in jobs:
            if self._ready(entry, part).name in names:
                ready[entry].append((entry, part))
        many = max(2, SHOWN // self.settings.each)
        chosen = {own[(look * many // 2 + at) % len(own)] for own in ready.values() for at in range(many)}
        self.shown = {one: some for one, some in self.shown.items() if one in chosen}
        new = sorted(chosen - self.shown.keys())
        with ThreadPoolExecutor(READERS) as pool:
            self.shown.update(zip(new, pool.map(lambda one: self._read(*one), new), strict=True))
        found: dict[int, list[PlannedReply]] = defaultdict(list)
        for (entry, _), some in sorted(self.shown.items(), key=lambda item: item[0]):
            found[entry] += [one for one, _ in some]
        self.mixture.found = {entry: some for entry, some in found.items() if some}
        if not self.mixture.found:
            raise MmgamesError(f"{self.files} holds no examples; none of the entries can be drawn here.")

    def left_out(self) -> float:
        """The share of examples that were too long, of all files that were read."""
        return sum(self.too_long.values()) / (self.settings.each * len(self.too_long))

    def _tell(self, seconds: float) -> None:
        last, examples = self.trainer.log[-1], sum(map(len, self.mixture.found.values()))
        told = f"{examples} examples of {len(self.mixture.found)} entries at hand, {self.left_out():.1%} too long"
        reached = f"update {self.trainer.steps}, loss {last['sft/loss']:.4f}"
        print(f"{self.folder.name}: {seconds:.0f} s, {reached}, {told}", flush=True)

    def agreement(self, each: int) -> dict[str, dict[str, float]]:
        """Of each entry, from seeds that nothing is learned from: how often the likeliest reply is the one that was to
        be learned, and how often it is one that is listed as possible."""
        asked = [(at, pair) for at, kept in self.kept.items() for pair in kept[:each]]
        asked.sort(key=lambda one: len(one[1][0].asked.encoded.ids))  # type: ignore[attr-defined]
        said: dict[int, list[tuple[str, Mapping[str, Any]]]] = {}
        for first in range(0, len(asked), WRITTEN):
            some = asked[first : first + WRITTEN]
            prompts = [one.asked.encoded for _, (one, _) in some]  # type: ignore[attr-defined]
            weights = self.trainer.weights
            written = write_encoded(weights, prompts, [0] * len(some), self.settings.max_tokens, 0.0, 1.0)
            for (at, (_, place)), reply in zip(some, written, strict=True):
                said.setdefault(at, []).append((reply.text, self.rows[at][place]))
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


def ids_of(path: Path) -> Path:
    """Where the prompts and replies of a file of examples are as tokens."""
    return path.with_suffix(".ids.npz")


def draw_files(
    files: Path, words: Path, each: int, pixels: int, seed: int, some: Sequence[tuple[int, int]]
) -> list[str]:
    """Draw files of examples and, once `words` are known, write them as tokens too; what could not be drawn."""
    told = []
    for entry, part in some:
        path = file_of(files, entry, part)
        with compile_now():
            why = "" if path.exists() else draw_file(files, entry, part, each, pixels, seed)
        told += filter(None, [why])
        if words.exists():
            write_ids(_reader(words), path)
    return told


@cache
def _reader(words: Path) -> Reader:
    processor = transformers.AutoProcessor.from_pretrained(words)
    return Reader(processor, {processor.tokenizer.eos_token_id})


def write_ids(reader: Reader, path: Path) -> None:
    rows, _ = read_file(path)
    texts = [with_picture_tokens(reader, reader.render(row["messages"])) for row in rows]
    asked = reader.tokenizer(texts, add_special_tokens=False)["input_ids"] if rows else []
    told = {"pictures": [row["pictures"] for row in rows], "replies": [row["reply"] for row in rows]}
    both = [*asked, *(reader.tokens(row["reply"]) for row in rows)]
    packed = io.BytesIO()
    np.savez(
        packed,
        ids=np.array([number for own in both for number in own], np.int32),
        ends=np.cumsum([len(own) for own in both], dtype=np.int64),
        told=np.frombuffer(json.dumps(told).encode(), np.uint8),
    )
    write_whole(ids_of(path), packed.getvalue())


def planned(weights: Weights, path: Path) -> list[PlannedReply]:
    """The examples of a file as a small model reads them, its pictures on the device."""
    with np.load(ids_of(path)) as file:
        told, both = json.loads(file["told"].tobytes()), np.split(file["ids"], file["ends"][:-1])
    with np.load(path) as file:
        pixels = seen_pictures(weights, file["pictures"])
    made, first = [], 0
    for at, (reply, pictures) in enumerate(zip(told["replies"], told["pictures"], strict=True)):
        seen = {"pixel_values": [pixels[first : first + pictures]]} if pictures else {}
        first += pictures
        asked = ReadyPrompt([], (), (), 0, EncodedPrompt(both[at].tolist(), {}, seen))
        made.append(PlannedReply(asked, reply, both[len(told["replies"]) + at].tolist()))
    return made


def _words(messages: Sequence[Mapping[str, Any]]) -> str:
    contents = [one["content"] for one in messages]
    parts = [[{"text": content}] if isinstance(content, str) else content for content in contents]
    return "\n".join(part["text"] for own in parts for part in own if "text" in part)
