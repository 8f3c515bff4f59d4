"""The best guess at what somebody does next, from what whoever is asked can know and the ways in which the others play.

Who plays the games that Predict asks about is known (tasks/predict_recipes.py), who sits in this one is not. So every
way to play is weighed with its share of the questions and with how well it fits what can be seen, and the guess is the
move that is most likely to count as right.

- KuhnPoker: exact, over the cards that the other may hold and the equilibria that it may follow.
- Breakthrough: each search depth with its share; all moves that a search finds equally good are worked out.
- Overcooked: each agent with how well it fits the moves between the pictures, exactly.
- The dilemmas: each pairing with how often it comes to what is seen, counted over games that are played for that
  (best_guess_dilemmas.py).
- Hanabi: HANDS_TRIED hands that the asked player may hold, drawn as hints and the others' moves allow.
- KnightsArchersZombies and Particles: each agent, and each landmark that may be meant, exactly (best_guess_worlds.py).
- Pong: SLIDES ways in which the paddle may have been sliding when the first picture was made, each with how well it
  fits what the paddle did since.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from itertools import pairwise
from typing import Any

import numpy as np

from mmgames.agents.base import Agent
from mmgames.agents.finding import make_agent
from mmgames.baselines.planners.hanabi import RULES, choose
from mmgames.baselines.planners.hanabi_beliefs import new_minds, think
from mmgames.baselines.planners.kuhn_poker import Equilibrium
from mmgames.baselines.search import best_guess_worlds
from mmgames.baselines.search.best_guess_dilemmas import pairing_weights
from mmgames.baselines.search.hanabi_oracle import likely_hands
from mmgames.core import registry
from mmgames.core.game import Action, Game, Seat
from mmgames.core.live import LiveGame
from mmgames.core.turn import Turn
from mmgames.games.hanabi.known import cards_held
from mmgames.games.kuhn_poker.rules import BET, JACK, KING, PASS, QUEEN
from mmgames.kernels.kernel import kernel, noise, states_like
from mmgames.tasks.predict import Moment, Seen, equal_actions
from mmgames.tasks.predict_recipes import RECIPES, PredictRecipe, targets
from mmgames.tasks.questions import Question

HANDS_TRIED = 300
SLIDES = 45
SURPRISING = 6.0  # units by which Pong's paddle is elsewhere than expected: as many make something e times less likely

Votes = Mapping[Action, float]
"""By action: how likely it is, up to a factor, that it counts as right."""


def best_guess(question: Question, rng: np.random.Generator) -> str:
    """The name of the move that is most likely to count as right; of equally likely ones the first."""
    seen: Seen = question.seen
    votes = GUESSERS[seen.game.spec.name](seen, rng)
    return question.names[max(question.names, key=lambda action: votes.get(action, 0.0))]


def author_shares(recipe: PredictRecipe, seat: Seat) -> dict[str, float]:
    """Who is asked about in a seat, and in how many of the questions."""
    shares: Counter[str] = Counter()
    for authors, rows in recipe.mix.items():
        if seat in (about := targets(authors)):
            shares[authors[seat]] += rows / len(about)  # type: ignore[assignment]
    return dict(shares)


@cache
def _author(name: str, game: str) -> Agent:
    return make_agent(name, registry.find(game))


def own_choices(author: str, game: Game, state: Any, seat: Seat) -> tuple[Action, ...]:
    """All that an author might do in a state; for authors that remember nothing of the moves before."""
    agent, rng = _author(author, game.spec.name), np.random.default_rng(0)
    live = LiveGame(registry.load(game.spec.name), game)
    live.go_on_from(state, rng)
    turn = Turn(live, seat, rng)
    move = agent.act(turn)
    return tuple(agent.choices(turn)) or (move,)


def counting_as_right(game: Game, state: Any, seat: Seat, choices: Sequence[Action]) -> Iterable[Action]:
    """The choices and what comes to the same, if the others stay as they are (their first action)."""
    moves = {mover: game.legal(state, mover)[0] for mover in game.movers(state)} | {seat: choices[0]}
    return equal_actions(game, Moment((), 0, 0, seat, seat, (state,), moves, tuple(choices)))


def _weighed(seen: Seen, weights: Mapping[str, float], also_equal: bool) -> Votes:
    """The votes of the authors in the last state."""
    votes: Counter[Action] = Counter()
    game, state = seen.game, seen.states()[-1]
    for author, weight in weights.items():
        if weight > 0:
            choices = own_choices(author, game, state, seen.seat)
            for action in counting_as_right(game, state, seen.seat, choices) if also_equal else choices:
                votes[action] += weight  # type: ignore[assignment]
    return votes


def breakthrough(seen: Seen, rng: np.random.Generator) -> Votes:
    return _weighed(seen, author_shares(RECIPES["Breakthrough"], seen.seat), also_equal=False)


def kuhn_poker(seen: Seen, rng: np.random.Generator) -> Votes:
    """Bayes over the other's card and the equilibrium that it follows."""
    view, votes = seen.views[-1], dict.fromkeys((PASS, BET), 0.0)
    for author, share in author_shares(RECIPES["KuhnPoker"], seen.seat).items():
        equilibrium = _author(author, "KuhnPoker")
        assert isinstance(equilibrium, Equilibrium)
        for card in {JACK, QUEEN, KING} - {view.cards[seen.asked]}:
            weight = share
            for number in range(seen.seat, len(view.betting), 2):
                bet = equilibrium.bets[view.betting[:number]][card]
                weight *= bet if view.betting[number] == BET else 1 - bet
            bet = equilibrium.bets[view.betting][card]
            votes[BET] += weight * (bet > 0)
            votes[PASS] += weight * (bet < 1)
    return votes


