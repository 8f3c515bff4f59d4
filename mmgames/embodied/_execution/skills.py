"""Skills: what a robot does for one action of a plan.

Each is a generator: after every `yield` a twentieth of a second goes by. What cannot be done raises SkillFailed, with
the reason.
"""

import itertools
import math
from functools import partial

import numpy as np

from mmgames.embodied._execution.bodies import DOWN, Body, Hand, facing, standing
from mmgames.embodied._execution.cupboards import SLIDE
from mmgames.embodied._execution.kitchen import Kitchen
from mmgames.embodied._execution.traffic import Skill, SkillFailed
from mmgames.embodied._scenes.geometry import Box
from mmgames.embodied._scenes.positions import REACH

ABOVE = 0.12
"""A hand waits so far above what it reaches for, in metres."""

LIFT = 0.14
ASIDE = 0.2
"""So far beside the middle of a robot with two hands is what one of them reaches for, in metres."""

SLIPPED = 0.08
CLOSED, CLOSING = -0.01, 10
"""Fingers are told to go a little beyond each other, so that they press; and how long they take."""

TRIES = 2
NEAR = 0.04
BEFORE = 0.6
"""What a dog pushes is so far before its middle, in metres."""

ROOM = 0.12
"""Half of what a box takes up, in metres."""

AT_HANDLE = 0.6
"""A handle is so far ahead of the robot that moves it, in metres."""


def drive(kitchen: Kitchen, robot: str, x: float, y: float, turn: float) -> Skill:
    if not kitchen.robots[robot].base:
        raise SkillFailed("an arm does not move from where it stands")
    yield from kitchen.traffic.go(robot, x, y, turn)


def stand_for(
    kitchen: Kitchen, target: str, point: tuple[float, float], aside: float, back: float = REACH
) -> tuple[float, float, float]:
    """Where a robot stands so that a point is before it, or so far to its left; `back` is from the furniture."""
    front = kitchen.front_of(target)
    if front is None:
        raise SkillFailed(f"{target} is not on any furniture")
    x, y = front.point(front.along(point) - aside, -back)
    return x, y, front.turn


def aside(body: Body, hand: Hand) -> float:
    if len(body.hands) == 1:
        return 0.0
    return -ASIDE if hand is body.hands[0] else ASIDE


def move(kitchen: Kitchen, robot: str, target: str) -> Skill:
    """Go to a place, thing or robot."""
    if target in kitchen.robots:
        x, y, turn = kitchen.robots[target].stand
        yield from drive(kitchen, robot, x - 0.9 * math.cos(turn), y - 0.9 * math.sin(turn), turn)
        return
    if target in kitchen.things:
        held = kitchen.holder(target)
        if held is not None:
            yield from move(kitchen, robot, held[0])
            return
        point = tuple(kitchen.pose(target)[:2, 3])
    elif target in kitchen.fronts:
        front = kitchen.fronts[target]
        point = front.box.middle
    else:
        raise SkillFailed(f"nobody knows where {target} is")
    yield from drive(kitchen, robot, *stand_for(kitchen, target, point, 0.0))  # type: ignore[arg-type]


def free_hand(body: Body) -> Hand:
    hand = next((hand for hand in body.hands if hand.holds is None), None)
    if hand is None:
        raise SkillFailed("no hand is free")
    return hand


def reach(kitchen: Kitchen, robot: str, thing: str) -> Skill:
    """Bring a free hand above a thing, or above a handle; a robot that moves stands before it first."""
    body = kitchen.robots[robot]
    hand = free_hand(body)
    if thing in kitchen.cupboards:
        yield from _to_handle(kitchen, robot, hand, thing, not kitchen.cupboards[thing].is_open)
    elif not kitchen.shapes[thing].grips:
        yield from _to_rim(kitchen, robot, hand, thing)
    else:
        point = kitchen.pose(thing)[:3, 3]
        if body.base:
            yield from drive(kitchen, robot, *stand_for(kitchen, thing, (point[0], point[1]), aside(body, hand)))
        above, _ = grips(kitchen, hand, thing)
        yield from body.sweep(above, hand.joints)
    yield from body.wait(3)


