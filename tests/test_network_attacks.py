"""What a server with rooms refuses to whoever was not invited, and to guests who want more than their seat."""

import json
import socket
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from mmgames.play import bounded_socket, network_guard, room_server
from mmgames.play.listening import listening
from mmgames.play.network_guard import RateLimit
from tests.play_server import the_end, your_turn
from tests.room_server import Guest, Host, certificate, serving


def refused(answer: tuple[int, Any, dict[str, str]]) -> bool:
    """Whether an answer says that it is one, and nothing else."""
    status, found, headers = answer
    return status == 403 and found == {"error": network_guard.REFUSED} and "server" not in headers


def head(guest: Guest, path: str, **more: str) -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in guest.headers(Origin=guest.origin, **more).items())
    return f"POST {path} HTTP/1.1\r\n{lines}\r\n".encode()


def answered(line: socket.socket) -> bytes:
    found = b""
    try:
        while part := line.recv(65536):
            found += part
    except ConnectionResetError:
        pass
    return found


def test_without_an_invitation_everything_is_refused_in_the_same_words(host: Host) -> None:
    guest = host.open("TicTacToe", "person", "random")["x"]
    token, game = host.server.token, guest.game
    bare = {"Host": host.host}
    paths = ("/", "/x", "/index.html", "/api/games", f"/{token[:-1]}/", f"/{token}x/", f"//{token}/", "/%00", "/%C3%A9")
    for path in (*paths, "*"):
        assert refused(host.raw("GET", path, None, host.headers())), path
    assert host.raw("GET", f"/{token}/", None, bare)[0] == 200, "the page itself is behind the token"
    host.server.guard.limits.strangers = RateLimit(1e6, 1e6)
    for path in ("rooms", "games", "room", f"game/{game}/events", "game/nothing/events", "nothing", ""):
        for key in ("", "x", guest.key[:-1], guest.key + "0", guest.key.upper(), "\xe9", token):
            headers = {**bare, "Authorization": f"Bearer {key}"}
            assert refused(host.raw("GET", f"/{token}/api/{path}", None, headers)), (path, key)
        assert refused(host.raw("GET", f"/{token}/api/{path}", None, {**bare, "Authorization": f"Basic {guest.key}"}))
        assert refused(host.raw("GET", f"/{token}/api/{path}?key={guest.key}", None, bare)), "no key in an address"


def test_a_key_is_good_for_its_own_seat_alone(host: Host) -> None:
    one, other = (host.open("KuhnPoker", "person", "person") for _ in range(2))
    mine, theirs, elsewhere = one["player_0"], one["player_1"], other["player_0"]
    game = mine.game
    with mine.seen(game) as seen:
        number = your_turn(seen)["number"]
        assert theirs.move(number, "bet", game)[0] == 409, "the other seat's key moves the other seat"
        stolen = theirs.ask(f"game/{game}/move", {"key": mine.key, "role": "player_0", "number": number, "said": "bet"})
        assert stolen[0] == 409, "whatever else the request says"
        for path in ("events", "move", "leave", "resign", "deputy"):
            body = None if path == "events" else {"number": number, "said": "bet", "role": "player_1"}
            assert elsewhere.ask(f"game/{game}/{path}", body)[0] == 404, path
        for path in ("rooms", "games", "set-up?game=TicTacToe", "files", "rows?file=x", "picture?game=TicTacToe"):
            assert refused(mine.raw("GET", f"/{host.server.token}/api/{path}", None, mine.headers())), path
        for path, body in (("rooms", {"game": "TicTacToe"}), ("rooms/close", {"room": 1}), ("rooms/key", {"room": 1})):
            assert mine.ask(path, body)[0] == 403, path
        assert mine.move(number, "bet", game)[0] == 200, "and nothing was lost"
    with theirs.seen(game) as seen:
        assert your_turn(seen)["number"] == number + 1


def test_other_names_and_other_pages_are_refused(host: Host) -> None:
    guest = host.open("TicTacToe", "person", "random")["x"]
    path, body = f"/{host.server.token}/api/game/{guest.game}/move", b'{"number": 1, "said": 4}'
    for name in ("evil.example", f"evil.example:{host.server.port}", "127.0.0.1", "", f"localhost:{host.server.port}"):
        assert refused(guest.raw("GET", f"/{host.server.token}/api/room", None, guest.headers(Host=name))), name
    for origin in ("http://evil.example", "null", f"https://{host.host}", "http://127.0.0.1:1", ""):
        assert refused(guest.raw("POST", path, body, guest.headers(Origin=origin))), origin
        assert refused(guest.raw("GET", f"/{host.server.token}/api/room", None, guest.headers(Origin=origin)))
    assert refused(guest.raw("POST", path, body, guest.headers())), "a form of another page says no origin at times"
    for method in ("PUT", "DELETE", "OPTIONS", "TRACE"):
        assert refused(guest.raw(method, path, None, guest.headers()))
    assert guest.raw("POST", path, body, guest.headers(Origin=guest.origin))[0] == 200


