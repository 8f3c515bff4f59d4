"""A kitchen with weight: floor, furniture, things and robots of a task in SAPIEN's physics, at 100 steps a second."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from mmgames.embodied._execution import pictures
from mmgames.embodied._execution.bodies import BUILDS, Body
from mmgames.embodied._execution.cupboards import Cupboard
from mmgames.embodied._execution.fronts import Front
from mmgames.embodied._execution.pictures import EVERY, Watching
from mmgames.embodied._execution.report import HERTZ
from mmgames.embodied._execution.shapes import Shape, holds_things, shape
from mmgames.embodied._execution.traffic import APART, BODY, Traffic, floor_points
from mmgames.embodied._scenes import renderer
from mmgames.embodied._scenes.furniture import front
from mmgames.embodied._scenes.geometry import COUNTER, Box, scene
from mmgames.embodied._scenes.positions import REACH, in_front, locate
from mmgames.embodied._scenes.solids import Solids
from mmgames.embodied._world.names import FIXTURES, OPENABLE, base
from mmgames.embodied._world.task import KitchenTask

Watch = Callable[[np.ndarray], object]
"""What is given pictures."""

PHYSICS = 100
DEEP = 0.24
"""Things lie so far from the edge of furniture at which robots stand, in metres: no arm reaches much further."""

SHELF = 1.15
"""A rack hangs no higher than this here: Fetch reaches no shelf that hangs over a person's head."""

GAP = 0.05
"""Between things that lie side by side, in metres."""

AT_WALL = 0.45
FIRST_GROUP = 10
ON_FLOOR = "the floor"


def _set_physics(physx: Any) -> None:
    """As SAPIEN begins: these hold for the whole process, and ManiSkill sets them anew for every world of its own."""
    physx.set_shape_config()
    physx.set_body_config()
    physx.set_scene_config()
    physx.set_default_material(0.3, 0.3, 0.1)


