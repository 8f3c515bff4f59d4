"""Rooms over the network: whole games of people who were invited, over HTTPS."""

import contextlib
import json
import random
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from mmgames import cli
from mmgames.play import position_json, room_server
from mmgames.play.listening import listening
from mmgames.running.matches import play
from mmgames.running.replays import replay
from tests import chat_server
from tests.cases import cases
from tests.play_server import the_end, the_table, your_turn
from tests.room_server import Guest, Host, certificate, serving


def played(guest: Guest, rng: random.Random) -> dict[str, Any]:
    game = guest.game
    with guest.seen(game) as messages:
        for message in messages:
            if "end" in message:
                return message["end"]
            frame = message.get("frame", {})
            if frame.get("yours"):
                status, answer = guest.move(frame["number"], rng.choice(frame["moves"])["action"], game)
                assert status == 200, answer
    raise AssertionError("the stream ended before the game did")


@pytest.mark.program("openssl")
def test_two_people_play_whole_games_over_https(tmp_path: Path) -> None:
    trusted, key = certificate(tmp_path, "IP:127.0.0.1")
    with serving(tmp_path / "records", listening("127.0.0.1", certificate=trusted, key=key)) as host:
        room = host.open("TicTacToe", "person", "person", trusted=trusted)
        assert room["x"].origin.startswith("https://127.0.0.1:")
        for number in range(2):
            with ThreadPoolExecutor(2) as people:
                both = (people.submit(played, room[role], random.Random(f"{role}{number}")) for role in ("x", "o"))
                one, other = (end.result() for end in list(both))
            assert one == other and not one["unfinished"]
            over = room["x"].game
            while (again := [room[role].ask("room/again", {"game": over}) for role in ("x", "o")])[0][0] == 429:
                time.sleep(0.2)
            assert again[0] == again[1] and again[0][1]["game"] != over, "one next game for both"
        with pytest.raises(OSError):  # plain HTTP is not spoken here
            Guest(host.server, room["x"].key).ask("room")
        rows = host.rows()
    assert len(rows) == 2 and all(row["agents"] == ["person", "person"] for row in rows)
    assert all(len(list(replay(row))) == row["length"] + 1 for row in rows)


def test_people_agents_and_a_chat_model_share_a_room_and_are_not_told_why_it_failed(host: Host) -> None:
    with chat_server.serving(lambda request, number: '{"action": "stay"}') as model:
        asked = f"chat:model=m,base_url={model.url}"
        room = host.open("CoinDilemma", "person", "person", asked, "random", players=4, horizon=3)
        roles = [role for role in room if role != "spectator"]
        with room["spectator"].seen() as messages, ThreadPoolExecutor() as people:
            for role in roles:
                people.submit(played, room[role], random.Random(role))
            table = the_table(messages, lambda table: bool(table["people"]))
            the_end(messages)
        assert model.requests and [one["who"] for one in table["people"]] == ["Person", "Person", "Chat", "Random"]
        assert model.url not in json.dumps(table), "where a model is asked is the host's matter"
    (row,) = host.rows()
    assert row["failed"] is None and len(row["actions"]) == 3
    with chat_server.serving(lambda request, number: chat_server.Fault(401, "the key sk-12345 is wrong")) as model:
        room = host.open("TicTacToe", "person", f"chat:model=m,base_url={model.url}")
        with room["x"].seen() as seen:
            assert room["x"].move(your_turn(seen)["number"], 4)[0] == 200
            end = the_end(seen)
    assert end["headline"] == "It ended early: an agent failed."
    assert end["file"] == "" and model.url not in json.dumps(end) and "401" not in json.dumps(end)
    assert any("401" in (row["failed"] or "") for row in host.rows()), "the record says it"


