"""Pairs from single pictures, photographs for example: both copies get several small edits, and one of them differs.

Parts of the picture get another hue, are filled from what surrounds them, or have a shape pasted on them. One edit is
another one in the spy's copy: another hue, another shape or colour, another part that is filled. It is as strong there,
so neither copy looks more edited than the other, and who sees one cannot tell which edit it is. The change is logged.
Nobody knows what a photograph shows, so there are no facts about it: scripted players give neutral clues.
"""

import warnings
from collections.abc import Mapping, Sequence
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
NUMBER = (3, 5)
"""How many edits each copy has, at least and at most."""
_SIDE = (0.13, 0.21)  # how wide and high an edited part is, as shares of the picture
_TRIES = 12  # for a part with something in it
_LEAST = 8.0  # how much an edited part differs at least from what it was, and from its other version, of 255
_ALIKE = 0.12  # by what share two versions of an edit may differ in strength


class Edit(NamedTuple):
    """What is done to one part: its middle and half its width and height as shares, and what is done to it."""

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
    edits: tuple[Edit, ...] = ()

    def draw(self, size: int) -> np.ndarray:
        return filling(edited(_load(self.path, self.digest), self.edits), size)

    def facts(self) -> tuple[Fact, ...]:
        return ()

    def record(self) -> Mapping[str, Any]:
        edits = [edit._asdict() for edit in self.edits]
        return {"file": Path(self.path).name, "digest": self.digest, "edits": edits}


@lru_cache(maxsize=16)
def _load(path: str, digest: str) -> np.ndarray:
    picture, found = read_picture(path)
    if found != digest:
        raise MmgamesError(f"{path} has changed since its pair was drawn; draw pairs again with a new source.")
    return picture


def edited(picture: np.ndarray, edits: Sequence[Edit]) -> np.ndarray:
    """A copy of the picture with these edits, none of which lies on another."""
    changed = picture.copy()
    for edit in edits:
        changed[_part(picture, edit)] = _patch(picture, edit)
    return changed


def _part(picture: np.ndarray, edit: Edit) -> tuple[slice, slice]:
    high, wide = picture.shape[:2]
    top, bottom = (round(high * (edit.y + side * edit.half)) for side in (-1, 1))
    left, right = (round(wide * (edit.x + side * edit.half)) for side in (-1, 1))
    return slice(top, bottom), slice(left, right)


def _patch(picture: np.ndarray, edit: Edit) -> np.ndarray:
    """What an edit makes of its part."""
    part = picture[_part(picture, edit)].astype(float)
    down, across = (np.linspace(-1, 1, number) for number in part.shape[:2])
    far = np.hypot(down[:, None], across[None, :])
    if edit.kind == "hue":
        new = _turned(part, float(edit.detail))
        soft = np.clip((1 - far) / 0.25, 0, 1)[..., None]  # it has no sharp edge
    elif edit.kind == "removal":
        new = _filled(part)
        soft = np.clip((1 - np.maximum(*np.meshgrid(abs(across), abs(down)))) / 0.2, 0, 1)[..., None]
    else:
        colour, shape = edit.detail.split()
        inside = {  # of one area
            "disc": far < 0.8,
            "square": np.maximum(*np.meshgrid(abs(across), abs(down))) < 0.71,
            "triangle": abs(across)[None, :] < (down[:, None] + 1) / 2,
        }[shape]
        new = np.broadcast_to(np.array(list(bytes.fromhex(colour)), float), part.shape)
        soft = inside[..., None].astype(float)
    return (part + soft * (new - part)).round().clip(0, 255).astype(np.uint8)


def _strength(picture: np.ndarray, edit: Edit) -> float:
    """How much an edit changes its part."""
    return _apart(_patch(picture, edit), picture[_part(picture, edit)])


