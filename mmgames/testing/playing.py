"""Random legal play for the tests, through the rules or through any face, and digests of what was seen."""

import contextlib
import dataclasses
import hashlib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from mmgames.core import registry
from mmgames.core.constants import MAX_MESSAGE
from mmgames.core.game import Action, Seat
from mmgames.core.live import LiveGame
from mmgames.core.observation import keys_of
from mmgames.core.spec import GameSpec
from mmgames.text.refusals import Illegal

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


def sampled(env: Any) -> Any:
    """The same face, whose action spaces and later episodes draw by a seed; checkers of others ask for both without."""
    for number, space in enumerate(getattr(env, "action_spaces", {0: env.action_space}).values()):
        space.seed(number)
    env.reset(seed=0)
    return env


def all_keys(spec: GameSpec) -> tuple[str, ...]:
    """Every observation a game can give."""
    return keys_of(registry.load(spec.id))[1]


def keys_but_pictures(spec: GameSpec) -> tuple[str, ...]:
    """What to observe where a test does not look at it anyway."""
    return tuple(key for key in all_keys(spec) if key != "rgb")


def few(spec: GameSpec, most: int) -> int:
    """How many positions a test that has them drawn may look at: `most`, or a handful where a picture is slow."""
    return min(most, 3) if spec.simulator.slow_picture else most


def episodes(spec: GameSpec, most: int) -> int:
    """How many episodes a test may begin, or steps it may play of one: `most`, or a handful where steps are slow."""
    return min(most, 3 if most > 5 else 1) if spec.simulator.slow_steps else most


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
    talks = live.game.spec.actions == "text"
    if talks and rng.random() < 0.3 and not isinstance(live.check(seat, SPEECH), Illegal):
        return SPEECH
    return live.sample(seat, rng)


def moves(live: LiveGame, actions: Mapping[Seat, Action]) -> dict[Seat, Action]:
    """What the rules get to play for these actions, all of which must be legal."""
    checked = {seat: live.check(seat, action) for seat, action in actions.items()}
    for seat, move in checked.items():
        assert not isinstance(move, Illegal), f"{live.game.seats[seat]} may play {actions[seat]!r}: {move}"
    return checked


def advance(live: LiveGame, rng: np.random.Generator) -> tuple[dict[Seat, Action], Sequence[float]]:
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


def illegal_actions(live: LiveGame, seat: Seat) -> list[Action]:
    """Well-formed actions that the seat may not take here; none where everything is allowed."""
    if live.game.spec.actions == "text":
        return ["a" * (MAX_MESSAGE + 1)]
    if live.game.spec.actions == "box":
        low, high = live.game.bounds(seat)
        return [high + 1, low - 1, np.full_like(high, np.inf)] if high.dtype.kind == "f" else [high + 1]
    legal = set(live.game.legal(live.state, seat))
    return [action for action in range(live.game.num_actions) if action not in legal][:1]


def malformed_actions(live: LiveGame, seat: Seat) -> list[Any]:
    """What is no action of the seat in any position."""
    if live.game.spec.actions == "text":
        return [12345, None, b"no text", ["words"]]
    if live.game.spec.actions == "box":
        low, _ = live.game.bounds(seat)
        nan = [np.full_like(low, np.nan)] if low.dtype.kind == "f" else []
        return [None, "soon", low.tolist()[:-1], np.append(low, 0), low.astype(complex), [[]], 0.5, *nan]
    most = live.game.num_actions
    whole = np.array([0])
    return [most, -1, 10**30, 0.5, 0.0, float("inf"), float("nan"), "soon", "0", None, whole, whole.astype(float)[0]]


def digest(*values: Any) -> str:
    """A short name for nested values: equal exactly when all they hold is equal, down to dtypes and bytes."""
    sha = hashlib.sha256()
    _feed(sha, values)
    return sha.hexdigest()[:24]


PLAIN = (str, int, float, type(None), np.generic)
"""What is told apart by its type and its repr; most of what is fed, so it is asked for first."""


def _feed(sha: Any, value: Any) -> None:
    name = type(value).__name__
    if isinstance(value, PLAIN):
        sha.update(f"<{name}>{value!r}".encode())
        return
    sha.update(f"<{name}>".encode())
    if isinstance(value, np.ndarray) and value.dtype == object:
        _feed(sha, value.tolist())
    elif isinstance(value, np.ndarray):
        sha.update(f"{value.dtype}{value.shape}".encode())
        sha.update(np.ascontiguousarray(value))
    elif isinstance(value, (tuple, list)):
        for item in value:
            _feed(sha, item)
    elif isinstance(value, Mapping):
        for key in sorted(value, key=repr):
            _feed(sha, key)
            _feed(sha, value[key])
    elif isinstance(value, (set, frozenset)):
        for item in sorted(digest(item) for item in value):
            sha.update(item.encode())
    elif dataclasses.is_dataclass(value):
        # Fields that == leaves out are looked at as well: a view must not carry what its seat may not know.
        for field in dataclasses.fields(value):
            _feed(sha, getattr(value, field.name))
    else:
        sha.update(repr(value).encode())
