"""Hanabi's oracle: it tries its moves on hands that it may be holding and lets a bot finish the games.

One step of policy improvement over a common policy, after Lerer, Hu, Foerster and Brown, Improving policies via
search in cooperative partially observable games (2020). Hands are drawn as hints and conventions allow and weighted
by what the others did: a hand on which the bot would have moved otherwise in their place is unlikely, though possible,
since they may search too. The bot plays by the conventions of the rule bot (baselines/planners/hanabi.py).
"""

import numpy as np

from mmgames.baselines.planners.hanabi import choose
from mmgames.baselines.planners.hanabi_beliefs import learn, new_minds, taken_in_hand, think, unseen_by, wake
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.games.hanabi.known import cards_held
from mmgames.games.hanabi.rules import advance, deal_anew, mover, moves, set_up
from mmgames.games.hanabi.views import NOTHING
from mmgames.kernels.kernel import below, fork, kernel, noise, scramble, states_like
from mmgames.kernels.kernel_game import PolicyAgent

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
def unfold(world, states, minds):
    """The states and the minds before each move of the log, from a state in which every dealt card is filled in."""
    states[0] = world
    set_up(states[0])
    wake(world, minds[0])
    for number in range(world.moves):
        states[number + 1] = states[number]
        minds[number + 1] = minds[number]
        advance(states[number + 1], world.actions[number])
        learn(world, minds[number + 1], number)


@kernel
def surprises(world, states, minds, habits, seat, most):
    """How many moves of others a bot would not have made if the seat held the world's cards; `most` at most.

    Moves made before the seat had drawn any of these cards tell nothing about them.
    """
    found, players = 0, len(world.hands)
    for number in range(world.moves - 1, -1, -1):
        if minds[number].dealt <= world.hands[seat, 0]:
            break
        if number % players == seat:
            continue
        for slot in range(cards_held(world, seat)):
            place = world.hands[seat, slot]
            states[number].deck[place] = world.deck[place]
        if choose(states[number], minds[number], habits, number % players) != world.actions[number]:
            found += 1
            if found == most:
                break
    return found


@kernel
def likely_hands(state, mind, habits, seat, noise, hands):
    """Fill in hands that the seat may hold beside bots of these habits, the likelier ones more often; how many, 0 if
    none was found."""
    unseen_kinds, held = unseen_by(state, mind, seat, seat), cards_held(state, seat)
    samples, hand = hands.shape
    told, taken = np.zeros(hand, np.int64), np.zeros(hand, np.int64)
    for slot in range(held):
        place = state.hands[seat, slot]
        told[slot] = mind.facts[place] & unseen_kinds
        taken[slot] = taken_in_hand(mind, place, unseen_kinds, mind.trash)
    most, most_moves = CANDIDATES * samples, len(state.actions)
    candidates, misfits = np.full((most, hand), NOTHING), np.zeros(most, np.int64)
    states, minds = states_like(state, most_moves + 1), new_minds(most_moves + 1)
    worlds, drawn, fewest, fitting = states_like(state, 1), 0, most_moves, 0
    worlds[0] = state
    for number in range(most):
        if fitting >= samples:
            break
        allowed = told if number % UNCONVENTIONAL == 0 else taken
        if not deal_anew(worlds[0], seat, allowed, fork(noise, number), MOST_TRIES):
            continue
        if drawn == 0:
            unfold(worlds[0], states, minds)
        for slot in range(held):
            candidates[drawn, slot] = worlds[0].deck[state.hands[seat, slot]]
        misfits[drawn] = surprises(worlds[0], states, minds, habits, seat, fewest + SURPRISES)
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
        for slot in range(hand):
            hands[last, slot], hands[other, slot] = hands[other, slot], hands[last, slot]
    return made


@kernel
def outcome(world, mind, action, states, minds):
    """The points of a game that goes on with an action and is finished by the bot; the rest is working space."""
    states[0] = world
    minds[0] = mind
    while True:
        number = states[0].moves
        advance(states[0], action)
        if states[0].over:
            return states[0].points
        learn(states[0], minds[0], number)
        action = choose(states[0], minds[0], TEAM, mover(states[0]))


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
def search(state, seat, noise, samples):
    """The move to make; it reads no card of the seat's own hand and none that is not dealt."""
    minds, working_minds = new_minds(1), new_minds(1)
    think(state, minds[0])
    plan = choose(state, minds[0], TEAM, seat)
    legal, open_moves = np.empty(MOST_ACTIONS, np.int64), np.zeros(MOST_ACTIONS, np.int8)
    for k in range(moves(state, seat, legal)):
        open_moves[legal[k]] = 1
    open_moves[plan] = 0
    hand = state.hands.shape[1]
    hands, held = np.zeros((samples, hand), np.int64), np.zeros(hand, np.int64)
    samples = likely_hands(state, minds[0], TEAM, seat, fork(noise, HANDS_DRAWN), hands)
    sums, squares, lower = np.zeros(MOST_ACTIONS), np.zeros(MOST_ACTIONS), np.zeros(MOST_ACTIONS)
    worlds, working = states_like(state, 1), states_like(state, 1)
    worlds[0] = state
    for tried in range(1, samples + 1):
        for slot in range(hand):
            held[slot] = 1 << max(hands[tried - 1, slot], 0)
        deal_anew(worlds[0], seat, held, fork(fork(noise, DECKS_DRAWN), tried), MOST_TRIES)
        usual = outcome(worlds[0], minds[0], plan, working, working_minds)
        for action in range(MOST_ACTIONS):
            if open_moves[action]:
                gain = outcome(worlds[0], minds[0], action, working, working_minds) - usual
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
def oracle(state, seat, noise):
    return search(state, seat, noise, SAMPLES)


class Oracle(PolicyAgent):
    """Searches one move ahead over `samples` hands; more take longer and play better."""

    policy = oracle

    def __init__(self, samples: int = SAMPLES) -> None:
        if not isinstance(samples, int) or isinstance(samples, bool) or not 1 <= samples <= 10_000:
            raise MmgamesError(f"samples={samples!r} is out of range; the oracle tries 1 to 10000 hands.")
        self.samples = samples

    def act(self, turn: Turn) -> int:
        return int(search(turn.view.state.record, turn.seat, noise(turn.rng), self.samples))
