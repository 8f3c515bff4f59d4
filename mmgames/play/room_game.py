"""A game in a room: its seats are taken with the room's keys, and others may look on.

Spectators are shown what everybody sees: positions of games in which nothing is hidden. Of all other games they are
told who is there and how it ended, and shown the last position once it is over, as the players are. Guests are not told
where models are asked, where records are or what made an agent fail: these are the host's matters.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from mmgames.core.game import Seat
from mmgames.core.live import LiveGame
from mmgames.errors import MmgamesError
from mmgames.play import position_json
from mmgames.play.browser_game import BrowserGame, Listener
from mmgames.play.hosted_game import HostedGames
from mmgames.running.endings import Ending
from mmgames.running.episodes import EpisodeRecord


class Begun(NamedTuple):
    """How far a game had come, from the events that were noted of it."""

    id: str
    episode: int
    file: str
    seed: int | None
    actions: tuple[tuple[Any, ...], ...] = ()
    moved: Mapping[Seat, Any] = {}
    """What people have chosen in the position after these actions."""
    shown: Mapping[str, Any] = {}
    """What the last event said besides: number, clocks, deputies."""
    came: frozenset[Seat] = frozenset()
    over: bool = False

    def after(self, event: str, row: Mapping[str, Any]) -> Begun:
        if event == "begun":
            return Begun(row["id"], row["episode"], row["file"], row["seed"])
        if event == "moved":
            return self._replace(moved={**self.moved, row["seat"]: row["said"]})
        if event == "came":
            return self._replace(came=self.came | {row["seat"]})
        if event == "over":
            return self._replace(over=True)
        step = row["step"]  # fewer than before: moves were taken back
        actions = (*self.actions[: max(0, step - 1)], *([tuple(row["actions"])] if step else []))
        return self._replace(actions=actions, moved={}, shown=row)


class RoomGame(BrowserGame):
    """`keys`, `names` and `talk` are those of the room, in which this may be one of many games; `note` is told all that
    must not be lost, and `before` is what it was told before a restart."""

    def __init__(
        self,
        game: str,
        agents: Sequence[str],
        *args: Any,
        keys: Mapping[Seat, str] | None = None,
        names: Mapping[Seat, str] | None = None,
        talk: Sequence[Sequence[str]] = (),
        note: Callable[..., None] = lambda event, **more: None,
        before: Begun | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(game, agents, *args, **kwargs)
        assert self._player is not None
        own = Begun(self.id, self._episode, self._file, self._player.plan.seed)  # type: ignore[arg-type]
        if before is not None and (before.file, before.seed) != (own.file, own.seed):
            raise MmgamesError("That game was dealt from another seed.")
        self.keys = dict(keys or self.keys)
        self._names, self._talk, self._note = {} if names is None else names, talk, note
        self._before = before or own
        self.id = self._before.id
        self._player.played_before = self._before.actions
        self._moved_before = dict(self._before.moved)
        self._came = set(self._before.came)
        self._gone = dict.fromkeys(self.keys, time.monotonic())
        self._deputised = dict(self._before.shown.get("deputies", {}))
        if before is None:
            note("begun", id=own.id, episode=own.episode, file=own.file, seed=own.seed)
        self._agents = [agent.partition(":")[0] for agent in agents]
        self._spectators: set[Listener] = set()
        self._introduced = ""
        self._public: tuple[int, LiveGame, Any] | None = None  # the position that everybody may see, not yet drawn
        self._drawn = (0, "")

    # In the game's own thread

    def _see(self, live: LiveGame) -> None:
        assert self._player is not None
        player, step = self._player, len(self._player.actions)
        if step < len(player.played_before):
            self._course.see(live, player.actions, list(self.keys))
            return
        first, player.played_before = not self._number, ()
        if first and self._before.shown:
            self._number = self._before.shown["number"] - 1
            player.clocks.left[:] = self._before.shown["left"] or player.clocks.left
            player.taken_back = self._before.shown["taken_back"]
        elif not first:
            left = list(player.clocks.left) if player.plan.clock else None
            more = {"deputies": self._deputised, "left": left, "taken_back": player.taken_back}
            actions = player.actions[-1] if step else []
            self._note("played", step=step, actions=actions, number=self._number + 1, **more)
        number, public = self._number + 1, live.game.spec.information == "perfect"
        if not self._introduced:
            told = position_json.introduction(live.loaded, live.game, live.view(None) if public else None)
            self._introduced = json.dumps({"begin": told})
        self._public = (number, live, live.view(None)) if public else None
        super()._see(live)
        if self._spectators and (drawn := self._frame()):
            with self._changed:
                self._tell_spectators(drawn)

    def _frame(self) -> str:
        """The position as spectators see it; drawn when somebody looks, once."""
        public = self._public
        if public is None:
            return ""
        number, live, view = public
        if self._drawn[0] != number:
            shown = {
                "number": number,
                "yours": False,
                "over": False,
                **position_json.watched(live.loaded, live.game, view),
            }
            self._drawn = (number, json.dumps({"frame": shown}))
        return self._drawn[1]

    def _ended(self, record: EpisodeRecord, ending: Ending, unsaved: str) -> None:
        if not self._paused:
            self._note("over")
        super()._ended(record, ending, unsaved)
        self._tell_spectators(self._end)
        self.tell_talk()

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
        found = json.loads(table)["table"]
        names = {self.seats[seat]: name for seat, name in self._names.items()}
        people = [{**one, "name": names.get(one["role"], "")} for one in found["people"]]
        return json.dumps({"table": {**found, "people": people, "watching": len(self._spectators)}})

    def tell_table(self) -> None:
        with self._changed:
            self._tell_table()

    def may_talk(self) -> bool:
        """Whether people may talk about the game: not while it hides something from some of them."""
        live = self._live
        return live is None or live.game.spec.information == "perfect"

    def _talked(self) -> str:
        return json.dumps({"chat": {"said": list(self._talk), "open": self.may_talk()}})

    def tell_talk(self) -> None:
        with self._changed:
            self._tell(dict.fromkeys(self.keys, self._talked()))
            self._tell_spectators(self._talked())

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
            if seat not in self._came:
                self._note("came", seat=seat)
            now = super().listen(seat, listener)
            with self._changed:
                self._tell_spectators(self._table())
            return [*now[:-1], self._talked(), *now[-1:]]
        self._frame()  # mostly drawn before others have to wait for it
        with self._changed:
            public = self._public
            # One that players are not shown yet comes with theirs.
            frame = self._frame() if public is not None and public[0] == self._number else ""
            self._spectators.add(listener)
            table = self._table()
            self._tell(dict.fromkeys(self.keys, table) if table else {})
            return [told for told in (self._introduced, table, self._talked(), frame, self._end) if told]

    def unlisten(self, seat: Seat | None, listener: Listener) -> None:
        if seat is not None:
            super().unlisten(seat, listener)
            return
        with self._changed:
            self._spectators.discard(listener)
            self._tell_table()

    def _keep(self, seat: Seat, said: Any) -> None:
        self._note("moved", seat=seat, said=said)

    @property
    def spectators(self) -> int:
        return len(self._spectators)

    def here(self) -> dict[str, bool]:
        """Which of the people's seats somebody looks at just now."""
        with self._changed:
            return {self.seats[seat]: bool(self._listeners[seat]) for seat in self.keys}


class RoomGames(HostedGames[RoomGame]):
    KIND = RoomGame

    def stop(self, hosted: RoomGame) -> None:
        hosted.pause()
