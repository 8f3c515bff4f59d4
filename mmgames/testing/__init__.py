"""The conformance kit: what every game promises, as tests. It needs the extra `testing`.

A test module of one line runs all of it over a game, wherever the game comes from:

    from mmgames.testing import conformance

    TestMyGame = conformance("acme/MyGame-v0")

The modules beside this one are the tests, by subject. A test asks for `spec`, or for `discrete_spec`, `text_spec`,
`simultaneous_spec`, `batched_spec`, `hiding_spec` or `imagining_spec`, and runs for each of the games that are of that
kind; one that asks for `specs` runs once, for all of them. Where hidden parts cannot be drawn again (`spec.searchable`
is False) nothing can be said about leaks.
"""

import importlib
import inspect
import os
import pkgutil
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache, wraps
from typing import Any

from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.spec import GameSpec
from mmgames.errors import MmgamesError, needs_extra, options_told

with needs_extra("The conformance kit", "testing"):
    import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")  # windows open nowhere while tests run
os.environ.setdefault("MMGAMES_COMPILE", "now")  # what is tested is compiled code
_MODULES = [found.name for found in pkgutil.iter_modules(__path__, f"{__name__}.")]
pytest.register_assert_rewrite(*_MODULES)  # so that a failing assert of the kit shows its values

LAST = 12
"""So many of the last steps are told of an episode in which a promise was broken."""
KINDS: dict[str, Callable[[GameSpec], bool]] = {
    "spec": lambda spec: True,
    "discrete_spec": lambda spec: spec.actions == "discrete",
    "text_spec": lambda spec: spec.actions == "text",
    "simultaneous_spec": lambda spec: spec.dynamics == "simultaneous" and spec.length > 4,  # PettingZoo's kit plays 4
    "batched_spec": lambda spec: spec.batched,
    "hiding_spec": lambda spec: spec.information == "imperfect" and spec.searchable,
    "imagining_spec": lambda spec: spec.information == "perfect" or spec.searchable,
}
"""What a test may ask for, and which games are meant by it."""


def conformance(*ids: str) -> type:
    """A class of tests for pytest to collect: all that these games have promised."""
    if not ids:
        raise MmgamesError("conformance() needs the id of at least one game.")
    specs = [without_extras(spec) if registry.options_here(spec) else spec for spec in map(registry.find, ids)]

    def pytest_generate_tests(self: Any, metafunc: Any) -> None:
        with known(specs):
            for_each_game(metafunc, specs)

    @pytest.fixture(autouse=True)
    def games(self: Any) -> Iterator[None]:
        with known(specs):
            yield

    with known(specs):
        missing = left_out(specs)
    here = [spec for spec in specs if spec.id not in missing]
    if not here:
        return _one_skip(" ".join(missing.values()))
    body: dict[str, Any] = {"__doc__": "All that these games promise.", "pytest_generate_tests": pytest_generate_tests}
    body["games"] = games
    for test in _tests():
        kinds = [KINDS[name] for name in inspect.signature(test).parameters if name in KINDS]
        if all(any(map(belongs, here)) for belongs in kinds):
            body[test.__name__] = staticmethod(telling(test))
    return type("Conformance", (), body)


def without_extras(spec: GameSpec) -> GameSpec:
    """A game under an id that only its tests know, with those options for defaults with which it needs no extra."""
    others = spec.without_extras
    options = {name: replace(one, default=others.get(name, one.default)) for name, one in spec.options.items()}
    settled = registry.load(spec.id).game(**others).spec
    return replace(settled, namespace=options_told(others).replace('"', "").replace("=", "-"), options=options)


def telling(test: Callable[..., None]) -> Callable[..., None]:
    """A test whose failure begins with a sentence: which promise was broken, after which seed and actions."""
    promise = test.__name__.removeprefix("test_").replace("_", " ")

    @wraps(test)
    def told(*args: Any, **kwargs: Any) -> None:
        with watched() as played:
            try:
                test(*args, **kwargs)
            except Exception as error:
                said = f"It is not so that {promise}. {played.sentence()}"
                if not isinstance(error, AssertionError):
                    error.add_note(said)
                    raise
                raise AssertionError(f"{said}\n{error}").with_traceback(error.__traceback__) from None

    return told


