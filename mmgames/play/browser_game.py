"""A game whose seats are taken by browsers or by agents, as the page sees it: position after position."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import Any

from mmgames.agents.base import Agent
from mmgames.core.game import Seat
from mmgames.core.live import LiveGame
from mmgames.core.turn import Turn
from mmgames.play import position_json
from mmgames.play.hosted_game import HostedGame, HostedGames, Refused
from mmgames.running.episodes import CutShort, EpisodeRecord
from mmgames.text.refusals import Illegal

PERSON = "person"

Listener = Callable[[str], None]


class BrowserPlayer(Agent):
    """The agent of a seat that a browser has taken."""

    name = PERSON
    concurrent = True  # where several people move at once, none of them waits for another to be asked

    def __init__(self, game: BrowserGame) -> None:
        self._game = game

    def describe(self) -> dict[str, Any]:
        return {"page": position_json.SIZE}

    def act(self, turn: Turn) -> Any:
        return self._game.answer_of(turn.seat)


class BrowserGame(HostedGame):
    """Browsers that hold a seat's key listen for positions and send moves."""

    VISITOR = PERSON

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._number = 0
        self._said: dict[Seat, Any] = {}  # what was chosen in the position that is shown
        self._begun: dict[Seat, str] = {}
        self._frames: dict[Seat, str] = {}
        self._end = ""
        self._listeners: dict[Seat, set[Listener]] = {seat: set() for seat in self.keys}

    def visitor(self, seat: Seat) -> BrowserPlayer:
        return BrowserPlayer(self)

    # In the game's own thread

    def _see(self, live: LiveGame) -> None:
        """A new position: everybody who looks is shown it."""
        loaded, number = live.loaded, self._number + 1
        made, begun = {}, {}
        for seat in self.keys:
            view = live.view(seat)
            if live.discrete:
                live.mask(seat)  # found out now: later an agent may think in this thread while a move is checked
            if not self._begun:
                begun[seat] = json.dumps({"begin": position_json.introduction(loaded, live.game, view)})
            shown = {
                "number": number,
                "yours": seat in live.movers,
                "over": not live.movers,
                "total": float(live.totals[seat]),
                **position_json.position(loaded, view),
            }
            made[seat] = json.dumps({"frame": shown})
        with self._changed:
            self._number = number
            self._said.clear()
            self._begun = self._begun or begun
            self._frames = made
            self._tell(begun)
            self._tell(made)

    def _ended(self, record: EpisodeRecord, unsaved: str) -> None:
        self._end = json.dumps(self._told(record, unsaved))
        self._tell(dict.fromkeys(self.keys, self._end))

    def _told(self, record: Mapping[str, Any], unsaved: str) -> dict[str, Any]:
        return {
            "end": {
                "returns": record["returns"],
                "failed": record["failed"],
                "forfeit": record.get("forfeit"),
                "unfinished": self._left if record.get("unfinished") else "",
                "file": "" if unsaved or not (record["actions"] or record["failed"]) else self._file,
                "episode": self._episode,
                "unsaved": unsaved,
            }
        }

    def answer_of(self, seat: Seat) -> Any:
        """What the person in this seat chooses; waits for it."""
        with self._changed:
            self._changed.wait_for(lambda: self._left or seat in self._said)
            if self._left:
                raise CutShort(self._left)
            return self._said[seat]

    def _tell(self, messages: Mapping[Seat, str]) -> None:
        for seat, message in messages.items():
            for listener in self._listeners[seat]:
                listener(message)

    # In the server's threads

    def listen(self, seat: Seat, listener: Listener) -> list[str]:
        """Hear of every new position; what there is to see now comes back."""
        with self._changed:
            self.touched = time.monotonic()
            self._listeners[seat].add(listener)
            return [told for told in (self._begun.get(seat), self._frames.get(seat), self._end) if told]

    def unlisten(self, seat: Seat, listener: Listener) -> None:
        with self._changed:
            self.touched = time.monotonic()
            self._listeners[seat].discard(listener)

    def watched(self) -> bool:
        with self._changed:
            return any(self._listeners.values())

    def move(self, seat: Seat, number: Any, said: Any) -> None:
        """Take what a person chose in position `number`: an action, or words that name one."""
        with self._changed:
            self.touched = time.monotonic()
            if self.record is not None or self._left:
                raise Refused("The game is over; start another one.", 409)
            if number != self._number:
                raise Refused("That was meant for an earlier position. Look at the picture and choose again.", 409)
            if seat in self._said:
                raise Refused("Your move was taken already. Wait for the answer to it.", 409)
            assert self._live is not None
            if seat not in self._live.movers:
                raise Refused("It is not your turn. Wait for the others.", 409)
            move = self._live.move_of(seat, said)
            if isinstance(move, Illegal):
                raise Refused(f"That is no move: {move.reason}", 422)
            self._said[seat] = said
            self._changed.notify_all()


class BrowserGames(HostedGames[BrowserGame]):
    KIND = BrowserGame
