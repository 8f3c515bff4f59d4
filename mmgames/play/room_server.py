"""Rooms over HTTP, for whoever was invited: the play page, on an address that others can reach."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from mmgames.core.game import Seat
from mmgames.errors import MmgamesError, needs_extra
from mmgames.play import tour
from mmgames.play.browser_game import PERSON
from mmgames.play.game_rooms import MOST_ROOMS, Asked, Room, Rooms, Visitor, about
from mmgames.play.hosted_game import Refused
from mmgames.play.listening import Listening
from mmgames.play.network_guard import NetworkGuard
from mmgames.play.network_server import NetworkServer
from mmgames.play.room_game import RoomGame, RoomGames
from mmgames.play.server import POLICY, Page, _body, posted

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

    def __init__(self, rooms: Rooms, begin: dict[str, Any] | None = None, whole_class: Asked | None = None) -> None:
        """`whole_class` is what everybody plays who comes in by a class's door."""
        super().__init__(rooms.games, begin)  # type: ignore[arg-type]  # games in rooms are opened with a room alone
        self.rooms, self.whole_class = rooms, whole_class
        self._streams: dict[str, list[Backlog]] = {}

    def api(self) -> list[Route]:
        return [
            *self.looking(),
            Route("/rooms", self.list_rooms),
            Route("/rooms", self.open_rooms, methods=["POST"]),
            Route("/rooms/close", self.close_room, methods=["POST"]),
            Route("/rooms/key", self.change_key, methods=["POST"]),
            Route("/rooms/qr", self.qr_code, methods=["POST"]),
            Route("/room", self.room),
            Route("/room/again", self.again, methods=["POST"]),
            posted("/room/name", lambda request, asked: self.rooms.name(*_player(request), asked.get("name"))),
            posted("/room/say", lambda request, asked: self.rooms.say(*_player(request), asked.get("text"))),
            Route("/class", self.enter, methods=["POST"]),
            *self.playing(),
        ]

    def guarded(self, token: str, listening: Listening, port: int) -> NetworkGuard:
        how = (listening.hosts(port), listening.scheme, POLICY, listening.proxied)
        return NetworkGuard(self.served(token), token, self.rooms, *how, door=self.whole_class is not None)

    # The host

    def set_up(self, request: Request) -> Response:
        found = json.loads(bytes(super().set_up(request).body))
        next(agent for agent in found["agents"] if agent["name"] == PERSON)["does"] = A_GUEST
        return JSONResponse(found)

    async def list_rooms(self, request: Request) -> Response:
        found = await run_in_threadpool(self.rooms.listed)
        return JSONResponse({"rooms": found, "class": self.whole_class is not None})

    async def qr_code(self, request: Request) -> Response:
        """A picture of an address, for telephones."""
        with needs_extra("A QR code", "play"):
            import segno
        address = str((await _body(request)).get("address"))[:500]
        made = segno.make(address, error="m", micro=False)
        return JSONResponse({"picture": made.svg_data_uri(scale=4, border=2, light="#fff")})

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
        gone = await run_in_threadpool(self.rooms.close_room, (await _body(request)).get("room"))
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

    async def enter(self, request: Request) -> Response:
        """Somebody of a class comes in, and gets the key of a seat."""
        asked = await _body(request)
        if self.whole_class is None:
            raise Refused("No class plays here.", 404)
        key = await run_in_threadpool(self.rooms.enter, self.whole_class, asked.get("name"), asked.get("code"))
        return JSONResponse({"key": key})

    async def again(self, request: Request) -> Response:
        asked = await _body(request)
        room, seat = _guest(request)
        if seat is None:
            raise Refused("Spectators begin no games.", 403)
        game = await run_in_threadpool(self.rooms.again, room, asked.get("game"))
        return JSONResponse({"game": game.id})

    def _seat(self, request: Request, key: Any) -> tuple[Any, Seat]:
        """The game that a guest plays; which seat it is the key in the header has said."""
        room, seat = _player(request)
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


def _player(request: Request) -> tuple[Room, Seat]:
    room, seat = _guest(request)
    if seat is None:
        raise Refused("Spectators look on.", 403)
    return room, seat


def _game_of(request: Request, room: Room) -> RoomGame:
    if request.path_params["id"] != room.game.id:
        raise Refused("That game is over; another one has begun in this room.", 404)
    return room.game


class RoomServer(NetworkServer):
    """The page for those who were invited; `url` is its address, and `invitation(key)` one for whoever gets it."""

    def __init__(
        self,
        games: RoomGames,
        listening: Listening,
        begin: dict[str, Any] | None = None,
        whole_class: Asked | None = None,
    ) -> None:
        self.rooms = Rooms(games)
        self.token = self.rooms.token
        super().__init__(listening, self.rooms.port)
        self.rooms.note("port", port=self.port)
        host = listening.hosts(self.port)[0]
        self.door = f"{listening.scheme}://{host}/" if whole_class else ""
        self.url = f"{listening.scheme}://{host}/{self.token}/"
        self._page = RoomPage(self.rooms, begin, whole_class)
        self.app = self.guard = self._page.guarded(self.token, listening, self.port)

    def run(self) -> None:
        try:
            super().run()
        finally:
            self.rooms.close()

    def stopping(self) -> None:
        self._page.hang_up()

    def invitation(self, key: str) -> str:
        return f"{self.url}#/room/{key}"

    def invitations(self) -> str:
        """All addresses, as text for whoever invites."""
        lines = [f"The class: {self.door}", ""] if self.door else []
        lines += [f"The host, who opens rooms: {self.url}#/host/{self.rooms.host_key}"]
        for room in self.rooms.listed():
            lines += ["", f"Room {room['number']}, {room['game']}"]
            lines += [f"  {seat['role']}: {self.invitation(seat['key'])}" for seat in room["seats"] if seat["key"]]
            lines += [f"  spectators: {self.invitation(room['spectators']['key'])}"]
        return "\n".join(lines) + "\n"

    def tell(self, links: Path | None) -> None:
        """Print all addresses, or write them to a file that nobody else can read."""
        until = "The addresses work until you stop this with Ctrl-C, and again when you start it with the same folder."
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
