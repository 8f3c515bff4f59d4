"""Skills of arms: what an arm can be told to do in one go, when it can try to, and what may become of it.

A skill ends by itself. Whether it is possible is a matter of a moment's scene: what hands hold, and how far they reach.
A skill that is possible may still fail, and then says why.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.embodied._control.arm_motion import CAREFUL, CLOSED, EAGER, LEAN, OPEN, Aim, Aims, Arm
from mmgames.embodied._control.scene import ControlTask, Pose, RobotScene, SkillResult, apart

Plan = Generator[Aim, None, str]
"""Aims, and at the end why it has failed; empty: it is done."""
Place = Callable[["SkillArm"], tuple[float, float, float]]

REACH = 0.8  # metres from the base, along the table, that fingers reach that point straight down
LEANING = 0.75  # from here on a hand leans, to lay something down
FURTHEST = 0.825  # where a hand that leans ends
HOME = 0.37, 0.25  # metres before the base and above the table
CUBE = 0.04  # the side of one
CLEARANCE = 0.08  # above what it takes and where it puts something down, a hand goes along
OFF = 0.06  # metres from where it should be: a hand that does not get closer is given up
PATIENCE = 30  # steps of control for one way
SLIPPED = "it slipped out of the fingers"
LATE = "it took too long"


class SkillArm(Arm):
    """An arm in a scene, and the skill that it is at."""

    def __init__(self, task: ControlTask, seat: Seat, scene: RobotScene) -> None:
        self.task, self.seat, self.scene = task, seat, scene

    def begin(self, skill: Skill) -> None:
        self.skill, self.steps = skill, 0
        self.failed: str | None = None  # None: it is not over yet
        self.lead(self.task, self.seat, self._whole())

    def _whole(self) -> Aims:
        """The skill; then the arm stays where it is, and keeps what it holds."""
        self.failed = yield from self.skill.plan(self)
        yield Aim(self.hand[:3], None, self.grip, near=-1, most=10_000)  # type: ignore[arg-type]

    @property
    def ended(self) -> bool:
        return self.failed is not None

    def move(self) -> np.ndarray:
        self.steps += not self.ended
        return super().move()

    def result(self, success: bool) -> SkillResult:
        """What came of the skill, now that nobody goes on; with the job done nothing is left to do."""
        failed = self.failed if self.failed is not None else "" if success else LATE
        return SkillResult(self.skill.name, failed, self.steps)

    @property
    def things(self) -> range:
        return range(len(self.scene.things))

    @property
    def held(self) -> int | None:
        """The thing in the hand."""
        return next((thing for thing in self.things if self.holds(thing)), None)

    @property
    def grip(self) -> float:
        return OPEN if self.held is None else CLOSED

    def taken(self, thing: int) -> bool:
        """Whether the other arm holds it."""
        return self.task.holds(self.scene, 1 - self.seat, thing)

    def away(self, point: Pose | tuple[float, ...]) -> float:
        """How far something is from the base, along the table."""
        return float(np.linalg.norm(np.subtract(point[:2], self.base[:2])))

    def hindered(self) -> str:
        """Why the hand is not where it should be."""
        near = apart(self.hand, self.scene.robots[1 - self.seat].hand) < 0.3
        return "the other arm is in the way" if near else "the hand did not get there"

    def still(self) -> bool:
        return max(map(abs, self.scene.robots[self.seat].speeds[:-2])) < 0.1


class Skill(NamedTuple):
    name: str
    possible: Callable[[SkillArm], bool]
    plan: Callable[[SkillArm], Plan]


def take(name: str, thing: int) -> Skill:
    """Grasp something and lift it."""

    def plan(arm: SkillArm) -> Plan:
        for aim in arm.grasp(thing):
            yield aim._replace(most=min(aim.most, PATIENCE))
            if arm.taken(thing) or apart(arm.hand, aim.point) > OFF:
                break
        if arm.holds(thing):
            yield Aim((*arm.hand[:2], arm.hand[2] + CLEARANCE), None, CLOSED, near=0.03, most=10)  # type: ignore[arg-type]
            if arm.holds(thing):
                return ""
            why = SLIPPED
        elif arm.taken(thing):
            why = "the other arm has it"
        elif apart(arm.hand, arm.thing(thing)) > CUBE:
            why = arm.hindered()
        else:
            why = "the fingers closed on nothing"
        yield from rise(arm)
        return why

    return Skill(
        name, lambda arm: arm.held is None and not arm.taken(thing) and arm.away(arm.thing(thing)) < REACH, plan
    )


def put(name: str, thing: int, place: Place, within: float, reach: float = REACH, upon: int | None = None) -> Skill:
    """Put what is held down somewhere, let go and leave; it is to end `within` so many metres of the place."""

    def possible(arm: SkillArm) -> bool:
        return arm.holds(thing) and arm.away(place(arm)) < reach and not (upon is not None and arm.taken(upon))

    def plan(arm: SkillArm) -> Plan:
        x, y, z = place(arm)
        others = (other for other in arm.things if other not in (thing, upon) and arm.thing(other)[2] > CUBE / 4)
        if any(apart(arm.thing(other), (x, y, z)) < CUBE for other in others):
            return "something lies there"
        far = arm.away((x, y)) > LEANING
        if far:
            share = min(1.0, FURTHEST / arm.away((x, y)))  # what of the way an arm can make
            x, y = arm.base[0] + share * (x - arm.base[0]), arm.base[1] + share * (y - arm.base[1])
        how = {"lean": LEAN, "pace": CAREFUL, "turned": 0.2} if far else {"pace": EAGER}
        yield Aim((*arm.hand[:2], z + CLEARANCE), None, CLOSED, near=0.03, most=10)  # type: ignore[arg-type]
        yield arm.carry(thing, (x, y, z + CLEARANCE), near=0.03, most=PATIENCE, **how)
        if arm.holds(thing) and apart(arm.thing(thing), (x, y, z + CLEARANCE)) > OFF:
            return arm.hindered()
        for height in (CLEARANCE / 2, 0.0) if upon is None else (CLEARANCE, CLEARANCE / 2, 0.0):
            yield arm.carry(thing, (x, y, z + height), near=0.006, most=12, **how)
        if not arm.holds(thing):
            yield from rise(arm)
            return SLIPPED
        yield from arm.stay(3, OPEN)
        yield from rise(arm)
        return "" if apart(arm.thing(thing), place(arm)) < within else "it did not stay there"

    return Skill(name, possible, plan)


def bring(name: str, thing: int, goal: int, within: float) -> Skill:
    """Hold something at a point in the air."""

    def plan(arm: SkillArm) -> Plan:
        for _ in range(PATIENCE):
            if not arm.holds(thing):
                yield from rise(arm)
                return SLIPPED
            if apart(arm.thing(thing), arm.thing(goal)) < within / 2 and arm.still():
                return ""
            yield arm.carry(thing, arm.thing(goal)[:3], near=-1, most=1)  # type: ignore[arg-type]
        return "" if apart(arm.thing(thing), arm.thing(goal)) < within else arm.hindered()

    return Skill(name, lambda arm: arm.holds(thing) and arm.away(arm.thing(goal)) < REACH, plan)


def let_go(name: str) -> Skill:
    def plan(arm: SkillArm) -> Plan:
        yield from arm.stay(3, OPEN)
        return "" if arm.held is None else "it sticks to the fingers"

    return Skill(name, lambda arm: arm.held is not None, plan)


def go_home(name: str) -> Skill:
    """Out of the other arm's way, with what is held."""

    def plan(arm: SkillArm) -> Plan:
        out, height = HOME
        home = arm.base[0], arm.base[1] - np.sign(arm.base[1]) * out, height
        yield Aim(home, None, arm.grip, near=0.05, turned=1.0, most=PATIENCE)
        return "" if apart(arm.hand, home) < 2 * OFF else arm.hindered()

    return Skill(name, lambda arm: True, plan)


def wait(name: str) -> Skill:
    """Stay for a moment, and as long as the other arm is at something."""

    def plan(arm: SkillArm) -> Plan:
        yield from arm.stay(5, arm.grip)
        return ""

    return Skill(name, lambda arm: True, plan)


def rise(arm: SkillArm) -> Aims:
    """With open fingers straight up, then a little towards the base."""
    x, y, z = arm.hand[:3]
    yield Aim((x, y, z + CLEARANCE), None, OPEN, near=CLEARANCE / 2, turned=1.0, most=4)
    back = np.subtract(arm.base[:2], (x, y)) / arm.away((x, y))
    yield Aim((x + 0.1 * back[0], y + 0.1 * back[1], z + 0.18), None, OPEN, near=0.08, turned=1.0, most=6)
