"""GameSpec: what is true of a game before anybody plays it. Data only, so that listing games costs nothing."""

import json
import math
import numbers
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Any, Literal

from mmgames.errors import MmgamesError, nearest, unknown

LOOK = "look"
"""The option of every game that says how it is shown; a game has it among its own where it was given."""

Dynamics = Literal["simultaneous", "sequential", "mixed"]
"""How seats move; mixed: turns and joint moves alternate."""


@dataclass(frozen=True, slots=True)
class Option:
    """One keyword a user may set on a game: its default, what it means and which values it takes."""

    default: Any
    doc: str
    choices: tuple[Any, ...] = ()
    low: float | None = None
    high: float | None = None

    def check(self, name: str, value: Any, where: str) -> Any:
        if self.choices:
            if not any(value == choice and type(value) is type(choice) for choice in self.choices):
                listing = ", ".join(repr(choice) for choice in self.choices)
                known = (choice for choice in self.choices if isinstance(choice, str))
                raise MmgamesError(
                    f"{where}: {name}={value!r} is not possible. Choose one of {listing}.{nearest(value, known)}"
                )
            return value
        if self.low is not None or self.high is not None:
            whole = isinstance(self.default, int)
            number = isinstance(value, numbers.Real) and not isinstance(value, bool) and math.isfinite(value)
            if not number or (whole and int(value) != value):
                kind = "a whole number" if whole else "a number"
                raise MmgamesError(f"{where}: {name} takes {kind}, not {value!r}.")
            if (self.low is not None and value < self.low) or (self.high is not None and value > self.high):
                bounds = " and ".join(
                    part
                    for part in (
                        f"at least {self.low:g}" if self.low is not None else "",
                        f"at most {self.high:g}" if self.high is not None else "",
                    )
                    if part
                )
                raise MmgamesError(f"{where}: {name}={value!r} is out of range; it must be {bounds}.")
            return int(value) if whole else float(value)
        return value


@dataclass(frozen=True)
class Agents:
    """Who plays a game, besides the agents that play any."""

    known: Mapping[str, str] = field(default_factory=dict)  # name -> "module:Class"
    talkers: Mapping[str, str] = field(default_factory=dict)  # those that talk, where there is talk before its moves
    reference: tuple[str, ...] = ("random",)  # agents to measure with, one for all seats or one per seat
    quick: tuple[str, ...] = ()  # lighter ones, for demos: an episode of theirs takes about a second; none: reference


@dataclass(frozen=True)
class Outcome:
    """What is known of a game's results."""

    lowest: float = 0.0  # below 0 where returns mostly fall: no episode ends with less, and a forfeit costs that
    can_be_drawn: bool = False  # of two against each other: the rules know draws, so they may agree on one
    signals: str = ""  # "module:function" of what tells how lucky a state is; see running/variates.py


@dataclass(frozen=True)
class Simulator:
    """What it means that a simulator stands behind the rules. The conformance kit spares a slow one."""

    slow_picture: bool = False  # few pictures are looked at
    slow_steps: bool = False  # few episodes are played
    rows: str = ""  # "module:Class" of rows that are played at once, in place of `envs.played_rows.PlayedRows`
    vector: str = ""  # "module:Class" of batches that it brings itself; what `vector_env` then makes


@dataclass(frozen=True)
class GameSpec:
    """The facts about a game. Its folder declares one as `SPEC` in its `__init__`, written there or in spec.json."""

    name: str
    package: str  # where rules.py, picture.py and words.py live
    summary: str
    seats: tuple[str, ...]
    dynamics: Dynamics
    information: Literal["perfect", "imperfect"]
    utility: Literal["zero_sum", "general_sum", "identical"]
    actions: Literal["discrete", "text", "box"]
    length: int  # most transitions an episode can have
    source: str
    family: str
    chance: Literal["none", "explicit", "incidental"] = "none"
    version: int = 0
    namespace: str = "mmgames"
    rules: str = ""  # class name in rules.py; the game's own name unless said otherwise
    extras: tuple[str, ...] = ()
    without_extras: Mapping[str, Any] = field(default_factory=dict)  # options with which it needs none of them
    options: Mapping[str, Option] = field(default_factory=dict)
    agents: Agents = Agents()
    outcome: Outcome = Outcome()
    simulator: Simulator = Simulator()
    frames: int = 1  # how many pictures an observation holds unless the user says otherwise
    batched: bool = False  # rules.py has a compiled kernel for the batched face
    searchable: bool = True  # what a seat cannot know can be drawn again, and a state gone back to
    one_against_all: str = ""  # the option that names the seat which plays against all others, where roles are dealt
    looks: tuple[str, ...] = ()  # turns, themes, pieces and words of `core/looks.py` that it can be shown with
    doc: str = ""  # the page of documentation: README.md of its folder, or the folder's docstring

    @property
    def id(self) -> str:
        return f"{self.namespace}/{self.name}-v{self.version}"

    @property
    def rules_class(self) -> str:
        return self.rules or self.name

    def reference_for(self, seat: int) -> str:
        return self.agents.reference[seat % len(self.agents.reference)]

    def quick_for(self, seat: int) -> str:
        agents = self.agents.quick or self.agents.reference
        return agents[seat % len(agents)]

    def check_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All options with their values, or a sentence about the first one that is wrong."""
        for name in given:
            if name not in self.options and name != LOOK:
                raise unknown("option", name, self.id, self.options)
        return {
            name: option.check(name, given.get(name, option.default), self.id) for name, option in self.options.items()
        } | {name: value for name, value in given.items() if name not in self.options}


def spec_in(package: str, kit: GameSpec | None = None) -> GameSpec:
    """The spec that stands in spec.json of a game's folder, by the names of the fields here.

    With a `kit` it is that of the kit but for what stands there; options and agents are added to the kit's, of whose
    options some may be told otherwise.
    """
    told: dict[str, Any] = _held(package, "spec")
    parts: dict[str, type[Any]] = {"agents": Agents, "outcome": Outcome, "simulator": Simulator}
    made = {name: kind(**told.pop(name)) for name, kind in parts.items() if name in told and kit is None}
    options = told.pop("options", {})
    if kit is None:
        return GameSpec(package=package, options=_options(options), **made, **told)
    new = {name: own for name, own in options.items() if name not in kit.options}
    changed = {name: replace(kit.options[name], **own) for name, own in options.items() if name in kit.options}
    if agents := told.pop("agents", None):
        known = {**kit.agents.known, **agents.pop("known")}
        told["agents"] = replace(kit.agents, known=known, **agents)
    return replace(kit, package=package, options={**kit.options, **changed, **_options(new)}, **told)


def options_in(package: str) -> dict[str, dict[str, Option]]:
    """The options that stand in options.json of a folder, by the parts that they have there."""
    return {part: _options(told) for part, told in _held(package, "options").items()}


def _options(told: Mapping[str, Any]) -> dict[str, Option]:
    return {name: Option(**own) for name, own in told.items()}


def _held(package: str, name: str) -> Any:
    return _fixed(json.loads(files(package).joinpath(f"{name}.json").read_text("utf-8")))


def _fixed(value: Any) -> Any:
    """What a JSON file holds, lists as tuples."""
    if isinstance(value, dict):
        return {name: _fixed(part) for name, part in value.items()}
    return tuple(map(_fixed, value)) if isinstance(value, list) else value
