"""Games with talk before their moves: the kit, who hears what, records, the page, and agents that talk."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest

import mmgames
from mmgames.agents.finding import make_agent
from mmgames.baselines.talking.announcer import settled
from mmgames.baselines.talking.teller import own_cards
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.observation import Observer
from mmgames.core.turn import Turn
from mmgames.running.replays import replay
from mmgames.testing import conformance, playing
from mmgames.text.refusals import Illegal
from tests.cases import cases
from tests.players import Says
from tests.refusing import refused

COINS, POKER = "talk/CoinDilemma-v0", "talk/KuhnPoker-v0"
TestTalk = conformance(COINS, POKER)
OURS = {id: registry.specs.pop(id) for id in (COINS, POKER)}


@pytest.fixture(autouse=True)
def known() -> None:
    """mmgames lists no games with talk outside of here."""
    registry.specs.update(OURS)


def begin(id: str = COINS, **options: Any) -> LiveGame:
    return playing.begin(registry.find(id), 1, **options)


def say(live: LiveGame, *texts: str) -> None:
    live.play({seat: live.check(seat, text) for seat, text in zip(live.movers, texts, strict=True)})


def prompt(live: LiveGame, seat: int, **how: Any) -> str:
    return Observer(live.loaded, live.game, **how).text(live.view(seat))


def test_talk_and_moves_take_turns_at_once_or_seat_after_seat() -> None:
    live = begin()
    assert "It is time to talk" in prompt(live, 0) and not live.legal(0)
    say(live, "I go up.", "say nothing")
    assert "Before move 1 red said:\n> I go up." in prompt(live, 1)
    assert "Before move 1 you said:\n> I go up." in prompt(live, 0, observe="text")
    assert "Before move 1 blue" not in prompt(live, 0)
    assert live.legal(0) == ("<STAY>", "<RIGHT>", "<LEFT>", "<UP>", "<DOWN>")
    say(live, '{"action": "<UP>"}', "<STAY>")
    assert live.view(0).inner.state.step == 1 and live.view(0).talking
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
    for who in ["nobody", "red"]:
        refused = begin(talk_audience="chosen").check(0, f"@{who}: hello")
        assert isinstance(refused, Illegal) and refused.reason.endswith("Possible: @blue, or no @ for all.")


def test_what_is_heard_of_a_text() -> None:
    for text, heard in cases(__file__)["heard"]:
        live = begin()
        assert live.loaded.words.read(live.view(0), text).words == heard


def test_signals_are_a_closed_list_and_old_rounds_are_forgotten_where_that_is_asked_for() -> None:
    live = begin(talk_channel="signals", talk_signals=3)
    assert live.legal(0) == ("say nothing", "signal 1", "signal 2", "signal 3")
    assert live.check(0, "2").words == live.check(0, '{"message": "signal 2"}').words == "signal 2"
    assert isinstance(live.check(0, "the second one"), Illegal)
    say(live, "signal 3", "say nothing")
    assert live.features(1)[-3:].tolist() == [0, 1, 0]
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


def test_games_without_talk_say_so_and_those_of_another_namespace_have_it() -> None:
    for id, why in [
        ("talk/Minesweeper-v0", "mmgames/Minesweeper-v0 has no talk before its moves: nobody else is there."),
        ("talk/Nowhere-v0", "There is no environment 'mmgames/Nowhere-v0'."),
        ("talk/talk.CoinDilemma-v0", "talk/CoinDilemma-v0 has no talk before its moves: there is talk already."),
    ]:
        refused(lambda id=id: registry.find(id), why)
    mmgames.from_pettingzoo("tests.guests.heap")
    env = gymnasium.make("talk/pettingzoo.tests.guests.heap-v0", others="random", observe="text")
    assert "It is time to talk" in env.reset(seed=1)[0]["text"]
    assert registry.find("talk/mmgames:CoinDilemma-v0").seats == ("red", "blue")  # as in records of old


def test_the_page_shows_messages_to_those_who_hear_them(tmp_path: Path) -> None:
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
            assert next(move["name"] for move in said["moves"]) == "Stay"
            game.leave("red")


def together(id: str, *agents: str, episodes: int = 20, **options: Any) -> float:
    played = mmgames.match(id, list(agents), episodes=episodes, seed=5, **options).episodes
    return float(np.mean([sum(one["returns"]) for one in played]))


def test_believers_follow_the_first_who_spoke_or_share_the_work() -> None:
    for said, chosen in [({0: 1, 1: 0}, [1, 1]), ({0: 0, 1: 1}, [0, 0])]:
        assert [settled(said, seat, 2, shared=False) for seat in said] == chosen
    for intended in range(16):
        said = {seat: intended >> seat & 1 for seat in range(4)}
        assert sum(settled(said, seat, 4, shared=True) for seat in range(4)) == 2
    assert [settled({2: way}, 2, 4, shared=shared) for way in (0, 1) for shared in (False, True)] == [0, 0, 1, 1]


@pytest.mark.parametrize(("game", "channel"), [("MonsterHunt", "text"), ("BattleOfTheColors", "signals")])
def test_announcements_that_are_believed_bring_players_together(game: str, channel: str) -> None:
    pairs = ["announcer"] * 2, ["announcer:nothing"] * 2
    told, untold = (together(f"talk/{game}-v0", *pair, talk_channel=channel) for pair in pairs)
    assert told > 1.5 * untold


def test_a_liar_leaves_a_believer_alone_and_other_policies_are_refused() -> None:
    played = mmgames.match(
        "talk/MonsterHunt-v0", ["announcer:lie,False,self_interest", "announcer"], episodes=3, seed=1
    ).episodes
    assert all(one["returns"][1] < one["returns"][0] for one in played)
    refused(lambda: mmgames.match("talk/CoinDilemma-v0", ["announcer:sometimes", "random"], episodes=1), "announcer")


def stand(id: str, seat: int, *texts: str, seed: int = 2, **options: Any) -> Turn:
    """The turn of a seat after the first round of talk."""
    live = playing.begin(registry.find(id), seed, **options)
    live.play({who: live.check(who, text) for who, text in enumerate(texts)})
    return Turn(live, seat, np.random.default_rng(0))


def test_a_believer_bets_against_a_lower_card_and_an_equilibrium_does_not_listen() -> None:
    for claim, does in [("I hold the King.", "<PASS>"), ("I hold the Jack.", "<BET>")]:
        turn = stand("talk/KuhnPoker-v0", 0, "", claim, seed=0)
        assert turn.view.inner.cards[0] == 1  # the Queen
        assert make_agent("claimer:nothing,True", turn.game.spec).act(turn) == does
    agent = make_agent("claimer:truth", registry.find("talk/KuhnPoker-v0"))
    chosen = {
        claim: [agent.act(stand("talk/KuhnPoker-v0", 0, "", claim)) for _ in range(3)]
        for claim in ("", "I hold the King.", "I hold the Jack.")
    }
    assert len({tuple(moves) for moves in chosen.values()}) == 1


@pytest.mark.parametrize("players", [2, 5])
def test_tellers_know_their_own_cards(players: int) -> None:
    start = stand("talk/Hanabi-v0", 0, *[""] * players, players=players)
    teller = make_agent("teller", start.game.spec)
    live = LiveGame(registry.load("talk/Hanabi-v0"), start.game)
    live.start(np.random.default_rng(2))
    for _ in range(6):
        said = {seat: teller.act(Turn(live, seat, np.random.default_rng(0))) for seat in live.movers}
        assert all(not re.search(rf"player_{seat} has", text) for seat, text in said.items())
        live.play({seat: live.check(seat, text) for seat, text in said.items()})
        hands = [[(card.colour, card.rank) for card in live.view(None).inner.hand(seat)] for seat in range(players)]
        assert [own_cards(live.view(seat)) for seat in range(players)] == hands
        mover = live.movers[0]
        live.play({mover: live.check(mover, teller.act(Turn(live, mover, np.random.default_rng(0))))})


def test_tellers_reach_nearly_everything_and_whoever_answers_in_words_plays_and_talks() -> None:
    assert together("talk/Hanabi-v0", "teller", "teller", episodes=5) / 2 > 23

    def said(observation: dict[str, Any]) -> str:
        talks = "It is time to talk" in observation["text"]
        return '{"message": "I stay here."}' if talks else 'I stay. {"action": "<STAY>"}'

    record = mmgames.match("talk/CoinDilemma-v0", [Says(said), "announcer"], episodes=1, seed=1).episodes[0]
    assert record["illegal"] == [0, 0] and record["talk"][0]["words"] == "I stay here."
