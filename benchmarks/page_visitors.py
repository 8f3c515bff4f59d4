"""What measures of pages share: a server in a process of its own, and somebody there without a browser."""

import contextlib
import http.client
import json
import os
import re
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

Result = TypeVar("Result")
GAMES = ("TicTacToe", "CoinDilemma", "Gomoku", "Overcooked", "Reversi")


@contextlib.contextmanager
def started(*words: str) -> Iterator[subprocess.Popen[str]]:
    """`mmgames play` with these words, until the end of the block."""
    process = subprocess.Popen([sys.executable, "-m", "mmgames", "play", *words], stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


class PageServer:
    """A server that was started, by its address; with the certificate that it shows if there is one."""

    def __init__(self, process: subprocess.Popen[str], url: str, certificate: Path | None = None) -> None:
        found = re.fullmatch(r"(https?://(127\.0\.0\.1:\d+))(/[^/]+/)", url)
        assert found
        self.process, self.origin, self.host, self.path = process, found[1], found[2], found[3]
        self.context = certificate and ssl.create_default_context(cafile=str(certificate))

    def connection(self) -> http.client.HTTPConnection:
        if self.context:
            return http.client.HTTPSConnection(self.host, timeout=120, context=self.context)
        return http.client.HTTPConnection(self.host, timeout=120)

    def cpu(self) -> float:
        """Seconds of CPU time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> tuple[float, float]:
        """Megabytes now, and at most."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        now, most = (int(re.search(rf"{name}:\s+(\d+)", status)[1]) / 1024 for name in ("VmRSS", "VmHWM"))  # type: ignore[index]
        return round(now, 1), round(most, 1)


class Refusal(RuntimeError):
    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(f"{status}: {sentence}")
        self.status = status


class Visitor:
    """Somebody without a browser: a connection for what is asked and done, and one on which positions come."""

    def __init__(self, server: PageServer, **headers: str) -> None:
        self.server, self.headers = server, {"Origin": server.origin, **headers}
        self.asking = server.connection()
        self.stream: http.client.HTTPConnection | None = None
        self.lines: http.client.HTTPResponse | None = None

    def send(self, path: str, body: Any = None) -> None:
        sent = None if body is None else json.dumps(body)
        self.asking.request("GET" if body is None else "POST", f"{self.server.path}api/{path}", sent, self.headers)

    def ask(self, path: str, body: Any = None) -> Any:
        self.send(path, body)
        answer = self.asking.getresponse()
        found = json.loads(answer.read())
        if answer.status != 200:
            raise Refusal(answer.status, found["error"])
        return found

    def listen(self, path: str) -> None:
        self.stream = self.server.connection()
        self.stream.request("GET", f"{self.server.path}api/{path}", headers=self.headers)
        self.lines = self.stream.getresponse()

    def hear(self) -> dict[str, Any]:
        """The next position, or the end."""
        assert self.lines is not None
        while True:
            line = self.lines.readline()
            if not line:
                raise ConnectionError("the stream has ended")
            if line.startswith((b'data: {"frame"', b'data: {"end"')):
                return json.loads(line[6:])

    def close(self) -> None:
        for connection in (self.stream, self.asking):
            if connection is not None:
                connection.close()
        self.stream, self.lines, self.asking = None, None, self.server.connection()


def together(jobs: Sequence[Callable[[], Result]]) -> list[Result]:
    """What comes of all of these, which are done at once; what fails is raised once all are through."""
    with ThreadPoolExecutor(len(jobs)) as pool:
        return [done.result() for done in [pool.submit(job) for job in jobs]]


def milliseconds(**seconds: float) -> dict[str, float]:
    return {f"{name}_ms": round(1000 * value, 1) for name, value in seconds.items()}


def show(found: dict[str, Any]) -> None:
    """Print figures by their names, those of a part in one line."""
    for name, value in found.items():
        print(f"{name:22}", ", ".join(f"{a} {b}" for a, b in value.items()) if isinstance(value, dict) else value)
