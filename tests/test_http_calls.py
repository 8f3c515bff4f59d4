"""Posting over real HTTP: what is not read, not followed and not said, and many threads at once; no key is shown."""

import base64
import contextlib
import itertools
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from mmgames import cli
from mmgames.baselines.models import http_calls
from mmgames.baselines.models.http_calls import Endpoint, HttpAnswer, NoAnswer
from mmgames.text.secrets import without_secrets
from tests.chat_server import serving
from tests.refusing import refused

SECRET = "sk-test-4711-very-secret"


def post(url: str, timeout: float = 5.0) -> HttpAnswer:
    return Endpoint(url, {"authorization": f"Bearer {SECRET}"}, timeout).post("/chat/completions", {})


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}", "IncompleteRead"),
        (b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\n{}", "Connection error"),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 1001, "Too much: more than 1,000 bytes"),
        (b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n64\r\n%b\r\n" % (b"x" * 100), "Connection error"),
        (b"What?\r\n\r\n", "BadStatusLine"),
        (None, "closed connection without response"),
    ],
    ids=["half", "half a chunk", "too much", "no last chunk", "no HTTP", "nothing"],
)
def test_an_answer_that_is_not_whole_is_none(raw: Any, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_calls, "MOST_BYTES", 1000)
    with serving(lambda request, number: raw) as server, pytest.raises(NoAnswer, match=why) as told:
        post(server.url)
    assert SECRET not in str(told.value) and len(server.requests) == 1, "nothing is tried again here"


def test_an_answer_is_read_whole_and_no_key_follows_a_redirect() -> None:
    chunks = b"HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n[\r\n2\r\n4]\r\n0\r\n\r\n"
    with serving(lambda request, number: b"HTTP/1.0 200 OK\r\n\r\n[4]" if number else chunks) as server:
        first, second = post(server.url), post(server.url)
    assert first.status == 503 and first.headers["retry-after"] == "7" and first.document() == second.document() == [4]
    with serving(lambda request, number: "B2") as other:
        location = f"HTTP/1.1 307 Elsewhere\r\ncontent-length: 0\r\nlocation: {other.url}/x\r\n\r\n".encode()
        with serving(lambda request, number: location) as server:
            assert post(server.url).status == 307
    assert other.keys == []


def test_64_threads_ask_at_once_and_connections_are_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    everybody = threading.Barrier(64, timeout=60)
    opened: list[int] = []
    with serving(lambda request, number: f"B{everybody.wait()}") as server:
        accept = server.get_request
        monkeypatch.setattr(server, "get_request", lambda: (opened.append(1), accept())[1])
        endpoint = Endpoint(server.url, {}, 60.0)
        with ThreadPoolExecutor(64) as pool:
            for _ in range(2):
                answers = list(pool.map(lambda _: endpoint.post("/chat/completions", {}).status, range(64)))
                assert answers == [200] * 64
        endpoint.close()
    assert len(opened) == 64


def test_a_tunnel_that_drips_is_told_who_asks_and_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    told: list[bytes] = []

    def drip() -> None:
        connection, _ = listener.accept()
        with connection, contextlib.suppress(OSError):
            told.append(connection.recv(10_000))
            for byte in itertools.chain(b"HTTP/1.1 200 OK\r\nx: ", itertools.repeat(97)):
                connection.sendall(bytes([byte]))
                time.sleep(0.02)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=drip, daemon=True).start()
        monkeypatch.setenv("https_proxy", f"us%40er:pass@127.0.0.1:{listener.getsockname()[1]}")
        refused(lambda: post("https://model.example/v1", 0.2), "Timeout: no whole answer within 0.2 s", kind=NoAnswer)
    assert told[0].startswith(b"CONNECT model.example:443") and SECRET.encode() not in told[0]
    assert base64.b64encode(b"us@er:pass") in told[0]


def test_without_the_extra_it_is_named_before_anything_is_asked(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setitem(sys.modules, "urllib3", None)
    assert cli.main(["match", "TicTacToe", "chat:tiny,base_url=http://localhost:1/v1", "random"]) == 2
    told = capsys.readouterr().err
    assert "'chat' needs a package that is not installed: pip install 'mmgames[chat]'." in told
    assert told.count("\n") == 1


KEY = "abcDEF123456ghi"


def test_no_key_is_left() -> None:
    for said in (
        f"Incorrect API key provided: sk-{KEY}. Find yours at example.org.",
        f"request with headers {{'Authorization': 'Bearer {KEY}'}}",
        f"Authorization: Basic {KEY}==",
        f"authorization={KEY}",
        f'{{"api_key": "{KEY}"}}',
        f"x-api-key: {KEY}",
    ):
        assert KEY not in without_secrets(said) and "…" in without_secrets(said)
    said = "ValueError: the key to the door is B2; a monkey-wrench, the bearer of news, an unauthorized guest"
    assert without_secrets(said) == said
