"""One game in progress whose seats are taken by browsers or by agents.

It is an episode of a match like any other: a person is an agent that waits for what the page sends, and the record
that is kept replays. Each session has a thread of its own, in which its agents think.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mmgames.core.errors import MmgamesError
from mmgames.core.game import Seat
from mmgames.core.live import LiveGame
from mmgames.core.replies import Illegal
from mmgames.core.turn import Turn
from mmgames.episodes import CutShort, EpisodePlayer, EpisodeRecord, make_plan, unplayed
from mmgames.play import frames
from mmgames.play.shelf import Shelf

PERSON = "person"
"""What a seat is given to when a browser takes it, and what the records call it."""

CLOSING = 5.0  # seconds that agents have to come to an end when the server stops

Listener = Callable[[str], None]


class Refused(MmgamesError):
    """A request that is not granted; `status` is HTTP's number for the reason."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.status = status


class Visitor:
    """The agent of a seat that a browser has taken."""

    name = PERSON
    concurrent = True  # where several people move at once, none of them waits for another to be asked

    def __init__(self, session: Session) -> None:
        self._session = session

    def describe(self) -> dict[str, Any]:
        return {"page": frames.SIZE}

    def act(self, turn: Turn) -> Any:
        return self._session.answer_of(turn.seat)


class Session:
    """`agents` says for each seat who plays it; PERSON is a browser that has the seat's key."""

    def __init__(
        self, game: str, agents: Sequence[str], shelf: Shelf, seed: int = 0, options: Mapping[str, Any] | None = None
    ) -> None:
        chosen: list[Any] = [Visitor(self) if agent == PERSON else agent for agent in agents]
        plan = make_plan(game, chosen, seed, "retry", options or {})
        if len(agents) != len(plan.agents):
            raise MmgamesError(f"{plan.id} has {len(plan.agents)} seats; say for each of them who plays it.")
        self._player: EpisodePlayer | None = EpisodePlayer(plan)
        self.id = secrets.token_urlsafe(9)
        self.keys: dict[Seat, str] = {
            seat: secrets.token_urlsafe(16) for seat, agent in enumerate(chosen) if isinstance(agent, Visitor)
        }
        if not self.keys:
            raise MmgamesError(f"Nobody plays: give at least one seat of {plan.id} to a {PERSON}.")
        self.seats = self._player.live.game.seats
        self.record: EpisodeRecord | None = None
        self.touched = time.monotonic()
        """When somebody last looked or moved."""
        self._live: LiveGame | None = self._player.live
        self._number = 0
        self._said: dict[Seat, Any] = {}  # what was chosen in the position that is shown
        self._left = ""
        self._begun: dict[Seat, str] = {}
        self._frames: dict[Seat, str] = {}
        self._end = ""
        self._listeners: dict[Seat, set[Listener]] = {seat: set() for seat in self.keys}
        self._changed = threading.Condition()
        self._shelf = shelf
        self._file, self._episode = shelf.reserve(plan)
        self._thread = threading.Thread(target=self._play, name=f"play-{self.id}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    # In the session's own thread

    def _play(self) -> None:
        player = self._player
        assert player is not None
        unsaved = ""
        try:
            record = player.play(self._episode, self._see)
        except Exception as error:  # nobody may wait for ever
            record = unplayed(player.plan, self._episode, f"{type(error).__name__}: {error}")
        player.close()
        try:
            if record["actions"] or record["failed"]:
                self._shelf.add(self._file, record)
        except MmgamesError as error:
            unsaved = str(error)
        with self._changed:
            self.record = record
            self._end = json.dumps(self._told(record, unsaved))
            self._player = self._live = None  # nothing is kept of it but what is shown
            self._tell(dict.fromkeys(self.keys, self._end))

    def _see(self, live: LiveGame) -> None:
        """A new position: everybody who looks is shown it."""
        loaded, number = live.loaded, self._number + 1
        made, begun = {}, {}
        for seat in self.keys:
            view = live.view(seat)
            if live.discrete:
                live.mask(seat)  # found out now: later an agent may think in this thread while a move is checked
            if not self._begun:
                begun[seat] = json.dumps({"begin": frames.introduction(loaded, live.game, view)})
            shown = {
                "number": number,
                "yours": seat in live.movers,
                "over": not live.movers,
                "total": float(live.totals[seat]),
                **frames.position(loaded, view),
            }
            made[seat] = json.dumps({"frame": shown})
        with self._changed:
            self._number = number
            self._said.clear()
            self._begun = self._begun or begun
            self._frames = made
            self._tell(begun)
            self._tell(made)

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

    def seat_of(self, key: str) -> Seat:
        for seat, own in self.keys.items():
            if secrets.compare_digest(own.encode(), key.encode()):
                return seat
        raise Refused("This game is somebody else's. Ask for an invitation, or start one of your own.", 403)

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

    def leave(self, why: str) -> None:
        """End the game here; what was played of it is kept."""
        with self._changed:
            self._left = self._left or why
            self._changed.notify_all()

    def join(self, timeout: float | None = None) -> None:
        """Wait until the game is over and its record is kept."""
        if self._thread.ident is not None:
            self._thread.join(timeout)


class Table:
    """All games in progress, and those that ended a little while ago."""

    def __init__(self, shelf: Shelf, patience: float = 900.0, most: int = 200, kept: int = 32) -> None:
        self.shelf = shelf
        self.patience = patience
        """So many seconds a game waits for somebody to look at it again."""
        self.most, self.kept = most, kept
        self._sessions: dict[str, Session] = {}
        self._lock = threading.Lock()

    def open(
        self, game: str, agents: Sequence[str], seed: int = 0, options: Mapping[str, Any] | None = None
    ) -> Session:
        self.sweep()
        with self._lock:
            if sum(session.record is None for session in self._sessions.values()) >= self.most:
                raise Refused(f"{self.most} games are going on, more than one machine should hold; end some.", 503)
        session = Session(game, agents, self.shelf, seed, options)
        with self._lock:
            self._sessions[session.id] = session
        session.start()
        return session

    def find(self, id: str, key: str) -> tuple[Session, Seat]:
        session = self._sessions.get(id)
        if session is None:
            raise Refused(
                "There is no such game here (any more). Its record, if it had begun, is among the replays.", 404
            )
        return session, session.seat_of(key)

    def sweep(self) -> None:
        """End games that nobody has looked at for long, and forget old ones that are over."""
        now = time.monotonic()
        with self._lock:
            unwatched = [session for session in self._sessions.values() if not session.watched()]
            over = [session for session in unwatched if session.record is not None]
            gone = {session.id for session in over if now - session.touched > self.patience}
            gone |= {session.id for session in over[: max(0, len(over) - self.kept)]}
            for id in gone:
                del self._sessions[id]
        for session in unwatched:
            if session.record is None and now - session.touched > self.patience:
                session.leave("Nobody looked at it any more.")

    def close(self) -> None:
        """End all games and keep what was played of them."""
        with self._lock:
            sessions = list(self._sessions.values())
        for session in sessions:
            session.leave("The server was stopped.")
        limit = time.monotonic() + CLOSING
        for session in sessions:
            session.join(timeout=max(0.0, limit - time.monotonic()))
        self.shelf.close()
