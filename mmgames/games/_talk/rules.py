"""Talk: the rules of another game, and between its moves rounds of messages that change nothing in it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from mmgames.core import registry
from mmgames.core.game import CHANCE, Action, Game, Seat
from mmgames.core.spec import GameSpec
from mmgames.games._talk import OPTIONS, dynamics_with_talk, length_with_talk, without_talk

SILENCE = "say nothing"
SMALL_TALK = ("Hello.", "Yes.", "No.", "Let us see.", "Your turn to decide.")
"""What somebody may say who has nothing to tell."""


class Said(NamedTuple):
    """What somebody says now; no words: nothing. `to` is the only one to hear it, or None."""

    words: str
    to: Seat | None = None


class Message(NamedTuple):
    """What was said before a move, the moves counted from 0."""

    move: int
    sender: Seat
    to: Seat | None
    words: str

    def is_heard_by(self, seat: Seat | None) -> bool:
        return self.to is None or seat is None or seat in (self.to, self.sender)


class TalkState(NamedTuple):
    inner: Any
    moves: int = 0  # that were made in the game
    spoken: int = 0  # rounds of talk before the next move that are over
    said: tuple[Message, ...] = ()


class Setting(NamedTuple):
    """What everybody knows about the talk."""

    every: int
    in_turn: bool
    signals: int  # 0: words
    length: int
    chosen: bool  # whether messages may be for one seat alone
    memory: int


class TalkView(NamedTuple):
    """What a seat may know: its view of the game, and what it has heard. The spectator hears everything."""

    seat: Seat | None
    game: str  # the id of the game without talk
    inner: Any
    roles: tuple[str, ...]
    setting: Setting
    moves: int
    talking: bool
    asked: bool  # whether this seat is to speak or to move now
    heard: tuple[Message, ...]


class Talk(Game[TalkState, TalkView]):
    """Another game, `inner`, with talk before its moves."""

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        self.loaded = registry.load(without_talk(spec.name, spec.version))
        own = self.options
        self.inner = self.loaded.game(**{name: value for name, value in own.items() if name not in OPTIONS})
        self.setting = Setting(
            every=own["talk_every"],
            in_turn=own["talk_order"] == "in turn",
            signals=own["talk_signals"] if own["talk_channel"] == "signals" else 0,
            length=own["talk_length"],
            chosen=own["talk_audience"] == "chosen",
            memory=own["talk_memory"],
        )
        about = self.inner.spec
        self.rounds = len(about.seats) if self.setting.in_turn else 1
        secrets = self.setting.chosen and len(about.seats) > 2
        self.settle(
            seats=about.seats,
            dynamics=dynamics_with_talk(about.dynamics, self.setting.in_turn),
            information="imperfect" if secrets else about.information,
            utility=about.utility,
            outcome=replace(spec.outcome, lowest=about.outcome.lowest),
            chance=about.chance,
            length=length_with_talk(about.length, self.setting.every, self.rounds),
        )
        self.starts, self.draws = self.inner.starts, self.inner.draws

    def start(self, rng: np.random.Generator) -> TalkState:
        return TalkState(self.inner.start(rng))

    def dealt(self, rng: np.random.Generator) -> int | None:
        return self.inner.dealt(rng)

    def close(self) -> None:
        self.inner.close()

    def is_talking(self, state: TalkState) -> bool:
        """Whether the next words are messages; not where the game is over or chance moves."""
        due = state.moves % self.setting.every == 0 and state.spoken < self.rounds
        return due and self.inner.movers(state.inner) not in ((), (CHANCE,))

    def movers(self, state: TalkState) -> tuple[Seat, ...]:
        if not self.is_talking(state):
            return self.inner.movers(state.inner)
        return (state.spoken,) if self.setting.in_turn else tuple(range(len(self.seats)))

    def legal(self, state: TalkState, seat: Seat) -> Sequence[str]:
        if self.is_talking(state):
            return signal_names(self.setting.signals)
        return tuple(dict.fromkeys(self.loaded.words.names(self.inner.view(state.inner, seat)).values()))

    def sample(self, state: TalkState, seat: Seat, rng: np.random.Generator) -> str:
        if self.is_talking(state) and not self.setting.signals:
            return (SILENCE, *SMALL_TALK)[int(rng.random() * (1 + len(SMALL_TALK)))]
        if self.legal(state, seat):
            return str(super().sample(state, seat, rng))
        return str(self.inner.sample(state.inner, seat, rng))

    def play(self, state: TalkState, actions: Mapping[Seat, Action], rng: np.random.Generator) -> TalkState:
        if not self.is_talking(state):
            played = self.inner.play(state.inner, actions, rng)
            return (
                state._replace(inner=played) if CHANCE in actions else TalkState(played, state.moves + 1, 0, state.said)
            )
        spoken = tuple(Message(state.moves, seat, say.to, say.words) for seat, say in actions.items() if say.words)
        return state._replace(spoken=state.spoken + 1, said=state.said + spoken)

    def returns(self, state: TalkState) -> Sequence[float]:
        return self.inner.returns(state.inner)

    def sparse(self, state: TalkState) -> Sequence[float] | None:
        return self.inner.sparse(state.inner)

    def view(self, state: TalkState, seat: Seat | None) -> TalkView:
        heard = state.said
        if self.setting.memory:
            since = state.moves - self.setting.memory * self.setting.every
            heard = tuple(one for one in heard if one.move >= since)
        if self.setting.chosen:
            heard = tuple(one for one in heard if one.is_heard_by(seat))
        return TalkView(
            seat, self.loaded.spec.id, self.inner.view(state.inner, seat), self.seats, self.setting, state.moves,
            self.is_talking(state), seat in self.movers(state), heard,
        )  # fmt: skip

    def chance(self, state: TalkState) -> Sequence[tuple[Action, float]]:
        return self.inner.chance(state.inner)

    def imagine(self, state: TalkState, seat: Seat, rng: np.random.Generator) -> TalkState:
        """Messages that the seat has not heard are any others; those that it has heard stay as they are."""
        said = state.said
        if self.setting.chosen:
            said = tuple(
                one if one.is_heard_by(seat) else one._replace(words=SMALL_TALK[int(rng.integers(len(SMALL_TALK)))])
                for one in said
            )
        return state._replace(inner=self.inner.imagine(state.inner, seat, rng), said=said)

    def redeal(self, state: TalkState, rng: np.random.Generator) -> TalkState:
        return state._replace(inner=self.inner.redeal(state.inner, rng))

    def outcome(self, state: TalkState) -> Any:
        return state._replace(inner=self.inner.outcome(state.inner))

    def record(self, state: TalkState) -> Mapping[str, Any]:
        messages = [
            {
                "move": one.move + 1,
                "from": self.seats[one.sender],
                "to": "all" if one.to is None else self.seats[one.to],
                "words": one.words,
            }
            for one in state.said
        ]
        return {**self.inner.record(state.inner), "talk": messages}

    def info(self, state: TalkState, seat: Seat) -> Mapping[str, Any]:
        return self.inner.info(state.inner, seat)

    def events(self, state: TalkState) -> Mapping[str, int]:
        return {**self.inner.events(state.inner), "messages": len(state.said)}


def signal_names(signals: int) -> tuple[str, ...]:
    """What can be said where there are signals alone; none where there are words."""
    return (SILENCE, *(f"signal {number}" for number in range(1, signals + 1))) if signals else ()
