"""Predict: what will the other seat do next? VS-Bench's strategic reasoning.

RECIPES says, for each game, who plays the games that the questions are about. The same recipes make the data set
(datasets/vs_bench.py) and the environments `mmgames/CoinDilemma-Predict-v0`, ….
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, ClassVar

import numpy as np

from mmgames.agents.base import Agent
from mmgames.agents.finding import make_agent, make_agents
from mmgames.agents.players import ask_for_move
from mmgames.core import registry
from mmgames.core.game import Action, Game, Seat
from mmgames.core.live import LiveGame
from mmgames.core.prompt import pictures_part, section
from mmgames.core.registry import LoadedGame
from mmgames.core.rooms import asks_for_json
from mmgames.core.seeding import agent_streams, fresh_rng
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.tasks import TaskSpec
from mmgames.tasks.questions import Question, Source, Style
from mmgames.text.move_names import Asked

ROWS = 400
"""How many states of each game VS-Bench has; the numbers in a recipe's mix add up to it."""


@dataclass(frozen=True)
class PredictRecipe:
    """Where the questions about one game come from."""

    game: str
    mix: Mapping[tuple[str, ...], int]  # who sits in the seats -> how many of the 400 states
    per_episode: int = 1  # at most so many states are taken from an episode
    episodes: int | None = None  # episodes of each pairing for 400 states; None: as many as are needed
    frames: int | None = None  # pictures of a question; None: as many as the game shows
    opening: int = 0  # up to so many joint moves at random come first, where episodes would otherwise be alike
    by_move: bool = False  # few episodes reach the later moves: they are asked about as often as the others
    by_share: bool = False  # episodes differ in length: states are spread over tenths of an episode, not move numbers
    kinds: Mapping[str, float] = field(default_factory=dict)  # how answers begin -> their relative number
    at_most: Mapping[str, float] = field(default_factory=dict)  # how answers begin -> their largest share
    note: str = ""


def _pairs(*pairs: tuple[str, str, int]) -> dict[tuple[str, ...], int]:
    return {(first, second): rows for first, second, rows in pairs}


def _depths(*pairs: tuple[int, int, int]) -> dict[tuple[str, ...], int]:
    return {(f"minimax:{first}", f"minimax:{second}"): rows for first, second, rows in pairs}


_ALPHAS = ("equilibrium:alpha=0", "equilibrium:alpha=1/6", "equilibrium:alpha=1/3")
_OURS = "the paper's states come from people and models, these from reference agents"

RECIPES: dict[str, PredictRecipe] = {
    recipe.game: recipe
    for recipe in (
        PredictRecipe(
            "Hanabi",
            {("rule_bot", "rule_bot"): 400},
            per_episode=4,
            by_share=True,
            kinds={"(Play": 2, "(Discard": 3, "(Reveal": 4},
            note=_OURS,
        ),
        PredictRecipe(
            "Overcooked",
            _pairs(
                ("planner", "planner", 100),
                ("greedy", "greedy", 100),
                ("planner", "greedy", 100),
                ("greedy", "planner", 100),
            ),
            per_episode=4,
            opening=10,
            at_most={"<STAY>": 0.1},
            note=_OURS,
        ),
        PredictRecipe(
            "Breakthrough",
            _depths((3, 4, 67), (3, 5, 67), (4, 5, 67), (4, 6, 67), (4, 4, 66), (5, 5, 66)),
            per_episode=8,
            by_share=True,
        ),
        PredictRecipe(
            "KuhnPoker",
            dict(zip(product(_ALPHAS, _ALPHAS), (45, 44, 44, 44, 45, 44, 45, 44, 45), strict=True)),
            episodes=600,
            by_move=True,
        ),
        PredictRecipe("Pong", {("tracker",): 400}, per_episode=10, by_share=True, note=_OURS),
        PredictRecipe(
            "CoinDilemma",
            _pairs(
                ("common_welfare", "common_welfare", 100),
                ("self_interest", "self_interest", 100),
                ("common_welfare", "self_interest", 50),
                ("self_interest", "common_welfare", 50),
                ("random", "self_interest", 50),
                ("self_interest", "random", 50),
            ),
        ),
        PredictRecipe(
            "MonsterHunt",
            _pairs(
                ("chase", "chase", 80),
                ("wait_middle", "wait_middle", 80),
                ("wait_corner", "wait_corner", 80),
                ("self_interest", "self_interest", 80),
                ("random", "self_interest", 40),
                ("self_interest", "random", 40),
            ),
        ),
        PredictRecipe(
            "BattleOfTheColors",
            _pairs(
                ("common_welfare", "common_welfare", 100),
                ("self_interest", "self_interest", 100),
                ("common_welfare", "self_interest", 50),
                ("self_interest", "common_welfare", 50),
                ("biased_red", "biased_red", 50),
                ("biased_blue", "biased_blue", 50),
            ),
        ),
    )
}


