"""What everybody at Hanabi's table believes about every card, by the conventions that Hanabi's agents share.

The conventions. A hint that points at new cards is about one of them: about the card its holder would discard next if
that is among them, else about the newest. It promises that this card can be played now; or, if it is the one to be
discarded next, that it can be played or must not be lost. A hint that points at known cards only and does not speak for
itself promises that the newest of them can be played.

What everybody believes follows from the moves alone. It is kept in a `mind`, made by going through the log of moves,
the same for all seats; sets of kinds of cards are bits of an integer.
"""

import numpy as np

from mmgames.games.hanabi.known import COPIES, cards_held, meaning_of_hint
from mmgames.games.hanabi.views import NOTHING
from mmgames.kernels.kernel import kernel, new_states
from mmgames.kernels.records import int8, int32, record

MOST_PLAYERS, MOST_COLOURS, MOST_HAND, MOST_CARDS = 5, 5, 5, 50

MIND = record(
    # The table as it was after the moves gone through so far.
    fireworks=(int8, MOST_COLOURS),
    hands=(int8, (MOST_PLAYERS, MOST_HAND)),
    dealt=int8,
    # By place in the deck: the kinds that hints leave possible, the kinds that conventions leave, and whether a hint
    # has pointed at the card, 1 or 0.
    facts=(int32, MOST_CARDS),
    beliefs=(int32, MOST_CARDS),
    clued=(int8, MOST_CARDS),
    # The kinds that can be played, those that are of no more use, and those of which one card, two, three are neither
    # on the table nor on the pile.
    playable=int32,
    trash=int32,
    left=(int32, 3),
)
NO_MINDS = np.zeros(0, MIND)


@kernel
def new_minds(count):
    """Room for so many minds."""
    return new_states(NO_MINDS, count)


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
def wake(state, mind):
    """The mind before the first move."""
    (players, hand), (colours, ranks) = state.hands.shape, state.discards.shape
    every = (1 << (colours * ranks)) - 1
    mind.fireworks[:] = 0
    mind.hands[:, :] = NOTHING
    mind.facts[:] = every
    mind.beliefs[:] = every
    mind.clued[:] = 0
    for seat in range(players):
        for slot in range(hand):
            mind.hands[seat, slot] = seat * hand + slot
    mind.dealt = players * hand
    mind.playable = of_rank(0, colours, ranks)
    mind.trash = 0
    mind.left[:] = 0
    for rank in range(ranks):
        mind.left[COPIES[ranks, rank] - 1] |= of_rank(rank, colours, ranks)


@kernel
def lay_out(mind, kind, fits, ranks):
    """A card of this kind goes to its firework or to the pile."""
    colour, bit = kind // ranks, 1 << kind
    mind.fireworks[colour] += fits
    for more in range(3):
        if mind.left[more] & bit:
            mind.left[more] ^= bit
            if more:
                mind.left[more - 1] |= bit
            break
    left = mind.left[0] | mind.left[1] | mind.left[2]
    reached, following = 0, 1 << (colour * ranks + mind.fireworks[colour])
    whole = of_colour(colour, ranks)
    mind.playable = (mind.playable & ~whole) | (following & whole & left)
    while following & whole & left:
        reached |= following
        following <<= 1
    mind.trash = (mind.trash & ~whole) | (whole & ~reached)


@kernel
def clued_slots(mind, seat, hand):
    """The slots of a hand at whose cards hints have pointed, and the oldest other one or NOTHING."""
    clued, oldest = 0, NOTHING
    for slot in range(hand):
        place = mind.hands[seat, slot]
        if place == NOTHING:
            break
        if mind.clued[place]:
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
    meant = mind.playable
    if oldest == NOTHING or not (touched >> oldest) & 1:
        return highest(fresh if fresh else touched), meant
    critical = mind.left[0] & ~mind.trash
    if rank == NOTHING:
        critical &= ~of_rank(ranks - 1, colours, ranks)  # the highest cards are saved by rank
    elif rank == 1 and ranks > 3:
        critical |= of_rank(1, colours, ranks)  # 2s are few and needed early
    return oldest, meant | critical


@kernel
def belief_after_hint(mind, belief, meant, fresh):
    """What is believed of the card that a hint is about; one that was known may speak for itself."""
    if belief & meant and (fresh or belief & ~mind.trash & ~mind.playable):
        return belief & meant
    return belief


@kernel
def learn(state, mind, number):
    """The mind after one more move of the log."""
    (players, hand), (colours, ranks) = state.hands.shape, state.discards.shape
    action, seat = state.actions[number], number % players
    if action < 2 * hand:
        lay_out(mind, state.deck[state.spent[number]], state.fitted[number], ranks)
        for slot in range(action if action < hand else action - hand, hand - 1):
            mind.hands[seat, slot] = mind.hands[seat, slot + 1]
        mind.hands[seat, hand - 1] = NOTHING
        if mind.dealt < len(state.deck):
            mind.hands[seat, hand - 1] = mind.dealt
            mind.dealt += 1
        return
    offset, colour, rank = meaning_of_hint(state, action)
    kinds = of_colour(colour, ranks) if rank == NOTHING else of_rank(rank, colours, ranks)
    target, touched = (seat + offset) % players, 0
    for slot in range(hand):
        touched |= state.touched[number, slot] << slot
    clued, oldest = clued_slots(mind, target, hand)
    focus, meant = meant_by_hint(mind, colours, ranks, rank, touched, clued, oldest)
    for slot in range(hand):
        place = mind.hands[target, slot]
        if place == NOTHING:
            break
        hit = (touched >> slot) & 1
        facts, belief = left_by(mind.facts[place], mind.beliefs[place], kinds, hit)
        if slot == focus:
            belief = belief_after_hint(mind, belief, meant, touched & ~clued)
        mind.facts[place] = facts
        mind.beliefs[place] = belief
        mind.clued[place] |= hit


@kernel
def think(state, mind):
    """The mind after all moves of the log."""
    wake(state, mind)
    for number in range(state.moves):
        learn(state, mind, number)


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
    return taken_for(mind.facts[place], mind.beliefs[place], mind.clued[place], unseen_kinds, trash)


@kernel
def unseen_by(state, mind, seat, other):
    """The kinds of which a seat, or two seats together, do not see all cards."""
    once = twice = thrice = 0
    for holder in range(len(state.hands)):
        if holder in (seat, other):
            continue
        for slot in range(cards_held(state, holder)):
            bit = 1 << state.deck[state.hands[holder, slot]]
            thrice |= twice & bit
            twice |= once & bit
            once |= bit
    return (mind.left[0] & ~once) | (mind.left[1] & ~twice) | (mind.left[2] & ~thrice)
