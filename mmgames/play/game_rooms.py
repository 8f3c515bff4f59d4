"""Rooms in which people, agents and chat models play over the network: who was invited to which seat.

A room keeps its seats' keys over as many games as are played in it. Whoever has a key is let in to that seat of that
room and to nothing else; one more key is for spectators, and the host's opens and closes rooms. All of it is events in
a journal, moves among them, so that a server which was killed goes on where it was, with the same invitations.
"""

import contextlib
import hmac
import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from mmgames.core.game import Seat
from mmgames.errors import MmgamesError
from mmgames.play.browser_game import PERSON
from mmgames.play.hosted_game import HostedGames, Refused
from mmgames.play.room_game import Begun, RoomGame
from mmgames.running.records import EventLog
from mmgames.text.plain import plain

MOST_ROOMS = 100
BETWEEN = 1.0  # seconds between the beginnings of two games in a room
LONGEST_NAME, LONGEST_TALK, KEPT_TALK = 24, 500, 100
JOURNAL = "rooms.journal"  # no results file: it holds keys


class Asked(NamedTuple):
    """What is played in a room, and by whom."""

    game: str
    agents: tuple[str, ...]
    seed: int | None
    options: Mapping[str, Any]
    clock: Any = None


class Room:
    def __init__(self, number: int, asked: Asked, keys: Mapping[Seat, str], spectators_key: str, code: str) -> None:
        self.number, self.asked, self.spectators_key, self.code = number, asked, spectators_key, code
        self.keys = dict(keys)
        self.names: dict[Seat, str] = {}
        self.given: set[Seat] = set()  # seats that a class's door has given to somebody
        self.talk: list[list[str]] = []
        self.games = 0
        self.begun = 0.0
        self.progress = Begun("", 0, "", None)
        self.lock = threading.Lock()
        self.game: RoomGame

    def free_seat(self) -> Seat | None:
        return next((seat for seat in self.keys if seat not in self.given), None)


class Visitor(NamedTuple):
    """Whose key it is: the host's (no room), a seat's, or a spectator's (no seat)."""

    key: str
    room: Room | None = None
    seat: Seat | None = None

    @property
    def is_host(self) -> bool:
        return self.room is None


