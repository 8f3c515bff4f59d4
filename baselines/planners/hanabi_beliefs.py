"""What everybody at Hanabi's table believes about every card, by the conventions that Hanabi's agents share.

The conventions. A hint that points at new cards is about one of them: about the card its holder would discard next if
that is among them, else about the newest. It promises that this card can be played now; or, if it is the one to be
discarded next, that it can be played or must not be lost. A hint that points at known cards only and does not speak for
itself promises that the newest of them can be played.

What everybody believes follows from the moves alone. It is kept in a `mind`, an array made by going through the log of
moves, the same for all seats; sets of kinds of cards are bits of an integer.
"""

from mmgames.games.hanabi.kernel import (
    COLOURS,
    COPIES,
    DECK,
    ENTRY_FITS,
    ENTRY_PLACE,
    ENTRY_TOUCHED,
    HAND_SIZE,
    HANDS,
    LOG,
    MOST_CARDS,
    MOST_HAND,
    MOST_SEATS,
    MOVES,
    NOTHING,
    PLAYERS,
    RANKS,
    deck_size,
)
from mmgames.kernels.kernel import kernel

# The mind: the table as it was after the moves gone through so far, and by place in the deck the kinds that hints leave
# possible, the kinds that conventions leave, and whether a hint has pointed at the card.
FIRES = 0
HELD = FIRES + MOST_SEATS
FACTS = HELD + MOST_SEATS * MOST_HAND
BELIEFS = FACTS + MOST_CARDS
CLUED = BELIEFS + MOST_CARDS
DRAWN = CLUED + MOST_CARDS
PLAYABLE, TRASH = DRAWN + 1, DRAWN + 2  # the kinds that can be played, and those that are of no more use
LEFT = DRAWN + 3  # the kinds of which one card, two, three are neither on the table nor on the pile
MIND = LEFT + 3


@kernel
def of_colour(colour, ranks):
    return ((1 << ranks) - 1) << (colour * ranks)


@kernel
def of_rank(rank, colours, ranks):
    kinds = 0
    for colour in range(colours):
        kinds |= 1 << (colour * ranks + rank)
    return kinds


@kernel
def count_kinds(kinds):
    """How many bits are set, 32 at the most."""
    kinds = kinds - ((kinds >> 1) & 0x55555555)
    kinds = (kinds & 0x33333333) + ((kinds >> 2) & 0x33333333)
    return (((kinds + (kinds >> 4)) & 0x0F0F0F0F) * 0x01010101 >> 24) & 63


@kernel
def highest(bits):
    """The place of the highest bit that is set, NOTHING if none is."""
    place = NOTHING
    while bits:
        bits >>= 1
        place += 1
    return place


@kernel
def wake(row, mind):
    """The mind before the first move."""
    colours, ranks, hand = row[COLOURS], row[RANKS], row[HAND_SIZE]
    every = (1 << (colours * ranks)) - 1
    mind[:HELD] = 0
    mind[HELD:FACTS] = NOTHING
    mind[FACTS:CLUED] = every
    mind[CLUED:] = 0
    for seat in range(row[PLAYERS]):
        for slot in range(hand):
            mind[HELD + seat * MOST_HAND + slot] = seat * hand + slot
    mind[DRAWN] = row[PLAYERS] * hand
    mind[PLAYABLE] = of_rank(0, colours, ranks)
    for rank in range(ranks):
        mind[LEFT + COPIES[ranks, rank] - 1] |= of_rank(rank, colours, ranks)


@kernel
def lay_out(mind, kind, fits, ranks):
    """A card of this kind goes to its firework or to the pile."""
    colour, bit = kind // ranks, 1 << kind
    mind[FIRES + colour] += fits
    for more in range(3):
        if mind[LEFT + more] & bit:
            mind[LEFT + more] ^= bit
            if more:
                mind[LEFT + more - 1] |= bit
            break
    left = mind[LEFT] | mind[LEFT + 1] | mind[LEFT + 2]
    reached, following = 0, 1 << (colour * ranks + mind[FIRES + colour])
    whole = of_colour(colour, ranks)
    mind[PLAYABLE] = (mind[PLAYABLE] & ~whole) | (following & whole & left)
    while following & whole & left:
        reached |= following
        following <<= 1
    mind[TRASH] = (mind[TRASH] & ~whole) | (whole & ~reached)


@kernel
def clued_slots(mind, seat, hand):
    """The slots of a hand at whose cards hints have pointed, and the oldest other one or NOTHING."""
    clued, oldest = 0, NOTHING
    for slot in range(hand):
        place = mind[HELD + seat * MOST_HAND + slot]
        if place == NOTHING:
            break
        if mind[CLUED + place]:
            clued |= 1 << slot
        elif oldest == NOTHING:
            oldest = slot
    return clued, oldest


