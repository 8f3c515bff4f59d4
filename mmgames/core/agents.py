"""Agents: whatever chooses an action for a seat, found by name (`"minimax:depth=3"`) or given as an object."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from mmgames.core.errors import MissingExtra, MmgamesError, unknown
from mmgames.core.game import Action, Game, Seat
from mmgames.core.live import LiveGame
from mmgames.core.observation import Observer
from mmgames.core.registry import missing_extra
from mmgames.core.replies import Illegal
from mmgames.core.spec import GameSpec


class Turn:
    """What an agent gets to decide on: its view, its observation (made when asked for), legal actions, an rng."""

    def __init__(self, live: LiveGame, seat: Seat, rng: np.random.Generator, observer: Observer | None = None):
        self._live = live
        self._observer = observer
        self.seat = seat
        self.rng = rng
        self.refused: Illegal | None = None
        """Why this agent's last answer was no move, when it is asked again."""

    @property
    def game(self) -> Game:
        return self._live.game

    @property
    def role(self) -> str:
        return self._live.game.seats[self.seat]

    @property
    def view(self) -> Any:
        return self._live.view(self.seat)

    @property
    def legal(self) -> Sequence[Action]:
        return self._live.game.legal(self._live.state, self.seat)

    @property
    def names(self) -> Mapping[Action, str]:
        return self._live.loaded.words.names(self.view)

    def sample(self) -> Action:
        """A random legal action, drawn from this agent's own stream."""
        return self._live.sample(self.seat, self.rng)

    @property
    def observation(self) -> dict[str, Any]:
        observer = self._observer or Observer(self._live.loaded, self._live.game)
        return observer.observe(self.view)

    def observe(self, observe: Iterable[str] | str | None = None, **style: Any) -> dict[str, Any]:
        """This seat's observation with these keys; `style` is as in environments (size, legal_in_text, reasoning)."""
        return Observer(self._live.loaded, self._live.game, observe, **style).observe(self.view)

    def words(self, with_picture: bool = False) -> str:
        """The prompt for this turn; complete in words unless a picture goes with it."""
        observe = ("rgb", "text") if with_picture else ("text",)
        return Observer(self._live.loaded, self._live.game, observe=observe).text(self.view)

    def read(self, reply: str) -> Action | Illegal:
        """The move that a reply in words names, or why it names none."""
        return self._live.read(self.seat, reply)

    def imagine(self) -> Any:
        """A state consistent with all this seat may know: the state itself in games of perfect information."""
        game, state = self._live.game, self._live.state
        return state if game.spec.information == "perfect" else game.imagine(state, self.seat, self.rng)


@runtime_checkable
class Agent(Protocol):
    """Chooses an action, or names it in words.

    `begin(game, seat)`, if it has one, is called before an episode, and `end(view)`, if it has one, with the seat's
    last view after a game that was played to its end.
    """

    def act(self, turn: Turn) -> Action: ...


GENERAL = {
    "random": "mmgames.baselines.random:Random",
    "minimax": "mmgames.baselines.minimax:Minimax",
    "mcts": "mmgames.baselines.mcts:MCTS",
    "cfr": "mmgames.baselines.cfr:CFR",
    "human": "mmgames.baselines.human:Human",
}

WHOLE_TREE_LENGTH = 8
"""CFR grows the whole game tree: it is offered for hidden-card games of at most so many moves."""


def known_agents(spec: GameSpec) -> dict[str, str]:
    """The agents that can play a game: name -> where the class is."""
    in_turn = spec.dynamics == "sequential" and spec.utility == "zero_sum" and spec.searchable
    tree_search = in_turn and spec.information == "perfect" and spec.chance == "none"
    whole_tree = (
        in_turn
        and spec.information == "imperfect"
        and spec.chance == "explicit"
        and len(spec.seats) == 2
        and spec.length <= WHOLE_TREE_LENGTH
    )
    needs = {"minimax": tree_search and len(spec.seats) == 2, "mcts": tree_search, "cfr": whole_tree}
    return {**{name: where for name, where in GENERAL.items() if needs.get(name, True)}, **spec.agents}