def grips(kitchen: Kitchen, hand: Hand, thing: str) -> tuple[np.ndarray, np.ndarray]:
    """All joints for the hand above a thing, and the pose in which it takes it: near the robot, and little turned."""
    body, pose = hand.body, kitchen.pose(thing)
    across = np.array(body.across())
    options: list[tuple[float, float, int, np.ndarray, np.ndarray]] = []
    for grip in kitchen.shapes[thing].grips:
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
    far = math.dist(body.stand[:2], pose[:2, 3])
    raise SkillFailed(f"its arm does not reach {thing}, {far:.2f} m away")


def straight(body: Body, hand: Hand, begin: np.ndarray, end: np.ndarray) -> Skill:
    """Lead a hand along a line."""
    parts = max(1, math.ceil(float(np.linalg.norm(end[:3, 3] - begin[:3, 3])) / 0.03))
    for part in range(1, parts + 1):
        pose = end.copy()
        pose[:3, 3] = begin[:3, 3] + (end[:3, 3] - begin[:3, 3]) * part / parts
        found = hand.angles_for(pose)
        if found is None:
            raise SkillFailed("its arm does not reach far enough")
        yield from body.sweep(found, hand.joints)
    yield from body.wait(3)


def fingers(body: Body, hand: Hand, width: float, steps: int) -> Skill:
    told = body.target.copy()
    told[hand.fingers] = width
    body.tell(told)
    yield from body.wait(steps)


def raised(pose: np.ndarray, by: float) -> np.ndarray:
    higher = pose.copy()
    higher[2, 3] += by
    return higher


def grasp(kitchen: Kitchen, robot: str, thing: str) -> Skill:
    """Take a thing from above and lift it; afterwards the hand is near the body again."""
    body = kitchen.robots[robot]
    rose = 0.0
    for _ in range(TRIES):
        yield from reach(kitchen, robot, thing)  # it may have had to make way meanwhile
        hand = free_hand(body)
        _, taking = grips(kitchen, hand, thing)
        yield from straight(body, hand, raised(taking, ABOVE), taking)
        yield from fingers(body, hand, CLOSED, CLOSING)
        before = float(kitchen.pose(thing)[2, 3])
        yield from straight(body, hand, taking, raised(taking, LIFT))
        rose = float(kitchen.pose(thing)[2, 3]) - before
        if rose > LIFT - SLIPPED:
            hand.holds, hand.grip = thing, np.linalg.inv(hand.pose) @ kitchen.pose(thing)
            yield from hand.tuck()
            return
        yield from fingers(body, hand, hand.parts.open, 3)
    raise SkillFailed(f"{thing} slipped out of the fingers: it rose by {100 * rose:.0f} cm of {100 * LIFT:.0f}")


def place(kitchen: Kitchen, robot: str, target: str, thing: str | None = None) -> Skill:
    """Put down what a robot holds, all of it or one thing."""
    body = kitchen.robots[robot]
    for hand in body.hands:
        if hand.holds is not None and thing in (None, hand.holds):
            yield from _put(kitchen, robot, hand, target)


def _put(kitchen: Kitchen, robot: str, hand: Hand, target: str) -> Skill:
    body, thing = hand.body, hand.holds
    assert thing is not None
    if target in kitchen.things:
        spot = kitchen.inside_of(target, thing, None if body.base else body.stand[:2])
    elif target in kitchen.fronts:
        front = kitchen.fronts[target]
        spot = kitchen.spot_on(target, front.along(body.stand[:2]), thing)
    else:
        raise SkillFailed(f"nobody knows where {target} is")
    if body.base:
        yield from drive(kitchen, robot, *stand_for(kitchen, target, spot[:2], aside(body, hand)))
    hand.grip = np.linalg.inv(hand.pose) @ kitchen.pose(thing)
    above, laying = lays(kitchen, hand, spot)
    yield from body.sweep(above, hand.joints)
    yield from straight(body, hand, raised(laying, ABOVE), laying)
    yield from fingers(body, hand, hand.parts.open, 5)
    hand.holds = None
    yield from straight(body, hand, laying, raised(laying, ABOVE))
    yield from hand.tuck()


