"""Who may be playing a grid dilemma, from one position: how often each pairing comes to what can be seen there.

Games of every pairing are played, and their positions are counted by what tells the players apart: how often what has
happened, whether the last moves brought the players nearer to something, and how far the game is. The finest of several
such descriptions that was met often enough decides.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache

import numpy as np

from mmgames.agents.finding import make_agents
from mmgames.core import registry
from mmgames.core.game import Seat
from mmgames.games._dilemma.rules import CELLS, LEGAL, MOVED, Dilemma
from mmgames.games._dilemma.setup import SIDE
from mmgames.kernels.kernel import noise
from mmgames.kernels.kernel_game import ask
from mmgames.kernels.records import RecordState
from mmgames.tasks.predict_recipes import RECIPES, targets

GAMES_PLAYED = 400  # of each pairing
OFTEN = 20  # a description that was met less often, over all pairings, tells too little
PLACES = {"MonsterHunt": (0, CELLS // 2)}  # cells that somebody may go to beside the things: a corner and the middle
MANY = 3  # more of an event tell no more
_BACK = (0, 2, 1, 4, 3)  # the move that takes another one back

Description = tuple[tuple[int, ...], ...]


def pairing_weights(game: str, seat: Seat, state: RecordState) -> dict[tuple[str, ...], float]:
    """By pairing: how likely it is to be playing, up to a factor, if a position of it is asked about for a seat."""
    recipe = RECIPES[game]
    shares = {authors: rows / len(targets(authors)) for authors, rows in recipe.mix.items() if seat in targets(authors)}
    rules = registry.load(game).game()
    assert isinstance(rules, Dilemma)
    for met, described in zip(met_often(game, GAMES_PLAYED)[seat], descriptions(rules, seat, state), strict=True):
        counts = {authors: met[authors, described] for authors in shares}
        if sum(counts.values()) >= OFTEN:
            return {authors: share * counts[authors] for authors, share in shares.items()}
    return shares


Met = Counter[tuple[tuple[str, ...], Description]]


@cache
def met_often(game: str, episodes: int) -> list[list[Met]]:
    """By seat and description, the finest first: how often each pairing came to it, over as many games of each."""
    rules = registry.load(game).game()
    assert isinstance(rules, Dilemma)
    found: list[list[Met]] = [
        [Counter() for _ in descriptions(rules, seat, rules.start(np.random.default_rng(0)))] for seat in (0, 1)
    ]
    for number, authors in enumerate(RECIPES[game].mix):
        for state in _states(rules, authors, episodes, number):
            for seat in targets(authors):
                for met, described in zip(found[seat], descriptions(rules, seat, state), strict=True):
                    met[authors, described] += 1
    return found


def _states(rules: Dilemma, authors: tuple[str, ...], episodes: int, seed: int) -> Iterator[RecordState]:
    """Every position of some games of a pairing."""
    policies = [
        agent.compiled_policy if name != "random" else None
        for name, agent in zip(authors, make_agents(authors, rules.spec), strict=True)
    ]
    for episode in range(episodes):
        rng = np.random.default_rng([seed, episode])
        state = rules.start(rng)
        while rules.movers(state):
            yield state
            moves = {
                seat: int(rng.integers(len(LEGAL))) if policy is None else int(ask(policy, state, seat, noise(rng)))
                for seat, policy in enumerate(policies)
            }
            state = rules.play(state, moves, rng)


def descriptions(rules: Dilemma, seat: Seat, state: RecordState) -> list[Description]:
    """What can be seen in a position, ever less of it."""
    happened = tuple(min(count, MANY) for count in rules.happened(state).values())
    cells = (*state.things, *PLACES.get(rules.spec.name, ()))
    mine, theirs = (_nearer(state.at[who], state.did[who], cells) for who in (seat, 1 - seat))
    time = (state.step // 10,)
    return [(happened, time, mine, theirs), (happened, mine, theirs), (happened, mine), (mine, theirs), (mine,)]


def _nearer(at: int, did: int, cells: tuple[int, ...]) -> tuple[int, ...]:
    """Of each cell: 2 if somebody stands on it, else whether the last move went nearer to it (1), away (-1) or not."""
    before = int(MOVED[SIDE, at, _BACK[did]]) if did >= 0 else at
    return tuple(2 if at == cell else int(np.sign(_far(before, cell) - _far(at, cell))) for cell in cells)


def _far(cell: int, other: int) -> int:
    return abs(cell % SIDE - other % SIDE) + abs(cell // SIDE - other // SIDE)
