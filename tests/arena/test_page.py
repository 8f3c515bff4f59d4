"""The command `mmgames arena` and its page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from mmgames.arena.arena import arena
from mmgames.cli import main
from mmgames.commands import _arena_page

PLAYED = ["--agent", "random", "--agent", "random:as=<b>bold</b>", "--games", "8"]


def test_a_page_has_the_ladder_the_pairs_and_games_turn_by_turn_and_runs_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "page.html"
    out = str(tmp_path / "run")
    assert main(["arena", "TicTacToe", *PLAYED, "--out", out, "--page", str(file), "--shown", "3"]) == 0
    assert "8 games" in capsys.readouterr().out
    text = file.read_text("utf-8")
    assert "<b>bold" not in text and "&lt;b&gt;bold" in text
    assert "<script" not in text and "refresh" not in text and "default-src 'none'" in text
    assert "3 games, turn by turn; 5 more are in the folder" in text
    assert text.count('class="turn"') == sum(row["length"] for row in arena(["TicTacToe"], [], 8, out=out).rows[:3])
    assert not re.search(r"(href|src)=\"(?!data:)", text)


def test_a_page_tells_what_is_collected_without_luck_where_that_is_asked_for(tmp_path: Path) -> None:
    agents = ["--agent", "equilibrium", "--agent", "equilibrium:as=twin", "--games", "60"]
    texts = []
    for more in ([], ["--variates"]):
        file = tmp_path / "page.html"
        assert main(["arena", "KuhnPoker", *agents, "--out", str(tmp_path / "run"), "--page", str(file), *more]) == 0
        texts.append(file.read_text("utf-8"))
    assert ["known luck taken out" in text for text in texts] == [False, True]


def test_a_page_is_read_again_while_the_arena_goes_on(tmp_path: Path) -> None:
    seen: list[str] = []
    live = _arena_page.LivePage(tmp_path / "page.html")

    def watch(result: object) -> None:
        live(result)  # type: ignore[arg-type]
        seen.append((tmp_path / "page.html").read_text("utf-8"))

    arena(["TicTacToe"], ["random", "random:as=other"], 6, watch=watch)
    assert len(seen) == 3 and 'http-equiv="refresh"' in seen[0] and "and it goes on" in seen[0]
    assert seen[1] == seen[0], "it is not written after every round"


def test_the_command_goes_on_with_a_newcomer_and_shows_what_was_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "run")
    assert main(["arena", "TicTacToe", *PLAYED[:4], "--games", "6", "--out", out]) == 0
    assert main(["arena", "--out", out, "--add", "random:as=new", "--games", "4"]) == 0
    capsys.readouterr()
    assert main(["arena", "--from", out, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 10 and told["agents"][-1] == "new"
    newcomer = next(one for one in told["by_game"]["mmgames/TicTacToe-v0"]["ladder"] if one["agent"] == "new")
    assert newcomer["comparisons"] == 4 and newcomer["interval"][0] < newcomer["rating"] < newcomer["interval"][1]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "Name the games"),
        (["--from", "nowhere"], "No such file"),
        (["TicTacToe", "--from", "nowhere"], "goes with no game"),
        (["TicTacToe", "--agent", "random", "--agent", "random", "--page", "no/such/folder/x.html"], "no/such/folder"),
    ],
)
def test_a_command_line_that_cannot_be_meant_gets_a_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", *words]) == 2
    assert sentence in capsys.readouterr().err
