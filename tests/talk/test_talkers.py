"""Agents that talk: what they say, what they make of it, and what it is worth."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import mmgames
from mmgames.agents.finding import make_agent
from mmgames.baselines.talking.announcer import settled
from mmgames.baselines.talking.teller import own_cards
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.turn import Turn


def together(id: str, *agents: str, episodes: int = 20, **options: Any) -> float:
    played = mmgames.match(id, list(agents), episodes=episodes, seed=5, **options).episodes
    return float(np.mean([sum(one["returns"]) for one in played]))


@pytest.mark.parametrize(("said", "chosen"), [({0: 1, 1: 0}, [1, 1]), ({0: 0, 1: 1}, [0, 0])])
def test_believers_follow_the_first_who_spoke(said: dict[int, int], chosen: list[int]) -> None:
    assert [settled(said, seat, 2, shared=False) for seat in said] == chosen


@pytest.mark.parametrize("intended", range(16))
def test_half_of_four_believers_share_the_work(intended: int) -> None:
    said = {seat: intended >> seat & 1 for seat in range(4)}
    assert sum(settled(said, seat, 4, shared=True) for seat in range(4)) == 2


def test_who_hears_nothing_does_what_it_wanted() -> None:
    assert [settled({2: way}, 2, 4, shared=shared) for way in (0, 1) for shared in (False, True)] == [0, 0, 1, 1]


@pytest.mark.parametrize(("game", "channel"), [("MonsterHunt", "text"), ("BattleOfTheColors", "signals")])
def test_announcements_that_are_believed_bring_players_together(game: str, channel: str) -> None:
    pairs = ["announcer"] * 2, ["announcer:nothing"] * 2
    told, untold = (together(f"talk/{game}-v0", *pair, talk_channel=channel) for pair in pairs)
    assert told > 1.5 * untold


def test_a_liar_leaves_a_believer_alone_with_the_monster() -> None:
    played = mmgames.match(
        "talk/MonsterHunt-v0", ["announcer:lie,False,self_interest", "announcer"], episodes=3, seed=1
    ).episodes
    assert all(one["returns"][1] < one["returns"][0] for one in played)


def test_an_announcer_of_another_game_says_where_it_belongs() -> None:
    with pytest.raises(mmgames.MmgamesError, match="announcer"):
        mmgames.match("talk/CoinDilemma-v0", ["announcer:sometimes", "random"], episodes=1)


def stand(id: str, seat: int, *texts: str, seed: int = 2, **options: Any) -> Turn:
    """The turn of a seat after the first round of talk."""
    loaded = registry.load(id)
    live = LiveGame(loaded, loaded.game(**options))
    live.start(np.random.default_rng(seed))
    live.play({who: live.check(who, text) for who, text in enumerate(texts)})
    return Turn(live, seat, np.random.default_rng(0))


@pytest.mark.parametrize(("claim", "does"), [("I hold the King.", "<PASS>"), ("I hold the Jack.", "<BET>")])
def test_a_believer_bets_against_a_lower_card(claim: str, does: str) -> None:
    turn = stand("talk/KuhnPoker-v0", 0, "", claim, seed=0)
    assert turn.view.inner.cards[0] == 1  # the Queen
    assert make_agent("claimer:nothing,True", turn.game.spec).act(turn) == does


def test_an_equilibrium_does_not_listen() -> None:
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


def test_open_hands_reach_nearly_everything() -> None:
    assert together("talk/Hanabi-v0", "teller", "teller", episodes=5) / 2 > 23


def test_whoever_answers_in_words_plays_and_talks() -> None:
    class Model:
        def answer(self, observation: dict[str, Any]) -> str:
            talks = "It is time to talk" in observation["text"]
            return '{"message": "I stay here."}' if talks else 'I stay. {"action": "<STAY>"}'

    record = mmgames.match("talk/CoinDilemma-v0", [Model(), "announcer"], episodes=1, seed=1).episodes[0]
    assert record["illegal"] == [0, 0] and record["talk"][0]["words"] == "I stay here."
