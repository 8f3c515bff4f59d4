"""A web server on this machine's own address: nobody else can reach it."""

import socket
import webbrowser
from collections.abc import Callable
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from mmgames.errors import MmgamesError


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, before: Callable[[], None]) -> None:
        super().__init__(config)
        self._before = before

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._before()
        await super().shutdown(sockets)


class LocalServer:
    """A server that is about to start: its port is known, and nobody has been let in yet. It serves `app`."""

    app: ASGIApp
    url: str
    """Where its first page is, for those whose pages a person opens."""

    def __init__(self, port: int = 0, before: int = 0) -> None:
        """`before` is the port that it had when it ran last, which it has again unless another is named, or somebody
        else has it now."""
        try:
            self._socket = self.opened(port or before)
        except MmgamesError:
            if port or not before:
                raise
            self._socket = self.opened(0)
        self.port = self._socket.getsockname()[1]
        self.hosts = {f"{name}:{self.port}" for name in ("127.0.0.1", "localhost")}
        self._server: uvicorn.Server | None = None
        self._stopped = False

    def opened(self, port: int) -> socket.socket:
        """A socket that listens."""
        # The protocol is named: only then does asyncio send small answers at once.
        opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            opened.bind(("127.0.0.1", port))
            opened.listen(256)  # whoever comes early waits
        except (OSError, OverflowError) as error:
            opened.close()
            raise MmgamesError(f"Port {port} cannot be had: {error}; name another one, or none for any.") from error
        return opened

    def config(self, **more: Any) -> uvicorn.Config:
        # Uvicorn's own settings of `logging` would close the handlers of everybody else in this process.
        quiet: dict[str, Any] = {"log_config": None, "log_level": "error", "access_log": False}
        return uvicorn.Config(self.app, timeout_graceful_shutdown=1, **quiet, **more)

    def run(self) -> None:
        """Answer until `stop`, or until the user interrupts."""
        self._server = _Server(self.config(), self.stopping)
        self._server.should_exit = self._stopped
        self._server.run(sockets=[self._socket])

    def announce(self, open_browser: bool) -> None:
        """Print the address of its first page, and open it in the default browser if asked to."""
        print(f"Open {self.url}\nThe address works on this machine, until you stop this with Ctrl-C.", flush=True)
        if open_browser:
            webbrowser.open(self.url)

    def stopping(self) -> None:
        """Called in the server's loop when it is about to stop: time to end answers that would go on for ever."""

    def stop(self) -> None:
        self._stopped = True
        if self._server is not None:
            self._server.should_exit = True
