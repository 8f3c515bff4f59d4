"""The action spaces of guests: choices that are counted through, alone or several at once, or arrays between bounds."""

import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from gymnasium import spaces

from mmgames.errors import MmgamesError

MOST_ACTIONS = 8192
"""Choices that are counted through, where an action is several choices at once."""


def kind_of(space: spaces.Space[Any], where: str) -> Literal["discrete", "box"]:
    """Whether actions are choices or numbers, or a sentence that says why they are neither."""
    if _is_choice(space):
        if not 0 < (count := choices(space)) <= MOST_ACTIONS:
            raise MmgamesError(
                f"{where}: an action is one of {count:,} choices; 1 to {MOST_ACTIONS:,} can be told apart."
            )
        return "discrete"
    if isinstance(space, spaces.Box) and space.is_bounded("both") and 0 not in space.shape:
        return "box"
    raise MmgamesError(f"{where}: actions in {space} are neither choices nor an array between bounds.")


def _is_choice(space: spaces.Space[Any]) -> bool:
    if isinstance(space, spaces.Tuple | spaces.Dict):
        return all(map(_is_choice, _parts(space).values()))
    return isinstance(space, spaces.Discrete | spaces.MultiDiscrete | spaces.MultiBinary)


def _parts(space: Any) -> dict[Any, Any]:
    """The spaces within a space, by their names or places."""
    return dict(space.items() if isinstance(space, spaces.Dict) else enumerate(space.spaces))


def _counts(space: Any) -> tuple[int, ...]:
    """How many choices there are for each part of an action."""
    if isinstance(space, spaces.Discrete):
        return (int(space.n),)
    if isinstance(space, spaces.Tuple | spaces.Dict):
        return tuple(map(choices, _parts(space).values()))
    shape = space.nvec if isinstance(space, spaces.MultiDiscrete) else np.full(space.shape, 2)
    return tuple(int(number) for number in np.ravel(shape))


def choices(space: Any) -> int:
    return math.prod(_counts(space))


def chosen(space: Any, number: int) -> Any:
    """The action of the environment that a number stands for."""
    if isinstance(space, spaces.Discrete):
        return int(space.start) + number
    numbers = np.unravel_index(number, _counts(space))
    if isinstance(space, spaces.Tuple | spaces.Dict):
        parts = _parts(space)
        picked = {name: chosen(parts[name], int(one)) for name, one in zip(parts, numbers, strict=True)}
        return picked if isinstance(space, spaces.Dict) else tuple(picked.values())
    first = space.start if isinstance(space, spaces.MultiDiscrete) else 0
    return np.array(numbers, dtype=space.dtype).reshape(space.shape) + first


def written(action: Any) -> str:
    """An action by its numbers, with the names of its parts where they have some; commas stand between actions."""
    if isinstance(action, Mapping):
        return " and ".join(f"{name} {written(part)}" for name, part in action.items())
    if isinstance(action, tuple):
        return " and ".join(map(written, action))
    return " ".join(map(str, np.ravel(action).tolist()))


def legal_choices(space: Any, mask: Any) -> np.ndarray:
    """Which choices a mask allows. It has a number for each; for several at once, a mask for each part will do."""
    if mask is None:
        return np.ones(choices(space), bool)
    counts = _counts(space)
    if isinstance(space, spaces.Tuple | spaces.Dict):
        masks = _parts_of_mask(space, mask)
    elif len(counts) > 1 and isinstance(mask, tuple | list) and len(mask) == len(counts):
        masks = [np.ravel(part) != 0 for part in mask]
    else:
        flat = np.ravel(np.asarray(mask)) != 0
        if len(counts) == 1 or flat.size != sum(counts):
            return _sized(flat, choices(space))
        masks = np.split(flat, np.cumsum(counts)[:-1])
    allowed = np.ones(1, bool)
    for part, count in zip(masks, counts, strict=True):
        allowed = np.logical_and.outer(allowed, _sized(part, count)).ravel()
    return allowed


def _parts_of_mask(space: Any, mask: Any) -> list[np.ndarray]:
    parts = _parts(space)
    given = mask if isinstance(mask, Mapping) else dict(enumerate(mask))
    if given.keys() != parts.keys():
        raise ValueError(f"the mask of an action in {space} has a mask for each part of it")
    return [legal_choices(part, given[name]) for name, part in parts.items()]


def _sized(mask: np.ndarray, count: int) -> np.ndarray:
    if mask.size != count:
        raise ValueError(f"a mask has {mask.size} numbers where there are {count} choices")
    return mask
