"""How episodes end, in words: who has won, and what scores are made of."""

from typing import Any

import pytest

from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.running.endings import by_returns, ending_of
from mmgames.running.episodes import EpisodePlayer, make_plan


def played(game: str, *agents: str, seed: int = 0, **options: Any) -> tuple[LiveGame, dict[str, Any]]:
    player = EpisodePlayer(make_plan(game, agents, seed, "random", options))
    return player.live, player.play(0)


def forced(game: str, *moves: Any) -> LiveGame:
    """A game without chance in which these moves were made, one after the other."""
    loaded = registry.load(game)
    live = LiveGame(loaded, loaded.game())
    live.start(None)
    for said in moves:
        (mover,) = live.movers
        live.play({mover: live.move_of(mover, said)})
    return live


def test_endings_say_why_who_has_lost_and_what_returns_say() -> None:
    live = forced("TicTacToe", 0, 1, 2, 4, 3, 5, 7, 6, 8)
    assert ending_of(live, {}).headline == "Draw: the board is full."
    pytest.importorskip("chess")
    mated = ending_of(forced("Chess", "f2f3", "e7e5", "g2g4", "Qh4#"), {})
    assert mated.headline == "Black has won: checkmate." and mated.won == ("black",)
    back_and_forth = ("Nf3", "Nf6", "Ng1", "Ng8") * 2
    assert ending_of(forced("Chess", *back_and_forth), {}).headline == "Draw: threefold repetition."
    live = forced("TicTacToe", 0)
    ending = ending_of(live, {"returns": [1.0, -1.0], "forfeit": "o"})
    assert ending.headline == "O has lost it by replies that were no moves." and ending.won == ("x",)
    assert all(not score.parts for score in ending.scores)
    chess, team = (registry.load(name).game() for name in ("TicTacToe", "Hanabi"))
    several = registry.load("CoinDilemma").game()
    assert [by_returns(chess, both) for both in ([1, -1], [0, 0])] == ["X has won.", "Draw."]
    assert by_returns(team, [12, 12]) == "Together they have 12 points."
    assert by_returns(several, [3, 1]) == "Red has the most: 3 points."
    assert by_returns(several, [1, 1]) == "Everybody has the same: 1 point."


def test_the_end_of_a_spy_round_names_the_spy_and_what_clues_and_votes_earned() -> None:
    live, record = played("Spy", "consistency", seed=1)
    ending = ending_of(live, record)
    assert ending.headline in {
        f"The spy was {record['spies'][0]} and {fate}." for fate in ("was caught", "got away")
    } and ("caught" in ending.headline) == bool(record["events"]["caught"])
    for seat, score in enumerate(ending.scores):
        assert score.total == record["returns"][seat]
        assert dict(score.parts) == {"clues": record["clue_rewards"][seat], "votes": record["vote_rewards"][seat]}
    assert all(part in ending.lines()[1] for part in ("clues", "votes"))
