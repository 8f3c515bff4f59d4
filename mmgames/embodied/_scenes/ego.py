"""Where a robot sees from: a camera over its shoulder or in its head."""

import math
from collections.abc import Iterator, Sequence
from itertools import product

from mmgames.embodied._scenes.camera import WIDTH, Camera
from mmgames.embodied._scenes.geometry import Box
from mmgames.embodied._scenes.positions import Pose

EYES = {"humanoid": 1.65, "wheeled": 1.35, "dog": 0.75, "arm": 1.6}
BEHIND = (0.75, 1.2, 1.8, 2.6, 3.6, 5.0)
"""How far behind the robot the camera may hang, in metres; near enough for its own hands to be in sight."""

ASIDE = 0.45
"""How far to a side of the robot it hangs, so that the robot does not hide what is in front of it."""

LIFTED = ((0.2, -0.32), (0.45, -0.55))
"""How far above its eyes, for every metre that it hangs behind and one more, and how far down it looks, in radians."""

AHEAD, PITCH = 0.12, -0.3
"""How far before the middle of a robot the camera in its head is, in metres, and how far down it looks, in radians."""


def cameras(kind: str, pose: Pose, look_at: Sequence[tuple[float, ...]]) -> Iterator[Camera]:
    """Cameras over the shoulder of a robot that look at the points, the nearer ones first.

    Walls that one hangs outside of are not drawn, so they do not stand in its way.
    """
    ways = [(x - pose.x, y - pose.y) for x, y, *_ in look_at]
    ahead = [(dx / far, dy / far) for dx, dy in ways if (far := math.hypot(dx, dy)) > 0.2]
    yaw = math.atan2(sum(dy for _, dy in ahead), sum(dx for dx, _ in ahead)) if ahead else pose.turn
    for back, (lift, pitch), turn, side in product(BEHIND, LIFTED, (0.4, -0.4, 0.8, -0.8, 0.0, 1.4, -1.4), (1, -1)):
        way = yaw + turn
        x = pose.x - back * math.cos(way) + side * ASIDE * math.sin(way)
        y = pose.y - back * math.sin(way) - side * ASIDE * math.cos(way)
        yield Camera((x, y, max(EYES[kind], 1.0) + lift * (1 + back)), way, pitch, WIDTH * 0.62)


def head_camera(kind: str, pose: Pose, spot: tuple[float, ...], room: Box) -> Camera:
    """The camera in a robot's head, which has none of its own body before it.

    It looks where the robot does; at the robot's own spot, where it may stand before a wall, into the room.
    """
    x, y = room.middle
    yaw = math.atan2(y - pose.y, x - pose.x) if spot[:2] == pose[:2] else pose.turn
    eye = (pose.x + AHEAD * math.cos(yaw), pose.y + AHEAD * math.sin(yaw), EYES[kind])
    return Camera(eye, yaw, PITCH, WIDTH * 0.45)