def make_agent(description: str | Agent, spec: GameSpec) -> Agent:
    """An agent from `"name"`, `"name:option=value,…"` or `"name:value"`; an object is taken as it is."""
    if not isinstance(description, str):
        if not callable(getattr(description, "act", None)):
            raise MmgamesError(f"An agent is a name or an object with act(turn), not {type(description).__name__}.")
        return description
    name, _, rest = description.partition(":")
    known = known_agents(spec)
    if name not in known:
        raise unknown("agent", name, spec.id, known)
    module, _, attribute = known[name].partition(":")
    try:
        agent_class = getattr(importlib.import_module(module), attribute)
    except ImportError as error:
        if (error.name or "").startswith("mmgames"):  # no extra would help
            raise MmgamesError(f"The agent {name!r} of {spec.id} did not load: {error}.") from error
        raise MissingExtra(missing_extra(f"The agent {name!r}", ("train",))) from error
    options = named_options(name, rest, agent_class)
    try:
        return agent_class(**options)
    except (TypeError, ValueError) as error:
        raise MmgamesError(f"Agent {description!r}: {error}") from error


def named_options(name: str, rest: str, maker: Any, kind: str = "agent") -> dict[str, Any]:
    """The keywords for `maker` in the part of a description that follows its name: `"option=value,…"` or `"value"`."""
    # A class without its own __init__ takes no options; inspect would show object's (*args, **kwargs).
    own = maker.__init__ is not object.__init__
    accepted = [p for p in inspect.signature(maker).parameters if own]
    options: dict[str, Any] = {}
    for position, part in enumerate(filter(None, rest.split(","))):
        key, equals, value = part.partition("=")
        if not equals:
            if position >= len(accepted):
                known = ", ".join(accepted) or "none"
                raise MmgamesError(f"{kind.capitalize()} {name!r} takes no option {part!r}. Known: {known}.")
            key, value = accepted[position], part
        key = key.strip()
        if key not in accepted:
            raise unknown("option", key, f"{kind} {name!r}", accepted)
        try:
            options[key] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            options[key] = value
    return options


Others = str | Agent | Mapping[str, str | Agent] | Sequence[str | Agent] | None


def seat_agents(others: Others, game: Game, seats: Iterable[Seat]) -> dict[Seat, Agent]:
    """Agents for the given seats from `others=`: one for all, a list in seat order, or a mapping by role."""
    seats = list(seats)
    spec = game.spec
    roles = [game.seats[seat] for seat in seats]
    if others is None:
        others = "random"
    if isinstance(others, Mapping):
        for role in others:
            if role not in roles:
                raise unknown("seat", role, f"others= of {spec.id}", roles)
        chosen = [others.get(role, "random") for role in roles]
    elif isinstance(others, (list, tuple)):
        if len(others) != len(seats):
            rest = f"{len(seats)} other seats: {', '.join(roles)}" if seats else "no other seats"
            raise MmgamesError(f"others= lists {len(others)} agents, but {spec.id} has {rest}.")
        chosen = list(others)
    else:
        chosen = [others] * len(seats)  # type: ignore[list-item]
    return {seat: make_agent(agent, spec) for seat, agent in zip(seats, chosen, strict=True)}


def begin(agent: Agent, game: Game, seat: Seat) -> None:
    """Tell an agent that an episode starts, if it wants to know."""
    if hasattr(agent, "begin"):
        agent.begin(game, seat)


def end(agent: Agent, view: Any) -> None:
    """Show an agent how a game has ended, if it wants to know."""
    if hasattr(agent, "end"):
        agent.end(view)


def ask(agent: Agent, live: LiveGame, seat: Seat, rng: np.random.Generator, observer: Observer | None = None) -> Action:
    """The move an agent makes for a seat now; an illegal one is an error in the agent."""
    said = agent.act(Turn(live, seat, rng, observer))
    who = f"{live.game.spec.id}: the agent {type(agent).__name__} in seat {live.game.seats[seat]!r}"
    try:
        move = live.move_of(seat, said)
    except MmgamesError as error:
        raise MmgamesError(f"{who} gave no action: {error}") from error
    if isinstance(move, Illegal):
        raise MmgamesError(f"{who} chose an illegal action: {move.reason}")
    return move


def find_seat(game: Game, seat: str | int | None) -> Seat:
    """The index of a seat given by role name or number; None is the first."""
    if seat is None:
        return 0
    if isinstance(seat, (int, np.integer)) and not isinstance(seat, bool) and 0 <= seat < len(game.seats):
        return int(seat)
    if seat in game.seats:
        return game.seats.index(str(seat))
    raise unknown("seat", seat, game.spec.id, game.seats)
