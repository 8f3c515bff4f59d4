"""Recipes of our trainers, which are dataclasses: what a game or a name sets, changes of one's own, and checks."""

import functools
import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from importlib import resources
from typing import Any, TypeVar

from mmgames.errors import MmgamesError, unknown

RecipeT = TypeVar("RecipeT")


@functools.cache
def presets(file: str) -> dict[str, dict[str, Any]]:
    """What a file beside this one sets, by the id of a game or by the name of a recipe."""
    return json.loads((resources.files("mmgames.baselines.learning") / file).read_text(encoding="utf-8"))


def named(trainer: str, game_id: str, names: Iterable[str]) -> dict[str, Any]:
    """What recipes with a name of their own set together for a game: for all games (""), then for single ones."""
    known = presets(f"{trainer}_named_recipes.json")
    settings: dict[str, Any] = {}
    for name in names:
        if name not in known:
            raise unknown("recipe", name, trainer, known)
        settings |= known[name].get("", {}) | known[name].get(game_id, {})
    return settings


def changed(recipe: RecipeT, trainer: str, changes: Mapping[str, Any]) -> RecipeT:
    """A recipe with some settings changed; one that it does not have is named. `layers` may be a number or a list."""
    known = [each.name for each in fields(recipe)]  # type: ignore[arg-type]
    for name in changes:
        if name not in known:
            raise unknown("setting", name, trainer, known)
    if isinstance(layers := changes.get("layers"), (int, list)):
        changes = {**changes, "layers": tuple(layers) if isinstance(layers, list) else (layers,)}
    return replace(recipe, **changes)  # type: ignore[type-var]


def _check(recipe: Any, trainer: str, names: Iterable[str], fits: Callable[[Any], bool], wanted: str) -> None:
    for name in names:
        value = getattr(recipe, name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not fits(value):
            raise MmgamesError(f"{trainer}: {name}={value!r} is out of range; it is {wanted}.")


def from_one_up(recipe: Any, trainer: str, *names: str) -> None:
    """Refuse a recipe in which one of these is no whole number from 1 up."""
    _check(recipe, trainer, names, lambda value: isinstance(value, int) and value >= 1, "a whole number from 1 up")


def numbers_from(recipe: Any, trainer: str, least: float, *names: str, above: bool = False) -> None:
    """Refuse a recipe in which one of these is no number from `least` up, or above it."""
    wanted = f"a number above {least:g}" if above else f"a number from {least:g} up"
    fits = lambda value: math.isfinite(value) and (value > least if above else value >= least)  # noqa: E731
    _check(recipe, trainer, names, fits, wanted)


def from_zero_to_one(recipe: Any, trainer: str, *names: str) -> None:
    """Refuse a recipe in which one of these is no number from 0 to 1."""
    _check(recipe, trainer, names, lambda value: 0 <= value <= 1, "a number from 0 to 1")


def widths(recipe: Any, trainer: str) -> None:
    """Refuse a recipe whose layers are no widths."""
    layers = recipe.layers
    if not isinstance(layers, tuple) or not layers or any(not isinstance(wide, int) or wide < 1 for wide in layers):
        raise MmgamesError(f"{trainer}: layers={layers!r} is not possible; give widths such as (64, 64).")


def check_seconds(seconds: Any) -> None:
    """Refuse a length of time that is none."""
    if seconds is not None and (isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds > 0):
        raise MmgamesError(f"seconds={seconds!r} is out of range; training takes a number of seconds above 0.")


def one_of(recipe: Any, trainer: str, choices: Mapping[str, Iterable[str]]) -> None:
    """Refuse a recipe in which one of these settings is none of its choices."""
    for name, known in choices.items():
        if getattr(recipe, name) not in known:
            raise unknown(name, getattr(recipe, name), trainer, known)
