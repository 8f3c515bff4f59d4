"""Finding agents: by name (`"minimax:depth=3"`), or given as an object; `agents/base.py` says what they may do."""

import ast
import importlib
import importlib.util
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, partial
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from mmgames.agents.base import Agent, AgentLike, as_agent
from mmgames.agents.identity import fresh_agent, split_name
from mmgames.core import discovery
from mmgames.core.constructor_options import accepted_options, required_options
from mmgames.core.game import Game, Seat
from mmgames.core.registry import missing_extra
from mmgames.core.spec import GameSpec
from mmgames.errors import MissingExtra, MmgamesError, unknown

GENERAL_AGENTS = {
    "random": "mmgames.baselines.random:Random",
    "minimax": "mmgames.baselines.search.minimax:Minimax",
    "mcts": "mmgames.baselines.search.mcts:MCTS",
    "cfr": "mmgames.baselines.search.cfr:CFR",
    "human": "mmgames.baselines.human:Human",
    "chat": "mmgames.baselines.models.chat:Chat",
    "hf": "mmgames.baselines.models.hf:HuggingFace",
    "resident": "mmgames.baselines.models.resident:Resident",
    "person": "mmgames.baselines.person:Person",
    "ippo": "mmgames.baselines.learning.learned:Learned",
    "alphazero": "mmgames.baselines.learning.board_policy:AlphaZero",
    "pool": "mmgames.baselines.pool:Pool",
    "past": "mmgames.baselines.learning.league:Past",
    "records": "mmgames.agents.people:RecordedPeople",
}

RESTRICTED_AGENTS = ("minimax", "mcts", "cfr", "ippo", "alphazero", "past")
"""The general agents that are offered for some games only; `known_agents` says for which."""

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
    needs = {
        "minimax": tree_search and len(spec.seats) == 2,
        "mcts": tree_search,
        "cfr": whole_tree,
        "ippo": spec.actions != "text",
        "alphazero": tree_search and spec.batched and len(spec.seats) == 2,
        "past": spec.batched,
    }
    return {
        **plugin_agents(),
        **{name: where for name, where in GENERAL_AGENTS.items() if needs.get(name, True)},
        **spec.agents.known,
    }


def listed_agents(spec: GameSpec) -> list[str]:
    """The names of `known_agents` as lists show them, with what has to follow a name that says too little alone."""
    needs = {"pool": "AGENT|AGENT", "past": "FILE", "records": "FOLDER"}
    needs |= {} if shipped_model("resident") else {"resident": "FOLDER"}
    needs |= {trainer: "FILE" for trainer in ("ippo", "alphazero") if shipped_policy(spec.id, trainer) is None}
    return [f"{name}:{needs[name]}" if name in needs else name for name in known_agents(spec)]


def ready_agents(spec: GameSpec) -> list[str]:
    """The names of `known_agents` that say enough alone."""
    return [name for name, listed in zip(known_agents(spec), listed_agents(spec), strict=True) if name == listed]


def shipped_policy(game_id: str, trainer: str = "ippo") -> Path | None:
    """The checkpoint of `ippo` or `alphazero` that comes with mmgames for a game, if there is one."""
    found = resources.files("mmgames.assets") / trainer / f"{game_id.rpartition('/')[2]}.npz"
    return Path(str(found)) if game_id.startswith("mmgames/") and found.is_file() else None


def shipped_model(name: str) -> Path | None:
    """The folder of a language model that comes with mmgames, if it does."""
    folder = Path(str(resources.files("mmgames.assets") / name))
    return folder if (folder / "config.json").is_file() else None


@cache
def plugin_agents() -> dict[str, str]:
    """The agents that other distributions offer for every game under the entry-point group `mmgames.agents`."""
    agents: dict[str, str] = {}
    for found in discovery.entry_points("agents"):
        if found.name in GENERAL_AGENTS or found.name in agents:
            discovery.remember(found, f"there is another agent {found.name!r}")
        elif ":" not in found.where:
            discovery.remember(found, "it names no class, as in 'package.module:Class'")
        else:
            agents[found.name] = found.where
    return agents


def make_agent(description: str | AgentLike, spec: GameSpec) -> Agent:
    """An agent from `"name"`, `"name:option=value,…"` or `"name:value"`, or from an object with `act` or `answer`.

    `as=NAME` among the options is what results call it. One that only answers observations
    (`answer(observation) -> str`) is made to play.
    """
    from mmgames.agents.answering import Answering

    found = find_agent(description, spec)
    return Answering(found) if found.only_answers else found


def find_agent(description: str | AgentLike, spec: GameSpec) -> Agent:
    """An agent as it is written, which may play, answer observations, or both.

    Here every agent enters: what does not derive from `Agent` is adapted, so that nobody else has to ask what it has.
    """
    if not isinstance(description, str):
        given = as_agent(description)
        if not (given.can_play or given.can_answer):
            raise MmgamesError(
                f"An agent is a name or an object with act(turn) or answer(observation), not {given.class_name}."
            )
        given.find_members(partial(make_agent, spec=spec))
        return given
    description, name = split_name(description)
    found = _find_described(description, spec)
    if name:
        try:
            found.given.name = name
        except AttributeError as error:
            raise MmgamesError(f"Agent {description!r} takes no other name: {error}.") from error
    found.find_members(partial(make_agent, spec=spec))
    return found


