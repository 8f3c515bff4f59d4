"""Robots that can be stepped: joints with motors, hands with two fingers, and where a hand can go."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mmgames.embodied._execution.kinematics import Chain, facing
from mmgames.embodied._scenes import thinning
from mmgames.embodied._scenes.bodies import REST, wheel_folder

STIFFNESS, DAMPING, FORCE = 1000.0, 100.0, 100.0
"""Of the motors of arms and fingers, as ManiSkill has them."""

BASE_STIFFNESS, BASE_DAMPING, BASE_FORCE = 40_000.0, 4_000.0, 40_000.0
PACE = 0.09
"""How far a joint is told to go in a twentieth of a second, in radians; what slides goes half as many metres."""

MOST_TURNED = 4.7
"""Joints that turn without end are turned no further than this, in radians: after 2 π the physics begins anew."""

DOWN = (0.0, 0.0, -1.0)


def _visuals(records: list[Any], folder: Path) -> list[Any]:
    """What shows a link; the description of one robot names meshes in a form that the wheel has in another."""
    for record in records:
        if record.type == "file" and not (folder / record.filename).is_file():
            record.filename = str((folder / record.filename).with_suffix(".glb"))
    return records


class HandParts(NamedTuple):
    tip: str  # the link between the fingers
    joints: tuple[str, ...]  # of the arm, with whatever lifts it
    fingers: tuple[str, ...]
    open: float
    rest: tuple[float, float, float]  # where it is carried, from the robot's base


class Build(NamedTuple):
    """A robot of ManiSkill's wheel."""

    file: str
    words: str
    hands: tuple[HandParts, ...]
    pointing: str  # the axis of a hand along which its fingers point
    drives: bool
    rest: dict[str, float]


def _dual_rest() -> dict[str, float]:
    angles = (0.0, 0.4, 0.0, -2.2, 0.0, 2.6, 0.785)
    arms = {f"{side}_panda_joint{i}": angle for side in ("right", "left") for i, angle in enumerate(angles, 1)}
    return {"linear_actuator_height": 0.85, **arms}


_FETCH = ("torso_lift", "shoulder_pan", "shoulder_lift", "upperarm_roll", "elbow_flex", "forearm_roll", "wrist_flex",
          "wrist_roll")  # fmt: skip
_FETCH_ORDER = (
    "root_x_axis", "root_y_axis", "root_z_rotation", "torso_lift", "head_pan", "shoulder_pan", "head_tilt",
    "shoulder_lift", "upperarm_roll", "elbow_flex", "forearm_roll", "wrist_flex", "wrist_roll", "r_gripper_finger",
    "l_gripper_finger",
)  # fmt: skip
BUILDS = {
    "arm": Build(
        "panda/panda_v2.urdf",
        "a Panda arm",
        (
            HandParts(
                "panda_hand_tcp",
                tuple(f"panda_joint{i}" for i in range(1, 8)),
                ("panda_finger_joint1", "panda_finger_joint2"),
                0.04,
                (0.45, 0.0, 0.35),
            ),
        ),
        "z",
        False,
        {f"panda_joint{i}": angle for i, angle in enumerate(REST["panda"][:7], 1)},
    ),
    "wheeled": Build(
        "fetch/fetch.urdf",
        "a Fetch, which drives on its base joints",
        (
            HandParts(
                "gripper_link",
                tuple(f"{name}_joint" for name in _FETCH),
                ("r_gripper_finger_joint", "l_gripper_finger_joint"),
                0.05,
                (0.42, -0.05, 1.3),
            ),
        ),
        "x",
        True,
        {f"{name}_joint": angle for name, angle in zip(_FETCH_ORDER, REST["fetch"], strict=True)},
    ),
    "humanoid": Build(
        "panda/mobile_panda_dual_arm.urdf",
        "a column with two Panda arms that drives, in place of a humanoid: nothing walks here",
        tuple(
            HandParts(
                f"{side}_panda_hand_tcp",
                tuple(f"{side}_panda_joint{i}" for i in range(1, 8)),
                (f"{side}_panda_finger_joint1", f"{side}_panda_finger_joint2"),
                0.04,
                (0.38, y, 1.3),
            )
            for side, y in (("right", -0.28), ("left", 0.28))
        ),
        "z",
        True,
        _dual_rest(),
    ),
}
"""Which body plays robots of a kind. Dogs have none."""


class Hand:
    def __init__(self, body: Body, parts: HandParts) -> None:
        names, links = body.names, [link.name for link in body.articulation.links]
        number = links.index(parts.tip)
        self.body, self.parts = body, parts
        self.tip = body.articulation.links[number]
        self.joints = [names.index(name) for name in parts.joints]
        self.fingers = [names.index(name) for name in parts.fingers]
        self.chain = Chain(body.model, number, self.joints, body.limits)
        self.holds: str | None = None
        self.grip: np.ndarray = np.eye(4)  # what it holds, as the hand sees it
        self.rest: np.ndarray = np.zeros(0)  # angles of its joints

    @property
    def pose(self) -> np.ndarray:
        return self.tip.entity_pose.to_transformation_matrix()

    def at_rest(self) -> np.ndarray:
        """All joints of the robot as they are told to be, but this arm at rest."""
        angles = self.body.target.copy()
        angles[self.joints] = self.rest
        return angles

    def angles_for(self, pose: np.ndarray, start: np.ndarray | None = None) -> np.ndarray | None:
        """All joints of the robot, this arm's such that the hand is there; a gripper is the same from both sides."""
        over = (-1.0, -1.0, 1.0, 1.0) if self.body.build.pointing == "z" else (1.0, -1.0, -1.0, 1.0)
        for turned in (pose, pose @ np.diag(over)):
            found = self.chain.solve(self.body.from_root(turned), self.body.target if start is None else start)
            if found is not None:
                return found
        return None


