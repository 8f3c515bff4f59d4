"""A kitchen in motion: floor, furniture, things and robots of a task, whatever moves them."""

import math
from collections.abc import Callable, Iterator
from typing import Any, Literal

import numpy as np

from mmgames.embodied._control.scene import standing
from mmgames.embodied._execution.bodies import HERTZ, Body, Hand
from mmgames.embodied._execution.kinematic import Kinematic
from mmgames.embodied._execution.shapes import DEEP, Cupboard, Front, Shape, shape
from mmgames.embodied._execution.traffic import APART, BODY, Traffic, floor_points
from mmgames.embodied._scenes.furniture import front, wall_gaps
from mmgames.embodied._scenes.geometry import COUNTER, Box, scene
from mmgames.embodied._scenes.positions import REACH, in_front, locate
from mmgames.embodied._world.names import FIXTURES, OPENABLE, SUPPORTS, base
from mmgames.embodied._world.task import KitchenTask

Engine = Literal["physics", "kinematic"]
SHELF = 1.15  # a rack hangs no higher than this here: Fetch reaches no shelf that hangs over a person's head
GAP = 0.05  # between things that lie side by side, in metres
AT_WALL = 0.45
ON_FLOOR = "the floor"


class Kitchen:
    """Everything of a task, in motion. `tick` is a twentieth of a second, after each of which `watch` is called."""

    def __init__(
        self, task: KitchenTask, robots: set[str], engine: Engine, watch: Callable[["Kitchen"], None] | None = None
    ) -> None:
        self.task, self.plan, self.watch = task, scene(task), watch
        self.engine: Any = Kinematic(self)
        if engine == "physics":
            from mmgames.embodied._execution.physics import Physics

            self.engine = Physics()
        self.pose: Callable[[str], np.ndarray] = self.engine.pose
        self.fronts: dict[str, Front] = {}
        self.blocks: list[Box] = []  # furniture
        self.things: list[str] = []
        self.shapes: dict[str, Shape] = {asset.name: shape(asset.name) for asset in task.assets}
        self.cupboards: dict[str, Cupboard] = {}
        self.touched: set[str] = set()
        self.ticks = 0
        self.robots: dict[str, Body] = {}
        self.traffic = Traffic(self.plan, self.robots)
        self._furnish()
        self._stand_robots(robots)
        self._lay_things()
        for _ in range(HERTZ // 2):
            self.tick()

    def tick(self) -> None:
        self.engine.step()
        self.ticks += 1
        if self.watch is not None:
            self.watch(self)

    # Building.

    def _block(self, box: Box) -> None:
        self.blocks.append(box)
        self.engine.block(box)

    def _furnish(self) -> None:
        x, y = self.plan.room.middle
        self.engine.block(Box(x - 20, y - 20, x + 20, y + 20, 0.0, -1.0))
        built: set[Box] = set()
        low = {asset.at for asset in self.task.assets if base(asset.name) in OPENABLE}
        for name, box in self.plan.places.items():
            shelf = name in self.plan.shelves and name not in low
            if name in low:
                box = box._replace(top=COUNTER)
            elif shelf:
                box = box._replace(top=min(box.top, SHELF))
            self.fronts[name] = self._front(box)
            if box not in built:
                built.add(box)
                self._block(box._replace(bottom=box.top - 0.04 if shelf else 0.0))

    def _front(self, box: Box) -> Front:
        """The side away from the wall, or where pictures have robots stand; another one where there is no room."""
        room = self.plan.room
        usual = in_front(box, room, 0, None).turn
        first = front(box, room) + math.pi if min(wall_gaps(box, room).values()) <= AT_WALL else usual
        turns = [first, usual, *(k * math.pi / 2 for k in range(4))]
        others = [other for other in self.plan.places.values() if other.middle != box.middle and other.top > 0.1]

        def blocked(turn: float) -> bool:
            x, y = Front(box, turn).middle(-REACH)
            return not room.covers(x, y, -0.25) or any(other.covers(x, y, BODY) for other in others)

        return Front(box, min(turns, key=blocked))

    def _stand_robots(self, names: set[str]) -> None:
        for robot in (robot for robot in self.task.robots if robot.name in names):
            (x, y, turn), z = self.plan.spots[robot.name], 0.0
            if robot.kind == "arm":
                under = [side.box.top for side in self.fronts.values() if side.box.covers(x, y)]
                z = max(under, default=COUNTER)
                if not under:
                    self._block(Box(x - 0.18, y - 0.18, x + 0.18, y + 0.18, COUNTER))
            else:
                x, y = self._free_floor(x, y)
            self.robots[robot.name] = Body(robot.kind, (x, y, z, turn))
            self.engine.embody(self.robots[robot.name])

    def _free_floor(self, x: float, y: float) -> tuple[float, float]:
        """The nearest point that is not too near to furniture or to the robots that stand already."""

        def tight(at: tuple[float, float]) -> tuple[float, float]:
            near = max([0.0, *(APART - math.dist(at, body.stand[:2]) for body in self.robots.values())])
            inside = any(side.box.covers(*at, BODY) for side in self.fronts.values())
            return round(near + (10.0 if inside else 0.0), 2), math.dist(at, (x, y))

        return min([(x, y), *floor_points(self.plan.room)], key=tight)

    def _lay_things(self) -> None:
        """Put things where the task has them, those that others lie on first."""
        found = locate(self.task, self.task.world.start)
        waiting = list(self.task.assets)
        while waiting:
            asset = waiting.pop(0)
            if asset.at in self.shapes and asset.at != asset.name and asset.at not in self.things:
                waiting.append(asset)
                continue
            x, y, _ = found.things[asset.name][:3]
            side = self.fronts.get(asset.at)
            if asset.at in self.things:
                side = self.front_of(asset.at)
                self._thing(asset.name, self.inside_of(asset.at, asset.name), side.turn if side else 0.0)
            elif side and base(asset.name) in OPENABLE:
                self.cupboards[asset.name] = Cupboard(side, asset.open)
                self.engine.cupboard(asset.name, self.cupboards[asset.name])
                self.things.append(asset.name)
            elif side:
                self._thing(asset.name, self.spot_on(asset.at, side.along((x, y)), asset.name), side.turn)
            else:  # at a robot's own spot: on a board before it
                self._block(Box(x - 0.2, y - 0.2, x + 0.2, y + 0.2, COUNTER))
                self._thing(asset.name, (x, y, COUNTER), 0.0)

    def _thing(self, name: str, at: tuple[float, float, float], turn: float) -> None:
        self.things.append(name)
        self.engine.thing(name, self.shapes[name], standing(*at, turn), base(name) in FIXTURES)

    # Where things are.

    def holder(self, name: str) -> tuple[str, Hand] | None:
        hands = ((robot, hand) for robot, body in self.robots.items() for hand in body.hands)
        return next((found for found in hands if found[1].holds == name), None)

    def dishes(self, name: str) -> Iterator[str]:
        """What a thing can be in."""
        return (other for other in self.things if other != name and base(other) in SUPPORTS)

    def is_in(self, dish: str, point: tuple[float, float, float]) -> bool:
        near = np.linalg.inv(self.pose(dish)) @ np.array([*point, 1.0])
        return bool(np.abs(near[:2]).max() < self.shapes[dish].radius and -0.01 < near[2] < 0.12)

    def where(self, name: str) -> str:
        """What a thing is held by, in, on or at, as the world calls it; ON_FLOOR where it has fallen."""
        held = self.holder(name)
        x, y, z = self.pose(name)[:3, 3].tolist()
        if held is not None:
            off = np.linalg.inv(held[1].pose) @ self.pose(name) @ np.linalg.inv(held[1].grip)
            return held[0] if np.linalg.norm(off[:3, 3]) < 0.08 else ON_FLOOR
        dish = next((other for other in self.dishes(name) if self.is_in(other, (x, y, z))), None)
        if dish is not None:
            return dish
        fronts = self.fronts.items()
        lies = {place: abs(side.box.top - z) for place, side in fronts if side.box.covers(x, y)}
        lies = {place: off for place, off in lies.items() if off < 0.05}
        own = next(asset.at for asset in self.task.assets if asset.name == name)
        if own in lies or (not lies and own not in self.fronts and own not in self.things and z > 0.5):
            return own
        return min(lies, key=lambda place: (lies[place], place), default=ON_FLOOR)

    def inside_of(
        self, container: str, name: str, near: tuple[float, float] | None = None
    ) -> tuple[float, float, float]:
        """A free point in a dish, rather `near` one where it matters."""
        dish, pose = self.shapes[container], self.pose(container)
        others = [
            self.pose(other)[:2, 3] for other in self.things
            if other not in (name, container) and self.where(other) == container
        ]  # fmt: skip
        right, up = (length / 2 - 0.035 for length in dish.room)
        points = [(-right, 0.0), (right, 0.0), (0.0, up), (0.0, -up), (0.0, 0.0)]
        if self.shapes[name].radius > 0.05 or container in self.cupboards:  # rather in the middle
            points.reverse()

        def free(point: tuple[float, float]) -> tuple[float, float]:
            there = (pose @ [*point, 0, 1])[:2]
            room = min([0.09, *(float(np.linalg.norm(there - other)) for other in others)])
            return room, -math.dist(there, near) if near else 0.0

        x, y, z, _ = pose @ np.array([*max(points, key=free), dish.floor, 1.0])
        return float(x), float(y), float(z)

    def spot_on(self, place: str, along: float, name: str) -> tuple[float, float, float]:
        """The nearest free point of furniture to one along its edge."""
        side, radius = self.fronts[place], self.shapes[name].radius
        low, high = side.ends
        low, high = min(low + radius + 0.03, (low + high) / 2), max(high - radius - 0.03, (low + high) / 2)
        others = [
            (self.pose(other)[:2, 3], self.shapes[other].radius) for other in self.things
            if other != name and self.holder(other) is None
        ]  # fmt: skip

        def clear(point: tuple[float, float]) -> float:
            return min([0.0, *(math.dist(point, other) - r - radius - GAP for other, r in others)])

        steps = ((step + 1) // 2 * 0.05 * (1 if step % 2 else -1) for step in range(41))
        points = [side.point(min(max(along + step, low), high), DEEP) for step in steps]
        return (*max(points, key=clear), side.box.top)

    def front_of(self, name: str) -> Front | None:
        """The furniture that a thing or place is on."""
        passed: set[str] = set()
        while name in self.things and name not in passed:  # what is built in may have its place's name
            passed.add(name)
            name = self.where(name)
        return self.fronts.get(name)