@kernel
def left_by(facts, belief, kinds, hit):
    """The facts and beliefs about a card after a hint that names `kinds`."""
    left = kinds if hit else ~kinds
    belief &= left
    return facts & left, belief if belief else facts & left


@kernel
def meant_by_hint(mind, colours, ranks, rank, touched, clued, oldest):
    """The slot that a hint is about, and the kinds it may mean. `rank` is NOTHING when a colour is named."""
    fresh = touched & ~clued
    meant = mind[PLAYABLE]
    if oldest == NOTHING or not (touched >> oldest) & 1:
        return highest(fresh if fresh else touched), meant
    critical = mind[LEFT] & ~mind[TRASH]
    if rank == NOTHING:
        critical &= ~of_rank(ranks - 1, colours, ranks)  # the highest cards are saved by rank
    elif rank == 1 and ranks > 3:
        critical |= of_rank(1, colours, ranks)  # 2s are few and needed early
    return oldest, meant | critical


@kernel
def belief_after_hint(mind, belief, meant, fresh):
    """What is believed of the card that a hint is about; one that was known may speak for itself."""
    if belief & meant and (fresh or belief & ~mind[TRASH] & ~mind[PLAYABLE]):
        return belief & meant
    return belief


@kernel
def learn(row, mind, number):
    """The mind after one more move of the log."""
    players, colours, ranks, hand = row[PLAYERS], row[COLOURS], row[RANKS], row[HAND_SIZE]
    entry, seat = row[LOG + number], number % players
    action = entry & 63
    if action < 2 * hand:
        lay_out(mind, row[DECK + ((entry >> ENTRY_PLACE) & 63)], (entry >> ENTRY_FITS) & 1, ranks)
        first = HELD + seat * MOST_HAND
        for slot in range(action if action < hand else action - hand, hand - 1):
            mind[first + slot] = mind[first + slot + 1]
        mind[first + hand - 1] = NOTHING
        if mind[DRAWN] < deck_size(row):
            mind[first + hand - 1] = mind[DRAWN]
            mind[DRAWN] += 1
        return
    touched = (entry >> ENTRY_TOUCHED) & 31
    hint = action - 2 * hand
    if hint < (players - 1) * colours:
        target, rank, kinds = hint // colours, NOTHING, of_colour(hint % colours, ranks)
    else:
        hint -= (players - 1) * colours
        target, rank, kinds = hint // ranks, hint % ranks, of_rank(hint % ranks, colours, ranks)
    target = (seat + 1 + target) % players
    clued, oldest = clued_slots(mind, target, hand)
    focus, meant = meant_by_hint(mind, colours, ranks, rank, touched, clued, oldest)
    for slot in range(hand):
        place = mind[HELD + target * MOST_HAND + slot]
        if place == NOTHING:
            break
        hit = (touched >> slot) & 1
        facts, belief = left_by(mind[FACTS + place], mind[BELIEFS + place], kinds, hit)
        if slot == focus:
            belief = belief_after_hint(mind, belief, meant, touched & ~clued)
        mind[FACTS + place] = facts
        mind[BELIEFS + place] = belief
        mind[CLUED + place] |= hit


@kernel
def think(row, mind):
    """The mind after all moves of the log."""
    wake(row, mind)
    for number in range(row[MOVES]):
        learn(row, mind, number)


@kernel
def taken_for(facts, belief, clued, unseen_kinds, trash):
    """The kinds that a holder takes a card for; one that was pointed at is useful if it can be."""
    kinds = facts & unseen_kinds
    if clued:
        kinds = belief & unseen_kinds if belief & unseen_kinds else kinds
        kinds = kinds & ~trash if kinds & ~trash else kinds
    return kinds


@kernel
def taken_in_hand(mind, place, unseen_kinds, trash):
    return taken_for(mind[FACTS + place], mind[BELIEFS + place], mind[CLUED + place], unseen_kinds, trash)


@kernel
def unseen_by(row, mind, seat, other):
    """The kinds of which a seat, or two seats together, do not see all cards."""
    once = twice = thrice = 0
    for holder in range(row[PLAYERS]):
        if holder in (seat, other):
            continue
        for slot in range(row[HAND_SIZE]):
            place = row[HANDS + holder * MOST_HAND + slot]
            if place != NOTHING:
                bit = 1 << row[DECK + place]
                thrice |= twice & bit
                twice |= once & bit
                once |= bit
    return (mind[LEFT] & ~once) | (mind[LEFT + 1] & ~twice) | (mind[LEFT + 2] & ~thrice)
