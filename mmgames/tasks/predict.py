"""Predict: what will the other seat do next? VS-Bench's strategic reasoning.

predict_recipes.py says, for each game, who plays the games that the questions are about. The same recipes make the
data set (datasets/vs_bench.py) and the environments `mmgames/CoinDilemma-Predict-v0`, ….
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from mmgames.agents.base import Agent
from mmgames.agents.finding import make_agent, make_agents
from mmgames.agents.players import ask_for_move
from mmgames.core import registry
from mmgames.core.game import Action, Game, Seat
from mmgames.core.game_modules import asks_for_json
from mmgames.core.live import LiveGame
from mmgames.core.prompt import pictures_part, section
from mmgames.core.registry import LoadedGame
from mmgames.core.seeding import agent_streams, fresh_rng
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.readers import vs_bench
from mmgames.tasks import TaskSpec
from mmgames.tasks.predict_recipes import RECIPES, PredictRecipe, beginning, recipes, targets
from mmgames.tasks.questions import Question, Source, Style
from mmgames.text.refusals import Illegal


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


class Episodes:
    """Episodes of one pairing of authors, step by step, with the moves that are about to be made."""

    def __init__(self, recipe: PredictRecipe, authors: Sequence[str]) -> None:
        self.recipe = recipe
        self.loaded = registry.load(recipe.game)
        self.game = self.loaded.game(**recipe.options)
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
    asked: Seat  # who is to predict it: its place at the table
    states: tuple[Any, ...]  # as many as there are pictures, the oldest first
    moves: Moves
    choices: tuple[Action, ...] = ()  # what it might as well have done


def places(game: Game) -> tuple[str, ...]:
    """Everybody at the table: the seats, and after them whom the game plays itself."""
    return (*game.seats, *RECIPES[game.spec.name].played_by_game)


def asked_of(game: Game, seat: Seat, pick: float) -> Seat:
    """Who predicts a seat's move: one of the others at the table, chosen by `pick` in [0, 1)."""
    others = [other for other in range(len(places(game))) if other != seat]
    return others[int(pick * len(others))]


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
    draws = 1 if game.spec.chance == "none" else DRAWS

    def outcomes(action: Action) -> list[Any]:
        rngs = (np.random.default_rng([moment.seed, moment.move, draw]) for draw in range(draws))
        return [game.outcome(game.play(state, {**moment.moves, seat: action}, rng)) for rng in rngs]

    good = {moment.moves[seat], *moment.choices}
    reached = [outcomes(action) for action in good]
    return frozenset(action for action in game.legal(state, seat) if action in good or outcomes(action) in reached)


# The question


class Seen:
    """What whoever is asked can know, for programs: the game, who is to be predicted, its own views, oldest first."""

    def __init__(self, game: Game, moment: Moment) -> None:
        self.game, self.seat, self.asked = game, moment.seat, moment.asked
        self._states = moment.states

    @property
    def views(self) -> list[Any]:
        return [self.game.view(state, self.asked) for state in self._states]

    def states(self) -> tuple[Any, ...]:
        """The states themselves, in a game that hides nothing."""
        if self.game.spec.information != "perfect":
            raise MmgamesError(f"{self.game.spec.id} hides something: whoever is asked has views, not states.")
        return self._states


def possible_names(loaded: LoadedGame, game: Game, moment: Moment) -> Mapping[Action, str]:
    """The answers to choose from: what `moment.seat` may do, as far as `moment.asked` can tell."""
    state, possible = moment.states[-1], loaded.words.possible
    if possible is None:
        return loaded.words.names(game.view(state, moment.seat))
    return possible(game.view(state, moment.asked), moment.seat)


_ANSWER = asks_for_json('{"action": "…"}, naming the action you expect.')


def question(loaded: LoadedGame, game: Game, moment: Moment, style: Style) -> Question:
    """What `moment.asked` is shown and asked about what `moment.seat` does next.

    Pictures and words are those of the asked seat's own view, and so is the list of what the other may do: where the
    asked seat cannot know what is legal (hints about its own cards in Hanabi), the list has all that may be.
    """
    views = [game.view(state, moment.asked) for state in moment.states]
    state, view, words = moment.states[-1], views[-1], loaded.words.remembering(len(views), views)
    names = possible_names(loaded, game, moment)
    role = game.seats[moment.seat]
    called = words.called(role)
    together = moment.asked in game.movers(state) or moment.asked >= len(game.seats)
    task = f"Say which action the other player, {called}, chooses next" + (
        ", while you choose yours." if together else "."
    )
    frames = len(moment.states) if style.drawn and not style.words_alone else 0
    parts = [
        section("Rules", words.rules(view)),
        section("You", words.you(view)),
        *([pictures_part(frames, words.legend(view))] if frames else []),
        section("Question", task),
        section("Answer", _ANSWER[style.reasoning]),
        section("Now", words.describe(view) if style.words_alone else words.history(view)),
        section(f"{'Legal' if words.possible is None else 'Possible'} actions of {called}", ", ".join(names.values())),
    ]
    draw = loaded.picture.draw
    pictures = tuple(draw(shown, style.size) for shown in views if style.drawn)
    facts = {
        "game": game.spec.id,
        "agents": moment.agents,
        "seed": moment.seed,
        "move": moment.move,
        "predicted": role,
        "asked": places(game)[moment.asked],
    }
    correct = equal_actions(game, moment)
    others = words.aliases(game.view(moment.states[-1], moment.seat))
    aliases = {text: action for text, action in others.items() if action in names}
    right = moment.moves[moment.seat]
    seen = Seen(game, moment)
    return Question(pictures, "\n\n".join(parts), names, correct, right, facts, aliases, seen=seen)


