"""The room in 3D: floor, walls, worktops, racks, tables, and the cabinets and drawers that open."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mmgames.drawing.canvas import WHITE, Colour, mix
from mmgames.embodied._scenes.solids import PLINTH, Box, Point, Quaternion, Solid, Solids, block, moved, slab, yaw

TOP = 0.04
CABINET_BELOW, CABINET_ABOVE = 0.36, 0.36
"""How far a cabinet reaches below and above the board that things stand on, in metres."""

DRAWER_OUT = 0.3
"""How far an open drawer is pulled out, in metres."""

DRAWER_FLOOR = -0.24
"""How far below the worktop the things in a drawer lie, in metres."""

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
    wide = box.x1 - box.x0 >= box.y1 - box.y0
    if gap > 0.45:
        return -math.pi / 2 if wide else 0.0
    return _angle(way)


FLOOR_PATTERNS = ("planks", "tiles", "planks", "chequers")
"""What floors are made of, by style."""

TOUCHING = 0.85
"""Things whose middles are nearer to each other than this share of both their radii hide each other."""

NEAR_WALL = 0.7
"""What is nearer to a wall than this, in metres, stands at it."""

SILL, WINDOW_WIDE, WINDOW_TALL = 1.0, 1.3, 0.85
"""How high above the floor a window begins, and its size, in metres."""


def floor(room: Box, palette: Palette, style: int) -> Solids:
    light, _, edge = palette
    size = (room.x1 - room.x0, room.y1 - room.y0, 0.02)
    pattern = FLOOR_PATTERNS[style % len(FLOOR_PATTERNS)]
    return (slab(size, (*room.middle, -0.02), mix(light, edge, 0.28), pattern=pattern),)


def walls(room: Box, palette: Palette, windows: dict[Way, float]) -> list[Fixed]:
    """The four walls, painted, tiled behind worktops, with a skirting board and its window, if any.

    A camera behind a wall looks through it. `windows` says how far along a wall its window's middle is.
    """
    _, worktop, edge = palette
    paint, board = mix(worktop, WHITE, 0.55), mix(edge, WHITE, 0.3)
    found: list[Fixed] = []
    feet = {(0, -1): (room.middle[0], room.y1), (0, 1): (room.middle[0], room.y0),
            (1, 0): (room.x0, room.middle[1]), (-1, 0): (room.x1, room.middle[1])}  # fmt: skip
    for way, foot in feet.items():
        low, high = _along(way, room)
        solids = [
            slab(
                (0.06, high - low + 0.12, room.top),
                (-0.03, 0, 0),
                mix(paint, edge, 0.08 * abs(way[0])),
                pattern="paint",
            ),
            slab((0.02, high - low, 0.09), (0.01, 0, 0), board),
            slab((0.012, high - low, 0.5), (0.006, 0, 0.45), mix(paint, WHITE, 0.5), pattern="bricks"),
        ]
        if way in windows:
            solids += window((windows[way] - (low + high) / 2) * (way[0] - way[1]))
        found.append(Fixed("wall", moved(solids, (*foot, 0.0), yaw(_angle(way))), way, foot))
    return found


def _along(way: Way, box: Box) -> tuple[float, float]:
    """From where to where something reaches along the wall that looks this way."""
    return (box.x0, box.x1) if way[0] == 0 else (box.y0, box.y1)


def window(y: float) -> Solids:
    """A white frame with the sky in it, at a point along a wall that is seen from its front."""
    wide, tall = WINDOW_WIDE, WINDOW_TALL
    frame = [slab((0.05, 0.06, tall), (0.02, y + x * wide / 2, SILL), WHITE) for x in (-1, 0, 1)]
    frame += [slab((0.05, wide, 0.05), (0.02, y, SILL + tall * k - 0.025), WHITE) for k in (0, 1)]
    return (
        slab((0.01, wide, tall), (0.008, y, SILL), (200, 225, 250), pattern="sky"),
        slab((0.14, wide + 0.16, 0.035), (0.07, y, SILL - 0.035), WHITE),
        *frame,
    )


def window_spots(room: Box, taken: Sequence[Box]) -> dict[Way, list[float]]:
    """Where windows can be: for every wall the middles, along it, at which nothing tall stands or hangs."""
    half = WINDOW_WIDE / 2 + 0.15
    found: dict[Way, list[float]] = {}
    for way in wall_gaps(room, room):
        low, high = _along(way, room)
        near = [_along(way, box) for box in taken if wall_gaps(box, room)[way] < NEAR_WALL]
        middles = np.arange(low + half, high - half, 0.2).tolist()
        free = [at for at in middles if all(at + half < start or end < at - half for start, end in near)]
        if free:
            found[way] = free
    return found


class Local:
    """A box seen from its front: x from the back to the front, y to the left, sizes and points of the room."""

    def __init__(self, box: Box, way: float) -> None:
        self.box, self.way = box, way
        self.turn: Quaternion = yaw(way)
        across = abs(math.sin(way)) > 0.5
        self.wide = (box.x1 - box.x0) if across else (box.y1 - box.y0)
        self.deep = (box.y1 - box.y0) if across else (box.x1 - box.x0)

    def place(self, solids: Sequence[Solid], z: float = 0.0) -> Solids:
        return moved(solids, (*self.box.middle, z), self.turn)


def counter(box: Box, way: float, palette: Palette, hole: bool = False) -> Solids:
    """A worktop on cupboards with doors; with a hole for a basin if it is to have one."""
    _, worktop, edge = palette
    here = Local(box, way)
    wide, deep, top = here.wide, here.deep, box.top
    stone, door = mix(worktop, WHITE, 0.5), mix(worktop, edge, 0.3)
    low = min(0.09, top / 3)
    body_top = top - TOP - (0.2 if hole else 0.0)
    solids = [
        slab((deep - 0.12, wide - 0.04, low), (-0.03, 0, 0), mix(edge, (30, 30, 30), 0.5)),
        slab((deep - 0.04, wide - 0.02, body_top - low), (-0.02, 0, low), door),
    ]
    if hole:
        side, end = (deep - 0.4) / 2, (wide - 0.48) / 2
        solids += [slab((side, wide, TOP), (s * (deep - side) / 2, 0, top - TOP), stone) for s in (1, -1)]
        solids += [slab((0.4, end, TOP), (0, s * (wide - end) / 2, top - TOP), stone) for s in (1, -1)]
        solids += [slab((0.02, wide - 0.02, 0.2), (deep / 2 - 0.03, 0, body_top), door)]
        solids += [slab((deep - 0.06, 0.02, 0.2), (-0.02, s * (wide / 2 - 0.02), body_top), door) for s in (1, -1)]
    else:
        solids.append(slab((deep, wide, TOP), (0, 0, top - TOP), stone, pattern="stone"))
    if top > 0.5:
        count = max(1, round(wide / 0.5))
        face = wide / count
        for k in range(count):
            y = -wide / 2 + (k + 0.5) * face
            solids.append(
                slab(
                    (0.016, face - 0.025, top - low - TOP - 0.05),
                    (deep / 2 - 0.036, y, low + 0.02),
                    mix(door, WHITE, 0.16),
                )
            )
            solids.append(slab((0.02, 0.12, 0.018), (deep / 2 - 0.02, y, top - TOP - 0.12), (150, 152, 156)))
    return here.place(solids)


def table(box: Box, palette: Palette) -> Solids:
    """Four legs and a top of wood."""
    _, _, edge = palette
    x, y = box.middle
    wide, deep = box.x1 - box.x0, box.y1 - box.y0
    wood = mix((206, 148, 84), edge, 0.15)
    corners = [(x + i * (wide / 2 - 0.08), y + j * (deep / 2 - 0.08)) for i in (1, -1) for j in (1, -1)]
    legs = [slab((0.07, 0.07, box.top - TOP), (*corner, 0), mix(wood, edge, 0.4)) for corner in corners]
    return (slab((wide, deep, TOP), (x, y, box.top - TOP), wood, pattern="wood"), *legs)


def rack(box: Box, way: float, palette: Palette) -> Solids:
    """Boards between two sides, open at the front; things stand on the top board."""
    _, worktop, edge = palette
    here = Local(box, way)
    wood = mix(worktop, edge, 0.5)
    deep, wide = min(here.deep, 0.5), here.wide
    back = -(here.deep - deep) / 2
    boards = [
        slab((deep, wide, 0.03), (back, 0, z - 0.03), wood) for z in (box.top, (box.top + box.bottom) / 2, box.bottom)
    ]
    sides = [
        slab(
            (deep, 0.03, box.top - box.bottom), (back, s * (wide / 2 - 0.015), box.bottom - 0.03), mix(wood, edge, 0.3)
        )
        for s in (1, -1)
    ]
    return here.place((*boards, *sides))


def rug(box: Box, palette: Palette) -> Solids:
    x, y = box.middle
    return (slab((box.x1 - box.x0, box.y1 - box.y0, max(box.top, 0.01)), (x, y, 0), mix(palette[0], palette[2], 0.35)),)


def cabinet(box: Box, way: float, opened: bool, palette: Palette) -> Solids:
    """A cabinet on the wall with two doors; the board inside is at the top of its place."""
    _, worktop, edge = palette
    here = Local(box, way)
    deep, wide = min(here.deep, 0.42), min(here.wide, 0.9)
    back = -(here.deep - deep) / 2
    low, high = box.top - CABINET_BELOW, box.top + CABINET_ABOVE
    tall, wood = high - low, mix(worktop, edge, 0.55)
    inner = mix(worktop, WHITE, 0.5)
    solids = [
        slab((0.02, wide, tall), (back - deep / 2 + 0.01, 0, low), inner),
        slab((deep, wide, 0.025), (back, 0, low), wood),
        slab((deep, wide, 0.025), (back, 0, high - 0.025), wood),
        slab((deep - 0.02, wide - 0.04, 0.02), (back, 0, box.top - 0.02), inner),
        *(slab((deep, 0.025, tall), (back, s * (wide / 2 - 0.0125), low), wood) for s in (1, -1)),
    ]
    edge_x = back + deep / 2
    for s in (1, -1):
        hinge = s * (wide / 2 - 0.01)
        turn = s * 1.85 if opened else 0.0
        leaf = wide / 2 - 0.012
        # A door hangs at its outer edge and swings out; seen from its hinge it reaches towards the middle.
        middle = (edge_x + 0.012 + math.sin(abs(turn)) * leaf / 2, hinge - s * math.cos(turn) * leaf / 2)
        door: Quaternion = yaw(turn)
        solids.append(block((0.022, leaf, tall - 0.01), (*middle, (low + high) / 2), mix(wood, WHITE, 0.3), door))
        grip = (
            edge_x + 0.012 + math.sin(abs(turn)) * (leaf - 0.05) + 0.02 * math.cos(turn),
            hinge - s * math.cos(turn) * (leaf - 0.05) + s * 0.02 * math.sin(abs(turn)),
        )
        solids.append(block((0.02, 0.02, 0.16), (*grip, low + 0.2), (90, 92, 98), door))
    return here.place(solids)


def drawer(box: Box, way: float, opened: bool, palette: Palette) -> Solids:
    """A chest under a worktop; its upper drawer is pulled out when it is open."""
    _, worktop, edge = palette
    here = Local(box, way)
    wide, deep, top = here.wide, here.deep, box.top
    wood = mix(worktop, edge, 0.4)
    face, tall = mix(wood, WHITE, 0.3), 0.24
    out = DRAWER_OUT if opened else 0.0
    low = top - TOP - tall
    solids = [
        slab((deep, wide, TOP), (0, 0, top - TOP), mix(worktop, WHITE, 0.5)),
        slab((deep - 0.04, wide - 0.02, low), (-0.02, 0, 0), wood),
        *(slab((deep - 0.04, 0.02, tall), (-0.02, s * (wide / 2 - 0.02), low), wood) for s in (1, -1)),
        slab((0.02, wide - 0.02, tall), (-deep / 2 + 0.02, 0, low), wood),
        slab((0.016, wide - 0.06, low - 0.12), (deep / 2 - 0.03, 0, 0.08), face),
        slab((0.02, 0.18, 0.02), (deep / 2 - 0.012, 0, low - 0.12), (150, 152, 156)),
    ]
    inner = mix(worktop, WHITE, 0.6)
    drawn = [
        slab((0.02, wide - 0.05, tall - 0.02), (deep / 2 - 0.02, 0, low + 0.01), face),
        slab((0.024, 0.2, 0.022), (deep / 2, 0, low + tall / 2), (120, 122, 128)),
        slab((deep - 0.1, wide - 0.09, 0.012), (-0.03, 0, low + 0.015), inner),
        *(slab((deep - 0.1, 0.014, tall * 0.6), (-0.03, s * (wide / 2 - 0.05), low + 0.015), inner) for s in (1, -1)),
    ]
    solids += list(moved(drawn, (out, 0, 0)))
    return here.place(solids)


def piece(name: str, box: Box, room: Box, palette: Palette, side: bool, shelf: bool, hole: bool) -> Solids:
    """The furniture of one place."""
    way = front(box, room)
    if name.startswith("ground"):
        return rug(box, palette)
    if shelf:
        return rack(box, way, palette)
    if side or name == "table":
        return table(box, palette)
    if box.top <= PLINTH + 1e-6:
        return rug(box._replace(top=box.top), palette)
    return counter(box, way, palette, hole)


def inside(box: Box, way: float, what: str, opened: bool) -> tuple[float, float]:
    """How far along the floor the contents of a cabinet or a drawer lie from the middle of its place."""
    if what == "drawer":
        far = (DRAWER_OUT + 0.12) if opened else 0.0
    else:
        here = Local(box, way)
        far = -(here.deep - min(here.deep, 0.42)) / 2
    return far * math.cos(way), far * math.sin(way)


def free_spot(box: Box, at: Point, wide: float, others: Sequence[tuple[Point, float]]) -> Point:
    """The nearest point along a piece of furniture at which a thing hides none of the others (with their radii)."""
    axis = 0 if box.x1 - box.x0 >= box.y1 - box.y0 else 1
    low, high = (box.x0, box.x1) if axis == 0 else (box.y0, box.y1)
    for step in range(17):
        far = (step + 1) // 2 * 0.1 * (1 if step % 2 else -1)
        spot = (at[0] + far, at[1], at[2]) if axis == 0 else (at[0], at[1] + far, at[2])
        clear = all(math.dist(spot[:2], other[:2]) >= TOUCHING * (wide + radius) for other, radius in others)
        if clear and (far == 0.0 or low + 0.12 <= spot[axis] <= high - 0.12):
            return spot
    return at
