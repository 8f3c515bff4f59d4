"""Arms without physics: joints go where they are told, fingers hold what is between them, what is let go falls.

The arms are Pandas with the lengths and limits of their description, so hands reach as far as real ones. Nothing is
pushed, slips or rolls; two hands stop short of each other, and fingers at the table. The steps are compiled.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mmgames.core import registry
from mmgames.core.seeding import row_stream
from mmgames.embodied._control.scene import (
    HAND,
    ControlTask,
    ControlView,
    RobotScene,
    RobotState,
    World,
    matrix,
    standing,
)
from mmgames.embodied._control.table import DRAWN_BACK
from mmgames.embodied._scenes.solids import read, yaw
from mmgames.envs.played_rows import BatchArrays
from mmgames.kernels.compiling import compiled_in_background
from mmgames.kernels.kernel import kernel

JOINTS = np.array(read("panda", __package__)["joints"], np.float64)
FLANGE, FINGERS = 0.107, 0.1034  # metres from the last joint to the hand, and on to the point between the fingers
ASKED = 0.1  # metres or radians that the full number of an action asks for
SHARE = 0.39  # of what it is asked for, an arm makes in a step
STEP = 0.05  # seconds
OPEN, SHUT = 0.04, -0.01  # how far each finger is told to be from the middle
SOFT = 0.03  # near the end of its reach an arm gives way rather than to swing about
TIPS = 0.0095  # metres from the point between the fingers to their ends
PALM, APART = 0.06, 0.11  # palms are so far behind that point; they come no closer to each other
AROUND = 0.02  # what is so far beside the middle of the fingers, or before it, is not between them
NOISE = 0.02  # radians by which joints are off at the start
TURNS = np.zeros(7, np.bool_)  # no joint of an arm slides
ORIGINS = np.array(
    [((1, 0, 0, x), (0, 1 - abs(sine), -sine, y), (0, sine, 1 - abs(sine), z)) for sine, x, y, z, *_ in JOINTS]
    + [standing(0, 0, FLANGE + FINGERS, -math.pi / 4)[:3]]
)  # of its links and its hand, each in the frame of the one before


@kernel
def chain_frames(base, origins, slides, values, frames):
    """Axes (columns) and origin of every link of a chain that begins at a base, and of its tip, which has no joint.
    Links turn about their z axis, or slide along it."""
    frame = base.copy()
    for link in range(len(origins)):
        origin = origins[link]
        for row in range(3):
            x, y, z = frame[row, 0], frame[row, 1], frame[row, 2]
            for column in range(4):
                there = x * origin[0, column] + y * origin[1, column] + z * origin[2, column]
                frame[row, column] = there if column < 3 else frame[row, 3] + there
        if link < len(values) and slides[link]:
            for row in range(3):
                frame[row, 3] += values[link] * frame[row, 2]
        elif link < len(values):
            cos, sin = math.cos(values[link]), math.sin(values[link])
            for row in range(3):
                one, two = frame[row, 0], frame[row, 1]
                frame[row, 0], frame[row, 1] = cos * one + sin * two, cos * two - sin * one
        for row in range(3):
            for column in range(4):
                frames[link, row, column] = frame[row, column]


@kernel
def joint_changes(frames, slides, way, change):
    """How the joints of a chain change so that its tip, the last frame, makes a way (along three axes, then about
    them): damped least squares. Links turn about their z axis, or slide along it."""
    count = len(change)
    effect, system = np.empty((6, count)), np.empty((6, 7))
    for joint in range(count):
        for axis in range(3):
            after, last = (axis + 1) % 3, (axis + 2) % 3
            up = frames[count, last, 3] - frames[joint, last, 3]
            aside = frames[count, after, 3] - frames[joint, after, 3]
            effect[axis, joint] = frames[joint, after, 2] * up - frames[joint, last, 2] * aside
            effect[3 + axis, joint] = frames[joint, axis, 2]
            if slides[joint]:
                effect[axis, joint], effect[3 + axis, joint] = frames[joint, axis, 2], 0.0
    for row in range(6):
        for column in range(6):
            system[row, column] = SOFT * SOFT if row == column else 0.0
            for joint in range(count):
                system[row, column] += effect[row, joint] * effect[column, joint]
        system[row, 6] = way[row]
    for row in range(6):  # solved by elimination; the system is positive definite, so no row has to be swapped
        for other in range(6):
            factor = 0.0 if other == row else system[other, row] / system[row, row]
            for column in range(7):
                system[other, column] -= factor * system[row, column]
    for joint in range(count):
        change[joint] = 0.0
        for row in range(6):
            change[joint] += effect[row, joint] * system[row, 6] / system[row, row]


@kernel
def step_worlds(worlds, which, actions, by_hand, bases):
    """Everybody's action in some of the worlds; arms move one after the other, then what nobody holds falls."""
    frames, change, moved = np.empty((8, 3, 4)), np.empty(7), np.empty(7)
    for number in range(len(worlds)):
        if not which[number]:
            continue
        world = worlds[number]
        for arm in range(len(bases)):
            way, holds, old = SHARE * ASKED * actions[number, arm], world.held[arm], world.hands[arm].copy()
            change[:] = way[:7]
            if by_hand:
                low = TIPS if holds < 0 else max(TIPS, old[2, 3] - world.things[holds, 2, 3] + world.half[holds])
                way[2] = max(way[2], low - old[2, 3])
                chain_frames(bases[arm], ORIGINS, TURNS, world.joints[arm], frames)
                joint_changes(frames, TURNS, way, change)
            for joint in range(7):
                moved[joint] = min(max(world.joints[arm, joint] + change[joint], JOINTS[joint, 4]), JOINTS[joint, 5])
            chain_frames(bases[arm], ORIGINS, TURNS, moved, frames)
            hand = frames[7]
            world.speeds[arm] = 0.0
            into_table = hand[2, 3] < TIPS - 0.003 and hand[2, 3] < old[2, 3]
            if not into_table and not _too_close(world.hands, arm, hand):
                world.speeds[arm] = (moved - world.joints[arm]) / STEP
                world.joints[arm], world.hands[arm] = moved, hand
                if holds >= 0:
                    _carry(world.things[holds], old, hand)
            _close_or_open(world, arm, actions[number, arm, -1])
        for thing in range(len(world.half)):
            if world.half[thing] > 0.0 and not (world.held == thing).any():
                _fall(world, thing)


