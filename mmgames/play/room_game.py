"""A game in a room: its seats are taken with the room's keys, and others may look on.

Spectators are shown what everybody sees: positions of games in which nothing is hidden. Of all other games they are
told who is there and how it ended, and shown the last position once it is over, as the players are. Guests are not told
where models are asked, where records are or what made an agent fail: these are the host's matters.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from mmgames.core.game import Seat
from mmgames.core.live import LiveGame
from mmgames.core.registry import LoadedGame
from mmgames.play import position_json
from mmgames.play.browser_game import BrowserGame, Listener
from mmgames.play.hosted_game import HostedGames
from mmgames.running.endings import Ending
from mmgames.running.episodes import EpisodeRecord


class RoomGame(BrowserGame):
    """`keys` are those of the room, in which this may be one of many games."""

    def __init__(
        self, game: str, agents: Sequence[str], *args: Any, keys: Mapping[Seat, str] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(game, agents, *args, **kwargs)
        self.keys = dict(keys or self.keys)
        self._agents = [agent.partition(":")[0] for agent in agents]
        self._spectators: set[Listener] = set()
        self._introduced = ""
        self._public: tuple[int, LoadedGame, Any] | None = None  # the position that everybody may see, not yet drawn
        self._drawn = (0, "")

    # In the game's own thread

    def _see(self, live: LiveGame) -> None:
        number, public = self._number + 1, live.game.spec.information == "perfect"
        if not self._introduced:
            told = position_json.watched_introduction(live.loaded, live.game, live.view(None) if public else None)
            self._introduced = json.dumps({"begin": told})
        self._public = (number, live.loaded, live.view(None)) if public else None
        super()._see(live)
        if self._spectators and (drawn := self._frame()):
            with self._changed:
                self._tell_spectators(drawn)

    def _frame(self) -> str:
        """The position as spectators see it; drawn when somebody looks, once."""
        public = self._public
        if public is None:
            return ""
        number, loaded, view = public
        if self._drawn[0] != number:
            shown = {"number": number, "yours": False, "over": False, **position_json.watched(loaded, view)}
            self._drawn = (number, json.dumps({"frame": shown}))
        return self._drawn[1]

    def _ended(self, record: EpisodeRecord, ending: Ending, unsaved: str) -> None:
        super()._ended(record, ending, unsaved)
        self._tell_spectators(self._end)

    def _told(self, record: Mapping[str, Any], ending: Ending, unsaved: str) -> dict[str, Any]:
        told = super()._told(record, ending, unsaved)
        end = {**told["end"], "file": "", "unsaved": "the host can find out why." if unsaved else ""}
        if record["failed"]:
            end.update(headline="It ended early: an agent failed.", failed="An agent failed; the record says why.")
        return {"end": end}

    # Who is there

    def _table(self) -> str:
        table = super()._table()
        if not table:
            return table
        return json.dumps({"table": {**json.loads(table)["table"], "watching": len(self._spectators)}})

    def _tell_table(self) -> None:
        super()._tell_table()
        self._tell_spectators(self._table())

    def _tell_spectators(self, message: str) -> None:
        for listener in self._spectators if message else ():
            listener(message)

    # In the server's threads

    def listen(self, seat: Seat | None, listener: Listener) -> list[str]:
        """Hear of every new position, in a seat or (None) as a spectator; what there is to see now comes back."""
        if seat is not None:
            now = super().listen(seat, listener)
            with self._changed:
                self._tell_spectators(self._table())
            return now
        self._frame()  # mostly drawn before others have to wait for it
        with self._changed:
            public = self._public
            # One that players are not shown yet comes with theirs.
            frame = self._frame() if public is not None and public[0] == self._number else ""
            self._spectators.add(listener)
            table = self._table()
            self._tell(dict.fromkeys(self.keys, table) if table else {})
            return [told for told in (self._introduced, table, frame, self._end) if told]

    def unlisten(self, seat: Seat | None, listener: Listener) -> None:
        if seat is not None:
            super().unlisten(seat, listener)
            return
        with self._changed:
            self._spectators.discard(listener)
            self._tell_table()

    @property
    def spectators(self) -> int:
        return len(self._spectators)

    def here(self) -> dict[str, bool]:
        """Which of the people's seats somebody looks at just now."""
        with self._changed:
            return {self.seats[seat]: bool(self._listeners[seat]) for seat in self.keys}


class RoomGames(HostedGames[RoomGame]):
    KIND = RoomGame
