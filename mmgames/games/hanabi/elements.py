"""What there is to recognise in a picture of Hanabi: the table, the partner's cards, what one was told of one's own.

The own cards are no elements, and neither is what follows from others, as points do from fireworks, or what no choice
of positions makes even, as the ranks on the discard pile.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from mmgames.games.hanabi import kernel as k
from mmgames.games.hanabi.rules import Hanabi, HanabiView
from mmgames.games.hanabi.words import COLOURS, LETTERS
from mmgames.kernels.kernel_game import RowState
from mmgames.text.facts import Fact, same

NOTES = (
    "A firework is the rank of its highest card, 0 if it has none. A card is the letter of its colour and its rank. "
    "The hinted colour of a card of your own is the one that a hint has named, or none."
)
_NONE = "none"
_HINTED = 0.5  # of the partner's cards, and of the ranks of one's own


def elements(view: HanabiView) -> list[Fact]:
    """For two players."""
    seat = view.seat or 0
    fireworks = same(map(str, range(view.ranks + 1)))
    cards = _cards(view.colours, view.ranks)
    told = same((_NONE, *COLOURS[: view.colours]))
    turns = same(f"player_{player}" for player in range(view.players))
    found = [Fact((f"{COLOURS[c]} firework",), str(top), fireworks) for c, top in enumerate(view.fireworks)]
    found += [
        Fact(("hint tokens",), str(view.hints), same(map(str, range(view.most_hints + 1)))),
        Fact(("lives",), str(view.lives), same(map(str, range(1, view.row[k.MOST_LIVES] + 1)))),
        Fact(("cards in the deck",), str(view.deck), same(map(str, range(_most_left(view.row) + 1)))),
        Fact(("turn",), f"player_{view.moves % view.players}", turns),
    ]
    for slot, card in enumerate(view.hand(1 - seat)):
        name = f"player_{1 - seat} slot {slot}"
        found.append(Fact((name,), f"{LETTERS[card.colour]}{card.rank + 1}", cards))
    for slot, card in enumerate(view.hand(seat)):
        value = COLOURS[card.colours[0]] if card.colour_named else _NONE
        found.append(Fact((f"hinted colour of your slot {slot}",), value, told))
    return found


def _cards(colours: int, ranks: int) -> dict[str, str]:
    found: dict[str, str] = {}
    for colour, rank in product(range(colours), range(1, ranks + 1)):
        value = f"{LETTERS[colour]}{rank}"
        found |= {value: value, f"{COLOURS[colour]} {rank}": value}
    return found


def _most_left(row: tuple[int, ...] | np.ndarray) -> int:
    """So many cards can be in the deck whatever lies in the fireworks."""
    return int(row[k.COLOURS] * row[k.RANKS] - row[k.PLAYERS] * row[k.HAND_SIZE])


def make_state(game: Hanabi, rng: np.random.Generator, seat: int) -> RowState:
    """The partner holds any kinds of cards, no two alike. Then the fireworks are laid, as high as these cards allow,
    and what is left is dealt to the own hand, the deck and the discard pile."""
    row = game.start(rng).row.copy()
    colours, ranks, hand = game.colours, game.ranks, game.hand_size
    partner = rng.permutation(colours * ranks)[:hand].tolist()
    tops = [
        _top(rng, colour * ranks + ranks - 1 in partner, ranks, hand / (colours * ranks)) for colour in range(colours)
    ]
    played = [colour * ranks + rank for colour, top in enumerate(tops) for rank in range(top)]
    rest = [kind for kind in range(colours * ranks) for _ in range(k.COPIES[ranks][kind % ranks])]
    for kind in (*partner, *played):
        rest.remove(kind)
    rest = rng.permutation(rest).tolist()
    own, rest = rest[:hand], rest[hand:]
    left = int(rng.integers(_most_left(row) + 1))
    deck, discarded = rest[:left], rest[left:]
    hands = (own, partner) if seat == 0 else (partner, own)
    dealt = [*hands[0], *hands[1], *played, *discarded]
    row[k.DECK : k.DECK + len(dealt) + left] = [*dealt, *deck]
    row[k.DEALT] = len(dealt)
    row[k.FIREWORKS : k.FIREWORKS + colours] = tops
    row[k.POINTS] = sum(tops)
    row[k.DISCARDS : k.DISCARDS + colours * ranks] = np.bincount(discarded, minlength=colours * ranks)
    row[k.HINTS] = rng.integers(game.hints + 1)
    row[k.LIVES] = rng.integers(1, game.lives + 1)
    for player in range(2):
        row[k.HANDS + player * k.MOST_HAND :][:hand] = range(player * hand, player * hand + hand)
    _hint(row, rng, seat, hand)
    _log(row, rng, 2 * hand, len(played), len(discarded))
    return RowState(row)


def _top(rng: np.random.Generator, last_is_held: bool, ranks: int, held: float) -> int:
    """How high a firework is, every height equally often: not complete where the partner holds its last card, which
    is so in a share `held` of all positions, and therefore more often where not."""
    if last_is_held:
        return int(rng.integers(ranks))
    even = 1 / (ranks + 1)
    lower = (even - held / ranks) / (1 - held)
    return int(rng.choice(ranks + 1, p=[*[lower] * ranks, even / (1 - held)]))


def _hint(row: np.ndarray, rng: np.random.Generator, seat: int, hand: int) -> None:
    """Tell both players something of their cards: of the own ones every colour as often as none."""
    colours, ranks = int(row[k.COLOURS]), int(row[k.RANKS])
    for player in range(2):
        share = colours / (colours + 1) if player == seat else _HINTED
        for place in range(player * hand, player * hand + hand):
            colour, rank = divmod(int(row[k.DECK + place]), ranks)
            told = int(row[k.TOLD + place])
            if rng.random() < share:
                told = told & ~((1 << k.RANK_BITS) - 1) | 1 << colour | k.COLOUR_NAMED
            if rng.random() < _HINTED:
                told = told & ~(((1 << ranks) - 1) << k.RANK_BITS) | 1 << (k.RANK_BITS + rank) | k.RANK_NAMED
            row[k.TOLD + place] = told


def _log(row: np.ndarray, rng: np.random.Generator, first: int, played: int, discarded: int) -> None:
    """The cards on the table left the hands one after the other; either player is to move as often."""
    hand = int(row[k.HAND_SIZE])
    moves = played + discarded
    moves -= (moves + int(rng.integers(2))) % 2
    for number, card in enumerate(rng.permutation(played + discarded)[:moves].tolist()):
        slot, fits = int(rng.integers(hand)), card < played
        action = slot + hand * fits  # discards come before plays
        row[k.LOG + number] = action | (first + card) << k.ENTRY_PLACE | fits << k.ENTRY_FITS
    row[k.MOVES] = moves
