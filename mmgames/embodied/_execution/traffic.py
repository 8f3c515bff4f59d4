"""Who may be where on the floor: one robot drives at a time, and whoever has nothing to do makes way."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from mmgames.embodied._execution.bodies import MOST_TURNED, Body
from mmgames.embodied._scenes.geometry import Box, KitchenScene, route

SPEED, TURNING = 0.05, 0.12  # how far a base drives (metres) and turns (radians) in a twentieth of a second
BODY = 0.3
APART = 1.2  # robots stand so far from each other when one of them uses its hands, in metres
ROOMY, TIGHT = 0.55, 0.3
"""So far from the middle of another robot nobody's middle passes by, less BODY; the second where there is no room."""

CLEAR = 0.5  # who makes way stands so far from furniture, in metres
CROWDED = 0.35  # so much nearer than it should be, in metres, somebody may stand who has to make way
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
        return [name for name, other in self._others(robot).items() if math.dist(other, (x, y)) < APART]

    def _others(self, robot: str) -> dict[str, tuple[float, float]]:
        """Where everybody else stands who drives."""
        return {name: body.stand[:2] for name, body in self.robots.items() if name != robot and body.base}

    def _make_way(self, robot: str, for_whom: str, at: tuple[float, float]) -> Skill:
        body = self.robots[robot]
        others = [at, *(one.stand[:2] for name, one in self.robots.items() if name not in (robot, for_whom))]
        boxes = [box for box in self.plan.places.values() if box.top > 0.1]
        free = []
        for spot in floor_points(self.plan.room):
            near = min(math.dist(spot, other) for other in others)
            crowded = max(0.0, APART - near) + max(0.0, 0.9 - math.dist(spot, self.robots[for_whom].stand[:2]))
            if crowded <= CROWDED and not any(box.covers(*spot, CLEAR) for box in boxes):
                free.append((round(crowded, 2), math.dist(spot, body.stand[:2]), *spot))
        if not free:
            raise SkillFailed(f"{robot} stands there and has no room to make way")
        for hand in body.hands:
            yield from hand.tuck()
        yield from self._drive(robot, *min(free)[2:], body.stand[2])

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
        stands = self._others(robot).items()
        others = {name: Box(x - wide, y - wide, x + wide, y + wide, 1.0) for name, (x, y) in stands}
        plan = replace(self.plan, places={**self.plan.places, **others})
        return route(plan, self.robots[robot].stand[:2], goal, BODY)


def floor_points(room: Box) -> list[tuple[float, float]]:
    """Points all over the floor."""
    xs, ys = np.arange(room.x0 + 0.4, room.x1 - 0.39, 0.2), np.arange(room.y0 + 0.4, room.y1 - 0.39, 0.2)
    return [(float(x), float(y)) for x in xs for y in ys]


def _ahead(body: Body, point: tuple[float, float]) -> Skill:
    (x, y), off = body.stand[:2], math.dist(body.stand[:2], point)
    if off < 0.02:
        return
    yield from _turn(body, math.atan2(point[1] - y, point[0] - x))
    yield from body.lead(body.base[:2], point, max(1, math.ceil(off / SPEED)))


def _turn(body: Body, turn: float) -> Skill:
    begin = body.stand[2]
    turn = (turn + math.pi) % (2 * math.pi) - math.pi
    turn = min((turn + k * 2 * math.pi for k in (-1, 0, 1)), key=lambda t: (abs(t) > MOST_TURNED, abs(t - begin)))
    yield from body.lead(body.base[2:], [turn], math.ceil(abs(turn - begin) / TURNING))