@kernel
def _too_close(hands, arm, hand):
    """Whether a hand would come closer to another one than hands can."""
    for other in range(len(hands)):
        far = before = 0.0
        for axis in range(3):
            palm = hands[other, axis, 3] - PALM * hands[other, axis, 2]
            far += (hand[axis, 3] - PALM * hand[axis, 2] - palm) ** 2
            before += (hands[arm, axis, 3] - PALM * hands[arm, axis, 2] - palm) ** 2
        if other != arm and far < APART * APART and far < before:
            return True
    return False


@kernel
def _carry(pose, old, new):
    """What is held goes and turns as the hand does."""
    for column in range(4):
        x, y, z = _inside(old, pose, column)
        for row in range(3):
            at = new[row, 3] if column == 3 else 0.0
            pose[row, column] = at + new[row, 0] * x + new[row, 1] * y + new[row, 2] * z


@kernel
def _inside(hand, pose, column):
    """An axis of a pose, or its origin, in the frame of a hand."""
    x = y = z = 0.0
    for row in range(3):
        way = pose[row, column] - (hand[row, 3] if column == 3 else 0.0)
        x, y, z = x + hand[row, 0] * way, y + hand[row, 1] * way, z + hand[row, 2] * way
    return x, y, z


@kernel
def _close_or_open(world, arm, told):
    """Fingers that close bring what is between them into their middle, and hold it once they touch it."""
    aim, before = SHUT + (told + 1.0) / 2.0 * (OPEN - SHUT), world.gaps[arm]
    gap, holds, hand = min(max(before + SHARE * (aim - before), 0.0), OPEN), world.held[arm], world.hands[arm]
    if holds >= 0:
        holds = holds if aim < world.half[holds] else -1
        gap = world.half[holds] if holds >= 0 else gap
    for thing in range(len(world.half)):
        half = world.half[thing]
        if holds >= 0 or half == 0.0 or (world.held == thing).any():
            continue
        across, aside, ahead = _inside(hand, world.things[thing], 3)
        if abs(across) > AROUND or abs(ahead) > AROUND or abs(aside) > max(before - half, 0.0) + 0.004:
            continue
        free = max(gap - half, 0.0)
        for row in range(3):
            world.things[thing, row, 3] += (min(max(aside, -free), free) - aside) * hand[row, 1]
        if gap <= half and aim < half and before > gap:
            gap, holds = half, thing
    world.gaps[arm], world.held[arm] = gap, holds


