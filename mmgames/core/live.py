"""LiveGame: one episode in progress. Every face and every match steps its game through this."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from mmgames.core.game import CHANCE, Action, Game, Seat
from mmgames.core.replies import Illegal, parse, ways

if TYPE_CHECKING:
    from mmgames.core.registry import LoadedGame


class LiveGame:
    """A game, the state it is in, and the generator that settles its chances."""

    def __init__(self, loaded: LoadedGame, game: Game) -> None:
        self.loaded = loaded
        self.game = game
        self.state: Any = None
        self.rng: np.random.Generator | None = None
        self._views: dict[Seat | None, Any] = {}

    def start(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self._settle(self.game.start(rng))
        self.totals = [0.0] * len(self.game.seats)
        self._collect()

    def go_on_from(self, state: Any, rng: np.random.Generator) -> None:
        """Take up a game at a given state."""
        self.rng = rng
        self._settle(state)
        self.totals = list(self.game.returns(self.state))

    def view(self, seat: Seat | None) -> Any:
        """The seat's view of the current state, made once."""
        view = self._views.get(seat)
        if view is None:
            view = self._views[seat] = self.game.view(self.state, seat)
        return view

    def check(self, seat: Seat, action: Action) -> Action | Illegal:
        """The move that `action` stands for, or why it is none."""
        if self.game.spec.actions == "text":
            if not isinstance(action, str):
                return Illegal(f"{action!r} is not text; {self.game.seats[seat]} answers in words.", repr(action))
            return self.loaded.words.read(self.view(seat), action)
        if self.game.spec.actions == "box":
            return action
        try:
            if (move := int(action)) == action and move in self.game.legal(self.state, seat):
                return move
        except (TypeError, ValueError, OverflowError):
            pass
        names = self.loaded.words.names(self.view(seat))
        listing = ", ".join(f"{number} {name}" for number, name in list(names.items())[:12])
        more = ", …" if len(names) > 12 else ""
        return Illegal(
            f"{action!r} is not legal for {self.game.seats[seat]} here. Legal: {listing}{more}.", repr(action)
        )

    def read(self, seat: Seat, reply: str) -> Action | Illegal:
        """The move that a reply in words names, or why it names none."""
        if self.game.spec.actions == "text":
            return self.check(seat, reply)
        words, view = self.loaded.words, self.view(seat)
        return parse(reply, words.names(view), **ways(words, view))

    def move_of(self, seat: Seat, said: Any) -> Action | Illegal:
        """The move that an agent means: it may give an action, or words that name one."""
        if isinstance(said, Illegal):  # it says itself that it has none
            return said
        in_words = isinstance(said, str) and self.game.spec.actions == "discrete"
        return self.read(seat, said) if in_words else self.check(seat, said)

    def play(self, moves: Mapping[Seat, Action]) -> list[float]:
        """Apply checked moves; the rewards of this transition, one per seat."""
        assert self.rng is not None
        self._settle(self.game.play(self.state, moves, self.rng))
        return self._collect()

    def _settle(self, state: Any) -> None:
        """Move on through chance nodes and remember who is to move."""
        game, rng = self.game, self.rng
        assert rng is not None
        movers = game.movers(state)
        while movers == (CHANCE,):
            draw = rng.random()
            for outcome, probability in game.chance(state):  # noqa: B007 - the last outcome takes the rounding
                draw -= probability
                if draw < 0:
                    break
            state = game.play(state, {CHANCE: outcome}, rng)
            movers = game.movers(state)
        self.state = state
        self.movers = movers
        self._views.clear()

    def _collect(self) -> list[float]:
        totals = self.game.returns(self.state)
        rewards = [float(now - before) for now, before in zip(totals, self.totals, strict=True)]
        self.totals = list(totals)
        return rewards
