"""Pong: the cartridge keeps the rules, an emulator runs it, and states are snapshots of the emulator.

All chance is drawn from `rng` (the no-op steps at the start, the sticky actions); the emulator itself has none.
"""

import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol

import ale_py
import numpy as np
from ale_py import roms

from mmgames.core.game import Game, Seat
from mmgames.errors import MmgamesError

STAY, UP, DOWN = range(3)
ACTIONS = ("<STAY>", "<UP>", "<DOWN>")
LEGAL = range(len(ACTIONS))
KEYS = (0, 3, 4)  # what the emulator calls these: no-op, right, left (the paddle's knob)

FRAMES_PER_STEP = 4
NOOPS = 30  # at most; at least one
STEPS = 1000

SCREEN = (210, 160)
FIELD = 160  # the field is square; its top left corner is the origin, y grows downwards
# Where the cartridge keeps things in its 128 bytes, and how far these numbers are from the place in the field.
LEFT_POINTS, RIGHT_POINTS, BALL_X, LEFT_Y, RIGHT_Y, BALL_Y = 13, 14, 49, 50, 51, 54
BALL_OFF_X, BALL_OFF_Y, LEFT_OFF, RIGHT_OFF = 48, 46, 41, 39
LEFT_NEXT, RIGHT_NEXT = 21, 60  # where it takes the paddles' places from when it draws the next frame


class Scene(NamedTuple):
    """Where things are in the field: the middle of the ball (None while it is out of play) and of both paddles."""

    ball: tuple[int, int] | None
    left: int
    right: int


class PongState(NamedTuple):
    """A snapshot of the emulator with the picture it shows; a plain value."""

    snapshot: bytes
    frame: bytes  # the screen as colour numbers, row by row
    scene: Scene
    before: Scene  # one step earlier
    points: tuple[int, int]  # left, right
    held: tuple[int, ...]  # what each seat's knob did in the last frame
    step: int


class PongView(NamedTuple):
    """Everything is on the screen, so a view is the seat, the screen and where things are on it."""

    seat: Seat | None
    frame: bytes
    scene: Scene
    before: Scene
    points: tuple[int, int]
    target: int
    step: int
    over: bool
    computer: bool  # whether the cartridge plays the left paddle


class Emulator(Protocol):
    """A machine that can be put at any snapshot. It is fastest when it goes on from the one it made last."""

    def first(self) -> bytes:
        """The snapshot of a fresh game."""

    def run(self, snapshot: bytes, keys: Sequence[tuple[int, ...]]) -> tuple[bytes, bytes, bytes]:
        """Hold these keys, one tuple (a key per player) for each frame; the new snapshot, memory and screen."""


class Ale:
    """The Arcade Learning Environment with the cartridge in it."""

    def __init__(self) -> None:
        ale_py.ALEInterface.setLoggerMode(ale_py.LoggerMode.Error)
        self._ale = ale_py.ALEInterface()
        self._ale.setFloat("repeat_action_probability", 0.0)
        self._ale.loadROM(cartridge())
        self._at = b""

    def first(self) -> bytes:
        self._ale.reset_game()
        self._at = self._ale.cloneState().serialize()
        return self._at

    def run(self, snapshot: bytes, keys: Sequence[tuple[int, ...]]) -> tuple[bytes, bytes, bytes]:
        ale = self._ale
        if snapshot != self._at:
            ale.restoreState(ale_py.ALEState(snapshot))
        for (key,) in keys:
            ale.act(key)
        self._at = ale.cloneState().serialize()
        return self._at, ale.getRAM().tobytes(), ale.getScreen().tobytes()

    def written(self, snapshot: bytes, memory: Mapping[int, int]) -> bytes:
        """The snapshot with other values at these places of the memory."""
        self._ale.restoreState(ale_py.ALEState(snapshot))
        for place, value in memory.items():
            self._ale.setRAM(place, value)
        self._at = self._ale.cloneState().serialize()
        return self._at


def cartridge() -> Path:
    """The file with the game, which ale-py brings along."""
    try:
        found = roms.get_rom_path("pong")
    except OSError as error:
        raise MmgamesError(
            f"The cartridge of Pong, which ale-py brings along, cannot be read ({str(error).splitlines()[0]}); "
            "reinstall ale-py, or unset ALE_ROMS_DIR if it is set."
        ) from error
    assert found is not None
    return found


def read_scene(memory: bytes) -> Scene:
    ball = (memory[BALL_X] - BALL_OFF_X, memory[BALL_Y] - BALL_OFF_Y) if memory[BALL_Y] else None
    return Scene(ball, memory[LEFT_Y] - LEFT_OFF, memory[RIGHT_Y] - RIGHT_OFF)


_here = threading.local()


