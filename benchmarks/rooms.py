"""What rooms over the network can take: `python benchmarks/rooms.py [--only FIGURE] [--rooms N] [--json]`.

clicks     in 50 rooms of two people each, over TLS, with a click a second in every room: from a click to the next
           picture, and whether every click is in the records
breaks     100 times a line breaks in the middle of a game, also while a move is under way, and whoever it was comes
           back: games that were lost, moves that are missing or were made twice
memory     of the server after both

The server is a process of its own, as `mmgames play --listen` starts it; the certificate signs itself (needs openssl).
Beside the wall clock stand the server's CPU time for a click, which neighbours do not change, and how busy they keep
the machine: how much longer than alone a loop takes that does nothing but count.
"""

import contextlib
import http.client
import json
import os
import random
import socket
import statistics
import struct
import subprocess
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from page_visitors import GAMES, PageServer, Refusal, Visitor, milliseconds, show, started, together

from mmgames.text.command_line import read_arguments

BREAKS = "Breakthrough"


class Rooms(PageServer):
    """A server, its host's key, and the records of what is played in rooms there."""

    host_key: str
    folder: Path

    def open(self, game: str, count: int) -> list[dict[str, Any]]:
        with contextlib.closing(Person(self, self.host_key)) as asker:
            return asker.ask("rooms", {"game": game, "agents": ["person", "person"], "count": count})["rooms"]

    def rows(self, game: str) -> list[dict[str, Any]]:
        """The records of a game."""
        lines = [line for path in self.folder.glob(f"{game}-*.jsonl") for line in path.read_text().splitlines()]
        return [row for row in map(json.loads, lines) if "episode" in row]

    def moves(self) -> int:
        """How many people have made in the games that are recorded."""
        steps = (step for game in GAMES for row in self.rows(game) for step in row["actions"])
        return sum(action is not None for step in steps for action in step)


