"""Loops over many states: one game's kernels play thousands of episodes, split over the threads.

The loops are written once and get the kernels of a game as arguments. Numba compiles them for each game and leaves out
what an argument that is None does not need. Every state has its own stream of random numbers, so what happens in it
does not depend on the other states or on the number of threads.
"""

import numpy as np

from mmgames.core.game import CHANCE
from mmgames.kernels.kernel import below, fraction, inlined, kernel, scramble, uncounted
from mmgames.kernels.kernel_game import EVERYBODY, NOBODY, lay_out

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MOST_POLICIES = 4
"""How many different compiled policies can play in one batch; `ask` has a place for each."""
ANY_LEGAL = -1
"""The place of a seat that plays any legal action with equal probability."""


@inlined
def draw(streams, i):
    """64 fresh random bits for a state."""
    noise = scramble(streams[i])
    streams[i] += GOLDEN
    return noise


@inlined
def is_up(whose, seat):
    """Whether a seat moves when the turn is `whose`."""
    return whose == seat or whose == EVERYBODY  # Numba is slow to look through a tuple


@inlined
def settle(turn, step, chance, state, streams, i, actions, outcomes, probabilities):
    """Play through chance nodes."""
    while turn(state) == CHANCE:
        left = fraction(draw(streams, i))
        n = chance(state, outcomes, probabilities)
        chosen = 0
        while chosen < n - 1 and left >= probabilities[chosen]:
            left -= probabilities[chosen]
            chosen += 1
        actions[0] = outcomes[chosen]
        step(state, actions, np.uint64(0))


@inlined
def observe(turn, moves, features, state, seats, feats, masks, legal, i):
    """Features of the seats that are looked for, and masks of their legal actions: all 0 when it is not their turn."""
    if moves is not None:
        whose = turn(state)
        for place in range(masks.shape[1]):
            for action in range(masks.shape[2]):
                masks[i, place, action] = 0
            if is_up(whose, seats[place]):
                for k in range(moves(state, seats[place], legal)):
                    masks[i, place, legal[k]] = 1
    for place in range(feats.shape[1]):
        features(state, seats[place], feats[i, place])


@kernel
def step_states(
    start, turn, moves, step, returns, features, chance, most_moves, most_outcomes,
    blank, states, streams, steps, most_steps, which, restart, terminated, truncated, offends, illegal_reward,
    seats, feats, masks, masks_before, actions, rewards, first, last,
):  # fmt: skip
    """One transition for each state of `which`; one that was over, or every one if `restart`, starts afresh instead.

    An illegal action of a mover ends the state as it stands and only its offenders pay for it.
    """
    states, feats, masks, actions = uncounted(states), uncounted(feats), uncounted(masks), uncounted(actions)
    players = rewards.shape[1]
    legal, chosen = np.empty(most_moves, np.int64), np.zeros(players, np.int64)
    before, after = np.empty(players), np.empty(players)
    outcomes, probabilities = np.empty(most_outcomes, np.int64), np.empty(most_outcomes)
    for i in range(first, last):
        if not which[i]:
            continue
        state = states[i]
        noise = draw(streams, i)
        if moves is not None:
            for seat in range(players):
                offends[i, seat] = False
        if restart or terminated[i] or truncated[i]:
            for seat in range(players):
                rewards[i, seat] = 0.0
            states[i] = blank[0]
            start(state, noise)
            if chance is not None:
                settle(turn, step, chance, state, streams, i, chosen, outcomes, probabilities)
            steps[i] = 0
            terminated[i] = truncated[i] = False
        else:
            fair = True
            if moves is not None:
                whose = turn(state)
                for seat in range(players):
                    rewards[i, seat] = 0.0
                    if is_up(whose, seat) and not masks_before[i, seat, actions[i, seat]]:
                        fair = False
                        offends[i, seat] = True
                        rewards[i, seat] = illegal_reward
            if fair:
                returns(state, before)
                step(state, actions[i], noise)
                if chance is not None:
                    settle(turn, step, chance, state, streams, i, chosen, outcomes, probabilities)
                returns(state, after)
                for seat in range(players):
                    rewards[i, seat] = after[seat] - before[seat]
                steps[i] += 1
                terminated[i] = turn(state) == NOBODY
                truncated[i] = not terminated[i] and steps[i] >= most_steps
            else:
                terminated[i] = True
        observe(turn, moves, features, state, seats, feats, masks, legal, i)


@inlined
def ask(moves, first, second, third, fourth, place, state, seat, noise, legal):
    """What the policy at a place chooses for a seat."""
    if place == ANY_LEGAL:
        if moves is None:
            return below(noise, legal.size)
        return legal[below(noise, moves(state, seat, legal))]
    if fourth is not None:  # noqa: SIM102 - Numba leaves out what hangs on a plain comparison with None
        if place == 3:
            return np.int64(fourth(state, seat, noise))
    if third is not None:  # noqa: SIM102
        if place == 2:
            return np.int64(third(state, seat, noise))
    if second is not None:  # noqa: SIM102
        if place == 1:
            return np.int64(second(state, seat, noise))
    if first is not None:
        return np.int64(first(state, seat, noise))
    return np.int64(0)


