"""Hanabi's reference agents: a bot that plays by conventions, and a search on top of it.

The conventions. A hint that points at new cards is about one of them: about the card its holder would discard next if
that is among them, else about the newest. It promises that this card can be played now; or, if it is the one to be
discarded next, that it can be played or must not be lost. A hint that points at known cards only and does not speak for
itself promises that the newest of them can be played. Whoever gives a hint works out what it will be taken to mean,
and gives no hint that leads to a wrong play.

What everybody believes about every card follows from the moves alone. It is kept in a `mind`, an array made by going
through the log of moves, the same for all seats; sets of kinds of cards are bits of an integer.
"""

from __future__ import annotations

import numpy as np

from mmgames.core.turn import Turn
from mmgames.games.hanabi.kernel import (
    COLOURS,
    COPIES,
    DEALT,
    DECK,
    ENTRY_FITS,
    ENTRY_PLACE,
    ENTRY_TOUCHED,
    HAND_SIZE,
    HANDS,
    HINTS,
    LAST_TURNS,
    LIVES,
    LOG,
    MOST_CARDS,
    MOST_HAND,
    MOST_HINTS,
    MOST_SEATS,
    MOVES,
    NOTHING,
    PLAYERS,
    RANKS,
    deck_size,
    mask,
)
from mmgames.kernels.compiling import compiled_later
from mmgames.kernels.kernel import kernel
from mmgames.kernels.kernel_game import RowAgent

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

# A bot's habits are numbers in an array. First what a hint is worth to it:
NEW_PLAY, LESS_PER_RANK = 0, 1  # another card that will rightly be played; low cards first
PREVENTS = 2  # a card that would wrongly be played will not be
SAVES = 3  # a card that must not be lost and would be discarded next
USELESS, USEFUL = 4, 5  # each card newly pointed at
NARROWS = 6  # the share of kinds that a useful card can no longer be
MISLEADS = 7  # a useful card is taken for what it is not
# Then when it gives one:
ENOUGH, LESS_PER_TOKEN = 8, 9  # worth a token when nothing can be played
URGENT = 10  # worth more than playing, for hints that save or prevent
LATE, LESS_LATE = 11, 12  # with fewer turns to spare than this, each of them lets a hint be worth so much less
# And how likely a card must fit that is played for want of anything better in the last round.
GAMBLE = 13
NEVER = 2.0

# Figures that were found by playing.
RULES = np.array([9.0, 1.0, 12.0, 8.0, -4.0, 0.5, 1.0, -5.0, 2.8, 0.4, 3.4, -100.0, 0.0, NEVER])
REFUSED = -1e9


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
def size(kinds):
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
def told(mind, colours, ranks, rank, touched, clued, oldest):
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
def understood(mind, belief, meant, fresh):
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
    focus, meant = told(mind, colours, ranks, rank, touched, clued, oldest)
    for slot in range(hand):
        place = mind[HELD + target * MOST_HAND + slot]
        if place == NOTHING:
            break
        hit = (touched >> slot) & 1
        facts, belief = left_by(mind[FACTS + place], mind[BELIEFS + place], kinds, hit)
        if slot == focus:
            belief = understood(mind, belief, meant, touched & ~clued)
        mind[FACTS + place] = facts
        mind[BELIEFS + place] = belief
        mind[CLUED + place] |= hit


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


@kernel
def promised(row, mind, seat, known):
    """The kinds of cards that hints have pointed at, as far as a seat can tell."""
    kinds, trash = 0, mind[TRASH]
    for holder in range(row[PLAYERS]):
        for slot in range(row[HAND_SIZE]):
            place = row[HANDS + holder * MOST_HAND + slot]
            if place == NOTHING or not mind[CLUED + place]:
                continue
            if holder == seat:
                taken = taken_in_hand(mind, place, known, trash)
                if taken & (taken - 1) == 0:
                    kinds |= taken
            else:
                kinds |= 1 << row[DECK + place]
    return kinds


@kernel
def may_be_urgent(row, mind, seat, target, unseen_kinds):
    """Whether a seat is about to play or to discard what it should not."""
    playable, trash = mind[PLAYABLE], mind[TRASH]
    idle, oldest = True, NOTHING
    for slot in range(row[HAND_SIZE]):
        place = row[HANDS + target * MOST_HAND + slot]
        if place == NOTHING:
            break
        taken = taken_in_hand(mind, place, unseen_kinds, trash)
        played = mind[CLUED + place] and taken & ~playable == 0
        if played and not (playable >> row[DECK + place]) & 1:
            return True
        if played or taken & ~trash == 0:
            idle = False
        if oldest == NOTHING and not mind[CLUED + place]:
            oldest = place
    critical = mind[LEFT] & ~trash
    following = target == (seat + 1) % row[PLAYERS]
    return idle and following and oldest != NOTHING and (critical >> row[DECK + oldest]) & 1 == 1


