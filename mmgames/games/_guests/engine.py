"""The guest itself: found by its address, made, stepped and looked at, whichever interface it has."""

from __future__ import annotations

import importlib
import inspect
import json
import warnings
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import gymnasium
import numpy as np
from gymnasium import spaces

from mmgames.errors import MmgamesError

MOST_ACTIONS = 8192
"""Choices that are counted through, where an action is several choices at once."""
TRIED = 12
_kept: dict[str, Callable[..., Any]] = {}


class Seen(NamedTuple):
    """What an environment shows after a step."""

    alive: tuple[bool, ...]
    mover: int | None
    """Whose turn it is; nobody's where all move at the same time."""
    returns: tuple[float, ...]
    observations: tuple[Hashable, ...]
    features: tuple[bytes, ...]
    masks: tuple[bytes | None, ...]
    picture: tuple[tuple[int, ...], bytes] | None
    text: str
    """What its renderer for terminals writes, if it has one."""


@dataclass(frozen=True)
class About:
    """What is known of an environment before it is played."""

    home: str
    seats: tuple[str, ...]
    together: bool
    actions: Literal["discrete", "box"]
    chance: Literal["none", "incidental"]


def keep(make: Callable[..., Any]) -> str:
    """The address of a function; one that cannot be imported is known to this process alone."""
    address = f"{make.__module__}.{make.__qualname__}".replace("<locals>.", "").replace("<lambda>", "made")
    _kept[address] = make
    return address


def imported(address: str) -> Any:
    """The module or function behind an address."""
    if address in _kept:
        return _kept[address]
    module, last = address, ""
    while module:
        try:
            found = importlib.import_module(module)
            return getattr(found, last) if last else found
        except ModuleNotFoundError as error:
            if error.name is None or not (address == error.name or address.startswith(f"{error.name}.")):
                raise MmgamesError(f"The guest {address} needs {error.name}, which is not installed.") from error
        except AttributeError as error:
            raise MmgamesError(f"There is no {last!r} in {module}, so there is no guest {address!r}.") from error
        if last:
            break
        module, _, last = module.rpartition(".")
    raise MmgamesError(f"There is no module behind the guest {address!r}; its address is that of a module or function.")


def make_guest(namespace: str, name: str, version: int, arguments: Any) -> Guest:
    """The environment, made; a sentence if it cannot be."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            raise MmgamesError(f"{namespace}/{name}: arguments={arguments!r} is no JSON object.") from None
    if not isinstance(arguments, Mapping):
        raise MmgamesError(f"{namespace}/{name}: arguments={arguments!r} are not arguments by their names.")
    try:
        if namespace == "gymnasium":
            return OneSeat(_gymnasium(name, version, arguments))
        found = imported(name)
        make = found if callable(found) else getattr(found, "parallel_env", None) or getattr(found, "env", None)
        if make is None:
            raise MmgamesError(f"{name} has neither parallel_env nor env, so it is no environment of PettingZoo.")
        env = make(**_drawing(make, arguments))
    except (MmgamesError, KeyboardInterrupt):
        raise
    except Exception as error:
        raise MmgamesError(f"{namespace}/{name} cannot be made: {type(error).__name__}: {error}") from error
    if hasattr(env, "agent_selection") or hasattr(env, "last"):
        return InTurn(env)
    if hasattr(env, "possible_agents"):
        return Together(env)
    raise MmgamesError(f"{name} made {type(env).__name__}, which is no environment of PettingZoo.")


def _drawing(make: Callable[..., Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, with a renderer of pictures where one can be asked for."""
    known = inspect.signature(make).parameters.values()
    asked = any(one.name == "render_mode" or one.kind is one.VAR_KEYWORD for one in known)
    return {**({"render_mode": "rgb_array"} if asked else {}), **arguments}


