"""A server that speaks OpenAI's chat completions over real HTTP, for tests: it says what a script tells it to."""

import base64
import contextlib
import io
import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from PIL import Image

Script = Callable[[dict[str, Any], int], Any]
"""From a request and its number to a reply: a text, a whole document, a Fault, a Drip, bytes to send as they are, or
None to hang up."""


class Fault(NamedTuple):
    status: int
    body: Any = ""
    wait: str | None = None


class Drip(NamedTuple):
    """An answer that never ends: one byte after the other, from its head on or after it."""

    head: bool


class ChatServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, script: Script, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.script = script
        self.latency = 0.0
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.paths: list[str] = []
        self.together = self.most_together = 0
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that are killed in the middle of a call are what some tests are about."""

    def texts(self) -> list[str]:
        """What the user's last message said, for each request."""
        return [words(request["messages"][-1]) for request in self.requests]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # headers and content are two writes: the second would wait 40 ms for the first
    server: ChatServer

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        server = self.server
        with server.lock:
            number = len(server.requests)
            server.requests.append(request)
            names = ("authorization", "x-api-key", "x-goog-api-key")
            server.keys.append("".join(self.headers.get(name, "") for name in names))
            server.paths.append(self.path)
            server.together += 1
            server.most_together = max(server.most_together, server.together)
        try:
            time.sleep(server.latency)
            said = server.script(request, number)
        finally:
            with server.lock:
                server.together -= 1
        if said is None:
            self.close_connection = True
            self.connection.close()
            return
        if isinstance(said, Drip):
            self._drip(said)
        elif isinstance(said, bytes):
            self.close_connection = True
            self.wfile.write(said)
        elif isinstance(said, Fault):
            body = said.body if isinstance(said.body, str) else json.dumps(said.body)
            self._send(said.status, body, said.wait)
        else:
            self._send(200, json.dumps(completion(said) if isinstance(said, str) else said))

    def _drip(self, drip: Drip) -> None:
        self.close_connection = True
        if not drip.head:
            self.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n")
        with contextlib.suppress(OSError):
            for byte in itertools.chain(b"HTTP/1.1 200 OK\r\nx: " if drip.head else b'{"id": "', itertools.repeat(97)):
                self.wfile.write(bytes([byte]))
                time.sleep(0.02)

    def _send(self, status: int, body: str, wait: str | None = None) -> None:
        content = body.encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        if wait is not None:
            self.send_header("retry-after", wait)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        pass


def completion(text: str | None, **message: Any) -> dict[str, Any]:
    said = {"role": "assistant", "content": text, **message}
    usage = {"prompt_tokens": 10, "completion_tokens": 3, "total_tokens": 13}
    choices = [{"index": 0, "finish_reason": "stop", "message": said}]
    return {"id": "c", "object": "chat.completion", "created": 0, "model": "tiny-1", "choices": choices, "usage": usage}


def words(message: dict[str, Any]) -> str:
    content = message["content"]
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def pictures(message: dict[str, Any]) -> list[Image.Image]:
    parts = [] if isinstance(message["content"], str) else message["content"]
    urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    return [Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))) for url in urls]


@contextmanager
def serving(script: Script, latency: float = 0.0, port: int = 0) -> Iterator[ChatServer]:
    server = ChatServer(script, port)
    server.latency = latency
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