class Played:
    """The episode that was begun last: its game, its seed, and what was done in it."""

    def __init__(self) -> None:
        self.live: LiveGame | None = None
        self.seed: Any = None
        self.steps = 0
        self.last: deque[tuple[Any, Mapping[Any, Any]]] = deque(maxlen=LAST)
        """States and what was done in them."""

    def sentence(self) -> str:
        if self.live is None:
            return "No episode had begun."
        done = "; ".join(self._said(*step) for step in self.last) or "nothing"
        left_out = f"{self.steps - LAST} steps and " if self.steps > LAST else ""
        return f"The last episode of {self.live.game.spec.id} had seed {self.seed}; done in it: {left_out}{done}."

    def _said(self, state: Any, moves: Mapping[Any, Any]) -> str:
        assert self.live is not None
        game, told = self.live.game, dict(moves)
        for seat in moves if self.live.discrete else ():
            with suppress(Exception):  # a game with a fault may fail here too, and another failure is being told
                told[seat] = self.live.loaded.words.names(game.view(state, seat))[moves[seat]]
        return " and ".join(f"{game.seats[seat] if seat >= 0 else 'chance'} {move}" for seat, move in told.items())


@contextmanager
def watched() -> Iterator[Played]:
    """What is begun and played meanwhile."""
    played, start, play = Played(), LiveGame.start, LiveGame.play

    def begun(live: LiveGame, rng: Any) -> None:
        seeds = getattr(getattr(rng, "bit_generator", None), "seed_seq", None)
        played.live, played.seed, played.steps = live, getattr(seeds, "entropy", "unknown"), 0
        played.last.clear()
        start(live, rng)

    def done(live: LiveGame, moves: Mapping[Any, Any]) -> Any:
        if live is played.live:
            played.steps += 1
            played.last.append((live.state, moves))
        return play(live, moves)

    LiveGame.start, LiveGame.play = begun, done  # type: ignore[method-assign,assignment]
    try:
        yield played
    finally:
        LiveGame.start, LiveGame.play = start, play  # type: ignore[method-assign]


@contextmanager
def known(specs: Iterable[GameSpec]) -> Iterator[None]:
    """While these games are tested, mmgames knows them, also those that it has under other ids."""
    strange = {spec.id: spec for spec in specs if spec.id not in registry.specs}
    for spec in strange.values():
        registry.register(spec)
    try:
        yield
    finally:
        for id in strange:
            del registry.specs[id]


def for_each_game(metafunc: Any, specs: Iterable[GameSpec]) -> None:
    """Let a test run for those of these games that are of the kind it asks for (`pytest_generate_tests`).

    Games whose extra is not installed are left out: see `left_out`.
    """
    specs = list(specs)
    missing = left_out(specs)
    for kind, belongs in KINDS.items():
        if kind in metafunc.fixturenames:
            chosen = [spec for spec in specs if belongs(spec) and spec.id not in missing]
            metafunc.parametrize(kind, [pytest.param(spec, id=_label(spec)) for spec in chosen])
    if "specs" in metafunc.fixturenames:
        metafunc.parametrize("specs", [pytest.param([spec for spec in specs if spec.id not in missing], id="together")])


def _label(spec: GameSpec) -> str:
    """Which game a test is about; a game without its extra is called so."""
    return spec.name if spec.namespace == "mmgames" else f"{spec.namespace}/{spec.name}"


def left_out(specs: Iterable[GameSpec]) -> dict[str, str]:
    """The ids of games that no test is collected for, as an extra they need is not installed, and the sentence so."""
    return {spec.id: why for spec in specs if (why := _why_missing(spec.id))}


@cache
def _why_missing(id: str) -> str:
    """Asked for every test; what is installed does not change meanwhile."""
    return registry.why_missing(registry.find(id))


def _one_skip(why: str) -> type:
    """What is collected where none of the games can be had."""

    def test_the_games_are_installed() -> None:
        pytest.skip(why)

    return type("Conformance", (), {"test_the_games_are_installed": staticmethod(test_the_games_are_installed)})


def _tests() -> Iterator[Callable[..., None]]:
    for module in map(importlib.import_module, _MODULES):
        for name, value in vars(module).items():
            if name.startswith("test_") and value.__module__ == module.__name__:
                yield value
