"""A cluster that is not there is one sentence, within seconds and before anything is written."""

import socket
import threading
from functools import partial
from pathlib import Path

import pytest

from mmgames import cli
from mmgames.running import ray_cluster
from tests.refusing import refused


def test_what_is_no_address_and_whoever_is_no_cluster_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    for address in (f"127.0.0.1:{port}", f"ray://127.0.0.1:{port}", f"[::1]:{port}"):
        refused(partial(ray_cluster.check_address, address), r"No Ray cluster answers at .* \(.+\); start one")
    for address in ("somewhere", "host:", ":6379", "host:port", "127.0.0.1:99999"):
        refused(partial(ray_cluster.check_address, address), "is no address of a Ray cluster|No Ray cluster answers")
    with socket.create_server(("127.0.0.1", 0)) as silent, monkeypatch.context() as patch:
        patch.setattr(ray_cluster, "ANSWERS_WITHIN", 0.2)
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        refused(lambda: ray_cluster.check_address(address), rf"No Ray cluster answers at {address} \(no answer\)")

    def greet(server: socket.socket) -> None:
        with server.accept()[0] as visitor:
            visitor.recv(64)
            visitor.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    with socket.create_server(("127.0.0.1", 0)) as other:
        thread = threading.Thread(target=greet, args=(other,))
        thread.start()
        refused(lambda: ray_cluster.check_address(f"127.0.0.1:{other.getsockname()[1]}"), "what answers is no Ray")
        thread.join()


def test_nothing_is_written_when_there_is_no_cluster(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("match TicTacToe random", "eval comma", "dataset vision-zero x"):
        assert cli.main([*command.split(), "--address", "127.0.0.1:1"]) == 2
        assert capsys.readouterr().err == "mmgames: --address is that of a Ray cluster; it goes with --engine ray.\n"
    out = tmp_path / "kept.jsonl"
    words = ["match", "TicTacToe", "random", "--out", str(out), "--engine", "ray", "--address", "127.0.0.1:1"]
    assert cli.main(words) == 2 and not out.exists()
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and ("No Ray cluster answers" in said or "mmgames[scale]" in said)
