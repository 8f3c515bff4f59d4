"""Clocks in arenas: the same rule as in matches, the same files, and nothing is timed twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mmgames.agents.base import Agent
from mmgames.arena.arena import GAMES, Settings, arena, read
from mmgames.arena.ladder import as_text, ladder
from mmgames.cli import main
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.running import clocks
from mmgames.running.replays import replay

SLOW = f"{__name__}:Slow"


class Hands:
    """A clock that goes when somebody thinks, and says how long everybody thinks."""

    def __init__(self, thinks: float) -> None:
        self.time, self.thinks = 0.0, thinks

    def __call__(self) -> float:
        return self.time


class Slow(Agent):
    """Plays the first move there is; every second answer takes as long as the clock says, the others no time."""

    def __init__(self) -> None:
        self.asked = 0

    def begin(self, game: Any, seat: int) -> None:
        self.asked = 0

    def act(self, turn: Turn) -> Any:
        self.asked += 1
        if self.asked % 2 == 0 and isinstance(clocks.now, Hands):
            clocks.now.time += clocks.now.thinks
        return turn.legal[0]


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Hands:
    made = Hands(6.0)
    monkeypatch.setattr(clocks, "now", made)
    return made


def test_who_answers_late_loses_its_games_and_the_ladder_says_how_often(hands: Hands) -> None:
    result = arena(["TicTacToe"], [SLOW, "random"], 8, Settings(clock=5))
    assert all(row["forfeit"] == "xo"[row["agents"].index(SLOW)] for row in result.rows)
    assert all(row["clock"] == "5" and sum(row["late"]) == 1 for row in result.rows)
    for row in result.rows:
        list(replay(row))
    told = ladder(result)
    assert told["clock"] == "5" and told["late"] == {SLOW: 8, "random": 0}
    assert f"late answers, with 5 seconds: {SLOW} 8, random 0" in as_text(told)
    (game,) = told["by_game"].values()
    assert [one["agent"] for one in game["ladder"]] == ["random", SLOW]


def test_an_arena_that_was_stopped_times_no_answer_again(hands: Hands, tmp_path: Path) -> None:
    timed = Settings(on_illegal="random", clock=5)
    arena(["TicTacToe"], [SLOW, "random"], 6, timed, out=tmp_path)
    games = tmp_path / GAMES
    whole = games.read_bytes()
    games.write_bytes(b"".join(whole.splitlines(keepends=True)[:3]))
    hands.thinks = 1000.0
    again = arena(["TicTacToe"], [], 6, timed, out=tmp_path)
    assert games.read_bytes() == whole, "bit by bit, however slow it is now"
    assert ladder(read([tmp_path])) == ladder(again)
    longer = arena(["TicTacToe"], [], 8, timed, out=tmp_path).rows[6:]
    assert {seconds for row in longer for _, _, seconds in row["latencies"]} == {0.0, 1000.0}


def test_an_arena_goes_on_under_its_own_clock_alone(hands: Hands, tmp_path: Path) -> None:
    arena(["TicTacToe"], [SLOW, "random"], 2, Settings(clock=5), out=tmp_path)
    with pytest.raises(MmgamesError, match="clock is '5' there and '6' here"):
        arena(["TicTacToe"], [], 4, Settings(clock=6), out=tmp_path)


def test_the_command_and_its_page_tell_of_late_answers(
    hands: Hands, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    asked = ["arena", "TicTacToe", "--agent", f"{SLOW}:as=slow", "--agent", "random", "--games", "4"]
    assert main([*asked, "--clock", "5", "--page", str(page), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["late"] == {"slow": 4, "random": 0}
    assert "Late answers, with 5 seconds: slow 4, random 0." in page.read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["TicTacToe", "--agent", "random", "--agent", "minimax", "--clock", "soon"], "clock='soon' is no clock"),
        (["TicTacToe", "--agent", "random", "--agent", "minimax", "--set", "clock=5"], "Use --clock."),
        (["--from", "somewhere", "--clock", "5"], "no --clock"),
    ],
)
def test_a_clock_that_cannot_be_meant_gets_a_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", *words]) != 0
    said = capsys.readouterr().err
    assert sentence in said and "Traceback" not in said
