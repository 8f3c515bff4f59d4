"""The facts of the benchmark: ten layouts with their areas, robots and cameras, and the 23 templates of its tasks.

Six more layouts are our own (own_layouts.json), in the same form; they also say where their walls are (`room`).
"""

from functools import lru_cache
from typing import Any

from mmgames.embodied._world.names import AREAS, read


def facts() -> dict[str, Any]:
    return read("facts")


def own_layouts() -> tuple[int, ...]:
    """The numbers of the layouts that are not the benchmark's."""
    return tuple(found["layout"] for found in read("own_layouts")["layouts"])


@lru_cache(maxsize=1)
def _layouts() -> dict[int, dict[str, Any]]:
    return {found["layout"]: found for found in (*facts()["layouts"], *read("own_layouts")["layouts"])}


def layout(number: int) -> dict[str, Any]:
    return _layouts()[number]


@lru_cache(maxsize=64)
def area_names(number: int) -> tuple[str, ...]:
    """The areas of a layout that things can be put on; a layout that nobody knows has the usual ones."""
    known = _layouts().get(number)
    if known is None:
        return AREAS
    names = {name for area in known["areas"] for name in area["names"]}
    return tuple(name for name in AREAS if name in names)
