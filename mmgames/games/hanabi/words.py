"""Hanabi in words. Slots count from 0, the oldest card; ranks are told as they stand on the cards, from 1."""

from functools import lru_cache

import numpy as np

from mmgames.core.game import Seat
from mmgames.core.game_modules import always
from mmgames.games.hanabi.known import COPIES, MOST_HINTS, MOST_LIVES
from mmgames.games.hanabi.rules import moves
from mmgames.games.hanabi.views import HIDDEN, Card, HanabiView, Move, Size
from mmgames.kernels.kernel_game import ask
from mmgames.text.facts import Count, Fact
from mmgames.text.plain import ORDINALS
from mmgames.text.prose import paragraphs

LETTERS = "RYGWB"
COLOURS = ("red", "yellow", "green", "white", "blue")
_SAID = paragraphs(__package__, "words")
_RULES = ("fireworks", "turns", "play", "discard", "reveal", "end")
COUNTS = ("no", "one", "two", "three", "four", "five")


def names(view: HanabiView) -> dict[int, str]:
    return dict(_names(view))


@lru_cache(maxsize=16)
def _names(view: HanabiView) -> dict[int, str]:
    if view.seat is None or view.seat != view.mover:
        return {}
    every = _action_names(view.size)
    legal = np.empty(len(every), np.int64)
    many = ask(moves, view.state, view.seat, legal)
    return {action: every[action] for action in legal[:many].tolist()}


def plain(view: HanabiView) -> dict[int, str]:
    """For people: cards counted from 1, and partners by their names."""
    return {action: _plain(view.size, view.seat or 0)[action] for action in names(view)}


@lru_cache(maxsize=32)
def _plain(size: Size, seat: Seat) -> list[str]:
    players, colours, ranks, hand = size
    others = [f"Player {(seat + offset) % players}" for offset in range(1, players)]
    told = ["your partner"] if players == 2 else others
    return [
        *(f"Discard your {ORDINALS[slot]} card" for slot in range(hand)),
        *(f"Play your {ORDINALS[slot]} card" for slot in range(hand)),
        *(f"Tell {who}: {colour}" for who in told for colour in COLOURS[:colours]),
        *(f"Tell {who}: {rank + 1}s" for who in told for rank in range(ranks)),
    ]


def possible(view: HanabiView, seat: Seat) -> dict[int, str]:
    """What another player might do. Which hints fit the viewer's own cards it cannot see, so all of these are there."""
    players, colours, ranks, hand = view.size
    held = [len(view.hand(other)) for other in range(players)]
    every = _action_names(view.size)
    found = [*range(held[seat])] if view.hints < MOST_HINTS else []
    found += range(hand, hand + held[seat])
    cards = [view.hand((seat + offset) % players) for offset in range(1, players)] if view.hints else []
    for kinds, first, what in ((colours, 2 * hand, "colour"), (ranks, 2 * hand + (players - 1) * colours, "rank")):
        for offset, shown in enumerate(cards):
            seen = {getattr(card, what) for card in shown}
            found += [first + offset * kinds + kind for kind in range(kinds) if kind in seen or HIDDEN in seen]
    return {action: every[action] for action in found}


@lru_cache(maxsize=8)
def _action_names(size: Size) -> list[str]:
    """The names of all actions, in OpenSpiel's order."""
    players, colours, ranks, hand = size
    offsets = range(1, players)
    return [
        *(f"(Discard {slot})" for slot in range(hand)),
        *(f"(Play {slot})" for slot in range(hand)),
        *(f"(Reveal player +{offset} color {letter})" for offset in offsets for letter in LETTERS[:colours]),
        *(f"(Reveal player +{offset} rank {rank + 1})" for offset in offsets for rank in range(ranks)),
    ]


def aliases(view: HanabiView) -> dict[str, int]:
    """The other spelling of colour, and colours by their names, mean the same."""
    return _aliases(view.size)


@lru_cache(maxsize=8)
def _aliases(size: Size) -> dict[str, int]:
    found: dict[str, int] = {}
    for action, name in enumerate(_action_names(size)):
        words = name.split()
        if "color" in words:
            start, letter = name[: name.index("color")], words[-1].rstrip(")")
            colour = COLOURS[LETTERS.index(letter)]
            found |= {f"{start}colour {letter})": action, f"{start}colour {colour})": action}
            found[f"{start}color {colour})"] = action
    return found


def rules(view: HanabiView) -> str:
    return _rules(view.size, view.keeps_points)


@lru_cache(maxsize=16)
def _rules(size: Size, keeps_points: bool) -> str:
    players, colours, ranks, hand = size
    letters = ", ".join(f"{COLOURS[colour]} ({LETTERS[colour]})" for colour in range(colours))
    copies = ", ".join(f"{COUNTS[COPIES[ranks][rank]]} {rank + 1}" + "s" * (rank < ranks - 1) for rank in range(ranks))
    bombed = "the points so far are kept" if keeps_points else "all points are lost"
    told = dict(letters=letters, copies=copies, bombed=bombed, ranks=ranks, hand=hand, cards=2 * colours * ranks)
    told |= dict(partners="partner" if players == 2 else "partners", players=COUNTS[players])
    return "\n".join(_SAID[part] for part in _RULES).format(lives=MOST_LIVES, hints=MOST_HINTS, **told)


def you(view: HanabiView) -> str:
    if view.seat is None:
        return "You are watching and see all hands."
    others = [f"+{offset} is player_{(view.seat + offset) % view.players}" for offset in range(1, view.players)]
    most = view.colours * view.ranks
    return (
        f"You are player_{view.seat}; {', '.join(others)}. The whole team shares its points, {most} at most: "
        "help it to as many as you can."
    )


