"""Kernel games: rules stated once, as compiled functions over a state with named fields.

Everything derives from that statement: the Gymnasium, AEC and parallel faces play it one state at a time (KernelGame
below), the batched face thousands of states at once (kernels/batch.py), and the searches (baselines/search/mcts.py and
baselines/search/minimax.py) walk copies of a state.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, partial
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numba import float32, float64, int8, int64, typeof, uint64

from mmgames.agents.base import Agent
from mmgames.core.game import CHANCE, Action, Game, Seat
from mmgames.kernels.compiling import Entry, compiled_in_background, switch_to_compiled
from mmgames.kernels.kernel import inlined, kernel, noise
from mmgames.kernels.records import RecordState, copied

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


NUMBERS, MASK, TOTALS, FEATURES = int64[::1], int8[::1], float64[::1], float32[::1]


@inlined
def look(turn, moves, returns, capacity, state, mask, totals):
    """Whose turn it is. Writes the legal actions of a single mover as a mask, and the returns."""
    whose = turn(state)
    mask[:] = 0
    if moves is None:
        mask[:] = 1
    elif whose >= 0:
        legal = np.empty(capacity, np.int64)
        for i in range(moves(state, whose, legal)):
            mask[legal[i]] = 1
    returns(state, totals)
    return whose


@kernel
def look_at(turn, moves, returns, capacity, states, mask, totals):
    return look(turn, moves, returns, capacity, states[0], mask, totals)


@kernel
def start_and_look(turn, moves, returns, start, capacity, states, noise, mask, totals):
    start(states[0], noise)
    return look(turn, moves, returns, capacity, states[0], mask, totals)


@kernel
def play_and_look(turn, moves, returns, step, capacity, states, actions, noise, mask, totals):
    step(states[0], actions, noise)
    return look(turn, moves, returns, capacity, states[0], mask, totals)


@kernel
def play_one_and_look(turn, moves, returns, step, capacity, states, seat, action, noise, mask, totals):
    """The same for a single mover, who needs no list."""
    actions = np.zeros(totals.size, np.int64)
    actions[seat] = action
    step(states[0], actions, noise)
    return look(turn, moves, returns, capacity, states[0], mask, totals)


@kernel
def ask_plainly(function, states):
    return function(states[0])


@kernel
def ask_one(function, states, first):
    return function(states[0], first)


@kernel
def ask_two(function, states, first, second):
    return function(states[0], first, second)


_asked: dict[tuple[Any, np.dtype[Any]], Callable[..., Any]] = {}


def ask(function: Any, state: RecordState, *arguments: Any) -> Any:
    """What a kernel says of one state, or writes into its last argument: interpreted as long as it is not compiled."""
    key = function, state.array.dtype
    call = _asked.get(key)
    if call is None:
        loop = (ask_plainly, ask_one, ask_two)[len(arguments)]
        call = _asked[key] = Entry(loop, (function,), install=partial(_asked.__setitem__, key))
    return call(state.array, *arguments)


@dataclass(frozen=True)
class Kernel:
    """The rules of a game over a state with named fields. Each function is decorated with `kernels.kernel.kernel`.

    `blank` is a state that holds the settings, made from the game's options, and else zeros (kernels/records.py).

    start(state, noise)       makes a fresh position of a copy of `blank`. `noise` is 64 random bits; fork() gives each
                              thing that is drawn its own, and scramble() more of them
    turn(state)               whose turn it is: a seat, EVERYBODY, NOBODY (the game is over) or CHANCE
    moves(state, seat, out)   writes the legal actions of a seat whose turn it is and says how many; promising ones
                              first helps minimax. None: everybody may always do everything
    step(state, actions, noise)
                              plays one transition in place. actions[seat] is what each mover does, always legal, and
                              whatever for the other seats; at a chance node actions[0] is the outcome
    returns(state, out)       writes what each seat has collected so far; rewards are the differences
    features(state, seat, out)
                              writes the seat's features, each within [-1, 1]
    chance(state, outcomes, probabilities)
                              writes what can happen at a chance node and says how many things that are, `most_outcomes`
                              at the most. Only for games whose chances are enumerated; others use the noise
    evaluate(state)           how promising a running position looks to the first seat, strictly between -1 and 1
    candidates(state, seat, out)
                              like `moves`, but only the actions minimax should look at. None: all of them
    planes(state, seat, out)  writes `num_planes` sheets of the size of the `board`, [plane, row, column], each number
                              within [-1, 1]. None where the features are such sheets and then single numbers: then they
                              are laid out, a single number filling a sheet
    sparse(state, out)        like `returns`, without reward shaping. None: nothing is
    point(seat, action)       where on the planes, as the seat sees them, an action stands: kind * cells + cell, or -1
                              for nowhere. None: actions are numbered by cell, then kind, and what is left over is
                              nowhere. Plain Python, asked once for every action

    A kernel keeps nothing outside the state, and states that are equal go on equally.
    """

    blank: RecordState
    num_actions: int
    num_features: int
    start: Callable[..., Any]
    turn: Callable[..., Any]
    moves: Callable[..., Any] | None
    step: Callable[..., Any]
    returns: Callable[..., Any]
    features: Callable[..., Any]
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
    point: Callable[[int, int], int] | None = None
    symmetries: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """Ways to turn the board over under which the game, its start included, stays the same: the number of one, as
    kernels/symmetries.py has them, and the kind of action that each kind becomes."""

    @cached_property
    def state_type(self) -> Any:
        """What Numba calls an array of such states."""
        return typeof(self.blank.array)

    @cached_property
    def start_and_look(self) -> Callable[..., int]:
        """start_and_look(capacity, states, noise, mask, totals): a fresh position in place, and a look at it."""
        types = (int64, self.state_type, uint64, MASK, TOTALS)
        return self._entry("start_and_look", start_and_look, (*self._looking, self.start), *types)

    @cached_property
    def play_and_look(self) -> Callable[..., int]:
        """play_and_look(capacity, states, actions, noise, mask, totals): a step in place, and a look at it."""
        types = (int64, self.state_type, NUMBERS, uint64, MASK, TOTALS)
        return self._entry("play_and_look", play_and_look, (*self._looking, self.step), *types)

    @cached_property
    def play_one_and_look(self) -> Callable[..., int]:
        """play_one_and_look(capacity, states, seat, action, noise, mask, totals): likewise of one mover; chance: 0."""
        types = (int64, self.state_type, int64, int64, uint64, MASK, TOTALS)
        return self._entry("play_one_and_look", play_one_and_look, (*self._looking, self.step), *types)

    @cached_property
    def look(self) -> Callable[..., int]:
        """look(capacity, states, mask, totals): who moves, what a single mover may do, and the returns."""
        return self._entry("look", look_at, self._looking, int64, self.state_type, MASK, TOTALS)

    @cached_property
    def write_features(self) -> Callable[..., None]:
        """write_features(states, seat, out): what a seat knows, asked after every step."""
        return self._entry("write_features", ask_two, (self.features,), self.state_type, int64, FEATURES)

    def _entry(self, name: str, loop: Any, kernels: Sequence[Any], *types: Any) -> Callable[..., Any]:
        """A loop for callers in Python, interpreted as long as it is not compiled; then it is called directly."""

        def install(compiled: Callable[..., Any]) -> None:
            self.__dict__[name] = compiled

        return Entry(loop, kernels, types, install)

    @property
    def _looking(self) -> tuple[Any, ...]:
        return self.turn, self.moves, self.returns

    def __getstate__(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @cached_property
    def moves_capacity(self) -> int:
        """How long the list that `moves` writes into has to be."""
        return self.most_moves or self.num_actions

    @property
    def planes_shape(self) -> tuple[int, int, int] | None:
        """Planes, rows and columns; None where there is no board."""
        if self.board is None:
            return None
        whole, single = divmod(self.num_features, self.board[0] * self.board[1])
        return self.num_planes or whole + single, *self.board

    def legal(self, state: RecordState, seat: Seat) -> tuple[int, ...]:
        """The legal actions of a seat whose turn it is, in order."""
        if self.moves is None:
            return tuple(range(self.num_actions))
        out = np.empty(self.moves_capacity, np.int64)
        return tuple(sorted(out[: ask(self.moves, state, seat, out)].tolist()))

    def features_of(self, state: RecordState, seat: Seat) -> np.ndarray:
        """The features of a seat."""
        out = np.empty(self.num_features, np.float32)
        self.write_features(state.array, seat, out)
        return out

    def planes_of(self, state: RecordState, seat: Seat) -> np.ndarray:
        """The planes of a seat."""
        assert self.planes_shape is not None
        out = np.empty(self.planes_shape, np.float32)
        if self.planes is None:
            compiled_in_background(lay_out)(self.features_of(state, seat), out)
        else:
            ask(self.planes, state, seat, out)
        return out


class KernelGame(Game[RecordState, ViewT]):
    """A game whose rules are a Kernel. A subclass brings the kernel and the views, and what else only it knows:
    imagine, events, outcome."""

    kernel: Kernel

    @property
    def num_actions(self) -> int:
        return self.kernel.num_actions

    @property
    def draws(self) -> bool:  # type: ignore[override]
        return self.spec.chance != "none"

    def start(self, rng: np.random.Generator) -> RecordState:
        switch_to_compiled()
        if not self.draws:
            return self._only_start
        return self._started(noise(rng) if self.spec.chance == "incidental" else NO_NOISE)

    @cached_property
    def _only_start(self) -> RecordState:
        """Where nothing is drawn, all episodes begin alike."""
        return self._started(NO_NOISE)

    def _started(self, bits: np.uint64) -> RecordState:
        kernel = self.kernel
        array, mask = copied(kernel.blank.array), np.empty(kernel.num_actions, np.int8)
        totals = np.empty(len(self.seats))
        whose = kernel.start_and_look(kernel.moves_capacity, array, bits, mask, totals)
        return self._with_answers(RecordState(array), mask, whose, totals)

    def movers(self, state: RecordState) -> tuple[Seat, ...]:
        movers = state.movers
        if movers is None:
            movers = self._look(state).movers
            assert movers is not None
        return movers

    def legal(self, state: RecordState, seat: Seat) -> Sequence[int]:
        if self.kernel.moves is None:
            return range(self.kernel.num_actions)
        return tuple(self.mask(state, seat).nonzero()[0].tolist())

    def mask(self, state: RecordState, seat: Seat) -> np.ndarray:
        if len(self.movers(state)) == 1 or self.kernel.moves is None:
            return state.mask
        mask = np.zeros(self.kernel.num_actions, np.int8)
        mask[list(self.kernel.legal(state, seat))] = 1
        return mask

    def play(self, state: RecordState, actions: Mapping[Seat, Action], rng: np.random.Generator) -> RecordState:
        kernel, players = self.kernel, len(self.seats)
        array, mask, totals = copied(state.array), np.empty(kernel.num_actions, np.int8), np.empty(players)
        bits = noise(rng) if self.spec.chance == "incidental" else NO_NOISE
        if len(actions) == 1:
            ((seat, action),) = actions.items()
            whose = kernel.play_one_and_look(
                kernel.moves_capacity, array, 0 if seat == CHANCE else seat, action, bits, mask, totals
            )
        else:
            chosen = np.zeros(players, np.int64)
            for seat, action in actions.items():
                chosen[seat] = action
            whose = kernel.play_and_look(kernel.moves_capacity, array, chosen, bits, mask, totals)
        return self._with_answers(state.sibling(array), mask, whose, totals)

    def returns(self, state: RecordState) -> tuple[float, ...]:
        return self._look(state).returns if state.movers is None else state.returns

    def _look(self, state: RecordState) -> RecordState:
        """Ask the rules about a state that nobody has looked at yet."""
        kernel = self.kernel
        mask, totals = np.empty(kernel.num_actions, np.int8), np.empty(len(self.seats))
        return self._with_answers(state, mask, kernel.look(kernel.moves_capacity, state.array, mask, totals), totals)

    def _with_answers(self, state: RecordState, mask: np.ndarray, whose: int, totals: np.ndarray) -> RecordState:
        """The state, which keeps what a look at it has found out."""
        state.mask = mask
        if whose >= 0:
            state.movers = (int(whose),)  # interpreted, it is a number of NumPy's
        elif whose == EVERYBODY:
            state.movers = tuple(range(len(self.seats)))
        else:
            state.movers = () if whose == NOBODY else (CHANCE,)
        state.returns = tuple(totals.tolist())
        return state

    def features(self, state: RecordState, seat: Seat) -> np.ndarray:
        return self.kernel.features_of(state, seat)

    def sparse(self, state: RecordState) -> tuple[float, ...] | None:
        if self.kernel.sparse is None:
            return None
        totals = np.empty(len(self.seats))
        ask(self.kernel.sparse, state, totals)
        return tuple(totals.tolist())

    def chance(self, state: RecordState) -> Sequence[tuple[int, float]]:
        kernel = self.kernel
        if kernel.chance is None or self.movers(state) != (CHANCE,):
            return ()
        outcomes, probabilities = np.empty(kernel.most_outcomes, np.int64), np.empty(kernel.most_outcomes)
        n = ask(kernel.chance, state, outcomes, probabilities)
        return list(zip(outcomes[:n].tolist(), probabilities[:n].tolist(), strict=True))

    def state_of(self, states: np.ndarray, which: int) -> RecordState:
        """One of the states of the batched face."""
        return RecordState(copied(states[which : which + 1]))


def kernel_of(game: Game) -> Kernel | None:
    """The game's kernel, if it has one; then its states are records."""
    return getattr(game, "kernel", None)


