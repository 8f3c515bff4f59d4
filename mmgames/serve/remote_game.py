"""A game whose seats are taken by programs elsewhere: each is asked as every agent that answers in words is."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from mmgames.agents.base import Agent
from mmgames.core.game import Seat
from mmgames.core.live import LiveGame
from mmgames.play.hosted_game import HostedGame, HostedGames, Refused
from mmgames.play.recorded import RecordedEpisode
from mmgames.running.episodes import CutShort
from mmgames.text.refusals import Illegal

GUEST = "guest"


class SeatQuestion(NamedTuple):
    """What a seat is asked: its observation, what it has collected so far, and why its last reply was no move."""

    observation: Mapping[str, Any]
    total: float
    refused: str = ""


class RemoteAgent(Agent):
    """The agent of a seat that a program elsewhere has taken."""

    name = GUEST
    concurrent = True  # where several move at once, none of them waits for another to be asked

    def __init__(self, game: RemoteGame, seat: Seat) -> None:
        self._game, self._seat = game, seat
        self._refused = ""

    def describe(self) -> dict[str, Any]:
        return {"over": "mcp"}

    def refused(self, illegal: Illegal) -> None:
        self._refused = illegal.reason

    def answer(self, observation: Mapping[str, Any]) -> str:
        why, self._refused = self._refused, ""
        return self._game.ask(self._seat, observation, why)


class RemoteGame(HostedGame):
    """Programs that hold a seat's key fetch what it is asked and send replies."""

    VISITOR = GUEST

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._totals = [0.0] * len(self.seats)
        self._asked: dict[Seat, SeatQuestion] = {}
        self._said: dict[Seat, str] = {}
        self._replayed: RecordedEpisode | None = None

    def visitor(self, seat: Seat) -> RemoteAgent:
        return RemoteAgent(self, seat)

    # In the game's own thread, or one of those that ask several seats at once

    def _see(self, live: LiveGame) -> None:
        self._totals = [float(total) for total in live.totals]

    def ask(self, seat: Seat, observation: Mapping[str, Any], refused: str) -> str:
        """What the guest in this seat replies; waits for it."""
        with self._changed:
            self._asked[seat] = SeatQuestion(observation, self._totals[seat], refused)
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._left or seat in self._said)
            if self._left:
                raise CutShort(self._left)
            del self._asked[seat]
            return self._said.pop(seat)

    # In the server's threads

    def question(self, seat: Seat, seconds: float) -> SeatQuestion | None:
        """What the seat is asked now, once it is; None when the game is over, or after so many seconds."""
        with self._changed:
            self.touched = time.monotonic()
            self._changed.wait_for(lambda: self.record is not None or self._waits(seat), seconds)
            return self._asked[seat] if self.record is None and self._waits(seat) else None

    def _waits(self, seat: Seat) -> bool:
        return seat in self._asked and seat not in self._said

    def reply(self, seat: Seat, said: str) -> None:
        with self._changed:
            self.touched = time.monotonic()
            if self.record is not None or self._left:
                raise Refused("The game is over; start another one.", 409)
            if not self._waits(seat):
                raise Refused("It is not your turn; observe until it is.", 409)
            self._said[seat] = said
            self._changed.notify_all()

    def replayed(self) -> RecordedEpisode:
        """The whole game again, once it is over."""
        self.touched = time.monotonic()
        if self.record is None:
            raise Refused("The game goes on; it can be replayed when it is over.", 409)
        if self._replayed is None:
            self._replayed = RecordedEpisode(self.record)
        return self._replayed


class RemoteGames(HostedGames[RemoteGame]):
    KIND = RemoteGame
