"""A cluster that is not there is one sentence, within seconds and before anything is written."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from mmgames import cli
from mmgames.errors import MmgamesError
from mmgames.running import ray_cluster


def test_nobody_answers() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    for address in (f"127.0.0.1:{port}", f"ray://127.0.0.1:{port}", f"[::1]:{port}"):
        with pytest.raises(MmgamesError, match=r"No Ray cluster answers at .* \(.+\); start one"):
            ray_cluster.check_address(address)


def test_somebody_accepts_and_keeps_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_cluster, "ANSWERS_WITHIN", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(MmgamesError, match=rf"No Ray cluster answers at {address} \(no answer\)"):
            ray_cluster.check_address(address)


def test_somebody_else_answers() -> None:
    import threading

    def greet(server: socket.socket) -> None:
        with server.accept()[0] as visitor:
            visitor.recv(64)
            visitor.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    with socket.create_server(("127.0.0.1", 0)) as other:
        thread = threading.Thread(target=greet, args=(other,))
        thread.start()
        with pytest.raises(MmgamesError, match="what answers is no Ray"):
            ray_cluster.check_address(f"127.0.0.1:{other.getsockname()[1]}")
        thread.join()


@pytest.mark.parametrize("address", ["somewhere", "host:", ":6379", "host:port", "127.0.0.1:99999"])
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(MmgamesError, match=r"is no address of a Ray cluster|No Ray cluster answers"):
        ray_cluster.check_address(address)


@pytest.mark.parametrize("command", ["match TicTacToe random", "eval comma", "dataset vision-zero x"])
def test_commands_say_what_goes_together(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([*command.split(), "--address", "127.0.0.1:1"]) == 2
    assert capsys.readouterr().err == "mmgames: --address is that of a Ray cluster; it goes with --engine ray.\n"


def test_nothing_is_written_when_there_is_no_cluster(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "kept.jsonl"
    words = ["match", "TicTacToe", "random", "--out", str(out), "--engine", "ray", "--address", "127.0.0.1:1"]
    assert cli.main(words) == 2 and not out.exists()
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and ("No Ray cluster answers" in said or "mmgames[scale]" in said)