@kernel
def one_seat_states(
    start, turn, moves, step, returns, features, chance, most_moves, most_outcomes,
    blank, states, streams, steps, most_steps, which, restart, terminated, truncated, offends, illegal_reward,
    seats, feats, masks, masks_before, actions, rewards,
    paid, places, first_policy, second_policy, third_policy, fourth_policy, agent_streams, first, last,
):  # fmt: skip
    """As `step_states` for one seat, `seats[0]`: the policies play the others' turns until it is this seat's again.

    `paid` is what this seat has been rewarded with so far: what the others' first moves earn it comes with its first
    reward. If they end an episode before its first turn, its first step ends it too, whatever its action.
    """
    states, feats, masks, actions = uncounted(states), uncounted(feats), uncounted(masks), uncounted(actions)
    players, me = places.shape[0], seats[0]
    legal, chosen, totals = np.empty(most_moves, np.int64), np.zeros(players, np.int64), np.empty(players)
    outcomes, probabilities = np.empty(most_outcomes, np.int64), np.empty(most_outcomes)
    for i in range(first, last):
        if not which[i]:
            continue
        state = states[i]
        rewards[i] = 0.0
        offends[i] = False
        fresh = restart or terminated[i] or truncated[i]
        if fresh:
            states[i] = blank[0]
            start(state, draw(streams, i))
            if chance is not None:
                settle(turn, step, chance, state, streams, i, chosen, outcomes, probabilities)
            steps[i] = 0
            paid[i] = 0.0
            terminated[i] = truncated[i] = False
        whose = turn(state)
        goes_on = whose != NOBODY and steps[i] < most_steps
        if moves is not None and not fresh:
            offends[i] = goes_on and not masks_before[i, 0, actions[i]]
        to_play = not fresh  # this seat's own action
        while goes_on and not offends[i] and (to_play or (whose != me and whose != EVERYBODY)):
            for seat in range(players):
                if seat == me:
                    chosen[seat] = actions[i]
                elif is_up(whose, seat):
                    noise = draw(agent_streams, i)
                    chosen[seat] = ask(
                        moves, first_policy, second_policy, third_policy, fourth_policy,
                        places[seat], state, seat, noise, legal,
                    )  # fmt: skip
            step(state, chosen, draw(streams, i))
            if chance is not None:
                settle(turn, step, chance, state, streams, i, chosen, outcomes, probabilities)
            steps[i] += 1
            to_play = False
            whose = turn(state)
            goes_on = whose != NOBODY and steps[i] < most_steps
        if offends[i]:
            rewards[i] = illegal_reward
            terminated[i] = True
        elif not fresh:
            returns(state, totals)
            rewards[i] = totals[me] - paid[i]
            paid[i] = totals[me]
            terminated[i] = whose == NOBODY
            truncated[i] = not terminated[i] and steps[i] >= most_steps
        observe(turn, moves, features, state, seats, feats, masks, legal, i)


@kernel
def look_states(turn, moves, features, most_moves, states, seats, feats, masks, first, last):
    """Features and masks of the states as they stand."""
    states, feats, masks = uncounted(states), uncounted(feats), uncounted(masks)
    legal = np.empty(most_moves, np.int64)
    for i in range(first, last):
        observe(turn, moves, features, states[i], seats, feats, masks, legal, i)


@kernel
def plane_states(features, planes, num_features, states, which, seats, sheets, first, last):
    """Planes of the seats that are looked for in each state of `which`, written by the game or laid out of features."""
    states, sheets = uncounted(states), uncounted(sheets)
    numbers = np.empty(num_features, np.float32)
    for i in range(first, last):
        if not which[i]:
            continue
        for place in range(seats.size):
            if planes is not None:
                planes(states[i], seats[place], sheets[i, place])
            else:
                features(states[i], seats[place], numbers)
                lay_out(numbers, sheets[i, place])


@kernel
def sum_states(totals, states, out, first, last):
    """What `returns` or `sparse` says of each state."""
    states, out = uncounted(states), uncounted(out)
    for i in range(first, last):
        totals(states[i], out[i])


@kernel
def act_states(turn, moves, policy, most_moves, states, seat, streams, actions, first, last):
    """What a policy chooses for a seat in those states in which it is to move; None draws any legal action."""
    states = uncounted(states)
    legal = np.empty(most_moves, np.int64)
    place = ANY_LEGAL if policy is None else 0
    for i in range(first, last):
        whose = turn(states[i])
        noise = draw(streams, i)
        actions[i, seat] = 0
        if is_up(whose, seat):
            actions[i, seat] = ask(moves, policy, None, None, None, place, states[i], seat, noise, legal)


@kernel
def fractions(which, streams, out, first, last):
    """A random number from [0, 1) for each state of `which`."""
    for i in range(first, last):
        if which[i]:
            out[i] = fraction(draw(streams, i))


@kernel
def take_states(states, which, out, first, last):
    """The states with these numbers."""
    states, out = uncounted(states), uncounted(out)
    for i in range(first, last):
        out[i] = states[which[i]]


@kernel
def random_states(masks, num_actions, streams, actions, first, last):
    """Any legal action of every seat in each state, all with equal probability; 0 where it has none. Without masks
    every action is legal."""
    if masks is None:
        for i in range(first, last):
            for seat in range(actions.shape[1]):
                actions[i, seat] = below(draw(streams, i), num_actions)
        return
    legal_ones = uncounted(masks)
    for i in range(first, last):
        for seat in range(actions.shape[1]):
            legal = legal_ones[i, seat]
            n = 0
            for action in range(num_actions):
                n += legal[action]
            skip = below(draw(streams, i), n)
            actions[i, seat] = 0
            for action in range(num_actions):
                skip -= legal[action]
                if skip < 0:
                    actions[i, seat] = action
                    break