@kernel
def worth(row, mind, habits, target, unseen_kinds, kinds, rank, clued, oldest, doubles, saves):
    """What a hint is worth and whether it prevents a wrong play. REFUSED when it would lead to one.

    `clued`, `doubles` and `saves` are slots of the target: pointed at before, of kinds that were promised elsewhere,
    to be discarded next although it must not be lost.
    """
    colours, ranks, hand = row[COLOURS], row[RANKS], row[HAND_SIZE]
    playable, trash = mind[PLAYABLE], mind[TRASH]
    first, touched = HANDS + target * MOST_HAND, 0
    for slot in range(hand):
        if row[first + slot] != NOTHING:
            touched |= ((kinds >> row[DECK + row[first + slot]]) & 1) << slot
    if touched == 0:
        return REFUSED, False
    focus, meant = told(mind, colours, ranks, rank, touched, clued, oldest)
    value, prevents = 0.0, False
    for slot in range(hand):
        place = row[first + slot]
        if place == NOTHING:
            break
        kind, hit, old = row[DECK + place], (touched >> slot) & 1, (clued >> slot) & 1
        fits, useless = (playable >> kind) & 1, (trash >> kind) & 1
        facts, belief = left_by(mind[FACTS + place], mind[BELIEFS + place], kinds, hit)
        if slot == focus:
            belief = understood(mind, belief, meant, touched & ~clued)
        before = taken_in_hand(mind, place, unseen_kinds, trash)
        after = taken_for(facts, belief, old | hit, unseen_kinds, trash)
        played_before = old and before & ~playable == 0
        played = (old | hit) and after & ~playable == 0
        if played and not played_before:
            if not fits:
                return REFUSED, False
            value += habits[NEW_PLAY] - habits[LESS_PER_RANK] * (kind % ranks)
        elif played_before and not played:
            value += -habits[NEW_PLAY] if fits else habits[PREVENTS]
            prevents |= not fits
        if hit and not old:
            value += habits[USELESS] if useless or (doubles >> slot) & 1 else habits[USEFUL]
        if hit and not useless:
            value += habits[NARROWS] * (size(before) - size(after)) / (colours * ranks)
            if not (after >> kind) & 1:
                value += habits[MISLEADS]
    if touched & saves:
        value += habits[SAVES]
    return value, prevents


@kernel
def best_hint(row, mind, habits, seat, known, in_need):
    """The best hint and its worth, and the best urgent one; NOTHING where there is none.

    With `in_need` only hands are looked at whose holders may need to be told something at once.
    """
    players, colours, ranks, hand = row[PLAYERS], row[COLOURS], row[RANKS], row[HAND_SIZE]
    playable, trash, critical = mind[PLAYABLE], mind[TRASH], mind[LEFT] & ~mind[TRASH]
    best, hint, best_urgent, urgent_hint = REFUSED, NOTHING, habits[URGENT], NOTHING
    kinds_promised = -1
    for offset in range(players - 1 if row[HINTS] else 0):
        target = (seat + 1 + offset) % players
        theirs = unseen_by(row, mind, seat, target)
        if in_need and not may_be_urgent(row, mind, seat, target, theirs):
            continue
        if kinds_promised < 0:
            kinds_promised = promised(row, mind, seat, known)
        clued, oldest = clued_slots(mind, target, hand)
        idle, doubles, later = True, 0, kinds_promised
        for slot in range(hand - 1, -1, -1):
            place = row[HANDS + target * MOST_HAND + slot]
            if place != NOTHING:
                kind = row[DECK + place]
                doubles |= ((later >> kind) & 1) << slot
                later |= 1 << kind
                taken = taken_in_hand(mind, place, theirs, trash)
                if taken & ~trash == 0 or (mind[CLUED + place] and taken & ~playable == 0):
                    idle = False
        saves = 0
        if idle and oldest != NOTHING:
            saves = ((critical >> row[DECK + row[HANDS + target * MOST_HAND + oldest]]) & 1) << oldest
        for name in range(colours + ranks):
            if name < colours:
                rank, kinds, action = NOTHING, of_colour(name, ranks), offset * colours + name
            else:
                rank, kinds = name - colours, of_rank(name - colours, colours, ranks)
                action = (players - 1) * colours + offset * ranks + rank
            value, urgent = worth(row, mind, habits, target, theirs, kinds, rank, clued, oldest, doubles, saves)
            if saves and offset == 0 and value > REFUSED:
                place = row[HANDS + target * MOST_HAND + oldest]
                urgent |= (kinds >> row[DECK + place]) & 1 == 1
            if value > best:
                best, hint = value, 2 * hand + action
            if urgent and value > best_urgent:
                best_urgent, urgent_hint = value, 2 * hand + action
    return hint, best, urgent_hint


