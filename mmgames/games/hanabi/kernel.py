"""Hanabi as compiled kernels over one row of integers.

The row holds the whole deck in the order in which it is dealt; a hand lists places in the deck, and what is known
about a card is kept by its place too. Hiding a card from somebody means hiding one entry of the deck. OpenSpiel's
engine judges the kernels in the tests, move by move, and its observation encoder the features, number by number. All
of them read the row by its layout below, so they stay in one file.
"""

from __future__ import annotations

import numpy as np

from mmgames.kernels.kernel import below, fork, kernel, scramble
from mmgames.kernels.kernel_game import NOBODY

MOST_SEATS, MOST_COLOURS, MOST_RANKS, MOST_HAND, MOST_CARDS, MOST_MOVES = 5, 5, 5, 5, 50, 90
MOST_KINDS = MOST_COLOURS * MOST_RANKS
HIDDEN = -1
NOTHING = -1

# The row. First the settings of the game, which every start finds there and leaves alone.
PLAYERS, COLOURS, RANKS, HAND_SIZE, MOST_HINTS, MOST_LIVES, KEEPS_POINTS = range(7)
SETTINGS = 7
# Then where the game stands. LAST_TURNS counts down once the deck is empty.
MOVES, HINTS, LIVES, DEALT, LAST_TURNS, POINTS, OVER = range(SETTINGS, SETTINGS + 7)
FIREWORKS = OVER + 1  # by colour: how many cards lie in it
DISCARDS = FIREWORKS + MOST_COLOURS  # by kind: how many lie on the discard pile
HANDS = DISCARDS + MOST_KINDS  # by seat and slot: a place in the deck, or NOTHING; slot 0 is the oldest card
TOLD = HANDS + MOST_SEATS * MOST_HAND  # by place in the deck: what hints have said about the card
LOG = TOLD + MOST_CARDS  # one entry per move
DECK = LOG + MOST_MOVES  # the kinds of the cards, colour * ranks + rank, or HIDDEN
WIDTH = DECK + MOST_CARDS

# What hints have said of a card: the colours and ranks it can still have, and whether one was named for it.
COLOUR_BITS, RANK_BITS = 0, MOST_COLOURS
COLOUR_NAMED, RANK_NAMED = 1 << 10, 1 << 11

# An entry of the log: the action, the place of the card that left the hand, whether it fitted its firework, the slots
# that a hint touched, and whether a firework was completed and gave a hint token back.
ENTRY_ACTION, ENTRY_PLACE, ENTRY_FITS, ENTRY_TOUCHED, ENTRY_TOKEN = 0, 6, 12, 13, 18


# How many cards of a rank each colour has, by the number of ranks.
COPIES = np.array([[1 if rank == ranks - 1 else 2 + (rank == 0) for rank in range(MOST_RANKS)] for ranks in range(6)])


@kernel
def deck_size(row):
    return row[COLOURS] * (2 * row[RANKS])


@kernel
def set_up(row):
    """Everything as before the first card is dealt; the deck is not looked at."""
    row[SETTINGS:LOG] = 0
    row[LOG:DECK] = NOTHING
    row[HINTS] = row[MOST_HINTS]
    row[LIVES] = row[MOST_LIVES]
    row[LAST_TURNS] = row[PLAYERS]
    row[HANDS:TOLD] = NOTHING
    anything = ((1 << row[COLOURS]) - 1) | (((1 << row[RANKS]) - 1) << RANK_BITS)
    row[TOLD : TOLD + deck_size(row)] = anything


@kernel
def draw(row, seat):
    """The next card of the deck goes to a seat's empty slot."""
    first = HANDS + seat * MOST_HAND
    for slot in range(row[HAND_SIZE]):
        if row[first + slot] == NOTHING:
            row[first + slot] = row[DEALT]
            row[DEALT] += 1
            return


@kernel
def deal_hands(row):
    for seat in range(row[PLAYERS]):
        for _ in range(row[HAND_SIZE]):
            draw(row, seat)


@kernel
def shuffle(row, first, end, noise):
    for place in range(end - 1, first, -1):
        noise = scramble(noise)
        other = first + below(noise, place - first + 1)
        row[place], row[other] = row[other], row[place]


@kernel
def start(row, noise):
    set_up(row)
    cards = DECK
    for colour in range(row[COLOURS]):
        for rank in range(row[RANKS]):
            for _ in range(COPIES[row[RANKS], rank]):
                row[cards] = colour * row[RANKS] + rank
                cards += 1
    row[cards:] = HIDDEN
    shuffle(row, DECK, cards, noise)
    deal_hands(row)


@kernel
def mover(row):
    return row[MOVES] % row[PLAYERS]


