"""The engines of this process: lent to games, and used again when a game is closed or forgotten.

To open one takes half a second and memory that never comes back, and many games are made and thrown away: an engine
that nobody holds any more serves the next game of the same task. Two games never share one.
"""

from __future__ import annotations

import atexit
import itertools
import threading
import weakref
from collections.abc import Sequence
from typing import Any

from mmgames.embodied._control.world import ManiSkillTask, SimulatedWorld

MOST_IDLE = 2
"""So many engines of one kind wait for their next game; others are closed."""

_idle: dict[tuple[ManiSkillTask, tuple[str, ...]], list[SimulatedWorld]] = {}
_leases = itertools.count(1)
_lock = threading.RLock()


def lend(game: Any, task: ManiSkillTask, modes: Sequence[str]) -> SimulatedWorld:
    """An engine for a game alone, until it is taken back or the game is gone."""
    with _lock:
        waiting = _idle.get((task, tuple(modes)))
        world = waiting.pop() if waiting else SimulatedWorld(task, modes)
        world.lease = next(_leases)
        weakref.finalize(game, take_back, world, world.lease).atexit = False
    return world


def take_back(world: SimulatedWorld, lease: int) -> None:
    """The engine is free for others. To say so twice does no harm, even if another game has it by then."""
    with _lock:
        if world.lease != lease:
            return
        world.lease = 0
        waiting = _idle.setdefault((world.task, world.modes), [])
        if len(waiting) < MOST_IDLE:
            waiting.append(world)
        else:
            world.close()


@atexit.register
def _close_all() -> None:
    """Before the interpreter takes the driver apart: an engine that is closed after it brings the process down."""
    with _lock:
        for waiting in _idle.values():
            for world in waiting:
                world.close()
        _idle.clear()
