"""Scenes of simple things: colours, shapes, sizes, materials, and where things stand as the camera sees them."""

from collections.abc import Mapping, Sequence
from typing import Any

from mmgames.games.spy.listening.claims import World

_BESIDE = 0.45  # of the picture's width and height together
_KEYS = {"left": "across", "right": "across", "front": "depth", "behind": "depth", "larger": "size", "smaller": "size"}
_ABOVE = ("right", "behind", "larger")


class SceneWorld(World):
    def __init__(self, record: Mapping[str, Any]) -> None:
        self.things: Sequence[Mapping[str, Any]] = record["objects"]  # from the left
        self.size = len(self.things)
        x, y = record["camera"][:2]
        far = [(each["x"] - x) ** 2 + (each["y"] - y) ** 2 for each in self.things]
        self._keys: dict[str, Sequence[Any]] = {
            "across": range(self.size),
            "depth": [sum(other < own for other in far) for own in far],
            "size": [each["size"] == "large" for each in self.things],
        }

    def has(self, dimension: str, value: str) -> int:
        return sum(1 << i for i, each in enumerate(self.things) if each[dimension] == value)

    def key(self, name: str) -> Sequence[Any]:
        return self._keys[name] if name in self._keys else [each[name] for each in self.things]

    def at(self, place: str) -> int:
        return sum(1 << i for i in range(self.size) if self._at(place, i))

    def _at(self, place: str, i: int) -> bool:
        across, down = self.things[i]["picture_x"], self.things[i]["picture_y"]
        depth, last = self._keys["depth"][i], self.size - 1
        tests = {
            "left": across < 0.55,
            "right": across > 0.45,
            "middle": 0.25 < across < 0.75,
            "front": depth < 3 or down > 0.5,
            "back": depth > 1 or down < 0.5,
            "ends": i in (0, last),
            "far left": i == 0,
            "far right": i == last,
            "far front": depth == 0,
            "far back": depth == last,
        }
        return bool(tests[place])

    def related(self, relation: str, one: int, other: int) -> bool:
        if relation.startswith("just"):
            return one - other == (1 if relation == "just right" else -1)
        if relation in _KEYS:
            first, second = self._keys[_KEYS[relation]][one], self._keys[_KEYS[relation]][other]
            return bool(first > second if relation in _ABOVE else first < second)
        a, b = self.things[one], self.things[other]
        return bool(abs(a["picture_x"] - b["picture_x"]) + abs(a["picture_y"] - b["picture_y"]) < _BESIDE)
