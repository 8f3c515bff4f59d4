"""JSON documents posted over HTTP and read back, with a deadline for the whole call and a bound on what is read.

Python's own client, because a call has to end: those of the usual libraries bound the wait for the next byte, so that a
server which drips bytes holds a call for ever. It also takes a sixth of their CPU time.
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import io
import json
import select
import socket
import ssl
import threading
import time
import urllib.request
from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from mmgames.errors import MmgamesError

MOST_BYTES = 64_000_000
"""No answer is longer; what goes on after that is not read."""


class NoAnswer(Exception):
    """Nothing that can be used came back, and why."""


class HttpAnswer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    content: bytes

    def document(self) -> Any:
        """The JSON document that came back; ValueError if it is none."""
        return json.loads(self.content)


class Endpoint:
    """An address that documents are posted to. Connections stay open, and each serves one thread at a time."""

    def __init__(self, base_url: str, headers: Mapping[str, str], timeout: float) -> None:
        place, found = urlsplit(base_url), None
        with contextlib.suppress(ValueError):  # of a port that is no number
            found = place.scheme in ("http", "https") and place.hostname and (place.port or True)
        if not found:
            raise MmgamesError(f"base_url={base_url!r} is no address; it begins with http:// or https://.")
        if not all(value.isascii() and value.isprintable() for value in headers.values()):
            raise MmgamesError("The key holds a line break or a letter that no key has; set its variable anew.")
        self._place, self._headers, self._timeout = place, dict(headers), timeout
        self._idle: list[_Connection] = []
        self._lock = threading.Lock()
        self._tls: ssl.SSLContext | None = None

    def post(self, path: str, document: Any) -> HttpAnswer:
        """What the server answers, whatever its status; `NoAnswer` if it does not within the time that a call has."""
        content = json.dumps(document).encode()
        connection = None
        try:
            connection = self._connection()
            answer = connection.post(self._place.path.rstrip("/") + path, content, self._headers)
        except TimeoutError:
            raise NoAnswer(f"Timeout: no whole answer within {self._timeout:g} s.") from None
        except (OSError, http.client.HTTPException, UnicodeError) as error:  # the last of a name that is no host's
            raise NoAnswer(f"Connection error: {error or type(error).__name__}") from None
        finally:
            if connection is not None:
                self._give_back(connection)
        if len(answer.content) > MOST_BYTES:
            raise NoAnswer(f"Too much: more than {MOST_BYTES:,} bytes.")
        return answer

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def __del__(self) -> None:
        if hasattr(self, "_lock"):
            self.close()

    def _connection(self) -> _Connection:
        """One that is open and unused, or a new one."""
        while True:
            with self._lock:
                if not self._idle:
                    break
                connection = self._idle.pop()
            if connection.usable:
                connection.deadline.start()
                return connection
            connection.close()
        if self._place.scheme == "https":
            with self._lock:
                self._tls = self._tls or _certificates()
        return _Connection(self._place, self._tls, self._timeout)

    def _give_back(self, connection: _Connection) -> None:
        if connection.usable:
            with self._lock:
                self._idle.append(connection)
        else:
            connection.close()


class _Deadline:
    """When a call has to be over."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.start()

    def start(self) -> None:
        self._until = time.monotonic() + self._seconds

    def left(self) -> float:
        """The seconds that are left; a TimeoutError when there are none."""
        if (left := self._until - time.monotonic()) <= 0:
            raise TimeoutError
        return left


class _Connection:
    """A connection to the server, or to the proxy that the environment names for it."""

    def __init__(self, place: Any, tls: ssl.SSLContext | None, timeout: float) -> None:
        self.deadline = _Deadline(timeout)
        proxy = None if urllib.request.proxy_bypass(place.hostname) else urllib.request.getproxies().get(place.scheme)
        to: Any = urlsplit(proxy if "://" in proxy else f"http://{proxy}") if proxy else place
        if tls is not None:
            self._http: http.client.HTTPConnection = http.client.HTTPSConnection(
                to.hostname, to.port, timeout=timeout, context=tls
            )
        else:
            self._http = http.client.HTTPConnection(to.hostname, to.port, timeout=timeout)
        self._http.response_class = partial(_Response, self.deadline)  # type: ignore[assignment]
        self._before, self._for_proxy = "", _proxy_headers(to) if proxy else {}
        if proxy and tls is not None:
            self._http.set_tunnel(place.hostname, place.port or 443, self._for_proxy)
            self._for_proxy = {}
        elif proxy:
            self._before = f"{place.scheme}://{place.netloc.rpartition('@')[2]}"
        self._whole = True

    @property
    def usable(self) -> bool:
        """Whether another call may be made: the last answer was read to its end, and nothing has come since."""
        sock = self._http.sock
        return self._whole and sock is not None and not _readable(sock)

    def post(self, path: str, content: bytes, headers: Mapping[str, str]) -> HttpAnswer:
        self._whole = False
        if self._http.sock is None:
            self._http.connect()
        self._http.sock.settimeout(self.deadline.left())  # type: ignore[attr-defined]
        own = {"content-type": "application/json", **self._for_proxy, **headers}
        self._http.request("POST", self._before + path, content, own)
        answer = self._http.getresponse()
        found = answer.read(MOST_BYTES + 1)
        if answer.length and len(found) <= MOST_BYTES:
            raise http.client.IncompleteRead(found, answer.length)
        self._whole = answer.isclosed()
        return HttpAnswer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, found)

    def close(self) -> None:
        self._http.close()


class _Response(http.client.HTTPResponse):
    """An answer of which every byte has to come before the deadline, those of its head too."""

    def __init__(self, deadline: _Deadline, sock: socket.socket, *more: Any, **options: Any) -> None:
        super().__init__(sock, *more, **options)
        self.fp.close()
        self.fp = io.BufferedReader(_TimedReader(sock, deadline))


class _TimedReader(io.RawIOBase):
    def __init__(self, sock: socket.socket, deadline: _Deadline) -> None:
        self._sock, self._file, self._deadline = sock, sock.makefile("rb", buffering=0), deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(self._deadline.left())
        return self._file.readinto(buffer)

    def close(self) -> None:
        self._file.close()
        super().close()


def _readable(sock: socket.socket) -> bool:
    if not hasattr(select, "poll"):  # Windows
        return bool(select.select([sock], [], [], 0)[0])
    waiting = select.poll()  # select() itself takes no more than a thousand open files
    waiting.register(sock, select.POLLIN)
    return bool(waiting.poll(0))


def _proxy_headers(proxy: Any) -> dict[str, str]:
    if not proxy.username:
        return {}
    pair = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}".encode()
    return {"proxy-authorization": f"Basic {base64.b64encode(pair).decode('ascii')}"}


def _certificates() -> ssl.SSLContext:
    """Whom to trust: as this machine says, and where it says nothing, as certifi does (extra `chat`)."""
    context = ssl.create_default_context()
    known = ssl.get_default_verify_paths()
    if not (known.cafile or known.capath):
        try:
            import certifi
        except ImportError:
            return context
        context.load_verify_locations(certifi.where())
    return context
