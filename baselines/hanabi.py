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

from mmgames.core.kernel import kernel
from mmgames.core.kernel_game import RowAgent
from mmgames.core.turn import Turn
from mmgames.games.hanabi.kernel import (
    COLOURS,
    COPIES,
    DECK,
    ENTRY_FITS,
    ENTRY_PLACE,
    ENTRY_TOUCHED,
    HAND_SIZE,
    HANDS,
    HINTS,
    LOG,
    MOST_CARDS,
    MOST_HAND,
    MOST_HINTS,
    MOST_KINDS,
    MOST_SEATS,
    MOVES,
    NOTHING,
    PLAYERS,
    RANKS,
    deck_size,
    mask,
    unseen,
)

# The mind: the table as it was after the moves gone through so far, and by place in the deck the kinds that hints leave
# possible, the kinds that conventions leave, and whether a hint has pointed at the card.
FIRES = 0
PILE = FIRES + MOST_SEATS
HELD = PILE + MOST_KINDS
FACTS = HELD + MOST_SEATS * MOST_HAND
BELIEFS = FACTS + MOST_CARDS
CLUED = BELIEFS + MOST_CARDS
DRAWN = CLUED + MOST_CARDS
MIND = DRAWN + 1

# What a hint is worth. The figures were found by playing.
NEW_PLAY, LESS_PER_RANK = 9.0, 1.0  # another card that will rightly be played; low cards first
PREVENTS = 12.0  # a card that would wrongly be played will not be
SAVES = 8.0  # a card that must not be lost and would be discarded next
USELESS, USEFUL = -4.0, 0.5  # each card newly pointed at
NARROWS = 1.0  # the share of kinds that a useful card can no longer be
MISLEADS = -5.0  # a useful card is taken for what it is not
ENOUGH, LESS_PER_TOKEN = 2.8, 0.4  # worth a token when nothing can be played
URGENT = 3.4  # worth more than playing, for hints that save or prevent
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
def table(mind, colours, ranks):
    """The kinds that can be played, those that are of no more use, and the useful ones of which one is left."""
    playable = trash = critical = 0
    for colour in range(colours):
        blocked = False
        for rank in range(ranks):
            kind = colour * ranks + rank
            left = COPIES[ranks, rank] - mind[PILE + kind]
            if blocked or rank < mind[FIRES + colour] or left == 0:
                trash |= 1 << kind
                blocked |= rank >= mind[FIRES + colour]
            elif rank == mind[FIRES + colour]:
                playable |= 1 << kind
            if not (trash >> kind) & 1 and left == 1:
                critical |= 1 << kind
    return playable, trash, critical


@kernel
def size(kinds):
    count = 0
    while kinds:
        kinds &= kinds - 1
        count += 1
    return count


@kernel
def wake(row, mind):
    """The mind before the first move."""
    mind[:HELD] = 0
    mind[HELD:FACTS] = NOTHING
    mind[FACTS:CLUED] = (1 << (row[COLOURS] * row[RANKS])) - 1
    mind[CLUED:DRAWN] = 0
    hand = row[HAND_SIZE]
    for seat in range(row[PLAYERS]):
        for slot in range(hand):
            mind[HELD + seat * MOST_HAND + slot] = seat * hand + slot
    mind[DRAWN] = row[PLAYERS] * hand


@kernel
def next_discard(mind, seat, hand):
    """The oldest card that no hint has pointed at: its slot, or NOTHING."""
    for slot in range(hand):
        place = mind[HELD + seat * MOST_HAND + slot]
        if place != NOTHING and not mind[CLUED + place]:
            return slot
    return NOTHING


@kernel
def hear(mind, sets, colours, ranks, hand, target, kinds, rank, touched, facts, beliefs):
    """What a hint makes of a hand: fills in facts and beliefs by slot. `rank` is NOTHING when a colour is named.

    `sets` are those of `table`.
    """
    oldest = next_discard(mind, target, hand)
    focus, fresh = NOTHING, False
    for slot in range(hand):
        place = mind[HELD + target * MOST_HAND + slot]
        if place == NOTHING:
            break
        hit = (touched >> slot) & 1
        left = kinds if hit else ~kinds
        facts[slot] = mind[FACTS + place] & left
        beliefs[slot] = mind[BELIEFS + place] & left
        if beliefs[slot] == 0:
            beliefs[slot] = facts[slot]
        if hit:
            new = not mind[CLUED + place]
            if new or not fresh:
                focus = slot
            fresh |= new
    playable, trash, critical = sets
    meant = playable
    if fresh and oldest != NOTHING and (touched >> oldest) & 1:
        focus = oldest
        if rank == NOTHING:
            critical &= ~of_rank(ranks - 1, colours, ranks)  # the highest cards are saved by rank
        elif rank == 1 and ranks > 3:
            critical |= of_rank(1, colours, ranks)  # 2s are few and needed early
        meant |= critical
    speaks_for_itself = not fresh and beliefs[focus] & ~trash & ~playable == 0
    if beliefs[focus] & meant and not speaks_for_itself:
        beliefs[focus] &= meant


