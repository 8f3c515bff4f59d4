"""The room in 3D: floor, walls, worktops, racks, tables, and the cabinets and drawers that open."""

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from mmgames.drawing.canvas import WHITE, Colour, mix
from mmgames.embodied._scenes.solids import PLINTH, Box, Point, Solids, moved, read, slab, yaw

Way = tuple[int, int]
"""The way a wall looks into the room: the north wall looks south."""

Palette = tuple[Colour, Colour, Colour]
"""Floor, worktop, edges: see above.FLOORS."""


class Fixed(NamedTuple):
    """Something that does not move. A wall has the way it looks into the room and a point of it on the floor."""

    name: str
    solids: Solids
    way: Way | None = None
    corner: tuple[float, float] = (0.0, 0.0)

    def hides_nothing_from(self, eye: Point) -> bool:
        """Whether it is a wall that a camera is behind of, which looks through it."""
        return self.way is not None and sum((eye[i] - self.corner[i]) * self.way[i] for i in range(2)) <= 0


def wall_gaps(box: Box, room: Box) -> dict[Way, float]:
    """How far a piece of furniture is from every wall."""
    return {
        (0, -1): room.y1 - box.y1, (0, 1): box.y0 - room.y0, (1, 0): box.x0 - room.x0, (-1, 0): room.x1 - box.x1,
    }  # fmt: skip


def _angle(way: Way) -> float:
    return math.atan2(way[1], way[0])


def front(box: Box, room: Box) -> float:
    """The way a piece of furniture faces, in radians: away from the wall it stands at; free ones face the south."""
    way, gap = min(wall_gaps(box, room).items(), key=lambda item: (round(item[1], 2), _angle(item[0])))
    if gap > 0.45:
        return -math.pi / 2 if box.is_wide else 0.0
    return _angle(way)


FLOOR_PATTERNS = ("planks", "tiles", "planks", "chequers")
"""What floors are made of, by style."""

TOUCHING = 0.85
"""Things whose middles are nearer to each other than this share of both their radii hide each other."""

NEAR_WALL = 0.7
"""What is nearer to a wall than this, in metres, stands at it."""


def floor(room: Box, palette: Palette, style: int) -> Solids:
    pattern = FLOOR_PATTERNS[style % len(FLOOR_PATTERNS)]
    colour = mix(palette[0], palette[2], 0.28)
    return (slab((*room.sides, 0.02), (*room.middle, -0.02), colour, pattern=pattern),)


def walls(room: Box, palette: Palette, windows: dict[Way, float]) -> list[Fixed]:
    """The four walls, each with its window, if any. A camera behind a wall looks through it.

    `windows` says how far along a wall its window's middle is.
    """
    _, worktop, edge = palette
    plaster = mix(worktop, WHITE, 0.55)
    found: list[Fixed] = []
    feet = {(0, -1): (room.middle[0], room.y1), (0, 1): (room.middle[0], room.y0),
            (1, 0): (room.x0, room.middle[1]), (-1, 0): (room.x1, room.middle[1])}  # fmt: skip
    for way, foot in feet.items():
        low, high = _along(way, room)
        paint = mix(plaster, edge, 0.08 * abs(way[0]))
        solids = _made("wall", palette, {"wide": high - low, "top": room.top}, plaster=plaster, paint=paint)
        if way in windows:
            aside = (windows[way] - (low + high) / 2) * (way[0] - way[1])
            solids += moved(_made("window", palette, read("furniture")["window"]), (0, aside, 0))
        found.append(Fixed("wall", moved(solids, (*foot, 0.0), yaw(_angle(way))), way, foot))
    return found


def _along(way: Way, box: Box) -> tuple[float, float]:
    """From where to where something reaches along the wall that looks this way."""
    return (box.x0, box.x1) if way[0] == 0 else (box.y0, box.y1)


def window_spots(room: Box, taken: Sequence[Box]) -> dict[Way, list[float]]:
    """Where windows can be: for every wall the middles, along it, at which nothing tall stands or hangs."""
    half = read("furniture")["window"]["wide"] / 2 + 0.15
    found: dict[Way, list[float]] = {}
    for way in wall_gaps(room, room):
        low, high = _along(way, room)
        near = [_along(way, box) for box in taken if wall_gaps(box, room)[way] < NEAR_WALL]
        middles = np.arange(low + half, high - half, 0.2).tolist()
        free = [at for at in middles if all(at + half < start or end < at - half for start, end in near)]
        if free:
            found[way] = free
    return found


def _made(name: str, palette: Palette, lengths: Mapping[str, float], **own: Colour) -> Solids:
    """Something of furniture.json, seen from its front: x from the back to the front, y to the left.

    A length there is a number of metres, or so much of each of `lengths` and of a metre (m). Its colours are those of
    the palette, `own` ones, materials and mixtures.
    """
    known, lengths = read("furniture")[name], {**lengths, "m": 1.0}
    colours = dict(zip(("floor", "worktop", "edge"), palette, strict=True)) | read("furniture")["materials"]
    colours |= own
    for mixed, (one, other, share) in known.get("colours", {}).items():
        colours[mixed] = mix(colours[one], colours[other], share)

    def metres(length: Any) -> float:
        if isinstance(length, dict):
            return sum(lengths[of] * share for of, share in length.items())
        return lengths[length] if isinstance(length, str) else length

    found = []
    for part in known["parts"]:
        size, (x, y, z) = [metres(side) for side in part["size"]], map(metres, part["at"])
        mirrored = [(1, -1) if axis in part.get("mirror", ()) else (1,) for axis in (0, 1)]
        for i, j in product(*mirrored):
            found.append(slab(size, (i * x, j * y, z), colours[part["colour"]], pattern=part.get("pattern", "")))
    return tuple(found)


