"""Hanabi's oracle: it tries its moves on hands that it may be holding and lets a bot finish the games.

One step of policy improvement over a common policy, after Lerer, Hu, Foerster and Brown, Improving policies via
search in cooperative partially observable games (2020). Hands are drawn as hints and conventions allow and weighted
by what the others did: a hand on which the bot would have moved otherwise in their place is unlikely, though possible,
since they may search too. The bot plays by the conventions of the rule bot (baselines/planners/hanabi.py).
"""

from __future__ import annotations

import numpy as np

from mmgames.baselines.planners.hanabi import choose
from mmgames.baselines.planners.hanabi_beliefs import (
    DRAWN,
    FACTS,
    MIND,
    TRASH,
    learn,
    taken_in_hand,
    think,
    unseen_by,
    wake,
)
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.games.hanabi.kernel import (
    DECK,
    HAND_SIZE,
    HANDS,
    LOG,
    MOST_HAND,
    MOST_MOVES,
    MOVES,
    NOTHING,
    OVER,
    PLAYERS,
    POINTS,
    advance,
    deal_anew,
    deal_hands,
    mask,
    set_up,
)
from mmgames.kernels.kernel import below, copy_row, fork, kernel, noise, scramble
from mmgames.kernels.kernel_game import RowAgent

# The bot's habits: those of the rule bot, tuned for two players.
TEAM = np.array([5.04, -0.2, 11.76, 4.25, -5.36, 0.6, 0.86, -10.5, 2.52, 0.37, 4.62, 2.54, 0.58, 0.43])
SAMPLES = 600  # hands that are tried at most
CANDIDATES = 4  # hands drawn at most for each that is tried; fewer, once as many as are tried surprise least
UNCONVENTIONAL = 4  # every so-manieth hand is drawn as the hints alone allow
SURPRISE = 0.02  # how likely a move of others is that the bot would not have made, beside one that it would have
SURPRISES = 2  # more than the fewest: such hands are forgotten
CAUTION = 2.5  # standard errors by which another move must be better than the bot's own
EVERY = 10  # tries after which moves that have fallen behind are given up
BEHIND = 2.0  # standard errors
MATTERS = 0.05  # points that a move must be able to gain
ROOM = 100  # after n tries at most ROOM / n moves are tried on, but never fewer than three
LEAST_SPREAD = 0.02  # a few equal results are no proof that there are no others
MOST_TRIES = 1000  # at dealing a hand that hints or conventions leave
MOST_ACTIONS = 64
HANDS_DRAWN, DECKS_DRAWN = 0, 1  # what a search draws from its noise


@kernel
def unfold(row, rows, minds):
    """The rows and the minds before each move of the log, from a row in which every dealt card is filled in."""
    copy_row(row, rows[0])
    set_up(rows[0])
    deal_hands(rows[0])
    wake(row, minds[0])
    for number in range(row[MOVES]):
        copy_row(rows[number], rows[number + 1])
        copy_row(minds[number], minds[number + 1])
        advance(rows[number + 1], row[LOG + number] & 63)
        learn(row, minds[number + 1], number)


@kernel
def surprises(row, rows, minds, habits, seat, most):
    """How many moves of others a bot would not have made if the seat held the row's cards; `most` at most.

    Moves made before the seat had drawn any of these cards tell nothing about them.
    """
    found, players = 0, row[PLAYERS]
    oldest = row[HANDS + seat * MOST_HAND]
    for number in range(row[MOVES] - 1, -1, -1):
        if minds[number, DRAWN] <= oldest:
            break
        if number % players == seat:
            continue
        then = rows[number]
        for slot in range(row[HAND_SIZE]):
            place = row[HANDS + seat * MOST_HAND + slot]
            if place != NOTHING:
                then[DECK + place] = row[DECK + place]
        if choose(then, minds[number], habits, number % players) != row[LOG + number] & 63:
            found += 1
            if found == most:
                break
    return found