def _find_described(description: str, spec: GameSpec) -> Agent:
    name, _, rest = description.partition(":")
    known = known_agents(spec)
    own, options_of_own = find_user_class(description, known)
    if own is not None:
        return as_agent(construct_agent(own, description, options_of_own))
    if name not in known:
        raise unknown("agent", name, spec.id, known)
    module, _, attribute = known[name].partition(":")
    try:
        agent_class = getattr(importlib.import_module(module), attribute)
    except ImportError as error:
        if (error.name or "").startswith("mmgames") or not module.startswith("mmgames."):  # no extra of ours would help
            raise MmgamesError(f"The agent {name!r} of {spec.id} did not load: {error}.") from error
        raise MissingExtra(missing_extra(f"The agent {name!r}", ("train",))) from error
    except Exception as error:
        raise MmgamesError(f"The agent {name!r} did not load: {type(error).__name__}: {error}") from error
    return as_agent(construct_agent(agent_class, description, rest))


def construct_agent(maker: Any, description: str, rest: str) -> Any:
    """An instance of a class of agents, with the options `rest` that follow its name in the description."""
    name = description.removesuffix(rest).rstrip(":")
    options = named_options(name, rest, maker)
    lacking = [option for option in required_options(maker) if option not in options]
    if lacking:
        form = ",".join(f"{option}=…" for option in lacking)
        raise MmgamesError(f"Agent {name!r} needs {' and '.join(lacking)}: write {name}:{form}.")
    try:
        return maker(**options)
    except (TypeError, ValueError) as error:
        shown = name if isinstance(error, MmgamesError) else description
        raise MmgamesError(f"Agent {shown!r}: {error}") from error


def find_user_class(description: str, known: Collection[str]) -> tuple[Any, str]:
    """The class that `"module:Class"` or `"module:Class:options"` names, and its options; None: no module.

    A module of the working folder is found too, after all others. One without that class gives way to an agent's name.
    """
    module, _, rest = description.partition(":")
    attribute, _, options = rest.partition(":")
    if not attribute.isidentifier() or not all(part.isidentifier() for part in module.split(".")):
        return None, ""
    here, top = Path.cwd(), module.partition(".")[0]
    if ((here / f"{top}.py").exists() or (here / top).is_dir()) and not {"", str(here)}.intersection(sys.path):
        sys.path.append(str(here))
    try:
        if importlib.util.find_spec(module) is None:
            return None, ""
    except (ImportError, ValueError):
        return None, ""
    if module in GENERAL_AGENTS and module in sys.stdlib_module_names:  # `random:…` is an agent with an option
        return None, ""
    try:
        loaded = importlib.import_module(module)
    except Exception as error:
        raise MmgamesError(
            f"The module {module!r} of the agent did not load: {type(error).__name__}: {error}"
        ) from error
    if not hasattr(loaded, attribute) and module in known:
        return None, ""
    if not hasattr(loaded, attribute):
        raise unknown("class", attribute, f"the module {module!r}", [name for name in vars(loaded) if name[0] != "_"])
    return getattr(loaded, attribute), options


def make_agents(chosen: Sequence[str | AgentLike], spec: GameSpec) -> list[Agent]:
    """An agent for each seat. An object that is given for several is another one in each: seats share no memory."""
    agents: list[Agent] = []
    for number, one in enumerate(chosen):
        agent = make_agent(one, spec)
        again = not isinstance(one, str) and any(one is earlier for earlier in chosen[:number])
        agents.append(fresh_agent(agent) if again else agent)
    return agents


def named_options(name: str, rest: str, maker: Any, kind: str = "agent") -> dict[str, Any]:
    """The keywords for `maker` in the part of a description that follows its name: `"option=value,…"` or `"value"`."""
    accepted = accepted_options(maker)
    options: dict[str, Any] = {}
    for position, part in enumerate(filter(None, _between_commas(rest))):
        key, equals, value = part.partition("=")
        if not equals or not key.strip().isidentifier():  # a model may be called org/name=7b
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


def _between_commas(rest: str) -> list[str]:
    """The options of a description; a comma inside brackets, as JSON has them, is part of a value."""
    parts, depth = [""], 0
    for sign in rest:
        depth += (sign in "{[") - (sign in "}]")
        if sign == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


Others = str | AgentLike | Mapping[str, str | AgentLike] | Sequence[str | AgentLike] | None


def seat_agents(others: Others, game: Game[Any, Any], seats: Iterable[Seat]) -> dict[Seat, Agent]:
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
    return dict(zip(seats, make_agents(chosen, spec), strict=True))


def find_seat(game: Game[Any, Any], seat: str | int | None) -> Seat:
    """The index of a seat given by role name or number, which may be written as text; None is the first."""
    if seat is None:
        return 0
    if isinstance(seat, str) and seat not in game.seats and seat.isdecimal():
        seat = int(seat)
    if isinstance(seat, (int, np.integer)) and not isinstance(seat, bool) and 0 <= seat < len(game.seats):
        return int(seat)
    if seat in game.seats:
        return game.seats.index(str(seat))
    raise unknown("seat", seat, game.spec.id, game.seats)
