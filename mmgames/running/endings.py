"""How an episode ended: who has won it, in words, and what everybody's score is made of.

Pages, transcripts and the terminal tell it alike. A game's words may say it (`ending`), otherwise the returns do.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from mmgames.core.game import Game
from mmgames.core.live import LiveGame
from mmgames.text.plain import plain


class Score(NamedTuple):
    """What a seat has collected, and the named parts of it."""

    role: str
    total: float
    parts: tuple[tuple[str, float], ...] = ()

    @property
    def line(self) -> str:
        told = ", ".join(f"{name} {_rounded(value)}" for name, value in self.parts if value)
        return f"{self.role} {_rounded(self.total)}" + (f" ({told})" if told else "")


class Ending(NamedTuple):
    """What is to be said when an episode is over. Seats that took no part in it have no score."""

    headline: str
    scores: tuple[Score, ...] = ()
    won: tuple[str, ...] = ()
    """The roles that have won, where some have won and others lost."""

    def lines(self) -> list[str]:
        """All of it in plain text: what happened, then everybody's score with its parts."""
        return [self.headline, *(score.line for score in self.scores)]

    def as_json(self) -> dict[str, Any]:
        return {
            "headline": self.headline,
            "scores": [{**score._asdict(), "parts": [list(part) for part in score.parts]} for score in self.scores],
            "won": list(self.won),
        }

    def told(self, people: Callable[[str], str]) -> dict[str, Any]:
        """The same in words for people, which `people` makes of others; roles stay as they are."""
        parts = [
            score._replace(parts=tuple((plain(name), value) for name, value in score.parts)) for score in self.scores
        ]
        return Ending(people(self.headline), tuple(parts), self.won).as_json()


def ending_of(live: LiveGame, record: Mapping[str, Any]) -> Ending:
    """How the episode that came to this position, and of which this is the record, has ended."""
    game, returns = live.game, record.get("returns")
    if record.get("failed"):
        return Ending(f"It ended early: {record['failed']}")
    returns = live.totals if returns is None else returns
    absent = set(game.absent(live.state))
    agreed = bool(record.get("draw_agreed"))
    counted = record.get("forfeit") is None and not agreed  # what a forfeit costs is part of nothing
    parts = game.parts(live.state) if counted else {}
    scores = tuple(
        Score(role, float(returns[seat]), tuple((name, float(values[seat])) for name, values in parts.items()))
        for seat, role in enumerate(game.seats)
        if seat not in absent
    )
    won = winners(game, returns)
    if agreed:
        return Ending("Draw: both have agreed to it.", scores)
    if not counted:
        how = "has resigned" if record.get("resigned") else "has lost it by replies that were no moves"
        if dict(zip(game.seats, record.get("late", ()), strict=False)).get(record["forfeit"]):
            how = "has run out of time"
        return Ending(f"{called(record['forfeit'])} {how}.", scores, won)
    if live.movers:
        return Ending("It is unfinished.", scores)
    return Ending(live.loaded.words.ending(live.view(None)) or by_returns(game, returns), scores, won)


def winners(game: Game[Any, Any], returns: Sequence[float]) -> tuple[str, ...]:
    """Who has won, where what one wins others lose; nobody if all have the same."""
    if game.spec.utility != "zero_sum" or len(set(returns)) < 2:
        return ()
    return tuple(role for role, total in zip(game.seats, returns, strict=True) if total == max(returns))


def by_returns(game: Game[Any, Any], returns: Sequence[float]) -> str:
    """A sentence about an episode of which only the returns are known."""
    if game.spec.utility == "identical" or len(returns) == 1:
        return f"{'Together they have' if len(returns) > 1 else 'The score is'} {points(returns[0])}."
    best = [role for role, total in zip(game.seats, returns, strict=True) if total == max(returns)]
    if game.spec.utility == "zero_sum":
        return (
            f"{called(' and '.join(best))} {'has' if len(best) == 1 else 'have'} won."
            if winners(game, returns)
            else "Draw."
        )
    if len(best) == len(returns):
        return f"Everybody has the same: {points(max(returns))}."
    return f"{called(' and '.join(best))} {'has' if len(best) == 1 else 'have'} the most: {points(max(returns))}."


def _rounded(value: float) -> str:
    return f"{round(value, 3):g}"


def points(value: float) -> str:
    return f"{_rounded(float(value))} point{'' if value == 1 else 's'}"


def called(role: str) -> str:
    """A role at the beginning of a sentence; a name such as player_1 stays as it is written."""
    return role if "_" in role.split(" ")[0] else role[:1].upper() + role[1:]
