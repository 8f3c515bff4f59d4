"""Pairs from files: a folder of `NAME_original.png` and `NAME_modified.png`, or a CSV with these two columns.

Pictures may have any size, mode and depth that Pillow reads. What cannot be used is reported by name (`problems`, and
one warning) and left out: half a pair, two files for one picture, pictures that cannot be read, are too small or too
large, or are not of one size.
"""

import csv
import hashlib
import warnings
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from PIL import Image, ImageOps

from mmgames.errors import MmgamesError
from mmgames.games.spy.pictures.fitting import filling
from mmgames.games.spy.pictures.pair import Fact, Pair

MOST_NAMED = 20  # so many problems are told in one warning; all are in `problems`
PARTS = ("original", "modified")
KINDS = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif", ".tif", ".tiff")
LEAST_SIDE = 16
MOST_PIXELS = 40_000_000
_WHITE = (255, 255, 255, 255)


class FileScene(NamedTuple):
    """A picture in a file. Nobody knows what it shows, so there are no facts about it."""

    path: str
    digest: str  # of the file's content, so that a file that was changed is another scene

    def draw(self, size: int) -> np.ndarray:
        return filling(_load(self.path, self.digest), size)

    def facts(self) -> tuple[Fact, ...]:
        return ()

    def record(self) -> Mapping[str, Any]:
        return {"file": Path(self.path).name, "digest": self.digest}


@lru_cache(maxsize=32)
def _load(path: str, digest: str) -> np.ndarray:
    picture, found = read_picture(path)
    if found != digest:
        raise MmgamesError(f"{path} has changed since its pair was drawn; draw pairs again with a new source.")
    return picture


def read_picture(path: str | Path) -> tuple[np.ndarray, str]:
    """A file's picture as uint8[height, width, 3], and the digest of its content.

    Deep pictures are brought down to 8 bits, transparent ones lie on white, and a photograph's own turn is honoured.
    """
    try:
        digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # there is a limit of our own
            with Image.open(path) as image:
                _check_shape(path, image.size)
                image.load()
                return _rgb(ImageOps.exif_transpose(image)), digest
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        if isinstance(error, MmgamesError):
            raise
        why = getattr(error, "strerror", None) or str(error)
        raise MmgamesError(f"{path} cannot be read as a picture: {why}.") from error


def _check_shape(path: str | Path, size: tuple[int, int]) -> None:
    wide, high = size
    if min(wide, high) < LEAST_SIDE:
        raise MmgamesError(f"{path} is too small: {wide} x {high} pixels; a side has at least {LEAST_SIDE}.")
    if wide * high > MOST_PIXELS:
        raise MmgamesError(f"{path} is too large: {wide} x {high} pixels; at most {MOST_PIXELS:,} in all.")


def _rgb(image: Image.Image) -> np.ndarray:
    if image.mode.startswith("I") or image.mode == "F":
        deep = np.asarray(image).astype(np.float64)
        # Whole numbers of 16 bits are scaled; other ranges are brought to what they span.
        top = 65535.0 if image.mode.startswith("I") and deep.min() >= 0 and deep.max() <= 65535 else deep.max()
        low = 0.0 if deep.min() >= 0 else deep.min()
        grey = np.round(np.nan_to_num((deep - low) / max(top - low, 1e-9)) * 255).clip(0, 255).astype(np.uint8)
        return np.repeat(grey[:, :, None], 3, axis=2)
    if image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info:
        clear = image.convert("RGBA")
        paper = Image.new("RGBA", clear.size, _WHITE)
        image = Image.alpha_composite(paper, clear)
    return np.array(image.convert("RGB"))


