"""Hanabi's rule bot: it plays by the conventions of hanabi_beliefs.py, and gives no hint that leads to a wrong play."""

import numpy as np

from mmgames.baselines.planners.hanabi_beliefs import (
    belief_after_hint,
    clued_slots,
    count_kinds,
    highest,
    left_by,
    meant_by_hint,
    new_minds,
    of_colour,
    of_rank,
    taken_for,
    taken_in_hand,
    think,
    unseen_by,
)
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.games.hanabi.known import MOST_HINTS, cards_held
from mmgames.games.hanabi.rules import moves
from mmgames.games.hanabi.views import NOTHING
from mmgames.kernels.kernel import kernel
from mmgames.kernels.kernel_game import PolicyAgent, ask

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
def promised(state, mind, seat, known):
    """The kinds of cards that hints have pointed at, as far as a seat can tell."""
    kinds, trash = 0, mind.trash
    for holder in range(len(state.hands)):
        for slot in range(cards_held(state, holder)):
            place = state.hands[holder, slot]
            if not mind.clued[place]:
                continue
            if holder == seat:
                taken = taken_in_hand(mind, place, known, trash)
                if taken & (taken - 1) == 0:
                    kinds |= taken
            else:
                kinds |= 1 << state.deck[place]
    return kinds


@kernel
def may_be_urgent(state, mind, seat, target, unseen_kinds):
    """Whether a seat is about to play or to discard what it should not."""
    playable, trash = mind.playable, mind.trash
    idle, oldest = True, NOTHING
    for slot in range(cards_held(state, target)):
        place = state.hands[target, slot]
        taken = taken_in_hand(mind, place, unseen_kinds, trash)
        played = mind.clued[place] and taken & ~playable == 0
        if played and not (playable >> state.deck[place]) & 1:
            return True
        if played or taken & ~trash == 0:
            idle = False
        if oldest == NOTHING and not mind.clued[place]:
            oldest = place
    critical = mind.left[0] & ~trash
    following = target == (seat + 1) % len(state.hands)
    return idle and following and oldest != NOTHING and (critical >> state.deck[oldest]) & 1 == 1


@kernel
def worth(state, mind, habits, target, unseen_kinds, kinds, rank, clued, oldest, doubles, saves):
    """What a hint is worth and whether it prevents a wrong play. REFUSED when it would lead to one.

    `clued`, `doubles` and `saves` are slots of the target: pointed at before, of kinds that were promised elsewhere,
    to be discarded next although it must not be lost.
    """
    colours, ranks = state.discards.shape
    playable, trash = mind.playable, mind.trash
    held, touched = cards_held(state, target), 0
    for slot in range(held):
        touched |= ((kinds >> state.deck[state.hands[target, slot]]) & 1) << slot
    if touched == 0:
        return REFUSED, False
    focus, meant = meant_by_hint(mind, colours, ranks, rank, touched, clued, oldest)
    value, prevents = 0.0, False
    for slot in range(held):
        place = state.hands[target, slot]
        kind, hit, old = state.deck[place], (touched >> slot) & 1, (clued >> slot) & 1
        fits, useless = (playable >> kind) & 1, (trash >> kind) & 1
        facts, belief = left_by(mind.facts[place], mind.beliefs[place], kinds, hit)
        if slot == focus:
            belief = belief_after_hint(mind, belief, meant, touched & ~clued)
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
            value += habits[NARROWS] * (count_kinds(before) - count_kinds(after)) / (colours * ranks)
            if not (after >> kind) & 1:
                value += habits[MISLEADS]
    if touched & saves:
        value += habits[SAVES]
    return value, prevents


@kernel
def best_hint(state, mind, habits, seat, known, in_need):
    """The best hint and its worth, and the best urgent one; NOTHING where there is none.

    With `in_need` only hands are looked at whose holders may need to be told something at once.
    """
    (players, hand), (colours, ranks) = state.hands.shape, state.discards.shape
    playable, trash, critical = mind.playable, mind.trash, mind.left[0] & ~mind.trash
    best, hint, best_urgent, urgent_hint = REFUSED, NOTHING, habits[URGENT], NOTHING
    kinds_promised = -1
    for offset in range(players - 1 if state.hints else 0):
        target = (seat + 1 + offset) % players
        theirs = unseen_by(state, mind, seat, target)
        if in_need and not may_be_urgent(state, mind, seat, target, theirs):
            continue
        if kinds_promised < 0:
            kinds_promised = promised(state, mind, seat, known)
        clued, oldest = clued_slots(mind, target, hand)
        idle, doubles, later = True, 0, kinds_promised
        for slot in range(cards_held(state, target) - 1, -1, -1):
            place = state.hands[target, slot]
            kind = state.deck[place]
            doubles |= ((later >> kind) & 1) << slot
            later |= 1 << kind
            taken = taken_in_hand(mind, place, theirs, trash)
            if taken & ~trash == 0 or (mind.clued[place] and taken & ~playable == 0):
                idle = False
        saves = 0
        if idle and oldest != NOTHING:
            saves = ((critical >> state.deck[state.hands[target, oldest]]) & 1) << oldest
        for name in range(colours + ranks):
            if name < colours:
                rank, kinds, action = NOTHING, of_colour(name, ranks), offset * colours + name
            else:
                rank, kinds = name - colours, of_rank(name - colours, colours, ranks)
                action = (players - 1) * colours + offset * ranks + rank
            value, urgent = worth(state, mind, habits, target, theirs, kinds, rank, clued, oldest, doubles, saves)
            if saves and offset == 0 and value > REFUSED:
                urgent |= (kinds >> state.deck[state.hands[target, oldest]]) & 1 == 1
            if value > best:
                best, hint = value, 2 * hand + action
            if urgent and value > best_urgent:
                best_urgent, urgent_hint = value, 2 * hand + action
    return hint, best, urgent_hint


