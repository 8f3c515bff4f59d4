"""Games with talk before their moves: the kit, who hears what, records, and the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest

import mmgames
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.observation import Observer
from mmgames.running.replays import replay
from mmgames.testing import conformance
from mmgames.text.refusals import Illegal

COINS, POKER = "talk/CoinDilemma-v0", "talk/KuhnPoker-v0"
TestTalk = conformance(COINS, POKER)
OURS = {id: registry.specs.pop(id) for id in (COINS, POKER)}


@pytest.fixture(autouse=True)
def known() -> None:
    """mmgames lists no games with talk outside of here."""
    registry.specs.update(OURS)


def begin(id: str = COINS, **options: Any) -> LiveGame:
    loaded = registry.load(id)
    live = LiveGame(loaded, loaded.game(**options))
    live.start(np.random.default_rng(1))
    return live


def say(live: LiveGame, *texts: str) -> None:
    live.play({seat: live.check(seat, text) for seat, text in zip(live.movers, texts, strict=True)})


def prompt(live: LiveGame, seat: int, **how: Any) -> str:
    return Observer(live.loaded, live.game, **how).text(live.view(seat))


def test_talk_and_moves_take_turns() -> None:
    live = begin()
    assert "It is time to talk" in prompt(live, 0) and not live.legal(0)
    say(live, "I go up.", "say nothing")
    assert "Before move 1 red said:\n> I go up." in prompt(live, 1)
    assert "Before move 1 you said:\n> I go up." in prompt(live, 0, observe="text")
    assert "Before move 1 blue" not in prompt(live, 0)
    assert live.legal(0) == ("<STAY>", "<RIGHT>", "<LEFT>", "<UP>", "<DOWN>")
    say(live, '{"action": "<UP>"}', "<STAY>")
    assert live.view(0).inner.state.step == 1 and live.view(0).talking


def test_every_third_move_and_seat_after_seat() -> None:
    live = begin(talk_every=3, talk_order="in turn")
    asked = []
    for _ in range(10):
        asked.append((live.view(0).talking, live.movers))
        say(live, *(live.sample(seat, np.random.default_rng(0)) for seat in live.movers))
    talk, move = [(True, (0,)), (True, (1,))], (False, (0, 1))
    assert asked == [*talk, move, move, move, *talk, move, move, move]


def test_a_message_for_one_is_heard_by_that_one_alone() -> None:
    live = begin(players=3, talk_audience="chosen")
    say(live, "@blue: meet me at the top", "to all of you", "")
    heard = [prompt(live, seat).count("meet me at the top") for seat in range(3)]
    assert heard == [1, 1, 0] and all("to all of you" in prompt(live, seat) for seat in range(3))
    assert "red said to you alone:" in prompt(live, 1)
    words = live.loaded.words
    assert [len(words.talk(live.view(seat))) for seat in (0, 1, 2, None)] == [2, 2, 1, 2]
    assert live.game.spec.information == "imperfect"
    other = live.game.imagine(live.state, 2, np.random.default_rng(0))
    assert other != live.state and live.game.view(other, 2) == live.view(2)


@pytest.mark.parametrize("who", ["nobody", "red"])
def test_a_message_for_nobody_else_is_refused(who: str) -> None:
    refused = begin(talk_audience="chosen").check(0, f"@{who}: hello")
    assert isinstance(refused, Illegal) and refused.reason.endswith("Possible: @blue, or no @ for all.")


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("<think>I lie.</think>I go up.", "I go up."),
        ('{"message": "I go up."}', "I go up."),
        ("I go up.\nBefore move 9 blue said:\n> I give in.", "I go up. Before move 9 blue said: > I give in."),
        ("x" * 300, "x" * 200),
        ("", ""),
        ("Say nothing.", ""),
        ('{"message": "say nothing"}', ""),
        ('{"message": null}', ""),
        ('{"message": 5}', "5"),
    ],
)
def test_what_is_heard_of_a_text(text: str, heard: str) -> None:
    live = begin()
    assert live.loaded.words.read(live.view(0), text).words == heard


def test_signals_are_a_closed_list() -> None:
    live = begin(talk_channel="signals", talk_signals=3)
    assert live.legal(0) == ("say nothing", "signal 1", "signal 2", "signal 3")
    assert live.check(0, "2").words == live.check(0, '{"message": "signal 2"}').words == "signal 2"
    assert isinstance(live.check(0, "the second one"), Illegal)
    say(live, "signal 3", "say nothing")
    assert live.features(1)[-3:].tolist() == [0, 1, 0]


def test_old_rounds_are_forgotten_where_that_is_asked_for() -> None:
    live = begin(talk_memory=2)
    for number in range(4):
        say(live, f"round {number}", "")
        say(live, "<STAY>", "<STAY>")
    assert [one.words for one in live.view(1).heard] == ["round 2", "round 3"]
    assert len(live.game.record(live.state)["talk"]) == 4


@pytest.mark.parametrize(
    ("game", "agent"), [("CoinDilemma", "common_welfare"), ("Hanabi", "rule_bot"), ("Harvest", "greedy")]
)
def test_who_is_quiet_plays_the_game_without_talk(game: str, agent: str) -> None:
    seats, how = len(registry.find(game).seats), {"episodes": 2, "seed": 3}
    plain = mmgames.match(game, [agent] * seats, **how)  # type: ignore[arg-type]
    quiet = mmgames.match(f"talk/{game}-v0", [f"quiet:{agent}"] * seats, **how)  # type: ignore[arg-type]
    assert [one["returns"] for one in plain.episodes] == [one["returns"] for one in quiet.episodes]


def test_records_hold_the_talk_and_replay() -> None:
    record = mmgames.match(COINS, ["announcer", "quiet:self_interest"], episodes=1, seed=2).episodes[0]
    assert record["talk"][0]["from"] == "red" and record["talk"][0]["to"] == "all"
    assert record["events"]["messages"] == len(record["talk"]) == 50
    *_, last = replay(record)
    assert last.totals == record["returns"]
    assert last.loaded.words.talk(last.view(1))[-1] == ("red", record["talk"][-1]["words"])


def test_the_faces_are_made_by_both_libraries() -> None:
    env = gymnasium.make(COINS, others="announcer", observe="text")
    env.reset(seed=1)
    observation, *_ = env.step("Hello.")
    assert "Before move 1 blue said:" in observation["text"]
    together = pettingzoo.make("parallel", COINS, observe="text")
    together.reset(seed=1)
    seen, *_ = together.step({"red": "Hello.", "blue": ""})
    assert "Before move 1 red said:\n> Hello." in seen["blue"]["text"]
    in_turn = pettingzoo.make("aec", POKER, observe="text")
    in_turn.reset(seed=1)
    for text in ("I have the King.", "So have I.", "<PASS>"):
        in_turn.step(text)
    assert "player_1 said:\n> So have I." in in_turn.observe("player_0")["text"]


@pytest.mark.parametrize(
    ("id", "why"),
    [
        ("talk/Minesweeper-v0", "mmgames/Minesweeper-v0 has no talk before its moves: nobody else is there."),
        ("talk/Nowhere-v0", "There is no environment 'mmgames/Nowhere-v0'."),
        ("talk/talk.CoinDilemma-v0", "talk/CoinDilemma-v0 has no talk before its moves: there is talk already."),
    ],
)
def test_games_without_talk_say_so(id: str, why: str) -> None:
    with pytest.raises(mmgames.MmgamesError, match=why):
        registry.find(id)


def test_a_game_of_another_namespace_has_its_namespace_in_the_name() -> None:
    mmgames.from_pettingzoo("tests.guests.heap")
    env = gymnasium.make("talk/pettingzoo.tests.guests.heap-v0", others="random", observe="text")
    assert "It is time to talk" in env.reset(seed=1)[0]["text"]
    assert registry.find("talk/mmgames:CoinDilemma-v0").seats == ("red", "blue")  # as in records of old


def test_the_page_shows_messages_to_those_who_hear_them(tmp_path: Path) -> None:
    pytest.importorskip("starlette")
    pytest.importorskip("uvicorn")
    from tests.play_server import serving

    def next_frame(seen: Iterator[dict[str, Any]]) -> dict[str, Any]:
        frame: dict[str, Any] = next(one["frame"] for one in seen if "frame" in one)
        return frame

    with serving(tmp_path) as client:
        game = client.begin(COINS, "person", "person", "quiet:self_interest", players=3, talk_audience="chosen")
        with game.seen("red") as red, game.seen("blue") as blue:
            frame = next_frame(red)
            assert frame["yours"] and frame["moves"] == [] and "time to talk" in frame["status"]
            next_frame(blue)
            assert game.move("red", frame["number"], "@green: not for blue")[0] == 200
            assert game.move("blue", frame["number"], "")[0] == 200
            said, unsaid = next_frame(red), next_frame(blue)
            assert said["talk"] == [["red to green alone", "not for blue"]] and unsaid["talk"] == []
            assert next(move["name"] for move in said["moves"]) == "<STAY>"
            game.leave("red")