def lays(kitchen: Kitchen, hand: Hand, spot: tuple[float, float, float]) -> tuple[np.ndarray, np.ndarray]:
    """All joints for the hand above a spot, and the pose in which what it holds stands upright on the spot."""
    held = hand.pose @ hand.grip
    now = math.atan2(held[1, 0], held[0, 0])
    upright = np.eye(4)
    upright[:3, :3] = facing((0, 0, 0), DOWN, hand.pose[:3, 1], hand.body.build.pointing)[:3, :3]
    for tilted in (False, True):
        # If a thing hangs askew, the hand is held such that it stands; where no arm can do that, it is let fall askew.
        grip = hand.grip if not tilted else np.linalg.inv(upright) @ _level(hand.pose @ hand.grip, hand.pose)
        for step in range(16):
            turn = now + (step + 1) // 2 * math.pi / 8 * (1 if step % 2 else -1)
            x, y, z = spot
            laying = standing(x, y, z + (0.03 if tilted else 0.006), turn) @ np.linalg.inv(grip)
            above = hand.solve(raised(laying, ABOVE), hand.at_rest())
            if above is not None and hand.solve(laying, above) is not None:
                return above, laying
    far = math.dist(hand.body.stand[:2], spot[:2])
    raise SkillFailed(f"its arm does not reach the spot where {hand.holds} should lie, {far:.2f} m away")


def _level(held: np.ndarray, hand: np.ndarray) -> np.ndarray:
    """The pose of what a hand holds, turned upright, as far from the hand as it is."""
    x, y, z = (held[:3, 3] - hand[:3, 3]).tolist()
    return standing(x, y, z, math.atan2(held[1, 0], held[0, 0]))


def handover(kitchen: Kitchen, giver: str, thing: str, receiver: str) -> Skill:
    """Lay a thing down where both are, for the other one to take: two grippers do not fit on one thing."""
    side = min(kitchen.fronts, key=lambda name: _far(kitchen, giver, name))
    yield from place(kitchen, giver, side, thing)
    kitchen.traffic.busy.discard(giver)
    try:
        yield from grasp(kitchen, receiver, thing)
    finally:
        kitchen.traffic.busy.discard(receiver)


def _far(kitchen: Kitchen, robot: str, place: str) -> float:
    front = kitchen.fronts[place]
    if front.box.top < 0.5:
        return 100.0
    return math.dist(kitchen.robots[robot].stand[:2], front.point(sum(front.ends) / 2, -REACH))


def _to_handle(kitchen: Kitchen, robot: str, hand: Hand, thing: str, opening: bool) -> Skill:
    """Stand before the middle of the way that a door's handle goes, and bring the hand above the handle."""
    body, cupboard = hand.body, kitchen.cupboards[thing]
    handle = cupboard.handle()
    if body.base:
        way = np.array([handle[0], handle[1]]) + cupboard.along[:2] * (SLIDE / 2 if opening else -SLIDE / 2)
        way = way - cupboard.along[:2] * aside(body, hand) - AT_HANDLE * cupboard.ahead[:2]
        yield from drive(kitchen, robot, float(way[0]), float(way[1]), cupboard.front.turn)
    yield from _over(hand, facing(handle, DOWN, cupboard.along, body.build.pointing), thing)


def _over(hand: Hand, pose: np.ndarray, thing: str) -> Skill:
    """Bring a hand above a pose that it will be lowered to."""
    above = hand.angles_for(raised(pose, ABOVE), hand.at_rest())
    if above is None:
        raise SkillFailed(f"its arm does not reach {thing}")
    yield from hand.body.sweep(above, hand.joints)


def slide(kitchen: Kitchen, robot: str, thing: str, opening: bool) -> Skill:
    """Take a cupboard's handle from above and slide its door aside, or back."""
    body, cupboard = kitchen.robots[robot], kitchen.cupboards.get(thing)
    if cupboard is None:
        raise SkillFailed(f"{thing} has no door here")
    hand = free_hand(body)
    for _ in range(TRIES):
        yield from _to_handle(kitchen, robot, hand, thing, opening)
        taking = facing(cupboard.handle(), DOWN, cupboard.along, body.build.pointing)
        yield from straight(body, hand, raised(taking, ABOVE), taking)
        yield from fingers(body, hand, CLOSED, CLOSING)
        end = taking.copy()
        end[:3, 3] += cupboard.along * ((SLIDE if opening else 0.0) - cupboard.slid)
        yield from straight(body, hand, taking, end)
        yield from fingers(body, hand, hand.parts.open, 6)
        yield from straight(body, hand, end, raised(end, ABOVE))
        yield from hand.tuck()
        if cupboard.is_open if opening else cupboard.is_closed:
            return
    raise SkillFailed(f"the door of {thing} is {100 * cupboard.slid:.0f} of {100 * SLIDE:.0f} cm open")