class NextAction(Source):
    """What all who ask for the next action have in common: how VS-Bench's code reads the replies."""

    paper: ClassVar[str] = "vs-bench"

    def read_as_paper(self, question: Question, reply: str) -> int | Illegal:
        found: int | Illegal = vs_bench.read_move(self.spec.name.partition("-")[0], None, question.names, reply)
        return found

    def as_reply(self, answer: str) -> str:
        return json.dumps({"action": answer}) if self.as_paper else answer


class Predict(NextAction):
    """Questions about fresh episodes. Long episodes serve several questions until the environment is seeded anew."""

    remembers: ClassVar[bool] = True
    looks: ClassVar[bool] = True

    def __init__(self, spec: TaskSpec, style: Style) -> None:
        super().__init__(spec, style)
        self.recipe = RECIPES[registry.find(spec.game).name]
        usual = registry.load(spec.game)
        self.game = usual.game(look=style.look, **self.recipe.options)
        self.loaded = usual.shown(self.game)
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
            if chosen := self._drawn(found, rng):
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

    def _drawn(self, found: Sequence[Moment], rng: np.random.Generator) -> list[Moment]:
        """Some of an episode's moments, in random order: as many as the recipe takes, answers in its proportions."""
        recipe = self.recipe
        mixed = [found[i] for i in rng.permutation(len(found))]
        if not recipe.kinds and not recipe.at_most:
            return mixed[: recipe.per_episode]
        groups: dict[str, list[Moment]] = {start: [] for start in ("", *recipe.kinds, *recipe.at_most)}
        for moment in mixed:
            names = self.loaded.words.names(self.game.view(moment.states[-1], moment.seat))
            groups[beginning(recipe, names[moment.moves[moment.seat]])].append(moment)
        if recipe.kinds:
            weights = np.array(list(recipe.kinds.values()))
            kinds = rng.choice(list(recipe.kinds), size=recipe.per_episode, p=weights / weights.sum())
            return [groups[kind].pop() for kind in kinds.tolist() if groups[kind]]
        # Of an answer that is too frequent some are left out.
        kept = {id(moment) for moment in groups[""]}
        for start, share in recipe.at_most.items():
            most = share / (1 - share) * (len(found) - len(groups[start]))
            chance = min(1.0, most / max(1, len(groups[start])))
            kept |= {id(moment) for moment in groups[start] if rng.random() < chance}
        return [moment for moment in mixed if id(moment) in kept][: recipe.per_episode]


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


def action_kind(name: str) -> str:
    """What an action is counted as: itself where there are few, in Hanabi and Breakthrough its kind."""
    if name.startswith("("):  # (Play 0), (Reveal player +1 color R)
        words = name.strip("()").split()
        return f"{words[0]} {words[-2]}" if words[0] == "Reveal" else words[0]
    if name.startswith("<"):
        return name
    return "ahead" if name[:1] == name[2:3] else "aside"  # a2a3, a2b3


def by_action(predictions: Sequence[tuple[str, str | None, bool]]) -> dict[str, dict[str, float | int | None]]:
    """Precision, recall and F1 in per cent of every kind of action, from what was made, what was said (None: nothing)
    and whether that counts as right.

    A right prediction counts for the kind of the action that was made, also where it named an equally good one; a wrong
    one against the kind that was made and against the kind that it named, which may be the same.
    """
    made, right, wrong = Counter[str](), Counter[str](), Counter[str]()
    for action, said, good in predictions:
        made[action_kind(action)] += 1
        if good:
            right[action_kind(action)] += 1
        elif said is not None:
            wrong[action_kind(said)] += 1
    found: dict[str, dict[str, float | int | None]] = {}
    for kind in sorted({*made, *wrong}):
        claimed = right[kind] + wrong[kind]
        found[kind] = {
            "questions": made[kind],
            "precision": 100 * right[kind] / claimed if claimed else None,
            "recall": 100 * right[kind] / made[kind] if made[kind] else None,
            "f1": 200 * right[kind] / (claimed + made[kind]),
        }
    return found


def mean_f1(actions: Mapping[str, Mapping[str, Any]]) -> float:
    """The mean F1 of the kinds of actions that were made: who always says the most frequent one does badly."""
    return float(np.mean([row["f1"] for row in actions.values() if row["questions"]]))