class Kitchen:
    """Everything of a task, in motion. `tick` is a twentieth of a second."""

    def __init__(self, task: KitchenTask, robots: set[str], watch: Watch | None = None, size: int = 512) -> None:
        _, sapien = renderer.start_sapien()
        self.sapien, self.task, self.plan = sapien, task, scene(task)
        _set_physics(sapien.physx)
        with renderer.quietly():
            self.scene = sapien.Scene([sapien.physx.PhysxCpuSystem(), sapien.render.RenderSystem()])
        self.scene.set_timestep(1 / PHYSICS)
        self.watch = watch
        self.fronts: dict[str, Front] = {}
        self.things: dict[str, Any] = {}
        self.shapes: dict[str, Shape] = {asset.name: shape(asset.name) for asset in task.assets}
        self.cupboards: dict[str, Cupboard] = {}
        self.touched: set[str] = set()
        self.ticks = 0
        self._furnish()
        self.robots: dict[str, Body] = {}
        self.traffic = Traffic(self.plan, self.robots)
        self._stand_robots(robots)
        self._lay_things()
        self.watching = Watching(self.scene, sapien, self.plan.room, size) if watch else None
        for _ in range(HERTZ // 2):
            self.tick()

    def tick(self) -> None:
        for _ in range(PHYSICS // HERTZ):
            self.scene.step()
        self.ticks += 1
        if self.watch and self.watching and self.ticks % EVERY == 0:
            self.watch(self.watching.take())

    # Building.

    def _block(self, box: Box, bottom: float) -> None:
        builder = self.scene.create_actor_builder()
        half = [(box.x1 - box.x0) / 2, (box.y1 - box.y0) / 2, (box.top - bottom) / 2]
        builder.add_box_collision(half_size=half)
        builder.set_initial_pose(self.sapien.Pose([*box.middle, (box.top + bottom) / 2]))
        entity = builder.build_static()
        _collide(entity, [3, 3, 0, 0])
        self._show(entity, pictures.counter(box, bottom, self.task.style))

    def _show(self, entity: Any, solids: Solids) -> None:
        if self.watch is not None:
            pictures.show(self.sapien, entity, solids)

    def _furnish(self) -> None:
        room = self.plan.room
        builder = self.scene.create_actor_builder()
        builder.add_box_collision(half_size=[20, 20, 0.5])
        builder.set_initial_pose(self.sapien.Pose([*room.middle, -0.5]))
        _collide(builder.build_static(), [1, 1, 0, 0])
        if self.watch is not None:
            tiles = self.sapien.Entity()
            self._show(tiles, pictures.floor(room, self.task.style))
            self.scene.add_entity(tiles)
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
                self._block(box, box.top - 0.04 if shelf else 0.0)

    def _front(self, box: Box) -> Front:
        """The side away from the wall, or where pictures have robots stand; another one where there is no room."""
        room = self.plan.room
        usual = in_front(box, room, 0, None).turn
        gaps = (room.y1 - box.y1, box.y0 - room.y0, box.x0 - room.x0, room.x1 - box.x1)
        first = front(box, room) + math.pi if min(gaps) <= AT_WALL else usual
        turns = [first, usual, *(k * math.pi / 2 for k in range(4))]
        others = [other for other in self.plan.places.values() if other.middle != box.middle and other.top > 0.1]

        def blocked(turn: float) -> bool:
            side = Front(box, turn)
            x, y = side.point(sum(side.ends) / 2, -REACH)
            return not _inside(room, x, y, -0.25) or any(_inside(other, x, y, BODY) for other in others)

        return Front(box, min(turns, key=blocked))

    def _stand_robots(self, names: set[str]) -> None:
        for number, robot in enumerate(self.task.robots):
            if robot.kind not in BUILDS or robot.name not in names:
                continue
            x, y, turn = self.plan.spots[robot.name]
            z = 0.0
            if robot.kind == "arm":
                under = [side.box.top for side in self.fronts.values() if _inside(side.box, x, y)]
                z = max(under, default=COUNTER)
                if not under:
                    self._block(Box(x - 0.18, y - 0.18, x + 0.18, y + 0.18, COUNTER), 0.0)
            else:
                x, y = self._free_floor(x, y)
            with renderer.quietly():
                body = Body(
                    self.scene, self.sapien, robot.kind, (x, y, z, turn), FIRST_GROUP + number, bool(self.watch)
                )
            self.robots[robot.name] = body

    def _free_floor(self, x: float, y: float) -> tuple[float, float]:
        """The nearest point that is not too near to furniture or to the robots that stand already."""
        boxes = [side.box for side in self.fronts.values()]

        def tight(at: tuple[float, float]) -> float:
            near = max([APART - math.dist(at, body.stand[:2]) for body in self.robots.values()], default=0.0)
            inside = any(_inside(box, *at, BODY) for box in boxes)
            return max(near, 0.0) + (10.0 if inside else 0.0)

        room = self.plan.room
        points = [(x, y), *floor_points(room)]
        return min(points, key=lambda at: (round(tight(at), 2), math.dist(at, (x, y))))

    def _lay_things(self) -> None:
        """Put things where the task has them, those that others lie on first."""
        found = locate(self.task, self.task.world.start)
        waiting = list(self.task.assets)
        while waiting:
            asset = waiting.pop(0)
            if asset.at in self.shapes and asset.at != asset.name and asset.at not in self.things:
                waiting.append(asset)
                continue
            located = found.things[asset.name]
            if asset.at in self.things:
                side = self.front_of(asset.at)
                self._thing(asset.name, self.inside_of(asset.at, asset.name), side.turn if side else 0.0)
            elif base(asset.name) in OPENABLE and asset.at in self.fronts:
                made = Cupboard(self.scene, self.sapien, self.fronts[asset.at], asset.open)
                self.cupboards[asset.name], self.things[asset.name] = made, made.frame
                self._show(made.frame, pictures.parts(made.walls, pictures.WOOD))
                self._show(made.door.links[1].entity, pictures.parts(made.panel, pictures.WOOD))
            elif asset.at in self.fronts:
                side = self.fronts[asset.at]
                x, y, z = self.spot_on(asset.at, side.along((located.x, located.y)), asset.name)
                self._thing(asset.name, (x, y, z), side.turn)
            else:  # at a robot's own spot: on a board before it
                at = (located.x, located.y)
                self._block(Box(at[0] - 0.2, at[1] - 0.2, at[0] + 0.2, at[1] + 0.2, COUNTER), 0.0)
                self._thing(asset.name, (*at, COUNTER), 0.0)

    def _thing(self, name: str, at: tuple[float, float, float], turn: float) -> None:
        sapien, found = self.sapien, self.shapes[name]
        builder = self.scene.create_actor_builder()
        material = sapien.physx.PhysxMaterial(1.0, 1.0, 0.0)
        volume = sum(math.prod(part.size) * (0.785 if part.round else 1.0) for part in found.parts)
        for part in found.parts:
            if part.round:
                pose = sapien.Pose(list(part.at), [math.sqrt(0.5), 0, math.sqrt(0.5), 0])
                builder.add_cylinder_collision(
                    pose, radius=part.size[0] / 2, half_length=part.size[2] / 2, material=material,
                    density=found.mass / volume,
                )  # fmt: skip
            else:
                half = [length / 2 for length in part.size]
                builder.add_box_collision(
                    sapien.Pose(list(part.at)), half, material=material, density=found.mass / volume
                )
        builder.set_initial_pose(
            sapien.Pose([at[0], at[1], at[2] + 0.002], [math.cos(turn / 2), 0, 0, math.sin(turn / 2)])
        )
        entity = builder.build_static(name=name) if base(name) in FIXTURES else builder.build(name=name)
        _collide(entity, [3, 3, 0, 0])
        self._show(entity, pictures.thing(name, found))
        self.things[name] = entity

    # Where things are.

    def pose(self, name: str) -> np.ndarray:
        return self.things[name].pose.to_transformation_matrix()

    def holder(self, name: str) -> tuple[str, Any] | None:
        for robot, body in self.robots.items():
            for hand in body.hands:
                if hand.holds == name:
                    return robot, hand
        return None

    def where(self, name: str) -> str:
        """What a thing is held by, in, on or at, as the world calls it; ON_FLOOR where it has fallen."""
        held = self.holder(name)
        x, y, z = self.pose(name)[:3, 3]
        if held is not None:
            off = np.linalg.inv(held[1].pose) @ self.pose(name) @ np.linalg.inv(held[1].grip)
            return held[0] if np.linalg.norm(off[:3, 3]) < 0.08 else ON_FLOOR
        for other, entity in self.things.items():
            if other != name and holds_things(other):
                near = np.linalg.inv(entity.pose.to_transformation_matrix()) @ np.array([x, y, z, 1.0])
                if np.abs(near[:2]).max() < self.shapes[other].radius and -0.01 < near[2] < 0.12:
                    return other
        lies = [
            (abs(side.box.top - z), place) for place, side in self.fronts.items()
            if _inside(side.box, x, y) and abs(side.box.top - z) < 0.05
        ]  # fmt: skip
        own = next(asset.at for asset in self.task.assets if asset.name == name)
        if any(place == own for _, place in lies):
            return own
        if lies:
            return min(lies)[1]
        return own if own not in self.fronts and own not in self.things and z > 0.5 else ON_FLOOR

    def inside_of(self, container: str, name: str) -> tuple[float, float, float]:
        """A free point in a dish."""
        dish, pose = self.shapes[container], self.pose(container)
        others = [
            self.pose(other)[:2, 3] for other in self.things
            if other not in (name, container) and self.where(other) == container
        ]  # fmt: skip
        right, up = (length / 2 - 0.035 for length in dish.room)
        points = [(-right, 0.0), (right, 0.0), (0.0, up), (0.0, -up), (0.0, 0.0)]
        if self.shapes[name].radius > 0.05 or container in self.cupboards:  # rather in the middle
            points.reverse()
        best = max(
            points,
            key=lambda p: min(
                [0.09, *(float(np.linalg.norm((pose @ [p[0], p[1], 0, 1])[:2] - other)) for other in others)]
            ),
        )
        x, y, z, _ = pose @ np.array([*best, dish.floor, 1.0])
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
        best, most = (0.0, 0.0), -1e9
        for step in range(41):
            at = min(max(along + (step + 1) // 2 * 0.05 * (1 if step % 2 else -1), low), high)
            point = side.point(at, DEEP)
            clear = min([math.dist(point, other) - r - radius - GAP for other, r in others], default=1.0)
            if clear >= 0:
                return (*point, side.box.top)
            if clear > most:
                best, most = point, clear
        return (*best, side.box.top)

    def front_of(self, name: str) -> Front | None:
        """The furniture that a thing or place is on."""
        seen = 0
        while name in self.things:
            name = self.where(name)
            seen += 1
            if seen > len(self.things) + 1:
                return None
        return self.fronts.get(name)


def _inside(box: Box, x: float, y: float, margin: float = 0.0) -> bool:
    return box.x0 - margin <= x <= box.x1 + margin and box.y0 - margin <= y <= box.y1 + margin


def _collide(entity: Any, groups: list[int]) -> None:
    for component in entity.components:
        for part in getattr(component, "collision_shapes", ()):
            part.set_collision_groups(groups)