@kernel
def choose(state, mind, habits, seat):
    """The bot's move. It reads no card of the seat's own hand and none that is not dealt."""
    (players, hand), (colours, ranks) = state.hands.shape, state.discards.shape
    playable, trash = mind.playable, mind.trash
    known = unseen_by(state, mind, seat, seat)
    useful = ~trash & ((1 << (colours * ranks)) - 1)
    play, play_value, useless = NOTHING, -1, NOTHING
    for slot in range(cards_held(state, seat)):
        place = state.hands[seat, slot]
        taken = taken_in_hand(mind, place, known, trash)
        if taken & ~playable == 0:
            sure = mind.facts[place] & known & ~playable == 0
            lowest = highest(taken & -taken) % ranks
            value = (95 if lowest == ranks - 1 else 100 - 10 * lowest) + 3 * sure
            if value > play_value:
                play, play_value = slot, value
        elif taken & ~trash == 0:
            useless = slot
    hint, value, urgent = best_hint(state, mind, habits, seat, known, play != NOTHING)
    if play != NOTHING:
        return urgent if urgent != NOTHING else hand + play
    undealt, least = len(state.deck) - state.dealt, habits[ENOUGH] - habits[LESS_PER_TOKEN] * state.hints
    if undealt == 0 and state.lives > 1:
        chance, slot = likeliest(state, mind, seat, known)
        if habits[GAMBLE] != NEVER and chance > (habits[GAMBLE] if state.last_turns > 1 else 0.0):
            return hand + slot
    to_spare = undealt + players - count_kinds(useful)
    if to_spare < habits[LATE]:
        least -= habits[LESS_LATE] * (habits[LATE] - to_spare)
    if value >= least:
        return hint
    if state.hints < MOST_HINTS:
        if useless != NOTHING:
            return useless
        _, oldest = clued_slots(mind, seat, hand)
        if oldest != NOTHING:
            return oldest
        return spare(state, mind, seat, known) if hint == NOTHING else hint
    return hint if hint != NOTHING else any_hint(state, seat)


@kernel
def likeliest(state, mind, seat, known):
    """The card of a hand that is most likely to fit: how likely, and its slot."""
    best, chosen = 0.0, 0
    for slot in range(cards_held(state, seat)):
        place = state.hands[seat, slot]
        taken = taken_in_hand(mind, place, known, mind.trash)
        chance = count_kinds(taken & mind.playable) / max(count_kinds(taken), 1)
        if chance > best:
            best, chosen = chance, slot
    return best, chosen


@kernel
def spare(state, mind, seat, known):
    """The card to discard when hints have pointed at all: the one that is least likely to be missed."""
    trash, critical = mind.trash, mind.left[0] & ~mind.trash
    chosen, best = 0, -1000
    for slot in range(cards_held(state, seat)):
        place = state.hands[seat, slot]
        taken = taken_in_hand(mind, place, known, trash)
        value = 10 * count_kinds(taken & ~critical) - 20 * count_kinds(taken & critical)
        if value > best:
            chosen, best = slot, value
    return chosen


@kernel
def any_hint(state, seat):
    """A legal hint, though all of them mislead; with all tokens there nothing can be discarded."""
    (players, hand), (colours, ranks) = state.hands.shape, state.discards.shape
    legal = np.empty(2 * hand + (players - 1) * (colours + ranks), np.int64)
    for k in range(moves(state, seat, legal)):
        if legal[k] >= 2 * hand:
            return legal[k]
    return hand


@kernel
def rule_bot(state, seat, noise):
    minds = new_minds(1)
    think(state, minds[0])
    return choose(state, minds[0], RULES, seat)


class RuleBot(PolicyAgent):
    """Plays by the conventions; the same move whenever it knows the same."""

    policy = rule_bot

    def act(self, turn: Turn) -> int:
        return int(ask(rule_bot, turn.view.state, turn.seat, np.uint64(0)))


class CarelessBot(RuleBot):
    """The rule bot with lapses: with probability `slips` it makes any legal move instead."""

    def __init__(self, slips: float = 0.2) -> None:
        if isinstance(slips, bool) or not isinstance(slips, (int, float)) or not 0 <= slips <= 1:
            raise MmgamesError(f"slips={slips!r} is not possible: give a share from 0 to 1.")
        self.slips = float(slips)

    def act(self, turn: Turn) -> int:
        return turn.sample() if turn.rng.random() < self.slips else super().act(turn)