@kernel
def take(row, seat, slot):
    """The card in a slot leaves the hand and the younger ones move up; its place in the deck."""
    first = HANDS + seat * MOST_HAND
    place = row[first + slot]
    for i in range(slot, row[HAND_SIZE] - 1):
        row[first + i] = row[first + i + 1]
    row[first + row[HAND_SIZE] - 1] = NOTHING
    return place


@kernel
def tell(row, seat, colour, rank):
    """Hint a colour or a rank (the other is NOTHING) to a seat; the slots it touches as bits."""
    first = HANDS + seat * MOST_HAND
    touched = 0
    for slot in range(row[HAND_SIZE]):
        place = row[first + slot]
        if place == NOTHING:
            break
        kind = row[DECK + place]
        if colour != NOTHING:
            bit, every, named = 1 << colour, (1 << MOST_COLOURS) - 1, COLOUR_NAMED
            matches = kind // row[RANKS] == colour
        else:
            bit, every, named = 1 << (RANK_BITS + rank), ((1 << MOST_RANKS) - 1) << RANK_BITS, RANK_NAMED
            matches = kind % row[RANKS] == rank
        if matches:
            row[TOLD + place] = (row[TOLD + place] & ~every) | bit | named
            touched |= 1 << slot
        else:
            row[TOLD + place] &= ~bit
    return touched


