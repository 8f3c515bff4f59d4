"""Where everything of a kitchen stands in 3D, and of which solids it is made: what every renderer of it builds on.

All of it follows from a drawing list, so a picture in 3D shows what is in that list, and nothing else.
"""

import math
from collections.abc import Callable, Mapping

from mmgames.embodied._scenes import furniture
from mmgames.embodied._scenes.above import FLOORS
from mmgames.embodied._scenes.drawing_list import DrawingList, FloorPlan, ShownThing
from mmgames.embodied._scenes.furniture import Fixed
from mmgames.embodied._scenes.geometry import COUNTER, PLINTH, Box
from mmgames.embodied._scenes.models import model, reach
from mmgames.embodied._scenes.positions import Pose
from mmgames.embodied._scenes.solids import Point, Solids, read, scaled, slab
from mmgames.embodied._world.names import FIXTURES, TYPES, base

SPREAD = 0.17
"""How far apart things stand in one container, in metres."""

USUAL, MOST_ENLARGED = 5.2, 1.35
"""In rooms wider than so many metres things are larger by as much, up to a limit: pictures show whole rooms."""

GRIP = 0.05
"""A hand holds a thing, and goes for it, so far above its foot, in metres."""

OPENING = ("cabinet", "drawer")
KINDS = tuple(TYPES.values())
"""The kinds of robots by the numbers of their looks."""

Hands = Mapping[int, tuple[Point, ...]]
"""Where the hands of robots are, by the numbers of the robots."""


def enlarged(plan: FloorPlan) -> float:
    """How much larger loose things are in this room."""
    return min(max((plan.room.x1 - plan.room.x0) / USUAL, 1.0), MOST_ENLARGED)


def fixed(plan: FloorPlan) -> list[Fixed]:
    """Floor, walls, furniture, and a plinth under every arm that no furniture carries."""
    room, palette, boxes = plan.room, FLOORS[plan.style % len(FLOORS)], dict(plan.places)
    built = {place for name, place in plan.fixtures if base(name) in OPENING}
    sinks = {place for name, place in plan.fixtures if base(name) == "sink"}
    found = [Fixed("floor", furniture.floor(room, palette, plan.style))]
    tall = [box for name, box in boxes.items() if name in plan.shelves or name in built or box.top <= PLINTH]
    spots = furniture.window_spots(room, tall)
    windows = {way: free[(7 * plan.style + len(boxes)) % len(free)] for way, free in spots.items()}
    found += furniture.walls(room, palette, windows)
    surfaces = {} if plan.labels else read("colours")["surfaces"]
    seen: set[Box] = set()
    for name, box in boxes.items():
        if box in seen or name in built:
            continue
        seen.add(box)
        # Where no names are printed, areas have colours of their own.
        own = (palette[0], surfaces.get(name, palette[1]), palette[2])
        solids = furniture.piece(name, box, room, own, name in plan.sides, name in plan.shelves, name in sinks)
        found.append(Fixed(name, solids))
    for x, y, _ in plan.arms:
        if height(plan, x, y) is None:
            found.append(Fixed("plinth", (slab((0.36, 0.36, COUNTER), (x, y, 0), (120, 124, 132)),)))
    return found


def height(plan: FloorPlan, x: float, y: float) -> float | None:
    """How high the furniture at a point is, if there is any that something can stand on."""
    tops = [
        box.top for name, box in plan.places
        if name not in plan.shelves and box.covers(x, y) and box.top > 0.3
    ]  # fmt: skip
    return max(tops, default=None)


def foot_of(plan: FloorPlan, look: int, pose: Pose) -> Point:
    """Where a robot stands: an arm on its furniture, everybody else on the floor."""
    z = (height(plan, pose.x, pose.y) or COUNTER) if KINDS[look] == "arm" else 0.0
    return pose.x, pose.y, z


