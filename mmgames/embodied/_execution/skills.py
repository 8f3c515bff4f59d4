"""Skills: what a robot does for one action of a plan.

Each is a generator: after every `yield` a twentieth of a second goes by. What cannot be done raises SkillFailed, with
the reason.
"""

import itertools
import math

import numpy as np

from mmgames.embodied._control.scene import standing
from mmgames.embodied._execution.bodies import DOWN, Hand, facing, raised
from mmgames.embodied._execution.kitchen import Kitchen
from mmgames.embodied._execution.shapes import SLIDE
from mmgames.embodied._execution.traffic import Skill, SkillFailed
from mmgames.embodied._scenes.geometry import Box
from mmgames.embodied._scenes.positions import REACH

ABOVE = 0.12  # a hand waits so far above what it reaches for, in metres
LIFT = 0.14
ASIDE = 0.2  # so far beside the middle of a robot with two hands is what one of them reaches for, in metres
SLIPPED = 0.08
CLOSED, CLOSING = -0.01, 10
"""Fingers are told to go a little beyond each other, so that they press; and how long they take."""

TRIES = 2
NEAR = 0.04
BEFORE = 0.6  # what a dog pushes is so far before its middle, in metres
ROOM = 0.12  # half of what a box takes up, in metres
AT_HANDLE = 0.6  # a handle is so far ahead of the robot that moves it, in metres