def _gymnasium(name: str, version: int, arguments: Mapping[str, Any]) -> gymnasium.Env[Any, Any]:
    for id in (f"{name}-v{version}", f"{name.replace('.', '/', 1)}-v{version}"):
        if id in gymnasium.registry:
            modes = getattr(gymnasium.spec(id), "kwargs", {})
            return gymnasium.make(id, **{"render_mode": "rgb_array", **modes, **arguments})
    raise MmgamesError(f"Gymnasium knows no {name}-v{version}.")


class Guest:
    """An environment with its seats; what all kinds have in common."""

    together = True

    def __init__(self, env: Any, seats: tuple[str, ...]) -> None:
        self.env, self.seats = env, seats
        self.totals = [0.0] * len(seats)
        self.last: dict[int, Any] = {}
        """What each seat has observed last; who is out keeps that."""
        self.spaces: list[spaces.Space[Any]] = [self.action_space(seat) for seat in range(len(seats))]
        self.sights = [_without_mask(self.observation_space(seat)) for seat in range(len(seats))]

    def action_space(self, seat: int) -> spaces.Space[Any]:
        return self.env.action_space(self.seats[seat])

    def observation_space(self, seat: int) -> spaces.Space[Any]:
        return self.env.observation_space(self.seats[seat])

    def reset(self, seed: int) -> Seen:
        raise NotImplementedError

    def step(self, moves: Mapping[int, Any]) -> Seen:
        raise NotImplementedError

    def close(self) -> None:
        self.env.close()

    def _begin(self) -> None:
        self.totals, self.last = [0.0] * len(self.seats), {}

    def some_move(self, seat: int, seen: Seen, rng: np.random.Generator) -> Any:
        """A move that is possible."""
        space: Any = self.spaces[seat]
        if isinstance(space, spaces.Box):
            return (space.low + rng.random(space.shape) * (space.high - space.low)).astype(space.dtype)
        mask = seen.masks[seat]
        return chosen(space, int(rng.choice(np.flatnonzero(np.frombuffer(mask, np.int8)) if mask else choices(space))))

    def _seen(self, alive: tuple[bool, ...], mover: int | None, observed: Mapping[int, Any], masks: Any) -> Seen:
        shown = self._rendered()
        picture = shown if isinstance(shown, np.ndarray) and shown.ndim == 3 and shown.shape[2] == 3 else None
        pixels = None if picture is None else np.ascontiguousarray(picture, np.uint8)
        self.last |= observed
        kept = [self.last.get(seat) for seat in range(len(self.seats))]
        sights = [_without_mask(one) for one in kept]
        features = (
            b"" if is_picture(space) else features_of(space, sight).tobytes()
            for space, sight in zip(self.sights, sights, strict=True)
        )  # fmt: skip
        return Seen(
            alive, mover, tuple(map(float, self.totals)), tuple(map(_value, sights)), tuple(features),
            tuple(_mask(one, masks.get(seat)) for seat, one in enumerate(kept)),
            None if pixels is None else (pixels.shape, pixels.tobytes()), shown if isinstance(shown, str) else "",
        )  # fmt: skip

    def _rendered(self) -> Any:
        if getattr(self.env, "render_mode", None) is None:
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.env.render()


class Together(Guest):
    """All seats move at the same time."""

    def __init__(self, env: Any) -> None:
        super().__init__(env, tuple(env.possible_agents))

    def reset(self, seed: int) -> Seen:
        self._begin()
        return self._now(*self.env.reset(seed=seed))

    def step(self, moves: Mapping[int, Any]) -> Seen:
        observed, paid, _, _, told = self.env.step({self.seats[seat]: move for seat, move in moves.items()})
        for name, reward in paid.items():
            self.totals[self.seats.index(name)] += float(reward)
        return self._now(observed, told)

    def _now(self, observed: Mapping[str, Any], told: Mapping[str, Any]) -> Seen:
        alive = tuple(name in self.env.agents for name in self.seats)
        masks = {seat: told.get(name, {}).get("action_mask") for seat, name in enumerate(self.seats)}
        return self._seen(alive, None, {self.seats.index(name): one for name, one in observed.items()}, masks)


