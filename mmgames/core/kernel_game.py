"""Kernel games: rules stated once, as compiled functions over one row of integers.

Everything derives from that statement: the Gymnasium, AEC and parallel faces play it one row at a time (KernelGame
below), the batched face thousands of rows at once (core/batch.py), and the searches (baselines/mcts.py and
baselines/minimax.py) walk copies of a row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import numpy as np

from mmgames.core.game import CHANCE, Action, Game, Seat
from mmgames.core.kernel import kernel, noise

ROW = np.int64
NOBODY, EVERYBODY = -2, -3
"""What `Kernel.turn` says beside a seat and CHANCE: the game is over; all seats move at once."""

NO_NOISE = np.uint64(0)

ViewT = TypeVar("ViewT")


@kernel
def no_opinion(row):
    return 0.0


@kernel
def lay_out(numbers, out):
    """Features as planes: whole sheets first, then a sheet for each single number."""
    cells = out.shape[1] * out.shape[2]
    whole = numbers.size // cells
    for plane in range(out.shape[0]):
        for row in range(out.shape[1]):
            for column in range(out.shape[2]):
                at = row * out.shape[2] + column
                out[plane, row, column] = numbers[plane * cells + at if plane < whole else whole * (cells - 1) + plane]


@dataclass(frozen=True)
class Kernel:
    """The rules of a game over a row of `width` int64 numbers. Each function is decorated with `core.kernel.kernel`.

    start(row, noise)         fills in a fresh position. The row's first numbers are `settings`, made from the game's
                              options; start leaves them alone. `noise` is 64 random bits; fork() gives each thing
                              that is drawn its own, and scramble() more of them
    turn(row)                 whose turn it is: a seat, EVERYBODY, NOBODY (the game is over) or CHANCE
    moves(row, seat, out)     writes the legal actions of a seat whose turn it is and says how many; promising ones
                              first helps minimax. None: everybody may always do everything
    step(row, actions, noise) plays one transition in place. actions[seat] is what each mover does, always legal, and
                              whatever for the other seats; at a chance node actions[0] is the outcome
    returns(row, out)         writes what each seat has collected so far; rewards are the differences
    features(row, seat, out)  writes the seat's features, each within [-1, 1]
    chance(row, outcomes, probabilities)
                              writes what can happen at a chance node and says how many things that are, `most_outcomes`
                              at the most. Only for games whose chances are enumerated; others use the noise
    evaluate(row)             how promising a running position looks to the first seat, strictly between -1 and 1
    candidates(row, seat, out)
                              like `moves`, but only the actions minimax should look at. None: all of them
    planes(row, seat, out)    writes `num_planes` sheets of the size of the `board`, [plane, row, column], each number
                              within [-1, 1]. None where the features are such sheets and then single numbers: then they
                              are laid out, a single number filling a sheet
    sparse(row, out)          like `returns`, without what is paid only to show the way. None: nothing is

    A kernel keeps no state outside the row, and rows that are equal go on equally.
    """

    width: int
    num_actions: int
    num_features: int
    start: Callable[..., Any]
    turn: Callable[..., Any]
    moves: Callable[..., Any] | None
    step: Callable[..., Any]
    returns: Callable[..., Any]
    features: Callable[..., Any]
    settings: tuple[int, ...] = ()
    chance: Callable[..., Any] | None = None
    most_outcomes: int = 0
    most_moves: int = 0
    """How many actions can be legal at once; 0: all of them."""
    evaluate: Callable[..., Any] = no_opinion
    candidates: Callable[..., Any] | None = None
    depth: int | None = None
    """How many moves minimax looks ahead unless it is told; None: to the end of the game."""
    board: tuple[int, int] | None = None
    """Rows and columns of the board or grid; None: the game is not played on one."""
    planes: Callable[..., Any] | None = None
    num_planes: int = 0
    sparse: Callable[..., Any] | None = None

    @property
    def room(self) -> int:
        """How long the list that `moves` writes into has to be."""
        return self.most_moves or self.num_actions

    @property
    def planes_shape(self) -> tuple[int, int, int] | None:
        """Planes, rows and columns; None where there is no board."""
        if self.board is None:
            return None
        whole, single = divmod(self.num_features, self.board[0] * self.board[1])
        return self.num_planes or whole + single, *self.board

    def empty_row(self) -> np.ndarray:
        """A row that holds the settings and nothing else."""
        row = np.zeros(self.width, ROW)
        row[: len(self.settings)] = self.settings
        return row

    def legal(self, row: np.ndarray, seat: Seat) -> tuple[int, ...]:
        """The legal actions of a seat whose turn it is, in order."""
        if self.moves is None:
            return tuple(range(self.num_actions))
        out = np.empty(self.room, np.int64)
        return tuple(sorted(out[: self.moves(row, seat, out)].tolist()))

    def seen(self, row: np.ndarray, seat: Seat) -> np.ndarray:
        """The features of a seat."""
        out = np.empty(self.num_features, np.float32)
        self.features(row, seat, out)
        return out

    def spread(self, row: np.ndarray, seat: Seat) -> np.ndarray:
        """The planes of a seat."""
        assert self.planes_shape is not None
        out = np.empty(self.planes_shape, np.float32)
        if self.planes is None:
            lay_out(self.seen(row, seat), out)
        else:
            self.planes(row, seat, out)
        return out


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
    """A game whose rules are a Kernel. A subclass brings the kernel and the views, and what else only it knows:
    imagine, events, outcome."""

    kernel: Kernel

    @property
    def num_actions(self) -> int:
        return self.kernel.num_actions

    def start(self, rng: np.random.Generator) -> RowState:
        row = self.kernel.empty_row()
        self.kernel.start(row, self._noise(rng))
        return RowState(row)

    def movers(self, state: RowState) -> tuple[Seat, ...]:
        whose = self.kernel.turn(state.row)
        if whose == NOBODY:
            return ()
        return tuple(range(len(self.seats))) if whose == EVERYBODY else (int(whose),)

    def legal(self, state: RowState, seat: Seat) -> Sequence[int]:
        if self.kernel.moves is None:
            return range(self.kernel.num_actions)
        return self.kernel.legal(state.row, seat)

    def play(self, state: RowState, actions: Mapping[Seat, Action], rng: np.random.Generator) -> RowState:
        row = state.row.copy()
        chosen = np.zeros(len(self.seats), np.int64)
        for seat, action in actions.items():
            chosen[0 if seat == CHANCE else seat] = action
        self.kernel.step(row, chosen, self._noise(rng))
        return RowState(row)

    def _noise(self, rng: np.random.Generator) -> np.uint64:
        """Fresh noise, where kernels use it at all: chances may be enumerated, or there may be none."""
        return noise(rng) if self.spec.chance == "incidental" else NO_NOISE

    def returns(self, state: RowState) -> tuple[float, ...]:
        totals = np.empty(len(self.seats))
        self.kernel.returns(state.row, totals)
        return tuple(totals.tolist())

    def seen(self, state: RowState, seat: Seat) -> np.ndarray:
        """The features of a seat, the same that its picture makes of its view."""
        return self.kernel.seen(state.row, seat)

    def sparse(self, state: RowState) -> tuple[float, ...] | None:
        if self.kernel.sparse is None:
            return None
        totals = np.empty(len(self.seats))
        self.kernel.sparse(state.row, totals)
        return tuple(totals.tolist())

    def chance(self, state: RowState) -> Sequence[tuple[int, float]]:
        kernel = self.kernel
        if kernel.chance is None or kernel.turn(state.row) != CHANCE:
            return ()
        outcomes, probabilities = np.empty(kernel.most_outcomes, np.int64), np.empty(kernel.most_outcomes)
        n = kernel.chance(state.row, outcomes, probabilities)
        return list(zip(outcomes[:n].tolist(), probabilities[:n].tolist(), strict=True))

    def row_of(self, state: RowState) -> np.ndarray:
        """The row of a state, for the searches; they change copies of it only."""
        return state.row

    def state_of(self, row: np.ndarray) -> RowState:
        """The state that a row of the batched face stands for."""
        return RowState(row.copy())


def kernel_of(game: Game) -> Kernel | None:
    """The game's kernel, if it has one; then it also has `row_of(state)` and `state_of(row)`."""
    return getattr(game, "kernel", None)


class RowAgent:
    """An agent whose policy is a kernel `policy(row, seat, noise) -> action`, so that it also plays batched."""

    policy: ClassVar[Any]

    def act(self, turn: Any) -> Action:
        return int(type(self).policy(turn.game.row_of(turn.imagine()), turn.seat, noise(turn.rng)))