class Worker:
    """A robot in a kitchen; its skills are the methods that are called as the verbs of plans are."""

    def __init__(self, kitchen: Kitchen, robot: str) -> None:
        self.kitchen, self.robot, self.body = kitchen, robot, kitchen.robots[robot]

    def move(self, target: str) -> Skill:
        """Go to a place, thing or robot."""
        kitchen = self.kitchen
        held = kitchen.holder(target) if target in kitchen.things else None
        name = target if held is None else held[0]
        if name in kitchen.robots:
            x, y, turn = kitchen.robots[name].stand
            yield from self._drive(x - 0.9 * math.cos(turn), y - 0.9 * math.sin(turn), turn)
            return
        if name not in kitchen.things and name not in kitchen.fronts:
            raise SkillFailed(f"nobody knows where {name} is")
        point = kitchen.pose(name)[:2, 3] if name in kitchen.things else kitchen.fronts[name].box.middle
        yield from self._drive(*self._stand_for(name, point))

    def reach(self, thing: str) -> Skill:
        """Bring a free hand above a thing, or above a handle; a robot that moves stands before it first."""
        hand = self._free_hand()
        if thing in self.kitchen.cupboards:
            yield from self._to_handle(hand, thing, not self.kitchen.cupboards[thing].is_open)
        elif not self.kitchen.shapes[thing].grips:
            yield from self._to_rim(hand, thing)
        else:
            yield from self._stand_before(hand, thing)
            above, _ = self._grips(hand, thing)
            yield from self.body.sweep(above, hand.joints)
        yield from self.body.wait(3)

    def grasp(self, thing: str) -> Skill:
        """Take a thing from above and lift it; afterwards the hand is near the body again."""
        kitchen, rose = self.kitchen, 0.0
        for _ in range(TRIES):
            yield from self.reach(thing)  # it may have had to make way meanwhile
            hand = self._free_hand()
            _, taking = self._grips(hand, thing)
            yield from straight(hand, raised(taking, ABOVE), taking)
            yield from hand.spread(CLOSED, CLOSING)
            before = float(kitchen.pose(thing)[2, 3])
            yield from straight(hand, taking, raised(taking, LIFT))
            rose = float(kitchen.pose(thing)[2, 3]) - before
            if rose > LIFT - SLIPPED:
                hand.holds, hand.grip = thing, np.linalg.inv(hand.pose) @ kitchen.pose(thing)
                yield from hand.tuck()
                return
            yield from hand.spread(hand.chain.open, 3)
        raise SkillFailed(f"{thing} slipped out of the fingers: it rose by {100 * rose:.0f} cm of {100 * LIFT:.0f}")

    def place(self, target: str, thing: str | None = None) -> Skill:
        """Put down what a robot holds, all of it or one thing."""
        for hand in self.body.hands:
            if hand.holds is not None and thing in (None, hand.holds):
                yield from self._put(hand, hand.holds, target)

    def open(self, thing: str, opening: bool = True) -> Skill:
        """Take a cupboard's handle from above and slide its door aside, or back."""
        cupboard = self.kitchen.cupboards.get(thing)
        if cupboard is None:
            raise SkillFailed(f"{thing} has no door here")
        hand, goal = self._free_hand(), SLIDE if opening else 0.0
        for _ in range(TRIES):
            yield from self._to_handle(hand, thing, opening)
            taking = facing(cupboard.handle(), DOWN, cupboard.along, self.body.build.pointing)
            yield from straight(hand, raised(taking, ABOVE), taking)
            yield from hand.spread(CLOSED, CLOSING)
            end = taking.copy()
            end[:3, 3] += cupboard.along * (goal - cupboard.slid)
            yield from straight(hand, taking, end)
            yield from hand.spread(hand.chain.open, 6)
            yield from straight(hand, end, raised(end, ABOVE))
            yield from hand.tuck()
            if cupboard.is_open if opening else cupboard.is_closed:
                return
        raise SkillFailed(f"the door of {thing} is {100 * cupboard.slid:.0f} of {100 * SLIDE:.0f} cm open")

    def close(self, thing: str) -> Skill:
        return self.open(thing, opening=False)

    def handover(self, thing: str, receiver: str) -> Skill:
        """Lay a thing down where both are, for the other one to take: two grippers do not fit on one thing."""
        busy = self.kitchen.traffic.busy
        yield from self.place(min(self.kitchen.fronts, key=self._far), thing)
        busy.discard(self.robot)
        try:
            yield from Worker(self.kitchen, receiver).grasp(thing)
        finally:
            busy.discard(receiver)

    def interact(self, thing: str) -> Skill:
        """Touch something with the tips of the fingers; what is in the hand is thereby used."""
        body, kitchen = self.body, self.kitchen
        if not body.hands:  # a dog's nose
            yield from self.move(thing)
        if not body.hands or any(hand.holds == thing for hand in body.hands):
            kitchen.touched.add(thing)
            yield
            return
        hand, off = self._free_hand(), 0.0
        yield from self._to_rim(hand, thing)
        for touching in self._rims(hand, thing)[:2]:  # another one where something lies below the fingers
            yield from over(hand, touching, thing)
            yield from straight(hand, raised(touching, ABOVE), touching)
            yield from body.wait(8)  # until it is at rest
            off = float(np.linalg.norm(hand.pose[:3, 3] - touching[:3, 3]))
            if off <= NEAR:
                kitchen.touched.add(thing)
            yield from straight(hand, touching, raised(touching, ABOVE))
            if off <= NEAR:
                yield from hand.tuck()
                return
        raise SkillFailed(f"its fingers stopped {100 * off:.0f} cm before {thing}")

    def push(self, thing: str, target: str) -> Skill:
        """Bring a box somewhere: it is on the floor before the dog until it has its place there."""
        kitchen, front = self.kitchen, self.kitchen.front_of(target)
        if front is None:
            raise SkillFailed(f"{target} is no place to push something to")
        yield from self.move(thing)
        spot = kitchen.spot_on(target, front.along(front.box.middle), thing)
        if target in kitchen.robots:
            spot = (*self._beside_arm(thing, kitchen.robots[target].stand[:2], front.box), front.box.top)
        for _ in self._drive(*self._stand_for(target, spot[:2])):
            x, y, _ = self.body.ahead((BEFORE, 0.0, 0.0))
            kitchen.engine.bring(thing, standing(x, y, 0.0, self.body.stand[2]))
            yield
        kitchen.engine.bring(thing, standing(*spot, front.turn))

    # What skills are made of.

    def _drive(self, x: float, y: float, turn: float) -> Skill:
        if not self.body.base:
            raise SkillFailed("an arm does not move from where it stands")
        yield from self.kitchen.traffic.go(self.robot, x, y, turn)

    def _stand_for(
        self, target: str, point: tuple[float, float] | np.ndarray, aside: float = 0.0
    ) -> tuple[float, float, float]:
        """Where the robot stands so that a point is before it, or so far to its left."""
        front = self.kitchen.front_of(target)
        if front is None:
            raise SkillFailed(f"{target} is not on any furniture")
        return *front.point(front.along((point[0], point[1])) - aside, -REACH), front.turn

    def _stand_before(self, hand: Hand, target: str, point: tuple[float, float] | None = None) -> Skill:
        """If it moves, stand so that a thing or a point is before this hand."""
        if self.body.base:
            at = self.kitchen.pose(target)[:2, 3] if point is None else point
            yield from self._drive(*self._stand_for(target, at, self._aside(hand)))

    def _aside(self, hand: Hand) -> float:
        if len(self.body.hands) == 1:
            return 0.0
        return -ASIDE if hand is self.body.hands[0] else ASIDE

    def _free_hand(self) -> Hand:
        hand = next((hand for hand in self.body.hands if hand.holds is None), None)
        if hand is None:
            raise SkillFailed("no hand is free")
        return hand

    def _grips(self, hand: Hand, thing: str) -> tuple[np.ndarray, np.ndarray]:
        """All joints for the hand above a thing, and how it takes it: near the robot, and little turned."""
        body, pose = self.body, self.kitchen.pose(thing)
        across = np.array(body.across())
        options: list[tuple[float, float, int, np.ndarray, np.ndarray]] = []
        for grip in self.kitchen.shapes[thing].grips:
            point = (pose @ np.array([*grip.point, 1.0]))[:3]
            far = round(math.dist(point[:2], body.stand[:2]), 1)
            for angle in grip.closing:
                way = pose[:3, :3] @ np.array([math.cos(angle), math.sin(angle), 0.0])
                options.append((far, -abs(float(way @ across)), len(options), point, way))
        for *_, point, way in sorted(options, key=lambda option: option[:3]):
            taking = facing(point, DOWN, way, body.build.pointing)
            above = hand.angles_for(raised(taking, ABOVE), hand.at_rest())
            if above is not None and hand.angles_for(taking, above) is not None:
                return above, taking
        raise SkillFailed(f"its arm does not reach {thing}, {math.dist(body.stand[:2], pose[:2, 3]):.2f} m away")

    def _put(self, hand: Hand, thing: str, target: str) -> Skill:
        body, kitchen = self.body, self.kitchen
        if target in kitchen.things:
            spot = kitchen.inside_of(target, thing, None if body.base else body.stand[:2])
        elif target in kitchen.fronts:
            spot = kitchen.spot_on(target, kitchen.fronts[target].along(body.stand[:2]), thing)
        else:
            raise SkillFailed(f"nobody knows where {target} is")
        yield from self._stand_before(hand, target, spot[:2])
        hand.grip = np.linalg.inv(hand.pose) @ kitchen.pose(thing)
        above, laying = lays(hand, spot)
        yield from body.sweep(above, hand.joints)
        yield from straight(hand, raised(laying, ABOVE), laying)
        yield from hand.spread(hand.chain.open, 5)
        hand.holds = None
        yield from straight(hand, laying, raised(laying, ABOVE))
        yield from hand.tuck()

    def _far(self, place: str) -> float:
        front = self.kitchen.fronts[place]
        return 100.0 if front.box.top < 0.5 else math.dist(self.body.stand[:2], front.middle(-REACH))

    def _to_handle(self, hand: Hand, thing: str, opening: bool) -> Skill:
        """Stand before the middle of the way that a door's handle goes, and bring the hand above the handle."""
        cupboard = self.kitchen.cupboards[thing]
        handle = cupboard.handle()
        if self.body.base:
            way = np.array([handle[0], handle[1]]) + cupboard.along[:2] * (SLIDE / 2 if opening else -SLIDE / 2)
            way = way - cupboard.along[:2] * self._aside(hand) - AT_HANDLE * cupboard.ahead[:2]
            yield from self._drive(float(way[0]), float(way[1]), cupboard.front.turn)
        yield from over(hand, facing(handle, DOWN, cupboard.along, self.body.build.pointing), thing)

    def _rims(self, hand: Hand, thing: str) -> list[np.ndarray]:
        """The poses of a hand that touches a rim of something, the nearest first."""
        pose, found = self.kitchen.pose(thing), self.kitchen.shapes[thing]
        long, wide = (length / 2 for length in found.room)
        rims = [(pose @ (x, y, found.tall, 1.0))[:3] for x, y in ((long, 0), (-long, 0), (0, wide), (0, -wide))]
        rims.sort(key=lambda rim: math.dist(rim[:2], self.body.stand[:2]))
        across, pointing = self.body.across(), self.body.build.pointing
        return [facing(np.add(rim, (0, 0, 0.015)), DOWN, across, pointing) for rim in rims]

    def _to_rim(self, hand: Hand, thing: str) -> Skill:
        yield from self._stand_before(hand, thing)
        yield from over(hand, self._rims(hand, thing)[0], thing)

    def _beside_arm(self, thing: str, arm: tuple[float, float], box: Box) -> tuple[float, float]:
        """A point of a stand where a box has room, as near to the arm as there is one."""
        taken = [self.kitchen.pose(other)[:2, 3] for other in self.kitchen.things if other != thing]

        def crowded(at: tuple[float, float]) -> tuple[bool, float]:
            return any(math.dist(at, other) < 1.8 * ROOM for other in taken), math.dist(at, arm)

        xs, ys = (box.x0 + ROOM, box.middle[0], box.x1 - ROOM), (box.y0 + ROOM, box.middle[1], box.y1 - ROOM)
        return min(itertools.product(xs, ys), key=crowded)