def overcooked(seen: Seen, rng: np.random.Generator) -> Votes:
    """Bayes over the agents: each would have made the moves between the pictures, unless the opening was still on."""
    recipe, game, states = RECIPES["Overcooked"], seen.game, seen.states()
    between = [(before, after.did[0][seen.seat]) for before, after in pairwise(states) if before != after]
    now, weights = states[-1].step, {}
    for author, share in author_shares(recipe, seen.seat).items():
        fits = {before.step: did in own_choices(author, game, before, seen.seat) for before, did in between}
        likely = [
            np.prod([1 / game.num_actions if step < opening else float(fit) for step, fit in fits.items()])
            for opening in range(min(recipe.opening, now) + 1)
        ]
        weights[author] = share * float(np.mean(likely))
    return _weighed(seen, weights, also_equal=True)


def dilemma(seen: Seen, rng: np.random.Generator) -> Votes:
    """The pairings with how often they come to what is seen."""
    weights: Counter[str] = Counter()
    state = seen.states()[-1]
    for authors, weight in pairing_weights(seen.game.spec.name, seen.seat, state).items():
        weights[authors[seen.seat]] += weight  # type: ignore[assignment]
    return _weighed(seen, weights, also_equal=True)


@kernel
def moves_on_hands(state, seat, asked, noise, samples, votes):
    """Count what the rule bot in a seat does on hands that the asked player may hold."""
    minds, worlds = new_minds(1), states_like(state, 1)
    think(state, minds[0])
    worlds[0] = state
    hands = np.zeros((samples, state.hands.shape[1]), np.int64)
    for tried in range(likely_hands(state, minds[0], RULES, asked, noise, hands)):
        for slot in range(cards_held(state, asked)):
            worlds[0].deck[state.hands[asked, slot]] = hands[tried, slot]
        votes[choose(worlds[0], minds[0], RULES, seat)] += 1


def hanabi(seen: Seen, rng: np.random.Generator) -> Votes:
    view = seen.views[-1]
    votes = np.zeros(seen.game.num_actions, np.int64)
    moves_on_hands(view.state.record, seen.seat, seen.asked, noise(rng), HANDS_TRIED, votes)
    return dict(enumerate(votes.tolist()))


def pong(seen: Seen, rng: np.random.Generator) -> Votes:
    """The tracker looks at the pictures in turn. How the paddle slid before the first one is not known; a way in which
    it may have slid counts the less, the further the paddle is from where the tracker's moves would have taken it."""
    from mmgames.baselines.planners import pong as planner  # its game needs an extra

    views = [view for number, view in enumerate(seen.views) if number == 0 or view.step > seen.views[number - 1].step]
    most = planner.MOST_SLIDE
    votes: Counter[Action] = Counter()
    for slides in (0.0,) if views[0].step == 0 else np.linspace(-most, most, SLIDES).tolist():
        surprise, expected = 0.0, None
        for view in views:
            if expected is not None:
                surprise += abs(view.scene.right - view.before.right - expected)
            action, choices, slides = planner.decide(view, False, slides)
            expected = planner.PUSH * planner.DIRECTION[action] + (1 - planner.KEEP) * slides
        for action in choices:
            votes[action] += np.exp(-surprise / SURPRISING)
    return votes


def world(guess: Callable[[Seen, Mapping[str, float]], Votes], seen: Seen, rng: np.random.Generator) -> Votes:
    return guess(seen, author_shares(RECIPES[seen.game.spec.name], seen.seat))


GUESSERS: dict[str, Callable[[Seen, np.random.Generator], Votes]] = {
    "Hanabi": hanabi,
    "Overcooked": overcooked,
    "Breakthrough": breakthrough,
    "KuhnPoker": kuhn_poker,
    "Pong": pong,
    "CoinDilemma": dilemma,
    "MonsterHunt": dilemma,
    "BattleOfTheColors": dilemma,
    "KnightsArchersZombies": partial(world, best_guess_worlds.knights_archers_zombies),
    "Particles": partial(world, best_guess_worlds.particles),
}