def test_what_a_table_has_a_room_has_too(host: Host) -> None:
    room = host.open("TicTacToe", "person", "person", clock="300+5")
    x, o, spectator = room["x"], room["o"], room["spectator"]
    with x.seen() as seen, o.seen() as other:
        begun = next(message["begin"] for message in seen if "begin" in message)
        assert begun["clock"] == "300+5" and begun["draws"] and x.move(your_turn(seen)["number"], 4)[0] == 200
        your_turn(other)
        status, earlier = x.ask(f"game/{x.game}/position?step=0")
        assert status == 200 and earlier["picture"].startswith("data:image/png")
        assert len(spectator.ask(f"game/{x.game}/tour")[1]["pictures"]) == 3
        assert spectator.ask(f"game/{x.game}/draw", {})[0] == 403
        assert o.ask(f"game/{o.game}/take-back", {})[0] == 409, "another person plays"
        assert o.ask(f"game/{o.game}/draw", {})[0] == 200
        the_table(seen, lambda table: table["draw"]["by"] == "o")
        assert x.ask(f"game/{x.game}/draw", {"taken": True})[0] == 200 and the_end(seen)["headline"].startswith("Draw")
    (row,) = host.rows()
    assert row["draw_agreed"] and row["clock"]
    room = host.open("TicTacToe", "person", "person")
    x, o = room["x"], room["o"]
    with x.seen() as seen:
        with o.seen():
            assert the_table(seen, lambda table: all(one["here"] for one in table["people"]))["waiting"] == ["x"]
        the_table(seen, lambda table: not table["people"][1]["here"])
        assert x.move(1, 4)[0] == 200, "nobody else has to be there"
    with o.seen() as seen:
        frame = your_turn(seen)
        assert frame["number"] == 2 and 4 not in [move["action"] for move in frame["moves"]] and o.move(2, 0)[0] == 200
        assert o.move(2, 0)[0] == 409, "what arrived before the line broke is not taken twice"
    with x.seen() as seen:
        assert your_turn(seen)["number"] == 3


@pytest.mark.parametrize(("game", "pictures"), [("TicTacToe", 1), ("KuhnPoker", 0)])
def test_seats_that_see_the_same_share_a_picture_and_others_do_not(game: str, pictures: int) -> None:
    live = next(iter(play(game, "random", 1)))
    drawn: position_json.Drawn = {}
    for seat in range(2):
        alone = position_json.position(live.loaded, live.game, live.view(seat))
        assert position_json.position(live.loaded, live.game, live.view(seat), drawn=drawn) == alone
    assert len(drawn) == pictures


def test_spectators_see_positions_in_which_nothing_is_hidden(host: Host) -> None:
    room = host.open("TicTacToe", "person", "person")
    with room["spectator"].seen() as seen:
        begin = next(seen)["begin"]
        assert begin["role"] is None and not begin["hidden"] and begin["rules"]
        first = next(message["frame"] for message in seen if "frame" in message)
        assert first["number"] == 1 and first["moves"] == [] and not first["yours"] and room["x"].move(1, 4)[0] == 200
        second = next(message["frame"] for message in seen if message.get("frame", first)["number"] > 1)
        assert second["number"] == 2 and second["picture"] != first["picture"]
        with room["x"].seen() as messages:
            assert the_table(messages, lambda table: True)["watching"] == 1
        asked: dict[str, Any] = {"move": {"number": 2, "said": 0}, "leave": {}, "resign": {}, "deputy": {"role": "o"}}
        for path, body in asked.items():
            assert room["spectator"].ask(f"game/{room['x'].game}/{path}", body)[0] == 403, path
        assert room["spectator"].ask("room/again", {"game": room["x"].game})[0] == 403
    with room["spectator"].seen() as seen:
        assert next(message["frame"] for message in seen if "frame" in message) == second, "who comes late sees it too"
    room = host.open("KuhnPoker", "person", "person")
    game = room["spectator"].game
    with room["spectator"].seen(game) as seen, room["player_0"].seen(game) as own:
        begin = next(seen)["begin"]
        assert begin["hidden"] and not begin["rules"]
        assert room["player_0"].move(your_turn(own)["number"], "bet", game)[0] == 200
        with room["player_1"].seen(game) as other:
            assert room["player_1"].move(your_turn(other)["number"], "bet", game)[0] == 200
        told = []
        for message in seen:
            told.append(message)
            if "end" in message:
                break
    assert {name for message in told for name in message} == {"chat", "table", "end"}, "no position on the way"
    assert told[-1]["end"]["revealed"]["picture"].startswith("data:image/png")
    room = host.open("KuhnPoker", "person", "person")
    with room["spectator"].seen() as seen:
        assert room["player_0"].ask(f"game/{room['player_0'].game}/leave", {})[0] == 200
        assert the_end(seen)["revealed"] is None