def _apart(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.abs(one.astype(float) - other).mean()) if one.size else 0.0


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
                scene = PhotoScene(str(file), read_picture(file)[1])
                pair = self.vary(scene._replace(edits=_several(_load(scene.path, scene.digest), rng)), rng)
            except MmgamesError as error:
                if file.name not in self.problems:
                    self.problems[file.name] = str(error).rstrip(".")
                    warnings.warn(f"photo: left out {file.name} ({self.problems[file.name]}).", stacklevel=2)
                continue
            if pair is not None:
                return pair if rng.random() < 0.5 else _turned_round(pair)
        raise MmgamesError(f"photo: none of the {len(self.files)} pictures can be read and changed.")

    def vary(self, scene: PhotoScene, rng: np.random.Generator) -> Pair | None:
        """The scene and a copy in which one edit is another one that is as strong; None of a picture without edits."""
        if len(scene.edits) < NUMBER[0]:
            return None
        picture = _load(scene.path, scene.digest)
        for place in rng.permutation(len(scene.edits)).tolist():
            edit, others = scene.edits[place], (*scene.edits[:place], *scene.edits[place + 1 :])
            for _ in range(4 * _TRIES):
                other = _version(rng, edit, picture)
                if _exchangeable(picture, edit, other) and _free(other, scene.edits if _moved(edit, other) else others):
                    edits = tuple(other if each is edit else each for each in scene.edits)
                    return Pair(scene, scene._replace(edits=edits), (_change(edit, other),), Path(scene.path).stem)
        return None


def _several(picture: np.ndarray, rng: np.random.Generator) -> tuple[Edit, ...]:
    """Edits of parts that do not touch, each the strongest of some that were drawn."""
    made: list[Edit] = []
    for _ in range(int(rng.integers(NUMBER[0], NUMBER[1] + 1))):
        for kind in (EDITS[place] for place in rng.permutation(len(EDITS)).tolist()):
            drawn = [edit for edit in (_drawn(rng, kind, picture) for _ in range(_TRIES)) if _free(edit, made)]
            best = max(drawn, key=lambda edit: _strength(picture, edit), default=None)
            if best is not None and _strength(picture, best) >= _LEAST:
                made.append(best)
                break
    return tuple(made)


def _free(edit: Edit, others: Sequence[Edit]) -> bool:
    return all(max(abs(edit.x - each.x), abs(edit.y - each.y)) > edit.half + each.half + 0.01 for each in others)


def _moved(edit: Edit, other: Edit) -> bool:
    return (edit.x, edit.y) != (other.x, other.y)


def _version(rng: np.random.Generator, edit: Edit, picture: np.ndarray) -> Edit:
    """The same edit otherwise: the hue turned the other way, another shape or its colour, another part of this size."""
    drawn = _drawn(rng, edit.kind, picture, edit.half)
    if edit.kind == "hue":
        return edit._replace(detail=str(360 - int(edit.detail)))
    if edit.kind == "removal":
        return drawn
    colour, shape = edit.detail.split()
    new_colour, new_shape = drawn.detail.split()
    return edit._replace(detail=f"{colour} {new_shape}" if rng.random() < 0.5 else f"{new_colour} {shape}")


def _exchangeable(picture: np.ndarray, edit: Edit, other: Edit) -> bool:
    """Whether two versions of an edit are equally strong and can be told apart."""
    one, two = _strength(picture, edit), _strength(picture, other)
    if min(one, two) < max(_LEAST, (1 - _ALIKE) * max(one, two)):
        return False
    return _moved(edit, other) or _apart(_patch(picture, edit), _patch(picture, other)) >= _LEAST


def _turned_round(pair: Pair) -> Pair:
    changes = tuple(change._replace(before=change.after, after=change.before) for change in pair.changes)
    return Pair(pair.changed, pair.original, changes, pair.name)


def _change(edit: Edit, other: Edit) -> Change:
    if edit.kind == "hue":
        return Change(edit.place, "hue", *(f"turned by {each.detail} degrees" for each in (edit, other)))
    if edit.kind == "removal":
        both = " or ".join(dict.fromkeys((edit.place, other.place)))
        return Change(both, "filled part", *(f"around {each.x:.2f}, {each.y:.2f}" for each in (edit, other)))
    return Change(edit.place, "pasted shape", *("a #{} {}".format(*each.detail.split()) for each in (edit, other)))


def _drawn(rng: np.random.Generator, kind: str, picture: np.ndarray, half: float | None = None) -> Edit:
    """An edit of this kind somewhere; what is pasted has a colour that the picture has elsewhere."""
    half = round(float(rng.uniform(*_SIDE)) / 2, 4) if half is None else half
    x, y = (round(float(rng.uniform(half, 1 - half)), 4) for _ in range(2))
    turn, shape = int(rng.integers(80, 151)), SHAPES[int(rng.integers(len(SHAPES)))]
    turn = turn if rng.random() < 0.5 else 360 - turn
    colour = picture[int(rng.integers(picture.shape[0])), int(rng.integers(picture.shape[1]))]
    detail = {"hue": str(turn), "removal": "", "shape": f"{colour.tobytes().hex()} {shape}"}[kind]
    return Edit(kind, x, y, half, detail)


SOURCE = Photographs