legend = always(_SAID["legend"])


def notation(view: HanabiView) -> str:
    last = view.size[3] - 1
    return (
        "An action is written with its brackets, such as (Play 0), "
        f"(Discard {last}), (Reveal player +1 color {LETTERS[0]}) or (Reveal player +1 rank 1)."
    )


def history(view: HanabiView) -> str:
    """What the picture does not show: how far the game is, whose turn it is, how it ended."""
    return _standing(view)


def _standing(view: HanabiView) -> str:
    if view.over:
        points = "1 point" if view.points == 1 else f"{view.points} points"
        return f"The game is over after {view.moves} moves: {_ending(view)} The team has {points}."
    whose = "your turn" if view.mover == view.seat else f"the turn of player_{view.mover}"
    left = view.last_turns
    last_turns = (
        "" if left is None else f" The deck is empty: {left} more turn{'s' if left != 1 else ''}, this one included."
    )
    return f"Move {view.moves + 1}: {whose}.{last_turns}"


def ending(view: HanabiView) -> str:
    return f"{view.points} of {view.colours * view.ranks} points: {_ending(view)}"


def describe(view: HanabiView) -> str:
    """The whole view: table, hands with what their holders know, discard pile, everybody's last two moves."""
    fireworks = ", ".join(f"{COLOURS[colour]} {top}" for colour, top in enumerate(view.fireworks))
    lines = [
        _standing(view),
        f"Fireworks (highest card of each colour): {fireworks}.",
        f"Hint tokens: {view.hints} of {MOST_HINTS}. Lives: {view.lives}. Cards in the deck: {view.deck}. "
        f"Points: {view.points}.",
        f"Discard pile: {_pile(view)}.",
    ]
    first = view.seat or 0
    for offset in range(view.players):
        lines += _hand(view, (first + offset) % view.players)
    moves = view.last_moves(2 * view.players)
    if moves:
        lines += ["The last moves, the newest at the end:", *(f"- {_told(view, move)}" for move in moves)]
    return "\n".join(lines)


def facts(view: HanabiView) -> list[Fact | Count]:
    """The cards of the others, and what lies on the table."""
    cards = {
        said: _card(colour, rank)
        for colour in range(view.colours)
        for rank in range(view.ranks)
        for said in (f"{COLOURS[colour]} {rank + 1}", _card(colour, rank))
    }
    found: list[Fact | Count] = [Count("hint tokens", view.hints), Count("lives", view.lives)]
    for seat in range(view.players):
        owners = (f"player_{seat}", *(("partner",) if view.players == 2 else ()))
        found += [
            Fact((f"slot {slot}",), _card(card.colour, card.rank), cards, owners)
            for slot, card in enumerate(view.hand(seat))
            if card.rank != HIDDEN and seat != view.seat
        ]
    return found


def slips(view: HanabiView, action: int) -> list[str]:
    """A card is played that cannot fit, whatever hints leave it to be."""
    slot = action - view.size[3]
    if view.seat is None or not 0 <= slot < view.size[3]:
        return []
    card = view.hand(view.seat)[slot]
    return ["ignored history"] * (not any(view.fireworks[colour] in card.ranks for colour in card.colours))


def _hand(view: HanabiView, seat: int) -> list[str]:
    own = seat == view.seat
    lines = ["Your hand, which you cannot see:" if own else f"The hand of player_{seat}:"]
    who = "you know" if own else "its holder knows"
    for slot, card in enumerate(view.hand(seat)):
        shown = "" if card.rank == HIDDEN else f"{_card(card.colour, card.rank)}; "
        lines.append(f"- slot {slot}: {shown}{who}: {_knowledge(view, card)}")
    return lines


def _knowledge(view: HanabiView, card: Card) -> str:
    """What hints have said about a card: named outright, ruled out, or nothing."""
    colour = _alternatives("colour", [COLOURS[c] for c in card.colours], view.colours, card.colour_named)
    rank = _alternatives("rank", [str(r + 1) for r in card.ranks], view.ranks, card.rank_named)
    return f"{colour}, {rank}"


def _alternatives(what: str, left: list[str], every: int, named: bool) -> str:
    if named:
        return f"{what} {left[0]} (hinted)"
    return f"any {what}" if len(left) == every else f"{what} {' or '.join(left)}"


def _pile(view: HanabiView) -> str:
    thrown = [
        _card(colour, rank) + (f" ×{count}" if count > 1 else "")
        for colour, counts in enumerate(view.discards)
        for rank, count in enumerate(counts)
        if count
    ]
    return ", ".join(thrown) or "empty"


def _told(view: HanabiView, move: Move) -> str:
    who = "you" if move.seat == view.seat else f"player_{move.seat}"
    if move.kind == "play":
        fate = "it fitted" if move.fits else "it did not fit and cost a life"
        return f"{who} played slot {move.slot}, {_card(move.colour, move.rank)}: {fate}."
    if move.kind == "discard":
        return f"{who} discarded slot {move.slot}, {_card(move.colour, move.rank)}."
    about = f"rank {move.rank + 1}" if move.kind == "rank" else f"colour {COLOURS[move.colour]}"
    slots = ", ".join(map(str, move.touched))
    target = "you" if move.target == view.seat else f"player_{move.target}"
    return f"{who} hinted {target} {about}: slot{'s' if len(move.touched) > 1 else ''} {slots}."


def _card(colour: int, rank: int) -> str:
    return f"{LETTERS[colour]}{rank + 1}"


def _ending(view: HanabiView) -> str:
    if view.lives == 0:
        return "the last life is lost."
    if view.points == view.colours * view.ranks:
        return "all fireworks are complete."
    return "the deck is empty and everybody has had the last turn."
