"""Arenas: who meets whom in games of every kind of seats, what is kept, what ladder, clocks, command and page say."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mmgames.agents.base import Agent
from mmgames.arena.arena import GAMES, ROUNDS, ArenaResult, Settings, arena, read
from mmgames.arena.ladder import as_text, ladder
from mmgames.arena.seating import seating
from mmgames.cli import main
from mmgames.commands import _arena_page
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.running import clocks
from mmgames.running.episodes import EpisodeRecord
from mmgames.running.matches import match
from mmgames.running.replays import replay
from tests.cases import cases
from tests.refusing import refused

CASES = cases(__file__)

TTT = "mmgames/TicTacToe-v0"
FOUR = ["random", "minimax:depth=1", "minimax:depth=2", "random:as=other"]


def kept(folder: Path) -> tuple[list[Any], list[Any]]:
    return tuple([json.loads(line) for line in (folder / name).read_text().splitlines()] for name in (ROUNDS, GAMES))  # type: ignore[return-value]


def alike(one: ArenaResult, other: ArenaResult) -> bool:
    """But for the seconds that answers took."""
    return [*map(EpisodeRecord, one.rows)] == [*map(EpisodeRecord, other.rows)] and one.names == other.names


def test_two_who_meet_play_the_same_deal_from_both_sides_and_every_pair_the_same_first_one() -> None:
    result = arena(["KuhnPoker"], ["random", "equilibrium", "cfr:iterations=50"], 24)
    assert not result.failed and len(result.rows) == 24
    meetings: dict[int, list[Any]] = {}
    for row in result.rows:
        meetings.setdefault(row["meeting"], []).append(row)
    for one, other in meetings.values():
        assert one["seed"] == other["seed"] and one["agents"] == other["agents"][::-1]
        assert one["agents"][0] != one["agents"][1]
    result = arena(["KuhnPoker"], ["random", "equilibrium", "random:as=other"], 12, Settings("round-robin"))
    seeds: dict[int, set[int]] = {row["deal"]: set() for row in result.rows}
    pairs = Counter((row["deal"], *sorted(row["agents"])) for row in result.rows)
    for row in result.rows:
        seeds[row["deal"]].add(row["seed"])
    assert all(len(one) == 1 for one in seeds.values()) and set(pairs.values()) == {2}


def test_an_arena_goes_on_where_it_stopped_with_the_same_games(tmp_path: Path) -> None:
    who = ["TicTacToe", "KuhnPoker"], ["random", "random:as=other", "random:as=third"]
    whole = arena(*who, 30, out=tmp_path / "a")
    arena(*who, 11, out=tmp_path / "b")
    games = (tmp_path / "b" / GAMES).read_text()
    (tmp_path / "b" / GAMES).write_text(games[: int(len(games) * 0.7)])  # killed in the middle of a line
    again = arena(*who, 30, out=tmp_path / "b")
    assert alike(whole, again) and kept(tmp_path / "a")[0] == kept(tmp_path / "b")[0]
    assert alike(whole, arena(["TicTacToe", "KuhnPoker"], [], 30, out=tmp_path / "a")), "it knows who is in it"
    assert len(list(replay(again.rows[0]))) == again.rows[0]["length"] + 1


def test_rounds_that_are_known_ahead_are_played_together_and_threads_play_the_same_games(tmp_path: Path) -> None:
    every, seen = Settings("round-robin"), []
    alone = arena(["TicTacToe"], FOUR, 30, every)
    together = arena(
        ["TicTacToe"], FOUR, 30, every, processes=2, out=tmp_path, watch=lambda so_far: seen.append(so_far())
    )
    assert alike(alone, together) and len(seen) == 1
    assert alike(alone, arena(["TicTacToe"], [], 30, every, out=tmp_path))
    assert alike(arena(["TicTacToe"], FOUR, 16), arena(["TicTacToe"], FOUR, 16, concurrency=3))


def test_a_newcomer_is_in_all_further_games_and_finds_its_place(tmp_path: Path) -> None:
    before = arena(["TicTacToe"], FOUR, 40, out=tmp_path)
    after = arena(["TicTacToe"], [], 56, out=tmp_path, add=["minimax:as=strong"])
    assert after.rows[:40] == before.rows and after.names == (*before.names, "strong")
    assert all("strong" in row["agents"] for row in after.rows[40:])
    assert ladder(after)["by_game"][TTT]["ladder"][0]["agent"] == "strong"


def test_two_arenas_are_put_together(tmp_path: Path) -> None:
    first = arena(["TicTacToe"], FOUR[:2], 8, out=tmp_path / "a")
    second = arena(["TicTacToe"], FOUR[1:], 12, Settings(seed=1), out=tmp_path / "b")
    both = read([tmp_path / "a", tmp_path / "b"])
    assert len(both.rows) == len(first.rows) + len(second.rows) and both.names == ("random", *second.names)
    assert len({row["meeting"] for row in both.rows}) == 10
    assert both.ratings().played.sum() == 2 * 20
    arena(["TicTacToe"], ["minimax:depth=3,as=random", "random:as=other"], 2, out=tmp_path / "c")
    refused(lambda: read([tmp_path / "a", tmp_path / "c"]), "'random' is another agent")


def test_people_of_studies_and_rooms_stand_on_the_ladder_beside_agents(tmp_path: Path) -> None:
    arena(["TicTacToe"], FOUR[:2], 8, out=tmp_path / "arena")
    study = tmp_path / "study" / "1-TicTacToe.jsonl"
    match("TicTacToe", ["minimax", "random"], 12, out=study)
    about, *rows = [json.loads(line) for line in study.read_text().splitlines()]
    about["about"]["agents"][0] = "person"
    people = [{**row, "participants": {"x": f"p{row['episode'] % 2}"}} for row in rows]
    people[0]["unfinished"], people[1]["deputies"] = True, {"x": {"agent": "random", "step": 1}}
    study.write_text("".join(json.dumps(line) + "\n" for line in [about, *people]))
    both = read([tmp_path / "arena", tmp_path / "study"])
    assert both.names == ("random", "minimax:depth=1", "person p0", "person p1") and len(both.rows) == 8 + 10
    assert len({row["meeting"] for row in both.rows}) == 4 + 10
    order = [one["agent"] for one in ladder(both)["by_game"][TTT]["ladder"]]
    assert order[-1] == "random" and "person p0" in _arena_page.page(both), "who never lost is above who did"
    study.write_text(json.dumps(about) + "\n")
    refused(lambda: read([tmp_path / "study"]), "is no arena, and no room, study or match")


def test_who_raises_loses_no_games_of_others(tmp_path: Path) -> None:
    faulty = "benchmarks.arena:Faulty:rate=0.5"
    result = arena(["TicTacToe"], ["random", faulty, "random:as=other"], 24, out=tmp_path)
    assert len(result.rows) == 24 and result.failed
    assert all("Faulty" in " ".join(row["agents"]) for row in result.failed)
    told = ladder(result)
    assert told["failed"] == len(result.failed) and told["first_failure"] == result.failed[0]["failed"]
    assert any("RuntimeError: a fault" in row["failed"] for row in result.failed)
    assert f"{len(result.failed)} games failed" in as_text(told)
    assert alike(result, arena(["TicTacToe"], [], 24, out=tmp_path)), "the same fault in the same game"


def test_who_is_rated_may_be_a_team_a_role_a_pool_or_an_agent_for_each_seat() -> None:
    result = arena(["TinyHanabi"], ["rule_bot", "random"], 30)
    assert {tuple(sorted(row["agents"])) for row in result.rows} == {
        ("random", "random"), ("random", "rule_bot"), ("rule_bot", "rule_bot")
    }  # fmt: skip
    means, _ = result.matrix("mmgames/TinyHanabi-v0")
    assert means[0, 0] > means[0, 1] == means[1, 0] and not np.isnan(means).any()
    told = ladder(result)["by_game"]["mmgames/TinyHanabi-v0"]["coordination"]
    assert told[0]["gap"] == pytest.approx(means[0, 0] - means[0, 1])
    assert "with itself" in as_text(ladder(result))
    result = arena(["Spy"], ["consistency", "silent"], 8, Settings(on_illegal="silent"))
    assert Counter(row["options"]["spy"] for row in result.rows) == {f"player_{n}": 2 for n in range(1, 5)}
    for row in result.rows:
        spy = int(row["options"]["spy"].removeprefix("player_")) - 1
        assert [name for seat, name in enumerate(row["agents"]) if seat != spy].count(row["agents"][spy]) == 0
    told = ladder(result)["by_game"]["mmgames/Spy-v0"]
    assert {(one["role"], one["agent"]) for one in told["roles"]} == {
        (role, agent) for role in ("spy", "not spy") for agent in ("consistency", "silent")
    }
    for role in ("spy", "not spy"):
        assert sum(one["rating"] for one in told["roles"] if one["role"] == role) == pytest.approx(0, abs=1e-6)
    pair = "scripted_solver|scripted_expert"
    result = arena(["WirePuzzle"], [pair, "random"], 6)
    assert pair in result.names and not result.failed
    assert result.matrix("mmgames/WirePuzzle-v0")[0][0, 0] == 1
    result = arena(["TicTacToe"], ["pool:random|minimax:depth=1", "random"], 4)
    assert result.names == ("pool:random|minimax:depth=1", "random") and not result.failed


def test_games_for_one_and_for_everybody_compare_all_who_play_them() -> None:
    agents = ["self_interest", "common_welfare", "random"]
    result = arena(["CoinDilemma"], [*agents, "random:as=other"], 18, Settings("round-robin", options={"players": 3}))
    by_meeting: dict[int, list[list[str]]] = {}
    for row in result.rows:
        by_meeting.setdefault(row["meeting"], []).append(row["agents"])
    for seated in by_meeting.values():
        guests = sorted(set(seated[0]))
        assert len(seated) == len(guests)
        for seat in range(3):
            assert sorted(row[seat] for row in seated) == guests
    assert result.ratings().played.sum() > 0
    result = arena(["Sudoku"], ["solver", "random"], 8)
    by_deal: dict[int, set[int]] = {}
    for row in result.rows:
        by_deal.setdefault(row["deal"], set()).add(row["seed"])
    assert len(by_deal) == 4 and all(len(seeds) == 1 for seeds in by_deal.values())
    found = result.ratings()
    assert found.played.tolist() == [4, 4] and found.strengths[0] > found.strengths[1]
    kinds = {"duel": ("Chess", "KuhnPoker"), "team": ("Hanabi", "WirePuzzle"), "roles": ("Spy",)}
    for kind, names in {**kinds, "free": ("CoinDilemma",), "alone": ("Sudoku",)}.items():
        assert {seating(name, {}).kind for name in names} == {kind}


@pytest.mark.parametrize(("games", "agents", "more", "sentence"), CASES["cannot be meant"])
def test_what_cannot_be_meant_is_said_before_anything_is_played(
    games: list[str], agents: list[str], more: dict[str, Any], sentence: str, tmp_path: Path
) -> None:
    refused(lambda: arena(games, agents, 4, Settings(**more), out=tmp_path / "out"), sentence)
    assert not (tmp_path / "out" / GAMES).exists()


PLAYED = ["--agent", "random", "--agent", "random:as=<b>bold</b>", "--games", "8"]


def test_a_page_has_the_ladder_the_pairs_and_games_turn_by_turn_and_runs_nothing(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "page.html"
    out = str(tmp_path / "run")
    assert main(["arena", "TicTacToe", *PLAYED, "--out", out, "--page", str(file), "--shown", "3"]) == 0
    assert "8 games" in capsys.readouterr().out
    text = file.read_text("utf-8")
    assert "<b>bold" not in text and "&lt;b&gt;bold" in text
    assert "<script" not in text and "refresh" not in text and "default-src 'none'" in text
    assert "3 of 8 games, turn by turn; 5 more are in the folder" in text
    assert "<h1>Arena: Tic Tac Toe</h1>" in text and "The dot is the rating" in text and "above" in text
    assert text.count('class="turn"') == sum(row["length"] for row in arena(["TicTacToe"], [], 8, out=out).rows[:3])
    assert not re.search(r"(href|src)=\"(?!data:)", text)


def test_a_page_is_read_again_while_the_arena_goes_on_and_tells_what_is_collected_without_luck(tmp_path: Path) -> None:
    agents = ["--agent", "equilibrium", "--agent", "equilibrium:as=twin", "--games", "60"]
    texts = []
    for more in ([], ["--variates"]):
        file = tmp_path / "page.html"
        assert main(["arena", "KuhnPoker", *agents, "--out", str(tmp_path / "run"), "--page", str(file), *more]) == 0
        texts.append(file.read_text("utf-8"))
    assert ["known luck taken out" in text for text in texts] == [False, True]
    seen: list[str] = []
    live = _arena_page.LivePage(tmp_path / "page.html")

    def watch(so_far: object) -> None:
        live(so_far)  # type: ignore[arg-type]
        seen.append((tmp_path / "page.html").read_text("utf-8"))

    arena(["TicTacToe"], ["random", "random:as=other"], 6, watch=watch)
    assert len(seen) == 3 and 'http-equiv="refresh"' in seen[0] and "and it goes on" in seen[0]
    assert seen[1] == seen[0], "it is not written after every round"


def test_the_command_goes_on_with_a_newcomer_and_shows_what_was_played(tmp_path: Path, capsys: Any) -> None:
    out = str(tmp_path / "run")
    assert main(["arena", "TicTacToe", *PLAYED[:4], "--games", "6", "--out", out]) == 0
    assert main(["arena", "--out", out, "--add", "random:as=new", "--games", "4"]) == 0
    capsys.readouterr()
    assert main(["arena", "--from", out, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 10 and told["agents"][-1] == "new"
    newcomer = next(one for one in told["by_game"]["mmgames/TicTacToe-v0"]["ladder"] if one["agent"] == "new")
    assert newcomer["comparisons"] == 4 and newcomer["interval"][0] < newcomer["rating"] < newcomer["interval"][1]


def test_command_lines_and_clocks_that_cannot_be_meant_get_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    for words, sentence in CASES["command lines"]:
        assert main(["arena", *words]) == 2
        said = capsys.readouterr().err
        assert sentence in said and "Traceback" not in said


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


def test_an_arena_that_was_stopped_times_no_answer_again_and_keeps_its_clock(hands: Hands, tmp_path: Path) -> None:
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
    with pytest.raises(MmgamesError, match="clock is '5' there and '6' here"):
        arena(["TicTacToe"], [], 9, Settings(on_illegal="random", clock=6), out=tmp_path)


def test_the_command_and_its_page_tell_of_late_answers(hands: Hands, tmp_path: Path, capsys: Any) -> None:
    page = tmp_path / "page.html"
    asked = ["arena", "TicTacToe", "--agent", f"{SLOW}:as=slow", "--agent", "random", "--games", "4"]
    assert main([*asked, "--clock", "5", "--page", str(page), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["late"] == {"slow": 4, "random": 0}
    assert "Late answers, with 5 seconds: slow 4, random 0." in page.read_text("utf-8")