class InTurn(Guest):
    """One seat moves after the other; those who are out are passed over."""

    together = False

    def __init__(self, env: Any) -> None:
        env.reset(seed=0)  # some know their agents only then
        super().__init__(env, tuple(env.possible_agents))

    def reset(self, seed: int) -> Seen:
        self._begin()
        self.env.reset(seed=seed)
        return self._now()

    def step(self, moves: Mapping[int, Any]) -> Seen:
        ((_, move),) = moves.items()
        self._step(move)
        self.last |= self._observed()
        while self.env.agents and self._out(self.env.agent_selection):
            self._step(None)
        return self._now()

    def _step(self, move: Any) -> None:
        self.env.step(move)
        for name, reward in self.env.rewards.items():
            self.totals[self.seats.index(name)] += float(reward)

    def _out(self, name: str) -> bool:
        return bool(self.env.terminations[name] or self.env.truncations[name])

    def _now(self) -> Seen:
        alive = tuple(name in self.env.agents and not self._out(name) for name in self.seats)
        mover = self.seats.index(self.env.agent_selection) if any(alive) else None
        told = {seat: self.env.infos.get(name, {}).get("action_mask") for seat, name in enumerate(self.seats)}
        return self._seen(alive, mover, self._observed(), told)

    def _observed(self) -> dict[int, Any]:
        return {seat: self.env.observe(name) for seat, name in enumerate(self.seats) if name in self.env.agents}


class OneSeat(Guest):
    """An environment of Gymnasium."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env, ("player",))

    def action_space(self, seat: int) -> spaces.Space[Any]:
        return self.env.action_space

    def observation_space(self, seat: int) -> spaces.Space[Any]:
        return self.env.observation_space

    def reset(self, seed: int) -> Seen:
        self._begin()
        observed, told = self.env.reset(seed=seed)
        return self._seen((True,), None, {0: observed}, {0: told.get("action_mask")})

    def step(self, moves: Mapping[int, Any]) -> Seen:
        observed, reward, ended, cut, told = self.env.step(moves[0])
        self.totals[0] += float(reward)
        return self._seen((not (ended or cut),), None, {0: observed}, {0: told.get("action_mask")})


def look_at(namespace: str, name: str, version: int) -> About:
    """What an environment is, found out by making it once with its own defaults."""
    guest = make_guest(namespace, name, version, {})
    try:
        kinds = {kind_of(space, f"{namespace}/{name}") for space in guest.spaces}
        if len(kinds) > 1:
            raise MmgamesError(f"{namespace}/{name}: some seats choose and others give numbers; one game has one kind.")
        home = "Gymnasium" if namespace == "gymnasium" else "PettingZoo"
        chance: Literal["none", "incidental"] = "none" if _is_the_same(guest) else "incidental"
        return About(home, guest.seats, guest.together and len(guest.seats) > 1, kinds.pop(), chance)
    finally:
        guest.close()


def _is_the_same(guest: Guest) -> bool:
    """Whether the same moves lead to the same from different seeds, as far as a few moves show."""
    stories = set()
    for seed in range(3):
        seen, story = guest.reset(seed), []
        rng = np.random.default_rng(0)
        for _ in range(TRIED):
            story.append(seen)
            movers = [seen.mover] if seen.mover is not None else [at for at, alive in enumerate(seen.alive) if alive]
            if not movers:
                break
            seen = guest.step({seat: guest.some_move(seat, seen, rng) for seat in movers})
        stories.add(tuple(story))
    return len(stories) == 1


def kind_of(space: spaces.Space[Any], where: str) -> Literal["discrete", "box"]:
    """Whether actions are choices or numbers, or a sentence that says why they are neither."""
    if isinstance(space, spaces.Discrete | spaces.MultiDiscrete | spaces.MultiBinary):
        if (count := choices(space)) > MOST_ACTIONS:
            raise MmgamesError(
                f"{where}: an action is one of {count:,} choices; at most {MOST_ACTIONS:,} are told apart."
            )
        return "discrete"
    if isinstance(space, spaces.Box) and space.is_bounded("both"):
        return "box"
    raise MmgamesError(f"{where}: actions in {space} are neither a choice nor an array between bounds.")


def choices(space: Any) -> int:
    if isinstance(space, spaces.Discrete):
        return int(space.n)
    return int(np.prod(_parts(space), dtype=object))


def _parts(space: Any) -> tuple[int, ...]:
    shape = space.nvec if isinstance(space, spaces.MultiDiscrete) else np.full(space.shape, 2)
    return tuple(int(number) for number in np.ravel(shape))


def chosen(space: Any, number: int) -> Any:
    """The action of the environment that a number stands for."""
    if isinstance(space, spaces.Discrete):
        return int(space.start) + number
    parts = np.array(np.unravel_index(number, _parts(space)), dtype=space.dtype)
    return parts.reshape(space.shape)


def warn_if_it_does_not_repeat(game: Any) -> None:
    """Play a few steps twice from one seed; a warning if they differ, as records could then not be replayed."""
    stories = []
    for _ in range(2):
        rng = np.random.default_rng(0)
        state, story = game.start(np.random.default_rng(0)), []
        for _ in range(TRIED):
            story.append(state.poses)
            movers = game.movers(state)
            if not movers:
                break
            state = game.play(state, {seat: game.sample(state, seat, rng) for seat in movers}, rng)
        stories.append(story)
    game.close()
    if stories[0] != stories[1]:
        warnings.warn(
            f"{game.spec.id} does not do the same twice with one seed: its episodes can be played and not replayed.",
            stacklevel=4,
        )


def _without_mask(observed: Any) -> Any:
    """An observation, or the space of one, without the mask that stands beside it in PettingZoo's games."""
    if isinstance(observed, Mapping | spaces.Dict) and {"action_mask", "observation"} == {*observed.keys()}:
        return observed["observation"]
    return observed


