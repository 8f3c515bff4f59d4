"""A kitchen in SAPIEN: built once for a task, then posed where the world says, without a step of physics."""

from typing import Any, NamedTuple

from mmgames.embodied._scenes import staging
from mmgames.embodied._scenes.camera import Camera, Shot
from mmgames.embodied._scenes.drawing_list import LOOK_NUMBERS, DrawingList, drawing_list
from mmgames.embodied._scenes.furniture import Fixed
from mmgames.embodied._scenes.models import Shape, body_of
from mmgames.embodied._scenes.positions import Pose, number_of
from mmgames.embodied._scenes.shots import Model, RobotBody, Scenery, show
from mmgames.embodied._scenes.solids import Point, yaw
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
        self.furnish()
        self.fixed = set(self.world.entities)
        self.robots: dict[str, RobotBody | ShapeBody] = {}
        for robot in task.robots:
            found = body_of(robot.type)
            self.robots[robot.name] = RobotBody(self, found) if isinstance(found, Model) else ShapeBody(self, found)
        self.looks: dict[tuple[str, bool, bool], Any] = {}  # of things: by name, whether open, whether on

    def furnish(self) -> None:
        """Build what does not move."""
        for part in staging.fixed(self.plan):
            entity = self.entity(part.solids)
            if part.way is not None:
                self.walls.append((part, entity))

    def spot(self, name: str, at: Point) -> Point:
        """Where something stands that the plan has at a point."""
        return at

    def pose(self, state: RecordState) -> Placed:
        """Put everything where a state of the world has it."""
        return self.arrange(drawing_list(self.task, state, self.labels))

    def arrange(self, shown: DrawingList, without: int | None = None) -> Placed:
        """Put everything where a drawing list has it; what is not in that, and the robot `without`, is not shown."""
        hands: dict[int, tuple[Point, ...]] = {}
        here = {robot.number: robot for robot in shown.robots}
        for number, robot in enumerate(self.task.robots):
            for entity in self.robots[robot.name].entities:
                show(entity, number in here and number != without)
            if number in here:
                hands[number] = self.stand(robot.name, here[number].pose)
        feet = staging.feet(shown, hands, self.spot)
        for entity in self.looks.values():
            show(entity, False)
        for thing in shown.things:
            opened, at, turn = staging.stands(self.plan, thing, feet)
            look = (thing.name, opened, thing.active)
            if look not in self.looks:
                self.looks[look] = self.look_of(*look)
            show(self.looks[look], True)
            self.looks[look].set_pose(self.sapien.Pose(list(at), list(yaw(turn))))
        return Placed(feet, {self.task.robots[number].name: found for number, found in hands.items()})

    def stand(self, robot: str, pose: Pose) -> tuple[Point, ...]:
        """Put one robot somewhere; where its hands are then."""
        look = LOOK_NUMBERS[self.task.robots[number_of(self.task, robot)].type]
        return self.robots[robot].stand(staging.foot_of(self.plan, look, pose), pose.turn)

    def look_of(self, name: str, opened: bool, on: bool) -> Any:
        return self.entity(staging.solids_of(self.plan, name, opened, on))

    def take_list(self, shown: DrawingList, lens: Camera, without: int | None) -> Shot:
        """A picture of a drawing list, without one of the robots."""
        placed = self.arrange(shown, without)
        return self.shoot(lens)._replace(feet=placed.things)

    def fixed_before(self, eye: Point) -> set[Any]:
        """What does not move, without the walls that a camera at a point is behind of."""
        return self.fixed - {entity for wall, entity in self.walls if wall.hides_nothing_from(eye)}


class ShapeBody:
    """A robot of simple shapes."""

    def __init__(self, stage: Stage, shape: Shape) -> None:
        self.sapien, self.shape, self.entity = stage.sapien, shape, stage.entity(shape.solids)
        self.entities = [self.entity]

    def stand(self, foot: Point, turn: float) -> tuple[Point, ...]:
        self.entity.set_pose(self.sapien.Pose(list(foot), list(yaw(turn))))
        return self.shape.hands_at(foot, turn)
