"""Rooms in which people, agents and chat models play over the network: who was invited to which seat.

A room keeps its seats' keys over as many games as are played in it. Whoever has a key is let in to that seat of that
room and to nothing else; one more key is for spectators, and the host's opens and closes rooms.
"""

from __future__ import annotations

import hmac
import itertools
import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mmgames.core.game import Seat
from mmgames.play.browser_game import PERSON
from mmgames.play.hosted_game import HostedGames, Refused
from mmgames.play.room_game import RoomGame

MOST_ROOMS = 100
BETWEEN = 1.0  # seconds between the beginnings of two games in a room


class Asked(NamedTuple):
    """What is played in a room, and by whom."""

    game: str
    agents: tuple[str, ...]
    seed: int | None
    options: Mapping[str, Any]
    clock: Any = None


class Room:
    def __init__(self, number: int, asked: Asked) -> None:
        self.number, self.asked = number, asked
        self.keys: dict[Seat, str] = {
            seat: secrets.token_hex(16) for seat, agent in enumerate(asked.agents) if agent == PERSON
        }
        self.spectators_key = secrets.token_hex(16)
        self.games = 0
        self.begun = 0.0
        self.lock = threading.Lock()
        self.game: RoomGame

    def begin(self, games: HostedGames[RoomGame]) -> None:
        asked = self.asked
        self.game = games.open(asked.game, asked.agents, asked.seed, asked.options, clock=asked.clock, keys=self.keys)
        self.games += 1
        self.begun = time.monotonic()


class Visitor(NamedTuple):
    """Whose key it is: the host's (no room), a seat's, or a spectator's (no seat)."""

    key: str
    room: Room | None = None
    seat: Seat | None = None

    @property
    def is_host(self) -> bool:
        return self.room is None


class Rooms:
    """All rooms that are open. Several threads may use it at the same time."""

    def __init__(self, games: HostedGames[RoomGame], most: int = MOST_ROOMS) -> None:
        self.games, self.most = games, most
        self.host_key = secrets.token_hex(24)
        self._rooms: dict[int, Room] = {}
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._secret = secrets.token_bytes(32)
        self._visitors: dict[bytes, Visitor] = {}
        self._let_in(Visitor(self.host_key))

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
    ) -> Room:
        with self._lock:
            if len(self._rooms) >= self.most:
                raise Refused(f"{self.most} rooms are open, more than one machine should hold; close some.", 503)
            room = Room(next(self._numbers), Asked(game, tuple(agents), seed, dict(options or {}), clock))
            self._rooms[room.number] = room
        try:
            room.begin(self.games)
        except BaseException:
            del self._rooms[room.number]
            raise
        with self._lock:
            self._let_in(Visitor(room.spectators_key, room))
            for seat, key in room.keys.items():
                self._let_in(Visitor(key, room, seat))
        return room

    def find(self, number: Any) -> Room:
        room = self._rooms.get(number) if isinstance(number, int) else None
        if room is None or not room.games:
            raise Refused(f"There is no room {number!r}.", 404)
        return room

    def close(self, number: Any) -> list[str]:
        """Close a room; the keys that let nobody in any more."""
        room = self.find(number)
        gone = [room.spectators_key, *room.keys.values()]
        with self._lock:
            self._rooms.pop(room.number, None)
            for key in gone:
                self._visitors.pop(self._digest(key), None)
        room.game.leave("The host has closed the room.")
        return gone

    def change_key(self, number: Any, role: Any) -> str:
        """Give a seat, or (None) the spectators, another key; the old one, which lets nobody in any more."""
        room = self.find(number)
        with room.lock, self._lock:
            seat = next((seat for seat in room.keys if room.game.seats[seat] == role), None)
            if seat is None and role is not None:
                raise Refused(f"Nobody was invited as {role!r} to room {room.number}.", 404)
            old = room.spectators_key if seat is None else room.keys[seat]
            new = secrets.token_hex(16)
            if seat is None:
                room.spectators_key = new
            else:
                room.keys[seat] = new
            self._visitors.pop(self._digest(old), None)
            self._let_in(Visitor(new, room, seat))
        return old

    def listed(self) -> list[dict[str, Any]]:
        """All rooms with their keys, for the host alone."""
        with self._lock:
            rooms = [room for room in self._rooms.values() if room.games]
        return [about(room) for room in rooms]

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
            room.begin(self.games)
            return room.game


def about(room: Room) -> dict[str, Any]:
    here = room.game.here()
    seats = room.game.seats
    return {
        "number": room.number,
        "game": room.asked.game,
        "games": room.games,
        "over": room.game.record is not None,
        "seats": [
            {"role": seats[seat], "who": agent, "key": room.keys.get(seat, ""), "here": here.get(seats[seat], True)}
            for seat, agent in enumerate(room.asked.agents)
        ],
        "spectators": {"key": room.spectators_key, "count": room.game.spectators},
    }
