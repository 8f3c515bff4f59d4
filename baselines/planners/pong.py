"""Pong's tracker: be where the ball arrives, and return it where the other paddle cannot follow."""

import itertools
import math
from functools import lru_cache

import numpy as np

from mmgames.agents.base import Agent
from mmgames.core.game import Game, Seat
from mmgames.core.turn import Turn
from mmgames.games.pong.rules import FIELD, LEGAL, PongView

# Measured on the cartridge, in units of the field and in steps.
MEETING = 141  # how far across the ball is when it meets the right paddle
TOP, BOTTOM = -1, 160  # where the ball turns round
CROSSING = 30  # how long it flies to the other side
LOWEST, HIGHEST = 163, 0  # how far a paddle goes
PUSH, SLIDE, KEEP = 10.0, 13.0, 0.25  # a step of action moves a paddle by PUSH at once and leaves it SLIDE to slide,
# of which it makes all but a quarter in the next step, and so on
MOST_SLIDE = 22.0
OTHERS_PACE = 7  # how fast the cartridge's own player follows the ball
# A ball that meets the rim of a paddle flies off steeply: down by 8 a step below the middle, up by 8 above it.
RIM = 8
SHOTS = {8: -RIM, -8: RIM}
AHEAD = 4  # actions planned at once
DIRECTION = np.array([0, -1, 1])  # of STAY, UP, DOWN


class Tracker(Agent):
    """Plans a few actions ahead so that the paddle's rim meets the ball, on the side the other paddle is worse at."""

    def __init__(self) -> None:
        self._slides = 0.0
        self._choices: list[int] = []

    def begin(self, game: Game, seat: Seat) -> None:
        self._slides = 0.0

    def act(self, turn: Turn) -> int:
        action, self._choices, self._slides = decide(turn.view, bool(turn.seat), self._slides)
        return action

    def choices(self, turn: Turn) -> list[int]:
        """The actions that plans begin with which bring the paddle equally close to where it should be."""
        return self._choices


def decide(view: PongView, on_the_left: bool, slid_on: float) -> tuple[int, list[int], float]:
    """The action, all that are as good, and how far the paddle will still slide; `slid_on` is how far it would have
    slid a step ago."""
    mine, earlier = (view.scene.left, view.before.left) if on_the_left else (view.scene.right, view.before.right)
    # What the paddle moved tells how much of the last action came through.
    slides = (mine - earlier) * SLIDE / PUSH - slid_on * (SLIDE / PUSH * (1 - KEEP) - KEEP)
    slides = min(max(slides, -MOST_SLIDE), MOST_SLIDE)
    wanted, when = aim(view, on_the_left)
    steps = min(AHEAD, max(1, math.ceil(when)))
    first, paths, slid = plans(steps)
    heights = np.clip(mine + paths + slid * slides, HIGHEST, LOWEST)
    whole = min(max(math.ceil(when) - 1, 0), steps - 1)
    part = min(when - whole, 1.0)
    reached = heights[:, whole] * (1 - part) + heights[:, whole + 1] * part
    misses = np.abs(reached - wanted).round(1)
    return int(first[np.argmin(misses)]), sorted(set(first[misses == misses.min()].tolist())), slides


def aim(view: PongView, on_the_left: bool) -> tuple[float, float]:
    """Where the middle of the paddle ought to be, and in how many steps."""
    ball, before = view.scene.ball, view.before.ball
    if ball is None:
        return FIELD / 2, AHEAD
    if before is None:
        return ball[1], AHEAD
    speed, along = ball[0] - before[0], ball[1] - before[1]
    way = MEETING - ball[0]
    other = view.scene.left
    if on_the_left:
        speed, way, other = -speed, MEETING - (FIELD - ball[0]), view.scene.right
    if speed <= 0 or way <= 0:
        return ball[1], AHEAD
    when = way / speed
    arrives = fly(ball[1], along, when)[0]
    waits = other + min(max(arrives - other, -OTHERS_PACE * when), OTHERS_PACE * when)
    shot = max(SHOTS, key=lambda leaves: _escapes(arrives, leaves, waits))
    return arrives + SHOTS[shot], when


def fly(y: float, along: float, steps: float) -> tuple[float, float]:
    """Height and vertical speed of a ball after so many steps between the edges."""
    span = BOTTOM - TOP
    turned = (y + along * steps - TOP) % (2 * span)
    back = turned > span
    return TOP + (2 * span - turned if back else turned), -along if back else along


def _escapes(y: float, along: float, other: float) -> float:
    """How far from the other paddle a returned ball crosses, if that paddle follows it as fast as it can."""
    for step in range(1, CROSSING + 1):
        ball = fly(y, along, step)[0]
        other += min(max(ball - other, -OTHERS_PACE), OTHERS_PACE)
    return abs(ball - other)


@lru_cache(maxsize=AHEAD)
def plans(steps: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All sequences of so many actions, the calmest first: their first actions, how far each moves a resting paddle
    after 0, 1, … steps, and which share of an old slide is made by then."""
    sequences = np.array(sorted(itertools.product(LEGAL, repeat=steps), key=lambda plan: sum(map(bool, plan))))
    paths = np.zeros((len(sequences), steps + 1))
    slides = np.zeros(len(sequences))
    for step in range(steps):
        push = DIRECTION[sequences[:, step]]
        paths[:, step + 1] = paths[:, step] + PUSH * push + (1 - KEEP) * slides
        slides = KEEP * slides + SLIDE * push
    return sequences[:, 0], paths, 1 - KEEP ** np.arange(steps + 1)