def feet(
    shown: DrawingList, hands: Hands, spot: Callable[[str, Point], Point] = lambda name, at: at
) -> dict[str, Point]:
    """The foot of every thing that is shown; `spot` says where something stands that the plan has at a point."""
    found: dict[str, Point] = {}
    things = {thing.name: thing for thing in shown.things}
    held = {
        sign.name: hands[robot.number][grip % len(hands[robot.number])]
        for robot in shown.robots for grip, sign in enumerate(robot.carries) if hands[robot.number]
    }  # fmt: skip

    def foot(name: str) -> Point:
        if name in found:
            return found[name]
        thing = things[name]
        if name in held:
            x, y, z = held[name]
            at = (x, y, z - GRIP)
        elif thing.inside in things:
            at = _within(shown, name, thing.inside, foot(thing.inside), things[thing.inside].opened)
        else:
            at = spot(name, _beside(shown.plan, name, (thing.x, thing.y, thing.z), found))
        found[name] = at
        return at

    for name in things:
        foot(name)
    return found


def _beside(plan: FloorPlan, name: str, at: Point, found: dict[str, Point]) -> Point:
    """Where a thing stands on its furniture: beside those that stand there already."""
    x, y, z = at
    on = (box for _, box in plan.places if box.covers(x, y))
    box = next((box for box in on if abs(box.top - z) < 1e-3), None)
    if box is None or base(name) in FIXTURES:
        return at
    larger = enlarged(plan)
    loose = [
        (foot, reach(base(other))[0] * larger) for other, foot in found.items()
        if base(other) not in FIXTURES and abs(foot[2] - z) < 0.05
    ]  # fmt: skip
    return furniture.free_spot(box, at, reach(base(name))[0] * larger, loose)


def _within(shown: DrawingList, name: str, container: str, at: Point, opened: bool) -> Point:
    plan, what = shown.plan, base(container)
    others = [thing.name for thing in shown.things if thing.inside == container]
    aside = (others.index(name) - (len(others) - 1) / 2) * SPREAD * (1.8 if what in OPENING else 1.0)
    x, y, z = at
    known = read("things").get(what, {})  # so much higher than its foot its contents stand
    lift = known.get("inside", 0.03) * known.get("larger", 1.0) * (1.0 if what in FIXTURES else enlarged(plan))
    box = box_of(plan, container)
    if box is not None:
        way = furniture.front(box, plan.room)
        dx, dy = furniture.inside(box, way, what, opened) if what in OPENING else (0.0, 0.0)
        lift = read("furniture")["drawer"]["floor"] if what == "drawer" else lift
        return x + dx - aside * math.sin(way), y + dy + aside * math.cos(way), z + lift
    return x + aside, y, z + lift


def box_of(plan: FloorPlan, name: str) -> Box | None:
    """The furniture that something built in belongs to."""
    return dict(plan.places).get(dict(plan.fixtures).get(name, ""))


def stands(plan: FloorPlan, thing: ShownThing, feet: dict[str, Point]) -> tuple[bool, Point, float]:
    """Whether something is shown open, where it stands and the way it faces: from its wall if it is built in; others
    lie a little differently each, by their names. What opens has its place in its solids."""
    box = box_of(plan, thing.name)
    if base(thing.name) in OPENING:
        return thing.opened, (0.0, 0.0, 0.0), 0.0
    odd = (sum(map(ord, thing.name)) % 7 - 3) * 0.25 - 0.6
    return False, feet[thing.name], odd if box is None else furniture.front(box, plan.room)


def solids_of(plan: FloorPlan, name: str, opened: bool, on: bool) -> Solids:
    """What a thing is made of; a cabinet or a drawer where it stands, others around their foot."""
    what, box = base(name), box_of(plan, name)
    if what in OPENING and box is not None:
        build = furniture.cabinet if what == "cabinet" else furniture.drawer
        return build(box, furniture.front(box, plan.room), opened, FLOORS[plan.style % len(FLOORS)])
    return model(name, on) if what in FIXTURES else scaled(model(name, on), enlarged(plan))