def _mask(observed: Any, told: Any) -> bytes | None:
    found = observed.get("action_mask") if isinstance(observed, Mapping) else None
    found = told if found is None else found
    return None if found is None else np.ravel(np.asarray(found) != 0).astype(np.int8).tobytes()


def _value(observed: Any) -> Hashable:
    """An observation as a hashable value."""
    if isinstance(observed, Mapping):
        return ("dict", tuple((str(name), _value(one)) for name, one in observed.items()))
    if isinstance(observed, tuple | list):
        return ("tuple", tuple(_value(one) for one in observed))
    if observed is None or isinstance(observed, str):
        return observed
    array = np.asarray(observed)
    return ("array", array.dtype.str, array.shape, array.tobytes())


def array_in(value: Any) -> np.ndarray | None:
    """The array of an observation that is one."""
    if isinstance(value, tuple) and value and value[0] == "array":
        return np.frombuffer(value[3], np.dtype(value[1])).reshape(value[2])
    return None


def is_picture(space: Any) -> bool:
    """Whether observations are pictures: rows and columns of bytes, in colours or in grey."""
    return (
        isinstance(space, spaces.Box) and space.dtype == np.uint8 and len(space.shape) in (2, 3)
        and min(space.shape[:2]) >= 8 and (len(space.shape) == 2 or space.shape[2] in (1, 3))
    )  # fmt: skip


def features_of(space: spaces.Space[Any], observed: Any) -> np.ndarray:
    """An observation as numbers between -1 and 1: by its bounds, where it has some, otherwise x / (1 + |x|)."""
    if observed is None:
        return np.zeros(spaces.flatdim(space), np.float32)
    flat = np.asarray(spaces.flatten(space, observed), np.float64)
    box = spaces.flatten_space(space)
    assert isinstance(box, spaces.Box)
    low, high = np.ravel(box.low).astype(np.float64), np.ravel(box.high).astype(np.float64)
    bounded = np.isfinite(low) & np.isfinite(high) & (high > low) & (high - low < 1e30)
    with np.errstate(all="ignore"):
        scaled = np.where(bounded, 2 * (flat - low) / (high - low) - 1, flat / (1 + np.abs(flat)))
    return np.clip(np.nan_to_num(scaled), -1, 1).astype(np.float32)
