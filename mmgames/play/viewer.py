"""The viewer over HTTP: all calls of runs, for this machine and whoever has the token alone. No page runs a script."""

import contextlib
import secrets
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route

from mmgames.errors import MmgamesError
from mmgames.play import viewer_pages
from mmgames.play.call_index import CallIndex, Search
from mmgames.play.local_server import LocalServer
from mmgames.play.page_guard import PageGuard
from mmgames.play.rebuilt_prompts import RebuiltCall, rebuild

POLICY = (
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


class Viewer(LocalServer):
    """The pages on a port of this machine; `url` is their address, with the token in it."""

    def __init__(self, folders: Sequence[Path], port: int = 0) -> None:
        self.index = CallIndex(folders)
        super().__init__(port)
        self.token = secrets.token_urlsafe(18)
        self.url = f"http://127.0.0.1:{self.port}/{self.token}/calls"
        routes = [
            Route("/", lambda request: RedirectResponse("calls")),
            Route("/calls", self.calls),
            Route("/call", self.call),
            Route("/style.css", lambda request: Response(viewer_pages.VIEWER_STYLE, media_type="text/css")),
        ]
        refusals: dict[Any, Any] = {MmgamesError: _refuse}
        served = [Mount(f"/{self.token}", routes=routes)]
        app = Starlette(routes=served, exception_handlers=refusals, lifespan=self._open)
        self.app = PageGuard(app, self.token, self.hosts, POLICY)

    @contextlib.asynccontextmanager
    async def _open(self, app: Starlette) -> AsyncIterator[None]:
        self.index.start()
        try:
            yield
        finally:
            self.index.close()

    def calls(self, request: Request) -> Response:
        page = min(_number(request, "page") or 0, 10**9)
        return HTMLResponse(viewer_pages.list_page(self.index, _search(request), page))

    def call(self, request: Request) -> Response:
        call, about, record = self.index.find(_number(request, "id") or 0)
        rebuilt: RebuiltCall | str
        try:
            rebuilt = rebuild(about, record, call["seat"], call["number"])
        except MmgamesError as error:
            rebuilt = str(error)
        except Exception as error:  # a record may hold anything
            rebuilt = f"The prompt cannot be rebuilt from this record: {type(error).__name__}: {error}"
        return HTMLResponse(viewer_pages.call_page(call, about, rebuilt, _search(request)))


def _search(request: Request) -> Search:
    words, where, agent, game = (request.query_params.get(name, "") for name in ("words", "where", "agent", "game"))
    refused = bool(request.query_params.get("refused"))
    return Search(words, where, agent, game, refused, _number(request, "file"), _number(request, "episode"))


def _number(request: Request, name: str) -> int | None:
    text = request.query_params.get(name, "")
    if text and not (text.isdecimal() and len(text) < 19):
        raise MmgamesError(f"{name}={text!r} is no number.")
    return int(text) if text else None


async def _refuse(request: Request, error: Exception) -> Response:
    return HTMLResponse(viewer_pages.refusal_page(str(error)), 404)