@kernel
def act(row, action):
    """A legal action of the mover, all but the card that replaces the one that left; says whether one did."""
    seat, hand, colours = mover(row), row[HAND_SIZE], row[COLOURS]
    if row[DEALT] == deck_size(row):
        row[LAST_TURNS] -= 1
    entry = action << ENTRY_ACTION
    left = action < 2 * hand
    if left:
        place = take(row, seat, action % hand)
        kind = row[DECK + place]
        entry |= place << ENTRY_PLACE
        colour, rank = kind // row[RANKS], kind % row[RANKS]
        if action < hand:
            row[DISCARDS + kind] += 1
            row[HINTS] += 1
        elif row[FIREWORKS + colour] == rank:
            row[FIREWORKS + colour] += 1
            row[POINTS] += 1
            entry |= 1 << ENTRY_FITS
            if rank == row[RANKS] - 1 and row[HINTS] < row[MOST_HINTS]:
                row[HINTS] += 1
                entry |= 1 << ENTRY_TOKEN
        else:
            row[DISCARDS + kind] += 1
            row[LIVES] -= 1
    else:
        row[HINTS] -= 1
        hint = action - 2 * hand
        about_colour = hint < (row[PLAYERS] - 1) * colours
        if about_colour:
            touched = tell(row, (seat + 1 + hint // colours) % row[PLAYERS], hint % colours, NOTHING)
        else:
            hint -= (row[PLAYERS] - 1) * colours
            touched = tell(row, (seat + 1 + hint // row[RANKS]) % row[PLAYERS], NOTHING, hint % row[RANKS])
        entry |= touched << ENTRY_TOUCHED
    row[LOG + row[MOVES]] = entry
    row[MOVES] += 1
    if row[LIVES] == 0:
        row[OVER] = 1
        if not row[KEEPS_POINTS]:
            row[POINTS] = 0
    elif row[LAST_TURNS] == 0 or row[POINTS] == colours * row[RANKS]:
        row[OVER] = 1
    return left


@kernel
def advance(row, action):
    """A legal action of the mover and the card drawn after it."""
    seat = mover(row)
    if act(row, action) and not row[OVER] and row[DEALT] < deck_size(row):
        draw(row, seat)


@kernel
def step(row, actions, noise):
    advance(row, actions[mover(row)])


@kernel
def turn(row):
    return NOBODY if row[OVER] else mover(row)


@kernel
def returns(row, out):
    out[:] = row[POINTS]


@kernel
def held_kinds(row, seat):
    """The colours and the ranks of the cards in a hand, as bits."""
    colours = ranks = 0
    for slot in range(row[HAND_SIZE]):
        place = row[HANDS + seat * MOST_HAND + slot]
        if place != NOTHING:
            colours |= 1 << row[DECK + place] // row[RANKS]
            ranks |= 1 << row[DECK + place] % row[RANKS]
    return colours, ranks


@kernel
def moves(row, seat, out):
    """Discards, plays, hints of colours and hints of ranks, each in order."""
    hand, colours, ranks, n = row[HAND_SIZE], row[COLOURS], row[RANKS], 0
    held = 0
    while held < hand and row[HANDS + seat * MOST_HAND + held] != NOTHING:
        held += 1
    for slot in range(held if row[HINTS] < row[MOST_HINTS] else 0):
        out[n] = slot
        n += 1
    for slot in range(held):
        out[n] = hand + slot
        n += 1
    if row[HINTS] == 0:
        return n
    others = row[PLAYERS] - 1
    for offset in range(others):
        shown, _ = held_kinds(row, (seat + 1 + offset) % row[PLAYERS])
        for colour in range(colours):
            if shown >> colour & 1:
                out[n] = 2 * hand + offset * colours + colour
                n += 1
    for offset in range(others):
        _, shown = held_kinds(row, (seat + 1 + offset) % row[PLAYERS])
        for rank in range(ranks):
            if shown >> rank & 1:
                out[n] = 2 * hand + others * colours + offset * ranks + rank
                n += 1
    return n


@kernel
def mask(row, seat, out):
    """1 for each legal action of a seat; all 0 when it is not to move."""
    out[:] = 0
    if turn(row) == seat:
        legal = np.empty(out.size, np.int64)
        for k in range(moves(row, seat, legal)):
            out[legal[k]] = 1


@kernel
def hide(row, seat):
    """Make HIDDEN what a seat does not see: its own cards and those that are not dealt yet. NOBODY sees all hands."""
    row[DECK + row[DEALT] :] = HIDDEN
    if seat == NOBODY:
        return
    for slot in range(row[HAND_SIZE]):
        place = row[HANDS + seat * MOST_HAND + slot]
        if place != NOTHING:
            row[DECK + place] = HIDDEN


@kernel
def unseen(row, seat, counts):
    """How many cards of each kind a seat does not see: its own and those that are not dealt yet."""
    ranks = row[RANKS]
    for kind in range(row[COLOURS] * ranks):
        played = row[FIREWORKS + kind // ranks] > kind % ranks
        counts[kind] = COPIES[ranks, kind % ranks] - row[DISCARDS + kind] - played
    for other in range(row[PLAYERS]):
        for slot in range(row[HAND_SIZE]):
            place = row[HANDS + other * MOST_HAND + slot]
            if other != seat and place != NOTHING:
                counts[row[DECK + place]] -= 1


@kernel
def told_kinds(row, place):
    """The kinds that hints leave possible for a card, as bits."""
    told, ranks, kinds = row[TOLD + place], row[RANKS], 0
    for colour in range(row[COLOURS]):
        if (told >> colour) & 1:
            kinds |= ((told >> RANK_BITS) & ((1 << ranks) - 1)) << (colour * ranks)
    return kinds


@kernel
def deal_anew(row, seat, allowed, noise, tries):
    """Deal a seat's own cards and the rest of the deck anew; says whether it could in so many tries.

    `allowed` holds the kinds each slot may get, as bits. Every such hand that the unseen cards can make is equally
    likely: slots are drawn one by one with the unseen counts as weights, and a hand is kept with the probability that
    corrects for drawing with replacement.
    """
    kinds, first = row[COLOURS] * row[RANKS], HANDS + seat * MOST_HAND
    counts, used = np.zeros(MOST_KINDS, np.int32), np.zeros(MOST_KINDS, np.int32)
    unseen(row, seat, counts)
    kept = False
    while not kept and tries > 0:
        kept, tries = True, tries - 1
        used[:] = 0
        for slot in range(row[HAND_SIZE]):
            place = row[first + slot]
            if place == NOTHING:
                break
            total = 0
            for kind in range(kinds):
                total += counts[kind] * ((allowed[slot] >> kind) & 1)
            if total == 0:
                return False
            noise = scramble(noise)
            pick = below(noise, total)
            chosen = -1
            while pick >= 0:
                chosen += 1
                pick -= counts[chosen] * ((allowed[slot] >> chosen) & 1)
            noise = scramble(noise)
            if below(noise, counts[chosen]) < used[chosen]:
                kept = False
                break
            used[chosen] += 1
            row[DECK + place] = chosen
    if not kept:
        return False
    end = DECK + row[DEALT]
    for kind in range(kinds):
        for _ in range(counts[kind] - used[kind]):
            row[end] = kind
            end += 1
    shuffle(row, DECK + row[DEALT], end, noise)
    return True


@kernel
def imagine(row, seat, noise):
    """Deal anew what a seat does not see, as likely as all it has seen and been told makes it."""
    allowed = np.zeros(MOST_HAND, np.int32)
    for slot in range(row[HAND_SIZE]):
        place = row[HANDS + seat * MOST_HAND + slot]
        if place != NOTHING:
            allowed[slot] = told_kinds(row, place)
    attempt = 0
    while not deal_anew(row, seat, allowed, fork(noise, attempt), 1000):
        attempt += 1


def _knowledge(colours: int, ranks: int) -> np.ndarray:
    """By what hints have said of a card: the kinds it can be, the colour and the rank that were named, as 0 and 1."""
    told = np.arange(1 << 12)
    colour_left = told[:, None] >> np.arange(colours) & 1
    rank_left = told[:, None] >> (RANK_BITS + np.arange(ranks)) & 1
    kinds = (colour_left[:, :, None] & rank_left[:, None, :]).reshape(len(told), -1)
    named = [colour_left * (told & COLOUR_NAMED > 0)[:, None], rank_left * (told & RANK_NAMED > 0)[:, None]]
    return np.concatenate([kinds, *named], axis=1).astype(np.int8)


KNOWLEDGE = np.zeros((2, 1 << 12, MOST_KINDS + MOST_COLOURS + MOST_RANKS), np.int8)
KNOWLEDGE[0, :, :11] = _knowledge(2, 3)
KNOWLEDGE[1] = _knowledge(5, 5)


def num_features(players: int, colours: int, ranks: int, hand_size: int, hints: int, lives: int) -> int:
    """The length of the seat's features: hands, table, discards, last move, knowledge of all cards."""
    kinds, cards = colours * ranks, 2 * colours * ranks
    hands = (players - 1) * hand_size * kinds + players
    table = cards - players * hand_size + kinds + hints + lives
    last_move = 2 * players + 4 + colours + ranks + 2 * hand_size + kinds + 2
    return hands + table + cards + last_move + players * hand_size * (kinds + colours + ranks)


@kernel
def features(row, seat, out):
    """OpenSpiel's observation vector of a seat: every entry 0 or 1, seats counted from this one on."""
    players, colours, ranks, hand = row[PLAYERS], row[COLOURS], row[RANKS], row[HAND_SIZE]
    kinds = colours * ranks
    out[: out.size - players * hand * (kinds + colours + ranks)] = 0.0
    at = 0
    for offset in range(1, players):
        first = HANDS + (seat + offset) % players * MOST_HAND
        for slot in range(hand):
            if row[first + slot] != NOTHING:
                out[at + row[DECK + row[first + slot]]] = 1.0
            at += kinds
    for offset in range(players):
        if row[HANDS + (seat + offset) % players * MOST_HAND + hand - 1] == NOTHING:
            out[at + offset] = 1.0
    at += players
    out[at : at + deck_size(row) - row[DEALT]] = 1.0
    at += deck_size(row) - players * hand
    for colour in range(colours):
        if row[FIREWORKS + colour]:
            out[at + row[FIREWORKS + colour] - 1] = 1.0
        at += ranks
    out[at : at + row[HINTS]] = 1.0
    at += row[MOST_HINTS]
    out[at : at + row[LIVES]] = 1.0
    at += row[MOST_LIVES]
    for colour in range(colours):
        for rank in range(ranks):
            for copy in range(row[DISCARDS + colour * ranks + rank]):
                out[at + copy] = 1.0
            at += COPIES[ranks, rank]
    at = last_move_features(row, seat, out, at)
    wide, table = kinds + colours + ranks, KNOWLEDGE[1 if ranks == MOST_RANKS else 0]
    for offset in range(players):
        first = HANDS + (seat + offset) % players * MOST_HAND
        for slot in range(hand):
            known = table[row[TOLD + row[first + slot]] if row[first + slot] != NOTHING else 0]
            card = out[at : at + wide]  # a slice that is read from 0 lets the compiler copy many at once
            for i in range(wide):
                card[i] = known[i]
            at += wide


@kernel
def last_move_features(row, seat, out, at):
    players, colours, ranks, hand = row[PLAYERS], row[COLOURS], row[RANKS], row[HAND_SIZE]
    end = at + 2 * players + 4 + colours + ranks + 2 * hand + colours * ranks + 2
    if row[MOVES] == 0:
        return end
    entry = row[LOG + row[MOVES] - 1]
    action = entry & 63
    who = (row[MOVES] - 1 - seat) % players
    out[at + who] = 1.0
    at += players
    about_slot = at + 4 + players + colours + ranks + hand
    if action < 2 * hand:
        out[at + (action < hand)] = 1.0
        out[about_slot + action % hand] = 1.0
        out[about_slot + hand + row[DECK + ((entry >> ENTRY_PLACE) & 63)]] = 1.0
        out[end - 2] = (entry >> ENTRY_FITS) & 1
        out[end - 1] = (entry >> ENTRY_TOKEN) & 1
        return end
    hint = action - 2 * hand
    if hint < (players - 1) * colours:
        out[at + 2] = 1.0
        target = hint // colours
        out[at + 4 + players + hint % colours] = 1.0
    else:
        out[at + 3] = 1.0
        hint -= (players - 1) * colours
        target = hint // ranks
        out[at + 4 + players + colours + hint % ranks] = 1.0
    out[at + 4 + (who + 1 + target) % players] = 1.0
    for slot in range(hand):
        out[at + 4 + players + colours + ranks + slot] = (entry >> (ENTRY_TOUCHED + slot)) & 1
    return end