class Body:
    """One robot in a scene. `target` is where its motors are told to bring its joints."""

    def __init__(
        self, scene: Any, sapien: Any, kind: str, at: tuple[float, float, float, float], group: int, shown: bool
    ) -> None:
        self.build = BUILDS[kind]
        loader = scene.create_urdf_loader()
        loader.fix_root_link = True
        file = wheel_folder() / "assets" / "robots" / self.build.file
        builder = loader.load_file_as_articulation_builder(str(file))
        grippy = sapien.physx.PhysxMaterial(2.0, 2.0, 0.0)
        for link in builder.link_builders:
            link.visual_records = _visuals(link.visual_records, file.parent) if shown else []
            usual = link.build_render_component
            link.build_render_component = partial(thinning.component, sapien, link.visual_records, usual)
            finger = "finger" in link.name
            for record in link.collision_records:
                if finger:
                    record.material, record.patch_radius, record.min_patch_radius = grippy, 0.1, 0.1
        self.articulation = builder.build()
        for link in self.articulation.links:
            link.disable_gravity = True  # a real arm's motors carry it
            for part in link.collision_shapes:
                # They touch furniture, things and other robots (bit 2), but not the floor (bit 1) and themselves.
                part.set_collision_groups([2, 2, 1 << group, 0])
        joints = self.articulation.active_joints
        self.names = [joint.name for joint in joints]
        self.limits = np.clip(np.array([joint.limits[0] for joint in joints], float), -20.0, 20.0)
        self.limits[[joint.type == "revolute" for joint in joints]] = (-MOST_TURNED, MOST_TURNED)
        self.model = self.articulation.create_pinocchio_model()
        x, y, z, turn = at
        turn = (turn + math.pi) % (2 * math.pi) - math.pi
        pose = sapien.Pose([x, y, z], [math.cos(turn / 2), 0, 0, math.sin(turn / 2)])
        self._to_root = np.eye(4)
        self.target = np.array([self.build.rest.get(name, 0.0) for name in self.names])
        if self.build.drives:
            self.base = [self.names.index(f"root_{name}_joint") for name in ("x_axis", "y_axis", "z_rotation")]
            self.target[self.base] = (x, y, turn)
        else:
            self.base = []
            self.articulation.set_root_pose(pose)
            self._to_root = np.linalg.inv(pose.to_transformation_matrix())
        for number, joint in enumerate(joints):
            if number in self.base:
                joint.set_drive_properties(BASE_STIFFNESS, BASE_DAMPING, BASE_FORCE)
            else:
                joint.set_drive_properties(STIFFNESS, DAMPING, FORCE)
        self.hands = [Hand(self, parts) for parts in self.build.hands]
        for hand in self.hands:
            self.target[hand.fingers] = hand.parts.open
        for hand in self.hands:
            wanted = facing(self.ahead(hand.parts.rest), DOWN, self.across(), self.build.pointing)
            found = hand.angles_for(wanted)
            self.target = self.target if found is None else found
        for hand in self.hands:
            hand.rest = self.target[hand.joints].copy()
        self.articulation.set_qpos(self.target.astype(np.float32))
        self.tell(self.target)

    @property
    def stand(self) -> tuple[float, float, float]:
        """Where it is told to stand: x, y and its heading."""
        if self.base:
            return tuple(self.target[self.base])  # type: ignore[return-value]
        pose = np.linalg.inv(self._to_root)
        return float(pose[0, 3]), float(pose[1, 3]), math.atan2(pose[1, 0], pose[0, 0])

    def ahead(self, point: Sequence[float]) -> tuple[float, float, float]:
        """A point that is given from the robot's base, in the world."""
        x, y, turn = self.stand
        up = 0.0 if self.base else float(np.linalg.inv(self._to_root)[2, 3])
        c, s = math.cos(turn), math.sin(turn)
        return x + c * point[0] - s * point[1], y + s * point[0] + c * point[1], up + point[2]

    def across(self) -> tuple[float, float, float]:
        """The way to the robot's left."""
        turn = self.stand[2]
        return -math.sin(turn), math.cos(turn), 0.0

    def from_root(self, pose: np.ndarray) -> np.ndarray:
        return self._to_root @ pose

    def tell(self, angles: np.ndarray) -> None:
        self.target = angles
        for number, joint in enumerate(self.articulation.active_joints):
            joint.set_drive_target(float(angles[number]))

    def sweep(self, angles: np.ndarray, joints: Sequence[int]) -> Iterator[None]:
        """Bring some joints where they should be, all of them arriving together."""
        joints = list(joints)
        begin, way = self.target[joints].copy(), angles[joints] - self.target[joints]
        pace = np.array([PACE / 2 if self.articulation.active_joints[j].type == "prismatic" else PACE for j in joints])
        steps = max(1, math.ceil(float(np.max(np.abs(way) / pace)))) if len(joints) else 1
        for step in range(1, steps + 1):
            told = self.target.copy()
            told[joints] = begin + way * step / steps
            self.tell(told)
            yield

    def wait(self, steps: int) -> Iterator[None]:
        for _ in range(steps):
            yield