def test_no_path_leads_out_of_the_page(host: Host, tmp_path: Path) -> None:
    (tmp_path / "secret.jsonl").write_text("secret")
    outside = ["../server.py", "%2e%2e/server.py", "..%2fserver.py", "%2e%2e%2fserver.py", "....//server.py"]
    outside += ("/etc/passwd", "static/../../server.py", "..", "%2e%2e", ".", "api/../../server.py", "a%00b", "C:%5Cx")
    for path in outside:
        status, found, _ = host.raw("GET", f"/{host.server.token}/{path}", None, host.headers())
        assert status in (403, 404) and b"import" not in json.dumps(str(found)).encode(), path
    assert host.ask("rows?file=../secret.jsonl")[0] == 400


def test_a_huge_body_is_refused_before_it_is_sent(host: Host) -> None:
    guest = host.open("WirePuzzle", "person", "person")["solver"]
    path = f"/{host.server.token}/api/game/{guest.game}/move"
    for length in ("10000000000", str(network_guard.MOST_BYTES + 1)):
        with host.line() as line:
            line.sendall(head(guest, path, **{"Content-Length": length}))
            assert b" 413 " in answered(line).split(b"\r\n")[0]
    with host.line() as line:  # one that does not say how long it is
        line.sendall(head(guest, path, **{"Transfer-Encoding": "chunked"}))
        part = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
        with pytest.raises(OSError):
            for _ in range(1000):  # 64 MB, of which little is taken
                line.sendall(part)
    with guest.seen() as seen:
        assert guest.move(your_turn(seen)["number"], "Hello?")[0] == 200


