"""Scenes of simple things as a world: colours, shapes, sizes, materials, and where things stand as the camera sees them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from typing import Any

from mmgames.games.spy.listening2.lexicon import Scanner

_BESIDE = 0.45


@cache
def scanner() -> Scanner:
    return Scanner("scenes", misspelt=True)


class SceneWorld:
    def __init__(self, record: Mapping[str, Any]) -> None:
        self.things: Sequence[Mapping[str, Any]] = record["objects"]
        self.size = len(self.things)
        self._eye = record["camera"][:2]
        self._keys: dict[str, Sequence[float]] = {}

    def has(self, dimension: str, value: str) -> int:
        return sum(1 << i for i, each in enumerate(self.things) if each[dimension] == value)

    def key(self, name: str) -> Sequence[float]:
        if name not in self._keys:
            self._keys[name] = self._key(name)
        return self._keys[name]

    def _key(self, name: str) -> Sequence[float]:
        if name == "across":
            return range(self.size)  # records list things from the left
        if name == "depth":
            x, y = self._eye
            far = [(each["x"] - x) ** 2 + (each["y"] - y) ** 2 for each in self.things]
            return [sum(other < own for other in far) for own in far]
        if name == "size":
            return [each["size"] == "large" for each in self.things]
        return [each[name] for each in self.things]

    def at(self, place: str) -> int:
        found = 0
        for i, each in enumerate(self.things):
            found |= self._at(place, i, each["picture_x"], each["picture_y"]) << i
        return found

    def _at(self, place: str, i: int, across: float, down: float) -> bool:
        last = self.size - 1
        match place:
            case "left":
                return across < 0.55
            case "right":
                return across > 0.45
            case "middle":
                return 0.25 < across < 0.75
            case "front":
                return self.key("depth")[i] < 3 or down > 0.5
            case "back":
                return self.key("depth")[i] > 1 or down < 0.5
            case "ends":
                return i in (0, last)
            case "centre":
                return abs(2 * i - last) < 2
            case "far left" | "far right":
                return i == (0 if place == "far left" else last)
            case "far front" | "far back":
                return self.key("depth")[i] == (0 if place == "far front" else last)
        return True

    def amount(self, chosen: int) -> float:
        return chosen.bit_count()

    def related(self, relation: str, one: int, other: int) -> bool:
        if relation in ("front", "behind"):
            depth = self.key("depth")
            return depth[one] < depth[other] if relation == "front" else depth[one] > depth[other]
        if relation in ("larger", "smaller"):
            size = self.key("size")
            return size[one] > size[other] if relation == "larger" else size[one] < size[other]
        match relation:
            case "left":
                return one < other
            case "right":
                return one > other
            case "just left":
                return one == other - 1
            case "just right":
                return one == other + 1
        a, b = self.things[one], self.things[other]
        return bool(abs(a["picture_x"] - b["picture_x"]) + abs(a["picture_y"] - b["picture_y"]) < _BESIDE)
