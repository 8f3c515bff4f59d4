"""The tools over HTTP, on this machine's own address and for whoever has the token alone."""

import secrets
from typing import Any

from mcp.server.mcpserver import MCPServer
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from mmgames.errors import MmgamesError
from mmgames.play.local_server import LocalServer

PATH = "/mcp"
SHORTEST = 16  # characters of a token that cannot be guessed


class TokenGuard:
    """Lets in programs of this machine that have the token, and no page of a browser but one served from here."""

    def __init__(self, app: ASGIApp, token: str, hosts: set[str]) -> None:
        self._app, self._token, self._hosts = app, token, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        status, why = self._why_not(scope) if scope["type"] == "http" else (200, "")
        answer = JSONResponse({"error": why}, status) if why else self._app
        await answer(scope, receive, send)

    def _why_not(self, scope: Scope) -> tuple[int, str]:
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        origin = headers.get(b"origin")
        if headers.get(b"host") not in self._hosts:
            return 403, "This server answers to this machine's own address alone."
        if origin is not None and origin not in {f"http://{host}" for host in self._hosts}:
            return 403, "This request comes from a page of another server, which is not let in."
        kind, _, token = headers.get(b"authorization", "").partition(" ")
        if kind.lower() != "bearer" or not secrets.compare_digest(token.strip().encode(), self._token.encode()):
            return 401, "The token is missing or wrong; send the header `Authorization: Bearer TOKEN`."
        return 200, ""


class HttpServer(LocalServer):
    """`url` is its address; requests need the token, which is a new one unless you give your own."""

    def __init__(self, server: MCPServer[Any], port: int = 0, token: str | None = None) -> None:
        if token is not None and (len(token) < SHORTEST or not token.isascii() or not token.isprintable()):
            raise MmgamesError(
                f"The token is easy to guess or no header holds it; choose {SHORTEST} or more plain characters."
            )
        super().__init__(port)
        self.token = token or secrets.token_urlsafe(18)
        self.url = f"http://127.0.0.1:{self.port}{PATH}"
        self.app = TokenGuard(server.streamable_http_app(streamable_http_path=PATH), self.token, self.hosts)
