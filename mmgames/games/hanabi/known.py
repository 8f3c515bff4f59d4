"""Hanabi: what a seat sees and knows, and its features.

OpenSpiel's observation encoder judges the features in the tests, number by number.
"""

import numpy as np

from mmgames.games.hanabi.views import HIDDEN, NOTHING
from mmgames.kernels.kernel import inlined, kernel
from mmgames.kernels.kernel_game import NOBODY

MOST_HINTS, MOST_LIVES = 8, 3
COPIES = np.array([[1 if rank == ranks - 1 else 2 + (rank == 0) for rank in range(5)] for ranks in range(6)])
"""How many cards of a rank each colour has, by the number of ranks."""


@inlined
def cards_held(state, seat):
    """How many cards a hand has: after the deck is empty, fewer than slots."""
    held = 0
    while held < state.hands.shape[1] and state.hands[seat, held] != NOTHING:
        held += 1
    return held


@kernel
def shown(state, seat):
    """The colours and the ranks of the cards in a hand, as bits."""
    held_colours = held_ranks = 0
    ranks = state.discards.shape[1]
    for slot in range(cards_held(state, seat)):
        kind = state.deck[state.hands[seat, slot]]
        held_colours |= 1 << kind // ranks
        held_ranks |= 1 << kind % ranks
    return held_colours, held_ranks


@inlined
def meaning_of_hint(state, action):
    """How many places after the mover the hint's target sits, the colour and the rank it names; one is NOTHING."""
    (players, hand), (colours, ranks) = state.hands.shape, state.discards.shape
    hint = action - 2 * hand
    if hint < (players - 1) * colours:
        return 1 + hint // colours, hint % colours, NOTHING
    hint -= (players - 1) * colours
    return 1 + hint // ranks, NOTHING, hint % ranks


@kernel
def hide(state, seat):
    """Make HIDDEN what a seat does not see: its own cards and those that are not dealt yet. NOBODY sees all hands."""
    state.deck[state.dealt :] = HIDDEN
    if seat != NOBODY:
        for slot in range(cards_held(state, seat)):
            state.deck[state.hands[seat, slot]] = HIDDEN


@kernel
def unseen(state, seat, counts):
    """How many cards of each kind a seat does not see: its own and those that are not dealt yet."""
    ranks = state.discards.shape[1]
    for kind in range(state.discards.size):
        colour, rank = kind // ranks, kind % ranks
        counts[kind] = COPIES[ranks, rank] - state.discards[colour, rank] - (state.fireworks[colour] > rank)
    for other in range(len(state.hands)):
        for slot in range(cards_held(state, other) if other != seat else 0):
            counts[state.deck[state.hands[other, slot]]] -= 1


def num_features(players: int, colours: int, ranks: int, hand: int) -> int:
    """The length of the seat's features: hands, table, discards, last move, knowledge of all cards."""
    kinds, cards = colours * ranks, 2 * colours * ranks
    hands = (players - 1) * hand * kinds + players
    table = cards - players * hand + kinds + MOST_HINTS + MOST_LIVES
    last_move = 2 * players + 4 + colours + ranks + 2 * hand + kinds + 2
    return hands + table + cards + last_move + players * hand * (kinds + colours + ranks)


@kernel
def features(state, seat, out):
    """OpenSpiel's observation vector of a seat: every entry 0 or 1, seats counted from this one on."""
    (players, hand), (colours, ranks) = state.hands.shape, state.discards.shape
    kinds, cards, wide = colours * ranks, len(state.deck), colours * ranks + colours + ranks
    out[: out.size - players * hand * wide] = 0.0
    at = 0
    for offset in range(1, players):
        holder = (seat + offset) % players
        for slot in range(cards_held(state, holder)):
            out[at + slot * kinds + state.deck[state.hands[holder, slot]]] = 1.0
        at += hand * kinds
    for offset in range(players):
        out[at + offset] = state.hands[(seat + offset) % players, hand - 1] == NOTHING
    at += players
    out[at : at + cards - state.dealt] = 1.0
    at += cards - players * hand
    for colour in range(colours):
        if state.fireworks[colour]:
            out[at + state.fireworks[colour] - 1] = 1.0
        at += ranks
    out[at : at + state.hints] = 1.0
    at += MOST_HINTS
    out[at : at + state.lives] = 1.0
    at += MOST_LIVES
    for colour in range(colours):
        for rank in range(ranks):
            for copy in range(state.discards[colour, rank]):
                out[at + copy] = 1.0
            at += COPIES[ranks, rank]
    at = last_move_features(state, seat, out, at)
    for offset in range(players):
        holder = (seat + offset) % players
        for slot in range(hand):
            card = out[at : at + wide]  # a slice that is read from 0 lets the compiler copy many at once
            at += wide
            place = state.hands[holder, slot]
            if place == NOTHING:
                card[:] = 0.0
                continue
            for colour in range(colours):
                for rank in range(ranks):
                    card[colour * ranks + rank] = state.colours_left[place, colour] & state.ranks_left[place, rank]
                card[kinds + colour] = state.named_colour[place] == colour
            for rank in range(ranks):
                card[kinds + colours + rank] = state.named_rank[place] == rank


@inlined
def last_move_features(state, seat, out, at):
    """Who did what: play, discard, hint of a colour or a rank; to whom; the named; the slots; the card; its fate."""
    (players, hand), (colours, ranks) = state.hands.shape, state.discards.shape
    end = at + 2 * players + 4 + colours + ranks + 2 * hand + colours * ranks + 2
    if state.moves == 0:
        return end
    last = state.moves - 1
    action, who = state.actions[last], (last - seat) % players
    out[at + who] = 1.0
    what = at + players
    target = what + 4
    named = target + players
    touched = named + colours + ranks
    if action < 2 * hand:
        out[what + (action < hand)] = 1.0
        out[touched + hand + action % hand] = 1.0
        out[touched + 2 * hand + state.deck[state.spent[last]]] = 1.0
        out[end - 2] = state.fitted[last]
        out[end - 1] = state.completed[last]
        return end
    offset, colour, rank = meaning_of_hint(state, action)
    out[what + (2 if rank == NOTHING else 3)] = 1.0
    out[target + (who + offset) % players] = 1.0
    out[named + (colour if rank == NOTHING else colours + rank)] = 1.0
    for slot in range(hand):
        out[touched + slot] = state.touched[last, slot]
    return end
