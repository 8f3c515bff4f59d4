"""What a seat of Hanabi sees: the game's state with its own cards and the rest of the deck hidden."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
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


@dataclass(frozen=True)
class HanabiView:
    """What a seat knows: the state, as far as it can fill it in."""

    seat: Seat | None
    size: Size
    state: RecordState

    @cached_property
    def _values(self) -> dict[str, Any]:
        """All fields of the state, read at once: one by one takes several times as long."""
        array = self.state.array
        return dict(zip(array.dtype.names or (), array.tolist()[0], strict=True))

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
        return self._values["keeps_points"]

    @property
    def hints(self) -> int:
        return self._values["hints"]

    @property
    def lives(self) -> int:
        return self._values["lives"]

    @property
    def points(self) -> int:
        return self._values["points"]

    @property
    def over(self) -> bool:
        return self._values["over"]

    @property
    def moves(self) -> int:
        """How many moves have been made."""
        return self._values["moves"]

    @property
    def mover(self) -> Seat | None:
        return None if self.over else self.moves % self.players

    @property
    def deck(self) -> int:
        """How many cards can still be drawn."""
        return 2 * self.colours * self.ranks - self._values["dealt"]

    @property
    def last_turns(self) -> int | None:
        """How many turns are left once the deck is empty."""
        return None if self.deck else self._values["last_turns"]

    @property
    def fireworks(self) -> tuple[int, ...]:
        """By colour: how many cards lie in it."""
        return tuple(self._values["fireworks"].tolist())

    @property
    def discards(self) -> tuple[tuple[int, ...], ...]:
        """By colour and rank: how many lie on the discard pile."""
        return tuple(map(tuple, self._values["discards"].tolist()))

    def hand(self, seat: Seat) -> tuple[Card, ...]:
        """A seat's cards, the oldest first."""
        return self._hands[seat]

    @cached_property
    def _hands(self) -> tuple[tuple[Card, ...], ...]:
        fields, ranks = self._values, self.ranks
        deck, hands, colour, rank = (fields[name].tolist() for name in ("deck", "hands", "named_colour", "named_rank"))
        left = fields["colours_left"], fields["ranks_left"]
        return tuple(
            tuple(
                _card(
                    deck[at], *(each[at].tobytes() for each in left), ranks, colour[at] != NOTHING, rank[at] != NOTHING
                )
                for at in hand
                if at != NOTHING
            )
            for hand in hands
        )

    def last_moves(self, most: int) -> list[Move]:
        """The last moves, the newest at the end."""
        fields, (players, colours, ranks, hand), found = self._values, self.size, []
        actions, spent, fitted, deck = (fields[name].tolist() for name in ("actions", "spent", "fitted", "deck"))
        for number in range(max(0, self.moves - most), self.moves):
            action, seat = actions[number], number % players
            if action < 2 * hand:
                kind: Any = "discard" if action < hand else "play"
                colour, rank = divmod(deck[spent[number]], ranks)
                found.append(Move(seat, kind, action % hand, colour, rank, bool(fitted[number])))
                continue
            hint, about_colours = action - 2 * hand, (players - 1) * colours
            if hint < about_colours:
                kind, (offset, colour), rank = "colour", divmod(hint, colours), NOTHING
            else:
                kind, colour, (offset, rank) = "rank", NOTHING, divmod(hint - about_colours, ranks)
            touched = tuple(fields["touched"][number].nonzero()[0].tolist())
            target = (seat + 1 + offset) % players
            found.append(Move(seat, kind, colour=colour, rank=rank, target=target, touched=touched))
        return found


@lru_cache(maxsize=4096)
def _card(kind: int, colours_left: bytes, ranks_left: bytes, ranks: int, colour_named: bool, rank_named: bool) -> Card:
    colour, rank = (HIDDEN, HIDDEN) if kind == HIDDEN else divmod(kind, ranks)
    colours, numbers = (
        tuple(which for which, can_be in enumerate(each) if can_be) for each in (colours_left, ranks_left)
    )
    return Card(colour, rank, colours, numbers, colour_named, rank_named)
