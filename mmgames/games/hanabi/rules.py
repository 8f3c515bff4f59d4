"""Hanabi: kernel.py has the rules; a view is the row as far as a seat can fill it in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.core.spec import GameSpec
from mmgames.games.hanabi import kernel as k
from mmgames.kernels.compiling import compiled_later
from mmgames.kernels.kernel import noise
from mmgames.kernels.kernel_game import ROW, Kernel, KernelGame, RowState

HIDDEN = k.HIDDEN

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
    """What a seat knows: the game's row with its own cards and the rest of the deck HIDDEN."""

    seat: Seat | None
    row: tuple[int, ...]

    @property
    def size(self) -> Size:
        players, colours, ranks, hand = self.row[k.PLAYERS : k.HAND_SIZE + 1]
        return players, colours, ranks, hand

    @property
    def players(self) -> int:
        return self.row[k.PLAYERS]

    @property
    def colours(self) -> int:
        return self.row[k.COLOURS]

    @property
    def ranks(self) -> int:
        return self.row[k.RANKS]

    @property
    def hand_size(self) -> int:
        return self.row[k.HAND_SIZE]

    @property
    def keeps_points(self) -> bool:
        """Whether the points stay when the last life is lost."""
        return bool(self.row[k.KEEPS_POINTS])

    @property
    def hints(self) -> int:
        return self.row[k.HINTS]

    @property
    def most_hints(self) -> int:
        return self.row[k.MOST_HINTS]

    @property
    def lives(self) -> int:
        return self.row[k.LIVES]

    @property
    def points(self) -> int:
        return self.row[k.POINTS]

    @property
    def over(self) -> bool:
        return bool(self.row[k.OVER])

    @property
    def moves(self) -> int:
        """How many moves have been made."""
        return self.row[k.MOVES]

    @property
    def mover(self) -> Seat | None:
        return None if self.over else self.moves % self.players

    @property
    def deck(self) -> int:
        """How many cards can still be drawn."""
        return 2 * self.colours * self.ranks - self.row[k.DEALT]

    @property
    def last_turns(self) -> int | None:
        """How many turns are left once the deck is empty."""
        return None if self.deck else self.row[k.LAST_TURNS]

    @property
    def fireworks(self) -> tuple[int, ...]:
        """By colour: how many cards lie in it."""
        return self.row[k.FIREWORKS : k.FIREWORKS + self.colours]

    @property
    def discards(self) -> tuple[tuple[int, ...], ...]:
        """By colour and rank: how many lie on the discard pile."""
        ranks, piles = self.ranks, self.row[k.DISCARDS : k.HANDS]
        return tuple(piles[colour * ranks : (colour + 1) * ranks] for colour in range(self.colours))

    def hand(self, seat: Seat) -> tuple[Card, ...]:
        """A seat's cards, the oldest first."""
        row, first = self.row, k.HANDS + seat * k.MOST_HAND
        places = [place for place in row[first : first + self.hand_size] if place != k.NOTHING]
        return tuple(self._card(row[k.DECK + place], row[k.TOLD + place]) for place in places)

    def _card(self, kind: int, told: int) -> Card:
        colour, rank = (HIDDEN, HIDDEN) if kind == HIDDEN else divmod(kind, self.ranks)
        colours, ranks = _bits(told & 31), _bits(told >> k.RANK_BITS & 31)
        return Card(colour, rank, colours, ranks, bool(told & k.COLOUR_NAMED), bool(told & k.RANK_NAMED))

    def last_moves(self, most: int) -> list[Move]:
        """The last moves, the newest at the end."""
        return [self._move(number) for number in range(max(0, self.moves - most), self.moves)]

    def _move(self, number: int) -> Move:
        entry, seat, hand, players = self.row[k.LOG + number], number % self.players, self.hand_size, self.players
        action = entry & 63
        if action < 2 * hand:
            colour, rank = divmod(self.row[k.DECK + (entry >> k.ENTRY_PLACE & 63)], self.ranks)
            kind: Any = "discard" if action < hand else "play"
            return Move(seat, kind, action % hand, colour, rank, fits=bool(entry >> k.ENTRY_FITS & 1))
        touched = _bits(entry >> k.ENTRY_TOUCHED & 31)
        hint = action - 2 * hand
        if hint < (players - 1) * self.colours:
            offset, colour = divmod(hint, self.colours)
            return Move(seat, "colour", colour=colour, target=(seat + 1 + offset) % players, touched=touched)
        offset, rank = divmod(hint - (players - 1) * self.colours, self.ranks)
        return Move(seat, "rank", rank=rank, target=(seat + 1 + offset) % players, touched=touched)

    def as_row(self) -> np.ndarray:
        """The view as the kernels read it."""
        return np.array(self.row, ROW)


_BITS = tuple(tuple(i for i in range(5) if mask >> i & 1) for mask in range(32))
_bits = _BITS.__getitem__


class Hanabi(KernelGame[HanabiView]):
    """kernel.py has the rules. A state's row holds the whole deck in the order in which it will be dealt."""

    colours: ClassVar[int] = 5
    ranks: ClassVar[int] = 5
    hints: ClassVar[int] = 8
    lives: ClassVar[int] = 3

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        self.settle(seats=tuple(f"player_{seat}" for seat in range(self.players)))
        keeps = self.options["score"] == "fireworks"
        size = (self.players, self.colours, self.ranks, self.hand_size, self.hints, self.lives)
        num_actions = 2 * self.hand_size + (self.players - 1) * (self.colours + self.ranks)
        self.kernel = Kernel(
            *(k.WIDTH, num_actions, k.num_features(*size)),
            *(k.start, k.turn, k.moves, k.step, k.returns, k.features),
            settings=(*size, int(keeps)),
        )

    @property
    def players(self) -> int:
        return self.options.get("players", 2)

    @property
    def hand_size(self) -> int:
        return 5 if self.players <= 3 else 4

    def view(self, state: RowState, seat: Seat | None) -> HanabiView:
        row = state.row.copy()
        compiled_later(k.hide)(row, k.NOBODY if seat is None else seat)
        return HanabiView(seat, tuple(row.tolist()))

    def imagine(self, state: RowState, seat: Seat, rng: np.random.Generator) -> RowState:
        """The seat's own cards dealt anew: equally likely, all hands that the cards it sees and the hints allow."""
        row = state.row.copy()
        compiled_later(k.imagine)(row, seat, noise(rng))
        return RowState(row)

    def redeal(self, state: RowState, rng: np.random.Generator) -> RowState:
        row = state.row.copy()
        compiled_later(k.shuffle)(row, k.DECK + row[k.DEALT], k.DECK + compiled_later(k.deck_size)(row), noise(rng))
        return RowState(row)

    def outcome(self, state: RowState) -> tuple[Any, ...]:
        """The table and the hands with what is known of them; which slots the cards came from does not matter."""
        view = self.view(state, None)
        return view.row[k.HINTS : k.HANDS], *(view.hand(seat) for seat in range(self.players))

    def events(self, state: RowState) -> Mapping[str, int]:
        view = self.view(state, None)
        counts = dict.fromkeys(("cards that fitted", "cards that did not fit", "discards", "hints"), 0)
        for move in view.last_moves(view.moves):
            fate = "cards that fitted" if move.fits else "cards that did not fit"
            counts[{"play": fate, "discard": "discards"}.get(move.kind, "hints")] += 1
        return counts


class TinyHanabi(Hanabi):
    """Two colours, three ranks, two players with three cards each."""

    colours = 2
    ranks = 3

    @property
    def hand_size(self) -> int:
        return 3
