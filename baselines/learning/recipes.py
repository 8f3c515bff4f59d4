"""Recipes of our trainers, which are dataclasses: changing and checking their settings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

from mmgames.errors import MmgamesError, unknown

RecipeT = TypeVar("RecipeT")


def changed(recipe: RecipeT, trainer: str, changes: Mapping[str, Any]) -> RecipeT:
    """A recipe with some settings changed; one that it does not have is named."""
    known = [each.name for each in fields(recipe)]  # type: ignore[arg-type]
    for name in changes:
        if name not in known:
            raise unknown("setting", name, trainer, known)
    return replace(recipe, **changes)  # type: ignore[type-var]


def from_one_up(recipe: Any, trainer: str, *names: str) -> None:
    """Refuse a recipe in which one of these is no whole number from 1 up."""
    for name in names:
        value = getattr(recipe, name)
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise MmgamesError(f"{trainer}: {name}={value!r} is out of range; it is a whole number from 1 up.")


def numbers_from(recipe: Any, trainer: str, least: float, *names: str, above: bool = False) -> None:
    """Refuse a recipe in which one of these is no number from `least` up, or above it."""
    for name in names:
        value = getattr(recipe, name)
        fits = not isinstance(value, bool) and isinstance(value, int | float) and math.isfinite(value)
        if not fits or value < least or (above and value == least):
            wanted = f"above {least:g}" if above else f"from {least:g} up"
            raise MmgamesError(f"{trainer}: {name}={value!r} is out of range; it is a number {wanted}.")


def check_seconds(seconds: Any) -> None:
    """Refuse a length of time that is none."""
    if seconds is not None and (isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds > 0):
        raise MmgamesError(f"seconds={seconds!r} is out of range; training takes a number of seconds above 0.")


def from_zero_to_one(recipe: Any, trainer: str, *names: str) -> None:
    """Refuse a recipe in which one of these is no number from 0 to 1."""
    for name in names:
        value = getattr(recipe, name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise MmgamesError(f"{trainer}: {name}={value!r} is out of range; it is a number from 0 to 1.")
