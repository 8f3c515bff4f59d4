"""The play page over HTTP, for this machine and whoever has the token alone.

The server listens on the loopback interface. Every address begins with a token that is new with every start, so that
other users and other pages of the browser do not know it. Requests that name another host or come from another origin
are refused all the same. What the page is sent it may show as text only: it loads nothing from elsewhere and runs no
script but its own.
"""

import asyncio
import contextlib
import json
import secrets
import sys
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from mmgames.core.game import Seat
from mmgames.core.registry import find
from mmgames.errors import MissingExtra, MmgamesError
from mmgames.play import gallery, process_memory, tour
from mmgames.play.browser_game import BrowserGame, BrowserGames
from mmgames.play.hosted_game import Refused
from mmgames.play.local_server import LocalServer
from mmgames.play.page_guard import PageGuard, bearer_key
from mmgames.play.recorded import RecordedEpisodes

STATIC = Path(__file__).parent / "static"
MOST_BYTES = 1_000_000  # of a request; the longest message that counts anywhere is shorter
LOOK = 1.0  # seconds between looks at what a game waits for
BEAT = 10.0  # seconds between signs of life, by which a closed browser is noticed
SWEEP = 10.0  # seconds between looks for games that nobody looks at, and for memory that is free
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


Deed = Callable[[Any, Seat, dict[str, Any]], object]
"""Something that a seat does in its game, with what its page says about it."""


def _draw(game: BrowserGame, seat: Seat, asked: dict[str, Any]) -> None:
    """Offer a draw, or with `taken` answer the offer of one."""
    if "taken" in asked:
        game.answer_draw(seat, asked["taken"] is True)
    else:
        game.offer_draw(seat)


