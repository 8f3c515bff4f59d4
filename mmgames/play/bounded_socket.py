"""Connections from the network: only so many at a time, and none that keeps the server waiting for a request.

They are counted where they are accepted, before TLS, so that those that never shake hands count as well; these are hung
up on when others come.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from collections import Counter
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST, MOST_OF_ONE = 1000, 400  # a class may come from one address
REQUEST = 10.0  # seconds from a connection, or from the first byte of a request, to the end of its head
SPARE = 100  # files that a server has open besides
GONE = 20  # seconds without a sign of life from the other side after which a connection is given up


class _Connection(socket.socket):
    """One that is counted until it is closed."""

    counted: tuple[BoundedSocket, str] | None = None
    accepted = 0.0

    def close(self) -> None:
        if self.counted is not None:
            listening, address = self.counted
            self.counted = None
            listening.forget(self, address)
        super().close()


class BoundedSocket(socket.socket):
    """A listening socket that hangs up on whoever is one too many."""

    most, most_of_one = MOST, MOST_OF_ONE

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._silent: dict[int, _Connection] = {}  # those that have not shaken hands yet, oldest first

    @property
    def connections(self) -> int:
        return self._counts.total()

    def forget(self, connection: _Connection, address: str) -> None:
        with self._lock:
            self._silent.pop(connection.fileno(), None)
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address]

    def accept(self) -> tuple[socket.socket, Any]:
        accepted, place = super().accept()
        self._hang_up_on_the_silent()
        address = str(place[0])
        with self._lock:
            refused = self._counts.total() >= self.most or self._counts[address] >= self.most_of_one
            self._counts[address] += not refused
        if refused:
            accepted.close()
            raise ConnectionAbortedError("too many connections")  # asyncio goes on to the next one
        counted = _Connection(accepted.family, accepted.type, accepted.proto, fileno=accepted.detach())
        counted.counted, counted.accepted = (self, address), time.monotonic()
        with self._lock:
            self._silent[counted.fileno()] = counted
        return counted, place

    def speaks(self, number: int) -> None:
        """The connection with this file number has come as far as HTTP, which has a limit of its own."""
        with self._lock:
            self._silent.pop(number, None)

    def _hang_up_on_the_silent(self) -> None:
        since = time.monotonic() - PromptProtocol.patience
        with self._lock:
            late = [number for number, one in self._silent.items() if one.accepted < since]
            for number in late:
                with contextlib.suppress(OSError):
                    self._silent.pop(number).shutdown(socket.SHUT_RDWR)  # asyncio then closes it


def notice_the_gone(listening: socket.socket) -> None:
    """A closed laptop says nothing: have the system ask, and give up what is sent into the void (on Linux)."""
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    settings = {
        "TCP_KEEPIDLE": GONE // 2,
        "TCP_KEEPINTVL": GONE // 4,
        "TCP_KEEPCNT": 2,
        "TCP_USER_TIMEOUT": GONE * 1000,
    }
    for name, value in settings.items():
        if hasattr(socket, name):
            listening.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


class PromptProtocol(H11Protocol):
    """HTTP for those who come to the point: a connection whose request does not arrive is closed."""

    patience = REQUEST
    listening: BoundedSocket | None = None
    """Where it came in."""
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if self.listening is not None:
            self.listening.speaks(transport.get_extra_info("socket").fileno())
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
        elif self._late is None and not self.transport.is_closing():
            self._wait()

    def _wait(self) -> None:
        self._late = self.loop.call_later(self.patience, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def protocol_at(place: BoundedSocket) -> type[PromptProtocol]:
    class Protocol(PromptProtocol):
        listening = place

    return Protocol


def most_connections() -> int:
    """As many as this process may have files open for; where the system has a softer limit, that is raised first."""
    try:
        import resource
    except ImportError:  # not on Windows
        return MOST
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + SPARE
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return MOST if soft == resource.RLIM_INFINITY else max(1, min(MOST, soft - SPARE))