@kernel
def learn(row, mind, number, facts, beliefs):
    """The mind after one more move of the log; `facts` and `beliefs` are working space."""
    players, colours, ranks, hand = row[PLAYERS], row[COLOURS], row[RANKS], row[HAND_SIZE]
    entry, seat = row[LOG + number], number % players
    action = entry & 63
    if action < 2 * hand:
        kind = row[DECK + ((entry >> ENTRY_PLACE) & 63)]
        if (entry >> ENTRY_FITS) & 1:
            mind[FIRES + kind // ranks] += 1
        else:
            mind[PILE + kind] += 1
        first = HELD + seat * MOST_HAND
        for slot in range(action % hand, hand - 1):
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
    sets = table(mind, colours, ranks)
    hear(mind, sets, colours, ranks, hand, target, kinds, rank, touched, facts, beliefs)
    for slot in range(hand):
        place = mind[HELD + target * MOST_HAND + slot]
        if place == NOTHING:
            break
        mind[FACTS + place] = facts[slot]
        mind[BELIEFS + place] = beliefs[slot]
        mind[CLUED + place] |= (touched >> slot) & 1


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
def unseen_by(row, seat, other):
    """The kinds of which a seat, or two seats together, do not see all cards."""
    counts = np.zeros(MOST_KINDS, np.int32)
    unseen(row, seat, counts)
    kinds = 0
    for slot in range(row[HAND_SIZE]):
        place = row[HANDS + other * MOST_HAND + slot]
        if other != seat and place != NOTHING:
            counts[row[DECK + place]] += 1
    for kind in range(row[COLOURS] * row[RANKS]):
        kinds |= (counts[kind] > 0) << kind
    return kinds


@kernel
def promised_elsewhere(row, mind, seat, target, touched, place, known, trash):
    """Whether a card of the same kind was pointed at in another slot, as far as a seat can tell."""
    kind = row[DECK + place]
    for holder in range(row[PLAYERS]):
        for slot in range(row[HAND_SIZE]):
            other = row[HANDS + holder * MOST_HAND + slot]
            if other < 0 or other == place:
                continue
            if holder == seat:
                if mind[CLUED + other] and taken_in_hand(mind, other, known, trash) == 1 << kind:
                    return True
            elif row[DECK + other] == kind:
                again = holder == target and (touched >> slot) & 1 and other > place
                if mind[CLUED + other] or again:
                    return True
    return False


@kernel
def worth(row, mind, sets, seat, known, target, unseen_kinds, kinds, rank, facts, beliefs):
    """What a hint is worth and whether it is urgent. REFUSED when it would lead to a wrong play.

    `known` and `unseen_kinds` are the kinds that the seat does not see, and that the target does not.
    """
    colours, ranks, hand = row[COLOURS], row[RANKS], row[HAND_SIZE]
    playable, trash, critical = sets
    first, touched, idle = HANDS + target * MOST_HAND, 0, True
    for slot in range(hand):
        place = row[first + slot]
        if place != NOTHING:
            touched |= ((kinds >> row[DECK + place]) & 1) << slot
            taken = taken_in_hand(mind, place, unseen_kinds, trash)
            if taken & ~trash == 0 or (mind[CLUED + place] and taken & ~playable == 0):
                idle = False
    if touched == 0:
        return REFUSED, False
    hear(mind, sets, colours, ranks, hand, target, kinds, rank, touched, facts, beliefs)
    value, urgent = 0.0, False
    for slot in range(hand):
        place = row[first + slot]
        if place == NOTHING:
            break
        kind, hit, old = row[DECK + place], (touched >> slot) & 1, mind[CLUED + place]
        fits, useless = (playable >> kind) & 1, (trash >> kind) & 1
        before = taken_in_hand(mind, place, unseen_kinds, trash)
        after = taken_for(facts[slot], beliefs[slot], old or hit, unseen_kinds, trash)
        played_before = old and before & ~playable == 0
        played = (old or hit) and after & ~playable == 0
        if played and not played_before:
            if not fits:
                return REFUSED, False
            value += NEW_PLAY - LESS_PER_RANK * (kind % ranks)
        elif played_before and not played:
            value += -NEW_PLAY if fits else PREVENTS
            urgent |= not fits
        if hit and not old:
            double = not useless and promised_elsewhere(row, mind, seat, target, touched, place, known, trash)
            value += USELESS if useless or double else USEFUL
        if hit and not useless:
            value += NARROWS * (size(before) - size(after)) / (colours * ranks)
            if not (after >> kind) & 1:
                value += MISLEADS
    oldest = next_discard(mind, target, hand)
    if idle and oldest != NOTHING and (touched >> oldest) & 1 and (critical >> row[DECK + row[first + oldest]]) & 1:
        value += SAVES
        urgent |= target == (seat + 1) % row[PLAYERS]
    return value, urgent


@kernel
def choose(row, mind, seat):
    """The bot's move. It reads no card of the seat's own hand and none that is not dealt."""
    players, colours, ranks, hand = row[PLAYERS], row[COLOURS], row[RANKS], row[HAND_SIZE]
    sets = table(mind, colours, ranks)
    playable, trash, critical = sets
    known = unseen_by(row, seat, seat)
    play, play_value, useless, spare, spare_value = NOTHING, -1, NOTHING, 0, -1000
    for slot in range(hand):
        place = row[HANDS + seat * MOST_HAND + slot]
        if place == NOTHING:
            break
        taken = taken_in_hand(mind, place, known, trash)
        if taken & ~playable == 0:
            sure = mind[FACTS + place] & known & ~playable == 0
            lowest = 0
            while not (taken >> lowest) & 1:
                lowest += 1
            value = (95 if lowest % ranks == ranks - 1 else 100 - 10 * (lowest % ranks)) + 3 * sure
            if value > play_value:
                play, play_value = slot, value
        elif taken & ~trash == 0:
            useless = slot
        value = 10 * size(taken & ~critical) - 20 * size(taken & critical)
        if value > spare_value:
            spare, spare_value = slot, value
    best, hint, best_urgent, urgent_hint = REFUSED, NOTHING, URGENT, NOTHING
    facts, beliefs = np.zeros(MOST_HAND, np.int32), np.zeros(MOST_HAND, np.int32)
    for offset in range(players - 1 if row[HINTS] else 0):
        target = (seat + 1 + offset) % players
        theirs = unseen_by(row, seat, target)
        for name in range(colours + ranks):
            if name < colours:
                rank, kinds, action = NOTHING, of_colour(name, ranks), offset * colours + name
            else:
                rank, kinds = name - colours, of_rank(name - colours, colours, ranks)
                action = (players - 1) * colours + offset * ranks + rank
            value, urgent = worth(row, mind, sets, seat, known, target, theirs, kinds, rank, facts, beliefs)
            if value > best:
                best, hint = value, 2 * hand + action
            if urgent and value > best_urgent:
                best_urgent, urgent_hint = value, 2 * hand + action
    if play != NOTHING:
        return urgent_hint if urgent_hint != NOTHING else hand + play
    if best >= ENOUGH - LESS_PER_TOKEN * row[HINTS]:
        return hint
    if row[HINTS] < row[MOST_HINTS]:
        if useless != NOTHING:
            return useless
        oldest = next_discard(mind, seat, hand)
        if oldest != NOTHING:
            return oldest
        return spare if best == REFUSED else hint
    return hint if best > REFUSED else any_hint(row, seat)


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
    facts, beliefs = np.zeros(MOST_HAND, np.int32), np.zeros(MOST_HAND, np.int32)
    wake(row, mind)
    for number in range(row[MOVES]):
        learn(row, mind, number, facts, beliefs)


@kernel
def rule_bot(row, seat, noise):
    mind = np.zeros(MIND, np.int32)
    think(row, mind)
    return choose(row, mind, seat)


class RuleBot(RowAgent):
    """Plays by the conventions; the same move whenever it knows the same."""

    policy = rule_bot

    def act(self, turn: Turn) -> int:
        return int(rule_bot(turn.view.as_row(), turn.seat, np.uint64(0)))