@kernel
def likely_hands(row, mind, habits, seat, noise, hands):
    """Fill in hands that the seat may hold beside bots of these habits, the likelier ones more often; how many, 0 if
    none was found."""
    unseen_kinds = unseen_by(row, mind, seat, seat)
    told, taken = np.zeros(MOST_HAND, np.int64), np.zeros(MOST_HAND, np.int64)
    for slot in range(row[HAND_SIZE]):
        place = row[HANDS + seat * MOST_HAND + slot]
        if place != NOTHING:
            told[slot] = mind[FACTS + place] & unseen_kinds
            taken[slot] = taken_in_hand(mind, place, unseen_kinds, mind[TRASH])
    most = CANDIDATES * hands.shape[0]
    candidates, misfits = np.zeros((most, MOST_HAND), np.int64), np.zeros(most, np.int64)
    rows, minds = np.zeros((MOST_MOVES + 1, row.size), np.int64), np.zeros((MOST_MOVES + 1, MIND), np.int64)
    world, drawn, fewest, fitting, samples = row.copy(), 0, MOST_MOVES, 0, hands.shape[0]
    for number in range(most):
        if fitting >= samples:
            break
        allowed = told if number % UNCONVENTIONAL == 0 else taken
        if not deal_anew(world, seat, allowed, fork(noise, number), MOST_TRIES):
            continue
        if drawn == 0:
            unfold(world, rows, minds)
        for slot in range(row[HAND_SIZE]):
            place = row[HANDS + seat * MOST_HAND + slot]
            candidates[drawn, slot] = NOTHING if place == NOTHING else world[DECK + place]
        misfits[drawn] = surprises(world, rows, minds, habits, seat, fewest + SURPRISES)
        if misfits[drawn] < fewest:
            fewest, fitting = misfits[drawn], 0
        fitting += misfits[drawn] == fewest
        drawn += 1
    total = 0.0
    for number in range(drawn):
        total += SURPRISE ** (misfits[number] - fewest)
    # Evenly spaced pointers into the heap of weights.
    made, reached = 0, 0.0
    for number in range(drawn):
        reached += SURPRISE ** (misfits[number] - fewest)
        while made < samples and (made + 0.5) * total / samples < reached:
            hands[made] = candidates[number]
            made += 1
    for last in range(made - 1, 0, -1):  # a likely hand comes several times, but not in a row
        noise = scramble(noise)
        other = below(noise, last + 1)
        for slot in range(MOST_HAND):
            hands[last, slot], hands[other, slot] = hands[other, slot], hands[last, slot]
    return made


@kernel
def outcome(world, mind, action, row, own_mind):
    """The points of a game that goes on with an action and is finished by the bot; the rest is working space."""
    copy_row(world, row)
    copy_row(mind, own_mind)
    players = row[PLAYERS]
    while True:
        number = row[MOVES]
        advance(row, action)
        if row[OVER]:
            return row[POINTS]
        learn(row, own_mind, number)
        action = choose(row, own_mind, TEAM, row[MOVES] % players)


@kernel
def keep_best(open_moves, means, most):
    """Give up all but so many of the open moves, those with the lowest means first."""
    while open_moves.sum() > most:
        worst = -1
        for action in range(MOST_ACTIONS):
            if open_moves[action] and (worst < 0 or means[action] < means[worst]):
                worst = action
        open_moves[worst] = 0


@kernel
def search(row, seat, noise, samples):
    """The move to make; it reads no card of the seat's own hand and none that is not dealt."""
    mind, own_mind = np.zeros(MIND, np.int64), np.zeros(MIND, np.int64)
    think(row, mind)
    plan = choose(row, mind, TEAM, seat)
    open_moves = np.zeros(MOST_ACTIONS, np.int8)
    mask(row, seat, open_moves)
    open_moves[plan] = 0
    hands = np.zeros((samples, MOST_HAND), np.int64)
    samples = likely_hands(row, mind, TEAM, seat, fork(noise, HANDS_DRAWN), hands)
    sums, squares, lower = np.zeros(MOST_ACTIONS), np.zeros(MOST_ACTIONS), np.zeros(MOST_ACTIONS)
    world, working, held = row.copy(), row.copy(), np.zeros(MOST_HAND, np.int64)
    for tried in range(1, samples + 1):
        for slot in range(row[HAND_SIZE]):
            held[slot] = 1 << max(hands[tried - 1, slot], 0)
        deal_anew(world, seat, held, fork(fork(noise, DECKS_DRAWN), tried), MOST_TRIES)
        usual = outcome(world, mind, plan, working, own_mind)
        for action in range(MOST_ACTIONS):
            if open_moves[action]:
                gain = outcome(world, mind, action, working, own_mind) - usual
                sums[action] += gain
                squares[action] += gain * gain
        if tried % EVERY == 0 or tried == samples:
            means = sums / tried
            errors = np.sqrt(np.maximum(squares / tried - means**2, LEAST_SPREAD) / tried)
            lower[:] = means - CAUTION * errors
            lead = MATTERS
            for action in range(MOST_ACTIONS):
                if open_moves[action]:
                    lead = max(lead, lower[action])
            open_moves[means + BEHIND * errors < lead] = 0
            keep_best(open_moves, means, max(3, ROOM // tried))
            if not open_moves.any():
                break
    best, move = 0.0, plan
    for action in range(MOST_ACTIONS):
        if open_moves[action] and lower[action] > best:
            best, move = lower[action], action
    return move


@kernel
def oracle(row, seat, noise):
    return search(row, seat, noise, SAMPLES)


class Oracle(RowAgent):
    """Searches one move ahead over `samples` hands; more take longer and play better."""

    policy = oracle

    def __init__(self, samples: int = SAMPLES) -> None:
        if not isinstance(samples, int) or isinstance(samples, bool) or not 1 <= samples <= 10_000:
            raise MmgamesError(f"samples={samples!r} is out of range; the oracle tries 1 to 10000 hands.")
        self.samples = samples

    def act(self, turn: Turn) -> int:
        return int(search(turn.view.as_row(), turn.seat, noise(turn.rng), self.samples))