open_door, close_door = partial(slide, opening=True), partial(slide, opening=False)


def _rims(kitchen: Kitchen, hand: Hand, thing: str) -> list[np.ndarray]:
    """The poses of a hand that touches a rim of something, the nearest first."""
    pose, found = kitchen.pose(thing), kitchen.shapes[thing]
    long, wide = (length / 2 for length in found.room)
    rims = [(pose @ np.array([x, y, found.tall, 1.0]))[:3] for x, y in ((long, 0), (-long, 0), (0, wide), (0, -wide))]
    rims.sort(key=lambda rim: math.dist(rim[:2], hand.body.stand[:2]))
    across, pointing = hand.body.across(), hand.body.build.pointing
    return [facing(np.add(rim, (0, 0, 0.015)), DOWN, across, pointing) for rim in rims]


def _to_rim(kitchen: Kitchen, robot: str, hand: Hand, thing: str) -> Skill:
    body, pose = hand.body, kitchen.pose(thing)
    if body.base:
        point = (float(pose[0, 3]), float(pose[1, 3]))
        yield from drive(kitchen, robot, *stand_for(kitchen, thing, point, aside(body, hand)))
    yield from _over(hand, _rims(kitchen, hand, thing)[0], thing)


def interact(kitchen: Kitchen, robot: str, thing: str) -> Skill:
    """Touch something with the tips of the fingers; what is in the hand is thereby used."""
    body = kitchen.robots[robot]
    if not body.hands:  # a dog's nose
        yield from move(kitchen, robot, thing)
    if not body.hands or any(hand.holds == thing for hand in body.hands):
        kitchen.touched.add(thing)
        yield
        return
    hand = free_hand(body)
    yield from _to_rim(kitchen, robot, hand, thing)
    off = 0.0
    for touching in _rims(kitchen, hand, thing)[:2]:  # another one where something lies below the fingers
        yield from _over(hand, touching, thing)
        yield from straight(body, hand, raised(touching, ABOVE), touching)
        yield from body.wait(8)  # until it is at rest
        off = float(np.linalg.norm(hand.pose[:3, 3] - touching[:3, 3]))
        if off <= NEAR:
            kitchen.touched.add(thing)
        yield from straight(body, hand, touching, raised(touching, ABOVE))
        if off <= NEAR:
            yield from hand.tuck()
            return
    raise SkillFailed(f"its fingers stopped {100 * off:.0f} cm before {thing}")


def push(kitchen: Kitchen, robot: str, thing: str, target: str) -> Skill:
    """Bring a box somewhere: it is on the floor before the dog until it has its place there."""
    body, front = kitchen.robots[robot], kitchen.front_of(target)
    if front is None:
        raise SkillFailed(f"{target} is no place to push something to")
    yield from move(kitchen, robot, thing)
    spot = kitchen.spot_on(target, front.along(front.box.middle), thing)
    if target in kitchen.robots:
        spot = (*_beside_arm(kitchen, thing, kitchen.robots[target], front.box), front.box.top)
    for _ in drive(kitchen, robot, *stand_for(kitchen, target, spot[:2], 0.0)):
        x, y, _ = body.ahead((BEFORE, 0.0, 0.0))
        kitchen.engine.bring(thing, standing(x, y, 0.0, body.stand[2]))
        yield
    kitchen.engine.bring(thing, standing(*spot, front.turn))


def _beside_arm(kitchen: Kitchen, thing: str, arm: Body, box: Box) -> tuple[float, float]:
    """A point of a stand where a box has room, as near to the arm as there is one."""
    x0, y0, x1, y1 = box.x0 + ROOM, box.y0 + ROOM, box.x1 - ROOM, box.y1 - ROOM
    taken = [kitchen.pose(other)[:2, 3] for other in kitchen.things if other != thing]
    points = itertools.product((x0, box.middle[0], x1), (y0, box.middle[1], y1))
    return min(
        points, key=lambda at: (any(math.dist(at, other) < 1.8 * ROOM for other in taken), math.dist(at, arm.stand[:2]))
    )
