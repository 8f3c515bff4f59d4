"""Pairs from single pictures, photographs for example: the spy's copy gets one small change, which is logged.

A part of the picture gets another hue, is filled from what surrounds it, or has a shape pasted on it. Nobody knows
what a photograph shows, so there are no facts about it: scripted players give neutral clues.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from mmgames.errors import MmgamesError
from mmgames.games.spy.pictures.fitting import filling
from mmgames.games.spy.pictures.folder import KINDS, read_picture
from mmgames.games.spy.pictures.pair import Change, Fact, Pair

EDITS = ("hue", "removal", "shape")
SHAPES = ("disc", "square", "triangle")
_SIDE = (0.14, 0.26)  # how wide and high the changed part is, as shares of the picture
_TRIES = 12  # for a part with something in it
_LEAST = 8.0  # how much the changed part differs at least, of 255


class Edit(NamedTuple):
    """A change of one part: its middle and half its width and height as shares, and what is done to it."""

    kind: str
    x: float
    y: float
    half: float
    detail: str  # how far the hue is turned, in degrees; or the colour and the shape that is pasted

    @property
    def place(self) -> str:
        across = "left" if self.x < 0.4 else "right" if self.x > 0.6 else "middle"
        return f"the {'upper' if self.y < 0.4 else 'lower' if self.y > 0.6 else 'central'} {across}"


class PhotoScene(NamedTuple):
    path: str
    digest: str
    edit: Edit | None = None

    def draw(self, size: int) -> np.ndarray:
        picture = _load(self.path, self.digest)
        return filling(picture if self.edit is None else edited(picture, self.edit), size)

    def facts(self) -> tuple[Fact, ...]:
        return ()

    def record(self) -> Mapping[str, Any]:
        return {
            "file": Path(self.path).name,
            "digest": self.digest,
            "edit": None if self.edit is None else self.edit._asdict(),
        }


@lru_cache(maxsize=16)
def _load(path: str, digest: str) -> np.ndarray:
    picture, found = read_picture(path)
    if found != digest:
        raise MmgamesError(f"{path} has changed since its pair was drawn; draw pairs again with a new source.")
    return picture


def edited(picture: np.ndarray, edit: Edit) -> np.ndarray:
    """A copy of the picture with one change."""
    high, wide = picture.shape[:2]
    top, bottom = (round(high * (edit.y + side * edit.half)) for side in (-1, 1))
    left, right = (round(wide * (edit.x + side * edit.half)) for side in (-1, 1))
    part = picture[top:bottom, left:right].astype(float)
    down, across = (np.linspace(-1, 1, number) for number in part.shape[:2])
    far = np.hypot(down[:, None], across[None, :])
    soft = np.clip((1 - far) / 0.25, 0, 1)[..., None]  # the change has no sharp edge
    if edit.kind == "hue":
        new = _turned(part, float(edit.detail))
    elif edit.kind == "removal":
        new, soft = (
            _filled(part),
            np.clip((1 - np.maximum(*np.meshgrid(abs(across), abs(down)))) / 0.2, 0, 1)[..., None],
        )
    else:
        colour, shape = edit.detail.split()
        inside = {"disc": far < 0.8, "square": far < 9, "triangle": abs(across)[None, :] < (down[:, None] + 1) / 2}[
            shape
        ]
        new, soft = (
            np.broadcast_to(np.array(list(bytes.fromhex(colour)), float), part.shape),
            inside[..., None].astype(float),
        )
    changed = picture.copy()
    changed[top:bottom, left:right] = (part + soft * (new - part)).round().clip(0, 255).astype(np.uint8)
    return changed


def _turned(part: np.ndarray, degrees: float) -> np.ndarray:
    """Colours turned around the grey axis, as bright as before."""
    angle = np.radians(degrees)
    same, other = np.cos(angle) + (1 - np.cos(angle)) / 3, (1 - np.cos(angle)) / 3
    twist = np.sin(angle) / np.sqrt(3)
    matrix = [
        [same, other - twist, other + twist],
        [other + twist, same, other - twist],
        [other - twist, other + twist, same],
    ]
    return part @ np.array(matrix).T


def _filled(part: np.ndarray) -> np.ndarray:
    """What the four edges of a part would be, spread over it."""
    down, across = (np.linspace(0, 1, number) for number in part.shape[:2])
    y, x = down[:, None, None], across[None, :, None]
    rows = part[:, :1] * (1 - x) + part[:, -1:] * x
    columns = part[:1] * (1 - y) + part[-1:] * y
    near_side, near_end = np.minimum(x, 1 - x) + 1e-6, np.minimum(y, 1 - y) + 1e-6
    return (rows * near_end + columns * near_side) / (near_side + near_end)


class Photographs:
    """Pairs made from each picture of a folder, or from one picture file; `problems` names what cannot be read."""

    takes_path: ClassVar[bool] = True

    def __init__(self, path: str) -> None:
        where = Path(path).expanduser()
        if not str(path).strip() or not where.exists():
            raise MmgamesError(f"photo: there is no {path!r}; name a picture or a folder of pictures.")
        found = [where] if where.is_file() else sorted(where.rglob("*"))
        self.files = [file for file in found if file.suffix.lower() in KINDS and file.is_file()]
        self.problems: dict[str, str] = {}
        if not self.files:
            raise MmgamesError(f"photo: {where} holds no picture ({', '.join(KINDS)}).")

    def pair(self, rng: np.random.Generator) -> Pair:
        for place in rng.permutation(len(self.files)).tolist():
            file = self.files[place]
            try:
                pair = self.vary(PhotoScene(str(file), read_picture(file)[1]), rng)
            except MmgamesError as error:
                if file.name not in self.problems:
                    self.problems[file.name] = str(error).rstrip(".")
                    warnings.warn(f"photo: left out {file.name} ({self.problems[file.name]}).", stacklevel=2)
                continue
            if pair is not None:
                return pair
        raise MmgamesError(f"photo: none of the {len(self.files)} pictures can be read and changed.")

    def vary(self, scene: PhotoScene, rng: np.random.Generator) -> Pair | None:
        """The picture and a copy with one change that can be seen; None of a picture that was changed already."""
        if scene.edit is not None:
            return None
        picture = _load(scene.path, scene.digest)
        for kind in (EDITS[place] for place in rng.permutation(len(EDITS)).tolist()):
            edits = [_drawn(rng, kind, picture) for _ in range(_TRIES)]
            seen = [np.abs(edited(picture, edit) - picture.astype(float)).mean() / (4 * edit.half**2) for edit in edits]
            edit = edits[int(np.argmax(seen))]
            if max(seen) >= _LEAST:
                return Pair(scene, scene._replace(edit=edit), (_change(edit),), Path(scene.path).stem)
        return None


def _change(edit: Edit) -> Change:
    if edit.kind == "hue":
        return Change(edit.place, "hue", "as it was", f"turned by {edit.detail} degrees")
    after = "filled from around it" if edit.kind == "removal" else f"a {edit.detail.split()[1]} on it"
    return Change(edit.place, "content", "as it was", after)


def _drawn(rng: np.random.Generator, kind: str, picture: np.ndarray) -> Edit:
    """A change of this kind somewhere; what is pasted has a colour that the picture has elsewhere."""
    half = round(float(rng.uniform(*_SIDE)) / 2, 4)
    x, y = (round(float(rng.uniform(half, 1 - half)), 4) for _ in range(2))
    turn, shape = int(rng.integers(90, 271)), SHAPES[int(rng.integers(len(SHAPES)))]
    colour = picture[int(rng.integers(picture.shape[0])), int(rng.integers(picture.shape[1]))]
    detail = {"hue": str(turn), "removal": "", "shape": f"{colour.tobytes().hex()} {shape}"}[kind]
    return Edit(kind, x, y, half, detail)


SOURCE = Photographs
