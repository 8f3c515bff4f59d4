"""Kernel games: rules over one small integer row, played one at a time or thousands at once by the same kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import numpy as np

from mmgames.core.game import Action, Game, Seat
from mmgames.core.kernel import below, kernel, noise, scramble

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
ROW = np.int32
ViewT = TypeVar("ViewT")


@dataclass(frozen=True)
class Kernel:
    """The compiled rules of a game over a row of `width` integers.

    start(row, noise)                      fills the row with a fresh position
    step(row, actions, noise, rewards)     plays one transition, fills rewards[seat], says whether it is over
    features(row, seat, out)               writes the seat's features, each within [-1, 1]
    settings                               the row's first integers, made from the options; start leaves them alone
    mask(row, seat, out)                   writes 1 for each legal action of the seat and 0 for the others, all 0 when
                                           it is not to move; step then gets no illegal action of a mover.
                                           None: everybody may always do everything
    """

    width: int
    num_features: int
    start: Callable[..., Any]
    step: Callable[..., Any]
    features: Callable[..., Any]
    settings: tuple[int, ...] = ()
    mask: Callable[..., Any] | None = None


class RowState:
    """A state that is one row of integers: copies, pickles and compares by value."""

    __slots__ = ("row",)

    def __init__(self, row: np.ndarray) -> None:
        self.row = row

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RowState) and np.array_equal(self.row, other.row)

    def __hash__(self) -> int:
        return hash(self.row.tobytes())

    def __repr__(self) -> str:
        return f"RowState({self.row.tolist()})"


class KernelGame(Game[RowState, ViewT]):
    """A game whose rules are a Kernel. Subclasses say who moves, what is legal, the returns and the views."""

    kernel: Kernel

    def start(self, rng: np.random.Generator) -> RowState:
        row = np.zeros(self.kernel.width, ROW)
        row[: len(self.kernel.settings)] = self.kernel.settings
        self.kernel.start(row, noise(rng))
        return RowState(row)

    def play(self, state: RowState, actions: Mapping[Seat, Action], rng: np.random.Generator) -> RowState:
        row = state.row.copy()
        chosen = np.array([actions.get(seat, 0) for seat in range(len(self.seats))], np.int64)
        self.kernel.step(row, chosen, noise(rng), np.empty(len(self.seats), np.float32))
        return RowState(row)

    def state_of(self, row: np.ndarray) -> RowState:
        """The state that a row of the batched face stands for."""
        return RowState(row.copy())


class RowAgent:
    """An agent whose policy is a kernel `policy(row, seat, noise) -> action`, so that it also plays batched."""

    policy: ClassVar[Any]

    def act(self, turn: Any) -> Action:
        return int(type(self).policy(turn.imagine().row, turn.seat, noise(turn.rng)))


@kernel
def start_rows(start, features, rows, streams, feats, first, last):
    for i in range(first, last):
        start(rows[i], scramble(streams[i]))
        streams[i] += GOLDEN
        for seat in range(feats.shape[1]):
            features(rows[i], seat, feats[i, seat])


@kernel
def step_rows(start, step, features, rows, streams, actions, rewards, over, feats, first, last):
    """One transition for each row; a row that was over before starts anew instead (next-step autoreset)."""
    for i in range(first, last):
        noise = scramble(streams[i])
        streams[i] += GOLDEN
        if over[i]:
            start(rows[i], noise)
            over[i] = False
            rewards[i, :] = 0.0
        else:
            over[i] = step(rows[i], actions[i], noise, rewards[i])
        for seat in range(feats.shape[1]):
            features(rows[i], seat, feats[i, seat])


@kernel
def start_masked_rows(start, features, mask, rows, streams, feats, masks, first, last):
    for i in range(first, last):
        start(rows[i], scramble(streams[i]))
        streams[i] += GOLDEN
        for seat in range(feats.shape[1]):
            features(rows[i], seat, feats[i, seat])
            mask(rows[i], seat, masks[i, seat])


@kernel
def step_masked_rows(
    start, step, features, mask, rows, streams, actions, rewards, over, feats, masks, illegal_reward, first, last
):
    """As `step_rows`; an illegal action of a mover ends the row as it stands and only its offenders pay for it."""
    for i in range(first, last):
        noise = scramble(streams[i])
        streams[i] += GOLDEN
        if over[i]:
            start(rows[i], noise)
            over[i] = False
            rewards[i, :] = 0.0
        else:
            for seat in range(masks.shape[1]):
                offends = not masks[i, seat, actions[i, seat]] and masks[i, seat].any()
                rewards[i, seat] = illegal_reward if offends else 0.0
                over[i] |= offends
            if not over[i]:
                over[i] = step(rows[i], actions[i], noise, rewards[i])
        for seat in range(feats.shape[1]):
            features(rows[i], seat, feats[i, seat])
            mask(rows[i], seat, masks[i, seat])


@kernel
def act_rows(policy, rows, seat, streams, actions, first, last):
    for i in range(first, last):
        actions[i, seat] = policy(rows[i], seat, scramble(streams[i]))
        streams[i] += GOLDEN


@kernel
def random_rows(choices, seat, streams, actions, first, last):
    for i in range(first, last):
        actions[i, seat] = below(scramble(streams[i]), choices)
        streams[i] += GOLDEN


@kernel
def act_masked_rows(policy, rows, masks, seat, streams, actions, first, last):
    """The policy is asked in those rows in which the seat is to move."""
    for i in range(first, last):
        actions[i, seat] = policy(rows[i], seat, scramble(streams[i])) if masks[i, seat].any() else 0
        streams[i] += GOLDEN


@kernel
def random_masked_rows(masks, seat, streams, actions, first, last):
    """A legal action of the seat in each row, any with equal probability; 0 where it has none."""
    for i in range(first, last):
        legal = masks[i, seat]
        skip = below(scramble(streams[i]), legal.sum())
        streams[i] += GOLDEN
        actions[i, seat] = 0
        for action in range(legal.size):
            if legal[action]:
                if skip == 0:
                    actions[i, seat] = action
                    break
                skip -= 1
