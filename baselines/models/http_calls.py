"""JSON documents posted over HTTP and read back, with a deadline for the whole answer and a bound on what is read.

urllib3 does the work. Like other libraries it bounds the wait for the next byte, so that a server which drips bytes
could hold a call for ever: here every read, of the head too, has only the time that is left.
"""

import contextlib
import http.client
import io
import json
import socket
import ssl
import threading
import time
import urllib.request
from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from mmgames.errors import MmgamesError, needs_extra
from mmgames.running.journal import is_offline

MOST_BYTES = 64_000_000  # no answer is longer; what goes on after that is not read
REACHED_WITHIN = 4.0  # seconds in which a server that is there can be connected to


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
    """An address that documents are posted to, by many threads at once. Connections stay open."""

    def __init__(self, base_url: str, headers: Mapping[str, str], timeout: float) -> None:
        place, found = urlsplit(base_url), None
        with contextlib.suppress(ValueError):  # of a port that is no number
            found = place.scheme in ("http", "https") and place.hostname and (place.port or True)
        if not found:
            raise MmgamesError(f"base_url={base_url!r} is no address; it begins with http:// or https://.")
        if not all(value.isascii() and value.isprintable() for value in headers.values()):
            raise MmgamesError("The key holds a line break or a letter that no key has; set its variable anew.")
        self._place, host = place, place.netloc.rpartition("@")[2]
        self._url = f"{place.scheme}://{host}{place.path.rstrip('/')}"
        self._headers, self._timeout = {"content-type": "application/json", **headers}, timeout
        if not is_offline():
            _ = self._connections  # what is not installed is missed before anything is asked

    def post(self, path: str, document: Any) -> HttpAnswer:
        """What the server answers, whatever its status; `NoAnswer` if it does not within the time that a call has."""
        from urllib3.exceptions import HTTPError

        url, content, found = self._url + path, json.dumps(document).encode(), bytearray()
        over_at = time.monotonic() + self._timeout
        try:
            answer = self._connections.urlopen(
                "POST", url, body=content, headers=self._headers, redirect=False, preload_content=False
            )
            for part in answer.stream(decode_content=False):
                found += part
                if len(found) > MOST_BYTES:
                    answer.close()
                    raise NoAnswer(f"Too much: more than {MOST_BYTES:,} bytes.")
        except HTTPError as error:
            if time.monotonic() >= over_at:
                raise NoAnswer(f"Timeout: no whole answer within {self._timeout:g} s.") from None
            raise NoAnswer(f"Connection error: {error}") from None
        return HttpAnswer(answer.status, {name.lower(): value for name, value in answer.headers.items()}, bytes(found))

    def reach(self, seconds: float = REACHED_WITHIN) -> None:
        """Connect once, before anything is asked; `NoAnswer` if that is refused, or has not come about by then."""
        proxy = self._proxy
        place = urlsplit(proxy) if proxy else self._place
        port = place.port or (443 if place.scheme == "https" else 80)
        why = [f"no connection within {seconds:g} s"]

        def connect() -> None:
            try:
                socket.create_connection((place.hostname or "", port), seconds).close()
                why.clear()
            except OSError as error:
                why[:] = [error.strerror or str(error)]

        trial = threading.Thread(target=connect, daemon=True)  # to find a name may take longer than to connect
        trial.start()
        trial.join(seconds)
        if why:
            raise NoAnswer(f"nobody answers at {place.hostname}:{port} ({why[0]})")

    def close(self) -> None:
        if "_connections" in vars(self):
            self._connections.clear()

    @cached_property
    def _proxy(self) -> str:
        """The proxy that the environment names for this server, if it does."""
        bypass = urllib.request.proxy_bypass(self._place.hostname or "")
        proxy = "" if bypass else urllib.request.getproxies().get(self._place.scheme, "")
        return proxy if "://" in proxy or not proxy else f"http://{proxy}"

    @cached_property
    def _connections(self) -> Any:
        """urllib3's connections to the server, or to the proxy that the environment names for it."""
        with needs_extra("The agent 'chat'", "chat"):
            import certifi
            import urllib3
        options: Any = {"retries": False, "timeout": urllib3.Timeout(total=self._timeout)}
        options["maxsize"] = 256  # connections that stay open; calls do not wait for one
        if self._place.scheme == "https":  # one context for all connections: to read whom to trust takes long
            options["ssl_context"] = context = ssl.create_default_context()
            known = ssl.get_default_verify_paths()
            if not (known.cafile or known.capath):
                context.load_verify_locations(certifi.where())
        proxy = self._proxy
        made: Any = urllib3.PoolManager(**options)
        if proxy:
            user = unquote(urlsplit(proxy).netloc.rpartition("@")[0]) or None
            made = urllib3.ProxyManager(proxy, proxy_headers=urllib3.make_headers(proxy_basic_auth=user), **options)
        made.pool_classes_by_scheme = {name: _timed(pool) for name, pool in made.pool_classes_by_scheme.items()}
        return made


def _timed(pool: Any) -> Any:
    """One of urllib3's pools, whose connections read their answers in time."""

    def answer(connection: Any, sock: Any, **options: Any) -> http.client.HTTPResponse:
        return http.client.HTTPResponse(_TimedReader(sock), **options)  # type: ignore[arg-type]

    of = pool.ConnectionCls
    return type(pool.__name__, (pool,), {"ConnectionCls": type(of.__name__, (of,), {"response_class": answer})})


class _TimedReader(io.RawIOBase):
    """Reads from a socket, in all for as long as it would wait for one byte, which is what the call has left."""

    def __init__(self, sock: Any) -> None:
        self._sock, self._file, self._over_at = sock, sock.makefile("rb", 0), time.monotonic() + sock.gettimeout()

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        if (left := self._over_at - time.monotonic()) <= 0:
            raise TimeoutError
        self._sock.settimeout(left)
        return self._file.readinto(buffer)

    def close(self) -> None:
        self._file.close()
        super().close()
