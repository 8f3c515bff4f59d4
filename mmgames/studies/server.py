"""A study over HTTP: on the play page's own server, with another page and without its gallery and replays.

Participants come by one link, whose token stays the same when the study is started again. What a browser is known by is
a key that it gets when its user has agreed. The experimenter's page has a token of its own.
"""

import json
import os
import secrets
from pathlib import Path
from typing import Any, ClassVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from mmgames.errors import MmgamesError
from mmgames.play.browser_game import BrowserGames
from mmgames.play.hosted_game import Refused
from mmgames.play.page_guard import bearer_key
from mmgames.play.server import STATIC as PLAYED
from mmgames.play.server import Deed, Page, Server, posted
from mmgames.studies.hosted_study import HostedStudy

STATIC = Path(__file__).parent / "static"


class StudyPage(Page):
    deeds: ClassVar[dict[str, Deed]] = {
        "move": Page.deeds["move"],
        "leave": lambda game, seat, asked: game.give_up(seat, "gave up"),
        "resign": Page.deeds["resign"],
    }

    def __init__(self, study: HostedStudy, watch: str) -> None:
        super().__init__(study.games)
        self.study, self._watch = study, watch

    def api(self) -> list[Route]:
        return [
            Route("/study", self.welcome),
            Route("/join", self.join, methods=["POST"]),
            Route("/me", self.me),
            posted("/next", self.next),
            posted("/answer", self.answer),
            posted("/withdraw", lambda request, asked: self.study.withdraw(asked.get("key"))),
            Route("/progress", self.progress),
            *self.playing(),
        ]

    async def static(self, request: Request) -> Response:
        name = request.path_params.get("file", "study.html")
        files = {
            path.name: path for folder in (PLAYED, STATIC) for path in folder.iterdir()
        }  # of the play page's, most
        return FileResponse(files[name]) if name in files else PlainTextResponse("There is no such page.", 404)

    def welcome(self, request: Request) -> Response:
        return JSONResponse(self.study.welcome())

    async def join(self, request: Request) -> Response:
        asked = await self.asked(request)
        if asked.get("agree") is not True:
            raise Refused("Only who agrees takes part.")
        key = await run_in_threadpool(self.study.join, asked.get("ticket"), asked.get("recruit"))
        return JSONResponse({"key": key})

    def me(self, request: Request) -> Response:
        return JSONResponse(self.study.shown(bearer_key(request.headers.get("authorization", ""))))

    def next(self, request: Request, asked: dict[str, Any]) -> None:
        self.study.go_on(*(asked.get(name) for name in ("key", "stage", "step", "answers")))

    def answer(self, request: Request, asked: dict[str, Any]) -> None:
        self.study.answer(asked.get("key"), asked.get("call"), asked.get("said"))

    def progress(self, request: Request) -> Response:
        given = bearer_key(request.headers.get("authorization", ""))
        if not secrets.compare_digest(given.encode(), self._watch.encode()):
            raise Refused("This page is the experimenter's; use the address that was printed.", 403)
        return JSONResponse(self.study.progress())


class StudyServer(Server):
    """The study on a port of this machine. Started again in the same folder it has the same addresses."""

    def __init__(self, study: HostedStudy, folder: Path, port: int = 0, **how: Any) -> None:
        self.study = study
        known = access_of(folder)
        self._watch: str = known["watch"]
        super().__init__(study.games, port, token=known["token"], before=known["port"], **how)
        self.dashboard = f"{self.url}dashboard.html#{self._watch}"
        keep_access(folder, {**known, "port": self.port})

    def page(self, hosted: BrowserGames, begin: dict[str, Any] | None) -> Page:
        return StudyPage(self.study, self._watch)

    def tell(self) -> None:
        tell(self.url, self.dashboard)


def tell(url: str, dashboard: str) -> None:
    """Print the addresses of a study."""
    print(
        f"Participants: {url}\nYou: {dashboard}\nThe addresses work until you stop this with Ctrl-C, and again when "
        "you start it with the same folder.",
        flush=True,
    )


def access_of(folder: Path) -> dict[str, Any]:
    """The tokens and the port of a study, which are drawn when it begins."""
    try:
        found = json.loads((folder / "access.json").read_text("utf-8"))
        return {"token": str(found["token"]), "watch": str(found["watch"]), "port": int(found["port"])}
    except FileNotFoundError:
        return {"token": secrets.token_urlsafe(18), "watch": secrets.token_urlsafe(18), "port": 0}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise MmgamesError(
            f"{folder / 'access.json'} cannot be read: {error}; remove it to have new addresses."
        ) from error


def keep_access(folder: Path, known: dict[str, Any]) -> None:
    try:
        file = os.open(folder / "access.json", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(file, "w", encoding="utf-8") as out:
            json.dump(known, out)
    except OSError as error:
        raise MmgamesError(f"The addresses cannot be kept in {folder}: {error.strerror}.") from error
