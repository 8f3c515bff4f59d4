"""The guest itself: made, stepped and looked at, whichever interface it has."""

from __future__ import annotations

import inspect
import json
import math
import warnings
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from gymnasium import spaces

from mmgames.errors import MmgamesError
from mmgames.games._guests.actions import choices, chosen, legal_choices
from mmgames.games._guests.finding import gymnasium_id, imported
from mmgames.games._guests.sights import MASK, features_of, frame_of, is_picture, value_of, without_mask


class Seen(NamedTuple):
    """What an environment shows after a step."""

    movers: tuple[int, ...]
    """Who may act now; nobody: it is over."""
    returns: tuple[float, ...]
    observations: tuple[Hashable, ...]
    features: tuple[bytes, ...]
    masks: tuple[bytes | None, ...]
    picture: tuple[tuple[int, ...], bytes] | None
    text: str
    """What its renderer for terminals writes, if it has one."""


@contextmanager
def one_sentence(where: str, what: str) -> Iterator[None]:
    """What an environment raises, with what it was asked to do."""
    try:
        yield
    except MmgamesError:
        raise
    except Exception as error:
        reason = " ".join(str(error).split())
        raise MmgamesError(f"{where} {what}: {type(error).__name__}: {reason or 'it does not say why'}") from error


def make_guest(namespace: str, name: str, version: int, arguments: Any) -> Guest:
    """The environment, made; a sentence if it cannot be."""
    where = f"{namespace}/{name}"
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            raise MmgamesError(f"{where}: arguments={arguments!r} is no JSON object.") from None
    if not isinstance(arguments, Mapping):
        raise MmgamesError(f"{where}: arguments={arguments!r} are not arguments by their names.")
    with one_sentence(where, "cannot be made"):
        if namespace == "gymnasium":
            return OneSeat(where, _gymnasium(gymnasium_id(name, version), arguments))
        found = imported(name)
        make = found if callable(found) else getattr(found, "parallel_env", None) or getattr(found, "env", None)
        if make is None:
            raise MmgamesError(f"{name} has neither parallel_env nor env, so it is no environment of PettingZoo.")
        env = _drawing(make, _takes_mode(make), arguments)
        if hasattr(env, "agent_selection") or hasattr(env, "last"):
            return InTurn(where, env)
        if hasattr(env, "possible_agents"):
            return Together(where, env)
        raise MmgamesError(f"{name} made {type(env).__name__}, which is no environment of PettingZoo.")


def _gymnasium(id: str, arguments: Mapping[str, Any]) -> gymnasium.Env[Any, Any]:
    made: gymnasium.Env[Any, Any] = _drawing(
        lambda **how: gymnasium.make(id, **how), "render_mode" not in gymnasium.spec(id).kwargs, arguments
    )
    return made


def _drawing(make: Callable[..., Any], takes_mode: bool, arguments: Mapping[str, Any]) -> Any:
    """The environment with a renderer of pictures, or with one for terminals, or with none, as it can be had."""
    for mode in ("rgb_array", "ansi") if takes_mode and "render_mode" not in arguments else ():
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", message="(?s).*render_mode")  # we find out by trying
                return make(render_mode=mode, **arguments)
        except Exception:
            continue  # what is wrong with it beside the mode is told when it is made without one
    return make(**arguments)


def _takes_mode(make: Callable[..., Any]) -> bool:
    known = inspect.signature(make).parameters.values()
    return any(one.name == "render_mode" or one.kind is one.VAR_KEYWORD for one in known)


