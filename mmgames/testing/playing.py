"""Random legal play for the tests, through the rules or through any face, and digests of what was seen."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from mmgames.baselines.random import Random
from mmgames.core import registry
from mmgames.core.agents import Turn
from mmgames.core.game import Action, Seat
from mmgames.core.live import LiveGame
from mmgames.core.observation import KEYS
from mmgames.core.replies import Illegal
from mmgames.core.spec import GameSpec

SMALL = 96  # pixels on the longest side: quick to draw, and every layout must survive it
SPEECH = "Tell me what you can see, please; I do not want to guess."


@contextlib.contextmanager
def strictly(*accepted: str) -> Iterator[None]:
    """Warnings are failures in here, but for those that begin with one of these words."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for advice in accepted:
            warnings.filterwarnings("ignore", message=advice)
        yield


def all_keys(spec: GameSpec) -> tuple[str, ...]:
    """Every observation a game can give."""
    return tuple(key for key in KEYS if key != "action_mask" or spec.actions == "discrete")


def begin(spec: GameSpec, seed: int = 0, **options: Any) -> LiveGame:
    loaded = registry.load(spec.id)
    live = LiveGame(loaded, loaded.game(**options))
    live.start(np.random.default_rng(seed))
    return live


def resume(live: LiveGame, state: Any, rng: np.random.Generator) -> LiveGame:
    """Another live game of the same rules that stands at `state`."""
    other = LiveGame(live.loaded, live.game)
    other.go_on_from(state, rng)
    return other


def choose(live: LiveGame, seat: Seat, rng: np.random.Generator) -> Action:
    """A random legal action in the form an environment takes; in a talking game sometimes a sentence instead."""
    kind = live.game.spec.actions
    if kind == "box":
        space = live.game.action_space(seat)  # type: ignore[attr-defined]
        return rng.uniform(space.low, space.high).astype(space.dtype)
    if kind == "text" and rng.random() < 0.3 and not isinstance(live.check(seat, SPEECH), Illegal):
        return SPEECH
    return Random().act(Turn(live, seat, rng))


def moves(live: LiveGame, actions: Mapping[Seat, Action]) -> dict[Seat, Action]:
    """What the rules get to play for these actions, all of which must be legal."""
    checked = {seat: live.check(seat, action) for seat, action in actions.items()}
    for seat, move in checked.items():
        assert not isinstance(move, Illegal), f"{live.game.seats[seat]} may play {actions[seat]!r}: {move}"
    return checked


def advance(live: LiveGame, rng: np.random.Generator) -> tuple[dict[Seat, Action], list[float]]:
    """One transition of random play: what was done and what it paid."""
    actions = {seat: choose(live, seat, rng) for seat in live.movers}
    return actions, live.play(moves(live, actions))


def positions(spec: GameSpec, seed: int = 0, most: int = 1_000_000, **options: Any) -> Iterator[LiveGame]:
    """One live game at its start and after each of at most `most` random transitions."""
    rng = np.random.default_rng([seed, 1])
    live = begin(spec, seed, **options)
    yield live
    for _ in range(most):
        if not live.movers:
            return
        advance(live, rng)
        yield live


def illegal_action(live: LiveGame, seat: Seat) -> Action:
    """Something the seat may not do here."""
    return live.game.num_actions if live.game.spec.actions == "discrete" else 12345


def digest(*values: Any) -> str:
    """A short name for nested values: equal exactly when all they hold is equal, down to dtypes and bytes."""
    sha = hashlib.sha256()
    _feed(sha, values)
    return sha.hexdigest()[:24]


def _feed(sha: Any, value: Any) -> None:
    sha.update(f"<{type(value).__name__}>".encode())
    if isinstance(value, np.ndarray):
        sha.update(f"{value.dtype}{value.shape}".encode() + value.tobytes())
    elif isinstance(value, Mapping):
        for key in sorted(value, key=repr):
            _feed(sha, key)
            _feed(sha, value[key])
    elif isinstance(value, (tuple, list)):
        for item in value:
            _feed(sha, item)
    elif isinstance(value, (set, frozenset)):
        for item in sorted(digest(item) for item in value):
            sha.update(item.encode())
    elif dataclasses.is_dataclass(value):
        # Fields that == leaves out are looked at as well: a view must not carry what its seat may not know.
        for field in dataclasses.fields(value):
            _feed(sha, getattr(value, field.name))
    else:
        sha.update(repr(value).encode())
