"""What players expect of a table: draws are offered, moves taken back and listed, and clocks run."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from mmgames.agents.finding import make_agent
from mmgames.core.seeding import fresh_rng
from mmgames.core.turn import Turn
from mmgames.play.browser_game import BrowserGame
from mmgames.play.hosted_game import Refused
from mmgames.play.saved_games import SavedGames
from mmgames.running.matches import play
from mmgames.running.replays import replay
from tests.play_server import Client, Game, the_end, the_table, your_turn
from tests.refusing import refused


def ask(game: Game, what: str, role: str, **more: Any) -> tuple[int, Any]:
    return game.client.ask(f"api/game/{game.id}/{what}", {"key": game.keys[role], **more})


def move(game: Game, role: str, messages: Iterator[dict[str, Any]], said: Any) -> None:
    assert game.move(role, your_turn(messages)["number"], said)[0] == 200


def kept(client: Client, end: dict[str, Any]) -> dict[str, Any]:
    row = client.hosted.saved.rows(end["file"])[1][-1]
    assert len(list(replay(row))) == row["length"] + 1
    return row


def test_draws_are_agreed_declined_and_answered_by_a_rule(client: Client) -> None:
    game = client.begin("TicTacToe", "person", "person")
    with game.seen("x") as x, game.seen("o") as o:
        move(game, "x", x, 4)
        your_turn(o)
        assert ask(game, "draw", "x")[0] == 409, "not in the other's turn"
        assert ask(game, "draw", "x", taken=True)[0] == 409, "nobody has offered one"
        assert ask(game, "draw", "o")[0] == 200
        assert the_table(x, lambda table: bool(table["draw"]["by"]))["draw"] == {"by": "o", "said": ""}
        assert ask(game, "draw", "o", taken=True)[0] == 409, "one's own offer is the other's to answer"
        assert ask(game, "draw", "x", taken=True)[0] == 200
        end = the_end(o)
    assert end["headline"] == "Draw: both have agreed to it." and end["won"] == [] and end["returns"] == [0.0, 0.0]
    row = kept(client, end)
    assert row["draw_agreed"] and row["length"] == 1 and "unfinished" not in row and "forfeit" not in row
    game = client.begin("TicTacToe", "person", "person")
    with game.seen("x") as x, game.seen("o") as o:
        number = your_turn(x)["number"]
        assert ask(game, "draw", "x")[0] == 200 and ask(game, "draw", "o", taken=False)[0] == 200
        assert the_table(x, lambda table: bool(table["draw"]["said"]))["draw"]["said"] == "O declines the draw."
        assert ask(game, "draw", "x")[0] == 409, "once in a position"
        assert game.move("x", number, 4)[0] == 200
        move(game, "o", o, 0)
        your_turn(x)
        assert ask(game, "draw", "x")[0] == 200 and game.move("x", number + 2, 1)[0] == 200
        move(game, "o", o, 2)
        said = the_table(x, lambda table: bool(table["draw"]["said"]))
        assert said["draw"] == {"by": "", "said": "O declines the draw."}
        assert ask(game, "draw", "o", taken=True)[0] == 409, "it was declined by a move"
    game = client.begin("TicTacToe", "person", "random")
    with game.seen("x") as x:
        assert next(m["begin"] for m in x if "begin" in m)["draw_rule"] == "O declines every draw."
        your_turn(x)
        assert ask(game, "draw", "x")[0] == 200
        assert the_table(x, lambda table: bool(table["draw"]["said"]))["draw"]["said"] == "O declines the draw."
    game = client.begin("TicTacToe", "person", "minimax")
    with game.seen("x") as x:
        assert "unless it sees itself ahead" in next(m["begin"] for m in x if "begin" in m)["draw_rule"]
        your_turn(x)
        assert ask(game, "draw", "x")[0] == 200 and the_end(x)["headline"].startswith("Draw")


@pytest.mark.parametrize(("moves", "takes"), [((4, 1), False), ((4, 0), True), ((), True)])
def test_minimax_takes_a_draw_unless_it_is_ahead(moves: tuple[int, ...], takes: bool) -> None:
    live = next(play("TicTacToe", "random"))
    for seat, cell in enumerate(moves):
        live.play({seat % 2: cell})
    assert make_agent("minimax", live.game.spec).takes_draw(Turn(live, 0, fresh_rng(0)[0])) is takes


@pytest.mark.parametrize("name", ["Breakthrough", "CoinDilemma", "KuhnPoker"])
def test_where_the_rules_know_no_draw_none_is_offered(client: Client, name: str) -> None:
    game = client.begin(name, "person", "random")
    role = next(iter(game.keys))
    with game.seen(role) as messages:
        assert next(m["begin"] for m in messages if "begin" in m)["draws"] is False
        your_turn(messages)
        assert ask(game, "draw", role)[0] == 409


def test_a_move_is_taken_back_and_the_record_replays(client: Client) -> None:
    game = client.begin("TicTacToe", "person", "minimax")
    with game.seen("x") as x:
        first = your_turn(x)
        assert first["back"] is False and ask(game, "take-back", "x")[0] == 409, "nothing was chosen yet"
        assert game.move("x", first["number"], 0)[0] == 200
        second = your_turn(x)
        assert second["back"] is True and second["step"] == 2 and ask(game, "take-back", "x")[0] == 200
        again = your_turn(x)
        assert again["step"] == 0 and again["number"] > second["number"] and again["picture"] == first["picture"]
        assert len(again["moves"]) == 9 and game.move("x", again["number"], 4)[0] == 200
        assert len(your_turn(x)["moves"]) == 7
        game.leave("x")
        end = the_end(x)
    row = kept(client, end)
    assert row["taken_back"] == 2 and row["actions"][0] == [4, None] and row["length"] == 2
    game = client.begin("Sudoku", "person", seed=3)
    with game.seen("player") as messages:
        frame = your_turn(messages)
        game.move("player", frame["number"], frame["moves"][0]["action"])
        assert your_turn(messages)["back"] is True and ask(game, "take-back", "player")[0] == 200
        assert your_turn(messages)["words"] == frame["words"]


@pytest.mark.parametrize(
    ("name", "agents", "said", "after"),
    [
        ("CoinDilemma", ["person", "random"], 1, 1),
        ("Minesweeper", ["person"], 0, 1),
        ("WirePuzzle", ["person", "scripted_expert"], "What now?", 2),
    ],
    ids=["chance", "mines", "a manual"],
)
def test_nothing_is_taken_back_after_something_was_shown(
    client: Client, name: str, agents: Any, said: Any, after: int
) -> None:
    game = client.begin(name, *agents, seed=4)
    role = next(iter(game.keys))
    with game.seen(role) as messages:
        move(game, role, messages, said)
        again = your_turn(messages)
        assert again["step"] == after and again["back"] is False and ask(game, "take-back", role)[0] == 409


def test_nothing_is_taken_back_from_people_under_a_clock_or_where_it_is_forbidden(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = client.begin("TicTacToe", "person", "person")
    with game.seen("x") as x, game.seen("o") as o:
        move(game, "x", x, 0)
        move(game, "o", o, 1)
        assert your_turn(x)["back"] is False and ask(game, "take-back", "x")[0] == 409
    for clock, allowed in (("600", True), ("", False)):
        monkeypatch.setattr(BrowserGame, "TAKES_BACK", allowed)
        asked = {"game": "TicTacToe", "agents": ["person", "random"], "clock": clock, "seed": 0}
        made = client.ask("api/game", asked)[1]
        game = Game(client, made["id"], made["seats"])
        with game.seen("x") as x:
            move(game, "x", x, 0)
            assert your_turn(x)["back"] is False and ask(game, "take-back", "x")[0] == 409


def test_moves_are_listed_with_their_positions_and_tell_nobody_what_was_done_in_secret(client: Client) -> None:
    game = client.begin("TicTacToe", "person", "person")
    with game.seen("x") as x, game.seen("o") as o:
        first = your_turn(x)
        game.move("x", first["number"], 4)
        assert your_turn(o)["deeds"] == [{"role": "X", "name": "B2"}]
    with game.seen("x") as x:
        assert next(m["course"] for m in x if "course" in m) == [[], [{"role": "X", "name": "B2"}]]
        path = f"api/game/{game.id}/position?key={game.keys['x']}&step="
        assert client.ask(f"{path}0")[1]["picture"] == first["picture"]
        assert client.ask(f"{path}7")[0] == 404 and client.ask(f"{path}-1")[0] == 400
        assert client.ask(path.replace(game.keys["x"], "guess") + "0")[0] == 403
    game = client.begin("KuhnPoker", "person", "person", seed=1)
    with game.seen("player_0") as one, game.seen("player_1") as other:
        game.move("player_0", your_turn(one)["number"], "pass")
        assert your_turn(other)["deeds"] == [{"role": "Player 0", "name": ""}]
    spy = client.begin("Spy", "person", *["consistency"] * 4, seed=1)
    with spy.seen("player_1") as messages:
        votes = 0
        for message in messages:
            frame = message.get("frame", {})
            others = [one for one in frame.get("deeds", ()) if one["role"] != "Player 1"]
            assert all(one["name"] == "" for one in others)
            if frame.get("yours"):
                votes += bool(frame["moves"])
                spy.move("player_1", frame["number"], frame["moves"][0]["action"] if frame["moves"] else "Something.")
            if votes or "end" in message:
                break


def clocked(client: Client, clock: Any, name: str, *agents: str) -> Game:
    made = client.ask("api/game", {"game": name, "agents": list(agents), "clock": clock, "seed": 0})
    assert made[0] == 200, made
    return Game(client, made[1]["id"], made[1]["seats"])


def test_whose_time_runs_and_what_follows_when_it_is_over(client: Client, tmp_path: Path) -> None:
    game = clocked(client, "0.1+0", "TicTacToe", "person", "random")
    with game.seen("x") as x:
        assert next(m["clocks"] for m in x if "clocks" in m)["x"]["left"] <= 0.1
        end = the_end(x)
    assert end["headline"] == "X has run out of time." and end["won"] == ["o"]
    game = clocked(client, 0.05, "CoinDilemma", "person", "random")
    with game.seen("red") as red:
        for message in red:
            if message.get("frame", {}).get("step") == 2:
                game.leave("red")
            if "end" in message:
                break
    row = kept(client, message["end"])
    assert row["late"][0] == row["drawn"][0] >= 2 and row["clock"] == "0.05"
    game = clocked(client, "0.05+0", "TicTacToe", "person", "person")
    with game.seen("x") as x:
        your_turn(x)
        with game.seen("x") as again:
            assert not next(m["clocks"] for m in again if "clocks" in m)["x"]["runs"]
        with game.seen("o"):
            assert the_end(x)["headline"] == "X has run out of time."
    game = clocked(client, "600+1", "Spy", "person", *["consistency"] * 4)
    with game.seen("player_1") as messages:
        assert set(next(m["clocks"] for m in messages if "clocks" in m)) == {"player_1"}
    game = BrowserGame("TicTacToe", ["person", "random"], SavedGames(tmp_path), 0, None, "600")
    assert not any("clocks" in message for message in game.listen(0, print))
    for early in (game.resign, game.offer_draw, game.take_back):
        refused(partial(early, 0), "not your turn", kind=Refused)
    refused(lambda: game.looked_back(0, 0), "not kept here", kind=Refused)
