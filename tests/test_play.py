"""The play page's server: whom it lets in, what it refuses, what it keeps."""

import contextlib
import json
import socket
import time
from pathlib import Path
from typing import Any

import pytest

from mmgames import cli
from mmgames.agents import finding
from mmgames.core.turn import Turn
from mmgames.kernels import compiling
from mmgames.running import records
from mmgames.running.replays import replay
from tests.cases import cases
from tests.play_server import Client, serving, the_end, your_turn


class Failing:
    def act(self, turn: Turn) -> int:
        if len(turn.legal) < 7:
            raise RuntimeError("out of ideas")
        return int(turn.legal[0])


def test_nobody_is_let_in_without_a_token_from_elsewhere_or_to_somebody_elses_game(client: Client) -> None:
    assert client.ask("api/games")[0] == 200
    for token in ("", "x", client.token[:-1], client.token + "x"):
        status, answer = client.ask("api/games", token=token)
        assert status == 403 and "stale" in answer["error"], token
    new_game = {"game": "TicTacToe", "agents": ["person", "random"]}
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{client.port}", "http://127.0.0.1:1"):
        status, answer = client.ask("api/game", new_game, origin=origin)
        assert status == 403 and "another page" in answer["error"], origin
        assert client.ask("api/games", origin=origin)[0] == 403
    assert client.ask("api/games", host="evil.example")[0] == 403, "a name that was pointed at this machine"
    assert not client.hosted._games
    for agents in (["person", "mtcs"], ["person", "os:system"], ["person", "human"], ["random", "random"], ["person"]):
        status, answer = client.ask("api/game", {"game": "TicTacToe", "agents": agents})
        assert status == 400 and answer["error"].count("\n") == 0, agents
    assert client.ask("api/game", {"game": "Chss", "agents": ["person", "random"]})[0] == 400
    assert not client.hosted._games
    game, other = client.begin("TicTacToe", "person", "random"), client.begin("TicTacToe", "person", "random")
    with game.seen("x") as messages:
        number = your_turn(messages)["number"]
        game.keys["x"] = other.keys["x"]
        status, answer = game.move("x", number, 4)
        assert status == 403 and "somebody else's" in answer["error"] and game.leave("x")[0] == 403
        assert client.ask(f"api/game/{game.id}/events?key={other.keys['x']}")[0] == 403
        assert client.ask(f"api/game/{game.id}/events")[0] == 403
    assert client.ask("api/game/nothing/events?key=x")[0] == 404


def test_a_second_click_before_the_answer_changes_nothing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    game = client.begin("CoinDilemma", "person", "person")
    with game.seen("red") as red, game.seen("blue") as blue:
        first = your_turn(red)["number"]
        your_turn(blue)
        assert game.move("red", first, 0)[0] == 200
        status, answer = game.move("red", first, 1)
        assert status == 409 and "taken already" in answer["error"] and game.move("blue", first, "<UP>")[0] == 200
        assert your_turn(red)["number"] == first + 1
        status, answer = game.move("red", first, 1)
        assert status == 409 and "earlier position" in answer["error"] and game.leave("red")[0] == 200
        end = the_end(blue)
    assert end["unfinished"] == "Red has left."
    (row,) = client.hosted.saved.rows(end["file"])[1]
    assert row["actions"] == [[0, 3]] and row["unfinished"] and row["forfeit"] == "red"
    assert row["returns"][0] < min(0.0, row["returns"][1]), "who leaves pays for it"
    monkeypatch.setitem(finding.GENERAL_AGENTS, "failing", f"{__name__}:Failing")
    game, other = client.begin("TicTacToe", "person", "failing"), client.begin("TicTacToe", "person", "random")
    with game.seen("x") as messages, other.seen("x") as others:
        for said in ("A3", "B3"):
            game.move("x", your_turn(messages)["number"], said)
        end = the_end(messages)
        assert end["failed"].startswith("failing in seat 'o': RuntimeError: out of ideas (test_play.py")
        assert other.move("x", your_turn(others)["number"], "A3")[0] == 200
    assert client.hosted.saved.rows(end["file"])[1][0]["failed"] == end["failed"]


