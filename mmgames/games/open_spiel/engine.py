"""Games played by OpenSpiel's engines: SpielState makes their states values, SpielGame fills in the contract.

A game names its engine and parameters and adds what only it knows: the view of a seat and, where something is
hidden, how to imagine it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, TypeVar

import numpy as np
import pyspiel

from mmgames.core.game import CHANCE, Game, Seat
from mmgames.core.spec import GameSpec

View = TypeVar("View")

# OpenSpiel numbers the mover of a chance node as we do, so its numbers serve as seats in `movers` and `play`.
_OVER = int(pyspiel.PlayerId.TERMINAL)
assert int(pyspiel.PlayerId.CHANCE) == CHANCE

load_engine = lru_cache(maxsize=None)(pyspiel.load_game)
"""An OpenSpiel game by its full name, such as `hanabi(colors=2,players=2)`; loaded once."""


class SpielState:
    """An OpenSpiel state as a value: two are equal when the same moves were made in the same game.

    Treat `.spiel` as read-only and apply moves to a clone of it: copies of a SpielState share it.
    """

    __slots__ = ("engine", "spiel")

    def __init__(self, engine: str, spiel: Any) -> None:
        self.engine = engine
        self.spiel = spiel

    @classmethod
    def replay(cls, engine: str, history: Iterable[int]) -> SpielState:
        """The state after these moves, chance outcomes among them."""
        spiel = load_engine(engine).new_initial_state()
        for action in history:
            spiel.apply_action(action)
        return cls(engine, spiel)

    @property
    def history(self) -> tuple[int, ...]:
        """Every move so far, chance outcomes among them."""
        return tuple(self.spiel.history())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SpielState):
            return NotImplemented
        return self.engine == other.engine and self.spiel.history() == other.spiel.history()

    def __hash__(self) -> int:
        return hash((self.engine, self.history))

    def __copy__(self) -> SpielState:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> SpielState:
        return self

    def __reduce__(self) -> Any:
        return SpielState.replay, (self.engine, self.history)

    def __repr__(self) -> str:
        return f"SpielState({self.engine!r}, {self.history})"


class SpielGame(Game[SpielState, View]):
    """Rules that an OpenSpiel engine keeps, for games in which one seat moves at a time."""

    engine_name: ClassVar[str]

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        self.engine = self.engine_in_full()
        self._num_actions = load_engine(self.engine).num_distinct_actions()

    def engine_in_full(self) -> str:
        """OpenSpiel's name of the game with its parameters, as `load_engine` takes it."""
        return str(pyspiel.load_game(self.engine_name, dict(self.engine_parameters())))

    def engine_parameters(self) -> Mapping[str, Any]:
        """OpenSpiel's own parameters, made from `self.options`."""
        return {}

    @property
    def num_actions(self) -> int:
        return self._num_actions

    def start(self, rng: np.random.Generator) -> SpielState:
        return SpielState(self.engine, load_engine(self.engine).new_initial_state())

    def movers(self, state: SpielState) -> tuple[Seat, ...]:
        player = state.spiel.current_player()
        return () if player == _OVER else (player,)

    def legal(self, state: SpielState, seat: Seat) -> Sequence[int]:
        return state.spiel.legal_actions(seat)

    def play(self, state: SpielState, actions: Mapping[Seat, int], rng: np.random.Generator) -> SpielState:
        spiel = state.spiel.clone()
        spiel.apply_action(actions[spiel.current_player()])
        return SpielState(self.engine, spiel)

    def returns(self, state: SpielState) -> Sequence[float]:
        return state.spiel.returns()

    def chance(self, state: SpielState) -> Sequence[tuple[int, float]]:
        return state.spiel.chance_outcomes() if state.spiel.is_chance_node() else ()