class Rooms(EventLog):
    """All rooms that are open. Several threads may use it at the same time."""

    def __init__(self, games: HostedGames[RoomGame], most: int = MOST_ROOMS) -> None:
        self.games, self.most = games, most
        self._rooms: dict[int, Room] = {}
        self._last = 0
        self._lock, self._entering = threading.Lock(), threading.Lock()
        self.host_key = self.token = ""
        self.port = 0
        self._secret = secrets.token_bytes(32)
        self._visitors: dict[bytes, Visitor] = {}
        path = games.saved.folder / JOURNAL
        keep_private(path)
        try:
            super().__init__(path, {"rooms": 1})
        except MmgamesError as error:
            raise MmgamesError(f"{error} Rooms of another server are kept there; name another --records.") from error
        if not self.host_key:
            self.note("host", key=secrets.token_hex(24), token=secrets.token_hex(12))
        for room in self._rooms.values():
            self._begin(room, room.progress)

    # What happened

    def apply(self, row: Mapping[str, Any]) -> None:
        kind = row["event"]
        if kind == "host":
            self.host_key, self.token = row["key"], row["token"]
            self._let_in(Visitor(self.host_key))
        elif kind == "opened":
            asked = Asked(row["game"], tuple(row["agents"]), row["seed"], row["options"], row["clock"])
            keys = {int(seat): key for seat, key in row["keys"].items()}
            room = self._rooms[row["room"]] = Room(row["room"], asked, keys, row["spectators"], row["code"])
            self._last = max(self._last, room.number)
            for seat, key in [(None, room.spectators_key), *room.keys.items()]:
                self._let_in(Visitor(key, room, seat))
        elif kind == "port":
            self.port = row["port"]
        elif row["room"] in self._rooms:
            self._happened(self._rooms[row["room"]], kind, row)

    def _happened(self, room: Room, kind: str, row: Mapping[str, Any]) -> None:
        if kind == "closed":
            del self._rooms[room.number]
            for key in (room.spectators_key, *room.keys.values()):
                self._visitors.pop(self._digest(key), None)
        elif kind == "key":
            self._visitors.pop(self._digest(key_of(room, row["seat"])), None)
            if row["seat"] is None:
                room.spectators_key = row["key"]
            else:
                room.keys[row["seat"]] = row["key"]
            self._let_in(Visitor(row["key"], room, row["seat"]))
        elif kind == "named":
            room.names[row["seat"]] = row["name"]
        elif kind == "given":
            room.given.add(row["seat"])
        elif kind == "talk":
            room.talk.append([row["who"], row["text"]])
            del room.talk[:-KEPT_TALK]
        else:
            room.games += kind == "begun"
            room.progress = room.progress.after(kind, row)

    # Who is let in

    def _digest(self, key: str) -> bytes:
        """What keys are looked up by: how long that takes tells nothing about any key, as nobody knows the secret."""
        return hmac.digest(self._secret, key.encode("utf-8", "surrogatepass"), "sha256")

    def _let_in(self, visitor: Visitor) -> None:
        self._visitors[self._digest(visitor.key)] = visitor

    def visitor(self, key: str) -> Visitor | None:
        found = self._visitors.get(self._digest(key))
        own = found.key if found else self.host_key
        same = hmac.compare_digest(own.encode(), key.encode("utf-8", "surrogatepass"))
        return found if same else None

    # What the host does

    def open(
        self,
        game: str,
        agents: Sequence[str],
        seed: int | None = None,
        options: Mapping[str, Any] | None = None,
        clock: Any = None,
        code: str = "",
    ) -> Room:
        with self._lock:
            if len(self._rooms) >= self.most:
                raise Refused(f"{self.most} rooms are open, more than one machine should hold; close some.", 503)
            keys = {seat: secrets.token_hex(16) for seat, agent in enumerate(agents) if agent == PERSON}
            asked = {"game": game, "agents": list(agents), "seed": seed, "options": dict(options or {}), "clock": clock}
            number = self._last + 1
            self.note("opened", room=number, **asked, keys=keys, spectators=secrets.token_hex(16), code=code)
            room = self._rooms[number]
        try:
            self._begin(room)
        except BaseException:
            self.note("closed", room=number)
            raise
        return room

    def _begin(self, room: Room, before: Begun | None = None) -> None:
        """Begin a game in a room, or go on with the one that was played before a restart."""
        asked = room.asked
        own: dict[str, Any] = {"keys": room.keys, "names": room.names, "talk": room.talk, "clock": asked.clock}
        own["note"] = partial(self.note, room=room.number)
        room.begun = time.monotonic()
        if before is not None and before.id and not before.over:
            with contextlib.suppress(MmgamesError):  # it is over, or was dealt by another version: another one begins
                again = {"again": before.episode, "before": before}
                room.game = self.games.open(asked.game, asked.agents, asked.seed, asked.options, **own, **again)
                return
        room.game = self.games.open(asked.game, asked.agents, asked.seed, asked.options, **own)

    def find(self, number: Any) -> Room:
        room = self._rooms.get(number) if isinstance(number, int) else None
        if room is None or not room.games:
            raise Refused(f"There is no room {number!r}.", 404)
        return room

    def close_room(self, number: Any) -> list[str]:
        """Close a room; the keys that let nobody in any more."""
        room = self.find(number)
        gone = [room.spectators_key, *room.keys.values()]
        self.note("closed", room=room.number)
        room.game.leave("The host has closed the room.")
        return gone

    def change_key(self, number: Any, role: Any) -> str:
        """Give a seat, or (None) the spectators, another key; the old one, which lets nobody in any more."""
        room = self.find(number)
        with room.lock, self._lock:
            seat = next((seat for seat in room.keys if room.game.seats[seat] == role), None)
            if seat is None and role is not None:
                raise Refused(f"Nobody was invited as {role!r} to room {room.number}.", 404)
            old = key_of(room, seat)
            self.note("key", room=room.number, seat=seat, key=secrets.token_hex(16))
            return old

    def listed(self) -> list[dict[str, Any]]:
        """All rooms with their keys, for the host alone."""
        return [about(room) for room in self.open_rooms()]

    def open_rooms(self) -> list[Room]:
        with self._noting:
            return [room for room in self._rooms.values() if room.games]

    # What guests do

    def again(self, room: Room, over: Any) -> RoomGame:
        """The game after the one with the id `over`; whoever asks first begins it."""
        with room.lock:
            if room.game.id != over:
                return room.game
            if room.game.record is None:
                raise Refused("The game is still going on.", 409)
            if time.monotonic() - room.begun < BETWEEN:
                raise Refused("The last game has only just begun; wait a moment.", 429)
            self._begin(room)
            return room.game

    def name(self, room: Room, seat: Seat, name: Any) -> None:
        """What the others call somebody."""
        self.note("named", room=room.number, seat=seat, name=_line(name, LONGEST_NAME))
        room.game.tell_table()

    def say(self, room: Room, seat: Seat, text: Any) -> None:
        """Something for everybody in the room; not while a game hides what could be told."""
        said = _line(text, LONGEST_TALK)
        if not room.game.may_talk():
            raise Refused("This game hides something from the players; talk about it when it is over.", 409)
        if said:
            self.note("talk", room=room.number, who=room.names.get(seat) or room.game.called[seat], text=said)
            room.game.tell_talk()

    def enter(self, asked: Asked, name: Any, code: Any) -> str:
        """Somebody of a class comes in: the key of a free seat, in the pair's room or in the next one."""
        pair = _line(code, LONGEST_NAME).lower()
        with self._entering:
            rooms = [room for room in self._rooms.values() if room.code == pair and room.asked == asked]
            room = next((room for room in rooms if room.free_seat() is not None), None)
            if room is None and pair and rooms:
                raise Refused("This pair is complete; choose another word, or none.", 409)
            room = room or self.open(*asked, code=pair)
            seat = room.free_seat()
            assert seat is not None
            self.note("given", room=room.number, seat=seat)
        self.name(room, seat, name)
        return room.keys[seat]


def key_of(room: Room, seat: Seat | None) -> str:
    return room.spectators_key if seat is None else room.keys[seat]


def _line(text: Any, most: int) -> str:
    """What somebody has typed, as one line of letters that can be shown."""
    shown = "".join(sign if sign.isprintable() else " " for sign in text) if isinstance(text, str) else ""
    return " ".join(shown.split())[:most]


def keep_private(path: Path) -> None:
    """A file that nobody else can read."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(0o600)
        path.chmod(0o600)
    except OSError as error:
        raise MmgamesError(f"{path} cannot be written: {error.strerror}.") from error


def about(room: Room) -> dict[str, Any]:
    here = room.game.here()
    seats = room.game.seats
    return {
        "number": room.number,
        "game": room.asked.game,
        "games": room.games,
        "over": room.game.record is not None,
        "seats": [
            {
                "role": seats[seat],
                "called": room.game.called[seat],
                "name": room.names.get(seat, ""),
                "who": plain(agent.partition(":")[0]),
                "key": room.keys.get(seat, ""),
                "here": here.get(seats[seat], True),
            }
            for seat, agent in enumerate(room.asked.agents)
        ],
        "spectators": {"key": room.spectators_key, "count": room.game.spectators},
    }
