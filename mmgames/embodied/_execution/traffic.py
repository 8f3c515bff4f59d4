"""Who may be where on the floor: one robot drives at a time, and whoever has nothing to do makes way."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from mmgames.embodied._execution.bodies import MOST_TURNED, Body
from mmgames.embodied._scenes.geometry import Box, KitchenScene
from mmgames.embodied._scenes.routes import route

SPEED, TURNING = 0.05, 0.12
"""How far a base drives (metres) and turns (radians) in a twentieth of a second."""

BODY = 0.3
APART = 1.2
"""Robots stand so far from each other when one of them uses its hands, in metres."""

ROOMY, TIGHT = 0.55, 0.3
"""So far from the middle of another robot nobody's middle passes by, less BODY; the second where there is no room."""

CLEAR = 0.5
"""Who makes way stands so far from furniture, in metres."""

CROWDED = 0.35
"""So much nearer than it should be, in metres, somebody may stand who has to make way."""

LONGEST_WAIT = 900

Skill = Iterator[None]


class SkillFailed(Exception):
    """Why an action was not done, in words."""


class Traffic:
    """The floor of one kitchen and the robots on it."""

    def __init__(self, plan: KitchenScene, robots: dict[str, Body]) -> None:
        self.plan, self.robots = plan, robots
        self.driver = ""
        self.busy: set[str] = set()  # who acts and cannot be sent away

    def go(self, robot: str, x: float, y: float, turn: float) -> Skill:
        """Drive somewhere, as soon as nobody else drives or works there; who idles there is sent away."""
        body, waited = self.robots[robot], 0
        while self.driver or any(other in self.busy for other in self._near(robot, x, y)):
            self.busy.discard(robot)
            waited += 1
            if waited > LONGEST_WAIT:
                raise SkillFailed("another robot was in the way all the time")
            yield
        self.busy.add(robot)
        self.driver = robot
        try:
            for other in self._near(robot, x, y):
                yield from self._make_way(other, robot, (x, y))
            yield from self._drive(robot, x, y, turn)
        finally:
            self.driver = ""
        is_at = body.joints[body.base[:2]]
        if math.dist(is_at, (x, y)) > 0.08:
            raise SkillFailed(f"something was in the way, {math.dist(is_at, (x, y)):.2f} m before the goal")

    def _near(self, robot: str, x: float, y: float) -> list[str]:
        bodies = self.robots.items()
        return [
            name for name, body in bodies if name != robot and body.base and math.dist(body.stand[:2], (x, y)) < APART
        ]

    def _make_way(self, robot: str, for_whom: str, at: tuple[float, float]) -> Skill:
        body, room = self.robots[robot], self.plan.room
        others = [one.stand[:2] for name, one in self.robots.items() if name not in (robot, for_whom)]
        boxes = [box for box in self.plan.places.values() if box.top > 0.1]
        best: tuple[float, float, float, float] | None = None
        for spot in floor_points(room):
            near = min(math.dist(spot, other) for other in (at, *others))
            crowded = max(0.0, APART - near) + max(0.0, 0.9 - math.dist(spot, self.robots[for_whom].stand[:2]))
            x, y = spot
            if crowded > CROWDED or any(box.covers(x, y, CLEAR) for box in boxes):
                continue
            found = (round(crowded, 2), math.dist(spot, body.stand[:2]), *spot)
            best = min(best or found, found)
        if best is None:
            raise SkillFailed(f"{robot} stands there and has no room to make way")
        for hand in body.hands:
            yield from hand.tuck()
        yield from self._drive(robot, best[2], best[3], body.stand[2])

    def _drive(self, robot: str, x: float, y: float, turn: float) -> Skill:
        """Around the furniture and the others: turn, drive ahead, turn."""
        body = self.robots[robot]
        if math.dist(body.stand[:2], (x, y)) > 0.03:
            way = self._way(robot, (x, y), ROOMY)
            if math.dist(way[-1], (x, y)) > 0.4:
                way = self._way(robot, (x, y), TIGHT)
            for point in [*way[1:], (x, y)]:
                yield from _ahead(body, point)
        yield from _turn(body, turn)
        yield from body.wait(4)

    def _way(self, robot: str, goal: tuple[float, float], wide: float) -> list[tuple[float, float]]:
        bodies = self.robots.items()
        stands = {name: body.stand for name, body in bodies if name != robot and body.base}
        others = {name: Box(x - wide, y - wide, x + wide, y + wide, 1.0) for name, (x, y, _) in stands.items()}
        plan = replace(self.plan, places={**self.plan.places, **others})
        return route(plan, self.robots[robot].stand[:2], goal, BODY)


def floor_points(room: Box) -> list[tuple[float, float]]:
    """Points all over the floor."""
    xs, ys = np.arange(room.x0 + 0.4, room.x1 - 0.39, 0.2), np.arange(room.y0 + 0.4, room.y1 - 0.39, 0.2)
    return [(float(x), float(y)) for x in xs for y in ys]


def _ahead(body: Body, point: tuple[float, float]) -> Skill:
    begin, off = np.array(body.stand[:2]), math.dist(body.stand[:2], point)
    if off < 0.02:
        return
    yield from _turn(body, math.atan2(point[1] - begin[1], point[0] - begin[0]))
    steps = max(1, math.ceil(off / SPEED))
    for step in range(1, steps + 1):
        told = body.target.copy()
        told[body.base[:2]] = begin + (np.array(point) - begin) * step / steps
        body.tell(told)
        yield


def _turn(body: Body, turn: float) -> Skill:
    begin = body.stand[2]
    turn = (turn + math.pi) % (2 * math.pi) - math.pi
    turn = min((turn + k * 2 * math.pi for k in (-1, 0, 1)), key=lambda t: (abs(t) > MOST_TURNED, abs(t - begin)))
    steps = math.ceil(abs(turn - begin) / TURNING)
    for step in range(1, steps + 1):
        told = body.target.copy()
        told[body.base[2]] = begin + (turn - begin) * step / steps
        body.tell(told)
        yield
