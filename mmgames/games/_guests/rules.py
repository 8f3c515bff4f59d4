"""A guest under the contract: its environment is the simulator, and its states are a seed and everybody's moves."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mmgames.core.game import Seat
from mmgames.core.simulation import SimulatedGame, SimulatedState
from mmgames.core.spec import GameSpec
from mmgames.errors import MmgamesError, unknown
from mmgames.games._guests import actions, engine
from mmgames.games._guests.view import GuestView, Texts
from mmgames.games._guests.words import check_words


class Guest(SimulatedGame[engine.Guest, GuestView]):
    """An environment of PettingZoo or Gymnasium."""

    _drawn = True

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        self.words = check_words(self.options["words"], spec.id)
        guest = self._opened()
        kinds = {actions.kind_of(space, spec.id) for space in guest.spaces}
        if kinds != {spec.actions}:
            raise MmgamesError(f"{spec.id}: with these arguments its actions are no longer {spec.actions}.")
        self.settle(
            seats=guest.seats, dynamics="simultaneous" if guest.together and len(guest.seats) > 1 else "sequential"
        )
        self.spaces, self.hidden = guest.spaces, spec.information == "imperfect"
        self._names = self._named() if spec.actions == "discrete" else []
        if "actions" in self.words and not self._names:
            raise MmgamesError(f"{spec.id}: actions are arrays here, and words['actions'] would name choices.")
        self._texts: Texts = tuple((name, text) for name, text in self.words.items() if name != "actions")

    @property
    def num_actions(self) -> int:
        if self.spec.actions == "box":
            return super().num_actions
        return max(actions.choices(space) for space in self.spaces)

    def bounds(self, seat: Seat) -> tuple[np.ndarray, np.ndarray]:
        space: Any = self.spaces[seat]
        return space.low, space.high

    def open(self) -> engine.Guest:
        spec = self.spec
        guest = engine.make_guest(spec.namespace, spec.name, spec.version, self.options["arguments"])
        guest.draws &= self._drawn
        return guest

    def leave_pictures_out(self) -> None:
        self._drawn = self._opened().draws = False

    def shut(self, simulator: engine.Guest) -> None:
        simulator.close()

    def start(self, rng: np.random.Generator) -> SimulatedState:
        return self.begin(int(rng.integers(2**31)))  # some guests seed generators that take no more

    def reset(self, simulator: engine.Guest, seed: int) -> engine.Seen:
        return simulator.reset(seed)

    def step(self, simulator: engine.Guest, moves: Mapping[Seat, Any]) -> engine.Seen:
        if self.spec.actions == "discrete":
            return simulator.step({seat: actions.chosen(self.spaces[seat], move) for seat, move in moves.items()})
        given: dict[Seat, Any] = {}
        for seat, move in moves.items():
            space: Any = self.spaces[seat]
            given[seat] = np.asarray(move, space.dtype).reshape(space.shape)
        return simulator.step(given)

    def movers(self, state: SimulatedState) -> tuple[Seat, ...]:
        movers: tuple[Seat, ...] = state.poses.movers
        return movers

    def legal(self, state: SimulatedState, seat: Seat) -> Sequence[int]:
        if self.spec.actions == "box":
            return ()
        mask = state.poses.masks[seat]
        every = range(actions.choices(self.spaces[seat]))
        return every if mask is None else tuple(number for number in every if mask[number])

    def returns(self, state: SimulatedState) -> tuple[float, ...]:
        return state.poses.returns

    def view(self, state: SimulatedState, seat: Seat | None) -> GuestView:
        seen: engine.Seen = state.poses
        movers = self.movers(state)
        legal = self.legal(state, seat) if seat in movers else ()
        own = seat if seat is not None else 0
        shown = not self.hidden or seat is None
        return GuestView(
            seat, self.spec.name, self.spec.source, self.seats[own], self.seats, movers,
            seen.observations[own] if seat is not None or not self.hidden else None, seen.features[own],
            tuple((number, self._names[own][number]) for number in legal), seen.returns, len(state.history),
            not movers, seen.picture if shown else None, seen.text if shown else "", self._texts,
            tuple(self._names[own][:2]) if self._names else (),
        )  # fmt: skip

    def imagine(self, state: SimulatedState, seat: Seat, rng: np.random.Generator) -> SimulatedState:
        if not self.hidden:
            return state
        raise MmgamesError(f"{self.spec.id}: what is hidden in a guest cannot be drawn again.")

    def _named(self) -> list[list[str]]:
        """The names of each seat's actions: those it was given, or numbers."""
        given = self.words.get("actions", ())
        by_seat = dict.fromkeys(self.seats, given) if not given or isinstance(given[0], str) else dict(given)
        for seat in by_seat.keys() - set(self.seats):
            raise unknown("seat", seat, f"words['actions'] of {self.spec.id}", self.seats)
        named = []
        for seat, space in zip(self.seats, self.spaces, strict=True):
            names, count = by_seat.get(seat, ()), actions.choices(space)
            if names and len(names) != count:
                raise MmgamesError(f"{self.spec.id}: {seat} has {count} actions, and {len(names)} names.")
            numbers = (actions.written(actions.chosen(space, number)) for number in range(count))
            named.append([*names] or [f"action {number}" for number in numbers])
        return named
