"""Scenes of a few simple things on a grey floor, after CLEVR; the pair changes some of them where they stand, or takes
them away, or adds others.

The recipe of the paper is the default: four to six objects, of which two change their colour and their shape. Every
object is whole and at least mostly visible in both pictures, and no two stand so close that left and right are unclear.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from math import hypot, sqrt
from typing import Any, NamedTuple

import numpy as np

from mmgames.errors import MmgamesError, unknown
from mmgames.games.spy.pictures import ray_caster
from mmgames.games.spy.pictures import ray_kernels as rays
from mmgames.games.spy.pictures.pair import ASPECT, Change, Fact, Pair

SHAPES = ("cube", "sphere", "cylinder")
SIZES = {"small": 0.40, "large": 0.80}
MATERIALS = ("rubber", "metal")
COLOURS: dict[str, tuple[int, int, int]] = {
    "gray": (118, 118, 120),
    "red": (196, 36, 36),
    "blue": (42, 80, 214),
    "green": (34, 132, 40),
    "brown": (122, 72, 30),
    "purple": (136, 46, 196),
    "cyan": (50, 206, 206),
    "yellow": (250, 222, 52),
}
ATTRIBUTES = ("colour", "shape", "size", "material")
EDITS = ("change", "remove", "add")
MOST_OBJECTS = 10
_SIZES, _COLOURS = tuple(SIZES), tuple(COLOURS)

# Half the height and half the width of each shape, over the nominal radius, so that all look about as large.
_PROPORTIONS = {"cube": (0.78, 0.78), "sphere": (1.0, 1.0), "cylinder": (0.86, 0.78)}
_APART = 0.35  # the least gap between two objects on the floor
_INSIDE = 0.92  # middles lie within this share of the picture
_ACROSS = 0.075  # the least distance of two middles across the picture, of its width
_FRAME = 0.96  # objects lie within this share of the picture as a whole
_CHECK = (72, 54)  # the size at which it is checked what can be seen
_VISIBLE = 0.7  # the least share of an object that nothing hides
_LEAST_PIXELS = 15  # and the least number of pixels of the check
_AIM = (0.0, -0.1, 0.35)
_TANGENT = 0.345  # of half the angle of view across
_TRIES = 5  # to change a scene so that all can still be seen
_ROUND = 4  # decimals of what is kept of a scene


class Thing(NamedTuple):
    """One object: what it is, where it stands and how far it is turned (in turns)."""

    size: str
    colour: str
    material: str
    shape: str
    x: float
    y: float
    turn: float

    @property
    def called(self) -> str:
        return f"a {self.size} {self.colour} {self.material} {self.shape}"


class ClevrScene(NamedTuple):
    """Objects from left to right as the camera sees them, the camera's place and the lamps' places."""

    things: tuple[Thing, ...]
    camera: tuple[float, float, float]
    lamps: tuple[tuple[float, float, float], ...]

    def draw(self, size: int) -> np.ndarray:
        picture = np.empty((round(size * ASPECT), size, 3), np.uint8)
        ray_caster.render(_table(self.things), _camera(self.camera), _lights(self.lamps), picture)
        return picture

    def facts(self) -> tuple[Fact, ...]:
        return _facts(self.things)

    def record(self) -> Mapping[str, Any]:
        view = _camera(self.camera).tolist()
        return {
            "objects": [
                {**thing._asdict(), "picture_x": round((1 + x) / 2, _ROUND), "picture_y": round((1 - y) / 2, _ROUND)}
                for thing in self.things
                for x, y in [_middle(view, thing.size, thing.x, thing.y)]
            ],
            "camera": list(self.camera),
            "lamps": [list(lamp) for lamp in self.lamps],
        }


def place_name(number: int, count: int) -> str:
    """What the object with this number from the left is called."""
    if number in (0, count - 1):
        return "the leftmost object" if number == 0 else "the rightmost object"
    ordinals = ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
    return f"the {ordinals[number - 1]} object from the left"


@lru_cache(maxsize=256)
def _facts(things: tuple[Thing, ...]) -> tuple[Fact, ...]:
    placed = [Fact(place_name(number, len(things)), thing.called) for number, thing in enumerate(things)]
    words = [*((colour, "colour", "objects") for colour in COLOURS), *((shape, "shape", "") for shape in SHAPES)]
    counted = []
    for word, attribute, noun in words:
        number = sum(getattr(thing, attribute) == word for thing in things)
        counted.append(Fact(f"the number of {word} {noun}" if noun else f"the number of {word}s", str(number)))
    return (*placed, *counted)


class Clevr:
    """Pairs of scenes. `changes` objects change `attributes` ("colour+shape") where they stand; with other `edits`
    ("change+remove+add") they are taken away or added, each by an edit that is drawn for it."""

    def __init__(
        self, fewest: int = 4, most: int = 6, changes: int = 2, attributes: str = "colour+shape", edits: str = "change"
    ) -> None:
        for name, number in (("fewest", fewest), ("most", most), ("changes", changes)):
            if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= MOST_OBJECTS:
                raise MmgamesError(
                    f"clevr: {name}={number!r} is out of range; it is a number from 1 to {MOST_OBJECTS}."
                )
        if fewest > most:
            raise MmgamesError(f"clevr: fewest={fewest} is more than most={most}.")
        if changes > fewest:
            raise MmgamesError(f"clevr: changes={changes} is more than the fewest objects of a scene, {fewest}.")
        self.fewest, self.most, self.changes = fewest, most, changes
        self.attributes = tuple(str(attributes).split("+"))
        for attribute in self.attributes:
            if attribute not in ATTRIBUTES:
                raise unknown("attribute", attribute, "clevr", ATTRIBUTES)
        self.edits = tuple(str(edits).split("+"))
        for edit in self.edits:
            if edit not in EDITS:
                raise unknown("edit", edit, "clevr", EDITS)
        if changes == fewest and "remove" in self.edits:
            raise MmgamesError(
                f"clevr: changes={changes} could take all objects of a scene away; fewest= must be more."
            )

    def pair(self, rng: np.random.Generator) -> Pair:
        # The number of objects is drawn once: drawn anew with every try, small scenes, which come off sooner, would be
        # more frequent.
        count = self._count(rng)
        while True:
            pair = self.vary(self.scene(rng, count), rng)
            if pair is not None:
                return pair

    def _count(self, rng: np.random.Generator) -> int:
        return int(rng.integers(self.fewest, self.most + 1))

    def scene(self, rng: np.random.Generator, count: int | None = None) -> ClevrScene:
        """One scene alone, of `count` objects where it is given."""
        count = self._count(rng) if count is None else count
        while True:
            scene = self._scene(rng, count)
            if scene is not None:
                return scene

    def vary(self, scene: ClevrScene, rng: np.random.Generator, places: Sequence[int] | None = None) -> Pair | None:
        """As every source; `places` says which objects are to change, counted from the left."""
        for _ in range(_TRIES):
            drawn = rng.permutation(len(scene.things))[: self.changes].tolist()
            chosen = sorted(drawn if places is None else places)
            things: list[Thing] = list(scene.things)
            changes, gone, added = [], [], 0
            for number in chosen:
                place, before = place_name(number, len(things)), things[number]
                edit = self.edits[0 if len(self.edits) == 1 else int(rng.integers(len(self.edits)))]
                if edit == "remove":
                    changes.append(Change(place, "object", before.called, "nothing"))
                    gone.append(before)
                added += edit == "add"
                for attribute in self.attributes if edit == "change" else ():
                    old = getattr(before, attribute)
                    new = _another(rng, attribute, old)
                    things[number] = things[number]._replace(**{attribute: new})
                    changes.append(Change(place, attribute, old, new))
            kept = [thing for thing in things if thing not in gone]
            stand = _filled_up(scene.camera, kept, len(kept) + added, rng) if gone or added else kept
            changed = scene._replace(things=tuple(stand))
            for number, thing in enumerate(changed.things):
                if thing not in kept:
                    changes.append(Change(place_name(number, len(changed.things)), "object", "nothing", thing.called))
            if len(changed.things) == len(kept) + added and clear(changed):
                return Pair(scene, changed, tuple(changes))
        return None

    def _scene(self, rng: np.random.Generator, count: int) -> ClevrScene | None:
        camera = _jittered(rng, (0.0, -9.6, 5.6), (0.7, 0.5, 0.5))
        lamps = tuple(
            _jittered(rng, place, (0.8, 0.8, 0.6)) for place in ((-4.2, -4.6, 7.2), (6.4, -3.2, 4.6), (1.8, 5.2, 6.2))
        )
        scene = ClevrScene(tuple(_filled_up(camera, [], count, rng)), camera, lamps)
        return scene if len(scene.things) == count and _visible(scene) else None


def _filled_up(
    camera: tuple[float, float, float], given: list[Thing], count: int, rng: np.random.Generator
) -> list[Thing]:
    """These objects and random others, as many in all as are wanted, if they fit; from left to right, so that the names
    of their places are true."""
    view, things = _camera(camera).tolist(), list(given)
    across = [_middle(view, thing.size, thing.x, thing.y)[0] for thing in things]
    apart = 2 * _ACROSS * min(1.0, 6 / count)
    for _ in range(60 * count):
        if len(things) == count:
            break
        size, colour, material, shape, x, y, turn = rng.random(7).tolist()
        word, x, y = _at(_SIZES, size), round(6.2 * x - 3.1, _ROUND), round(5.6 * y - 2.6, _ROUND)
        seen_x, seen_y = _middle(view, word, x, y)
        if max(abs(seen_x), abs(seen_y)) >= _INSIDE or any(abs(seen_x - other) < apart for other in across):
            continue
        thing = Thing(
            word, _at(_COLOURS, colour), _at(MATERIALS, material), _at(SHAPES, shape), x, y, round(turn / 4, _ROUND)
        )
        if all(_apart(thing, other) for other in things):
            things.append(thing)
            across.append(seen_x)
    return [things[place] for place in sorted(range(len(things)), key=across.__getitem__)]


def _middle(view: list[float], size: str, x: float, y: float) -> tuple[float, float]:
    """Where the middle of an object at a place is in the picture: across and up, from -1 to 1."""
    ex, ey, ez, rx, ry, rz, ux, uy, uz, fx, fy, fz, across, high = view
    dx, dy, dz = x - ex, y - ey, SIZES[size] - ez
    ahead = dx * fx + dy * fy + dz * fz
    return (dx * rx + dy * ry + dz * rz) / ahead / across, (dx * ux + dy * uy + dz * uz) / ahead / high


def _at(words: tuple[str, ...], share: float) -> str:
    return words[int(share * len(words))]


def _another(rng: np.random.Generator, attribute: str, old: str) -> str:
    words = {"colour": tuple(COLOURS), "shape": SHAPES, "size": tuple(SIZES), "material": MATERIALS}[attribute]
    return _at(tuple(word for word in words if word != old), rng.random())


def _jittered(
    rng: np.random.Generator, place: tuple[float, float, float], by: tuple[float, float, float]
) -> tuple[float, float, float]:
    x, y, z = (
        round(middle + (2 * width * share - width), _ROUND)
        for middle, width, share in zip(place, by, rng.random(3).tolist(), strict=True)
    )
    return x, y, z


def _apart(one: Thing, other: Thing) -> bool:
    return hypot(one.x - other.x, one.y - other.y) >= SIZES[one.size] + SIZES[other.size] + _APART


def clear(scene: ClevrScene) -> bool:
    """Whether every object is whole, large enough and hardly hidden."""
    for one in range(len(scene.things)):
        for other in range(one):
            if not _apart(scene.things[one], scene.things[other]):
                return False
    return _visible(scene)


def _visible(scene: ClevrScene) -> bool:
    shown = ray_caster.outlines(_table(scene.things), _camera(scene.camera, _FRAME), *_CHECK)
    return all(not cut and seen >= _VISIBLE * alone and seen >= _LEAST_PIXELS for alone, seen, cut in shown.tolist())


def _table(things: tuple[Thing, ...]) -> np.ndarray:
    return np.array([_row(thing) for thing in things]).reshape(-1, rays.COLUMNS)


@lru_cache(maxsize=1024)
def _row(thing: Thing) -> list[float]:
    row = [0.0] * rays.COLUMNS
    angle = 2 * np.pi * thing.turn
    row[rays.X], row[rays.Y] = thing.x, thing.y
    row[rays.HEIGHT], row[rays.WIDTH], row[rays.BOUND] = _measures(thing.size, thing.shape)
    row[rays.SHAPE] = (rays.CUBE, rays.SPHERE, rays.CYLINDER)[SHAPES.index(thing.shape)]
    row[rays.METAL] = float(thing.material == "metal")
    row[rays.COSINE], row[rays.SINE] = np.cos(angle), np.sin(angle)
    row[rays.RED : rays.BLUE + 1] = _linear(thing.colour)
    return row


@cache
def _measures(size: str, shape: str) -> tuple[float, float, float]:
    """Half the height, half the width and the radius of a ball around all."""
    radius = SIZES[size]
    high, wide = (share * radius for share in _PROPORTIONS[shape])
    bound = {"cube": np.sqrt(high**2 + 2 * wide**2), "sphere": radius, "cylinder": np.hypot(high, wide)}
    return high, wide, float(bound[shape])


@cache
def _linear(colour: str) -> tuple[float, ...]:
    return tuple((value / 255) ** 2 for value in COLOURS[colour])


@lru_cache(maxsize=256)
def _camera(eye: tuple[float, float, float], share: float = 1.0) -> np.ndarray:
    # Plain numbers: for so few of them NumPy takes several times as long, and every scene that is tried has a camera.
    d, e, f = (aim - place for aim, place in zip(_AIM, eye, strict=True))
    far = sqrt(d * d + e * e + f * f)
    d, e, f = d / far, e / far, f / far
    wide = sqrt(e * e + d * d)
    a, b, c = e / wide, -d / wide, 0.0
    up = b * f - c * e, c * d - a * f, a * e - b * d
    view = np.array((*eye, a, b, c, *up, d, e, f, share * _TANGENT, share * _TANGENT * ASPECT))
    view.setflags(write=False)  # it is kept
    return view


def _lights(lamps: tuple[tuple[float, float, float], ...]) -> np.ndarray:
    sizes, powers, shadows = (0.9, 2.0, 1.1), (62.0, 12.0, 22.0), (True, False, True)
    return np.array([(*lamp, *rest) for lamp, *rest in zip(lamps, sizes, powers, shadows, strict=True)])


SOURCE = Clevr
