"""Rooms over HTTP, for whoever was invited: the play page, on an address that others can reach."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from mmgames.core.game import Seat
from mmgames.errors import MmgamesError
from mmgames.play import tour
from mmgames.play.browser_game import PERSON
from mmgames.play.game_rooms import MOST_ROOMS, Room, Rooms, Visitor, about
from mmgames.play.hosted_game import Refused
from mmgames.play.listening import Listening
from mmgames.play.network_guard import NetworkGuard
from mmgames.play.network_server import NetworkServer
from mmgames.play.room_game import RoomGame, RoomGames
from mmgames.play.server import POLICY, Page, _body

WINDOWS = 4  # in which a seat may be open
MOST_SPECTATORS = 50  # of a room
BACKLOG = 64  # messages that wait for a browser that does not read
ELSEWHERE = json.dumps({"elsewhere": "This seat is open in other windows. Reload the page to go on here."})
A_GUEST = "Somebody with the address that this room has for the seat; you, if you open it."


class Backlog(asyncio.Queue[str]):
    """What is to be sent to a browser. One that reads nothing for long is let go; what it missed is sent anew."""

    def put_nowait(self, item: str) -> None:
        if self.qsize() >= BACKLOG:
            while not self.empty():
                self.get_nowait()
            item = ""
        super().put_nowait(item)


class RoomPage(Page):
    """The answers to what the page asks, of a host or of guests; who asks the guard has found out."""

    def __init__(self, rooms: Rooms, begin: dict[str, Any] | None = None) -> None:
        super().__init__(rooms.games, begin)  # type: ignore[arg-type]  # games in rooms are opened with a room alone
        self.rooms = rooms
        self._streams: dict[str, list[Backlog]] = {}

    def api(self) -> list[Route]:
        return [
            *self.looking(),
            Route("/rooms", self.list_rooms),
            Route("/rooms", self.open_rooms, methods=["POST"]),
            Route("/rooms/close", self.close_room, methods=["POST"]),
            Route("/rooms/key", self.change_key, methods=["POST"]),
            Route("/room", self.room),
            Route("/room/again", self.again, methods=["POST"]),
            *self.playing(),
        ]

    def guarded(self, token: str, listening: Listening, port: int) -> NetworkGuard:
        how = (listening.hosts(port), listening.scheme, POLICY, listening.proxied)
        return NetworkGuard(self.served(token), token, self.rooms, *how)

    # The host

    def set_up(self, request: Request) -> Response:
        found = json.loads(bytes(super().set_up(request).body))
        for agent in found["agents"]:
            if agent["name"] == PERSON:
                agent["does"] = A_GUEST
        return JSONResponse(found)

    async def list_rooms(self, request: Request) -> Response:
        return JSONResponse({"rooms": await run_in_threadpool(self.rooms.listed)})

    async def open_rooms(self, request: Request) -> Response:
        asked = await _body(request)
        opened = await run_in_threadpool(self._open_rooms, asked)
        return JSONResponse({"rooms": [about(room) for room in opened]})

    def _open_rooms(self, asked: dict[str, Any]) -> list[Room]:
        count = asked.get("count", 1)
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= MOST_ROOMS:
            raise Refused(f"{count!r} is no number of rooms; from 1 to {MOST_ROOMS} can be opened at once.")
        wanted = self.checked(asked)
        return [self.rooms.open(*wanted) for _ in range(count)]

    async def close_room(self, request: Request) -> Response:
        gone = await run_in_threadpool(self.rooms.close, (await _body(request)).get("room"))
        self._hang_up(gone)
        return JSONResponse({"taken": True})

    async def change_key(self, request: Request) -> Response:
        asked = await _body(request)
        self._hang_up([await run_in_threadpool(self.rooms.change_key, asked.get("room"), asked.get("role"))])
        return JSONResponse({"taken": True})

    def _hang_up(self, keys: list[str]) -> None:
        for key in keys:
            for waiting in self._streams.get(key, ()):
                waiting.put_nowait("")

    # Guests

    def room(self, request: Request) -> Response:
        """What a guest finds behind an invitation."""
        room, seat = _guest(request)
        role = None if seat is None else room.game.seats[seat]
        return JSONResponse(
            {"number": room.number, "game": room.game.id, "role": role, "over": room.game.record is not None}
        )

    async def again(self, request: Request) -> Response:
        asked = await _body(request)
        room, seat = _guest(request)
        if seat is None:
            raise Refused("Spectators begin no games.", 403)
        game = await run_in_threadpool(self.rooms.again, room, asked.get("game"))
        return JSONResponse({"game": game.id})

    def _seat(self, request: Request, key: Any) -> tuple[Any, Seat]:
        """The game that a guest plays; which seat it is the key in the header has said."""
        room, seat = _guest(request)
        if seat is None:
            raise Refused("Spectators look on.", 403)
        return _game_of(request, room), seat

    def tour_of(self, request: Request) -> Response:
        room, _ = _guest(request)
        return JSONResponse({"pictures": tour.pictures(room.asked.game)})

    async def events(self, request: Request) -> Response:
        room, seat = _guest(request)
        game, key = _game_of(request, room), request.scope["visitor"].key
        streams = self._streams.get(key, [])
        if seat is None and len(streams) >= MOST_SPECTATORS:
            raise Refused(f"{MOST_SPECTATORS} people look on already; try again later.", 503)
        if seat is not None and len(streams) >= WINDOWS:
            streams[0].put_nowait(ELSEWHERE)
            streams.pop(0).put_nowait("")
        return StreamingResponse(self._counted(game, seat, key), media_type="text/event-stream")

    async def _counted(self, game: Any, seat: Any, key: str) -> AsyncIterator[str]:
        waiting = Backlog()
        self._streams.setdefault(key, []).append(waiting)
        try:
            async for message in self._events(game, seat, waiting):
                yield message
        finally:
            streams = self._streams.get(key, [])
            if waiting in streams:
                streams.remove(waiting)
            if not streams:
                self._streams.pop(key, None)


def _guest(request: Request) -> tuple[Room, Seat | None]:
    visitor: Visitor = request.scope["visitor"]
    if visitor.room is None:
        raise Refused("The host plays with the address of a seat, as everybody does.", 403)
    return visitor.room, visitor.seat


def _game_of(request: Request, room: Room) -> RoomGame:
    if request.path_params["id"] != room.game.id:
        raise Refused("That game is over; another one has begun in this room.", 404)
    return room.game


class RoomServer(NetworkServer):
    """The page for those who were invited; `url` is its address, and `invitation(key)` one for whoever gets it."""

    def __init__(self, games: RoomGames, listening: Listening, begin: dict[str, Any] | None = None) -> None:
        super().__init__(listening)
        self.token = secrets.token_hex(12)
        self.rooms = Rooms(games)
        host = listening.hosts(self.port)[0]
        self.url = f"{listening.scheme}://{host}/{self.token}/"
        self._page = RoomPage(self.rooms, begin)
        self.app = self.guard = self._page.guarded(self.token, listening, self.port)

    def stopping(self) -> None:
        self._page.hang_up()

    def invitation(self, key: str) -> str:
        return f"{self.url}#/room/{key}"

    def invitations(self) -> str:
        """All addresses, as text for whoever invites."""
        lines = [f"The host, who opens rooms: {self.url}#/host/{self.rooms.host_key}"]
        for room in self.rooms.listed():
            lines += ["", f"Room {room['number']}, {room['game']}"]
            lines += [f"  {seat['role']}: {self.invitation(seat['key'])}" for seat in room["seats"] if seat["key"]]
            lines += [f"  spectators: {self.invitation(room['spectators']['key'])}"]
        return "\n".join(lines) + "\n"

    def tell(self, links: Path | None) -> None:
        """Print all addresses, or write them to a file that nobody else can read."""
        until = "The addresses work until you stop this with Ctrl-C."
        if links is None:
            print(f"{self.invitations()}\n{until}", flush=True)
            return
        try:
            links.unlink(missing_ok=True)
            links.touch(0o600)
            links.write_text(self.invitations(), "utf-8")
        except OSError as error:
            raise MmgamesError(f"The invitations cannot be written to {links}: {error}.") from error
        print(f"The invitations are in {links}. {until}", flush=True)