class Page:
    """The answers to what the page asks; `begin` is the game that it offers first, as (id, agents, seed, options)."""

    deeds: ClassVar[dict[str, Deed]] = {
        "move": lambda game, seat, asked: game.move(seat, asked.get("number"), asked.get("said")),
        "leave": lambda game, seat, asked: game.give_up(seat, "has left"),
        "resign": lambda game, seat, asked: game.resign(seat),
        "deputy": lambda game, seat, asked: game.deputise(str(asked.get("role")), seat),  # one's own, or who is away
        "return": lambda game, seat, asked: game.take_over(seat),
        "draw": _draw,
        "take-back": lambda game, seat, asked: game.take_back(seat),
    }

    def __init__(self, hosted: BrowserGames, begin: dict[str, Any] | None = None) -> None:
        self.hosted = hosted
        self.begin = begin
        self.recorded = RecordedEpisodes(hosted.saved)
        self._waiting: set[asyncio.Queue[str]] = set()

    def hang_up(self) -> None:
        """Let everybody go who listens: the server stops."""
        for waiting in self._waiting:
            waiting.put_nowait("")

    def api(self) -> list[Route]:
        """What the page may ask."""
        return [*self.looking(), Route("/game", self.new_game, methods=["POST"]), *self.playing()]

    def looking(self) -> list[Route]:
        """The gallery, and what was played."""
        shown = (self.games, self.picture, self.set_up, self.tour, self.files, self.rows, self.replay, self.question)
        return [Route(f"/{answer.__name__.replace('_', '-')}", answer) for answer in shown]

    def playing(self) -> list[Route]:
        """What a seat may see and do of its game."""
        shown = {"events": self.events, "position": self.position, "tour": self.tour_of}
        looks = [Route(f"/game/{{id}}/{name}", answer) for name, answer in shown.items()]
        return [*looks, *(posted(f"/game/{{id}}/{name}", partial(self._do, deed)) for name, deed in self.deeds.items())]

    def _do(self, deed: Deed, request: Request, asked: dict[str, Any]) -> None:
        deed(*self._seat(request, asked.get("key")), asked)

    def served(self, token: str) -> Starlette:
        files = [Route("/", self.static), Route("/{file}", self.static)]
        routes = [Mount(f"/{token}", routes=[Mount("/api", routes=self.api()), *files])]
        refusals: dict[Any, Callable[..., Any]] = {MmgamesError: _refuse, MissingExtra: _refuse}
        return Starlette(routes=routes, exception_handlers=refusals, lifespan=self._lifespan)

    def app(self, token: str, hosts: set[str]) -> ASGIApp:
        return PageGuard(self.served(token), token, hosts, POLICY)

    @contextlib.asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        async def sweep() -> None:
            while True:
                await asyncio.sleep(min(SWEEP, self.hosted.patience))
                await run_in_threadpool(self.hosted.sweep)
                await run_in_threadpool(process_memory.give_back)

        sweeping = asyncio.create_task(sweep())
        try:
            yield
        finally:
            sweeping.cancel()
            await run_in_threadpool(self.hosted.close)

    async def static(self, request: Request) -> Response:
        path = STATIC / request.path_params.get("file", "index.html")
        if path not in STATIC.iterdir():  # no name leads anywhere else
            return PlainTextResponse("There is no such page.", 404)
        return FileResponse(path)

    def games(self, request: Request) -> Response:
        return JSONResponse({"games": gallery.games(), "begin": self.begin})

    def picture(self, request: Request) -> Response:
        drawn = gallery.picture(find(request.query_params.get("game", "")).id)
        return Response(drawn, media_type="image/png")

    def tour(self, request: Request) -> Response:
        """A game in three pictures; they are made when they are first asked for."""
        return JSONResponse({"pictures": tour.pictures(find(request.query_params.get("game", "")).id)})

    def tour_of(self, request: Request) -> Response:
        """The same of the game that somebody plays."""
        game, _ = self._seat(request, _key(request))
        return JSONResponse({"pictures": tour.pictures(game.game_id)})

    def set_up(self, request: Request) -> Response:
        options = _object(request.query_params.get("options", "{}"))
        return JSONResponse(gallery.set_up(request.query_params.get("game", ""), options))

    async def new_game(self, request: Request) -> Response:
        asked = await _body(request)
        game = await run_in_threadpool(self._open, asked)
        seats = [{"role": game.seats[seat], "key": key} for seat, key in game.keys.items()]
        return JSONResponse({"id": game.id, "seats": seats})

    def _open(self, asked: dict[str, Any]) -> BrowserGame:
        *wanted, clock = self.checked(asked)
        return self.hosted.open(*wanted, clock=clock)

    def checked(self, asked: dict[str, Any]) -> tuple[str, list[str], Any, dict[str, Any], Any]:
        """The game, agents, seed, options and clock that were asked for, as far as anybody may ask for them."""
        agents, seed, options = asked.get("agents"), asked.get("seed"), asked.get("options", {})
        if not isinstance(agents, list) or not all(isinstance(agent, str) for agent in agents):
            raise Refused("A game is begun with a list of agents, one for each seat.")
        if not isinstance(options, dict):
            raise Refused("The options of a game are named.")
        spec = find(asked.get("game", ""))
        offered = (self.begin or {}).get("agents", ())
        self.hosted.check(spec, [agent for agent in agents if agent not in offered])
        return spec.id, agents, seed, options, asked.get("clock") or None

    def _seat(self, request: Request, key: Any) -> tuple[BrowserGame, int]:
        return self.hosted.find(request.path_params["id"], key if isinstance(key, str) else "")

    async def asked(self, request: Request) -> dict[str, Any]:
        """The JSON object that a request holds."""
        return await _body(request)

    def position(self, request: Request) -> Response:
        """An earlier position of a game that goes on."""
        game, seat = self._seat(request, _key(request))
        return JSONResponse(game.looked_back(seat, _number(request.query_params.get("step"))))

    async def events(self, request: Request) -> Response:
        game, seat = self._seat(request, _key(request))
        return StreamingResponse(self._events(game, seat, asyncio.Queue()), media_type="text/event-stream")

    async def _events(self, game: BrowserGame, seat: int, waiting: asyncio.Queue[str]) -> AsyncIterator[str]:
        """All that happens in a game, as server-sent events, until the browser goes away or the server stops."""
        loop = asyncio.get_running_loop()

        def hear(message: str) -> None:
            with contextlib.suppress(RuntimeError):  # the server has stopped
                loop.call_soon_threadsafe(waiting.put_nowait, message)

        now = await run_in_threadpool(game.listen, seat, hear)
        self._waiting.add(waiting)
        try:
            for message in now:
                yield f"data: {message}\n\n"
            told, beat = "", time.monotonic()
            while True:
                try:
                    message = await asyncio.wait_for(waiting.get(), LOOK)
                    if not message:
                        return
                    yield f"data: {message}\n\n"
                except TimeoutError:
                    compiled = _compiled_now()
                    if compiled and compiled != told:
                        yield f"data: {json.dumps({'compiling': compiled})}\n\n"
                    elif time.monotonic() - beat > BEAT:
                        yield ": still here\n\n"
                        beat = time.monotonic()
                    told = compiled
        finally:
            self._waiting.discard(waiting)
            game.unlisten(seat, hear)

    def files(self, request: Request) -> Response:
        return JSONResponse(self.recorded.files())

    def rows(self, request: Request) -> Response:
        return JSONResponse(self.recorded.rows(request.query_params.get("file", "")))

    def replay(self, request: Request) -> Response:
        """An episode, or with `step` one position of it, as the seat `role` or a spectator sees it."""
        asked = request.query_params
        episode = self.recorded.find(asked.get("file", ""), _number(asked.get("episode")))
        if "step" not in asked:
            return JSONResponse(episode.about())
        return JSONResponse(episode.step(_number(asked["step"]), asked.get("role") or None))

    def question(self, request: Request) -> Response:
        asked = request.query_params
        return JSONResponse(self.recorded.question(asked.get("file", ""), _number(asked.get("number"))))