def _sizes(name: str, box: Box, way: float) -> dict[str, float]:
    """What a box has for some furniture, seen from its front: `back` is how far from its middle that of the piece is,
    which is no deeper and wider than furniture.json says."""
    known, across = read("furniture")[name], abs(math.sin(way)) > 0.5
    deep, wide = box.sides[::-1] if across else box.sides
    least = min(deep, known.get("deep", deep))
    sizes = {"deep": least, "wide": min(wide, known.get("wide", wide)), "back": (least - deep) / 2}
    return {**sizes, "top": box.top, "bottom": box.bottom}


def _put(solids: Solids, box: Box, way: float) -> Solids:
    return moved(solids, (*box.middle, 0.0), yaw(way))


def _plain(name: str, box: Box, way: float, palette: Palette) -> Solids:
    """Furniture that is the same whatever stands around it."""
    return _put(_made(name, palette, _sizes(name, box, way)), box, way)


def table(box: Box, palette: Palette) -> Solids:
    return _plain("table", box, 0.0, palette)


def block(box: Box, palette: Palette) -> Solids:
    """Furniture of which nothing but its worktop can be told."""
    here = _sizes("block", box, 0.0)
    lid = min(0.04, (box.top - box.bottom) / 2)
    return _put(_made("block", palette, here | {"lid": lid, "body": box.top - box.bottom - lid}), box, 0.0)


def counter(box: Box, way: float, palette: Palette, hole: bool = False) -> Solids:
    """A worktop on cupboards with doors; with a hole for a basin if it is to have one."""
    here = _sizes("cupboards", box, way) | {"low": min(0.09, box.top / 3), "hole": 0.2 if hole else 0.0}
    solids = _made("cupboards", palette, here)
    solids += _made("worktop with a basin" if hole else "worktop", palette, here)
    if box.top > 0.5:
        count = max(1, round(here["wide"] / 0.5))
        face = here["wide"] / count
        for k in range(count):
            here |= {"face": face, "aside": -here["wide"] / 2 + (k + 0.5) * face}
            solids += _made("cupboard door", palette, here)
    return _put(solids, box, way)


def cabinet(box: Box, way: float, opened: bool, palette: Palette) -> Solids:
    """A cabinet on the wall with two doors."""
    here, known = _sizes("cabinet", box, way), read("furniture")["cabinet"]
    here |= {"low": box.top - known["below"], "tall": known["below"] + known["above"]}
    solids, leaf = _made("cabinet", palette, here), here["wide"] / 2 - 0.012
    for s in (1, -1):
        # A door hangs at its outer edge and swings out; seen from its hinge it reaches towards the middle.
        hinge = (here["back"] + here["deep"] / 2 + 0.012, s * (here["wide"] / 2 - 0.01), 0.0)
        leaf_at = {"leaf": leaf, "side": -s * leaf, "grip": -s * (leaf - 0.05)}
        solids += moved(_made("cabinet door", palette, here | leaf_at), hinge, yaw(s * 1.85 if opened else 0.0))
    return _put(solids, box, way)


def drawer(box: Box, way: float, opened: bool, palette: Palette) -> Solids:
    """A chest under a worktop; its upper drawer is pulled out when it is open."""
    here = _sizes("drawer", box, way) | {"out": read("furniture")["drawer"]["out"] * opened}
    return _put(_made("drawer", palette, here) + _made("upper drawer", palette, here), box, way)


def piece(name: str, box: Box, room: Box, palette: Palette, side: bool, shelf: bool, hole: bool) -> Solids:
    """The furniture of one place."""
    way, ground = front(box, room), name.startswith("ground")
    if shelf and not ground:
        return _plain("rack", box, way, palette)
    if (side or name == "table") and not ground:
        return table(box, palette)
    if ground or box.top <= PLINTH + 1e-6:
        return _plain("rug", box._replace(top=max(box.top, 0.01)), 0.0, palette)
    return counter(box, way, palette, hole)


def inside(box: Box, way: float, what: str, opened: bool) -> tuple[float, float]:
    """How far along the floor the contents of a cabinet or a drawer lie from the middle of its place."""
    if what == "drawer":
        far = (read("furniture")["drawer"]["out"] + 0.12) if opened else 0.0
    else:
        far = _sizes("cabinet", box, way)["back"]
    return far * math.cos(way), far * math.sin(way)


def free_spot(box: Box, at: Point, wide: float, others: Sequence[tuple[Point, float]]) -> Point:
    """The nearest point along a piece of furniture at which a thing hides none of the others (with their radii)."""
    for step in range(17):
        far = (step + 1) // 2 * 0.1 * (1 if step % 2 else -1)
        spot = (at[0] + far, at[1], at[2]) if box.is_wide else (at[0], at[1] + far, at[2])
        clear = all(math.dist(spot[:2], other[:2]) >= TOUCHING * (wide + radius) for other, radius in others)
        if clear and (far == 0.0 or box.within(*spot[:2], 0.12)[not box.is_wide] == spot[not box.is_wide]):
            return spot
    return at
