"""The contract: a game is rules over values; environments, agents, tests and pages are derived from it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar

import numpy as np

from mmgames.core.look_names import USUAL, Look, read_look
from mmgames.core.spec import LOOK, GameSpec

State = TypeVar("State")
View = TypeVar("View")
Seat = int
Action = Any

CHANCE: Seat = -1
"""The mover of a chance node: `movers(state) == (CHANCE,)`."""


class Game(Generic[State, View]):
    """The rules of one game, with its options settled.

    Pure: no drawing, no prose, no I/O; all randomness comes through `rng`. States are values (copy,
    pickle, `==`), views are hashable values and hold everything their seat may know, and nothing else.
    """

    spec: GameSpec
    """The facts about this very game: what is registered, with what its options have settled (see `settle`)."""

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        self.spec = spec
        self.options = spec.check_options(options)
        self.look: Look = read_look(options.get(LOOK, USUAL), spec)
        """How the game is shown; its rules have nothing to do with it."""
        self.seats: tuple[str, ...] = spec.seats
        """Role names, in seat order."""

    def settle(self, **facts: Any) -> None:
        """Say in `__init__` which facts the options have changed: seats, information, utility, length, …

        Whatever plays this game reads `game.spec`; the registered spec is that of the default options. The kind of
        actions stays as registered.
        """
        self.spec = replace(self.spec, **facts)
        self.seats = self.spec.seats

    @property
    def search_depth(self) -> int | None:
        """How many moves a search of this game looks ahead unless it is told; None: to the end of the game."""
        return None

    @property
    def num_actions(self) -> int:
        """How many actions a seat of a discrete game has over the whole game."""
        raise AttributeError(f"{self.spec.id} has {self.spec.actions} actions, not a number of discrete ones.")

    starts: int = 0
    """How many starts there are where they are numbered and fixed; a match plays them in turn. 0: no end of them."""

    draws: bool = True
    """Whether anything is drawn from `rng` in `start`, `play` or at chance nodes. If not, environments make none."""

    def start(self, rng: np.random.Generator) -> State:
        raise NotImplementedError

    def dealt(self, rng: np.random.Generator) -> int | None:
        """The number of the start that `start` would give with this generator, where starts are numbered."""
        return None

    def close(self) -> None:
        """Give back what is held besides memory, such as a simulator; environments and matches call it when they are
        done, maybe twice. A game that is played on opens again what it needs."""

    def leave_pictures_out(self) -> None:
        """Nobody will look at pictures of this game, as while a policy learns from features: a simulator that draws
        while it steps need not."""

    def movers(self, state: State) -> tuple[Seat, ...]:
        """() = over, (CHANCE,) = a chance node, one seat = turn-based, several = simultaneous."""
        raise NotImplementedError

    def bounds(self, seat: Seat) -> tuple[np.ndarray, np.ndarray]:
        """Box games: the lowest and highest values of a seat's actions, finite arrays of one shape and dtype."""
        raise NotImplementedError(f"{self.spec.id} has {self.spec.actions} actions; only box actions have bounds.")

    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        """The actions open to a mover. In text games: the names that can be executed, maybe none. In box games: ()."""
        if self.spec.actions == "box":
            return ()
        raise NotImplementedError

    def mask(self, state: State, seat: Seat) -> np.ndarray:
        """Discrete games: 1 for each action open to a mover, 0 for the others. Nobody writes into it."""
        mask = np.zeros(self.num_actions, np.int8)
        mask[list(self.legal(state, seat))] = 1
        return mask

    def sample(self, state: State, seat: Seat, rng: np.random.Generator) -> Action:
        """A random legal action of a mover, in the form that environments take; it must not tell what is hidden.

        Text games whose movers may have no executable name say here what such a seat could write.
        """
        if self.spec.actions == "box":
            low, high = self.bounds(seat)
            if low.dtype.kind != "f":
                return rng.integers(low, high, dtype=low.dtype, endpoint=True)
            return rng.uniform(low, high).astype(low.dtype)
        legal = self.legal(state, seat)
        if not legal:
            raise NotImplementedError(f"{self.spec.id}: {self.seats[seat]} has no names to draw from; write sample().")
        return legal[int(rng.random() * len(legal))]

    def play(self, state: State, actions: Mapping[Seat, Action], rng: np.random.Generator) -> State:
        """The next state. Never changes its input. Text games get the moves that `words.read` made."""
        raise NotImplementedError

    def returns(self, state: State) -> Sequence[float]:
        """Cumulative, one per seat; a step's reward is the difference."""
        raise NotImplementedError

    def sparse(self, state: State) -> Sequence[float] | None:
        """The returns without what is paid only to show learners the way; None where nothing is."""
        return None

    def parts(self, state: State) -> Mapping[str, Sequence[float]]:
        """What `returns` is made of, by name, one number for each seat; the parts add up to it. {}: it is one thing."""
        sparse = self.sparse(state)
        if sparse is None:
            return {}
        shown = [total - own for total, own in zip(self.returns(state), sparse, strict=True)]
        return {"what counts": sparse, "on the way": shown}

    def absent(self, state: State) -> Sequence[Seat]:
        """The seats that take no part in this episode, such as robots that a kitchen does not have."""
        return ()

    def features(self, state: State, seat: Seat) -> np.ndarray | None:
        """The features of a seat, written without making its view, where that is faster; None: they are made from it.

        They must be what `picture.features` makes of the view, bit by bit, so that they tell nothing more; the
        conformance kit compares them.
        """
        return None

    def view(self, state: State, seat: Seat | None) -> View:
        """What `seat` may know. None is the spectator, whose view is for `render()` only."""
        raise NotImplementedError

    def chance(self, state: State) -> Sequence[tuple[Action, float]]:
        """Outcomes and probabilities at a chance node; applied with play(state, {CHANCE: outcome}, rng)."""
        return ()

    def imagine(self, state: State, seat: Seat, rng: np.random.Generator) -> State:
        """A state that looks the same to `seat`, with everything it cannot know redrawn."""
        if self.spec.information == "perfect":
            return state
        raise NotImplementedError(f"{self.spec.id} hides something, so its rules must say how to imagine it.")

    def redeal(self, state: State, rng: np.random.Generator) -> State:
        """The same position with all that is settled ahead, such as the order of a deck, drawn anew.

        Everything that anybody could have known when choosing a move stays.
        """
        return state

    def outcome(self, state: State) -> Any:
        """What a state comes to, without the record of the moves that led to it.

        Two actions whose outcomes are equal are the same in effect: bumping into a wall and staying.
        """
        return state

    def record(self, state: State) -> Mapping[str, Any]:
        """What else an episode's record should keep, such as a transcript; values that JSON can hold."""
        return {}

    def info(self, state: State, seat: Seat) -> Mapping[str, Any]:
        """What the info of a seat tells besides, such as why its last action failed: nothing that its view hides."""
        return {}

    def events(self, state: State) -> Mapping[str, int]:
        """What has happened so far, counted by name, for match records and social-behaviour tables."""
        return {}
