"""The play page's server for tests: the real one, on a free port, in a thread; and its interface without a browser."""

import contextlib
import http.client
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from mmgames.play.browser_game import BrowserGames
from mmgames.play.saved_games import SavedGames
from mmgames.play.server import Server


@contextlib.contextmanager
def running(server: Any) -> Iterator[None]:
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield
    finally:
        server.stop()
        thread.join()


@contextlib.contextmanager
def serving(folder: Path, patience: float = 900.0, **settings: Any) -> Iterator["Client"]:
    hosted = BrowserGames(SavedGames(folder), patience)
    server = Server(hosted, **settings)
    with running(server):
        yield Client(server, hosted)


@contextlib.contextmanager
def events(connection: http.client.HTTPConnection) -> Iterator[Iterator[dict[str, Any]]]:
    """What is sent, message after message."""
    answer = connection.getresponse()
    assert answer.status == 200, answer.read()
    try:
        yield (json.loads(line[6:]) for line in iter(answer.readline, b"") if line.startswith(b"data: "))
    finally:
        connection.close()


class Client:
    """What a page does, without one."""

    def __init__(self, server: Server, hosted: BrowserGames) -> None:
        self.url, self.port, self.token = server.url, server.port, server.token
        self.hosted, self.app = hosted, getattr(server, "app", None)

    def ask(self, path: str, body: Any = None, *, key: str = "", host: str = "", **more: str | None) -> tuple[int, Any]:
        """The status and the JSON of an answer; a body, as bytes or what JSON holds, is posted; more: origin, token."""
        headers = {"Host": host or f"127.0.0.1:{self.port}"}
        headers |= {"Authorization": f"Bearer {key}"} if key else {}
        if body is not None or "origin" in more:
            headers["Origin"] = more.get("origin") or f"http://127.0.0.1:{self.port}"
        sent = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET" if body is None else "POST", f"/{more.get('token', self.token)}/{path}", sent, headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, json.loads(content) if content[:1] in (b"{", b"[") else content

    def begin(self, game: str, *agents: str, seed: int | None = 0, **options: Any) -> "Game":
        asked = {"game": game, "agents": list(agents), "options": options, "seed": seed}
        status, made = self.ask("api/game", asked)
        assert status == 200, made
        return Game(self, made["id"], made["seats"])


class Game:
    def __init__(self, client: Client, id: str, seats: list[dict[str, str]]) -> None:
        self.client, self.id = client, id
        self.keys = {seat["role"]: seat["key"] for seat in seats}

    def seen(self, role: str) -> contextlib.AbstractContextManager[Iterator[dict[str, Any]]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.client.port, timeout=60)
        connection.request("GET", f"/{self.client.token}/api/game/{self.id}/events?key={self.keys[role]}")
        return events(connection)

    def move(self, role: str, number: int, said: Any) -> tuple[int, Any]:
        return self.client.ask(f"api/game/{self.id}/move", {"key": self.keys[role], "number": number, "said": said})

    def deputise(self, role: str, other: str) -> tuple[int, Any]:
        return self.client.ask(f"api/game/{self.id}/deputy", {"key": self.keys[role], "role": other})

    def resign(self, role: str) -> tuple[int, Any]:
        return self.client.ask(f"api/game/{self.id}/resign", {"key": self.keys[role]})

    def leave(self, role: str) -> tuple[int, Any]:
        return self.client.ask(f"api/game/{self.id}/leave", {"key": self.keys[role]})


def your_turn(messages: Iterator[dict[str, Any]]) -> dict[str, Any]:
    return next(message["frame"] for message in messages if message.get("frame", {}).get("yours"))


def the_table(messages: Iterator[dict[str, Any]], fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The next news of who is there that fits."""
    return next(message["table"] for message in messages if "table" in message and fits(message["table"]))


def the_end(messages: Iterator[dict[str, Any]]) -> dict[str, Any]:
    return next(message["end"] for message in messages if "end" in message)
