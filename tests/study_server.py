"""A study's server for tests: the real one, on a free port, in a thread; and participants without browsers."""

import contextlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from mmgames.play.listening import listening
from mmgames.studies import study_file
from mmgames.studies.hosted_study import HostedStudy
from mmgames.studies.network import NetworkStudyServer
from mmgames.studies.server import StudyServer
from tests.play_server import Client, Game, running

TEXTS = 'title = "A study"\nconsent = "Do you agree?"\n'


def study(name: str) -> str:
    """What a study for tests is made of, but for its title and consent."""
    return (Path(__file__).parent / "studies" / f"{name}.toml").read_text("utf-8")


@contextlib.contextmanager
def serving_study(folder: Path, text: str, elsewhere: bool = False) -> Iterator["Visitor"]:
    """A study of this text, in this folder, for participants here or elsewhere; served again, it goes on."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "study.toml"
    file.write_text(TEXTS + text, "utf-8")
    study = HostedStudy(study_file.read(file), folder / "out")
    server: Any = StudyServer(study, folder / "out") if not elsewhere else None
    if elsewhere:
        server = NetworkStudyServer(study, folder / "out", listening("127.0.0.1", insecure=True))
    with running(server):
        yield Visitor(Client(server, study.games), server.dashboard)


@contextlib.contextmanager
def until_killed(folder: Path, text: str) -> Iterator["Visitor"]:
    """The same as a process of its own, which is killed in the end without a chance to save anything."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "study.toml").write_text(TEXTS + text, "utf-8")
    command = [sys.executable, "-m", "mmgames", "study", str(folder / "study.toml"), "--out", str(folder / "out")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url, dashboard = (process.stdout.readline().split()[-1] for _ in range(2))
            port, token = url.split(":")[2].split("/")[:2]
            server: Any = SimpleNamespace(url=url, port=int(port), token=token)
            yield Visitor(Client(server, None), dashboard)  # type: ignore[arg-type]
        finally:
            process.kill()


class Visitor:
    """Somebody who has the link, and after `join` a participant."""

    def __init__(self, client: Client, dashboard: str, key: str = "") -> None:
        self.client, self.dashboard, self.key = client, dashboard, key

    def join(self) -> "Visitor":
        return Visitor(self.client, self.dashboard, self.asks("join", {"agree": True})["key"])

    def asks(self, path: str, body: Any = None) -> Any:
        status, found = self.client.ask(f"api/{path}", body)
        assert status == 200, found
        return found

    def looks(self, path: str, key: str) -> tuple[int, Any]:
        return self.client.ask(f"api/{path}", key=key)

    def now(self) -> dict[str, Any]:
        status, found = self.looks("me", self.key)
        assert status == 200, found
        return found

    def at(self, *stages: str) -> dict[str, Any]:
        """What is shown as soon as it is one of these stages."""
        return self.when(lambda now: now["stage"] in stages)

    def when(self, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        limit = time.monotonic() + 30
        while not fits(now := self.now()):
            assert time.monotonic() < limit, now
            time.sleep(0.03)
        return now

    def does(self, **what: Any) -> tuple[int, Any]:
        return self.client.ask("api/next", {"key": self.key, **what})

    def ready(self) -> dict[str, Any]:
        """Says that it is ready for the next round; what is shown then."""
        now = self.at("between")
        assert self.does(stage="between", step=now["step"])[0] == 200
        return now

    @contextlib.contextmanager
    def playing(self) -> Iterator[tuple[Game, Iterator[dict[str, Any]]]]:
        """The game that it plays, in the role "own", and what it is sent meanwhile."""
        now = self.at("round")
        game = Game(self.client, now["id"], [{"role": "own", "key": now["key"]}])
        with game.seen("own") as messages:
            yield game, messages

    def progress(self) -> dict[str, Any]:
        status, found = self.looks("progress", self.dashboard.partition("#")[2])
        assert status == 200, found
        return found
