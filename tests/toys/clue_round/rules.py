"""ClueRound: clues in turn, then a vote of all but one at once. The spy is another one in every episode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from mmgames.core.game import Game, Seat

WORDS = ("river", "candle", "violin", "harbour")
HINTS = ("wet", "warm", "loud", "old", "small", *WORDS)
SEATS = 4


class ClueState(NamedTuple):
    word: str
    spy: Seat
    opener: Seat
    clues: tuple[str, ...]  # from the opener on
    votes: tuple[tuple[Seat, Seat], ...]  # who votes for whom

    def speaker(self, turn: int) -> Seat:
        return (self.opener + turn) % SEATS


class ClueView(NamedTuple):
    seat: Seat | None
    opener: Seat
    clues: tuple[tuple[Seat, str], ...]
    word: str | None  # None for the spy, until it is over
    is_spy: bool
    spy: Seat | None  # known when it is over, and to spectators
    votes: tuple[tuple[Seat, Seat], ...]
    movers: tuple[Seat, ...]


class ClueRound(Game[ClueState, ClueView]):
    def start(self, rng: np.random.Generator) -> ClueState:
        return ClueState(WORDS[int(rng.integers(len(WORDS)))], *rng.integers(SEATS, size=2).tolist(), (), ())

    def movers(self, state: ClueState) -> tuple[Seat, ...]:
        if len(state.clues) < SEATS:
            return (state.speaker(len(state.clues)),)
        return () if state.votes else tuple(seat for seat in range(SEATS) if seat != state.opener)

    def legal(self, state: ClueState, seat: Seat) -> tuple[str, ...]:
        if len(state.clues) < SEATS or state.votes:
            return ()
        return tuple(name for other, name in enumerate(self.seats) if other != seat)

    def sample(self, state: ClueState, seat: Seat, rng: np.random.Generator) -> str:
        if len(state.clues) == SEATS:
            return super().sample(state, seat, rng)
        allowed = [hint for hint in HINTS if seat == state.spy or hint != state.word]
        return allowed[int(rng.integers(len(allowed)))]

    def play(self, state: ClueState, actions: Mapping[Seat, Any], rng: np.random.Generator) -> ClueState:
        if len(state.clues) < SEATS:
            return state._replace(clues=(*state.clues, *actions.values()))
        return state._replace(votes=tuple(sorted(actions.items())))

    def caught(self, state: ClueState) -> bool:
        counts = [sum(choice == seat for _, choice in state.votes) for seat in range(SEATS)]
        return counts[state.spy] == max(counts) and counts.count(max(counts)) == 1

    def returns(self, state: ClueState) -> tuple[float, ...]:
        if not state.votes:
            return (0.0,) * SEATS
        gain = 1.0 if self.caught(state) else -1.0
        return tuple(-3 * gain if seat == state.spy else gain for seat in range(SEATS))

    def view(self, state: ClueState, seat: Seat | None) -> ClueView:
        knows_all = seat is None or bool(state.votes)
        return ClueView(
            seat,
            state.opener,
            tuple((state.speaker(turn), clue) for turn, clue in enumerate(state.clues)),
            state.word if knows_all or seat != state.spy else None,
            seat == state.spy,
            state.spy if knows_all else None,
            state.votes,
            self.movers(state),
        )

    def imagine(self, state: ClueState, seat: Seat, rng: np.random.Generator) -> ClueState:
        if state.votes:
            return state
        said = {state.speaker(turn): clue for turn, clue in enumerate(state.clues)}
        if seat == state.spy:  # those who know the word have not said it
            open_words = [word for word in WORDS if all(word != said[other] for other in said if other != seat)]
            return state._replace(word=open_words[int(rng.integers(len(open_words)))])
        if state.word in said.values():  # only the spy can say it
            return state
        suspects = [other for other in range(SEATS) if other != seat]
        return state._replace(spy=suspects[int(rng.integers(len(suspects)))])

    def events(self, state: ClueState) -> Mapping[str, int]:
        return {"caught": int(bool(state.votes) and self.caught(state))}

    def record(self, state: ClueState) -> Mapping[str, Any]:
        return {"word": state.word, "spy": self.seats[state.spy], "clues": list(state.clues)}
