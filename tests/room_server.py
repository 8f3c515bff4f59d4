"""Rooms over the network for tests: the real server, on the loopback interface, and its guests without a browser."""

import contextlib
import http.client
import json
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from mmgames.play.listening import Listening, listening
from mmgames.play.room_game import RoomGames
from mmgames.play.room_server import RoomServer
from mmgames.play.saved_games import SavedGames
from tests.play_server import events, running


def certificate(folder: Path, *names: str) -> tuple[Path, Path]:
    """A certificate for these names (DNS:… or IP:…) that signs itself, and its key."""
    made, key = folder / "certificate.pem", folder / "key.pem"
    command = [shutil.which("openssl") or "openssl", "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=mmgames"]
    command += ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-keyout", str(key), "-out", str(made)]
    subprocess.run([*command, "-addext", f"subjectAltName={','.join(names)}"], check=True, capture_output=True)
    return made, key


@contextlib.contextmanager
def serving(folder: Path, place: Listening | None = None, patience: float = 900.0) -> Iterator["Host"]:
    games = RoomGames(SavedGames(folder), patience)
    server = RoomServer(games, place or listening("127.0.0.1", insecure=True))
    with running(server):
        yield Host(server)


class Guest:
    """Whoever has a key, without a browser; `trusted` is the certificate that is believed."""

    def __init__(self, server: RoomServer, key: str, trusted: Path | None = None) -> None:
        self.server, self.key, self.trusted = server, key, trusted
        self.host = server.listening.hosts(server.port)[0]
        self.origin = f"{server.listening.scheme}://{self.host}"

    def connection(self) -> http.client.HTTPConnection:
        if self.trusted is None:
            return http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        context = ssl.create_default_context(cafile=str(self.trusted))
        return http.client.HTTPSConnection("127.0.0.1", self.server.port, timeout=60, context=context)

    def headers(self, **more: str) -> dict[str, str]:
        return {"Host": self.host, "Authorization": f"Bearer {self.key}", **more}

    def raw(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> tuple[int, Any, dict[str, str]]:
        connection = self.connection()
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            content = answer.read()
            found = json.loads(content) if content[:1] in (b"{", b"[") else content
            return answer.status, found, {name.lower(): value for name, value in answer.getheaders()}
        finally:
            connection.close()

    def ask(self, path: str, body: Any = None) -> tuple[int, Any]:
        sent = None if body is None else json.dumps(body).encode()
        headers = self.headers(**({} if body is None else {"Origin": self.origin}))
        address = f"/{self.server.token}/api/{path}"
        return self.raw("GET" if body is None else "POST", address, sent, headers)[:2]

    @property
    def game(self) -> str:
        status, found = self.ask("room")
        assert status == 200, found
        return found["game"]

    def seen(self, game: str = "") -> contextlib.AbstractContextManager[Iterator[dict[str, Any]]]:
        connection = self.connection()
        connection.request("GET", f"/{self.server.token}/api/game/{game or self.game}/events", headers=self.headers())
        return events(connection)

    def move(self, number: int, said: Any, game: str = "") -> tuple[int, Any]:
        return self.ask(f"game/{game or self.game}/move", {"number": number, "said": said})


class Host(Guest):
    def __init__(self, server: RoomServer) -> None:
        super().__init__(server, server.rooms.host_key)

    def open(self, game: str, *agents: str, trusted: Path | None = None, **options: Any) -> dict[str, Guest]:
        """A guest for each seat of a new room that a person takes, by role, and one of the name "spectator"."""
        room = self.server.rooms.open(game, agents, 0, options, options.pop("clock", None))
        seats = {room.game.seats[seat]: Guest(self.server, key, trusted) for seat, key in room.keys.items()}
        return {**seats, "spectator": Guest(self.server, room.spectators_key, trusted)}

    def line(self) -> socket.socket:
        """A connection on which nothing has been said yet."""
        return socket.create_connection(("127.0.0.1", self.server.port), timeout=60)

    def rows(self) -> list[dict[str, Any]]:
        """All records there are."""
        saved = self.server.rooms.games.saved
        return [row for name in saved.files() for row in saved.rows(name)[1]]