def recipes() -> dict[str, PredictRecipe]:
    """The recipes of the games that are registered, by name."""
    known = {spec.name for spec in registry.specs.values() if spec.namespace == "mmgames"}
    return {name: recipe for name, recipe in RECIPES.items() if name in known}


def declare() -> Iterator[TaskSpec]:
    for name in recipes():
        game = registry.find(name)
        yield TaskSpec(
            name=f"{name}-Predict",
            kind="predict",
            game=game.id,
            summary=f"say what the other player of {name} does next",
            source="mmgames.tasks.predict:Predict",
            extras=game.extras,
            released="mmgames.datasets._released.vs_bench:ReleasedPredict",
        )


# Episodes and their moments


Moves = Mapping[Seat, Action]
Choices = Mapping[Seat, tuple[Action, ...]]
"""By seat: all that it might as well have done."""


def targets(authors: Sequence[str]) -> list[Seat]:
    """The seats that questions are about: nobody can foresee what the random player does."""
    return [seat for seat, author in enumerate(authors) if author != "random"]


class Episodes:
    """Episodes of one pairing of authors, step by step, with the moves that are about to be made."""

    def __init__(self, recipe: PredictRecipe, authors: Sequence[str]) -> None:
        self.recipe = recipe
        self.loaded = registry.load(recipe.game)
        self.game = self.loaded.game()
        self.agents = make_agents(authors, self.loaded.spec)
        self.beginner = make_agent("random", self.loaded.spec)

    def play(self, seed: int) -> Iterator[tuple[LiveGame, Moves, Choices | None]]:
        """The live game before each move, the move, and what the authors might as well have done; None in the
        opening, which is random.

        An environment that is reset with the same seed deals the same game.
        """
        game = self.game
        rng, _ = fresh_rng(seed)
        streams = agent_streams(rng, len(game.seats) + 1)
        opening = int(streams[-1].integers(self.recipe.opening + 1))
        for seat, agent in enumerate(self.agents):
            agent.begin(game, seat)
        live = LiveGame(self.loaded, game)
        live.start(rng)
        step = 0
        while live.movers:
            own = step >= opening
            agents: Sequence[Agent] = self.agents if own else [self.beginner] * len(self.agents)
            turns = {seat: Turn(live, seat, streams[seat]) for seat in live.movers}
            moves = {seat: ask_for_move(agents[seat], live, turn) for seat, turn in turns.items()}
            choices = {
                seat: tuple(self.agents[seat].choices(turn)) or (moves[seat],) for seat, turn in turns.items() if own
            }
            yield live, moves, choices if own else None
            live.play(moves)
            step += 1


def replay(loaded: LoadedGame, game: Game, seed: int, moves: Iterable[Moves]) -> Iterator[LiveGame]:
    """The live game before each of the moves of an episode that was played with this seed."""
    live = LiveGame(loaded, game)
    live.start(fresh_rng(seed)[0])
    for step in moves:
        yield live
        live.play(step)


@dataclass(frozen=True)
class Moment:
    """A state of an episode in which `seat` is about to move, and what it did."""

    agents: tuple[str, ...]
    seed: int  # of the episode
    move: int  # the number of the move, from 0
    seat: Seat
    asked: Seat  # who is to predict it; the seat itself, where there is no other
    states: tuple[Any, ...]  # as many as there are pictures, the oldest first
    moves: Moves
    choices: tuple[Action, ...] = ()  # what it might as well have done


def asked_of(game: Game, seat: Seat, pick: float) -> Seat:
    """Who predicts a seat's move: one of the others, chosen by `pick` in [0, 1), or itself where it is alone."""
    others = [other for other in range(len(game.seats)) if other != seat]
    return others[int(pick * len(others))] if others else seat


def shown_frames(recipe: PredictRecipe) -> int:
    """How many pictures a question has unless a user says otherwise."""
    return recipe.frames or registry.find(recipe.game).frames


def last_states(states: Sequence[Any], frames: int) -> tuple[Any, ...]:
    """The last states up to now; the first fills the places before it."""
    shown = states[-frames:]
    return (shown[0],) * (frames - len(shown)) + tuple(shown)