@kernel
def choose(row, mind, habits, seat):
    """The bot's move. It reads no card of the seat's own hand and none that is not dealt."""
    ranks, hand = row[RANKS], row[HAND_SIZE]
    playable, trash = mind[PLAYABLE], mind[TRASH]
    known = unseen_by(row, mind, seat, seat)
    useful = ~trash & ((1 << (row[COLOURS] * ranks)) - 1)
    play, play_value, useless = NOTHING, -1, NOTHING
    for slot in range(hand):
        place = row[HANDS + seat * MOST_HAND + slot]
        if place == NOTHING:
            break
        taken = taken_in_hand(mind, place, known, trash)
        if taken & ~playable == 0:
            sure = mind[FACTS + place] & known & ~playable == 0
            lowest = highest(taken & -taken) % ranks
            value = (95 if lowest == ranks - 1 else 100 - 10 * lowest) + 3 * sure
            if value > play_value:
                play, play_value = slot, value
        elif taken & ~trash == 0:
            useless = slot
    hint, value, urgent = best_hint(row, mind, habits, seat, known, play != NOTHING)
    if play != NOTHING:
        return urgent if urgent != NOTHING else hand + play
    undealt, least = deck_size(row) - row[DEALT], habits[ENOUGH] - habits[LESS_PER_TOKEN] * row[HINTS]
    if undealt == 0 and row[LIVES] > 1:
        chance, slot = likeliest(row, mind, seat, known)
        if habits[GAMBLE] != NEVER and chance > (habits[GAMBLE] if row[LAST_TURNS] > 1 else 0.0):
            return hand + slot
    to_spare = undealt + row[PLAYERS] - size(useful)
    if to_spare < habits[LATE]:
        least -= habits[LESS_LATE] * (habits[LATE] - to_spare)
    if value >= least:
        return hint
    if row[HINTS] < row[MOST_HINTS]:
        if useless != NOTHING:
            return useless
        _, oldest = clued_slots(mind, seat, hand)
        if oldest != NOTHING:
            return oldest
        return spare(row, mind, seat, known) if hint == NOTHING else hint
    return hint if hint != NOTHING else any_hint(row, seat)


@kernel
def likeliest(row, mind, seat, known):
    """The card of a hand that is most likely to fit: how likely, and its slot."""
    best, chosen = 0.0, 0
    for slot in range(row[HAND_SIZE]):
        place = row[HANDS + seat * MOST_HAND + slot]
        if place == NOTHING:
            break
        taken = taken_in_hand(mind, place, known, mind[TRASH])
        chance = size(taken & mind[PLAYABLE]) / max(size(taken), 1)
        if chance > best:
            best, chosen = chance, slot
    return best, chosen


@kernel
def spare(row, mind, seat, known):
    """The card to discard when hints have pointed at all: the one that is least likely to be missed."""
    trash, critical = mind[TRASH], mind[LEFT] & ~mind[TRASH]
    chosen, best = 0, -1000
    for slot in range(row[HAND_SIZE]):
        place = row[HANDS + seat * MOST_HAND + slot]
        if place == NOTHING:
            break
        taken = taken_in_hand(mind, place, known, trash)
        value = 10 * size(taken & ~critical) - 20 * size(taken & critical)
        if value > best:
            chosen, best = slot, value
    return chosen


@kernel
def any_hint(row, seat):
    """A legal hint, though all of them mislead; with all tokens there nothing can be discarded."""
    legal = np.zeros(64, np.int8)
    mask(row, seat, legal)
    for action in range(2 * row[HAND_SIZE], 64):
        if legal[action]:
            return action
    return row[HAND_SIZE]


@kernel
def think(row, mind):
    """The mind after all moves of the log."""
    wake(row, mind)
    for number in range(row[MOVES]):
        learn(row, mind, number)


@kernel
def rule_bot(row, seat, noise):
    mind = np.zeros(MIND, np.int64)
    think(row, mind)
    return choose(row, mind, RULES, seat)


class RuleBot(RowAgent):
    """Plays by the conventions; the same move whenever it knows the same."""

    policy = rule_bot

    def act(self, turn: Turn) -> int:
        return int(compiled_later(rule_bot)(turn.view.as_row(), turn.seat, np.uint64(0)))