@kernel
def _fall(world, thing):
    """Down to the table, or onto what lies below; what has its middle beside that slides off it."""
    pose, half, support = world.things[thing], world.half[thing], 0.0
    for other in range(len(world.half)):
        lower, both = world.things[other], half + world.half[other]
        x, y, above = pose[0, 3] - lower[0, 3], pose[1, 3] - lower[1, 3], pose[2, 3] - lower[2, 3]
        far = math.hypot(x, y)
        if other == thing or world.half[other] == 0.0 or above < 0.6 * both or far > 1.2 * both:
            continue
        if far <= 0.6 * both:
            support = max(support, lower[2, 3] + world.half[other])
        else:
            pose[0, 3], pose[1, 3] = lower[0, 3] + x / far * 1.25 * both, lower[1, 3] + y / far * 1.25 * both
    level = max(math.hypot(pose[0, 0], pose[1, 0]), 1e-9)
    cos, sin = pose[0, 0] / level, pose[1, 0] / level  # flat, with the heading it had
    pose[:, :3], pose[2, 3] = 0.0, support + half
    pose[0, 0], pose[1, 1], pose[0, 1], pose[1, 0], pose[2, 2] = cos, cos, -sin, sin, 1.0


@kernel
def tell_worlds(worlds, numbers):
    """Of every arm its joints and their speeds, two fingers included, and the pose of its hand; then all things."""
    for number in range(len(worlds)):
        world, told = worlds[number], numbers[number]
        for arm in range(len(world.held)):
            own = told[25 * arm : 25 * arm + 25]
            own[:7], own[7:9], own[9:16], own[16:18] = world.joints[arm], world.gaps[arm], world.speeds[arm], 0.0
            _tell_pose(world.hands[arm], own[18:])
        for thing in range(len(world.half)):
            _tell_pose(world.things[thing], told[25 * len(world.held) + 7 * thing :])


@kernel
def _tell_pose(frame, told):
    """Place and quaternion of a frame."""
    a, b, c = frame[0, 0], frame[1, 1], frame[2, 2]
    w, x, y, z = 1 + a + b + c, 1 + a - b - c, 1 - a + b - c, 1 - a - b + c  # four times their squares
    if w >= max(x, y, z):
        x, y, z = frame[2, 1] - frame[1, 2], frame[0, 2] - frame[2, 0], frame[1, 0] - frame[0, 1]
    elif x >= max(y, z):
        w, y, z = frame[2, 1] - frame[1, 2], frame[1, 0] + frame[0, 1], frame[0, 2] + frame[2, 0]
    elif y >= z:
        w, x, z = frame[0, 2] - frame[2, 0], frame[1, 0] + frame[0, 1], frame[2, 1] + frame[1, 2]
    else:
        w, x, y = frame[1, 0] - frame[0, 1], frame[0, 2] + frame[2, 0], frame[2, 1] + frame[1, 2]
    size = math.sqrt(w * w + x * x + y * y + z * z)
    told[:3] = frame[:, 3]
    told[3], told[4], told[5], told[6] = w / size, x / size, y / size, z / size