class Guest:
    """An environment with its seats; what all kinds have in common."""

    together = True

    def __init__(self, where: str, env: Any, agents: tuple[Any, ...]) -> None:
        self.where, self.env, self.agents = where, env, agents
        self.seats = tuple(map(str, agents))
        if not agents or len(set(self.seats)) < len(agents):
            raise MmgamesError(f"{where}: its possible_agents are {list(agents)}; there must be some, all different.")
        self.totals = [0.0] * len(agents)
        self.last: dict[int, Any] = {}
        """What each seat has observed last; who is out keeps that."""
        self.draws = getattr(env, "render_mode", None) is not None
        self.spaces: list[spaces.Space[Any]] = [self.action_space(agent) for agent in agents]
        self.sights = [without_mask(self.observation_space(agent)) for agent in agents]

    def action_space(self, agent: Any) -> spaces.Space[Any]:
        return self.env.action_space(agent)

    def observation_space(self, agent: Any) -> spaces.Space[Any]:
        return self.env.observation_space(agent)

    def reset(self, seed: int) -> Seen:
        self.totals, self.last = [0.0] * len(self.seats), {}
        with one_sentence(self.where, f"cannot be reset with seed {seed}"):
            return self._reset(seed)

    def step(self, moves: Mapping[int, Any]) -> Seen:
        with one_sentence(self.where, "cannot be stepped"):
            return self._step(moves)

    def _reset(self, seed: int) -> Seen:
        raise NotImplementedError

    def _step(self, moves: Mapping[int, Any]) -> Seen:
        raise NotImplementedError

    def close(self) -> None:
        self.env.close()

    def some_move(self, seat: int, seen: Seen, rng: np.random.Generator) -> Any:
        """A move that is possible."""
        space: Any = self.spaces[seat]
        if isinstance(space, spaces.Box):
            return (space.low + rng.random(space.shape) * (space.high - space.low)).astype(space.dtype)
        mask = seen.masks[seat]
        return chosen(space, int(rng.choice(np.flatnonzero(np.frombuffer(mask, np.int8)) if mask else choices(space))))

    def _seat(self, agent: Any) -> int:
        if agent not in self.agents:
            raise MmgamesError(f"{self.where}: {agent!r} takes part, and is none of its possible_agents.")
        return self.agents.index(agent)

    def _pay(self, rewards: Mapping[Any, Any]) -> None:
        for agent, reward in rewards.items():
            paid = float(np.asarray(reward).item())
            if not math.isfinite(paid):
                raise MmgamesError(f"{self.where}: the reward of {agent} is {paid}, which cannot be added up.")
            self.totals[self._seat(agent)] += paid

    def _seen(self, alive: Mapping[int, bool], observed: Mapping[Any, Any], infos: Mapping[Any, Any]) -> Seen:
        """What there is to see; `alive` says of those whose turn it may be whether they are still in."""
        self.last |= {self._seat(agent): one for agent, one in observed.items()}
        kept = [self.last.get(seat) for seat in range(len(self.seats))]
        masks = tuple(
            self._mask(seat, one, infos.get(agent))
            for seat, (agent, one) in enumerate(zip(self.agents, kept, strict=True))
        )
        movers = tuple(
            seat for seat, there in alive.items() if there and (masks[seat] is None or any(masks[seat] or b""))
        )
        if any(alive.values()) and not movers:
            raise MmgamesError(f"{self.where}: it is not over, and masks leave nobody anything to do.")
        shown = self._rendered()
        frame = frame_of(shown)
        sights = [without_mask(one) for one in kept]
        features = (
            b"" if is_picture(space) else features_of(space, sight).tobytes()
            for space, sight in zip(self.sights, sights, strict=True)
        )  # fmt: skip
        return Seen(
            movers, tuple(self.totals), tuple(map(value_of, sights)), tuple(features), masks,
            None if frame is None else (frame.shape, frame.tobytes()), shown if isinstance(shown, str) else "",
        )  # fmt: skip

    def _mask(self, seat: int, observed: Any, info: Any) -> bytes | None:
        """Which choices a seat has, by its observation or by what it is told beside; None: all that it has."""
        space = self.spaces[seat]
        if isinstance(space, spaces.Box):
            return None
        found = observed.get(MASK) if isinstance(observed, Mapping) else None
        found = (info or {}).get(MASK) if found is None else found
        return None if found is None else legal_choices(space, found).astype(np.int8).tobytes()

    def _rendered(self) -> Any:
        if not self.draws:
            return None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return self.env.render()
        except Exception as error:
            self.draws = False
            why = " ".join(f"{type(error).__name__} {error}".split())
            warnings.warn(f"{self.where} is shown in words, as its renderer fails: {why}", stacklevel=2)
            return None


class Together(Guest):
    """All seats move at the same time."""

    def __init__(self, where: str, env: Any) -> None:
        super().__init__(where, env, tuple(env.possible_agents))

    def _reset(self, seed: int) -> Seen:
        return self._now(*self.env.reset(seed=seed))

    def _step(self, moves: Mapping[int, Any]) -> Seen:
        """Who has no choice by its mask does something all the same, as environments wait for everybody."""
        there = {self._seat(agent): agent for agent in self.env.agents}
        given = {agent: moves[at] if at in moves else chosen(self.spaces[at], 0) for at, agent in there.items()}
        observed, paid, _, _, infos = self.env.step(given)
        self._pay(paid)
        return self._now(observed, infos)

    def _now(self, observed: Mapping[Any, Any], infos: Mapping[Any, Any]) -> Seen:
        return self._seen({seat: agent in self.env.agents for seat, agent in enumerate(self.agents)}, observed, infos)


class InTurn(Guest):
    """One seat moves after the other; those who are out are passed over."""

    together = False

    def __init__(self, where: str, env: Any) -> None:
        env.reset(seed=0)  # some know their agents only then
        super().__init__(where, env, tuple(env.possible_agents))

    def _reset(self, seed: int) -> Seen:
        self.env.reset(seed=seed)
        return self._now()

    def _step(self, moves: Mapping[int, Any]) -> Seen:
        ((_, move),) = moves.items()
        self.env.step(move)
        self._pay(self.env.rewards)
        return self._now()

    def _out(self, agent: Any) -> bool:
        return bool(self.env.terminations[agent] or self.env.truncations[agent])

    def _now(self) -> Seen:
        seen = self._observed()
        while self.env.agents and self._out(self.env.agent_selection):
            self.env.step(None)
        turn = {self._seat(self.env.agent_selection): True} if self.env.agents else {}
        return self._seen(turn, seen | self._observed(), self.env.infos)

    def _observed(self) -> dict[Any, Any]:
        return {agent: self.env.observe(agent) for agent in self.agents if agent in self.env.agents}


class OneSeat(Guest):
    """An environment of Gymnasium."""

    def __init__(self, where: str, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(where, env, ("player",))

    def action_space(self, agent: Any) -> spaces.Space[Any]:
        return self.env.action_space

    def observation_space(self, agent: Any) -> spaces.Space[Any]:
        return self.env.observation_space

    def _reset(self, seed: int) -> Seen:
        observed, info = self.env.reset(seed=seed)
        return self._seen({0: True}, {"player": observed}, {"player": info})

    def _step(self, moves: Mapping[int, Any]) -> Seen:
        observed, reward, ended, cut, info = self.env.step(moves[0])
        self._pay({"player": reward})
        return self._seen({0: not (ended or cut)}, {"player": observed}, {"player": info})