class PolicyAgent(Agent):
    """An agent whose policy is a kernel `policy(state, seat, noise) -> action`, so that it also plays batched."""

    policy: ClassVar[Any]
    searches: ClassVar[bool] = False
    """Whether the policy looks ahead, too slowly to be interpreted: then it is compiled when it is first asked."""

    @classmethod
    def of(cls, name: str, policy: Any, searches: bool = False) -> type[Self]:
        """The class of those who play by a kernel, with its docstring: `Chase = PolicyAgent.of("Chase", chase)`."""
        own = {"policy": policy, "searches": searches, "__doc__": policy.__doc__, "__module__": policy.__module__}
        return type(name, (cls,), own)

    def act(self, turn: Any) -> Action:
        state, policy = turn.imagine(), type(self).policy
        bits = noise(turn.rng)
        if self.searches:
            return int(policy(state.record, turn.seat, bits))
        return int(ask(policy, state, turn.seat, bits))


def features_and_planes(kernel: Kernel, state_of: Callable[[Any], Any]) -> tuple[Callable[..., np.ndarray], ...]:
    """`features` and `planes` of a picture module, as the kernel writes them; a spectator looks from the first seat."""
    return (
        lambda view: kernel.features_of(state_of(view), view.seat or 0),
        lambda view: kernel.planes_of(state_of(view), view.seat or 0),
    )