class KinematicWorld(World):
    """One scene of a task, as `world.SimulatedWorld` is one, or many; `judge` says what there is said by ManiSkill."""

    def __init__(
        self, task: ControlTask, modes: Sequence[str], judge: Callable[[RobotScene], Sequence[Any]], count: int = 1
    ) -> None:
        super().__init__(task, modes)
        self.judge, self.by_hand, arms, things = judge, modes[0] == HAND, len(task.bases), len(task.starts)
        self.bases = np.array([standing(*base)[:3] for base in task.bases])
        shapes = {"joints": (arms, 7), "speeds": (arms, 7), "gaps": (arms,), "hands": (arms, 3, 4)}
        shapes |= {"things": (things, 3, 4), "half": (things,)}
        kinds = [(name, np.float64, shape) for name, shape in shapes.items()]
        self.worlds = np.zeros(count, [*kinds, ("held", np.int64, (arms,))])
        self.numbers, self.all = np.zeros((count, 25 * arms + 7 * things)), np.ones(count, np.bool_)

    def start(self, number: int, seed: int) -> None:
        """Set up one of the scenes."""
        rng, world = np.random.default_rng(seed), self.worlds[number]
        world["joints"] = np.array(DRAWN_BACK[:7]) + rng.normal(0, NOISE, world["joints"].shape)
        world["speeds"], world["gaps"], world["held"] = 0.0, OPEN, -1
        frames = np.empty((8, 3, 4))
        for arm, base in enumerate(self.bases):
            compiled_in_background(chain_frames)(base, ORIGINS, TURNS, world["joints"][arm], frames)
            world["hands"][arm] = frames[7]
        for thing, start in enumerate(self.task.starts):
            turn = start.turn or yaw(rng.uniform(-math.pi, math.pi))
            world["half"][thing], world["things"][thing, :, :3] = start.half, matrix((0, 0, 0, *turn))
            world["things"][thing, :, 3] = rng.uniform(start.low, start.high)

    def reset(self, seed: int) -> RobotScene:
        self.start(0, seed)
        return self._look()

    def step(self, moves: Sequence[np.ndarray]) -> RobotScene:
        self.advance(np.array([moves], np.float64), self.all)
        return self._look()

    def advance(self, actions: np.ndarray, which: np.ndarray) -> None:
        """A step in some of the scenes; actions are [scene, arm, number]."""
        compiled_in_background(step_worlds)(self.worlds, which, actions, self.by_hand, self.bases)

    def _look(self) -> RobotScene:
        scene = self.look(lambda numbers: tuple(numbers[:, 0].tolist()))
        self.scene_now = scene._replace(facts=tuple(map(bool, scene.facts)))
        return self.scene_now

    def look(self, each: Callable[[np.ndarray], Any] = np.asarray) -> RobotScene:
        """All scenes as one, with an array for every number; or what `each` makes of arrays [number, scene]."""
        compiled_in_background(tell_worlds)(self.worlds, self.numbers)
        told, held, robots = each(self.numbers.T), each(self.worlds["held"].T), []
        for arm, (x, y, z, turn) in enumerate(self.task.bases):
            own = told[25 * arm : 25 * arm + 25]
            robots.append(RobotState((x, y, z, *yaw(turn)), own[:9], own[9:18], own[18:]))
        rest = told[25 * len(held) :]
        things = tuple(rest[at : at + 7] for at in range(0, len(rest), 7))
        grasps = [held[robot] == self.task.things.index(name) for robot, name in self.task.grasps]
        scene = RobotScene(tuple(robots), things, tuple(grasps))
        return scene._replace(facts=(*grasps, *self.judge(scene)))


class KinematicRows:
    """What `PlayedRows` does for games one by one, for episodes of a ControlGame whose actions are numbers: all of them
    are stepped at once, and are the same."""

    def __init__(self, env_id: str, options: dict[str, Any], max_steps: int | None, arrays: BatchArrays) -> None:
        loaded, count = registry.load(env_id), len(arrays.which)
        game: Any = loaded.game(**options)
        self.game, self.world = game, KinematicWorld(game.task, game.modes, game.judge, count)
        self.features = loaded.picture.features
        self.most = min(self.game.spec.length, max_steps or self.game.spec.length)
        self.arrays, self.begun, self.reached = arrays, np.zeros(count), np.zeros(count)

    def begin(self) -> None:
        """Start the episodes of `which`."""
        self._go_on(self.arrays.which.copy())

    def step(self) -> None:
        """Play a transition of the episodes of `which`; those that are over start anew, and pay nothing."""
        arrays = self.arrays
        fresh = arrays.which & (arrays.terminated | arrays.truncated)
        arrays.episodes[fresh] += 1
        played = arrays.which & ~fresh
        self.world.advance(arrays.actions[:, :, : self.game.sizes[0]].astype(np.float64), played)
        arrays.steps[played] += 1
        self._go_on(fresh)

    def _go_on(self, fresh: np.ndarray) -> None:
        """Start some episodes, and look at all of them."""
        arrays, game = self.arrays, self.game
        for row in np.flatnonzero(fresh).tolist():
            stream = row_stream(int(arrays.seeds[row]), f"episode {arrays.episodes[row]}")
            self.world.start(row, int(np.random.default_rng(stream).integers(2**63)))
        scene = self.world.look()
        progress = game.progress(scene)
        self.begun[fresh], self.reached[fresh], arrays.steps[fresh] = progress[fresh], 0.0, 0
        reached = np.maximum(self.reached, (progress - self.begun) / (1 - self.begun))
        success, late = game.success(scene), arrays.steps >= self.most
        own = arrays.which
        arrays.rewards[own] = (reached - self.reached)[own, None]
        arrays.terminated[own] = (success | (arrays.steps >= game.spec.length))[own]
        arrays.truncated[own] = (late & ~arrays.terminated)[own]
        self.reached = reached
        for seat in range(len(game.seats)):
            view: Any = ControlView(seat, scene._replace(reached=reached), 0, False, 0)  # type: ignore[arg-type]
            arrays.features[own, seat] = self.features(view._replace(over=arrays.terminated)).T[own]
        arrays.masks[own] = ~arrays.terminated[own, None, None]

    def close(self) -> None:
        """There is nothing to give back."""
