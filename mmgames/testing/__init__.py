"""The conformance kit: what every game promises, as tests. It needs the extra `testing`.

A test module of one line runs all of it over a game, wherever the game comes from:

    from mmgames.testing import conformance

    TestMyGame = conformance("acme/MyGame-v0")

The modules beside this one are the tests, by subject. A test asks for `spec`, or for `discrete_spec`, `text_spec`,
`simultaneous_spec`, `batched_spec`, `hiding_spec` or `imagining_spec`, and runs for each of the games that are of that
kind; one that asks for `specs` runs once, for all of them. Where hidden parts cannot be drawn again (`spec.searchable`
is False) nothing can be said about leaks.
"""

from __future__ import annotations

import importlib
import inspect
import os
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

from mmgames.core import registry
from mmgames.core.spec import GameSpec
from mmgames.errors import MmgamesError, needs_extra

with needs_extra("The conformance kit", "testing"):
    import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")  # windows open nowhere while tests run
os.environ.setdefault("MMGAMES_COMPILE", "now")  # what is tested is compiled code
_MODULES = [found.name for found in pkgutil.iter_modules(__path__, f"{__name__}.")]
pytest.register_assert_rewrite(*_MODULES)  # so that a failing assert of the kit shows its values

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
    specs = [registry.find(id) for id in ids]

    def pytest_generate_tests(self: Any, metafunc: Any) -> None:
        for_each_game(metafunc, specs)

    missing = left_out(specs)
    here = [spec for spec in specs if spec.id not in missing]
    if not here:
        return _one_skip(" ".join(missing.values()))
    body: dict[str, Any] = {"__doc__": "All that these games promise.", "pytest_generate_tests": pytest_generate_tests}
    for test in _tests():
        kinds = [KINDS[name] for name in inspect.signature(test).parameters if name in KINDS]
        if all(any(map(belongs, here)) for belongs in kinds):
            body[test.__name__] = staticmethod(test)
    return type("Conformance", (), body)


def for_each_game(metafunc: Any, specs: Iterable[GameSpec]) -> None:
    """Let a test run for those of these games that are of the kind it asks for (`pytest_generate_tests`).

    Games whose extra is not installed are left out: see `left_out`.
    """
    specs = list(specs)
    missing = left_out(specs)
    for kind, belongs in KINDS.items():
        if kind in metafunc.fixturenames:
            chosen = [spec for spec in specs if belongs(spec) and spec.id not in missing]
            metafunc.parametrize(kind, [pytest.param(spec, id=spec.name) for spec in chosen])
    if "specs" in metafunc.fixturenames:
        metafunc.parametrize("specs", [pytest.param([spec for spec in specs if spec.id not in missing], id="together")])


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