@contextlib.contextmanager
def serving() -> Iterator[Rooms]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        certificate, key, links = folder / "certificate.pem", folder / "key.pem", folder / "links"
        command = ["openssl", "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=rooms", "-newkey", "ec", "-pkeyopt"]
        command += ["ec_paramgen_curve:prime256v1", "-keyout", str(key), "-out", str(certificate)]
        subprocess.run([*command, "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
        words = ["--listen", "127.0.0.1", "--certificate", str(certificate), "--key", str(key), "--links", str(links)]
        with started(*words, "--records", str(folder / "records")) as process:
            assert process.stdout
            process.stdout.readline()
            url, _, host_key = links.read_text().split()[5].partition("#/host/")
            rooms = Rooms(process, url, certificate)
            rooms.host_key, rooms.folder = host_key, folder / "records"
            yield rooms


class Person(Visitor):
    """Somebody with the key of a seat."""

    def __init__(self, rooms: Rooms, key: str) -> None:
        super().__init__(rooms, Authorization=f"Bearer {key}")
        self.game = ""

    def join(self) -> None:
        self.game = self.game or self.ask("room")["game"]
        self.listen(f"game/{self.game}/events")

    def move(self, frame: dict[str, Any], said: Any) -> None:
        self.ask(f"game/{self.game}/move", {"number": frame["number"], "said": said})

    def break_off(self) -> None:
        """As if the machine were gone: no farewell."""
        for connection in (self.stream, self.asking):
            if connection is not None and connection.sock is not None:
                with contextlib.suppress(OSError):
                    connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    connection.sock.close()
        self.close()


def slowdown(seconds: float = 2.0) -> float:
    """Wall clock for CPU time of a process that only counts: 1 on a quiet machine."""
    wall, cpu = time.perf_counter(), time.process_time()
    while time.process_time() - cpu < seconds / 2 and time.perf_counter() - wall < 5 * seconds:
        sum(range(1000))
    return round((time.perf_counter() - wall) / (time.process_time() - cpu), 2)


def clicks(rooms: Rooms, count: int, seconds: float) -> dict[str, Any]:
    """One click a second in every room, by whoever is to move there; where both are, by both, every two seconds."""
    for game in GAMES:
        _room(rooms, rooms.open(game, 1)[0], random.Random(0), 1.0, 0.05)  # what is prepared once
    before = rooms.moves()
    each, more = divmod(count, len(GAMES))
    opened = [room for k, game in enumerate(GAMES) for room in rooms.open(game, each + (k < more))]
    begun, wall = rooms.cpu(), time.monotonic()
    told = together([partial(_room, rooms, room, random.Random(k), seconds, 1.0) for k, room in enumerate(opened)])
    cpu, wall = rooms.cpu() - begun, time.monotonic() - wall
    took = [wait for waits, _ in told for wait in waits]
    sent = sum(number for _, number in told)
    waits = {"median": statistics.median(took), "99th": statistics.quantiles(took, n=100)[-1], "worst": max(took)}
    return {
        "rooms": len(opened),
        "clicks": sent,
        "clicks_a_second": round(sent / wall, 1),
        **milliseconds(**waits, cpu=cpu / sent),
        "lost_moves": sent - (rooms.moves() - before),
    }


def _room(
    rooms: Rooms, room: dict[str, Any], rng: random.Random, seconds: float, pace: float
) -> tuple[list[float], int]:
    """Two people in a room; a click every `pace` seconds for so long, then they end the game they are in. How long they
    waited for pictures, and how many clicks they made."""
    took, sent = [], 0
    people = [Person(rooms, seat["key"]) for seat in room["seats"]]
    stop = time.monotonic() + seconds
    time.sleep(rng.uniform(0, pace))
    while time.monotonic() < stop:
        for person in people:
            person.join()
        frames = [person.hear()["frame"] for person in people]
        over, clicked, last = False, 0.0, time.monotonic()
        while not over and time.monotonic() < stop:
            asked = [(person, frame) for person, frame in zip(people, frames, strict=True) if frame["yours"]]
            last += pace * rng.uniform(0.7, 1.3) * len(asked)
            time.sleep(max(0.0, last - time.monotonic()))
            for person, frame in asked:  # where several move at once the last click changes the picture
                said = rng.choice(frame["moves"])["action"]
                clicked = time.perf_counter()
                person.move(frame, said)
                sent += 1
            heard = [person.hear() for person in people]
            took.append(time.perf_counter() - clicked)
            over = any("end" in one or one["frame"]["over"] for one in heard)
            frames = [one.get("frame", {}) for one in heard]
        if not over:
            people[0].ask(f"game/{people[0].game}/leave", {})
        with contextlib.suppress(ConnectionError):
            while "end" not in people[0].hear():
                pass
        for person in people:
            person.close()
        if time.monotonic() < stop:
            _again(people)
    for person in people:
        person.close()
    return took, sent


def _again(people: list[Person]) -> None:
    while True:
        try:
            people[0].ask("room/again", {"game": people[0].game})
            break
        except Refusal as refusal:
            if refusal.status not in (409, 429):
                raise
            time.sleep(0.3)
    for person in people:
        person.game = ""


def breaks(rooms: Rooms, count: int = 100, games: int = 10) -> dict[str, Any]:
    """In each of ten games a tenth of the breaks, at random; all is played to its end and compared with the records."""
    opened, before = rooms.open(BREAKS, games), len(rooms.rows(BREAKS))
    made: list[list[Any]] = [[] for _ in opened]
    jobs = []
    for room, moves in zip(opened, made, strict=True):
        for seat in room["seats"]:
            rng = random.Random(f"{room['number']}{seat['role']}")
            jobs.append(partial(_shaky, Person(rooms, seat["key"]), rng, count // (2 * games), moves))
    came_back = [one for times in together(jobs) for one in times]
    rows = rooms.rows(BREAKS)[before:]
    whole = [row for row in rows if not row["failed"] and "unfinished" not in row]
    recorded = sorted([[action for step in row["actions"] for action in step if action is not None] for row in whole])
    sent = sorted([action for _, action in sorted(moves)] for moves in made)
    return {
        "games": games,
        "breaks": len(came_back),
        "games_lost": games - len(whole),
        "moves_lost_or_doubled": sum(one != other for one, other in zip(sent, recorded, strict=False)),
        "median_back_ms": round(statistics.median(came_back), 1),
    }


def _shaky(person: Person, rng: random.Random, left: int, made: list[Any]) -> list[float]:
    """Play to the end with a line that breaks so often: while waiting, before a move, or right after it was sent. How
    many milliseconds it took to come back each time."""
    seen, came_back = 0, []
    person.join()
    while True:
        try:
            heard = person.hear()
            if "end" in heard:
                break
            frame = heard["frame"]
            if left and rng.random() < 0.5:
                left -= 1
                raise ConnectionResetError
            if not frame["yours"] or frame["number"] <= seen:
                continue
            said = rng.choice(frame["moves"])["action"]
            time.sleep(rng.uniform(0, 0.05))
            if left and rng.random() < 0.5:  # nobody knows whether this one arrives
                left -= 1
                person.send(f"game/{person.game}/move", {"number": frame["number"], "said": said})
                person.break_off()
                raise _UnderWay(frame, said)
            person.move(frame, said)
            seen = frame["number"]
            made.append((seen, said))
        except (OSError, http.client.HTTPException, _UnderWay) as error:
            begun = time.perf_counter()
            person.break_off()
            time.sleep(rng.uniform(0, 0.3))
            person.join()
            if isinstance(error, _UnderWay):
                frame, said = error.args
                with contextlib.suppress(Refusal):  # it had arrived
                    person.move(frame, said)
                seen = frame["number"]
                made.append((seen, said))
            came_back.append(1000 * (time.perf_counter() - begun))
    person.close()
    return came_back


class _UnderWay(Exception):
    """A frame and the move that was sent there, of which nobody knows whether it has arrived."""


def main() -> None:
    args = read_arguments(__doc__, __file__)
    found: dict[str, Any] = {"cores": os.cpu_count(), "slowdown_before": slowdown()}
    with serving() as rooms:
        if args.only in (None, "clicks"):
            found["clicks"] = clicks(rooms, args.rooms, args.seconds)
        if args.only in (None, "breaks"):
            found["breaks"] = breaks(rooms)
        now, most = rooms.memory()
        found["memory"] = {"now_mb": now, "most_mb": most}
    found["slowdown_after"] = slowdown()
    if args.json:
        print(json.dumps(found, indent=1))
    else:
        show(found)


if __name__ == "__main__":
    main()