def test_whoever_waits_for_the_compiler_is_told_so(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    with client.begin("TicTacToe", "person", "random").seen("x") as messages:
        your_turn(messages)
        monkeypatch.setattr(compiling._announcer, "compiling", ["mmgames.baselines.search.mcts.search_states"])
        assert next(messages) == {"compiling": "mmgames.baselines.search.mcts.search_states"}


def test_what_is_no_move_is_explained_and_ten_megabytes_are_refused_with_a_sentence(client: Client) -> None:
    game = client.begin("TicTacToe", "person", "random")
    with game.seen("x") as messages:
        number = your_turn(messages)["number"]
        for said in ("castle", 99, 4.0, None, [4], {"a": 1}, "x" * 300_000):
            status, answer = game.move("x", number, said)
            assert status in (400, 422) and answer["error"], said
        assert game.move("x", number, '{"action": "B2"}')[0] == 200 and your_turn(messages)["number"] > number
    game = client.begin("WirePuzzle", "person", "person")
    with game.seen("solver") as messages:
        number = your_turn(messages)["number"]
        status, answer = game.move("solver", number, "x" * 10_000_000)
        assert status == 413 and "too long" in answer["error"] and game.move("solver", number, "Hello?")[0] == 200
    for body in (b"", b"[1]", b"{", b"[" * 100_000, b"\xff"):
        assert client.ask("api/game", body)[0] == 400, body[:10]


def test_a_reload_goes_on_and_a_closed_browser_leaves_its_record(tmp_path: Path) -> None:
    with serving(tmp_path, patience=0.5) as client:
        game = client.begin("TicTacToe", "person", "random")
        with game.seen("x") as messages:
            game.move("x", your_turn(messages)["number"], "B2")
            before = your_turn(messages)
        with game.seen("x") as messages:
            assert your_turn(messages) == before
        limit = time.monotonic() + 60
        while client.hosted._games and time.monotonic() < limit:
            client.hosted.sweep()
            time.sleep(0.05)
        assert client.ask(f"api/game/{game.id}/events?key={game.keys['x']}")[0] == 404
    (row,) = records.read(tmp_path / "TicTacToe-person-random.jsonl")[1]
    assert row["unfinished"] and len(row["actions"]) == 2 and row["actions"][0] == [4, None]
    assert len(list(replay(row))) == 3


def test_stopping_the_server_keeps_what_was_played_and_lets_everybody_go(tmp_path: Path, capfd: Any) -> None:
    with serving(tmp_path) as client:
        game = client.begin("TicTacToe", "person", "random")
        with game.seen("x") as messages:
            game.move("x", your_turn(messages)["number"], "B2")
            your_turn(messages)
    (row,) = records.read(tmp_path / "TicTacToe-person-random.jsonl")[1]
    assert row["unfinished"]
    with contextlib.ExitStack() as still_open, serving(tmp_path) as client:  # the server stops first
        your_turn(still_open.enter_context(client.begin("TicTacToe", "person", "random").seen("x")))
    assert capfd.readouterr().err == ""


def test_what_is_played_is_an_ordinary_record(client: Client, capsys: pytest.CaptureFixture[str]) -> None:
    ends = []
    for _ in range(2):
        game = client.begin("TicTacToe", "person", "minimax")
        with game.seen("x") as messages:
            for message in messages:
                if "end" in message:
                    ends.append(message["end"])
                    break
                if message.get("frame", {}).get("yours"):
                    move = message["frame"]["moves"][0]
                    assert game.move("x", message["frame"]["number"], move["action"])[0] == 200
    (name,) = {end["file"] for end in ends}
    about, rows = client.hosted.saved.rows(name)
    assert about["agents"] == ["person", "minimax"] and [row["episode"] for row in rows] == [0, 1]
    assert all(row["returns"] == end["returns"] for row, end in zip(rows, ends, strict=True))
    for row in rows:
        assert len(list(replay(row))) == row["length"] + 1
    assert rows[0]["seed"] != rows[1]["seed"]
    assert cli.main(["show", str(client.hosted.saved.folder / name), "--episode", "1", "--out", "x.png"]) == 0
    Path("x.png").unlink()
    assert "minimax" in capsys.readouterr().out


def test_the_gallery_has_a_picture_of_every_game_and_set_up_follows_the_options(client: Client) -> None:
    from importlib import resources

    games = client.ask("api/games")[1]["games"]
    kept = resources.files("mmgames.assets") / "gallery"
    for game in games:
        assert (kept / f"{game['name']}.png").is_file(), "python docs/gallery_pictures.py draws it"
    status, picture = client.ask("api/picture?game=TicTacToe")
    assert status == 200 and picture.startswith(b"\x89PNG")
    few = client.ask("api/set-up?game=Hanabi")[1]
    many = client.ask("api/set-up?game=Hanabi&options=" + json.dumps({"players": 4}).replace(" ", ""))[1]
    assert len(many["seats"]) == 4 != len(few["seats"])
    assert client.ask("api/set-up?game=Hanabi&options={%22players%22:99}")[0] == 400


def test_what_cannot_be_played_is_said_at_once(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "FILE").touch()
    for arguments, sentence in cases(__file__)["refused"]:
        with socket.socket() as taken:  # whoever gets as far as this port is told so, and does not wait for a browser
            taken.bind(("127.0.0.1", 0))
            words = arguments.replace("FILE", f"{tmp_path}/FILE").split()
            words = ["play", "--port", str(taken.getsockname()[1]), *words]
            try:
                code = cli.main(words)
            except SystemExit as end:
                code = end.code
        said = capsys.readouterr().err
        assert code == cli.WRONG_USE and sentence in said and said.count("\n") == 1


def test_records_are_replayed_step_by_step(client: Client) -> None:
    game = client.begin("CoinDilemma", "person", "self_interest")
    with game.seen("red") as messages:
        for said in ("<UP>", "<answer><LEFT></answer>", 0):
            assert game.move("red", your_turn(messages)["number"], said)[0] == 200
        your_turn(messages)
        game.leave("red")
        name = the_end(messages)["file"]
    assert client.ask("api/files")[1] == [
        {"file": name, "what": "mmgames/CoinDilemma-v0", "who": ["person", "self_interest"], "rows": 1, "wrong": ""}
    ]
    assert client.ask(f"api/rows?file={name}")[1]["rows"][0]["unfinished"]
    about = client.ask(f"api/replay?file={name}&episode=0")[1]
    assert about["steps"] == 3 and about["agents"] == ["person", "self_interest"]
    (record,) = client.hosted.saved.rows(name)[1]
    for step, live in enumerate(replay(record)):
        shown = client.ask(f"api/replay?file={name}&episode=0&step={step}&role=red")[1]
        assert shown["totals"] == live.totals and shown["words"] == live.loaded.words.describe(live.view(0))
    second = client.ask(f"api/replay?file={name}&episode=0&step=1")[1]["deeds"][0]
    assert second["role"] == "red" and second["action"] == "<LEFT>" and "(x, y)" in second["prompt"]
    assert second["replies"] == [{"text": "<answer><LEFT></answer>", "refused": ""}]
    for asked in ("episode=7", "episode=x", "episode=0&step=99", "episode=0&step=0&role=green", ""):
        assert client.ask(f"api/replay?file={name}&{asked}")[0] == 400, asked
    from mmgames import suites

    suites.find("lvlm-playground").evaluate("oracle", 2, only=["TicTacToe-Perceive"], out=client.hosted.saved.folder)
    (file,) = [one["file"] for one in client.ask("api/files")[1] if "Perceive" in one["what"]]
    listed = client.ask(f"api/rows?file={file}")[1]
    assert listed["kind"] == "question" and [row["number"] for row in listed["rows"]] == [0, 1]
    shown = client.ask(f"api/question?file={file}&number=1")[1]
    assert shown["score"] == 1 and shown["asked"][0]["pictures"][0].startswith("data:image/png")
    assert client.ask(f"api/question?file={file}&number=5")[0] == 400


def test_no_path_leads_out_of_the_folder_of_records(client: Client, tmp_path: Path) -> None:
    secret = tmp_path / "secret.jsonl"
    secret.write_text('{"about": {"match": "mmgames/TicTacToe-v0", "agents": []}}\n{"episode": 0, "word": "plugh"}\n')
    client.hosted.saved.folder.mkdir(exist_ok=True)
    (client.hosted.saved.folder / "link.jsonl").symlink_to(secret)
    names = ("../secret.jsonl", str(secret), "link.jsonl", "%2e%2e/secret.jsonl", "a/../../secret.jsonl")
    for name in (*names, "x%00.jsonl", "", "..", "/etc/passwd"):
        for asked in ("rows?file=", "replay?episode=0&file=", "question?number=0&file="):
            status, answer = client.ask(f"api/{asked}{name}")
            assert status == 400 and "plugh" not in json.dumps(answer), name
    assert "plugh" not in json.dumps(client.ask("api/files")[1])
    for file in ("..%2fserver.py", "../server.py", "%2e%2e%2fsession.py", "static", "."):
        assert client.ask(file)[0] in (403, 404), file
    assert client.ask("page.js")[0] == 200
