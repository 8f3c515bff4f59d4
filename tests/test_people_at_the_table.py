"""Who plays on the page, who is waited for, who has gone, what is dealt, and what is said in the end."""

import json
from pathlib import Path
from typing import Any

import pytest

from mmgames.running.replays import replay
from tests.play_server import Client, Game, serving, the_end, the_table, your_turn


def gone(table: dict[str, Any]) -> list[str]:
    return [one["role"] for one in table["people"] if not one["here"]]


def test_in_the_end_everybody_sees_what_was_hidden_unless_somebody_leaves(client: Client) -> None:
    game = client.begin("KuhnPoker", "person", "random", seed=3)
    with game.seen("player_0") as messages:
        assert game.move("player_0", your_turn(messages)["number"], "bet")[0] == 200
        end = the_end(messages)
    assert " against " in end["headline"] and end["revealed"]["picture"].startswith("data:image/png")
    assert "not known" not in end["revealed"]["words"]
    game = client.begin("KuhnPoker", "person", "random", seed=3)
    with game.seen("player_0") as messages:
        your_turn(messages)
        game.leave("player_0")
        end = the_end(messages)
    assert end["revealed"] is None and end["headline"] == "Player 0 has left."


def test_a_kitchen_lists_the_robots_it_has(client: Client) -> None:
    game = client.begin("VikiKitchen", "person", *["random"] * 6)
    with game.seen("R1") as messages:
        table = the_table(messages, lambda table: bool(table["people"]))
        robots = [one["role"] for one in table["people"]]
        rows = your_turn(messages)["words"]
        assert robots == [f"R{number}" for number in range(1, 8) if f"- R{number} (" in rows]
        assert len(robots) < 7, "the seed deals a kitchen with fewer robots than seats"
        game.leave("R1")
        assert [score["role"] for score in the_end(messages)["scores"]] == robots
    game = client.begin("TicTacToe", "person", "person")
    with game.seen("x") as x, game.seen("o") as o:
        for number, cell in enumerate((0, 3, 1, 4, 2)):
            role, seen = (("x", x), ("o", o))[number % 2]
            assert game.move(role, your_turn(seen)["number"], cell)[0] == 200
        end = the_end(x)
    assert end["headline"] == "X has won: three in a row." and end["won"] == ["x"]
    assert [(score["role"], score["total"]) for score in end["scores"]] == [("x", 1.0), ("o", -1.0)]
    assert end["revealed"] is None, "nothing was hidden"
    game = client.begin("TicTacToe", "person", "person")
    with game.seen("x") as x:
        your_turn(x)
        assert game.resign("o")[0] == 409, "not in the other's turn"
        assert game.resign("x")[0] == 200
        end = the_end(x)
    assert end["headline"] == "X has resigned." and end["won"] == ["o"]
    alone = client.begin("Sudoku", "person")
    with alone.seen("player") as messages:
        your_turn(messages)
        assert alone.resign("player")[0] == 409


def test_who_is_waited_for_is_named_but_not_who_votes(client: Client) -> None:
    game = client.begin("CoinDilemma", "person", "person")
    with game.seen("red") as red, game.seen("blue") as blue:
        number = your_turn(red)["number"]
        your_turn(blue)
        assert game.move("red", number, 0)[0] == 200
        assert the_table(red, lambda table: len(table["waiting"]) == 1)["waiting"] == ["blue"]
    game = client.begin("Spy", "person", *["consistency"] * 4, seed=1)
    with game.seen("player_1") as messages:
        said, waiting = 0, []
        for message in messages:
            if "table" in message:
                waiting = message["table"]["waiting"]
            if message.get("frame", {}).get("yours") and not message["frame"]["moves"]:
                assert waiting == ["player_1"]
                game.move("player_1", message["frame"]["number"], f"I see thing number {said}.")
                said += 1
            if said and "vote" in message.get("frame", {}).get("status", "").lower():
                break
        assert waiting == []
        game.leave("player_1")