class Folder:
    """The pairs of a folder or a CSV; `problems` says what was left out and why, by name."""

    takes_path: ClassVar[bool] = True

    def __init__(self, path: str) -> None:
        where = Path(path).expanduser()
        if not str(path).strip() or not where.exists():
            raise MmgamesError(f"folder: there is no {path!r}; name a folder of pictures or a CSV of pairs.")
        self.path = where
        self.problems: dict[str, str] = {}
        pairs = self._listed(where) if where.is_file() else self._found(where)
        self.pairs: dict[str, tuple[Path, Path]] = {}
        for name, (one, other) in sorted(pairs.items()):
            if self._fits(name, one, other):
                self.pairs[name] = (one, other)
        if self.problems:
            first = [f"{name} ({why})" for name, why in list(self.problems.items())[:MOST_NAMED]]
            more = f" and {len(self.problems) - MOST_NAMED} more" if len(self.problems) > MOST_NAMED else ""
            warnings.warn(f"folder {where}: left out {', '.join(first)}{more}.", stacklevel=2)
        if not self.pairs:
            wanted = "a pair NAME_original.png and NAME_modified.png" if where.is_dir() else "a row with a pair"
            raise MmgamesError(f"folder: {where} holds no {wanted.removeprefix('a ')} that can be used.")

    def _found(self, folder: Path) -> dict[str, tuple[Path, Path]]:
        halves: dict[str, dict[str, Path]] = {}
        for file in sorted(folder.rglob("*")):
            stem, _, part = file.stem.rpartition("_")
            if file.suffix.lower() not in KINDS or part.lower() not in PARTS or not stem or not file.is_file():
                continue
            name = str((file.parent / stem).relative_to(folder))
            mine = halves.setdefault(name, {})
            if part.lower() in mine:
                self.problems[name] = f"two files for its {part.lower()}: {mine[part.lower()].name} and {file.name}"
            mine[part.lower()] = file
        for name, found in halves.items():
            for part in PARTS:
                if part not in found:
                    self.problems.setdefault(name, f"has no {part} picture")
        return {name: (found[PARTS[0]], found[PARTS[1]]) for name, found in halves.items() if name not in self.problems}

    def _listed(self, file: Path) -> dict[str, tuple[Path, Path]]:
        try:
            with file.open(newline="", encoding="utf-8-sig") as lines:
                rows = list(csv.DictReader(lines))
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise MmgamesError(f"folder: {file} cannot be read as a CSV: {error}.") from error
        if rows and not set(PARTS) <= {str(key).strip().lower() for key in rows[0]}:
            raise MmgamesError(f"folder: the first line of {file} has to name the columns original and modified.")
        pairs: dict[str, tuple[Path, Path]] = {}
        for number, row in enumerate(rows, 2):
            cells = {str(key).strip().lower(): str(value or "").strip() for key, value in row.items()}
            name = cells.get("name") or Path(cells["original"]).stem.removesuffix("_original") or f"line {number}"
            if name in pairs or name in self.problems:
                self.problems[f"line {number}"] = f"a second pair with the name {name}"
            elif not cells["original"] or not cells["modified"]:
                self.problems[f"line {number}"] = "half a pair"
            else:
                pairs[name] = (file.parent / cells["original"], file.parent / cells["modified"])
        return pairs

    def _fits(self, name: str, *files: Path) -> bool:
        """Whether two files look like pictures of one size; their content is read when the pair is drawn."""
        sizes = []
        for file in files:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", Image.DecompressionBombWarning)
                    with Image.open(file) as image:
                        sizes.append(image.size)
                _check_shape(file.name, sizes[-1])
            except MmgamesError as error:
                self.problems[name] = str(error).rstrip(".")
                return False
            except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
                self.problems[name] = f"{file.name} cannot be read as a picture"
                return False
        if sizes[0] != sizes[1]:
            shapes = " and ".join(f"{wide} x {high}" for wide, high in sizes)
            self.problems[name] = f"its pictures are not of one size: {shapes}"
            return False
        return True

    def pair(self, rng: np.random.Generator) -> Pair:
        names = list(self.pairs)
        for place in rng.permutation(len(names)).tolist():
            name = names[place]
            try:
                scenes = [FileScene(str(file), read_picture(file)[1]) for file in self.pairs[name]]
            except MmgamesError as error:
                if name not in self.problems:
                    self.problems[name] = str(error).rstrip(".")
                    warnings.warn(f"folder {self.path}: left out {name} ({self.problems[name]}).", stacklevel=2)
                continue
            return Pair(scenes[0], scenes[1], (), name)
        raise MmgamesError(f"folder: none of the {len(names)} pairs in {self.path} can be read any more.")

    def vary(self, scene: FileScene, rng: np.random.Generator) -> None:
        """Nobody knows what else a photograph could have been."""
        return None


SOURCE = Folder
