"""What there is to recognise in a picture of Hanabi: the table, the partner's cards, what one was told of one's own.

The own cards are no elements, and neither is what follows from others, as points do from fireworks, or what no choice
of positions makes even, as the ranks on the discard pile.
"""

from itertools import product
from typing import Any

import numpy as np

from mmgames.games.hanabi.known import COPIES, MOST_HINTS, MOST_LIVES
from mmgames.games.hanabi.rules import Hanabi
from mmgames.games.hanabi.views import NOTHING, HanabiView, Size
from mmgames.games.hanabi.words import COLOURS, LETTERS
from mmgames.kernels.records import RecordState
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
    hinted = same((_NONE, *COLOURS[: view.colours]))
    turns = same(f"player_{player}" for player in range(view.players))
    found = [Fact((f"{COLOURS[c]} firework",), str(top), fireworks) for c, top in enumerate(view.fireworks)]
    found += [
        Fact(("hint tokens",), str(view.hints), same(map(str, range(MOST_HINTS + 1)))),
        Fact(("lives",), str(view.lives), same(map(str, range(1, MOST_LIVES + 1)))),
        Fact(("cards in the deck",), str(view.deck), same(map(str, range(_most_left(view.size) + 1)))),
        Fact(("turn",), f"player_{view.moves % view.players}", turns),
    ]
    for slot, card in enumerate(view.hand(1 - seat)):
        name = f"player_{1 - seat} slot {slot}"
        found.append(Fact((name,), f"{LETTERS[card.colour]}{card.rank + 1}", cards))
    for slot, card in enumerate(view.hand(seat)):
        value = COLOURS[card.colours[0]] if card.colour_named else _NONE
        found.append(Fact((f"hinted colour of your slot {slot}",), value, hinted))
    return found


def _cards(colours: int, ranks: int) -> dict[str, str]:
    found: dict[str, str] = {}
    for colour, rank in product(range(colours), range(1, ranks + 1)):
        value = f"{LETTERS[colour]}{rank}"
        found |= {value: value, f"{COLOURS[colour]} {rank}": value}
    return found


def _most_left(size: Size) -> int:
    """So many cards can be in the deck whatever lies in the fireworks."""
    players, colours, ranks, hand = size
    return colours * ranks - players * hand


def make_state(game: Hanabi, rng: np.random.Generator, seat: int) -> RecordState:
    """The partner holds any kinds of cards, no two alike. Then the fireworks are laid, as high as these cards allow,
    and what is left is dealt to the own hand, the deck and the discard pile."""
    start = game.start(rng)
    colours, ranks, hand = game.colours, game.ranks, game.hand_size
    partner = rng.permutation(colours * ranks)[:hand].tolist()
    tops = [
        _top(rng, colour * ranks + ranks - 1 in partner, ranks, hand / (colours * ranks)) for colour in range(colours)
    ]
    played = [colour * ranks + rank for colour, top in enumerate(tops) for rank in range(top)]
    rest = [kind for kind in range(colours * ranks) for _ in range(COPIES[ranks][kind % ranks])]
    for kind in (*partner, *played):
        rest.remove(kind)
    rest = rng.permutation(rest).tolist()
    own, rest = rest[:hand], rest[hand:]
    left = int(rng.integers(_most_left((2, colours, ranks, hand)) + 1))
    deck, discarded = rest[:left], rest[left:]
    hands = (own, partner) if seat == 0 else (partner, own)
    dealt = [*hands[0], *hands[1], *played, *discarded]
    table = {
        "deck": [*dealt, *deck],
        "dealt": len(dealt),
        "fireworks": tops,
        "points": sum(tops),
        "discards": np.bincount(discarded, minlength=colours * ranks).reshape(colours, ranks),
        "hints": int(rng.integers(MOST_HINTS + 1)),
        "lives": int(rng.integers(1, MOST_LIVES + 1)),
    }
    hints = _hint(game, dealt, rng, seat)
    return start.replace(**table, **hints, **_log(start, rng, 2 * hand, len(played), len(discarded)))


def _top(rng: np.random.Generator, last_is_held: bool, ranks: int, held: float) -> int:
    """How high a firework is, every height equally often: not complete where the partner holds its last card, which
    is so in a share `held` of all positions, and therefore more often where not."""
    if last_is_held:
        return int(rng.integers(ranks))
    even = 1 / (ranks + 1)
    lower = (even - held / ranks) / (1 - held)
    return int(rng.choice(ranks + 1, p=[*[lower] * ranks, even / (1 - held)]))


def _hint(game: Hanabi, dealt: list[int], rng: np.random.Generator, seat: int) -> dict[str, Any]:
    """Tell both players something of their cards: of the own ones every colour as often as none."""
    colours, ranks, hand = game.colours, game.ranks, game.hand_size
    colours_left, ranks_left = (np.ones((2 * colours * ranks, many), np.int8) for many in (colours, ranks))
    named_colour, named_rank = np.full((2, 2 * colours * ranks), NOTHING)
    for player in range(2):
        share = colours / (colours + 1) if player == seat else _HINTED
        for place in range(player * hand, player * hand + hand):
            colour, rank = divmod(dealt[place], ranks)
            if rng.random() < share:
                colours_left[place] = np.arange(colours) == colour
                named_colour[place] = colour
            if rng.random() < _HINTED:
                ranks_left[place] = np.arange(ranks) == rank
                named_rank[place] = rank
    left = {"colours_left": colours_left, "ranks_left": ranks_left}
    return {**left, "named_colour": named_colour, "named_rank": named_rank}


def _log(start: RecordState, rng: np.random.Generator, first: int, played: int, discarded: int) -> dict[str, Any]:
    """The cards on the table left the hands one after the other; either player is to move as often."""
    hand = first // 2
    moves = played + discarded
    moves -= (moves + int(rng.integers(2))) % 2
    actions, spent, fitted = list(start.actions), list(start.spent), list(start.fitted)
    for number, card in enumerate(rng.permutation(played + discarded)[:moves].tolist()):
        slot, fits = int(rng.integers(hand)), card < played
        actions[number] = slot + hand * fits  # discards come before plays
        spent[number], fitted[number] = first + card, fits
    return {"moves": moves, "actions": actions, "spent": spent, "fitted": fitted}