def test_the_host_opens_lists_and_closes_rooms_and_changes_addresses(host: Host, monkeypatch: Any) -> None:
    asked = {"game": "TicTacToe", "agents": ["person", "random"], "seed": None, "options": {}, "count": 2}
    status, made = host.ask("rooms", asked)
    assert status == 200 and [room["number"] for room in made["rooms"]] == [1, 2]
    for count in (0, 101, True, "3"):
        assert host.ask("rooms", {**asked, "count": count})[0] == 400
    monkeypatch.setattr(host.server.rooms, "most", 2)
    assert host.ask("rooms", asked)[0] == 503
    x = Guest(host.server, made["rooms"][0]["seats"][0]["key"])
    with x.seen() as seen:
        number = your_turn(seen)["number"]
        assert host.ask("rooms/key", {"room": 1, "role": "x"})[0] == 200
        with contextlib.suppress(StopIteration):
            while True:
                next(seen)
    assert x.ask("room")[0] == 403, "the old address lets nobody in any more"
    new = Guest(host.server, host.ask("rooms")[1]["rooms"][0]["seats"][0]["key"])
    assert new.move(number, 4)[0] == 200, "and the game goes on"
    assert host.ask("rooms/close", {"room": 1})[0] == 200 and new.ask("room")[0] == 403
    assert [room["number"] for room in host.ask("rooms")[1]["rooms"]] == [2]
    assert host.ask("rooms/close", {"room": 1})[0] == 404
    monkeypatch.setattr(room_server, "WINDOWS", 1)
    x = host.open("TicTacToe", "person", "random")["x"]
    with x.seen() as first:
        your_turn(first)
        with x.seen() as second:
            assert any("elsewhere" in message for message in first), "which is told why, and hung up"
            your_turn(second)


def test_what_is_not_safe_or_not_whole_is_refused_in_a_sentence(capsys: Any) -> None:
    for arguments, sentence in cases(__file__)["refused"]:
        assert cli.main(["play", *arguments.split()]) != 0
        said = capsys.readouterr().err
        assert sentence in said and said.count("\n") == 1 and "Traceback" not in said


def test_addresses_are_read_and_invitations_go_to_a_file_of_ones_own(host: Host, tmp_path: Path, capsys: Any) -> None:
    assert listening("[::1]:8443", insecure=True)[:3] == ("::1", 8443, ("[::1]",))
    assert listening("::1", 8000, insecure=True).hosts(8000) == ["[::1]:8000"]
    assert listening("127.0.0.1:80", insecure=True).hosts(80) == ["127.0.0.1:80", "127.0.0.1"]
    behind = listening("127.0.0.1:8000", behind="Games.example.org")
    assert behind.hosts(8000) == ["games.example.org"] and behind.scheme == "https"
    named = listening("0.0.0.0", names=["a.example", "b.example:99"], insecure=True)
    assert named.hosts(7) == ["a.example:7", "b.example:99"]
    room = host.open("TicTacToe", "person", "person")
    host.server.tell(tmp_path / "links")
    printed, written = capsys.readouterr().out, (tmp_path / "links").read_text()
    for key in (host.key, *(guest.key for guest in room.values())):
        assert key in written and key not in printed
    assert (tmp_path / "links").stat().st_mode & 0o077 == 0
