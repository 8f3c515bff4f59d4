"""How quickly the play page answers: `python benchmarks/play.py [--only FIGURE] [--json]`.

clicks    from a move that is sent to the next picture that is there, median of each discrete game, others random;
sessions  the same in 50 games at once, of people who click every one to two seconds and of programs that click at once,
          beside one game alone
memory    of the server after 100, 500 and 1,000 whole games of TicTacToe
mixed     of the server after 100, 500 and 1,000 games of all kinds, one after the other, each with its first moves or
          all of them, every seventh left open

The server is a process of its own, as `mmgames play` starts it. Beside the wall clock stands what a click cost it
in CPU time, which neighbours on a busy machine do not change.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from typing import Any

MOVES = 15  # of each game
THINKING = (1.0, 2.0)  # seconds before each click
SAID = ("What do you see?", "I see something round.", "Go on.")  # where moves have no names
CROWD = ("TicTacToe", "CoinDilemma", "Gomoku", "Overcooked", "Reversi")


class Server:
    def __init__(self, url: str, process: subprocess.Popen) -> None:
        self.url, self.process = url, process
        found = re.fullmatch(r"http://(127.0.0.1:(\d+))(/[^/]+/)", url)
        assert found
        self.host, self.port, self.path = found[1], int(found[2]), found[3]

    def cpu(self) -> float:
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        with open(f"/proc/{self.process.pid}/status") as file:
            found = re.search(r"VmRSS:\s+(\d+)", file.read())
        assert found
        return int(found[1]) / 1024


@contextlib.contextmanager
def serving() -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "mmgames", "play", "--records", folder]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout
        try:
            yield Server(process.stdout.readline().split()[-1], process)
        finally:
            process.terminate()
            process.wait()


class Player:
    """A page without a browser: one game, seen by its first seat, and a connection that is kept for its moves."""

    def __init__(self, server: Server, game: str) -> None:
        self.server = server
        self.connection = http.client.HTTPConnection(server.host, timeout=120)
        choices = self._ask("GET", f"api/set-up?game={game}")
        agents = ["person", *["random"] * (len(choices["seats"]) - 1)]
        made = self._ask("POST", "api/game", {"game": game, "agents": agents})
        self.id, self.key = made["id"], made["seats"][0]["key"]
        self.stream = http.client.HTTPConnection(server.host, timeout=120)
        self.stream.request("GET", f"{server.path}api/game/{self.id}/events?key={self.key}")
        self.lines = self.stream.getresponse()

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        try:
            answer = self._answer(method, path, body)
        except ConnectionError:  # the server hangs up after a while, as while a kernel is compiled; browsers call again
            self.connection.close()
            answer = self._answer(method, path, body)
        found = json.loads(answer.read())
        if answer.status != 200:
            raise RuntimeError(found["error"])
        return found

    def _answer(self, method: str, path: str, body: Any) -> http.client.HTTPResponse:
        headers = {"Origin": f"http://{self.server.host}"}
        self.connection.request(method, self.server.path + path, body and json.dumps(body), headers)
        return self.connection.getresponse()

    def hear(self) -> dict[str, Any]:
        while True:
            line = self.lines.readline()
            if line.startswith(b"data: "):
                message = json.loads(line[6:])
                if "table" not in message:  # who is there
                    return message

    def turn(self) -> dict[str, Any] | None:
        """The next position in which this seat moves; None: the game is over."""
        while True:
            message = self.hear()
            if "end" in message:
                return None
            if message.get("frame", {}).get("yours"):
                return message["frame"]

    def click(self, frame: dict[str, Any], rng: random.Random) -> tuple[float, dict[str, Any]]:
        """Make a move; how long the next message took, and that message."""
        move = rng.choice(frame["moves"])["action"] if frame["moves"] else rng.choice(SAID)
        begun = time.perf_counter()
        self._ask("POST", f"api/game/{self.id}/move", {"key": self.key, "number": frame["number"], "said": move})
        message = self.hear()
        return time.perf_counter() - begun, message

    def play(self, rng: random.Random, most: int = 10_000, thinking: tuple[float, float] | None = None) -> list[float]:
        """The times of the clicks of a game, or of its first ones."""
        took: list[float] = []
        frame = self.turn()
        while frame is not None and len(took) < most:
            if thinking:
                time.sleep(rng.uniform(*thinking))
            seconds, message = self.click(frame, rng)
            took.append(seconds)
            if "end" in message:
                break
            frame = message["frame"] if message["frame"]["yours"] else self.turn()
        return took

    def close(self) -> None:
        with contextlib.suppress(RuntimeError):
            self._ask("POST", f"api/game/{self.id}/leave", {"key": self.key})
        self.connection.close()
        self.stream.close()


def discrete_games() -> list[str]:
    from mmgames.core import registry

    return [spec.name for spec in registry.specs.values() if spec.actions == "discrete"]


def clicks(server: Server) -> dict[str, Any]:
    rows = {}
    for game in discrete_games():
        rng = random.Random(0)
        took: list[float] = []
        Player(server, game).close()  # rules are compiled and pictures prepared once
        cpu = 0.0
        while len(took) < MOVES:
            player = Player(server, game)
            first = not took
            if first:
                player.play(rng, 1)  # so are agents
                player.close()
                player = Player(server, game)
            before = server.cpu()
            took += player.play(rng, MOVES - len(took))
            cpu += server.cpu() - before
            player.close()
        rows[game] = {
            "median_ms": round(1000 * statistics.median(took), 1),
            "worst_ms": round(1000 * max(took), 1),
            "cpu_ms": round(1000 * cpu / len(took), 1),
        }
    return rows


def sessions(server: Server, count: int = 50, most: int = 10) -> dict[str, Any]:
    def crowd(people: int, thinking: tuple[float, float] | None) -> tuple[list[float], float]:
        """The times of all clicks once everybody has a game, and the server's CPU time for each."""
        times: list[float] = []
        players = [Player(server, CROWD[number % len(CROWD)]) for number in range(people)]
        begun = server.cpu()

        def one(number: int) -> None:
            times.extend(players[number].play(random.Random(number), most, thinking))
            players[number].close()

        threads = [threading.Thread(target=one, args=(number,)) for number in range(people)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return times, (server.cpu() - begun) / len(times)

    crowd(len(CROWD), None)  # what is compiled and prepared once
    alone: list[float] = []
    for number in range(len(CROWD)):
        player = Player(server, CROWD[number])
        alone += player.play(random.Random(number), most, (0.05, 0.1))
        player.close()
    one = 1000 * statistics.median(alone)
    found: dict[str, Any] = {"sessions": count, "alone_ms": round(one, 1)}
    for name, thinking in (("people", THINKING), ("at_once", None)):
        times, cpu = crowd(count, thinking)
        median = 1000 * statistics.median(times)
        found[name] = {
            "median_ms": round(median, 1),
            "ratio": round(median / one, 2),
            "95th_ms": round(1000 * statistics.quantiles(times, n=20)[-1], 1),
            "cpu_ms": round(1000 * cpu, 1),
        }
    return found


def memory(server: Server, games: int = 1000) -> dict[str, Any]:
    rng, found = random.Random(1), {}
    for number in range(1, games + 1):
        player = Player(server, "TicTacToe")
        player.play(rng)
        player.close()
        if number in (games // 10, games // 2, games):
            found[f"after_{number}_mb"] = round(server.memory(), 1)
    return found


def mixed(server: Server, games: int = 1000, moves: int = 8) -> dict[str, Any]:
    from mmgames.core import registry

    names = [spec.name for spec in registry.specs.values() if spec.actions != "box" and not registry.why_missing(spec)]
    rng, found, left = random.Random(2), {}, []
    for number in range(1, games + 1):
        player = Player(server, names[number % len(names)])
        player.play(rng, moves)
        if number % 7:
            player.close()
        else:  # a tab that somebody has forgotten
            left = [*left, player][-20:]
        if number in (games // 10, games // 2, games):
            found[f"after_{number}_mb"] = round(server.memory(), 1)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=("clicks", "sessions", "memory", "mixed"), help="one of the four")
    parser.add_argument("--games", type=int, default=1000, metavar="N", help="of the last two (default 1000)")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    result: dict[str, Any] = {}
    with serving() as server:
        if args.only in (None, "clicks"):
            result["clicks"] = clicks(server)
        if args.only in (None, "sessions"):
            result["sessions"] = sessions(server)
        if args.only in (None, "memory"):
            result["memory"] = memory(server, args.games)
        if args.only in (None, "mixed"):
            result["mixed"] = mixed(server, args.games)
    if args.json:
        print(json.dumps(result, indent=1))
        return
    for name, found in result.items():
        print(name)
        for key, value in found.items():
            shown = ", ".join(f"{a} {b}" for a, b in value.items()) if isinstance(value, dict) else value
            print(f"  {key:20} {shown}")


if __name__ == "__main__":
    main()