DRAWS = 4
"""With so many different draws of chance two actions must come to the same to count as equal."""


def equal_actions(game: Game, moment: Moment) -> frozenset[Action]:
    """The actions that count as right: the one that the seat took, those that are as good to it, and whatever has the
    same outcome as one of these, whatever chance does."""
    state, seat = moment.states[-1], moment.seat

    def outcomes(action: Action) -> list[Any]:
        rngs = (np.random.default_rng([moment.seed, moment.move, draw]) for draw in range(DRAWS))
        return [game.outcome(game.play(state, {**moment.moves, seat: action}, rng)) for rng in rngs]

    good = {moment.moves[seat], *moment.choices}
    reached = [outcomes(action) for action in good]
    return frozenset(action for action in game.legal(state, seat) if action in good or outcomes(action) in reached)


# The question


_ANSWER = asks_for_json('{"action": "…"}, naming the action you expect.')


def question(loaded: LoadedGame, game: Game, moment: Moment, style: Style) -> Question:
    """What `moment.asked` is shown and asked about what `moment.seat` does next.

    Pictures and words are those of the asked seat's own view. The list of the other's legal actions is true, as in
    VS-Bench; in Hanabi it tells the asked seat something about its own cards.
    """
    state, words = moment.states[-1], loaded.words
    view = game.view(state, moment.asked)
    names = words.names(game.view(state, moment.seat))
    role = game.seats[moment.seat]
    together = moment.asked in game.movers(state)
    if moment.asked == moment.seat:
        task = f"Somebody who plays well sits in your place, {role}. Say which action they choose next."
    else:
        task = f"Say which action the other player, {role}, chooses next" + (
            ", while you choose yours." if together else "."
        )
    seen = len(moment.states) if style.drawn and not style.words_alone else 0
    parts = [
        section("Rules", words.rules(view)),
        section("You", words.you(view)),
        *([pictures_part(seen, words.legend(view))] if seen else []),
        section("Question", task),
        section("Answer", _ANSWER[style.reasoning]),
        section("Now", words.describe(view) if style.words_alone else words.history(view)),
        section(f"Legal actions of {role}", ", ".join(names.values())),
    ]
    draw = loaded.picture.draw
    pictures = tuple(draw(game.view(shown, moment.asked), style.size) for shown in moment.states if style.drawn)
    facts = {
        "game": game.spec.id,
        "agents": moment.agents,
        "seed": moment.seed,
        "move": moment.move,
        "predicted": role,
        "asked": game.seats[moment.asked],
    }
    correct = equal_actions(game, moment)
    asked = Asked(role, "another")
    called = words.aliases(game.view(moment.states[-1], moment.seat))
    aliases = {text: action for text, action in called.items() if action in names}
    right = moment.moves[moment.seat]
    return Question(pictures, "\n\n".join(parts), names, correct, right, facts, aliases, asked=asked)