def test_a_closed_browser_is_seen_and_an_agent_plays_on(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    game = client.begin("TicTacToe", "person", "person")
    with game.seen("x") as x:
        with game.seen("o") as o:
            assert game.move("x", your_turn(x)["number"], 0)[0] == 200
            your_turn(o)
            assert game.deputise("x", "o")[0] == 409, "who is here plays without help"
        assert gone(the_table(x, lambda table: "o" in gone(table))) == ["o"]
        status, answer = game.deputise("x", "o")
        assert status == 409 and "more seconds to come back" in answer["error"], "everybody may lose the line"
        monkeypatch.setattr("mmgames.play.browser_game.GRACE", 0.0)
        assert game.deputise("x", "o")[0] == 200
        number = your_turn(x)["number"]
        assert number == 3, "the agent has moved"
        with game.seen("o") as o:
            back = the_table(o, lambda table: True)
            assert not gone(back) and not any(one["deputy"] for one in back["people"])
            free = [move["action"] for move in next(m["frame"] for m in o if "frame" in m)["moves"]]
            assert free == [], "it is x's turn"
            frame = client.hosted.find(game.id, game.keys["x"])[0]._frames[0]
            assert game.move("x", number, json.loads(frame)["frame"]["moves"][0]["action"])[0] == 200
            assert your_turn(o)["number"] == 4, "who comes back takes over again"
        game.leave("x")
        end = the_end(x)
    (row,) = client.hosted.saved.rows(end["file"])[1]
    assert row["deputies"] == {"o": {"agent": "minimax", "moves": 1}} and len(list(replay(row))) == 4


def test_nobody_plays_for_who_never_came_or_under_a_clock_but_everybody_may_ask_for_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mmgames.play.browser_game.GRACE", 0.0)
    game = client.begin("TicTacToe", "person", "person")
    with game.seen("x") as x:
        your_turn(x)
        status, answer = game.deputise("x", "o")
        assert status == 409 and "O has not been here yet" in answer["error"]
        with game.seen("o") as o:
            assert game.deputise("o", "o")[0] == 200, "one's own seat, at once"
            assert the_table(o, lambda table: bool(table["people"][1]["deputy"]))
            assert game.move("x", 1, 0)[0] == 200
            assert your_turn(x)["number"] == 3
            assert client.ask(f"api/game/{game.id}/return", {"key": game.keys["o"]})[0] == 200
            assert the_table(o, lambda table: not table["people"][1]["deputy"])
    asked = {"game": "TicTacToe", "agents": ["person", "person"], "options": {}, "seed": 0, "clock": "60"}
    made = client.ask("api/game", asked)[1]
    timed = Game(client, made["id"], made["seats"])
    with timed.seen("x") as x:
        with timed.seen("o") as o:
            your_turn(x)
            the_table(o, lambda table: True)  # only who has come can go
        the_table(x, lambda table: "o" in gone(table))
        status, answer = timed.deputise("x", "o")
        assert status == 409 and "clock" in answer["error"]


def test_games_are_dealt_afresh_by_seat_and_by_seed_on_request(client: Client, tmp_path: Path) -> None:
    cards = []
    for agents in (("person", "random"), ("random", "person")):
        for _ in range(6):
            game = client.begin("KuhnPoker", *agents, seed=None)
            role = next(iter(game.keys))
            with game.seen(role) as messages:
                for message in messages:
                    if "end" in message:
                        break
                    if (frame := message.get("frame", {})).get("yours"):
                        game.move(role, frame["number"], frame["moves"][0]["action"])
        name = next(one for one in client.hosted.saved.files() if one not in cards)
        cards.append(name)
    seeds = [{row["seed"] for row in client.hosted.saved.rows(name)[1]} for name in cards]
    assert len(seeds[0]) == len(seeds[1]) == 6 and not seeds[0] & seeds[1]

    def dealt(*agents: str, seed: int | None) -> str:
        game = client.begin("Sudoku", *agents, seed=seed)
        with game.seen("player") as messages:
            frame = your_turn(messages)
            game.move("player", frame["number"], frame["moves"][0]["action"])
            your_turn(messages)
            game.leave("player")
            end = the_end(messages)
        return frame["words"] + end["file"]

    assert len({dealt("person", seed=None) for _ in range(3)}) == 3
    named = [dealt("person", seed=7) for _ in range(2)]
    assert named[0] != named[1], "one after the other"
    about, rows = client.hosted.saved.rows("Sudoku-person.jsonl")
    assert len(rows) == 3 and about["seed"] >= 2**48
    other, seeded = client.hosted.saved.rows("Sudoku-person-2.jsonl")
    assert len(seeded) == 2 and other["seed"] == 7
    for _ in range(2):
        with serving(tmp_path) as client:
            game = client.begin("TicTacToe", "person", "random", seed=None)
            with game.seen("x") as messages:
                game.move("x", your_turn(messages)["number"], 0)
                your_turn(messages)
                game.leave("x")
                the_end(messages)
    assert [path.name for path in tmp_path.glob("*.jsonl")] == ["TicTacToe-person-random.jsonl"]


def test_the_menu_says_what_agents_do_and_which_option_one_lacks(client: Client) -> None:
    agents = {one["name"]: one for one in client.ask("api/set-up?game=TicTacToe")[1]["agents"]}
    assert all(one["does"] for one in agents.values())
    for game, levels in (("connect_four", ["Easy", "Medium", "Hard"]), ("nim", [])):  # where it was measured
        told = client.ask(f"api/set-up?game=OpenSpiel&options=%7B%22game%22:%22{game}%22%7D")[1]["levels"]
        assert [one["called"].partition(":")[0] for one in told] == levels
    assert [option["name"] for option in agents["minimax"]["options"]] == ["depth"]
    model = next(option for option in agents["chat"]["options"] if option["name"] == "model")
    assert model["required"] and model["doc"]
    status, answer = client.ask("api/game", {"game": "TicTacToe", "agents": ["person", "chat"]})
    assert status == 400 and answer["error"] == "Agent 'chat' needs model: write chat:model=…."
    assert not list(client.hosted.saved.folder.glob("*")), "and nothing was begun"
