"""A kitchen in SAPIEN: built once for a task, then posed where the world says, without a step of physics."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from mmgames.embodied._scenes import staging
from mmgames.embodied._scenes.camera import Camera, Shot
from mmgames.embodied._scenes.drawing_list import LOOK_NUMBERS, DrawingList, drawing_list
from mmgames.embodied._scenes.furniture import Fixed
from mmgames.embodied._scenes.models import body_of
from mmgames.embodied._scenes.positions import Pose
from mmgames.embodied._scenes.shots import Model, RobotBody, Scenery, show
from mmgames.embodied._scenes.solids import Point, yaw
from mmgames.embodied._world.names import base
from mmgames.embodied._world.task import KitchenTask
from mmgames.kernels.records import RecordState


class Placed(NamedTuple):
    """Where everything is in 3D: the foot of every thing that is shown, and every robot's hands."""

    things: dict[str, Point]
    hands: dict[str, tuple[Point, ...]]


class Stage(Scenery):
    """Furniture, robots and things of one task. `pose` moves them, `shoot` takes a picture."""

    def __init__(self, task: KitchenTask, labels: bool = True) -> None:
        super().__init__()
        self.labels = labels  # whether names will be printed on its pictures
        self.task, self.plan = task, drawing_list(task, task.world.start, labels).plan
        self.walls: list[tuple[Fixed, Any]] = []
        self.room = self.plan.room
        self.furnish()
        self.fixed = set(self.world.entities)
        self.robots = {robot.name: self._robot(robot.type) for robot in task.robots}
        self.things: dict[str, dict[tuple[bool, bool], Any]] = {asset.name: {} for asset in task.assets}

    def furnish(self) -> None:
        """Build what does not move."""
        for part in staging.fixed(self.plan):
            entity = self.entity(part.solids)
            if part.way is not None:
                self.walls.append((part, entity))

    def spot(self, name: str, at: Point) -> Point:
        """Where something stands that the plan has at a point."""
        return at

    def _robot(self, type: str) -> Any:
        found = body_of(type)
        if isinstance(found, Model):
            return ModelBody(self, found)
        return ShapeBody(self, self.entity(found.solids), found.hands)

    def pose(self, state: RecordState) -> Placed:
        """Put everything where a state of the world has it."""
        return self.arrange(drawing_list(self.task, state, self.labels))

    def arrange(self, shown: DrawingList) -> Placed:
        """Put everything where a drawing list has it; what is not in that is not shown."""
        hands: dict[int, tuple[Point, ...]] = {}
        here = {robot.number: robot for robot in shown.robots}
        for number, robot in enumerate(self.task.robots):
            for entity in self.robots[robot.name].entities:
                show(entity, number in here)
            if number in here:
                hands[number] = self.stand(robot.name, here[number].pose)
        feet = staging.feet(shown, hands, self.spot)
        for entity in (entity for looks in self.things.values() for entity in looks.values()):
            show(entity, False)
        for thing in shown.things:
            self._show(thing.name, feet[thing.name], thing.opened, thing.active)
        return Placed(feet, {self.task.robots[number].name: found for number, found in hands.items()})

    @contextmanager
    def without(self, robot: str | None) -> Iterator[None]:
        """While a picture is taken through a robot's own eyes, its body is not shown."""
        shown = self.robots[robot].entities if robot else []
        for entity in shown:
            show(entity, False)
        yield
        for entity in shown:
            show(entity, True)

    def stand(self, robot: str, pose: Pose) -> tuple[Point, ...]:
        """Put one robot somewhere; where its hands are then."""
        type = next(one.type for one in self.task.robots if one.name == robot)
        return self.robots[robot].stand(pose, staging.foot_of(self.plan, LOOK_NUMBERS[type], pose)[2])

    def _show(self, name: str, at: Point, opened: bool, on: bool) -> None:
        """Show a thing as it looks now."""
        opens = base(name) in staging.OPENING
        look = (opened and opens, on)
        looks = self.things[name]
        if look not in looks:
            looks[look] = self._look(name, *look)
        show(looks[look], True)
        if not opens:  # that has its place in its solids
            looks[look].set_pose(self.sapien.Pose(list(at), list(yaw(staging.turn_of(self.plan, name)))))

    def _look(self, name: str, opened: bool, on: bool) -> Any:
        return self.entity(staging.solids_of(self.plan, name, opened, on))

    def take_list(self, shown: DrawingList, lens: Camera, without: int | None) -> tuple[Shot, dict[str, Point]]:
        """A picture of a drawing list, without one of the robots, and the foot of every thing."""
        placed = self.arrange(shown)
        with self.without(None if without is None else self.task.robots[without].name):
            return self.shoot(lens), placed.things

    def fixed_before(self, eye: Point) -> set[Any]:
        """What does not move, without the walls that a camera at a point is behind of."""
        return self.fixed - {entity for wall, entity in self.walls if wall.hides_nothing_from(eye)}


class ModelBody(RobotBody):
    """A robot from its description that stands where the plan has it."""

    def stand(self, pose: Pose, z: float) -> tuple[Point, ...]:
        at = self.sapien.Pose([pose.x, pose.y, z + self.model.root], list(yaw(pose.turn)))
        self.articulation.set_root_pose(at)
        return tuple(tuple(map(float, hand.entity_pose.p)) for hand in self.hands)  # type: ignore[misc]


class ShapeBody:
    """A robot of simple shapes."""

    def __init__(self, stage: Stage, entity: Any, hands: tuple[Point, ...]) -> None:
        self.sapien, self.entity, self.hands = stage.sapien, entity, hands
        self.entities = [entity]

    def stand(self, pose: Pose, z: float) -> tuple[Point, ...]:
        self.entity.set_pose(self.sapien.Pose([pose.x, pose.y, z], list(yaw(pose.turn))))
        return staging.carried_by(self.hands, (pose.x, pose.y, z), pose.turn)
