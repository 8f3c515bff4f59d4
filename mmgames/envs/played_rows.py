"""Rows of a batch that are played one after the other, for games without a compiled kernel; here or in a process.

All that is said between the batch (process_batch.py) and its rows stands in arrays that they share.
"""

from __future__ import annotations

import importlib
import signal
from dataclasses import dataclass, fields
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
from gymnasium import spaces

from mmgames.core import registry
from mmgames.core.actions import from_unit
from mmgames.core.constants import ILLEGAL_REWARD
from mmgames.core.live import LiveGame
from mmgames.core.seeding import row_stream
from mmgames.errors import MmgamesError
from mmgames.text.refusals import Illegal

BEGIN, STEP, END = "begin", "step", "end"


@dataclass(frozen=True)
class BatchArrays:
    """How all episodes of a batch stand; the first axis is the episode, the second one, where there is one, a seat."""

    features: np.ndarray
    masks: np.ndarray
    """Which actions are legal; in box games which of the numbers are asked for. Nothing for who is not to move."""
    rewards: np.ndarray
    offends: np.ndarray
    """Whose action was illegal."""
    terminated: np.ndarray
    truncated: np.ndarray
    seeds: np.ndarray
    """From which all episodes of a row are made."""
    episodes: np.ndarray
    """How many the row has had before this one."""
    steps: np.ndarray
    """How many transitions this episode has had."""
    actions: np.ndarray
    """What the rows are told to play; in box games numbers from -1 to 1 for each seat."""
    which: np.ndarray
    """The rows that the next command is for."""

    def part(self, first: int, last: int) -> BatchArrays:
        return BatchArrays(**{field.name: getattr(self, field.name)[first:last] for field in fields(self)})


def rows_of(env_id: str, options: dict[str, Any], max_steps: int | None, arrays: BatchArrays) -> Any:
    """The rows of a game: those that its simulator brings, or games one after the other."""
    made: Any = PlayedRows
    if own := registry.load(env_id).game(**options).spec.simulator.rows:
        module, _, name = own.partition(":")
        made = getattr(importlib.import_module(module), name)
    return made(env_id, options, max_steps, arrays)


class PlayedRows:
    """Some episodes of a game, each with a game of its own, as simulators have to be."""

    def __init__(self, env_id: str, options: dict[str, Any], max_steps: int | None, arrays: BatchArrays) -> None:
        loaded = registry.load(env_id)
        self.arrays, self.max_steps = arrays, max_steps
        self.rows = [LiveGame(loaded, loaded.game(**options)) for _ in range(len(arrays.which))]
        for live in self.rows:
            live.game.leave_pictures_out()

    def begin(self) -> None:
        """Start the episodes of `which`."""
        for row in np.flatnonzero(self.arrays.which).tolist():
            self._begin(row)

    def step(self) -> None:
        """Play a transition of the episodes of `which`; those that are over start anew, and pay nothing."""
        arrays = self.arrays
        for row in np.flatnonzero(arrays.which).tolist():
            if arrays.terminated[row] or arrays.truncated[row]:
                arrays.episodes[row] += 1
                self._begin(row)
            else:
                self._play(row)

    def _begin(self, row: int) -> None:
        arrays, live = self.arrays, self.rows[row]
        seed = row_stream(int(arrays.seeds[row]), f"episode {arrays.episodes[row]}")
        live.start(np.random.default_rng(seed))
        arrays.rewards[row], arrays.offends[row], arrays.steps[row] = 0.0, False, 0
        arrays.terminated[row], arrays.truncated[row] = not live.movers, False
        self._look(row)

    def _play(self, row: int) -> None:
        arrays, live = self.arrays, self.rows[row]
        moves: dict[int, Any] = {}
        for seat in live.movers:
            given, space = arrays.actions[row, seat], live.space(seat)
            if isinstance(space, spaces.Box):
                moves[seat] = from_unit(space, given)
                continue
            moves[seat] = live.check(seat, int(given))
            arrays.offends[row, seat] = isinstance(moves[seat], Illegal)
        offends = arrays.offends[row]
        arrays.steps[row] += 1
        if offends.any():
            arrays.rewards[row] = ILLEGAL_REWARD * offends
            arrays.terminated[row], arrays.masks[row] = True, 0
            return
        arrays.rewards[row] = live.play(moves)
        arrays.terminated[row] = not live.movers
        arrays.truncated[row] = bool(live.movers) and self.max_steps is not None and arrays.steps[row] >= self.max_steps
        self._look(row)

    def _look(self, row: int) -> None:
        arrays, live = self.arrays, self.rows[row]
        for seat in range(len(live.game.seats)):
            seen = live.features(seat)
            arrays.features[row, seat, : seen.size] = seen
            space = live.space(seat)
            if isinstance(space, spaces.Box):
                arrays.masks[row, seat, : space.low.size] = seat in live.movers
            else:
                arrays.masks[row, seat] = live.mask(seat)

    def close(self) -> None:
        for live in self.rows:
            live.game.close()


def serve(
    pipe: Connection, env_id: str, options: dict[str, Any], max_steps: int | None, kinds: dict[str, Any], shared: Any,
    first: int, last: int,
) -> None:  # fmt: skip
    """What a process does: plays the rows from `first` to `last` as it is told, until nobody tells it anything more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is the batch's business
    try:
        rows = rows_of(env_id, options, max_steps, arrays_in(shared, kinds).part(first, last))
        pipe.send("")
        while (command := pipe.recv()) != END:
            {BEGIN: rows.begin, STEP: rows.step}[command]()
            pipe.send("")
        rows.close()
    except (EOFError, BrokenPipeError):
        pass  # the batch is gone
    except MmgamesError as error:
        pipe.send(str(error))
    except Exception as error:
        pipe.send(f"{type(error).__name__}: {error}")


def arrays_in(memory: dict[str, Any], kinds: dict[str, Any]) -> BatchArrays:
    """Arrays over memory; `kinds` says of each its shape and its dtype."""
    made = {name: np.frombuffer(memory[name], kind).reshape(shape) for name, (shape, kind) in kinds.items()}
    return BatchArrays(**made)
