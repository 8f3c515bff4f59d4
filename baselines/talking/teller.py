"""Hanabi with talk: everybody tells the others their cards, so that all play with open hands."""

import re

from mmgames.agents.base import Agent
from mmgames.baselines.talking.quiet import InnerTurn
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.games._talk.rules import TalkView
from mmgames.games.hanabi.known import COPIES, MOST_HINTS
from mmgames.games.hanabi.views import HIDDEN, HanabiView
from mmgames.games.hanabi.words import LETTERS

Kind = tuple[int, int]
"""Colour and rank, from 0."""
_TOLD = re.compile(r"player_(\d) has ((?:[A-Z]\d ?)+)")


def tell(view: HanabiView, seat: int) -> str:
    """The hands that a seat sees, in words."""
    hints = []
    for other in range(view.players):
        if other != seat:
            cards = " ".join(f"{LETTERS[card.colour]}{card.rank + 1}" for card in view.hand(other))
            hints.append(f"player_{other} has {cards}")
    return "; ".join(hints)


def own_cards(view: TalkView) -> list[Kind] | None:
    """The own cards as others have told them before this move; None where nobody has."""
    for one in reversed(view.heard):
        if one.move == view.moves and one.sender != view.seat:
            for seat, cards in _TOLD.findall(one.words):
                if int(seat) == view.seat:
                    return [(LETTERS.index(card[0]), int(card[1]) - 1) for card in cards.split()]
    return None


def open_move(view: HanabiView, own: list[Kind]) -> tuple[str, int]:
    """What to do with open hands: ("Play", slot), ("Discard", slot) or ("Reveal", 0) for any hint."""
    fits = [slot for slot, (colour, rank) in enumerate(own) if rank == view.fireworks[colour]]
    if fits:
        return "Play", min(fits, key=lambda slot: own[slot][1] if own[slot][1] < view.ranks - 1 else -1)
    cards = [card for seat in range(view.players) if seat != view.seat for card in view.hand(seat)]
    others = {(card.colour, card.rank) for card in cards if card.rank != HIDDEN}
    useless = [n for n, kind in enumerate(own) if _is_dead(view, kind) or kind in others or kind in own[:n]]
    may_discard = view.hints < MOST_HINTS
    to_spare = view.points + view.deck + view.players - view.colours * view.ranks
    if view.hints > 0 and not (may_discard and useless and to_spare > 0):
        return "Reveal", 0
    if useless:
        return "Discard", useless[0]
    return "Discard", max(range(len(own)), key=lambda slot: (_left(view, own[slot]) > 1, own[slot][1]))


def _is_dead(view: HanabiView, kind: Kind) -> bool:
    """Whether a card can never be played any more."""
    colour, rank = kind
    gone = any(_left(view, (colour, lower)) == 0 for lower in range(view.fireworks[colour], rank))
    return rank < view.fireworks[colour] or gone


def _left(view: HanabiView, kind: Kind) -> int:
    """How many cards of a kind are not on the discard pile."""
    return int(COPIES[view.ranks][kind[1]]) - view.discards[kind[0]][kind[1]]


class Teller(Agent):
    """Tells everybody their cards before each move, and plays by what it is told; with nobody to tell it, it hints."""

    def act(self, turn: Turn) -> str:
        view: TalkView = turn.view
        if not isinstance(view.inner, HanabiView) or view.seat is None:
            raise MmgamesError(f"teller plays Hanabi with talk, not {turn.game.spec.id}.")
        if view.talking:
            return tell(view.inner, view.seat)
        names = list(InnerTurn(turn).names.values())
        own = own_cards(view)
        what, slot = ("Reveal", 0) if own is None else open_move(view.inner, own)
        wished = f"({what} {slot})"
        if wished in names:
            return wished
        return next((name for name in names if name.startswith(f"({what}")), names[0])
