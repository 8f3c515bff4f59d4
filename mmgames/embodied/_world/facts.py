"""The facts of the benchmark: ten layouts with their areas, robots and cameras, and the 23 templates of its tasks."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any

from mmgames.embodied._world.names import AREAS


@lru_cache(maxsize=1)
def facts() -> dict[str, Any]:
    return json.loads(files(__package__).joinpath("facts.json").read_text("utf-8"))


def layout(number: int) -> dict[str, Any]:
    return next(found for found in facts()["layouts"] if found["layout"] == number)


@lru_cache(maxsize=64)
def area_names(number: int) -> tuple[str, ...]:
    """The areas of a layout that things can be put on; a layout that is not one of the ten has the usual ones."""
    known = next((found for found in facts()["layouts"] if found["layout"] == number), None)
    if known is None:
        return AREAS
    names = {name for area in known["areas"] for name in area["names"]}
    return tuple(name for name in AREAS if name in names)