def posted(path: str, do: Callable[[Request, dict[str, Any]], object]) -> Route:
    """A route for what is done with a JSON object; that it was done is all that is answered."""

    async def answer(request: Request) -> Response:
        await run_in_threadpool(do, request, await _body(request))
        return JSONResponse({"taken": True})

    return Route(path, answer, methods=["POST"])


def _key(request: Request) -> str | None:
    """The key that a request has in its header, or in its address."""
    return bearer_key(request.headers.get("authorization", "")) or request.query_params.get("key")


def _compiled_now() -> str:
    """The kernel that a game waits for just now; a game without kernels has not even loaded the compiler."""
    compiling = sys.modules.get("mmgames.kernels.compiling")
    return "" if compiling is None else compiling.compiling_now()


async def _body(request: Request) -> dict[str, Any]:
    """The JSON object of a request. One that is too large is read to its end, so that its sender hears why not."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size <= MOST_BYTES:
            parts.append(part)
        else:
            parts.clear()
    if size > MOST_BYTES:
        raise Refused(f"A message of {size:,} bytes is too long; at most {MOST_BYTES:,} are taken.", 413)
    return _object(b"".join(parts))


def _number(text: str | None) -> int:
    if text is None or not text.isdecimal() or len(text) > 9:
        raise Refused(f"{text!r} is no number of an episode, a step or a question.")
    return int(text)


def _object(text: str | bytes) -> dict[str, Any]:
    try:
        found = json.loads(text)
        if not isinstance(found, dict):
            raise ValueError("not an object")
    except (ValueError, RecursionError) as error:
        raise Refused("The request holds no JSON object; use the page to send one.") from error
    return found


async def _refuse(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, getattr(error, "status", 400))


class Server(LocalServer):
    """The page on a port of this machine; `url` is its address, with the token in it."""

    def __init__(
        self, hosted: BrowserGames, port: int = 0, begin: dict[str, Any] | None = None, token: str = "", before: int = 0
    ) -> None:
        """Without a token it is a new one."""
        super().__init__(port, before)
        self.token = token or secrets.token_urlsafe(18)
        self.url = f"http://127.0.0.1:{self.port}/{self.token}/"
        self._page = self.page(hosted, begin)
        self.app = self._page.app(self.token, self.hosts)

    def page(self, hosted: BrowserGames, begin: dict[str, Any] | None) -> Page:
        """What answers."""
        return Page(hosted, begin)

    def stopping(self) -> None:
        self._page.hang_up()
