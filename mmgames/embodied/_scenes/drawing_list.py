"""What a picture of a kitchen is drawn from: all that it shows, and nothing else.

Robots are in it by the numbers of their looks (icons.COLOURS). Their names and types, and all other words, are in it
only where they are printed: without labels no string of a drawing list tells what a robot is.
"""

from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

from mmgames.embodied._scenes.geometry import Box, scene
from mmgames.embodied._scenes.positions import Pose, Positions, locate
from mmgames.embodied._world.names import FIXTURES, OPENABLE, TYPES, base
from mmgames.embodied._world.task import KitchenTask, once_a_task
from mmgames.kernels.records import RecordState

LOOK_NUMBERS = {type: number for number, type in enumerate(TYPES)}


class FloorPlan(NamedTuple):
    """What stays the same through an episode: the room and its furniture."""

    room: Box
    places: tuple[tuple[str, Box], ...]
    sides: tuple[str, ...]  # rooms beside the kitchen
    shelves: frozenset[str]
    areas: tuple[str, ...]  # the places that answers name
    fixtures: tuple[tuple[str, str], ...]  # what is built in, and the place of each
    arms: tuple[Pose, ...]  # an arm never leaves its spot
    style: int
    labels: bool


class Sign(NamedTuple):
    """A small drawing of a thing. `dots` tell which of several of its sort it is, where no names are printed."""

    name: str
    dots: int = 0


class ShownThing(NamedTuple):
    """A thing that lies somewhere or is carried. `card` is what is printed beside it."""

    name: str
    x: float
    y: float
    z: float
    inside: str  # what other thing it is in or on, if any
    carried: bool  # by a robot, or in something that a robot carries
    opened: bool
    active: bool
    card: str
    dots: int
    behind: tuple[Sign, ...]  # what is seen behind its glass doors


class ShownRobot(NamedTuple):
    """`number` is that of its seat, `look` that of its drawing; `name` is empty without labels."""

    number: int
    look: int
    pose: Pose
    name: str
    dots: int
    carries: tuple[Sign, ...]


class DrawingList(NamedTuple):
    plan: FloorPlan
    crew: tuple[tuple[int, str, str, int], ...]  # of every robot, seen or not: look, name, type, dots
    robots: tuple[ShownRobot, ...]
    things: tuple[ShownThing, ...]  # fixtures first, then what lies on or in others after it
    unseen: frozenset[str] = frozenset()  # places that whoever looks has not seen yet


def drawing_list(
    task: KitchenTask, state: RecordState, labels: bool = True, unseen: Collection[str] = ()
) -> DrawingList:
    """A state of a task's world, as far as it is known, as what is to be drawn."""
    found = locate(task, state)
    plan, crew, dots = _floor_plan(task, labels)
    held: dict[str, list[Sign]] = defaultdict(list)
    for thing, place in found.things.items():
        if place.holder and not place.around:
            held[place.holder].append(Sign(thing, dots[thing]))
    robots = tuple(
        ShownRobot(i, look, found.robots[robot.name], name, dot, tuple(held[robot.name]))
        for i, (robot, (look, name, _, dot)) in enumerate(zip(task.robots, crew, strict=True))
        if robot.name in found.robots
    )
    return DrawingList(plan, crew, robots, _things(task, state, found, labels, dots), frozenset(unseen))


@once_a_task
def _floor_plan(
    task: KitchenTask, labels: bool
) -> tuple[FloorPlan, tuple[tuple[int, str, str, int], ...], dict[str, int]]:
    found = scene(task)
    arms = tuple(Pose(*found.spots[robot.name]) for robot in task.robots if robot.kind == "arm")
    places = tuple(found.places.items())
    built_in = tuple((asset.name, asset.at) for asset in task.assets if base(asset.name) in FIXTURES)
    plan = FloorPlan(found.room, places, found.sides, found.shelves, task.places, built_in, arms, task.style, labels)
    names = [asset.name for asset in task.assets]
    if labels:
        crew = tuple((LOOK_NUMBERS[robot.type], robot.name, robot.type, 0) for robot in task.robots)
        return plan, crew, dict.fromkeys(names, 0)
    dots = _dots([robot.type for robot in task.robots])
    crew = tuple((LOOK_NUMBERS[robot.type], "", "", dot) for robot, dot in zip(task.robots, dots, strict=True))
    return plan, crew, dict(zip(names, _dots([base(name) for name in names]), strict=True))


def _dots(sorts: list[str]) -> list[int]:
    """Of each of these, which of its sort it is, from 1; 0 where it is the only one."""
    return [sorts[: i + 1].count(sort) if sorts.count(sort) > 1 else 0 for i, sort in enumerate(sorts)]


def _things(
    task: KitchenTask, state: RecordState, found: Positions, labels: bool, dots: dict[str, int]
) -> tuple[ShownThing, ...]:
    behind: dict[str, list[Sign]] = defaultdict(list)
    for name, place in found.things.items():
        if place.doors:
            behind[place.doors].append(Sign(name, dots[name]))
    shown: list[tuple[bool, int, ShownThing]] = []
    for asset, is_open, is_on in zip(task.assets, state.opened, state.active, strict=False):
        name, opened, active = asset.name, bool(is_open), bool(is_on)
        if name not in found.things or found.things[name].doors:
            continue
        x, y, z, around, holder, _ = found.things[name]
        within = tuple(behind[name])
        card, signs = (_card(name, opened, active, within), ()) if labels else ("", within)
        inside = around[0] if around else ""
        thing = ShownThing(name, x, y, z, inside, bool(holder), opened, active, card, dots[name], signs)
        shown.append((base(name) not in FIXTURES, len(around), thing))
    return tuple(thing for *_, thing in sorted(shown, key=lambda one: one[:2]))


def _card(name: str, opened: bool, active: bool, within: tuple[Sign, ...]) -> str:
    card = name
    if base(name) in OPENABLE:
        card += " open" if opened else " closed"
        if within:
            card += ": " + ", ".join(sign.name for sign in within)
    return f"{card} on" if active else card