def straight(hand: Hand, begin: np.ndarray, end: np.ndarray) -> Skill:
    """Lead a hand along a line."""
    way = end[:3, 3] - begin[:3, 3]
    parts = max(1, math.ceil(float(np.linalg.norm(way)) / 0.03))
    for part in range(1, parts + 1):
        pose = end.copy()
        pose[:3, 3] = begin[:3, 3] + way * part / parts
        found = hand.angles_for(pose)
        if found is None:
            raise SkillFailed("its arm does not reach far enough")
        yield from hand.body.sweep(found, hand.joints)
    yield from hand.body.wait(3)


def over(hand: Hand, pose: np.ndarray, thing: str) -> Skill:
    """Bring a hand above a pose that it will be lowered to."""
    above = hand.angles_for(raised(pose, ABOVE), hand.at_rest())
    if above is None:
        raise SkillFailed(f"its arm does not reach {thing}")
    yield from hand.body.sweep(above, hand.joints)


def lays(hand: Hand, spot: tuple[float, float, float]) -> tuple[np.ndarray, np.ndarray]:
    """All joints for the hand above a spot, and the pose in which what it holds stands upright on the spot."""
    held = hand.pose @ hand.grip
    now = math.atan2(held[1, 0], held[0, 0])
    upright = facing((0, 0, 0), DOWN, hand.pose[:3, 1], hand.body.build.pointing)
    x, y, z = held[:3, 3] - hand.pose[:3, 3]
    level = standing(x, y, z, now)
    # If a thing hangs askew, the hand is held such that it stands; where no arm can do that, it is let fall askew.
    for grip, drop in ((hand.grip, 0.006), (np.linalg.inv(upright) @ level, 0.03)):
        for step in range(16):
            turn = now + (step + 1) // 2 * math.pi / 8 * (1 if step % 2 else -1)
            laying = standing(spot[0], spot[1], spot[2] + drop, turn) @ np.linalg.inv(grip)
            above = hand.solve(raised(laying, ABOVE), hand.at_rest())
            if above is not None and hand.solve(laying, above) is not None:
                return above, laying
    far = math.dist(hand.body.stand[:2], spot[:2])
    raise SkillFailed(f"its arm does not reach the spot where {hand.holds} should lie, {far:.2f} m away")