class Predict(Source):
    """Questions about fresh episodes. Long episodes serve several questions until the environment is seeded anew."""

    remembers: ClassVar[bool] = True

    def __init__(self, spec: TaskSpec, style: Style) -> None:
        super().__init__(spec, style)
        self.recipe = RECIPES[registry.find(spec.game).name]
        self.loaded = registry.load(spec.game)
        self.game = self.loaded.game()
        self.frames = style.frames or shown_frames(self.recipe)
        self.num_answers = self.game.num_actions
        self._pairings = list(self.recipe.mix)
        weights = np.array(list(self.recipe.mix.values()), float)
        self._weights = weights / weights.sum()
        self._tables: dict[tuple[str, ...], Episodes] = {}
        self._kept: list[Moment] = []

    def forget(self) -> None:
        self._kept.clear()

    def sample(self) -> Question:
        live = LiveGame(self.loaded, self.game)
        live.start(np.random.default_rng(0))
        seat = live.movers[0]
        moves = {mover: self.game.legal(live.state, mover)[0] for mover in live.movers}
        states = last_states([live.state], self.frames)
        moment = Moment(self._pairings[0], 0, 0, seat, asked_of(self.game, seat, 0.0), states, moves)
        return question(self.loaded, self.game, moment, self.style)

    def ask(self, rng: np.random.Generator) -> Question:
        if not self._kept:
            self._kept = self._moments(rng)
        return question(self.loaded, self.game, self._kept.pop(), self.style)

    def _moments(self, rng: np.random.Generator) -> list[Moment]:
        """Moments of a fresh episode, spread over its moves, in random order.

        Who is asked about, and which move it is where not all episodes come so far, is drawn first; then episodes are
        played until one has it.
        """
        recipe = self.recipe
        authors = self._pairings[int(rng.choice(len(self._pairings), p=self._weights))]
        if authors not in self._tables:
            self._tables[authors] = Episodes(recipe, authors)
        seat = int(rng.choice(targets(authors)))
        wanted = self._wanted_move(rng, seat)
        while True:
            found = self._episode(rng, authors, seat)
            if wanted is not None:
                found = [moment for moment in found if moment.move == wanted]
            if chosen := _drawn(recipe, found, self._beginning, rng):
                return chosen

    def _wanted_move(self, rng: np.random.Generator, seat: Seat) -> int | None:
        if not self.recipe.by_move:
            return None
        spec = self.game.spec
        turns = len(self.game.seats) if spec.dynamics == "sequential" else 1
        return int(rng.choice(np.arange(seat if turns > 1 else 0, spec.length, turns)))

    def _episode(self, rng: np.random.Generator, authors: tuple[str, ...], seat: Seat) -> list[Moment]:
        """Every moment of a fresh episode at which the seat's author is about to move."""
        seed = int(rng.integers(2**63))
        states: list[Any] = []
        found = []
        for move, (live, moves, choices) in enumerate(self._tables[authors].play(seed)):
            states = [*states[-self.frames :], live.state]
            if choices is not None and seat in moves:
                asked = asked_of(self.game, seat, rng.random())
                shown = last_states(states, self.frames)
                found.append(Moment(authors, seed, move, seat, asked, shown, moves, choices[seat]))
        return found

    def _beginning(self, moment: Moment) -> str:
        """How the answer begins, as far as the recipe cares."""
        name = self.loaded.words.names(self.game.view(moment.states[-1], moment.seat))[moment.moves[moment.seat]]
        return beginning(self.recipe, name)


def beginning(recipe: PredictRecipe, name: str) -> str:
    """How an answer begins, as far as the recipe cares."""
    return next((start for start in (*recipe.kinds, *recipe.at_most) if name.startswith(start)), "")


def _drawn(
    recipe: PredictRecipe, found: Sequence[Moment], begins: Callable[[Moment], str], rng: np.random.Generator
) -> list[Moment]:
    """Some of an episode's moments, in random order: as many as the recipe takes, answers in its proportions."""
    mixed = [found[i] for i in rng.permutation(len(found))]
    if not recipe.kinds and not recipe.at_most:
        return mixed[: recipe.per_episode]
    groups: dict[str, list[Moment]] = {}
    for moment in mixed:
        groups.setdefault(begins(moment), []).append(moment)
    if recipe.kinds:
        weights = np.array(list(recipe.kinds.values()))
        kinds = rng.choice(list(recipe.kinds), size=recipe.per_episode, p=weights / weights.sum())
        return [groups[kind].pop() for kind in kinds.tolist() if groups.get(kind)]
    # Of an answer that is too frequent some are left out.
    kept = {id(moment) for moment in groups.get("", [])}
    for start, share in recipe.at_most.items():
        most = share / (1 - share) * (len(found) - len(groups.get(start, [])))
        chance = min(1.0, most / max(1, len(groups.get(start, []))))
        kept |= {id(moment) for moment in groups.get(start, []) if rng.random() < chance}
    return [moment for moment in mixed if id(moment) in kept][: recipe.per_episode]


# Scoring


def accuracy(rows: Sequence[Mapping[str, Any]], predictions: Mapping[str, str]) -> dict[str, float]:
    """How many predictions (row id -> action) name the action that was taken, and how many one that comes to the
    same. A row without a prediction counts as wrong."""
    if not rows:
        raise MmgamesError("There are no rows to score.")
    exact = sum(predictions.get(row["id"]) == row["answer"] for row in rows)
    equal = sum(predictions.get(row["id"]) in row["correct"] for row in rows)
    return {"raw": exact / len(rows), "equivalent": equal / len(rows)}


def uniform_accuracy(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """What predicting any legal action with equal probability is expected to score."""
    if not rows:
        raise MmgamesError("There are no rows to score.")
    raw = float(np.mean([1 / len(row["legal_actions"]) for row in rows]))
    equal = float(np.mean([len(row["correct"]) / len(row["legal_actions"]) for row in rows]))
    return {"raw": raw, "equivalent": equal}
