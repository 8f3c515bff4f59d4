"""Arenas: who meets whom, in games of every kind of seats; what is kept; what a ladder says."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mmgames.arena.arena import GAMES, ROUNDS, ArenaResult, Settings, arena, read
from mmgames.arena.ladder import as_text, ladder
from mmgames.arena.seating import seating
from mmgames.errors import MmgamesError
from mmgames.running.replays import replay

TTT = "mmgames/TicTacToe-v0"
FOUR = ["random", "minimax:depth=1", "minimax:depth=2", "random:as=other"]


def kept(folder: Path) -> tuple[list[Any], list[Any]]:
    return tuple([json.loads(line) for line in (folder / name).read_text().splitlines()] for name in (ROUNDS, GAMES))  # type: ignore[return-value]


def alike(one: ArenaResult, other: ArenaResult) -> bool:
    return one.rows == other.rows and one.names == other.names


def test_two_who_meet_play_the_same_deal_from_both_sides() -> None:
    result = arena(["KuhnPoker"], ["random", "equilibrium", "cfr:iterations=50"], 24)
    assert not result.failed and len(result.rows) == 24
    meetings: dict[int, list[Any]] = {}
    for row in result.rows:
        meetings.setdefault(row["meeting"], []).append(row)
    for one, other in meetings.values():
        assert one["seed"] == other["seed"] and one["agents"] == other["agents"][::-1]
        assert one["agents"][0] != one["agents"][1]


def test_the_first_meeting_of_every_pair_has_the_same_deal() -> None:
    result = arena(["KuhnPoker"], ["random", "equilibrium", "random:as=other"], 12, Settings("round-robin"))
    seeds: dict[int, set[int]] = {row["deal"]: set() for row in result.rows}
    pairs = Counter((row["deal"], *sorted(row["agents"])) for row in result.rows)
    for row in result.rows:
        seeds[row["deal"]].add(row["seed"])
    assert all(len(one) == 1 for one in seeds.values()) and set(pairs.values()) == {2}


def test_an_arena_goes_on_where_it_stopped_with_the_same_games(tmp_path: Path) -> None:
    whole = arena(["TicTacToe", "KuhnPoker"], ["random", "random:as=other", "random:as=third"], 30, out=tmp_path / "a")
    arena(["TicTacToe", "KuhnPoker"], ["random", "random:as=other", "random:as=third"], 11, out=tmp_path / "b")
    games = (tmp_path / "b" / GAMES).read_text()
    (tmp_path / "b" / GAMES).write_text(games[: int(len(games) * 0.7)])  # killed in the middle of a line
    again = arena(["TicTacToe", "KuhnPoker"], ["random", "random:as=other", "random:as=third"], 30, out=tmp_path / "b")
    assert alike(whole, again) and kept(tmp_path / "a")[0] == kept(tmp_path / "b")[0]
    assert alike(whole, arena(["TicTacToe", "KuhnPoker"], [], 30, out=tmp_path / "a")), "it knows who is in it"
    assert len(list(replay(again.rows[0]))) == again.rows[0]["length"] + 1


def test_other_processes_play_the_same_games(tmp_path: Path) -> None:
    assert alike(arena(["TicTacToe"], FOUR[:2], 4), arena(["TicTacToe"], FOUR[:2], 4, processes=2))


def test_rounds_that_are_known_ahead_are_played_together(tmp_path: Path) -> None:
    every, seen = Settings("round-robin"), []
    alone = arena(["TicTacToe"], FOUR, 30, every)
    together = arena(["TicTacToe"], FOUR, 30, every, processes=2, out=tmp_path, watch=seen.append)
    assert alike(alone, together) and len(seen) == 1
    assert alike(alone, arena(["TicTacToe"], [], 30, every, out=tmp_path))


def test_threads_play_the_same_games() -> None:
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
    with pytest.raises(MmgamesError, match="'random' is another agent"):
        read([tmp_path / "a", tmp_path / "c"])


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


def test_a_team_has_a_matrix_and_what_strangers_lose() -> None:
    result = arena(["TinyHanabi"], ["rule_bot", "random"], 30)
    assert {tuple(sorted(row["agents"])) for row in result.rows} == {
        ("random", "random"), ("random", "rule_bot"), ("rule_bot", "rule_bot")
    }  # fmt: skip
    means, _ = result.matrix("mmgames/TinyHanabi-v0")
    assert means[0, 0] > means[0, 1] == means[1, 0] and not np.isnan(means).any()
    told = ladder(result)["by_game"]["mmgames/TinyHanabi-v0"]["coordination"]
    assert told[0]["gap"] == pytest.approx(means[0, 0] - means[0, 1])
    assert "with itself" in as_text(ladder(result))


def test_spies_and_civilians_have_ratings_of_their_own() -> None:
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


def test_everybody_for_itself_sits_in_every_seat_as_often() -> None:
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


def test_a_game_for_one_compares_two_with_the_same_deal() -> None:
    result = arena(["Sudoku"], ["solver", "random"], 8)
    by_deal: dict[int, set[int]] = {}
    for row in result.rows:
        by_deal.setdefault(row["deal"], set()).add(row["seed"])
    assert len(by_deal) == 4 and all(len(seeds) == 1 for seeds in by_deal.values())
    found = result.ratings()
    assert found.played.tolist() == [4, 4] and found.strengths[0] > found.strengths[1]


def test_an_agent_for_each_seat_is_one_who_is_rated() -> None:
    pair = "scripted_solver|scripted_expert"
    result = arena(["WirePuzzle"], [pair, "random"], 6)
    assert pair in result.names and not result.failed
    assert result.matrix("mmgames/WirePuzzle-v0")[0][0, 0] == 1


def test_a_pool_is_one_who_is_rated() -> None:
    result = arena(["TicTacToe"], ["pool:random|minimax:depth=1", "random"], 4)
    assert result.names == ("pool:random|minimax:depth=1", "random") and not result.failed


@pytest.mark.parametrize(
    ("games", "agents", "more", "sentence"),
    [
        (["TicTacToe"], ["minimax"], {}, "At least two agents"),
        (["TicTacToe"], ["minimax", "minimx"], {}, "Did you mean 'minimax'"),
        (["TicTacToe"], ["minimax", "random:as=minimax"], {}, "Two agents are called 'minimax'"),
        (["TicTacToe"], ["minimax", "random|"], {}, "a name is missing"),
        ([], ["minimax", "random"], {}, "needs a game"),
        (["Spy"], ["silent", "oracle"], {"options": {"spy": "player_1"}}, "the arena itself sets 'spy'"),
        (["TicTacToe"], ["minimax", "random"], {"schedule": "swiss"}, "Choose one of adaptive, round-robin"),
    ],
)
def test_what_cannot_be_meant_is_said_before_anything_is_played(
    games: list[str], agents: list[str], more: dict[str, Any], sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(MmgamesError, match=sentence):
        arena(games, agents, 4, Settings(**more), out=tmp_path / "out")
    assert not (tmp_path / "out" / GAMES).exists()


def test_every_kind_of_seats_is_known() -> None:
    kinds = {
        name: seating(name, {}).kind
        for name in ("Chess", "KuhnPoker", "Hanabi", "WirePuzzle", "Spy", "CoinDilemma", "Sudoku")
    }
    assert kinds == {
        "Chess": "duel", "KuhnPoker": "duel", "Hanabi": "team", "WirePuzzle": "team", "Spy": "roles",
        "CoinDilemma": "free", "Sudoku": "alone",
    }  # fmt: skip
