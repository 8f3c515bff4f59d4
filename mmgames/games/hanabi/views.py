"""What a seat of Hanabi sees: the game's state with its own cards and the rest of the deck hidden."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from mmgames.core.game import Seat
from mmgames.kernels.records import RecordState

HIDDEN = NOTHING = -1
"""A card that these eyes may not see. A slot without a card, a colour or a rank that is not named."""

Size = tuple[int, int, int, int]
"""Players, colours, ranks and cards in a hand."""


class Card(NamedTuple):
    """A card in a hand: what it is (HIDDEN from its holder) and what its holder has been told about it."""

    colour: int
    rank: int  # from 0
    colours: tuple[int, ...]  # that hints leave possible
    ranks: tuple[int, ...]
    colour_named: bool
    rank_named: bool

    @property
    def hinted(self) -> bool:
        """Whether a hint has pointed at this card."""
        return self.colour_named or self.rank_named


class Move(NamedTuple):
    """A move that was made. Plays and discards have a slot and a card, hints a target and the slots they pointed at."""

    seat: Seat
    kind: Literal["play", "discard", "colour", "rank"]
    slot: int = -1
    colour: int = -1
    rank: int = -1
    fits: bool = False
    target: Seat = -1
    touched: tuple[int, ...] = ()


class HanabiView(NamedTuple):
    """What a seat knows: the state, as far as it can fill it in."""

    seat: Seat | None
    state: RecordState

    @property
    def size(self) -> Size:
        kind = self.state.array.dtype
        (players, hand), (colours, ranks) = kind["hands"].shape, kind["discards"].shape
        return players, colours, ranks, hand

    @property
    def players(self) -> int:
        return self.size[0]

    @property
    def colours(self) -> int:
        return self.size[1]

    @property
    def ranks(self) -> int:
        return self.size[2]

    @property
    def keeps_points(self) -> bool:
        """Whether the points stay when the last life is lost."""
        return self.state.keeps_points

    @property
    def hints(self) -> int:
        return self.state.hints

    @property
    def lives(self) -> int:
        return self.state.lives

    @property
    def points(self) -> int:
        return self.state.points

    @property
    def over(self) -> bool:
        return self.state.over

    @property
    def moves(self) -> int:
        """How many moves have been made."""
        return self.state.moves

    @property
    def mover(self) -> Seat | None:
        return None if self.over else self.moves % self.players

    @property
    def deck(self) -> int:
        """How many cards can still be drawn."""
        return 2 * self.colours * self.ranks - self.state.dealt

    @property
    def last_turns(self) -> int | None:
        """How many turns are left once the deck is empty."""
        return None if self.deck else self.state.last_turns

    @property
    def fireworks(self) -> tuple[int, ...]:
        """By colour: how many cards lie in it."""
        return self.state.fireworks

    @property
    def discards(self) -> tuple[tuple[int, ...], ...]:
        """By colour and rank: how many lie on the discard pile."""
        return self.state.discards

    def hand(self, seat: Seat) -> tuple[Card, ...]:
        """A seat's cards, the oldest first."""
        return tuple(self._card(place) for place in self.state.hands[seat] if place != NOTHING)

    def _card(self, place: int) -> Card:
        state, ranks = self.state.array[0], self.ranks
        kind, left = int(state["deck"][place]), state["can_be"][place].nonzero()[0].tolist()
        colour, rank = (HIDDEN, HIDDEN) if kind == HIDDEN else divmod(kind, ranks)
        named = bool(state["named_colour"][place] != NOTHING), bool(state["named_rank"][place] != NOTHING)
        colours, numbers = {kind // ranks: None for kind in left}, {kind % ranks: None for kind in left}
        return Card(colour, rank, tuple(colours), tuple(numbers), *named)

    def last_moves(self, most: int) -> list[Move]:
        """The last moves, the newest at the end."""
        return [self._move(number) for number in range(max(0, self.moves - most), self.moves)]

    def _move(self, number: int) -> Move:
        state, (players, colours, ranks, hand) = self.state.array[0], self.size
        action, seat = int(state["actions"][number]), number % players
        if action < 2 * hand:
            colour, rank = divmod(int(state["deck"][state["spent"][number]]), ranks)
            kind: Any = "discard" if action < hand else "play"
            return Move(seat, kind, action % hand, colour, rank, fits=bool(state["fitted"][number]))
        touched = tuple(state["touched"][number].nonzero()[0].tolist())
        hint = action - 2 * hand
        if hint < (players - 1) * colours:
            offset, colour = divmod(hint, colours)
            return Move(seat, "colour", colour=colour, target=(seat + 1 + offset) % players, touched=touched)
        offset, rank = divmod(hint - (players - 1) * colours, ranks)
        return Move(seat, "rank", rank=rank, target=(seat + 1 + offset) % players, touched=touched)