class Pong(Game[PongState, PongView]):
    """One seat, the right paddle, against the cartridge's own player."""

    emulator: ClassVar[type] = Ale
    computer: ClassVar[bool] = True

    def __init__(self, spec: Any, **options: Any) -> None:
        super().__init__(spec, **options)
        self.target: int = self.options["points"]
        self.sticky: float = self.options["sticky"]

    @property
    def num_actions(self) -> int:
        return len(ACTIONS)

    @classmethod
    def machine(cls) -> Emulator:
        """This thread's emulator, made when it is first needed."""
        try:
            return getattr(_here, cls.__name__)
        except AttributeError:
            machine = cls.emulator()
            setattr(_here, cls.__name__, machine)
            return machine

    def start(self, rng: np.random.Generator) -> PongState:
        return self._waited(int(rng.integers(1, NOOPS + 1)))

    @classmethod
    @cache
    def _waited(cls, steps: int) -> PongState:
        """The game after so many steps without touching a knob; they do not count as steps of the episode."""
        machine = cls.machine()
        idle = (KEYS[STAY],) * (1 if cls.computer else 2)
        snapshot, memory, _ = machine.run(machine.first(), (idle,) * (FRAMES_PER_STEP * (steps - 1)))
        before = read_scene(memory)
        snapshot, memory, frame = machine.run(snapshot, (idle,) * FRAMES_PER_STEP)
        return PongState(snapshot, frame, read_scene(memory), before, _points(memory), idle, 0)

    @classmethod
    @cache
    def _running(cls, points: tuple[int, int]) -> bytes:
        """A machine whose ball is in play, whose paddles are both there, and which is about to show these points."""
        state, machine = cls._waited(NOOPS), cls.machine()
        snapshot, scene = state.snapshot, state.scene
        while scene.ball is None or scene.left < 0:
            snapshot, memory, _ = machine.run(snapshot, ((KEYS[STAY],),))
            scene = read_scene(memory)
        assert isinstance(machine, Ale)
        counted = machine.written(snapshot, {LEFT_POINTS: points[0], RIGHT_POINTS: points[1]})
        return machine.run(counted, ((KEYS[STAY],),))[0]  # figures change a frame later than the points do

    def placed(self, scene: Scene, points: tuple[int, int]) -> PongState:
        """The game with everything at these places, to within what moves in one frame; play does not come here."""
        machine = self.machine()
        assert isinstance(machine, Ale) and scene.ball is not None
        x, y = scene.ball
        places = {BALL_X: x + BALL_OFF_X, BALL_Y: y + BALL_OFF_Y}
        places |= {LEFT_NEXT: scene.left + LEFT_OFF, RIGHT_NEXT: scene.right + RIGHT_OFF}
        still = (KEYS[STAY],)
        snapshot, memory, frame = machine.run(machine.written(self._running(points), places), (still,))
        shown = read_scene(memory)
        return PongState(snapshot, frame, shown, shown, _points(memory), still, 0)

    def movers(self, state: PongState) -> tuple[Seat, ...]:
        return () if max(state.points) >= self.target or state.step >= STEPS else tuple(range(len(self.seats)))

    def legal(self, state: PongState, seat: Seat) -> Sequence[int]:
        return LEGAL

    def play(self, state: PongState, actions: Mapping[Seat, int], rng: np.random.Generator) -> PongState:
        keys = self._stick(state.held, [KEYS[actions[seat]] for seat in range(len(self.seats))], rng)
        snapshot, memory, frame = self.machine().run(state.snapshot, self._pressed(state, keys))
        points, scene = _points(memory), read_scene(memory)
        return PongState(snapshot, frame, scene, state.scene, points, keys[-1], state.step + 1)

    def _stick(self, held: tuple[int, ...], wanted: list[int], rng: np.random.Generator) -> list[tuple[int, ...]]:
        """The keys of each frame: a knob goes on doing what it did with probability `sticky`."""
        stuck = (rng.random((FRAMES_PER_STEP, len(wanted))) < self.sticky).tolist()
        keys = []
        for row in stuck:
            held = tuple(old if sticks else new for old, new, sticks in zip(held, wanted, row, strict=True))
            keys.append(held)
        return keys

    def _pressed(self, state: PongState, keys: list[tuple[int, ...]]) -> Sequence[tuple[int, ...]]:
        return keys

    def returns(self, state: PongState) -> Sequence[float]:
        left, right = state.points
        return (float(right - left),)

    def view(self, state: PongState, seat: Seat | None) -> PongView:
        over = not self.movers(state)
        return PongView(
            seat, state.frame, state.scene, state.before, state.points, self.target, state.step, over, self.computer
        )

    def outcome(self, state: PongState) -> Any:
        """Where everything is now and what it does from here on; how the knob was held is left out."""
        return state.snapshot, state.frame, state.points, state.step

    def events(self, state: PongState) -> Mapping[str, int]:
        left, right = state.points
        return {"points for left": left, "points for right": right}


def _points(memory: bytes) -> tuple[int, int]:
    return memory[LEFT_POINTS], memory[RIGHT_POINTS]
