"""A server of rooms that is killed in the middle of games goes on with them, and with the same invitations."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from mmgames.running.replays import replay
from tests.play_server import the_end, the_table, your_turn
from tests.room_server import Guest, Host, serving

GAMES = {"Gomoku": ("person", "random"), "CoinDilemma": ("person", "person")}


@contextlib.contextmanager
def served(folder: Path, port: str, game: str) -> Iterator[tuple[Any, dict[str, str]]]:
    """A real server process, which is killed in the end; and everybody's address by role."""
    command = [sys.executable, "-m", "mmgames", "play", game, *GAMES[game], "--listen", f"127.0.0.1:{port}"]
    command += ["--insecure", "--records", str(folder), "--links", str(folder / "links"), "--seed", "3"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        found = dict(re.findall(r"^  (\S+): (\S+)$", (folder / "links").read_text("utf-8"), re.M))
        scheme, host, token = re.match(r"(http)://([^/]+)/(\w+)/", next(iter(found.values()))).groups()  # type: ignore[union-attr]
        place = SimpleNamespace(hosts=lambda port: [host], scheme=scheme)
        yield SimpleNamespace(listening=place, port=int(host.rpartition(":")[2]), token=token), found
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()


def at(server: Any, address: str) -> Guest:
    return Guest(server, address.rpartition("/")[2])


@pytest.mark.parametrize("game", GAMES)
def test_moves_and_invitations_outlive_a_kill(tmp_path: Path, game: str) -> None:
    """Killed after every move; where both choose at once, after the first of them too. KILLS says how often."""
    kills, before, port, said = int(os.environ.get("KILLS", "4")), None, "0", []
    for kill in range(kills):
        with served(tmp_path, port, game) as (server, links):
            assert before in (None, links), "the same invitations"
            before, port = links, str(server.port)
            people = [at(server, link) for role, link in links.items() if role != "spectators"]
            person = people[kill % len(people)]
            with person.seen() as seen:
                frame = your_turn(seen)
            assert frame["step"] == kill // len(people) * (3 - len(people)), "nothing was lost, nothing made twice"
            said.append(frame["moves"][37 * kill % len(frame["moves"])]["action"])
            assert person.move(frame["number"], said[-1])[0] == 200
            if len(people) == 1:  # the answer is waited for
                with person.seen() as seen:
                    next(m for m in seen if m.get("frame", {}).get("number") == frame["number"] + 2)
    rows = [json.loads(line) for line in (tmp_path / "rooms.journal").read_text("utf-8").splitlines()[1:]]
    assert [row["said"] for row in rows if row["event"] == "moved"] == said


def test_a_paused_game_names_and_talk_go_on_in_the_same_room(tmp_path: Path) -> None:
    with serving(tmp_path) as host:
        room = host.open("TicTacToe", "person", "person")
        keys = {role: guest.key for role, guest in room.items()}
        with room["x"].seen() as x, room["o"].seen() as o:
            assert room["x"].ask("room/name", {"name": " Ada\n<b> "})[0] == 200
            assert the_table(o, lambda table: bool(table["people"][0]["name"]))["people"][0]["name"] == "Ada <b>"
            assert room["x"].ask("room/say", {"text": "hello"})[0] == 200
            assert room["x"].move(your_turn(x)["number"], 4)[0] == 200
            number = your_turn(o)["number"]
        game = room["x"].game
    assert (tmp_path / "rooms.journal").stat().st_mode & 0o077 == 0, "it holds keys"
    with serving(tmp_path) as host:
        x, o, spectator = (Guest(host.server, keys[role]) for role in ("x", "o", "spectator"))
        assert x.game == game, "a page that is open goes on"
        with o.seen() as seen, spectator.seen() as looked:
            told = [next(seen) for _ in range(5)]
            assert {"chat": {"said": [["Ada <b>", "hello"]], "open": True}} in told
            frame = next(message["frame"] for message in told if "frame" in message)
            assert frame["yours"] and frame["number"] == number
            assert o.move(number, 0)[0] == 200
            assert next(m for m in looked if m.get("frame", {}).get("number") == number + 1)
            assert spectator.ask("room/say", {"text": "I see it"})[0] == 403
            assert x.ask(f"game/{game}/leave", {})[0] == 200
            assert the_end(seen)["won"] == ["o"]
        (row,) = host.rows()
    assert row["actions"] == [[4, None], [None, 0]] and row["forfeit"] == "x" and len(list(replay(row))) == 3


def test_nobody_talks_about_what_a_game_hides(tmp_path: Path) -> None:
    with serving(tmp_path) as host:
        room = host.open("KuhnPoker", "person", "person")
        status, answer = room["player_0"].ask("room/say", {"text": "I have the king"})
        assert status == 409 and "hides" in answer["error"]


def test_a_class_comes_in_by_one_address_and_is_paired(tmp_path: Path) -> None:
    from mmgames.play.game_rooms import Asked
    from mmgames.play.listening import listening
    from mmgames.play.room_game import RoomGames
    from mmgames.play.room_server import RoomServer
    from mmgames.play.saved_games import SavedGames
    from tests.play_server import running

    asked = Asked("mmgames/TicTacToe-v0", ("person", "person"), None, {})
    server = RoomServer(RoomGames(SavedGames(tmp_path)), listening("127.0.0.1", insecure=True), None, asked)
    with running(server):
        host = Host(server)
        status, _, headers = host.raw("GET", "/", None, {"Host": host.host})
        assert status == 307 and headers["location"] == f"/{server.token}/#/class"
        stranger = Guest(server, "nobody")
        entered = [
            stranger.ask("class", {"name": n, "code": c}) for n, c in (("A", ""), ("B", "cat"), ("C", ""), ("D", "Cat"))
        ]
        assert [status for status, _ in entered] == [200] * 4
        numbers = [Guest(server, found["key"]).ask("room")[1]["number"] for _, found in entered]
        assert numbers == [1, 2, 1, 2], "as they come, or with whoever has the same word"
        assert stranger.ask("class", {"name": "E", "code": "cat"})[0] == 409
        assert stranger.ask("rooms")[0] == 403 and stranger.ask("class/rooms", {})[0] == 403
        names = [[seat["name"] for seat in room["seats"]] for room in host.ask("rooms")[1]["rooms"]]
        assert names == [["A", "C"], ["B", "D"]], "the teacher's board"
        pytest.importorskip("segno")
        assert host.ask("rooms/qr", {"address": server.door})[1]["picture"].startswith("data:image/svg+xml")
        assert stranger.ask("rooms/qr", {"address": "x"})[0] == 403
