"""What things and robots look like in 3D: our own simple shapes, and the robots' models that ManiSkill ships or has.

The shapes are data: things.json, whose things stand on the origin with their fronts towards +x, and robots.json, whose
robots stand on it and look along +x; `rest` has the joints of their models as the benchmark has them.
"""

import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from mmgames.embodied._scenes import solids
from mmgames.embodied._scenes.shots import Model, wheel_folder
from mmgames.embodied._scenes.solids import Point, Solid, Solids, extent, moved, read, scaled, yaw
from mmgames.embodied._world.names import TYPES, base

IN_WHEEL = ("panda", "fetch")
"""Robots that are among ManiSkill's own files; those of the others are below its asset folder, once fetched."""


class Shape(NamedTuple):
    """A robot of simple shapes that stands on the origin and looks along +x, and where its hands (a dog: nose) are."""

    solids: Solids
    hands: tuple[Point, ...]

    def hands_at(self, foot: Point, turn: float) -> tuple[Point, ...]:
        """Where they are when it stands somewhere and looks some way."""
        return tuple(solid.at for solid in moved([Solid((0, 0, 0), hand) for hand in self.hands], foot, yaw(turn)))


def asset_folder() -> Path:
    """Where ManiSkill keeps what it downloads."""
    return Path(os.environ.get("MS_ASSET_DIR") or Path.home() / ".maniskill") / "data"


def body_of(type: str) -> Model | Shape:
    """What is used for a robot type here: its own model if there is one on disk, else what comes nearest."""
    known = read("robots")[type]
    folder = wheel_folder() / "assets" if type in IN_WHEEL else asset_folder()
    path = folder / "robots" / known["file"]
    if type in IN_WHEEL or path.is_file():
        return Model(path, known.get("links", ()), known.get("root", 0.0), rest=known["rest"])
    return shape_of(list(TYPES).index(type))


@lru_cache(maxsize=8)
def shape_of(look: int) -> Shape:
    """A robot of simple shapes by the number of its look."""
    known = read("robots")[list(TYPES)[look]]
    return Shape(made(known["parts"]), known["hands"])


@lru_cache(maxsize=8)
def tall(look: int) -> float:
    """How tall a robot of simple shapes is, in metres."""
    return extent(shape_of(look).solids)[1]


def model(name: str, on: bool = False) -> Solids:
    """A thing by its name. What has no model of its own is a ball with a band; small things that are on have a lamp."""
    things, what = read("things"), base(name)
    known = things.get("cardboardbox" if what == "box" else what, {})
    known = known if "parts" in known else things["thing"]
    found = made(known["parts"], on)
    if on and not any("on" in part for part in known["parts"]):
        found += made(things["lamp"]["parts"])
    return moved(scaled(found, known.get("larger", 1.0)), (0, 0, 0), yaw(known.get("yaw", 0.0)))


@lru_cache(maxsize=64)
def reach(what: str) -> tuple[float, float]:
    """How far a thing reaches to its sides and above its foot, in metres."""
    return extent(model(what))


def made(parts: Iterable[dict[str, Any]], on: bool = False) -> Solids:
    """Pieces from data; some are there only when a thing is on, or off."""
    return tuple(_piece(**part) for part in parts if part.get("on", on) == on)


def _piece(colour: solids.Colour, radius: Any = None, on: bool = False, **more: Any) -> Solid:
    """One piece: its first entry names what makes it, the others say where it is and how it is changed."""
    kind, form = next(iter(more.items()))
    at = more.get("at", (0, 0, 0))
    first, last = radius if isinstance(radius, tuple) else (radius, None)
    if kind == "rod":
        start, end = form
        found = solids.rod(start, end, first, colour, last)
    else:
        found = getattr(solids, kind)(*(form if kind == "drum" else (form,)), at, colour)
    changed = {name: more[name] for name in ("turn", "stretch", "glow") if name in more}
    return found._replace(**changed, **({"at": at} if kind == "rod" and "at" in more else {}))