def test_slow_bodies_and_whoever_asks_nothing_are_not_waited_for(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    host.server.guard.body_seconds = 0.3
    guest = host.open("TicTacToe", "person", "random")["x"]
    path = f"/{host.server.token}/api/game/{guest.game}/move"
    with host.line() as line:
        line.sendall(head(guest, path, **{"Content-Length": "100"}) + b"{")
        line.settimeout(60)
        assert b" 408 " in line.recv(1000)
    monkeypatch.setattr(bounded_socket.PromptProtocol, "patience", 0.3)
    for said in (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "):
        with host.line() as line:
            line.settimeout(60)
            line.sendall(said)
            assert answered(line) == b""
    host.server.guard.body_seconds = 60
    monkeypatch.setattr(bounded_socket.PromptProtocol, "patience", 1.5)  # a busy machine asks this late
    with guest.seen() as seen:
        number = your_turn(seen)["number"]
        time.sleep(1.7)
        assert guest.move(number, 4)[0] == 200
        assert your_turn(seen)["number"] > number, "who only listens stays"


@pytest.mark.program("openssl")
def test_whoever_never_shakes_hands_makes_room_for_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_socket.PromptProtocol, "patience", 1.5)
    trusted, key = certificate(tmp_path, "IP:127.0.0.1")
    with serving(tmp_path, listening("127.0.0.1", certificate=trusted, key=key)) as host:
        guest = host.open("TicTacToe", "person", "random", trusted=trusted)["x"]
        with guest.seen() as seen, host.line() as silent:
            number = your_turn(seen)["number"]
            time.sleep(1.7)
            assert not _hung_up(silent), "nobody else has come since"
            assert guest.ask("room")[0] == 200
            silent.settimeout(60)
            assert answered(silent) == b"" and guest.move(number, 4)[0] == 200
            assert your_turn(seen)["number"] > number, "who has shaken hands stays"


def test_many_connections_of_one_address_leave_room_for_others(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_socket.BoundedSocket, "most_of_one", 20)
    guest = host.open("TicTacToe", "person", "random")["x"]
    listener = host.server._socket
    assert isinstance(listener, bounded_socket.BoundedSocket)
    lines = [host.line() for _ in range(60)]
    try:
        limit = time.monotonic() + 60
        while sum(_hung_up(line) for line in lines) < 40 and time.monotonic() < limit:
            time.sleep(0.05)
        assert sum(_hung_up(line) for line in lines) == 40 and listener.connections == 20
        connection = guest.connection()
        connection.sock = socket.create_connection(("127.0.0.1", host.server.port), 60, ("127.0.0.2", 0))
        connection.request("GET", f"/{host.server.token}/api/room", headers=guest.headers())
        assert connection.getresponse().status == 200, "another address is let in"
        connection.close()
    finally:
        for line in lines:
            line.close()
    limit = time.monotonic() + 60
    while listener.connections and time.monotonic() < limit:
        time.sleep(0.05)
    assert listener.connections == 0 and guest.ask("room")[0] == 200


def _hung_up(line: socket.socket) -> bool:
    line.setblocking(False)
    try:
        return line.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True


def test_who_asks_too_often_waits_and_who_reads_nothing_is_let_go(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (host.open("TicTacToe", "person", "random")["x"] for _ in range(2))
    host.server.guard.limits.keys = RateLimit(0.01, 5)
    assert [one.ask("room")[0] for _ in range(7)] == [200] * 5 + [429] * 2 and other.ask("room")[0] == 200
    wrong = Guest(host.server, "wrong")
    host.server.guard.limits.strangers = RateLimit(0.01, 3)
    assert [wrong.ask("room")[0] for _ in range(5)] == [403] * 3 + [429] * 2
    assert other.ask("room")[0] == 200, "whoever was invited is let in, even from the same address"
    now = 0.0
    limit = RateLimit(2, 3, most=2, clock=lambda: now)
    assert [limit.take("a") for _ in range(4)] == [True, True, True, False]
    now = 0.5
    assert [limit.take("a") for _ in range(2)] == [True, False]
    for who in ("b", "c"):
        assert limit.take(who)
    assert len(limit._left) == 2 and limit.take("a"), "a was forgotten, and begins anew"
    monkeypatch.setattr(room_server, "BACKLOG", 5)
    backlog = room_server.Backlog()
    for number in range(8):
        backlog.put_nowait(f"frame {number}")
    assert backlog.qsize() <= 5
    assert backlog.get_nowait() == "", "it is hung up on first of all"


def test_behind_a_proxy_its_name_alone_counts_and_so_does_who_it_asks_for(tmp_path: Path) -> None:
    with serving(tmp_path, listening("127.0.0.1", behind="games.example.org")) as host:
        assert host.server.url.startswith("https://games.example.org/")
        guest = host.open("TicTacToe", "person", "random")["x"]
        with guest.seen() as seen:
            assert guest.move(your_turn(seen)["number"], 4)[0] == 200
        own = guest.headers(Host=f"127.0.0.1:{host.server.port}")
        assert refused(guest.raw("GET", f"/{host.server.token}/api/room", None, own))
        host.server.guard.limits.strangers = RateLimit(0.01, 1)
        told = [
            {"Host": host.host, "X-Forwarded-For": f"{one}, 192.0.2.{two}"} for one, two in ((1, 1), (2, 1), (1, 2))
        ]
        asked = [host.raw("GET", "/", None, headers)[0] for headers in told]
        assert asked == [403, 429, 403], "the last address is the proxy's word; those before it are anybody's"


def test_no_key_is_written_to_logs_or_sent_on(host: Host, capfd: pytest.CaptureFixture[str]) -> None:
    room = host.open("TicTacToe", "person", "person")
    keys = [host.key, *(guest.key for guest in room.values())]
    with room["x"].seen() as seen:
        room["x"].move(your_turn(seen)["number"], 4)
        room["x"].move(99, "nonsense")
        room["x"].ask("room/again", [1])
    status, _, headers = host.raw("GET", f"/{host.server.token}/", None, {"Host": host.host})
    assert status == 200 and headers["referrer-policy"] == "no-referrer" and headers["cache-control"] == "no-store"
    for asked in (room["x"], room["spectator"]):
        with asked.seen() as seen:
            told = json.dumps([next(seen) for _ in range(3)])
        assert not any(key in told for key in keys), "nobody is told anybody's key"
    captured = capfd.readouterr()
    assert not any(key in captured.out + captured.err for key in keys)
    with room["o"].seen() as seen:
        game = room["x"].game
        assert room["x"].ask("room/again", {"game": game})[0] == 409, "not while it goes on"
        assert room["x"].ask(f"game/{game}/leave", {})[0] == 200 and the_end(seen)["headline"] == "X has left."
    while (found := room["x"].ask("room/again", {"game": game}))[0] == 429:
        time.sleep(0.2)
    assert found[0] == 200 and room["o"].game == found[1]["game"] != game, "the other is still invited"
